"""Results over several data sets or blocks: omnibus tests, ranks, replicability."""

import numpy as np

from skcompare._format import format_number, format_pvalue
from skcompare._parameters import OneOf
from skcompare.results._base import (
    DIFFER,
    Result,
    ScoredResult,
    effect_rows,
    hidden,
    result_class,
)
from skcompare.results._document import Table
from skcompare.results._pairwise import PairwiseResult
from skcompare.results.displays._lines import (
    CriticalDifferenceDisplay,
    ForestDisplay,
    ReplicabilityDisplay,
)


@result_class
class OmnibusResult(ScoredResult):
    """The result of an omnibus test for any difference between several models.

    Printing it gives a sentence for a paper and two tables. `to_frame` has a row for
    each model, with its score and mean rank. `plot` draws the mean ranks
    (:class:`CriticalDifferenceDisplay`), or the scores if there are no ranks
    (:class:`ForestDisplay`).

    Attributes
    ----------
    test : str
        The name of the test's class.
    statistic : float
        The test statistic.
    pvalue : float
        The p-value.
    df : int or tuple of int
        The degrees of freedom of the chi-square statistic, or both of the F statistic.
    names : tuple of str
        The names of the models.
    scores : ndarray of shape (n_models,)
        The score of each model: on all rows, or averaged over blocks. Higher is better.
    mean_ranks : ndarray of shape (n_models,) or None
        The rank of each model, averaged over blocks; 1 is best.
    n_rows : int
        The number of blocks: rows, data sets or folds.
    unit : str
        The name of the blocks, in the plural.
    n_distinct, n_units, n_strata, weighted, metrics : object
        As in other results; here they have their default values, since blocks are
        independent and equally weighted.
    scoring : str
        The name of the scores.
    method : str
        The variant of the test.
    cv : str
        The source of predictions or scores: "prefit", "predictions", "scores" or the
        splitter.
    hypothesis : str
        The null hypothesis in words.
    effect_size : dict
        Effect sizes, by name.
    alpha : float
        The level of the decision.
    seed : int or None
        Always None: there are no random draws.
    caveats : tuple of str
        The caveats, also issued as warnings.
    cautions : tuple of str
        Short forms of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as passed.
    """

    statistic: float
    pvalue: float
    df: int | tuple
    names: tuple
    scoring: str = hidden(default="score")
    scores: np.ndarray = hidden()
    mean_ranks: np.ndarray | None = hidden(default=None)
    method: str = hidden()
    hypothesis: str = hidden()
    effect_size: dict = hidden()
    alpha: float = hidden()

    # The test does not identify which models differ.
    critical_difference = None
    indistinguishable = None

    _derived = "significant signature"
    _index = "model"

    @property
    def significant(self):
        """Whether the p-value is at most `alpha`."""
        return self.pvalue <= self.alpha

    @property
    def _symbol(self):
        return "F" if isinstance(self.df, tuple) else "chi2"

    def provenance(self):
        """Return the provenance of the numbers as a dict, without `settings`."""
        return super().provenance(models=len(self.names), method=self.method)

    def sentence(self):
        """Return the result as a sentence suitable for a paper.

        Returns
        -------
        str
            The models, statistic, p-value and verdict.
        """
        df = self.df if isinstance(self.df, tuple) else (self.df,)
        return (
            f"{len(self.names)} models on {self._size}: "
            f"{self._symbol}({', '.join(map(str, df))}) = "
            f"{format_number(self.statistic)}, "
            f"p = {format_pvalue(self.pvalue)} ({self.test}). "
            f"The models {DIFFER[bool(self.significant)]} at the level {self.alpha:g}."
            f"{self._caution}"
        )

    def heading(self):
        """Return a short description of the comparison."""
        return f"{len(self.names)} models in {self.scoring} ({self.test})"

    def tables(self):
        """Return the models, and the result of the test.

        Returns
        -------
        list of Table
            Two tables.
        """
        models = {"model": self.names, self.scoring: map(format_number, self.scores)}
        if self.mean_ranks is not None:
            models["mean rank"] = [f"{rank:.3f}" for rank in self.mean_ranks]
        values = [
            (self._symbol, format_number(self.statistic)),
            ("p-value", format_pvalue(self.pvalue)),
            *effect_rows(self.effect_size),
        ]
        return [
            Table.from_columns(models, "Models"),
            Table(values, ("quantity", "value"), "Test of all models"),
        ]

    def notes(self):
        """Return the hypothesis, explanations and caveats."""
        remark = (
            "The test does not show which models differ. Pairwise tests do, corrected "
            "for multiple comparisons."
        )
        return [f"H0: {self.hypothesis}", remark, *self.caveats]

    def _columns(self):
        columns = {"model": self.names, "score": self.scores}
        if self.mean_ranks is not None:
            columns["mean_rank"] = self.mean_ranks
        return columns

    def _display(self):
        if self.mean_ranks is not None:
            return CriticalDifferenceDisplay.undrawn(self)
        no_intervals = np.full((len(self.names), 2), np.nan)
        return ForestDisplay(
            self.names, self.scores, no_intervals, reference=None, xlabel=self.scoring
        )


@result_class
class RankResult(PairwiseResult):
    """The results of tests of mean ranks for pairs of several models.

    Has all methods of a :class:`PairwiseResult`. `to_frame` has a column
    `replicability` if results of data sets were passed.

    Attributes
    ----------
    test : str
        The name of the test's class.
    scoring : str
        The name of the metric. Higher is better.
    names : tuple of str
        The names of the models.
    scores : ndarray of shape (n_models,)
        Their scores, averaged over data sets. They do not affect any decision.
    pairs : tuple of tuple of str
        The pairs (a, b) that were compared.
    deltas : ndarray of shape (n_pairs,)
        The mean rank of b minus that of a: positive if a is better.
    intervals : ndarray of shape (n_pairs, 2)
        Confidence intervals for the differences, nan if the test provides none.
    interval_kind : str or None
        "nemenyi" and "bonferroni" intervals hold simultaneously for all pairs with
        probability `confidence_level`, "marginal" ones only individually. None if
        there are no intervals.
    pvalues, pvalues_adjusted : ndarray of shape (n_pairs,)
        The p-values of the pairs, and those adjusted by `correction`.
    correction : str
        How the p-values were adjusted for multiple comparisons.
    baseline : str or None
        The model that all others are compared with; None if all pairs are compared.
    confidence_set_pvalues : ndarray of shape (n_models,) or None
        For a bootstrap, the p-values of the Model Confidence Set: how compatible the
        data are with each model being among the best.
    alternative : str
        The alternative hypothesis.
    alpha : float
        The level of decisions.
    confidence_level : float or None
        The nominal coverage of the intervals, simultaneous unless marginal.
    n_rows : int
        The number of data sets.
    unit : str
        The name of the units counted: "data sets".
    n_distinct, n_units, n_strata, weighted, metrics : object
        As in :class:`PairwiseResult`; here they have their default values, since data
        sets are independent and equally weighted.
    n_resamples : int, "ideal" or None
        The number of resamples.
    cv : str
        The source of predictions: "prefit", "predictions" or the splitter.
    seed : int or None
        Passing it as `random_state` reproduces the run, even if that was None.
    hypothesis : str
        The null hypothesis of each pair in words.
    estimand : str
        The quantity that each difference estimates, in words.
    caveats : tuple of str
        The caveats, also issued as warnings.
    cautions : tuple of str
        Short forms of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as passed.
    results : tuple of ComparisonResult
        The results of the pairs, before any correction.
    mean_ranks : ndarray of shape (n_models,)
        The rank of each model, averaged over data sets; 1 is best.
    critical_difference : float
        The smallest difference in mean ranks that is significant: from Nemenyi's test,
        from Bonferroni's correction for other corrections, or from a single pair for
        no correction. With stepwise corrections, smaller differences can be
        significant.
    omnibus : OmnibusResult
        The test for any difference between the models.
    replicability : ndarray of int, shape (n_pairs,), or None
        A lower bound on the number of data sets in which the models of a pair differ,
        if results of data sets were passed.
    """

    mean_ranks: np.ndarray = hidden()
    critical_difference: float = hidden()
    omnibus: OmnibusResult = hidden()
    replicability: np.ndarray | None = hidden(default=None)

    _arrays = ("results", "omnibus")
    _delta_name = "rank of b - rank of a"

    # Not defined here: intervals are for mean ranks, which depend on all models.
    best_intervals = None

    @property
    def _order(self):
        return np.argsort(self.mean_ranks, kind="stable")

    def _value(self, model):
        return f"{self.mean_ranks[model]:.3f}"

    def notes(self):
        """Return the hypothesis, explanations and caveats."""
        notes = [
            *super().notes(),
            "Differences: the mean rank of b minus that of a, positive if a is better.",
            f"Critical difference: {self.critical_difference:.3f}.",
        ]
        if not self.omnibus.significant:
            notes.append(
                "The omnibus test shows no significant difference between the models, "
                f"p = {format_pvalue(self.omnibus.pvalue)}: interpret single pairs "
                "with caution."
            )
        return notes

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
            The axes to draw on; a new figure if None.
        kind : {"critical_difference", "heatmap", "forest"}, \
                default="critical_difference"
            The models on an axis of mean ranks; or as in `PairwiseResult.plot`.
        **kwargs : dict
            Passed to the `plot` method of the display.

        Returns
        -------
        CriticalDifferenceDisplay, PValueHeatmapDisplay or ForestDisplay
            The display, drawn.
        """
        OneOf("critical_difference", "heatmap", "forest").check("kind", kind)
        if kind != "critical_difference":
            return super().plot(ax, kind=kind, **kwargs)
        return CriticalDifferenceDisplay.from_result(self, ax=ax, **kwargs)


# By the dependence of p-values: the estimator of `k`, and the assumption in words.
DEPENDENCE = {
    "any": ("Bonferroni", "The p-values may depend on one another in any way."),
    "independent": ("Fisher", "The p-values are assumed to be independent."),
}


@result_class
class ReplicabilityResult(Result):
    """A lower bound on the number of data sets with an effect, and which they are.

    Printing it gives a sentence for a paper and a table. `to_frame` has a row for each
    data set, with its p-value and whether Holm's procedure rejects. `plot` draws the
    p-values for an effect in at least 1, 2, ... data sets
    (:class:`ReplicabilityDisplay`).

    Attributes
    ----------
    k : int
        A lower bound on the number of data sets with an effect: it is too large with
        probability at most `alpha`.
    rejected : tuple
        The data sets in which Holm's procedure finds an effect: their names, or their
        positions if they have none. There may be fewer than `k` if data sets are
        independent.
    pvalues : ndarray of shape (n_datasets,)
        The p-value of each data set.
    partial_conjunction_pvalues : ndarray of shape (n_datasets,)
        For u = 1, 2, ... the p-value for "fewer than u data sets have an effect". `k`
        of them are at most `alpha`.
    names : tuple
        Names of the data sets, or their positions.
    dependence : str
        The assumed dependence of the p-values: "any" or "independent".
    alpha : float
        The level.
    unit : str
        The name of the data sets, in the plural.
    test : str or None
        The test that the p-values come from, if any.
    caveats : tuple of str
        The caveats, also issued as warnings.
    cautions : tuple of str
        Short forms of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as passed.
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

    _derived = "n_datasets signature"
    _index = "data set"

    @property
    def n_datasets(self):
        """The number of data sets."""
        return len(self.pvalues)

    def provenance(self):
        """Return the provenance of the numbers as a dict, without `settings`."""
        return {
            "analysis": "replicability",
            "test": self.test,
            "n": self.n_datasets,
            "dependence": self.dependence,
            "alpha": f"{self.alpha:g}",
        }

    def sentence(self):
        """Return the result as a sentence suitable for a paper.

        Returns
        -------
        str
            The lower bound and the data sets in which an effect was found.
        """
        named = ", ".join(map(str, self.rejected)) or "none"
        estimator, _ = DEPENDENCE[self.dependence]
        shown = f"there is an effect in at least {self.k} of {self.n_datasets}"
        if not self.k:
            shown = f"no effect was shown in any of {self.n_datasets}"
        return (
            f"At the level {self.alpha:g} {shown} {self.unit} (K_{estimator}). "
            f"Holm's procedure finds an effect in these {self.unit}: {named}."
        )

    def heading(self):
        """Return a short description of the comparison."""
        return f"{self.n_datasets} {self.unit}"

    def tables(self):
        """Return the data sets with their p-values.

        Returns
        -------
        list of Table
            One table.
        """
        columns = {
            self.unit: map(str, self.names),
            "p-value": map(format_pvalue, self.pvalues),
            "Holm's procedure": [
                "effect" if name in self.rejected else "" for name in self.names
            ],
        }
        return [Table.from_columns(columns)]

    def notes(self):
        """Return the hypothesis, explanations and caveats."""
        hypotheses = f"H0(u): fewer than u of the {self.unit} have an effect"
        _, assumption = DEPENDENCE[self.dependence]
        return [hypotheses, assumption, *self.caveats]

    def _columns(self):
        rejected = [name in self.rejected for name in self.names]
        return {"data set": self.names, "pvalue": self.pvalues, "rejected": rejected}

    def _display(self):
        return ReplicabilityDisplay.undrawn(self)
