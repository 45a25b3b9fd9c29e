"""Regression metrics: averages of losses, their roots, and explained shares."""

from functools import partial

import numpy as np
from scipy.special import xlogy
from sklearn import metrics

from skcompare._engine.additive._metric import AdditiveMetric, MeanMetric

# Minimum share of a sum that must remain after a subtraction for its rounding errors to
# be negligible.
MIN_REMAINDER = 1e-2

# Minimum standard deviation, relative to the mean, for which rounding of the mean in
# scikit-learn is negligible.
MIN_SPREAD = 1e-6

# Minimum deviance, relative to the terms of its sum, for the same reason.
MIN_DEVIANCE = 1e-4


class RootMeans(AdditiveMetric):
    """The average over outputs of square roots of mean errors.

    Parameters
    ----------
    generic : MetricStatistic
        The statistic that calls the metric function.
    values : list of ndarray of shape (n_rows, n_outputs)
        The errors of rows, model by model.
    shares : ndarray of shape (n_outputs,)
        The weights of the outputs, which sum to one.
    """

    def __init__(self, generic, values, shares):
        super().__init__(generic, values)
        self.values, self.shares = values, shares

    def contributions(self, model, rows):
        """Return weighted values and weights, output by output."""
        values = self.values[model][rows]
        pairs = np.stack([values, np.ones(values.shape)], axis=2)
        return self._weighted(pairs.reshape(len(rows), -1), rows)

    def score(self, totals):
        """Average the roots."""
        return np.sqrt(totals[..., ::2] / totals[..., 1::2]) @ self.shares


class Variation:
    """Sums from which the variation about the mean is computed.

    Values are centered by constants c, the same in every resample, because

        sum w (v - mean)^2 = sum w (v - c)^2 - (sum w (v - c))^2 / sum w

    is accurate if c is near the mean.

    Parameters
    ----------
    center : ndarray of shape (n_outputs,)
        The constants.
    constant : ndarray of bool, shape (n_outputs,), default=False
        Which outputs are constant.
    """

    def __init__(self, center, constant=False):
        self.center, self.constant = center, constant

    def columns(self, values):
        """Return contributions of rows: centered values, then their squares."""
        centered = values - self.center
        return np.hstack([centered, centered**2])

    def about_mean(self, weight, sums):
        """Return the sum of squared deviations from the mean, output by output."""
        first, second = np.split(sums, 2, axis=-1)
        return np.where(self.constant, 0.0, second - first**2 / weight)

    def doubtful(self, weight, sums):
        """Mark sums from which the variation of some output is inaccurate.

        This includes resamples with equal values: then scikit-learn's result depends on
        rounding of the mean. Several values of a constant output are not marked.
        """
        first, second = np.split(sums, 2, axis=-1)
        left = second - first**2 / weight
        mean = self.center + first / weight
        accurate = (left > MIN_REMAINDER * second) & (
            left > weight * (MIN_SPREAD * mean) ** 2
        )
        return ~(accurate | (self.constant & (weight > 1))).all(axis=-1)


class VarianceExplained(AdditiveMetric):
    """R2 or explained variance: one minus the unexplained share of the variation.

    If the truth varies in the sample but not in a resample, the metric is called.

    Parameters
    ----------
    generic : MetricStatistic
        The statistic that calls the metric function.
    y : ndarray of shape (n_rows, n_outputs)
        The truth.
    responses : list of ndarray of shape (n_rows, n_outputs)
        The predictions, model by model.
    shares : ndarray of shape (n_outputs,) or None
        The weights of the outputs, which sum to one. If None, outputs are weighted by
        the variation of their truth.
    force_finite : bool
        Whether a constant truth gives 1 without errors and 0 with errors, as in
        scikit-learn, instead of nan and minus infinity.
    about_mean : bool
        Whether the mean error is subtracted: explained variance. The residuals of all
        models are centered by the same constants, as models may exchange rows.
    """

    def __init__(self, generic, y, responses, shares, force_finite, about_mean):
        super().__init__(generic, [y, *responses])
        self.y, self.responses = y, responses
        self.shares, self.force_finite = shares, force_finite
        center = np.average(y, axis=0, weights=self.sample_weight)
        # If the mean of equal values is rounded, so is scikit-learn's score.
        self.truth = Variation(center, (y == center).all(axis=0) & (len(y) > 1))
        self.residuals = None
        if about_mean:
            centers = [
                np.average(y - response, axis=0, weights=self.sample_weight)
                for response in responses
            ]
            self.residuals = Variation(np.mean(centers, axis=0))

    def contributions(self, model, rows):
        """Return weights, and weighted columns of truth and of errors."""
        y, of_errors = self.y[rows], self.residuals
        errors = y - self.responses[model][rows]
        errors = errors**2 if of_errors is None else of_errors.columns(errors)
        columns = [np.ones((len(rows), 1)), self.truth.columns(y), errors]
        return self._weighted(np.hstack(columns), rows)

    def score(self, totals):
        """Compare the unexplained variation with the variation of the truth."""
        weight, truth, left = self._parts(totals)
        variation = self.truth.about_mean(weight, truth)
        if self.residuals is not None:
            left = self.residuals.about_mean(weight, left)
        scores = 1 - left / variation
        if self.force_finite:
            scores = np.where(self.truth.constant, left == 0, scores)
        if self.shares is not None:
            return scores @ self.shares
        total = variation.sum(axis=-1)
        weighted = (scores * variation).sum(axis=-1) / total
        return np.where(total == 0, scores.mean(axis=-1), weighted)

    def doubtful(self, totals, scores):
        """Mark totals of truth or residuals with hardly any variation."""
        weight, truth, errors = self._parts(totals)
        doubt = self.truth.doubtful(weight, truth)
        if self.residuals is None:
            return doubt
        return doubt | self.residuals.doubtful(weight, errors)

    def _parts(self, totals):
        end = 1 + 2 * self.y.shape[1]
        return totals[..., :1], totals[..., 1:end], totals[..., end:]


class DevianceExplained(AdditiveMetric):
    """One minus the deviance of predictions divided by the deviance of the mean.

    The deviance d of a Tweedie distribution is a Bregman divergence, so that, as with
    squares, the mean m can be replaced by a constant c:

        sum w d(y, m) = sum w d(y, c) - d(m, c) sum w

    Parameters
    ----------
    generic : MetricStatistic
        The statistic that calls the metric function.
    y : ndarray of shape (n_rows,)
        The truth.
    responses : list of ndarray of shape (n_rows,)
        The predictions, model by model.
    power : float
        The power of the Tweedie distribution.
    """

    def __init__(self, generic, y, responses, power):
        super().__init__(generic, [y, *responses])
        self.y, self.responses, self.power = y, responses, power
        self.center = np.average(y, weights=self.sample_weight)
        terms = _deviance_terms(y, self.center, power)
        self.size = 2 * sum(np.abs(term).mean() for term in terms)

    def contributions(self, model, rows):
        """Return weights, truth, and deviances from a constant and from predictions."""
        y = self.y[rows]
        columns = [
            np.ones(len(rows)),
            y - self.center,
            _deviance(y, self.center, self.power),
            _deviance(y, self.responses[model][rows], self.power),
        ]
        return self._weighted(np.column_stack(columns), rows)

    def score(self, totals):
        """Compare the deviance of predictions with the deviance of the mean."""
        return 1 - totals[..., 3] / self._about_mean(totals)

    def doubtful(self, totals, scores):
        """Mark totals of a truth with hardly any variation or without a valid mean."""
        left = self._about_mean(totals)
        enough = left > MIN_REMAINDER * totals[..., 2]
        enough &= left > MIN_DEVIANCE * self.size * totals[..., 0]
        return ~(enough & (self._mean(totals) > 0))

    def _mean(self, totals):
        return self.center + totals[..., 1] / totals[..., 0]

    def _about_mean(self, totals):
        gained = _deviance(self._mean(totals), self.center, self.power)
        return totals[..., 2] - totals[..., 0] * gained


def _absolute(y, response):
    return np.abs(response - y)


def _relative(y, response):
    return np.abs(response - y) / np.maximum(np.abs(y), np.finfo(float).eps)


def _squared(y, response):
    return (y - response) ** 2


def _squared_log(y, response):
    return (np.log1p(y) - np.log1p(response)) ** 2


def _deviance(y, response, power):
    if power == 0:
        return _squared(y, response)
    first, second, third = _deviance_terms(y, response, power)
    return 2 * (first + second + third)


def _deviance_terms(y, response, power):
    """Return the terms of half the deviance, for a power other than 0."""
    if power == 1:
        return xlogy(y, y / response), -y, response
    if power == 2:
        return np.log(response / y), y / response, -1.0
    base = np.maximum(y, 0.0) if power < 0 else y
    return (
        np.power(base, 2 - power) / ((1 - power) * (2 - power)),
        -y * np.power(response, 1 - power) / (1 - power),
        np.power(response, 2 - power) / (2 - power),
    )


def _outputs(generic):
    """Return truth and predictions as matrices of doubles, or None.

    Sums in single precision in scikit-learn are rounded in ways that cannot be
    reproduced.
    """
    arrays = y, *responses = [generic.y, *generic.responses]
    if not all(isinstance(a, np.ndarray) and a.dtype.kind in "if" for a in arrays):
        return None
    for response in responses:
        floats = [a.dtype for a in (y, response) if a.dtype.kind == "f"]
        if np.result_type(*floats or [float]) != np.float64:
            return None
    y, *responses = [a.astype(float).reshape(len(a), -1) for a in arrays]
    return y, responses


def _shares(multioutput, n_outputs):
    """Return weights of outputs that sum to one; None if weighted by variance."""
    weights = np.ones(n_outputs)  # "uniform_average", or None
    if isinstance(multioutput, str) and multioutput == "variance_weighted":
        return None
    if not isinstance(multioutput, str | None):
        weights = np.asarray(multioutput, dtype=float)
    return weights / weights.sum()


def build_mean(generic, multioutput="uniform_average", *, loss, root=False):
    """Return the average of a loss, or of the root of it."""
    outputs = _outputs(generic)
    if outputs is None:
        return None
    y, responses = outputs
    shares = _shares(multioutput, y.shape[1])
    losses = [loss(y, response) for response in responses]
    if root:
        return RootMeans(generic, losses, shares)
    return MeanMetric(generic, [values @ shares for values in losses])


def build_pinball(generic, alpha=0.5, multioutput="uniform_average"):
    def loss(y, response):
        difference = y - response
        return np.where(difference >= 0, alpha * difference, (alpha - 1) * difference)

    return build_mean(generic, multioutput, loss=loss)


def build_deviance(generic, power=0):
    return build_mean(generic, loss=partial(_deviance, power=power))


def build_deviance_explained(generic, power=0):
    outputs = _outputs(generic)
    if outputs is None or power == 0:
        return outputs and build_r2(generic)
    y, responses = outputs
    responses = [response.ravel() for response in responses]
    return DevianceExplained(generic, y.ravel(), responses, power)


def build_r2(
    generic, multioutput="uniform_average", force_finite=True, *, about_mean=False
):
    """Return R2, or explained variance if errors are taken about their mean."""
    outputs = _outputs(generic)
    if outputs is None:
        return None
    shares = _shares(multioutput, outputs[0].shape[1])
    return VarianceExplained(generic, *outputs, shares, force_finite, about_mean)


BUILDERS = {
    metrics.d2_tweedie_score: build_deviance_explained,
    metrics.explained_variance_score: partial(build_r2, about_mean=True),
    metrics.mean_absolute_error: partial(build_mean, loss=_absolute),
    metrics.mean_absolute_percentage_error: partial(build_mean, loss=_relative),
    metrics.mean_gamma_deviance: partial(build_deviance, power=2),
    metrics.mean_pinball_loss: build_pinball,
    metrics.mean_poisson_deviance: partial(build_deviance, power=1),
    metrics.mean_squared_error: partial(build_mean, loss=_squared),
    metrics.mean_squared_log_error: partial(build_mean, loss=_squared_log),
    metrics.mean_tweedie_deviance: build_deviance,
    metrics.r2_score: build_r2,
    metrics.root_mean_squared_error: partial(build_mean, loss=_squared, root=True),
    metrics.root_mean_squared_log_error: partial(
        build_mean, loss=_squared_log, root=True
    ),
}
