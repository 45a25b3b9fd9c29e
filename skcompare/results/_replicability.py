"""In how many data sets a difference was found."""

import dataclasses

import numpy as np

from skcompare._format import format_pvalue
from skcompare._optional import optional_import
from skcompare.display import ReplicabilityDisplay
from skcompare.results._base import Result, hidden
from skcompare.results._table import Table

__all__ = ["ReplicabilityResult"]

_ESTIMATORS = {"any": "Bonferroni", "independent": "Fisher"}


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class ReplicabilityResult(Result):
    """In how many data sets, at least, there is an effect, and in which.

    Printing it gives a sentence for a paper and a small table.

    Attributes
    ----------
    k : int
        The number of data sets with an effect, at least: it is too large with a
        probability of at most `alpha`.
    rejected : tuple
        The data sets that Holm's procedure names: their names, or their positions if
        they have none. There may be fewer of them than `k` if data sets are
        independent.
    pvalues : ndarray of shape (n_datasets,)
        The p-value of each data set.
    partial_conjunction_pvalues : ndarray of shape (n_datasets,)
        For u = 1, 2, ... the p-value for "fewer than u data sets have an effect". `k`
        of them are at most `alpha`.
    names : tuple
        Names of the data sets, or their positions.
    dependence : str
        How the p-values may hang together: "any" or "independent".
    alpha : float
        The level.
    unit : str
        What the data sets are.
    test : str or None
        The test that the p-values come from, where that is known.
    caveats : tuple of str
        What to bear in mind, as warned of.
    """

    k: int
    rejected: tuple
    pvalues: np.ndarray = hidden()
    partial_conjunction_pvalues: np.ndarray = hidden()
    names: tuple = hidden()
    dependence: str = hidden()
    alpha: float = hidden()
    unit: str = hidden(default="data sets")
    test: str | None = hidden(default=None)
    caveats: tuple = hidden(default=())

    @property
    def n_datasets(self):
        """The number of data sets."""
        return len(self.pvalues)

    def _provenance(self):
        return {
            "analysis": "replicability",
            "test": self.test,
            "n": self.n_datasets,
            "dependence": self.dependence,
            "alpha": f"{self.alpha:g}",
        }

    def sentence(self):
        """Return the finding in a sentence that a paper could use.

        Returns
        -------
        str
            The number of data sets with an effect, and which they are.
        """
        named = ", ".join(map(str, self.rejected)) or "none"
        return (
            f"At the level {self.alpha:g} there is an effect in at least {self.k} of "
            f"{self.n_datasets} {self.unit} (K_{_ESTIMATORS[self.dependence]}). "
            f"Holm's procedure names: {named}."
        )

    def _table(self):
        """Return the rows of the small table: data set, p-value, verdict."""
        return [
            (
                str(name),
                format_pvalue(pvalue),
                "effect" if name in self.rejected else "",
            )
            for name, pvalue in zip(self.names, self.pvalues, strict=True)
        ]

    def heading(self):
        """Return what was compared, in a few words."""
        return f"{self.n_datasets} {self.unit}"

    def tables(self):
        """Return the data sets with their p-values.

        Returns
        -------
        list of Table
            One table.
        """
        return [Table(self._table(), (self.unit, "p-value", "Holm's procedure"))]

    def _notes(self):
        hypotheses = f"H0(u): fewer than u of the {self.unit} have an effect"
        how = {
            "any": "The p-values may depend on one another in any way.",
            "independent": "The p-values are taken as independent.",
        }[self.dependence]
        return [hypotheses, how, *self.caveats]

    def to_dict(self):
        """Return all numbers as a dict that `json.dumps` takes.

        Returns
        -------
        dict
            The fields of this result, `n_datasets` and `signature`.
        """
        return super().to_dict() | {"n_datasets": self.n_datasets}

    def to_frame(self):
        """Return the p-values as a pandas DataFrame with one row per data set.

        Returns
        -------
        pandas.DataFrame
            P-values and whether Holm's procedure rejects, indexed by data set.
        """
        pd = optional_import("pandas", "all")
        rejected = [name in self.rejected for name in self.names]
        index = pd.Index(self.names, name="data set")
        return pd.DataFrame({"pvalue": self.pvalues, "rejected": rejected}, index=index)

    def plot(self, ax=None, **kwargs):
        """Draw the p-values for an effect in at least 1, 2, ... data sets.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **kwargs : dict
            Passed on to `ReplicabilityDisplay.plot`.

        Returns
        -------
        ReplicabilityDisplay
            The display, drawn.
        """
        return ReplicabilityDisplay.from_result(self, ax=ax, **kwargs)
