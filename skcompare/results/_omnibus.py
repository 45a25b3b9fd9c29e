"""What a test whether several models differ at all found."""

import dataclasses

import numpy as np

from skcompare._format import format_number, format_pvalue
from skcompare._optional import optional_import
from skcompare.display import CriticalDifferenceDisplay, ForestDisplay
from skcompare.results._base import Result, hidden

__all__ = ["OmnibusResult"]


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class OmnibusResult(Result):
    """The answer of one test whether several models differ at all.

    Printing it gives a sentence for a paper and a small table.

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
        Where answers come from: "prefit", "predictions", "scores" or the splitter.
    hypothesis : str
        The null hypothesis in words.
    effect_size : dict
        Sizes of the effect, by name.
    alpha : float
        The level of the decision.
    caveats : tuple of str
        What to bear in mind, as warned of.
    """

    test: str
    statistic: float
    pvalue: float
    df: int | tuple
    names: tuple
    scores: np.ndarray = hidden()
    mean_ranks: np.ndarray | None = hidden(default=None)
    n_rows: int = hidden()
    unit: str = hidden(default="rows")
    scoring: str = hidden(default="score")
    method: str = hidden()
    cv: str = hidden()
    hypothesis: str = hidden()
    effect_size: dict = hidden()
    alpha: float = hidden()
    caveats: tuple = hidden(default=())

    @property
    def significant(self):
        """Whether the p-value is at most `alpha`."""
        return self.pvalue <= self.alpha

    def _provenance(self):
        return {
            "test": self.test,
            "scoring": self.scoring,
            "models": len(self.names),
            "n": self.n_rows,
            "method": self.method,
            "cv": self.cv,
        }

    def sentence(self):
        """Return the finding in a sentence that a paper could use.

        Returns
        -------
        str
            Models, statistic, p-value and verdict.
        """
        df = self.df if isinstance(self.df, tuple) else (self.df,)
        symbol = "chi2" if len(df) == 1 else "F"
        shown = "shows" if self.significant else "does not show"
        return (
            f"{len(self.names)} models on {self.n_rows:,} {self.unit}: "
            f"{symbol}({', '.join(map(str, df))}) = {format_number(self.statistic)}, "
            f"p = {format_pvalue(self.pvalue)} ({self.test}). "
            f"At the level {self.alpha:g} the test {shown} that the models differ."
        )

    def _table(self):
        """Return the rows of the small table: label, value, mean rank."""
        ranks = [None] * len(self.names) if self.mean_ranks is None else self.mean_ranks
        rows = [
            (
                name,
                format_number(score),
                "" if rank is None else f"mean rank {rank:.3f}",
            )
            for name, score, rank in zip(self.names, self.scores, ranks, strict=True)
        ]
        sizes = [
            (name, format_number(size), "") for name, size in self.effect_size.items()
        ]
        return [*rows, ("p-value", format_pvalue(self.pvalue), ""), *sizes]

    def heading(self):
        """Return what was compared, in a few words."""
        return f"{len(self.names)} models in {self.scoring} ({self.test})"

    def _notes(self):
        which = (
            "The test does not say which models differ. Tests of pairs do, corrected "
            "for their number."
        )
        return [f"H0: {self.hypothesis}", which, *self.caveats]

    def to_dict(self):
        """Return all numbers as a dict that `json.dumps` takes.

        Returns
        -------
        dict
            The fields of this result, `significant` and `signature`.
        """
        return super().to_dict() | {"significant": self.significant}

    def to_frame(self):
        """Return the scores as a pandas DataFrame with one row per model.

        Returns
        -------
        pandas.DataFrame
            Scores, and mean ranks if there are any, indexed by model.
        """
        pd = optional_import("pandas", "all")
        columns = {"score": self.scores}
        if self.mean_ranks is not None:
            columns["mean_rank"] = self.mean_ranks
        return pd.DataFrame(columns, index=pd.Index(self.names, name="model"))

    def plot(self, ax=None, **kwargs):
        """Draw the mean ranks of the models, or their scores where there are no ranks.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **kwargs : dict
            Passed on to the `plot` of the display.

        Returns
        -------
        CriticalDifferenceDisplay or ForestDisplay
            The display, drawn.
        """
        if self.mean_ranks is not None:
            return CriticalDifferenceDisplay.from_result(self, ax=ax, **kwargs)
        no_intervals = np.full((len(self.names), 2), np.nan)
        display = ForestDisplay(
            self.names,
            self.scores,
            no_intervals,
            reference=None,
            xlabel=self.scoring,
        )
        return display.plot(ax=ax, **kwargs)
