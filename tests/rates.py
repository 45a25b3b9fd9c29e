"""What a simulation of a level or a coverage must show."""

import itertools

from scipy import stats


def assert_level(count, n, nominal=0.05, *, slack=0.0):
    """Check that a test rejects, or an interval misses, as seldom as its level allows.

    A rate at the nominal level passes with a probability of 99.9 %, and twice that rate
    fails with one of 80 % or more: samples too small for that are refused. These are
    410 at .05 and 200 at .1.

    Parameters
    ----------
    count : int
        The number of rejections, or of intervals that miss.
    n : int
        The number of simulated data sets.
    nominal : float, default=0.05
        The level, or one less the coverage.
    slack : float, default=0.0
        How much more than that is granted to a method that is an approximation.
    """
    most = stats.binom.isf(0.001, n, nominal + slack)
    power = stats.binom.sf(most, n, 2 * nominal)
    assert power >= 0.8, f"{n} samples notice twice the level with {power:.2f} only"
    assert count <= most, f"{count} of {n} is above the level {nominal}"


def assert_level_kept(errors, n=None, nominal=0.05, *, slack=0.0):
    """Check a level by simulations one after another, until it is clear.

    Wald's sequential test: it ends when the errors so far are 1,000 times as probable,
    or a tenth as probable, at twice the level as at the level. By Ville's inequality a
    rate at the nominal level passes with a probability of 99.9 % or more, and twice
    that rate fails with one of 90 % or more. A rate at the level takes 65 simulations
    on average at .1, and 140 at .05: a third of what `assert_level` needs.

    Parameters
    ----------
    errors : iterable of bool
        Whether the test rejected, or the interval missed, by simulated data set. As
        many are taken as are needed: it may be without end.
    n : int, default=None
        Take this many, and check them with `assert_level`.
    nominal, slack : float
        As in `assert_level`.
    """
    if n is not None:
        assert_level(sum(itertools.islice(errors, n)), n, nominal, slack=slack)
        return
    usual, twice, count, odds = nominal + slack, 2 * nominal, 0, 1.0
    for number, error in enumerate(errors, 1):
        count += bool(error)
        odds *= twice / usual if error else (1 - twice) / (1 - usual)
        assert odds < 1_000, f"{count} of {number} is above the level {nominal}"
        if odds < 0.1:
            return
    raise AssertionError(f"{number} simulations end before it is clear")
