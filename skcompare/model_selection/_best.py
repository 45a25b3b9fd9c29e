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
    expected_lead : callable
        ``expected_lead(n_resamples, seed=, n_jobs=, verbose=)`` returns the `Lead` that
        the best keeps on other data.
    fields : dict
        Further fields of a `SearchResult`.
    notes : tuple of str
        What to bear in mind about the splits, or about who was compared.
    caveats : tuple of Caveat, default=()
        What to warn of.
    """

    everyone: Candidates
    candidates: Candidates
    expected_lead: Callable
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
    candidates, scores = everyone.head(top), everyone.scores
    ratio, disjoint, notes = splits
    means = candidates.scores.mean(axis=1)
    against = selection.against_best(candidates.scores, 0, ratio, confidence_level)
    intervals = _with_the_best(scores, ratio, confidence_level)
    return BestComparison(
        everyone=everyone,
        candidates=candidates,
        expected_lead=functools.partial(
            lead_by_splits, scores, ratio, disjoint, everyone.index
        ),
        fields={
            "scoring": scoring,
            "test": "corrected t",
            "mean_scores": means,
            **against._asdict(),
            "best_intervals": intervals[: len(means)],
            "lead": _lead_over(means[0], mean_over_splits(scores)),
            "unit": "splits",
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
        scores, n_units = np.array(statistic.observed), problem.n_units
        score = functools.partial(_only_metric, problem.cells())
        unit = "rows" if n_units == len(np.unique(problem.indices)) else "groups"
        expected = functools.partial(lead_by_units, score, n_units, candidates.index)
        selected_by = score(np.ones(n_units, dtype=int))
    else:
        defined, unit = where_all_have_scores(fold_scores), "splits"
        scores, selected_by = defined.mean(axis=1), mean_over_splits(defined)
        expected = functools.partial(
            lead_by_splits, defined, ratio, disjoint, candidates.index
        )
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
        expected_lead=expected,
        fields={
            "scoring": metric,
            "test": type(test).__name__,
            "mean_scores": scores[order],
            **against._asdict(),
            "lead": _lead_over(scores[order[0]], selected_by),
            "unit": unit,
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
    scores, tables = where_all_have_scores(scores), []
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
        tables.append(
            [
                {
                    "parameter": name,
                    "value": params[having[place][0]][name],
                    "n_candidates": len(having[place]),
                    **dict(zip(OF_A_VALUE, row, strict=True)),
                    "range": float(np.ptp(means)),
                }
                for place, row in zip(order, numbers, strict=True)
            ]
        )
    tables.sort(key=lambda rows: -rows[0]["range"])
    return [row for rows in tables for row in rows]


# What the best owes to its selection


class Lead(NamedTuple):
    """The lead of the winner of a selection on data that did not select it.

    Attributes
    ----------
    value : float
        The average over resamples; nan if there was none on which it is defined.
    error : float
        Its standard error: that of the lead of the candidate that was selected.
    """

    value: float
    error: float


def lead_by_units(score, n_units, positions, n_resamples, **drawing):
    """Estimate what leads the winner of a selection by rows or groups, on other data.

    Units are drawn with replacement; the candidate with the best score on those drawn
    wins; its lead over the average candidate is taken on those left out. The error is
    the standard deviation of the lead of the best on those drawn.

    Parameters
    ----------
    score : callable
        Turns counts of units into a score of every candidate.
    n_units : int
        The number of units.
    positions : ndarray of int
        Where the search has each candidate.
    n_resamples : int
        How often to draw.
    **drawing : dict
        `seed`, `n_jobs` and `verbose`.

    Returns
    -------
    Lead
        The lead and its standard error.
    """
    best = np.nanargmax(score(np.ones(n_units, dtype=int)))
    counts = Draws(functools.partial(unit_counts, n_units))
    lead = functools.partial(_leads, score, np.argsort(positions), best)
    resampler = Resampler(counts, lead, "processes")
    leads = draw(resampler, n_resamples, label="selections", **drawing)
    lasting, of_best = (column[np.isfinite(column)] for column in leads.T)
    error = float(of_best.std(ddof=1)) if len(of_best) > 1 else np.nan
    return Lead(float(lasting.mean()) if len(lasting) else np.nan, error)


def lead_by_splits(scores, ratio, disjoint, positions, n_resamples, **drawing):
    """Estimate what leads the winner of a selection by splits, on other data.

    Splits are drawn with replacement, as units are in `lead_by_units`. Those that test
    rows of others cannot be left out. Where there are such splits, mean scores are
    taken as normal, with the covariance of the scores of splits times
    ``1 / k + ratio``. A draw from this noise is added to them for the selection and
    subtracted for the lead: the two sums are independent. The error is that of the
    corrected t.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n_splits)
        The scores of candidates on every split.
    ratio : float
        The number of test rows over that of training rows.
    disjoint : bool
        Whether no two splits test the same row.
    positions : ndarray of int
        Where the search has each candidate.
    n_resamples : int
        How often to draw.
    **drawing : dict
        `seed`, `n_jobs` and `verbose`.

    Returns
    -------
    Lead
        The lead and its standard error.
    """
    means, n_splits = mean_over_splits(scores), scores.shape[1]
    if n_splits < 2:  # of a single candidate, which no test refuses
        return Lead(np.nan, np.nan)
    of_best = scores[np.argmax(means)] - scores.mean(axis=0)
    error = corrected_estimate(of_best, ratio).error
    if disjoint:
        score = functools.partial(mean_over_splits, scores)
        lead = lead_by_units(score, n_splits, positions, n_resamples, **drawing)
        return lead._replace(error=error)
    scale = np.sqrt((1 / n_splits + ratio) / (n_splits - 1))
    noise = scale * (scores - means[:, np.newaxis])
    normal = Draws(functools.partial(np.random.Generator.normal, size=n_splits))
    lead = functools.partial(_lead_with_noise, means, noise, np.argsort(positions))
    resampler = Resampler(normal, lead, "processes")
    leads = draw(resampler, n_resamples, label="selections", **drawing)
    return Lead(float(leads.mean()), error)


class Draws(NamedTuple):
    """A scheme of resampling of which every draw is a call of one function.

    Attributes
    ----------
    one : callable
        ``one(rng)`` makes a draw.
    """

    one: object

    chunk_size = 16

    def blocks(self, start, n_draws, rng):
        """Yield so many draws."""
        for _ in range(n_draws):
            yield self.one(rng)


def unit_counts(n_units, rng):
    """Draw as many units as there are, with replacement: how often did each come?"""
    return np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)


def mean_over_splits(scores, counts=None):
    """Return the mean over splits, each once or as often as it was drawn."""
    counts = np.ones(scores.shape[1], dtype=int) if counts is None else counts
    return scores @ counts / counts.sum()


def _leads(score, order, best, counts):
    """Return the lead of the winner on units left out, of the best on those drawn."""
    left_out, inside = counts == 0, score(counts)
    lasting = np.nan
    if left_out.any():
        lasting = _lead_of_winner(inside, score(left_out.astype(int)), order)
    return np.array([[lasting, inside[best] - np.mean(inside)]])


def _lead_with_noise(means, noise, order, draws):
    shift = noise @ draws
    return np.array([_lead_of_winner(means + shift, means - shift, order)])


def _lead_of_winner(inside, outside, order):
    """Return the lead by some scores of the winner by others.

    Ties are won in an order that does not depend on scores: those of all units would
    tell about the units left out.
    """
    first = np.argmax(np.nan_to_num(inside, nan=-np.inf)[order])
    return outside[order[first]] - np.mean(outside)


def _lead_over(best, scores):
    """Return the lead of the best score over the average one."""
    lead = float(best - np.mean(scores))
    # Where all are alike, rounding alone makes a lead.
    return lead if abs(lead) > 1e-12 * np.abs(scores).max() else 0.0
