"""Which metric of a search is meant, and the scorer that computes it."""

from typing import NamedTuple

from skcompare._evaluation import resolve_scoring
from skcompare.model_selection._cv_results import choose_metric, metrics_in


class PickedScore(NamedTuple):
    """One number of a scorer that returns several by name."""

    scorer: object
    name: str

    def __call__(self, estimator, X, y):
        """Score a model."""
        return self.scorer(estimator, X, y)[self.name]


def metric_of_search(search, scoring):
    """Return the name that `cv_results_` has for a metric, None if it lacks it.

    Parameters
    ----------
    search : BaseSearchCV
        A fitted search.
    scoring : str, callable or None
        What the user asked for. None is what the search refits by, or its only metric.

    Returns
    -------
    str or None
        The name.
    """
    metrics = metrics_in(search.cv_results_)
    if scoring is None:
        return ranking_metric(search)
    if isinstance(scoring, str) and scoring in metrics:
        return scoring
    same = len(metrics) == 1 and _is_same(scoring, search.scoring)
    return metrics[0] if same else None


def _is_same(scoring, other):
    return scoring is other or (isinstance(scoring, str) and scoring == other)


def ranking_metric(search):
    """Return the metric that the search refits by, or its only one."""
    refit = search.refit if isinstance(search.refit, str) else None
    metrics = metrics_in(search.cv_results_)
    return choose_metric(search.cv_results_, refit if len(metrics) > 1 else None)


def shown_name(search, metric):
    """Return what to call a metric: "score" says little where there is a name."""
    named = metric == "score" and isinstance(search.scoring, str)
    return search.scoring if named else metric


def scorers_for(search, scoring, metric, *, models, y):
    """Return the scorer of a metric by its name.

    Parameters
    ----------
    search : BaseSearchCV
        A fitted search.
    scoring : str, callable or None
        What the user asked for.
    metric : str or None
        The name that `cv_results_` has for it; None for a metric of the user's own.
    models : list
        Models, for the score of their own where no other is given.
    y : object
        The truth.

    Returns
    -------
    dict
        One scorer.
    """
    if metric is None:
        scorers = resolve_scoring(scoring, y=y, models=models)
    elif callable(search.scoring) and metric != "score":
        scorers = {metric: PickedScore(search.scoring, metric)}
    else:
        scorers = resolve_scoring(search.scoring, y=y, models=models)
        scorers = {metric: scorers[metric]} if metric in scorers else scorers
    if len(scorers) > 1:
        raise ValueError(
            "`scoring` must be one metric, for candidates are ranked by it. "
            f"Got {', '.join(map(repr, scorers))}. Make a comparison for each."
        )
    return scorers
