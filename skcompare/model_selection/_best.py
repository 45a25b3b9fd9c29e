"""Candidates of a search, compared with the best of them."""

import functools
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from skcompare._caveats import merge_caveats
from skcompare._engine import score_units
from skcompare._evaluation import FoldProblem, problem_of_models, shared_splits
from skcompare._validation import seed_of
from skcompare.comparison import refuse_untaken
from skcompare.exceptions import DegenerateDataWarning
from skcompare.model_selection._candidates import (
    Candidates,
    where_all_have_scores,
)
from skcompare.model_selection._pairwise import check_test
from skcompare.model_selection._selection_bias import (
    SelectionBySplits,
    SelectionByUnits,
)
from skcompare.model_selection._splits import splits_of
from skcompare.stats.selection import (
    AgainstBest,
    adjust_against_best,
    against_best,
    best_intervals,
)


class BestComparison(NamedTuple):
    """How candidates compare with the best of them, which comes first.

    Attributes
    ----------
    candidates : Candidates
        The candidates and their scores on every split.
    mean_scores : ndarray of shape (n_candidates,)
        Their scores.
    against : AgainstBest
        How far they are behind the best.
    best_intervals : ndarray of shape (n_candidates, 2)
        Simultaneous intervals of each candidate's score less the best of the others'.
    confidence_level : float or None
        The nominal coverage of the intervals.
    test : str
        The name of the test.
    ratio : float
        The number of test rows over that of training rows.
    selection : SelectionBySplits or SelectionByUnits
        What the best was selected from, and by what.
    caveats : list of Caveat
        What to warn of.
    notes : tuple of str
        What to bear in mind about the splits, or about who was compared.
    """

    candidates: Candidates
    mean_scores: np.ndarray
    against: AgainstBest
    best_intervals: np.ndarray
    confidence_level: float | None
    test: str
    ratio: float
    selection: object
    caveats: list
    notes: tuple

    @property
    def lead(self):
        """By how much the best leads the average candidate."""
        everyone = self.selection.scores
        lead = float(self.mean_scores[0] - np.mean(everyone))
        # Where all are alike, rounding alone makes a lead.
        return lead if abs(lead) > 1e-12 * np.abs(everyone).max() else 0.0


def compare_by_splits(everyone, top, splits, confidence_level, notes):
    """Compare candidates by the corrected t on the splits of the search.

    Parameters
    ----------
    everyone : Candidates
        All that were selected from.
    top : int or None
        How many of them to compare.
    splits : Splits
        What is known of the splits.
    confidence_level : float
        The nominal coverage of the intervals.
    notes : tuple of str
        What to bear in mind.

    Returns
    -------
    BestComparison
        Of the best so many.
    """
    candidates, ratio = everyone.head(top), splits.ratio
    # All that were selected from, in the order of their ranks.
    intervals = _with_the_best(everyone.scores, ratio, confidence_level)
    return BestComparison(
        candidates=candidates,
        mean_scores=candidates.scores.mean(axis=1),
        against=against_best(candidates.scores, 0, ratio, confidence_level),
        best_intervals=intervals[: len(candidates.index)],
        confidence_level=confidence_level,
        test="corrected t",
        ratio=ratio,
        selection=SelectionBySplits(
            everyone.scores, ratio, splits.disjoint, everyone.index
        ),
        caveats=[],
        notes=notes,
    )


def ready_test(test, *, groups, sample_weight):
    """Return a copy of a test that draws the same whenever it is asked.

    Parameters
    ----------
    test : object
        The parameter `test`.
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
    candidates, search, test, X, y, *, groups, ranked, notes, **asked
):
    """Fit candidates again, and test whether the best is better than each other one.

    Parameters
    ----------
    candidates : Candidates
        The candidates, in the order of their ranks.
    search : Search
        The search that they come from, and whose splits they are fitted on.
    test : estimator
        The test, which draws the same whenever it is asked.
    X, y : object
        The data.
    groups : object
        As for `fit`.
    ranked : bool
        Whether the best is the first. If not, it is whoever scores best now.
    notes : tuple of str
        What to bear in mind.
    **asked : dict
        `scoring`, `sample_weight`, `params`, `n_jobs` and `verbose`, as for
        `problem_of_models`.

    Returns
    -------
    BestComparison
        Of all of them, by their out-of-fold predictions in one metric.
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
    problem = problem_of_models(
        models,
        X,
        y,
        cv=splits,
        aggregate=test.aggregate if "predictions" in test.takes else None,
        groups=groups,
        names=tuple(models),
        redraws_rows=test.redraws_rows,
        seed=test.get_params(deep=False).get("random_state"),
        **asked,
    )
    ((metric, statistic),) = problem.statistics.items()
    fold_scores = statistic.by_fold(problem.fold)
    ratio, disjoint, *_ = splits_of(splits, len(splits))
    if "predictions" in test.takes:
        score = functools.partial(_only_metric, problem.cells())
        n_units, n_rows = len(problem.units), len(np.unique(problem.indices))
        unit = "rows" if n_units == n_rows else "groups"
        selection = SelectionByUnits(score, n_units, unit, candidates.index)
        scores = np.array(statistic.observed)
    else:
        selection = SelectionBySplits(
            where_all_have_scores(fold_scores), ratio, disjoint, candidates.index
        )
        scores = selection.split_scores.mean(axis=1)
        problem = FoldProblem(
            names=problem.names, scores={metric: fold_scores}, splits=splits
        )
    order = np.arange(len(scores)) if ranked else np.argsort(-scores, kind="stable")
    outcomes = {
        problem.names[other]: test.compare(problem.of_pair(order[0], other))
        for other in order[1:]
    }
    results = [outcome.results[metric] for outcome in outcomes.values()]
    none = (np.nan, np.nan)
    intervals = [result.confidence_interval or none for result in results]
    # That two candidates predict alike is nothing to warn of in a search.
    caveats = {
        name: [c for c in outcome.caveats if c.category is not DegenerateDataWarning]
        for name, outcome in outcomes.items()
    }
    return BestComparison(
        candidates=candidates.taken(order)._replace(scores=fold_scores[order]),
        mean_scores=scores[order],
        against=AgainstBest(
            np.array([0.0, *(result.delta for result in results)]),
            np.array([(0.0, 0.0), *intervals]),
            np.array([1.0, *(result.pvalue for result in results)]),
        ),
        best_intervals=_with_the_best(fold_scores[order], ratio, 0.95),
        confidence_level=test.get_params(deep=False).get("confidence_level"),
        test=type(test).__name__,
        ratio=ratio,
        selection=selection,
        caveats=merge_caveats(caveats),
        notes=notes,
    )


def _with_the_best(scores, ratio, confidence_level):
    """Return simultaneous intervals, nan where there is a single split."""
    scores = where_all_have_scores(scores)
    if scores.shape[1] < 2 or not np.isfinite(scores).all():
        return np.full((len(scores), 2), np.nan)
    return best_intervals(scores, ratio, confidence_level)


def _only_metric(cells, counts):
    return score_units(cells, counts)[0]


def compare_values(params, scores, ratio, *, correction, confidence_level):
    """Compare the values of each parameter, averaged over all the others.

    Parameters
    ----------
    params : list of dict
        The parameters of each candidate.
    scores : ndarray of shape (n_candidates, n_splits)
        Their scores on the same splits; nan where undefined. Splits on which some
        candidate has none do not count.
    ratio : float
        The number of test rows over that of training rows.
    correction : str
        How to adjust the p-values of a parameter for their number.
    confidence_level : float
        The nominal coverage of intervals.

    Returns
    -------
    list of dict
        A row for each value of each parameter that varies: parameters in the order of
        the range of their values' mean scores, values in that of their mean scores.
    """
    scores = where_all_have_scores(scores)
    tables = []
    for name in dict.fromkeys(name for candidate in params for name in candidate):
        places = {}  # of the candidates that have each value
        for place, candidate in enumerate(params):
            if name in candidate:
                places.setdefault(repr(candidate[name]), []).append(place)
        if len(places) < 2:
            continue
        by_value = np.array([scores[some].mean(axis=0) for some in places.values()])
        means = by_value.mean(axis=1)
        order = np.argsort(-means, kind="stable")
        behind = against_best(by_value[order], 0, ratio, confidence_level)
        rows = {
            "mean_score": means[order],
            "delta": behind.deltas,
            "low": behind.intervals[:, 0],
            "high": behind.intervals[:, 1],
            "pvalue": behind.pvalues,
            "pvalue_adjusted": adjust_against_best(behind.pvalues, correction),
        }
        some = [list(places.values())[place] for place in order]
        tables.append(
            [
                {
                    "parameter": name,
                    "value": params[some[row][0]][name],
                    "n_candidates": len(some[row]),
                    **{column: float(values[row]) for column, values in rows.items()},
                    "range": float(np.ptp(means)),
                }
                for row in range(len(order))
            ]
        )
    tables.sort(key=lambda rows: -rows[0]["range"])
    return [row for rows in tables for row in rows]
