"""Situations of real data in which advice was wrong once, each with the cure."""

import re
import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, LeaveOneOut
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skcompare import (
    ApproxRandomization,
    ConservativeZ,
    CorrelationTest,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
    WildClusterBootstrap,
    check_choice,
    recommend_test,
    recommend_test_for_models,
)
from skcompare.cli import main
from skcompare.exceptions import ComparisonWarning
from skcompare.metrics import pearson_scorer, spearman_scorer

MSE = "neg_mean_squared_error"


def labels_of(rng, truth, shares=(0.85, 0.75)):
    """Return the labels of two models that are right on such shares of rows."""
    return [np.where(rng.random(len(truth)) < s, truth, 1 - truth) for s in shares]


def valid_tests(advice):
    return {other.test: other.valid for other in advice.alternatives}


def text_of(advice):
    return " ".join((*advice.reasons, *advice.warnings))


# The situations that a statistician tried, one a row


def labels(n_rows, shares=(0.85, 0.75), positives=0.5, seed=0):
    rng = np.random.default_rng(seed)
    truth = (rng.permutation(n_rows) < positives * n_rows).astype(int)
    return truth, *labels_of(rng, truth, shares)


def classes(sizes, seed=0):
    """Return labels of several classes, the rare ones never predicted by mistake."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(list("abcd")[: len(sizes)], sizes)
    return truth, *(
        np.where(rng.random(len(truth)) < s, truth, rng.choice(["a", "b"], len(truth)))
        for s in (0.8, 0.7)
    )


def scores(n_rows, n_positives, seed=0):
    rng = np.random.default_rng(seed)
    truth = (np.arange(n_rows) < n_positives).astype(int)
    return truth, *(truth + rng.normal(size=(2, n_rows)))


def numbers(n_rows, errors=(0.5, 0.8), seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n_rows)
    return truth, *(truth + rng.normal(scale=[[e] for e in errors], size=(2, n_rows)))


def zipf(n_rows):
    """Return a hundred groups of sizes as in Zipf's law, which count as sixteen."""
    shares = 1 / np.arange(1, 101)
    return np.searchsorted(np.cumsum(shares) / shares.sum(), np.arange(n_rows) / n_rows)


def lognormal_weights(n_rows, sigma):
    return np.random.default_rng(1).lognormal(sigma=sigma, size=n_rows)


MAE = "neg_mean_absolute_error"

SITUATIONS = {
    "right and wrong": (labels(300), "accuracy", {}, McNemar, "categorical"),
    "models that disagree on most rows": (
        *(labels(100, (0.6, 0.3)), "accuracy", {}),
        *(McNemar, "More than half of all rows are discordant"),
    ),
    "a class of 95 %": (
        *(labels(300, (0.97, 0.93), positives=0.05), "accuracy", {}),
        *(McNemar, "On such data accuracy is misleading"),
    ),
    "models that never differ": (
        *((labels(60)[0], *[labels(60)[1]] * 2), "accuracy", {}),
        *(McNemar, "do not differ on any row"),
    ),
    "recall": (
        *(labels(300, (0.9, 0.6), positives=0.1), "recall", {}),
        *(McNemar, "the accuracy on the 30 rows of class 1"),
    ),
    "recall in groups": (
        *(labels(300, (0.9, 0.6)), "recall", {"groups": np.arange(300) // 3}),
        *(PairedBootstrap, "300 rows in 100 groups"),
    ),
    "recall with weights": (
        *(labels(300), "recall", {"sample_weight": lognormal_weights(300, 0.3)}),
        *(PairedBootstrap, "Rows have weights"),
    ),
    "F1": (labels(300), "f1", {}, PairedBootstrap, "not a mean of per-row scores"),
    "F1 on few rows": (labels(20), "f1", {}, ApproxRandomization, "small test set"),
    "precision": (labels(300), "precision", {}, PairedBootstrap, "not a mean"),
    "macro F1 with rare classes": (
        *(classes([150, 100, 9, 4]), "f1_macro", {}),
        *(PairedBootstrap, "a class with only 4 rows, true or predicted"),
    ),
    "balanced accuracy with rare classes": (
        *(classes([200, 60, 6]), "balanced_accuracy", {}),
        *(PairedBootstrap, "a class with only 6 rows, true or predicted"),
    ),
    "ROC AUC": (
        scores(300, 100),
        "roc_auc",
        {},
        DeLong,
        "compares pairs of rows, is known",
    ),
    "ROC AUC with a dozen positives": (
        *(scores(200, 12), "roc_auc", {}),
        *(DeLong, "The smaller class has 12 rows, fewer than 30"),
    ),
    "ROC AUC with five positives": (
        *(scores(200, 5), "roc_auc", {}),
        *(ApproxRandomization, "fewer than 10: too few for the theory"),
    ),
    "average precision": (
        *(scores(300, 60), "average_precision", {}),
        *(PairedBootstrap, "enough for a bootstrap"),
    ),
    "MAE": (numbers(60), MAE, {}, PairedTTest, "not rejected at 0.05"),
    "MAE on a dozen rows": (
        *(numbers(12), MAE, {}),
        *(ApproxRandomization, "a check of normality has hardly any power"),
    ),
    "MSE with heavy tails": (
        *((lambda t: (t[0], *(t[0] + (v - t[0]) ** 3 for v in t[1:])))(numbers(200)),),
        *(MSE, {}, PairedBootstrap, "is rejected at 0.05"),
    ),
    "R2 on 40 rows": (
        *(numbers(40), "r2", {}),
        *(ApproxRandomization, "divides by the spread of the true values"),
    ),
    "R2 on 300 rows": (numbers(300), "r2", {}, PairedBootstrap, "for a bootstrap"),
    "forecasts": (None, MSE, {}, PairedBootstrap, "depend on the rows before them"),
    "groups": (
        *(labels(600), "f1", {"groups": np.arange(600) // 10}),
        *(PairedBootstrap, "600 rows in 60 groups"),
    ),
    "a dozen groups": (
        *(labels(600), "f1", {"groups": np.arange(600) // 50}),
        *(ApproxRandomization, "12 groups, fewer than 30"),
    ),
    "uneven groups": (
        *(labels(2_000), "f1", {"groups": zipf(2_000)}),
        *(WildClusterBootstrap, "effective number (Kish) is 16"),
    ),
    "uneven weights": (
        *(labels(200), "accuracy", {"sample_weight": lognormal_weights(200, 2.0)}),
        *(WildClusterBootstrap, ", below 30: a plain bootstrap rejects too often"),
    ),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_situation_leads_to_a_test_that_runs_as_advised(situation):
    data, scoring, rows, test, words = SITUATIONS[situation]
    data = forecasts(0.8) if data is None else data
    advice = recommend_test(*data, scoring=scoring, **rows)
    assert type(advice.test) is test
    assert words in text_of(advice)
    if "n_resamples" in advice.test.get_params():
        advice.test.set_params(n_resamples=99, random_state=0)
    names = dict(zip(("y_true", "y_pred_a", "y_pred_b"), data, strict=True))
    with warnings.catch_warnings():
        # Too few rows or classes had a caution in the advice.
        warnings.simplefilter("ignore", ComparisonWarning)
        exec(advice.call, {**names, **rows, "np": np, "test": advice.test})
    result = advice.test.result_
    assert 0 < result.pvalue <= 1
    if advice.positive is None and not advice.block_length:
        assert check_choice(advice.test, *data, scoring=scoring, **rows).ok


# Units that are few in truth


def test_uneven_groups_count_by_their_effective_number():
    """A hundred groups of sizes as in Zipf's law count as sixteen."""
    rng = np.random.default_rng(0)
    sizes = np.ceil(400 / np.arange(1, 101)).astype(int)
    groups = np.repeat(np.arange(100), sizes)
    truth = rng.integers(2, size=len(groups))
    data = truth, *labels_of(rng, truth)
    advice = recommend_test(*data, scoring="f1", groups=groups)
    assert type(advice.test) is WildClusterBootstrap
    assert "effective number (Kish) is 17" in text_of(advice)
    result = advice.test.fit_predictions(*data, groups=groups).result_
    assert not result.caveats
    verdict = check_choice(PairedBootstrap(scoring="f1"), *data, groups=groups)
    assert "uneven groups" in verdict.problems[0]
    assert "WildClusterBootstrap is closer to the nominal level" in verdict.problems[0]
    wild = WildClusterBootstrap(scoring="f1")
    assert check_choice(wild, *data, groups=groups).ok
    even = np.arange(len(groups)) % 100
    advice = recommend_test(*data, scoring="f1", groups=even)
    assert type(advice.test) is PairedBootstrap


def test_uneven_groups_are_swapped_where_a_metric_does_not_add_up():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(100), np.ceil(400 / np.arange(1, 101)).astype(int))
    truth = rng.integers(2, size=len(groups))
    data = truth, *(truth + rng.normal(size=(2, len(truth))))
    advice = recommend_test(*data, scoring="average_precision", groups=groups)
    assert type(advice.test) is ApproxRandomization
    assert "it is valid for any sample size and any metric" in text_of(advice)
    assert not valid_tests(advice)["PairedBootstrap"]
    wild = WildClusterBootstrap(scoring="average_precision")
    verdict = check_choice(wild, *data, groups=groups)
    assert "needs a metric that adds up over rows" in verdict.problems[0]


@pytest.mark.parametrize(
    ("sigma", "test"), [(0.3, PairedBootstrap), (2.0, WildClusterBootstrap)]
)
def test_weights_lead_to_resampling_by_their_effective_number(sigma, test):
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=200)
    data = truth, *labels_of(rng, truth)
    weights = rng.lognormal(sigma=sigma, size=200)
    advice = recommend_test(*data, scoring="accuracy", sample_weight=weights)
    assert type(advice.test) is test
    assert advice.call.endswith("sample_weight=sample_weight)")
    advice.test.set_params(n_resamples=99)
    advice.test.fit_predictions(*data, sample_weight=weights)
    assert not valid_tests(advice)["McNemar"]
    verdict = check_choice(McNemar(), *data, sample_weight=weights)
    assert verdict.problems == ("McNemar ignores weights: all rows count equally.",)


def test_models_may_have_weights_too(classification):
    X, y, X_test, y_test = classification
    models = [model.fit(X, y) for model in (LogisticRegression(), GaussianNB())]
    weights = np.linspace(1, 2, len(y_test))
    advice = recommend_test_for_models(
        *models, X_test, y_test, scoring="accuracy", sample_weight=weights
    )
    assert advice.call == "test.fit(X, y, sample_weight=sample_weight)"
    assert type(advice.test) is PairedBootstrap


# Scores whose differences are odd


def heavy_tailed(seed=0, n_rows=200):
    """Return A with small errors and a few huge ones, B with errors of one size."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n_rows)
    a, b = rng.standard_t(2.2, size=n_rows), rng.normal(scale=2, size=n_rows)
    return truth, truth + a, truth + b


def test_tests_of_signs_and_ranks_are_not_for_skewed_losses():
    advice = recommend_test(*heavy_tailed(), scoring=MSE)
    assert type(advice.test) is PairedBootstrap
    valid = valid_tests(advice)
    assert not valid["WilcoxonSignedRank"]
    assert not valid["SignTest"]
    for test in (WilcoxonSignedRank, SignTest):
        verdict = check_choice(test(scoring=MSE), *heavy_tailed())
        assert "the model with the worse score" in verdict.problems[0]
        # Words that suit a test of another mean, such as a trimmed one, too.
        assert not {"signs", "ranks"} & set(verdict.problems[0].split())


@pytest.mark.parametrize("seed", range(5))
def test_tests_of_signs_and_ranks_are_for_symmetric_differences(seed):
    rng = np.random.default_rng(seed)
    differences = rng.laplace(0.2, size=200)
    truth, b = np.zeros(200), np.full(200, 30.0)
    data = truth, b - differences, b
    advice = recommend_test(*data, scoring="neg_mean_absolute_error")
    assert type(advice.test) is not WilcoxonSignedRank
    assert valid_tests(advice)["WilcoxonSignedRank"]


def test_few_rows_and_r2_lead_to_swaps():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=40)
    a, b = truth + rng.normal(scale=[[0.5], [0.8]], size=(2, 40))
    advice = recommend_test(truth, a, b, scoring="r2")
    assert type(advice.test) is ApproxRandomization
    assert "divides by the spread of the true values" in text_of(advice)
    why = {other.test: other for other in advice.alternatives}["PairedBootstrap"]
    assert why.valid
    assert "its p-value is too large" in why.why


@pytest.mark.parametrize(
    ("scoring", "test"), [("roc_auc", DeLong), ("average_precision", PairedBootstrap)]
)
def test_ranking_metrics_are_not_pooled_over_folds(classification, scoring, test):
    """Scores of different models put into one ranking are biased."""
    X, y, *_ = classification
    models = LogisticRegression(), GaussianNB()
    options = {"scoring": scoring, "cv": 5}
    advice = recommend_test_for_models(*models, X, y, **options)
    assert type(advice.test) is test
    assert "is computed in each of the 5 folds, and its mean is compared" in text_of(
        advice
    )
    assert "pooled" not in text_of(advice)
    if test is PairedBootstrap:
        advice.test.set_params(n_resamples=49, random_state=0)
    result = advice.test.fit(X, y).result_
    assert result.cv.endswith("fold-mean")
    with pytest.raises(ValueError, match="leave several rows out for ranking"):
        recommend_test_for_models(*models, X, y, scoring=scoring, cv=LeaveOneOut())


def unlike_rates(n_rows):
    """Return labels of a model that is sparing with a class, and of one that is not."""
    rng = np.random.default_rng(0)
    truth = (np.arange(n_rows) % 2).astype(int)
    few = np.where(truth == 1, rng.random(n_rows) < 0.25, 0).astype(int)
    return truth, few, np.where(rng.random(n_rows) < 0.9, 1, truth)


def test_swaps_are_studentized_for_f_at_very_unequal_rates():
    data = unlike_rates(300)
    advice = recommend_test(*data, scoring="f1")
    assert type(advice.test) is PairedBootstrap
    why = {other.test: other for other in advice.alternatives}["ApproxRandomization"]
    assert not why.valid
    assert "`statistic='studentized'` allows for it" in why.why
    assert not check_choice(ApproxRandomization(scoring="f1"), *data).ok
    studentized = ApproxRandomization(scoring="f1", statistic="studentized")
    assert check_choice(studentized, *data).ok
    groups = np.arange(300) // 15
    advice = recommend_test(*data, scoring="f1", groups=groups)
    assert type(advice.test) is ApproxRandomization
    assert advice.test.statistic == "studentized"
    advice = recommend_test(*data, scoring="recall_macro", groups=groups)
    assert advice.test.statistic == "auto"


def test_correlations_have_a_test_of_their_own():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=100)
    a, b = truth + rng.normal(size=(2, 100))
    advice = recommend_test(truth, a, b, scoring=pearson_scorer())
    assert type(advice.test) is CorrelationTest
    assert advice.test.fit_predictions(truth, a, b).result_.scoring == "pearson"
    tails = np.exp(truth), np.exp(a), np.exp(b)
    advice = recommend_test(*tails, scoring=pearson_scorer())
    assert type(advice.test) is PairedBootstrap
    assert not valid_tests(advice)["CorrelationTest"]
    with pytest.warns(ComparisonWarning, match="skewed or have heavy tails"):
        CorrelationTest().fit_predictions(*tails)
    advice = recommend_test(truth[:20], a[:20], b[:20], scoring=pearson_scorer())
    assert type(advice.test) is ApproxRandomization
    advice = recommend_test(truth, a, b, scoring=spearman_scorer())
    assert type(advice.test) is PairedBootstrap
    assert not valid_tests(advice)["CorrelationTest"]


def test_learning_on_little_data_is_offered_the_test_that_keeps_its_level(
    classification,
):
    X, y, *_ = classification
    models = KNeighborsClassifier(1), KNeighborsClassifier(5)
    advice = recommend_test_for_models(*models, X, y, scoring="accuracy", cv=5)
    (other,) = (
        other for other in advice.other_questions if type(other.test) is ConservativeZ
    )
    assert "nearest neighbors, only this test controlled the type I error" in other.why
    other.test.set_params(n_splits=3, n_repeats=2).fit(X, y)
    tiny = recommend_test_for_models(*models, X[:30], y[:30], cv=3)
    assert not any(type(o.test) is ConservativeZ for o in tiny.other_questions)


@pytest.mark.parametrize("scoring", ["f1_macro", "recall_macro", "balanced_accuracy"])
def test_rare_classes_are_a_caution_where_all_classes_count_alike(scoring):
    rng = np.random.default_rng(0)
    truth = np.repeat(["a", "b", "c", "d"], [150, 100, 9, 4])
    a, b = (
        np.where(rng.random(len(truth)) < s, truth, rng.choice(["a", "b"], len(truth)))
        for s in (0.8, 0.7)
    )
    advice = text_of(recommend_test(truth, a, b, scoring=scoring))
    assert "a class with only 4 rows" in advice
    assert "Merge rare classes" in advice
    assert "rows of a class" not in text_of(
        recommend_test(truth, a, b, scoring="f1_micro")
    )


# Rows that follow one another


def forecasts(correlation, n_rows=600):
    """Return a series and two forecasts whose errors remember those before them."""
    rng = np.random.default_rng(0)
    errors = np.zeros((2, n_rows))
    shocks = rng.normal(scale=[[1.0], [1.1]], size=(2, n_rows))
    for t in range(1, n_rows):
        errors[:, t] = correlation * errors[:, t - 1] + shocks[:, t]
    truth = np.cumsum(rng.normal(size=n_rows))
    return truth, truth + errors[0], truth + errors[1]


@pytest.mark.parametrize("scoring", [MSE, "r2", "neg_root_mean_squared_error"])
def test_forecasts_are_compared_in_blocks(scoring):
    data = forecasts(0.8)
    advice = recommend_test(*data, scoring=scoring)
    assert type(advice.test) in (PairedBootstrap, ApproxRandomization)
    assert "Rows depend on the rows before them" in text_of(advice)
    *_, code = advice.call.partition("groups=")
    groups = eval(code.removesuffix(")"), {"np": np})
    advice.test.set_params(n_resamples=99)
    result = advice.test.fit_predictions(*data, groups=groups).result_
    assert 20 < result.n_units < 100
    verdict = check_choice(PairedTTest(scoring=scoring), *data)
    assert "neighboring rows have a correlation of" in verdict.problems[0]
    verdict = check_choice(PairedBootstrap(scoring=scoring), *data)
    assert f"Pass `groups={code.removesuffix(')')}" in " ".join(verdict.problems)


def test_independent_errors_are_no_series():
    advice = recommend_test(*forecasts(0.0), scoring=MSE)
    assert "groups=" not in advice.call


def test_sorted_rows_are_no_series():
    """Errors that grow with the truth are alike in rows sorted by it."""
    rng = np.random.default_rng(0)
    truth = np.sort(rng.exponential(size=400))
    a, b = truth + truth * rng.normal(scale=[[1.0], [2.0]], size=(2, 400))
    advice = recommend_test(truth, a, b, scoring=MSE)
    assert "groups=" not in advice.call


# Recall


@pytest.fixture
def rare_positives():
    rng = np.random.default_rng(0)
    truth = (np.arange(300) % 10 == 0).astype(int)
    return truth, *labels_of(rng, truth, (0.9, 0.6))


def test_recall_is_accuracy_on_the_positives(rare_positives):
    truth, a, b = rare_positives
    advice = recommend_test(*rare_positives, scoring="recall")
    assert type(advice.test) is McNemar
    assert advice.positive == 1
    names = {"y_true": truth, "y_pred_a": a, "y_pred_b": b, "test": advice.test}
    exec(advice.call, names)
    result = advice.test.result_
    recalls = [(p[truth == 1] == 1).mean() for p in (a, b)]
    assert [result.score_a, result.score_b] == pytest.approx(recalls)
    assert not check_choice(McNemar(), *rare_positives, scoring="recall").ok


def test_recall_of_a_single_row_is_not_restricted_to_it():
    truth = np.array([1] + [0] * 39)
    a, b = truth.copy(), np.zeros(40, dtype=int)
    advice = recommend_test(truth, a, b, scoring="recall")
    assert advice.positive is None
    assert "recall depends on a class with only 1 row" in " ".join(advice.warnings)


def test_recall_of_groups_is_resampled(rare_positives):
    groups = np.arange(300) // 3
    advice = recommend_test(*rare_positives, scoring="recall", groups=groups)
    assert type(advice.test) is PairedBootstrap
    assert advice.positive is None


def test_the_command_line_takes_the_positives_too(rare_positives, tmp_path, capsys):
    path = tmp_path / "preds.csv"
    rows = np.column_stack(rare_positives)
    np.savetxt(path, rows, fmt="%d", delimiter=",", header="y,a,b", comments="")
    columns = [str(path), "--truth", "y", "--a", "a", "--b", "b", "--scoring", "recall"]
    assert main(["advise", *columns]) == 0
    printed = capsys.readouterr().out
    assert "Use --test mcnemar, on the rows of 1. Run it with" in printed
    typed = "--scoring recall --test mcnemar"
    assert typed in printed
    for test in ("mcnemar", "auto"):
        assert main(["compare", *columns, "--test", test]) == 0
        assert "30 rows" in " ".join(capsys.readouterr().out.split())


def test_the_command_line_takes_forecasts_in_blocks(tmp_path, capsys):
    path = tmp_path / "preds.csv"
    rows = np.column_stack(forecasts(0.8))
    np.savetxt(path, rows, delimiter=",", header="y,a,b", comments="")
    columns = [str(path), "--truth", "y", "--a", "a", "--b", "b", "--scoring", MSE]
    assert main(["advise", *columns]) == 0
    typed = re.search("--test bootstrap --block-length [0-9]+", capsys.readouterr().out)
    for options in (typed[0].split(), ["--test", "auto"]):
        assert main(["compare", *columns, *options, "--n-resamples", "99"]) == 0
        assert "groups:36" in capsys.readouterr().out
    groups = ["--block-length", "5", "--groups", "y"]
    assert main(["compare", *columns, *groups]) == 2
    assert "--block-length makes groups" in capsys.readouterr().err


def test_the_command_line_takes_the_exact_variant(tmp_path, capsys):
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=100)
    path = tmp_path / "preds.csv"
    rows = np.column_stack([truth, *labels_of(rng, truth, (0.6, 0.3))])
    np.savetxt(path, rows, fmt="%d", delimiter=",", header="y,a,b", comments="")
    columns = [str(path), "--truth", "y", "--a", "a", "--b", "b"]
    assert main(["advise", *columns]) == 0
    assert "Use --test mcnemar --variant exact." in capsys.readouterr().out
    assert main(["compare", *columns, "--test", "mcnemar", "--variant", "exact"]) == 0
    assert "exact" in capsys.readouterr().out


def test_the_command_line_has_options_for_all_advice(tmp_path, capsys):
    """What `skcompare advise` prints can be typed."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(100), np.ceil(400 / np.arange(1, 101)).astype(int))
    truth = rng.integers(2, size=len(groups))
    path = tmp_path / "preds.csv"
    rows = np.column_stack([truth, *labels_of(rng, truth), groups])
    np.savetxt(path, rows, fmt="%d", delimiter=",", header="y,a,b,doc", comments="")
    columns = [str(path), "--truth", "y", "--a", "a", "--b", "b", "--groups", "doc"]
    assert main(["advise", *columns, "--scoring", "f1"]) == 0
    typed = "--test wild"
    assert f"Use {typed}. Run it with" in " ".join(capsys.readouterr().out.split())
    assert main(["compare", *columns, "--scoring", "f1", *typed.split()]) == 0
    assert "WildClusterBootstrap" in capsys.readouterr().out
    typed = ["--test", "randomization", "--statistic", "studentized"]
    assert main(["compare", *columns, "--scoring", "f1", *typed]) == 0
    margin = ["--margin", "0.1", "--method", "studentized"]
    assert main(["gate", *columns, "--scoring", "f1", *margin]) == 2
    assert "--method shift or --method percentile" in capsys.readouterr().err


def test_the_command_line_compares_correlations(tmp_path, capsys):
    rng = np.random.default_rng(0)
    truth = rng.normal(size=100)
    path = tmp_path / "preds.csv"
    rows = np.column_stack([truth, *(truth + rng.normal(size=(2, 100)))])
    np.savetxt(path, rows, delimiter=",", header="y,a,b", comments="")
    columns = [str(path), "--truth", "y", "--a", "a", "--b", "b"]
    assert main(["advise", *columns, "--scoring", "pearson"]) == 0
    typed = "--test correlation"
    assert f"Use {typed}. Run it with" in " ".join(capsys.readouterr().out.split())
    typed += " --statistic spearman"
    assert main(["compare", *columns, *typed.split()]) == 0
    by_statistic = capsys.readouterr().out
    by_scoring = ["--test", "correlation", "--scoring", "spearman"]
    assert main(["compare", *columns, *by_scoring]) == 0
    assert capsys.readouterr().out == by_statistic
    by_scoring[-1] = "r2"
    assert main(["compare", *columns, *by_scoring]) == 2
    assert "compares pearson or spearman" in capsys.readouterr().err


# Several metrics


def test_several_metrics_are_offered_a_correction(rare_positives):
    with pytest.raises(
        ValueError, match="metric with `n_comparisons=2`, which corrects"
    ):
        recommend_test(*rare_positives, scoring=["f1", "accuracy"])
    test = PairedBootstrap(scoring=["f1", "accuracy"])
    verdict = check_choice(test, *rare_positives, scoring="f1")
    assert "set `alpha=0.025`, that is 0.05 / 2" in verdict.problems[0]
    assert "adjust_pvalues" in verdict.problems[0]


# A class of few rows, or of few groups


@pytest.fixture
def few_predicted():
    """Return labels of which B calls three positive: the level of precision is .19."""
    rng = np.random.default_rng(3)
    truth = np.repeat([1, 0], 30)
    return truth, *((rng.random(60) < p).astype(int) for p in (0.9, 0.08))


@pytest.mark.parametrize(
    "test", [ApproxRandomization, PairedBootstrap, WildClusterBootstrap]
)
def test_few_predicted_positives_are_warned_of_as_by_the_test(few_predicted, test):
    test = test(scoring="precision", random_state=0)
    verdict = check_choice(test, *few_predicted)
    (warning,) = verdict.warnings
    assert warning.startswith("precision depends on a class with only 3 rows")
    assert "skcompare.stats.precision_test does" in warning
    assert "No problem" not in str(verdict)
    assert " ".join(warning.split()) in " ".join(str(verdict).split())
    assert warning in test.fit_predictions(*few_predicted).result_.caveats


def test_few_predicted_positives_are_warned_of_once(few_predicted):
    advice = recommend_test(*few_predicted, scoring="precision")
    assert sum("depends on a class with only 3 rows" in w for w in advice.warnings) == 1


def test_swaps_of_differences_are_exact_for_exchangeable_predictions(few_predicted):
    test = ApproxRandomization(scoring="precision", statistic="difference")
    (warning,) = check_choice(test, *few_predicted).warnings
    assert "It rejects too often for models of equal precision" in warning
    test = ApproxRandomization(scoring="recall", statistic="difference")
    assert not check_choice(test, *few_predicted).warnings


@pytest.fixture
def few_groups_of_class():
    """Return labels in 44 groups of ten rows, of which four hold positives."""
    rng = np.random.default_rng(0)
    groups = np.arange(440) // 10
    truth = ((groups < 4) & (rng.random(440) < 0.6)).astype(int)
    return (truth, *labels_of(rng, truth, (0.9, 0.8))), groups


@pytest.mark.parametrize(
    "scoring",
    ["recall", "f1", "precision", "balanced_accuracy", "matthews_corrcoef", "roc_auc"],
)
def test_groups_count_if_they_hold_the_class(few_groups_of_class, scoring):
    data, groups = few_groups_of_class
    if scoring == "roc_auc":
        data = data[0], *(p + np.linspace(0, 0.5, 440) for p in data[1:])
    advice = recommend_test(*data, scoring=scoring, groups=groups)
    assert type(advice.test) is ApproxRandomization
    words = f"a class that {scoring} depends on occurs in 4 of them"
    assert words in text_of(advice)
    assert not valid_tests(advice)["PairedBootstrap"]
    verdict = check_choice(PairedBootstrap(scoring=scoring), *data, groups=groups)
    assert "it depends on occurs in only 4 of 44 groups" in verdict.problems[0]


def test_groups_need_not_hold_a_class_that_does_not_count(few_groups_of_class):
    data, groups = few_groups_of_class
    negatives = [1 - predicted for predicted in data]
    advice = recommend_test(*negatives, scoring="recall", groups=groups)
    assert type(advice.test) is PairedBootstrap
    advice = recommend_test(*data, scoring="accuracy", groups=groups)
    assert type(advice.test) is PairedBootstrap


def test_four_groups_of_positives_cannot_show_a_difference_in_recall(
    few_groups_of_class,
):
    data, groups = few_groups_of_class
    advice = recommend_test(*data, scoring="recall", groups=groups)
    assert "significance at the level 0.05 is impossible" in text_of(advice)
    assert advice.test.fit_predictions(*data, groups=groups).pvalue_ >= 1 / 16


def test_groups_of_one_row_are_no_groups():
    data = labels(200)
    rows = np.random.default_rng(0).permutation(200)
    advice = recommend_test(*data, scoring="accuracy", groups=rows)
    assert type(advice.test) is McNemar
    assert advice.call == "test.fit_predictions(y_true, y_pred_a, y_pred_b)"
    assert "too small" not in text_of(advice)
    assert check_choice(McNemar(), *data, groups=rows).ok


def test_splitters_of_groups_get_them_even_if_they_are_rows(classification):
    X, y, _, _ = classification
    models = GaussianNB(), LogisticRegression()
    cv, rows = GroupKFold(n_splits=3), np.arange(len(y))[::-1]
    advice = recommend_test_for_models(*models, X, y, cv=cv, groups=rows)
    assert advice.call == "test.fit(X, y, groups=groups)"
    advice.test.fit(X, y, groups=rows)


@pytest.mark.parametrize("test", [ApproxRandomization, WildClusterBootstrap])
@pytest.mark.parametrize(
    ("alternative", "smallest"), [("greater", 0.0625), ("two-sided", 0.125)]
)
def test_four_groups_cannot_be_significant(test, alternative, smallest):
    data = labels(200, shares=(0.99, 0.3))
    groups = np.arange(200) // 50
    test = test(scoring="accuracy", alternative=alternative)
    verdict = check_choice(test, *data, groups=groups)
    (warning,) = verdict.warnings
    assert f"the p-value would be {smallest:.3g}" in warning
    with warnings.catch_warnings(action="ignore", category=ComparisonWarning):
        assert test.fit_predictions(*data, groups=groups).pvalue_ == smallest


def test_ranks_of_decision_values_can_be_swapped():
    truth, a, b = scores(60, 30)
    data = truth, {"decision_function": a}, {"decision_function": 10 * b}
    groups = np.arange(60) // 5
    advice = recommend_test(*data, scoring="roc_auc", groups=groups)
    assert type(advice.test) is ApproxRandomization
    assert "scale" not in text_of(advice)
    as_they_are = ApproxRandomization(scoring="roc_auc", swap="scores")
    verdict = check_choice(as_they_are, *data, groups=groups)
    assert any("must be on the same scale" in w for w in verdict.warnings)


def test_signs_are_timed_too():
    data, groups = labels(2_000), zipf(2_000)
    advice = recommend_test(*data, scoring="f1", groups=groups)
    assert type(advice.test) is WildClusterBootstrap
    assert "9,999 resamples take" in text_of(advice)
