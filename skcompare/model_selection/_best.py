"""Candidates of a search, compared with the best of them."""

import dataclasses
import functools
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from skcompare._caveats import merge_caveats
from skcompare._engine import score_units
from skcompare._evaluation import FoldProblem, problem_of_models, shared_splits
from skcompare._random import seed_of
from skcompare.comparison import refuse_untaken
from skcompare.exceptions import DegenerateDataWarning
from skcompare.model_selection._cv_results import Candidates, where_all_have_scores
from skcompare.model_selection._pairs import check_test
from skcompare.model_selection._ratio import sizes_ratio
from skcompare.stats.selection import AgainstBest, against_best


class BestComparison(NamedTuple):
    """What is known of candidates, the best first.

    Attributes
    ----------
    candidates : Candidates
        The candidates and their scores on every split.
    mean_scores : ndarray of shape (n_candidates,)
        Their scores.
    against : AgainstBest
        How far they are behind the best.
    confidence_level : float or None
        The nominal coverage of the intervals.
    test : str
        The name of the test.
    ratio : float
        The number of test rows over that of training rows.
    score : callable
        Turns counts of units into scores of all candidates that were selected from.
    positions : ndarray of int
        The positions of those in `cv_results_`.
    n_units : int
        The number of units.
    unit : str
        What they are.
    caveats : list of Caveat
        What to warn of.
    """

    candidates: Candidates
    mean_scores: np.ndarray
    against: AgainstBest
    confidence_level: float | None
    test: str
    ratio: float
    score: object
    positions: np.ndarray
    n_units: int
    unit: str
    caveats: list

    @property
    def lead(self):
        """By how much the best leads the average candidate."""
        everyone = self.score(np.ones(self.n_units, dtype=int))
        lead = float(self.mean_scores[0] - np.mean(everyone))
        # Where all are alike, rounding alone makes a lead.
        return lead if abs(lead) > 1e-12 * np.abs(everyone).max() else 0.0


def compare_by_splits(everyone, top, ratio, confidence_level):
    """Compare candidates by the corrected t on the splits of the search.

    Parameters
    ----------
    everyone : Candidates
        All that were selected from.
    top : int or None
        How many of them to compare.
    ratio : float
        The number of test rows over that of training rows.
    confidence_level : float
        The nominal coverage of the intervals.

    Returns
    -------
    BestComparison
        Of the best so many.
    """
    candidates = everyone.head(top)
    return BestComparison(
        candidates=candidates,
        mean_scores=candidates.scores.mean(axis=1),
        against=against_best(candidates.scores, 0, ratio, confidence_level),
        confidence_level=confidence_level,
        test="corrected t",
        ratio=ratio,
        score=functools.partial(_mean_over_splits, everyone.scores),
        positions=everyone.index,
        n_units=everyone.scores.shape[1],
        unit="splits",
        caveats=[],
    )


def ready_test(test, *, groups, sample_weight):
    """Return a copy of a test that draws the same whenever it is asked.

    Parameters
    ----------
    test : object
        What the user gave.
    groups, sample_weight : object
        What the test must be able to take, if not None.

    Returns
    -------
    estimator
        The copy.
    """
    check_test(test)
    if test.alternative != "greater":
        raise ValueError(
            "`test` must have alternative='greater': the question is whether the best "
            f"candidate is better. Got {test.alternative!r}."
        )
    if "splits" not in test.takes:
        raise ValueError(
            f"`test` must take the splits of the search. Got {type(test).__name__}, "
            "which splits the data itself. CorrectedTTest takes scores of any splits."
        )
    refuse_untaken(test, {"groups": groups, "sample_weight": sample_weight})
    copied = clone(test)
    copied.check_parameters()
    if "random_state" in copied.get_params(deep=False):
        copied.set_params(random_state=seed_of(copied.random_state))
    return copied


def compare_out_of_fold(
    candidates, search, test, X, y, *, scorers, ranked, groups, sample_weight, n_jobs
):
    """Fit candidates anew on the splits of the search, and test the best.

    Parameters
    ----------
    candidates : Candidates
        Whom to fit, in the order of their ranks.
    search : BaseSearchCV
        The search that they come from.
    test : estimator
        The test, which draws the same whenever it is asked.
    X, y : object
        The data.
    scorers : dict
        The scorer, by its name.
    ranked : bool
        Whether the best is the first. If not, it is whoever scores best now.
    groups, sample_weight : object
        As for `fit`.
    n_jobs : int or None
        The number of folds fitted at a time.

    Returns
    -------
    BestComparison
        Of all of them.
    """
    if hasattr(search.cv, "__next__"):
        raise ValueError(
            "The cv of `search` must be able to split again. Got an iterator, which "
            "the search has used up. Search with a list of splits."
        )
    models = {
        f"candidate {index}": clone(search.estimator).set_params(
            **clone(params, safe=False)
        )
        for index, params in zip(candidates.index, candidates.params, strict=True)
    }
    splits = shared_splits(models, X, y, cv=search.cv, groups=groups)
    by_row = "predictions" in test.takes
    problem = problem_of_models(
        models,
        X,
        y,
        scoring=scorers,
        cv=splits,
        aggregate=test.aggregate if by_row else "pooled",
        groups=groups,
        sample_weight=sample_weight,
        names=tuple(models),
        redraws_rows=test.redraws_rows,
        n_jobs=n_jobs,
    )
    problem = dataclasses.replace(problem, seed=test.get_params().get("random_state"))
    ((metric, statistic),) = problem.statistics.items()
    fold_scores = statistic.by_fold(problem.fold)
    if by_row:
        scores = np.array(statistic.observed)
        score = functools.partial(_only_metric, problem.cells())
        n_units, unit = len(problem.units), "rows" if groups is None else "groups"
    else:
        defined = where_all_have_scores(fold_scores)
        scores, score = (
            defined.mean(axis=1),
            functools.partial(_mean_over_splits, defined),
        )
        n_units, unit = defined.shape[1], "splits"
        problem = FoldProblem(
            names=problem.names, scores={metric: fold_scores}, splits=splits
        )
    places = np.arange(len(scores))
    order = places if ranked else np.argsort(-scores, kind="stable")
    outcomes = {
        problem.names[other]: test.compare(problem.of_pair(order[0], other))
        for other in order[1:]
    }
    return BestComparison(
        candidates=candidates.taken(order)._replace(scores=fold_scores[order]),
        mean_scores=scores[order],
        against=_against_best([o.results[metric] for o in outcomes.values()]),
        confidence_level=test.get_params().get("confidence_level"),
        test=type(test).__name__,
        ratio=sizes_ratio(splits),
        score=score,
        positions=candidates.index,
        n_units=n_units,
        unit=unit,
        caveats=_worth_saying(outcomes),
    )


def _mean_over_splits(scores, counts):
    """Return the mean over splits, each as often as it came."""
    return scores @ counts / counts.sum()


def _only_metric(cells, counts):
    return score_units(cells, counts)[0]


def _worth_saying(outcomes):
    """Merge caveats. That two candidates predict alike is none in a search."""
    caveats = {
        name: [c for c in outcome.caveats if c.category is not DegenerateDataWarning]
        for name, outcome in outcomes.items()
    }
    return merge_caveats(caveats)


def _against_best(results):
    """Return how far candidates are behind the best, which comes first."""
    none = (np.nan, np.nan)
    intervals = [result.confidence_interval or none for result in results]
    return AgainstBest(
        np.array([0.0, *(result.delta for result in results)]),
        np.array([(0.0, 0.0), *intervals]),
        np.array([1.0, *(result.pvalue for result in results)]),
    )
