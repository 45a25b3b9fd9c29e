"""Advice about questions that the recommended test does not answer."""

import json

import numpy as np
import pytest
import sklearn.model_selection
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB

import skcompare
from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    BayesianCorrelatedTTest,
    ConservativeZ,
    CorrectedTTest,
    CrossValidationCLT,
    FiveByTwoCV,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairwiseComparison,
    recommend_test,
    recommend_test_for_models,
)
from skcompare.cli import main
from tests.texts import unbroken

MAE = "neg_mean_absolute_error"

# Words that advice uses for what users have.
WORDS = {
    name: getattr(module, name)
    for module in (sklearn.model_selection, skcompare)
    for name in module.__all__
    if "Halving" not in name
}


def labels_of(n_rows, *, seed=0):
    """Return truth and the labels that two models give."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=n_rows)
    a, b = (np.where(rng.random(n_rows) < p, truth, 1 - truth) for p in (0.85, 0.75))
    return truth, a, b


@pytest.fixture(scope="module")
def rows():
    """Return 90 rows of three features, with classes and values to learn."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = X[:, 0] + 0.5 * rng.normal(size=90)
    return X, (y > 0).astype(int), y


CLASSIFIERS = GaussianNB(), LogisticRegression(C=0.01)
REGRESSORS = Ridge(), Ridge(alpha=200.0)


# Splitters that know no groups warn of them; their splits do not.
TEARING = list(KFold(5).split(np.zeros(90)))


def by_test(advice):
    """Return the other questions by the class of their test."""
    others = {type(other.test): other for other in advice.other_questions}
    assert len(others) == len(advice.other_questions)
    return others


def spelt_out(other, **names):
    """Return the test that the code makes, with what it is given."""
    code = other.call[: other.call.rindex(".fit")]
    return eval(code, {**WORDS, **names})


def params_of(test):
    return {name: repr(value) for name, value in test.get_params(deep=False).items()}


# Which way of learning?


def test_cross_validated_models_get_advice_on_tests_of_learning(rows):
    X, y, _ = rows
    advice = recommend_test_for_models(*CLASSIFIERS, X, y, cv=5)
    assert str(advice).startswith("This test compares these models, as fitted on 5 spl")
    assert "not show which learning algorithm is better" in advice.about
    others = by_test(advice)
    assert list(others) == [
        CorrectedTTest,
        ConservativeZ,
        NestedCVInterval,
        BayesianCorrelatedTTest,
        BayesianComparison,
    ]
    corrected, conservative, nested, *_ = others.values()
    assert "315 fits of each model. With only 90 rows, models" in conservative.why
    assert corrected.question == (
        "Which learning algorithm is better, on other training data too?"
    )
    assert "50 fits of each model, 5 folds repeated 10 times" in corrected.why
    assert "overlap" in corrected.why
    assert "750 fits of each model" in nested.why
    assert "`rope`" in others[BayesianCorrelatedTTest].why


def test_tests_of_learning_are_ready_to_fit(rows):
    X, y, _ = rows
    models = GaussianNB(), GaussianNB(var_smoothing=1.0)  # fitted a thousand times
    advice = recommend_test_for_models(*models, X, y, cv=5)
    for other in advice.other_questions:
        assert (other.test.estimator_a, other.test.estimator_b) == models
        if isinstance(other.test, NestedCVInterval):
            other.test.set_params(n_repeats=1)
        fitted = other.test.fit(X, y)
        assert fitted.best_estimator_.predict(X[:1]) in (0, 1)
    assert len(advice.other_questions[0].test.splits_) == 50


@pytest.mark.parametrize("n_comparisons", [1, 3])
@pytest.mark.parametrize(
    ("cv", "grouped"),
    [(4, False), ("prefit", False), (KFold(4), False), (GroupKFold(4), True)],
)
def test_the_printed_code_makes_the_returned_test(rows, n_comparisons, cv, grouped):
    X, y, _ = rows
    groups = np.arange(90) % 15 if grouped else None
    models = [clone(model).fit(X, y) for model in CLASSIFIERS]
    advice = recommend_test_for_models(
        *models, X, y, cv=cv, groups=groups, n_comparisons=n_comparisons
    )
    assert advice.other_questions
    end = ".fit(X, y, groups=groups)" if grouped else ".fit(X, y)"
    for other in advice.other_questions:
        made = spelt_out(other, a=models[0], b=models[1], estimators=None)
        assert params_of(made) == params_of(other.test)
        assert other.call.endswith(end)


def test_code_names_objects_that_have_no_repr(rows):
    X, y, _ = rows
    scoring, splits = make_scorer(accuracy_score), list(KFold(3).split(X))
    advice = recommend_test_for_models(
        *CLASSIFIERS, X, y, scoring=scoring, cv=splits, alpha=0.1, n_comparisons=3
    )
    names = {"a": CLASSIFIERS[0], "b": CLASSIFIERS[1], "estimators": None}
    for other in advice.other_questions:
        made = spelt_out(other, scoring=scoring, cv=splits, **names)
        assert params_of(made) == params_of(other.test)
    assert "scoring=scoring, alpha=0.1 / 3, cv=cv)" in advice.other_questions[0].call


def test_splitters_that_do_not_print_as_code_are_named(rows):
    class Thirds:
        def split(self, X, y=None, groups=None):
            return KFold(3).split(X)

        def get_n_splits(self, X=None, y=None, groups=None):
            return 3

    X, y, _ = rows
    advice = recommend_test_for_models(
        *CLASSIFIERS, X, y, scoring="f1", cv=Thirds(), alpha=0.01
    )
    assert by_test(advice)[CorrectedTTest].call == (
        "CorrectedTTest(a, b, scoring='f1', alpha=0.01, cv=cv).fit(X, y)"
    )


SPLITS = {
    "number": (5, RepeatedStratifiedKFold(n_splits=5, random_state=0), 50),
    "None": (None, RepeatedStratifiedKFold(n_splits=5, random_state=0), 50),
    "KFold": (KFold(3, shuffle=True), RepeatedKFold(n_splits=3, random_state=0), 30),
    "StratifiedKFold": (
        StratifiedKFold(3),
        RepeatedStratifiedKFold(n_splits=3, random_state=0),
        30,
    ),
    "LeaveOneOut": (
        LeaveOneOut(),
        RepeatedStratifiedKFold(n_splits=10, random_state=0),
        100,
    ),
    "RepeatedKFold": (
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=1),
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=1),
        6,
    ),
    "ShuffleSplit": (
        ShuffleSplit(4, random_state=1),
        ShuffleSplit(4, random_state=1),
        4,
    ),
    "PredefinedSplit": (
        PredefinedSplit(np.arange(90) % 3),
        PredefinedSplit(np.arange(90) % 3),
        3,
    ),
    "TimeSeriesSplit": (TimeSeriesSplit(4), TimeSeriesSplit(4), 4),
}


@pytest.mark.parametrize(("cv", "expected", "n_splits"), SPLITS.values(), ids=SPLITS)
def test_folds_are_repeated_and_other_splits_kept(rows, cv, expected, n_splits):
    X, y, _ = rows
    advice = recommend_test_for_models(*CLASSIFIERS, X, y, cv=cv)
    others = by_test(advice)
    for test in (CorrectedTTest, BayesianCorrelatedTTest):
        assert repr(others[test].test.cv) == repr(expected)
        assert others[test].test.cv.get_n_splits(X, y) == n_splits
    assert f"{n_splits} fits of each model" in others[CorrectedTTest].why
    # what draws splits of its own is for folds that may be drawn anew
    redrawn = repr(cv) != repr(expected)
    assert (NestedCVInterval in others) is redrawn
    assert ("on the splits of `cv`" in others[CorrectedTTest].why) is not redrawn


def test_splits_of_regressors_are_not_stratified(rows):
    X, _, y = rows
    advice = recommend_test_for_models(*REGRESSORS, X, y, scoring=MAE, cv=3)
    assert type(by_test(advice)[CorrectedTTest].test.cv) is RepeatedKFold


def test_splits_that_can_be_had_only_once_are_kept(rows):
    X, y, _ = rows
    advice = recommend_test_for_models(
        *CLASSIFIERS, X, y, cv=iter(list(KFold(3).split(X)))
    )
    assert advice.test.fit(X, y).fold_.max() == 2
    assert len(by_test(advice)[CorrectedTTest].test.fit(X, y).splits_) == 3


def test_a_single_split_has_no_tests_of_learning(rows):
    X, y, _ = rows
    cv = ShuffleSplit(1, test_size=0.5, random_state=0)
    advice = recommend_test_for_models(*CLASSIFIERS, X, y, cv=cv)
    assert list(by_test(advice)) == [BayesianComparison]
    assert advice.about.endswith("that requires several splits.")


def test_nested_cross_validation_is_for_averages(rows):
    X, y, _ = rows
    advice = recommend_test_for_models(*CLASSIFIERS, X, y, scoring="f1", cv=5)
    assert NestedCVInterval not in by_test(advice)


@pytest.mark.parametrize(("cv", "n_folds"), [(2, 3), (20, 10)])
def test_nested_cross_validation_has_from_three_folds_to_ten(rows, cv, n_folds):
    X, y, _ = rows
    advice = recommend_test_for_models(*CLASSIFIERS, X, y, cv=cv)
    nested = by_test(advice)[NestedCVInterval].test
    assert nested.cv == n_folds
    nested.set_params(n_repeats=1).fit(X, y)


def test_halves_are_not_for_few_rows(rows):
    X, y = np.tile(rows[0], (4, 1)), np.tile(rows[1], 4)
    enough = recommend_test_for_models(*CLASSIFIERS, X[:300], y[:300], cv=3)
    halves = by_test(enough)[FiveByTwoCV]
    assert "if 30 fits of each model are too many" in halves.why
    assert "trained on 150 rows" in halves.why
    assert halves.test.statistic == "f"
    few = recommend_test_for_models(*CLASSIFIERS, X[:299], y[:299], cv=3)
    assert FiveByTwoCV not in by_test(few)


@pytest.mark.parametrize(("n_folds", "cheaper"), [(10, False), (11, True)])
def test_halves_are_offered_where_folds_are_expensive(rows, n_folds, cheaper):
    X, y = np.tile(rows[0], (4, 1)), np.tile(rows[1], 4)
    groups = np.arange(360) % 330
    advice = recommend_test_for_models(
        *CLASSIFIERS, X, y, cv=GroupKFold(n_folds), groups=groups
    )
    assert (FiveByTwoCV in by_test(advice)) is cheaper


def test_two_rows_can_be_left_out_one_by_one():
    X, y = np.arange(4.0)[:, np.newaxis], np.array([0.0, 1.0, 2.0, 2.5])
    advice = recommend_test_for_models(*REGRESSORS, X, y, scoring=MAE, cv=LeaveOneOut())
    corrected = by_test(advice)[CorrectedTTest].test
    assert corrected.cv.get_n_splits() == 20
    corrected.fit(X, y)


# Groups


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "cv", [GroupKFold(5), LeaveOneGroupOut(), GroupShuffleSplit(5, random_state=0)]
)
def test_splits_that_keep_groups_together_are_kept(rows, cv):
    X, y, _ = rows
    groups = np.arange(90) % 15
    advice = recommend_test_for_models(*CLASSIFIERS, X, y, cv=cv, groups=groups)
    assert "that they were trained on" not in " ".join(advice.warnings)
    others = by_test(advice)
    # random splits, here of as many rows as there are, test some groups twice
    assert (NestedCVInterval in others) is not isinstance(cv, GroupShuffleSplit)
    for test, other in others.items():
        if test in (CorrectedTTest, BayesianCorrelatedTTest):
            assert other.test.cv is cv
        if test is NestedCVInterval:
            other.test.set_params(n_repeats=1)
        other.test.fit(X, y, groups=groups)


def test_splits_that_tear_groups_apart_are_replaced(rows):
    X, y, _ = rows
    groups = np.arange(90) % 15
    advice = recommend_test_for_models(*CLASSIFIERS, X, y, cv=TEARING, groups=groups)
    assert "tested on groups that they were trained on" in (" ".join(advice.warnings))
    corrected = by_test(advice)[CorrectedTTest]
    assert repr(corrected.test.cv) == repr(GroupKFold(5))
    assert "GroupShuffleSplit" in corrected.why
    assert "no repeated group k-fold" in corrected.why
    corrected.test.fit(X, y, groups=groups)  # without a warning of torn groups


def test_there_are_no_more_folds_than_groups(rows):
    X, y, _ = rows
    groups = np.arange(90) % 3
    advice = recommend_test_for_models(*CLASSIFIERS, X, y, cv=TEARING, groups=groups)
    assert by_test(advice)[CorrectedTTest].test.cv.n_splits == 3
    assert NestedCVInterval not in by_test(advice)


# The same question, by a limit


def test_the_limit_of_cross_validation_is_an_alternative_where_there_is_one(rows):
    X, _, y = rows
    advice = recommend_test_for_models(*REGRESSORS, X, y, scoring=MAE, cv=3)
    others = {other.test: other for other in advice.alternatives}
    assert others["CrossValidationCLT"].valid
    assert "intervals for both scores" in others["CrossValidationCLT"].why
    CrossValidationCLT(*REGRESSORS, scoring=MAE, cv=3).fit(X, y)
    prefit = recommend_test(*labels_of(60), scoring="accuracy")
    assert "CrossValidationCLT" not in {other.test for other in prefit.alternatives}


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"cv": RepeatedKFold(n_splits=3, n_repeats=2)}, "tests no row twice"),
        ({"cv": TEARING, "groups": np.arange(90) % 40}, "keep groups together"),
        ({"cv": 5, "scoring": "f1"}, "needs a mean of per-row scores"),
        ({"cv": GroupKFold(5), "groups": np.arange(90) % 15}, "15 groups are fewer"),
    ],
)
def test_the_limit_of_cross_validation_is_ruled_out(rows, params, words):
    X, y, _ = rows
    advice = recommend_test_for_models(*CLASSIFIERS, X, y, **params)
    others = {other.test: other for other in advice.alternatives}
    assert not others["CrossValidationCLT"].valid
    assert words in others["CrossValidationCLT"].why


def test_the_limit_of_right_and_wrong_needs_discordant_rows(rows):
    X, y, _ = rows
    alike = GaussianNB(), GaussianNB(var_smoothing=1e-3)
    advice = recommend_test_for_models(*alike, X, y, cv=5)
    others = {other.test: other for other in advice.alternatives}
    assert "needs 10 discordant rows or more" in others["CrossValidationCLT"].why


# Several models


def test_several_comparisons_get_advice_on_pairs():
    truth, a, b = labels_of(100)
    advice = recommend_test(truth, a, b, scoring="f1", n_comparisons=3)
    other = by_test(advice)[PairwiseComparison]
    assert other.call == (
        "PairwiseComparison(test=PairedBootstrap(alternative='two-sided'), "
        "correction='max-t', scoring='f1').fit_predictions(y_true, y_preds)"
    )
    assert "rejects more than Bonferroni or Holm" in other.why
    assert "adjust_pvalues" in other.why
    assert "PairwiseComparison corrects them together" in " ".join(advice.warnings)
    fitted = other.test.fit_predictions(truth, {"a": a, "b": b, "c": truth})
    assert len(fitted.result_.pairs) == 3


def test_a_single_comparison_is_not():
    advice = recommend_test(*labels_of(100), scoring="f1")
    assert PairwiseComparison not in by_test(advice)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    ("n_rows", "scoring", "pair", "correction"),
    [
        (100, "accuracy", PairedBootstrap, "max-t"),  # McNemar shares no resamples
        (20, "accuracy", McNemar, "holm"),  # too few for a bootstrap
        (20, "f1", ApproxRandomization, "holm"),  # and for max-t
    ],
)
def test_pairs_share_resamples_where_there_are_enough_rows(
    n_rows, scoring, pair, correction
):
    truth, a, b = labels_of(n_rows)
    advice = recommend_test(truth, a, b, scoring=scoring, n_comparisons=3)
    other = by_test(advice)[PairwiseComparison]
    assert type(other.test.test) is pair
    assert other.test.test.alternative == "two-sided"
    assert other.test.correction == correction
    assert params_of(spelt_out(other)) == params_of(other.test)
    fitted = other.test.fit_predictions(truth, {"a": a, "b": b, "c": truth})
    assert fitted.result_.alpha == 0.05


def test_pairs_are_judged_by_the_recommended_test_if_it_resamples():
    rng = np.random.default_rng(0)
    truth = np.arange(100) < 9  # few positives: no bootstrap
    a, b = ({"decision_function": truth + rng.normal(size=100)} for _ in range(2))
    advice = recommend_test(truth, a, b, scoring="roc_auc", n_comparisons=3)
    other = by_test(advice)[PairwiseComparison]
    assert type(other.test.test) is type(advice.test) is ApproxRandomization
    assert other.test.correction == "max-t"
    other.test.test.set_params(n_resamples=99)
    other.test.fit_predictions(truth, {"a": a, "b": b})


def test_pairs_of_models_are_cross_validated(rows):
    X, y, _ = rows
    advice = recommend_test_for_models(
        *CLASSIFIERS, X, y, cv=3, n_comparisons=3, alpha=0.1
    )
    other = by_test(advice)[PairwiseComparison]
    assert other.call.startswith("PairwiseComparison(estimators, test=PairedBootstrap(")
    assert other.call.endswith("correction='max-t', alpha=0.1, cv=3).fit(X, y)")
    models = [("nb", CLASSIFIERS[0]), ("lr", CLASSIFIERS[1])]
    other.test.set_params(estimators=models, random_state=0).fit(X, y)


def test_groups_are_passed_on():
    groups = np.arange(100) // 2
    advice = recommend_test(
        *labels_of(100), scoring="f1", groups=groups, n_comparisons=2
    )
    for other in advice.other_questions:
        assert other.call.endswith(", groups=groups)")


# How probable?


def test_probabilities_are_for_scorers_that_take_weights():
    def weighed(y, y_pred, sample_weight=None):
        return accuracy_score(y, y_pred, sample_weight=sample_weight)

    def sums(y, y_pred):  # adds up over rows, and so can be weighed
        return accuracy_score(y, y_pred)

    def unweighed(y, y_pred):
        return float(np.median(np.cumsum(np.asarray(y) == np.asarray(y_pred))))

    def ignorant(estimator, X, y):
        return unweighed(y, estimator.predict(X))

    def offers_posterior(scoring):
        return BayesianComparison in by_test(
            recommend_test(*labels_of(100), scoring=scoring)
        )

    assert offers_posterior("f1")
    assert offers_posterior(make_scorer(weighed))
    assert offers_posterior(make_scorer(sums))
    assert not offers_posterior(make_scorer(unweighed))
    assert not offers_posterior(ignorant)


def test_where_advice_offers_probabilities_there_are_some():
    predictions = labels_of(100)
    advice = recommend_test(*predictions, scoring="matthews_corrcoef")
    other = by_test(advice)[BayesianComparison]
    assert other.call == (
        "BayesianComparison(scoring='matthews_corrcoef', rope=0.01)"
        ".fit_predictions(y_true, y_pred_a, y_pred_b)"
    )
    assert "set it before seeing the results" in other.why
    assert 0 < other.test.fit_predictions(*predictions).p_better_ <= 1


@pytest.mark.parametrize(
    ("predictions", "words"),
    [
        (labels_of(20), "With 20 rows the posterior is too narrow"),
        (
            (np.arange(60) % 2, np.arange(60) % 2, np.r_[1, 0, np.arange(2, 60) % 2]),
            "differ on only 2 rows",
        ),
    ],
)
def test_probabilities_from_few_rows_are_cautioned(predictions, words):
    advice = recommend_test(*predictions, scoring="accuracy")
    assert words in by_test(advice)[BayesianComparison].why


def test_models_that_agree_leave_no_question():
    truth = np.arange(60) % 2
    assert recommend_test(truth, truth, truth, scoring="accuracy").other_questions == ()


# Printing


def test_other_questions_are_printed_with_their_code(rows):
    X, y, _ = rows
    advice = recommend_test_for_models(*CLASSIFIERS, X, y, cv=5, n_comparisons=3)
    printed = unbroken(str(advice))
    assert "\nAnother question: Which learning algorithm is better" in printed
    flat = " ".join(printed.split())
    html = advice._repr_html_()
    for other in advice.other_questions:
        assert f"{other.question} {other.call} {other.why}" in flat
        assert f"\n\n  {other.call}\n\n" in printed
        assert f": {other.question.replace(chr(39), '&#x27;')}</p>" in html


def test_the_command_line_prints_other_questions(tmp_path, capsys):
    truth, a, b = labels_of(100)
    table, header = np.column_stack([truth, a, b]), "gold,lr,nb"
    path = tmp_path / "preds.csv"
    np.savetxt(path, table, fmt="%d", delimiter=",", header=header, comments="")
    columns = ["--truth", "gold", "--a", "lr", "--b", "nb", "--scoring", "accuracy"]
    command = ["advise", str(path), *columns, "--n-comparisons", "3"]
    assert main(command) == 0
    assert "\nOther questions:\n" in capsys.readouterr().out
    assert main([*command, "--format", "json"]) == 0
    questions = json.loads(capsys.readouterr().out)["other_questions"]
    assert [other["test"].partition("(")[0] for other in questions] == [
        "PairwiseComparison",
        "BayesianComparison",
    ]
    assert set(questions[0]) == {"question", "test", "call", "why"}
