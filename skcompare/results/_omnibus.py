"""Results over several data sets or blocks: one test of all, ranks, replicability."""

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
    """The result of one test whether several models differ at all.

    Printing it gives a sentence for a paper and two tables. `to_frame` has a row for
    each model, with its score and mean rank. `plot` draws the mean ranks
    (:class:`CriticalDifferenceDisplay`), or the scores where there are no ranks
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
        The degrees of freedom of a chi-square, or the two of an F.
    names : tuple of str
        What the models are called.
    scores : ndarray of shape (n_models,)
        The score of each model: on all rows, or averaged over blocks. Higher is better.
    mean_ranks : ndarray of shape (n_models,) or None
        The rank of each model, averaged over blocks; 1 is best.
    n_rows : int
        The number of blocks: of rows, data sets or folds.
    unit : str
        What the blocks are.
    scoring : str
        What the scores are.
    method : str
        The variant of the test.
    cv : str
        Where predictions or scores come from: "prefit", "predictions", "scores" or the
        splitter.
    hypothesis : str
        The null hypothesis in words.
    effect_size : dict
        Sizes of the effect, by name.
    alpha : float
        The level of the decision.
    seed : int or None
        None: nothing is drawn.
    caveats : tuple of str
        What to bear in mind, as warned of.
    cautions : tuple of str
        A few words on each of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as they were passed.
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

    # Which models differ, the test does not say.
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
        """Return how the numbers came about, as a dict, besides `settings`."""
        return super().provenance(models=len(self.names), method=self.method)

    def sentence(self):
        """Return the finding in a sentence that a paper could use.

        Returns
        -------
        str
            Models, statistic, p-value and verdict.
        """
        df = self.df if isinstance(self.df, tuple) else (self.df,)
        return (
            f"{len(self.names)} models on {self.n_rows:,} {self.unit}: "
            f"{self._symbol}({', '.join(map(str, df))}) = "
            f"{format_number(self.statistic)}, "
            f"p = {format_pvalue(self.pvalue)} ({self.test}). "
            f"The models {DIFFER[bool(self.significant)]} at the level {self.alpha:g}."
            f"{self._caution}"
        )

    def heading(self):
        """Return what was compared, in a few words."""
        return f"{len(self.names)} models in {self.scoring} ({self.test})"

    def tables(self):
        """Return the models, and what the test gave.

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
        """Return what was tested, and what to bear in mind."""
        which = (
            "The test does not say which models differ. Tests of pairs do, corrected "
            "for their number."
        )
        return [f"H0: {self.hypothesis}", which, *self.caveats]

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
    `replicability` where results of data sets were passed.

    Attributes
    ----------
    test : str
        The name of the test's class.
    scoring : str
        The name of the metric. Higher is better.
    names : tuple of str
        What the models are called.
    scores : ndarray of shape (n_models,)
        Their scores, averaged over data sets. They decide nothing.
    pairs : tuple of tuple of str
        The pairs (a, b) that were compared.
    deltas : ndarray of shape (n_pairs,)
        The mean rank of b less that of a: positive if a is better.
    intervals : ndarray of shape (n_pairs, 2)
        Confidence intervals for the differences, nan where the test gives none.
    interval_kind : str or None
        "nemenyi" and "bonferroni" intervals hold for all pairs at once with the
        probability `confidence_level`, "marginal" ones each for itself. None if there
        are none.
    pvalues, pvalues_adjusted : ndarray of shape (n_pairs,)
        The p-values of the pairs, and the same adjusted by `correction`.
    correction : str
        How the p-values were adjusted for multiple comparisons.
    baseline : str or None
        The model that all others were compared with; None if all pairs were compared.
    confidence_set_pvalues : ndarray of shape (n_models,) or None
        For a bootstrap, how well the data agree with each model's being among the
        best: the p-values of the Model Confidence Set.
    alternative : str
        The alternative hypothesis.
    alpha : float
        The level of decisions.
    confidence_level : float or None
        The nominal coverage of the intervals, of all together unless marginal.
    n_rows : int
        The number of rows.
    unit : str
        What is counted as rows.
    n_resamples : int, "ideal" or None
        The number of resamples.
    cv : str
        Where predictions come from: "prefit", "predictions" or the splitter.
    seed : int or None
        Passing it as `random_state` repeats the run, also where that was None.
    hypothesis : str
        The null hypothesis of each pair in words.
    caveats : tuple of str
        What to bear in mind, as warned of.
    cautions : tuple of str
        A few words on each of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as they were passed.
    results : tuple of ComparisonResult
        The results of the pairs, before any correction.
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
    _delta_name = "rank of b - rank of a"

    # Intervals are for mean ranks, of which all depend on all others.
    best_intervals = None

    @property
    def _order(self):
        return np.argsort(self.mean_ranks, kind="stable")

    def _value(self, model):
        return f"{self.mean_ranks[model]:.3f}"

    def notes(self):
        """Return what was tested, and what to bear in mind."""
        notes = [
            *super().notes(),
            "Differences: the mean rank of b less that of a, positive if a is better.",
            f"Critical difference: {self.critical_difference:.3f}.",
        ]
        if not self.omnibus.significant:
            notes.append(
                "By the test of all models at once they are not significantly "
                f"different, p = {format_pvalue(self.omnibus.pvalue)}: be careful with "
                "single pairs."
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
        OneOf("critical_difference", "heatmap", "forest").check("kind", kind)
        if kind != "critical_difference":
            return super().plot(ax, kind=kind, **kwargs)
        return CriticalDifferenceDisplay.from_result(self, ax=ax, **kwargs)


# By how p-values may depend on each other: the estimator of `k`, and what is assumed.
DEPENDENCE = {
    "any": ("Bonferroni", "The p-values may depend on one another in any way."),
    "independent": ("Fisher", "The p-values are taken as independent."),
}


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
        How the p-values may depend on each other: "any" or "independent".
    alpha : float
        The level.
    unit : str
        What the data sets are.
    test : str or None
        The test that the p-values come from, where there is one.
    caveats : tuple of str
        What to bear in mind, as warned of.
    cautions : tuple of str
        A few words on each of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as they were passed.
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
        """Return how the numbers came about, as a dict, besides `settings`."""
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
        estimator, _ = DEPENDENCE[self.dependence]
        return (
            f"At the level {self.alpha:g} there is an effect in at least {self.k} of "
            f"{self.n_datasets} {self.unit} (K_{estimator}). "
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
        columns = {
            self.unit: map(str, self.names),
            "p-value": map(format_pvalue, self.pvalues),
            "Holm's procedure": [
                "effect" if name in self.rejected else "" for name in self.names
            ],
        }
        return [Table.from_columns(columns)]

    def notes(self):
        """Return what was tested, and what to bear in mind."""
        hypotheses = f"H0(u): fewer than u of the {self.unit} have an effect"
        _, assumption = DEPENDENCE[self.dependence]
        return [hypotheses, assumption, *self.caveats]

    def _columns(self):
        rejected = [name in self.rejected for name in self.names]
        return {"data set": self.names, "pvalue": self.pvalues, "rejected": rejected}

    def _display(self):
        return ReplicabilityDisplay.undrawn(self)
