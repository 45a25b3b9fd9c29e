"""The contract of scikit-learn, for estimators that no other file checks."""

import inspect
import re

import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import (
    estimator_checks_generator,
    parametrize_with_checks,
)

import skcompare
from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    BayesianCorrelatedTTest,
    CochranQ,
    ConservativeZ,
    CorrectedTTest,
    CorrelationTest,
    CrossValidationCLT,
    DeLong,
    FiveByTwoCV,
    FoldReplicability,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SearchComparison,
    SignTest,
    WilcoxonSignedRank,
    WildClusterBootstrap,
)
from tests.models import FEW_STEPS

NAMED = [("strong", FEW_STEPS[0]), ("weak", FEW_STEPS[1])]
RIDGES = (Ridge(), Ridge(alpha=10.0))

ESTIMATORS = [
    item
    for name in skcompare.__all__
    if inspect.isclass(item := getattr(skcompare, name))
    and issubclass(item, BaseEstimator)
]
each_estimator = pytest.mark.parametrize("estimator", ESTIMATORS)


# Checked in other files, or not at all.
ELSEWHERE = {
    CorrectedTTest: "tests/comparison/test_fold_tests.py",
    NestedCVInterval: "tests/comparison/test_cv_intervals.py",
    PairedBootstrap: "tests/api/test_estimator.py",
    PairwiseComparison: "tests/model_selection/test_pairwise.py",
    SearchComparison: "it needs a search that is fitted",
}
CHECKED = [
    CochranQ(NAMED, cv=3),
    ConservativeZ(*RIDGES, n_splits=2, n_repeats=2, test_size=0.3),
    DeLong(*FEW_STEPS, cv=2),
    FoldReplicability(
        PairedBootstrap(*FEW_STEPS, n_resamples=19), cv=3, error_score="raise"
    ),
]


@pytest.mark.filterwarnings("ignore")  # checks use tiny, odd and constant data
@parametrize_with_checks(CHECKED)
def test_scikit_learns_checks_pass(estimator, check):
    check(estimator)


# Their `fit` and `predict` are those of classes that pass all checks.
SHARE_FIT = [
    ApproxRandomization(*FEW_STEPS, cv=3, n_resamples=19, alpha=0.01),
    BayesianComparison(*FEW_STEPS, cv=3, n_draws=50, rope=0.99),
    BayesianCorrelatedTTest(*RIDGES, cv=3, error_score="raise"),
    CorrelationTest(*RIDGES, cv=3),
    CrossValidationCLT(*FEW_STEPS, cv=3),
    FiveByTwoCV(*RIDGES),
    McNemar(*FEW_STEPS, cv=3),
    PairedTTest(*RIDGES, cv=3, scoring="neg_mean_squared_error"),
    SignTest(FEW_STEPS[0], GaussianNB(), cv=3),
    WilcoxonSignedRank(*RIDGES, cv=3, scoring="neg_mean_squared_error"),
    WildClusterBootstrap(*FEW_STEPS, cv=3, n_resamples=19, alpha=0.01),
]
# What a class can get wrong by itself: its parameters, and what `compare` leaves.
OF_A_CLASS = {
    "check_dict_unchanged",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_dont_overwrite_parameters",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_estimators_fit_returns_self",
    "check_estimators_overwrite_params",
    "check_estimators_pickle",
    "check_fit_check_is_fitted",
    "check_fit_idempotent",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_valid_tag_types",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", SHARE_FIT, ids=lambda one: type(one).__name__)
def test_scikit_learns_checks_of_a_class_pass(estimator):
    run = set()
    for fresh, check in estimator_checks_generator(estimator):
        if check.func.__name__ in OF_A_CLASS:
            check(fresh)
            run.add(check.func.__name__)
    assert run >= OF_A_CLASS - {"check_mixin_order", "check_estimator_tags_renamed"}


def test_every_comparison_that_fits_models_is_checked():
    checked = {type(one) for one in (*CHECKED, *SHARE_FIT)}
    fit_models = {one for one in ESTIMATORS if hasattr(one, "fit")}
    different = (checked | set(ELSEWHERE)) ^ fit_models
    assert not different, "add them to CHECKED or SHARE_FIT"


@pytest.mark.parametrize(
    "make",
    [
        lambda a, b: CochranQ([("a", a), ("b", b)]),
        lambda a, b: FoldReplicability(PairedTTest(a, b)),
    ],
    ids=["CochranQ", "FoldReplicability"],
)
def test_sparse_data_are_taken_just_if_all_models_take_them(make):
    class Tagged(LogisticRegression):
        """A model with a tag for sparse data, which scikit-learn's lack before 1.7."""

        def __init__(self, sparse=True):
            super().__init__()
            self.sparse = sparse

        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.sparse = self.sparse
            return tags

    assert get_tags(make(Tagged(), Tagged())).input_tags.sparse
    assert not get_tags(make(Tagged(), Tagged(sparse=False))).input_tags.sparse
    assert get_tags(make(*FEW_STEPS)).target_tags.required


def test_delong_is_for_two_classes_whatever_its_models_are_for():
    assert get_tags(FEW_STEPS[0]).classifier_tags.multi_class
    assert not get_tags(DeLong(*FEW_STEPS)).classifier_tags.multi_class


@pytest.mark.parametrize("test", [CochranQ, PairwiseComparison])
@pytest.mark.parametrize("estimators", [None, 5, "ab", [1, 2], []])
def test_wrong_lists_of_models_can_be_looked_at_and_are_named_in_fit(test, estimators):
    comparison = test(estimators)
    assert comparison._repr_html_()
    assert not hasattr(comparison, "predict")
    with pytest.raises(ValueError, match="`estimators` must"):
        comparison.fit([[0.0], [1.0]], [0, 1])


def test_clones_of_comparisons_of_searches_share_nothing_that_can_be_set():
    search = GridSearchCV(LogisticRegression(C=1.0), {"C": [0.1, 1.0]})
    comparison = SearchComparison(search, test=CorrectedTTest(alpha=0.05))
    copied = clone(comparison)
    copied.set_params(search__estimator__C=9.0, test__alpha=0.5)
    assert search.estimator.C == 1.0
    assert comparison.test.alpha == 0.05


# Docstrings


def documented(estimator, section):
    """Return the names that a section of a docstring lists, in order."""
    text = inspect.getdoc(estimator)
    body = re.search(rf"^{section}\n-+\n(.*?)(?=^\S[^\n]*\n-+\n|\Z)", text, re.M | re.S)
    heads = re.findall(r"^(\S.*?) : ", body[1], re.M) if body else []
    return [name.strip() for head in heads for name in head.split(",")]


@each_estimator
def test_every_parameter_is_documented_in_order(estimator):
    parameters = list(inspect.signature(estimator).parameters)
    assert documented(estimator, "Parameters") == parameters


@each_estimator
def test_every_fitted_attribute_of_a_class_is_documented(estimator):
    attributes = {name for name in dir(estimator) if re.fullmatch(r"[a-z]\w*_", name)}
    inherited = {"pvalue_"} if estimator is skcompare.BayesianComparison else set()
    assert attributes - inherited <= set(documented(estimator, "Attributes"))


@each_estimator
def test_fitted_attributes_raise_before_a_fit(estimator):
    names = list(inspect.signature(estimator).parameters.values())
    n_needed = sum(parameter.default is parameter.empty for parameter in names)
    test = estimator(*[None] * n_needed)
    for name in documented(estimator, "Attributes"):
        with pytest.raises(NotFittedError, match="is not fitted"):
            getattr(test, name)
    with pytest.raises(AttributeError, match="no attribute 'no_such_thing'"):
        _ = test.no_such_thing
