"""From a statistic to the same of other models, rows or weights, as fast as can be."""

import warnings
from collections.abc import Hashable

import numpy as np

from skcompare._engine._fold_mean import MeanOverFolds, mean_over_folds
from skcompare._engine._generic import MetricStatistic
from skcompare._engine._weighted import weighted_statistic
from skcompare._engine.additive import additive_statistic
from skcompare._engine.ranking import ranking_statistic


def of_models(statistic, models):
    """Return the statistic of some of the models, by number, without scoring anew."""
    if tuple(models) == tuple(range(len(statistic.observed))):
        return statistic
    return fastest(statistic.generic.of_models(models))


def at_rows(statistic, rows):
    """Return the statistic of some of the rows, as if there were no others."""
    return fastest(statistic.generic.at(rows))


def unweighted(statistic):
    """Return the statistic of rows that count alike, whatever they weigh."""
    generic = statistic.generic
    if generic.sample_weight is None:
        return statistic
    return fastest(generic.with_weights(None))


def on_one_scale(statistic):
    """Return the statistic of responses on one scale, if scale does not matter to it.

    Ranking metrics get the ranks of each model's scores; a metric function may have a
    `rescale` of its own. Then responses of different models can change hands.

    Parameters
    ----------
    statistic : Statistic
        A score of all models of a sample.

    Returns
    -------
    statistic : Statistic
        The same scores, from responses on one scale; or what came.
    differs : ndarray of bool, shape (n_rows,)
        On which rows the new responses of some models differ; nowhere without any.
    """
    generic = statistic.generic
    if isinstance(generic, MeanOverFolds):
        parts = [on_one_scale(one) for one in statistic.statistics]
        differs = np.empty(len(generic.folds.number), dtype=bool)
        for rows, (_, own) in zip(generic.folds, parts, strict=True):
            differs[rows] = own
        return mean_over_folds(generic.folds, [one for one, _ in parts]), differs
    nowhere = np.zeros(generic.n_rows, dtype=bool)
    if statistic.engine == "ranking":
        rescale = statistic.problem.ranks
    else:
        rescale = getattr(getattr(generic, "metric", None), "rescale", None)
    if rescale is None:
        return statistic, nowhere
    first, *others = responses = [rescale(r) for r in generic.responses]
    apart = [(other != first).reshape(len(first), -1).any(axis=1) for other in others]
    return fastest(generic.with_responses(responses)), np.any(apart, axis=0) | nowhere


def as_weighable(statistic):
    """Return the same statistic, made for weights of any size in place of counts.

    Rows without weights get weights of 1, which a metric that takes weights makes
    nothing of.

    Parameters
    ----------
    statistic : Statistic
        A score of all models of a sample.

    Returns
    -------
    statistic : Statistic or None
        None if the scorer does not take weights.
    trouble : str or None
        Why it does not.
    """
    generic = statistic.generic
    if generic.sample_weight is not None:
        return statistic, None
    generic = generic.with_weights(np.ones(generic.n_rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # given already, when the sample was scored
        scores = generic.on_rows(np.arange(generic.n_rows))
    if not np.allclose(scores, statistic.observed, rtol=1e-9, atol=1e-12):
        return None, generic.trouble or "weights of 1 change its value"
    return fastest(generic), None


def fastest(generic):
    """Return what computes the same from counts, if anything does."""
    if isinstance(generic, MeanOverFolds):
        return mean_over_folds(generic.folds, [*map(fastest, generic.statistics)])
    is_metric = isinstance(generic, MetricStatistic)
    if not is_metric or not isinstance(generic.metric, Hashable):
        return generic
    return next(filter(None, (fast(generic) for fast in FASTER)), generic)


# The first that understands a metric completely computes it.
FASTER = (additive_statistic, ranking_statistic, weighted_statistic)
