"""One number per row, where a score is their average."""

import numpy as np

from skcompare._engine.additive import AdditiveStatistic


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
