"""What additive scores are made of: scores of rows, or counts of labels."""

import dataclasses

import numpy as np

from skcompare._engine.additive._statistic import AdditiveStatistic

ROWS_AT_A_TIME = 2**14


def row_scores(statistic):
    """Return the scores of single rows, model by model, whose average is the score.

    Parameters
    ----------
    statistic : Statistic
        A score of all models of a sample.

    Returns
    -------
    list of ndarray of shape (n_rows,) or None
        The scores of rows, higher being better; None if the score is no plain average
        over rows.
    """
    if not isinstance(statistic, AdditiveStatistic):
        return None
    metric = statistic.metric
    if not metric.averages_rows or metric.sample_weight is not None:
        return None
    rows = np.arange(len(metric.keys[0]))
    added = [metric.contributions(m, rows) for m in range(len(statistic.observed))]
    return [statistic.sign * one[:, 0] / one[:, -1] for one in added]


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
    n_models, n_rows = len(statistic.observed), statistic.generic.n_rows
    totals = 0
    for start in range(0, n_rows, ROWS_AT_A_TIME):
        rows = np.arange(start, min(start + ROWS_AT_A_TIME, n_rows))
        added = [metric.contributions(model, rows) for model in range(n_models)]
        totals = totals + np.stack([one.sum(axis=0) for one in added])
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
