"""Early stopping of resampling tests once the decision is certain, and p-values."""

import functools

import numpy as np
from scipy import stats

# Maximum number of resamples, and the maximum probability that a run which stops before
# it decides otherwise than infinitely many resamples would.
MOST_IF_UNCERTAIN = 9_999
RISK = 1e-3

# Ratio of successive looks: small enough to stop soon, and large enough for looks to be
# few, so that resamples between them can be computed in parallel.
GROWTH = 1.1


class StoppingRule:
    """Rule to stop a resampling test early, and the p-value of a stopped test.

    At certain numbers of resamples (looks), a run stops if the number of exceeding
    resamples is so low, or so high, that the share among infinitely many resamples is
    almost certainly below, or above, `alpha`. The bounds spend `risk` over the looks,
    as Gandy's do: if the share were exactly `alpha`, the lower bounds would be reached
    with at most this probability, and so would the upper bounds. The decision is
    therefore wrong with at most this probability, whatever the share. At the last look
    the run stops in any case.

    Parameters
    ----------
    looks : ndarray of int
        The increasing numbers of resamples at which a run may stop.
    alpha : float
        The level.
    risk : float
        The maximum probability of a wrong decision for a run that stops early.

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
        """Return, for each look, the lower and the upper bound at which runs stop.

        If the share is exactly `alpha`, `alive[s]` is the probability that a run has
        not stopped and has s exceeding resamples.
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
        """Return whether a run stops at a look.

        Parameters
        ----------
        n_exceeding : int
            The number of exceeding resamples.
        n_resamples : int
            The number of resamples, one of the looks.
        """
        return n_resamples == self.looks[-1] or self.is_decided(
            n_exceeding, n_resamples
        )

    def end(self, exceeding):
        """Return the number of resamples at which a run stops; None if it does not.

        Parameters
        ----------
        exceeding : ndarray of bool
            Which of the resamples so far are exceeding. Those after the stop are not
            used.
        """
        counts = np.cumsum(exceeding)
        for look in self.looks.tolist():
            if look <= len(exceeding) and self.stops(counts[look - 1], look):
                return look
        return None

    def is_decided(self, n_exceeding, n_resamples):
        """Return whether the decision is certain, up to the risk."""
        look = int(np.searchsorted(self.looks, n_resamples))
        return not self._lower[look] < n_exceeding < self._upper[look]

    def pvalue(self, n_exceeding, n_resamples):
        """Return the p-value of a run that stopped.

        Under the null hypothesis, the share of exceeding resamples among infinitely
        many is uniform. The p-value is the probability that a run then stops with at
        most the observed share. It is valid at every level, for any bounds.

        Parameters
        ----------
        n_exceeding, n_resamples : int
            The numbers of exceeding and of all resamples when the run stopped.
        """
        shares, probabilities = self._endings
        extreme = shares <= (n_exceeding / n_resamples) * (1 + 1e-12)
        return float(min(1.0, probabilities[extreme].sum()))

    @functools.cached_property
    def _endings(self):
        """The shares at which runs can stop, and their probabilities.

        If the share among infinitely many is uniform, the next resample exceeds with
        probability (s + 1) / (n + 2) after s exceeding resamples of n.
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
    """Return the stopping rule of tests with ``n_resamples="auto"``.

    Parameters
    ----------
    alpha : float
        The level of the test.
    first : int
        The minimum number of resamples.
    chunk_size : int
        The number of resamples per chunk. Looks are taken after whole chunks, whose
        resamples never change.

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
