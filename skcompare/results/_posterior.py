"""Results of Bayesian comparisons of two models, on one or several data sets."""

import numpy as np

from skcompare._format import bracket, format_number, format_probability
from skcompare.results._base import (
    PairResult,
    Result,
    hidden,
    labels_of_models,
    result_class,
)
from skcompare.results._document import Table
from skcompare.results.displays._distributions import PosteriorDisplay, RegionDisplay
from skcompare.stats.posterior import CredibleInterval, Rope, density_of
from skcompare.stats.pvalues import monte_carlo_error

# For each decision, the position of the interval and the verdict.
DECISIONS = {
    ">>": ("is wholly above", "A is better."),
    "<<": ("is wholly below", "B is better."),
    "~": ("is wholly inside", "A and B are practically equivalent."),
    "?": ("partly overlaps", "undecided."),
}


def _of_draws(probabilities, n_draws):
    """Return probabilities estimated from draws, which are never exactly 0 or 1."""
    least = 0.5 / n_draws
    return tuple(min(max(p, least), 1 - least) for p in probabilities)


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
        The posterior mean of the difference.
    posterior_mode : float
        The mode of the posterior: the maximum a posteriori (MAP) estimate.
    hdi : CredibleInterval
        The highest-density interval of the posterior.
    p_better, p_equivalent, p_worse : float
        The probabilities, which sum to 1, that the difference is above, inside and
        below `rope`.
    p_direction : float
        The larger of the probabilities that the difference is above and below 0.
    decision : {">>", "<<", "~", "?"}
        A is better, B is better, practically equivalent or undecided.
    rope : Rope
        The region of practical equivalence.
    credible_level : float
        The probability of the interval.
    n_rows, n_units : int
        The number of rows, and of the units (rows, groups, folds or data sets) that
        the posterior is based on. A row that cross-validation tested several times is
        counted each time in `n_rows`.
    n_distinct : int or None
        The number of distinct rows, if some were tested several times.
    unit : str
        The name of the units, in the plural.
    n_strata : int
        The number of strata passed; 1 without strata.
    weighted : bool
        Whether rows have weights.
    n_draws : int or None
        The number of draws; None for a posterior in closed form.
    n_undefined : int
        The number of undefined draws, which are omitted.
    method : str
        The kind of posterior.
    prior : float or None
        The parameter of the prior, if any.
    engine : str or None
        The engine that scored the draws.
    cv : str
        The source of responses: "prefit", "predictions", "scores" or the splitter.
    seed : int or None
        Passing it as `random_state` reproduces the run, even if that was None.
    metrics : tuple of str
        All metrics that share the draws, which depend on them.
    name_a, name_b : str
        The names of the models.
    model : str
        The assumptions of the posterior, in words.
    estimand : str
        The quantity that the difference estimates, in words.
    caveats : tuple of str
        The caveats, also issued as warnings.
    cautions : tuple of str
        Short forms of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as passed.
    posterior : ndarray
        Draws of the difference; for a closed form, equally likely values.
    posterior_a, posterior_b : ndarray or None
        Paired draws of the two scores, if any.
    curve : tuple of ndarray or None
        The grid and density of a posterior in closed form.
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
    _frame_columns = (
        "scoring test score_a score_b delta posterior_mean posterior_mode low high "
        "p_better p_equivalent p_worse decision"
    )

    @property
    def favors_a(self):
        """Whether the decision is that A is better."""
        return self.decision == ">>"

    @property
    def probabilities(self):
        """`p_better`, `p_equivalent` and `p_worse` as they are printed and drawn.

        Estimated from draws that vary, they are never exactly 0 or 1. They are nan if
        the posterior is a single point that decides nothing.
        """
        probabilities = self.p_better, self.p_equivalent, self.p_worse
        if self._is_point:
            return (np.nan,) * 3
        if self.n_draws is not None and self.hdi.low < self.hdi.high:
            return _of_draws(probabilities, len(self.posterior))
        return probabilities

    def probability_of(self, claim):
        """Return the probability of any claim about the difference.

        Parameters
        ----------
        claim : callable
            ``claim(delta)`` takes an array of differences and returns for each whether
            the claim holds, such as ``lambda delta: delta > 0.01``.

        Returns
        -------
        float
            The share of the posterior for which the claim holds.
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
        """Return the posterior density of the difference on a grid.

        Returns
        -------
        grid, density : ndarray
            The exact density of a closed form, or a smooth estimate from draws.
        """
        return density_of(self.posterior) if self.curve is None else self.curve

    def provenance(self):
        """Return the provenance of the numbers as a dict, without `settings`."""
        return super().provenance(posterior=self.method)

    @property
    def _region(self):
        return "[{:g}, {:g}]".format(*self.rope)

    @property
    def _level(self):
        return f"{100 * self.credible_level:g} %"

    def verdict(self):
        """Return the decision about the two models.

        Returns
        -------
        str
            A sentence.
        """
        return DECISIONS[self.decision][1]

    def sentence(self):
        """Return the result as a sentence suitable for a paper.

        Returns
        -------
        str
            The most probable of three claims with its probability, the interval and
            the decision. A posterior that is a single point has no probabilities.
        """
        (a, b), (low, high) = self._models, self.rope
        draws = "" if self.n_draws is None else f"{self.n_draws:,} draws, "
        provenance = f"({self.test}, {self.method}, {draws}{self._size})"
        region = f"the region of practical equivalence, {self._region}"
        if self._is_point:
            return (
                f"In {self.scoring}, the posterior of {a} minus {b} is a single point, "
                f"{format_number(self.posterior_mean, '+')} {provenance}. It shows "
                f"nothing about {region}: {self.verdict()}{self._caution}"
            )
        margins = [f" by more than {m:g}" if m else "" for m in (high, -low)]
        better, equivalent, worse = self.probabilities
        claims = {
            f"{a} is better than {b}{margins[0]}": better,
            f"{b} is better than {a}{margins[1]}": worse,
            f"{a} minus {b} lies in {self._region}": equivalent,
        }
        claim = max(claims, key=claims.get)
        position, _ = DECISIONS[self.decision]
        probability = format_probability(claims[claim])
        return (
            f"In {self.scoring}, {claim} with probability {probability} {provenance}. "
            f"The {self._level} highest-density interval of the difference, "
            f"{bracket(self.hdi)}, {position} {region}: {self.verdict()}{self._caution}"
        )

    @property
    def _is_point(self):
        """Whether the posterior is a single point, which decides nothing."""
        low, high = self.posterior.min(), self.posterior.max()
        return self.decision == "?" and bool(low == high)

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
        for (claim, p), shown in zip(claims.items(), self.probabilities, strict=True):
            exact = self.n_draws is None
            error = 0 if exact else monte_carlo_error(p, len(self.posterior))
            precision = f"+/- {error:.1g} (Monte Carlo)" if error else ""
            rows.append((claim, format_probability(shown), precision))
        rows.append(("decision", "", self.decision))
        if self.n_undefined:
            rows.append(("undefined", f"{self.n_undefined:,}", "draws"))
        return [Table(rows, ("quantity", "value", "interval or precision"))]

    def row(self):
        """Return the result as a row of a table of several results.

        Returns
        -------
        dict of str
            Cells by column name.
        """
        better, equivalent, worse = map(format_probability, self.probabilities)
        return super().row() | {
            f"{self._level} HDI": bracket(self.hdi),
            "P(A better)": better,
            "P(equivalent)": equivalent,
            "P(B better)": worse,
            "decision": self.decision,
        }

    def notes(self):
        """Return the assumptions, the estimand and the caveats."""
        return [f"Model: {self.model}", f"Estimand: {self.estimand}", *self.caveats]

    def _display(self):
        return PosteriorDisplay.undrawn(self)


@result_class
class RegionResult(Result):
    """The region of the difference between two models, over several data sets.

    Printing it gives a sentence for a paper and two tables. `to_frame` has a row for
    each region: "better", "equivalent" and "worse". `plot` draws the frequencies of the
    three regions, one dot for each draw (:class:`RegionDisplay`).

    Attributes
    ----------
    test : str
        The name of the comparison's class.
    score_a, score_b : float
        The scores of the two models, averaged over data sets.
    delta : float
        ``score_a - score_b``.
    p_better, p_equivalent, p_worse : float
        The probabilities, which sum to 1, that differences above, inside and below
        `rope` are the most frequent of the three.
    shares : tuple of float
        The posterior means of the frequencies of the three regions.
    decision : {">>", "<<", "~", "?"}
        A is better, B is better, or practically equivalent, if its probability is at
        least `credible_level`; else undecided.
    rope : Rope
        The region of practical equivalence.
    credible_level : float
        The probability required for a decision.
    n_datasets : int
        The number of data sets.
    n_draws : int
        The number of draws.
    prior : float or None
        The weight of the prior, if it can be set.
    seed : int
        Passing it as `random_state` reproduces the run, even if that was None.
    name_a, name_b : str
        The names of the models.
    model : str
        The assumptions of the posterior, in words.
    regions : ndarray of shape (n_draws, 3)
        Draws of the frequencies of the three regions.
    caveats : tuple of str
        The caveats, also issued as warnings.
    cautions : tuple of str
        Short forms of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as passed.
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
    name_a: str = hidden(default="A")
    name_b: str = hidden(default="B")
    model: str = hidden()
    regions: np.ndarray = hidden()

    _arrays = ("regions",)
    _index = "region"

    @property
    def probabilities(self):
        """`p_better`, `p_equivalent` and `p_worse` as they are printed and drawn.

        Estimated from draws, they are never exactly 0 or 1.
        """
        return _of_draws((self.p_better, self.p_equivalent, self.p_worse), self.n_draws)

    def provenance(self):
        """Return the provenance of the numbers as a dict, without `settings`."""
        return {"test": self.test, "datasets": self.n_datasets, "seed": self.seed}

    def _claims(self):
        """Return the probability of each claim, in words."""
        low, high = self.rope
        claims = (
            f"A better by more than {high:g}",
            f"A - B in [{low:g}, {high:g}]",
            f"B better by more than {-low:g}",
        )
        return dict(zip(claims, self.probabilities, strict=True))

    def sentence(self):
        """Return the result as a sentence suitable for a paper.

        Returns
        -------
        str
            The most probable region with its probability, and the decision.
        """
        claims = self._claims()
        likely = max(claims, key=claims.get)
        probability = format_probability(claims[likely])
        models = labels_of_models(self.name_a, self.name_b)
        named = "" if models == ["A", "B"] else f"{' and '.join(models)} on "
        return (
            f"For {named}data sets like these {self.n_datasets}, the probability that "
            f"'{likely}' is the most frequent outcome is {probability} ({self.test}, "
            f"{self.n_draws:,} draws). With a required probability of "
            f"{self.credible_level:g}: {DECISIONS[self.decision][1]}{self._caution}"
        )

    def heading(self):
        """Return a short description of the comparison."""
        return (
            f"{self.name_a} against {self.name_b} on {self.n_datasets} data sets "
            f"({self.test})"
        )

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
        claims = self._claims()
        of_draws = self.p_better, self.p_equivalent, self.p_worse
        errors = [monte_carlo_error(p, self.n_draws) for p in of_draws]
        regions = {
            "region": claims,
            "probability": [format_probability(p) for p in claims.values()],
            "Monte Carlo error": [f"{error:.1g}" for error in errors],
            "share of data sets": [f"{share:.3f}" for share in self.shares],
        }
        return [
            Table(scores, ("quantity", "value")),
            Table.from_columns(regions, "Most frequent region"),
        ]

    def notes(self):
        """Return the assumptions and the caveats."""
        return [f"Model: {self.model}", *self.caveats]

    def _columns(self):
        return {
            "region": ["better", "equivalent", "worse"],
            "probability": [self.p_better, self.p_equivalent, self.p_worse],
            "share": self.shares,
        }

    def _display(self):
        return RegionDisplay.undrawn(self)
