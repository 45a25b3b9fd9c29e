"""Metrics of one label per row: functions of class sizes and agreements."""

import functools

import numpy as np
from sklearn import metrics

from skcompare._engine.additive._metric import AdditiveMetric
from skcompare._foreign import metric_of
from skcompare._validation import codes_of


class LabelMetric(AdditiveMetric):
    """A function of how often each class is right, predicted and true.

    Parameters
    ----------
    generic : MetricStatistic
        The same by calling the metric function on true and predicted labels.
    labels : array-like or None, default=None
        The labels that count, though they may not occur. None takes those that do.
    """

    counts_labels = True
    bootstrap_method = "shift"

    def __init__(self, generic, labels=None):
        arrays, self._places = [generic.y, *generic.responses], slice(None)
        fixed = [] if labels is None or not len(labels) else [np.asarray(labels)]
        codes, self.classes = codes_of(np.concatenate([*arrays, *fixed]))
        own = np.split(codes[: len(arrays) * len(generic.y)], len(arrays))
        super().__init__(generic, own)
        (self.truth, *self.predicted), self._fixed = own, labels is not None
        if self._fixed:
            self._places = np.searchsorted(self.classes, labels)

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

    def doubtful(self, totals, scores):
        """Mark resamples that have no weight."""
        if self.sample_weight is None:
            return np.zeros(totals.shape[:-1], dtype=bool)
        k = len(self.classes)
        return totals[..., 2 * k : 3 * k].sum(axis=-1) <= 0

    def set_sums(self, totals):
        """Return how often labels are right, predicted and true, and which count."""
        parts = np.split(totals, totals.shape[-1] // len(self.classes), axis=-1)
        counted = (parts[-2] > 0) | (parts[-1] > 0) | self._fixed
        return [part[..., self._places] for part in (*parts[:3], counted)]


class BalancedAccuracy(LabelMetric):
    """The mean recall of the classes in the truth."""

    swap_statistic = "studentized"
    adjusted = False

    def score(self, totals):
        """Average the recall of classes; adjusted, 0 is what chance scores."""
        tp, _, true, _ = self.set_sums(totals)
        recall = np.where(true > 0, tp / true, 0.0)
        n_classes = (true > 0).sum(axis=-1)
        score = recall.sum(axis=-1) / n_classes
        chance = 1 / n_classes
        return (score - chance) / (1 - chance) if self.adjusted else score


class Matthews(LabelMetric):
    """The correlation of two partitions."""

    lowest = -1.0
    swap_statistic = "studentized"

    def score(self, totals):
        """Divide the covariance of classes by their standard deviations."""
        tp, predicted, true, _ = self.set_sums(totals)
        n = true.sum(axis=-1)
        covariance = tp.sum(axis=-1) * n - (true * predicted).sum(axis=-1)
        variance = n**2 - (predicted**2).sum(axis=-1)
        variance = variance * (n**2 - (true**2).sum(axis=-1))
        constant = self._is_constant(predicted, true) | (variance == 0)
        correlation = covariance / np.sqrt(np.where(constant, 1, variance))
        return np.where(constant, 0.0, correlation)

    def doubtful(self, totals, scores):
        """Weights that are not integers may leave a rounding error where 0 belongs."""
        if self.sample_weight is None:
            return super().doubtful(totals, scores)
        _, predicted, true, _ = self.set_sums(totals)
        n2 = true.sum(axis=-1) ** 2
        spread = n2 - np.maximum((true**2).sum(axis=-1), (predicted**2).sum(axis=-1))
        return (spread <= 1e-9 * n2) & ~self._is_constant(predicted, true)

    @staticmethod
    def _is_constant(predicted, true):
        """Mark where one class is all that is predicted, or true: the score is 0."""
        least = 1e-12 * true.sum(axis=-1, keepdims=True)  # others are rounding errors
        n_predicted, n_true = (
            np.count_nonzero(np.abs(part) > least, axis=-1)
            for part in (predicted, true)
        )
        return np.minimum(n_predicted, n_true) == 1


class LikelihoodRatio(LabelMetric):
    """How much more likely a prediction is in one of two classes than in the other."""

    lowest = None
    of_positive = True

    def score(self, totals):
        """Divide the rates at which one of the classes is predicted for the two."""
        tp, _, true, _ = self.set_sums(totals)
        tn, tp = tp[..., 0], tp[..., 1]
        negatives, positives = true[..., 0], true[..., 1]
        if self.of_positive:
            return (tp / positives) / ((negatives - tn) / negatives)
        return ((positives - tp) / positives) / (tn / negatives)

    def doubtful(self, totals, scores):
        """Mark 0 / 0 and the like, for which scikit-learn has rules of its own."""
        return ~np.isfinite(scores)


class Kappa(LabelMetric):
    """Agreement beyond chance, every disagreement counting the same."""

    lowest = -1.0
    swap_statistic = "studentized"
    undefined = np.nan

    def score(self, totals):
        """Divide disagreement by that of independent classes."""
        _, disagreement, by_chance = self._disagreements(totals)
        never = by_chance <= 0
        kappa = 1 - disagreement / np.where(never, 1, by_chance)
        return np.where(never, self.undefined, kappa)

    def doubtful(self, totals, scores):
        """Where one class is all there is, chance leaves a rounding error at most."""
        n, _, by_chance = self._disagreements(totals)
        return by_chance <= 1e-9 * n

    def _disagreements(self, totals):
        """Return the number of rows, and on how many classes disagree, and would."""
        tp, predicted, true, _ = self.set_sums(totals)
        n = true.sum(axis=-1)
        return n, n - tp.sum(axis=-1), n - (true * predicted).sum(axis=-1) / n


class WeightedKappa(LabelMetric):
    """Agreement beyond chance, disagreements counting by their distance.

    The distance of two classes is that of their places among the classes that occur,
    so a resample that lacks a class is in doubt.
    """

    lowest = -1.0
    swap_statistic = "studentized"

    def __init__(self, generic, power):
        super().__init__(generic)
        places = np.arange(len(self.classes))
        self._distance = np.abs(places[:, np.newaxis] - places) ** power

    def contributions(self, model, rows):
        """Add the distance of true and predicted class to the indicators."""
        distance = self._distance[self.truth[rows], self.predicted[model][rows]]
        distance = self._weighted(distance[:, np.newaxis], rows)
        return np.concatenate([super().contributions(model, rows), distance], axis=1)

    def score(self, totals):
        """Divide the mean distance by that of independent classes."""
        _, predicted, true, _ = self.set_sums(totals[..., :-1])
        by_chance = ((true @ self._distance) * predicted).sum(axis=-1)
        return 1 - totals[..., -1] * true.sum(axis=-1) / by_chance

    def doubtful(self, totals, scores):
        """Mark resamples that lack a class, or in which chance would agree."""
        _, predicted, true, occurs = self.set_sums(totals[..., :-1])
        by_chance = ((true @ self._distance) * predicted).sum(axis=-1)
        lacks_class = ~occurs.all(axis=-1)
        return (
            lacks_class | (by_chance <= 0) | super().doubtful(totals[..., :-1], scores)
        )


def are_labels(generic):
    """Return whether truth and responses are one label per row."""
    arrays = (generic.y, *generic.responses)
    return all(getattr(array, "ndim", 0) == 1 for array in arrays)


def build_balanced_accuracy(generic, adjusted=False):
    # A class that has no weight but occurs divides 0 by 0 in scikit-learn, too.
    if not are_labels(generic):
        return None
    metric = BalancedAccuracy(generic)
    metric.adjusted, metric.lowest = adjusted, -1.0 if adjusted else 0.0
    return metric


def build_matthews(generic):
    return Matthews(generic) if are_labels(generic) else None


def build_kappa(generic, labels=None, weights=None, replace_undefined_by=np.nan):
    """Kappa; with weights, only of models that all have every class."""
    if labels is not None or not are_labels(generic):
        return None
    if weights is None:
        metric = Kappa(generic)
        metric.undefined = replace_undefined_by
        return metric
    power = {"linear": 1, "quadratic": 2}.get(weights)
    if power is None:
        return None
    metric = WeightedKappa(generic, power)
    everywhere = all(
        len(np.union1d(metric.truth, predicted)) == len(metric.classes)
        for predicted in metric.predicted
    )
    return metric if everywhere else None


def build_likelihood_ratio(generic, *, of_positive):
    if not are_labels(generic) or generic.sample_weight is not None:
        return None
    metric = LikelihoodRatio(generic)
    metric.of_positive = of_positive
    return metric if len(metric.classes) == 2 else None


def _function_of(scorer):
    """Return the metric function of a scorer that has no public name of its own."""
    return metric_of(metrics.get_scorer(scorer))[0]


BUILDERS = {
    metrics.balanced_accuracy_score: build_balanced_accuracy,
    metrics.cohen_kappa_score: build_kappa,
    metrics.matthews_corrcoef: build_matthews,
    _function_of("positive_likelihood_ratio"): functools.partial(
        build_likelihood_ratio, of_positive=True
    ),
    _function_of("neg_negative_likelihood_ratio"): functools.partial(
        build_likelihood_ratio, of_positive=False
    ),
}
