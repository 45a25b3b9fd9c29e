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
from skcompare.model_selection._candidates import Candidates, where_all_have_scores
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

# Numbers about a value of a parameter.
OF_A_VALUE = ("mean_score", "delta", "low", "high", "pvalue", "pvalue_adjusted")


class BestComparison(NamedTuple):
    """How candidates compare with the best of them, which comes first.

    Attributes
    ----------
    everyone : Candidates
        All candidates of the search that could be compared.
    candidates : Candidates
        Those that are, and their scores on every split.
    against : AgainstBest
        How far they are behind the best.
    selection : SelectionBySplits or SelectionByUnits
        What the best was selected from, and by what.
    fields : dict
        Further fields of a `SearchResult`.
    notes : tuple of str
        What to bear in mind about the splits, or about who was compared.
    caveats : tuple of Caveat, default=()
        What to warn of.
    """

    everyone: Candidates
    candidates: Candidates
    against: AgainstBest
    selection: object
    fields: dict
    notes: tuple
    caveats: tuple = ()

    @property
    def lead(self):
        """By how much the best leads the average candidate."""
        everyone = self.selection.scores
        lead = float(self.fields["mean_scores"][0] - np.mean(everyone))
        # Where all are alike, rounding alone makes a lead.
        return lead if abs(lead) > 1e-12 * np.abs(everyone).max() else 0.0


def compare_by_splits(everyone, top, splits, confidence_level, *, scoring):
    """Compare candidates by the corrected t on the splits of the search.

    Parameters
    ----------
    everyone : Candidates
        All that were selected from, in the order of their ranks.
    top : int or None
        How many of them to compare.
    splits : Splits
        What is known of the splits.
    confidence_level : float
        The nominal coverage of the intervals.
    scoring : str
        What to call the metric.

    Returns
    -------
    BestComparison
        Of the best so many.
    """
    candidates, scores = everyone.head(top), everyone.scores
    ratio, disjoint, notes = splits
    intervals = _with_the_best(scores, ratio, confidence_level)
    return BestComparison(
        everyone=everyone,
        candidates=candidates,
        against=against_best(candidates.scores, 0, ratio, confidence_level),
        selection=SelectionBySplits(scores, ratio, disjoint, everyone.index),
        fields={
            "scoring": scoring,
            "test": "corrected t",
            "mean_scores": candidates.scores.mean(axis=1),
            "best_intervals": intervals[: len(candidates.index)],
            "confidence_level": confidence_level,
            "test_train_ratio": ratio,
        },
        notes=notes,
    )


def ready_test(test, rows):
    """Return a copy of a test that draws the same whenever it is asked.

    Parameters
    ----------
    test : object
        The parameter `test`.
    rows : dict
        `groups` and `sample_weight`, which the test must take if they are not None.

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
    refuse_untaken(test, rows)
    copied = clone(test)
    copied.check_parameters()
    if "random_state" in copied.get_params(deep=False):
        copied.set_params(random_state=seed_of(copied.random_state))
    return copied


def compare_out_of_fold(everyone, top, search, test, X, y, *, ranked, **asked):
    """Fit candidates again, and test whether the best is better than each other one.

    Parameters
    ----------
    everyone : Candidates
        All candidates, in the order of their ranks.
    top : int or None
        How many of them to compare.
    search : Search
        The search that they come from, and whose splits they are fitted on.
    test : estimator
        The test, which draws the same whenever it is asked.
    X, y : object
        The data.
    ranked : bool
        Whether the best is the first. If not, it is whoever scores best now.
    **asked : dict
        `scoring`, `groups`, `sample_weight`, `params`, `n_jobs` and `verbose`, as for
        `problem_of_models`.

    Returns
    -------
    BestComparison
        Of the best so many, by their out-of-fold predictions in one metric.
    """
    candidates = everyone.head(top)
    problem, splits = fit_again(candidates, search, test, X, y, **asked)
    ((metric, statistic),) = problem.statistics.items()
    fold_scores = statistic.by_fold(problem.fold)
    ratio, disjoint, _ = splits_of(splits, len(splits))
    if "predictions" in test.takes:
        scores = np.array(statistic.observed)
        score = functools.partial(_only_metric, problem.cells())
        single = problem.n_units == len(np.unique(problem.indices))
        unit = "rows" if single else "groups"
        selection = SelectionByUnits(score, problem.n_units, unit, candidates.index)
    else:
        defined = where_all_have_scores(fold_scores)
        scores = defined.mean(axis=1)
        selection = SelectionBySplits(defined, ratio, disjoint, candidates.index)
        problem = FoldProblem(
            names=problem.names, scores={metric: fold_scores}, splits=splits
        )
    order = np.arange(len(scores)) if ranked else np.argsort(-scores, kind="stable")
    against, caveats = tested_against_first(test, problem, metric, order)
    notes, left_out = (), len(everyone.index) - len(candidates.index)
    if left_out:
        notes = (
            f"{left_out} candidates of lower rank were not fitted again: luck in "
            "ranking those above them is not counted.",
        )
    return BestComparison(
        everyone=everyone,
        candidates=candidates.taken(order)._replace(scores=fold_scores[order]),
        against=against,
        selection=selection,
        fields={
            "scoring": metric,
            "test": type(test).__name__,
            "mean_scores": scores[order],
            "best_intervals": _with_the_best(fold_scores[order], ratio, 0.95),
            "confidence_level": test.get_params(deep=False).get("confidence_level"),
            "test_train_ratio": ratio,
        },
        notes=notes,
        caveats=caveats,
    )


def tested_against_first(test, problem, metric, order):
    """Compare the first model of an order with each other one; return caveats, too."""
    first, *others = order
    outcomes = [test.compare(problem.of_pair(first, other)) for other in others]
    results = [outcome.results[metric] for outcome in outcomes]
    intervals = [r.confidence_interval or (np.nan, np.nan) for r in results]
    against = AgainstBest(
        np.array([0.0, *(result.delta for result in results)]),
        np.array([(0.0, 0.0), *intervals]),
        np.array([1.0, *(result.pvalue for result in results)]),
    )
    # That two candidates predict alike is nothing to warn of in a search.
    caveats = {
        problem.names[other]: [
            c for c in outcome.caveats if c.category is not DegenerateDataWarning
        ]
        for other, outcome in zip(others, outcomes, strict=True)
    }
    return against, merge_caveats(caveats)


def fit_again(candidates, search, test, X, y, *, groups, **asked):
    """Return the problem of candidates that are fitted again, and their splits."""
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
    return problem, splits


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
        adjusted = adjust_against_best(behind.pvalues, correction)
        numbers = [means[order], behind.deltas, behind.intervals, behind.pvalues]
        having = [list(places.values())[place] for place in order]
        tables.append(
            [
                {
                    "parameter": name,
                    "value": params[some[0]][name],
                    "n_candidates": len(some),
                    **dict(zip(OF_A_VALUE, row, strict=True)),
                    "range": float(np.ptp(means)),
                }
                for some, row in zip(
                    having, np.column_stack([*numbers, adjusted]).tolist(), strict=True
                )
            ]
        )
    tables.sort(key=lambda rows: -rows[0]["range"])
    return [row for rows in tables for row in rows]
