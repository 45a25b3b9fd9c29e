"""Power by simulation: a test is run on data sets drawn from the rows of a pilot."""

import contextlib
import dataclasses
import functools
import math
from typing import NamedTuple

import numpy as np
from scipy import optimize, stats

from skcompare._caveats import quiet
from skcompare._engine import (
    Units,
    chunk_generator,
    concatenate_rows,
    results_of,
    score_units,
)
from skcompare._evaluation import Problem, problem_of_row_scores
from skcompare._progress import track
from skcompare.comparison import advice_on
from skcompare.stats import power as formulas

# Simulated power outside this range is not informative about the number of rows needed:
# another size is then simulated, between the minimum and the maximum.
INFORMATIVE, FEWEST_PROBED, MOST_PROBED = (0.2, 0.98), 10, 200_000

# Normal quantile of the two-sided 95 % interval for the uncertainty of the pilot.
Z = 1.96

# Number of copies of a row that represent the probability of an exchange, for scorers
# that are called on rows. Metrics that are computed from counts take fractions.
N_COPIES = 100


class Simulation(NamedTuple):
    """A test that is run on data sets drawn from a pilot.

    The models are exchanged on randomly chosen units (rows, or groups), such that they
    differ by an effect. The rows of a group are exchanged together, which preserves
    their dependence.

    Parameters
    ----------
    test : estimator
        The test.
    pilot : Problem
        The problem from which rows or groups are drawn.
    n_simulations : int
        The number of data sets.
    seed : int
        The seed of the draws.
    n_jobs, verbose : int or None, int
        The number of workers, and whether to show progress.
    population : Problem
        All rows of the pilot and, with `chances`, a second copy with exchanged models.
    chances : ndarray of shape (n_units,), default=None
        The probability that each unit is exchanged; None for no exchanges.
    differences : ndarray of shape (n_units,), default=None
        The contribution of each unit to the difference of the models, times the number
        of rows; None if not needed.
    """

    test: object
    pilot: Problem
    n_simulations: int
    seed: int
    n_jobs: int | None
    verbose: int
    population: Problem
    chances: np.ndarray | None = None
    differences: np.ndarray | None = None

    def fields(self, aim):
        """Return fields of a `PowerResult`."""
        n = self.n_simulations
        rejected, deltas = self.run(aim.n_rows)
        n_needed = self.n_needed(rejected, deltas, aim)
        if advice_on(self.test).about_mean:
            smallest = formulas.detectable_effect(spread_of(deltas), **aim.aimed)
        else:
            smallest = abs(aim.effect) * math.sqrt((n_needed or 0) / aim.n_rows)
        power, factor = rejected.mean(), self.spread_factor()
        likely = min(power, 1 - 1 / (2 * n))
        # Add two of each outcome (Agresti and Coull): the error is never 0.
        share = (np.count_nonzero(rejected) + 2) / (n + 4)
        return {
            "power": float(power),
            "power_error": math.sqrt(share * (1 - share) / n),
            "n_needed": n_needed,
            "detectable_effect": smallest or None,
            "pilot_interval": factor and aim.power_interval(likely, factor=factor),
            "method": "simulation",
            "n_simulations": n,
            "seed": self.seed,
            "notes": self.notes(np.count_nonzero(np.isnan(deltas))),
        }

    def notes(self, n_failed):
        """Return notes, given the number of data sets without a difference."""
        pilot = self.pilot
        notes = [
            f"These numbers are from {self.n_simulations:,} simulated data sets. "
            f"`random_state={self.seed}` reproduces them."
        ]
        if n_failed:
            notes.append(
                f"On {n_failed:,} of {self.n_simulations:,} simulated data sets the "
                "metric or the test was undefined; these count as not rejected."
            )
        if pilot.units.groups is not None:
            notes.append(
                f"Whole groups are drawn from the {pilot.n_units:,} groups of the "
                f"pilot, with {pilot.n_rows / pilot.n_units:.3g} rows on average: "
                "numbers of rows assume groups of this size."
            )
        return notes

    def run(self, n_rows):
        """Run the test on data sets of `n_rows` rows, or of groups with about as many.

        Returns
        -------
        rejected : ndarray of bool, shape (n_simulations,)
            Whether the test rejected.
        deltas : ndarray of shape (n_simulations,)
            The observed differences, nan where undefined.
        """
        n, run = self.n_simulations, functools.partial(self.run_on, n_rows)
        tasks = [(i,) for i in range(n)]
        options = {"total": n, "label": "simulations", "verbose": self.verbose}
        with (
            # Data sets on which the metric is undefined are counted for a note.
            quiet(),
            contextlib.closing(
                results_of(run, tasks, n_jobs=self.n_jobs, prefer="processes")
            ) as results,
            track(results, **options) as tracked,
        ):
            rejected, deltas = zip(*tracked, strict=True)
        return np.array(rejected), np.array(deltas)

    def run_on(self, n_rows, number):
        """Run the test on a data set and return whether it rejects, and the difference.

        If the test or the metric is undefined, for example because a class was not
        drawn, the test does not reject, and the difference is nan.
        """
        rng = chunk_generator(self.seed, number)
        try:
            problem = self.data_set(n_rows, rng)
            (result,) = self.test.compare(problem).results.values()
        except ValueError:
            return False, math.nan
        return bool(result.pvalue <= self.test.alpha), float(result.delta)

    def data_set(self, n_rows, rng):
        """Draw a data set of about `n_rows` rows."""
        pilot, groups = self.pilot, self.pilot.units.groups
        n_units = n_rows
        if groups is not None:
            n_units = max(2, round(n_rows * pilot.n_units / pilot.n_rows))
        drawn = rng.integers(pilot.n_units, size=n_units)
        rows, labels = pilot.units.rows(drawn), None
        if groups is not None:  # a group drawn twice counts as two groups
            labels = np.repeat(np.arange(n_units), np.bincount(groups)[drawn])
        units = Units(len(rows), labels)
        if self.chances is not None:
            exchanged = rng.random(n_units) < self.chances[drawn]
            rows = rows + pilot.n_rows * units.spread(exchanged)
        problem, seed = self.population.at(rows), int(rng.integers(2**31))
        return dataclasses.replace(problem, units=units, seed=seed)

    def n_needed(self, rejected, deltas, aim):
        """Extrapolate the number of rows for the target by the square-root law."""
        if not formulas.has_direction(aim.effect, aim.alternative):
            return None
        needed = formulas.detectable_effect(1.0, **aim.aimed)
        n_rows = aim.n_rows
        if not INFORMATIVE[0] <= rejected.mean() <= INFORMATIVE[1]:
            guess = n_rows * (needed * spread_of(deltas) / aim.effect) ** 2
            if guess > max(MOST_PROBED, n_rows):
                return formulas.whole_size(guess)
            n_rows = max(math.ceil(guess), FEWEST_PROBED)
            rejected, _ = self.run(n_rows)
        likely = (np.count_nonzero(rejected) + 1) / (self.n_simulations + 2)
        reached = formulas.detectable_effect(1.0, power=likely, **aim.level)
        return math.ceil(n_rows * (needed / reached) ** 2) if reached else None

    def spread_factor(self):
        """Return the factor of a 95 % interval of the differences' standard deviation.

        It is computed from their kurtosis; None if they do not vary.
        """
        if self.differences is None:
            return None
        pilot = self.pilot
        sizes = per_unit(pilot.units, np.ones(pilot.n_rows))
        values = self.differences - sizes * self.differences.sum() / pilot.n_rows
        variance = np.mean(values**2)
        if not variance > 0:
            return None
        kurtosis = np.mean(values**4) / variance**2
        return math.exp(Z * math.sqrt((kurtosis - 1) / (4 * len(values))))


def spread_of(deltas):
    """Return the standard deviation of the defined differences, 0 if there are none."""
    return 0.0 if np.isnan(deltas).all() else float(np.nanstd(deltas))


# Models that differ by the effect


def simulation_of(test, pilot, effect, **settings):
    """Return the simulation of a pilot whose models differ by an effect.

    A test of a mean of per-row scores depends only on these scores and is run on them.
    For any other metric, the effect on the score of exchanging the predictions of a
    row, or of all rows of a group, is computed.

    Parameters
    ----------
    test : estimator
        The test.
    pilot : Problem
        The problem from which rows or groups are drawn.
    effect : float or None
        The true difference; None for that of the pilot.
    **settings : int
        `n_simulations`, `seed`, `n_jobs` and `verbose`.

    Returns
    -------
    Simulation
        The simulation.
    """
    simulation = functools.partial(Simulation, test, pilot, **settings)
    (metric,) = pilot.statistics
    scores = pilot.statistics[metric].row_scores()
    if scores is not None:
        a, b = np.array(scores)
        differences = per_unit(pilot.units, a - b)
        chances = np.zeros(pilot.n_units)
        if effect is not None:
            means = differences * (pilot.n_units / pilot.n_rows)
            chances = formulas.exchange_probabilities(means, effect)
        doubled = problem_of_row_scores(np.r_[a, b], np.r_[b, a])
        fields = {"chances": chances, "differences": differences}
        return simulation(population=doubled, **fields)
    if effect is None:
        return simulation(population=pilot)
    doubled = with_exchanged_rows(test, pilot, metric)
    cells = doubled.cells()

    def delta_of(counts):
        score_a, score_b = score_units(cells, counts)[0]
        return score_a - score_b

    differences = unit_differences(delta_of, pilot)
    n_copies = N_COPIES if cells.tables is None else 1
    mean = mean_for_effect(delta_of, differences, effect, pilot.units, metric, n_copies)
    chances = formulas.exchange_probabilities(differences, mean)
    fields = {"chances": chances, "differences": differences}
    return simulation(population=doubled, **fields)


def per_unit(units, values):
    """Sum values of rows within groups, if there are groups."""
    return values if units.groups is None else np.bincount(units.groups, values)


def unit_differences(delta_of, pilot):
    """Return the contribution of each unit, from the effect of exchanging it alone.

    Parameters
    ----------
    delta_of : callable
        Returns the difference of the models from the counts of all rows, followed by
        the counts of all exchanged rows.
    pilot : Problem
        The rows and units.

    Returns
    -------
    ndarray of shape (n_units,)
        The contribution of each unit to the difference, times the number of rows.
    """
    n_rows = pilot.n_rows
    kept, differences = np.repeat([1, 0], n_rows), np.zeros(pilot.n_units)
    delta = delta_of(kept)
    for unit in pilot.units.containing(pilot.differs):
        rows, moved = pilot.units.rows(np.array([unit])), kept.copy()
        moved[rows], moved[n_rows + rows] = 0, 1
        differences[unit] = n_rows * (delta - delta_of(moved)) / 2
    return np.nan_to_num(differences)


def mean_for_effect(delta_of, differences, effect, units, metric, n_copies):
    """Return the mean contribution of units at which the models differ by `effect`.

    Each row is copied `n_copies` times; if once, fractions of rows are exchanged.
    """
    rounding = np.random.default_rng(0).random(len(differences))

    def delta_at(mean):
        exchanged = formulas.exchange_probabilities(differences, mean)
        if n_copies > 1:
            exchanged = np.floor(n_copies * exchanged + rounding).astype(int)
        exchanged = units.spread(exchanged)
        return delta_of(np.r_[n_copies - exchanged, exchanged])

    reach = np.abs(differences).mean()
    low, high = delta_at(-reach), delta_at(reach)
    if not low <= effect <= high:
        raise ValueError(
            f"`effect` must lie between {low:.4g} and {high:.4g}, the differences in "
            f"{metric} if all rows, or groups, on which the models differ favored the "
            f"same one. Got {effect!r}."
        )
    return optimize.brentq(lambda m: delta_at(m) - effect, -reach, reach, xtol=1e-6)


def with_exchanged_rows(test, pilot, metric):
    """Return a pilot with a second copy of every row, with predictions exchanged.

    If the metric does not depend on the scale of predictions, they are put on a common
    scale before the exchange.
    """
    a, b = pilot.predictions
    if set(a) != set(b) or not a:
        raise ValueError(
            f"`effect` must be None for {metric} if the models have different response "
            "types: an effect other than the pilot's is simulated by exchanging "
            "predictions."
        )
    statistic = pilot.statistics[metric]
    rescale = as_ranks if statistic.ranks else statistic.rescale
    if rescale is not None:
        a, b = ({m: rescale(r) for m, r in responses.items()} for responses in (a, b))
    both = {
        name: {m: concatenate_rows([first[m], second[m]]) for m in first}
        for name, first, second in (("y_pred_a", a, b), ("y_pred_b", b, a))
    }
    truth = concatenate_rows([pilot.y, pilot.y])
    return test.make_problem_of_predictions(truth, both)


def as_ranks(response):
    """Replace the scores of two classes by ranks.

    Examples
    --------
    >>> as_ranks(np.array([0.2, 5.0, 0.3])).tolist()
    [0.25, 0.75, 0.5]
    """
    if response.ndim == 1:
        return stats.rankdata(response) / (len(response) + 1)
    if response.shape[1] != 2:
        return response
    ranks = as_ranks(response[:, 1])
    return np.column_stack([1 - ranks, ranks])
