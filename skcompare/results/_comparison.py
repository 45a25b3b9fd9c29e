"""What a comparison of two models found."""

import dataclasses

import numpy as np

from skcompare._format import format_number, format_pvalue
from skcompare._optional import optional_import
from skcompare._validation import MOST_RESAMPLES, check_integer
from skcompare.display import DeltaDisplay, DisagreementDisplay, ForestDisplay
from skcompare.results._base import Result, bracket, hidden
from skcompare.stats import (
    ConfidenceInterval,
    detectable_effect,
    paired_t_detectable_effect,
)

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
        Intervals for the two scores, where the test gives them.
    statistic : float or None
        The test statistic, of a test without resampling.
    df : int, tuple of int or None
        The degrees of freedom of the statistic, where fold scores give few of them.
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
    decision_risk : float or None
        Of a test that stopped as soon as it was certain (``n_resamples="auto"``), the
        largest probability that infinitely many resamples decide otherwise at `alpha`;
        1 if it never was certain.
    n_resamples : int, "ideal" or None
        The number of resamples.
    n_undefined : int
        The number of resamples on which the scorer has no value. They count as
        exceeding and are left out of intervals.
    n_rows, n_units : int
        The number of rows, and of the units (rows or groups) that were redrawn.
    unit : str
        What is counted as rows: "rows", or "folds" for a test of fold scores.
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
        Where responses or scores come from: "prefit", "predictions", "scores" or the
        splitter.
    seed : int or None
        Passing it as `random_state` repeats the run, also where that was None.
    metrics : tuple of str
        All metrics that share the draws; what is drawn depends on them.
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

    _bulky = ("distribution", "_again")

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
    df: int | tuple | None = hidden(default=None)
    effect_size: dict | None = hidden(default=None)
    table: np.ndarray | None = hidden(default=None)
    discordant_rows: np.ndarray | None = hidden(default=None)
    standard_error: float | None = hidden(default=None)
    pvalue_error: float | None = hidden(default=None)
    n_exceeding: int | None = hidden(default=None)
    decision_risk: float | None = hidden(default=None)
    n_resamples: int | str | None = hidden(default=None)
    n_undefined: int = hidden(default=0)
    n_rows: int = hidden()
    n_units: int = hidden()
    unit: str = hidden(default="rows")
    alternative: str = hidden()
    alpha: float = hidden()
    confidence_level: float | None = hidden(default=None)
    method: str = hidden()
    engine: str | None = hidden(default=None)
    cv: str = hidden()
    seed: int | None = hidden(default=None)
    metrics: tuple = hidden(default=())
    name_a: str = hidden()
    name_b: str = hidden()
    hypothesis: str = hidden()
    estimand: str = hidden()
    caveats: tuple = hidden(default=())
    center: float | None = hidden(default=None)
    distribution: np.ndarray | None = hidden(default=None)
    _again: object = hidden(default=None)

    def __getstate__(self):
        # The data and models that `extend` needs do not go with a copy elsewhere.
        return {**vars(self), "_again": None}

    @property
    def significant(self):
        """Whether the p-value is at most `alpha`."""
        return self.pvalue <= self.alpha

    @property
    def favors_a(self):
        """Whether the test shows a difference, and A is the better one."""
        return self.significant and self.delta > 0

    @property
    def detectable_effect(self):
        """The smallest true difference that this test shows four times out of five.

        From the standard error, by the normal approximation or, where there are degrees
        of freedom, by Student's t; None without a standard error.
        """
        if not self.standard_error:
            return None
        how = {"alpha": self.alpha, "alternative": self.alternative}
        if self.df is None:
            return detectable_effect(self.standard_error, **how)
        n = self.df + 1
        return paired_t_detectable_effect(self.standard_error * n**0.5, n, **how)

    def _provenance(self):
        return {
            "test": self.test,
            "scoring": self.scoring,
            "metrics": "+".join(self.metrics) if len(self.metrics) > 1 else None,
            "n": self.n_rows,
            "resamples": self.n_resamples,
            "stopping": None if self.decision_risk is None else "auto",
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
        units = f"{self.n_rows:,} {self.unit}"
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
            rows.append(("statistic", format_number(self.statistic), self._df_text()))
        for name, size in (self.effect_size or {}).items():
            rows.append((name, format_number(size), ""))
        if self.n_undefined:
            rows.append(("undefined", f"{self.n_undefined:,}", "resamples"))
        return rows

    def _df_text(self):
        if self.df is None:
            return ""
        df = self.df if isinstance(self.df, tuple) else (self.df,)
        return f"df {', '.join(map(str, df))}"

    def heading(self):
        """Return what was compared, in a few words."""
        models = f"{self.name_a} against {self.name_b}"
        return f"{models} in {self.scoring} ({self.test})"

    def row(self):
        """Return the result as a row of a table of several results.

        Returns
        -------
        dict of str
            Cells by name of the column.
        """
        cells = {
            "score A": format_number(self.score_a),
            "score B": format_number(self.score_b),
            "A - B": format_number(self.delta, "+"),
        }
        if self.confidence_interval is not None:
            level = f"{100 * self.confidence_level:g} %"
            cells[f"{level} interval"] = bracket(self.confidence_interval)
        return cells | {"p-value": format_pvalue(self.pvalue)}

    def _precision(self):
        if not self.pvalue_error:
            return "exact" if self.method == "exact" else ""
        bounded = self.method == "exact" or self.n_resamples == "ideal"
        kind = "error bound" if bounded else "Monte Carlo"
        return f"+/- {self.pvalue_error:.1g} ({kind})"

    def _notes(self):
        notes = [f"H0: {self.hypothesis}", f"Estimand: {self.estimand}", *self.caveats]
        notes += self._stopping()
        effect = self.detectable_effect
        if self.significant or effect is None:
            return notes
        return [
            *notes,
            f"A true difference of {format_number(effect)} would have been shown with "
            "a probability of about 80 %.",
        ]

    def _stopping(self):
        """Say how sure the decision of a test is that stops when it is certain."""
        if self.decision_risk is None:
            return []
        if self.decision_risk == 1:
            return ["The p-value is too close to the level to stop before the last."]
        return [
            f"Stopped after {self.n_resamples:,} resamples: infinitely many decide "
            f"otherwise with a probability of at most {self.decision_risk:g}."
        ]

    def extend(self, n_resamples):
        """Add resamples to those of the test.

        Parameters
        ----------
        n_resamples : int
            How many more to draw.

        Returns
        -------
        ComparisonResult
            The result of all resamples, the same as if they had been asked for at
            once. This one stays as it is.
        """
        check_integer("n_resamples", n_resamples, 1, MOST_RESAMPLES)
        if self._again is None:
            raise ValueError(
                "There is nothing to extend: `extend` adds resamples to a test that "
                "has drawn a given number of them, in the process that ran it, and "
                "for two models. An exact or ideal p-value needs no more, and one "
                "that stopped early (n_resamples='auto') would not be valid with more."
            )
        return self._again(self.n_resamples + n_resamples)[self.scoring]

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
        """Draw the resampling distribution, or what the test has instead.

        Without resamples that is the table of counts that the test rests on; without a
        table the difference, with its interval if there is one.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **kwargs : dict
            Passed on to the `plot` of the display.

        Returns
        -------
        DeltaDisplay, DisagreementDisplay or ForestDisplay
            The display, drawn.
        """
        if self.distribution is not None:
            display = DeltaDisplay
        elif self.table is not None:
            display = DisagreementDisplay
        else:
            display = ForestDisplay
        return display.from_result(self, ax=ax, **kwargs)
