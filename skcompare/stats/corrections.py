"""Corrections for multiple comparisons, and tests of partial conjunctions."""

import numpy as np
from scipy import stats

from skcompare._parameters import CORRECTIONS, OneOf

# Possible dependence between the p-values of several data sets.
DEPENDENCES = ("any", "independent")


def adjust_pvalues(pvalues, method="holm"):
    """Adjust p-values for multiple comparisons.

    Of twenty true null hypotheses tested at level 0.05, one is rejected on average.
    An adjusted p-value can be compared with the level as if it were the only p-value.

    Parameters
    ----------
    pvalues : array-like
        The p-values, of any shape. All of them belong to one family.
    method : {"bonferroni", "holm", "hochberg", "bh", "by", "none"}, default="holm"
        The correction. Each controls an error rate under some assumption about the
        dependence of the p-values:

        - "bonferroni": the probability of any false rejection (FWER), under any
          dependence;
        - "holm": the same, and never less powerful;
        - "hochberg": the same, for independent or positively dependent p-values;
          slightly more powerful;
        - "bh" (Benjamini and Hochberg): the false discovery rate (the expected share of
          false rejections among all rejections), for independent or positively
          dependent p-values;
        - "by" (Benjamini and Yekutieli): the same, under any dependence;
        - "none": no correction.

    Returns
    -------
    ndarray
        The adjusted p-values, in the shape and order of `pvalues`. None is smaller
        than its unadjusted p-value.

    See Also
    --------
    PairwiseComparison : Offers another correction, from resamples shared by all tests.

    Notes
    -----
    The error rate is controlled for any combination of true and false null hypotheses.
    The tests of all pairs of several models are not independent, and in general it is
    unknown whether they have the positive dependence that "hochberg" and "bh" require.
    "bonferroni", "holm" and "by" do not require it.

    References
    ----------
    .. [1] Holm, S. (1979). A simple sequentially rejective multiple test procedure.
       Scandinavian Journal of Statistics 6(2), 65-70.
    .. [2] Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of
       significance. Biometrika 75(4), 800-802. :doi:`10.1093/biomet/75.4.800`
    .. [3] Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate.
       Journal of the Royal Statistical Society B 57(1), 289-300.
       :doi:`10.1111/j.2517-6161.1995.tb02031.x`
    .. [4] Benjamini, Y. and Yekutieli, D. (2001). The control of the false discovery
       rate in multiple testing under dependency. Annals of Statistics 29(4),
       1165-1188. :doi:`10.1214/aos/1013699998`

    Examples
    --------
    >>> from skcompare.stats import adjust_pvalues
    >>> adjust_pvalues([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    >>> adjust_pvalues([0.01, 0.04, 0.03], method="bh").tolist()
    [0.03, 0.04, 0.04]
    """
    OneOf(*CORRECTIONS).check("method", method)
    if pvalues is None:  # numpy would convert it to nan
        raise ValueError("`pvalues` must be numbers. Got None.")
    try:
        pvalues = np.array(pvalues, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"`pvalues` must be numbers. Got {pvalues!r}.") from None
    outside = pvalues[~((pvalues >= 0) & (pvalues <= 1))]
    if len(outside):
        raise ValueError(
            f"`pvalues` must lie between 0 and 1. Got {outside[0]}. Leave out tests "
            "that are not part of the family; use 1 for tests of the family that have "
            "no p-value."
        )
    values = pvalues.ravel()
    order = np.argsort(values, kind="stable")
    n, rank = len(values), np.arange(1, len(values) + 1)
    factors = {
        "bonferroni": n,
        "holm": n + 1 - rank,
        "hochberg": n + 1 - rank,
        "bh": n / rank,
        "by": np.sum(1 / rank) * n / rank,
        "none": 1,
    }
    steps = values[order] * factors[method]
    if method == "holm":  # step down: at least the previous one
        steps = np.maximum.accumulate(steps)
    elif method in ("hochberg", "bh", "by"):  # step up: at most the next one
        steps = np.minimum.accumulate(steps[::-1])[::-1]
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted.reshape(pvalues.shape)


def partial_conjunction_pvalues(pvalues, *, dependence):
    """Test for u = 1, 2, ... the hypothesis that fewer than u data sets have an effect.

    The u - 1 smallest p-values are excluded, as if those data sets had an effect. The
    others are combined by Bonferroni's method, or by Fisher's if they are independent.
    The running maximum is taken since evidence for more effects cannot be stronger than
    evidence for fewer.

    Parameters
    ----------
    pvalues : ndarray of shape (n,)
        A p-value for each data set.
    dependence : {"any", "independent"}
        The assumed dependence between the p-values.

    Returns
    -------
    ndarray of shape (n,)
        The p-values for u = 1, ..., n, in non-decreasing order. The first tests for an
        effect in at least one data set, the last for an effect in all of them; the
        last is at least as large as the largest of `pvalues`.

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
    left = np.arange(len(ordered), 0, -1)
    if dependence == "any":  # Bonferroni
        return np.maximum.accumulate(np.minimum(left * ordered, 1.0))
    # Fisher
    with np.errstate(divide="ignore"):  # log(0) = -inf makes the combined p-value 0
        logs = np.log(ordered)
    combined = stats.chi2.sf(-2 * np.cumsum(logs[::-1])[::-1], 2 * left)
    combined[-1] = ordered[-1]  # a single p-value needs no combination: avoid rounding
    return np.maximum.accumulate(combined)
