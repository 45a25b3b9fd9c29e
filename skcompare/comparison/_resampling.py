"""Base classes of tests whose p-value is a proportion of resamples."""

import abc
import math
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from skcompare._caveats import Caveat, quiet, warn_of
from skcompare._engine import Cells, Misrecognized, confirm, draw
from skcompare._evaluation import Problem
from skcompare._parameters import MOST_RESAMPLES, Integer
from skcompare.comparison._base import RowTest, TakesRowScores, result_attributes
from skcompare.comparison._bounds import advice_on_lacking_class
from skcompare.comparison._winner import OTHER_WINNER
from skcompare.exceptions import (
    ComparisonWarning,
    ParameterError,
    UndefinedScoreWarning,
)
from skcompare.stats.pvalues import (
    T_TOLERANCE,
    monte_carlo_error,
    resampling_pvalue,
    rounding_tolerance,
    t_statistics,
)
from skcompare.stats.sequential import MOST_IF_UNCERTAIN, stopping_rule

# The largest number of resamples, if `n_resamples` is not a number.
MAXIMA = {"auto": MOST_IF_UNCERTAIN, "ideal": math.inf}

# Proportion of undefined resamples above which the result has a caution.
NOTICEABLE = 0.05

# Change of a score, in standard errors of the difference, that does not matter.
NEGLIGIBLE = 1e-4

_RANDOM = (
    "{} gives other scores when it is called again with the same rows: it is random or "
    "keeps a state, which the p-value does not take into account. Make it "
    "deterministic, for example by a fixed seed."
)
_IS_RANDOM = "{} is not deterministic"
_ORDER = (
    "{} changes if the same rows are reordered, as they are in resamples: its "
    "bootstrap is meaningless. If the metric reads an array from elsewhere, such as a "
    "global variable, pass that array as an argument, which is resampled with the "
    "rows: `make_scorer(metric, amount=amount)`. If the order matters, as in a time "
    "series, use ApproxRandomization, which keeps it."
)
_OF_ORDER = "{} depends on the order of rows"


class Resamples(NamedTuple):
    """Scores of models on resamples.

    Attributes
    ----------
    cells : Cells
        The cells that were resampled.
    models : tuple of int
        The indices of the models.
    drawn : ndarray of shape (n_resamples, n_metrics, n_models) or None
        The scores; with `observed_errors`, the last axis has an additional entry for
        the standard errors of differences. None means infinitely many resamples.
    observed_errors : ndarray of shape (n_metrics,) or None
        The standard errors of the observed differences, nan if unavailable.
    left_out : ndarray of shape (n_units, n_metrics, n_models) or None
        The leave-one-out scores, without each unit.
    rules : dict of StoppingRule or None
        The rules for stopping early, by metric; empty if the number of resamples is
        fixed.
    exhaustive : bool
        Whether these are all possible resamples.
    """

    cells: Cells
    models: tuple
    drawn: np.ndarray | None = None
    observed_errors: np.ndarray | None = None
    left_out: np.ndarray | None = None
    rules: dict | None = None
    exhaustive: bool = False

    def of(self, problem, metric):
        """Return the resampled scores of the two models of a problem in a metric."""
        statistic = problem.statistics[metric]
        place = list(problem.statistics).index(metric)
        pair = [self.models.index(model) for model in problem.models]
        score_a, score_b = statistic.observed
        drawn, with_errors = self.drawn[:, place], self.observed_errors is not None
        scores = drawn[:, pair]
        deltas = scores[:, 0] - scores[:, 1]
        return Resampled(
            problem=problem,
            metric=metric,
            delta=score_a - score_b,
            scores=scores,
            deltas=deltas,
            defined=np.isfinite(deltas),
            tolerance=rounding_tolerance(scores, statistic.scale),
            errors=drawn[:, -1] if with_errors else None,
            error=self.observed_errors[place] if with_errors else np.nan,
            left_out=None if self.left_out is None else self.left_out[:, place, pair],
        )


class Resampled(NamedTuple):
    """Scores and differences of two models in one metric on resamples.

    Attributes
    ----------
    problem : Problem
        The problem, with two models.
    metric : str
        The name of the metric.
    delta : float
        The observed difference.
    scores : ndarray of shape (n_resamples, 2)
        Resampled scores, nan where undefined.
    deltas : ndarray of shape (n_resamples,)
        Their differences.
    defined : ndarray of bool, shape (n_resamples,)
        Whether the difference is defined on each resample.
    tolerance : float
        Differences up to this size are rounding errors.
    errors : ndarray of shape (n_resamples,) or None
        Standard errors of the differences.
    error : float
        The standard error of the observed difference, nan if unavailable.
    left_out : ndarray of shape (n_units, 2) or None
        The leave-one-out scores, without each unit.
    """

    problem: Problem
    metric: str
    delta: float
    scores: np.ndarray
    deltas: np.ndarray
    defined: np.ndarray
    tolerance: float
    errors: np.ndarray | None = None
    error: float = np.nan
    left_out: np.ndarray | None = None

    def studentized(self, values):
        """Divide values, and the observed difference, by their standard errors.

        Returns
        -------
        values : ndarray of shape (n_resamples,)
            The values divided by the standard errors on the resamples.
        observed : float
            The observed difference divided by its standard error.
        tolerance : float
            Differences between statistics up to this size are rounding errors.
        """
        observed = float(t_statistics(self.delta, self.error, self.tolerance))
        tolerance = T_TOLERANCE * min(1.0, abs(observed))
        return t_statistics(values, self.errors, self.tolerance), observed, tolerance


class NullDistribution(NamedTuple):
    """Null distribution with which the observed statistic is compared.

    Attributes
    ----------
    values : ndarray of shape (n_resamples,)
        The resampled values of the statistic under the null hypothesis.
    observed : float
        The observed statistic.
    exceeding : ndarray of bool, shape (n_resamples,)
        Whether each value is at least as extreme as the observed statistic.
    center : float or None, default=None
        The center of the resampled differences, if `values` are deviations from it.
    n_tails : int, default=1
        2 if a two-sided p-value is twice the proportion in one tail.
    studentized : bool, default=False
        Whether `values` and `observed` are divided by their standard errors.
    """

    values: np.ndarray
    observed: float
    exceeding: np.ndarray
    center: float | None = None
    n_tails: int = 1
    studentized: bool = False


@result_attributes("pvalue_error", "n_exceeding", "standard_error", "distribution")
class ResamplingTest(TakesRowScores, RowTest):
    """A test whose p-value is a proportion of resamples.

    Subclasses define in `_resampler` how to resample, in `_null` the null distribution
    of the difference, and in `conclude` how to make results from resamples. All pairs
    of many models share the same resamples.
    """

    # Label of the progress bar.
    _label = "resamples"

    _rules = {"n_resamples": Integer(1, MOST_RESAMPLES, choices=("auto",))}

    # Minimum number of resamples with n_resamples="auto".
    _fewest = None

    def resample(self, problem, so_far=None):
        """Draw resamples.

        Parameters
        ----------
        problem : Problem
            The problem, with two or more models.
        so_far : Resamples or None, default=None
            Resamples of the same problem to extend.

        Returns
        -------
        Resamples
            The scores of all models on the resamples.
        """
        cells = problem.cells(MAXIMA.get(self.n_resamples, self.n_resamples))
        try:
            return self._draw(problem, cells, so_far)
        except Misrecognized:  # wrong on some resample: call the metric itself on all
            return self._draw(problem, cells.by_rows(), so_far)

    @abc.abstractmethod
    def _resampler(self, problem, cells):
        """Return a `Resampler` of cells, and `Resamples` without its draws.

        If the resampler is None, there are infinitely many resamples.
        """

    @abc.abstractmethod
    def _null(self, sample):
        """Return the `NullDistribution` for a `Resampled` difference."""

    @abc.abstractmethod
    def conclude(self, problem, resamples):
        """Return the `Outcome` for the two models of a problem from resamples."""

    def compare(self, problem):
        """Compare the two models of a problem."""
        return self.conclude(problem, self.resample(problem))

    @property
    def shares_resamples(self):
        """Whether one set of resamples can serve all pairs of many models."""
        return not isinstance(self.n_resamples, str)

    def _draw(self, problem, cells, so_far):
        """Draw `n_resamples` resamples, or stop when the decision is certain.

        Parameters
        ----------
        problem : Problem
            The problem, with two or more models.
        cells : Cells
            The cells of the problem.
        so_far : Resamples or None
            Resamples to extend, if they were scored by the same engines.

        Returns
        -------
        Resamples
            The scores.
        """
        resampler, resamples = self._resampler(problem, cells)
        if resampler is None:
            return resamples
        scheme, label, rules = resampler.scheme, self._label, {}
        looks = [self.n_resamples]  # a fixed number is a single look
        if resamples.exhaustive:
            looks, label = [scheme.n_draws], "all labelings"
        elif self.n_resamples == "auto":
            for metric in problem.statistics:
                alpha = float(self.alpha / self.n_tails(problem, metric))
                rules[metric] = stopping_rule(alpha, self._fewest, scheme.chunk_size)
            looks = next(iter(rules.values())).looks.tolist()
        elif so_far is not None and so_far.cells.engines == cells.engines:
            resamples = resamples._replace(drawn=so_far.drawn)
        settings = {"n_jobs": self.n_jobs, "verbose": self.verbose, "label": label}
        for look in looks:
            so_far = resamples.drawn
            drawn = draw(resampler, look, so_far=so_far, seed=problem.seed, **settings)
            resamples = resamples._replace(drawn=drawn, rules=rules)
            samples = [resamples.of(problem, metric) for metric in rules]
            if all(rules[s.metric].end(self._null(s).exceeding) for s in samples):
                break
        confirm(cells, resampler, drawn[..., : len(problem.models)], problem.seed)
        if resamples.exhaustive:
            return resamples._replace(drawn=scheme.with_complements(drawn))
        return resamples

    def _pvalue_fields(self, sample, resamples):
        """Count the resamples that exceed, for a p-value and its error.

        Parameters
        ----------
        sample : Resampled
            The scores of two models in a metric on the resamples.
        resamples : Resamples
            The resamples that `sample` is taken from.

        Returns
        -------
        dict
            Fields of a `ComparisonResult`.
        """
        metric, null = sample.metric, self._null(sample)
        exceeding, rule = null.exceeding, resamples.rules.get(metric)
        n = len(exceeding) if rule is None else rule.end(exceeding)
        n_exceeding = int(exceeding[:n].sum())
        defined = sample.deltas[:n][sample.defined[:n]]
        if not len(defined):
            reason = resamples.cells.statistics[metric].generic.last_error
            raise ValueError(
                f"The scorer {metric!r} is undefined on all {n:,} resamples: "
                f"{reason or 'it returned nan on each'}."
                f"{self._advice_on_undefined(sample.problem)}"
            )
        n_undefined, risk, cautions = n - len(defined), None, ()
        if n_undefined / n > NOTICEABLE:
            percent = min(round(100 * n_undefined / n), 99)
            cautions = (f"{percent} % of resamples are undefined",)
        if resamples.exhaustive:  # the proportion is the exact p-value
            pvalue, error, ddof = n_exceeding / n, 0.0, 0
        else:
            if rule is None:
                pvalue = resampling_pvalue(n_exceeding, n, add_one=self.add_one)
            else:
                pvalue = rule.pvalue(n_exceeding, n)
                risk = rule.risk if rule.is_decided(n_exceeding, n) else 1.0
            error, ddof = monte_carlo_error(pvalue, n), min(1, len(defined) - 1)
        return {
            "pvalue": min(1.0, null.n_tails * pvalue),
            "pvalue_error": null.n_tails * error,
            "decision_risk": risk,
            "n_exceeding": n_exceeding,
            "n_resamples": n,
            "n_undefined": n_undefined,
            "cautions": cautions,
            "center": null.center,
            "distribution": sample.deltas[:n],
            "statistic": null.observed if null.studentized else None,
            "statistic_distribution": null.values[:n] if null.studentized else None,
            "standard_error": float(np.std(defined, ddof=ddof)),
        }

    def _advice_on_undefined(self, problem):
        """Return advice on undefined scores, for tests that resample rows."""
        return advice_on_lacking_class(problem) if self.redraws_rows else ""

    def _undefined_caveat(self, problem, resamples, fields):
        """Return a caveat with the numbers of undefined resamples, if there are any."""
        counts = {m: n for m, own in fields.items() if (n := own["n_undefined"])}
        if not counts:
            return None
        n_resamples = next(iter(fields.values()))["n_resamples"]
        listed = ", ".join(f"{name} on {count:,}" for name, count in counts.items())
        statistics = [resamples.cells.statistics[metric].generic for metric in counts]
        errors = [one.last_error for one in statistics if one.last_error is not None]
        return Caveat(
            UndefinedScoreWarning,
            f"Undefined resamples, of {n_resamples:,}: {listed}. They count as "
            "exceeding in the p-value, which is at least their share, and are left out "
            f"of intervals.{f' The last error: {errors[0]}.' if errors else ''}"
            f"{self._advice_on_undefined(problem)}",
            severity=sum(counts.values()),
        )

    def _call_caveat(self, problem, metric, own):
        """Return a caveat if a metric that is called gives other scores of equal rows.

        The rows are scored once more and, if they are redrawn, in two other orders.
        Differences far below the standard error, as of sums in 32 bits, do not matter.
        """
        if own["engine"] != "generic":
            return None
        slack = NEGLIGIBLE * own["standard_error"]
        statistic, rows = problem.statistics[metric], np.arange(problem.n_rows)
        orders = [rows]
        if self.redraws_rows:
            orders += [rows[::-1], np.random.default_rng(0).permutation(rows)]
        with quiet():
            same = [statistic.are_observed(statistic.on_rows(o), slack) for o in orders]
        if all(same):
            return None
        text, brief = (_ORDER, _OF_ORDER) if same[0] else (_RANDOM, _IS_RANDOM)
        return Caveat(
            ComparisonWarning, text.format(metric), brief=brief.format(metric)
        )

    def _publish(self, problem):
        resamples = self.resample(problem)
        self._keep(problem, self.conclude(problem, resamples))
        # Later changes of parameters must not affect resamples that are added to these.
        self._resamples, self._settings = resamples, self.get_params(deep=False)

    def extend(self, n_resamples):
        """Draw more resamples, in addition to those of the last fit.

        Parameters
        ----------
        n_resamples : int
            The number of resamples to add.

        Returns
        -------
        object
            The fitted test, with the results of all resamples: the same as if all had
            been drawn at once. Its parameters are not changed. Those changed since the
            fit have no effect, except for `n_jobs` and `verbose`. With `cv`, if the
            winner changes, it is not refitted on all the data, and there is no
            `best_estimator_`.
        """
        check_is_fitted(self, "results_")
        Integer(1, MOST_RESAMPLES).check("n_resamples", n_resamples)
        settings, resamples = self._settings, self._resamples
        exact = all(result.n_exceeding is None for result in self.results_.values())
        if isinstance(settings["n_resamples"], str) or resamples.exhaustive or exact:
            raise ValueError(
                "There is nothing to extend: `extend` adds resamples to a test that "
                "has drawn a fixed number of them. An exact or ideal p-value needs no "
                "more, and one that stopped early (n_resamples='auto') would not be "
                "valid with more."
            )
        total = len(resamples.drawn) + int(n_resamples)
        if total > MOST_RESAMPLES:
            raise ParameterError(
                "n_resamples",
                f"be at most {MOST_RESAMPLES:,} with those already drawn",
                f"{n_resamples:,} in addition to {len(resamples.drawn):,}",
            )
        work = {"n_jobs": self.n_jobs, "verbose": self.verbose}
        test = type(self)(**settings | {"n_resamples": total, **work})
        resamples = test.resample(self._problem, resamples)
        outcome = test.conclude(self._problem, resamples)
        warn_of(outcome.caveats)
        models = {name: settings[name] for name in self.model_parameters}
        before, self._resamples = self._winner(models), resamples
        self.results_ = outcome.results
        winner = self._winner(models)
        if "best_estimator_" in vars(self) and winner is not before:
            del self.best_estimator_
            self._no_winner = OTHER_WINNER
            if self._problem.origin == "prefit":  # otherwise it is not refitted
                self.best_estimator_ = winner
        return self
