"""Results of tests of two models, and of intervals for the score of one model."""

import numpy as np
from scipy import stats

from skcompare._format import bracket, format_count, format_number, format_pvalue
from skcompare._parameters import RULES, OneOf
from skcompare.exceptions import ParameterError
from skcompare.results._base import (
    DIFFER,
    PairResult,
    ScoredResult,
    effect_rows,
    hidden,
    result_class,
)
from skcompare.results._document import Table
from skcompare.results.displays._distributions import DeltaDisplay
from skcompare.results.displays._lines import ForestDisplay
from skcompare.results.displays._matrix import DisagreementDisplay
from skcompare.stats.intervals import ConfidenceInterval, score_range
from skcompare.stats.limits import Limits
from skcompare.stats.paired import StudentEstimate
from skcompare.stats.power import (
    detectable_effect,
    mcnemar_detectable_effect,
    paired_t_detectable_effect,
)
from skcompare.stats.pvalues import (
    exceeding,
    margin_pvalue,
    resampling_pvalue,
    rounding_tolerance,
    tail_pvalue,
)


@result_class
class ComparisonResult(PairResult):
    """The result of one test for one metric.

    Printing it gives a sentence for a paper and a table. `to_frame` has one row, with
    scores, difference, interval and p-value, indexed by metric. `plot` draws the
    resampling distribution (:class:`DeltaDisplay`); without resamples, the table of
    counts used by the test (:class:`DisagreementDisplay`); without a table, the
    difference and its interval, if any (:class:`ForestDisplay`).

    Attributes
    ----------
    test : str
        The name of the test's class.
    scoring : str
        The name of the metric. Higher is better.
    score_a, score_b : float
        The scores of the two models.
    delta : float
        ``score_a - score_b``.
    pvalue : float
        The p-value.
    confidence_interval : ConfidenceInterval or None
        A confidence interval for the difference, if the test provides one.
    score_a_interval, score_b_interval : ConfidenceInterval or None
        Confidence intervals for the two scores, if the test provides them.
    location, location_interval : float or None, ConfidenceInterval or None
        For a test about a center of row differences other than their mean `delta`:
        the estimate, a median or pseudo-median, and its interval.
    location_name : str
        The name of that center.
    direction : {-1, 0, 1} or None
        For such a test, whether it favors A (1) or B (-1), which may differ from the
        sign of `delta`.
    statistic : float or None
        The test statistic; None for tests that compare resampled differences.
    statistic_name : str
        Its name in tables, such as "t".
    df : int, tuple of int or None
        The degrees of freedom of the statistic, if any.
    effect_size : dict or None
        Effect sizes that suit the test, by name.
    table : ndarray or None
        The table of counts used by the test.
    discordant_rows : ndarray or None
        The positions in the data of the rows used by the test.
    standard_error : float or None
        The standard error of `delta`: from the formula of the test, or the standard
        deviation of resampled differences, which for a permutation test is the one
        under the null hypothesis.
    pvalue_error : float or None
        The Monte Carlo standard error of the p-value, or an error bound if it was
        computed without resampling.
    n_exceeding : int or None
        The number of resamples counted by the p-value.
    decision_risk : float or None
        For a test with early stopping (``n_resamples="auto"``), an upper bound on the
        probability that infinitely many resamples lead to a different decision at
        `alpha`; 1 if the decision never became certain.
    n_resamples : int, "ideal" or None
        The number of resamples.
    n_undefined : int
        The number of resamples on which the scorer is undefined. They count as
        exceeding and are excluded from intervals.
    n_rows, n_units : int
        The number of rows, and of the units (rows or groups) that were resampled. A row
        that cross-validation tested several times is counted each time in `n_rows`.
    n_distinct : int or None
        The number of distinct rows, if some were tested several times.
    unit : str
        The name of the units counted: "rows", or "folds" for a test of fold scores.
    n_strata : int
        The number of strata passed; 1 without strata.
    weighted : bool
        Whether rows have weights.
    alternative : str
        The alternative hypothesis.
    alpha : float
        The level of the decision.
    confidence_level : float or None
        The nominal coverage of the intervals.
    method : str
        The method of the intervals ("percentile", ...) or p-value ("exact", ...).
    engine : str or None
        The engine that scored resamples.
    cv : str
        The source of responses or scores: "prefit", "predictions", "scores" or the
        splitter.
    seed : int or None
        Passing it as `random_state` reproduces the run, even if that was None.
    metrics : tuple of str
        All metrics that share the draws, which depend on them.
    name_a, name_b : str
        The names of the models.
    hypothesis : str
        The null hypothesis in words.
    estimand : str
        The quantity that `delta`, or `location` if any, estimates, in words.
    caveats : tuple of str
        The caveats, also issued as warnings.
    cautions : tuple of str
        Short forms of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as passed.
    center : float or None
        The center of `distribution`, if the p-value counts resamples by their distance
        from it.
    distribution : ndarray or None
        The resampled differences, nan where undefined.
    statistic_distribution : ndarray or None
        The resampled statistics, if the p-value compares statistics other than
        differences.
    limits : Limits or None
        For a bootstrap, the limits set by the number of units that contribute to the
        difference: bounds on p-values, against 0 or a margin, and on intervals.
    """

    pvalue: float
    confidence_interval: ConfidenceInterval | None = None
    score_a_interval: ConfidenceInterval | None = hidden(default=None)
    score_b_interval: ConfidenceInterval | None = hidden(default=None)
    location: float | None = hidden(default=None)
    location_interval: ConfidenceInterval | None = hidden(default=None)
    location_name: str = hidden(default="mean")
    direction: int | None = hidden(default=None)
    statistic: float | None = hidden(default=None)
    statistic_name: str = hidden(default="statistic")
    df: int | tuple | None = hidden(default=None)
    effect_size: dict | None = hidden(default=None)
    table: np.ndarray | None = hidden(default=None)
    discordant_rows: np.ndarray | None = hidden(default=None)
    standard_error: float | None = hidden(default=None)
    pvalue_error: float | None = hidden(default=None)
    n_exceeding: int | None = hidden(default=None)
    decision_risk: float | None = hidden(default=None)
    n_resamples: int | str | None = hidden(default=None)
    alternative: str = hidden()
    alpha: float = hidden()
    confidence_level: float | None = hidden(default=None)
    hypothesis: str = hidden()
    center: float | None = hidden(default=None)
    distribution: np.ndarray | None = hidden(default=None)
    statistic_distribution: np.ndarray | None = hidden(default=None)
    limits: Limits | None = hidden(default=None)

    _arrays = ("distribution", "statistic_distribution")
    _derived = "significant signature"
    _frame_columns = (
        "scoring test score_a score_b delta low high pvalue alternative significant"
    )

    @property
    def significant(self):
        """Whether the p-value is at most `alpha`."""
        return self.pvalue <= self.alpha

    @property
    def pvalue_is_bound(self):
        """Whether no resample was counted, so more resamples may lower the p-value."""
        return self.n_exceeding == 0 and bool(self.pvalue_error)

    @property
    def favors_a(self):
        """Whether A scores significantly higher.

        The test must be significant in favor of A. If it is about a center of row
        differences other than their mean, `mean_pvalue` must also be at most `alpha`.
        """
        if not self.significant or self.direction not in (None, 1):
            return False
        higher = self.delta > rounding_tolerance([self.score_a, self.score_b])
        return bool(higher and self.mean_pvalue <= self.alpha)

    @property
    def mean_pvalue(self):
        """The p-value for the difference in score.

        The p-value of the test, unless it is about a center of row differences other
        than their mean: then that of Student's t for the mean, on the side given by
        `direction`.
        """
        if self.direction is None:
            return self.pvalue
        n, side = self.n_rows, self.alternative
        if side != "two-sided":
            side = "greater" if self.direction > 0 else "less"
        estimate = StudentEstimate(self.delta, self.standard_error, n - 1, n)
        return estimate.pvalue(side)

    @property
    def detectable_effect(self):
        """The minimum detectable effect (80 % power).

        A difference in score, negative for the alternative "less". Computed from the
        standard error by Student's t (for z, the normal distribution), or for McNemar's
        test from its exact power. None if the test is not about the mean, cannot reject
        with so few units or so many undefined resamples, or could detect only
        differences larger than this metric allows; or without a standard error.
        """
        scores = [self.score_a, self.score_b]
        rounding = rounding_tolerance(scores)
        error, n = self.standard_error or 0.0, self.n_units
        if self.direction is not None or error <= rounding or n < 2:
            return None
        settings = {"alpha": self.alpha, "alternative": self.alternative}
        undefined = 0.0 if self.limits is None else self.limits.undefined
        if max(self._least_pvalue, undefined) > self.alpha:
            return None
        if self.table is not None:
            share = len(self.discordant_rows) / self.n_rows
            size = mcnemar_detectable_effect(
                share, self.n_rows, variant=self.method, **settings
            )
        elif self.statistic_name == "z":
            size = detectable_effect(error, **settings)
        else:
            n = n if self.df is None else self.df + 1
            size = paired_t_detectable_effect(error * n**0.5, n, **settings)
        low, high = score_range(self.scoring, scores)
        if size is None or size > high - low:
            return None
        return -size if self.alternative == "less" else size

    def _limit(self, alternative):
        """Return the smallest p-value of a bootstrap, when all signs are equal."""
        return 0.0 if self.limits is None else self.limits.pvalue(alternative)

    @property
    def _least_pvalue(self):
        """The smallest p-value that a test based on signs or swaps can have, else 0.

        This is the share of the most extreme resample, which is large for few units.
        """
        if self.limits is not None:
            return self._limit(self.alternative)
        null = self.statistic_distribution
        if null is None and self.center == 0:
            null = self.distribution
        sides = 2 if self.alternative == "two-sided" else 1
        if null is None:
            drawn = self.distribution is None and isinstance(self.n_resamples, int)
            return sides / self.n_resamples if drawn else 0.0
        null = null[~np.isnan(null)]
        null = np.abs(null) if sides == 2 else null
        null = -null if self.alternative == "less" else null
        tolerance = rounding_tolerance(null[np.isfinite(null)])
        return float(np.mean(null >= null.max(initial=0.0) - tolerance))

    def margin_pvalue(self, margin, alternative="greater"):
        """Return the p-value against a margin, from the resamples of a bootstrap.

        Parameters
        ----------
        margin : float
            The margin, in units of the metric.
        alternative : {"greater", "less"}, default="greater"
            Whether `delta` is above the margin, or below it. A negative margin with
            "greater" is a test of non-inferiority: A is not worse by that much or more.
            A is significantly equivalent to B within `m` if both ``margin_pvalue(-m)``
            and ``margin_pvalue(m, "less")`` are at most the level.

        Returns
        -------
        float
            The p-value; for a margin of 0, that of the test if the alternatives match.

        Notes
        -----
        A sample without losses does not rule them out: if A loses on a share m of all
        rows, n rows contain no loss with probability ``(1 - m) ** n``. So for bounded
        metrics, no p-value is below that of the binomial test of the observed losses,
        net of wins (``limits``). For unbounded metrics, differences that do not vary
        show only their sign. A difference that is significantly above 0 is also
        significantly above a negative margin.

        Examples
        --------
        >>> import numpy as np
        >>> from skcompare import PairedBootstrap
        >>> truth, b = np.ones(40, dtype=int), np.arange(40) % 4 // 3
        >>> test = PairedBootstrap(n_resamples=999, random_state=0)
        >>> result = test.fit_predictions(truth, truth, b).result_
        >>> result.delta, result.margin_pvalue(0.0), result.margin_pvalue(0.7) > 0.1
        (0.75, 0.001, True)
        """
        OneOf("greater", "less").check("alternative", alternative)
        RULES["margin"].check("margin", margin)
        if margin == 0 and alternative == self.alternative:
            return self.pvalue
        settings, method = self.settings or {}, self.method.partition(",")[0]
        stopped = isinstance(settings.get("n_resamples"), str)
        if method not in ("shift", "percentile") or stopped:
            raise ParameterError(
                "margin",
                "be 0 unless the result is from PairedBootstrap with a fixed number of "
                "resamples and `method='shift'` or `method='percentile'`: other tests "
                "only compare the difference with 0",
                repr(margin),
            )
        resampled, zero_pvalue = (
            margin_pvalue(
                self.distribution,
                self.delta,
                edge,
                alternative,
                method=method,
                tolerance=rounding_tolerance([self.score_a, self.score_b], abs(edge)),
                add_one=settings.get("add_one", True),
            )
            for edge in (margin, 0.0)
        )
        zero_pvalue = max(zero_pvalue, self._limit(alternative))
        if alternative == self.alternative:
            zero_pvalue = self.pvalue
        if margin == 0:
            return zero_pvalue
        least = self.limits.margin_pvalue(self.delta, margin, alternative)
        # P-values must be monotonic in the margin: significance above a margin implies
        # significance above any smaller one.
        beyond = margin > 0 if alternative == "greater" else margin < 0
        pick = max if beyond else min
        return pick(zero_pvalue, max(resampled, least))

    def provenance(self):
        """Return the provenance of the numbers as a dict, without `settings`."""
        settings = self.settings or {}
        passed = settings.get("n_resamples") == self.n_resamples
        return super().provenance(
            resamples=None if passed else self.n_resamples,
            computed=None if self.method in settings.values() else self.method,
        )

    def _pvalue_for(self, alternative):
        """Return the p-value for another alternative.

        Computed from the same resamples, or from a statistic with a normal or Student's
        t distribution. Two-sided tests count both directions if they compare distances
        from the center of the resamples, and double the one-sided p-value otherwise.

        Parameters
        ----------
        alternative : {"two-sided", "greater", "less"}
            The alternative: two-sided, or the opposite of the one tested.

        Returns
        -------
        pvalue : float or None
            The p-value; None if it cannot be computed.
        bound : bool
            Whether it is an upper bound because no resample is as extreme.
        """
        if self.distribution is not None and self.center is not None:
            null = self.distribution - self.center
            tolerance = rounding_tolerance(np.append(null, self.delta))
            far = exceeding(null, self.delta, alternative, tolerance=tolerance).sum()
            enumerated = self.method == "exact" and self.n_exceeding is not None
            add_one = self.settings.get("add_one", True) and not enumerated
            pvalue = resampling_pvalue(int(far), len(null), add_one=add_one)
            least = self._limit(alternative)
            return max(pvalue, least), far == 0 and pvalue > least
        if alternative == "two-sided":
            return min(1.0, 2 * self.pvalue), False
        df = np.inf if self.statistic_name == "z" else self.df
        if self.distribution is not None or df is None or np.isinf(self.statistic):
            return None, False
        return tail_pvalue(self.statistic, alternative, stats.t.sf, df), False

    def _pvalue(self, sign=""):
        """Return the p-value as text; the smallest possible one is shown as a bound."""
        return format_pvalue(self.pvalue, bound=self.pvalue_is_bound, sign=sign)

    def verdict(self):
        """Return the decision of the test at its level.

        Returns
        -------
        str
            A sentence.
        """
        if self.direction is not None:
            return self._verdict_on_location()
        verb = "is" if self.significant else "is not"
        claim = {
            "greater": f"A {verb} significantly better than B",
            "less": f"B {verb} significantly better than A",
            "two-sided": f"A and B {DIFFER[bool(self.significant)]}",
        }[self.alternative]
        return f"{claim} at the level {self.alpha:g}."

    def _verdict_on_location(self):
        """Return the verdict of a test that is not about the mean, and on the mean."""
        sides = {"greater": "above", "less": "below", "two-sided": "different from"}
        side, verb = sides[self.alternative], "is" if self.significant else "is not"
        claim = (
            f"The {self.location_name} {verb} significantly {side} 0 at the level "
            f"{self.alpha:g}"
        )
        if not self.significant:
            return f"{claim}."
        claim += f", in favor of {'A' if self.direction > 0 else 'B'}."
        pvalue = f"p = {format_pvalue(self.mean_pvalue)}"
        mean = (
            "The mean, the difference in score, is not significantly "
            f"{side} 0 (t-test, {pvalue})."
        )
        if self.direction * self.delta <= 0:
            mean = "Its score is not higher: neither model is shown to be better."
        elif self.mean_pvalue <= self.alpha:
            mean = f"So is the mean, the difference in score (t-test, {pvalue})."
        return f"{claim} {mean}"

    def _opposite_sentence(self):
        """Return a sentence if the other model scores clearly higher, else nothing."""
        higher, opposite = ("B", "less") if self.delta < 0 else ("A", "greater")
        if self.alternative in ("two-sided", opposite) or not self.delta:
            return ""
        if self.direction is not None and self.direction * self.delta <= 0:
            return ""
        pvalue, bound = self._pvalue_for(opposite)
        if pvalue is not None:
            clear = pvalue <= self.alpha
            number = format_pvalue(pvalue, bound=bound, sign="= ")
            other = f"the alternative {opposite!r} would give p {number}, and "
        else:
            possible = self._limit(opposite) <= self.alpha
            clear, other = possible and self.pvalue >= 1 - self.alpha, ""
        either = (
            "the alternative 'two-sided' tests for a difference in either direction"
        )
        return f" {higher} scores higher: {other}{either}." if clear else ""

    def sentence(self):
        """Return the result as a sentence suitable for a paper.

        Returns
        -------
        str
            The scores, difference, interval, p-value and verdict.
        """
        a, b = self._models
        one_sided = self.alternative != "two-sided"
        interval, side = "", "one-sided " if one_sided else ""
        if self.confidence_interval is not None:
            kind = "two-sided " if one_sided else ""
            interval = f", {kind}{self._level} {bracket(self.confidence_interval)}"
        if self.location is not None:
            center = format_number(self.location, "+")
            limits = bracket(self.location_interval)
            interval = f", a {self.location_name} of {center}"
            interval += f" ({self._level} {limits})"
        drawn = f"{self.method}, "
        if self.n_resamples is not None and self.method != "exact":
            ideal = self.n_resamples == "ideal"
            drawn = "infinitely many resamples of "
            if not ideal:
                drawn = f"{format_count(self.n_resamples, 'resamples')} of "
        return (
            f"{a} scores {format_number(self.score_a)} and {b} "
            f"{format_number(self.score_b)} in {self.scoring}: a difference of "
            f"{self._delta}{interval}, "
            f"{side}p {self._pvalue('= ')} ({self.test}, alternative "
            f"{self.alternative!r}, {drawn}{self._size}). "
            f"{self.verdict()}{self._opposite_sentence()}{self._caution}"
        )

    def tables(self):
        """Return scores, difference, p-value and effect sizes.

        Returns
        -------
        list of Table
            One table.
        """
        exact, precision = self.method == "exact", ""
        if self.pvalue_error:
            bounded = exact or self.n_resamples == "ideal"
            kind = "error bound" if bounded else "Monte Carlo"
            precision = f"+/- {self.pvalue_error:.1g} ({kind})"
        elif exact:
            precision = "exact"
        rows = [
            ("score A", format_number(self.score_a), bracket(self.score_a_interval)),
            ("score B", format_number(self.score_b), bracket(self.score_b_interval)),
            ("A - B", self._delta, bracket(self.confidence_interval)),
            ("p-value", self._pvalue(), precision),
        ]
        if self.location is not None:
            location = format_number(self.location, "+")
            limits = bracket(self.location_interval)
            rows.insert(3, (self.location_name, location, limits))
        if self.statistic is not None:
            df = self.df if isinstance(self.df, tuple) else (self.df,)
            words = "" if self.df is None else f"df {', '.join(f'{n:.4g}' for n in df)}"
            value = format_number(self.statistic, scale=1.0)
            if self.statistic == round(self.statistic, 0) != 0:  # a count
                value = f"{self.statistic:,.0f}"
            rows.append((self.statistic_name, value, words))
        rows += [(*row, "") for row in effect_rows(self.effect_size or {})]
        if self.n_undefined:
            rows.append(("undefined", f"{self.n_undefined:,}", "resamples"))
        return [Table(rows, ("quantity", "value", "interval or precision"))]

    def row(self):
        """Return the result as a row of a table of several results.

        Returns
        -------
        dict of str
            Cells by column name.
        """
        cells = super().row()
        if self.confidence_interval is not None:
            cells[self._level] = bracket(self.confidence_interval)
        return cells | {"p-value": self._pvalue()}

    def notes(self):
        """Return the hypothesis, explanations and caveats."""
        notes = [f"H0: {self.hypothesis}", f"Estimand: {self.estimand}", *self.caveats]
        if self.decision_risk == 1:
            notes.append(
                "The p-value is too close to the level for early stopping: all "
                "resamples were used."
            )
        elif self.decision_risk is not None:
            notes.append(
                f"Stopped after {self.n_resamples:,} resamples: the probability "
                "that infinitely many resamples lead to a different decision is at "
                f"most {self.decision_risk:g}."
            )
        interval = self.confidence_interval or self.location_interval
        low, high = interval or (np.nan, np.nan)
        if self.alternative != "two-sided" and self.significant and low <= 0 <= high:
            pvalue, _ = self._pvalue_for("two-sided")
            if pvalue > self.alpha:  # otherwise an end of the interval is 0
                notes.append(
                    "The interval is two-sided and the p-value one-sided, so they need "
                    "not agree: the alternative 'two-sided' would give p = "
                    f"{format_pvalue(pvalue)}."
                )
        effect = self.detectable_effect
        if not self.significant and effect is not None:
            effect = format_number(effect)
            notes.append(f"Minimum detectable effect (80 % power): {effect}.")
        return notes

    def _display(self):
        if self.distribution is not None:
            return DeltaDisplay.undrawn(self)
        kind = ForestDisplay if self.table is None else DisagreementDisplay
        return kind.undrawn(self)


@result_class
class ScoreResult(ScoredResult):
    """The score of one model in one metric, and its confidence interval.

    There is no test and no p-value. Printing it gives a sentence for a paper and a
    table. `to_frame` has one row, with score, standard error and interval, indexed by
    metric. `plot` draws the score with its interval (:class:`ForestDisplay`).

    Attributes
    ----------
    test : str
        The name of the class that computed it.
    scoring : str
        The name of the metric. Higher is better.
    score_a : float
        The score of the model.
    confidence_interval : ConfidenceInterval
        A confidence interval for the estimand of `score_a`.
    confidence_level : float
        The nominal coverage of the interval.
    standard_error : float
        The standard error of `score_a`.
    df : int or None
        The degrees of freedom of the interval; None for a normal interval.
    n_rows, n_units : int
        The number of rows, or folds, and of independent units.
    n_distinct : int or None
        The number of distinct rows, if some were tested several times.
    unit : str
        The name of the units counted: "rows", or "folds".
    n_strata : int
        The number of strata passed; 1 without strata.
    weighted : bool
        Whether rows have weights.
    method : str
        The method of the standard error.
    cv : str
        The source of predictions or scores: "predictions", "scores" or the splitter.
    seed : int or None
        Passing it as `random_state` reproduces the run, even if that was None.
    metrics : tuple of str
        All metrics of the same fit.
    name_a : str
        The name of the model.
    estimand : str
        The quantity that `score_a` estimates, in words.
    caveats : tuple of str
        The caveats, also issued as warnings.
    cautions : tuple of str
        Short forms of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as passed.

    Examples
    --------
    >>> from skcompare import CorrectedTTest
    >>> scores = [0.90, 0.88, 0.93, 0.91, 0.87, 0.92, 0.90, 0.89, 0.94, 0.91]
    >>> test = CorrectedTTest().fit_scores(scores, test_train_ratio=1 / 9)
    >>> low, high = test.result_.confidence_interval
    >>> print(f"{test.result_.score_a:.3f} [{low:.3f}, {high:.3f}]")
    0.905 [0.882, 0.928]
    """

    score_a: float
    confidence_interval: ConfidenceInterval
    confidence_level: float = hidden()
    standard_error: float = hidden()
    df: int | None = hidden(default=None)
    method: str = hidden()
    name_a: str = hidden()
    estimand: str = hidden()

    _index = "scoring"
    _frame_columns = "scoring test score_a standard_error low high"

    def heading(self):
        """Return a short description of the estimate."""
        return f"{self.name_a} in {self.scoring} ({self.test})"

    def sentence(self):
        """Return score and interval as a sentence suitable for a paper.

        Returns
        -------
        str
            The score, the interval and their basis.
        """
        return (
            f"{self.name_a} scores {format_number(self.score_a)} in {self.scoring}, "
            f"{self._level} {bracket(self.confidence_interval)} ({self.test}, "
            f"{self.method}, {self._size}).{self._caution}"
        )

    def tables(self):
        """Return score, interval and standard error.

        Returns
        -------
        list of Table
            One table.
        """
        df = "" if self.df is None else f"df {self.df:.4g}"
        rows = [
            ("score", format_number(self.score_a), bracket(self.confidence_interval)),
            ("standard error", format_number(self.standard_error), df),
        ]
        return [Table(rows, ("quantity", "value", "interval or precision"))]

    def row(self):
        """Return the result as a row of a table of several results.

        Returns
        -------
        dict of str
            Cells by column name.
        """
        return {
            "score": format_number(self.score_a),
            self._level: bracket(self.confidence_interval),
        }

    def notes(self):
        """Return the estimand and the caveats."""
        return [f"Estimand: {self.estimand}", *self.caveats]

    def _display(self):
        return ForestDisplay(
            [self.name_a],
            [self.score_a],
            [self.confidence_interval],
            reference=None,
            xlabel=self.scoring,
        )
