"""The mean over folds of a metric's own score on each of them.

Every fold has a statistic of its own, that of its rows alone, so that what a metric
makes of absent classes or of the variance of the truth is as `cross_validate` has it.
"""

import numpy as np

from skcompare._engine._cells import joint_codes
from skcompare._engine._statistic import CountedStatistic, Statistic, Table


def mean_over_folds(folds, statistics):
    """Return the mean of the statistics of folds; counted if all of them are."""
    if all(isinstance(s, CountedStatistic) for s in statistics):
        return CountedMeanOverFolds(folds, statistics)
    return MeanOverFolds(folds, [s.generic for s in statistics])


class Folds:
    """Rows that are parted into folds; iterates over the rows of each.

    Parameters
    ----------
    fold : ndarray of shape (n_rows,)
        What tells the folds apart.

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
        self._place = np.empty(len(fold), dtype=np.intp)
        for rows in self._rows:
            self._place[rows] = np.arange(len(rows))

    def __iter__(self):
        return iter(self._rows)

    def split(self, rows):
        """Return fold by fold which of some rows it has, and their places in it."""
        parts = self._by_fold(self.number[rows])
        return [(part, self._place[rows[part]]) for part in parts]

    def _by_fold(self, numbers):
        sizes = np.bincount(numbers, minlength=self.number.max() + 1)
        return np.split(np.argsort(numbers, kind="stable"), np.cumsum(sizes)[:-1])


class MeanOverFolds(Statistic):
    """The mean of scores that are computed fold by fold from scratch.

    It is undefined where it is on some fold.

    Parameters
    ----------
    folds : Folds
        The rows of the folds.
    statistics : list of Statistic
        The statistic of each fold.
    """

    engine = "generic"

    def __init__(self, folds, statistics):
        self.folds, self.statistics = folds, statistics
        self.observed = tuple(_mean([s.observed for s in statistics]).tolist())
        self.scale = max(s.scale for s in statistics)
        self.bootstrap_method = statistics[0].bootstrap_method
        self.counts_labels = statistics[0].counts_labels
        self.lowest, self.ranks = statistics[0].lowest, statistics[0].ranks
        self.recognized = any(s.recognized for s in statistics)

    @property
    def trouble(self):
        """What was last raised on some fold of a resample, None if nothing was."""
        return next(filter(None, (s.trouble for s in self.statistics)), None)

    def on_rows(self, rows):
        """Score every model on the given rows."""
        parts = zip(self.statistics, self.folds.split(rows), strict=True)
        return _mean([s.on_rows(places) for s, (_, places) in parts])

    def on_reassigned(self, authors):
        """Score every model after its predictions have been exchanged."""
        parts = zip(self.statistics, self.folds, strict=True)
        return _mean([s.on_reassigned(authors[:, rows]) for s, rows in parts])

    @property
    def n_rows(self):
        """The number of rows of all folds."""
        return len(self.folds.number)

    @property
    def sample_weight(self):
        """The weights of the rows, None if there are none."""
        if self.statistics[0].sample_weight is None:
            return None
        weights = np.empty(self.n_rows)
        for rows, statistic in zip(self.folds, self.statistics, strict=True):
            weights[rows] = statistic.sample_weight
        return weights

    def with_weights(self, weights):
        """Return the same statistic of rows that have the given weights."""
        of_folds = [None if weights is None else weights[rows] for rows in self.folds]
        pairs = zip(self.statistics, of_folds, strict=True)
        return MeanOverFolds(self.folds, [s.with_weights(own) for s, own in pairs])

    def on_weights(self, weights):
        """Score every model on all rows with weights, on top of those they have."""
        parts = zip(self.folds, self.statistics, strict=True)
        return _mean([s.on_weights(weights[rows]) for rows, s in parts])

    def by_fold(self, fold):
        """Return the score of every model on each fold."""
        return np.array([s.observed for s in self.statistics]).T

    def of_models(self, models):
        """Return the statistic of some of the models, by number."""
        return MeanOverFolds(self.folds, [s.of_models(models) for s in self.statistics])

    def at(self, rows):
        """Return the statistic of some of the rows, scored anew."""
        parts = zip(self.statistics, self.folds.split(rows), strict=True)
        present = [(s, places) for s, (_, places) in parts if len(places)]
        folds = Folds(self.folds.number[rows])
        return MeanOverFolds(folds, [s.at(places) for s, places in present])


class CountedMeanOverFolds(CountedStatistic):
    """The mean of scores for which it only matters how often each row occurs.

    Parameters
    ----------
    folds : Folds
        The rows of the folds.
    statistics : list of CountedStatistic
        The statistic of each fold.
    """

    def __init__(self, folds, statistics):
        self.folds, self.statistics = folds, statistics
        super().__init__(MeanOverFolds(folds, [s.generic for s in statistics]))
        self.bootstrap_method = statistics[0].bootstrap_method
        self.counts_labels = statistics[0].counts_labels
        self.lowest, self.ranks = statistics[0].lowest, statistics[0].ranks
        self.recognized = any(s.recognized for s in statistics)
        self.engine = " and ".join(sorted({s.engine for s in statistics}))

    def by_fold(self, fold):
        """Return the score of every model on each fold."""
        return self.generic.by_fold(fold)

    @property
    def keys(self):
        """The fold, and within it what its own statistic tells rows apart by."""
        within = np.empty(len(self.folds.number), dtype=np.intp)
        for rows, statistic in zip(self.folds, self.statistics, strict=True):
            codes = joint_codes(statistic.keys)
            within[rows] = np.arange(len(rows)) if codes is None else codes
        return [self.folds.number, within]

    def tabulate(self, rows):
        """Return the table of cells, given one row of each; None if it is too large."""
        parts = self.folds.split(rows)
        pairs = zip(self.statistics, parts, strict=True)
        tables = [statistic.tabulate(places) for statistic, (_, places) in pairs]
        return None if None in tables else FoldMeanTable(tables, [p for p, _ in parts])


class FoldMeanTable(Table):
    """The tables of folds side by side.

    Parameters
    ----------
    tables : list of Table
        The table of each fold.
    cells : list of ndarray
        Which of the cells each of them has, ascending. Only groups of rows, which are
        made up of cells, can be in several folds.
    """

    def __init__(self, tables, cells):
        self.tables, self.cells = tables, cells
        wanted = {table.workers for table in tables}
        self.workers = "processes" if "processes" in wanted else "threads"
        everywhere = np.concatenate(cells)
        self._is_partition = len(np.unique(everywhere)) == len(everywhere)
        self.adds_up = self._is_partition and all(table.adds_up for table in tables)

    def _pairs(self):
        return zip(self.tables, self.cells, strict=True)

    def scores(self, counts):
        """Score every model on resamples."""
        return _mean([t.scores(counts.take(own, axis=1)) for t, own in self._pairs()])

    def weighted_scores(self, weights):
        """Score every model with weights in place of counts."""
        pairs = self._pairs()
        return _mean([t.weighted_scores(weights.take(own, axis=1)) for t, own in pairs])

    def swapped_scores(self, counts, swapped):
        """Score two models after they have exchanged predictions."""
        return _mean(
            [
                table.swapped_scores(counts[own], swapped.take(own, axis=1))
                for table, own in self._pairs()
            ]
        )

    def n_packed_bits(self, cells):
        """Return how many bits say which of some cells are swapped.

        Each fold begins a new byte.
        """
        n_own = [np.count_nonzero(np.isin(own, cells)) for own in self.cells]
        return sum(8 * _n_bytes(n) for n in n_own)

    def packed_swapped_scores(self, counts, cells, packed):
        """Score two models after swapping single rows, given as packed bits."""
        scores, start = [], 0
        for table, own in self._pairs():
            places = np.flatnonzero(np.isin(own, cells))
            end = start + _n_bytes(len(places))
            bits = packed[start:end]
            scores.append(table.packed_swapped_scores(counts[own], places, bits))
            start = end
        return _mean(scores)

    def unpacked(self, n_cells, cells, packed):
        """Return how many units of all cells are swapped, given bits for some."""
        swapped, start = np.zeros(n_cells, dtype=np.int64), 0
        for table, own in self._pairs():
            places = np.flatnonzero(np.isin(own, cells))
            end = start + _n_bytes(len(places))
            swapped[own] = table.unpacked(len(own), places, packed[start:end])
            start = end
        return swapped

    def standard_errors(self, counts, strata):
        """Return the standard error of the difference of two models on resamples.

        Folds are redrawn independently: the variances of their scores add up.
        """
        errors = [
            table.standard_errors(
                counts.take(own, axis=1), np.unique(strata[own], return_inverse=True)[1]
            )
            for table, own in self._pairs()
        ]
        return np.linalg.norm(errors, axis=0) / len(errors)

    def swapped_standard_errors(self, counts, swapped, strata):
        """Return the standard error of the difference after exchanging predictions."""
        errors = [
            table.swapped_standard_errors(
                counts[own],
                swapped.take(own, axis=1),
                np.unique(strata[own], return_inverse=True)[1],
            )
            for table, own in self._pairs()
        ]
        return np.linalg.norm(errors, axis=0) / len(errors)

    @property
    def swap_statistic(self):
        """What of swapped samples tells models of unequal scores."""
        return self.tables[0].swap_statistic

    def left_out_scores(self, counts):
        """Score every model with one row of each cell left out of its fold."""
        observed = self.scores(counts[np.newaxis])
        scores = np.repeat(observed, len(counts), axis=0)
        for table, own in self._pairs():
            with_all = table.scores(counts[np.newaxis, own])
            change = table.left_out_scores(counts[own]) - with_all
            scores[own] += change / len(self.tables)
        return scores

    def average_terms(self, counts):
        """Return what units of each cell add to means of per-row scores."""
        terms = [table.average_terms(counts[own]) for table, own in self._pairs()]
        if None in terms or not self._is_partition:
            return None
        numerators, denominators = np.zeros((2, len(counts))), np.zeros(len(counts))
        for own, (of_fold, size) in zip(self.cells, terms, strict=True):
            numerators[:, own], denominators[own] = of_fold, len(terms) * size
        return numerators, denominators

    @property
    def has_equal_units(self):
        """Whether within each fold all units weigh the same in an average."""
        return all(table.has_equal_units for table in self.tables)

    def grouped(self, membership):
        """Return the table of groups, each of which may be in several folds."""
        tables, groups = [], []
        for table, own in self._pairs():
            of_fold = membership[:, own]
            present = np.flatnonzero(np.diff(of_fold.indptr))
            tables.append(table.grouped(of_fold[present]))
            groups.append(present)
        return FoldMeanTable(tables, groups)


def _mean(of_folds):
    return np.mean(of_folds, axis=0)


def _n_bytes(n_bits):
    return -(-n_bits // 8)
