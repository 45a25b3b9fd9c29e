"""A statistic is a metric on a sample: the scores of all models on whatever is redrawn.

A table is a statistic laid out by cells, i.e. by rows that are alike.

A response is an array, a sparse matrix (multilabel indicators), or a list of arrays,
one per output (`predict_proba` of multilabel forests).
"""

import abc
import functools
import math
import numbers

import numpy as np
from scipy import sparse

from skcompare._caveats import quiet

# Whether scores computed in two ways are the same but for rounding.
are_equal = functools.partial(np.allclose, rtol=1e-9, atol=1e-12)

# How many resamples there are where nobody says.
USUAL_RESAMPLES = 10_000


class Statistic:
    """A score of every model of a sample, ready to be computed again and again.

    Resampling hands in what it has redrawn and gets one score per model. A resample
    on which the score is undefined gives nan for that model. The same statistic of
    other models, rows or weights is computed from counts wherever that is possible;
    whatever has nothing to do with counts is left to `generic`.

    Attributes
    ----------
    engine : str
        How the scores are computed.
    generic : Statistic
        The same by calling the metric on rows: this one, if it does.
    observed : tuple of float
        The score of every model on the sample itself.
    scale : float
        The size of the numbers that scores are differences of, such as the 1 in
        ``1 - a / b``: rounding errors are relative to it, even where a score is near 0.
    sample_weight : ndarray or None
        The weights of the rows.
    bootstrap_method : {"shift", "percentile"}
        How a bootstrap p-value is computed where nothing else is asked for. "shift" is
        the rule of the textbooks for counts and means; it loses power for others.
    counted : bool
        Whether it only matters how often each row occurs. Rows that are alike in all
        of its `keys`, a list of arrays, are then interchangeable: together they are a
        *cell*, and ``tabulate(rows)``, given one row of each, returns a `Table`, or
        None if that is too large.
    counts_labels : bool
        Whether the score is made of how often classes are predicted for classes.
    ranks : bool
        Whether it ranks rows against each other, as ROC AUC does.
    recognized : bool
        Whether calls have shown how it adds up.
    averages_rows : bool
        Whether it is a mean of per-row scores, wherever it is defined.
    lowest : float or None
        The lowest score, if it counts labels and the highest is 1; None if it has no
        such bounds.
    set_counts : SetCounts or None
        What it is made of, if it is a ratio of set sizes and rows have no weights.
    """

    engine = "generic"
    observed = ()
    scale = 0.0
    sample_weight = None
    bootstrap_method = "percentile"
    counted = False
    counts_labels = False
    averages_rows = False
    ranks = False
    recognized = False
    lowest = 0.0
    set_counts = None

    def on_rows(self, rows):
        """Score every model on the given rows, repeated as often as they occur."""
        return self.generic.on_rows(rows)

    def on_reassigned(self, authors):
        """Score every model after its predictions have been exchanged.

        Parameters
        ----------
        authors : ndarray of shape (n_models, n_rows)
            ``authors[j, i]`` is the model whose prediction for row i model j now gives.
        """
        return self.generic.on_reassigned(authors)

    def on_weights(self, weights):
        """Score every model on all rows with weights, on top of those they have."""
        return self.generic.on_weights(weights)

    def of_models(self, models):
        """Return the statistic of some of the models, by number, not scored anew."""
        everyone = tuple(models) == tuple(range(len(self.observed)))
        return self if everyone else self._of_models(models)

    def _of_models(self, models):
        return self.generic.of_models(models)

    def at(self, rows):
        """Return the statistic of some of the rows, as if there were no others."""
        return self.generic.at(rows)

    def with_weights(self, weights):
        """Return the same statistic of rows that have the given weights, or None."""
        return self.generic.with_weights(weights)

    @property
    def rescale(self):
        """What puts responses of any model on one scale, without changing scores."""
        return self.generic.rescale

    def unweighted(self):
        """Return the statistic of rows that count alike, whatever they weigh."""
        return self if self.sample_weight is None else self.with_weights(None)

    def recognize(self, n_resamples=USUAL_RESAMPLES):
        """Return a statistic that adds up, where calls show that the metric does.

        Parameters
        ----------
        n_resamples : float, default=10000
            For how many resamples the metric would be called otherwise.

        Returns
        -------
        Statistic
            This one, if it is computed from counts already, or is not recognized.
        """
        return self

    def row_scores(self):
        """Return the scores of single rows, model by model, whose average is the score.

        A metric of the user's own is called, to find out whether it is a mean of them.

        Returns
        -------
        list of ndarray of shape (n_rows,) or None
            The scores of rows, higher being better; None if the score is no plain mean
            of them.
        """
        return None

    def on_one_scale(self):
        """Return the statistic of responses on one scale, if it does not mind scale.

        Ranking metrics get the ranks of each model's scores; a metric function may have
        a `rescale` of its own. Then responses of different models can change hands.

        Returns
        -------
        statistic : Statistic
            The same scores, from responses on one scale; or this one.
        differs : ndarray of bool, shape (n_rows,)
            On which rows the new responses of some models differ; nowhere without any.
        """
        generic, rescale = self.generic, self.rescale
        if rescale is None:
            return self, np.zeros(generic.n_rows, dtype=bool)
        responses = [rescale(response) for response in generic.responses]
        return generic.with_responses(responses), differing_rows(*responses)

    def by_fold(self, fold):
        """Score every model on each fold by itself.

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
    """A statistic for which it only matters how often each row occurs.

    Parameters
    ----------
    generic : GenericStatistic
        The same by calling the metric.
    keys : iterable of ndarray of shape (n_rows,) or (n_rows, n_keys)
        What, together with its weight, settles what a row means to the score of any
        model.

    Attributes
    ----------
    sign : int
        -1 if the metric is to be made negative for greater scores to be better.
    """

    counted = True

    def __init__(self, generic, keys):
        self.generic, self.sign = generic, generic.sign
        self.observed, self.scale = generic.observed, generic.scale
        self.sample_weight = weights = generic.sample_weight
        keys = [*keys] if weights is None else [*keys, weights]
        self.keys = [part for key in keys for part in key.reshape(len(key), -1).T]


class Table(abc.ABC):
    """A statistic laid out by cells: from counts of cells to scores, many at a time.

    Attributes
    ----------
    workers : {"threads", "processes"}
        What runs it in parallel: threads, if NumPy does the work.
    adds_up : bool
        Whether it has `packed_swapped_scores`, and `standard_errors` of its own.
    has_equal_units : bool
        Whether the score is an average in which all units weigh the same.
    differences : ndarray or None
        What a swapped unit of each cell adds to the totals of A, where scores are
        functions of totals.
    swap_statistic : {"difference", "studentized"}
        What of swapped samples tells models of unequal scores, and no others.
    """

    workers = "threads"
    adds_up = False
    has_equal_units = False
    differences = None
    swap_statistic = "difference"

    @abc.abstractmethod
    def scores(self, counts, *, as_weights=False):
        """Score every model on resamples.

        Parameters
        ----------
        counts : ndarray of shape (n_resamples, n_cells)
            How often each cell occurs.
        as_weights : bool, default=False
            Whether counts are weights of any size, not negative. The table must then be
            that of a statistic made for weights.

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
            How often each cell occurs.
        swapped : ndarray of shape (n_resamples, n_cells)
            For how many of these the predictions are exchanged.

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
            For how many units of each cell predictions are exchanged.
        counts : ndarray of shape (n_cells,)
            How often each cell occurs.
        strata : ndarray of shape (n_cells,)
            The stratum of each cell.

        Returns
        -------
        ndarray of shape (n_resamples,)
            Standard errors, nan if scores do not add up.
        """
        return np.full(len(swapped), np.nan)

    def average_terms(self, counts):
        """Return what units of each cell add to means of per-row scores.

        The sum of ``counts * numerators / denominators`` is the score. Of scores that
        are no averages there are no such terms: None.

        Parameters
        ----------
        counts : ndarray of shape (n_cells,)
            How often each cell occurs.

        Returns
        -------
        numerators : ndarray of shape (2, n_cells)
            What to divide, for each of two models.
        denominators : ndarray of shape (n_cells,)
            What to divide it by, whichever model predicts.
        """
        return None

    def grouped(self, membership):
        """Return the table of groups that are made up of cells.

        Parameters
        ----------
        membership : sparse matrix of shape (n_groups, n_cells)
            How often each cell occurs in each group.
        """
        return GroupedTable(self, membership)

    def left_out_scores(self, counts):
        """Score every model with one row of each cell left out.

        Parameters
        ----------
        counts : ndarray of shape (n_cells,)
            How often each cell occurs.

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
    """Groups of rows, each with its own mixture of cells."""

    def __init__(self, table, membership):
        self.table, self.membership = table, membership
        self.workers = table.workers

    def scores(self, counts, *, as_weights=False):
        """Score every model on resamples of groups."""
        return self.table.scores(self._of_cells(counts), as_weights=as_weights)

    def swapped_scores(self, counts, swapped):
        """Score two models after they have exchanged predictions for whole groups."""
        of_cells = self._of_cells(counts[np.newaxis])[0]
        return self.table.swapped_scores(of_cells, self._of_cells(swapped))

    def _of_cells(self, counts):
        return np.asarray((self.membership.T @ counts.T).T)


def as_number(score, name):
    """Check that a scorer returned one finite number."""
    if not isinstance(score, numbers.Real) or isinstance(score, bool):
        raise ValueError(
            f"The scorer {name!r} must return one number. Got {type(score).__name__}. "
            "For several metrics pass a dict of scorers as `scoring`."
        )
    if not math.isfinite(score):
        raise ValueError(
            f"The scorer {name!r} must be defined on the whole sample. Got {score}."
        )
    return float(score)


def concatenate_rows(responses):
    """Put responses to several sets of rows below each other."""
    first = responses[0]
    if isinstance(first, list):
        return [np.concatenate(outputs) for outputs in zip(*responses, strict=True)]
    if sparse.issparse(first):
        return sparse.vstack(responses, format="csr")
    return np.concatenate(responses)


def differing_rows(first, *others):
    """Say for each row whether some of the responses to it differ."""
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
