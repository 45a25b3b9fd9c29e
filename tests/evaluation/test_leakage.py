"""Models that have seen test rows in training: every result has a caveat."""

import warnings

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    BayesianCorrelatedTTest,
    CochranQ,
    CorrectedTTest,
    CrossValidationCLT,
    DeLong,
    FiveByTwoCV,
    FoldReplicability,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
)
from skcompare.exceptions import (
    ComparisonWarning,
    DependentFoldsWarning,
    LeakageWarning,
)

RNG = np.random.default_rng(0)
Y = np.arange(120) % 2
X = RNG.normal(size=(120, 3)) + 0.7 * Y[:, None]
GROUPS = np.arange(120) // 4
TEARING = list(KFold(4, shuffle=True, random_state=0).split(X))

FITTED = KNeighborsClassifier(1).fit(X, Y)
FROZEN = FrozenEstimator(FITTED)

ROW_TESTS = {
    "bootstrap": PairedBootstrap(scoring="accuracy", n_resamples=99),
    "fold mean": PairedBootstrap(n_resamples=99, aggregate="fold-mean"),
    "randomization": ApproxRandomization(scoring="accuracy", n_resamples=99),
    "posterior": BayesianComparison(scoring="accuracy", n_draws=100),
    "mcnemar": McNemar(),
    "sign": SignTest(scoring="accuracy"),
    "t": PairedTTest(scoring="accuracy"),
    "wilcoxon": WilcoxonSignedRank(scoring="neg_brier_score"),
    "delong": DeLong(),
    "clt": CrossValidationCLT(scoring="accuracy"),
}
FOLD_TESTS = {
    "corrected t": CorrectedTTest(cv=4),
    "correlated t": BayesianCorrelatedTTest(cv=4),
    "5x2": FiveByTwoCV(random_state=0),
    "nested": NestedCVInterval(cv=3, n_repeats=1, random_state=0),
}
TESTS = {
    **{name: test.set_params(cv=4) for name, test in ROW_TESTS.items()},
    **FOLD_TESTS,
}

each_test = pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)


def leaks_of(fit):
    """Return the texts of what was warned of about training and test rows."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit()
    ours = [w for w in caught if issubclass(w.category, LeakageWarning)]
    assert all(w.filename == __file__ for w in ours)
    return [str(w.message) for w in ours]


# Models that cross-validation does not refit


def test_a_frozen_model_is_scored_on_its_training_rows():
    test = CorrectedTTest(FROZEN, GaussianNB(), scoring="accuracy", cv=4)
    with pytest.warns(LeakageWarning, match="does not refit"):
        test.fit(X, Y)
    np.testing.assert_array_equal(test.fold_scores_["accuracy"][:, 0], 1)


@each_test
def test_every_test_notes_that_a_model_is_not_refitted(test):
    test.set_params(estimator_a=FROZEN, estimator_b=GaussianNB())
    (text,) = leaks_of(lambda: test.fit(X, Y))
    assert "`estimator_a` (FrozenEstimator)" in text
    assert "estimator_b" not in text
    assert all(text in result.caveats for result in test.results_.values())


@each_test
def test_models_that_are_refitted_are_not_warned_of(test):
    test.set_params(estimator_a=LogisticRegression(), estimator_b=GaussianNB())
    assert not leaks_of(lambda: test.fit(X, Y))


def test_cochrans_q_has_the_caveat_too():
    models = [("a", FROZEN), ("b", GaussianNB()), ("c", LogisticRegression())]
    test = CochranQ(models, cv=4)
    (text,) = leaks_of(lambda: test.fit(X, Y))
    assert "(FrozenEstimator)" in text
    assert text in test.result_.caveats


def test_replicability_has_the_caveat_once_for_all_folds():
    analysis = FoldReplicability(McNemar(GaussianNB(), FROZEN), cv=3)
    (text,) = leaks_of(lambda: analysis.fit(X, Y))
    assert "`estimator_b` (FrozenEstimator)" in text
    assert text in analysis.result_.caveats


def test_both_models_are_named():
    test = CorrectedTTest(FROZEN, make_pipeline(StandardScaler(), FROZEN), cv=4)
    (text,) = leaks_of(lambda: test.fit(X, Y))
    assert "`estimator_a` (FrozenEstimator), `estimator_b` (FrozenEstimator)" in text


SELECTION = SelectFromModel(
    FrozenEstimator(LogisticRegression().fit(X, Y)), prefit=True
)
CONTAIN_FITTED = {
    "pipeline": (make_pipeline(StandardScaler(), FROZEN), "FrozenEstimator"),
    "frozen scaler": (
        make_pipeline(FrozenEstimator(StandardScaler().fit(X)), GaussianNB()),
        "FrozenEstimator",
    ),
    "calibrated": (CalibratedClassifierCV(FROZEN), "FrozenEstimator"),
    "stacking": (
        StackingClassifier([("knn", FROZEN)], LogisticRegression(), cv="prefit"),
        "StackingClassifier",
    ),
    "selection": (make_pipeline(SELECTION, GaussianNB()), "SelectFromModel"),
}


@pytest.mark.parametrize(("model", "part"), CONTAIN_FITTED.values(), ids=CONTAIN_FITTED)
def test_parts_that_are_not_refitted_count(model, part):
    test = CorrectedTTest(GaussianNB(), model, scoring="accuracy", cv=4)
    (text,) = leaks_of(lambda: test.fit(X, Y))
    assert f"`estimator_b` ({part})" in text


class WithTest(GaussianNB):
    """A model with a test that has no models: nothing in it is fitted already."""

    def __init__(self, test=None):
        super().__init__()
        self.test = test


REFITTED = {
    "fitted": FITTED,  # its clones are not
    "search": GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}, cv=3),
    "stacking": StackingClassifier([("nb", GaussianNB())], LogisticRegression(), cv=3),
    "test": WithTest(McNemar()),
}


@pytest.mark.parametrize("model", REFITTED.values(), ids=REFITTED)
def test_models_all_of_which_is_refitted_are_not_named(model):
    test = CorrectedTTest(LogisticRegression(), model, scoring="accuracy", cv=4)
    assert not leaks_of(lambda: test.fit(X, Y))


def test_fitted_models_on_test_rows_are_not_warned_of():
    test = McNemar(FROZEN, FrozenEstimator(GaussianNB().fit(X, Y)), cv="prefit")
    assert not leaks_of(lambda: test.fit(X, Y))


# Groups that splits tear apart


TAKE_GROUPS = {
    "bootstrap": PairedBootstrap(scoring="accuracy", n_resamples=99),
    "randomization": ApproxRandomization(scoring="accuracy", n_resamples=99),
    "posterior": BayesianComparison(scoring="accuracy", n_draws=100),
    "corrected t": CorrectedTTest(),
    "correlated t": BayesianCorrelatedTTest(),
}


@pytest.mark.parametrize("test", TAKE_GROUPS.values(), ids=TAKE_GROUPS)
def test_every_test_warns_of_splits_that_tear_groups_apart(test):
    test.set_params(
        estimator_a=LogisticRegression(), estimator_b=GaussianNB(), cv=TEARING
    )
    with pytest.warns(DependentFoldsWarning, match="In 4 of 4 splits groups"):
        test.fit(X, Y, groups=GROUPS)
    (caveat,) = (c for c in test.result_.caveats if "splits groups" in c)
    assert "does not keep them together. Use GroupKFold" in caveat


@pytest.mark.parametrize("test", TAKE_GROUPS.values(), ids=TAKE_GROUPS)
def test_splits_that_keep_groups_together_are_not_warned_of(test):
    test.set_params(
        estimator_a=LogisticRegression(), estimator_b=GaussianNB(), cv=GroupKFold(4)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", ComparisonWarning)
        test.fit(X, Y, groups=GROUPS)
    assert not any("splits groups" in caveat for caveat in test.result_.caveats)
