"""Base classes of tests without resampling, for independent, equally weighted rows."""

import abc
import math

import numpy as np

from skcompare._caveats import Caveat
from skcompare._format import format_count
from skcompare.comparison._base import RowTest, TakesRowScores, result_attributes
from skcompare.exceptions import (
    ComparisonWarning,
    DegenerateDataWarning,
    SmallSampleWarning,
)
from skcompare.stats.intervals import (
    ConfidenceInterval,
    clopper_pearson_interval,
    constant_interval,
    score_range,
)
from skcompare.stats.paired import mean_and_error, paired_differences

_OPPOSITE = (
    "The test is about the {} of row differences in {metric}, which is in favor of "
    "{} ({location:+.4g}), while the score, their mean, is in favor of {} "
    "(A - B: {delta:+.4g}). A small p-value does not show that the model with the "
    "lower score is better."
)

# Minimum number of errors for a reliable estimate of the error rate.
FEWEST_ERRORS = 10


@result_attributes("statistic", "effect_size")
class ClassicalTest(RowTest):
    """A test whose p-value comes from theory, not from resamples."""

    takes = frozenset({"predictions", "splits"})

    def fit(self, X, y=None, *, names=None, **params):
        """Compare the two models on data.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list
            With ``cv="prefit"``, test data that neither model was fitted on; otherwise
            the data for cross-validation.
        y : array-like
            The target values.
        names : pair of str, default=None
            Names of A and B. If None, their class names are used.
        **params : dict
            With `cv`, additional parameters for fitting the models. `groups`, `strata`
            and `sample_weight`, which the resampling tests accept, must be None here.

        Returns
        -------
        object
            The fitted comparison.
        """
        return super().fit(X, y, names=names, **params)

    def fit_predictions(
        self, y_true, y_pred_a, y_pred_b, *, fold=None, names=None, **rows
    ):
        """Compare two models by their predictions.

        Parameters
        ----------
        y_true : array-like
            The target values.
        y_pred_a, y_pred_b : array-like or dict
            The response that the scorer requires: labels, values, probabilities (of
            the positive class, or a column per class in sorted order) or decision
            values. A dict such as ``{"predict": ..., "predict_proba": ...}`` serves
            several scorers; its entry ``"classes"`` names the columns if `y_true`
            lacks a class.
        fold : array-like of shape (n_samples,), default=None
            The fold in which each row was tested, for out-of-fold predictions.
        names : pair of str, default=None
            Names of A and B.
        **rows : dict
            `groups`, `strata` and `sample_weight`, which the resampling tests accept,
            must be None here.

        Returns
        -------
        object
            The fitted comparison. It has results but no model to predict with.
        """
        rows |= {"fold": fold, "names": names}
        return super().fit_predictions(y_true, y_pred_a, y_pred_b, **rows)

    def _check_rows_are_single(self, problem):
        """Raise an error if cross-validation tests rows several times."""
        if problem.units.groups is not None:
            raise ValueError(
                f"`cv` must test every row at most once for {type(self).__name__}, "
                f"which assumes independent rows. Got {problem.n_rows} predictions "
                f"for {len(problem.units)} rows. Use PairedBootstrap or "
                "ApproxRandomization: they keep predictions for the same row together."
            )

    def _check_metric_is_own(self, problem):
        """Raise an error for other metrics, such as that of a search."""
        own = self._advice.metrics
        for metric in problem.statistics:
            if metric not in own:
                raise ValueError(
                    f"{type(self).__name__} compares {' or '.join(map(repr, own))} "
                    f"only. Got {metric!r}. PairedBootstrap takes any metric."
                )


class RowMeanTest(TakesRowScores, ClassicalTest):
    """A test of scores that are means of one number per row.

    Subclasses implement `examine_rows`, which tests the numbers. If the test is not
    about their mean, `examine_rows` also returns the `direction` of the difference.
    """

    # The location parameter of row differences that is tested.
    _center = "mean"

    @abc.abstractmethod
    def examine_rows(self, rows_a, rows_b):
        """Return fields of the result from the per-row scores of both models.

        Parameters
        ----------
        rows_a, rows_b : ndarray of shape (n_rows,)
            The scores, higher is better, whose means are the scores of the models.

        Returns
        -------
        dict
            At least `pvalue` and `method`.
        """

    def compare(self, problem):
        """Compare the two models of a problem."""
        fields, ties, limits, late = {}, [], [], []
        for metric, rows in self._row_scores(problem).items():
            differences, tolerances = paired_differences(*rows)
            error = mean_and_error(differences, tolerances)[1]
            fields[metric] = own = {
                **problem.facts(metric),
                "standard_error": error,
                **self.examine_rows(*rows),
            }
            ties.append(tie_caveat(problem, metric, differences))
            limits.append(None if error else limit_caveat(own, metric))
            if (own.get("direction") or 0) * own["delta"] < 0:
                sides = "AB"[:: own["direction"]]
                text = _OPPOSITE.format(self._center, *sides, metric=metric, **own)
                own["caveats"] = (*own.get("caveats", ()), text)
                if own["pvalue"] <= self.alpha:
                    late.append(Caveat(ComparisonWarning, text))
        return self._outcome(problem, fields, [*ties, *limits], late)

    def _row_scores(self, problem):
        """Return the per-row scores of the models, by metric."""
        self._check_rows_are_single(problem)
        return {m: scores_of_rows(s, m, self) for m, s in problem.statistics.items()}


def scores_of_rows(statistic, metric, test):
    """Return the per-row scores of all models, or raise if there are none.

    Parameters
    ----------
    statistic : Statistic
        A score of several models.
    metric : str
        The name of the metric, for the error message.
    test : estimator
        The test that needs the scores, for the error message.

    Returns
    -------
    list of ndarray of shape (n_rows,)
        Per-row scores, higher is better, whose means are the scores of the models.
    """
    # The metric may be called on every row, since all scores are needed.
    scores = statistic.recognize(math.inf).row_scores()
    if scores is None:
        raise ValueError(
            "`scoring` must be an average of one number per row for "
            f"{type(test).__name__}. Got {metric!r}, which is not, or is not "
            "recognized as one: F1 is a ratio of sums, R2 divides by the variance of "
            "all rows, ROC AUC compares rows with one another. Use PairedBootstrap or "
            "ApproxRandomization, for ROC AUC also DeLong; or an average such as "
            "'accuracy', 'neg_log_loss' or 'neg_mean_squared_error'. For a metric of "
            "your own, skcompare.metrics.recognize_metric returns its kind."
        )
    return scores


def difference_interval(interval, level, rows_a, rows_b, n=None):
    """Return an interval for a mean difference, even if all differences are equal.

    Parameters
    ----------
    interval : ConfidenceInterval
        The interval according to theory.
    level : float
        The confidence level.
    rows_a, rows_b : ndarray of shape (n_rows,)
        The per-row scores of two models.
    n : float or None, default=None
        The effective number of independent groups; None if rows are independent.

    Returns
    -------
    ConfidenceInterval
        For scores of 0 and 1 whose differences are all equal, the Clopper-Pearson
        bound, otherwise `interval`.
    """
    if not np.isin([rows_a, rows_b], (0, 1)).all() or np.ptp(rows_a - rows_b):
        return interval
    return constant_interval(rows_a[0] - rows_b[0], -1.0, 1.0, n or len(rows_a), level)


def score_interval(estimate, level, rows, metric, n=None):
    """Return an interval for the mean of per-row scores within the metric's range.

    Parameters
    ----------
    estimate : StudentEstimate
        Mean and standard error.
    level : float
        The confidence level.
    rows : ndarray of shape (n_rows,)
        The per-row scores.
    metric : str
        The name of the metric.
    n : float or None, default=None
        The effective number of independent groups; None if rows are independent.

    Returns
    -------
    interval : ConfidenceInterval
        For scores of 0 and 1, the Clopper-Pearson interval with the effective number of
        rows implied by the standard error (Korn and Graubard); if groups have few
        errors, the standard error is unreliable, and each group counts as one row. For
        other scores, the normal interval, cut to the range.
    caveat : Caveat or None
        A caveat about few errors, or about a cut interval.
    """
    if not np.isin(rows, (0, 1)).all() or score_range(metric, rows).high < 1:
        return cut_interval(estimate.interval(level), metric, rows)
    n_right, share = int(rows.sum()), estimate.mean
    n_wrong = len(rows) - n_right
    rare = min(n_right, n_wrong)
    n_effective = n or len(rows)
    if estimate.error and (n is None or rare >= FEWEST_ERRORS):
        n_effective = min(share * (1 - share) / estimate.error**2, len(rows))
    interval = clopper_pearson_interval(share * n_effective, n_effective, level)
    if rare >= FEWEST_ERRORS:
        return interval, None
    count = format_count(rare, "errors" if n_wrong == rare else "correct rows")
    text = (
        f"{metric} depends on {count} of {len(rows)} rows: fewer than {FEWEST_ERRORS} "
        "are too few for a precise estimate of how often they occur on new rows."
    )
    brief = f"only {count}"
    return interval, Caveat(SmallSampleWarning, text, brief=brief, metric=metric)


def cut_interval(interval, metric, scores):
    """Return an interval for a score cut to the range of the metric, and a caveat.

    Parameters
    ----------
    interval : ConfidenceInterval
        An interval.
    metric : str
        The name of the metric.
    scores : ndarray
        Scores in this metric.

    Returns
    -------
    interval : ConfidenceInterval
        The part of the interval in the range of the metric, if that is known.
    caveat : Caveat or None
        A caveat if the interval was cut, unless it was infinite.
    """
    ends = score_range(metric, scores)
    low, high = max(interval.low, ends.low), min(interval.high, ends.high)
    inside = ConfidenceInterval(low, high)
    cut = [end for end, before in zip(inside, interval, strict=True) if end != before]
    if not cut or not np.isfinite(interval).all():
        return inside, None
    text = (
        f"The interval for {metric} extends beyond {cut[0]:g}, the limit of the "
        "metric, and is cut there: so close to the limit, scores are not approximately "
        "normal."
    )
    brief = f"interval cut at {cut[0]:g}"
    return inside, Caveat(SmallSampleWarning, text, brief=brief, metric=metric)


def limit_caveat(own, metric, unit="row"):
    """Return a caveat if the statistic of differences without variance is infinite.

    Parameters
    ----------
    own : dict
        Fields of the result, whose `statistic` and `confidence_interval` may be None or
        missing. A p-value between 0 and 1 is called a bound, and so is an interval.
    metric : str
        The name of the metric.
    unit : {"row", "fold"}, default="row"
        The unit of the differences. Folds are not independent.
    """
    if not np.isinf(own.get("statistic") or 0.0):
        return None
    bounds = []
    if 0 < own["pvalue"] < 1:
        bounds.append(
            "the p-value is that of a sign test in which all signs agree, a bound"
        )
    if np.ptp(own.get("confidence_interval") or 0.0):
        bounds.append("the interval is a bound")
    consequences = {
        "row": f"{', and '.join(bounds) or 'their variance cannot be estimated'}.",
        "fold": "their variance cannot be estimated, and the test cannot reject. Folds "
        "share their rows, so that their signs are not independent. Test on rows, with "
        "PairedBootstrap or CrossValidationCLT.",
    }
    return Caveat(
        DegenerateDataWarning,
        f"Differences in {metric} do not vary from {unit} to {unit}, and the statistic "
        f"is infinite: {consequences[unit]}",
        brief=f"differences do not vary from {unit} to {unit}",
        metric=metric,
    )


def tie_caveat(problem, metric, differences):
    """Return a caveat if models that differ have the same scores on every row."""
    if np.any(differences) or not problem.differs.any():  # has its own caveat
        return None
    return Caveat(
        DegenerateDataWarning,
        f"Both models have the same {metric} on each of the {len(differences)} rows: "
        "the difference is 0 and the p-value 1.",
        metric=metric,
    )
