"""Metrics of one label per row: functions of class sizes and agreement."""

import functools

import numpy as np
from sklearn import metrics

from skcompare._engine.additive._metric import AdditiveMetric
from skcompare._foreign import metric_of
from skcompare._validation import codes_of


class LabelMetric(AdditiveMetric):
    """Base class of functions of true positive, predicted and true counts of classes.

    Parameters
    ----------
    generic : MetricStatistic
        The statistic that calls the metric function on true and predicted labels.
    labels : array-like or None, default=None
        The labels that are included even if they do not occur. If None, all labels that
        occur.
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
        """Return indicators of true positive, predicted and true, class by class.

        With weights, occurrences of classes are counted separately.
        """
        indicator = np.eye(len(self.classes))
        true = indicator[self.truth[rows]]
        predicted = indicator[self.predicted[model][rows]]
        sums = np.concatenate([true * predicted, predicted, true], axis=1)
        if self.sample_weight is None:
            return sums
        return np.concatenate([self._weighted(sums, rows), true, predicted], axis=1)

    def doubtful(self, totals, scores):
        """Mark resamples with a total weight of 0."""
        if self.sample_weight is None:
            return np.zeros(totals.shape[:-1], dtype=bool)
        k = len(self.classes)
        return totals[..., 2 * k : 3 * k].sum(axis=-1) <= 0

    def set_sums(self, totals):
        """Return `tp`, `predicted` and `true`, and a mask of included labels."""
        parts = np.split(totals, totals.shape[-1] // len(self.classes), axis=-1)
        counted = (parts[-2] > 0) | (parts[-1] > 0) | self._fixed
        return [part[..., self._places] for part in (*parts[:3], counted)]


class BalancedAccuracy(LabelMetric):
    """The mean recall of the classes in the truth."""

    swap_statistic = "studentized"
    adjusted = False

    def score(self, totals):
        """Average the recall of classes; if adjusted, the score of chance is 0."""
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
        """Mark variances that may be 0 up to rounding errors of weights."""
        if self.sample_weight is None:
            return super().doubtful(totals, scores)
        _, predicted, true, _ = self.set_sums(totals)
        n2 = true.sum(axis=-1) ** 2
        spread = n2 - np.maximum((true**2).sum(axis=-1), (predicted**2).sum(axis=-1))
        return (spread <= 1e-9 * n2) & ~self._is_constant(predicted, true)

    @staticmethod
    def _is_constant(predicted, true):
        """Mark totals with a single predicted or true class: the score is 0."""
        rounding = 1e-12 * true.sum(axis=-1, keepdims=True)
        n_predicted, n_true = (
            np.count_nonzero(np.abs(part) > rounding, axis=-1)
            for part in (predicted, true)
        )
        return np.minimum(n_predicted, n_true) == 1


class LikelihoodRatio(LabelMetric):
    """The ratio of the probabilities of a prediction in two classes."""

    lowest = None
    of_positive = True

    def score(self, totals):
        """Divide the rates at which one class is predicted for the two true classes."""
        tp, _, true, _ = self.set_sums(totals)
        tn, tp = tp[..., 0], tp[..., 1]
        negatives, positives = true[..., 0], true[..., 1]
        if self.of_positive:
            return (tp / positives) / ((negatives - tn) / negatives)
        return ((positives - tp) / positives) / (tn / negatives)

    def doubtful(self, totals, scores):
        """Mark undefined scores such as 0 / 0, for which scikit-learn has own rules."""
        return ~np.isfinite(scores)


class Kappa(LabelMetric):
    """Agreement beyond chance, with equal weights of all disagreements."""

    lowest = -1.0
    swap_statistic = "studentized"
    undefined = np.nan

    def score(self, totals):
        """Divide the disagreement by the disagreement of independent classes."""
        _, disagreement, by_chance = self._disagreements(totals)
        never = by_chance <= 0
        kappa = 1 - disagreement / np.where(never, 1, by_chance)
        return np.where(never, self.undefined, kappa)

    def doubtful(self, totals, scores):
        """Mark totals of a single class: chance disagreement is a rounding error."""
        n, _, by_chance = self._disagreements(totals)
        return by_chance <= 1e-9 * n

    def _disagreements(self, totals):
        """Return the numbers of rows, of disagreements, and of those by chance."""
        tp, predicted, true, _ = self.set_sums(totals)
        n = true.sum(axis=-1)
        return n, n - tp.sum(axis=-1), n - (true * predicted).sum(axis=-1) / n


class WeightedKappa(LabelMetric):
    """Agreement beyond chance, with disagreements weighted by distance.

    The distance of two classes is that of their positions among the classes that occur,
    so the metric is called on resamples that lack a class.
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
        """Divide the mean distance by the mean distance of independent classes."""
        _, predicted, true, _ = self.set_sums(totals[..., :-1])
        by_chance = ((true @ self._distance) * predicted).sum(axis=-1)
        return 1 - totals[..., -1] * true.sum(axis=-1) / by_chance

    def doubtful(self, totals, scores):
        """Mark resamples that lack a class, or without disagreement by chance."""
        _, predicted, true, occurs = self.set_sums(totals[..., :-1])
        by_chance = ((true @ self._distance) * predicted).sum(axis=-1)
        lacks_class = ~occurs.all(axis=-1)
        return (
            lacks_class | (by_chance <= 0) | super().doubtful(totals[..., :-1], scores)
        )


def are_labels(generic):
    """Return whether truth and responses contain one label per row."""
    arrays = (generic.y, *generic.responses)
    return all(getattr(array, "ndim", 0) == 1 for array in arrays)


def build_balanced_accuracy(generic, adjusted=False):
    # A class that occurs with weight 0 gives 0 / 0 in scikit-learn as well.
    if not are_labels(generic):
        return None
    metric = BalancedAccuracy(generic)
    metric.adjusted, metric.lowest = adjusted, -1.0 if adjusted else 0.0
    return metric


def build_matthews(generic):
    return Matthews(generic) if are_labels(generic) else None


def build_kappa(generic, labels=None, weights=None, replace_undefined_by=np.nan):
    """Return kappa, or None if it is not supported.

    With `weights`, the truth and each model must together contain all classes.
    """
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
    """Return the metric function of a scorer, for functions that are not public."""
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
