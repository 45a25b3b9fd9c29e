"""Pairs of several models, answered by a test for two of them.

A bootstrap is run once: its resamples are scored for all models and read pair by pair.
Other tests are asked about each pair, of models that have been asked for their answers
once.
"""

import dataclasses
import functools
import inspect
import numbers
from typing import NamedTuple

from skcompare._evaluation._fold_problem import score_folds
from skcompare._validation import as_array
from skcompare.comparison import ApproxRandomization, NestedCVInterval, PairedBootstrap
from skcompare.comparison._base import BaseComparison
from skcompare.comparison._caveats import Caveat
from skcompare.comparison._classical import refuse_parameters
from skcompare.comparison._folds import FoldComparison, FoldTest
from skcompare.exceptions import FewResamplesWarning

__all__ = [
    "Family",
    "answer_folds",
    "answer_pairs",
    "check_accepts",
    "check_test",
    "few_resamples_caveat",
    "shares_resamples",
]

# A warning names so many pairs that it concerns.
MOST_NAMED = 3


class Family(NamedTuple):
    """The answers of a test about pairs of models.

    Attributes
    ----------
    results : dict of list of ComparisonResult
        The results of the pairs for each metric.
    caveats : list of Caveat
        What to warn of.
    tolerances : dict of list of float
        How far apart ties may be by rounding, for each metric and pair; empty unless
        resamples are shared.
    resampled : dict of ndarray of shape (n_resamples, n_models)
        The bootstrapped scores for each metric; empty without a shared bootstrap.
    """

    results: dict
    caveats: list
    tolerances: dict
    resampled: dict


def shares_resamples(test):
    """Return whether one set of resamples can serve all pairs."""
    if not isinstance(test, PairedBootstrap | ApproxRandomization):
        return False
    studentized = isinstance(test, PairedBootstrap) and test.interval == "studentized"
    return not studentized and not isinstance(test.n_resamples, str)


def check_test(test):
    """Check that pairs can be asked about by the test: it gives p-values."""
    known = isinstance(test, BaseComparison | FoldTest)
    if not known or not hasattr(test, "alternative"):
        raise ValueError(
            "`test` must be a test for two models, on answers or on scores of folds "
            "that all pairs share, that gives a p-value, such as PairedBootstrap(), "
            f"McNemar() or CorrectedTTest(). Got {test!r}.{_remedy_for(test)}"
        )


def _remedy_for(test):
    """Say what to do with a comparison of two models that is none of those."""
    if isinstance(test, NestedCVInterval):
        return (
            " It fits both models of a pair on nested splits of its own: fit it to "
            "each pair, and correct its `pvalue_` by adjust_pvalues."
        )
    if isinstance(test, BaseComparison | FoldComparison):
        return (
            " A posterior has no p-value to correct: fit it to each pair, and read "
            "its probabilities."
        )
    return ""


def check_accepts(test, **given):
    """Check that the test takes what was given besides the data."""
    taken = inspect.signature(test.fit).parameters
    refused = {name: value for name, value in given.items() if name not in taken}
    refuse_parameters(type(test).__name__, refused)


def answer_pairs(test, sample, scorers, groups, strata, *, names, pairs, shared):
    """Ask a test about pairs of the models of a sample.

    Parameters
    ----------
    test : BaseComparison
        The test, whose seed is settled.
    sample : Sample
        Rows and the answers of all models.
    scorers : dict
        Scorers by name.
    groups, strata : object
        As for the `fit` of the test.
    names : tuple of str
        What the models are called.
    pairs : list of tuple of int
        The models to compare, by number.
    shared : bool
        Whether resamples must be the same for all pairs.

    Returns
    -------
    Family
        The answers.
    """
    if isinstance(test, PairedBootstrap) and shares_resamples(test):
        everyone = test._pose(sample, scorers, groups, strata)
        return _with_late_caveats(
            test, _by_shared_bootstrap(test, everyone, pairs, names)
        )
    family = test._pose(sample, scorers, groups, strata) if shared else None
    questions = [
        test._pose(sample.of_pair(i, j), scorers, groups, strata).within(family)
        for i, j in pairs
    ]
    answers = [_answer(test, question, test._answer) for question in questions]
    tolerances = _tolerances(answers, questions) if shared else {}
    found = _family(answers, pairs, names, tolerances=tolerances)
    return _with_late_caveats(test, found)


def _by_shared_bootstrap(test, everyone, pairs, names):
    run = test._run(everyone)
    questions = [everyone.of_pair(i, j) for i, j in pairs]
    answers = [
        _answer(test, q, functools.partial(test._conclude_from, run.of_pair(*q.pair)))
        for q in questions
    ]
    places = enumerate(everyone.statistics)
    resampled = {metric: run.scores[:, place] for place, metric in places}
    tolerances = _tolerances(answers, questions)
    return _family(answers, pairs, names, tolerances=tolerances, resampled=resampled)


def _with_late_caveats(test, family):
    """Add what to warn of after the test, of the pair that is worst off."""
    worst = {
        metric: max(results, key=lambda result: result.n_undefined)
        for metric, results in family.results.items()
    }
    late = filter(None, test._late_caveats(worst))
    return family._replace(caveats=[*family.caveats, *late])


def few_resamples_caveat(test, results, correction):
    """Say so if no p-value from so many resamples can survive the correction.

    Parameters
    ----------
    test : BaseComparison or FoldTest
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
    is_number = isinstance(getattr(test, "n_resamples", None), numbers.Integral)
    counted = is_number and first.method != "exact"
    if not counted or not test.add_one or correction not in ("bonferroni", "holm"):
        return None
    smallest = n_pairs / (first.n_resamples + 1)
    if smallest <= test.alpha:
        return None
    return Caveat(
        FewResamplesWarning,
        f"With {first.n_resamples:,} resamples no p-value, corrected for {n_pairs} "
        f"pairs, is below {smallest:.2g}: nothing can be found. Take n_resamples of at "
        f"least {int(10 * n_pairs / test.alpha):,}, or correction='max-t'.",
    )


def _answer(test, question, conclude):
    """Return the results about a pair, by metric, and what to warn of."""
    caveats = test._early_caveats(question)
    return conclude(question, tuple(caveat.text for caveat in caveats)), caveats


def _tolerances(answers, questions):
    """Return how far apart ties may be by rounding, for each metric and pair."""
    return {
        metric: [
            question.tolerance(metric, [found[metric].score_a, found[metric].score_b])
            for (found, _), question in zip(answers, questions, strict=True)
        ]
        for metric in questions[0].statistics
    }


def _family(answers, pairs, names, *, tolerances=None, resampled=None):
    """Put the answers about pairs together, metric by metric, under their names."""
    called = [{"name_a": names[i], "name_b": names[j]} for i, j in pairs]
    results = {
        metric: [
            dataclasses.replace(found[metric], **name)
            for (found, _), name in zip(answers, called, strict=True)
        ]
        for metric in answers[0][0]
    }
    told = {
        " - ".join(n.values()): c for (_, c), n in zip(answers, called, strict=True)
    }
    return Family(results, _merged(told), tolerances or {}, resampled or {})


def _merged(told):
    """Return what to warn of, each thing once, with the pairs that it concerns."""
    concerned = {}
    for label, caveats in told.items():
        for caveat in caveats:
            concerned.setdefault(caveat, []).append(label)
    return [
        caveat if len(labels) == len(told) else _about(caveat, labels)
        for caveat, labels in concerned.items()
    ]


def _about(caveat, labels):
    more = len(labels) - MOST_NAMED
    listed = ", ".join(labels[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return Caveat(caveat.category, f"{listed}: {caveat.text}")


def answer_folds(test, models, X, y, scorers, groups, *, pairs):
    """Ask a test of fold scores about pairs of models, each fitted once per fold.

    Parameters
    ----------
    test : FoldTest
        The test, whose seed is settled.
    models : dict
        Models by name.
    X, y : object
        The data.
    scorers : dict
        Scorers by name.
    groups : object
        As for the `fit` of the test.
    pairs : list of tuple of int
        The models to compare, by number.

    Returns
    -------
    Family
        The answers.
    """
    y, seed = as_array(y, "y"), test._seed()
    folds = score_folds(
        models,
        X,
        y,
        cv=test._splitter(models, y, groups, seed),
        scorers=scorers,
        groups=groups,
        seed=seed,
        error_score=test.error_score,
        n_jobs=test.n_jobs,
    ).where_all_have_one()
    answers = []
    for pair in pairs:
        of_pair = folds.of_pair(*pair)
        found = {metric: test._answer(of_pair, metric) for metric in scorers}
        results = {metric: result for metric, (result, _) in found.items()}
        answers.append((results, [c for _, told in found.values() for c in told]))
    return _family(answers, pairs, tuple(models))
