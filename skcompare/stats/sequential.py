"""Stopping early: p-values of resamplings that end once the decision is certain."""

import functools

import numpy as np
from scipy import stats

# A run that stops early ends here in any case, and decides with at most this risk of
# deciding otherwise than infinitely many resamples would.
MOST_IF_UNCERTAIN = 9_999
RISK = 1e-3

# Looks grow by a tenth: enough of them to stop soon, few enough to work in parallel.
GROWTH = 1.1


class StoppingRule:
    """When a share of resamples is surely above or below a level, and its p-value.

    At some looks at the number s of resamples that exceed, a run stops: with few
    of them, because the share of infinitely many is below `alpha`, with many, because
    it is above. The bounds spend `risk` over the looks, as Gandy's do: were the share
    `alpha` itself, a bound of either kind would be reached with no more than that
    probability. So the decision is the wrong one with at most that probability,
    whatever the share. At the last look the run ends anyway.

    Parameters
    ----------
    looks : ndarray of int
        The numbers of resamples at which to look, increasing.
    alpha : float
        The level.
    risk : float
        The largest probability of a wrong decision for a run that stops early.

    References
    ----------
    .. [1] Gandy, A. (2009). Sequential implementation of Monte Carlo tests with
       uniformly bounded resampling risk. JASA 104(488), 1504-1511.
       :doi:`10.1198/jasa.2009.tm08368`
    .. [2] Fay, M. P., Kim, H.-J. and Hachey, M. (2007). On using truncated sequential
       probability ratio test boundaries for Monte Carlo implementation of hypothesis
       tests. Journal of Computational and Graphical Statistics 16(4), 946-967.
       :doi:`10.1198/106186007X257025`

    Examples
    --------
    >>> rule = StoppingRule(np.arange(100, 1001, 100), alpha=0.05, risk=1e-3)
    >>> [rule.stops(s, 100) for s in (0, 5, 20)]
    [False, False, True]
    >>> round(rule.pvalue(20, 100), 3)
    0.207
    """

    def __init__(self, looks, *, alpha, risk):
        self.looks, self.alpha, self.risk = np.asarray(looks), alpha, risk
        spent = risk * self.looks / (1_000 + self.looks)
        self._lower, self._upper = self._bounds(spent)

    def _bounds(self, spent):
        """Return, for each look, the largest count that is surely below and so on.

        `alive` has the probabilities of the counts of runs that have not stopped, were
        the share `alpha` itself.
        """
        lower, upper = [], []
        alive, done, below, above = np.ones(1), 0, 0.0, 0.0
        for look, budget in zip(self.looks, spent, strict=True):
            steps = np.arange(look - done + 1)
            alive = np.convolve(alive, stats.binom.pmf(steps, steps[-1], self.alpha))
            at_most, at_least = np.cumsum(alive), np.cumsum(alive[::-1])[::-1]
            low = int(np.count_nonzero(at_most <= budget - below)) - 1
            high = int(np.count_nonzero(at_least > budget - above))
            below += at_most[low] if low >= 0 else 0.0
            above += at_least[high] if high < len(alive) else 0.0
            lower.append(low)
            upper.append(high)
            alive[: low + 1] = alive[high:] = 0.0
            done = look
        return np.array(lower), np.array(upper)

    def stops(self, n_exceeding, n_resamples):
        """Say whether a run ends at a look.

        Parameters
        ----------
        n_exceeding : int
            The number of resamples that exceed.
        n_resamples : int
            The number of resamples, one of the looks.
        """
        return n_resamples == self.looks[-1] or self.settles(n_exceeding, n_resamples)

    def end(self, exceeding):
        """Return how many resamples count, None if there must be more.

        Parameters
        ----------
        exceeding : ndarray of bool
            Which of the resamples drawn so far exceed.
        """
        counts = np.cumsum(exceeding)
        for look in self.looks.tolist():
            if look <= len(exceeding) and self.stops(counts[look - 1], look):
                return look
        return None

    def settles(self, n_exceeding, n_resamples):
        """Say whether the decision is certain, up to the risk."""
        look = int(np.searchsorted(self.looks, n_resamples))
        return not self._lower[look] < n_exceeding < self._upper[look]

    def pvalue(self, n_exceeding, n_resamples):
        """Return the p-value of a run that stopped.

        If there is no difference, the share of infinitely many resamples is uniform.
        The p-value is the probability that a run then stops with a share as small as
        this one, or smaller: valid at every level, whatever the bounds.

        Parameters
        ----------
        n_exceeding, n_resamples : int
            Where the run stopped.
        """
        shares, probabilities = self._endings
        least = shares <= (n_exceeding / n_resamples) * (1 + 1e-12)
        return float(min(1.0, probabilities[least].sum()))

    @functools.cached_property
    def _endings(self):
        """The shares that runs can stop with, and the probability of each.

        Where the share of infinitely many is uniform, the next resample exceeds with
        probability (s + 1) / (n + 2) after s of n.
        """
        shares, probabilities, alive, done = [], [], np.ones(1), 0
        bounds = zip(self.looks, self._lower, self._upper, strict=True)
        for look, low, high in bounds:
            for n in range(done, look):
                exceeds = np.arange(1, len(alive) + 1) / (n + 2)
                after = np.append(alive * (1 - exceeds), 0.0)
                after[1:] += alive * exceeds
                alive = after
            done, counts = look, np.arange(len(alive))
            ends = (counts <= low) | (counts >= high) | (look == self.looks[-1])
            shares.append(counts[ends] / look)
            probabilities.append(alive[ends])
            alive[ends] = 0.0
            alive = alive[: max(high, 1)]
        return np.concatenate(shares), np.concatenate(probabilities)


def stopping_rule(alpha, first, chunk_size):
    """Return when a test with ``n_resamples="auto"`` stops.

    Parameters
    ----------
    alpha : float
        The level of the test.
    first : int
        The least number of resamples.
    chunk_size : int
        Looks are taken after whole chunks of resamples, which never change.

    Returns
    -------
    StoppingRule
        The rule.
    """
    looks = [first]
    while looks[-1] < MOST_IF_UNCERTAIN:
        looks.append(GROWTH * looks[-1])
    whole = np.ceil(np.array(looks) / chunk_size).astype(int) * chunk_size
    looks = np.unique(np.minimum(whole, MOST_IF_UNCERTAIN))
    return StoppingRule(looks, alpha=alpha, risk=RISK)
