"""What a Bayesian comparison over several data sets found."""

import dataclasses

import numpy as np

from skcompare._format import format_number, format_probability
from skcompare._optional import optional_import
from skcompare.display import RegionDisplay
from skcompare.results._base import Result, hidden
from skcompare.stats import Rope, monte_carlo_error

__all__ = ["RegionResult"]


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class RegionResult(Result):
    """In which region the difference of two models falls, over data sets.

    Printing it gives a sentence for a paper and a small table.

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
        least `decision_probability`. Undecided, if nothing has.
    rope : Rope
        The region of practical equivalence.
    decision_probability : float
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

    _bulky = ("regions",)

    test: str
    score_a: float
    score_b: float
    delta: float
    p_better: float
    p_equivalent: float
    p_worse: float
    shares: tuple
    decision: str
    rope: Rope
    decision_probability: float = hidden()
    n_datasets: int = hidden()
    n_draws: int = hidden()
    prior: float | None = hidden(default=None)
    seed: int = hidden()
    model: str = hidden()
    regions: np.ndarray = hidden()
    caveats: tuple = hidden(default=())

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
            f"{self.n_draws:,} draws). With {self.decision_probability:g} required: "
            f"{verdict}"
        )

    def _shown(self, p):
        least = 0.5 / self.n_draws
        return format_probability(min(max(p, least), 1 - least))

    def _table(self):
        """Return the rows of the small table: label, probability, share."""
        scores = [
            ("mean score A", format_number(self.score_a), ""),
            ("mean score B", format_number(self.score_b), ""),
            ("A - B", format_number(self.delta, "+"), ""),
        ]
        pairs = zip(self._probabilities().items(), self.shares, strict=True)
        return scores + [
            (
                region,
                self._shown(p),
                f"+/- {monte_carlo_error(p, self.n_draws):.1g} (Monte Carlo); share of "
                f"data sets {share:.3f}",
            )
            for (region, p), share in pairs
        ]

    def _notes(self):
        return [f"Model: {self.model}", *self.caveats]

    def to_frame(self):
        """Return the probabilities and shares as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per region: "better", "equivalent" and "worse".
        """
        pd = optional_import("pandas", "all")
        columns = {
            "probability": [self.p_better, self.p_equivalent, self.p_worse],
            "share": self.shares,
        }
        index = pd.Index(["better", "equivalent", "worse"], name="region")
        return pd.DataFrame(columns, index=index)

    def plot(self, ax=None, **kwargs):
        """Draw how frequent the three regions are, a dot for each draw.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **kwargs : dict
            Passed on to `RegionDisplay.plot`.

        Returns
        -------
        RegionDisplay
            The display, drawn.
        """
        return RegionDisplay.from_result(self, ax=ax, **kwargs)
