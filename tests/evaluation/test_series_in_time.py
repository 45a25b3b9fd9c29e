"""Splits that train on the past come with a caveat, whatever the test."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    PredefinedSplit,
    ShuffleSplit,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    BayesianCorrelatedTTest,
    CochranQ,
    CorrectedTTest,
    CrossValidationCLT,
    FoldReplicability,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SearchComparison,
    SignTest,
    WilcoxonSignedRank,
)
from skcompare.exceptions import DependentFoldsWarning

PAIR = LogisticRegression(), GaussianNB()

TESTS = {
    "bootstrap": PairedBootstrap(*PAIR, scoring="accuracy", n_resamples=99),
    "fold mean": PairedBootstrap(
        *PAIR, scoring="accuracy", n_resamples=99, aggregate="fold-mean"
    ),
    "randomization": ApproxRandomization(*PAIR, scoring="accuracy", n_resamples=99),
    "bayes": BayesianComparison(*PAIR, scoring="accuracy", n_draws=100),
    "mcnemar": McNemar(*PAIR),
    "t": PairedTTest(*PAIR, scoring="accuracy"),
    "wilcoxon": WilcoxonSignedRank(*PAIR, scoring="neg_brier_score"),
    "sign": SignTest(*PAIR, scoring="accuracy"),
    "clt": CrossValidationCLT(*PAIR, scoring="accuracy"),
    "corrected t": CorrectedTTest(*PAIR, scoring="accuracy"),
    "correlated t": BayesianCorrelatedTTest(*PAIR, scoring="accuracy"),
    "cochran": CochranQ([("lr", PAIR[0]), ("nb", PAIR[1]), ("t", PAIR[1])]),
    "pairwise": PairwiseComparison([("lr", PAIR[0]), ("nb", PAIR[1])], random_state=0),
    "pairwise folds": PairwiseComparison(
        [("lr", PAIR[0]), ("nb", PAIR[1])], test=CorrectedTTest()
    ),
}


@pytest.fixture(scope="module")
def data():
    return make_classification(150, flip_y=0.2, random_state=0)


def caveats_of(test, data, cv, **params):
    """Return the caveats of a fitted copy, and the classes of what it warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = test.set_params(cv=cv).fit(*data, **params)
    return fitted.result_.caveats, {w.category for w in caught}


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_every_test_warns_of_a_series_in_time(test, data):
    caveats, warned = caveats_of(test, data, TimeSeriesSplit(4))
    about_time = [c for c in caveats if "in time" in c or "time series" in c]
    assert len(about_time) == 1
    assert DependentFoldsWarning in warned


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_no_test_warns_of_plain_folds(test, data):
    caveats, warned = caveats_of(test, data, KFold(3))
    assert not any("in time" in c or "time series" in c for c in caveats)
    assert DependentFoldsWarning not in warned


ROWS = np.arange(150)


@pytest.mark.parametrize(
    ("cv", "has_caveat"),
    [
        (TimeSeriesSplit(3, gap=5, test_size=10), True),
        (TimeSeriesSplit(3, max_train_size=30), True),
        ([(ROWS[:100], ROWS[100:])], False),
        ([(ROWS[:80], ROWS[80:120]), (ROWS[:110], ROWS[110:])], True),
        (ShuffleSplit(1, random_state=0), False),
        (ShuffleSplit(4, random_state=0), False),
        (PredefinedSplit(np.r_[np.full(50, -1), np.arange(100) % 2]), False),
        ([(ROWS[75:], ROWS[:75]), (ROWS[:75], ROWS[75:])], False),
        ([(ROWS[:50], ROWS[50:70]), (ROWS[:70], ROWS[70:90])], True),
        ([(ROWS[90:], ROWS[50:70]), (ROWS[90:], ROWS[70:90])], False),
    ],
    ids=[
        "gap",
        "window",
        "one",
        "overlap",
        "drawn",
        "shuffled",
        "kept",
        "halves",
        "short",
        "backward",
    ],
)
def test_the_order_of_training_and_test_rows_decides(cv, has_caveat, data):
    caveats, _ = caveats_of(TESTS["bootstrap"], data, cv)
    assert any("time series" in caveat for caveat in caveats) is has_caveat


def test_the_caveat_offers_groups_until_they_are_passed(data):
    caveats, _ = caveats_of(TESTS["bootstrap"], data, TimeSeriesSplit(4))
    assert "All training rows precede their test rows" in caveats[0]
    assert "assumes that rows are independent. If they are not" in caveats[0]
    caveats, _ = caveats_of(
        TESTS["bootstrap"], data, TimeSeriesSplit(4), groups=ROWS // 3
    )
    assert caveats[0].endswith("the test assumes that groups are independent.")


def test_replicability_warns_of_a_series_in_time(data):
    test = FoldReplicability(McNemar(*PAIR))
    caveats, warned = caveats_of(test, data, TimeSeriesSplit(3))
    assert "as in a time series" in caveats[-1]
    assert DependentFoldsWarning in warned


def test_replicability_notes_that_test_sets_overlap_without_a_warning(data):
    cv = ShuffleSplit(3, test_size=0.5, random_state=0)
    test = FoldReplicability(PairedTTest(*PAIR, scoring="accuracy"))
    caveats, warned = caveats_of(test, data, cv)
    n_again = 225 - len(np.unique(np.concatenate([t for _, t in cv.split(data[0])])))
    assert f"Test sets share rows: {n_again} repeats in 225" in caveats[-1]
    assert not warned
    assert caveats_of(test, data, KFold(3)) == ((), set())


@pytest.mark.parametrize(
    "test",
    [None, CorrectedTTest(alternative="greater"), McNemar(alternative="greater")],
    ids=["bootstrap", "corrected t", "mcnemar"],
)
def test_a_search_that_is_fitted_again_has_the_caveat(test, data):
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 5]},
        scoring="accuracy",
        cv=TimeSeriesSplit(4),
    ).fit(*data)
    comparison = SearchComparison(search, test=test, random_state=0)
    with pytest.warns(DependentFoldsWarning, match="training rows precede"):
        comparison.fit(*data)
    assert any(
        "training rows precede" in caveat for caveat in comparison.result_.caveats
    )
