"""Candidates of a search, compared with the best of them.

How far are they behind, and how much of its lead does the best owe to being selected?
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
    selection : Selection
        How the best was selected, to do it again.
    fields : dict
        Further fields of a `SearchResult`.
    notes : tuple of str
        What to bear in mind about the splits, or about who was compared.
    caveats : tuple of Caveat, default=()
        What to warn of.
    """

    everyone: Candidates
    candidates: Candidates
    selection: "Selection"
    fields: dict
    notes: tuple
    caveats: tuple = ()


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
    candidates, (ratio, disjoint, notes) = everyone.head(top), splits
    against = selection.against_best(candidates.scores, 0, ratio, confidence_level)
    intervals = _with_the_best(everyone.scores, ratio, confidence_level)
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
    selected = selection_by_splits(everyone.scores, everyone.index, ratio, disjoint)
    return BestComparison(everyone, candidates, selected, fields, notes)


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
        scores, n_units = np.array(statistic.observed), problem.n_units
        score = functools.partial(_only_metric, problem.cells())
        unit = "rows" if n_units == len(np.unique(problem.indices)) else "groups"
        selected = selection_by_units(score, n_units, candidates.index)
    else:
        defined, unit = where_all_have_scores(fold_scores), "splits"
        scores = defined.mean(axis=1)
        selected = selection_by_splits(defined, candidates.index, ratio, disjoint)
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
    candidates = candidates._replace(scores=fold_scores).taken(order)
    fields = {
        "scoring": metric,
        "test": type(test).__name__,
        "mean_scores": scores[order],
        **against._asdict(),
        "best_intervals": _with_the_best(candidates.scores, ratio, 0.95),
        "unit": unit,
        "confidence_level": test.get_params(deep=False).get("confidence_level"),
        "test_train_ratio": ratio,
    }
    return BestComparison(everyone, candidates, selected, fields, notes, caveats)


def tested_against_first(test, problem, metric, order):
    """Compare the first model of an order with each other one; return caveats, too."""
    first, *others = order
    outcomes = [test.compare(problem.of_pair(first, other)) for other in others]
    results = [outcome.results[metric] for outcome in outcomes]
    intervals = [r.confidence_interval or (np.nan, np.nan) for r in results]
    against = selection.AgainstBest(
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
    return selection.best_intervals(scores, ratio, confidence_level)


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
    scores, rows = where_all_have_scores(scores), []
    for name in dict.fromkeys(name for candidate in params for name in candidate):
        places = {}  # of the candidates that have each value
        for place, candidate in enumerate(params):
            if name in candidate:
                places.setdefault(repr(candidate[name]), []).append(place)
        if len(places) < 2:
            continue
        having = list(places.values())
        by_value = np.array([scores[some].mean(axis=0) for some in having])
        means = by_value.mean(axis=1)
        order = np.argsort(-means, kind="stable")
        behind = selection.against_best(by_value[order], 0, ratio, confidence_level)
        adjusted = selection.adjust_against_best(behind.pvalues, correction)
        numbers = np.column_stack([means[order], *behind, adjusted]).tolist()
        rows += [
            {
                "parameter": name,
                "value": params[having[place][0]][name],
                "n_candidates": len(having[place]),
                **dict(zip(OF_A_VALUE, of_value, strict=True)),
                "range": float(np.ptp(means)),
            }
            for place, of_value in zip(order, numbers, strict=True)
        ]
    return sorted(rows, key=lambda row: -row["range"])


# What the best owes to its selection


class Selection(NamedTuple):
    """How the best of all candidates was selected, to do it again on other data.

    Attributes
    ----------
    positions : ndarray of int
        Where the search has each candidate.
    scores : ndarray
        What the candidates were selected by.
    again : callable
        ``again(rng)`` draws scores to select by, and others for what comes of it.
    error : float or None, default=None
        The standard error of the lead of the best; None takes the standard deviation
        of its lead in the draws.
    """

    positions: np.ndarray
    scores: np.ndarray
    again: Callable
    error: float | None = None

    chunk_size = 16

    def blocks(self, start, n_draws, rng):
        """Yield so many draws, as a scheme of resampling."""
        for _ in range(n_draws):
            yield self.again(rng)

    def leads(self, drawn):
        """Return the lead of the winner by scores not selected by, of the best by them.

        Ties are won in an order that does not depend on scores: those of all units
        would tell about the units left out.
        """
        (inside, outside), order = drawn, np.argsort(self.positions)
        winner = order[np.argmax(np.nan_to_num(inside, nan=-np.inf)[order])]
        best = np.argmax(np.nan_to_num(self.scores, nan=-np.inf))
        lasting = outside[winner] - np.mean(outside)
        return np.array([[lasting, inside[best] - np.mean(inside)]])


def selection_by_units(score, n_units, positions):
    """Return a selection by rows or groups.

    Units are drawn with replacement; those drawn select, and those left out judge.

    Parameters
    ----------
    score : callable
        Turns counts of units into a score of every candidate.
    n_units : int
        The number of units.
    positions : ndarray of int
        Where the search has each candidate.

    Returns
    -------
    Selection
        The selection.
    """
    again = functools.partial(_drawn_and_left_out, score, n_units)
    return Selection(positions, score(np.ones(n_units, dtype=int)), again)


def selection_by_splits(scores, positions, ratio, disjoint):
    """Return a selection by splits.

    Splits are drawn with replacement, as units are. Those that test rows of others
    cannot be left out. Where there are such splits, mean scores are taken as normal,
    with the covariance of the scores of splits times ``1 / k + ratio``. A draw from
    this noise is added to them for the selection and subtracted for the lead: the two
    sums are independent. The error is that of the corrected t.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n_splits)
        The scores of candidates on every split.
    positions : ndarray of int
        Where the search has each candidate.
    ratio : float
        The number of test rows over that of training rows.
    disjoint : bool
        Whether no two splits test the same row.

    Returns
    -------
    Selection
        The selection.
    """
    score, n_splits = functools.partial(mean_over_splits, scores), scores.shape[1]
    selected = selection_by_units(score, n_splits, positions)
    if n_splits < 2:  # of a single candidate, which no test refuses
        return selected._replace(error=np.nan)
    of_best = scores[np.argmax(selected.scores)] - scores.mean(axis=0)
    selected = selected._replace(error=corrected_estimate(of_best, ratio).error)
    if disjoint:
        return selected
    scale = np.sqrt((1 / n_splits + ratio) / (n_splits - 1))
    noise = scale * (scores - selected.scores[:, np.newaxis])
    return selected._replace(again=functools.partial(_noisy, selected.scores, noise))


def expected_lead(selected, n_resamples, **drawing):
    """Estimate by how much the winner of a selection leads on other data.

    Parameters
    ----------
    selected : Selection
        The selection. The candidate with the best score of a draw wins, and leads the
        average candidate by the scores that did not select it.
    n_resamples : int
        How often to draw.
    **drawing : dict
        `seed`, `n_jobs` and `verbose`.

    Returns
    -------
    lead : float
        The lead of the winner on data that did not select it, averaged over resamples;
        nan if there was none on which it is defined.
    error : float
        Its standard error: that of the lead of the candidate that was selected.
    """
    resampler = Resampler(selected, selected.leads, "processes")
    leads = draw(resampler, n_resamples, label="selections", **drawing)
    lasting, of_best = (column[np.isfinite(column)] for column in leads.T)
    error = selected.error
    if error is None:
        error = float(of_best.std(ddof=1)) if len(of_best) > 1 else np.nan
    return float(lasting.mean()) if len(lasting) else np.nan, error


def mean_over_splits(scores, counts):
    """Return the mean over splits, each as often as it was drawn."""
    return scores @ counts / counts.sum()


def _drawn_and_left_out(score, n_units, rng):
    """Draw as many units as there are; return scores on them, and on those left out."""
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
    # Where all are alike, rounding alone makes a lead.
    return lead if abs(lead) > 1e-12 * np.abs(scores).max() else 0.0
