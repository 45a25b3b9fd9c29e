"""Warnings point to the line of the user, wherever that is."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import DataConversionWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB

import skcompare
from skcompare import (
    CochranQ,
    CorrectedTTest,
    DeLong,
    FoldReplicability,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairwiseComparison,
    SearchComparison,
)
from skcompare.exceptions import DegenerateDataWarning, FailedFitWarning

RNG = np.random.default_rng(0)
Y = np.arange(80) % 2
X = RNG.normal(size=(80, 2)) + Y[:, None]


def test_also_in_a_file_whose_path_begins_like_that_of_the_package():
    path = str(Path(skcompare.__file__).parent) + "_experiments.py"
    call = "McNemar().fit_predictions([0, 1, 1], [0, 1, 1], [0, 1, 1])"
    code = compile(f"from skcompare import McNemar\n{call}", path, "exec")
    with pytest.warns(DegenerateDataWarning) as caught:
        exec(code, {})
    assert {(w.filename, w.lineno) for w in caught} == {(path, 2)}


class NeedsTheFirstRow(LogisticRegression):
    """Cannot be fitted without the first row."""

    def fit(self, X, y):
        if not (X == X_FIRST).all(axis=1).any():
            raise ArithmeticError("no first row")
        return super().fit(X, y)


X_FIRST, X_SECOND = X[0].copy(), X[25].copy()
MODELS = NeedsTheFirstRow(), GaussianNB()
GOOD = GaussianNB(), LogisticRegression(C=1e-3)
NAMED = [("a", MODELS[0]), ("b", MODELS[1]), ("c", LogisticRegression(C=1e-3))]
CV = KFold(4)


def fails_on_a_row(model, X_test, y_test):
    if (X_test == X_SECOND).all(axis=1).any():
        raise ArithmeticError("no such score")
    return model.score(X_test, y_test)


FAILING = {
    "rows": PairedBootstrap(*MODELS, cv=CV, n_resamples=99, random_state=0),
    "folds": CorrectedTTest(*MODELS, cv=CV),
    "one model": CorrectedTTest(MODELS[0], cv=CV),
    "several models": CochranQ(NAMED, cv=CV),
    "pairs of rows": PairwiseComparison(NAMED, cv=CV, random_state=0),
    "pairs of folds": PairwiseComparison(NAMED, cv=CV, test=CorrectedTTest()),
    "each fold": FoldReplicability(McNemar(*MODELS), cv=CV),
}


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("test", FAILING.values(), ids=FAILING)
def test_a_failed_fit_is_one_warning_with_its_error(test, n_jobs):
    test = test.set_params(error_score=np.nan, n_jobs=n_jobs)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        test.fit(X, Y)
    assert {w.filename for w in caught} == {__file__}
    (failed,) = [w for w in caught if "failed" in str(w.category).lower()]
    assert failed.category is FailedFitWarning
    error = "(NeedsTheFirstRow) could not be fitted: ArithmeticError: no first row"
    assert error in str(failed.message)
    assert str(failed.message) in test.result_.caveats


def test_a_failed_score_is_one_warning_with_its_error():
    scoring = {"failing": fails_on_a_row, "accuracy": "accuracy"}
    test = CorrectedTTest(*GOOD, cv=CV, scoring=scoring, n_jobs=2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        test.fit(X, Y)
    (failed,) = caught
    assert (failed.category, failed.filename) == (FailedFitWarning, __file__)
    text = str(failed.message)
    assert "No failing on some folds, counted from 0: GaussianNB on 1 and Log" in text
    error = "the scorer fails for GaussianNB: ArithmeticError: no such score."
    assert text.endswith(f"The first error: {error}")
    assert test.results_["accuracy"].caveats == ()


SEARCH = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1.0]}, cv=3).fit(X, Y)
OF_COLUMNS = {
    "rows": PairedBootstrap(*GOOD, cv=3, n_resamples=99, random_state=0),
    "areas": DeLong(*GOOD, cv=3),
    "folds": CorrectedTTest(*GOOD, cv=3),
    "nested folds": NestedCVInterval(*GOOD, cv=3, n_repeats=1, random_state=0),
    "several models": CochranQ(NAMED[1:], cv=3),
    "pairs": PairwiseComparison(NAMED[1:], cv=3, random_state=0),
    "pairs of areas": PairwiseComparison(NAMED[1:], cv=3, test=DeLong()),
    "pairs of folds": PairwiseComparison(NAMED[1:], cv=3, test=CorrectedTTest()),
    "each fold": FoldReplicability(McNemar(*GOOD), cv=3),
    "search": SearchComparison(SEARCH, random_state=0),
}


@pytest.mark.parametrize("test", OF_COLUMNS.values(), ids=OF_COLUMNS)
def test_a_column_of_labels_is_one_warning(test):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        test.fit(X, Y[:, None])
    assert {w.filename for w in caught} == {__file__}
    (warned,) = [w for w in caught if w.category is DataConversionWarning]
    assert str(warned.message).startswith("A column-vector y was passed when a 1d")
