"""What a simulation of a level or a coverage must show."""

from scipy import stats


def assert_level(count, n, nominal=0.05, *, slack=0.0):
    """Check that a test rejects, or an interval misses, no more often than it says.

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
