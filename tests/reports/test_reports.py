"""Reports: their contents, formats and errors."""

import base64
import copy
import dataclasses
import hashlib
import html.parser
import os
import re
import shutil
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score, log_loss, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import skcompare
from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CochranQ,
    ComparisonReport,
    CrossValidationCLT,
    DeLong,
    FriedmanTest,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    RankComparison,
    SearchComparison,
    adjust_pvalues,
    replicability_analysis,
    report,
)
from skcompare.reports import _report
from skcompare.results import (
    Document,
    ForestDisplay,
    Notes,
    Paragraph,
    Section,
    Table,
    write,
)
from tests.texts import unbroken

plt.switch_backend("Agg")

FORMATS = ("text", "markdown", "html", "latex")
each_format = pytest.mark.parametrize("format", FORMATS)

# Means something in every format, and has what no line can hold.
HOSTILE = (
    "</td><script>x()</script> | `a` $\\frac{$ _b_ **c** # & % ~ ^ \\ [d](e)\n\0f--g"
)


@pytest.fixture(scope="module")
def data():
    """Truth and predictions of 200 rows."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=200)
    a, b = (np.where(rng.random(200) < p, truth, 1 - truth) for p in (0.9, 0.7))
    return {"y_true": truth, "y_pred_a": a, "y_pred_b": b}


@pytest.fixture(scope="module")
def bootstrap(data):
    """A test of two metrics."""
    test = PairedBootstrap(scoring=["accuracy", "f1"], n_resamples=99, random_state=0)
    return test.fit_predictions(*data.values())


@pytest.fixture(scope="module")
def mcnemar(data):
    return McNemar().fit_predictions(*data.values())


@pytest.fixture(scope="module")
def everything(data, bootstrap, mcnemar):
    """A fitted comparison or result of each kind, by name."""
    truth, a, b = data.values()
    models = {"a": a, "b": b, "c": 1 - b}
    X = np.column_stack([truth, a + 0.1 * np.arange(200)])
    grid = {"max_depth": [1, 2], "min_samples_leaf": [1, 50]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=5)
    return {
        "bootstrap": bootstrap,
        "mcnemar": mcnemar,
        "bayes": BayesianComparison(n_draws=500, random_state=0).fit_predictions(
            truth, a, b
        ),
        "cochran": CochranQ().fit_predictions(truth, models),
        "pairs": PairwiseComparison(
            test=PairedBootstrap(n_resamples=199, random_state=0), correction="max-t"
        ).fit_predictions(truth, models),
        "search": SearchComparison(
            search.fit(X, b), n_resamples=50, random_state=0
        ).fit(),
        "replicability": replicability_analysis({"x": 0.001, "y": 0.2}),
    }


KINDS = (
    "bootstrap",
    "mcnemar",
    "bayes",
    "cochran",
    "pairs",
    "search",
    "replicability",
)


def results_of(item):
    if hasattr(item, "results_"):
        return list(item.results_.values())
    return [getattr(item, "result_", item)]


# What a report has in it


def flat(text):
    """Join the lines of a text, which breaks them."""
    return " ".join(text.split())


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_has_all_sentences_of_a_result(kind, everything):
    text = flat(unbroken(report(everything[kind])))
    for result in results_of(everything[kind]):
        assert result.sentence() in text
        assert result.signature in text
        for note in result.notes():
            assert flat(note) in text
        for table in result.tables():
            for row in table.rows:
                assert all(word in text for cell in row for word in cell.split())


@each_format
def test_nothing_in_a_report_is_random_or_a_date(format, everything):
    kinds = {kind: everything[kind] for kind in ("mcnemar", "pairs")}
    assert report(kinds, format) == report(kinds, format)


def test_tables_have_all_pairs_and_candidates(everything):
    pairs, search = everything["pairs"].result_, everything["search"].result_
    models, compared = pairs.tables()
    assert [row[0] for row in models.rows] == list(pairs.ranking)
    assert [row[:2] for row in compared.rows] == list(pairs.pairs)
    candidates, parameters = search.tables()
    assert len(candidates.rows) == 4
    assert len(parameters.rows) == 4  # two values each of two parameters
    for table in (models, compared, candidates, parameters):
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_many_pairs_are_cut_in_the_summary_only(data):
    truth = data["y_true"]
    rng = np.random.default_rng(1)
    flips = {
        str(k): np.where(rng.random(200) < 0.2, 1 - truth, truth) for k in range(7)
    }
    result = PairwiseComparison(test=McNemar()).fit_predictions(truth, flips).result_
    assert "(6 of 21; to_frame() has all)" in result.summary()
    assert "of 21" not in report(result)
    assert len(result.tables()[1].rows) == 21


def test_several_results_have_an_overview_that_warns_of_their_number(
    bootstrap, mcnemar
):
    text = report(bootstrap)
    assert text.startswith("Overview")
    assert "not adjusted for multiple comparisons" in text
    assert "Overview" not in report(mcnemar)


def test_a_dict_gives_headings(bootstrap, mcnemar):
    text = report({"first": mcnemar, "second": bootstrap}, "markdown")
    headings = re.findall("^## (.*)$", text, flags=re.M)
    assert headings[:2] == ["Overview", "first"]
    # Two results of one name get different headings.
    assert [h.partition(":")[0] for h in headings[2:]] == ["second"] * 2
    assert len(set(headings)) == 4


def test_results_can_be_nested(bootstrap, mcnemar):
    text = report([mcnemar.result_, [bootstrap]], "markdown")
    assert len(re.findall("^## ", text, flags=re.M)) == 4


def test_the_title_is_optional_but_for_a_page(mcnemar):
    assert report(mcnemar).startswith("A scores")
    assert report(mcnemar, title="What we saw").startswith("What we saw\n===========")
    assert "<title>Model comparison</title>" in report(mcnemar, "html")
    assert "<title>What we saw</title>" in report(mcnemar, "html", title="What we saw")


def test_printing_a_report_gives_text(mcnemar):
    document = ComparisonReport(mcnemar)
    assert str(document) == document.render() == report(mcnemar)


def test_a_notebook_shows_the_page_in_a_frame(mcnemar):
    html = ComparisonReport(mcnemar)._repr_html_()
    (frame,) = tags_of(html)
    assert frame[0] == "iframe"
    assert dict(frame[1])["srcdoc"] == report(mcnemar, "html")


# Slices


SLICES = {
    "site": np.arange(200) % 4,
    "first": np.arange(200) < 60,
}


def table_after(text, title):
    """Return the first table after a title, of text, as rows of cells."""
    text = text[text.index(f"\n{title}\n") :]
    if (record := re.search(r"\n\n  slice  +\S", text)) and "  ---" not in text:
        text = re.sub(r"\n {10,}", " ", text[record.start() :].partition("\n\n\n")[0])
        records = [r for r in text.split("\n\n") if r.startswith("  slice ")]
        return [re.findall(r"(?m)^  \S.*?  +(.*)$", record) for record in records]
    lines = iter(text.splitlines())
    rule = next(line for line in lines if line.startswith("  ---"))
    starts = [match.start() for match in re.finditer("-+", rule)]
    ends = [*starts[1:], None]
    rows = []
    for line in lines:
        if not line.strip():
            return rows
        cells = [line[s:e].strip() for s, e in zip(starts, ends, strict=True)]
        if cells[0]:
            rows.append(cells)
        else:  # the rest of cells that were broken
            rows[-1] = [" ".join(x).strip() for x in zip(rows[-1], cells, strict=True)]
    return rows


def test_slices_have_the_results_of_the_test_on_their_rows(bootstrap, data):
    document = ComparisonReport(bootstrap, slices=SLICES).render()
    masks = {f"site = {k}": SLICES["site"] == k for k in range(4)}
    masks["first"] = SLICES["first"]
    for metric in ("accuracy", "f1"):
        results = {}
        for label, mask in masks.items():
            test = PairedBootstrap(
                scoring=["accuracy", "f1"], n_resamples=99, random_state=0
            )
            test.fit_predictions(*(values[mask] for values in data.values()))
            results[label] = test.results_[metric]
        adjusted = adjust_pvalues([result.pvalue for result in results.values()])
        rows = table_after(document, f"Slices in {metric}")
        for row, (label, result), p in zip(
            rows, results.items(), adjusted, strict=True
        ):
            low, high = result.confidence_interval
            assert row == [
                label,
                str(masks[label].sum()),
                f"{result.score_a:.4f}",
                f"{result.score_b:.4f}",
                f"{result.delta:+.4f}",
                f"[{low:.4f}, {high:.4f}]",
                result.row()["p-value"],
                f"{p:.4f}",
            ]


def test_slices_of_a_classical_test_agree_with_scipy(data, mcnemar):
    text = ComparisonReport(mcnemar, slices={"first": SLICES["first"]}).render()
    (row,) = table_after(text, "Slices in accuracy")
    truth, a, b = (values[SLICES["first"]] for values in data.values())
    only_a, only_b = (
        np.sum((a == truth) > (b == truth)),
        np.sum((a == truth) < (b == truth)),
    )
    exact = stats.binomtest(only_a, only_a + only_b, alternative="greater").pvalue
    mid_p = exact - stats.binom.pmf(only_a, only_a + only_b, 0.5) / 2
    assert float(row[-2]) == pytest.approx(mid_p, abs=5e-5)
    assert row[2] == f"{accuracy_score(truth, a):.4f}"


@pytest.mark.parametrize(
    "test",
    [
        ApproxRandomization(n_resamples=99, random_state=0),
        BayesianComparison(n_draws=200, random_state=0),
        DeLong(),
        PairedTTest(scoring="neg_brier_score"),
    ],
    ids=lambda test: type(test).__name__,
)
@pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")
def test_all_tests_of_two_models_have_slices(test, data):
    rng = np.random.default_rng(1)
    noise = rng.random((2, 200))
    arguments = data
    if isinstance(test, DeLong | PairedTTest):
        predictions = (0.4 * noise + 0.3 * data["y_true"], 0.8 * noise + 0.1)
        arguments = data | {
            "y_pred_a": predictions[0][0],
            "y_pred_b": predictions[1][1],
        }
    fitted = test.fit_predictions(*arguments.values())
    text = ComparisonReport(fitted, slices=SLICES).render()
    rows = table_after(text, f"Slices in {fitted.result_.scoring}")
    assert len(rows) == 5
    assert all(row[-1] for row in rows)


def test_posteriors_of_slices_are_not_adjusted(everything, data):
    text = ComparisonReport(everything["bayes"], slices=SLICES).render("html")
    assert "adjusted p-value" not in text
    assert "its own posterior" in text


def test_slices_can_use_groups(data):
    groups = np.arange(200) // 4
    mask = np.arange(200) < 120
    test = PairedBootstrap(n_resamples=99, random_state=0)
    fitted = test.fit_predictions(*data.values(), groups=groups)
    text = ComparisonReport(fitted, slices={"m": mask}).render()
    part = PairedBootstrap(n_resamples=99, random_state=0).fit_predictions(
        *(values[mask] for values in data.values()), groups=groups[mask]
    )
    low, high = part.confidence_interval_
    assert table_after(text, "Slices in accuracy")[0][5] == f"[{low:.4f}, {high:.4f}]"


def test_slices_can_use_weights_and_strata(data):
    extra = {
        "strata": data["y_true"],
        "sample_weight": 1.0 + np.arange(200) % 3,
    }
    test = PairedBootstrap(n_resamples=99, random_state=0)
    fitted = test.fit_predictions(*data.values(), **extra)
    text = ComparisonReport(fitted, slices={"m": SLICES["first"]}).render()
    mask, right = SLICES["first"], data["y_true"] == data["y_pred_a"]
    score = np.average(right[mask], weights=extra["sample_weight"][mask])
    assert table_after(text, "Slices in accuracy")[0][2] == f"{score:.4f}"
    part = PairedBootstrap(n_resamples=99, random_state=0).fit_predictions(
        *(values[mask] for values in data.values()),
        **{name: values[mask] for name, values in extra.items()},
    )
    low, high = part.confidence_interval_
    assert table_after(text, "Slices in accuracy")[0][5] == f"[{low:.4f}, {high:.4f}]"


@pytest.mark.usefixtures("quiet")
def test_slices_in_which_few_rows_have_the_weight_are_marked_uneven(data):
    rows = np.arange(200)
    weights = np.where((rows < 100) & (rows % 25 == 0), 100.0, 50.0 * (rows >= 100))
    test = PairedBootstrap(n_resamples=99, random_state=0)
    fitted = test.fit_predictions(*data.values(), sample_weight=1.0 + weights)
    slices = {"uneven": rows < 100, "even": rows >= 100}
    text = flat(ComparisonReport(fitted, slices=slices).render())
    assert "uneven: 100 rows of such uneven weight have an effective" in text
    assert text.count("of such uneven weight") == 1


def test_the_seed_of_a_run_without_one_is_used_again(data):
    fitted = PairedBootstrap(n_resamples=99).fit_predictions(*data.values())
    rendered = [ComparisonReport(fitted, slices=SLICES).render() for _ in range(2)]
    assert rendered[0] == rendered[1]


def test_the_test_is_left_as_it_was(bootstrap, data):
    before = bootstrap.results_, bootstrap.get_params()
    ComparisonReport(bootstrap, slices=SLICES).render()
    assert bootstrap.results_ is before[0]
    assert bootstrap.get_params() == before[1]


def test_slices_are_tested_once_for_all_formats(bootstrap, data, monkeypatch):
    document = ComparisonReport(bootstrap, slices=SLICES)
    document.render("text")
    monkeypatch.setattr(_report, "slice_sections", None)
    assert "site = 3" in document.render("html")


def test_small_slices_are_marked_small(mcnemar, data):
    slices = {
        "few": np.arange(200) < 20,
        "one": np.arange(200) < 1,
        "no": [False] * 200,
    }
    text = flat(ComparisonReport(mcnemar, slices=slices).render())
    assert (
        "Fewer than 30 rows, which can show only large differences: few, one, no."
        in text
    )
    assert "one: not tested: fewer than 2 rows." in text
    assert "no: not tested: fewer than 2 rows." in text
    assert "1 slice of the rows" in text  # only those tested count


def test_no_slice_at_all_is_tested(mcnemar, data):
    text = ComparisonReport(mcnemar, slices={"no": [False] * 200}).render("html")
    assert "0 slices of the rows" in text
    assert text.count("<svg") == 1


def test_slices_that_a_test_refuses_are_listed_with_the_reason(data):
    scores = np.random.default_rng(2).random((2, 200)) + 0.3 * data["y_true"]
    arguments = data | {"y_pred_a": scores[0], "y_pred_b": scores[1]}
    test = DeLong().fit_predictions(*arguments.values())
    slices = {"truth": data["y_true"], "all": [True] * 200}
    text = flat(ComparisonReport(test, slices=slices).render())
    assert "truth = 0: not tested: " in text
    assert "truth = 1: not tested: " in text
    assert "1 slice of the rows" in text


def test_warnings_of_slices_become_notes(bootstrap, data):
    text = flat(
        ComparisonReport(bootstrap, slices={"few": np.arange(200) < 20}).render()
    )
    assert "few: A bootstrap of only 20 rows (fewer than 30) is unreliable" in text


def test_probabilities_of_a_slice_that_lacks_a_class():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 30)
    probabilities = [rng.dirichlet(np.ones(3), size=90) for _ in range(2)]
    scorer = make_scorer(
        log_loss,
        response_method="predict_proba",
        greater_is_better=False,
        labels=[0, 1, 2],
    )
    test = PairedBootstrap(scoring={"loss": scorer}, n_resamples=19, random_state=0)
    test.fit_predictions(truth, *probabilities)
    text = ComparisonReport(
        test,
        slices={"two": truth < 2},
    ).render()
    (row,) = table_after(text, "Slices in loss")
    expected = np.mean(np.log(probabilities[0][np.arange(60), truth[:60]]))
    assert row[2] == f"{expected:.4f}"


@pytest.mark.parametrize(
    "values",
    [
        ["x", "y"] * 100,
        pd.Categorical(["x", "y"] * 100),
        pd.Series(["x", "y"] * 100, index=np.arange(200)[::-1]),
        np.array(["x", "y"] * 100, dtype=object),
    ],
    ids=["list", "categorical", "series", "objects"],
)
def test_categories_come_in_many_containers(values, mcnemar, data):
    text = ComparisonReport(mcnemar, slices={"s": values}).render()
    rows = table_after(text, "Slices in accuracy")
    assert [row[:2] for row in rows] == [["s = x", "100"], ["s = y", "100"]]


def test_ranges_of_numbers_are_slices_in_their_order(mcnemar, data):
    ages = pd.cut(pd.Series(np.arange(200.0)), [-1, 9, 99, 199])
    text = ComparisonReport(mcnemar, slices={"age": ages}).render()
    labels = [row[0] for row in table_after(text, "Slices in accuracy")]
    assert labels == ["age = (-1, 9]", "age = (9, 99]", "age = (99, 199]"]


ORDER = ["small", "medium", "large"]  # which the alphabet turns round


@pytest.mark.parametrize(
    "make",
    [
        lambda x: pd.Categorical(x, categories=ORDER, ordered=True),
        lambda x: pd.Series(pd.Categorical(x, categories=["huge", *ORDER])),
        lambda x: pytest.importorskip("polars").Series(
            x, dtype=pytest.importorskip("polars").Enum(ORDER)
        ),
    ],
    ids=["ordered", "with one that is not used", "polars"],
)
def test_categories_keep_the_order_of_their_type(make, mcnemar, data):
    values = [ORDER[row % 3] for row in range(200)]
    text = ComparisonReport(mcnemar, slices={"size": make(values)}).render()
    labels = [row[0] for row in table_after(text, "Slices in accuracy")]
    assert labels == [f"size = {name}" for name in ORDER]


def test_numbers_as_categories_keep_the_order_of_their_type(mcnemar, data):
    stars = pd.Categorical(np.arange(200) % 3, categories=[2, 0, 1], ordered=True)
    text = ComparisonReport(mcnemar, slices={"stars": stars}).render()
    labels = [row[0] for row in table_after(text, "Slices in accuracy")]
    assert labels == ["stars = 2", "stars = 0", "stars = 1"]


def section_of(text, title):
    """Return the text from a title to the next."""
    body = text[text.index(f"\n{title}\n") + 2 * len(title) + 3 :]
    return flat(re.split(r"\n\n[^\n]+\n-----", body)[0])


def test_remarks_on_slices_name_the_metric_that_they_concern():
    truth = np.arange(80) % 2 + 1.0
    signs = np.where(np.arange(80) % 4 < 2, 1.0, -1.0)
    predictions = truth + 0.5 * signs, truth - 0.5 * np.roll(signs, 1)
    metrics = ["neg_mean_absolute_error", "neg_mean_squared_log_error"]
    test = PairedTTest(scoring=metrics)
    arguments = dict(
        zip(("y_true", "y_pred_a", "y_pred_b"), (truth, *predictions), strict=True)
    )
    with pytest.warns(UserWarning, match="same neg_mean_absolute_error"):
        test.fit_predictions(*arguments.values())
    slices = {"half": np.arange(80) < 40}
    text = ComparisonReport(test, slices=slices, n_disagreements=0).render()
    odd = "half: Both models have the same neg_mean_absolute_error on each of the 40"
    for metric in metrics:
        assert odd in section_of(text, f"Slices in {metric}")


def test_a_slice_that_one_metric_refuses_is_tested_in_the_others(data):
    scores = np.random.default_rng(2).random((2, 200))
    labels = [data["y_pred_a"], data["y_pred_b"]]
    arguments = {
        "y_true": data["y_true"],
        **{
            name: {"predict": label, "decision_function": score}
            for name, label, score in zip(
                ("y_pred_a", "y_pred_b"), labels, scores, strict=True
            )
        },
    }
    test = PairedBootstrap(
        scoring=["accuracy", "roc_auc"], n_resamples=99, random_state=0
    ).fit_predictions(*arguments.values())
    slices = {"ones": data["y_true"] == 1}
    text = ComparisonReport(test, slices=slices).render()
    (row,) = table_after(text, "Slices in accuracy")
    ones = slices["ones"]
    assert row[2] == f"{np.mean(data['y_pred_a'][ones] == 1):.4f}"
    assert "not tested" not in section_of(text, "Slices in accuracy")
    (row,) = table_after(text, "Slices in roc_auc")
    assert row[:2] == ["ones", str(ones.sum())]
    assert "ones: not tested: The scorer 'roc_auc'" in section_of(
        text, "Slices in roc_auc"
    )


def test_undefined_resamples_are_noted_for_their_metric():
    truth = np.repeat([0, 1], [57, 3])
    rng = np.random.default_rng(0)
    arguments = {
        "y_true": truth,
        "y_pred_a": {"predict": truth, "decision_function": rng.random(60)},
        "y_pred_b": {"predict": 0 * truth, "decision_function": rng.random(60)},
    }
    test = PairedBootstrap(
        scoring=["accuracy", "roc_auc"], n_resamples=99, random_state=0
    )
    with pytest.warns(UserWarning, match="Undefined resamples"):
        test.fit_predictions(*arguments.values())
    slices = {"later": np.arange(60) >= 20}
    text = ComparisonReport(test, slices=slices, n_disagreements=0).render()
    assert "later: Undefined resamples, of 99: roc_auc on" in section_of(
        text, "Slices in roc_auc"
    )


# Rows on which the models disagree


def disagreements(text, name):
    return table_after(text, next(x for x in text.splitlines() if f"{name} does" in x))


def test_labels_disagree_where_one_is_right(mcnemar, data):
    text = ComparisonReport(mcnemar, n_disagreements=500).render()
    truth, a, b = data.values()
    for name, right, wrong, sign in (("A", a, b, "+"), ("B", b, a, "-")):
        expected = np.flatnonzero((right == truth) & (wrong != truth))
        rows = disagreements(text, f"which {name}")
        assert [int(row[0]) for row in rows] == expected.tolist()
        assert {row[1] for row in rows} == {f"{sign}1.0000"}
        for row in rows:
            assert row[2:] == [str(x[int(row[0])]) for x in (truth, a, b)]
    same = np.sum((a == truth) == (b == truth))
    assert f"on {same} they do equally well" in flat(text)


def test_numbers_disagree_by_their_loss(regression):
    X_train, y_train, X, y = regression
    a, b = LinearRegression().fit(X_train, y_train).predict(X), np.full(60, y.mean())
    test = PairedTTest(scoring="neg_mean_squared_error").fit_predictions(y, a, b)
    text = ComparisonReport(test, n_disagreements=5).render()
    gains = (y - b) ** 2 - (y - a) ** 2
    rows = [int(row[0]) for row in disagreements(text, "which A")]
    assert rows == np.argsort(-gains)[:5].tolist()
    assert f"5 of {np.sum(gains > 0)} rows on which A does better" in text


@pytest.mark.parametrize(
    ("scoring", "kind", "judge"),
    [
        ("f1", "labels", "accuracy"),
        ("neg_log_loss", "probabilities", "neg_log_loss"),
        ("roc_auc", "probabilities", "neg_log_loss"),
        ("r2", "numbers", "neg_mean_absolute_error"),
        ("r2", "counts", "neg_mean_absolute_error"),
    ],
)
def test_rows_are_judged_by_the_metric_or_a_similar_one(scoring, kind, judge, data):
    noise = np.random.default_rng(3).random((2, 200))
    truths = {"numbers": noise[0], "counts": np.arange(200) % 5}
    truth = truths.get(kind, data["y_true"])
    predictions = {
        "labels": (data["y_pred_a"], data["y_pred_b"]),
        "probabilities": 0.1 + 0.8 * noise,
        "numbers": noise[::-1] + 0.1,
        "counts": 5 * noise,
    }[kind]
    test = PairedBootstrap(scoring=scoring, n_resamples=9, random_state=0)
    test.fit_predictions(truth, *predictions)
    assert f"In {judge}, A does better" in report(test, n_disagreements=10)


def test_rows_that_cannot_be_judged_have_a_note(data):
    scores = np.random.default_rng(4).normal(size=(2, 200))
    arguments = data | {"y_pred_a": scores[0], "y_pred_b": scores[1]}
    test = DeLong().fit_predictions(*arguments.values())
    assert "cannot be compared" in ComparisonReport(test, n_disagreements=10).render()


def test_rows_without_predictions_are_listed_by_their_difference():
    scores = np.random.default_rng(5).random((2, 40))
    test = PairedTTest().fit_row_scores(*scores)
    rows = disagreements(report(test, n_disagreements=3), "which A")
    order = np.argsort(scores[1] - scores[0])[:3]
    assert [int(row[0]) for row in rows] == order.tolist()


def test_no_disagreements_are_no_table(data):
    truth, a, _ = data.values()
    with pytest.warns(skcompare.exceptions.DegenerateDataWarning):
        test = McNemar().fit_predictions(truth, a, a)
    text = ComparisonReport(test, n_disagreements=10).render()
    assert "on 0 of 200 rows and B on 0" in flat(text)
    assert "largest differences first" not in text


def test_no_rows_are_listed_by_default(mcnemar):
    assert "disagree" not in report(mcnemar)
    assert "disagree" in report(mcnemar, n_disagreements=1)


@pytest.mark.parametrize(
    ("X", "columns"),
    [
        ([f"text {'long ' * 40}{row}" for row in range(200)], ["X"]),
        (pd.DataFrame({"p": np.arange(200), "q": "x"}), ["p", "q"]),
        (np.arange(1600).reshape(200, 8), [f"x{k}" for k in range(6)]),
        (sparse.csr_array(np.arange(400).reshape(200, 2)), ["x0", "x1"]),
    ],
    ids=["texts", "frame", "array", "sparse"],
)
def test_rows_are_listed_unchanged(X, columns, mcnemar, data):
    text = ComparisonReport(mcnemar, X=X, n_disagreements=10).render()
    head = next(x for x in text.splitlines() if "difference" in x and "truth" in x)
    assert head.split()[5:] == columns
    row = disagreements(text, "which A")[0]
    assert len(row) == 5 + len(columns)
    assert all(row)
    assert max(map(len, row)) <= 80


def test_rows_of_cross_validation_are_those_of_the_data(classification):
    X, y, *_ = classification
    models = LogisticRegression(), DecisionTreeClassifier(random_state=0)
    cv = KFold(5, shuffle=True, random_state=0)
    test = McNemar(*models, cv=cv).fit(X, y)
    numbers = pd.DataFrame({"number": np.arange(len(y))})
    text = ComparisonReport(
        test, slices={"y": y}, X=numbers, n_disagreements=5
    ).render()
    assert "A (LogisticRegression) does better" in flat(text)
    predicted = [cross_val_predict(model, X, y, cv=cv) for model in models]
    for row in disagreements(text, "(LogisticRegression)"):
        place = int(row[0])
        assert row[5] == str(place)
        assert row[2:5] == [str(x[place]) for x in (y, *predicted)]
    scores = [row[1:4] for row in table_after(text, "Slices in accuracy")]
    assert scores == [
        [str(np.sum(y == k)), *(f"{np.mean(p[y == k] == k):.4f}" for p in predicted)]
        for k in (0, 1)
    ]


def test_data_without_rows_to_show_are_refused(mcnemar):
    with pytest.raises(ValueError, match="`n_disagreements` must be above 0 if `X`"):
        report(mcnemar, X=np.zeros(200))
    with pytest.raises(ValueError, match="`X` must have one entry per row"):
        report(mcnemar, X=np.zeros(199), n_disagreements=3)


# HTML


VOID = {"meta", "br", "hr", "img", "link", "input"}


class StrictParser(html.parser.HTMLParser):
    """Checks that tags balance, and remembers them."""

    def __init__(self):
        super().__init__()
        self.tags, self.open, self.texts = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, attrs))
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, attrs))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, text):
        if self.open and self.open[-1] not in ("script", "style"):
            self.texts.append(text)


def parsed(page):
    parser = StrictParser()
    parser.feed(page)
    parser.close()
    assert not parser.open
    return parser


def tags_of(page):
    return parsed(page).tags


@pytest.fixture(scope="module")
def page(everything):
    """A page with all kinds of results."""
    return report(everything, "html", title="All of it")


def test_tags_balance_and_ids_are_unique(page):
    tags = tags_of(page)
    ids = [value for _, attrs in tags for name, value in attrs if name == "id"]
    assert len(ids) == len(set(ids)) > 100
    assert sum(tag == "svg" for tag, _ in tags) == 8


def test_references_in_plots_point_to_their_own_parts(page):
    ids = set(re.findall(r'\bid="([^"]+)"', page))
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', page))
    targets = {one or other for one, other in used}
    assert targets
    assert targets <= ids


def test_the_page_names_no_other_place(page):
    assert "//" not in re.sub(r"<script>.*?</script>", "", page, flags=re.S)
    loading = {"src", "srcset", "data", "action", "poster"}
    attributes = {name for _, attrs in tags_of(page) for name, _ in attrs}
    assert not attributes & loading
    assert "default-src 'none'" in page
    assert not any(name.startswith("on") for name in attributes)


def test_the_policy_allows_the_one_script_there_is(page):
    (script,) = re.findall(r"<script>(.*?)</script>", page, flags=re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page


def test_a_page_is_light_dark_and_printed(page):
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page


def test_without_matplotlib_the_page_names_it(mcnemar, monkeypatch):
    for name in ("matplotlib", "matplotlib.pyplot"):
        monkeypatch.setitem(sys.modules, name, None)
    page = report(mcnemar, "html")
    assert "There are no plots. This needs matplotlib" in page
    assert "<svg" not in page
    assert parsed(page)


def test_drawing_leaves_no_figure_open_and_no_setting_changed(mcnemar):
    before, settings = plt.get_fignums(), dict(plt.rcParams)
    report(mcnemar, "html")
    assert plt.get_fignums() == before
    assert dict(plt.rcParams) == settings


def test_models_that_agree_have_a_plot_too(data):
    same = data | {"y_pred_b": data["y_pred_a"]}
    tests = (
        PairedBootstrap(n_resamples=9, random_state=0),
        BayesianComparison(n_draws=99, random_state=0),
        McNemar(),
    )
    for test in tests:
        with pytest.warns(skcompare.exceptions.DegenerateDataWarning):
            test.fit_predictions(*same.values())
        page = ComparisonReport(test, slices=SLICES).render("html")
        assert page.count("<svg") == 2


# Escaping


@pytest.fixture(scope="module")
def hostile(mcnemar, data):
    """A report in which every name and text is hostile."""
    test = copy.copy(mcnemar)
    result = dataclasses.replace(
        mcnemar.result_,
        name_a=HOSTILE,
        name_b=HOSTILE,
        scoring=HOSTILE,
        test=HOSTILE,
        hypothesis=HOSTILE,
        caveats=(HOSTILE,),
        effect_size={HOSTILE: 1.0},
    )
    frame = pd.DataFrame({HOSTILE: [HOSTILE] * 200})
    test.results_ = {HOSTILE: result}
    return ComparisonReport({HOSTILE: test}, title=HOSTILE, X=frame, n_disagreements=10)


def printable(text):
    return "".join(c for c in " ".join(text.split()) if c.isprintable())


def test_hostile_names_are_text_in_html(hostile):
    page = parsed(hostile.render("html"))
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert page.texts.count(printable(HOSTILE)) >= 4
    labels = [
        value for _, attrs in page.tags for name, value in attrs if "aria" in name
    ]
    assert labels


def test_hostile_names_are_text_in_markdown(hostile):
    markdown_it = pytest.importorskip("markdown_it")
    text = hostile.render("markdown")
    reader = markdown_it.MarkdownIt("commonmark", {"html": True}).enable(
        ["table", "strikethrough"]
    )
    tokens = reader.parse(text)
    kinds = {t.type for token in tokens for t in (token, *(token.children or ()))}
    assert not kinds & {"html_inline", "html_block", "link_open", "em_open", "s_open"}
    visible = [
        "".join(child.content for child in token.children)
        for token in tokens
        if token.type == "inline"
    ]
    assert visible.count(printable(HOSTILE)) >= 4
    tables = sum(token.type == "table_open" for token in tokens)
    assert tables == 3  # the result, and the rows in favor of A and of B


def test_markdown_tables_have_as_many_cells_in_each_row(everything):
    for block in report(everything, "markdown").split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in lines}
        assert len(cells) <= 1


def latex_tokens(text):
    """Split LaTeX into commands, special characters and others."""
    return re.findall(r"\\[a-zA-Z]+|\\.|[^\\]", text, flags=re.S)


def _tabulars(text):
    return re.findall(r"\\begin\{tabular\}\{(?:[lr]|p\{[^}]*\})+\}\n", text)


def check_latex(text):
    """Check braces, environments, columns, and that nothing special is left bare."""
    depth, environments, in_math = 0, [], False
    for token in latex_tokens(text.partition("\n")[2]):
        depth += (token == "{") - (token == "}")
        assert depth >= 0
        assert token not in {"#", "%", "_", "^", "~", "|", "<", ">", "`", '"'}, token
        in_math ^= token == "$"
    assert depth == 0
    assert not in_math
    for action, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if action == "begin":
            environments.append(name)
        else:
            assert environments.pop() == name
    assert not environments
    for sides, body in re.findall(
        r"\\begin\{tabular\}\{((?:[lr]|p\{[^}]*\})+)\}(.*?)\\end\{tabular\}",
        text,
        flags=re.S,
    ):
        rows = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert rows
        n_columns = len(re.sub(r"\{.*?\}", "", sides))
        assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {n_columns - 1}
    assert text.count(r"\begin{tabular}") == len(_tabulars(text))


def test_latex_is_balanced_and_escaped(everything, hostile):
    check_latex(report(everything, "latex", title="All of it"))
    check_latex(hostile.render("latex"))


def test_the_check_of_latex_detects_errors():
    for bad in ("{", "}", "a_b", "50 % of", r"\begin{itemize}", "$x", "a ~ b"):
        with pytest.raises((AssertionError, IndexError)):
            check_latex(f"first line\n{bad}")


def test_a_table_of_two_models_alone_has_caption_and_label_in_latex():
    truth = np.arange(60) % 2
    test = McNemar().fit_predictions(
        truth, truth, np.roll(truth, 1), names=("new", "old")
    )
    text = report(test.result_, "latex")
    assert r"\caption{new against old in accuracy (McNemar)}" in text
    assert r"\label{tab:new-against-old-in-accuracy" in text
    assert r"\subsection*" not in text


def test_latex_escapes_are_those_of_the_manual():
    text = write(Document("", (Section("", (Paragraph(r"\{}$&#_%^~<>|`"),)),)), "latex")
    assert text.splitlines()[-1] == (
        r"\textbackslash{}\{\}\$\&\#\_\%\textasciicircum{}\textasciitilde{}"
        r"\textless{}\textgreater{}\textbar{}{\char96}"
    )


def test_latex_cells_cannot_be_taken_for_options():
    table = Table([("[2em]", "-1.5"), ("b", "2.0")], ("x", "y"))
    text = write(Document("", (Section("", (table,)),)), "latex")
    assert r"{[2em]} & {$-$1.5} \\" in text


def test_latex_sets_long_texts_in_several_lines_and_minus_signs():
    rows = [("short", "x" * 41, "[-0.5, -0.1]", "-1"), ("gpt-4", "y", "", "2")]
    table = Table(rows, ("w", "x", "y", "z"))
    text = write(Document("", (Section("", (table,)),)), "latex")
    assert r"\begin{tabular}{lp{0.3\linewidth}lr}" in text
    assert "{[$-$0.5, $-$0.1]} & {$-$1}" in text
    assert "{gpt-4}" in text
    check_latex(text)


def test_long_names_in_latex_break_at_underscores():
    table = Table([("a_" * 30, "b_c")], ("name", "short"))
    text = write(Document("", (Section("", (table,)),)), "latex")
    assert text.count(r"a\_\allowbreak{}") == 30
    assert r"{b\_c}" in text
    check_latex(text)


def test_columns_of_wide_letters_are_aligned():
    table = Table([("日本語", "x"), ("abc", "y"), ("e\u0301", "z")], ("name", "is"))
    lines = write(Document("", (Section("", (table,)),)), "text").splitlines()
    assert lines == [
        "  name    is",
        "  ------  --",
        "  日本語  x",
        "  abc     y",
        "  e\u0301       z",
    ]


NAMES = [
    "<script>alert(1)</script> & {\\LaTeX} $5_% #1 ~^ \\input{x}",
    "日本語 naïve Ωμέγα 😀",
    "a_model_with_a_name_of_very_many_letters_" * 4,
]


@pytest.fixture(scope="module")
def strange():
    """Three metrics, strange names of models, labels and slices, and tiny slices."""
    rng = np.random.default_rng(0)
    labels = np.array(NAMES)
    truth = rng.choice(labels, size=90)
    a, b = (
        np.where(rng.random(90) < p, truth, rng.choice(labels, size=90))
        for p in (0.9, 0.6)
    )
    metrics = ["accuracy", "f1_macro", "matthews_corrcoef"]
    test = PairedBootstrap(scoring=metrics, n_resamples=49, random_state=0)
    test.fit_predictions(truth, a, b)
    called = {"name_a": NAMES[0], "name_b": NAMES[2]}
    test.results_ = {
        metric: dataclasses.replace(result, **called)
        for metric, result in test.results_.items()
    }
    return ComparisonReport(
        test,
        title=NAMES[1],
        X=pd.DataFrame({NAMES[0]: [NAMES[2]] * 90}),
        n_disagreements=10,
        slices={
            NAMES[2]: truth,
            "tiny": np.arange(90) < 3,
            "single": np.arange(90) < 1,
        },
    )


def test_strange_names_are_text_everywhere(strange):
    check_latex(strange.render("latex"))
    page = strange.render("html")
    texts = " ".join(flat(" ".join(parsed(page).texts)).split())
    for name in NAMES:
        assert printable(name) in texts
    assert page.count("<script>") == 1
    for line in strange.render("markdown").splitlines():
        if line.startswith("|"):
            assert "<" not in line


def test_ends_of_long_labels_are_visible_in_plots(strange, monkeypatch):
    drawn = []
    plain = ForestDisplay.plot
    monkeypatch.setattr(
        ForestDisplay, "plot", lambda self: drawn.append(self) or plain(self)
    )
    strange.render("html")
    for display in drawn:
        labels = list(display.labels)
        assert len(set(labels)) == len(labels)
        assert max(map(len, labels)) <= 40
    assert len(drawn) == 3


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_latex_compiles(everything, hostile, tmp_path):
    for number, document in enumerate((ComparisonReport(everything), hostile)):
        document.save(tmp_path / f"part{number}.tex")
    (tmp_path / "all.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs}\\begin{document}"
        "\\input{part0}\\input{part1}\\end{document}"
    )
    run = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-2000:]


def test_renderers_handle_blocks_and_nothing_of_results():
    blocks = Paragraph("Seen."), Table([("a", "1")], ("x", "y")), Notes("N", ("n",))
    document = Document("T", (Section("S", blocks),))
    for format in FORMATS:
        text = write(document, format)
        lacking = [word for word in ("T", "S", "Seen", "n") if word not in text]
        assert not lacking, f"{format} lacks {lacking}"


def test_numbers_stand_on_the_right(everything):
    text = report(everything["pairs"], "markdown")
    assert "| --- | --- | --: | --- | --: | --: | --- |" in text


# Files


@pytest.mark.parametrize(
    ("suffix", "format"),
    [
        (".txt", "text"),
        (".md", "markdown"),
        (".html", "html"),
        (".HTM", "html"),
        (".tex", "latex"),
    ],
)
def test_the_suffix_decides_the_format(suffix, format, mcnemar, tmp_path):
    path = tmp_path / f"report{suffix}"
    document = ComparisonReport(mcnemar)
    assert document.save(path) is document
    assert path.read_text(encoding="utf-8") == report(mcnemar, format) + "\n"
    assert os.listdir(tmp_path) == [path.name]


def test_a_name_may_be_a_string_in_any_language(mcnemar, tmp_path):
    path = str(tmp_path / "\u00fcbersicht.md")
    ComparisonReport(mcnemar, title="\u00dcbersicht \u2014 \u6a21\u578b").save(path)
    with open(path, encoding="utf-8") as file:
        assert file.readline() == "# \u00dcbersicht \u2014 \u6a21\u578b\n"


def test_a_file_is_written_whole_or_not_at_all(mcnemar, tmp_path, monkeypatch):
    path = tmp_path / "report.md"
    path.write_text("old")

    def fail(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        ComparisonReport(mcnemar).save(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.md"]


# Bad input


def test_a_folder_that_does_not_exist_is_named(mcnemar, tmp_path):
    with pytest.raises(FileNotFoundError, match="its folder does not exist"):
        ComparisonReport(mcnemar).save(tmp_path / "nowhere" / "report.md")


@pytest.mark.parametrize("path", ["report", "report.pdf", "report.html.gz"])
def test_other_suffixes_are_refused(path, mcnemar, tmp_path):
    with pytest.raises(ValueError, match=r"`path` must end in one of \.txt, .* Got '"):
        ComparisonReport(mcnemar).save(tmp_path / path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("format", ["pdf", None, "HTML"])
def test_other_formats_are_refused(format, mcnemar):
    with pytest.raises(ValueError, match="`format` must be one of 'text', 'markdown'"):
        report(mcnemar, format)


@pytest.mark.parametrize("results", [None, 3, "accuracy", [1], {"a": None}, object()])
def test_other_things_than_results_are_refused(results):
    with pytest.raises(ValueError, match="`results` must be a result, a fitted comp"):
        report(results)


@pytest.mark.parametrize("results", [[], {}, [[]]])
def test_nothing_is_refused(results):
    with pytest.raises(ValueError, match="`results` must have at least one result"):
        report(results)


@pytest.mark.parametrize("test", [McNemar(), PairwiseComparison(), CochranQ()])
def test_unfitted_comparisons_are_refused(test):
    with pytest.raises(NotFittedError):
        report(test)


@pytest.mark.parametrize("slices", [{}, [1, 2], np.zeros(200), "site"])
def test_slices_must_be_named(slices, mcnemar, data):
    with pytest.raises(ValueError, match="`slices` must be a dict that maps"):
        ComparisonReport(mcnemar, slices=slices).render()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.arange(199), r"`slices\['s'\]` must have one entry per row of `y_true`"),
        (np.zeros((200, 2)), r"`slices\['s'\]` must be one-dimensional. Got shape"),
        (
            np.arange(200.0),
            r"`slices\['s'\]` must have at most 100 .* Got 200. Bin num",
        ),
        ([None] * 200, r"`slices\['s'\]` must not have missing"),
        (3, r"`slices\['s'\]` must have one entry per row"),
        ([1, "b"] * 100, r"`slices\['s'\]` must have categories that can be sorted"),
    ],
)
def test_bad_slices_are_named(values, message, mcnemar, data):
    with pytest.raises(ValueError, match=message):
        ComparisonReport(mcnemar, slices={"s": values}).render()


def test_slices_of_one_label_are_refused(mcnemar, data):
    """The rows of the latter were listed as those of the former."""
    mask = np.arange(200) < 20
    slices = {"site": ["x", "y"] * 100, "site = x": mask}
    with pytest.raises(ValueError, match=r"a unique label.*label 'site = x'"):
        ComparisonReport(mcnemar, slices=slices).render()


def test_slices_need_a_fitted_test(mcnemar, bootstrap, everything, data):
    message = "`results` must be or contain exactly one fitted test .* Got {} of them"
    for results, number in [
        (mcnemar.result_, 0),
        (everything["pairs"], 0),
        ([mcnemar, bootstrap], 2),
    ]:
        with pytest.raises(ValueError, match=message.format(number)):
            ComparisonReport(results, slices=SLICES).render()
    both = [mcnemar, everything["replicability"]]
    assert "Slices" in ComparisonReport(both, slices=SLICES).render()


def test_tests_that_need_folds_have_no_slices(classification):
    X, y, *_ = classification
    models = LogisticRegression(), DecisionTreeClassifier(random_state=0)
    test = CrossValidationCLT(*models, cv=5).fit(X, y)
    with pytest.raises(ValueError, match="one fitted test of two models"):
        ComparisonReport(test, slices={"y": y}).render()


@pytest.mark.parametrize("n", [-1, 1.5, True, "ten", 1001])
def test_the_number_of_rows_is_checked(n, mcnemar, data):
    with pytest.raises(ValueError, match="`n_disagreements` must be an integer from 0"):
        ComparisonReport(mcnemar, n_disagreements=n).render()


@pytest.mark.parametrize("test", [RankComparison(), FriedmanTest()], ids=repr)
def test_tests_of_tables_of_scores_are_reported_once_they_are_fitted(test):
    with pytest.raises(NotFittedError, match=f"{type(test).__name__} instance is not"):
        report(test)
    fitted = clone(test).fit_scores(np.random.default_rng(0).random((12, 3)))
    assert report(fitted) == report(fitted.result_)
