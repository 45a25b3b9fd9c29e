"""Pairs of many models, compared by a test for two of them.

A bootstrap is run once: its resamples are scored for all models and read pair by pair.
Other tests are asked about each pair, of models that have been asked for their
predictions once.
"""

import itertools
from typing import NamedTuple

from skcompare._caveats import Caveat, merge_caveats
from skcompare.exceptions import FewResamplesWarning


class Pairs(NamedTuple):
    """What a test shows about pairs of models.

    Attributes
    ----------
    results : dict of list of ComparisonResult
        The results of the pairs for each metric.
    caveats : list of Caveat
        What to warn of.
    resampled : dict of ndarray of shape (n_resamples, n_models)
        The bootstrapped scores of all models for each metric; empty unless resamples
        are shared.
    """

    results: dict
    caveats: list
    resampled: dict


def pairs_of(names, baseline):
    """Return all pairs of models by number, or each with the baseline.

    Examples
    --------
    >>> pairs_of(("a", "b", "c"), None)
    [(0, 1), (0, 2), (1, 2)]
    >>> pairs_of(("a", "b", "c"), "b")
    [(0, 1), (2, 1)]
    """
    if baseline is None:
        return list(itertools.combinations(range(len(names)), 2))
    reference = names.index(baseline)
    return [(m, reference) for m in range(len(names)) if m != reference]


def check_baseline(baseline, names):
    """Check that the baseline, if there is one, is among the models."""
    if baseline is not None and baseline not in names:
        listed = ", ".join(map(repr, names))
        raise ValueError(
            f"`baseline` must be the name of one of the models, {listed}. "
            f"Got {baseline!r}."
        )


def compare_pairs(test, everyone, pairs, *, shared):
    """Compare pairs of the models of a problem.

    Parameters
    ----------
    test : estimator
        A test for two models that gives a p-value.
    everyone : Problem or FoldProblem
        All models, as the test's own `make_problem` makes it.
    pairs : list of tuple of int
        The models to compare, by number.
    shared : bool
        Whether resamples must be the same for all pairs.

    Returns
    -------
    Pairs
        Results and caveats.
    """
    resampled = {}
    if test.shares_resamples and test.redraws_rows:
        resamples = test.resample(everyone)
        problems = [everyone.of_pair(i, j) for i, j in pairs]
        outcomes = [test.conclude(problem, resamples) for problem in problems]
        for place, metric in enumerate(everyone.statistics):
            resampled[metric] = resamples.drawn[:, place]
    else:
        problems = [everyone.of_pair(i, j, shared=shared) for i, j in pairs]
        outcomes = [test.compare(problem) for problem in problems]
    results = {
        metric: [outcome.results[metric] for outcome in outcomes]
        for metric in outcomes[0].results
    }
    labels = [" - ".join(problem.names) for problem in problems]
    caveats = {
        label: outcome.caveats for label, outcome in zip(labels, outcomes, strict=True)
    }
    return Pairs(results, merge_caveats(caveats), resampled)


def check_test(test):
    """Check that pairs can be compared by the test: it gives p-values."""
    remedy = getattr(test, "instead_of_pairs", "")
    if getattr(test, "gives", None) == "p-value" and not remedy:
        return
    if getattr(test, "gives", None) == "posterior":
        remedy = (
            " A posterior has no p-value to correct: fit it to each pair, and read its "
            "probabilities."
        )
    raise ValueError(
        "`test` must be a test for two models, of predictions or of scores of folds "
        "that all pairs share, that gives a p-value, such as PairedBootstrap(), "
        f"McNemar() or CorrectedTTest(). Got {test!r}.{remedy}"
    )


def few_resamples_caveat(test, results, correction):
    """Say so if no p-value from so many resamples can survive the correction.

    Parameters
    ----------
    test : estimator
        The test.
    results : list of ComparisonResult
        The results of the pairs.
    correction : str
        How their p-values are adjusted.

    Returns
    -------
    Caveat or None
        What to warn of.
    """
    first, n_pairs = results[0], len(results)
    counted = isinstance(first.n_resamples, int) and first.decision_risk is None
    if not counted or first.method == "exact" or not test.add_one:
        return None
    smallest = n_pairs / (first.n_resamples + 1)
    if smallest <= test.alpha or correction not in ("bonferroni", "holm"):
        return None
    return Caveat(
        FewResamplesWarning,
        f"With {first.n_resamples:,} resamples no p-value, corrected for {n_pairs} "
        f"pairs, is below {smallest:.2g}: nothing can be found. Take n_resamples of at "
        f"least {int(10 * n_pairs / test.alpha):,}, or correction='max-t'.",
    )
