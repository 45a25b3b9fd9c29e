"""The result of a Bayesian comparison over several data sets."""

import numpy as np

from skcompare._format import format_number, format_probability
from skcompare.results._base import Result, hidden, result_class
from skcompare.results._document import Table
from skcompare.results.displays import RegionDisplay
from skcompare.stats.posterior import Rope
from skcompare.stats.pvalues import monte_carlo_error


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

    def _provenance(self):
        return {
            "test": self.test,
            "datasets": self.n_datasets,
            "draws": self.n_draws,
            "seed": self.seed,
            "prior": self.prior,
            "rope": "{:g}..{:g}".format(*self.rope),
        }

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
        verdict = {
            ">>": "A is better.",
            "<<": "B is better.",
            "~": "A and B are practically equivalent.",
            "?": "undecided.",
        }[self.decision]
        return (
            f"Over data sets like these {self.n_datasets}, '{likely}' is the most "
            f"frequent with probability {self._shown(claims[likely])} ({self.test}, "
            f"{self.n_draws:,} draws). With {self.credible_level:g} required: "
            f"{verdict}"
        )

    def _shown(self, p):
        least = 0.5 / self.n_draws
        return format_probability(min(max(p, least), 1 - least))

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
            ("A - B", format_number(self.delta, "+")),
        ]
        pairs = zip(self._probabilities().items(), self.shares, strict=True)
        regions = [
            (
                region,
                self._shown(p),
                f"{monte_carlo_error(p, self.n_draws):.1g}",
                f"{share:.3f}",
            )
            for (region, p), share in pairs
        ]
        heads = "region", "probability", "Monte Carlo error", "share of data sets"
        return [
            Table(scores, ("quantity", "value")),
            Table(regions, heads, "Which region is the most frequent"),
        ]

    def notes(self):
        """Return what was assumed, and what to bear in mind.

        Returns
        -------
        list of str
            A line each.
        """
        return [f"Model: {self.model}", *self.caveats]

    def _columns(self):
        return {
            "region": ["better", "equivalent", "worse"],
            "probability": [self.p_better, self.p_equivalent, self.p_worse],
            "share": self.shares,
        }

    def _display(self):
        return RegionDisplay.undrawn(self)
