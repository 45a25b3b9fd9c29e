"""Candidates fitted anew, and judged against the best by any test."""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from skcompare._engine import Sample, as_statistic
from skcompare._evaluation import evaluate_out_of_fold, shared_splits
from skcompare._random import seed_of
from skcompare.comparison import FiveByTwoCV
from skcompare.comparison._folds import FoldTest
from skcompare.exceptions import ComparisonWarning, DegenerateDataWarning
from skcompare.model_selection._cv_results import where_all_have_scores
from skcompare.model_selection._families import check_accepts, check_test
from skcompare.model_selection._judgement import Judgement
from skcompare.model_selection._luck import FoldScores, UnitScores
from skcompare.model_selection._ratio import sizes_ratio
from skcompare.stats import AgainstBest

__all__ = ["OutOfFold", "fit_candidates", "judge_out_of_fold", "ready_test"]


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
    BaseComparison or FoldTest
        The copy.
    """
    check_test(test)
    if test.alternative != "greater":
        raise ValueError(
            "`test` must have alternative='greater': the question is whether the best "
            f"candidate is better. Got {test.alternative!r}."
        )
    if isinstance(test, FiveByTwoCV):
        raise ValueError(
            "`test` must take the splits of the search. Got FiveByTwoCV, which halves "
            "the data itself. CorrectedTTest takes scores of any splits."
        )
    check_accepts(test, groups=groups, sample_weight=sample_weight)
    copied = clone(test)
    copied._check_parameters()
    if "random_state" in copied.get_params(deep=False):
        copied.set_params(random_state=seed_of(copied.random_state))
    return copied


class OutOfFold(NamedTuple):
    """What candidates answer about rows that they were not fitted on.

    Attributes
    ----------
    sample : Sample
        The rows and the answers of all candidates.
    fold_scores : ndarray of shape (n_candidates, n_splits)
        Their scores, split by split; nan where undefined.
    splits : list of tuple of ndarray
        The positions of training and test rows.
    scorers : dict
        The scorer, by its name.
    groups : object
        Rows that belong together, or None.
    """

    sample: Sample
    fold_scores: np.ndarray
    splits: list
    scorers: dict
    groups: object


def fit_candidates(
    candidates, search, X, y, *, scorers, test, groups, sample_weight, n_jobs
):
    """Fit candidates anew on one set of splits, made by the `cv` of the search.

    Parameters
    ----------
    candidates : Candidates
        Whom to fit.
    search : BaseSearchCV
        The search that they come from.
    X, y : object
        The data.
    scorers : dict
        The scorer, by its name.
    test : BaseComparison or FoldTest
        The test that will be made.
    groups, sample_weight : object
        As for `fit`.
    n_jobs : int or None
        The number of folds fitted at a time.

    Returns
    -------
    OutOfFold
        Their answers, in the order of the candidates.
    """
    models = {
        f"candidate {index}": candidate_model(search, params)
        for index, params in zip(candidates.index, candidates.params, strict=True)
    }
    if hasattr(search.cv, "__next__"):
        raise ValueError(
            "The cv of `search` must be able to split again. Got an iterator, which "
            "the search has used up. Search with a list of splits."
        )
    splits = shared_splits(models, X, y, cv=search.cv, groups=groups)
    sample = evaluate_out_of_fold(
        models,
        X,
        y,
        cv=splits,
        scorers=list(scorers.values()),
        groups=groups,
        sample_weight=sample_weight,
        same_methods=getattr(test, "_exchanges_answers", False),
        n_jobs=n_jobs,
    )
    return OutOfFold(sample, _fold_scores(sample, scorers), splits, scorers, groups)


def candidate_model(search, params):
    """Return an unfitted model with the parameters of a candidate."""
    return clone(search.estimator).set_params(**clone(params, safe=False))


def _fold_scores(sample, scorers):
    ((name, scorer),) = scorers.items()
    statistic = as_statistic(scorer, name, sample)
    folds = [np.flatnonzero(sample.fold == fold) for fold in np.unique(sample.fold)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fold may lack a class
        return np.array([statistic.on_rows(rows) for rows in folds], dtype=float).T


class RowTrial:
    """A test on the pooled answers of two candidates, row by row."""

    def __init__(self, test, answered):
        self._test, self._answered = test, answered
        question = test._pose(answered.sample, answered.scorers, answered.groups, None)
        (statistic,) = question.statistics.values()
        self.scores = np.array(statistic.observed)
        self.score, self.n_units = UnitScores(question.layout), len(question.units)
        self.unit = "rows" if answered.groups is None else "groups"

    def compare(self, a, b):
        """Return the result for candidates number a and b."""
        answered = self._answered
        pair = answered.sample.of_pair(a, b)
        self._test._conclude(pair, answered.scorers, answered.groups, None)
        return self._test.result_


class FoldTrial:
    """A test on the scores of two candidates, fold by fold."""

    unit = "splits"

    def __init__(self, test, answered):
        self._test, self._answered = test, answered
        scores = where_all_have_scores(answered.fold_scores)
        self.scores, self.score = scores.mean(axis=1), FoldScores(scores)
        self.n_units = scores.shape[1]

    def compare(self, a, b):
        """Return the result for candidates number a and b."""
        train, test = zip(*self._answered.splits, strict=True)
        given = [
            {"test_score": scores, "indices": {"train": train, "test": test}}
            for scores in self._answered.fold_scores[[a, b]]
        ]
        return self._test.fit_scores(*given).result_


def judge_out_of_fold(candidates, answered, test, *, ranked):
    """Test the best candidate against each of the others.

    Parameters
    ----------
    candidates : Candidates
        Those who answered, in the order of their ranks.
    answered : OutOfFold
        What they answered.
    test : BaseComparison or FoldTest
        The test, which draws the same whenever it is asked.
    ranked : bool
        Whether the best is the first. If not, it is whoever scores best now.

    Returns
    -------
    Judgement
        Of all of them.
    """
    trial = (FoldTrial if isinstance(test, FoldTest) else RowTrial)(test, answered)
    places = np.arange(len(trial.scores))
    order = places if ranked else np.argsort(-trial.scores, kind="stable")
    results, warned = _compare_all(trial, order)
    return Judgement(
        candidates=candidates.taken(order)._replace(scores=answered.fold_scores[order]),
        mean_scores=trial.scores[order],
        against=_against_best(results),
        confidence_level=getattr(test, "confidence_level", None),
        test=type(test).__name__,
        ratio=sizes_ratio(answered.splits),
        score=trial.score,
        positions=candidates.index,
        n_units=trial.n_units,
        unit=trial.unit,
        warned=warned,
    )


def _compare_all(trial, order):
    """Return the results of the first against each other, and what was warned of.

    That two candidates answer alike is nothing to warn of in a search.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ComparisonWarning)
        results = [trial.compare(order[0], other) for other in order[1:]]
    told = [w for w in caught if not issubclass(w.category, DegenerateDataWarning)]
    return results, {str(w.message): w.category for w in told}


def _against_best(results):
    """Return how far candidates are behind the best, which comes first."""
    none = (np.nan, np.nan)
    intervals = [result.confidence_interval or none for result in results]
    return AgainstBest(
        np.array([0.0, *(result.delta for result in results)]),
        np.array([(0.0, 0.0), *intervals]),
        np.array([1.0, *(result.pvalue for result in results)]),
    )
