"""Posteriors: of a difference, and of how frequent three regions are."""

import numpy as np

from skcompare._format import format_probability, optional_import
from skcompare.results._document import shortened
from skcompare.results.displays._base import (
    BLUE,
    GREY,
    HATCH,
    ORANGE,
    PALE,
    Display,
    axes_for,
    draw_interval,
    numbers_of,
)

# Where shares of 1 are: A better on the right, equivalent on top, B better on the left.
CORNERS = np.array([[1.0, 0.0], [0.5, np.sqrt(3) / 2], [0.0, 0.0]])

# More dots only cover one another.
MOST_DOTS = 5_000


class PosteriorDisplay(Display):
    """The posterior density of a difference, cut by what would matter.

    The area to the right of the region of practical equivalence (ROPE) is the
    probability that A is better by more than that, the area to its left that B is.

    Read more in the :ref:`User Guide <displays>`.

    Parameters
    ----------
    grid : array-like of shape (n_points,)
        Differences, ascending.
    density : array-like of shape (n_points,)
        Their posterior density.
    rope : float or pair of float
        The region of practical equivalence ``(low, high)``; one number stands for both
        signs. If it has no width, none is drawn.
    hdi : pair of float or None
        The interval of highest density, drawn as a bar below the axis.
    probabilities : sequence of three float
        The probabilities that A is better, that both are equivalent, and that B is
        better.
    credible_level : float or None, default=None
        The probability of the interval, for the legend.
    scoring : str or None, default=None
        The name of the metric, for the axis.
    name_a, name_b : str, default="A", "B"
        What the models are called.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    line_ : matplotlib Line2D
        The density.
    areas_ : dict of matplotlib collection
        The parts of the area, by "better", "equivalent" and "worse".
    interval_ : matplotlib Line2D or None
        The bar of the interval.
    texts_ : dict of matplotlib Text
        The written probabilities, by the same names.

    Notes
    -----
    The probabilities are written as given and not computed from the density, which may
    be a smoothed one.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.stats import norm
    >>> from skcompare.results import PosteriorDisplay
    >>> posterior = norm(0.02, 0.01)
    >>> grid = np.linspace(-0.02, 0.06, 81)
    >>> display = PosteriorDisplay(
    ...     grid,
    ...     posterior.pdf(grid),
    ...     rope=0.01,
    ...     hdi=posterior.interval(0.95),
    ...     probabilities=[0.841, 0.158, 0.001],
    ... )
    >>> display.frame().part.value_counts().to_dict()
    {'better': 50, 'equivalent': 21, 'worse': 10}
    """

    _result = "a PosteriorResult, of a Bayesian comparison"
    _needed = ("density", "hdi")

    def __init__(
        self,
        grid,
        density,
        *,
        rope,
        hdi,
        probabilities,
        credible_level=None,
        scoring=None,
        name_a="A",
        name_b="B",
    ):
        self.grid = grid
        self.density = density
        self.rope = rope
        self.hdi = hdi
        self.probabilities = probabilities
        self.credible_level = credible_level
        self.scoring = scoring
        self.name_a = name_a
        self.name_b = name_b

    @classmethod
    def undrawn(cls, result):
        """Return the display of a result, not yet drawn.

        Parameters
        ----------
        result : PosteriorResult
            What to draw.

        Returns
        -------
        PosteriorDisplay
            The display.
        """
        return cls(
            *result.density(),
            rope=result.rope,
            hdi=result.hdi,
            probabilities=(result.p_better, result.p_equivalent, result.p_worse),
            credible_level=result.credible_level,
            scoring=result.scoring,
            name_a=result.name_a,
            name_b=result.name_b,
        )

    @property
    def _region(self):
        """The ends of the region of practical equivalence."""
        if np.ndim(self.rope) == 0:
            return -abs(self.rope), abs(self.rope)
        low, high = numbers_of(self.rope, "rope", (2,))
        return low, high

    def _curve(self):
        grid = numbers_of(self.grid, "grid", (len(self.grid),))
        return grid, numbers_of(self.density, "density", grid.shape)

    def frame(self):
        """Return what is drawn as a pandas DataFrame, one row per point of the grid.

        Returns
        -------
        pandas.DataFrame
            Columns `delta`, `density` and `part`: "better", "equivalent" or "worse".
        """
        pd = optional_import("pandas", "all")
        grid, density = self._curve()
        low, high = self._region
        part = np.select([grid > high, grid < low], ["better", "worse"], "equivalent")
        return pd.DataFrame({"delta": grid, "density": density, "part": part})

    def plot(self, ax=None, *, area_kwargs=None, line_kwargs=None, text_kwargs=None):
        """Draw the density, the region, the interval and the probabilities.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        area_kwargs : dict, default=None
            Options of the parts of the area.
        line_kwargs : dict, default=None
            Options of the line of the density.
        text_kwargs : dict, default=None
            Options of the written probabilities.

        Returns
        -------
        PosteriorDisplay
            The display itself.
        """
        grid, density = self._curve()
        ax = axes_for(ax)
        low, high = self._region
        parts = {
            "worse": (-np.inf, low, {"facecolor": ORANGE, "hatch": HATCH}),
            "equivalent": (low, high, {"facecolor": PALE}),
            "better": (high, np.inf, {"facecolor": BLUE}),
        }
        self.areas_ = {
            name: _fill(ax, grid, density, *ends, {**look, **(area_kwargs or {})})
            for name, (*ends, look) in parts.items()
        }
        look = {"color": "black", "linewidth": 1.2, **(line_kwargs or {})}
        (self.line_,) = ax.plot(grid, density, **look)
        if high > low:
            ax.axvspan(low, high, color="0.93", zorder=0, label="ROPE")
        for end in {low, high}:
            ax.axvline(end, color="0.3", linewidth=1, linestyle=":")
        self.interval_ = None
        if self.hdi is not None:
            level = self.credible_level
            self.interval_ = draw_interval(
                ax,
                numbers_of(self.hdi, "hdi", (2,)),
                color="black",
                label="HDI" if level is None else f"{100 * level:g} % HDI",
            )
        self.texts_ = self._write_probabilities(ax, text_kwargs or {})
        a, b = _brief(self.name_a), _brief(self.name_b)
        ax.set(xlabel=f"difference in {self.scoring or 'score'} ({a} - {b})")
        ax.set(ylabel="posterior density", yticks=[])
        ax.set_ylim(bottom=0)
        ax.spines[["top", "right", "left"]].set_visible(False)
        if ax.get_legend_handles_labels()[0]:
            ax.legend(frameon=False)
        return self._drawn_on(ax)

    def _write_probabilities(self, ax, text_kwargs):
        better, equivalent, worse = numbers_of(
            self.probabilities, "probabilities", (3,)
        )
        words = {
            "worse": (0.0, "left", f"{_brief(self.name_b)} better", worse),
            "equivalent": (0.5, "center", "equivalent", equivalent),
            "better": (1.0, "right", f"{_brief(self.name_a)} better", better),
        }
        if np.ptp(self._region) == 0:
            del words["equivalent"]
        return {
            part: ax.text(
                x,
                1.02,
                f"{claim}\nprobability {format_probability(probability)}",
                transform=ax.transAxes,
                **{"ha": align, "va": "bottom", **text_kwargs},
            )
            for part, (x, align, claim, probability) in words.items()
        }


def _brief(name):
    """Cut a name such that three claims fit side by side."""
    return shortened(name, 20)


def _fill(ax, grid, density, low, high, look):
    """Fill the area below the density between two ends, on the grid or not."""
    inside = grid[(grid > low) & (grid < high)]
    ends = np.clip([low, high], grid[0], grid[-1])
    points = np.unique(np.concatenate([ends, inside]))
    heights = np.interp(points, grid, density)
    style = {"edgecolor": "white", "linewidth": 0, **look}
    return ax.fill_between(points, 0, heights, **style)


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
