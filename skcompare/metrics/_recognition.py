"""Finding out how a metric of one's own adds up."""

import dataclasses

import numpy as np

from skcompare._engine import MetricStatistic, recognition_of
from skcompare._validation import (
    as_array,
    as_weights,
    number_of_rows,
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
        metric,
        1,
        {},
        y=y_true,
        responses=[y_pred],
        sample_weight=sample_weight,
        observed=(),
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
