"""In how many data sets is A better? From one p-value for each of them."""

import numpy as np

from skcompare._validation import check_fraction, check_option
from skcompare.results import ReplicabilityResult
from skcompare.stats.corrections import (
    DEPENDENCES,
    adjust_pvalues,
    partial_conjunction_pvalues,
)


def replicability_analysis(pvalues, *, dependence="any", alpha=0.05):
    """Say in how many data sets, at least, there is an effect, and in which.

    Counting the p-values below `alpha` does not do: of twenty data sets without any
    effect one is expected to have such a p-value.

    Read more in the :ref:`User Guide <replicability>`.

    Parameters
    ----------
    pvalues : array-like of shape (n_datasets,), dict or Series
        A p-value for each data set, all of the same question. The keys of a dict, or
        the index of a series, name the data sets.
    dependence : {"any", "independent"}, default="any"
        How the p-values may depend on each other. "independent" is for data sets that
        share nothing: neither test rows nor training rows. It finds more effects.
    alpha : float, default=0.05
        The probability that `k` is too large, at most; also that `rejected` names any
        data set without an effect.

    Returns
    -------
    ReplicabilityResult
        `k`, `partial_conjunction_pvalues` and `rejected`.

    See Also
    --------
    FoldReplicability : The same with the folds of cross-validation.
    FriedmanTest : Whether several models differ over data sets.

    Notes
    -----
    *Null hypotheses*: for u = 1, 2, ... "fewer than u of the data sets have an effect".
    Each is tested by a *partial conjunction* p-value: the u - 1 smallest p-values are
    set aside and the n - u + 1 others combined, by Bonferroni (for any dependence:
    n - u + 1 times the smallest of them) or by Fisher (for independence: the sum of
    their logarithms). With the running maximum over u, `k` counts those that are at
    most `alpha`; they are called K_Bonferroni and K_Fisher [1]_. *Estimand*: the
    number of data sets with an effect, of which `k` is a lower confidence bound with
    coverage ``1 - alpha``. *Assumptions*: each p-value is valid on its own, that is at
    most t with a probability of at most t where there is no effect.

    `rejected` is by Holm's procedure [2]_ whatever the dependence. Its adjusted
    p-values are the Bonferroni ones of partial conjunctions: K_Bonferroni is the
    number of data sets that it names. K_Fisher may be larger: then there are more
    data sets with an effect than can be named.

    A single data set is analyzed like several: `k` is 1 if its p-value is at most
    `alpha`. Equal p-values are rejected together or not at all. P-values of 1 count for
    nothing, and those of 0 always as an effect.

    References
    ----------
    .. [1] Dror, R., Baumer, G., Bogomolov, M. and Reichart, R. (2017). Replicability
       analysis for natural language processing: testing significance with multiple
       datasets. Transactions of the ACL 5, 471-486. :doi:`10.1162/tacl_a_00074`
    .. [2] Holm, S. (1979). A simple sequentially rejective multiple test procedure.
       Scandinavian Journal of Statistics 6(2), 65-70.

    Examples
    --------
    >>> from skcompare import replicability_analysis
    >>> pvalues = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
    >>> replicability_analysis(pvalues)
    ReplicabilityResult(k=1, rejected=(5,))
    >>> replicability_analysis(pvalues, dependence="independent").k
    2
    >>> print(replicability_analysis({"news": 0.004, "tweets": 0.03}).sentence())
    At the level 0.05 there is an effect in at least 2 of 2 data sets (K_Bonferroni).
    Holm's procedure names: news, tweets.
    """
    check_option("dependence", dependence, DEPENDENCES)
    alpha = check_fraction("alpha", alpha)
    names, values = _as_pvalues(pvalues)
    return analyze(values, names=names, dependence=dependence, alpha=alpha)


def analyze(pvalues, *, names, dependence, alpha, **facts):
    """Return the result for checked p-values; `facts` are further fields of it."""
    combined = partial_conjunction_pvalues(pvalues, dependence=dependence)
    rejected = adjust_pvalues(pvalues, "holm") <= alpha
    return ReplicabilityResult(
        k=int(np.count_nonzero(combined <= alpha)),
        rejected=tuple(names[i] for i in np.flatnonzero(rejected)),
        pvalues=pvalues,
        partial_conjunction_pvalues=combined,
        names=names,
        dependence=dependence,
        alpha=alpha,
        **facts,
    )


def _as_pvalues(pvalues):
    """Return names and an array of p-values, or say what is wrong with them."""
    named = hasattr(pvalues, "items")
    values = [value for _, value in pvalues.items()] if named else pvalues
    try:
        values = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"`pvalues` must be numbers. Got {pvalues!r}.") from None
    if values.ndim != 1 or not len(values):
        raise ValueError(
            "`pvalues` must be one-dimensional, with a p-value for each data set. "
            f"Got an array of shape {values.shape}."
        )
    names = tuple(pvalues.keys()) if named else tuple(range(len(values)))
    if len(set(names)) < len(names):
        raise ValueError(
            f"`pvalues` must name every data set once. Got {list(map(str, names))}."
        )
    outside = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(outside):
        first = outside[0]
        raise ValueError(
            "`pvalues` must lie between 0 and 1, none missing. Got "
            f"{float(values[first])!r} for {names[first]!r}. Leave out data sets "
            "without a p-value."
        )
    return names, values
