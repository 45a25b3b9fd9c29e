"""In how many data sets there is a difference."""

import numpy as np

from skcompare._format import format_pvalue
from skcompare.results._base import Result, hidden, result_class
from skcompare.results._document import Table
from skcompare.results.displays import ReplicabilityDisplay

_ESTIMATORS = {"any": "Bonferroni", "independent": "Fisher"}


@result_class
class ReplicabilityResult(Result):
    """In how many data sets, at least, there is an effect, and in which.

    Printing it gives a sentence for a paper and a table. `to_frame` has a row for each
    data set, with its p-value and whether Holm's procedure rejects. `plot` draws the
    p-values for an effect in at least 1, 2, ... data sets
    (:class:`ReplicabilityDisplay`).

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
        The test that the p-values come from, where there is one.
    caveats : tuple of str
        What to bear in mind, as warned of.
    """

    test: str | None = hidden(default=None)
    k: int
    rejected: tuple
    pvalues: np.ndarray = hidden()
    partial_conjunction_pvalues: np.ndarray = hidden()
    names: tuple = hidden()
    dependence: str = hidden()
    alpha: float = hidden()
    unit: str = hidden(default="data sets")

    _derived = ("n_datasets",)
    _index = "data set"

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
        named = ["effect" if name in self.rejected else "" for name in self.names]
        pvalues = map(format_pvalue, self.pvalues)
        rows = list(zip(map(str, self.names), pvalues, named, strict=True))
        return [Table(rows, (self.unit, "p-value", "Holm's procedure"))]

    def notes(self):
        """Return what was tested, and what to bear in mind.

        Returns
        -------
        list of str
            A line each.
        """
        hypotheses = f"H0(u): fewer than u of the {self.unit} have an effect"
        how = {
            "any": "The p-values may depend on one another in any way.",
            "independent": "The p-values are taken as independent.",
        }[self.dependence]
        return [hypotheses, how, *self.caveats]

    def _columns(self):
        rejected = [name in self.rejected for name in self.names]
        return {
            "data set": self.names,
            "pvalue": self.pvalues,
            "rejected": rejected,
        }

    def _display(self):
        return ReplicabilityDisplay.undrawn(self)
