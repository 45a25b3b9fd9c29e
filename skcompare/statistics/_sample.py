"""The rows on which models are judged, with what each model said about them."""

import dataclasses

import numpy as np

from skcompare._validation import take_rows
from skcompare.statistics._responses import differing_rows

__all__ = ["Sample"]


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """Rows, truth and the answers of every model.

    Parameters
    ----------
    X : object
        The rows as the user gave them; row numbers where there were none.
    y : object
        The truth, in the user's container.
    y_array : ndarray or sparse matrix
        The truth as an array.
    answers : tuple of Answers
        What each model says about the rows.
    origin : str
        Where the answers come from: "prefit", "predictions" or the splitter.
    subject : str
        Whose scores are compared, in words.
    sample_weight : ndarray or None
        The weights that scorers get.
    fold : ndarray or None
        With cross-validation, the fold that each row was tested in.
    indices : ndarray or None
        With cross-validation, the position of each row in the data.
    """

    X: object
    y: object
    y_array: object
    answers: tuple
    origin: str
    subject: str
    sample_weight: np.ndarray | None = None
    fold: np.ndarray | None = None
    indices: np.ndarray | None = None

    @property
    def n_rows(self):
        """The number of rows."""
        return self.y_array.shape[0]

    def X_at(self, rows):
        """Return some rows of `X`; of predictions, whose X are row numbers, these."""
        return rows if self.origin == "predictions" else take_rows(self.X, rows)

    def discordant_rows(self):
        """Say for each row whether the two models answered differently.

        Answers by different response methods cannot be compared, nor can those that
        scorers have got past us: all rows count.
        """
        a, b = (answers.responses for answers in self.answers)
        if set(a) != set(b) or not a:
            return np.ones(self.n_rows, dtype=bool)
        return np.any([differing_rows(a[m], b[m]) for m in a], axis=0)
