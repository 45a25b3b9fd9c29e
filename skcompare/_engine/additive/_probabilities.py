"""Metrics of probabilities and decision values with declared classes.

Without `labels`, a metric uses the classes of the rows it is called on, of which a
resample may lack some: such metrics are not supported here.
"""

from typing import NamedTuple

import numpy as np
from sklearn import metrics

from skcompare._engine.additive._metric import AdditiveMetric, MeanMetric
from skcompare._validation import codes_of

# Minimum loss of the null model, per unit of weight, for which rounding of the weighted
# class frequencies in scikit-learn is negligible.
MIN_NULL_LOSS = 1e-3


class Classes(NamedTuple):
    """The class of each row.

    Parameters
    ----------
    codes : ndarray of shape (n_rows,)
        The codes of the classes.
    n_classes : int
        The number of classes, including classes that do not occur.
    """

    codes: np.ndarray
    n_classes: int

    def one_hot(self, rows=slice(None)):
        """Return indicators of the classes of the given rows."""
        return np.eye(self.n_classes)[self.codes[rows]]

    def of_each(self, table):
        """Return the entry of each row for its own class, from a table by class."""
        return np.take_along_axis(table, self.codes[:, np.newaxis], axis=1)


class LossExplained(AdditiveMetric):
    """One minus the loss of a model divided by the loss of class frequencies.

    Parameters
    ----------
    generic : MetricStatistic
        The statistic that calls the metric function.
    losses : list of ndarray of shape (n_rows,)
        The loss of each row, model by model.
    classes : Classes
        The classes of the rows.
    null_loss : callable
        Returns the total loss of predicting the frequencies of classes, from the total
        weights of classes, of shape (..., n_classes).
    """

    def __init__(self, generic, losses, classes, null_loss):
        super().__init__(generic, [*losses, classes.codes])
        self.losses, self.classes, self.null_loss = losses, classes, null_loss

    def contributions(self, model, rows):
        """Return weighted losses, and unweighted and weighted indicators of classes."""
        loss, counted = self.losses[model][rows, np.newaxis], self.classes.one_hot(rows)
        weighted_loss, sizes = (self._weighted(x, rows) for x in (loss, counted))
        return np.hstack([weighted_loss, counted, sizes])

    def score(self, totals):
        """Compare the loss with the loss of the null model."""
        loss, _, sizes = self._parts(totals)
        return 1 - loss[..., 0] / self.null_loss(sizes)

    def doubtful(self, totals, scores):
        """Mark totals in which a single class has all or nearly all of the weight."""
        _, counts, sizes = self._parts(totals)
        doubt = (counts > 0).sum(axis=-1) < 2
        if self.sample_weight is None:
            return doubt
        minimum = MIN_NULL_LOSS * sizes.sum(axis=-1)
        return doubt | ~(self.null_loss(sizes) > minimum)

    def _parts(self, totals):
        return np.split(totals, [1, 1 + self.classes.n_classes], axis=-1)


def null_log_loss(sizes):
    """Return the entropy of the class frequencies times the total weight."""
    frequencies = sizes / sizes.sum(axis=-1, keepdims=True)
    return -(sizes * np.log(_clipped(frequencies))).sum(axis=-1)


def null_brier_loss(sizes):
    """Return the sum over pairs of classes, 2 sizes_i sizes_j / weight.

    This is the total weight times the sum of f (1 - f) over frequencies f, computed
    without subtraction.
    """
    below = np.cumsum(sizes, axis=-1)
    pairs = (sizes[..., 1:] * below[..., :-1]).sum(axis=-1)
    return 2 * pairs / below[..., -1]


def _clipped(probabilities):
    eps = np.finfo(float).eps
    return np.clip(probabilities, eps, 1 - eps)


def _classes(y, labels, n_classes):
    """Return the classes of rows if `n_classes` labels are declared, or None.

    Unordered or repeated labels and labels of another type are not supported.
    """
    labels = np.asarray(labels)
    if y.ndim != 1 or labels.shape != (n_classes,) or n_classes < 2:
        return None
    if (labels.dtype.kind in "OU") != (y.dtype.kind in "OU"):
        return None
    codes, present = codes_of(y)
    ordered = np.array_equal(np.unique(labels), labels)
    if not ordered or not np.isin(present, labels).all():
        return None
    return Classes(np.searchsorted(labels, present)[codes], n_classes)


def _positive(y, pos_label):
    """Return two classes, the second of which is positive, or None."""
    if y.ndim != 1:
        return None
    codes, present = codes_of(y)
    names = present.tolist()
    if len(names) != 2 or pos_label not in names:
        return None
    return Classes((codes == names.index(pos_label)).astype(int), 2)


def _probabilities(responses):
    """Return double-precision probabilities, one column per class, or None.

    Sums in single precision in scikit-learn are rounded in ways that cannot be
    reproduced.
    """
    if not all(r.dtype.kind == "i" or r.dtype == float for r in responses):
        return None
    if len({r.shape for r in responses}) > 1:
        return None
    if not _is_binary(responses):
        return responses
    return [np.column_stack([1.0 - r.ravel(), r.ravel()]) for r in responses]


def _log_losses(generic, labels):
    """Return the log loss of each row, model by model, and the classes; or None."""
    tables = _probabilities(generic.responses)
    classes = tables and _classes(generic.y, labels, tables[0].shape[1])
    if not classes:
        return None
    own = [classes.of_each(table)[:, 0] for table in tables]
    return [-np.log(_clipped(values)) for values in own], classes


def build_log_loss(generic, normalize=True, labels=None):
    losses, weights = _log_losses(generic, labels), generic.sample_weight
    # The sum over rows with weight 0 depends on the version of scikit-learn.
    weightless = weights is not None and not weights.all()
    if losses is None or (weightless and not normalize):
        return None
    return MeanMetric(generic, losses[0], normalize=normalize)


def build_d2_log_loss(generic, labels=None):
    of_rows = _log_losses(generic, labels)
    return of_rows and LossExplained(generic, *of_rows, null_log_loss)


def _brier_losses(generic, pos_label, labels):
    """Return the Brier loss of each row, model by model, and the classes; or None."""
    tables = _probabilities(generic.responses)
    if tables is None:
        return None
    if _is_binary(generic.responses):
        classes = _positive(generic.y, pos_label)
    else:
        classes = _classes(generic.y, labels, tables[0].shape[1])
    if classes is None:
        return None
    losses = [((classes.one_hot() - table) ** 2).sum(axis=1) for table in tables]
    return losses, classes


def _is_binary(responses):
    return responses[0].ndim == 1 or responses[0].shape[1] == 1


def build_brier(generic, pos_label=None, labels=None, scale_by_half="auto"):
    of_rows = _brier_losses(generic, pos_label, labels)
    if of_rows is None:
        return None
    losses, classes = of_rows
    halve = classes.n_classes < 3 if scale_by_half == "auto" else scale_by_half
    return MeanMetric(generic, [one * (0.5 if halve else 1.0) for one in losses])


def build_d2_brier(generic, pos_label=None, labels=None):
    of_rows = _brier_losses(generic, pos_label, labels)
    return of_rows and LossExplained(generic, *of_rows, null_brier_loss)


def build_top_k(generic, k=2, normalize=True, labels=None):
    shape = generic.responses[0].shape
    n_classes = shape[-1] if len(shape) == 2 else 2
    classes = _classes(generic.y, labels, n_classes)
    if classes is None or n_classes == 2:  # binary: scikit-learn requires decisions
        return None
    hits = []
    for table in generic.responses:
        # A hit has the true class among the k best. Later classes win ties.
        own, codes = classes.of_each(table), classes.codes[:, np.newaxis]
        ahead = table > own
        ahead |= (table == own) & (np.arange(n_classes) > codes)
        hits.append((ahead.sum(axis=1) < k).astype(float))
    return MeanMetric(generic, hits, normalize=normalize)


BUILDERS = {
    metrics.brier_score_loss: build_brier,
    metrics.d2_log_loss_score: build_d2_log_loss,
    metrics.log_loss: build_log_loss,
    metrics.top_k_accuracy_score: build_top_k,
}
if hasattr(metrics, "d2_brier_score"):  # since 1.8
    BUILDERS[metrics.d2_brier_score] = build_d2_brier
