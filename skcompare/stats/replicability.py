"""In how many of several data sets there is an effect, from one p-value for each."""

import numpy as np
from scipy import stats

from skcompare.stats.corrections import running_maximum

# How p-values of several data sets may hang together.
DEPENDENCES = ("any", "independent")


def partial_conjunction_pvalues(pvalues, *, dependence):
    """Return for u = 1, 2, ... a p-value for "fewer than u data sets have an effect".

    The u - 1 smallest p-values are set aside, as if those data sets had an effect, and
    the others are combined: by Bonferroni, or by Fisher if they are independent. More
    effects are never easier to show than fewer: hence the running maximum.

    Parameters
    ----------
    pvalues : ndarray of shape (n,)
        A p-value for each data set.
    dependence : {"any", "independent"}
        How they may hang together.

    Returns
    -------
    ndarray of shape (n,)
        Non-decreasing. The first tests whether there is an effect anywhere, the last
        whether there is one everywhere: it is at least the largest p-value.

    References
    ----------
    .. [1] Benjamini, Y. and Heller, R. (2008). Screening for partial conjunction
       hypotheses. Biometrics 64(4), 1215-1222.
       :doi:`10.1111/j.1541-0420.2007.00984.x`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.stats import partial_conjunction_pvalues
    >>> pvalues = np.array([0.01, 0.20, 0.02])
    >>> partial_conjunction_pvalues(pvalues, dependence="any").tolist()
    [0.03, 0.04, 0.2]
    """
    ordered = np.sort(pvalues)
    combine = _bonferroni if dependence == "any" else _fisher
    return running_maximum(combine(ordered))


def _bonferroni(ordered):
    left = np.arange(len(ordered), 0, -1)
    return np.minimum(left * ordered, 1.0)


def _fisher(ordered):
    left = np.arange(len(ordered), 0, -1)
    with np.errstate(divide="ignore"):  # a p-value of 0 rules everything out
        logs = np.log(ordered)
    combined = stats.chi2.sf(-2 * np.cumsum(logs[::-1])[::-1], 2 * left)
    combined[-1] = ordered[-1]  # on its own it stays what it is, without rounding
    return combined
