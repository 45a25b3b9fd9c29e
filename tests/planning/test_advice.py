"""Advice: the branches of the decision tree, its warnings, and second opinions."""

import dataclasses
import inspect
import json
import re
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer, make_scorer, roc_auc_score
from sklearn.model_selection import RepeatedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import skcompare
from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    BayesianCorrelatedTTest,
    CorrectedTTest,
    CorrelationTest,
    CrossValidationCLT,
    FiveByTwoCV,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
    WildClusterBootstrap,
)
from skcompare.comparison import CochranQ, DeLong, advice_on
from skcompare.planning import (
    TREE,
    Node,
    check_choice,
    recommend_test,
    recommend_test_for_models,
)
from tests.texts import unbroken

MAE = "neg_mean_absolute_error"

# The tests that a recommendation for two models names, one way or the other.
TESTS = (
    McNemar,
    PairedTTest,
    DeLong,
    PairedBootstrap,
    ApproxRandomization,
    WilcoxonSignedRank,
    SignTest,
)


def labels_of(n_rows, *, positives=0.5, seed=0):
    """Return truth and the labels that two models give."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n_rows) < positives).astype(int)
    a, b = (np.where(rng.random(n_rows) < p, truth, 1 - truth) for p in (0.85, 0.75))
    return truth, a, b


def errors_of(differences):
    """Return truth and values of which A's have errors smaller by `differences`."""
    differences = np.asarray(differences, dtype=float)
    most = 1 + np.abs(differences).max()
    return np.zeros(len(differences)), most - differences / 2, most + differences / 2


def scores_of(n_rows, *, positives=0.5, seed=0):
    """Return truth and decision values of two models."""
    rng = np.random.default_rng(seed)
    truth = (np.arange(n_rows) < positives * n_rows).astype(int)
    a, b = (truth + rng.normal(size=n_rows) for _ in range(2))
    return truth, {"decision_function": a}, {"decision_function": b}


NORMAL = np.random.default_rng(0).normal(size=1_000)
SKEWED = np.random.default_rng(0).lognormal(sigma=1.5, size=1_000) - 3
FLAT = np.random.default_rng(0).uniform(-1, 1, size=1_000)


def joined(sentences):
    return " ".join(sentences)


# Branches

BRANCHES = {
    "right or wrong": (labels_of(300), "accuracy", McNemar),
    "right or wrong, few": (labels_of(25), "accuracy", McNemar),
    "a loss of right or wrong": (labels_of(300), "neg_mean_absolute_error", McNemar),
    "normal": (errors_of(NORMAL[:50]), MAE, PairedTTest),
    "normal, few": (errors_of(NORMAL[:25]), MAE, PairedTTest),
    "not normal, many": (errors_of(FLAT), MAE, PairedTTest),
    "not normal, some": (errors_of(SKEWED[:60]), MAE, PairedBootstrap),
    "not normal, many, skewed": (errors_of(SKEWED), MAE, PairedBootstrap),
    "not normal, few": (errors_of(SKEWED[:25]), MAE, ApproxRandomization),
    "an average, very few": (errors_of(NORMAL[:12]), MAE, ApproxRandomization),
    "F1": (labels_of(300), "f1", PairedBootstrap),
    "F1, few": (labels_of(29), "f1", ApproxRandomization),
    "R2": (errors_of(NORMAL[:120]), "r2", PairedBootstrap),
    "R2, few": (errors_of(NORMAL[:50]), "r2", ApproxRandomization),
    "ROC AUC": (scores_of(100), "roc_auc", DeLong),
    "ROC AUC, few positives": (
        scores_of(100, positives=0.09),
        "roc_auc",
        ApproxRandomization,
    ),
}
each_branch = pytest.mark.parametrize(
    ("predictions", "scoring", "test"), BRANCHES.values(), ids=BRANCHES
)


def with_spread(predictions):
    """Give R2 a truth that varies."""
    truth, a, b = predictions
    if truth.dtype == float and not truth.any():
        shift = np.arange(len(truth), dtype=float)
        return truth + shift, a + shift, b + shift
    return predictions


@pytest.mark.usefixtures("quiet")
@each_branch
def test_every_branch_leads_to_its_test_which_fits(predictions, scoring, test):
    predictions = with_spread(predictions)
    advice = recommend_test(*predictions, scoring=scoring)
    assert type(advice.test) is test
    assert 0 < advice.test.fit_predictions(*predictions).pvalue_ <= 1


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    ("n_groups", "test"), [(30, PairedBootstrap), (29, ApproxRandomization)]
)
@pytest.mark.parametrize("scoring", ["accuracy", "f1", MAE, "roc_auc"])
def test_groups_lead_to_resampling_whatever_the_metric(n_groups, test, scoring):
    predictions = scores_of(300) if scoring == "roc_auc" else labels_of(300)
    groups = np.arange(300) % n_groups
    advice = recommend_test(*predictions, scoring=scoring, groups=groups)
    assert type(advice.test) is test
    assert advice.test.scoring == scoring
    assert f"300 rows in {n_groups} groups" in advice.reasons[0]
    assert advice.call.endswith("y_pred_b, groups=groups)")
    assert "Rows of a group depend" in joined(advice.warnings)
    fitted = advice.test.fit_predictions(*predictions, groups=groups)
    assert fitted.result_.n_units == n_groups


def test_two_errors_of_a_number_are_right_and_wrong_but_not_accuracy():
    truth = np.arange(60) + 0.5
    near = np.arange(60) % 2 == 0
    a, b = truth + np.where(near, 1.0, 2.0), truth + np.where(~near, 1.0, 2.0)
    advice = recommend_test(truth, a, b, scoring=MAE)
    assert type(advice.test) is SignTest
    assert advice.test.fit_predictions(truth, a, b).pvalue_ > 0.5


def test_mcnemar_is_mid_p_unless_most_rows_are_discordant():
    truth = np.arange(40) % 2
    assert recommend_test(*labels_of(300), scoring="accuracy").test.variant == "mid-p"
    advice = recommend_test(truth, truth, 1 - truth, scoring="accuracy")
    assert advice.test.variant == "exact"
    assert "More than half of all rows" in joined(advice.reasons)


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("two_sided", [False, True])
def test_mid_p_keeps_its_level_if_half_the_rows_are_discordant_or_fewer(
    alpha, two_sided
):
    rejects = np.zeros(501)
    for n_discordant in range(501):
        k = np.arange(n_discordant + 1)
        pmf = stats.binom.pmf(k, n_discordant, 0.5)
        p = stats.binom.sf(k, n_discordant, 0.5) + pmf / 2
        p = 2 * np.minimum(p, p[::-1]) if two_sided else p
        rejects[n_discordant] = pmf[p <= alpha].sum()
    levels = [
        stats.binom.pmf(np.arange(n + 1), n, share) @ rejects[: n + 1]
        for n in range(10, 501, 10)
        for share in (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.48, 0.5)
    ]
    assert max(levels) < alpha * 1.005


def test_the_area_of_part_of_a_curve_is_resampled():
    partial = make_scorer(
        roc_auc_score, response_method="decision_function", max_fpr=0.2
    )
    assert type(recommend_test(*scores_of(100), scoring=partial).test) is (
        PairedBootstrap
    )
    usual = make_scorer(roc_auc_score, response_method="decision_function")
    assert type(recommend_test(*scores_of(100), scoring=usual).test) is DeLong


def test_responses_of_different_kinds_are_not_swapped(quiet):
    truth, a, b = labels_of(24, positives=0.2)
    predictions = truth, {"decision_function": a - 0.5}, {"predict_proba": b * 0.8}
    advice = recommend_test(*predictions, scoring="roc_auc")
    assert type(advice.test) is DeLong
    assert "have different response methods" in joined(advice.reasons)
    advice = recommend_test(*predictions, scoring="average_precision")
    assert type(advice.test) is PairedBootstrap
    assert "A bootstrap of a small test set" in joined(advice.warnings)
    invalid = {other.test: other.why for other in advice.alternatives}
    assert "cannot be computed" in invalid["ApproxRandomization"]
    advice.test.fit_predictions(*predictions, strata=truth)


def test_every_leaf_of_the_tree_is_reached_and_every_question_is_one():
    def parts(node):
        return [node, *parts(node.yes), *parts(node.no)] if _is_node(node) else [node]

    nodes = parts(TREE)
    assert all(node.question.endswith("?") for node in nodes if _is_node(node))
    tests = {leaf.test for leaf in nodes if not _is_node(leaf)}
    others = {SignTest, CorrelationTest, WildClusterBootstrap}
    assert tests == {test for _, _, test in BRANCHES.values()} | others


def _is_node(part):
    return isinstance(part, Node)


# Reasons


def test_reasons_are_the_path_through_the_tree():
    advice = recommend_test(*errors_of(NORMAL[:50]), scoring=MAE)
    assert [sentence[:24] for sentence in advice.reasons[:5]] == [
        "No `groups` were passed,",
        f"{MAE} does not just count"[:24],
        f"{MAE} is not the ROC"[:24],
        f"{MAE} is a mean of"[:24],
        "50 rows are enough to ch",
    ]


def test_reasons_give_the_values_of_normality_checks():
    predictions = errors_of(NORMAL[:50])
    advice = recommend_test(*predictions, scoring=MAE)
    statistic, p = stats.shapiro(NORMAL[:50])
    (sentence,) = (text for text in advice.reasons if "Normality" in text)
    assert f"Shapiro-Wilk {statistic:.3f} (p = {p:.3f})" in sentence
    assert "Anderson-Darling" in sentence
    assert "Kolmogorov-Smirnov" in sentence
    assert "not rejected" in sentence


@pytest.mark.parametrize(
    ("differences", "words"),
    [
        (FLAT, "By the central limit theorem their mean is nevertheless"),
        (SKEWED, "The central limit theorem does not suffice either"),
        (SKEWED[:60], "fewer than 100 rows"),
    ],
)
def test_reasons_state_whether_there_are_enough_rows_for_a_normal_mean(
    differences, words
):
    advice = recommend_test(*errors_of(differences), scoring=MAE)
    assert words in joined(advice.reasons)


def test_differences_that_do_not_vary_are_no_error(quiet):
    predictions = errors_of(np.full(40, 0.5))
    predictions = [column + np.arange(40) * (column > 0) for column in predictions]
    advice = recommend_test(*predictions, scoring=MAE)
    assert "do not vary" in joined(advice.reasons)
    advice.test.fit_predictions(*predictions)


@pytest.mark.parametrize("predictions", [labels_of(300), labels_of(20)])
def test_reasons_estimate_the_time_of_resampling(predictions):
    advice = recommend_test(*predictions, scoring="f1")
    assert "resamples take" in joined(advice.reasons)
    assert "(estimated from a few): resampling is feasible." in joined(advice.reasons)
    without = recommend_test(*predictions, scoring="accuracy")
    assert "resamples take" not in joined(without.reasons)


def test_slow_metrics_get_fewer_resamples(monkeypatch):
    monkeypatch.setattr(
        "skcompare.planning._choices.seconds_per_resample", lambda *_: 1.0
    )
    advice = recommend_test(*labels_of(300), scoring="f1")
    assert advice.test.n_resamples == 999
    assert "999 resamples take about 17 min" in joined(advice.reasons)
    assert "n_jobs=-1" in joined(advice.reasons)


@pytest.mark.parametrize(
    ("scoring", "sentence"),
    [
        ("f1_macro", "f1_macro is not a mean of per-row scores: the distr"),
        (
            lambda model, X, y: float(np.std(model.predict(X) == y)),
            "<lambda> is not recognized as a mean of per-row scores: the distr",
        ),
    ],
    ids=["known", "unknown"],
)
def test_only_metrics_of_others_are_not_recognized(scoring, sentence):
    assert sentence in joined(recommend_test(*labels_of(60), scoring=scoring).reasons)


def test_models_instead_of_predictions_are_named_in_short():
    model = make_pipeline(StandardScaler(), LogisticRegression())
    message = (
        "recommend_test takes true values and the predictions of two models. Got a "
        "model, of the class Pipeline. Call recommend_test_for_models("
    )
    with pytest.raises(TypeError, match=re.escape(message)):
        recommend_test(model, model, [[0], [1]], [0, 1], scoring="accuracy")


# Warnings


@pytest.mark.parametrize(
    ("predictions", "params", "words"),
    [
        (labels_of(20), {"scoring": "f1"}, "small test set: 20 rows"),
        (
            labels_of(60),
            {"scoring": "f1"},
            "f1 is not a mean of per-row scores: a t-test",
        ),
        (labels_of(60), {"scoring": "accuracy"}, "categorical, right or wrong: a t-t"),
        (
            labels_of(60),
            {"scoring": "f1", "groups": np.arange(60) // 2},
            "Rows of a group depend on each other",
        ),
        (
            errors_of(np.repeat(NORMAL[:50], 4)),
            {"scoring": MAE},
            "differences of neighboring rows have a correlation of 0.8",
        ),
        (
            labels_of(60),
            {"scoring": "f1", "n_comparisons": 6},
            "0.05 / 6 = 0.00833 (Bonferroni). Holm's",
        ),
        (
            labels_of(400, positives=0.05),
            {"scoring": "accuracy"},
            "of class 0: a model that always predicts it",
        ),
        (
            (np.arange(60) % 2, np.arange(60) % 2, np.arange(60) % 2),
            {"scoring": "accuracy"},
            "do not differ on any row",
        ),
        (
            (np.arange(60) % 2, np.arange(60) % 2, np.r_[1, 0, np.arange(2, 60) % 2]),
            {"scoring": "accuracy"},
            "the models differ on only 2 rows",
        ),
    ],
)
def test_warnings(predictions, params, words):
    advice = recommend_test(*predictions, **params)
    assert words.lower() in joined(advice.warnings).lower()


def test_without_cause_there_is_no_warning():
    assert recommend_test(*errors_of(NORMAL[:200]), scoring=MAE).warnings == ()


def test_balanced_classes_are_not_warned_of():
    advice = recommend_test(*labels_of(400, positives=0.15), scoring="accuracy")
    assert "misleading" not in joined(advice.warnings)


@pytest.mark.parametrize(
    ("n_comparisons", "n_resamples"), [(1, 9_999), (10, 9_999), (100, 39_999)]
)
def test_several_comparisons_divide_the_level(n_comparisons, n_resamples):
    advice = recommend_test(
        *labels_of(60), scoring="f1", n_comparisons=n_comparisons, alpha=0.05
    )
    assert advice.test.alpha == pytest.approx(0.05 / n_comparisons)
    spelled = f"PairedBootstrap(alpha=0.05 / {n_comparisons}, "
    assert (spelled in advice.code) == (n_comparisons > 1)
    assert eval(advice.code, vars(skcompare)).alpha == advice.test.alpha
    assert advice.test.n_resamples == n_resamples


# Alternatives


@pytest.mark.usefixtures("quiet")
@each_branch
def test_alternatives_that_are_valid_fit_and_none_is_left_out(
    predictions, scoring, test
):
    predictions = with_spread(predictions)
    advice = recommend_test(*predictions, scoring=scoring)
    others = {other.test: other for other in advice.alternatives}
    tests = {test.__name__: test for test in TESTS}
    different = {*others, test.__name__} ^ {*tests, test.__name__}
    assert not different, f"TESTS above must equal that of planning: {different}"
    assert [o.valid for o in advice.alternatives] == sorted(
        (o.valid for o in advice.alternatives), reverse=True
    )
    for name, other in others.items():
        assert other.why.endswith(".")
        if other.valid:
            alternative = tests[name]()
            if "scoring" in alternative.get_params():
                alternative.set_params(scoring=scoring)
            alternative.fit_predictions(*predictions)


def test_alternatives_explain_why_a_t_test_is_wrong():
    why = {
        scoring: next(
            other
            for other in recommend_test(*labels_of(60), scoring=scoring).alternatives
            if other.test == "PairedTTest"
        )
        for scoring in ("f1", "accuracy")
    }
    assert not why["f1"].valid
    assert "a mean of per-row scores" in why["f1"].why
    assert not why["accuracy"].valid
    assert "categorical" in why["accuracy"].why


# Models


def test_models_are_advised_on_and_the_test_has_them(classification, classifiers):
    *_, X, y = classification
    advice = recommend_test_for_models(*classifiers, X, y, scoring="f1")
    assert type(advice.test) is PairedBootstrap
    assert (advice.test.estimator_a, advice.test.estimator_b) == classifiers
    assert advice.call == "test.fit(X, y)"
    assert advice.test.set_params(n_resamples=9).fit(X, y).best_estimator_ in (
        classifiers
    )


def test_models_own_score_is_the_default(classification, classifiers):
    *_, X, y = classification
    advice = recommend_test_for_models(*classifiers, X, y)
    assert type(advice.test) is McNemar
    advice.test.fit(X, y)


def test_models_to_be_cross_validated(regression):
    X, y, *_ = regression
    models = Ridge(), Ridge(alpha=30.0)
    advice = recommend_test_for_models(*models, X, y, scoring=MAE, cv=3)
    assert advice.test.cv == 3
    assert "as fitted on 3 splits" in advice.about
    assert not hasattr(models[0], "coef_")
    advice.test.fit(X, y)


def test_rows_tested_several_times_are_not_independent(regression):
    X, y, *_ = regression
    cv = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    advice = recommend_test_for_models(
        Ridge(), Ridge(alpha=30.0), X, y, scoring=MAE, cv=cv
    )
    assert type(advice.test) is PairedBootstrap
    assert "120 predictions for 60 rows" in joined(advice.warnings)
    assert advice.call == "test.fit(X, y)"
    advice.test.set_params(n_resamples=9).fit(X, y)


def test_models_may_share_a_response_method(classification, quiet):
    X, y, X_test, y_test = classification
    lr, nb, svc = (
        m.fit(X, y) for m in (LogisticRegression(), GaussianNB(), LinearSVC())
    )
    few = np.r_[np.flatnonzero(y_test == 0)[:40], np.flatnonzero(y_test == 1)[:9]]
    advice = recommend_test_for_models(
        lr, nb, X_test[few], y_test[few], scoring="roc_auc"
    )
    assert type(advice.test) is ApproxRandomization
    advice.test.set_params(n_resamples=9).fit(X_test[few], y_test[few])
    advice = recommend_test_for_models(
        svc, nb, X_test[few], y_test[few], scoring="roc_auc"
    )
    assert type(advice.test) is DeLong
    advice.test.fit(X_test[few], y_test[few])


# Printing


@each_branch
def test_advice_prints_readably(predictions, scoring, test):
    advice = recommend_test(*with_spread(predictions), scoring=scoring)
    printed = str(advice)
    assert printed.startswith(f"Use {test.__name__}:\n\n  test = {test.__name__}(")
    for other in advice.other_questions:
        assert f"\n\n  {other.call}\n\n" in unbroken(printed)
    assert max(map(len, printed.splitlines())) <= 79
    flat = " ".join(printed.split())
    for sentence in (*advice.reasons, *advice.warnings):
        assert " ".join(sentence.split()) in flat
    html = advice._repr_html_()
    assert html.count("<li>") == (
        len(advice.reasons) + len(advice.warnings) + len(advice.alternatives)
    )


def test_advice_on_models_prints_code_that_runs_with_them(classification):
    X, y, X_test, y_test = classification
    models = {"a": LogisticRegression().fit(X, y), "b": GaussianNB().fit(X, y)}
    advice = recommend_test_for_models(*models.values(), X_test, y_test, alpha=0.1)
    printed = str(advice)
    lines = [line for line in printed.splitlines() if line.startswith("  test")]
    assert lines == ["  test = McNemar(a, b, alpha=0.1)", "  test.fit(X, y)"]
    assert "advice." not in printed  # it may be called otherwise
    names = {**models, "McNemar": McNemar, "X": X_test, "y": y_test}
    exec("\n".join(line.strip() for line in lines), names)
    fitted = advice.test.fit(X_test, y_test)
    assert names["test"].pvalue_ == fitted.pvalue_


def test_advice_is_frozen():
    advice = recommend_test(*labels_of(60), scoring="f1")
    with pytest.raises(dataclasses.FrozenInstanceError):
        advice.test = None
    with pytest.raises(dataclasses.FrozenInstanceError):
        advice.alternatives[0].valid = True


# Bad input


def test_one_metric_at_a_time():
    with pytest.raises(ValueError, match="`scoring` must be a single metric"):
        recommend_test(*labels_of(60), scoring=["accuracy", "f1"])


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"n_comparisons": 0}, "`n_comparisons` must be an integer from 1"),
        ({"alpha": 5}, "`alpha` must lie strictly between"),
        ({"groups": [1, 2]}, "`groups` must have one entry per row"),
    ],
)
def test_bad_parameters(params, words):
    with pytest.raises(ValueError, match=words):
        recommend_test(*labels_of(60), scoring="f1", **params)


def test_one_row_is_no_data():
    with pytest.raises(ValueError, match="at least 2 rows"):
        recommend_test([1], [1], [0], scoring="accuracy")


def test_an_unknown_cv_is_an_error(classification, classifiers):
    *_, X, y = classification
    with pytest.raises(ValueError, match="`cv` must be 'prefit', or an integer"):
        recommend_test_for_models(*classifiers, X, y, cv="nested")


@pytest.mark.parametrize("test", [CochranQ(), PairwiseComparison(), "mcnemar", None])
def test_only_tests_of_two_models_can_be_checked(test):
    with pytest.raises(TypeError, match="`test` must be a test of two models"):
        check_choice(test, *labels_of(60))


def test_a_class_is_no_test():
    with pytest.raises(TypeError, match=r"a class: pass an instance, McNemar\(\)"):
        check_choice(McNemar, *labels_of(60))


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (PairedBootstrap(n_resamples=0), "`n_resamples` must be"),
        (BayesianComparison(posterior="flat"), "`posterior` must be one of"),
        (CorrectedTTest(variance="half"), "`variance` must be one of"),
    ],
)
def test_a_test_that_could_not_be_fitted_is_an_error(test, words):
    with pytest.raises(ValueError, match=words):
        check_choice(test, *labels_of(60))


# Wrong uses: the first three are those that the guide counts


def wrong(test, better, words, *, data=None, **params):
    """Return a test that does not fit, the one that does, and why."""
    return test, better, words, labels_of(60) if data is None else data, params


WRONG = {
    "t-test, no average": wrong(
        PairedTTest(scoring="f1"),
        PairedBootstrap,
        "A t-test needs a mean of per-row scores",
    ),
    "t-test, categorical": wrong(
        PairedTTest(scoring="accuracy"), McNemar, "A t-test is for numbers"
    ),
    "bootstrap, few rows": wrong(
        PairedBootstrap(scoring="f1"),
        ApproxRandomization,
        "A bootstrap of a small test set is unreliable: 20 rows",
        data=labels_of(20),
    ),
    "groups ignored": wrong(
        McNemar(),
        PairedBootstrap,
        "McNemar assumes independent rows and ignores that 300 rows come in 60",
        data=labels_of(300),
        groups=np.arange(300) // 5,
    ),
    "bootstrap, few groups": wrong(
        PairedBootstrap(scoring="f1"),
        ApproxRandomization,
        "15 groups are fewer than 30",
        data=labels_of(300),
        groups=np.arange(300) // 20,
    ),
    "t-test, not normal": wrong(
        PairedTTest(scoring=MAE),
        PairedBootstrap,
        "A t-test needs a normal mean difference",
        data=errors_of(SKEWED[:60]),
    ),
    "t-test, two rows": wrong(
        PairedTTest(scoring=MAE),
        ApproxRandomization,
        "A t-test needs a normal mean difference. 2 rows are too few to",
        data=errors_of(NORMAL[:2]),
    ),
    "ranks, no average": wrong(
        WilcoxonSignedRank(scoring="f1"),
        PairedBootstrap,
        "WilcoxonSignedRank needs a mean of per-row scores",
    ),
    "McNemar for F1": wrong(
        McNemar(),
        PairedBootstrap,
        "McNemar compares accuracy (right or wrong), not f1",
        scoring="f1",
    ),
    "DeLong for accuracy": wrong(
        DeLong(),
        McNemar,
        "DeLong compares the ROC AUC of two classes, not accuracy",
        scoring="accuracy",
    ),
    "DeLong, tiny class": wrong(
        DeLong(),
        ApproxRandomization,
        "the smaller one has 5",
        data=scores_of(100, positives=0.05),
    ),
    "chi-square, few discordant": wrong(
        McNemar(variant="chi2"),
        McNemar,
        "The chi-square approximation needs 10 discordant rows",
        data=labels_of(15),
    ),
    "another metric": wrong(
        PairedBootstrap(scoring="accuracy"),
        PairedBootstrap,
        "has `scoring='accuracy'`, but `scoring` here is 'f1'",
        scoring="f1",
    ),
    "no correction": wrong(
        McNemar(),
        McNemar,
        "no correction for their number: set `alpha=0.01`",
        n_comparisons=5,
    ),
    "no correction of posteriors": wrong(
        BayesianComparison(scoring="f1"),
        PairedBootstrap,
        "overstates the evidence. Set `credible_level=0.99`, that is 1 - 0.05 / 5",
        n_comparisons=5,
    ),
    "learning algorithms": wrong(
        CorrectedTTest(),
        McNemar,
        (
            "Predictions are not enough: pass it the models and training data, as "
            "in fit(X, y), or scores of folds to fit_scores"
        ),
        scoring="accuracy",
    ),
    "learning algorithms, uncorrected": wrong(
        CorrectedTTest(variance="naive"),
        McNemar,
        "takes scores of folds as independent, which they are not",
    ),
    "learning algorithms, halves": wrong(
        FiveByTwoCV(), McNemar, "FiveByTwoCV tests which learning algorithm is better"
    ),
    "learning algorithms, probabilities": wrong(
        BayesianCorrelatedTTest(scoring="f1"),
        PairedBootstrap,
        "BayesianCorrelatedTTest tests which learning algorithm is better",
    ),
    "learning algorithms, nested": wrong(
        NestedCVInterval(scoring="f1"),
        PairedBootstrap,
        "NestedCVInterval needs a mean of per-row scores",
    ),
    "limit, few rows": wrong(
        CrossValidationCLT(scoring=MAE),
        PairedTTest,
        "A normal approximation is unreliable on a small test set: 25 rows are fewer",
        data=errors_of(NORMAL[:25]),
    ),
    "limit, not normal": wrong(
        CrossValidationCLT(scoring=MAE),
        PairedBootstrap,
        "CrossValidationCLT needs a normal mean difference",
        data=errors_of(SKEWED[:60]),
    ),
    "limit, sums not normal": wrong(
        CrossValidationCLT(scoring=MAE),
        PairedBootstrap,
        "Normality of the 40 sums over groups is rejected",
        data=errors_of(np.repeat(SKEWED[:40], 3)),
        groups=np.arange(120) // 3,
    ),
    "limit, few discordant": wrong(
        CrossValidationCLT(),
        McNemar,
        "The normal approximation of a count needs 10 discordant rows or more",
        data=(np.arange(60) % 2, np.arange(60) % 2, np.r_[1, 0, np.arange(2, 60) % 2]),
    ),
    "posterior, few rows": wrong(
        BayesianComparison(scoring="f1"),
        ApproxRandomization,
        "A posterior from a small test set is too narrow: 20 rows are fewer than 30",
        data=labels_of(20),
    ),
    "posterior, no weights": wrong(
        BayesianComparison(
            scoring=make_scorer(lambda y, p: float(np.median(np.cumsum(y == p))))
        ),
        PairedBootstrap,
        "takes no weights. PairedBootstrap and ApproxRandomization take any scorer",
    ),
    "posterior of counts, no counts": wrong(
        BayesianComparison(posterior="independent", scoring="balanced_accuracy"),
        PairedBootstrap,
        "'independent' supports only accuracy, precision, recall and F",
    ),
    "posterior of counts, groups": wrong(
        BayesianComparison(posterior="independent", scoring="accuracy"),
        PairedBootstrap,
        "treats every row as an independent draw",
        groups=np.arange(60) // 2,
    ),
}


@pytest.mark.parametrize(
    ("test", "better", "words", "data", "params"), WRONG.values(), ids=WRONG
)
def test_wrong_uses_are_caught(test, better, words, data, params):
    before = test.get_params()
    verdict = check_choice(test, *data, **params)
    assert not verdict.ok
    assert words in joined(verdict.problems)
    assert type(verdict.better.test) is better
    assert test.get_params() == before
    printed = " ".join(str(verdict).split())
    assert words in printed
    assert f"Recommended: {better.__name__}(" in printed
    assert verdict._repr_html_().count("<li>") == len(
        verdict.problems + verdict.warnings
    )


@pytest.mark.parametrize(
    ("test", "predictions", "params"),
    [
        (PairedTTest(scoring=MAE), errors_of(NORMAL[:50]), {}),
        (PairedTTest(scoring=MAE), errors_of(FLAT), {}),
        (PairedTTest(), errors_of(NORMAL[:12]), {"scoring": MAE}),
        (McNemar(), labels_of(60), {}),
        (McNemar(variant="exact"), labels_of(10), {"scoring": "accuracy"}),
        (McNemar(alpha=0.01), labels_of(60), {"n_comparisons": 5}),
        (PairedBootstrap(scoring="f1"), labels_of(60), {}),
        (PairedBootstrap(), labels_of(60), {"groups": np.arange(60) // 2}),
        (ApproxRandomization(scoring="f1"), labels_of(10), {}),
        (SignTest(scoring="accuracy"), labels_of(10), {}),
        (WilcoxonSignedRank(scoring=MAE), errors_of(SKEWED[:10]), {}),
        (DeLong(), scores_of(60), {}),
        (CrossValidationCLT(scoring=MAE), errors_of(NORMAL[:50]), {}),
        (CrossValidationCLT(), labels_of(60), {}),
        (CrossValidationCLT(), labels_of(90), {"groups": np.arange(90) // 3}),
        (
            CrossValidationCLT(scoring=MAE),
            errors_of(np.resize([5, 0, -5], 120) + np.repeat(NORMAL[:40], 3)),
            {"groups": np.arange(120) // 3},
        ),
        (BayesianComparison(scoring="f1"), labels_of(60), {}),
        (BayesianComparison(), labels_of(60), {"groups": np.arange(60) // 2}),
        (BayesianComparison(posterior="independent"), labels_of(20), {"scoring": "f1"}),
        (BayesianComparison(credible_level=0.99), labels_of(60), {"n_comparisons": 5}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_right_uses_are_not(test, predictions, params):
    verdict = check_choice(test, *predictions, **params)
    assert verdict.ok, verdict.problems
    assert verdict.problems == ()
    fits = str(verdict) == "No problem was found with this test."
    assert fits == (not verdict.warnings)
    assert fits == ("No problem" in verdict._repr_html_())


@each_branch
def test_the_recommended_test_passes_the_check(predictions, scoring, test):
    predictions = with_spread(predictions)
    advice = recommend_test(*predictions, scoring=scoring)
    assert check_choice(advice.test, *predictions, scoring=scoring).ok


def test_verdicts_take_scorers_that_are_not_names():
    f1 = get_scorer("f1")
    assert check_choice(PairedBootstrap(scoring=f1), *labels_of(60), scoring=f1).ok


# What tests declare


def comparisons():
    classes = (getattr(skcompare, name) for name in skcompare.__all__)
    return [c for c in classes if isinstance(c, type) and advice_on(c) is not None]


def test_all_tests_of_two_models_declare_their_needs_inputs_and_outputs():
    names = {test.__name__ for test in comparisons()}
    assert names >= {test.__name__ for test in TESTS}
    assert len(names) == 16, "write the new number here if you added a public test"


@pytest.mark.parametrize("test", comparisons(), ids=lambda test: test.__name__)
def test_declared_inputs_are_parameters_of_fit(test):
    parameters = inspect.signature(test.fit).parameters
    for name in ("groups", "strata", "sample_weight"):
        assert name not in test.takes or name in parameters
        if name in parameters and name not in test.takes:
            with pytest.raises(ValueError, match=f"`{name}` must be None for"):
                test().fit_predictions(*labels_of(40), **{name: np.ones(40)})


@pytest.mark.parametrize("test", comparisons(), ids=lambda test: test.__name__)
def test_a_posterior_has_no_level_and_a_p_value_has(test):
    params = test().get_params(deep=False)
    posterior = test.gives == "posterior"
    assert ("credible_level" in params) == posterior
    assert ("alternative" in params) == (not posterior)


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.__name__)
def test_random_tests_are_declared_and_have_n_resamples(test):
    assert ("n_resamples" in test().get_params()) == (test.randomizes is not None)
    assert test.randomizes in (None, "rows", "predictions", "signs")


# What was called by mistake


def test_models_are_refused_with_the_function_for_them(classification, classifiers):
    *_, X, y = classification
    a, b = classifiers
    words = r"recommend_test_for_models\(estimator_a, estimator_b, X, y\)"
    with pytest.raises(TypeError, match=words):
        recommend_test(a, b, X, y)
    with pytest.raises(TypeError, match=words):
        recommend_test(y, y_pred_a=a, y_pred_b=b, scoring="f1")


def test_a_metric_of_two_arguments_is_refused_with_make_scorer():
    with pytest.raises(ValueError, match=r"sklearn\.metrics\.make_scorer"):
        recommend_test(*labels_of(60), scoring=lambda y, p: np.mean(y == p))


def test_a_scorer_of_models_is_advised_on_by_its_metric():
    advice = recommend_test(
        *labels_of(60), scoring=lambda model, X, y: np.mean(model.predict(X) == y)
    )
    assert type(advice.test) is McNemar
    advice = recommend_test(
        *labels_of(60), scoring=lambda model, X, y: np.mean(model.predict(X) == y) ** 2
    )
    assert type(advice.test) is PairedBootstrap


# Time and export


def test_the_first_estimate_of_time_is_not_that_of_a_cold_start():
    code = (
        "import time, re, numpy as np\n"
        "from skcompare import recommend_test\n"
        "truth = np.arange(2_000) % 2\n"
        "a, b = truth.copy(), truth.copy()\n"
        "a[:200], b[150:400] = 1 - a[:200], 1 - b[150:400]\n"
        "advice = recommend_test(truth, a, b, scoring='f1')\n"
        "print(next(r for r in advice.reasons if 'resamples take' in r))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    match = re.search(r"take (?:at most|about) ([\d.]+) s ", run.stdout)
    assert match, run.stdout
    # these resamples take some hundredths of a second, cold or warm
    assert float(match[1]) < 2


def test_advice_and_verdicts_export_all_their_parts():
    verdict = check_choice(PairedTTest(scoring="f1"), *labels_of(60), n_comparisons=3)
    exported = json.loads(json.dumps(verdict.to_dict()))
    assert exported["problems"] == list(verdict.problems)
    better = exported["better"]
    assert better["test"] == type(verdict.better.test).__name__
    assert better["reasons"] == list(verdict.better.reasons)
    assert [o["test"] for o in better["alternatives"]] == [
        other.test for other in verdict.better.alternatives
    ]
    assert better["other_questions"][0]["test"].startswith("PairwiseComparison(")
