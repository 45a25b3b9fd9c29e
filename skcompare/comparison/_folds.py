"""What tests on the scores of cross-validation folds share."""

import abc
import itertools
import math
import numbers
import warnings

import numpy as np

from skcompare._callbacks import followed
from skcompare._evaluation import resolve_scoring
from skcompare._evaluation._fold_problem import given_scores, score_folds
from skcompare._validation import as_array, check_fraction, check_option
from skcompare.comparison._base import as_target, check_rows
from skcompare.comparison._classical import refuse_parameters
from skcompare.comparison._fold_caveats import (
    failure_caveat,
    group_caveat,
    limit_caveat,
    order_caveat,
    tie_caveat,
)
from skcompare.comparison._winner import WinnerPredicts, from_result, refitted
from skcompare.results import ComparisonResult
from skcompare.stats import ALTERNATIVES, corrected_estimate

__all__ = ["FoldComparison", "FoldTest", "corrected_differences"]

_HYPOTHESES = {
    "greater": "over training and test sets of this size, A's way of learning scores "
    "no better than B's on average",
    "less": "over training and test sets of this size, B's way of learning scores no "
    "better than A's on average",
    "two-sided": "over training and test sets of this size, both ways of learning "
    "score the same on average",
}


class FoldComparison(WinnerPredicts, abc.ABC):
    """Two ways of learning, one question: does A score better than B on average?

    Both models are fitted and scored on the same splits. A subclass says in `_examine`
    what the scores of folds show.
    """

    _method_without_models = "fit_scores"
    _without_models = "For scores of folds use fit_scores"

    delta_ = from_result("delta")
    score_a_ = from_result("score_a")
    score_b_ = from_result("score_b")

    @abc.abstractmethod
    def _examine(self, folds, metric):
        """Return fields of the result that are this test's own."""

    @abc.abstractmethod
    def _result(self, **fields):
        """Make the result."""

    def _check_parameters(self):
        check_error_score(self.error_score)

    def _seed(self):
        """Return the seed of random splits, None for a test that makes none."""
        return None

    def _splitter(self, models, y, groups, seed):
        """Return what makes the splits."""
        refuse_word_for_cv(self.cv)
        return self.cv

    def _caveats(self, folds, metric, own):
        """Return what to warn of, None where there is nothing.

        `own` are the fields of the result that `_examine` found.
        """
        return [
            failure_caveat(folds, metric),
            order_caveat(folds),
            group_caveat(folds),
            tie_caveat(folds, metric),
        ]

    def fit(self, X, y=None, *, groups=None, **unsupported):
        """Compare the two models by cross-validation.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list
            The data for cross-validation.
        y : array-like
            The truth.
        groups : array-like of shape (n_samples,), default=None
            Passed to the splitter, which keeps rows of a group together.
        **unsupported : dict
            `strata` and `sample_weight`, which the resampling tests take, are refused
            here unless they are None.

        Returns
        -------
        object
            The fitted comparison itself.
        """
        refuse_parameters(type(self).__name__, unsupported)
        self._check_parameters()
        models = self._models()
        y = as_target(y, type(self).__name__)
        check_rows("X", X, y=y, groups=groups)
        scorers = resolve_scoring(self.scoring, y=y, models=list(models.values()))
        y, seed = as_array(y, "y"), self._seed()
        with followed(self):
            folds = score_folds(
                models,
                X,
                y,
                cv=self._splitter(models, y, groups, seed),
                scorers=scorers,
                groups=groups,
                seed=seed,
                error_score=self.error_score,
                n_jobs=self.n_jobs,
            )
        self._conclude(folds)
        self.best_estimator_ = refitted(self._winner(models), X, y, None)
        return self

    def fit_scores(self, scores_a, scores_b, *, test_train_ratio=None):
        """Compare two models by scores of folds that are there already.

        Parameters
        ----------
        scores_a, scores_b : array-like or dict
            The scores of A and of B on the same folds in the same order, higher for
            better, or what :func:`~sklearn.model_selection.cross_validate` returned
            for them. Repeats of cross-validation may follow one another or be the rows
            of a matrix. nan marks a fold on which a fit failed.
        test_train_ratio : float, default=None
            The number of test rows over that of training rows: ``1 / (k - 1)`` for k
            folds. None takes it from the `indices` that `cross_validate` gives with
            ``return_indices=True``.

        Returns
        -------
        object
            The fitted comparison itself. It has results, and no model to predict with.
        """
        self._check_parameters()
        ratio = None if test_train_ratio is None else check_ratio(test_train_ratio)
        folds = given_scores(scores_a, scores_b, scoring=self.scoring, ratio=ratio)
        self._conclude(folds)
        return self

    def _conclude(self, folds):
        """Keep the answer for each metric, and warn of what is odd about it."""
        answers = {metric: self._answer(folds, metric) for metric in folds.scores}
        told = itertools.chain.from_iterable(caveats for _, caveats in answers.values())
        for caveat in dict.fromkeys(told):
            warnings.warn(caveat.text, caveat.category, stacklevel=3)
        for name in ("splits_", "best_estimator_"):
            vars(self).pop(name, None)  # this fit may have less than an earlier one
        self.results_ = {metric: result for metric, (result, _) in answers.items()}
        self.fold_scores_ = {metric: s.T for metric, s in folds.scores.items()}
        if folds.splits is not None:
            self.splits_ = folds.splits

    def _answer(self, folds, metric):
        """Return the result for a metric, and what to warn of."""
        own = self._examine(folds, metric)
        caveats = list(filter(None, self._caveats(folds, metric, own)))
        texts = tuple(caveat.text for caveat in caveats)
        facts = fold_facts(type(self).__name__, folds, metric)
        return self._result(**facts, **own, caveats=texts), caveats


class FoldTest(FoldComparison):
    """A comparison of fold scores that ends in a p-value."""

    pvalue_ = from_result("pvalue")
    statistic_ = from_result("statistic")

    def _check_parameters(self):
        super()._check_parameters()
        check_fraction("alpha", self.alpha)
        check_option("alternative", self.alternative, ALTERNATIVES)

    def _caveats(self, folds, metric, own):
        known = super()._caveats(folds, metric, own)
        return [*known, limit_caveat(own["statistic"], metric)]

    def _result(self, **fields):
        return ComparisonResult(
            hypothesis=_HYPOTHESES[self.alternative],
            alternative=self.alternative,
            alpha=float(self.alpha),
            **fields,
        )


def fold_facts(test, folds, metric):
    """Return the fields of a result that are known before any test."""
    scores_a, scores_b = folds.pairs(metric)
    name_a, name_b = folds.names
    return {
        "test": test,
        "scoring": metric,
        "score_a": float(np.mean(scores_a)),
        "score_b": float(np.mean(scores_b)),
        "delta": float(np.mean(folds.differences(metric))),
        "name_a": name_a,
        "name_b": name_b,
        "n_rows": len(scores_a),
        "n_units": len(scores_a),
        "unit": "folds",
        "cv": folds.origin,
        "seed": folds.seed,
        "estimand": "the difference in expected score between both ways of learning, "
        f"after training on {_training_size(folds, metric)}, on new "
        f"{'rows' if folds.groups is None else 'groups'} like those given",
    }


def _training_size(folds, metric):
    if folds.splits is None:
        return "as many rows as these training folds have"
    smallest, largest = np.quantile(folds.sizes(metric)[0], [0, 1]).astype(int)
    # Folds that differ by a row or two are of one size.
    if largest - smallest <= 0.05 * largest:
        return f"about {largest:,} rows"
    return f"{smallest:,} to {largest:,} rows"


def corrected_differences(folds, metric):
    """Return the `StudentEstimate` of the difference, by the ratio of the folds."""
    ratio = folds.ratio(metric)
    if ratio is None:
        raise ValueError(
            "`test_train_ratio` must be given where the splits are not known. Got "
            "None. For k folds it is 1 / (k - 1). Or pass what cross_validate returns "
            "with return_indices=True."
        )
    return corrected_estimate(folds.differences(metric), ratio)


def refuse_word_for_cv(cv):
    """Raise if `cv` is a word, such as "prefit", where folds are needed."""
    if isinstance(cv, str):
        raise ValueError(
            "`cv` must be an integer, a splitter or an iterable of splits: the "
            f"models are fitted on each training fold. Got {cv!r}."
        )


def check_ratio(ratio):
    """Check that a ratio of test to training rows is a positive number."""
    is_real = isinstance(ratio, numbers.Real) and not isinstance(ratio, bool)
    if not is_real or not 0 < ratio < math.inf:
        raise ValueError(
            "`test_train_ratio` must be a positive number, test rows over training "
            f"rows. Got {ratio!r}. For k folds it is 1 / (k - 1)."
        )
    return float(ratio)


def check_error_score(error_score):
    """Check that a failed fit is an error or a gap, never a number to average."""
    is_gap = isinstance(error_score, numbers.Real) and math.isnan(error_score)
    if not is_gap and not (isinstance(error_score, str) and error_score == "raise"):
        raise ValueError(
            "`error_score` must be nan or 'raise': a number in place of a failed fit "
            f"would be averaged in. Got {error_score!r}."
        )
