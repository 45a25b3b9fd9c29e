"""How often labels are right, wrongly predicted and missed, for scores made of that."""

import dataclasses

import numpy as np

from skcompare._engine.additive import AdditiveStatistic

ROWS_AT_A_TIME = 2**14


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class SetCounts:
    """What precision, recall, F and Jaccard are computed from.

    Parameters
    ----------
    kind : {"fbeta", "jaccard", "precision", "recall"}
        The ratio.
    average : {"binary", "micro", "macro", "weighted"}
        How the ratios of labels become one number.
    ratios : callable
        ``ratios(tp, fp, fn)`` returns the score from arrays whose last axis is labels,
        and the one before it models.
    tp, fp, fn : ndarray of shape (n_models, n_labels)
        True positives, false positives and false negatives, pooled into one label for
        a micro average.
    """

    kind: str
    average: str
    ratios: object
    tp: np.ndarray
    fp: np.ndarray
    fn: np.ndarray


def set_counts(statistic):
    """Return the counts that a score of label sets is made of.

    Parameters
    ----------
    statistic : Statistic
        A score of all models of a sample.

    Returns
    -------
    SetCounts or None
        None if the score is no ratio of set sizes, or rows have weights.
    """
    metric = getattr(statistic, "metric", None)
    if not isinstance(statistic, AdditiveStatistic) or not hasattr(metric, "set_sums"):
        return None
    if metric.sample_weight is not None:
        return None
    models = range(len(statistic.observed))
    totals = np.stack([_totals(metric, m, statistic.generic.n_rows) for m in models])
    tp, predicted, true, counted = metric.set_sums(totals)
    score = metric.set_score
    if score.average == "micro":
        tp, predicted, true = (x.sum(1, keepdims=True) for x in (tp, predicted, true))
        counted = np.ones(tp.shape, dtype=bool)

    def ratios(tp, fp, fn):
        return statistic.sign * score.score(tp, tp + fp, tp + fn, counted)

    return SetCounts(
        kind=score.kind,
        average=score.average,
        ratios=ratios,
        tp=tp,
        fp=predicted - tp,
        fn=true - tp,
    )


def _totals(metric, model, n_rows):
    """Sum the contributions of all rows, a block of them at a time."""
    blocks = np.split(np.arange(n_rows), range(ROWS_AT_A_TIME, n_rows, ROWS_AT_A_TIME))
    return sum(metric.contributions(model, rows).sum(axis=0) for rows in blocks)
