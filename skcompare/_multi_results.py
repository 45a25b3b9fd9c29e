"""What a test of several models found: frozen, printable, exportable."""

import dataclasses
import html

import numpy as np

from skcompare._format import format_number, format_pvalue
from skcompare._optional import optional_import
from skcompare._version import __version__

__all__ = ["OmnibusResult"]


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class OmnibusResult:
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
    scores: np.ndarray = dataclasses.field(repr=False)
    mean_ranks: np.ndarray | None = dataclasses.field(repr=False, default=None)
    n_rows: int = dataclasses.field(repr=False)
    unit: str = dataclasses.field(repr=False, default="rows")
    scoring: str = dataclasses.field(repr=False, default="score")
    method: str = dataclasses.field(repr=False)
    cv: str = dataclasses.field(repr=False)
    hypothesis: str = dataclasses.field(repr=False)
    effect_size: dict = dataclasses.field(repr=False)
    alpha: float = dataclasses.field(repr=False)
    caveats: tuple = dataclasses.field(repr=False, default=())

    @property
    def significant(self):
        """Whether the p-value is at most `alpha`."""
        return self.pvalue <= self.alpha

    @property
    def signature(self):
        """One line that says how the numbers came about, to go with them."""
        parts = {
            "skcompare": __version__,
            "test": self.test,
            "scoring": self.scoring,
            "models": len(self.names),
            "n": self.n_rows,
            "method": self.method,
            "cv": self.cv,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())

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

    def _notes(self):
        which = (
            "The test does not say which models differ. Tests of pairs do, corrected "
            "for their number."
        )
        return [f"H0: {self.hypothesis}", which, *self.caveats]

    def summary(self):
        """Return the sentence, the table and what to bear in mind.

        Returns
        -------
        str
            Several lines of text.
        """
        rows = self._table()
        width = max(len(label) for label, _, _ in rows) + 1
        table = [
            f"  {label:<{width}}{value:>10}  {extra}".rstrip()
            for label, value, extra in rows
        ]
        notes = [f"  {note}" for note in self._notes()]
        return "\n".join(
            [self.sentence(), "", *table, "", *notes, f"  {self.signature}"]
        )

    def __str__(self):
        return self.summary()

    def _repr_html_(self):
        cells = "".join(
            "<tr><th style='text-align:left'>{}</th><td>{}</td><td>{}</td></tr>".format(
                *map(html.escape, row)
            )
            for row in self._table()
        )
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in self._notes())
        return (
            f"<div><p>{html.escape(self.sentence())}</p><table>{cells}</table>"
            f"<ul>{notes}</ul><p><code>{html.escape(self.signature)}</code></p></div>"
        )

    def to_dict(self):
        """Return all numbers as a dict that `json.dumps` takes.

        Returns
        -------
        dict
            The fields of this result, `significant` and `signature`.
        """
        names = [field.name for field in dataclasses.fields(self)]
        found = {name: _plain(getattr(self, name)) for name in names}
        return {
            **found,
            "significant": self.significant,
            "signature": self.signature,
        }

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


def _plain(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value
