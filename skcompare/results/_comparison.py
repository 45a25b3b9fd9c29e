"""What a comparison of two models found."""

import dataclasses

import numpy as np

from skcompare._format import format_number, format_pvalue
from skcompare._optional import optional_import
from skcompare.display import DeltaDisplay
from skcompare.inference import ConfidenceInterval, detectable_effect
from skcompare.results._base import Result, bracket, hidden

__all__ = ["ComparisonResult"]


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class ComparisonResult(Result):
    """The answer of one test for one metric.

    Printing it gives a sentence for a paper and a small table.

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
        An interval for the difference, where the test gives one.
    score_a_interval, score_b_interval : ConfidenceInterval or None
        Percentile intervals for the two scores, where the test gives them.
    statistic : float or None
        The test statistic, of a test without resampling.
    effect_size : dict or None
        Sizes of the effect that fit the test, by name.
    table : ndarray or None
        A table of counts that the test rests on.
    discordant_rows : ndarray or None
        The positions in the data of the rows that the test rests on.
    standard_error : float or None
        The standard deviation of the resampled differences: for a bootstrap the
        standard error of `delta`, for a randomisation that of `delta` under the null
        hypothesis.
    pvalue_error : float or None
        The Monte Carlo standard error of the p-value; for one that is computed without
        resampling its error bound.
    n_exceeding : int or None
        The number of resamples that count against the null hypothesis.
    n_resamples : int, "ideal" or None
        The number of resamples.
    n_undefined : int
        The number of resamples on which the scorer has no value. They count as
        exceeding and are left out of intervals.
    n_rows, n_units : int
        The number of rows, and of the units (rows or groups) that were redrawn.
    alternative : str
        The alternative hypothesis.
    alpha : float
        The level of the decision.
    confidence_level : float or None
        The nominal coverage of the intervals.
    method : str
        How intervals ("percentile", ...) or the p-value ("exact", ...) were computed.
    engine : str or None
        How resamples were scored.
    cv : str
        Where responses come from: "prefit", "predictions" or the splitter.
    seed : int or None
        Passing it as `random_state` repeats the run, also where that was None.
    name_a, name_b : str
        What the models are called.
    hypothesis : str
        The null hypothesis in words.
    estimand : str
        What `delta` estimates, in words.
    caveats : tuple of str
        What to bear in mind, as warned of.
    center : float or None
        What `distribution` is centred on.
    distribution : ndarray or None
        The resampled differences, nan where undefined.
    """

    _bulky = ("distribution",)

    test: str
    scoring: str
    score_a: float
    score_b: float
    delta: float
    pvalue: float
    confidence_interval: ConfidenceInterval | None = None
    score_a_interval: ConfidenceInterval | None = hidden(default=None)
    score_b_interval: ConfidenceInterval | None = hidden(default=None)
    statistic: float | None = hidden(default=None)
    effect_size: dict | None = hidden(default=None)
    table: np.ndarray | None = hidden(default=None)
    discordant_rows: np.ndarray | None = hidden(default=None)
    standard_error: float | None = hidden(default=None)
    pvalue_error: float | None = hidden(default=None)
    n_exceeding: int | None = hidden(default=None)
    n_resamples: int | str | None = hidden(default=None)
    n_undefined: int = hidden(default=0)
    n_rows: int = hidden()
    n_units: int = hidden()
    alternative: str = hidden()
    alpha: float = hidden()
    confidence_level: float | None = hidden(default=None)
    method: str = hidden()
    engine: str | None = hidden(default=None)
    cv: str = hidden()
    seed: int | None = hidden(default=None)
    name_a: str = hidden()
    name_b: str = hidden()
    hypothesis: str = hidden()
    estimand: str = hidden()
    caveats: tuple = hidden(default=())
    center: float | None = hidden(default=None)
    distribution: np.ndarray | None = hidden(default=None)

    @property
    def significant(self):
        """Whether the p-value is at most `alpha`."""
        return self.pvalue <= self.alpha

    @property
    def detectable_effect(self):
        """The smallest true difference that this test shows four times out of five.

        From the standard error, by the normal approximation; None without one.
        """
        if not self.standard_error:
            return None
        return detectable_effect(
            self.standard_error, alpha=self.alpha, alternative=self.alternative
        )

    def _provenance(self):
        return {
            "test": self.test,
            "scoring": self.scoring,
            "n": self.n_rows,
            "resamples": self.n_resamples,
            "seed": self.seed,
            "alternative": self.alternative,
            "method": self.method,
            "cv": self.cv,
            "engine": self.engine,
            "groups": None if self.n_units == self.n_rows else self.n_units,
        }

    def sentence(self):
        """Return the finding in a sentence that a paper could use.

        Returns
        -------
        str
            Scores, difference, interval, p-value and verdict.
        """
        interval = ""
        if self.confidence_interval is not None:
            level = f"{100 * self.confidence_level:g} %"
            interval = f", {level} interval {bracket(self.confidence_interval)}"
        return (
            f"{self._who('A')} scores {format_number(self.score_a)} and "
            f"{self._who('B')} {format_number(self.score_b)} in {self.scoring}: "
            f"a difference of {format_number(self.delta, '+')}{interval}, "
            f"p = {format_pvalue(self.pvalue)} ({self._how()}). {self._verdict()}"
        )

    def _who(self, letter):
        name = self.name_a if letter == "A" else self.name_b
        return letter if name == letter else f"{letter} ({name})"

    def _how(self):
        units = f"{self.n_rows:,} rows"
        if self.n_units != self.n_rows:
            units += f" in {self.n_units:,} groups"
        return f"{self.test}, alternative {self.alternative!r}, {self._draws()}{units}"

    def _draws(self):
        if self.method == "exact":
            return "exact, "
        if self.n_resamples is None:
            return f"{self.method}, "
        ideal = self.n_resamples == "ideal"
        return (
            f"{'infinitely many' if ideal else f'{self.n_resamples:,}'} resamples of "
        )

    def _verdict(self):
        claim = {
            "greater": "A is better than B",
            "less": "B is better than A",
            "two-sided": "A and B differ",
        }[self.alternative]
        shown = "shows" if self.significant else "does not show"
        return f"At the level {self.alpha:g} the test {shown} that {claim}."

    def _table(self):
        """Return the rows of the small table: label, value, interval or error."""
        rows = [
            ("score A", format_number(self.score_a), bracket(self.score_a_interval)),
            ("score B", format_number(self.score_b), bracket(self.score_b_interval)),
            (
                "A - B",
                format_number(self.delta, "+"),
                bracket(self.confidence_interval),
            ),
            ("p-value", format_pvalue(self.pvalue), self._precision()),
        ]
        if self.statistic is not None:
            rows.append(("statistic", format_number(self.statistic), ""))
        for name, size in (self.effect_size or {}).items():
            rows.append((name, format_number(size), ""))
        if self.n_undefined:
            rows.append(("undefined", f"{self.n_undefined:,}", "resamples"))
        return rows

    def _precision(self):
        if not self.pvalue_error:
            return "exact" if self.method == "exact" else ""
        bounded = self.method == "exact" or self.n_resamples == "ideal"
        kind = "error bound" if bounded else "Monte Carlo"
        return f"+/- {self.pvalue_error:.1g} ({kind})"

    def _notes(self):
        notes = [f"H0: {self.hypothesis}", f"Estimand: {self.estimand}", *self.caveats]
        effect = self.detectable_effect
        if self.significant or effect is None:
            return notes
        return [
            *notes,
            f"A true difference of {format_number(effect)} would have been shown with "
            "a probability of about 80 %.",
        ]

    def to_dict(self, *, distribution=False):
        """Return all numbers as a dict that `json.dumps` takes.

        Parameters
        ----------
        distribution : bool, default=False
            Whether to include the resampled differences; None where undefined.

        Returns
        -------
        dict
            The fields of this result and its `signature`.
        """
        found = super().to_dict() | {"significant": self.significant}
        if distribution:
            finite = np.isfinite(self.distribution)
            found["distribution"] = np.where(finite, self.distribution, None).tolist()
        return found

    def to_frame(self):
        """Return the numbers as a pandas DataFrame with one row.

        Returns
        -------
        pandas.DataFrame
            Scores, difference, interval and p-value, indexed by metric.
        """
        pd = optional_import("pandas", "all")
        low, high = self.confidence_interval or (np.nan, np.nan)
        row = {
            "test": self.test,
            "score_a": self.score_a,
            "score_b": self.score_b,
            "delta": self.delta,
            "low": low,
            "high": high,
            "pvalue": self.pvalue,
            "alternative": self.alternative,
            "significant": self.significant,
        }
        return pd.DataFrame([row], index=pd.Index([self.scoring], name="scoring"))

    def plot(self, ax=None, **kwargs):
        """Draw the resampling distribution.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **kwargs : dict
            Passed on to `DeltaDisplay.plot`.

        Returns
        -------
        DeltaDisplay
            The display, drawn.
        """
        if self.distribution is None:
            raise AttributeError(
                f"{self.test} draws no resamples: it has no distribution to plot."
            )
        return DeltaDisplay.from_result(self, ax=ax, **kwargs)
