"""Precision, recall, F-measures and Jaccard for one label per row or sets of labels.

The same formulas apply to classes and to labels of multilabel data: `predicted` and
`true` count the rows with a predicted or true label, and `tp` the rows with both.
"""

import abc
import functools
import numbers
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn import metrics

from skcompare._engine.additive._labels import LabelMetric, are_labels
from skcompare._engine.additive._metric import AdditiveMetric, MeanMetric


class SetCounts(NamedTuple):
    """Counts from which precision, recall, F-measures and Jaccard are computed.

    Parameters
    ----------
    kind : {"fbeta", "jaccard", "precision", "recall"}
        The ratio.
    average : {"binary", "micro", "macro", "weighted"}
        The average of the ratios of labels.
    ratios : callable
        ``ratios(tp, fp, fn)`` returns the score from arrays with labels on the last
        axis and models on the one before it.
    tp, fp, fn : ndarray of shape (n_models, n_labels)
        True positives, false positives and false negatives, pooled into one label for
        a micro average.
    sizes : ndarray of shape (n_models, n_labels)
        The number of rows on which the ratio of each label depends.
    counted : ndarray of bool of shape (n_models, n_labels)
        Which labels are included in an average.
    """

    kind: str
    average: str
    ratios: object
    tp: np.ndarray
    fp: np.ndarray
    fn: np.ndarray
    sizes: np.ndarray
    counted: np.ndarray


class SetScore(NamedTuple):
    """A ratio of set sizes, averaged over labels.

    Parameters
    ----------
    kind : {"fbeta", "jaccard", "precision", "recall"}
        The ratio.
    average : {"binary", "micro", "macro", "weighted", "samples"}
        The average of the ratios of labels.
    zero_division : float
        The value of 0 / 0.
    terms : tuple of float
        The factor of `tp` in the numerator, and those of `predicted`, `true` and
        ``-tp`` in the denominator.
    """

    kind: str
    average: str
    zero_division: float
    terms: tuple

    def shares(self, counts, sums):
        """Return the share of a unit of each cell in the score.

        Parameters
        ----------
        counts : ndarray of shape (n_cells,)
            The counts of the cells.
        sums : list of ndarray of shape (n_cells, n_labels)
            The contributions of a unit of each cell to `tp`, `predicted` and `true`,
            and whether they count.

        Returns
        -------
        ndarray of shape (n_cells,)
            Its share in the denominator, averaged over labels.
        """
        _, of_predicted, of_true, of_tp = self.terms
        tp, predicted, true, _ = sums
        below = of_predicted * predicted + of_true * true - of_tp * tp
        if self.average == "micro":
            below = below.sum(axis=1, keepdims=True)
        totals = counts @ below
        return (below / np.where(totals == 0, 1, totals)).mean(axis=1)

    def score(self, tp, predicted, true, counted):
        """Average over the labels on the last axis.

        Parameters
        ----------
        tp, predicted, true : ndarray of shape (..., n_labels)
            Sums of weights.
        counted : ndarray of shape (..., n_labels)
            Which labels are included in a macro average.

        Returns
        -------
        ndarray of shape (...)
            The score.
        """
        if self.average == "micro":  # all labels are pooled into one
            sums = (tp, predicted, true)
            tp, predicted, true = (part.sum(axis=-1, keepdims=True) for part in sums)
            counted = True
        above, of_predicted, of_true, of_tp = self.terms
        below = of_predicted * predicted + of_true * true - of_tp * tp
        empty = below == 0
        ratios = above * tp / np.where(empty, 1, below)
        ratios = np.where(empty, self.zero_division, ratios)
        counted = counted & ~np.isnan(ratios)
        ratios = np.where(counted, ratios, 0.0)
        plain = ratios.sum(axis=-1) / counted.sum(axis=-1)
        if self.average != "weighted":
            return plain
        weights = np.where(counted, true, 0.0)
        total = weights.sum(axis=-1)
        # Without true labels, scikit-learn returns the unweighted average.
        weighted = (ratios * weights).sum(axis=-1) / np.where(total == 0, 1, total)
        return np.where(total == 0, plain, weighted)

    def of_counts(self, sign, counted, tp, fp, fn):
        """Return the score, with a sign, of true and false positives and negatives."""
        return sign * self.score(tp, tp + fp, tp + fn, counted)


class SetMetric(AdditiveMetric):
    """Base class of precision, recall, F-measures and Jaccard.

    Attributes
    ----------
    set_score : SetScore
        The ratio. A micro average pools all labels into one.
    """

    counts_labels = True
    bootstrap_method = "shift"

    @abc.abstractmethod
    def sample_totals(self):
        """Return the totals of all models on a sample without weights."""

    @abc.abstractmethod
    def relevant_rows(self, model):
        """Return pairs of a label and a row that its ratio depends on.

        Parameters
        ----------
        model : int
            The number of the model.

        Returns
        -------
        labels, rows : ndarray of int
            The pairs. A micro average pools all labels into one.
        """

    def score(self, totals):
        """Average the ratios of all labels."""
        return self.set_score.score(*self.set_sums(totals))

    @functools.cached_property
    def set_counts(self):
        """The counts that determine the score, None if rows have weights."""
        if self.sample_weight is not None:
            return None
        *sums, counted = self.set_sums(np.array(self.sample_totals(), dtype=float))
        kind, average = self.set_score.kind, self.set_score.average
        if average == "micro":
            sums = [part.sum(axis=1, keepdims=True) for part in sums]
            counted = counted.any(axis=1, keepdims=True)
        tp, predicted, true = sums
        score = functools.partial(self.set_score.of_counts, self.sign, counted)
        relevant = {"precision": predicted, "recall": true}
        sizes = relevant.get(kind, predicted + true - tp)
        counts = tp, predicted - tp, true - tp
        return SetCounts(kind, average, score, *counts, sizes, counted)


class SingleLabels(SetMetric, LabelMetric):
    """Precision, recall, F-measures and Jaccard of one label per row."""

    def sample_totals(self):
        """Return the totals of all models on the sample."""
        count = functools.partial(np.bincount, minlength=len(self.classes))
        true = self.truth
        return [
            np.concatenate([count(true[true == own]), count(own), count(true)])
            for own in self.predicted
        ]

    def relevant_rows(self, model):
        """Return pairs of a label and a row that its ratio depends on."""
        true, predicted = self.truth, self.predicted[model]
        rows, also = np.arange(len(true)), np.flatnonzero(true != predicted)
        labels, rows = {"precision": (predicted, rows), "recall": (true, rows)}.get(
            self.set_score.kind,
            (np.append(true, predicted[also]), np.append(rows, also)),
        )
        included = np.zeros(len(self.classes), dtype=bool)
        included[self._places] = True
        labels, rows = labels[included[labels]], rows[included[labels]]
        return _pooled(rows) if self.set_score.average == "micro" else (labels, rows)


class LabelSets(SetMetric):
    """Precision, recall, F-measures and Jaccard of sets of labels.

    Parameters
    ----------
    generic : MetricStatistic
        The statistic that calls the metric function.
    y : ndarray of shape (n_rows, n_labels)
        True labels as booleans.
    responses : list of ndarray of shape (n_rows, n_labels)
        Predicted labels, model by model.
    pooled : bool
        Whether all labels of a row are pooled into one.
    """

    def __init__(self, generic, y, responses, *, pooled):
        self._truth, self._predicted, self._pooled = y, responses, pooled
        if pooled:
            keys = [set_sizes(y, response) for response in responses]
        else:
            keys = [_pattern_codes(labels) for labels in (y, *responses)]
        super().__init__(generic, keys)

    def contributions(self, model, rows):
        """Return contributions to `tp`, `predicted` and `true` by label, then ones."""
        true, predicted = self._truth[rows], self._predicted[model][rows]
        if self._pooled:
            sums = set_sizes(true, predicted)
        else:
            sums = np.concatenate([true & predicted, predicted, true], axis=1)
        return self._weighted(np.column_stack([sums, np.ones(len(rows))]), rows)

    def sample_totals(self):
        """Return the totals of all models on the sample."""
        true, totals = self._truth, []
        for predicted in self._predicted:
            parts = [part.sum(axis=0) for part in (true & predicted, predicted, true)]
            if self._pooled:
                parts = [part.sum(keepdims=True) for part in parts]
            totals.append(np.concatenate([*parts, [len(true)]]))
        return totals

    def relevant_rows(self, model):
        """Return pairs of a label and a row that its ratio depends on."""
        true, predicted = self._truth, self._predicted[model]
        relevant = {"precision": predicted, "recall": true}
        rows, labels = np.nonzero(relevant.get(self.set_score.kind, true | predicted))
        return _pooled(rows) if self._pooled else (labels, rows)

    def doubtful(self, totals, scores):
        """Mark resamples with a total weight of 0."""
        return totals[..., -1] <= 0

    def set_sums(self, totals):
        """Return `tp`, `predicted` and `true`, and a mask of included labels."""
        tp, predicted, true = np.split(totals[..., :-1], 3, axis=-1)
        return [tp, predicted, true, np.ones(tp.shape, dtype=bool)]


def _pooled(rows):
    rows = np.unique(rows)
    return np.zeros_like(rows), rows


def set_sizes(y, response):
    """Count the labels of each row that are right, predicted and true."""
    parts = (y & response, response, y)
    return np.stack([part.sum(axis=1) for part in parts], axis=1)


def _pattern_codes(indicator):
    """Return codes of rows of a boolean matrix, equal for equal rows."""
    packed = np.ascontiguousarray(np.packbits(indicator, axis=1))
    whole = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    return np.unique(whole, return_inverse=True)[1]


def as_indicator(labels):
    """Return a boolean matrix, or None if labels are not an indicator matrix."""
    if sparse.issparse(labels):
        labels = labels.toarray()
    if getattr(labels, "ndim", 0) != 2 or labels.dtype.kind not in "biuf":
        return None
    return labels != 0 if np.isin(labels, (0, 1)).all() else None


def build_set_metric(
    generic,
    labels=None,
    pos_label=1,
    average="binary",
    zero_division="warn",
    beta=1.0,
    *,
    kind,
):
    undefined = 0.0 if zero_division == "warn" else float(zero_division)
    terms = {
        "precision": (1, 1, 0, 0),
        "recall": (1, 0, 1, 0),
        "jaccard": (1, 1, 1, 1),
        "fbeta": (1 + beta**2, 1, beta**2, 0),
    }
    score = SetScore(kind, average, undefined, terms[kind])
    averages = {"micro", "macro", "weighted"}
    if are_labels(generic):
        if average not in averages | {"binary"}:
            return None
        labels = [pos_label] if average == "binary" else labels
        if labels is not None:  # only distinct labels of the type of y are supported
            numeric = all(isinstance(one, numbers.Real | np.bool_) for one in labels)
            distinct = len(set(labels)) == len(labels)
            if not distinct or numeric != (generic.y.dtype.kind in "iubf"):
                return None
        metric = SingleLabels(generic, labels)
        metric.averages_predicted = average == "macro" and labels is None
    else:
        truth, *predicted = map(as_indicator, (generic.y, *generic.responses))
        if truth is None or any(p is None for p in predicted):
            return None
        if labels is not None:
            places = np.asarray(labels)
            truth, predicted = truth[:, places], [p[:, places] for p in predicted]
        if average == "samples" and not np.isnan(undefined):
            of_row = score._replace(average="micro").score
            values = [of_row(truth & p, p, truth, True) for p in predicted]
            return MeanMetric(generic, values)
        if average not in averages:
            return None
        metric = LabelSets(generic, truth, predicted, pooled=average == "micro")
    metric.set_score = score
    if kind == "precision":
        metric.swap_statistic = "studentized"
    return metric


BUILDERS = {
    function: functools.partial(build_set_metric, kind=kind)
    for function, kind in {
        metrics.f1_score: "fbeta",
        metrics.fbeta_score: "fbeta",
        metrics.jaccard_score: "jaccard",
        metrics.precision_score: "precision",
        metrics.recall_score: "recall",
    }.items()
}
