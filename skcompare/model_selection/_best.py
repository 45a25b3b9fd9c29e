"""Comparison of the candidates of a search with the best.

How far are they behind, and how much of the lead of the best is due to its selection?
"""

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from skcompare._caveats import merge_caveats
from skcompare._engine import Resampler, draw, score_units
from skcompare._evaluation import FoldProblem, problem_of_models, shared_splits
from skcompare._validation import seed_of
from skcompare.comparison import refuse_untaken
from skcompare.exceptions import DegenerateDataWarning
from skcompare.model_selection._candidates import Candidates, where_all_have_scores
from skcompare.model_selection._pairwise import check_test
from skcompare.model_selection._splits import splits_of
from skcompare.stats import selection
from skcompare.stats.folds import corrected_estimate

# Columns with results for a value of a parameter.
OF_A_VALUE = ("mean_score", "delta", "low", "high", "pvalue", "pvalue_adjusted")


class BestComparison(NamedTuple):
    """Comparison of candidates with the best one, which comes first.

    Attributes
    ----------
    all_candidates : Candidates
        All candidates of the search that could be compared.
    candidates : Candidates
        The compared candidates, and their scores on every split.
    selection : Selection
        The selection of the best, which can be repeated.
    fields : dict
        Further fields of a `SearchResult`.
    notes : tuple of str
        Notes on the splits, or on the compared candidates.
    caveats : tuple of Caveat, default=()
        Caveats for warnings.
    """

    all_candidates: Candidates
    candidates: Candidates
    selection: "Selection"
    fields: dict
    notes: tuple
    caveats: tuple = ()


def compare_by_splits(all_candidates, top, splits, confidence_level, *, scoring):
    """Compare candidates by the corrected t-test on the splits of the search.

    Parameters
    ----------
    all_candidates : Candidates
        All candidates of the selection, in the order of their ranks.
    top : int or None
        The number of candidates to compare.
    splits : Splits
        The properties of the splits.
    confidence_level : float
        The nominal coverage of the intervals.
    scoring : str
        The name of the metric.

    Returns
    -------
    BestComparison
        The comparison of the `top` candidates.
    """
    candidates, (ratio, disjoint, notes) = all_candidates.head(top), splits
    against = selection.against_best(candidates.scores, 0, ratio, confidence_level)
    intervals = _best_intervals(all_candidates.scores, ratio, confidence_level)
    fields = {
        "scoring": scoring,
        "test": "corrected t",
        "mean_scores": candidates.scores.mean(axis=1),
        **against._asdict(),
        "best_intervals": intervals[: len(candidates.index)],
        "unit": "splits",
        "confidence_level": confidence_level,
        "test_train_ratio": ratio,
    }
    scores, positions = all_candidates.scores, all_candidates.index
    selected = selection_by_splits(scores, positions, ratio, disjoint)
    return BestComparison(all_candidates, candidates, selected, fields, notes)


def ready_test(test, rows):
    """Return a copy of a test that repeats the same draws in every call.

    Parameters
    ----------
    test : object
        The parameter `test`.
    rows : dict
        `groups` and `sample_weight`, which the test must support if they are not None.

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
            f"`test` must use the splits of the search. Got {type(test).__name__}, "
            "which splits the data itself. CorrectedTTest uses scores of any splits."
        )
    refuse_untaken(test, rows)
    copied = clone(test)
    copied.check_parameters()
    if "random_state" in copied.get_params(deep=False):
        copied.set_params(random_state=seed_of(copied.random_state))
    return copied


def compare_out_of_fold(all_candidates, top, search, test, X, y, *, ranked, **settings):
    """Refit candidates and test whether the best is better than each other one.

    Parameters
    ----------
    all_candidates : Candidates
        All candidates, in the order of their ranks.
    top : int or None
        The number of candidates to compare.
    search : Search
        The search of the candidates, on whose splits they are refitted.
    test : estimator
        The test, which must repeat the same draws in every call.
    X, y : object
        The data.
    ranked : bool
        Whether the first candidate is the best. If not, it is the one with the best
        score after refitting.
    **settings : dict
        `scoring`, `groups`, `sample_weight`, `params`, `n_jobs` and `verbose`, as for
        `problem_of_models`.

    Returns
    -------
    BestComparison
        The comparison of the `top` candidates by out-of-fold predictions in one metric.
    """
    candidates = all_candidates.head(top)
    problem, splits = refit_candidates(candidates, search, test, X, y, **settings)
    ((metric, statistic),) = problem.statistics.items()
    fold_scores = statistic.by_fold(problem.fold)
    ratio, disjoint, _ = splits_of(splits, len(splits))
    if "predictions" in test.takes:
        scores, n_units = np.array(statistic.observed), problem.n_units
        unit = "rows" if n_units == len(np.unique(problem.indices)) else "groups"
        cells = problem.cells()
    else:
        defined, unit = where_all_have_scores(fold_scores), "splits"
        scores, cells = defined.mean(axis=1), None
        problem = FoldProblem(
            names=problem.names, scores={metric: fold_scores}, splits=splits
        )
    order = np.arange(len(scores)) if ranked else np.argsort(-scores, kind="stable")
    results, caveats = tested_against_first(test, problem, metric, order)
    if cells is None:
        selected = selection_by_splits(defined, candidates.index, ratio, disjoint)
    else:
        if any(result.engine == "generic" for result in results):
            cells = cells.by_rows()  # the metric was not what it was recognized as
        score = functools.partial(_only_metric, cells)
        selected = selection_by_units(score, n_units, candidates.index)
    notes, n_omitted = (), len(all_candidates.index) - len(candidates.index)
    if n_omitted:
        notes = (
            f"Candidates of lower rank that were not refitted: {n_omitted}. Selection "
            "bias from ranking above them is not included.",
        )
    candidates = candidates._replace(scores=fold_scores).take(order)
    intervals = [r.confidence_interval or (np.nan, np.nan) for r in results]
    behind = selection.AgainstBest(  # the first is the best itself
        np.array([0.0, *(result.delta for result in results)]),
        np.array([(0.0, 0.0), *intervals]),
        np.array([1.0, *(result.pvalue for result in results)]),
    )
    fields = {
        "scoring": metric,
        "test": type(test).__name__,
        "mean_scores": scores[order],
        **behind._asdict(),
        "best_intervals": _best_intervals(candidates.scores, ratio, 0.95),
        "unit": unit,
        "confidence_level": test.get_params(deep=False).get("confidence_level"),
        "test_train_ratio": ratio,
    }
    return BestComparison(all_candidates, candidates, selected, fields, notes, caveats)


def tested_against_first(test, problem, metric, order):
    """Compare the first model of an order with each other one.

    Parameters
    ----------
    test : RowTest or FoldTest
        The test.
    problem : Problem or FoldProblem
        The problem, with all models.
    metric : str
        The name of the metric.
    order : sequence of int
        The models.

    Returns
    -------
    results : list of ComparisonResult
        The result for each of the others.
    caveats : list of Caveat
        The caveats, with the names of the others.
    """
    first, *others = order
    outcomes = [test.compare(problem.of_pair(first, other)) for other in others]
    results = [outcome.results[metric] for outcome in outcomes]
    # Identical predictions of two candidates need no warning in a search.
    caveats = {
        problem.names[other]: [
            c for c in outcome.caveats if c.category is not DegenerateDataWarning
        ]
        for other, outcome in zip(others, outcomes, strict=True)
    }
    return results, merge_caveats(caveats)


def refit_candidates(candidates, search, test, X, y, *, groups, **settings):
    """Return the problem of refitted candidates, and their splits."""
    if hasattr(search.cv, "__next__"):
        raise ValueError(
            "The cv of `search` must be reusable. Got an iterator, which the search "
            "has exhausted. Search with a list of splits."
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
        **settings,
    )
    return problem, splits


def _best_intervals(scores, ratio, confidence_level):
    """Return simultaneous intervals, nan with a single split."""
    scores = where_all_have_scores(scores)
    if scores.shape[1] < 2 or not np.isfinite(scores).all():
        return np.full((len(scores), 2), np.nan)
    return selection.best_intervals(scores, ratio, confidence_level)


def _only_metric(cells, counts):
    return score_units(cells, counts)[0]


def compare_values(params, scores, ratio, *, correction, confidence_level):
    """Compare the values of each parameter, averaged over all other parameters.

    Parameters
    ----------
    params : list of dict
        The parameters of each candidate.
    scores : ndarray of shape (n_candidates, n_splits)
        Their scores on the same splits; nan if undefined. Splits on which some
        candidate has no score are ignored.
    ratio : float
        The number of test rows divided by that of training rows.
    correction : str
        The correction of the p-values of a parameter for multiple comparisons.
    confidence_level : float
        The nominal coverage of intervals.

    Returns
    -------
    list of dict
        A row for each value of each parameter that varies: parameters ordered by the
        range of the mean scores of their values, values by their mean scores.
    """
    scores, rows = where_all_have_scores(scores), []
    for name in dict.fromkeys(name for candidate in params for name in candidate):
        positions = {}  # of the candidates with each value
        for position, candidate in enumerate(params):
            if name in candidate:
                positions.setdefault(repr(candidate[name]), []).append(position)
        if len(positions) < 2:
            continue
        members = list(positions.values())
        by_value = np.array([scores[some].mean(axis=0) for some in members])
        means = by_value.mean(axis=1)
        order = np.argsort(-means, kind="stable")
        behind = selection.against_best(by_value[order], 0, ratio, confidence_level)
        adjusted = selection.adjust_against_best(behind.pvalues, correction)
        numbers = np.column_stack([means[order], *behind, adjusted]).tolist()
        rows += [
            {
                "parameter": name,
                "value": params[members[i][0]][name],
                "n_candidates": len(members[i]),
                **dict(zip(OF_A_VALUE, row, strict=True)),
                "range": float(np.ptp(means)),
            }
            for i, row in zip(order, numbers, strict=True)
        ]
    return sorted(rows, key=lambda row: -row["range"])


# The lead of the best that is due to its selection


class Selection(NamedTuple):
    """The selection of the best of all candidates, which can be repeated on resamples.

    Attributes
    ----------
    positions : ndarray of int
        The position of each candidate in the search.
    scores : ndarray
        The scores by which the candidates were selected.
    again : callable
        ``again(rng)`` draws scores for the selection, and other scores to evaluate it.
    error : float or None, default=None
        The standard error of the lead of the best; None means the standard deviation
        of its lead in the draws.
    """

    positions: np.ndarray
    scores: np.ndarray
    again: Callable
    error: float | None = None

    chunk_size = 16

    def blocks(self, start, n_draws, rng):
        """Yield `n_draws` draws, as a resampling scheme."""
        for _ in range(n_draws):
            yield self.again(rng)

    def leads(self, drawn):
        """Return the winner's lead out of selection, and the best's lead in selection.

        Ties are broken by position and not by the scores on all units, which contain
        information about the units left out.
        """
        (inside, outside), order = drawn, np.argsort(self.positions)
        winner = order[np.argmax(np.nan_to_num(inside, nan=-np.inf)[order])]
        best = np.argmax(np.nan_to_num(self.scores, nan=-np.inf))
        lasting = outside[winner] - np.mean(outside)
        return np.array([[lasting, inside[best] - np.mean(inside)]])


def selection_by_units(score, n_units, positions):
    """Return a selection by rows or groups.

    Units are drawn with replacement for the selection; the units left out evaluate it.

    Parameters
    ----------
    score : callable
        Computes the score of every candidate from counts of units.
    n_units : int
        The number of units.
    positions : ndarray of int
        The position of each candidate in the search.

    Returns
    -------
    Selection
        The selection.
    """
    again = functools.partial(_drawn_and_left_out, score, n_units)
    return Selection(positions, score(np.ones(n_units, dtype=int)), again)


def selection_by_splits(scores, positions, ratio, disjoint):
    """Return a selection by splits.

    Splits are drawn with replacement, like units. Splits that share test rows cannot be
    left out: then mean scores are assumed to be normal, with the covariance of the
    scores of splits times ``1 / k + ratio``. A draw of this noise is added to them for
    the selection and subtracted for the lead, which makes the two sums independent. The
    error is that of the corrected t-test.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n_splits)
        The scores of candidates on every split.
    positions : ndarray of int
        The position of each candidate in the search.
    ratio : float
        The number of test rows divided by that of training rows.
    disjoint : bool
        Whether no two splits test the same row.

    Returns
    -------
    Selection
        The selection.
    """
    score, n_splits = functools.partial(mean_over_splits, scores), scores.shape[1]
    selected = selection_by_units(score, n_splits, positions)
    if n_splits < 2:  # with a single candidate, no test raises an error for this
        return selected._replace(error=np.nan)
    of_best = scores[np.argmax(selected.scores)] - scores.mean(axis=0)
    selected = selected._replace(error=corrected_estimate(of_best, ratio).error)
    if disjoint:
        return selected
    scale = np.sqrt((1 / n_splits + ratio) / (n_splits - 1))
    noise = scale * (scores - selected.scores[:, np.newaxis])
    return selected._replace(again=functools.partial(_noisy, selected.scores, noise))


def expected_lead(selected, n_resamples, **drawing):
    """Estimate the lead of the winner of a selection on other data.

    Parameters
    ----------
    selected : Selection
        The selection. The winner is the candidate with the best score in a draw; its
        lead over the average candidate is computed from the scores not used to select.
    n_resamples : int
        The number of draws.
    **drawing : dict
        `seed`, `n_jobs` and `verbose`.

    Returns
    -------
    lead : float
        The lead of the winner on data not used to select it, averaged over resamples;
        nan if it is undefined on all of them.
    error : float
        Its standard error: that of the lead of the selected candidate.
    """
    resampler = Resampler(selected, selected.leads, "processes")
    leads = draw(resampler, n_resamples, label="selections", **drawing)
    lasting, of_best = (column[np.isfinite(column)] for column in leads.T)
    error = selected.error
    if error is None:
        error = float(of_best.std(ddof=1)) if len(of_best) > 1 else np.nan
    return float(lasting.mean()) if len(lasting) else np.nan, error


def mean_over_splits(scores, counts):
    """Return the mean over splits, weighted by how often each was drawn."""
    return scores @ counts / counts.sum()


def _drawn_and_left_out(score, n_units, rng):
    """Return scores on a bootstrap sample of units, and on the units left out."""
    counts = np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)
    left_out, inside = counts == 0, score(counts)
    if not left_out.any():
        return inside, np.full(len(inside), np.nan)
    return inside, score(left_out.astype(int))


def _noisy(means, noise, rng):
    shift = noise @ rng.normal(size=noise.shape[1])
    return means + shift, means - shift


def lead_over(best, scores):
    """Return the lead of the best score over the average one."""
    lead = float(best - np.mean(scores))
    # If all scores are equal, any lead is a rounding error.
    return lead if abs(lead) > 1e-12 * np.abs(scores).max() else 0.0
