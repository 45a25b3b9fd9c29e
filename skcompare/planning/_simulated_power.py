"""Power by simulation: a test is run on data sets drawn from the rows of a pilot."""

import dataclasses
import functools
import math
import warnings
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning

from skcompare._engine import row_scores
from skcompare._evaluation import problem_of_predictions
from skcompare._random import chunk_generator
from skcompare.comparison import advice_on
from skcompare.stats.power import detectable_effect, exchange_probabilities

# A simulated power outside this range says little of how many rows are needed: then
# another size is simulated, of so many rows at least, and not of more than so many.
TELLING, FEWEST_PROBED, MOST_PROBED = (0.2, 0.98), 10, 200_000

# No number of rows above this is given.
MOST_NEEDED = 10**12


class Aim(NamedTuple):
    """What power is asked about."""

    effect: float
    n_rows: int
    target: float
    alpha: float
    alternative: str

    @property
    def level(self):
        return {"alpha": self.alpha, "alternative": self.alternative}


class _Simulated(NamedTuple):
    """What came of simulated tests."""

    n_rejected: int
    n_failed: int
    n_simulations: int
    spread: float

    @property
    def power(self):
        return self.n_rejected / self.n_simulations

    @property
    def error(self):
        # With two more of either kind, as Agresti and Coull do: it is never 0.
        share = (self.n_rejected + 2) / (self.n_simulations + 4)
        return math.sqrt(share * (1 - share) / self.n_simulations)


def simulated_power(test, problem, effect, aim, n_simulations, seed):
    """Run a test on data sets drawn from a pilot.

    Parameters
    ----------
    test : estimator
        The test, with one metric.
    problem : Problem
        The rows and predictions of the pilot.
    effect : float or None
        The true difference; None for that of the pilot.
    aim : Aim
        What power is asked about.
    n_simulations : int
        The number of data sets.
    seed : int
        The seed of all draws.

    Returns
    -------
    dict
        Fields of a `PowerResult`.
    """
    draw = _drawer(problem, effect)
    run = functools.partial(_simulate, test, draw, n_simulations, seed)
    simulated = run(aim.n_rows)
    n_needed = _rows_needed(run, simulated, aim)
    if advice_on(test).about_mean:
        smallest = detectable_effect(simulated.spread, power=aim.target, **aim.level)
    else:
        smallest = abs(aim.effect) * math.sqrt((n_needed or 0) / aim.n_rows)
    notes = []
    if simulated.n_failed:
        notes.append(
            f"On {simulated.n_failed:,} of {simulated.n_simulations:,} simulated data "
            "sets the metric or the test was undefined; these count as not rejected."
        )
    return {
        "power": simulated.power,
        "power_error": simulated.error,
        "n_needed": n_needed,
        "detectable_effect": smallest or None,
        "method": "simulation",
        "n_simulations": simulated.n_simulations,
        "seed": seed,
        "notes": notes,
    }


def _drawer(problem, effect):
    """Return what draws problems, ``draw(rng, n_rows)``, from a pilot."""
    (metric,) = problem.statistics
    scores = row_scores(problem.statistic(metric))
    if scores is not None:
        return _draws_of_scores(np.array(scores), effect)
    if effect is None:
        return lambda rng, n_rows: problem.at(rng.integers(problem.n_rows, size=n_rows))
    raise ValueError(
        f"`effect` cannot be given with {metric!r}, which is not a mean of per-row "
        "scores: only the difference seen in the pilot can be simulated, for there "
        f"is no one way to make models differ by another. Got {effect!r}: leave it out."
    )


def _draws_of_scores(scores, effect):
    """Return what draws scores of pilot rows, exchanged to differ by an effect.

    A test of a mean of per-row scores depends on these alone. So it is run on absolute
    errors that have those scores but for a constant.
    """
    losses, chances = scores.max() - scores, np.zeros(scores.shape[1])
    if effect is not None:
        chances = exchange_probabilities(scores[0] - scores[1], effect)

    def draw(rng, n_rows):
        rows = rng.integers(len(chances), size=n_rows)
        exchanged = rng.random(n_rows) < chances[rows]
        a, b = np.where(exchanged, losses[::-1, rows], losses[:, rows])
        predictions = {
            "y_pred_a": {"predict": 0.5 + a},
            "y_pred_b": {"predict": 0.5 + b},
        }
        return problem_of_predictions(
            np.full(n_rows, 0.5), predictions, scoring="neg_mean_absolute_error"
        )

    return draw


def _simulate(test, draw, n_simulations, seed, n_rows):
    """Run the test on simulated data sets."""
    with warnings.catch_warnings():
        # A metric without a value on some data set is counted, and a note says so.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        outcomes = [
            _outcome(test, draw, chunk_generator(seed, i), n_rows)
            for i in range(n_simulations)
        ]
    pvalues, deltas = np.array(outcomes).T
    defined = np.isfinite(deltas)
    return _Simulated(
        n_rejected=int(np.count_nonzero(pvalues <= test.alpha)),
        n_failed=int(np.count_nonzero(~defined)),
        n_simulations=n_simulations,
        spread=float(np.std(deltas[defined])) if defined.any() else 0.0,
    )


def _outcome(test, draw, rng, n_rows):
    """Return p-value and difference; 1 and nan where the test has none."""
    try:
        problem = draw(rng, n_rows)
        if "random_state" in test.get_params(deep=False):
            problem = dataclasses.replace(problem, seed=int(rng.integers(2**31)))
        (result,) = test.compare(problem).results.values()
    except ValueError:  # such as a metric that needs a class which was not drawn
        return 1.0, np.nan
    return result.pvalue, result.delta


def _rows_needed(run, simulated, aim):
    """Scale a number of rows to the target, by the root of the number of rows."""
    sign = {"greater": 1, "less": -1, "two-sided": np.sign(aim.effect)}
    if not aim.effect * sign[aim.alternative] > 0:
        return None
    wanted = detectable_effect(1.0, power=aim.target, **aim.level)
    n_rows = aim.n_rows
    if not TELLING[0] <= simulated.power <= TELLING[1]:
        guess = n_rows * (wanted * simulated.spread / aim.effect) ** 2
        if guess > max(MOST_PROBED, n_rows):
            return math.ceil(guess) if guess <= MOST_NEEDED else None
        n_rows = max(math.ceil(guess), FEWEST_PROBED)
        simulated = run(n_rows)
    likely = (simulated.n_rejected + 1) / (simulated.n_simulations + 2)
    reached = detectable_effect(1.0, power=likely, **aim.level)
    return math.ceil(n_rows * (wanted / reached) ** 2) if reached else None
