"""The result of comparisons of mean ranks over several data sets."""

import numpy as np

from skcompare._format import format_pvalue
from skcompare._validation import check_option
from skcompare.results._base import hidden, result_class
from skcompare.results._omnibus import OmnibusResult
from skcompare.results._pairwise import PairwiseResult
from skcompare.results.displays import CriticalDifferenceDisplay


@result_class
class RankResult(PairwiseResult):
    """The results of tests of mean ranks for pairs of several models.

    Has all that a :class:`PairwiseResult` has. The difference `delta` of a pair (a, b)
    is the mean rank of b less that of a: positive if a is better. `scores` are averages
    over data sets, and do not decide anything. `to_frame` has a column `replicability`
    where results of data sets were passed.

    Attributes
    ----------
    mean_ranks : ndarray of shape (n_models,)
        The rank of each model, averaged over data sets; 1 is best.
    critical_difference : float
        The difference in mean ranks from which on two models are significantly
        different: that of Nemenyi's test, that of Bonferroni's correction for others,
        or that of a single pair for none. With corrections in steps, models that are
        closer can be significantly different.
    omnibus : OmnibusResult
        The test whether the models differ at all.
    replicability : ndarray of int, shape (n_pairs,), or None
        In how many data sets, at least, the models of a pair differ; where results of
        data sets were passed.
    """

    mean_ranks: np.ndarray = hidden()
    critical_difference: float = hidden()
    omnibus: OmnibusResult = hidden()
    replicability: np.ndarray | None = hidden(default=None)

    _arrays = ("results", "omnibus")

    @property
    def _order(self):
        return np.argsort(self.mean_ranks, kind="stable")

    def _value(self, model):
        return f"{self.mean_ranks[model]:.3f}"

    @property
    def _value_name(self):
        return "mean rank"

    def notes(self):
        """Return what was tested, and what to bear in mind.

        Returns
        -------
        list of str
            A line each.
        """
        notes = [
            *super().notes(),
            "Differences are in mean rank, of B less A: positive if A ranks better. "
            f"Critical difference: {self.critical_difference:.3f}.",
        ]
        if self.omnibus.significant:
            return notes
        return [
            *notes,
            "The test of all models at once does not show that they differ, "
            f"p = {format_pvalue(self.omnibus.pvalue)}: be careful with single pairs.",
        ]

    def _columns(self):
        columns = super()._columns()
        if self.replicability is not None:
            columns["replicability"] = self.replicability
        return columns

    def plot(self, ax=None, *, kind="critical_difference", **kwargs):
        """Draw the mean ranks, or the pairs.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        kind : {"critical_difference", "heatmap", "forest"}, \
                default="critical_difference"
            Models on a line by their mean ranks; or as in `PairwiseResult.plot`.
        **kwargs : dict
            Passed on to the `plot` of the display.

        Returns
        -------
        CriticalDifferenceDisplay, PValueHeatmapDisplay or ForestDisplay
            The display, drawn.
        """
        check_option("kind", kind, ("critical_difference", "heatmap", "forest"))
        if kind != "critical_difference":
            return super().plot(ax, kind=kind, **kwargs)
        return CriticalDifferenceDisplay.from_result(self, ax=ax, **kwargs)
