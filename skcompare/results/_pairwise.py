"""The result of pairwise comparisons of several models."""

import numpy as np

from skcompare._format import (
    bracket,
    format_count,
    format_number,
    format_pvalue,
    optional_import,
)
from skcompare._parameters import OneOf
from skcompare.results._base import ScoredResult, hidden, result_class
from skcompare.results._document import Table
from skcompare.results.displays._lines import ForestDisplay
from skcompare.results.displays._matrix import PValueHeatmapDisplay
from skcompare.stats.model_sets import compact_letters, indistinct_groups
from skcompare.stats.selection import intervals_with_best

# Maximum number of pairs to print; `to_frame` has all of them.
MOST_PAIRS = 15

# Quantiles determined by at most this many resamples are unstable.
FEWEST_OUTERMOST = 5

CORRECTION_NAMES = {
    "bonferroni": "Bonferroni's correction",
    "holm": "Holm's correction",
    "hochberg": "Hochberg's correction",
    "bh": "Benjamini and Hochberg's correction (false discovery rate)",
    "by": "Benjamini and Yekutieli's correction (false discovery rate)",
    "max-t": "the max-t step-down correction on shared resamples",
    "nemenyi": "Nemenyi's test",
    "none": "no correction",
}

INTERVAL_KINDS = {
    "max-t": "all pairs at once, by the largest studentized difference of each "
    "resample",
    "bonferroni": "all pairs at once, by Bonferroni",
    "nemenyi": "all pairs at once, by Nemenyi",
    "marginal": "each pair by itself",
}

# Corrections that adjust p-values step by step, which intervals cannot.
STEPWISE = ("holm", "hochberg", "max-t")


@result_class
class PairwiseResult(ScoredResult):
    """The results of one test for pairs of models, in one metric.

    Printing it gives a sentence for a paper and tables of models and pairs. `to_frame`
    has a row for each pair: columns `a`, `b`, `delta`, `low`, `high`, `pvalue`,
    `pvalue_adjusted` and `decision`. Arrays have an entry for each model in `names`, or
    for each pair in `pairs`.

    Attributes
    ----------
    test : str
        The name of the test's class.
    scoring : str
        The name of the metric. Higher is better.
    names : tuple of str
        The names of the models.
    scores : ndarray of shape (n_models,)
        The scores of the models.
    pairs : tuple of tuple of str
        The pairs (a, b) that were compared.
    deltas : ndarray of shape (n_pairs,)
        The score of a minus the score of b.
    intervals : ndarray of shape (n_pairs, 2)
        Confidence intervals for the differences, nan if the test provides none.
    interval_kind : str or None
        "max-t" and "bonferroni" intervals hold simultaneously for all pairs with
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
    n_rows, n_units : int
        The number of rows, and of the units (rows or groups) that were resampled. A row
        that cross-validation tested several times is counted each time in `n_rows`.
    n_distinct : int or None
        The number of distinct rows, if some were tested several times.
    unit : str
        The name of the units counted.
    n_strata : int
        The number of strata passed; 1 without strata.
    weighted : bool
        Whether rows have weights.
    n_resamples : int, "ideal" or None
        The number of resamples.
    cv : str
        The source of predictions: "prefit", "predictions" or the splitter.
    seed : int or None
        Passing it as `random_state` reproduces the run, even if that was None.
    metrics : tuple of str
        All metrics that share the draws, which depend on them.
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
    """

    names: tuple
    scores: np.ndarray = hidden()
    pairs: tuple = hidden()
    deltas: np.ndarray = hidden()
    intervals: np.ndarray = hidden()
    interval_kind: str | None = hidden(default=None)
    pvalues: np.ndarray = hidden()
    pvalues_adjusted: np.ndarray = hidden()
    correction: str
    baseline: str | None = None
    confidence_set_pvalues: np.ndarray | None = hidden(default=None)
    alternative: str = hidden()
    alpha: float = hidden()
    confidence_level: float | None = hidden(default=None)
    n_resamples: int | str | None = hidden(default=None)
    hypothesis: str = hidden()
    estimand: str = hidden()
    results: tuple = hidden(default=())

    # The name of the differences in tables.
    _delta_name = "a - b"

    _arrays = ("results",)
    _derived = (
        "ranking champion champion_set letters decisions best_intervals signature"
    )

    @property
    def significant(self):
        """Whether the adjusted p-value of each pair is at most `alpha`."""
        return self.pvalues_adjusted <= self.alpha

    @property
    def _differs_in_score(self):
        """Which pairs differ significantly in score.

        If the test is not about the mean, the mean must also differ in the same
        direction, by a t-test at the level divided by the number of pairs.
        """
        level = self.alpha / max(len(self.results), 1)
        not_in_mean = [
            result.direction is not None
            and (result.direction * result.delta <= 0 or result.mean_pvalue > level)
            for result in self.results
        ]
        return self.significant & ~np.array(not_in_mean or [False], dtype=bool)

    @property
    def decisions(self):
        """A symbol for each pair: which model is better, by the adjusted p-value.

        ">>" or ">" if a is better, "<<" or "<" if b is better; doubled for p-values of
        at most a fifth of `alpha` (0.01 for 0.05). "n.s." if the p-value is above
        `alpha`, or if a test of signs or ranks rejects but the scores do not differ in
        that direction by a t-test.
        """
        pvalues, alpha = self.pvalues_adjusted, self.alpha
        decided = self._differs_in_score & (self.deltas != 0)
        signs = np.where(self.deltas > 0, ">", "<").astype(object)
        symbols = np.where(pvalues <= alpha / 5, 2 * signs, signs)
        return tuple(np.where(decided, symbols, "n.s.").tolist())

    @property
    def ranking(self):
        """The names of the models, best score first; ties in the order of `names`."""
        return tuple(self.names[model] for model in self._order)

    @property
    def _order(self):
        return np.argsort(-self.scores, kind="stable")

    @property
    def champion(self):
        """The model with the best score.

        With a baseline, the best of the models that are significantly better than the
        baseline, or the baseline itself if there is none.
        """
        if self.baseline is None:
            return self.ranking[0]
        return next(iter(self.beating_baseline), self.baseline)

    @property
    def beating_baseline(self):
        """The models that are significantly better than the baseline, best first."""
        if self.baseline is None:
            return ()
        decided = zip(self.pairs, self.decisions, strict=True)
        beat = {a for (a, _), decision in decided if ">" in decision}
        return tuple(name for name in self.ranking if name in beat)

    @property
    def champion_set(self):
        """The champion and all models not significantly different from it, best first.

        With a baseline, all models that are significantly better than it; if there are
        none, the baseline and all models not significantly different from it.
        """
        if self.baseline is not None and self.beating_baseline:
            return self.beating_baseline
        differ = self._differ[self.names.index(self.champion)]
        return tuple(self.names[m] for m in self._order if not differ[m])

    @property
    def _differ(self):
        """Which models differ significantly, as a symmetric matrix."""
        return self._square(self._differs_in_score, self._differs_in_score) == 1

    def _square(self, values, mirrored):
        """Return a matrix with `values` at (a, b), `mirrored` at (b, a), else nan."""
        places = [[self.names.index(name) for name in pair] for pair in self.pairs]
        a, b = np.transpose(places)
        square = np.full((len(self.names), len(self.names)), np.nan)
        square[a, b], square[b, a] = values, mirrored
        return square

    @property
    def _bounds(self):
        """The lower and the upper ends of intervals, as two matrices."""
        low, high = self.intervals.T
        return self._square(low, -high), self._square(high, -low)

    @property
    def letters(self):
        """Letters for each model, by name; None with a baseline or a one-sided test.

        Two models share a letter if and only if they are not significantly different.
        A pair tested in only one direction may differ in the other.
        """
        if self.baseline is not None or self.alternative != "two-sided":
            return None
        letters = compact_letters(self._differ, self._order)
        return dict(zip(self.names, letters, strict=True))

    @property
    def indistinguishable(self):
        """The largest sets of models without a significant difference, best first.

        None with a baseline.
        """
        if self.baseline is not None:
            return None
        groups = indistinct_groups(self._differ, self._order)
        return tuple(tuple(self.names[model] for model in group) for group in groups)

    @property
    def confidence_set(self):
        """The Model Confidence Set at the level `alpha`, best first, or None.

        It contains all of the best models with a probability of about 1 - `alpha`.
        """
        if self.confidence_set_pvalues is None:
            return None
        kept = self.confidence_set_pvalues > self.alpha
        return tuple(self.names[model] for model in self._order if kept[model])

    @property
    def best_intervals(self):
        """Hsu's intervals for the lead of each model over the best of the others.

        An array of shape (n_models, 2): intervals for the score of each model minus the
        highest score of the others. They hold simultaneously with probability
        `confidence_level`, regardless of which model has the best score, because they
        are derived from simultaneous intervals for all pairs; None without those, or
        with a baseline. At that level, a model whose interval has the upper end 0 is
        not the best.
        """
        simultaneous = self.interval_kind in ("max-t", "bonferroni")
        complete = self.baseline is None and not np.isnan(self.intervals).any()
        if not simultaneous or not complete:
            return None
        lows, highs = (np.where(np.eye(len(ends)), 0, ends) for ends in self._bounds)
        return intervals_with_best(lows, highs)

    def matrix(self, column="pvalue_adjusted", *, as_frame=True):
        """Return p-values or differences as a square matrix.

        Parameters
        ----------
        column : {"pvalue_adjusted", "pvalue", "delta"}, default="pvalue_adjusted"
            The values to return.
        as_frame : bool, default=True
            Whether to return a pandas DataFrame with the names of the models as index
            and columns; False returns an array in the order of `names`.

        Returns
        -------
        DataFrame or ndarray of shape (n_models, n_models)
            The entry in row a and column b compares a with b; nan if they were not
            compared. For one-sided p-values, only one of (a, b) and (b, a) is filled.
        """
        OneOf("pvalue_adjusted", "pvalue", "delta").check("column", column)
        two_sided = 1 if self.alternative == "two-sided" else np.nan
        values, mirrored = {
            "pvalue_adjusted": (self.pvalues_adjusted, two_sided),
            "pvalue": (self.pvalues, two_sided),
            "delta": (self.deltas, -1),
        }[column]
        square = self._square(values, mirrored * values)
        if not as_frame:
            return square
        frame = optional_import("pandas").DataFrame(square, self.names, self.names)
        return frame.rename_axis(index="a", columns="b")

    def provenance(self):
        """Return the provenance of the numbers as a dict, without `settings`."""
        sizes = {"models": len(self.names), "pairs": len(self.pairs)}
        return super().provenance(**sizes, baseline=self.baseline)

    def sentence(self):
        """Return the result as a sentence suitable for a paper.

        Returns
        -------
        str
            The leading model, the models not significantly different from it, the test
            and the correction.
        """
        best, rivals = self._order[0], self.champion_set[1:]
        number = format_count(len(self.pairs), "pairs")
        about_means = not any(result.direction for result in self.results)
        directed = self.alternative == "two-sided" and about_means
        worse = "worse" if directed else "different from it"
        claim = f"All others are significantly {worse}."
        if self.baseline is not None:
            beat = ", ".join(self.beating_baseline) or "None"
            verb = "is" if len(self.beating_baseline) < 2 else "are"
            claim = f"{beat} {verb} significantly better than {self.baseline}."
        elif rivals:
            claim = f"It is not significantly different from {', '.join(rivals)}."
            if self.alternative != "two-sided":
                claim = (
                    f"It was not shown to differ from {', '.join(rivals)}, but each "
                    "pair was tested in one direction only, in the order in which the "
                    "models are named."
                )
        return (
            f"Of {len(self.names)} models on {self._size}, "
            f"{self.names[best]} has the best {self.scoring}, {self._value(best)}. "
            f"{claim} ({self.test}, "
            f"alternative {self.alternative!r}, {number}, "
            f"{CORRECTION_NAMES[self.correction]}, level {self.alpha:g}.)"
            f"{self._caution}"
        )

    def _value(self, model):
        """Return the value by which a model is ranked, as text."""
        return format_number(self.scores[model])

    def heading(self):
        """Return a short description of the comparison."""
        return f"{len(self.names)} models in {self.scoring} ({self.test})"

    def tables(self):
        """Return the models and all pairs.

        The better model of a pair comes first, unless a one-sided alternative or a
        baseline fixes the order; `pairs` and `to_frame` have the pairs as tested.

        Returns
        -------
        list of Table
            Two tables.
        """
        letters, ahead = self.letters or {}, self.best_intervals
        ahead = [None] * len(self.names) if ahead is None else ahead
        models = [
            {
                "model": self.names[model],
                self.scoring: self._value(model),
                "letters": letters.get(self.names[model], ""),
                "ahead of the best other": bracket(ahead[model]),
            }
            for model in self._order
        ]
        rank = {name: place for place, name in enumerate(self.ranking)}
        # Pairs can be reversed unless a baseline or an alternative fixes their order.
        reversible = self.baseline is None and self.alternative == "two-sided"
        size, pairs = max(abs(self.scores)), []
        for bounds, a, b, delta, low, high, pvalue, adjusted, decision, *_ in zip(
            self._bounded, *self._columns().values(), strict=True
        ):
            if reversible and rank[a] > rank[b]:
                a, b, delta, low, high = b, a, -delta, -high, -low
                decision = decision.replace("<", ">")
            pairs.append(
                {
                    "a": a,
                    "b": b,
                    self._delta_name: format_number(
                        delta, "+", size=max(abs(self.deltas)), scale=size
                    ),
                    "interval": bracket((low, high)),
                    "p-value": format_pvalue(pvalue, bound=bounds[0]),
                    "adjusted p-value": format_pvalue(adjusted, bound=bounds[1]),
                    "decision": decision,
                }
            )
        pairs.sort(key=lambda pair: sorted([rank[pair["a"]], rank[pair["b"]]]))
        n_brief = MOST_PAIRS
        if self.baseline is None and len(pairs) > MOST_PAIRS:
            n_brief = min(MOST_PAIRS, len(models) - 1)  # pairs of the champion
        as_tested = self.baseline is None and not reversible
        caption = "Pairs, as tested" if as_tested else "Pairs, best model first"
        return [
            Table.from_cells(models, "Models, best first"),
            Table.from_cells(pairs, caption, n_brief),
        ]

    @property
    def _bounded(self):
        """Whether more resamples may lower the p-value and the adjusted one, by pair.

        An adjusted p-value is a multiple of unadjusted ones, except with "max-t", which
        counts the resamples in which the largest difference exceeds.
        """
        own = [pair.pvalue_is_bound for pair in self.results]
        own = adjusted = own or [False] * len(self.pairs)
        if self.correction == "max-t":
            adjusted = self.pvalues_adjusted == 1 / (self.n_resamples + 1)
        return list(zip(own, adjusted, strict=True))

    def notes(self):
        """Return the hypothesis, explanations and caveats."""
        notes = [
            f"H0 of each pair: {self.hypothesis}",
            f"Estimand of each pair: {self.estimand}",
            f"P-values: {CORRECTION_NAMES[self.correction]}.",
        ]
        if self.baseline is None and self.alternative != "two-sided":
            side = "better" if self.alternative == "greater" else "worse"
            notes.append(
                f"Each pair was tested in one direction only: whether a is {side} than "
                "b, in the order in which the models are named. For both directions "
                f"pass `test={self.test}(alternative='two-sided')`."
            )
        if self.interval_kind is not None:
            level = f"{100 * self.confidence_level:g} %"
            kind = INTERVAL_KINDS[self.interval_kind]
            notes.append(f"Intervals: {level} for {kind}.{self._tail_warning()}")
            if self.correction in STEPWISE:
                notes.append(
                    "P-values are adjusted stepwise, which gains a little power: the "
                    "interval of a significant pair may contain 0."
                )
        if self.best_intervals is not None:
            notes.append(
                "The intervals 'ahead of the best other' hold simultaneously for all "
                "models, at the same level (Hsu)."
            )
        if self.letters is not None:
            notes.append("Models that share a letter are not significantly different.")
        if self.confidence_set is not None:
            notes.append(f"Model Confidence Set: {', '.join(self.confidence_set)}.")
        return [*notes, *self.caveats]

    def _tail_warning(self):
        """Return a warning if the ends of intervals depend on very few resamples."""
        if self.interval_kind != "bonferroni" or not isinstance(self.n_resamples, int):
            return ""
        share = (1 - self.confidence_level) / (2 * len(self.pairs))
        outermost = int(np.ceil(share * self.n_resamples))
        if outermost > FEWEST_OUTERMOST:
            return ""
        return (
            f" They depend on the outermost {format_count(outermost, 'resamples')} on "
            "either side: use more resamples, or `correction='max-t'`."
        )

    def _columns(self):
        a, b = zip(*self.pairs, strict=True)
        low, high = self.intervals.T
        return {
            "a": a,
            "b": b,
            "delta": self.deltas,
            "low": low,
            "high": high,
            "pvalue": self.pvalues,
            "pvalue_adjusted": self.pvalues_adjusted,
            "decision": self.decisions,
        }

    def plot(self, ax=None, *, kind=None, **kwargs):
        """Draw the pairs.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        kind : {"heatmap", "forest"}, default=None
            A heat map of adjusted p-values, or a forest plot of differences with their
            intervals: of all models from the baseline or, without one, of the champion
            from all others. None draws a forest with a baseline, else a heat map.
        **kwargs : dict
            Passed to the `plot` method of the display.

        Returns
        -------
        PValueHeatmapDisplay or ForestDisplay
            The display, drawn.
        """
        if kind is None:
            kind = "heatmap" if self.baseline is None else "forest"
        OneOf("heatmap", "forest").check("kind", kind)
        if kind == "heatmap":
            return PValueHeatmapDisplay.from_result(self, ax=ax, **kwargs)
        return self._display().plot(ax=ax, **kwargs)

    def _display(self):
        """Return a display of all models against the baseline or the champion."""
        # All others minus the baseline or, without one, the champion minus all others.
        first = self.baseline is None
        reference = self.names.index(self.champion if first else self.baseline)
        others = [m for m in self._order if m != reference]
        pairs = [(reference, m) if first else (m, reference) for m in others]
        cells = tuple(np.transpose(pairs))
        return ForestDisplay(
            [f"{self.names[a]} - {self.names[b]}" for a, b in pairs],
            self._square(self.deltas, -self.deltas)[cells],
            np.transpose([ends[cells] for ends in self._bounds]),
            highlighted=self._square(self.significant, self.significant)[cells] == 1,
            xlabel=f"difference in {self.scoring} ({self._delta_name})",
            meaning=f"significant at {self.alpha:g}",
        )
