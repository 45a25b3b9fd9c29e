"""Metrics of a ranking, ROC AUC and average precision, from one sort per model.

Whatever is resampled, the order of the scores stays. So the entries are sorted once,
and the weights that a resample gives them are accumulated along that order, for many
resamples at a time.
"""

from skcompare._engine.ranking._problem import ranking_problem
from skcompare._engine.ranking._statistic import RankingStatistic

__all__ = ["RankingStatistic", "ranking_statistic"]


def ranking_statistic(generic):
    """Return a statistic that ranks once, None if the metric is not one of those.

    Parameters
    ----------
    generic : MetricStatistic
        The same statistic by calling the metric function.

    Returns
    -------
    RankingStatistic or None
        The statistic on the same sample.
    """
    problem = ranking_problem(generic)
    return None if problem is None else RankingStatistic(problem, generic)
