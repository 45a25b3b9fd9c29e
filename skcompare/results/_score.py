"""The result of an interval for the score of one model."""

from skcompare._format import bracket, format_number
from skcompare.results._base import ScoredResult, hidden, one_row, result_class
from skcompare.results._document import Table
from skcompare.results.displays._lines import ForestDisplay
from skcompare.stats.intervals import ConfidenceInterval


@result_class
class ScoreResult(ScoredResult):
    """The score of one model in one metric, and its confidence interval.

    Nothing is tested, and there is no p-value. Printing it gives a sentence for a paper
    and a table. `to_frame` has one row, with score, standard error and interval,
    indexed by metric. `plot` draws the score with its interval
    (:class:`ForestDisplay`).

    Attributes
    ----------
    test : str
        The name of the class that gave it.
    scoring : str
        The name of the metric. Higher is better.
    score_a : float
        The score of the model.
    confidence_interval : ConfidenceInterval
        A confidence interval for what `score_a` estimates.
    confidence_level : float
        The nominal coverage of the interval.
    standard_error : float
        The standard error of `score_a`.
    df : int or None
        The degrees of freedom of the interval; None for a normal one.
    n_rows, n_units : int
        The number of rows, or folds, and of the units that are independent.
    unit : str
        What is counted as rows: "rows", or "folds".
    method : str
        How the standard error was computed.
    cv : str
        Where predictions or scores come from: "predictions", "scores" or the splitter.
    seed : int or None
        Passing it as `random_state` repeats the run, also where that was None.
    name_a : str
        What the model is called.
    estimand : str
        What `score_a` estimates, in words.
    caveats : tuple of str
        What to bear in mind, as warned of.
    cautions : tuple of str
        A few words on each of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as they were passed.

    Examples
    --------
    >>> from skcompare import CorrectedTTest
    >>> scores = [0.90, 0.88, 0.93, 0.91, 0.87, 0.92, 0.90, 0.89, 0.94, 0.91]
    >>> test = CorrectedTTest().fit_scores(scores, test_train_ratio=1 / 9)
    >>> low, high = test.result_.confidence_interval
    >>> print(f"{test.result_.score_a:.3f} [{low:.3f}, {high:.3f}]")
    0.905 [0.882, 0.928]
    """

    score_a: float
    confidence_interval: ConfidenceInterval
    confidence_level: float = hidden()
    standard_error: float = hidden()
    df: int | None = hidden(default=None)
    n_units: int = hidden()
    method: str = hidden()
    name_a: str = hidden()
    estimand: str = hidden()

    _index = "scoring"

    def heading(self):
        """Return what was estimated, in a few words."""
        return f"{self.name_a} in {self.scoring} ({self.test})"

    def sentence(self):
        """Return score and interval in a sentence that a paper could use.

        Returns
        -------
        str
            Score, interval, and what they rest on.
        """
        return (
            f"{self.name_a} scores {format_number(self.score_a)} in {self.scoring}, "
            f"{self._level} {bracket(self.confidence_interval)} ({self.test}, "
            f"{self.method}, {self._size}).{self._caution}"
        )

    def tables(self):
        """Return score, interval and standard error.

        Returns
        -------
        list of Table
            One table.
        """
        df = "" if self.df is None else f"df {self.df:.4g}"
        rows = [
            ("score", format_number(self.score_a), bracket(self.confidence_interval)),
            ("standard error", format_number(self.standard_error), df),
        ]
        return [Table(rows, ("quantity", "value", "interval or precision"))]

    def row(self):
        """Return the result as a row of a table of several results.

        Returns
        -------
        dict of str
            Cells by name of the column.
        """
        return {
            "score": format_number(self.score_a),
            self._level: bracket(self.confidence_interval),
        }

    def notes(self):
        """Return what was estimated, and what to bear in mind."""
        return [f"Estimand: {self.estimand}", *self.caveats]

    def provenance(self):
        """Return how the numbers came about, as a dict; `signature` leaves out None."""
        return {
            "test": self.test,
            "scoring": self.scoring,
            "n": self.n_rows,
            "seed": self.seed,
            "cv": self.cv,
            "groups": None if self.n_units == self.n_rows else self.n_units,
        }

    def _columns(self):
        names = "scoring test score_a standard_error low high"
        return one_row(self, self.confidence_interval, names)

    def _display(self):
        return ForestDisplay(
            [self.name_a],
            [self.score_a],
            [self.confidence_interval],
            reference=None,
            xlabel=self.scoring,
        )
