"""The mean over folds of the scores of a metric on each fold.

Each fold has a statistic of its own rows, so that absent classes and the variance of
the truth affect the score of each fold as in `cross_validate`.
"""

import functools

import numpy as np

from skcompare._engine._cells import joint_codes
from skcompare._engine._statistic import DEFAULT_RESAMPLES, Statistic, Table

# The mean of the scores of folds.
_mean = functools.partial(np.mean, axis=0)


class Folds:
    """A partition of rows into folds, which iterates over the rows of each fold.

    Parameters
    ----------
    fold : ndarray of shape (n_rows,)
        The fold of each row.

    Examples
    --------
    >>> folds = Folds(np.array([7, 5, 5, 7]))
    >>> [rows.tolist() for rows in folds]
    [[1, 2], [0, 3]]
    >>> [places.tolist() for _, places in folds.split(np.array([3, 3, 1]))]
    [[0], [1, 1]]
    """

    def __init__(self, fold):
        self.number = np.unique(fold, return_inverse=True)[1]
        self._rows = self._by_fold(self.number)
        self._place = self.gathered([np.arange(len(rows)) for rows in self])

    def __iter__(self):
        return iter(self._rows)

    def gathered(self, values):
        """Combine values of the rows of each fold into one array of all rows."""
        together = np.empty(len(self.number), dtype=values[0].dtype)
        together[np.concatenate(self._rows)] = np.concatenate(values)
        return together

    def split(self, rows):
        """Return, for each fold, which of some rows it contains, and their places."""
        parts = self._by_fold(self.number[rows])
        return [(part, self._place[rows[part]]) for part in parts]

    def _by_fold(self, numbers):
        sizes = np.bincount(numbers, minlength=self.number.max() + 1)
        return np.split(np.argsort(numbers, kind="stable"), np.cumsum(sizes)[:-1])


class MeanOverFolds(Statistic):
    """The mean of the scores of folds, computed from counts if possible for all folds.

    It is undefined if the score of some fold is undefined.

    Parameters
    ----------
    folds : Folds
        The rows of the folds.
    statistics : list of Statistic
        The statistic of each fold.
    """

    averages_folds = True

    def __init__(self, folds, statistics):
        self.counted = all(s.counted for s in statistics)
        if self.counted:
            self.engine = " and ".join(sorted({s.engine for s in statistics}))
        else:
            statistics = [s.generic for s in statistics]
        self.folds, self.statistics = folds, statistics
        self.observed = tuple(_mean([s.observed for s in statistics]).tolist())
        self.scale = max(s.scale for s in statistics)
        self.bootstrap_method = statistics[0].bootstrap_method
        self.counts_labels = statistics[0].counts_labels
        self.lowest, self.ranks = statistics[0].lowest, statistics[0].ranks
        self.recognized = any(s.recognized for s in statistics)

    @property
    def generic(self):
        """The statistic that calls the metric on rows."""
        if not self.counted:
            return self
        return MeanOverFolds(self.folds, [s.generic for s in self.statistics])

    @property
    def last_error(self):
        """The last exception raised on some fold of a resample, None if none was."""
        return next(filter(None, (s.last_error for s in self.statistics)), None)

    @property
    def n_rows(self):
        """The number of rows of all folds."""
        return len(self.folds.number)

    @property
    def sample_weight(self):
        """The weights of the rows, None if there are none."""
        of_folds = [s.sample_weight for s in self.statistics]
        return None if of_folds[0] is None else self.folds.gathered(of_folds)

    def on_rows(self, rows):
        """Score each model on the given rows."""
        parts = zip(self.statistics, self.folds.split(rows), strict=True)
        return _mean([s.on_rows(places) for s, (_, places) in parts])

    def on_reassigned(self, authors):
        """Score each model after predictions have been exchanged between models."""
        return _mean([s.on_reassigned(authors[:, rows]) for s, rows in self._pairs()])

    def on_weights(self, weights):
        """Score each model on all rows, with their weights multiplied by `weights`."""
        return _mean([s.on_weights(weights[rows]) for s, rows in self._pairs()])

    def _pairs(self):
        return zip(self.statistics, self.folds, strict=True)

    def by_fold(self, fold):
        """Return the score of each model on each fold, one of those averaged over."""
        if not np.array_equal(Folds(fold).number, self.folds.number):
            raise ValueError("`fold` must be the folds that scores are averaged over.")
        return np.array([s.observed for s in self.statistics]).T

    def _of_models(self, models):
        return MeanOverFolds(self.folds, [s.of_models(models) for s in self.statistics])

    def at(self, rows):
        """Return the statistic of some rows, with their own observed scores."""
        parts = zip(self.statistics, self.folds.split(rows), strict=True)
        present = [s.at(places) for s, (_, places) in parts if len(places)]
        return MeanOverFolds(Folds(self.folds.number[rows]), present)

    def with_weights(self, weights):
        """Return the statistic with other weights of rows; None removes the weights."""
        of_folds = [None if weights is None else weights[rows] for rows in self.folds]
        pairs = zip(self.statistics, of_folds, strict=True)
        return MeanOverFolds(self.folds, [s.with_weights(own) for s, own in pairs])

    def recognize(self, n_resamples=DEFAULT_RESAMPLES):
        """Return a statistic of sums, if calls show that all folds are additive."""
        if self.counted:
            return self
        of_folds = []
        for statistic in self.statistics:
            of_folds.append(statistic.recognize(n_resamples))
            if not of_folds[-1].counted:
                return self
        return MeanOverFolds(self.folds, of_folds)

    def on_one_scale(self):
        """Return the statistic of responses that are rescaled in each fold."""
        parts, differs = zip(*(s.on_one_scale() for s in self.statistics), strict=True)
        return MeanOverFolds(self.folds, parts), self.folds.gathered(differs)

    @property
    def keys(self):
        """The fold, and codes of the keys of its statistic within the fold."""
        within = [joint_codes(statistic.keys) for statistic in self.statistics]
        return [self.folds.number, self.folds.gathered(within)]

    def tabulate(self, rows):
        """Return the table of cells from one row of each; None if it is too large."""
        cells, places = zip(*self.folds.split(rows), strict=True)
        pairs = zip(self.statistics, places, strict=True)
        tables = [statistic.tabulate(own) for statistic, own in pairs]
        return None if None in tables else FoldMeanTable(tables, cells)


class FoldMeanTable(Table):
    """The tables of all folds.

    Parameters
    ----------
    tables : list of Table
        The table of each fold.
    cells : sequence of ndarray
        The cells of each table, in ascending order. Only groups of rows can be in
        several folds.
    """

    def __init__(self, tables, cells):
        self.tables, self.cells = tables, cells
        workers = {table.workers for table in tables}
        self.workers = "processes" if "processes" in workers else "threads"
        everywhere = np.concatenate(cells)
        self._is_partition = len(np.unique(everywhere)) == len(everywhere)
        self.adds_up = self._is_partition and all(table.adds_up for table in tables)
        self.swap_statistic = tables[0].swap_statistic

    @property
    def has_equal_units(self):
        """Whether all scores of folds are averages with equal weights of units."""
        return all(table.has_equal_units for table in self.tables)

    def _pairs(self):
        return zip(self.tables, self.cells, strict=True)

    def _of_folds(self, method, *args, **options):
        """Call a method of each table; arguments have cells on their last axis."""
        return [
            getattr(table, method)(*(a.take(own, axis=-1) for a in args), **options)
            for table, own in self._pairs()
        ]

    def scores(self, counts, *, as_weights=False):
        """Score each model on resamples."""
        return _mean(self._of_folds("scores", counts, as_weights=as_weights))

    def swapped_scores(self, counts, swapped):
        """Score two models after they have exchanged predictions."""
        return _mean(self._of_folds("swapped_scores", counts, swapped))

    def n_packed_bits(self, cells):
        """Return the number of bits that encode swaps of some cells.

        Each fold starts with a new byte.
        """
        return sum(8 * -(-np.isin(own, cells).sum() // 8) for own in self.cells)

    def _bits_by_fold(self, cells, packed):
        """Yield each table, its cells, the places of swappable ones, and its bytes."""
        start = 0
        for table, own in self._pairs():
            places = np.flatnonzero(np.isin(own, cells))
            end = start + -(-len(places) // 8)
            yield table, own, places, packed[start:end]
            start = end

    def packed_swapped_scores(self, counts, cells, packed):
        """Score two models after swapping single rows, encoded as packed bits."""
        scores = [
            table.packed_swapped_scores(counts[own], places, bits)
            for table, own, places, bits in self._bits_by_fold(cells, packed)
        ]
        return _mean(scores)

    def unpacked(self, n_cells, cells, packed):
        """Return the number of swapped units of all cells from bits of some cells."""
        swapped = np.zeros(n_cells, dtype=np.int64)
        for table, own, places, bits in self._bits_by_fold(cells, packed):
            swapped[own] = table.unpacked(len(own), places, bits)
        return swapped

    def standard_errors(self, counts, strata):
        """Return the standard error of the difference of two models on resamples.

        Folds are resampled independently, so that the variances of their scores add up.
        """
        errors = self._of_folds("standard_errors", counts, strata)
        return np.linalg.norm(errors, axis=0) / len(errors)

    def swapped_standard_errors(self, swapped, counts, strata):
        """Return the standard error of the difference after exchanging predictions."""
        if not self.adds_up:
            return super().swapped_standard_errors(swapped, counts, strata)
        errors = self._of_folds("swapped_standard_errors", swapped, counts, strata)
        return np.linalg.norm(errors, axis=0) / len(errors)

    def left_out_scores(self, counts):
        """Score each model with one unit of each cell left out of its fold."""
        with_all = self._of_folds("scores", counts[np.newaxis])
        without = self._of_folds("left_out_scores", counts)
        scores = np.repeat(_mean(with_all), len(counts), axis=0)
        for own, left, observed in zip(self.cells, without, with_all, strict=True):
            scores[own] += (left - observed) / len(self.tables)
        return scores

    def average_terms(self, counts):
        """Return the contributions of units to scores that are means over rows."""
        terms = self._of_folds("average_terms", counts)
        if None in terms or not self._is_partition:
            return None
        numerators, denominators = np.zeros((2, len(counts))), np.zeros(len(counts))
        for own, (of_fold, size) in zip(self.cells, terms, strict=True):
            numerators[:, own], denominators[own] = of_fold, len(terms) * size
        return numerators, denominators

    def grouped(self, membership):
        """Return the table of groups, each of which may be in several folds."""
        tables, groups = [], []
        for table, own in self._pairs():
            of_fold = membership[:, own]
            present = np.flatnonzero(np.diff(of_fold.indptr))
            tables.append(table.grouped(of_fold[present]))
            groups.append(present)
        return FoldMeanTable(tables, groups)
