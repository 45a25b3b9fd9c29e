"""Fits that fail, and winners that are not fitted again."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CochranQ,
    CorrectedTTest,
    CrossValidationCLT,
    DeLong,
    FiveByTwoCV,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
)
from skcompare.exceptions import FailedFitWarning, ParameterError

RNG = np.random.default_rng(1)
Y = RNG.integers(2, size=120)
X = RNG.normal(size=(120, 2)) + 0.8 * Y[:, None]
X[7, 0] = 9.0  # a row of the first of the folds that KFold makes


class Picky(LogisticRegression):
    """A model that cannot be fitted without the row number 7."""

    def fit(self, X, y, sample_weight=None):
        if X[:, 0].max() < 9:
            raise ArithmeticError("too few")
        return super().fit(X, y)


ROW_TESTS = [
    ApproxRandomization,
    BayesianComparison,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
]


@pytest.mark.parametrize("test", ROW_TESTS)
def test_a_fit_that_fails_is_an_error_that_names_model_and_fold(test):
    place = r"too few \(`estimator_b` \(Picky\) could not be fitted on fold 1 of 4\)"
    with pytest.raises(ArithmeticError, match=place):
        test(GaussianNB(), Picky(), cv=KFold(4)).fit(X, Y)


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.PooledScoreWarning")
@pytest.mark.parametrize("test", ROW_TESTS)
def test_with_nan_the_rows_of_a_failed_fold_are_left_out_for_both(test):
    test = test(GaussianNB(), Picky(), cv=KFold(4), error_score=np.nan)
    with pytest.warns(FailedFitWarning, match="1 of 4 folds are left out") as caught:
        test.fit(X, Y)
    (warned,) = caught
    error = "`estimator_b` (Picky) could not be fitted: ArithmeticError: too few"
    assert str(warned.message).endswith(f"The first error: {error}")
    assert warned.filename == __file__
    assert test.indices_.tolist() == list(range(30, 120))
    assert sorted(set(test.fold_)) == [1, 2, 3]
    assert test.result_.n_rows == 90
    assert any("are left out" in caveat for caveat in test.result_.caveats)


def test_scores_are_those_of_the_other_rows():
    options = {"cv": KFold(4), "error_score": np.nan, "n_resamples": 19}
    test = PairedBootstrap(GaussianNB(), Picky(), random_state=0, **options)
    with pytest.warns(FailedFitWarning):
        test.fit(X, Y)
    predicted = np.concatenate(
        [
            GaussianNB().fit(X[train], Y[train]).predict(X[rows])
            for train, rows in list(KFold(4).split(X))[1:]
        ]
    )
    assert test.score_a_ == accuracy_score(Y[30:], predicted)


def test_several_models_lose_the_rows_that_one_of_them_lacks():
    models = [("nb", GaussianNB()), ("c", Picky()), ("d", Picky(C=0.01))]
    test = CochranQ(models, cv=KFold(4), error_score=np.nan)
    with pytest.warns(FailedFitWarning):
        test.fit(X, Y)
    assert test.result_.n_rows == 90


def test_models_that_fail_everywhere_are_an_error():
    test = PairedBootstrap(GaussianNB(), Picky(), cv=KFold(2), error_score=np.nan)
    with pytest.raises(ValueError, match="No fold could be fitted"):
        test.fit(np.minimum(X, 8.0), Y)


def test_folds_that_all_lack_one_model_are_an_error():
    class Contrary(GaussianNB):
        def fit(self, X, y):
            if X[:, 0].max() == 9:
                raise ArithmeticError("too many")
            return super().fit(X, y)

    test = PairedBootstrap(Contrary(), Picky(), cv=KFold(2), error_score=np.nan)
    message = "a fold on which all models can be fitted.*The first error: `estimator"
    with pytest.raises(ValueError, match=message):
        test.fit(X, Y)


def test_a_number_cannot_stand_for_rows_without_predictions():
    with pytest.raises(ParameterError, match="`error_score` must be 'raise', or nan"):
        PairedBootstrap(GaussianNB(), Picky(), cv=4, error_score=0.0).fit(X, Y)


class Mute(ClassifierMixin, BaseEstimator):
    """A model that can be fitted and cannot predict."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        raise ArithmeticError("no words")


def test_a_model_that_fails_on_test_rows_is_named_too():
    place = r"`estimator_b` \(Mute\) failed on the test rows of fold 1 of 3"
    for test in (PairedBootstrap, CorrectedTTest):
        with pytest.raises(ArithmeticError, match=place):
            test(GaussianNB(), Mute(), cv=3, error_score="raise").fit(X, Y)


class Counting(GaussianNB):
    fits = 0

    def fit(self, X, y, sample_weight=None):
        Counting.fits += 1
        return super().fit(X, y)


REFITTING = {
    "bootstrap": lambda a, b, **options: PairedBootstrap(
        a, b, cv=3, n_resamples=19, random_state=0, **options
    ),
    "mcnemar": lambda a, b, **options: McNemar(a, b, cv=3, **options),
    "bayesian": lambda a, b, **options: BayesianComparison(a, b, cv=3, **options),
    "corrected": lambda a, b, **options: CorrectedTTest(a, b, cv=3, **options),
    "five by two": lambda a, b, **options: FiveByTwoCV(a, b, random_state=0, **options),
    "clt": lambda a, b, **options: CrossValidationCLT(a, b, cv=3, **options),
    "nested": lambda a, b, **options: NestedCVInterval(
        a, b, cv=3, n_repeats=1, random_state=0, **options
    ),
    "pairs": lambda a, b, **options: PairwiseComparison(
        [("a", a), ("b", b)], cv=3, random_state=0, **options
    ),
}


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.DegenerateDataWarning")
@pytest.mark.parametrize("kind", REFITTING)
def test_the_winner_is_fitted_once_more_unless_refit_is_false(kind):
    numbers = []
    for refit in (True, False):
        Counting.fits = 0
        test = REFITTING[kind](Counting(), Counting(), refit=refit).fit(X, Y)
        numbers.append(Counting.fits)
    assert numbers[0] == numbers[1] + 1
    assert not hasattr(test, "predict")
    assert not hasattr(test, "best_estimator_")
    with pytest.raises(AttributeError, match="refit=False"):
        _ = test.classes_


def test_without_refit_an_earlier_winner_does_not_stay():
    for kind in REFITTING:
        test = REFITTING[kind](GaussianNB(), LogisticRegression()).fit(X, Y)
        assert len(test.predict(X)) == 120
        test.set_params(refit=False).fit(X, Y)
        assert not hasattr(test, "predict"), kind


def test_a_fitted_winner_is_kept_without_refit():
    models = GaussianNB().fit(X, Y), LogisticRegression().fit(X, Y)
    test = McNemar(*models, refit=False).fit(X, Y)
    assert test.best_estimator_ in models


def test_errors_whose_arguments_are_no_text_get_a_note_on_the_fold():
    class Failing(GaussianNB):
        def fit(self, X, y):
            raise KeyError(3, 4)

    X, y = np.arange(60.0)[:, None], np.arange(60) % 2
    with pytest.raises(KeyError) as caught:
        CorrectedTTest(Failing(), GaussianNB(), cv=2, error_score="raise").fit(X, y)
    (note,) = caught.value.__notes__
    assert note == "`estimator_a` (Failing) could not be fitted on fold 1 of 2"
