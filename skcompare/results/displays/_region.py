"""Which of three regions is the most frequent: draws in a triangle."""

import numpy as np

from skcompare._format import format_probability
from skcompare._optional import optional_import
from skcompare.results.displays._base import (
    BLUE,
    GREY,
    Display,
    axes_for,
)

# Where shares of 1 are: A better on the right, equivalent on top, B better on the left.
CORNERS = np.array([[1.0, 0.0], [0.5, np.sqrt(3) / 2], [0.0, 0.0]])

# More dots only cover one another.
MOST_DOTS = 5_000


class RegionDisplay(Display):
    """Draws of how frequent three regions are, in a triangle.

    The nearer a dot is to a corner, the more frequent is what is written there. Lines
    part the triangle by which of the three is the most frequent; the probability of
    that is the share of dots there.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    regions : array-like of shape (n_draws, 3)
        Draws of the shares of data sets on which A is better, both are equivalent, and
        B is better. They sum to 1.
    probabilities : tuple of float
        The probability of each to be the most frequent.
    name_a, name_b : str, default="A", "B"
        What the models are called.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    dots_ : matplotlib PathCollection
        The draws.
    texts_ : list of matplotlib Text
        What is written at the corners.

    See Also
    --------
    BayesianSignedRank : Gives such draws.
    BayesianHierarchical : Does, too.

    References
    ----------
    .. [1] Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). Time for a
       change: a tutorial for comparing multiple classifiers through Bayesian analysis.
       Journal of Machine Learning Research 18(77), 1-36.

    Examples
    --------
    >>> from skcompare.results import RegionDisplay
    >>> draws = [[0.5, 0.3, 0.2], [0.2, 0.7, 0.1]]
    >>> RegionDisplay(draws, probabilities=(0.5, 0.5, 0.0)).frame()
       better  equivalent  worse
    0     0.5         0.3    0.2
    1     0.2         0.7    0.1
    """

    _result = "a RegionResult, of several data sets"
    _needed = ("regions",)

    def __init__(self, regions, *, probabilities, name_a="A", name_b="B"):
        self.regions = regions
        self.probabilities = probabilities
        self.name_a = name_a
        self.name_b = name_b

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn.

        Parameters
        ----------
        result : RegionResult
            What to draw.

        Returns
        -------
        RegionDisplay
            The display.
        """
        probabilities = (result.p_better, result.p_equivalent, result.p_worse)
        return cls(result.regions, probabilities=probabilities)

    def frame(self):
        """Return the draws as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            Columns `better`, `equivalent` and `worse`.
        """
        pd = optional_import("pandas", "all")
        columns = ["better", "equivalent", "worse"]
        return pd.DataFrame(self._checked(), columns=columns)

    def _checked(self):
        regions = np.asarray(self.regions, dtype=float)
        if regions.ndim != 2 or regions.shape[1] != 3 or not len(regions):
            raise ValueError(
                "`regions` must have three columns and at least one row. Got shape "
                f"{regions.shape}."
            )
        return regions

    def plot(self, ax=None, *, dot_kwargs=None):
        """Draw the triangle, its parts, and a dot for each draw.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        dot_kwargs : dict, default=None
            Options of the dots, as for matplotlib's `scatter`.

        Returns
        -------
        RegionDisplay
            The display itself.
        """
        regions = self._checked()
        ax = axes_for(ax, (5.6, 5.2))
        step = -(-len(regions) // MOST_DOTS)
        x, y = (regions[::step] @ CORNERS).T
        look = {"s": 5, "alpha": 0.25, "color": BLUE, "linewidths": 0}
        self.dots_ = ax.scatter(x, y, **{**look, **(dot_kwargs or {})})
        ax.plot(*CORNERS[[0, 1, 2, 0]].T, color="black", linewidth=1)
        middle = CORNERS.mean(axis=0)
        for pair in ([0, 1], [1, 2], [0, 2]):
            end = CORNERS[pair].mean(axis=0)
            ax.plot(*np.transpose([middle, end]), color=GREY, linestyle="--")
        claims = (f"{self.name_a} better", "equivalent", f"{self.name_b} better")
        places = np.add(CORNERS, [[0, -0.04], [0, 0.03], [0, -0.04]])
        self.texts_ = [
            ax.text(
                *place,
                f"{claim}\nprobability {format_probability(probability)}",
                ha="center",
                va="bottom" if claim == "equivalent" else "top",
            )
            for place, claim, probability in zip(
                places, claims, self.probabilities, strict=True
            )
        ]
        ax.set(aspect="equal", xlim=(-0.18, 1.18), ylim=(-0.2, 1.06))
        ax.set_axis_off()
        return self._drawn_on(ax)
