"""Tables of additive metrics: totals from matrix products, and their scores."""

import functools

import numpy as np
from scipy import sparse

from skcompare._engine._statistic import Table

# Below this share of nonzero contributions, and from this size, sparse products are
# faster.
SPARSE_DENSITY = 0.08
SPARSE_SIZE = 2**15

# With up to this number of totals, as of means and ratios, products with single columns
# are faster than one with all of them. The gain is only 1.15 end to end, but without it
# metrics of single rows miss their goal in `benchmarks/own_metrics.py`. It must not
# depend on the number of models: pairs have the same bits as two models alone.
FEW_TOTALS = 2

# _PATTERNS[i] is the indicator of the subset of eight members encoded as byte i.
_PATTERNS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1)
_TABLES_PER_BATCH = 256


class AdditiveTable(Table):
    """The contributions of each cell to the totals of each model.

    Parameters
    ----------
    metric : AdditiveMetric
        The metric, which computes scores from totals; if totals do not determine the
        score, the metric function is called.
    rows : ndarray
        One row of each cell.
    matrices : list of ndarray of shape (n_cells, n_totals)
        The contributions of the cells, model by model.
    membership : sparse matrix or None, default=None
        The count of each cell in each group, if `matrices` are contributions of groups.
    """

    adds_up = True

    def __init__(self, metric, rows, matrices, membership=None):
        self.metric, self.rows, self.membership = metric, rows, membership
        self.swap_statistic = metric.swap_statistic
        # Totals that all models share, such as sizes of classes, are summed once.
        first, *others = matrices
        differs = np.any([(m != first).any(axis=0) for m in others], axis=0)
        self._moving = np.flatnonzero(np.broadcast_to(differs, first.shape[1]))
        own = [matrix[:, self._moving] for matrix in others]
        columns = np.asfortranarray(np.concatenate([first, *own], axis=1))
        if columns.size >= SPARSE_SIZE:
            density = np.count_nonzero(columns) / columns.size
            if density < SPARSE_DENSITY:
                columns = sparse.csr_array(columns)
        self._columns = columns
        self._places = np.tile(np.arange(first.shape[1]), (len(matrices), 1))
        new = np.arange(first.shape[1], columns.shape[1])
        self._places[1:, self._moving] = new.reshape(len(others), len(self._moving))

    @property
    def matrices(self):
        """The contributions of the cells, model by model."""
        parts = (self._columns[:, places] for places in self._places)
        return [part.toarray() if sparse.issparse(part) else part for part in parts]

    @functools.cached_property
    def _exchanged(self):
        """The contributions of cells to the totals in which two models differ."""
        parts = (self._columns[:, places] for places in self._places[:, self._moving])
        return [part.toarray() if sparse.issparse(part) else part for part in parts]

    @functools.cached_property
    def differences(self):
        """The contributions of a swapped row to the totals of A that swaps change."""
        of_a, of_b = self._places[:, self._moving]
        changes = self._columns[:, of_b] - self._columns[:, of_a]
        return changes.toarray() if sparse.issparse(changes) else changes

    def average_terms(self, counts):
        """Return the contributions of units to scores that are means over rows."""
        if not self.metric.averages_rows:
            return None
        a, b = self.matrices
        size = counts @ a[:, -1]
        numerators = self.metric.sign * np.array([a[:, 0], b[:, 0]])
        return numerators, np.full(len(counts), size)

    @property
    def has_equal_units(self):
        """Whether the score is an average in which all units have the same weight."""
        if not self.metric.averages_rows:
            return False
        weights = self.matrices[0][:, -1]
        return np.allclose(weights, weights[0], rtol=1e-12, atol=0.0)

    def _totals(self, counts):
        """Return totals on resamples, of shape (n_resamples, n_models, n_totals)."""
        if sparse.issparse(self._columns):
            sums = np.ascontiguousarray((self._columns.T @ counts.T).T)
        elif self._places.shape[1] <= FEW_TOTALS:
            sums = np.stack([counts @ column for column in self._columns.T], axis=1)
        else:
            sums = counts @ self._columns
        return sums.take(self._places, axis=1)

    def _swapped_totals(self, counts, *moved):
        """Return totals of swapped samples from the totals that swaps change."""
        totals = np.repeat(self._totals(counts[np.newaxis]), len(moved[0]), axis=0)
        totals[:, :, self._moving] = np.stack(moved, axis=1)
        return totals

    def _scores(self, totals, call, inexact=False):
        """Score the totals of each model; call the metric if these are not sufficient.

        Parameters
        ----------
        totals : ndarray of shape (n_resamples, n_models, n_totals)
            Sums of contributions.
        call : callable
            ``call(model, resample)`` calls the metric function and returns the score.
        inexact : ndarray of bool, shape (n_resamples, n_models), default=False
            Whether totals are inexact due to rounding.
        """
        sums = totals.reshape(-1, totals.shape[-1])
        with np.errstate(all="ignore"):
            scores = self.metric.score(sums)
            doubtful = self.metric.doubtful(sums, scores).reshape(totals.shape[:-1])
            scores = (self.metric.sign * scores).reshape(totals.shape[:-1])
            for resample, model in zip(*(doubtful | inexact).nonzero(), strict=True):
                scores[resample, model] = call(model, resample)
        scores[~np.isfinite(scores)] = np.nan
        return scores

    def scores(self, counts, *, as_weights=False):
        """Score each model on resamples."""

        def call(model, place):
            if not as_weights:
                return self._on_counts(model, counts[place])
            weights = self._of_cells(counts[place])
            return self.metric.generic.score_or_nan(self.rows, model, weights)

        return self._scores(self._totals(counts), call)

    def swapped_scores(self, counts, swapped):
        """Score two models after they have exchanged predictions.

        Kept and swapped predictions are summed separately, to avoid cancellation.
        """
        (a, b), kept = self._exchanged, counts - swapped
        moving = kept @ a + swapped @ b, kept @ b + swapped @ a
        call = functools.partial(self._on_swapped, counts, swapped.__getitem__)
        return self._scores(self._swapped_totals(counts, *moving), call)

    def n_packed_bits(self, cells):
        """Return the number of bits that encode swaps of some cells: one per cell."""
        return len(cells)

    def packed_swapped_scores(self, counts, cells, packed):
        """Score two models after swapping single rows, encoded as packed bits.

        Parameters
        ----------
        counts : ndarray of shape (n_cells,)
            The counts of the cells.
        cells : ndarray
            The cells that correspond to the bits, each with a count of 1.
        packed : ndarray of uint8, shape (ceil(len(cells) / 8), n_resamples)
            Bits that are set for swapped cells.

        Returns
        -------
        ndarray of shape (n_resamples, 2)
            The scores, nan where undefined.
        """

        def swapped_at(place):
            return self.unpacked(len(counts), cells, packed[:, place])

        moved = subset_sums(self.differences[cells], packed)
        return self.shifted_scores(counts, moved, swapped_at)

    def unpacked(self, n_cells, cells, packed):
        """Return the number of swapped units of all cells from bits of some cells."""
        swapped = np.zeros(n_cells, dtype=np.int64)
        swapped[cells] = np.unpackbits(packed)[: len(cells)]
        return swapped

    def shifted_scores(self, counts, moved, swapped_at):
        """Score two models after adding to the totals of A and subtracting from B's.

        Parameters
        ----------
        counts : ndarray of shape (n_cells,)
            The counts of the cells.
        moved : ndarray of shape (n_resamples, n_moving)
            The amounts that swaps add to the totals of A and subtract from those of B.
        swapped_at : callable or None
            Returns the number of swapped rows of each cell in a resample. If None,
            scores that are not determined by the totals are nan.
        """
        a, b = self._totals(counts[np.newaxis])[0][:, self._moving]
        totals = self._swapped_totals(counts, a + moved, b - moved)
        call = functools.partial(self._on_swapped, counts, swapped_at)
        scores = self._scores(totals, call)
        inexact = _rounded(self.differences)
        if swapped_at is not None and inexact.any():
            doubt = _cancels(a, moved, inexact) | _cancels(b, -moved, inexact)
            for place in np.flatnonzero(doubt):
                swapped = swapped_at(place)[np.newaxis]
                scores[place] = self.swapped_scores(counts, swapped)[0]
        return scores

    def _on_swapped(self, counts, swapped_at, model, place):
        """Call the metric on a swapped sample."""
        if swapped_at is None:
            return np.nan
        swapped = swapped_at(place)
        kept, taken = self._rows_of(counts - swapped), self._rows_of(swapped)
        authors = np.repeat([model, 1 - model], [len(kept), len(taken)])
        rows = np.concatenate([kept, taken])
        return self.metric.generic.score_or_nan(rows, authors)

    def exchange_terms(self, counts):
        """Return contributions of a unit of each cell to the difference of two models.

        The score is linearized between the totals of the two models by the trapezoidal
        rule: units with equal contributions to both contribute 0.

        Parameters
        ----------
        counts : ndarray of shape (n_cells,)
            The counts of the cells.

        Returns
        -------
        terms : ndarray of shape (n_cells,)
            The contributions, whose sum is exactly or nearly the difference.
        sizes : ndarray of shape (n_cells,) or None
            The weight of a unit in the score, 0 if it does not contribute; None if the
            weight of a unit is its number of rows.
        """
        a, b = self.matrices
        scale = counts[None] @ (np.abs(a) + np.abs(b))
        gradients = [self._gradients(counts[None], m, scale)[0] for m in (a, b)]
        terms, sizes = self.metric.sign * (a - b) @ np.mean(gradients, axis=0), None
        if self.metric.is_ratio:
            sizes = a[:, -1] + b[:, -1]
        elif self.metric.set_score is not None:
            shares = self.metric.set_score.shares
            sizes = sum(shares(counts, self.metric.set_sums(m)) for m in (a, b))
        elif self.metric.counts_labels:
            sizes = np.abs(a) @ np.abs(gradients[0]) + np.abs(b) @ np.abs(gradients[1])
        return terms, sizes

    def standard_errors(self, counts, strata):
        """Return the standard error of the difference of two models on resamples.

        Uses the delta method: the score is linearized at the totals of the resample;
        n times the variance of the linear contributions d of the units is
        ``sum(d ** 2) - sum(d) ** 2 / n`` within each stratum.

        Parameters
        ----------
        counts : ndarray of shape (n_resamples, n_cells)
            The counts of the cells.
        strata : ndarray of shape (n_cells,)
            The stratum of each cell.

        Returns
        -------
        ndarray of shape (n_resamples,)
            Standard errors.
        """
        a, b = (self._gradients(counts, matrix) @ matrix.T for matrix in self.matrices)
        linear = a - b
        variance = np.zeros(len(counts))
        for stratum in np.unique(strata):
            cells = strata == stratum
            n, d = counts[:, cells], linear[:, cells]
            mean = (n * d).sum(axis=1, keepdims=True) / n.sum(axis=1, keepdims=True)
            variance += (n * (d - mean) ** 2).sum(axis=1)
        return np.sqrt(variance)

    def swapped_standard_errors(self, swapped, counts, strata):
        """Return the standard error of the difference after exchanging predictions.

        A swapped sample has twice as many cells: each with kept and with exchanged
        predictions.
        """
        both = np.concatenate([counts - swapped, swapped], axis=1)
        return self._twice.standard_errors(both, np.tile(strata, 2))

    @functools.cached_property
    def _twice(self):
        a, b = self.matrices
        pairs = [np.concatenate([a, b]), np.concatenate([b, a])]
        return AdditiveTable(self.metric, self.rows, pairs)

    def _gradients(self, counts, matrix, sizes=None):
        """Return derivatives of the score by the totals, from central differences."""
        totals = counts @ matrix
        gradients = np.zeros_like(totals)
        sizes = counts @ np.abs(matrix) if sizes is None else sizes
        with np.errstate(all="ignore"):
            for place, size in enumerate(sizes.T):
                step = 1e-6 * size
                ahead, behind = totals.copy(), totals.copy()
                ahead[:, place] += step
                behind[:, place] -= step
                rise = self.metric.score(ahead) - self.metric.score(behind)
                # If no unit of the resample contributes to a total, its derivative does
                # not affect the variance.
                gradients[:, place] = np.where(size > 0, rise / (2 * step), 0.0)
        return gradients

    def left_out_scores(self, counts):
        """Score each model with one unit of each cell left out, by subtraction."""

        def call(model, place):
            less = counts.copy()
            less[place] -= 1
            return self._on_counts(model, less)

        matrices = self.matrices
        left = np.stack([counts @ matrix - matrix for matrix in matrices], axis=1)
        inexact = [_dominates(counts, matrix) for matrix in matrices]
        return self._scores(left, call, np.stack(inexact, axis=1))

    def grouped(self, membership):
        """Return the table of groups, whose contributions are sums over their rows."""
        matrices = [membership @ matrix for matrix in self.matrices]
        return AdditiveTable(self.metric, self.rows, matrices, membership)

    def _on_counts(self, model, counts):
        """Call the metric on a resample."""
        return self.metric.generic.score_or_nan(self._rows_of(counts), model)

    def _rows_of(self, counts):
        """Return the rows of a resample, repeated by the counts of their cells."""
        return np.repeat(self.rows, self._of_cells(counts).astype(np.intp))

    def _of_cells(self, counts):
        of_groups = self.membership is not None
        return np.asarray(self.membership.T @ counts if of_groups else counts)


def _rounded(matrix):
    """Mark columns whose sums may be rounded: all but small integers."""
    return ((matrix != np.rint(matrix)) | (np.abs(matrix) > 2**40)).any(axis=0)


def _cancels(totals, moved, inexact):
    """Mark moves after which inexact totals are dominated by rounding errors."""
    sizes = np.abs(totals) + np.abs(moved)
    little = np.abs(totals + moved) < 1e-3 * sizes
    return (little & inexact).any(axis=1)


def _dominates(counts, matrix):
    """Mark cells of which a single unit makes up most of some total.

    Without the unit, the total is then dominated by its rounding error, except for sums
    of integers, which are exact.
    """
    sizes = np.abs(matrix[:, _rounded(matrix)])
    left = counts @ sizes - sizes
    return ((left < 1e-3 * sizes) & (sizes > 0)).any(axis=1)


def subset_sums(values, packed):
    """Sum the rows of `values` over random subsets.

    The sums over all 256 subsets of eight rows are tabulated, so that each byte of
    random bits requires one lookup.

    Parameters
    ----------
    values : ndarray of shape (n, k)
        The values to sum.
    packed : ndarray of uint8, shape (ceil(n / 8), n_subsets)
        The subsets: the bytes of a column, highest bit first.

    Returns
    -------
    ndarray of shape (n_subsets, k)
        The sums.

    Examples
    --------
    >>> values = np.array([[1.0], [10.0], [100.0]])
    >>> subset_sums(values, np.array([[0b10100000, 0b01000000]], dtype=np.uint8))
    array([[101.],
           [ 10.]])
    """
    n_bytes, n_subsets = packed.shape
    n_values, k = values.shape
    eights = np.zeros((8 * n_bytes, k))
    eights[:n_values] = values
    eights = eights.reshape(n_bytes, 8, k)
    sums, part = np.zeros((k, n_subsets)), np.empty(n_subsets)
    for start in range(0, n_bytes, _TABLES_PER_BATCH):
        tables = _PATTERNS @ eights[start : start + _TABLES_PER_BATCH]
        tables = np.ascontiguousarray(tables.transpose(0, 2, 1))
        for table, picks in zip(tables, packed[start:], strict=False):
            for column in range(k):
                # "clip" avoids bounds checks: bytes are always in bounds.
                sums[column] += table[column].take(picks, out=part, mode="clip")
    return sums.T
