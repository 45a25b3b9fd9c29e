"""What a search shows, and what it does not."""

import numpy as np

from skcompare._format import bracket, format_number, format_pvalue, optional_import
from skcompare.results._base import Result, hidden, result_class
from skcompare.results._document import Table, shortened
from skcompare.results.displays._lines import ForestDisplay

# Numbers of more characters are rounded, other values cut.
LONGEST_NUMBER, LONGEST_VALUE = 8, 30


def candidate_labels(params):
    """Return for each candidate the parameters that vary among all.

    Parameters
    ----------
    params : sequence of dict
        The parameters of each candidate.

    Returns
    -------
    list of str
        Names without the steps of a pipeline, where those are not needed to
        distinguish them. A single candidate has all of its parameters.

    Examples
    --------
    >>> candidate_labels([{"svc__C": 1, "svc__kernel": "rbf"},
    ...                   {"svc__C": 10, "svc__kernel": "rbf"}])
    ['C=1', 'C=10']
    """
    names = dict.fromkeys(name for candidate in params for name in candidate)
    if len(params) > 1:
        missing = object()  # unlike any value
        values = {n: {repr(c.get(n, missing)) for c in params} for n in names}
        names = [name for name in names if len(values[name]) > 1]
    last = [name.rpartition("__")[2] for name in names]
    short = last if len(set(last)) == len(last) else names
    return [
        listed({s: c[name] for name, s in zip(names, short, strict=True) if name in c})
        for c in params
    ]


def listed(params):
    """Return parameters and their values in a line.

    Examples
    --------
    >>> listed({"C": 0.1 + 0.2, "kernel": "rbf"}), listed({})
    ('C=0.3, kernel=rbf', 'as it is')
    """
    named = ", ".join(f"{name}={brief(value)}" for name, value in params.items())
    return named or "as it is"


def brief(value):
    """Return a value in a few characters of one line.

    Examples
    --------
    >>> brief(1.0), brief(0.1 + 0.2), brief(True)
    ('1.0', '0.3', 'True')
    """
    text = " ".join(str(value).split())
    if isinstance(value, float | np.floating) and len(text) > LONGEST_NUMBER:
        return format(value, ".4g")
    return shortened(text, LONGEST_VALUE)


_PARAMETER_COLUMNS = [
    *("parameter", "value", "n_candidates", "mean_score", "delta", "low", "high"),
    *("pvalue", "pvalue_adjusted", "range"),
]

# A print shows so many candidates; `to_frame` has all of them.
MOST_ROWS = 10


@result_class
class SearchResult(Result):
    """How far the candidates of a search are behind the best of them.

    Printing it gives a sentence for a paper and a table. `to_frame` has a row for each
    candidate, the best first: columns `candidate`, `params`, `mean_score`, `delta`,
    `low`, `high`, `best_low`, `best_high`, `pvalue`, `pvalue_adjusted` and
    `indistinguishable`; candidates that failed come last, without numbers. `plot` draws
    how far each candidate is behind the best (:class:`ForestDisplay`), filled where it
    is significantly worse and its interval, if there is one, does not hold 0. Arrays
    have an entry for each candidate that was compared, the best first.

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
        pooled out-of-fold predictions.
    deltas : ndarray
        The score of the best less theirs. That of the best is 0.
    intervals : ndarray of shape (n_candidates, 2)
        An interval for each difference on its own, nan where the test gives none.
    best_intervals : ndarray of shape (n_candidates, 2)
        For each candidate its expected score less the highest of the others', by Hsu's
        multiple comparisons with the best on the splits: all intervals cover together
        at the confidence level (with data, 0.95), whichever was chosen. A candidate
        whose interval ends at 0 below is the best, one whose interval ends at 0 above
        is not ahead of all others; the rest may be.
    pvalues : ndarray
        One-sided: small where the best is better. That of the best is 1.
    pvalues_adjusted : ndarray
        The same, adjusted for their number.
    lead : float
        The score of the best less that of the average candidate.
    expected_lead : float
        What remains of the lead on data that did not take part in the selection, by
        resampling the selection; nan for halving searches, whose selection cannot be
        repeated.
    expected_lead_error : float
        Its standard error.
    parameters : tuple of dict
        The rows of `by_parameter`.
    failed : dict
        The parameters of candidates without a score on some split, by position.
    n_splits : int
        The number of splits.
    test_train_ratio : float
        The number of test rows over that of training rows, averaged over splits.
    alpha : float
        The level at which candidates are worse than the best.
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
    cautions : tuple of str
        A few words on each of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as they were passed.
    """

    search: str
    scoring: str
    candidates: np.ndarray = hidden()
    params: tuple = hidden()
    mean_scores: np.ndarray = hidden()
    deltas: np.ndarray = hidden()
    intervals: np.ndarray = hidden()
    best_intervals: np.ndarray = hidden()
    pvalues: np.ndarray = hidden()
    pvalues_adjusted: np.ndarray = hidden()
    lead: float
    expected_lead: float
    expected_lead_error: float
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

    _derived = "indistinguishable luck luck_share expected_score signature"

    @property
    def indistinguishable(self):
        """Whether each candidate is not significantly worse than the best."""
        return ~(self.pvalues_adjusted <= self.alpha)

    @property
    def luck(self):
        """How much of the lead is luck: what resampling the selection takes away."""
        return self.lead - self.expected_lead

    @property
    def luck_share(self):
        """The same as a share of the lead, from 0 to 1; 0 if there is no lead."""
        return float(np.clip(self.luck / self.lead, 0, 1)) if self.lead > 0 else 0.0

    @property
    def expected_score(self):
        """What the winner of such a selection can be expected to score elsewhere."""
        return float(self.mean_scores[0]) - self.luck

    def provenance(self):
        """Return how the numbers came about, as a dict, besides `settings`."""
        return {
            "search": self.search,
            "scoring": self.scoring,
            "candidates": len(self.candidates),
            "splits": self.n_splits,
            "ratio": f"{self.test_train_ratio:.4g}",
            "test": self.test,
            "seed": self.seed,
        }

    def sentence(self):
        """Return the finding in a sentence that a paper could use.

        Returns
        -------
        str
            The best, how many others are shown not to be, and how much of its lead is
            luck.
        """
        best = f"candidate {self.candidates[0]} ({listed(self.params[0])})"
        score = format_number(self.mean_scores[0])
        if self.scoring != "score":
            score += f" in {self.scoring}"
        others = len(self.candidates) - 1
        if not others:
            return (
                f"{self.search} had one candidate to compare, {best}, with a score of "
                f"{score}."
            )
        luck = "It does not lead the average candidate."
        if self.lead > 0:
            luck = f"It leads the average candidate by {format_number(self.lead)}"
            estimated = not np.isnan(self.luck_share)
            expected = (
                f"; on data that did not select it {format_number(self.expected_lead)} "
                f"is expected (standard error {format_number(self.expected_lead_error)}"
                f"): about {100 * self.luck_share:.0f} % is luck of the selection."
            )
            luck += expected if estimated else "."
        alike = self.candidates[1:][self.indistinguishable[1:]].tolist()
        # The best was chosen by the same scores: it is not shown to be the best.
        n_worse = others - len(alike)
        verb = "is" if n_worse < 2 else "are"
        claim = f"{n_worse or 'none'} of the {others} others {verb} shown not to be"
        if others == 1:
            claim = f"the other one {'is' if n_worse else 'is not'} shown not to be"
        claim += " the best"
        if n_worse and alike:
            which = f"{len(alike)}" if alike[1:] else f"candidate {alike[0]}"
            claim += f"; {which} may be"
        return (
            f"The best of {others + 1} candidates is {best}, with a score of {score}. "
            f"At the level {self.alpha:g} {claim} ({self.test}, {self.n_splits} "
            f"splits, correction {self.correction!r}). {luck}"
        )

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
        candidates = [
            {
                "candidate": str(self.candidates[place]),
                "parameters": label,
                "score": format_number(self.mean_scores[place]),
                "behind by": format_number(self.deltas[place]),
                "ahead of the best other": bracket(self.best_intervals[place]),
                "adjusted p-value": format_pvalue(self.pvalues_adjusted[place]),
                "worse": "" if self.indistinguishable[place] else "*",
            }
            for place, label in enumerate(candidate_labels(self.params))
        ]
        values = [
            {
                "parameter": str(row["parameter"]),
                "value": brief(row["value"]),
                "candidates": str(row["n_candidates"]),
                "score": format_number(row["mean_score"]),
                "behind by": format_number(row["delta"]),
                "interval": bracket((row["low"], row["high"])),
                "adjusted p-value": format_pvalue(row["pvalue_adjusted"]),
            }
            for row in self.parameters
        ]
        tables = [Table.from_cells(candidates, "Candidates, best first", MOST_ROWS)]
        if values:
            caption = "Values of parameters, each averaged over its candidates"
            tables.append(Table.from_cells(values, caption, n_brief=0))
        return tables

    def notes(self):
        """Return what was tested, and what to bear in mind."""
        marked = "" if self.indistinguishable.all() else "* worse than the best. "
        notes = [
            f"{marked}p-values are adjusted ({self.correction}). How far a candidate "
            "is ahead of the best of the others holds for all candidates at once "
            "(Hsu).",
            "H0, for each candidate: the best scores no better than it does. The best "
            "was chosen by the same scores, which favors it.",
        ]
        if self.test != "corrected t":
            notes.append(
                f"p-values ({self.test}) are about the models that were fitted on "
                "these splits, as they predict new rows. How far a candidate is ahead "
                "of the best of the others comes from a corrected t over splits, and "
                "is about learning from new training rows, too. These are two "
                "questions, of which one may be decided and the other not."
            )
        if not np.isnan(self.expected_lead):
            notes.append(
                f"Expected score of the winner: {format_number(self.expected_score)} "
                f"({self.n_resamples:,} resamples of {self.unit}). Expected lead: "
                f"{format_number(self.expected_lead)}, standard error "
                f"{format_number(self.expected_lead_error)}."
            )
        if self.indistinguishable[1:].any():
            notes.append(
                "SimplestNotWorse, as `refit` of the search, takes the simplest of the "
                "candidates that are not significantly worse than the best."
            )
        return [*notes, *self.caveats]

    def _columns(self):
        numbers = {
            "mean_score": self.mean_scores,
            "delta": self.deltas,
            **dict(zip(("low", "high"), self.intervals.T, strict=True)),
            **dict(zip(("best_low", "best_high"), self.best_intervals.T, strict=True)),
            "pvalue": self.pvalues,
            "pvalue_adjusted": self.pvalues_adjusted,
        }
        gap = np.full(len(self.failed), np.nan)
        return {
            "candidate": np.append(self.candidates, list(self.failed)).astype(int),
            "params": [*self.params, *self.failed.values()],
            **{name: np.append(values, gap) for name, values in numbers.items()},
            "indistinguishable": np.append(self.indistinguishable, gap > 0),
        }

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
        pd = optional_import("pandas")
        frame = pd.DataFrame(list(self.parameters), columns=_PARAMETER_COLUMNS)
        alike = ~(frame["pvalue_adjusted"] <= self.alpha)
        return frame.assign(indistinguishable=alike.astype(bool))

    def _display(self):
        named = zip(self.candidates, candidate_labels(self.params), strict=True)
        worse, meaning = ~self.indistinguishable, "significantly worse than the best"
        low, high = self.intervals.T
        clear = worse & ~((low <= 0) & (high >= 0))
        if (clear != worse).any():  # one-sided p-values beside two-sided intervals
            meaning += ", by p-value and interval"
        xlabel = f"behind the best in {self.scoring}"
        if self.confidence_level is not None:
            level = f"{100 * self.confidence_level:g} %"
            xlabel += f"\n{level} intervals, each by itself:"
            xlabel += "\nnot adjusted for multiple comparisons"
        return ForestDisplay(
            [f"{candidate}: {label}" for candidate, label in named],
            self.deltas,
            self.intervals,
            highlighted=clear,
            xlabel=xlabel,
            meaning=meaning,
        )
