"""Statistics: a metric on a sample, which scores all models on resamples.

A table computes a statistic from counts of cells, i.e. of interchangeable rows.

A response is an array, a sparse matrix (multilabel indicators), or a list of arrays,
one per output (`predict_proba` of multilabel forests).
"""

import abc
import math
import numbers

import numpy as np
from scipy import sparse

from skcompare._caveats import quiet

# Tolerances for scores computed in two ways: relative to the scores, relative to the
# scale of their terms, and absolute.
RTOL, OF_SCALE, ATOL = 1e-9, 1e-12, 1e-15

# Default number of resamples.
DEFAULT_RESAMPLES = 10_000


class Statistic:
    """A metric on a sample, to be evaluated repeatedly for all models.

    On a resample it returns one score per model, nan if the score is undefined. The
    statistics of other models, rows or weights are computed from counts if possible;
    methods that do not depend on counts are delegated to `generic`.

    Attributes
    ----------
    engine : str
        How the scores are computed.
    generic : Statistic
        The statistic that calls the metric on rows, possibly this one.
    observed : tuple of float
        The score of each model on the sample itself.
    scale : float
        The magnitude of the terms whose difference is the score, such as the 1 in
        ``1 - a / b``. Rounding errors are relative to it, even for scores near 0.
    sample_weight : ndarray or None
        The weights of the rows.
    bootstrap_method : {"shift", "percentile"}
        The default method of computing a bootstrap p-value. "shift" is the textbook
        method for counts and means; it loses power for other metrics.
    counted : bool
        Whether the score depends only on the number of occurrences of each row. Rows
        that are equal in all `keys`, a list of arrays, are then interchangeable and
        form a *cell*; ``tabulate(rows)`` takes one row of each cell and returns a
        `Table`, or None if that is too large.
    counts_labels : bool
        Whether the score is a function of counts of true and predicted labels.
    ranks : bool
        Whether it ranks rows against each other, like ROC AUC.
    recognized : bool
        Whether it was found to be a function of sums by calling it.
    averages_rows : bool
        Whether it is a mean of per-row scores wherever it is defined.
    averages_folds : bool
        Whether it is a mean of the scores of folds.
    lowest : float or None
        The lowest score of a metric that counts labels and whose highest score is 1;
        None for metrics without such bounds.
    averages_predicted : bool
        Whether it is a macro average over the labels in the truth or the predictions of
        a model, which may differ between models.
    set_score : SetScore or None
        The ratio of set sizes, if the score is one. It then has methods `set_sums` and
        `relevant_rows`.
    set_counts : SetCounts or None
        The counts that determine a ratio of set sizes of rows without weights.
    """

    engine = "generic"
    observed = ()
    scale = 0.0
    sample_weight = None
    bootstrap_method = "percentile"
    counted = False
    counts_labels = False
    averages_rows = False
    averages_folds = False
    ranks = False
    recognized = False
    lowest = 0.0
    averages_predicted = False
    set_score = None
    set_counts = None

    def are_observed(self, scores, slack=0.0):
        """Return whether scores equal the observed ones, up to rounding and `slack`."""
        slack = max(slack, ATOL + OF_SCALE * self.scale)
        return np.allclose(scores, self.observed, RTOL, slack)

    def on_rows(self, rows):
        """Score each model on the given rows, which may be repeated."""
        return self.generic.on_rows(rows)

    def on_reassigned(self, authors):
        """Score each model after predictions have been exchanged between models.

        Parameters
        ----------
        authors : ndarray of shape (n_models, n_rows)
            ``authors[j, i]`` is the model whose prediction for row i model j gets.
        """
        return self.generic.on_reassigned(authors)

    def on_weights(self, weights):
        """Score each model on all rows, with their weights multiplied by `weights`."""
        return self.generic.on_weights(weights)

    def of_models(self, models):
        """Return the statistic of some models, by number, without new calls."""
        all_models = tuple(models) == tuple(range(len(self.observed)))
        return self if all_models else self._of_models(models)

    def _of_models(self, models):
        return self.generic.of_models(models)

    def at(self, rows):
        """Return the statistic of some rows as a sample of their own."""
        return self.generic.at(rows)

    def with_weights(self, weights):
        """Return the statistic with other weights of rows; None removes the weights."""
        return self.generic.with_weights(weights)

    @property
    def rescale(self):
        """A function that maps responses to a common scale without changing scores."""
        return self.generic.rescale

    def unweighted(self):
        """Return the statistic without weights of rows."""
        return self if self.sample_weight is None else self.with_weights(None)

    def recognize(self, n_resamples=DEFAULT_RESAMPLES):
        """Return an additive statistic, if calls show that the metric is additive.

        Parameters
        ----------
        n_resamples : float, default=10000
            The number of resamples on which the metric would be called otherwise.

        Returns
        -------
        Statistic
            `self`, if it is already computed from counts or is not recognized.
        """
        return self

    def row_scores(self):
        """Return the scores of single rows, model by model, whose average is the score.

        A user-defined metric is called to find out if it is such an average.

        Returns
        -------
        list of ndarray of shape (n_rows,) or None
            The scores of rows, higher being better; None if the score is not their
            unweighted mean.
        """
        return None

    def on_one_scale(self):
        """Return the statistic of rescaled responses, if the metric is scale-invariant.

        Ranking metrics get the ranks of each model's scores; a metric function may have
        a `rescale` attribute. Rescaled responses of different models can be exchanged.

        Returns
        -------
        statistic : Statistic
            The statistic of the rescaled responses, with the same scores; `self` if the
            metric has no `rescale`.
        differs : ndarray of bool, shape (n_rows,)
            Whether the rescaled responses of some models differ on each row; False if
            the metric has no `rescale`.
        """
        generic, rescale = self.generic, self.rescale
        if rescale is None:
            return self, np.zeros(generic.n_rows, dtype=bool)
        responses = [rescale(response) for response in generic.responses]
        return generic.with_responses(responses), differing_rows(*responses)

    def by_fold(self, fold):
        """Score each model on each fold separately.

        Parameters
        ----------
        fold : ndarray of shape (n_rows,)
            The fold of each row.

        Returns
        -------
        ndarray of shape (n_models, n_folds)
            The scores, nan where undefined, as on a fold that lacks a class.
        """
        folds = [np.flatnonzero(fold == one) for one in np.unique(fold)]
        with quiet():
            scores = [self.on_rows(rows) for rows in folds]
        return np.array(scores, dtype=float).T


class CountedStatistic(Statistic):
    """Base class of statistics that depend on the number of occurrences of rows only.

    Parameters
    ----------
    generic : GenericStatistic
        The statistic that calls the metric.
    keys : iterable of ndarray of shape (n_rows,) or (n_rows, n_keys)
        Values that, together with its weight, determine the effect of a row on the
        score of any model.

    Attributes
    ----------
    sign : int
        1 if greater values of the metric are better, -1 otherwise.
    """

    counted = True

    def __init__(self, generic, keys):
        self.generic, self.sign = generic, generic.sign
        self.observed, self.scale = generic.observed, generic.scale
        self.sample_weight = weights = generic.sample_weight
        keys = [*keys] if weights is None else [*keys, weights]
        self.keys = [part for key in keys for part in key.reshape(len(key), -1).T]


class Table(abc.ABC):
    """A statistic computed from counts of cells, for many resamples at a time.

    Attributes
    ----------
    workers : {"threads", "processes"}
        The kind of parallel workers: threads if most of the work is done in NumPy.
    adds_up : bool
        Whether it implements `packed_swapped_scores` and `standard_errors`.
    has_equal_units : bool
        Whether the score is an average in which all units have the same weight.
    differences : ndarray or None
        The contribution of a swapped unit of each cell to the totals of A, if scores
        are functions of totals.
    swap_statistic : {"difference", "studentized"}
        The statistic of a permutation test that is sensitive to unequal scores only.
    """

    workers = "threads"
    adds_up = False
    has_equal_units = False
    differences = None
    swap_statistic = "difference"

    @abc.abstractmethod
    def scores(self, counts, *, as_weights=False):
        """Score each model on resamples.

        Parameters
        ----------
        counts : ndarray of shape (n_resamples, n_cells)
            The counts of the cells.
        as_weights : bool, default=False
            Whether `counts` are arbitrary nonnegative weights. The statistic must
            support weights, see `as_weighable`.

        Returns
        -------
        ndarray of shape (n_resamples, n_models)
            The scores, nan where undefined.
        """

    @abc.abstractmethod
    def swapped_scores(self, counts, swapped):
        """Score two models after they have exchanged predictions.

        Parameters
        ----------
        counts : ndarray of shape (n_cells,)
            The counts of the cells.
        swapped : ndarray of shape (n_resamples, n_cells)
            The number of swapped units of each cell.

        Returns
        -------
        ndarray of shape (n_resamples, 2)
            The scores, nan where undefined.
        """

    def swapped_standard_errors(self, swapped, counts, strata):
        """Return the standard error of the difference after exchanging predictions.

        Parameters
        ----------
        swapped : ndarray of shape (n_resamples, n_cells)
            The number of swapped units of each cell.
        counts : ndarray of shape (n_cells,)
            The counts of the cells.
        strata : ndarray of shape (n_cells,)
            The stratum of each cell.

        Returns
        -------
        ndarray of shape (n_resamples,)
            Standard errors, nan if the statistic is not additive.
        """
        return np.full(len(swapped), np.nan)

    def average_terms(self, counts):
        """Return the contributions of units to scores that are means over rows.

        The score is the sum of ``counts * numerators / denominators``. Returns None if
        the score is not an average.

        Parameters
        ----------
        counts : ndarray of shape (n_cells,)
            The counts of the cells.

        Returns
        -------
        numerators : ndarray of shape (2, n_cells)
            The numerators of the contributions of a unit, for each of two models.
        denominators : ndarray of shape (n_cells,)
            The denominators, which are the same for both models.
        """
        return None

    def grouped(self, membership):
        """Return the table of groups of rows.

        Parameters
        ----------
        membership : sparse matrix of shape (n_groups, n_cells)
            The count of each cell in each group.
        """
        return GroupedTable(self, membership)

    def left_out_scores(self, counts):
        """Score each model with one unit of each cell left out in turn.

        Parameters
        ----------
        counts : ndarray of shape (n_cells,)
            The counts of the cells.

        Returns
        -------
        ndarray of shape (n_cells, n_models)
            The scores, nan where undefined.
        """
        n_cells, step = len(counts), max(1, 2**20 // len(counts))
        parts = []
        for start in range(0, n_cells, step):
            places = np.arange(start, min(start + step, n_cells))
            block = np.repeat(counts[np.newaxis], len(places), axis=0)
            block[np.arange(len(places)), places] -= 1
            parts.append(self.scores(block))
        return np.concatenate(parts)


class GroupedTable(Table):
    """A table of groups of rows, each with its own counts of cells."""

    def __init__(self, table, membership):
        self.table, self.membership = table, membership
        self.workers = table.workers

    def scores(self, counts, *, as_weights=False):
        """Score each model on resamples of groups."""
        return self.table.scores(self._of_cells(counts), as_weights=as_weights)

    def swapped_scores(self, counts, swapped):
        """Score two models after they have exchanged predictions for whole groups."""
        of_cells = self._of_cells(counts[np.newaxis])[0]
        return self.table.swapped_scores(of_cells, self._of_cells(swapped))

    def _of_cells(self, counts):
        return np.asarray((self.membership.T @ counts.T).T)


def as_real(score, name):
    """Check that a scorer returned one number, which may be nan."""
    if not isinstance(score, numbers.Real) or isinstance(score, bool):
        raise ValueError(
            f"The scorer {name!r} must return one number. Got {type(score).__name__}. "
            "For several metrics pass a dict of scorers as `scoring`."
        )
    return float(score)


def as_number(score, name):
    """Check that a scorer returned one finite number."""
    score = as_real(score, name)
    if not math.isfinite(score):
        raise ValueError(
            f"The scorer {name!r} must be defined on the whole sample. Got {score}."
        )
    return score


def concatenate_rows(responses):
    """Concatenate responses along the rows."""
    first = responses[0]
    if isinstance(first, list):
        return [np.concatenate(outputs) for outputs in zip(*responses, strict=True)]
    if sparse.issparse(first):
        return sparse.vstack(responses, format="csr")
    return np.concatenate(responses)


def differing_rows(first, *others):
    """Return a mask of the rows on which some of the responses differ."""
    if isinstance(first, list):
        outputs = zip(first, *others, strict=True)
        return np.any([differing_rows(*output) for output in outputs], axis=0)
    differs = np.zeros(first.shape[0], dtype=bool)
    for other in others:
        if sparse.issparse(first):
            differs |= np.diff((first != other).tocsr().indptr) > 0
        else:
            unequal = np.asarray(first != other, dtype=bool)
            differs |= unequal.reshape(len(unequal), -1).any(axis=1)
    return differs
