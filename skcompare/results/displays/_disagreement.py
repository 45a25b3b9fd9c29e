"""The table of who is right where."""

import numpy as np

from skcompare._optional import optional_import
from skcompare._validation import as_array, check_option, check_same_length
from skcompare.results.displays._base import (
    BLUE,
    ORANGE,
    PALE,
    Display,
    axes_for,
    draw_matrix,
    labels_of,
    numbers_of,
)

# Shares are written for so many labels at most.
MOST_WITH_SHARES = 4


class DisagreementDisplay(Display):
    """Counts of rows by what two models made of them.

    Cells on the diagonal, where the models agree, are gray: they do not show which
    model is better. Those above it are blue and those below orange and hatched; the
    more rows, the stronger the color. If the models are equally good, rows fall into a
    cell and its mirror image alike.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    table : array-like of shape (n_labels, n_labels)
        Counts of rows, by the outcome of A, from top to bottom, and of B, from left to
        right: ``[[both right, only A], [only B, both wrong]]``.
    labels : sequence of str, default=("right", "wrong")
        What the outcomes are.
    name_a, name_b : str, default="A", "B"
        What the models are called.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    cells_ : ndarray of matplotlib Rectangle
        The cells.
    texts_ : ndarray of matplotlib Text
        The counts in them.

    See Also
    --------
    McNemar : The test that rests on this table.

    Notes
    -----
    The table describes the rows at hand and tests nothing. A row counts as right if
    the prediction equals the truth; with several labels, if all of them do.

    Examples
    --------
    >>> from skcompare.results import DisagreementDisplay
    >>> display = DisagreementDisplay([[80, 12], [5, 3]], name_a="lr", name_b="nb")
    >>> display.frame()
    nb     right  wrong
    lr
    right     80     12
    wrong      5      3
    """

    _result = "what McNemar gave"
    _needed = ("table",)

    def __init__(self, table, *, labels=("right", "wrong"), name_a="A", name_b="B"):
        self.table = table
        self.labels = labels
        self.name_a = name_a
        self.name_b = name_b

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn.

        Parameters
        ----------
        result : ComparisonResult
            What to draw.

        Returns
        -------
        DisagreementDisplay
            The display.
        """
        return cls(result.table, name_a=result.name_a, name_b=result.name_b)

    @classmethod
    def from_predictions(
        cls,
        y_true,
        y_pred_a,
        y_pred_b,
        *,
        kind="right",
        names=("A", "B"),
        ax=None,
        **plot_kwargs,
    ):
        """Draw the table of two models' predictions.

        Parameters
        ----------
        y_true : array-like
            The truth.
        y_pred_a, y_pred_b : array-like
            The predictions of the two models.
        kind : {"right", "predictions"}, default="right"
            "right" counts who is right. "predictions" counts who predicts what, with a
            row and a column for each prediction that occurs.
        names : pair of str, default=("A", "B")
            What the models are called.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **plot_kwargs : dict
            Passed on to `plot`.

        Returns
        -------
        DisagreementDisplay
            The display, drawn.
        """
        check_option("kind", kind, ("right", "predictions"))
        name_a, name_b = labels_of(names, "names", 2)
        given = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
        truth = as_array(y_true, "y_true")
        check_same_length(("y_true", len(truth)), **given)
        predictions = [as_array(values, name) for name, values in given.items()]
        if kind == "right":
            wrong = [
                (p != truth).reshape(len(truth), -1).any(axis=1) for p in predictions
            ]
            table, labels = _cross_table(*wrong, 2), ("right", "wrong")
        else:
            labels, codes = np.unique(np.concatenate(predictions), return_inverse=True)
            table = _cross_table(*codes.reshape(2, -1), len(labels))
        display = cls(table, labels=labels, name_a=name_a, name_b=name_b)
        return display.plot(ax=ax, **plot_kwargs)

    @classmethod
    def from_estimators(cls, estimator_a, estimator_b, X, y, *, names=None, **kwargs):
        """Draw the table of what two fitted models predict.

        Parameters
        ----------
        estimator_a, estimator_b : estimator
            Fitted models with `predict`.
        X : array-like
            The rows that they are asked about.
        y : array-like
            The truth.
        names : pair of str, default=None
            What the models are called. None means the names of their classes.
        **kwargs : dict
            Passed on to `from_predictions`.

        Returns
        -------
        DisagreementDisplay
            The display, drawn.
        """
        models = estimator_a, estimator_b
        if names is None:
            names = [type(model).__name__ for model in models]
        predictions = (model.predict(X) for model in models)
        return cls.from_predictions(y, *predictions, names=names, **kwargs)

    def _counts(self):
        labels = labels_of(self.labels, "labels")
        return numbers_of(self.table, "table", (len(labels),) * 2), labels

    def frame(self):
        """Return what is drawn as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            The counts, with a row per outcome of A and a column per outcome of B.
        """
        pd = optional_import("pandas", "all")
        self._counts()
        labels = list(self.labels)
        return pd.DataFrame(
            np.asarray(self.table),
            index=pd.Index(labels, name=self.name_a),
            columns=pd.Index(labels, name=self.name_b),
        )

    def plot(self, ax=None, *, cell_kwargs=None, text_kwargs=None):
        """Draw the cells and write the counts into them.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        cell_kwargs : dict, default=None
            Options of the cells.
        text_kwargs : dict, default=None
            Options of the counts.

        Returns
        -------
        DisagreementDisplay
            The display itself.
        """
        table, labels = self._counts()
        ax = axes_for(ax, (max(4.4, 1.6 + 0.7 * len(labels)),) * 2)
        self.cells_, self.texts_ = draw_matrix(
            ax,
            _words(table),
            _colors(table),
            labels,
            hatched=np.tri(len(labels), k=-1, dtype=bool),
            cell_kwargs=cell_kwargs or {},
            text_kwargs=text_kwargs or {},
        )
        ax.set(xlabel=self.name_b, ylabel=self.name_a)
        return self._drawn_on(ax)


def _cross_table(rows, columns, n_labels):
    cells = rows * n_labels + columns
    return np.bincount(cells, minlength=n_labels**2).reshape(n_labels, n_labels)


def _words(table):
    """Return the counts, with shares where there is room for them."""
    shares = 100 * table / max(table.sum(), 1)
    roomy = len(table) <= MOST_WITH_SHARES
    words = [
        f"{count:,.0f}\n{share:.1f} %" if roomy else f"{count:,.0f}"
        for count, share in zip(table.flat, shares.flat, strict=True)
    ]
    return np.array(words).reshape(table.shape)


def _colors(table):
    """Return grey on the diagonal, blue above and orange below, by the counts."""
    to_rgb = optional_import("matplotlib.colors", "plot").to_rgb
    diagonal = np.eye(len(table), dtype=bool)[..., None]
    below = np.tri(len(table), dtype=bool)[..., None]
    apart = np.where(diagonal[..., 0], 0, table)[..., None]
    strength = 0.1 + 0.1 * (apart > 0) + 0.45 * apart / max(apart.max(), 1)
    full = np.where(below, to_rgb(ORANGE), to_rgb(BLUE))
    return np.where(diagonal, to_rgb(PALE), 1 - strength * (1 - full))
