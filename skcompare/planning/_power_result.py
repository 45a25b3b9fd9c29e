"""What `power` returns."""

import dataclasses

from skcompare.planning._recommendation import Content
from skcompare.results import PowerDisplay


@dataclasses.dataclass(frozen=True, kw_only=True)
class PowerResult:
    """What a test can be expected to show.

    Printing it gives a sentence, and what to bear in mind.

    Attributes
    ----------
    power : float
        The probability that the test rejects at `alpha` on `n_rows` rows if the true
        difference is `effect`.
    power_error : float
        The Monte Carlo standard error of `power`; 0 for the closed form.
    n_rows : int
        The number of rows that `power` and `detectable_effect` are about.
    effect : float
        The true difference in score, A less B, that `power` and `n_needed` are about.
    n_needed : int or None
        The number of rows on which `power` would be `target`; None if there is none.
        From simulations it is an approximation.
    detectable_effect : float or None
        The minimum detectable effect: the size of the smallest difference that is
        significant with probability `target` on `n_rows` rows; None if there is none or
        the pilot cannot tell, as one in which the models never differ. From
        simulations it is an approximation.
    target : float
        The power that is wanted.
    alpha : float
        The level of the test.
    test : str
        The name of the test's class.
    scoring : str
        The name of the metric. Higher is better.
    alternative : str
        The alternative hypothesis.
    method : {"closed form", "simulation"}
        How power was computed.
    n_simulations : int or None
        The number of simulated data sets.
    seed : int or None
        Passing it as `random_state` repeats the simulation.
    notes : tuple of str
        What to bear in mind.
    """

    power: float
    power_error: float
    n_rows: int
    effect: float
    n_needed: int | None
    detectable_effect: float | None
    target: float
    alpha: float
    test: str
    scoring: str
    alternative: str
    method: str
    n_simulations: int | None = None
    seed: int | None = dataclasses.field(default=None, repr=False)
    notes: tuple = dataclasses.field(default=(), repr=False)

    def sentence(self):
        """Return the result in words.

        Returns
        -------
        str
            Power, the number of rows needed, and the minimum detectable effect.
        """
        error = f" +/- {self.power_error:.2g}" if self.power_error else ""
        about = "about " if self.method == "simulation" else ""
        needed = f"No number of rows makes it {self.target:g}."
        if self.n_needed is not None:
            rows = f"{about}{self.n_needed:,} rows"
            needed = f"For a power of {self.target:g} it takes {rows}."
        aim = f"with a power of {self.target:g} on {self.n_rows:,} rows"
        smallest = f"The pilot cannot tell the minimum detectable effect {aim}."
        if self.detectable_effect is not None:
            size = f"{about}{self.detectable_effect:.4g}"
            smallest = f"The minimum detectable effect, {aim}, is {size}."
        return (
            f"On {self.n_rows:,} rows the power of {self.test} (alternative "
            f"{self.alternative!r}, level {self.alpha:g}) is {self.power:.3f}{error} "
            f"if the true difference in {self.scoring} is {self.effect:+.4g}. {needed} "
            f"{smallest}"
        )

    def _content(self):
        """Return all that there is to show."""
        return Content(lead=((self.sentence(), ""),), lists={"": self.notes})

    def __str__(self):
        return "\n".join([self.sentence(), *(f"  {note}" for note in self.notes)])

    def _repr_html_(self):
        return self._content().as_html()

    def to_dict(self):
        """Return all fields as a dict that `json.dumps` takes.

        Returns
        -------
        dict
            The fields of this result.
        """
        return {**dataclasses.asdict(self), "notes": list(self.notes)}

    def plot(self, ax=None, **kwargs):
        """Draw how power grows with the number of rows.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **kwargs : dict
            Passed on to `PowerDisplay.plot`.

        Returns
        -------
        PowerDisplay
            The display, drawn.
        """
        return PowerDisplay.from_result(self, ax=ax, **kwargs)
