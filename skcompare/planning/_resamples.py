"""How many resamples to recommend, and how long they take."""

import math
import time

from skcompare._engine import bootstrap, draw, swaps

# The usual number of resamples, and the fewest where they take long.
N_RESAMPLES, FEWEST_RESAMPLES = 9_999, 999
# Where all of these take longer than so many seconds, the fewest are recommended.
LONG = 600
# So many resamples should be able to make a p-value of the level.
RESAMPLES_BELOW_LEVEL = 20
# Resamples are timed in ever larger lots, until they took so many seconds or are many.
SECONDS_TIMED, MUCH_TIMED, MOST_TIMED = 0.1, 1.0, 2_000


def plan_resamples(test, facts):
    """Choose the number of resamples of a test.

    Parameters
    ----------
    test : type
        The class of a test that randomizes rows, predictions or signs.
    facts : Facts
        What is known about the comparison.

    Returns
    -------
    n_resamples : int
        Their number.
    sentence : str
        How long those that are drawn take.
    """
    seconds = seconds_per_resample(facts.problem, test)
    usual = N_RESAMPLES if seconds * N_RESAMPLES <= LONG else FEWEST_RESAMPLES
    n_resamples = max(usual, math.ceil(RESAMPLES_BELOW_LEVEL / facts.level) - 1)
    # What is turned or swapped has only so many ways.
    n_turned = {"predictions": facts.n_discordant_units, "signs": facts.n_units}
    n_ways = 2 ** n_turned[test.randomizes] if test.randomizes in n_turned else math.inf
    n_drawn = min(n_resamples, n_ways)
    return n_resamples, about_time(n_drawn, n_drawn * seconds)


def seconds_per_resample(problem, test):
    """Estimate how long a resample takes with one worker, from a few of them.

    Parameters
    ----------
    problem : Problem
        The rows, the predictions and the score.
    test : type
        The class of a test that randomizes rows, predictions or signs.

    Returns
    -------
    float
        Seconds per resample.
    """
    cells, units = problem.cells(), problem.swapped_units
    by_swaps = test.randomizes == "predictions" and len(units)
    resampler = swaps(cells, units) if by_swaps else bootstrap(cells)
    n_draws = 2
    while True:
        began = time.perf_counter()
        if test.randomizes == "signs":
            test(n_resamples=n_draws).compare(problem)
        else:
            draw(resampler, n_draws, seed=0)
        seconds = time.perf_counter() - began
        # What happens once, such as loading code and starting threads, makes the first
        # lot slow: it counts only if that cannot matter.
        slow = seconds > (MUCH_TIMED if n_draws == 2 else SECONDS_TIMED)
        if slow or n_draws >= MOST_TIMED:
            return seconds / n_draws
        n_draws *= 4


def about_time(n_resamples, seconds):
    """Say how long resamples will take.

    Examples
    --------
    >>> for seconds in (0.01, 12.3, 7200):
    ...     print(about_time(9_999, seconds)[:42])
    9,999 resamples take about 0.1 s or less h
    9,999 resamples take about 12 s here with
    9,999 resamples take about 2 h here with o
    """
    duration = "0.1 s or less"
    if seconds >= 6_000:
        duration = f"{seconds / 3600:.0f} h"
    elif seconds >= 100:
        duration = f"{seconds / 60:.0f} min"
    elif seconds >= 0.1:
        duration = f"{seconds:.2g} s"
    text = (
        f"{n_resamples:,} resamples take about {duration} here with one worker, as "
        "measured on a few of them"
    )
    if seconds > 60:
        return f"{text}. With n_jobs=-1 all processors share them."
    return f"{text}: the data are not too large to resample."
