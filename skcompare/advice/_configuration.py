"""A test with as much of the user's setting as it takes, and reasons for the rest."""

import inspect

from skcompare.comparison import ApproxRandomization, McNemar, PairedBootstrap

__all__ = ["ABOUT_SIDES", "about_time", "about_variant", "configured", "made", "timed"]

# The usual number of resamples, and the fewest where they take long.
N_RESAMPLES, FEWEST_RESAMPLES = 9_999, 999
# Where all of these take longer than so many seconds, the fewest are recommended.
LONG = 600
# The share of discordant rows up to which the mid-p test keeps its level.
MOST_DISCORDANT = 0.5

ABOUT_SIDES = (
    "The test is one-sided: is A, the challenger, better? If it was not clear "
    "beforehand which of the two that is, set alternative='two-sided'."
)


def made(test, wanted):
    """Return a test with those of the wanted parameters that it takes."""
    taken = inspect.signature(test).parameters
    return test(**{name: value for name, value in wanted.items() if name in taken})


def configured(test, facts, setting, seconds):
    """Return a recommended test, ready to fit.

    Parameters
    ----------
    test : type
        The class of the test.
    facts : Facts
        What is known about the comparison.
    setting : Setting
        What the user asks for.
    seconds : float
        How long a resample takes.

    Returns
    -------
    estimator
        The test.
    """
    wanted = {
        **setting.ways_in,
        "scoring": setting.scoring,
        "alpha": setting.level,
        "n_resamples": _n_resamples(setting, seconds),
        "variant": _variant(facts),
    }
    return made(test, wanted)


def _variant(facts):
    return "exact" if facts.n_discordant > MOST_DISCORDANT * facts.n_rows else "midp"


def _n_resamples(setting, seconds):
    usual = N_RESAMPLES if seconds * N_RESAMPLES <= LONG else FEWEST_RESAMPLES
    return max(usual, setting.fewest_resamples)


def timed(test, facts):
    """Estimate how many seconds a resample takes, 0 for a test without."""
    if test not in (PairedBootstrap, ApproxRandomization):
        return 0.0
    return facts.seconds(test is ApproxRandomization)


def about_variant(test):
    """Say why this variant of McNemar's test, None for other tests."""
    if not isinstance(test, McNemar):
        return None
    if test.variant == "exact":
        return (
            "More than half of all rows are discordant, where mid-p can exceed its "
            "level: the exact p-value cannot."
        )
    return (
        "The mid-p variant comes close to its level, from which the exact one stays "
        "far: it has more power."
    )


def about_time(test, facts, seconds):
    """Say how long the resamples will take, None for a test without."""
    if not seconds:
        return None
    n_resamples = test.n_resamples
    if isinstance(test, ApproxRandomization):
        n_resamples = min(n_resamples, 2**facts.n_discordant_units)
    text = (
        f"{n_resamples:,} resamples take about {_duration(n_resamples * seconds)} here "
        "with one worker, as measured on a few"
    )
    if n_resamples * seconds > 60:
        return f"{text}. With n_jobs=-1 all processors share them."
    return f"{text}: the data are not too large to resample, and hardly ever are."


def _duration(seconds):
    """Round a time.

    Examples
    --------
    >>> _duration(0.01), _duration(12.3), _duration(7200)
    ('0.1 s or less', '12 s', '2 h')
    """
    if seconds < 0.1:
        return "0.1 s or less"
    if seconds < 100:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.0f} min" if seconds < 6_000 else f"{seconds / 3600:.0f} h"
