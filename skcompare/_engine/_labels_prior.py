"""Priors for metrics of one label per row: pseudo-counts, and confusion matrices.

A Bayesian bootstrap gives no weight to values that are not in the sample. If two models
disagree on only a few rows, it underestimates the uncertainty of their difference.
Pseudo-rows, on which one model is right and the other wrong, are a prior for such
disagreements.
"""

import dataclasses
import functools

import numpy as np
from scipy import special
from sklearn.metrics import accuracy_score, zero_one_loss

from skcompare._engine._cell_schemes import CountScheme
from skcompare._engine._cells import Units, cells_of
from skcompare._engine.additive import AdditiveMetric
from skcompare._engine.additive._labels import LabelMetric, are_labels
from skcompare._validation import codes_of

# Grids for the concentration of rows of a confusion matrix and for the share of their
# diagonal.
CONCENTRATIONS = np.geomspace(0.5, 500.0, 31)
DIAGONALS = (np.arange(40) + 0.5) / 40


def is_label_metric(statistic):
    """Return whether a score is a function of the confusion matrix.

    Parameters
    ----------
    statistic : Statistic
        A score of all models of a sample.

    Returns
    -------
    bool
        Whether it is, with one label per row and several classes.
    """
    generic = statistic.generic
    if not isinstance(statistic, AdditiveMetric) or generic.arguments:
        return False
    hits = getattr(generic, "metric", None) in (accuracy_score, zero_one_loss)
    if not isinstance(statistic, LabelMetric) and not (hits and are_labels(generic)):
        return False
    return len(np.unique(np.concatenate([generic.y, *generic.responses]))) > 1


def cells_with_prior(units, metric, statistic, prior):
    """Count the units of each cell, with pseudo-counts for disagreements of two models.

    Each true class gets two pseudo-units, on which one model is right and the other
    predicts the true class that is most often predicted wrongly for it. (Any other
    label would be averaged in for a model that never predicts it.) They are divided
    among strata in proportion to the rows of the class. For a score that averages k
    classes, their counts are divided by the square root of k: the errors of k classes
    partly cancel, and without the division intervals were far too wide. A score in
    which all rows have equal weight, such as accuracy, gets two pseudo-units in total,
    divided among classes in proportion to their rows. With groups of rows, a
    pseudo-unit is a group of average size.

    Parameters
    ----------
    units : Units
        The units of resampling.
    metric : str
        The name of the metric.
    statistic : Statistic
        The score of two models; it must support weights.
    prior : float
        The count of each pseudo-unit.

    Returns
    -------
    Cells
        The cells, whose counts include pseudo-counts if the metric is a function of the
        confusion matrix and there are several classes.
    """
    plain = cells_of(units, {metric: statistic})
    if not prior or plain.tables is None or not is_label_metric(statistic):
        return plain
    generic = statistic.generic
    truth, classes, confusion = _confusions(generic)
    n_classes, wrong = len(classes), confusion.sum(axis=0)
    # Ties are broken in favor of the class predicted most often.
    frequency = wrong + wrong.sum(axis=0) / (2 * len(truth) + 1)
    if len(np.unique(truth)) > 1:
        frequency[:, wrong.sum(axis=1) == 0] = -1.0
    np.fill_diagonal(frequency, -1.0)
    other = frequency.argmax(axis=1)
    strata = units.spread(units.stratum_of_unit)
    sizes = np.zeros((len(units.stratum_sizes), n_classes))
    np.add.at(sizes, (strata, truth), 1.0)
    stratum, label = np.nonzero(sizes)
    average = "macro" if isinstance(statistic, LabelMetric) else "micro"
    if statistic.set_score is not None:
        average = statistic.set_score.average
    equal_weights = average in ("micro", "weighted")
    total = len(truth) if equal_weights else sizes.sum(axis=0)[label]
    if average == "macro":
        prior = prior / np.sqrt(np.count_nonzero(sizes.sum(axis=0)))
    shares = np.tile(prior * sizes[stratum, label] / total, 2)
    right, missed = classes[label], classes[other[label]]
    stratum, times, groups = np.tile(stratum, 2), 1, None
    if units.groups is not None:
        times = max(1, round(units.n_rows / units.n_units))
        added = units.n_units + np.arange(len(stratum))
        groups = np.concatenate([units.groups, np.repeat(added, times)])
    y, weights = generic.y, generic.sample_weight
    new = [[right, right], [right, missed], [missed, right]]
    y, *responses = (
        np.concatenate([old, np.repeat(np.concatenate(pair), times)])
        for old, pair in zip([y, *generic.responses], new, strict=True)
    )
    added = np.full(len(y) - len(weights), float(weights.mean()))
    extended = generic.with_rows(y, responses, np.concatenate([weights, added]))
    several = len(units.stratum_sizes) > 1
    both = np.concatenate([strata, np.repeat(stratum, times)])
    enlarged = Units(len(both), groups, both if several else None)
    cells = cells_of(enlarged, {metric: extended})
    if cells.tables is None:
        return plain
    counts = np.concatenate([np.ones(units.n_units), shares])
    return dataclasses.replace(
        cells, counts=np.bincount(cells.cell_of_unit, weights=counts)
    )


def _confusions(generic):
    """Return codes of true labels, the labels, and confusion matrices of all models."""
    codes, classes = codes_of(np.concatenate([generic.y, *generic.responses]))
    truth, *predicted = np.split(codes, 1 + len(generic.responses))
    n, shape = len(classes), (len(predicted), len(classes), len(classes))
    counts = [np.bincount(truth * n + p, minlength=n * n) for p in predicted]
    return truth, classes, np.reshape(counts, shape)


def confusion_model(statistic):
    """Return confusion matrices, and the score as a function of them.

    Parameters
    ----------
    statistic : Statistic
        A score of all models that supports weights and is a label metric
        (`is_label_metric`).

    Returns
    -------
    counts : ndarray of shape (n_models, n_classes, n_classes)
        The confusion matrices, with true classes as rows.
    score : callable
        Maps weights of the entries of matrices, of shape (n_draws, n_models, n_classes,
        n_classes), to scores of shape (n_draws, n_models).
    """
    generic = statistic.generic
    _, classes, matrices = _confusions(generic)
    n = len(classes)
    true, predicted = (classes[codes.ravel()] for codes in np.indices((n, n)))
    one_of_each = generic.with_rows(true, [predicted], np.ones(n * n))
    table = one_of_each.tabulate(np.arange(n * n))
    return matrices, functools.partial(_score_matrices, table)


def _score_matrices(table, weights):
    scores = table.scores(weights.reshape(-1, weights[0, 0].size), as_weights=True)
    return scores.reshape(weights.shape[:2])


class ConfusionDraws(CountScheme):
    """Draw confusion matrices of several models from a hierarchical posterior.

    The shares of true classes, common to all models, are Dirichlet with pseudo-counts
    `prior`. The shares of predictions for a true class are Dirichlet for each model,
    with pseudo-counts ``s * m`` for the class itself and ``s * (1 - m)``, in equal
    parts, for the others. All classes of a model share s and m; log s and m have
    uniform priors.

    Parameters
    ----------
    counts : ndarray of shape (n_models, n_classes, n_classes)
        The observed matrices.
    prior : float
        The pseudo-count of each class that occurs in the truth.
    """

    def __init__(self, counts, prior):
        super().__init__(np.ravel(counts))
        self._observed, self._prior = counts, prior
        self._grid = np.array(
            [(s * m, s * (1 - m)) for s in CONCENTRATIONS for m in DIAGONALS]
        )
        self._shares = [self._hyperposterior(matrix) for matrix in counts]

    def _hyperposterior(self, matrix):
        """Return the posterior probability of each pair of pseudo-counts."""
        n = len(matrix)
        own, others = self._grid[:, 0], self._grid[:, 1] / (n - 1)
        total = own + self._grid[:, 1]
        log = np.zeros(len(own))
        for size in matrix.sum(axis=1):
            log += special.gammaln(total) - special.gammaln(total + size)
        for right in np.diag(matrix):
            log += special.gammaln(own + right) - special.gammaln(own)
        off, times = np.unique(matrix[~np.eye(n, dtype=bool)], return_counts=True)
        for count, n_times in zip(off, times, strict=True):
            log += n_times * (special.gammaln(others + count) - special.gammaln(others))
        shares = np.exp(log - log.max())
        return shares / shares.sum()

    def block(self, size, rng):
        """Return weights of shape (size, n_models, n_classes, n_classes)."""
        n_models, n, _ = self._observed.shape
        sizes = self._observed[0].sum(axis=1)
        classes = rng.standard_gamma(
            np.where(sizes > 0, sizes + self._prior, 0.0), (size, n)
        )
        classes /= classes.sum(axis=1, keepdims=True)
        drawn = np.empty((size, n_models, n, n))
        diagonal = np.eye(n, dtype=bool)
        for model, matrix in enumerate(self._observed):
            chosen = rng.choice(len(self._grid), size=size, p=self._shares[model])
            own, others = self._grid[chosen].T[:, :, np.newaxis, np.newaxis]
            prior = np.where(diagonal, own, others / (n - 1))
            rows = rng.standard_gamma(matrix + prior)
            drawn[:, model] = rows / rows.sum(axis=2, keepdims=True)
        return drawn * classes[:, np.newaxis, :, np.newaxis]
