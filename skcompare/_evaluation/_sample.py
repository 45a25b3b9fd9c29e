"""The rows on which models are judged, with what each model predicts for them."""

import dataclasses

import numpy as np

from skcompare._validation import take_rows


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """Rows, truth and the predictions of every model.

    Parameters
    ----------
    X : object
        The rows as the user gave them; row numbers where there were none.
    y : object
        The truth, in the user's container.
    y_array : ndarray or sparse matrix
        The truth as an array.
    models : tuple of CachedModel
        What each model predicts for the rows.
    origin : str
        Where the predictions come from: "prefit", "predictions" or the splitter.
    subject : str
        Whose scores are compared, in words.
    sample_weight : ndarray or None
        The weights that scorers get.
    fold : ndarray or None
        With cross-validation, the fold that each row was tested in.
    indices : ndarray or None
        With cross-validation, the position of each row in the data.
    n_given : int or None
        With cross-validation, the number of rows of the data, tested or not.
    forward : bool
        Whether this is cross-validation by which models were always trained on rows
        before those that they were tested on.
    notes : tuple of Caveat
        With cross-validation, what models may have seen of test rows in training.
    groups : ndarray or None
        Codes of the user's groups, where these are redrawn.
    swapped : bool
        Whether predictions are to be swapped between models.
    origin_rows : tuple or None
        Of rows that are a part of others, the number of rows of the data, and the
        position of each row there.
    """

    X: object
    y: object
    y_array: object
    models: tuple
    origin: str
    subject: str
    sample_weight: np.ndarray | None = None
    fold: np.ndarray | None = None
    indices: np.ndarray | None = None
    n_given: int | None = None
    forward: bool = False
    notes: tuple = ()
    groups: np.ndarray | None = None
    swapped: bool = False
    origin_rows: tuple | None = None

    @property
    def n_rows(self):
        """The number of rows."""
        return self.y_array.shape[0]

    @property
    def rows_of_data(self):
        """The number of rows of the data, and the position of each row there."""
        if self.origin_rows is not None:
            return self.origin_rows
        if self.indices is not None:
            return self.n_given, self.indices
        return self.n_rows, np.arange(self.n_rows)

    def X_at(self, rows):
        """Return some rows of `X`; of predictions, whose X are row numbers, these."""
        return rows if self.origin == "predictions" else take_rows(self.X, rows)

    def at(self, rows):
        """Return some rows as a sample of their own, which has no folds."""
        weights = self.sample_weight
        n_data, positions = self.rows_of_data
        return dataclasses.replace(
            self,
            X=self.X_at(rows),
            y=take_rows(self.y, rows),
            y_array=self.y_array[rows],
            models=tuple(model.at(rows) for model in self.models),
            sample_weight=None if weights is None else weights[rows],
            fold=None,
            indices=None,
            groups=None if self.groups is None else self.groups[rows],
            origin_rows=(n_data, positions[rows]),
        )

    def of_models(self, models):
        """Return the same rows with predictions of some of the models, by number."""
        return dataclasses.replace(self, models=tuple(self.models[i] for i in models))
