"""The result of comparing the candidates of a hyperparameter search."""

import numpy as np

from skcompare._format import (
    bracket,
    format_count,
    format_number,
    format_numbers,
    format_pvalue,
    optional_import,
)
from skcompare.results._base import Result, hidden, result_class
from skcompare.results._document import Table, shortened
from skcompare.results.displays._lines import ForestDisplay

# Maximum number of characters; longer numbers are rounded, other values truncated.
LONGEST_NUMBER, LONGEST_VALUE = 8, 30


def candidate_labels(params):
    """Return a label for each candidate: the parameters that vary between candidates.

    Parameters
    ----------
    params : sequence of dict
        The parameters of each candidate.

    Returns
    -------
    list of str
        Names omit pipeline steps that are not needed to distinguish them. A single
        candidate is labeled with all of its parameters.

    Examples
    --------
    >>> candidate_labels([{"svc__C": 1, "svc__kernel": "rbf"},
    ...                   {"svc__C": 10, "svc__kernel": "rbf"}])
    ['C=1', 'C=10']
    """
    names = dict.fromkeys(name for candidate in params for name in candidate)
    if len(params) > 1:
        missing = object()  # different from any value
        values = {n: {repr(c.get(n, missing)) for c in params} for n in names}
        names = [name for name in names if len(values[name]) > 1]
    last = [name.rpartition("__")[2] for name in names]
    short = last if len(set(last)) == len(last) else names
    return [
        listed({s: c[name] for name, s in zip(names, short, strict=True) if name in c})
        for c in params
    ]


def listed(params):
    """Return parameters and their values as one line.

    Examples
    --------
    >>> listed({"C": 0.1 + 0.2, "kernel": "rbf"}), listed({})
    ('C=0.3, kernel=rbf', 'parameters as given')
    """
    named = ", ".join(f"{name}={brief(value)}" for name, value in params.items())
    return named or "parameters as given"


def brief(value):
    """Return a value as a short text of one line.

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

# Maximum number of candidates to print; `to_frame` has all of them.
MOST_ROWS = 10


@result_class
class SearchResult(Result):
    """The differences of the candidates of a search from the best one.

    Printing it gives a sentence for a paper and a table. `to_frame` has a row for each
    candidate, best first: columns `candidate`, `params`, `mean_score`, `delta`,
    `low`, `high`, `best_low`, `best_high`, `pvalue`, `pvalue_adjusted` and
    `indistinguishable`; candidates that failed come last, without numbers. `plot` draws
    how far each candidate is behind the best (:class:`ForestDisplay`), filled if it is
    significantly worse and its interval, if any, does not contain 0. Arrays have an
    entry for each candidate that was compared, best first.

    Attributes
    ----------
    search : str
        The class name of the search.
    scoring : str
        The name of the metric. Higher is better.
    test : str
        The test: "corrected t", or a class name.
    candidates : ndarray of int
        The positions of the candidates in `cv_results_`.
    params : tuple of dict
        The parameters of the candidates.
    mean_scores : ndarray
        The scores of the candidates: averages over splits or, if data were passed to
        `fit`, scores of pooled out-of-fold predictions.
    deltas : ndarray
        The score of the best minus that of each candidate; 0 for the best.
    intervals : ndarray of shape (n_candidates, 2)
        An individual interval for each difference, nan if the test provides none.
    best_intervals : ndarray of shape (n_candidates, 2)
        Intervals for the expected score of each candidate minus the highest of the
        others, by Hsu's multiple comparisons with the best on the splits. They hold
        simultaneously at the confidence level (with data, 0.95), regardless of which
        candidate was selected. At that level, a candidate whose interval has the lower
        end 0 is the best, and one whose interval has the upper end 0 is not; the others
        may be the best.
    pvalues : ndarray
        One-sided p-values: small if the best is better; 1 for the best.
    pvalues_adjusted : ndarray
        The p-values adjusted for multiple comparisons.
    lead : float
        The score of the best minus that of the average candidate.
    expected_lead : float
        The lead to expect on data not used for the selection, estimated by resampling
        the selection; nan for halving searches, whose selection cannot be repeated.
    expected_lead_error : float
        The standard error of `expected_lead`.
    parameters : tuple of dict
        The rows of `by_parameter`.
    failed : dict
        The parameters of candidates that lack a score on some split, by position.
    n_splits : int
        The number of splits.
    test_train_ratio : float
        The ratio of test rows to training rows, averaged over splits.
    alpha : float
        The level at which candidates are worse than the best.
    correction : str
        The method that adjusted the p-values.
    confidence_level : float or None
        The nominal coverage of each interval.
    n_resamples : int
        The number of resamples of the selection.
    unit : str
        The units that were resampled: "splits", "rows" or "groups".
    seed : int
        Passing it as `random_state` reproduces the run.
    caveats : tuple of str
        The caveats.
    cautions : tuple of str
        Short forms of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as passed.
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

    _derived = (
        "indistinguishable selection_bias selection_bias_share expected_score signature"
    )

    @property
    def indistinguishable(self):
        """Whether each candidate is not significantly worse than the best."""
        return ~(self.pvalues_adjusted <= self.alpha)

    @property
    def selection_bias(self):
        """The part of the lead due to the selection, estimated by resampling it."""
        return self.lead - self.expected_lead

    @property
    def selection_bias_share(self):
        """`selection_bias` as a share of the lead, from 0 to 1; 0 without a lead."""
        if self.lead <= 0:
            return 0.0
        return float(np.clip(self.selection_bias / self.lead, 0, 1))

    @property
    def expected_score(self):
        """The expected score of the selected candidate on other data."""
        return float(self.mean_scores[0]) - self.selection_bias

    def provenance(self):
        """Return the provenance of the numbers as a dict, without `settings`."""
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
        """Return the result as a sentence suitable for a paper.

        Returns
        -------
        str
            The best, how many others can be ruled out as the best, and how much of the
            lead of the best is selection bias.
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
        lead = "It does not score higher than the average candidate."
        if self.lead > 0:
            lead = f"It leads the average candidate by {format_number(self.lead)}."
        if self.lead > 0 and not np.isnan(self.selection_bias):
            lead = (
                f"{lead[:-1]}; the lead expected on data not used for the selection is "
                f"{format_number(self.expected_lead)} (standard error "
                f"{format_number(self.expected_lead_error)})."
            )
            if self.selection_bias > 0:
                percent = f"an estimated {100 * self.selection_bias_share:.0f} %"
                lead = f"{lead[:-1]}: {percent} of the observed lead is selection bias."
        alike = self.candidates[1:][self.indistinguishable[1:]].tolist()
        # No claim that others are worse than the best, which the same scores selected.
        n_worse = others - len(alike)
        claim = f"{n_worse or 'none'} of the {others} others can"
        if others == 1:
            claim = f"the other one {'can' if n_worse else 'cannot'}"
        elif n_worse == others:
            claim = "both others can" if others == 2 else f"all {others} others can"
        claim += " be ruled out as the best"
        if n_worse and alike:
            rest = f"{len(alike)}" if alike[1:] else f"candidate {alike[0]}"
            claim += f"; {rest} cannot"
        return (
            f"The best of {others + 1} candidates is {best}, with a score of {score}. "
            f"At the level {self.alpha:g}, {claim} ({self.test}, "
            f"{format_count(self.n_splits, 'splits')}, correction "
            f"{self.correction!r}). {lead}"
        )

    def heading(self):
        """Return a short description of the comparison."""
        return f"Candidates of {self.search} in {self.scoring}"

    def tables(self):
        """Return all candidates, and the values of parameters that vary.

        Returns
        -------
        list of Table
            The candidates, then the values of parameters if several were tried.
        """
        behind = format_numbers(self.deltas, scale=self.mean_scores[0])
        candidates = [
            {
                "candidate": str(self.candidates[place]),
                "parameters": label,
                "score": format_number(self.mean_scores[place]),
                "behind by": behind[place],
                "ahead of the best other": bracket(self.best_intervals[place]),
                "adjusted p-value": format_pvalue(self.pvalues_adjusted[place]),
                "worse": "" if self.indistinguishable[place] else "*",
            }
            for place, label in enumerate(candidate_labels(self.params))
        ]
        behind = [row["delta"] for row in self.parameters]
        behind = format_numbers(behind, scale=self.mean_scores[0])
        values = [
            {
                "parameter": str(row["parameter"]),
                "value": brief(row["value"]),
                "candidates": str(row["n_candidates"]),
                "score": format_number(row["mean_score"]),
                "behind by": behind[place],
                "interval": bracket((row["low"], row["high"])),
                "adjusted p-value": format_pvalue(row["pvalue_adjusted"]),
            }
            for place, row in enumerate(self.parameters)
        ]
        tables = [Table.from_cells(candidates, "Candidates, best first", MOST_ROWS)]
        if values:
            caption = "Parameter values, each averaged over its candidates"
            tables.append(Table.from_cells(values, caption, n_brief=0))
        return tables

    def notes(self):
        """Return the hypothesis, explanations and caveats."""
        worse = ~self.indistinguishable
        mark = "* significantly worse than the best. " if worse.any() else ""
        notes = [
            f"{mark}P-values are adjusted ({self.correction}). The intervals 'ahead of "
            "the best other' hold simultaneously for all candidates (Hsu).",
            "H0, for each candidate: the best candidate scores no higher. The best was "
            "selected by the same scores, which biases them in its favor.",
        ]
        if self.test != "corrected t":
            notes.append(
                f"P-values ({self.test}) are about the models fitted on these splits, "
                "applied to new rows. The intervals 'ahead of the best other' come "
                "from a corrected t over splits and are also about training on new "
                "rows. These are different questions: one may be decided and the other "
                "not."
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
                "SimplestNotWorse, as `refit` of the search, selects the simplest of "
                "the candidates within one standard error of the best or, by "
                "`rule='test'`, of those not significantly worse."
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
        """Return scores of parameter values, and their differences from the best value.

        The score of a value is the average over all candidates with this value. It is
        compared with the score of the best value by the corrected t on the same splits.

        Returns
        -------
        pandas.DataFrame
            A row per value of each parameter that varies: `parameter`, `value`,
            `n_candidates`, `mean_score`, `delta` (best value minus this one), `low`,
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
            xlabel += f"\n{level} intervals,"
            xlabel += "\nnot adjusted for multiple comparisons"
        return ForestDisplay(
            [f"{candidate}: {label}" for candidate, label in named],
            self.deltas,
            self.intervals,
            highlighted=clear,
            xlabel=xlabel,
            meaning=meaning,
        )
