"""What a search told, and what it did not."""

import dataclasses

import numpy as np

from skcompare._format import format_number, format_pvalue
from skcompare._optional import optional_import
from skcompare.display import ForestDisplay
from skcompare.display._base import shortened
from skcompare.results._aligned import aligned, aligned_intervals
from skcompare.results._base import Result, bracket, hidden
from skcompare.results._candidates import brief, candidate_labels, listed
from skcompare.results._table import Table

__all__ = ["SearchResult"]

_PARAMETER_COLUMNS = [
    "parameter",
    "value",
    "n_candidates",
    "mean_score",
    "delta",
    "low",
    "high",
    "pvalue",
    "pvalue_adjusted",
    "range",
]

_CANDIDATE_COLUMNS = (
    "candidate",
    "parameters",
    "score",
    "behind by",
    "interval",
    "adjusted p-value",
    "worse",
)

_PARAMETER_HEADS = (
    "parameter",
    "value",
    "candidates",
    "score",
    "behind by",
    "interval",
    "adjusted p-value",
)

# The small table shows so many candidates; `to_frame` has all of them.
MOST_ROWS = 10

LONGEST_LABEL = 60


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class SearchResult(Result):
    """How far the candidates of a search are behind the best of them.

    Printing it gives a sentence for a paper and a small table. Arrays have an entry
    for each candidate that was compared, the best first.

    Attributes
    ----------
    search : str
        The name of the class of the search.
    scoring : str
        The name of the metric. Higher is better.
    test : str
        The test: "corrected t", or the name of a class.
    candidates : ndarray of int
        The positions of the candidates in `cv_results_`.
    params : tuple of dict
        Their parameters.
    mean_scores : ndarray
        Their scores: averages over splits or, with data given to `fit`, scores of
        pooled out-of-fold answers.
    deltas : ndarray
        The score of the best less theirs. That of the best is 0.
    intervals : ndarray of shape (n_candidates, 2)
        An interval for each difference on its own, nan where the test gives none.
    pvalues : ndarray
        One-sided: small where the best is better. That of the best is 1.
    pvalues_adjusted : ndarray
        The same, adjusted for their number.
    lead : float
        The score of the best less that of the average candidate.
    expected_lead : float
        What remains of the lead on data that did not take part in the selection, by
        resampling the selection.
    parameters : tuple of dict
        The rows of `by_parameter`.
    failed : dict
        The parameters of candidates without a score on some split, by position.
    n_splits : int
        The number of splits.
    test_train_ratio : float
        The number of test rows over that of training rows, averaged over splits.
    alpha : float
        The level at which candidates are told from the best.
    correction : str
        How p-values were adjusted.
    confidence_level : float or None
        The nominal coverage of each interval.
    n_resamples : int
        How often the selection was resampled.
    unit : str
        What was resampled: "splits", "rows" or "groups".
    seed : int
        Passing it as `random_state` repeats the run.
    caveats : tuple of str
        What to bear in mind.
    """

    search: str
    scoring: str
    test: str
    candidates: np.ndarray = hidden()
    params: tuple = hidden()
    mean_scores: np.ndarray = hidden()
    deltas: np.ndarray = hidden()
    intervals: np.ndarray = hidden()
    pvalues: np.ndarray = hidden()
    pvalues_adjusted: np.ndarray = hidden()
    lead: float
    expected_lead: float
    parameters: tuple = hidden()
    failed: dict = hidden()
    n_splits: int
    test_train_ratio: float = hidden()
    alpha: float = hidden()
    correction: str = hidden()
    confidence_level: float | None = hidden()
    n_resamples: int = hidden()
    unit: str = hidden()
    seed: int = hidden()
    caveats: tuple = hidden(default=())

    @property
    def indistinguishable(self):
        """Whether each candidate cannot be told from the best."""
        return ~(self.pvalues_adjusted <= self.alpha)

    @property
    def luck(self):
        """How much of the lead is luck: what resampling the selection takes away."""
        return self.lead - self.expected_lead

    @property
    def luck_share(self):
        """The same as a share of the lead, between 0 and 1; 0 if there is no lead."""
        return float(np.clip(self.luck / self.lead, 0, 1)) if self.lead > 0 else 0.0

    @property
    def expected_score(self):
        """What the winner of such a selection can be expected to score elsewhere."""
        return float(self.mean_scores[0]) - self.luck

    def _provenance(self):
        return {
            "search": self.search,
            "scoring": self.scoring,
            "candidates": len(self.candidates),
            "splits": self.n_splits,
            "ratio": f"{self.test_train_ratio:.4g}",
            "test": self.test,
            "correction": self.correction,
            "resamples": self.n_resamples,
            "seed": self.seed,
        }

    def sentence(self):
        """Return the finding in a sentence that a paper could use.

        Returns
        -------
        str
            The best, how many cannot be told from it, and how much of its lead is luck.
        """
        best = f"candidate {self.candidates[0]} ({listed(self.params[0])})"
        others = len(self.candidates) - 1
        if not others:
            return (
                f"{self.search} had one candidate to compare, {best}, with a score of "
                f"{format_number(self.mean_scores[0])}{self._in_metric()}."
            )
        alike = int(self.indistinguishable.sum()) - 1
        return (
            f"The best of {others + 1} candidates is {best}, with a score of "
            f"{format_number(self.mean_scores[0])}{self._in_metric()}. At the level "
            f"{self.alpha:g}, {alike} of the {others} others cannot be told from it "
            f"({self.test}, {self.n_splits} splits, correction {self.correction!r}). "
            f"{self._about_luck()}"
        )

    def _in_metric(self):
        return "" if self.scoring == "score" else f" in {self.scoring}"

    def _about_luck(self):
        if not self.lead > 0:
            return "It does not lead the average candidate."
        return (
            f"It leads the average candidate by {format_number(self.lead)}, of which "
            f"about {100 * self.luck_share:.0f} % is luck of the selection."
        )

    def _table(self):
        """Return the rows of the small table: the best candidates."""
        n_shown = min(len(self.candidates), MOST_ROWS)
        labels = [
            shortened(f"candidate {label}", LONGEST_LABEL) for label in self._labels()
        ]
        scores = [format_number(score) for score in self.mean_scores]
        behind = ["the best", *self._behind(slice(1, n_shown))]
        rows = list(zip(labels[:n_shown], scores[:n_shown], behind, strict=True))
        n_more = len(labels) - n_shown
        return [*rows, ("and", str(n_more), "more: see to_frame()")] if n_more else rows

    def _labels(self):
        """Return number and parameters of each candidate."""
        named = zip(self.candidates, candidate_labels(self.params), strict=True)
        return [f"{index}: {label}" for index, label in named]

    def _behind(self, places):
        """Say how far some candidates are behind, one below the other."""
        deltas = aligned([format_number(delta) for delta in self.deltas[places]])
        intervals = aligned_intervals(self.intervals[places])
        pvalues = [format_pvalue(pvalue) for pvalue in self.pvalues_adjusted[places]]
        marks = np.where(self.indistinguishable[places], "", " *")
        return [
            "  ".join(filter(None, (f"behind by {delta}", interval, f"p = {p}{mark}")))
            for delta, interval, p, mark in zip(
                deltas, intervals, aligned(pvalues, str.ljust), marks, strict=True
            )
        ]

    def heading(self):
        """Return what was compared, in a few words."""
        return f"Candidates of {self.search} in {self.scoring}"

    def tables(self):
        """Return all candidates, and the parameters that vary.

        Returns
        -------
        list of Table
            Candidates, then values of parameters if several were tried.
        """
        labels = candidate_labels(self.params)
        candidates = [self._candidate_row(*named) for named in enumerate(labels)]
        found = [Table(candidates, _CANDIDATE_COLUMNS, "Candidates, best first")]
        if self.parameters:
            rows = [_parameter_row(row) for row in self.parameters]
            caption = "Values of parameters, each averaged over its candidates"
            found.append(Table(rows, _PARAMETER_HEADS, caption))
        return found

    def _candidate_row(self, place, label):
        return (
            str(self.candidates[place]),
            label,
            format_number(self.mean_scores[place]),
            format_number(self.deltas[place]),
            bracket(self.intervals[place]),
            format_pvalue(self.pvalues_adjusted[place]),
            "" if self.indistinguishable[place] else "*",
        )

    def _notes(self):
        marked = "" if self.indistinguishable.all() else "* worse than the best. "
        return [
            f"{marked}p-values are adjusted ({self.correction}), intervals are not.",
            "H0, for each candidate: the best scores no better than it does. The best "
            "was chosen by the same scores, which favors it.",
            f"Expected score of the winner: {format_number(self.expected_score)} "
            f"({self.n_resamples:,} resamples of {self.unit}).",
            *self.caveats,
        ]

    def to_frame(self):
        """Return a pandas DataFrame with a row per candidate, the best first.

        Returns
        -------
        pandas.DataFrame
            Columns `candidate`, `params`, `mean_score`, `delta`, `low`, `high`,
            `pvalue`, `pvalue_adjusted` and `indistinguishable`. Candidates that failed
            come last, without numbers.
        """
        pd = optional_import("pandas", "all")
        n_failed = len(self.failed)
        gap = np.full(n_failed, np.nan)
        columns = {
            "candidate": np.append(self.candidates, list(self.failed)).astype(int),
            "params": [*self.params, *self.failed.values()],
            "mean_score": np.append(self.mean_scores, gap),
            "delta": np.append(self.deltas, gap),
            "low": np.append(self.intervals[:, 0], gap),
            "high": np.append(self.intervals[:, 1], gap),
            "pvalue": np.append(self.pvalues, gap),
            "pvalue_adjusted": np.append(self.pvalues_adjusted, gap),
            "indistinguishable": np.append(
                self.indistinguishable, np.zeros(n_failed, dtype=bool)
            ),
        }
        return pd.DataFrame(columns)

    def by_parameter(self):
        """Return which values of which parameters make the difference.

        Each value's score is the average over all candidates that have it, and is
        compared with that of the best value by the corrected t on the same splits.

        Returns
        -------
        pandas.DataFrame
            A row per value of each parameter that varies: `parameter`, `value`,
            `n_candidates`, `mean_score`, `delta` (best value less this one), `low`,
            `high`, `pvalue`, `pvalue_adjusted` (within the parameter), `range` (of the
            parameter's mean scores) and `indistinguishable`. Parameters with the
            largest range come first.
        """
        pd = optional_import("pandas", "all")
        frame = pd.DataFrame(list(self.parameters), columns=_PARAMETER_COLUMNS)
        alike = ~(frame["pvalue_adjusted"] <= self.alpha)
        return frame.assign(indistinguishable=alike.astype(bool))

    def to_dict(self):
        """Return all numbers as a dict that `json.dumps` takes.

        Parameters that JSON does not know, such as estimators, become strings.

        Returns
        -------
        dict
            The fields of this result, what follows from them, and its `signature`.
        """
        found = super().to_dict()
        found["params"] = [_jsonable(params) for params in self.params]
        found["failed"] = {i: _jsonable(params) for i, params in self.failed.items()}
        found["parameters"] = [_jsonable(row) for row in self.parameters]
        return found | {
            "indistinguishable": self.indistinguishable.tolist(),
            "luck": self.luck,
            "luck_share": self.luck_share,
            "expected_score": self.expected_score,
        }

    def plot(self, ax=None, **kwargs):
        """Draw how far each candidate is behind the best, with its interval.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **kwargs : dict
            Passed on to `ForestDisplay.plot`.

        Returns
        -------
        ForestDisplay
            The display, drawn: filled where the best is better.
        """
        display = ForestDisplay(
            self._labels(),
            self.deltas,
            self.intervals,
            highlighted=~self.indistinguishable,
            xlabel=f"behind the best in {self.scoring}",
            meaning="told from the best",
        )
        return display.plot(ax=ax, **kwargs)


def _parameter_row(row):
    """Return the cells of a value of a parameter."""
    return (
        str(row["parameter"]),
        brief(row["value"]),
        str(row["n_candidates"]),
        format_number(row["mean_score"]),
        format_number(row["delta"]),
        bracket((row["low"], row["high"])),
        format_pvalue(row["pvalue_adjusted"]),
    )


def _jsonable(row):
    plain = bool, int, float, str, type(None)
    unwrapped = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in row.items()
    }
    return {n: v if isinstance(v, plain) else str(v) for n, v in unwrapped.items()}
