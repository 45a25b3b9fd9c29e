"""From a statistic to the same of other models, rows or weights, as fast as can be."""

import warnings
from collections.abc import Hashable

import numpy as np

from skcompare._engine._fold_mean import (
    CountedMeanOverFolds,
    MeanOverFolds,
    mean_over_folds,
)
from skcompare._engine._generic import GenericStatistic, MetricStatistic
from skcompare._engine._recognized import RecognizedStatistic, recognized_statistic
from skcompare._engine._statistic import CountedStatistic
from skcompare._engine._weighted import weighted_statistic
from skcompare._engine.additive import AdditiveStatistic, additive_statistic
from skcompare._engine.ranking import ranking_statistic

# How many resamples there are where nobody says.
USUAL_RESAMPLES = 10_000

# For fewer it is not worth trying to recognize a metric.
FEWEST_RESAMPLES = 500

# So often a recognized metric has to agree with itself called with weights.
N_WEIGHTINGS = 4


def of_models(statistic, models):
    """Return the statistic of some of the models, by number, without scoring anew."""
    if tuple(models) == tuple(range(len(statistic.observed))):
        return statistic
    if isinstance(statistic, RecognizedStatistic):
        return statistic.of_models(models)
    if isinstance(statistic, CountedMeanOverFolds):
        of_folds = [of_models(one, models) for one in statistic.statistics]
        return mean_over_folds(statistic.folds, of_folds)
    return fastest(statistic.generic.of_models(models))


def at_rows(statistic, rows):
    """Return the statistic of some of the rows, as if there were no others."""
    if isinstance(statistic, RecognizedStatistic):
        return statistic.at(rows)
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
    if statistic.ranks:
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
        return _recognized_with_weights(statistic), None
    weighted = generic.with_weights(np.ones(generic.n_rows))
    with warnings.catch_warnings(action="ignore"):  # given when the sample was scored
        scores = weighted.on_rows(np.arange(generic.n_rows))
    if np.allclose(scores, statistic.observed, rtol=1e-9, atol=1e-12):
        return _recognized_with_weights(fastest(weighted)), None
    if weighted.trouble is None:
        return None, "weights of 1 change its value"
    # Whatever adds up can be weighed, also if the metric knows nothing of weights.
    adding = recognized(statistic)
    if isinstance(adding, RecognizedStatistic):
        return adding, None
    return None, weighted.trouble


def _recognized_with_weights(statistic):
    """Return a statistic that adds up with any weights, if the metric does."""
    adding = recognized(statistic)
    if not isinstance(adding, RecognizedStatistic):
        return adding
    sums, n_models = adding.metric.sums, len(adding.observed)
    rng = np.random.default_rng(len(sums.numerators))
    for _ in range(N_WEIGHTINGS):
        factors = rng.standard_exponential(adding.metric.n_rows)
        with warnings.catch_warnings(action="ignore"):
            scores = statistic.on_weights(factors)
        added, weights = (
            part.reshape(n_models, -1) @ factors
            for part in (sums.numerators, sums.denominators)
        )
        if not np.allclose(sums.score(added, weights), scores, rtol=1e-9, atol=1e-12):
            return statistic
    return adding


def recognized(statistic, n_resamples=USUAL_RESAMPLES):
    """Return a statistic that adds up, where calls show that the metric does.

    Parameters
    ----------
    statistic : Statistic
        A score of all models of a sample.
    n_resamples : float, default=10000
        For how many resamples the metric would be called otherwise.

    Returns
    -------
    Statistic
        The same, if it is computed from counts already, or is not recognized.
    """
    if isinstance(statistic, MeanOverFolds):
        of_folds = []
        for one in statistic.statistics:
            of_folds.append(recognized(one, n_resamples))
            if not isinstance(of_folds[-1], CountedStatistic):
                return statistic
        return mean_over_folds(statistic.folds, of_folds)
    if not isinstance(statistic, GenericStatistic):
        return statistic
    if not statistic.recognizable or n_resamples < FEWEST_RESAMPLES:
        return statistic
    seen = statistic.recognitions
    if n_resamples not in seen:
        seen[n_resamples] = recognized_statistic(statistic, n_resamples)
    return seen[n_resamples] or statistic


def row_scores(statistic):
    """Return the scores of single rows, model by model, whose average is the score.

    Parameters
    ----------
    statistic : Statistic
        A score of all models of a sample. A metric of the user's own is called, to find
        out whether it is a mean of per-row scores.

    Returns
    -------
    list of ndarray of shape (n_rows,) or None
        The scores of rows, higher being better; None if the score is no plain mean of
        them.
    """
    adding = recognized(statistic)
    if not isinstance(adding, AdditiveStatistic):
        return None
    metric = adding.metric
    if not metric.averages_rows or metric.sample_weight is not None:
        return None
    rows = np.arange(adding.generic.n_rows)
    added = [metric.contributions(m, rows) for m in range(len(adding.observed))]
    return [adding.sign * one[:, 0] / one[:, -1] for one in added]


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
