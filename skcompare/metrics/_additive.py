"""Metrics that add up over rows: told so, or recognized by calling them."""

import dataclasses

import numpy as np
from sklearn.metrics import make_scorer

from skcompare._engine import MetricStatistic, chunk_generator, recognition_of
from skcompare._engine.additive import AdditiveFunction
from skcompare._foreign import metric_of
from skcompare._parameters import Integer
from skcompare._validation import as_array, as_weights, number_of_rows, seed_of


def make_additive_scorer(
    contributions,
    score,
    *,
    name=None,
    response_method="predict",
    greater_is_better=True,
):
    """Make a scorer of a metric that is a function of sums over rows.

    The scorer works wherever scikit-learn takes one. In a comparison its resamples cost
    as little as those of the built-in metrics: contributions are computed once.

    Parameters
    ----------
    contributions : callable
        ``contributions(y_true, y_pred)`` returns an array of shape (n_rows, n_totals):
        what each row adds to the totals. A row's contributions must depend on that row
        alone.
    score : callable
        ``score(totals)`` takes totals of shape (..., n_totals), those of many resamples
        at once, and returns the metric, of shape (...).
    name : str, default=None
        The name of the metric; that of `score` if None.
    response_method : str or tuple of str, default="predict"
        What to ask the model for, as in :func:`~sklearn.metrics.make_scorer`.
    greater_is_better : bool, default=True
        Whether higher is better. If not, the scorer returns the negative.

    Returns
    -------
    callable
        A scorer.

    See Also
    --------
    check_additive_scorer : Compare such a scorer with a plain metric function.

    Examples
    --------
    The error relative to the size of the truth, a ratio of two sums:

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
        AdditiveFunction(contributions, score, name),
        response_method=response_method,
        greater_is_better=greater_is_better,
    )


def check_additive_scorer(
    scorer, reference, y_true, y_pred, *, n_resamples=100, rtol=1e-9, random_state=0
):
    """Check an additive scorer against a plain metric function on random resamples.

    Parameters
    ----------
    scorer : callable
        A scorer made by `make_additive_scorer`.
    reference : callable
        ``reference(y_true, y_pred)`` computes the metric in the plain way, before any
        change of sign.
    y_true, y_pred : array-like
        Data to resample.
    n_resamples : int, default=100
        The number of resamples.
    rtol : float, default=1e-9
        The largest relative difference to accept.
    random_state : int, RandomState, Generator or None, default=0
        Controls the random resamples.

    Raises
    ------
    ValueError
        If the two differ on some resample, with both values.

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
                f"The additive score is {float(value)} where the reference is "
                f"{expected}, on the resample of rows {resample.tolist()[:10]} ..."
            )


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class RecognizedMetric:
    """What a metric function is, as far as calls have shown.

    Parameters
    ----------
    kind : str or None
        "mean", "sum" or "ratio of sums", perhaps behind "square root of a ",
        "exponential of a " or "reciprocal of a "; None if it was not recognized.
    reason : str
        Why it was not; empty if it was.
    value : float
        The metric on all rows.
    row_scores : ndarray of shape (n_rows,) or None
        What each row would score by itself: its numerator over its denominator, nan
        where that is 0. Of a sum, what the row adds.
    numerators, denominators : ndarray of shape (n_rows,) or None
        What each row adds to the two sums. A mean has denominators of 1, or weights; a
        sum has none.
    influence : ndarray of shape (n_rows,) or None
        By how much the metric is greater than it would be without the row, to first
        order: which rows cost a score, and which make it.
    n_calls : int
        How often the metric was called.

    See Also
    --------
    recognize_metric : Returns one.

    Notes
    -----
    Numerators and denominators of a ratio are fixed up to a common factor. They are
    scaled such that the least positive denominator is 1 where all others are multiples
    of it.
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
    r"""Find out whether a metric is a mean, a sum or a ratio of sums over rows.

    It is called on one row at a time and on few rows together, and what explains these
    calls has to reproduce the metric on all rows and on resamples of many sizes. Tests
    do the same with scorers that are not known otherwise: resamples of metrics that are
    recognized cost next to nothing.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_pred)`` returns a number; with weights it is called with
        ``sample_weight`` besides.
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        The truth.
    y_pred : array-like of shape (n_rows,) or (n_rows, n_outputs)
        Predictions: labels, numbers or probabilities, whatever the metric takes.
    sample_weight : array-like of shape (n_rows,), default=None
        Weights of the rows.

    Returns
    -------
    RecognizedMetric
        What the metric is and what each row adds, or why it was not recognized. It is
        true if it was.

    See Also
    --------
    make_additive_scorer : Say what rows add, for metrics that are not recognized.

    Notes
    -----
    A row i scores :math:`r_i` by itself. Tried are the mean and the sum of :math:`r_i`,
    also of their squares under a root, of their logarithms under an exponential and of
    their reciprocals, and ratios :math:`\sum u_i / \sum v_i`. For these two rows a and
    b are needed of different scores, whose score together lies between the two: that
    says what b weighs relative to a. The score of row i together with a, or with both,
    then gives :math:`u_i` and :math:`v_i`.

    A metric that was recognized may still differ on resamples that are unlike all that
    were tried. So tests call it once more on those of the resamples they have drawn
    that score lowest and highest, and on all of them if it is another there. A metric
    that is random, or that depends on the order of rows, is not recognized. To have
    tests call a metric on every resample, set the attribute `recognize` of the
    function, or of the scorer, to False.

    Examples
    --------
    Which rows cost the F1?

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

    A median does not add up:

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
    statistic = MetricStatistic(
        metric=metric,
        sign=1,
        kwargs={},
        y=y_true,
        responses=[y_pred],
        sample_weight=sample_weight,
        arguments={},
        name=getattr(metric, "__name__", type(metric).__name__),
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
