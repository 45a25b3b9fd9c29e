"""What a Bayesian comparison of two models found."""

import dataclasses

import numpy as np

from skcompare._format import format_number, format_probability
from skcompare._optional import optional_import
from skcompare.display import PosteriorDisplay
from skcompare.results._base import Result, bracket, hidden
from skcompare.stats import (
    CredibleInterval,
    Rope,
    density_of,
    monte_carlo_error,
)

__all__ = ["PosteriorResult"]

_DECISIONS = {
    ">>": ("is wholly above", "A is better"),
    "<<": ("is wholly below", "B is better"),
    "~": ("is wholly inside", "A and B are practically equivalent"),
    "?": ("is neither wholly inside nor wholly outside of", "undecided"),
}


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class PosteriorResult(Result):
    """The posterior of the difference of two models in one metric.

    Printing it gives a sentence for a paper and a small table.

    Attributes
    ----------
    test : str
        The name of the comparison's class.
    scoring : str
        The name of the metric. Higher is better.
    score_a, score_b : float
        The scores of the two models.
    delta : float
        ``score_a - score_b``.
    posterior_mean : float
        The mean of the posterior of the difference.
    hdi : CredibleInterval
        Its highest-density interval.
    p_better, p_equivalent, p_worse : float
        The probabilities that the difference is above, inside and below `rope`. They
        sum to 1.
    p_direction : float
        The larger of the probabilities that the difference is above and below 0.
    decision : {">>", "<<", "~", "?"}
        A is better, B is better, practically equivalent, undecided.
    rope : Rope
        The region of practical equivalence.
    hdi_probability : float
        The probability of the interval.
    n_rows, n_units : int
        The number of rows, and of the units (rows, groups, folds or data sets) that
        the posterior rests on.
    unit : str
        What the units are, in the plural.
    n_draws : int or None
        The number of draws; None for a posterior in closed form.
    n_undefined : int
        The number of draws without a value, which are left out.
    method : str
        The kind of posterior.
    prior : float or None
        The parameter of the prior, where there is one.
    engine : str or None
        How draws were scored.
    cv : str
        Where responses come from: "prefit", "predictions", "scores" or the splitter.
    seed : int or None
        Passing it as `random_state` repeats the run, also where that was None.
    metrics : tuple of str
        All metrics that share the draws; what is drawn depends on them.
    name_a, name_b : str
        What the models are called.
    model : str
        What the posterior assumes, in words.
    estimand : str
        What the difference is, in words.
    caveats : tuple of str
        What to bear in mind, as warned of.
    posterior : ndarray
        Draws of the difference, or values that are equally likely in closed form.
    posterior_a, posterior_b : ndarray or None
        Draws of the two scores, pairs of one draw each, where there are any.
    curve : tuple of ndarray or None
        Grid and density of a posterior in closed form.
    """

    _bulky = ("posterior", "posterior_a", "posterior_b", "curve")

    test: str
    scoring: str
    score_a: float
    score_b: float
    delta: float
    posterior_mean: float
    hdi: CredibleInterval
    p_better: float
    p_equivalent: float
    p_worse: float
    p_direction: float = hidden()
    decision: str
    rope: Rope
    hdi_probability: float = hidden()
    n_rows: int = hidden()
    n_units: int = hidden()
    unit: str = hidden(default="rows")
    n_draws: int | None = hidden(default=None)
    n_undefined: int = hidden(default=0)
    method: str = hidden()
    prior: float | None = hidden(default=None)
    engine: str | None = hidden(default=None)
    cv: str = hidden()
    seed: int | None = hidden(default=None)
    metrics: tuple = hidden(default=())
    name_a: str = hidden()
    name_b: str = hidden()
    model: str = hidden()
    estimand: str = hidden()
    caveats: tuple = hidden(default=())
    posterior: np.ndarray = hidden()
    posterior_a: np.ndarray | None = hidden(default=None)
    posterior_b: np.ndarray | None = hidden(default=None)
    curve: tuple | None = hidden(default=None)

    @property
    def favors_a(self):
        """Whether the posterior speaks for A."""
        return self.decision == ">>"

    def probability_of(self, claim):
        """Return the probability of any claim about the difference.

        Parameters
        ----------
        claim : callable
            ``claim(delta)`` takes an array of differences and says of each whether the
            claim holds, such as ``lambda delta: delta > 0.01``.

        Returns
        -------
        float
            The share of the posterior of which the claim holds.
        """
        if not callable(claim):
            raise ValueError(
                "`claim` must be a function of differences, such as "
                f"lambda delta: delta > 0.01. Got {claim!r}."
            )
        holds = np.asarray(claim(self.posterior))
        if holds.dtype != bool or holds.shape != self.posterior.shape:
            raise ValueError(
                "`claim` must return True or False for each difference, such as "
                "lambda delta: delta > 0.01. Got an array of "
                f"{holds.dtype} of shape {holds.shape}."
            )
        return float(np.mean(holds))

    def density(self):
        """Return where and how dense the posterior of the difference is.

        Returns
        -------
        grid, density : ndarray
            Of a closed form, its density; of draws, a smooth estimate.
        """
        return density_of(self.posterior) if self.curve is None else self.curve

    def _provenance(self):
        return {
            "test": self.test,
            "scoring": self.scoring,
            "metrics": "+".join(self.metrics) if len(self.metrics) > 1 else None,
            "n": self.n_rows,
            "draws": self.n_draws,
            "seed": self.seed,
            "posterior": self.method,
            "prior": self.prior,
            "rope": "{:g}..{:g}".format(*self.rope),
            "hdi": f"{self.hdi_probability:g}",
            "cv": self.cv,
            "engine": self.engine,
            "groups": None if self.n_units == self.n_rows else self.n_units,
        }

    def sentence(self):
        """Return the finding in a sentence that a paper could use.

        Returns
        -------
        str
            The most probable of three claims with its probability, the interval and
            the decision.
        """
        place, verdict = _DECISIONS[self.decision]
        return (
            f"In {self.scoring}, {self._claim()} ({self._how()}). The {self._level()} "
            f"highest-density interval of the difference, {bracket(self.hdi)}, {place} "
            f"the region of practical equivalence, {self._region()}: {verdict}."
        )

    def _claim(self):
        """Put the most probable of the three regions into words."""
        a, b = self._who("A"), self._who("B")
        low, high = self.rope
        claims = {
            f"{a} is better than {b}{_by_more_than(high)}": self.p_better,
            f"{b} is better than {a}{_by_more_than(-low)}": self.p_worse,
            f"{a} less {b} lies in {self._region()}": self.p_equivalent,
        }
        claim = max(claims, key=claims.get)
        return f"{claim} with probability {self._shown(claims[claim])}"

    def _region(self):
        return "[{:g}, {:g}]".format(*self.rope)

    def _level(self):
        return f"{100 * self.hdi_probability:g} %"

    def _who(self, letter):
        name = self.name_a if letter == "A" else self.name_b
        return letter if name == letter else f"{letter} ({name})"

    def _how(self):
        draws = "" if self.n_draws is None else f"{self.n_draws:,} draws, "
        rows = f"{self.n_rows:,} {self.unit}"
        if self.n_units != self.n_rows:
            rows += f" in {self.n_units:,} groups"
        return f"{self.test}, {self.method}, {draws}{rows}"

    def _table(self):
        """Return the rows of the small table: label, value, interval or error."""
        low, high = self.rope
        rows = [
            ("score A", format_number(self.score_a), ""),
            ("score B", format_number(self.score_b), ""),
            ("A - B", format_number(self.delta, "+"), ""),
            (
                "posterior",
                format_number(self.posterior_mean, "+"),
                f"{bracket(self.hdi)} ({self._level()} HDI)",
            ),
            (f"P(> {high:g})", *self._with_error(self.p_better)),
            (f"P(in {self._region()})", *self._with_error(self.p_equivalent)),
            (f"P(< {low:g})", *self._with_error(self.p_worse)),
            ("decision", self.decision, ""),
        ]
        if self.n_undefined:
            rows.append(("undefined", f"{self.n_undefined:,}", "draws"))
        return rows

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
        return {
            "score A": format_number(self.score_a),
            "score B": format_number(self.score_b),
            "A - B": format_number(self.delta, "+"),
            f"{self._level()} HDI": bracket(self.hdi),
            "P(A better)": self._shown(self.p_better),
            "P(equivalent)": self._shown(self.p_equivalent),
            "P(B better)": self._shown(self.p_worse),
            "decision": self.decision,
        }

    def _with_error(self, p):
        """Return a probability and how exact its estimate by draws is."""
        if self.n_draws is None:
            return self._shown(p), ""
        error = monte_carlo_error(p, len(self.posterior))
        return self._shown(p), f"+/- {error:.1g} (Monte Carlo)" if error else ""

    def _shown(self, p):
        """Format a probability; draws that vary show none to be 0 or 1 exactly."""
        if self.n_draws is not None and self.hdi.low < self.hdi.high:
            least = 0.5 / len(self.posterior)
            p = min(max(p, least), 1 - least)
        return format_probability(p)

    def _notes(self):
        return [f"Model: {self.model}", f"Estimand: {self.estimand}", *self.caveats]

    def to_dict(self, *, posterior=False):
        """Return all numbers as a dict that `json.dumps` takes.

        Parameters
        ----------
        posterior : bool, default=False
            Whether to include the draws of the difference.

        Returns
        -------
        dict
            The fields of this result and its `signature`.
        """
        found = super().to_dict()
        if posterior:
            found["posterior"] = self.posterior.tolist()
        return found

    def to_frame(self):
        """Return the numbers as a pandas DataFrame with one row.

        Returns
        -------
        pandas.DataFrame
            Scores, difference, interval, probabilities and decision, indexed by metric.
        """
        pd = optional_import("pandas", "all")
        row = {
            "test": self.test,
            "score_a": self.score_a,
            "score_b": self.score_b,
            "delta": self.delta,
            "posterior_mean": self.posterior_mean,
            "low": self.hdi.low,
            "high": self.hdi.high,
            "p_better": self.p_better,
            "p_equivalent": self.p_equivalent,
            "p_worse": self.p_worse,
            "decision": self.decision,
        }
        return pd.DataFrame([row], index=pd.Index([self.scoring], name="scoring"))

    def plot(self, ax=None, **kwargs):
        """Draw the posterior of the difference, with region and interval.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **kwargs : dict
            Passed on to `PosteriorDisplay.plot`.

        Returns
        -------
        PosteriorDisplay
            The display, drawn.
        """
        return PosteriorDisplay.from_result(self, ax=ax, **kwargs)


def _by_more_than(margin):
    return f" by more than {margin:g}" if margin else ""
