"""How many resamples make a p-value: all, a given number, or until it is certain."""

import numpy as np

from skcompare.stats import StoppingRule, monte_carlo_error, resampling_pvalue

__all__ = ["MOST_IF_UNCERTAIN", "AllThereAre", "GivenNumber", "UntilCertain"]

# A run that stops early ends here in any case, and decides with at most this risk of
# deciding otherwise than infinitely many resamples would.
MOST_IF_UNCERTAIN = 9_999
RISK = 1e-3

# Looks grow by a tenth: enough of them to stop soon, few enough to work in parallel.
GROWTH = 1.1


class GivenNumber:
    """As many random resamples as the user wants.

    Parameters
    ----------
    n_resamples : int
        The number.
    add_one : bool
        Whether the sample itself counts among them.
    """

    ddof = 1

    def __init__(self, n_resamples, add_one):
        self.looks, self.add_one = (n_resamples,), add_one

    def end(self, exceeding):
        """Return how many resamples count, None if there must be more."""
        return len(exceeding)

    def verdict(self, exceeding):
        """Return the fields of a result, given which resamples exceed."""
        n_resamples, n_exceeding = len(exceeding), int(np.count_nonzero(exceeding))
        pvalue = resampling_pvalue(n_exceeding, n_resamples, add_one=self.add_one)
        return {
            "pvalue": pvalue,
            "pvalue_error": monte_carlo_error(pvalue, n_resamples),
            "n_exceeding": n_exceeding,
            "n_resamples": n_resamples,
        }


class AllThereAre(GivenNumber):
    """All resamples that there are: their share is the p-value itself."""

    ddof = 0

    def __init__(self):
        super().__init__(None, add_one=False)

    def verdict(self, exceeding):
        """Return the fields of a result, given which resamples exceed."""
        return super().verdict(exceeding) | {"pvalue_error": 0.0}


class UntilCertain:
    """Random resamples until it is certain on which side of a level the p-value is.

    Parameters
    ----------
    alpha : float
        The level.
    first : int
        The least number of resamples.
    chunk_size : int
        Looks are taken after whole chunks of resamples, which never change.
    """

    ddof = 1

    def __init__(self, alpha, first, chunk_size):
        self.looks = _looks(first, chunk_size)
        self._rule = StoppingRule(np.array(self.looks), alpha=alpha, risk=RISK)

    def end(self, exceeding):
        """Return how many resamples count, None if there must be more."""
        counts = np.cumsum(exceeding)
        for look in self.looks:
            if look <= len(exceeding) and self._rule.stops(counts[look - 1], look):
                return look
        return None

    def verdict(self, exceeding):
        """Return the fields of a result, given which resamples exceed."""
        n_resamples, n_exceeding = len(exceeding), int(np.count_nonzero(exceeding))
        pvalue = self._rule.pvalue(n_exceeding, n_resamples)
        settled = self._rule.settles(n_exceeding, n_resamples)
        return {
            "pvalue": pvalue,
            "pvalue_error": monte_carlo_error(pvalue, n_resamples),
            "n_exceeding": n_exceeding,
            "n_resamples": n_resamples,
            "decision_risk": RISK if settled else 1.0,
        }


def _looks(first, chunk_size):
    looks = [first]
    while looks[-1] < MOST_IF_UNCERTAIN:
        looks.append(GROWTH * looks[-1])
    whole = np.ceil(np.array(looks) / chunk_size).astype(int) * chunk_size
    return np.unique(np.minimum(whole, MOST_IF_UNCERTAIN)).tolist()
