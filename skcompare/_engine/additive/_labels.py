"""Metrics of one label per row: functions of class sizes and agreements."""

import numpy as np
from sklearn.metrics import (
    balanced_accuracy_score,
    cohen_kappa_score,
    matthews_corrcoef,
)

from skcompare._engine._cells import codes_of
from skcompare._engine.additive._metric import AdditiveMetric
from skcompare._validation import metric_of, named_scorer


class LabelMetric(AdditiveMetric):
    """A function of how often each class is right, predicted and true.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        The true labels.
    responses : list of ndarray of shape (n_rows,)
        The predicted labels, model by model.
    sample_weight : ndarray or None
        The weights of the rows.
    labels : array-like or None, default=None
        Labels to provide for, though they may not occur.
    """

    counts_labels = True

    def __init__(self, y, responses, sample_weight, labels=()):
        extra = np.asarray(labels, dtype=None if len(labels) else y.dtype)
        codes, self.classes = codes_of(np.concatenate([y, *responses, extra]))
        n_rows = len(y)
        self.truth = codes[:n_rows]
        self.predicted = np.split(
            codes[n_rows : n_rows * (1 + len(responses))], len(responses)
        )
        self.keys = [self.truth, *self.predicted]
        self.sample_weight = sample_weight

    def contributions(self, model, rows):
        """Return indicators of being right, predicted and true, class by class.

        With weights, whether a class occurs at all has to be counted apart.
        """
        indicator = np.eye(len(self.classes))
        true = indicator[self.truth[rows]]
        predicted = indicator[self.predicted[model][rows]]
        sums = np.concatenate([true * predicted, predicted, true], axis=1)
        if self.sample_weight is None:
            return sums
        return np.concatenate([self._weighted(sums, rows), true, predicted], axis=1)

    def doubtful(self, totals):
        """Mark resamples that have no weight."""
        if self.sample_weight is None:
            return super().doubtful(totals)
        k = len(self.classes)
        return totals[..., 2 * k : 3 * k].sum(axis=-1) <= 0

    def score(self, totals):
        """Split the totals by what they count."""
        return self._score(*self._parts(totals))

    def _parts(self, totals):
        parts = np.split(totals, totals.shape[-1] // len(self.classes), axis=-1)
        tp, predicted, true = parts[:3]
        in_truth, in_prediction = (true, predicted) if len(parts) == 3 else parts[3:]
        return tp, predicted, true, in_truth > 0, in_prediction > 0


class BalancedAccuracy(LabelMetric):
    """The mean recall of the classes in the truth."""

    swap_statistic = "studentized"
    adjusted = False

    def _score(self, tp, predicted, true, in_truth, in_prediction):
        recall = np.where(true > 0, tp / true, 0.0)
        n_classes = (true > 0).sum(axis=-1)
        score = recall.sum(axis=-1) / n_classes
        chance = 1 / n_classes
        return (score - chance) / (1 - chance) if self.adjusted else score


class Matthews(LabelMetric):
    """The correlation of two partitions."""

    lowest = -1.0
    swap_statistic = "studentized"

    def _score(self, tp, predicted, true, in_truth, in_prediction):
        n = true.sum(axis=-1)
        covariance = tp.sum(axis=-1) * n - (true * predicted).sum(axis=-1)
        variance = n**2 - (predicted**2).sum(axis=-1)
        variance = variance * (n**2 - (true**2).sum(axis=-1))
        constant = variance == 0
        correlation = covariance / np.sqrt(np.where(constant, 1, variance))
        return np.where(constant, 0.0, correlation)

    def doubtful(self, totals):
        """Weights that are not integers may leave a rounding error where 0 belongs."""
        if self.sample_weight is None:
            return super().doubtful(totals)
        k = len(self.classes)
        predicted, true = totals[..., k : 2 * k], totals[..., 2 * k : 3 * k]
        n2 = true.sum(axis=-1) ** 2
        spread = n2 - np.maximum((true**2).sum(axis=-1), (predicted**2).sum(axis=-1))
        return spread <= 1e-9 * n2


class LikelihoodRatio(LabelMetric):
    """How much more likely a prediction is in one of two classes than in the other."""

    lowest = None
    of_positive = True

    def _score(self, tp, predicted, true, in_truth, in_prediction):
        tn, tp = tp[..., 0], tp[..., 1]
        negatives, positives = true[..., 0], true[..., 1]
        if self.of_positive:
            return (tp / positives) / ((negatives - tn) / negatives)
        return ((positives - tp) / positives) / (tn / negatives)

    def doubtful(self, totals):
        """Mark 0 / 0 and the like, for which scikit-learn has rules of its own."""
        return ~np.isfinite(self.score(totals))


class Kappa(LabelMetric):
    """Agreement beyond chance, every disagreement counting the same."""

    lowest = -1.0
    swap_statistic = "studentized"
    undefined = np.nan

    def _score(self, tp, predicted, true, in_truth, in_prediction):
        n = true.sum(axis=-1)
        disagreement = n - tp.sum(axis=-1)
        by_chance = n - (true * predicted).sum(axis=-1) / n
        never = by_chance <= 0
        kappa = 1 - disagreement / np.where(never, 1, by_chance)
        return np.where(never, self.undefined, kappa)

    def doubtful(self, totals):
        """Where one class is all there is, chance leaves a rounding error at most."""
        k = len(self.classes)
        true, predicted = totals[..., 2 * k : 3 * k], totals[..., k : 2 * k]
        n = true.sum(axis=-1)
        by_chance = n - (true * predicted).sum(axis=-1) / n
        return by_chance <= 1e-9 * n


class WeightedKappa(LabelMetric):
    """Agreement beyond chance, disagreements counting by their distance.

    The distance of two classes is that of their places among the classes that occur,
    so a resample that lacks a class is in doubt.
    """

    lowest = -1.0
    swap_statistic = "studentized"

    def __init__(self, y, responses, sample_weight, power):
        super().__init__(y, responses, sample_weight)
        places = np.arange(len(self.classes))
        self._distance = np.abs(places[:, np.newaxis] - places) ** power

    def contributions(self, model, rows):
        """Add the distance of true and predicted class to the indicators."""
        distance = self._distance[self.truth[rows], self.predicted[model][rows]]
        distance = self._weighted(distance[:, np.newaxis], rows)
        return np.concatenate([super().contributions(model, rows), distance], axis=1)

    def score(self, totals):
        """Divide the mean distance by that of independent classes."""
        k = len(self.classes)
        predicted, true = totals[..., k : 2 * k], totals[..., 2 * k : 3 * k]
        by_chance = ((true @ self._distance) * predicted).sum(axis=-1)
        return 1 - totals[..., -1] * true.sum(axis=-1) / by_chance

    def doubtful(self, totals):
        """Mark resamples that lack a class, or in which chance would agree."""
        k = len(self.classes)
        parts = np.split(totals[..., :-1], (totals.shape[-1] - 1) // k, axis=-1)
        lacks_class = ((parts[-2] + parts[-1]) <= 0).any(axis=-1)
        by_chance = ((parts[2] @ self._distance) * parts[1]).sum(axis=-1)
        return lacks_class | (by_chance <= 0) | super().doubtful(totals[..., :-1])


def are_labels(y, responses):
    """Return whether truth and responses are one label per row, of one kind."""
    if not all(getattr(array, "ndim", 0) == 1 for array in (y, *responses)):
        return False
    return all(kind_of(response) == kind_of(y) for response in responses)


_KINDS = dict.fromkeys("iubf", "number") | dict.fromkeys("UO", "text")


def kind_of(array):
    """Return whether labels are numbers or texts, whatever their dtype."""
    return _KINDS.get(array.dtype.kind, array.dtype.kind)


def build_balanced_accuracy(y, responses, sample_weight, adjusted=False):
    # A class that has no weight but occurs divides 0 by 0 in scikit-learn, too.
    if not are_labels(y, responses):
        return None
    metric = BalancedAccuracy(y, responses, sample_weight)
    metric.adjusted, metric.lowest = adjusted, -1.0 if adjusted else 0.0
    return metric


def build_matthews(y, responses, sample_weight):
    return Matthews(y, responses, sample_weight) if are_labels(y, responses) else None


def build_kappa(
    y, responses, sample_weight, labels=None, weights=None, replace_undefined_by=np.nan
):
    """Kappa; with weights, only of models that all have every class."""
    if labels is not None or not are_labels(y, responses):
        return None
    if weights is None:
        metric = Kappa(y, responses, sample_weight)
        metric.undefined = replace_undefined_by
        return metric
    power = {"linear": 1, "quadratic": 2}.get(weights)
    if power is None:
        return None
    metric = WeightedKappa(y, responses, sample_weight, power)
    everywhere = all(
        len(np.union1d(metric.truth, predicted)) == len(metric.classes)
        for predicted in metric.predicted
    )
    return metric if everywhere else None


def likelihood_ratio_builder(of_positive):
    """Make the builder of one of the two likelihood ratios."""

    def build(y, responses, sample_weight):
        if not are_labels(y, responses) or sample_weight is not None:
            return None
        metric = LikelihoodRatio(y, responses, None)
        metric.of_positive = of_positive
        return metric if len(metric.classes) == 2 else None

    return build


def _function_of(scorer):
    """Return the metric function of a scorer that has no public name of its own."""
    return metric_of(named_scorer(scorer))[0]


BUILDERS = {
    balanced_accuracy_score: build_balanced_accuracy,
    cohen_kappa_score: build_kappa,
    matthews_corrcoef: build_matthews,
    _function_of("positive_likelihood_ratio"): likelihood_ratio_builder(True),
    _function_of("neg_negative_likelihood_ratio"): likelihood_ratio_builder(False),
}
