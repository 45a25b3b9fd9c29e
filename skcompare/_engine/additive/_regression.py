"""Regression metrics: averages of losses, their roots, and shares explained."""

import functools

import numpy as np
from scipy.special import xlogy
from sklearn.metrics import (
    d2_tweedie_score,
    explained_variance_score,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_gamma_deviance,
    mean_pinball_loss,
    mean_poisson_deviance,
    mean_squared_error,
    mean_squared_log_error,
    mean_tweedie_deviance,
    r2_score,
    root_mean_squared_error,
    root_mean_squared_log_error,
)

from skcompare._engine.additive._means import MeanMetric
from skcompare._engine.additive._metric import AdditiveMetric

# What is left of a sum after a subtraction, at least, for its rounding not to show.
LEAST_LEFT = 1e-2

# The least standard deviation, relative to the mean, at which it does not matter how
# scikit-learn has rounded that mean.
LEAST_SPREAD = 1e-6

# The least deviance, relative to the terms whose sum it is, likewise.
LEAST_DEVIANCE = 1e-4


class RootMeans(AdditiveMetric):
    """The average, over outputs, of roots of averages over rows.

    Parameters
    ----------
    values : list of ndarray of shape (n_rows, n_outputs)
        What is averaged over rows, model by model.
    sample_weight : ndarray or None
        The weights of the rows.
    shares : ndarray of shape (n_outputs,)
        The weights of the outputs, which sum to one.
    """

    def __init__(self, values, sample_weight, shares):
        outputs = zip(*(v.T for v in values), strict=True)
        self.means = [MeanMetric(list(output), sample_weight) for output in outputs]
        self.shares = shares

    @property
    def keys(self):
        """The values of all outputs and the weights."""
        return [key for mean in self.means for key in mean.keys]

    def contributions(self, model, rows):
        """Return weighted values and weights, output by output."""
        return np.hstack([mean.contributions(model, rows) for mean in self.means])

    def score(self, totals):
        """Average the roots."""
        places = range(0, totals.shape[-1], 2)
        means = [
            mean.score(totals[..., place : place + 2])
            for mean, place in zip(self.means, places, strict=True)
        ]
        return np.sqrt(np.stack(means, axis=-1)) @ self.shares


class Variation:
    """Sums from which the variation about the mean can be computed.

    Values are centered by constants c, the same in every resample, because

        sum w (v - mean)^2 = sum w (v - c)^2 - (sum w (v - c))^2 / sum w

    loses no digits as long as c is near the mean.

    Parameters
    ----------
    center : ndarray of shape (n_outputs,)
        The constants.
    constant : ndarray of bool, shape (n_outputs,), default=False
        Which values do not vary at all.
    """

    def __init__(self, center, constant=False):
        self.center, self.constant = center, constant

    def columns(self, values):
        """Return what rows add: centered values, then their squares."""
        centered = values - self.center
        return np.hstack([centered, centered**2])

    def about_mean(self, weight, sums):
        """Return the sum of squared deviations from the mean, output by output."""
        first, second = self._moments(sums)
        return np.where(self.constant, 0.0, second - first**2 / weight)

    def _moments(self, sums):
        n_outputs = len(self.center)
        return sums[..., :n_outputs], sums[..., n_outputs:]

    def doubtful(self, weight, sums):
        """Mark sums that leave few digits of the variation in any output.

        This is so in particular where all values drawn are equal: then scikit-learn's
        result depends on how the mean was rounded. Of several that never vary there is
        no doubt.
        """
        first, second = self._moments(sums)
        left = second - first**2 / weight
        mean = self.center + first / weight
        sure = (left > LEAST_LEFT * second) & (
            left > weight * (LEAST_SPREAD * mean) ** 2
        )
        return ~(sure | (self.constant & (weight > 1))).all(axis=-1)


class VarianceExplained(AdditiveMetric):
    """R2: one minus squared errors over the variation of the truth.

    Where a resample of a truth that varies does not, totals are doubtful.

    Parameters
    ----------
    y : ndarray of shape (n_rows, n_outputs)
        The truth.
    responses : list of ndarray of shape (n_rows, n_outputs)
        The predictions, model by model.
    sample_weight : ndarray or None
        The weights of the rows.
    average : callable
        Averages scores over outputs, given the variation of each.
    force_finite : bool
        Whether a truth that never varies gives 1 without errors and 0 with them, as in
        scikit-learn, and not nan and minus infinity.
    """

    def __init__(self, y, responses, sample_weight, average, force_finite):
        self.y, self.responses, self.sample_weight = y, responses, sample_weight
        self.average, self.force_finite = average, force_finite
        center = np.average(y, axis=0, weights=sample_weight)
        # The mean of equal values may be rounded: then scikit-learn's score is, too.
        self.truth = Variation(center, (y == center).all(axis=0) & (len(y) > 1))

    @property
    def keys(self):
        """The truth, the predictions and the weights."""
        return _columns([self.y, *self.responses]) + self._weight_keys

    def contributions(self, model, rows):
        """Return weights and weighted columns on truth and errors."""
        y = self.y[rows]
        errors = self._error_columns(y - self.responses[model][rows])
        columns = [np.ones((len(rows), 1)), self.truth.columns(y), errors]
        return self._weighted(np.hstack(columns), rows)

    def score(self, totals):
        """Compare what is left with what there was."""
        weight, truth, errors = self._parts(totals)
        there_was = self.truth.about_mean(weight, truth)
        left = self._left(weight, errors)
        shares = 1 - left / there_was
        if self.force_finite:
            shares = np.where(self.truth.constant, left == 0, shares)
        return self.average(shares, there_was)

    def doubtful(self, totals):
        """Mark totals of a truth that hardly varies."""
        weight, truth, _ = self._parts(totals)
        return self.truth.doubtful(weight, truth)

    def _parts(self, totals):
        end = 1 + 2 * self.y.shape[1]
        return totals[..., :1], totals[..., 1:end], totals[..., end:]

    def _error_columns(self, residuals):
        return residuals**2

    def _left(self, weight, errors):
        return errors


class ResidualsExplained(VarianceExplained):
    """Explained variance: like R2 with the variation of residuals about their mean.

    The residuals of all models are centered by the same constants, as models may
    exchange rows.
    """

    def __init__(self, y, responses, sample_weight, average, force_finite):
        super().__init__(y, responses, sample_weight, average, force_finite)
        means = [np.average(y - r, axis=0, weights=sample_weight) for r in responses]
        self.residuals = Variation(np.mean(means, axis=0))

    def doubtful(self, totals):
        """Mark totals of a truth or of residuals that hardly vary."""
        weight, _, errors = self._parts(totals)
        return super().doubtful(totals) | self.residuals.doubtful(weight, errors)

    def _error_columns(self, residuals):
        return self.residuals.columns(residuals)

    def _left(self, weight, errors):
        return self.residuals.about_mean(weight, errors)


class DevianceExplained(AdditiveMetric):
    """One minus the deviance of predictions over that of the mean.

    The deviance d of a Tweedie distribution is a Bregman divergence, so that, as with
    squares, the mean m can be exchanged for a constant c:

        sum w d(y, m) = sum w d(y, c) - d(m, c) sum w

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        The truth.
    responses : list of ndarray of shape (n_rows,)
        The predictions, model by model.
    sample_weight : ndarray or None
        The weights of the rows.
    power : float
        The power of the Tweedie distribution.
    """

    def __init__(self, y, responses, sample_weight, power):
        self.y, self.responses, self.sample_weight = y, responses, sample_weight
        self.power = power
        self.center = np.average(y, weights=sample_weight)
        terms = _deviance_terms(y, self.center, power)
        self.size = 2 * sum(np.abs(term).mean() for term in terms)

    @property
    def keys(self):
        """The truth, the predictions and the weights."""
        return _columns([self.y, *self.responses]) + self._weight_keys

    def contributions(self, model, rows):
        """Return weights, truth, its deviance from a constant, and from predictions."""
        y = self.y[rows]
        columns = [
            np.ones(len(rows)),
            y - self.center,
            _deviance(y, self.center, self.power),
            _deviance(y, self.responses[model][rows], self.power),
        ]
        return self._weighted(np.column_stack(columns), rows)

    def score(self, totals):
        """Compare what is left with what there was."""
        return 1 - totals[..., 3] / self._about_mean(totals)

    def doubtful(self, totals):
        """Mark totals of a truth that hardly varies, or with no mean to predict."""
        left = self._about_mean(totals)
        enough = left > LEAST_LEFT * totals[..., 2]
        enough &= left > LEAST_DEVIANCE * self.size * totals[..., 0]
        return ~(enough & (self._mean(totals) > 0))

    def _mean(self, totals):
        return self.center + totals[..., 1] / totals[..., 0]

    def _about_mean(self, totals):
        gained = _deviance(self._mean(totals), self.center, self.power)
        return totals[..., 2] - totals[..., 0] * gained


def _columns(arrays):
    return [column for array in arrays for column in np.atleast_2d(array.T)]


def _squared(y, response):
    return (y - response) ** 2


def _absolute(y, response):
    return np.abs(response - y)


def _squared_log(y, response):
    return (np.log1p(y) - np.log1p(response)) ** 2


def _percentage(y, response):
    return np.abs(response - y) / np.maximum(np.abs(y), np.finfo(float).eps)


def _pinball(y, response, alpha):
    difference = y - response
    return np.where(difference >= 0, alpha * difference, (alpha - 1) * difference)


def _deviance(y, response, power):
    if power == 0:
        return _squared(y, response)
    first, second, third = _deviance_terms(y, response, power)
    return 2 * (first + second + third)


def _deviance_terms(y, response, power):
    """Return the terms of half the deviance, for a power other than 0."""
    return TERMS.get(power, _power_terms)(y, response, power)


def _poisson_terms(y, response, _):
    return xlogy(y, y / response), -y, response


def _gamma_terms(y, response, _):
    return np.log(response / y), y / response, -1.0


def _power_terms(y, response, power):
    base = np.maximum(y, 0.0) if power < 0 else y
    return (
        np.power(base, 2 - power) / ((1 - power) * (2 - power)),
        -y * np.power(response, 1 - power) / (1 - power),
        np.power(response, 2 - power) / (2 - power),
    )


TERMS = {1: _poisson_terms, 2: _gamma_terms}


def _in_domain(y, response, power):
    """Say whether scikit-learn takes these for a Tweedie deviance."""
    if power == 0:
        return True
    allowed = (y > 0) | (power < 0) | ((y == 0) & (power < 2))
    return bool(allowed.all() and (response > 0).all())


def _outputs(y, responses):
    """Return truth and predictions as matrices of doubles, or None.

    Where scikit-learn computes in single precision, its sums are rounded in ways that
    cannot be repeated.
    """
    arrays = [y, *responses]
    if not all(isinstance(a, np.ndarray) and a.ndim in (1, 2) for a in arrays):
        return None
    if not all(_in_double(y, response) for response in responses):
        return None
    arrays = [a.astype(float).reshape(len(a), -1) for a in arrays]
    if any(a.shape != arrays[0].shape or not np.isfinite(a).all() for a in arrays):
        return None
    return arrays[0], arrays[1:]


def _in_double(y, response):
    dtypes = [y.dtype, response.dtype]
    floats = [dtype for dtype in dtypes if dtype.kind == "f"] or [np.dtype(float)]
    kinds = {dtype.kind for dtype in dtypes}
    return kinds <= set("if") and np.result_type(*floats) == np.float64


def _shares(multioutput, n_outputs):
    """Return weights of outputs that sum to one, or None."""
    if isinstance(multioutput, str) and multioutput == "uniform_average":
        return np.full(n_outputs, 1 / n_outputs)
    if isinstance(multioutput, str) or np.shape(multioutput) != (n_outputs,):
        return None
    weights = np.asarray(multioutput)
    if n_outputs == 1 or weights.dtype.kind not in "if":
        return None
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
        return None
    return weights / weights.sum()


def _averager(multioutput, n_outputs):
    """Return how to average scores of outputs with some variation each, or None."""
    if isinstance(multioutput, str) and multioutput == "variance_weighted":
        return _by_variation
    shares = _shares(multioutput, n_outputs)
    return None if shares is None else functools.partial(_by_shares, shares)


def _by_variation(scores, variation):
    total = variation.sum(axis=-1)
    weighted = (scores * variation).sum(axis=-1) / total
    return np.where(total == 0, scores.mean(axis=-1), weighted)


def _by_shares(shares, scores, _):
    return scores @ shares


def _losses(loss, y, responses):
    """Return the loss of each row and output, model by model, or None if not finite."""
    with np.errstate(all="ignore"):
        losses = [loss(y, response) for response in responses]
    return losses if all(np.isfinite(values).all() for values in losses) else None


def _losses_and_shares(loss, y, responses, multioutput):
    outputs = _outputs(y, responses)
    shares = outputs and _shares(multioutput, outputs[0].shape[1])
    losses = None if shares is None else _losses(loss, *outputs)
    return None if losses is None else (losses, shares)


def _mean_of(loss):
    """Return the builder of the average of a loss."""

    def build(y, responses, sample_weight, multioutput="uniform_average"):
        parts = _losses_and_shares(loss, y, responses, multioutput)
        if parts is None:
            return None
        losses, shares = parts
        return MeanMetric([values @ shares for values in losses], sample_weight)

    return build


def _root_mean_of(loss):
    """Return the builder of the root of the average of a loss."""

    def build(y, responses, sample_weight, multioutput="uniform_average"):
        parts = _losses_and_shares(loss, y, responses, multioutput)
        if parts is None:
            return None
        losses, shares = parts
        return RootMeans(losses, sample_weight, shares)

    return build


def _mean_pinball(
    y, responses, sample_weight, alpha=0.5, multioutput="uniform_average"
):
    loss = functools.partial(_pinball, alpha=alpha)
    return _mean_of(loss)(y, responses, sample_weight, multioutput)


def _one_output(y, responses, power):
    """Return truth and predictions, one-dimensional, or None if out of the domain."""
    outputs = _outputs(y, responses)
    if outputs is None or outputs[0].shape[1] != 1:
        return None
    y, responses = outputs[0].ravel(), [response.ravel() for response in outputs[1]]
    valid = all(_in_domain(y, response, power) for response in responses)
    return (y, responses) if valid else None


def _mean_deviance(y, responses, sample_weight, power=0):
    outputs = _one_output(y, responses, power)
    losses = outputs and _losses(functools.partial(_deviance, power=power), *outputs)
    return None if losses is None else MeanMetric(losses, sample_weight)


def _poisson(y, responses, sample_weight):
    return _mean_deviance(y, responses, sample_weight, power=1)


def _gamma(y, responses, sample_weight):
    return _mean_deviance(y, responses, sample_weight, power=2)


def _deviance_explained(y, responses, sample_weight, power=0):
    outputs = _one_output(y, responses, power)
    if outputs is None or power == 0:
        return outputs and _r2(*outputs, sample_weight)
    y, responses = outputs
    center = np.average(y, weights=sample_weight)
    loss = functools.partial(_deviance, power=power)
    if center <= 0 or _losses(loss, y, [*responses, center]) is None:
        return None
    return DevianceExplained(y, responses, sample_weight, power)


def _explained(metric, y, responses, sample_weight, multioutput, force_finite):
    outputs = _outputs(y, responses)
    average = outputs and _averager(multioutput, outputs[0].shape[1])
    return average and metric(*outputs, sample_weight, average, force_finite)


def _r2(y, responses, sample_weight, multioutput="uniform_average", force_finite=True):
    # None is scikit-learn's former name of the uniform average, for R2 alone.
    multioutput = "uniform_average" if multioutput is None else multioutput
    options = (sample_weight, multioutput, force_finite)
    return _explained(VarianceExplained, y, responses, *options)


def _explained_variance(
    y, responses, sample_weight, multioutput="uniform_average", force_finite=True
):
    options = (sample_weight, multioutput, force_finite)
    return _explained(ResidualsExplained, y, responses, *options)


BUILDERS = {
    d2_tweedie_score: _deviance_explained,
    explained_variance_score: _explained_variance,
    mean_absolute_error: _mean_of(_absolute),
    mean_absolute_percentage_error: _mean_of(_percentage),
    mean_gamma_deviance: _gamma,
    mean_pinball_loss: _mean_pinball,
    mean_poisson_deviance: _poisson,
    mean_squared_error: _mean_of(_squared),
    mean_squared_log_error: _mean_of(_squared_log),
    mean_tweedie_deviance: _mean_deviance,
    r2_score: _r2,
    root_mean_squared_error: _root_mean_of(_squared),
    root_mean_squared_log_error: _root_mean_of(_squared_log),
}
