"""Recognized metrics: statistics of metrics that calls have shown to be additive."""

import functools
import math

import numpy as np
from scipy import sparse

from skcompare._engine._cells import joint_codes
from skcompare._engine.additive import AdditiveMetric
from skcompare._engine.recognition import recognize

# Sparse labels with more entries than this, including zeros, are not compared by row.
MAX_ENTRIES = 2**26


class RecognizedStatistic(AdditiveMetric):
    """A metric that calls have shown to be a function of sums over rows.

    Parameters
    ----------
    sums : Sums
        The contributions of rows, model by model, with weights of rows multiplied in.
    generic : GenericStatistic
        The statistic that calls the metric.
    """

    recognized = True

    def __init__(self, sums, generic):
        super().__init__(generic, sums.codes.reshape(len(generic.observed), -1))
        self.sums, self.n_rows = sums, generic.n_rows
        self.sign = 1  # recognized scores already include the sign
        self.engine = f"{sums.kind}, recognized"
        self.averages_rows = sums.kind == "mean"
        self.is_ratio = sums.form != "sum"

    def contributions(self, model, rows):
        """Return the weighted contributions of rows to one or two sums."""
        places = model * self.n_rows + rows
        parts = [self.sums.numerators[places], self.sums.denominators[places]]
        return np.column_stack(parts[:1] if self.sums.form == "sum" else parts)

    def score(self, totals):
        """Return the metric from its sums."""
        return self.sums.score(totals[..., 0], totals[..., -1])

    def doubtful(self, totals, scores):
        """Mark sums such as 0 / 0, for which the metric must be called."""
        return np.isnan(scores)

    def _of_models(self, models):
        """Return the statistic of some models, by number."""
        places = [model * self.n_rows + np.arange(self.n_rows) for model in models]
        sums = self.sums.at(np.concatenate(places))
        return RecognizedStatistic(sums, self.generic.of_models(models).generic)


def recognized_statistic(generic, n_resamples):
    """Return an additive statistic, if calls show that the metric is additive.

    Parameters
    ----------
    generic : GenericStatistic
        A metric that is called on rows.
    n_resamples : float
        The number of resamples on which it would be called otherwise.

    Returns
    -------
    RecognizedStatistic or None
        The statistic, None if the metric was not recognized.
    """
    sums = recognition_of(generic, n_resamples).sums
    return None if sums is None else RecognizedStatistic(sums, generic)


def recognition_of(generic, n_resamples=math.inf):
    """Call the metric of a statistic to find out if it is a function of sums.

    Parameters
    ----------
    generic : GenericStatistic
        A metric that is called on rows.
    n_resamples : float, default=inf
        The number of resamples on which it would be called otherwise.

    Returns
    -------
    Recognition
        The contributions of the rows of all models, or the reason why there are none.
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
    """Return codes of rows, equal for rows that are equal in all keys."""
    columns = []
    for key in keys:
        if sparse.issparse(key) and math.prod(key.shape) > MAX_ENTRIES:
            return np.arange(n)
        array = key.toarray() if sparse.issparse(key) else np.asarray(key)
        columns += list(array.reshape(len(array), -1).T)
    return joint_codes(columns)
