"""A recognized metric as a statistic: calling it has shown how it adds up."""

import functools
import math

import numpy as np
from scipy import sparse

from skcompare._engine._cells import joint_codes
from skcompare._engine._statistic import CountedStatistic
from skcompare._engine.additive import AdditiveMetric, AdditiveStatistic
from skcompare._engine.recognition import recognize

# Sparse labels with more entries than this, zeros and all, are not compared row by row.
MOST_ENTRIES = 2**26


class MetricOfSums(AdditiveMetric):
    """A metric as a function of sums over rows.

    Parameters
    ----------
    sums : Sums
        What rows contribute, those of each model after those of the one before.
    n_models : int
        The number of models.
    sample_weight : ndarray or None
        The weights of the rows, which are part of the contributions.
    """

    def __init__(self, sums, n_models, sample_weight):
        self.sums, self.n_models, self.sample_weight = sums, n_models, sample_weight
        self.n_rows = len(sums.numerators) // n_models
        self.averages_rows = sums.kind == "mean"
        self.is_ratio = sums.form != "sum"

    @property
    def keys(self):
        """Which rows contribute the same."""
        return list(self.sums.codes.reshape(self.n_models, -1))

    def contributions(self, model, rows):
        """Return what rows add to one or two sums, weighted."""
        places = model * self.n_rows + rows
        parts = [self.sums.numerators[places], self.sums.denominators[places]]
        return np.column_stack(parts[:1] if self.sums.form == "sum" else parts)

    def score(self, totals):
        """Return the metric from its sums."""
        return self.sums.score(totals[..., 0], totals[..., -1])

    def doubtful(self, totals):
        """Mark sums that say nothing, such as 0 / 0: the metric has a rule for that."""
        return np.isnan(self.score(totals))


class RecognizedStatistic(AdditiveStatistic):
    """A metric that calls have shown to be a function of sums over rows.

    Parameters
    ----------
    metric : MetricOfSums
        How it adds up.
    generic : GenericStatistic
        The same by calling the metric.
    """

    recognized = True

    def __init__(self, metric, generic):
        CountedStatistic.__init__(self, generic)
        self.metric, self.sign = metric, 1  # of scores, whose sign is right already
        self.engine = f"{metric.sums.kind}, recognized"

    def _of_models(self, models):
        """Return the statistic of some of the models, by number."""
        n_rows, generic = self.metric.n_rows, self.generic.of_models(models).generic
        places = [model * n_rows + np.arange(n_rows) for model in models]
        sums = self.metric.sums.at(np.concatenate(places))
        metric = MetricOfSums(sums, len(models), generic.sample_weight)
        return RecognizedStatistic(metric, generic)


def recognized_statistic(generic, n_resamples):
    """Return a statistic that adds up, if calls show that the metric does; else None.

    Parameters
    ----------
    generic : GenericStatistic
        A metric that is called on rows.
    n_resamples : float
        For how many resamples it would be called otherwise.

    Returns
    -------
    RecognizedStatistic or None
        The same metric.
    """
    sums = recognition_of(generic, n_resamples).sums
    if sums is None:
        return None
    metric = MetricOfSums(sums, len(generic.observed), generic.sample_weight)
    return RecognizedStatistic(metric, generic)


def recognition_of(generic, n_resamples=math.inf):
    """Call the metric of a statistic to find out how it adds up.

    Parameters
    ----------
    generic : GenericStatistic
        A metric that is called on rows.
    n_resamples : float, default=inf
        For how many resamples it would be called otherwise.

    Returns
    -------
    Recognition
        What the rows of all models add, or the reason why it was not recognized.
    """
    n_models, weights = len(generic.observed), generic.sample_weight
    each = np.arange(n_models * generic.n_rows)
    try:
        codes = _codes(generic.row_keys(), len(each))
    except Exception:  # rows of a kind that cannot be compared
        codes = each
    find = functools.partial(
        recognize,
        generic.on_places,
        observed=generic.observed,
        n_resamples=n_resamples,
        weights=None if weights is None else np.tile(weights, n_models),
    )
    recognition = find(codes)
    more = generic.sees_more_than_keys and codes.max() + 1 < len(codes)
    return find(each) if recognition.sums is None and more else recognition


def _codes(keys, n):
    """Number the rows that are alike in all keys."""
    columns = []
    for key in keys:
        if sparse.issparse(key) and math.prod(key.shape) > MOST_ENTRIES:
            return np.arange(n)
        array = key.toarray() if sparse.issparse(key) else np.asarray(key)
        columns += list(array.reshape(len(array), -1).T)
    codes = joint_codes(columns)
    return np.arange(n) if codes is None else codes
