"""Results: sentence, plots and export."""

import contextlib
import dataclasses
import html
import json
import re
import sys
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedKFold

import skcompare
from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CorrectedTTest,
    CorrelationTest,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    RankComparison,
    SignTest,
    WildClusterBootstrap,
)
from skcompare.exceptions import (
    DegenerateDataWarning,
    DependentFoldsWarning,
    PooledScoreWarning,
    UndefinedScoreWarning,
)
from skcompare.results import (
    DeltaDisplay,
    notebook_html,
)
from tests.texts import unbroken

plt.switch_backend("Agg")


@pytest.fixture(scope="module")
def results(labels):
    """A result of each test, by the name of the test."""
    tests = (
        PairedBootstrap(scoring="f1", n_resamples=199, random_state=7),
        ApproxRandomization(
            scoring="f1", n_resamples=199, random_state=7, method="monte-carlo"
        ),
    )
    return {
        type(test).__name__: test.fit_predictions(*labels).result_ for test in tests
    }


each_kind = pytest.mark.parametrize("kind", ["PairedBootstrap", "ApproxRandomization"])


@each_kind
def test_printing_gives_a_sentence_and_a_table(kind, results):
    result = results[kind]
    sentence, table = str(result).split("\n\n", 1)
    sentence, table = " ".join(sentence.split()), table.splitlines()
    assert sentence == result.sentence()
    assert table[0].split() == ["quantity", "value", "interval", "or", "precision"]
    for number in (result.score_a, result.score_b, result.delta, result.pvalue):
        assert f"{abs(number):.4f}" in sentence
        assert any(f"{abs(number):.4f}" in line for line in table)
    assert f"{kind}, alternative 'greater', 199 resamples of 60 rows" in sentence
    assert str(result) == result.summary()
    assert unbroken(str(result)).endswith(f"\n  {result.signature}")
    assert f"H0: {result.hypothesis} Estimand: {result.estimand}" in " ".join(
        str(result).split()
    )


def test_the_sentence_gives_interval_and_level(results):
    low, high = results["PairedBootstrap"].confidence_interval
    sentence = results["PairedBootstrap"].sentence()
    assert f"95 % interval [{low:.4f}, {high:.4f}]" in sentence
    assert "interval" not in results["ApproxRandomization"].sentence()


@pytest.mark.parametrize(
    ("alternative", "significant_text", "insignificant_text"),
    [
        ("greater", "A is significantly better", "A is not significantly better"),
        ("less", "B is significantly better", "B is not significantly better"),
        (
            "two-sided",
            "A and B differ significantly",
            "are not significantly different",
        ),
    ],
)
@pytest.mark.parametrize("significant", [True, False])
def test_the_verdict_follows_alternative_and_level(
    alternative, significant_text, insignificant_text, significant, results
):
    result = dataclasses.replace(
        results["PairedBootstrap"],
        alternative=alternative,
        pvalue=0.01 if significant else 0.5,
    )
    assert result.significant is significant
    assert (significant_text if significant else insignificant_text) in result.verdict()
    assert result.verdict().endswith(" at the level 0.05.")
    assert result.verdict() in result.sentence()


def test_a_one_sided_pvalue_beside_a_two_sided_interval_is_noted(results):
    sentence = results["PairedBootstrap"].sentence()
    assert "two-sided 95 % interval [" in sentence
    assert "one-sided p = " in sentence
    both = dataclasses.replace(results["PairedBootstrap"], alternative="two-sided")
    assert ", 95 % interval [" in both.sentence()
    assert ", p = " in both.sentence()


@pytest.fixture(scope="module")
def far_apart():
    """Truth, predictions that are right in 70 % of the rows, and in 85 %."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=500)
    predictions = [np.where(rng.random(500) < p, truth, 1 - truth) for p in (0.7, 0.85)]
    return truth, *predictions


EITHER = "the alternative 'two-sided' tests for a difference in either direction."


@pytest.mark.parametrize(
    "test",
    [
        PairedBootstrap(n_resamples=999, random_state=0),
        ApproxRandomization(n_resamples=999, random_state=0, method="monte-carlo"),
        PairedTTest(),
    ],
    ids=lambda test: type(test).__name__,
)
@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_the_sentence_names_the_other_model_if_it_scores_higher(
    test, alternative, far_apart
):
    """Testing the wrong side does not read as if there were nothing to see."""
    truth, worse, better = far_apart
    models = (worse, better) if alternative == "greater" else (better, worse)
    opposite = {"greater": "less", "less": "greater"}[alternative]
    test = clone(test).set_params(alternative=alternative)
    sentence = test.fit_predictions(truth, *models).result_.sentence()
    higher = {"greater": "B", "less": "A"}[alternative]
    assert "p = 1.0000" in sentence
    other = test.set_params(alternative=opposite).fit_predictions(truth, *models)
    number = other.result_.row()["p-value"]
    number = number if number.startswith("<=") else f"= {number}"
    words = (
        f"{higher} scores higher: the alternative {opposite!r} would give p {number}"
    )
    assert sentence.endswith(f"{words}, and {EITHER}")
    assert "scores higher" not in other.result_.sentence()


@pytest.mark.parametrize("n_discordant", [5, 6])
def test_the_other_side_of_all_labelings_is_exact(n_discordant):
    truth = np.ones(60, dtype=int)
    a = np.where(np.arange(60) < n_discordant, 0, 1)
    result = ApproxRandomization().fit_predictions(truth, a, truth).result_
    assert result.n_resamples == 2**n_discordant
    number = f"{0.5**n_discordant:.4f}"
    assert f"'less' would give p = {number}, and" in result.sentence()


def test_without_the_sample_itself_the_other_side_is_a_share(far_apart):
    test = PairedBootstrap(n_resamples=99, random_state=0, add_one=False)
    sentence = test.fit_predictions(*far_apart).result_.sentence()
    assert "'less' would give p = 0, and" in sentence


def test_the_other_side_has_no_pvalue_without_one(far_apart):
    sentence = SignTest().fit_predictions(*far_apart).result_.sentence()
    assert sentence.endswith(f"B scores higher: {EITHER}")


def test_a_normal_statistic_gives_the_pvalue_of_the_other_side():
    truth, *noise = np.random.default_rng(0).normal(size=(3, 100))
    data = truth, truth + 3 * noise[0], truth + noise[1]
    test = CorrelationTest(variant="steiger")
    result = test.fit_predictions(*data).result_
    other = test.set_params(alternative="less").fit_predictions(*data).result_
    words = f"'less' would give p = {other.row()['p-value']}, and {EITHER}"
    assert result.sentence().endswith(words)


def test_folds_that_do_not_vary_do_not_show_the_other_side():
    with pytest.warns(DegenerateDataWarning, match="do not vary from fold"):
        test = CorrectedTTest().fit_scores([0.5] * 10, [0.7] * 10, test_train_ratio=0.1)
    result = test.result_
    assert np.isneginf(result.statistic)
    assert "would give" not in result.sentence()  # it would give 1/2


def test_a_model_that_may_be_as_good_is_not_called_worse(far_apart):
    truth, a, _ = far_apart
    b = np.where(np.arange(500) == np.flatnonzero(a != truth)[0], truth, a)
    result = PairedTTest().fit_predictions(truth, a, b).result_
    assert result.delta < 0
    assert "scores higher" not in result.sentence()


def test_the_smallest_pvalue_of_resamples_is_a_bound(far_apart):
    truth, worse, better = far_apart
    test = PairedBootstrap(n_resamples=999, random_state=0)
    result = test.fit_predictions(truth, better, worse).result_
    assert result.pvalue == 0.001
    assert "one-sided p <= 0.0010 (PairedBootstrap" in result.sentence()
    assert result.row()["p-value"] == "<= 0.0010"
    exact = McNemar().fit_predictions(truth, better, worse).result_
    assert "<=" not in exact.sentence()


def test_groups_are_mentioned(labels):
    test = PairedBootstrap(scoring="f1", n_resamples=19)
    result = test.fit_predictions(*labels, groups=np.arange(60) // 2).result_
    assert "60 rows in 30 groups" in result.sentence()
    assert "groups:30" in result.signature


SIZES = {
    "groups": ({"groups": np.arange(60) // 2}, "60 rows in 30 groups", "groups:30"),
    "strata": ({"strata": np.arange(60) % 3}, "60 rows, 3 strata", "strata:3"),
    "weights": ({"sample_weight": np.ones(60)}, "60 weighted rows", "weighted:True"),
    "all": (
        {
            "groups": np.arange(60) // 2,
            "strata": np.arange(60) // 20,
            "sample_weight": np.ones(60),
        },
        "60 weighted rows in 30 groups, 3 strata",
        "groups:30|strata:3|weighted:True",
    ),
}


@pytest.mark.parametrize(("rows", "size", "entries"), SIZES.values(), ids=SIZES)
@pytest.mark.parametrize(
    "test",
    [
        PairedBootstrap(n_resamples=19, random_state=0),
        ApproxRandomization(n_resamples=19, statistic="studentized", random_state=0),
        BayesianComparison(n_draws=29, random_state=0),
    ],
    ids=lambda test: type(test).__name__,
)
def test_weights_groups_and_strata_are_mentioned(test, rows, size, entries, labels):
    y, *predictions = labels
    tests = {
        test: predictions,
        PairwiseComparison(test=PairedBootstrap(n_resamples=19), random_state=0): [
            dict(zip("ab", predictions, strict=True))
        ],
    }
    for fitted, predicted in tests.items():
        result = fitted.fit_predictions(y, *predicted, **rows).result_
        assert f" {size}" in result.sentence()
        assert f"|{entries}|" in result.signature
        exported = json.loads(json.dumps(result.to_dict()))
        assert exported["n_rows"] == 60
        assert exported["n_units"] == (30 if "groups" in rows else 60)
        assert exported["n_strata"] == (3 if "strata" in rows else 1)
        assert exported["weighted"] == ("sample_weight" in rows)
        plain = fitted.fit_predictions(y, *predicted).result_
        assert " 60 rows" in plain.sentence()
        assert not {"groups", "strata", "weighted"} & {
            entry.partition(":")[0] for entry in plain.signature.split("|")
        }


@pytest.mark.parametrize("statistic", ["auto", "difference"])
@pytest.mark.parametrize("method", ["exact", "monte-carlo"])
def test_strata_are_not_mentioned_where_they_have_no_effect(statistic, method, labels):
    y, *predictions = labels
    test = ApproxRandomization(
        n_resamples=19, statistic=statistic, method=method, random_state=0
    )
    pairs = PairwiseComparison(test=clone(test), random_state=0)
    for fitted, predicted in (
        (test, predictions),
        (pairs, [dict(zip("ab", predictions, strict=True))]),
    ):
        result = fitted.fit_predictions(y, *predicted, strata=np.arange(60) % 3).result_
        assert "strata" not in result.sentence()
        assert "strata" not in result.signature
        assert result.to_dict()["n_strata"] == 1


def test_weights_of_a_wild_bootstrap_are_mentioned(labels):
    rows = {"groups": np.arange(60) // 2, "sample_weight": np.ones(60)}
    result = WildClusterBootstrap().fit_predictions(*labels, **rows).result_
    assert "60 weighted rows in 30 groups)" in result.sentence()
    assert "|groups:30|weighted:True|" in result.signature


def test_slices_mention_their_own_strata(labels):
    test = PairedBootstrap(n_resamples=19, random_state=0)
    test.fit_predictions(*labels, strata=np.arange(60) // 20)
    problem = test.problem_.at(np.arange(35))
    (result,) = test.compare(problem).results.values()
    assert "35 rows, 2 strata" in result.sentence()


@pytest.mark.parametrize("aggregate", ["pooled", "fold-mean"])
def test_folds_are_no_strata_of_the_user(aggregate):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), np.arange(80) % 2
    test = PairedBootstrap(
        *(LogisticRegression(C=c) for c in (1.0, 0.001)),
        **{"cv": 4, "aggregate": aggregate, "n_resamples": 19, "random_state": 0},
    )
    assert test.fit(X + y[:, None], y).result_.n_strata == 1
    assert test.fit(X + y[:, None], y, strata=y).result_.n_strata == 2


REPEATED = RepeatedKFold(n_splits=4, n_repeats=3, random_state=0)


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize(
    "test",
    [
        PairedBootstrap(n_resamples=19, random_state=0),
        ApproxRandomization(n_resamples=19, random_state=0),
        BayesianComparison(n_draws=29, random_state=0),
        PairwiseComparison(test=PairedBootstrap(n_resamples=19), random_state=0),
    ],
    ids=lambda test: type(test).__name__,
)
def test_rows_that_are_tested_several_times_are_no_groups(test, grouped):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), np.arange(80) % 2
    models = LogisticRegression(), LogisticRegression(C=0.001)
    test = clone(test).set_params(cv=list(REPEATED.split(X)))
    if isinstance(test, PairwiseComparison):
        test.set_params(estimators=list(zip("ab", models, strict=True)))
    else:
        test.set_params(estimator_a=models[0], estimator_b=models[1])
    # Splits keep no groups together.
    quiet = pytest.warns(DependentFoldsWarning) if grouped else contextlib.nullcontext()
    with quiet:
        test.fit(X + y[:, None], y, groups=np.arange(80) // 2 if grouped else None)
    result = test.result_
    size = "240 predictions of 80 rows" + " in 40 groups" * grouped
    assert f" {size}" in result.sentence()
    assert "1 groups" not in result.sentence()
    assert ("groups" in result.sentence()) == grouped
    assert "|n:240|rows:80|" in result.signature
    assert ("|groups:40|" in result.signature) == grouped
    assert "groups:80" not in result.signature
    assert (result.n_rows, result.n_distinct) == (240, 80)
    if not grouped:
        assert "group" not in str(result)


def test_slices_of_repeated_cross_validation_count_distinct_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), np.arange(80) % 2
    models = LogisticRegression(), LogisticRegression(C=0.001)
    test = PairedBootstrap(*models, cv=REPEATED, n_resamples=19, random_state=0)
    problem = test.fit(X + y[:, None], y).problem_
    rows = np.flatnonzero(problem.indices < 40)
    (result,) = test.compare(problem.at(rows)).results.values()
    assert "120 predictions of 40 rows" in result.sentence()


@pytest.mark.parametrize("cv", ["prefit", 4])
@pytest.mark.parametrize("scoring", ["accuracy", ["accuracy", "f1"]])
def test_results_of_pairs_state_hypothesis_and_estimand(cv, scoring):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), np.arange(80) % 2
    models = LogisticRegression().fit(X, y), LogisticRegression(C=0.001).fit(X, y)
    test = PairedBootstrap(n_resamples=19, scoring=scoring)
    pairs = PairwiseComparison(
        list(zip("ab", models, strict=True)), test=test, cv=cv, random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PooledScoreWarning)
        results = pairs.fit(X + y[:, None], y).results_
    for result in results.values():
        (pair,) = result.results
        stated = [f"H0 of each pair: {pair.hypothesis}"]
        stated.append(f"Estimand of each pair: {pair.estimand}")
        texts = {
            "print": " ".join(str(result).split()),
            "html": result._repr_html_(),
            **{
                format: " ".join(skcompare.report(result, format=format).split())
                for format in ("text", "markdown", "html", "latex")
            },
        }
        for text in texts.values():
            assert "What was tested, and how" in text
            assert all(html.escape(one)[:40] in text for one in stated)
        exported = json.loads(json.dumps(result.to_dict()))
        assert exported["hypothesis"] == pair.hypothesis
        assert exported["estimand"] == pair.estimand
        assert exported["metrics"] == list(results)
        assert ("metrics:accuracy+f1" in result.signature) == (len(results) > 1)


def test_ranks_state_hypothesis_and_estimand():
    scores = np.random.default_rng(0).random((6, 3))
    notes = RankComparison().fit_scores(scores).result_.notes()
    assert notes[0] == "H0 of each pair: both models have the same expected rank"
    assert notes[1].startswith("Estimand of each pair: the difference in expected rank")


@each_kind
def test_the_signature_has_the_settings_of_the_numbers(kind, results):
    result = results[kind]
    parts = dict(part.split(":", 1) for part in result.signature.split("|"))
    assert parts == {
        "skcompare": skcompare.__version__,
        "test": kind,
        "scoring": "f1",
        "n": "60",
        "seed": "7",
        **({"computed": "shift"} if kind == "PairedBootstrap" else {}),
        "cv": "predictions",
        "engine": result.engine,
        **{name: str(value) for name, value in result.settings.items()},
    }
    assert parts["n_resamples"] == "199"


@each_kind
def test_a_short_repr_leaves_out_the_details(kind, results):
    text = repr(results[kind])
    assert text.startswith("ComparisonResult(test=")
    assert "pvalue=" in text
    assert "distribution" not in text


@each_kind
@pytest.mark.parametrize("arrays", [False, True])
def test_a_dict_survives_json(kind, arrays, results):
    result = results[kind]
    exported = result.to_dict(arrays=arrays)
    assert json.loads(json.dumps(exported, allow_nan=False)) == exported
    assert exported["pvalue"] == result.pvalue
    assert exported["signature"] == result.signature
    assert exported["significant"] is result.significant
    if kind == "PairedBootstrap":
        assert exported["confidence_interval"] == {
            "low": result.confidence_interval.low,
            "high": result.confidence_interval.high,
        }
    assert ("distribution" in exported) == arrays
    if arrays:
        assert exported["distribution"] == result.distribution.tolist()


def test_undefined_resamples_are_none_in_json():
    truth = (np.arange(40) % 20 == 0).astype(int)
    a, b = np.random.default_rng(0).random((2, 40))
    test = PairedBootstrap(scoring="roc_auc", n_resamples=50, random_state=0)
    with pytest.warns(UndefinedScoreWarning):
        result = test.fit_predictions(truth, a, b).result_
    exported = json.loads(json.dumps(result.to_dict(arrays=True)))
    assert exported["distribution"].count(None) == result.n_undefined > 0
    assert f"{result.n_undefined}  resamples" in result.summary()


@each_kind
def test_classes_among_settings_are_exported_by_name(kind, results):
    for module in (dict, dataclasses.make_dataclass("Network", ["width"])):
        result = dataclasses.replace(results[kind], settings={"module": module})
        assert result.to_dict()["settings"] == {"module": str(module)}


@pytest.mark.parametrize("number", [np.float64, np.float32])
def test_levels_may_be_numpy_numbers(number, labels):
    test = PairedBootstrap(
        scoring="f1",
        n_resamples=np.int64(19),
        alpha=number(0.25),
        confidence_level=number(0.75),
    )
    exported = test.fit_predictions(*labels).result_.to_dict()
    assert json.loads(json.dumps(exported)) == exported


@each_kind
def test_numbers_are_plain_python(kind, results):
    result = results[kind]
    for name in ("score_a", "score_b", "delta", "pvalue", "pvalue_error", "center"):
        assert type(getattr(result, name)) is float
    for name in ("n_exceeding", "n_resamples", "n_undefined", "n_rows", "n_units"):
        assert type(getattr(result, name)) is int


@each_kind
def test_a_frame_has_a_row_for_the_metric(kind, results):
    result, frame = results[kind], results[kind].to_frame()
    assert frame.index.tolist() == ["f1"]
    row = frame.loc["f1"]
    assert row["delta"] == result.delta
    assert row["pvalue"] == result.pvalue
    if kind == "PairedBootstrap":
        assert (row["low"], row["high"]) == result.confidence_interval
    else:
        assert np.isnan(row["low"])


def test_small_and_large_numbers_are_readable(results):
    result = dataclasses.replace(
        results["PairedBootstrap"], score_a=1.25e-7, score_b=-3.5e9, pvalue=2e-5
    )
    assert "1.25e-07" in result.sentence()
    assert "-3.5e+09" in result.sentence()
    assert "p = 2e-05" in result.sentence()


@pytest.fixture
def axes():
    """Axes of a plain figure, closed afterwards."""
    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


@each_kind
@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_a_plot_shades_the_resamples_that_the_pvalue_counts(kind, alternative, labels):
    test = {"PairedBootstrap": PairedBootstrap}.get(kind, ApproxRandomization)(
        scoring="accuracy", n_resamples=199, alternative=alternative, random_state=0
    )
    if kind == "ApproxRandomization":
        test.set_params(method="monte-carlo")
    result = test.fit_predictions(*labels).result_
    display = result.plot()
    display.figure_.canvas.draw()
    assert isinstance(display, DeltaDisplay)
    assert display.exceeding.sum() == result.n_exceeding
    assert display.line_.get_xdata()[0] == result.delta
    assert (display.interval_ is None) == (kind == "ApproxRandomization")
    assert "accuracy" in display.ax_.get_xlabel()
    assert len(display.frame()) == 199
    plt.close(display.figure_)


def test_a_plot_goes_into_the_axes_that_are_passed(axes, results):
    display = results["PairedBootstrap"].plot(ax=axes, line_kwargs={"color": "red"})
    assert display.ax_ is axes
    assert display.line_.get_color() == "red"
    axes.figure.canvas.draw()


def test_a_plot_of_nothing_but_zeros_can_be_drawn(axes, labels):
    test = PairedBootstrap(n_resamples=19)
    with pytest.warns(DegenerateDataWarning):
        result = test.fit_predictions(labels[0], labels[1], labels[1]).result_
    result.plot(ax=axes)
    axes.figure.canvas.draw()


@pytest.mark.parametrize(
    ("module", "method"), [("matplotlib.pyplot", "plot"), ("pandas", "to_frame")]
)
def test_missing_packages_are_named_as_pip_finds_them(module, method, monkeypatch):
    test = PairedBootstrap(scoring="accuracy", n_resamples=9, random_state=0)
    result = test.fit_predictions(np.arange(40) % 2, np.ones(40), np.zeros(40)).result_
    monkeypatch.setitem(sys.modules, module, None)
    package = module.split(".")[0]
    with pytest.raises(ImportError, match=f"needs {package}.*pip install {package}"):
        getattr(result, method)()


def test_the_signature_names_all_metrics_of_a_run(labels):
    """Cells are those of all metrics, so other metrics make other draws."""
    test = PairedBootstrap(scoring=["accuracy", "f1"], n_resamples=20, random_state=0)
    results = test.fit_predictions(*labels).results_
    for result in results.values():
        assert "|metrics:accuracy+f1|" in result.signature
    alone = PairedBootstrap(scoring="accuracy", n_resamples=20, random_state=0)
    assert "metrics" not in alone.fit_predictions(*labels).result_.signature


def test_a_plot_of_resamples_names_the_models_and_gives_the_verdict(far_apart):
    truth, worse, better = far_apart
    test = PairedBootstrap(n_resamples=99, random_state=0, alternative="two-sided")
    test.fit_predictions(truth, better, worse, names=("new", "old"))
    display = test.result_.plot()
    ax = display.ax_
    assert ax.get_title() == "A and B differ significantly at the level 0.05"
    sides = sorted((text.get_position()[0], text.get_text()) for text in ax.texts)
    assert [side for side, _ in sides] == [0, 1]
    assert "B (old) better" in sides[0][1]
    assert "A (new) better" in sides[1][1]
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert len(legend) == 3
    assert legend[0] == "resampled differences"
    plt.close(display.figure_)


def test_several_metrics_share_a_table_in_a_notebook(labels):
    test = PairedBootstrap(scoring=["accuracy", "f1"], n_resamples=19, random_state=0)
    results = test.fit_predictions(*labels).results_
    page = notebook_html(results.values())
    assert page.count("<table>") == 1
    assert page.count("<svg") == 2
    assert page.count('class="skcompare"') == page.count("<style>") == 1
    for metric, result in results.items():
        assert f"<p>{metric}: {result.verdict()}</p>" in page
        for cell in result.row().values():
            assert f">{html.escape(cell)}</td>" in page
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))


def test_a_notebook_shows_results_without_matplotlib(monkeypatch, results):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    page = results["PairedBootstrap"]._repr_html_()
    assert "<svg" not in page
    assert "<table>" in page


def test_the_style_of_a_notebook_is_for_results_alone(results):
    page = results["PairedBootstrap"]._repr_html_()
    styles = re.findall(r"<style[^>]*>(.*?)</style>", page, flags=re.S)
    assert len(styles) == 1  # plots bring none
    for selectors in re.findall(r"([^{}]+)\{[^{}]*\}", styles[0]):
        for selector in selectors.split(","):
            assert ".skcompare" in selector


def is_result(kind):
    return isinstance(kind, type) and issubclass(kind, skcompare.results.Result)


RESULTS = {kind for kind in vars(skcompare.results).values() if is_result(kind)}


@pytest.mark.parametrize("kind", sorted(RESULTS, key=lambda kind: kind.__name__))
def test_every_field_of_a_result_is_documented_in_its_class(kind):
    named = re.findall(r"^    (\w[\w, ]*) : ", kind.__doc__, flags=re.M)
    documented = [name for names in named for name in names.split(", ")]
    assert len(set(documented)) == len(documented)
    fields = {field.name for field in dataclasses.fields(kind)}
    assert {name for name in fields if not name.startswith("_")} <= set(documented)
    assert all(name in fields or hasattr(kind, name) for name in documented)


def pairs_of(labels, **settings):
    """Return the result of all pairs of three models, by a bootstrap."""
    truth, a, b = labels
    test = PairedBootstrap(
        alternative="two-sided", n_resamples=99, random_state=0, **settings
    )
    models = {"right": truth, "a": a, "b": b, "wrong": 1 - truth}
    return PairwiseComparison(test=test).fit_predictions(truth, models).result_


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["shift", "percentile", "studentized"])
@pytest.mark.parametrize("add_one", [True, False])
def test_a_table_of_pairs_shows_p_values_as_the_pairs_do(labels, method, add_one):
    result = pairs_of(labels, method=method, add_one=add_one)
    ranked = sorted(result.results, key=lambda pair: pair.pvalue)
    table = result.tables()[1]
    place = table.columns.index("p-value")
    printed = sorted(row[place] for row in table.rows)
    assert printed == sorted(pair.row()["p-value"] for pair in ranked)
    assert any(cell.startswith("<= ") for cell in printed) == add_one


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["shift", "percentile"])
def test_a_legend_shows_the_p_value_as_the_result_does(labels, method):
    truth, *_ = labels
    test = PairedBootstrap(method=method, alternative="two-sided", n_resamples=99)
    result = test.fit_predictions(truth, truth, 1 - truth).result_
    words = [text.get_text() for text in result.plot().ax_.get_legend().texts]
    assert any(f"p {result.row()['p-value']}" in " ".join(w.split()) for w in words)
    assert result.pvalue_is_bound
    plt.close("all")


@pytest.mark.filterwarnings("ignore")
def test_a_heat_map_calls_no_model_better_without_a_significantly_higher_score():
    truth, a, b = np.zeros(60), np.full(60, 0.1), np.full(60, 0.2)
    a[:8] = 5.0  # nearer on most rows, and worse by far on the mean
    test = SignTest(scoring="neg_mean_absolute_error", alternative="two-sided")
    pairs = PairwiseComparison(test=test).fit_predictions(truth, {"a": a, "b": b})
    assert pairs.result_.decisions == ("n.s.",)
    assert pairs.result_.significant.all()
    display = pairs.result_.plot(kind="heatmap")
    words = [text.get_text() for text in display.texts_.flat]
    assert words == ["", "*\n<.001", "*\n<.001", ""]
    assert display.ax_.get_title().endswith(
        "\n* significant, but no score shown to be higher"
    )
    assert " 1 pair," in pairs.result_.sentence()
    plt.close("all")


def test_a_forest_of_ranks_labels_the_difference():
    scores = np.random.default_rng(0).random((12, 3)) + np.arange(3) / 2
    ranks = RankComparison().fit_scores(scores).result_
    xlabel = ranks.plot(kind="forest").ax_.get_xlabel()
    assert xlabel == "difference in mean rank (rank of b - rank of a)"
    title = ranks.plot(kind="heatmap").ax_.get_title()
    assert title.endswith("row better than column, \N{MINUS SIGN} worse")  # no *
    plt.close("all")
