"""The result of comparisons of pairs of several models."""

import numpy as np

from skcompare._format import bracket, format_number, format_pvalue, optional_import
from skcompare._parameters import OneOf
from skcompare.results._base import ScoredResult, hidden, result_class
from skcompare.results._document import Table
from skcompare.results.displays._lines import ForestDisplay
from skcompare.results.displays._matrix import PValueHeatmapDisplay
from skcompare.stats.model_sets import compact_letters, indistinct_groups
from skcompare.stats.selection import intervals_with_best

# A print shows so many pairs; `to_frame` has all of them.
MOST_PAIRS = 15

# Quantiles of fewer resamples than this vary a lot.
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

# Corrections that go through the p-values one by one; intervals cannot.
STEPWISE = ("holm", "hochberg", "max-t")


@result_class
class PairwiseResult(ScoredResult):
    """The results of one test for pairs of several models, for one metric.

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
        What the models are called.
    scores : ndarray of shape (n_models,)
        Their scores.
    pairs : tuple of tuple of str
        The pairs (a, b) that were compared.
    deltas : ndarray of shape (n_pairs,)
        The score of a less the score of b.
    intervals : ndarray of shape (n_pairs, 2)
        Confidence intervals for the differences, nan where the test gives none.
    interval_kind : str or None
        "max-t" and "bonferroni" intervals hold for all pairs at once with the
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
    results: tuple = hidden(default=())

    # What differences are called.
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
    def _shown(self):
        """Which pairs are shown to differ in score.

        Of a test that is not about the mean, the mean must differ as well, by a t-test
        at the level over the number of pairs, and in the same direction.
        """
        level = self.alpha / max(len(self.results), 1)
        against = [
            result.direction is not None
            and (result.direction * result.delta <= 0 or result.mean_pvalue > level)
            for result in self.results
        ]
        return self.significant & ~np.array(against or [False], dtype=bool)

    @property
    def decisions(self):
        """A symbol for each pair: who is better, by the adjusted p-value.

        ">>" and ">" if a is, "<<" and "<" if b is, doubled for a p-value of at most a
        fifth of `alpha` (0.01 of 0.05); "n.s." if it is above `alpha`, or if a test of
        signs or ranks rejects and the scores, by a t-test, do not differ that way.
        """
        pvalues, alpha = self.pvalues_adjusted, self.alpha
        shown = self._shown & (self.deltas != 0)
        signs = np.where(self.deltas > 0, ">", "<").astype(object)
        symbols = np.where(pvalues <= alpha / 5, 2 * signs, signs)
        return tuple(np.where(shown, symbols, "n.s.").tolist())

    @property
    def ranking(self):
        """The names of the models, best score first; equals as they were named."""
        return tuple(self.names[model] for model in self._order)

    @property
    def _order(self):
        return np.argsort(-self.scores, kind="stable")

    @property
    def champion(self):
        """The model with the best score; with a baseline, the best that beats it.

        To beat the baseline is to be significantly better. If no model does, the
        baseline is the champion.
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
        """The champion and those not significantly different from it, best first.

        With a baseline: those who beat it; if none does, the baseline and those not
        significantly different from it.
        """
        if self.baseline is not None and self.beating_baseline:
            return self.beating_baseline
        differ = self._differ[self.names.index(self.champion)]
        return tuple(self.names[m] for m in self._order if not differ[m])

    @property
    def _differ(self):
        """Which models differ significantly, as a symmetric matrix."""
        return self._square(self._shown, self._shown) == 1

    def _square(self, values, mirrored):
        """Return a matrix with a value for (a, b) and one for (b, a), nan elsewhere."""
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

        Two models share a letter exactly when they are not significantly different. A
        pair that was tested in one direction only may differ in the other.
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
        """The Model Confidence Set at the level `alpha`, best first; None without one.

        It has all of the best models in it with a probability of about 1 - `alpha`.
        """
        if self.confidence_set_pvalues is None:
            return None
        kept = self.confidence_set_pvalues > self.alpha
        return tuple(self.names[model] for model in self._order if kept[model])

    @property
    def best_intervals(self):
        """How far each model is ahead of the best of the others, by Hsu.

        An array of shape (n_models, 2): intervals for the score of each model less the
        highest of the others'. They hold together with the probability
        `confidence_level`, whichever model came out on top, for they follow from
        intervals that hold for all pairs at once; None where there are none, or with a
        baseline. One that ends at 0 above is not of the best model.
        """
        together = self.interval_kind in ("max-t", "bonferroni")
        of_all = self.baseline is None and not np.isnan(self.intervals).any()
        if not together or not of_all:
            return None
        lows, highs = (np.where(np.eye(len(ends)), 0, ends) for ends in self._bounds)
        return intervals_with_best(lows, highs)

    def matrix(self, column="pvalue_adjusted", *, as_frame=True):
        """Return p-values or differences as a square matrix.

        Parameters
        ----------
        column : {"pvalue_adjusted", "pvalue", "delta"}, default="pvalue_adjusted"
            What to return.
        as_frame : bool, default=True
            Whether to return a pandas DataFrame, whose rows and columns have the names
            of the models; False returns an array, in the order of `names`.

        Returns
        -------
        DataFrame or ndarray of shape (n_models, n_models)
            The entry in row a and column b is that of a against b, nan where those
            were not compared. One-sided p-values fill one of two mirrored entries.
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
        """Return how the numbers came about, as a dict, besides `settings`."""
        sizes = {"models": len(self.names), "pairs": len(self.pairs)}
        return super().provenance(**sizes, baseline=self.baseline)

    def sentence(self):
        """Return the finding in a sentence that a paper could use.

        Returns
        -------
        str
            Who leads, who is not significantly different from the leader, the test and
            the correction.
        """
        best, rivals = self._order[0], self.champion_set[1:]
        number = "1 pair" if len(self.pairs) == 1 else f"{len(self.pairs)} pairs"
        of_means = not any(result.direction for result in self.results)
        sided = self.alternative == "two-sided" and of_means
        worse = "worse" if sided else "different from it"
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
            f"Of {len(self.names)} models on {self.n_rows:,} {self.unit}, "
            f"{self.names[best]} has the best {self.scoring}, {self._value(best)}. "
            f"{claim} ({self.test}, "
            f"alternative {self.alternative!r}, {number}, "
            f"{CORRECTION_NAMES[self.correction]}, level {self.alpha:g}.)"
            f"{self._caution}"
        )

    def _value(self, model):
        """Return what a model is ranked by, as text."""
        return format_number(self.scores[model])

    def heading(self):
        """Return what was compared, in a few words."""
        return f"{len(self.names)} models in {self.scoring} ({self.test})"

    def tables(self):
        """Return the models and all pairs of them.

        The better model of a pair comes first, unless a one-sided alternative or a
        baseline says which comes first; `pairs` and `to_frame` have them as tested.

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
        # Who is b can be a, too, unless a baseline or an alternative says who is which.
        turns = self.baseline is None and self.alternative == "two-sided"
        size, pairs = max(abs(self.scores)), []
        bounds = [pair.pvalue_is_bound for pair in self.results]
        for bound, a, b, delta, low, high, pvalue, adjusted, decision, *_ in zip(
            bounds or [False] * len(self.pairs), *self._columns().values(), strict=True
        ):
            if turns and rank[a] > rank[b]:
                a, b, delta, low, high = b, a, -delta, -high, -low
                decision = decision.replace("<", ">")
            pairs.append(
                {
                    "a": a,
                    "b": b,
                    self._delta_name: format_number(delta, "+", scale=size),
                    "interval": bracket((low, high)),
                    "p-value": format_pvalue(pvalue, bound=bound),
                    "adjusted p-value": format_pvalue(adjusted, bound=bound),
                    "decision": decision,
                }
            )
        pairs.sort(key=lambda pair: sorted([rank[pair["a"]], rank[pair["b"]]]))
        n_brief = MOST_PAIRS
        if self.baseline is None and len(pairs) > MOST_PAIRS:
            n_brief = min(MOST_PAIRS, len(models) - 1)  # those of the champion
        by_order = self.baseline is None and not turns
        caption = "Pairs, as named" if by_order else "Pairs, best model first"
        return [
            Table.from_cells(models, "Models, best first"),
            Table.from_cells(pairs, caption, n_brief),
        ]

    def notes(self):
        """Return what was tested, and what to bear in mind."""
        notes = [
            f"H0 of each pair: {self.hypothesis}",
            f"P-values: {CORRECTION_NAMES[self.correction]}.",
        ]
        if self.baseline is None and self.alternative != "two-sided":
            side = "better" if self.alternative == "greater" else "worse"
            notes.append(
                f"Each pair was tested in one direction only: whether a is {side} than "
                "b, in the order in which the models are named. For both directions "
                f"pass test={self.test}(alternative='two-sided')."
            )
        if self.interval_kind is not None:
            level = f"{100 * self.confidence_level:g} %"
            kind = INTERVAL_KINDS[self.interval_kind]
            notes.append(f"Intervals: {level} for {kind}.{self._thin_tails()}")
            if self.correction in STEPWISE:
                notes.append(
                    "P-values are adjusted step by step, which gains a little power: "
                    "an interval may hold 0 next to a significant one."
                )
        if self.best_intervals is not None:
            notes.append(
                "How far a model is ahead of the best other one holds for all models "
                "at once, at the same level (Hsu)."
            )
        if self.letters is not None:
            notes.append("Models that share a letter are not significantly different.")
        if self.confidence_set is not None:
            notes.append(f"Model Confidence Set: {', '.join(self.confidence_set)}.")
        return [*notes, *self.caveats]

    def _thin_tails(self):
        """Say so if intervals rest on a handful of resamples."""
        if self.interval_kind != "bonferroni" or not isinstance(self.n_resamples, int):
            return ""
        share = (1 - self.confidence_level) / (2 * len(self.pairs))
        outermost = int(np.ceil(share * self.n_resamples))
        if outermost > FEWEST_OUTERMOST:
            return ""
        return (
            f" They rest on the outermost {outermost} resamples on either side: take "
            "more of them, or correction='max-t'."
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
            Where to draw; a new figure if None.
        kind : {"heatmap", "forest"}, default=None
            A square of adjusted p-values, or differences with their intervals: of all
            models against the baseline or, without one, of the champion against all
            others. None takes a heat map for all pairs, and a forest with a baseline.
        **kwargs : dict
            Passed on to the `plot` of the display.

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
        """Return all models beside the baseline or, without one, the champion."""
        middle = self.names.index(self.baseline or self.champion)
        others = [model for model in self._order if model != middle]
        # All others less the baseline or, without one, the champion less all others.
        first = self.baseline is None
        pairs = [(middle, other) if first else (other, middle) for other in others]
        cells = tuple(np.transpose(pairs))
        return ForestDisplay(
            [f"{self.names[a]} - {self.names[b]}" for a, b in pairs],
            self._square(self.deltas, -self.deltas)[cells],
            np.transpose([ends[cells] for ends in self._bounds]),
            highlighted=self._square(self.significant, self.significant)[cells] == 1,
            xlabel=f"difference in {self.scoring} ({self._delta_name})",
            meaning=f"significant at {self.alpha:g}",
        )
