"""Additive metrics, defined by the user or recognized by calling them."""

import dataclasses

import numpy as np
from sklearn.metrics import make_scorer

from skcompare._engine import MetricStatistic, chunk_generator, recognition_of
from skcompare._engine.additive import AdditiveFunction
from skcompare._foreign import metric_of
from skcompare._parameters import Integer
from skcompare._validation import (
    as_array,
    as_weights,
    number_of_rows,
    seed_of,
    take_rows,
)

# About the number of rows whose contributions are also computed without the others.
N_CHECKED = 100


def make_additive_scorer(
    contributions,
    score,
    *,
    name=None,
    response_method="predict",
    greater_is_better=True,
):
    """Make a scorer from a metric that is a function of sums over rows.

    The scorer can be used wherever scikit-learn accepts one. In a comparison, its
    resamples are as fast as those of the built-in metrics, since contributions are
    computed only once.

    Parameters
    ----------
    contributions : callable
        ``contributions(y_true, y_pred)`` returns the contribution of each row to the
        totals, an array of shape (n_rows, n_totals). The contributions of a row must
        depend on this row only.
    score : callable
        ``score(totals)`` takes the totals of many resamples at once, an array of shape
        (..., n_totals), and returns the metric for each, an array of shape (...).
    name : str, default=None
        The name of the metric; that of `score` if None.
    response_method : str or tuple of str, default="predict"
        The method of the model that returns `y_pred`, as in
        :func:`~sklearn.metrics.make_scorer`.
    greater_is_better : bool, default=True
        Whether higher is better. If False, the scorer returns the negated metric.

    Returns
    -------
    callable
        A scorer.

    See Also
    --------
    check_additive_scorer : Compare such a scorer with a plain metric function.

    Examples
    --------
    The absolute error relative to the size of the truth is a ratio of two sums:

    >>> import numpy as np
    >>> from skcompare import PairedBootstrap, make_additive_scorer
    >>> scorer = make_additive_scorer(
    ...     lambda y, p: np.column_stack([np.abs(y - p), np.abs(y)]),
    ...     lambda totals: totals[..., 0] / totals[..., 1],
    ...     name="relative_error", greater_is_better=False)
    >>> rng = np.random.default_rng(0)
    >>> y = rng.gamma(2, size=500)
    >>> a, b = y + rng.normal(size=500), y + 2 * rng.normal(size=500)
    >>> test = PairedBootstrap(scoring=scorer, random_state=0).fit_predictions(y, a, b)
    >>> test.result_.engine, test.pvalue_
    ('additive/rows', 0.0001)
    """
    for parameter, function in {"contributions": contributions, "score": score}.items():
        if not callable(function):
            raise ValueError(f"`{parameter}` must be a function. Got {function!r}.")
    name = name or getattr(score, "__name__", "additive_score")
    return make_scorer(
        AdditiveFunction(RowContributions(contributions, name), score, name),
        response_method=response_method,
        greater_is_better=greater_is_better,
    )


class RowContributions:
    """A user's function of contributions, checked to use each row on its own.

    Parameters
    ----------
    function : callable
        The function.
    name : str
        The name of the metric.
    """

    def __init__(self, function, name):
        self.function, self.name = function, name

    def __call__(self, y_true, y_pred):
        """Return the contributions, or raise an error if other rows affect them."""
        added = np.asarray(self.function(y_true, y_pred), dtype=float)
        rows = np.arange(len(y_true))[:: -max(2, len(y_true) // N_CHECKED)]
        try:
            some = [take_rows(values, rows) for values in (y_true, y_pred)]
            alone = np.asarray(self.function(*some), dtype=float)
        except Exception:  # such as of arrays of all rows that it reads from elsewhere
            return added
        if alone.ndim == added.ndim > 0 and alone.shape == added[rows].shape:
            slack = 1e-9 * np.abs(added).max(initial=0)
            if not np.allclose(alone, added[rows], 1e-9, slack, equal_nan=True):
                raise ValueError(
                    f"`contributions` of the additive scorer {self.name!r} must depend "
                    "only on the truth and the prediction of each row. Got others if "
                    "some rows are left out, as with a mean, a rank or a running sum "
                    "over rows. Pass such a metric to make_scorer instead."
                )
        return added


def check_additive_scorer(
    scorer, reference, y_true, y_pred, *, n_resamples=100, rtol=1e-9, random_state=0
):
    """Check an additive scorer against a plain metric function on random resamples.

    Parameters
    ----------
    scorer : callable
        A scorer made by `make_additive_scorer`.
    reference : callable
        ``reference(y_true, y_pred)`` computes the metric directly, without the change
        of sign that ``greater_is_better=False`` makes.
    y_true, y_pred : array-like
        Data to resample.
    n_resamples : int, default=100
        The number of resamples.
    rtol : float, default=1e-9
        The maximum relative difference.
    random_state : int, RandomState, Generator or None, default=0
        Controls the random resamples.

    Raises
    ------
    ValueError
        If the two values differ on a resample. The message contains both.

    Examples
    --------
    >>> from sklearn.metrics import mean_absolute_error
    >>> scorer = make_additive_scorer(
    ...     lambda y, p: np.column_stack([np.abs(y - p), np.ones(len(y))]),
    ...     lambda totals: totals[..., 0] / totals[..., 1], greater_is_better=False)
    >>> y, p = np.arange(10.0), np.arange(10.0)[::-1]
    >>> check_additive_scorer(scorer, mean_absolute_error, y, p)
    """
    function = metric_of(scorer)[0]
    if not isinstance(function, AdditiveFunction):
        raise ValueError(
            f"`scorer` must come from make_additive_scorer. Got {scorer!r}."
        )
    Integer(1, 10**6).check("n_resamples", n_resamples)
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    rng = chunk_generator(seed_of(random_state), 0)
    added = function.of_rows(y_true, y_pred)
    rows = rng.integers(len(y_true), size=(n_resamples, len(y_true)))
    scores = np.asarray(function.score(added[rows].sum(axis=1)), dtype=float)
    if scores.shape != (n_resamples,):
        raise ValueError(
            "`score` must take totals of many resamples, of shape (n, n_totals), and "
            f"return an array of shape (n,). Got shape {scores.shape} for n = "
            f"{n_resamples}."
        )
    for resample, value in zip(rows, scores, strict=True):
        expected = float(reference(y_true[resample], y_pred[resample]))
        if not np.isclose(value, expected, rtol=rtol, atol=1e-12, equal_nan=True):
            raise ValueError(
                f"The additive score is {float(value)} but the reference is "
                f"{expected} on the resample of rows {resample.tolist()[:10]} ..."
            )


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class RecognizedMetric:
    """The kind of a metric function and the contributions of rows to it.

    Parameters
    ----------
    kind : str or None
        "mean", "sum" or "ratio of sums", possibly preceded by "square root of a ",
        "exponential of a " or "reciprocal of a "; None if not recognized.
    reason : str
        Why the metric was not recognized; empty if it was.
    value : float
        The metric on all rows.
    row_scores : ndarray of shape (n_rows,) or None
        The score of each row on its own: its numerator divided by its denominator, nan
        if the latter is 0. For a sum, the contribution of the row.
    numerators, denominators : ndarray of shape (n_rows,) or None
        The contributions of each row to the two sums. For a mean, the denominators are
        1, or the weights; for a sum they are None.
    influence : ndarray of shape (n_rows,) or None
        The metric minus its value without the row, to first order. Rows with negative
        influence lower the metric; those with positive influence raise it.
    n_calls : int
        The number of calls of the metric.

    See Also
    --------
    recognize_metric : Recognize a metric function.

    Notes
    -----
    Numerators and denominators of a ratio are determined up to a common factor. If all
    denominators are multiples of the smallest positive one, they are scaled so that it
    is 1.
    """

    kind: str | None = None
    reason: str
    value: float
    row_scores: np.ndarray | None = dataclasses.field(default=None, repr=False)
    numerators: np.ndarray | None = dataclasses.field(default=None, repr=False)
    denominators: np.ndarray | None = dataclasses.field(default=None, repr=False)
    influence: np.ndarray | None = dataclasses.field(default=None, repr=False)
    n_calls: int

    def __bool__(self):
        return self.kind is not None


def recognize_metric(metric, y_true, y_pred, *, sample_weight=None):
    r"""Determine whether a metric is a mean, a sum or a ratio of sums over rows.

    The metric is called on single rows and on a few rows together. A formula that
    explains these calls must also reproduce the metric on all rows and on resamples of
    many sizes. Comparisons do the same for unknown scorers, since resampling recognized
    metrics takes almost no time.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_pred)`` returns a number. If there are weights, they are
        passed as ``sample_weight``. A scorer from
        :func:`~sklearn.metrics.make_scorer` stands for its function, with its options
        and its sign.
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        The truth.
    y_pred : array-like of shape (n_rows,) or (n_rows, n_outputs)
        Predictions that the metric accepts: labels, numbers or probabilities.
    sample_weight : array-like of shape (n_rows,), default=None
        Weights of the rows.

    Returns
    -------
    RecognizedMetric
        The kind of the metric and the contributions of rows, or the reason why it was
        not recognized. Its truth value is whether the metric was recognized.

    See Also
    --------
    make_additive_scorer : Define the contributions of rows to any additive metric.

    Notes
    -----
    Let :math:`r_i` be the score of row i on its own. The candidates are the mean and
    the sum of :math:`r_i`, or of their squares, logarithms or reciprocals (the inverse
    function is applied to the result), and ratios :math:`\sum u_i / \sum v_i`. Ratios
    require two rows a and b with different scores, whose joint score lies between both:
    it determines the weight of b relative to a. The joint score of row i and a, or of
    all three, then determines :math:`u_i` and :math:`v_i`.

    A recognized metric may still differ from its formula on resamples that are unlike
    all those tried. Comparisons therefore call the metric on the resamples with the
    lowest and the highest scores, and on all resamples if it differs there. A metric
    that is random, or that depends on the order of rows, is not recognized. To have
    comparisons call a metric on every resample, set the attribute `recognize` of the
    function, or of the scorer, to False.

    Examples
    --------
    Which rows lower the F1 score?

    >>> import numpy as np
    >>> from skcompare.metrics import recognize_metric
    >>> def f1(y, p):
    ...     return 2 * np.sum(y & p) / (np.sum(y) + np.sum(p))
    >>> y, p = np.array([1, 1, 1, 0, 0, 0]), np.array([1, 1, 0, 1, 0, 0])
    >>> recognized = recognize_metric(f1, y, p)
    >>> recognized.kind, round(recognized.value, 3)
    ('ratio of sums', 0.667)
    >>> recognized.numerators, recognized.denominators
    (array([2., 2., 0., 0., 0., 0.]), array([2., 2., 1., 1., 0., 0.]))
    >>> recognized.influence.round(2)
    array([ 0.11,  0.11, -0.11, -0.11,  0.  ,  0.  ])

    A median is not additive:

    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=100)
    >>> p = y + rng.normal(size=100)
    >>> recognize_metric(lambda y, p: np.median(np.abs(y - p)), y, p).reason
    'no mean, sum or ratio of sums of single rows'
    """
    if not callable(metric):
        raise ValueError(f"`metric` must be a function. Got {metric!r}.")
    y_true, y_pred = as_array(y_true, "y_true"), as_array(y_pred, "y_pred")
    rows = ("y_true", number_of_rows(y_true, "y_true"))
    number_of_rows(y_pred, "y_pred", rows)
    if sample_weight is not None:
        sample_weight = as_weights(sample_weight)
        number_of_rows(sample_weight, "sample_weight", rows)
    function, sign, kwargs, _ = metric_of(metric)
    function = function or metric
    statistic = MetricStatistic(
        metric=function,
        sign=sign,
        kwargs=kwargs,
        y=y_true,
        responses=[y_pred],
        sample_weight=sample_weight,
        arguments={},
        name=getattr(function, "__name__", type(function).__name__),
    ).scored_anew()
    recognition = recognition_of(statistic)
    sums, contributions = recognition.sums, {}
    if sums is not None:
        contributions = {
            "kind": sums.kind,
            "row_scores": sums.row_scores,
            "numerators": sums.numerators,
            "denominators": None if sums.form == "sum" else sums.denominators,
            "influence": sums.influence,
        }
    return RecognizedMetric(
        reason=recognition.reason,
        value=statistic.observed[0],
        n_calls=recognition.n_calls + 1,
        **contributions,
    )
