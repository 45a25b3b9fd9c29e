"""The results of Bayesian comparisons: of two models, and over several data sets."""

import numpy as np

from skcompare._format import bracket, format_number, format_probability
from skcompare.results._base import PairResult, Result, hidden, result_class
from skcompare.results._document import Table
from skcompare.results.displays._distributions import PosteriorDisplay, RegionDisplay
from skcompare.stats.posterior import CredibleInterval, Rope, density_of
from skcompare.stats.pvalues import monte_carlo_error

# What the symbols of decisions mean: where the interval is, and so what is better.
DECISIONS = {
    ">>": ("is wholly above", "A is better."),
    "<<": ("is wholly below", "B is better."),
    "~": ("is wholly inside", "A and B are practically equivalent."),
    "?": ("is neither wholly inside nor wholly outside of", "undecided."),
}


def _of_draws(p, n_draws):
    """Format a probability by draws, which show none to be 0 or 1 exactly."""
    least = 0.5 / n_draws
    return format_probability(min(max(p, least), 1 - least))


@result_class
class PosteriorResult(PairResult):
    """The posterior of the difference of two models in one metric.

    Printing it gives a sentence for a paper and a table. `to_frame` has one row, with
    scores, difference, interval, probabilities and decision, indexed by metric. `plot`
    draws the posterior with region and interval (:class:`PosteriorDisplay`).

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
    posterior_mode : float
        Where its density is highest: the maximum a posteriori (MAP) estimate.
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
    credible_level : float
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
    cautions : tuple of str
        A few words on each of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as they were passed.
    posterior : ndarray
        Draws of the difference, or values that are equally likely in closed form.
    posterior_a, posterior_b : ndarray or None
        Draws of the two scores, pairs of one draw each, where there are any.
    curve : tuple of ndarray or None
        Grid and density of a posterior in closed form.
    """

    posterior_mean: float
    posterior_mode: float
    hdi: CredibleInterval
    p_better: float
    p_equivalent: float
    p_worse: float
    p_direction: float = hidden()
    decision: str
    rope: Rope
    credible_level: float = hidden()
    n_draws: int | None = hidden(default=None)
    prior: float | None = hidden(default=None)
    model: str = hidden()
    posterior: np.ndarray = hidden()
    posterior_a: np.ndarray | None = hidden(default=None)
    posterior_b: np.ndarray | None = hidden(default=None)
    curve: tuple | None = hidden(default=None)

    _arrays = ("posterior", "posterior_a", "posterior_b", "curve")
    _interval = "hdi"
    _of_frame = (
        "scoring test score_a score_b delta posterior_mean posterior_mode low high "
        "p_better p_equivalent p_worse decision"
    )

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

    def provenance(self):
        """Return how the numbers came about, as a dict, besides `settings`."""
        return super().provenance(posterior=self.method)

    @property
    def _region(self):
        return "[{:g}, {:g}]".format(*self.rope)

    @property
    def _level(self):
        return f"{100 * self.credible_level:g} %"

    def verdict(self):
        """Return what is decided about the two models.

        Returns
        -------
        str
            A sentence.
        """
        return DECISIONS[self.decision][1]

    def sentence(self):
        """Return the finding in a sentence that a paper could use.

        Returns
        -------
        str
            The most probable of three claims with its probability, the interval and
            the decision.
        """
        (a, b), (low, high) = self._models, self.rope
        margins = [f" by more than {m:g}" if m else "" for m in (high, -low)]
        claims = {
            f"{a} is better than {b}{margins[0]}": self.p_better,
            f"{b} is better than {a}{margins[1]}": self.p_worse,
            f"{a} less {b} lies in {self._region}": self.p_equivalent,
        }
        claim = max(claims, key=claims.get)
        draws = "" if self.n_draws is None else f"{self.n_draws:,} draws, "
        place, _ = DECISIONS[self.decision]
        if self.decision == "?" and self.hdi.low == self.hdi.high:
            place = "is a single point, which shows nothing about"
        return (
            f"In {self.scoring}, {claim} with probability {self._shown(claims[claim])} "
            f"({self.test}, {self.method}, {draws}{self._size}). The "
            f"{self._level} highest-density interval of the difference, "
            f"{bracket(self.hdi)}, {place} the region of practical equivalence, "
            f"{self._region}: {self.verdict()}{self._caution}"
        )

    def tables(self):
        """Return scores, posterior, probabilities and decision.

        Returns
        -------
        list of Table
            One table.
        """
        low, high = self.rope
        mean = format_number(self.posterior_mean, "+")
        rows = [
            *((name, value, "") for name, value in super().row().items()),
            ("posterior mean", mean, f"{bracket(self.hdi)} ({self._level} HDI)"),
            ("posterior mode", format_number(self.posterior_mode, "+"), "MAP"),
        ]
        claims = {
            f"P(> {high:g})": self.p_better,
            f"P(in {self._region})": self.p_equivalent,
            f"P(< {low:g})": self.p_worse,
        }
        for claim, p in claims.items():
            exact = self.n_draws is None
            error = 0 if exact else monte_carlo_error(p, len(self.posterior))
            precision = f"+/- {error:.1g} (Monte Carlo)" if error else ""
            rows.append((claim, self._shown(p), precision))
        rows.append(("decision", "", self.decision))
        if self.n_undefined:
            rows.append(("undefined", f"{self.n_undefined:,}", "draws"))
        return [Table(rows, ("quantity", "value", "interval or precision"))]

    def row(self):
        """Return the result as a row of a table of several results.

        Returns
        -------
        dict of str
            Cells by name of the column.
        """
        return super().row() | {
            f"{self._level} HDI": bracket(self.hdi),
            "P(A better)": self._shown(self.p_better),
            "P(equivalent)": self._shown(self.p_equivalent),
            "P(B better)": self._shown(self.p_worse),
            "decision": self.decision,
        }

    def _shown(self, p):
        """Format a probability; draws that vary show none to be 0 or 1 exactly."""
        varied = self.n_draws is not None and self.hdi.low < self.hdi.high
        return _of_draws(p, len(self.posterior)) if varied else format_probability(p)

    def notes(self):
        """Return what was assumed, and what to bear in mind."""
        return [f"Model: {self.model}", f"Estimand: {self.estimand}", *self.caveats]

    def _display(self):
        return PosteriorDisplay.undrawn(self)


@result_class
class RegionResult(Result):
    """In which region the difference of two models falls, over data sets.

    Printing it gives a sentence for a paper and two tables. `to_frame` has a row for
    each region, "better", "equivalent" and "worse". `plot` draws how frequent the
    three are, a dot for each draw (:class:`RegionDisplay`).

    Attributes
    ----------
    test : str
        The name of the comparison's class.
    score_a, score_b : float
        The scores of the two models, averaged over data sets.
    delta : float
        ``score_a - score_b``.
    p_better, p_equivalent, p_worse : float
        The probabilities that differences above, inside and below `rope` are the most
        frequent of the three. They sum to 1.
    shares : tuple of float
        How frequent the three are: posterior means.
    decision : {">>", "<<", "~", "?"}
        A is better, B is better, practically equivalent: what has a probability of at
        least `credible_level`. Undecided, if nothing has.
    rope : Rope
        The region of practical equivalence.
    credible_level : float
        What a decision needs.
    n_datasets : int
        The number of data sets.
    n_draws : int
        The number of draws.
    prior : float or None
        The weight of the prior, where it can be set.
    seed : int
        Passing it as `random_state` repeats the run, also where that was None.
    model : str
        What the posterior assumes, in words.
    regions : ndarray of shape (n_draws, 3)
        Draws of the three shares.
    caveats : tuple of str
        What to bear in mind, as warned of.
    cautions : tuple of str
        A few words on each of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as they were passed.
    """

    score_a: float
    score_b: float
    delta: float
    p_better: float
    p_equivalent: float
    p_worse: float
    shares: tuple
    decision: str
    rope: Rope
    credible_level: float = hidden()
    n_datasets: int = hidden()
    n_draws: int = hidden()
    prior: float | None = hidden(default=None)
    seed: int = hidden()
    model: str = hidden()
    regions: np.ndarray = hidden()

    _arrays = ("regions",)
    _index = "region"

    def provenance(self):
        """Return how the numbers came about, as a dict, besides `settings`."""
        return {"test": self.test, "datasets": self.n_datasets, "seed": self.seed}

    def _probabilities(self):
        low, high = self.rope
        return {
            f"A better by more than {high:g}": self.p_better,
            f"A less B in [{low:g}, {high:g}]": self.p_equivalent,
            f"B better by more than {-low:g}": self.p_worse,
        }

    def sentence(self):
        """Return the finding in a sentence that a paper could use.

        Returns
        -------
        str
            The most probable region with its probability, and the decision.
        """
        claims = self._probabilities()
        likely = max(claims, key=claims.get)
        return (
            f"Over data sets like these {self.n_datasets}, '{likely}' is the most "
            f"frequent with probability {_of_draws(claims[likely], self.n_draws)} "
            f"({self.test}, {self.n_draws:,} draws). With {self.credible_level:g} "
            f"required: {DECISIONS[self.decision][1]}{self._caution}"
        )

    def heading(self):
        """Return what was compared, in a few words."""
        return f"A against B on {self.n_datasets} data sets ({self.test})"

    def tables(self):
        """Return the mean scores, and the probabilities of the three regions.

        Returns
        -------
        list of Table
            Two tables.
        """
        scores = [
            ("mean score A", format_number(self.score_a)),
            ("mean score B", format_number(self.score_b)),
            ("A - B", format_number(self.delta, "+", scale=self.score_a)),
        ]
        claims = self._probabilities()
        errors = [monte_carlo_error(p, self.n_draws) for p in claims.values()]
        regions = {
            "region": claims,
            "probability": [_of_draws(p, self.n_draws) for p in claims.values()],
            "Monte Carlo error": [f"{error:.1g}" for error in errors],
            "share of data sets": [f"{share:.3f}" for share in self.shares],
        }
        return [
            Table(scores, ("quantity", "value")),
            Table.from_columns(regions, "Which region is the most frequent"),
        ]

    def notes(self):
        """Return what was assumed, and what to bear in mind."""
        return [f"Model: {self.model}", *self.caveats]

    def _columns(self):
        return {
            "region": ["better", "equivalent", "worse"],
            "probability": [self.p_better, self.p_equivalent, self.p_worse],
            "share": self.shares,
        }

    def _display(self):
        return RegionDisplay.undrawn(self)
