"""Plots: their data, and the artists that are drawn."""

import io
import re
import sys
import types

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from scipy import stats
from sklearn.base import clone
from sklearn.metrics import confusion_matrix

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    BayesianSignedRank,
    CochranQ,
    FiveByTwoCV,
    FriedmanTest,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    RankComparison,
    SignTest,
    WilcoxonSignedRank,
    power,
)
from skcompare.exceptions import ComparisonWarning
from skcompare.results import (
    CriticalDifferenceDisplay,
    DeltaDisplay,
    DisagreementDisplay,
    ForestDisplay,
    PosteriorDisplay,
    PowerDisplay,
    PValueHeatmapDisplay,
    RegionDisplay,
    ReplicabilityDisplay,
)
from skcompare.stats.power import paired_t_power

NAN = np.nan


@pytest.fixture(autouse=True)
def _no_figures_left():
    yield
    plt.close("all")


def forest(n_rows=4, name="model {}", **params):
    deltas = np.linspace(-0.02, 0.04, n_rows)
    intervals = np.column_stack([deltas - 0.03, deltas + 0.02])
    names = [name.format(i) for i in range(n_rows)]
    return ForestDisplay(names, deltas, intervals, **params)


def posterior(**params):
    law = stats.norm(0.02, 0.01)
    grid = np.linspace(-0.03, 0.07, 201)
    below, inside = law.cdf(-0.01), law.cdf(0.01) - law.cdf(-0.01)
    options = {"probabilities": (law.sf(0.01), inside, below)}
    options |= {"rope": 0.01, "hdi": law.interval(0.95)}
    return PosteriorDisplay(grid, law.pdf(grid), **{**options, **params})


# Demsar (2006), section 3.2.2: four variants of C4.5 on 14 data sets.
VARIANTS = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
MEAN_RANKS = [3.143, 2.000, 2.893, 1.964]


def ranking(n_models=None, name="model {}", **params):
    if n_models is None:
        return CriticalDifferenceDisplay(VARIANTS, MEAN_RANKS, **params)
    ranks = 1 + np.linspace(0, 1, n_models) ** 2 * (n_models - 1)
    names = [name.format(i) for i in range(n_models)]
    return CriticalDifferenceDisplay(names, ranks, **params)


def heatmap(n_models=4, name="model {}", **params):
    scores = np.linspace(0, 1, n_models)
    deltas = scores[:, None] - scores
    pvalues = 2 * stats.norm.sf(4 * np.abs(deltas))
    np.fill_diagonal(pvalues, NAN)
    names = [name.format(i) for i in range(n_models)]
    return PValueHeatmapDisplay(names, pvalues, **{"deltas": deltas, **params})


def disagreement(**params):
    return DisagreementDisplay([[80, 12], [5, 3]], **params)


def delta(**params):
    null = np.random.default_rng(0).normal(size=99)
    options = {"delta": 2.0, "center": 0.0, "alternative": "greater", **params}
    return DeltaDisplay(null, **options)


def powers(n_rows=300, n_needed=1_663, **params):
    return PowerDisplay(n_rows, 0.245, n_needed=n_needed, **params)


each_display = pytest.mark.parametrize(
    "make", [delta, forest, posterior, ranking, heatmap, disagreement, powers]
)


# All of them


@each_display
def test_displays_share_axes_that_are_passed_and_return_themselves(make):
    figure, axes = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
    for ax in axes:
        display = make()
        assert display.plot(ax=ax) is display
        assert display.ax_ is ax
        assert display.figure_ is figure
    figure.canvas.draw()


LONG = "SVC(C=1000, gamma=0.0001, number={})"
NAMES = {
    "name_a": "Pipeline(StandardScaler(), SVC(C=1000, gamma=0.0001))",
    "name_b": "HistGradientBoostingClassifier(max_depth=3)",
}

SCENES = {
    "regions": lambda: RegionDisplay(region_draws(), probabilities=(0.8, 0.15, 0.05)),
    "delta": delta,
    "delta of both sides": lambda: delta(
        alternative="two-sided", center=2.0, pvalue=0.0473, scoring="neg_log_loss"
    ),
    "delta of both sides, around 0": lambda: delta(
        alternative="two-sided", pvalue=0.0473, confidence_interval=(0.1, 3.9)
    ),
    "delta of long names": lambda: delta(**NAMES, title="A long title. " * 8),
    "delta of a constant": lambda: DeltaDisplay(
        np.zeros(9), delta=0.0, center=0.0, alternative="greater", pvalue=1.0
    ),
    "forest of 1": lambda: forest(1),
    "forest of 1 with a long name": lambda: forest(
        1,
        " - ".join(NAMES.values()),
        title="A long title. " * 8,
        meaning="significant at 0.05",
    ),
    "forest of 50": lambda: forest(50, LONG, meaning="better"),
    "posterior": posterior,
    "posterior of long names": lambda: posterior(**NAMES),
    "regions of long names": lambda: RegionDisplay(
        region_draws(), probabilities=(0.8, 0.15, 0.05), **NAMES
    ),
    "posterior without a region": lambda: posterior(rope=0, hdi=None),
    "ranks": ranking,
    "ranks of 2": lambda: ranking(2, critical_difference=3.0),
    "ranks of 20": lambda: ranking(20, critical_difference=4.0),
    "ranks of 30 long names": lambda: ranking(30, LONG, critical_difference=4.0),
    "heat map of 2": lambda: heatmap(2),
    "heat map of 12 long names": lambda: heatmap(12, LONG, scoring="f1"),
    "heat map of 30": lambda: heatmap(30),
    "heat map of 30 long names": lambda: heatmap(30, LONG),
    "disagreement": disagreement,
    "disagreement of long names": lambda: disagreement(**NAMES, title="verdict " * 20),
    "disagreement of 10 labels": lambda: DisagreementDisplay(
        np.ones((10, 10)), labels=[f"class {i}" for i in range(10)]
    ),
    "power": powers,
    "power in two columns": lambda: powers(title="McNemar, true difference +0.03"),
    "power of very many rows": lambda: powers(n_needed=10**9, title="much to do"),
}


@each_display
def test_a_missing_matplotlib_is_named(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"needs matplotlib.*pip install matplotlib"):
        make().plot()


def overlaps(texts, figure):
    """Return pairs of texts that cover each other."""
    if figure.stale:
        figure.canvas.draw()
    boxes = [(t.get_text(), t.get_window_extent()) for t in texts if t.get_text()]
    return [
        (a, b)
        for i, (a, box) in enumerate(boxes)
        for b, other in boxes[:i]
        if box.overlaps(other)
    ]


def tick_labels(ax):
    return [label for axis in (ax.xaxis, ax.yaxis) for label in axis.get_ticklabels()]


@pytest.mark.parametrize("scene", SCENES)
def test_plots_are_within_the_figure_and_no_text_covers_another(scene):
    display = SCENES[scene]().plot()
    ax, canvas = display.ax_, display.figure_.canvas
    canvas.draw()
    plot = np.asarray(canvas.buffer_rgba())[..., :3].mean(axis=2) / 255
    assert plot.std() > 0.02
    border = np.concatenate([plot[0], plot[-1], plot[:, 0], plot[:, -1]])
    assert border.min() > 0.9  # nothing is cut off
    texts = [*tick_labels(ax), *ax.texts, ax.xaxis.label, ax.yaxis.label, ax.title]
    # The boxes of slanted texts overlap although the texts do not.
    texts = [text for text in texts if text.get_rotation() in (0.0, 90.0)]
    if ax.get_legend() is not None:
        texts += ax.get_legend().get_texts()
    assert overlaps(texts, display.figure_) == []


FORMULA = r"$\foo$"
DOLLARS = {
    "delta": (
        lambda: delta(name_a=FORMULA, name_b="$5", scoring=FORMULA, title=FORMULA),
        3,
    ),
    "forest": (
        lambda: forest(2, FORMULA + "{}", xlabel=FORMULA, meaning=FORMULA, title="$1$"),
        4,
    ),
    "forest of 1": (lambda: forest(1, FORMULA), 1),
    "posterior": (lambda: posterior(name_a=FORMULA, scoring=FORMULA), 3),
    "regions": (
        lambda: RegionDisplay(
            region_draws(), probabilities=(0.8, 0.15, 0.05), name_b=FORMULA
        ),
        1,
    ),
    "ranks": (lambda: ranking(2, FORMULA + "{}", critical_difference=3.0), 2),
    "heat map": (
        lambda: heatmap(2, FORMULA + "{}", scoring=FORMULA, label=FORMULA),
        7,
    ),
    "disagreement": (lambda: disagreement(name_a=FORMULA, title=FORMULA), 3),
    "disagreement of labels": (lambda: disagreement(labels=(FORMULA, "$")), 2),
    "power": (lambda: powers(title=FORMULA), 1),
    "replicability": (lambda: ReplicabilityDisplay([0.01, 0.3], unit=FORMULA), 2),
}


@pytest.mark.parametrize("scene", DOLLARS)
def test_dollar_signs_in_names_are_drawn_as_written(scene):
    make, count = DOLLARS[scene]
    with plt.rc_context({"svg.fonttype": "none"}), io.StringIO() as file:
        make().plot().figure_.savefig(file, format="svg")
        drawn = re.sub("<!--.*?-->", "", file.getvalue(), flags=re.DOTALL)
    assert drawn.count(FORMULA) == count
    assert r"\$" not in drawn


def test_results_of_models_with_dollar_signs_are_drawn(labels):
    for test in (PairedBootstrap(), McNemar(), PairedTTest(), BayesianComparison()):
        fitted = test.fit_predictions(*labels, names=(FORMULA, "b"))
        display = fitted.result_.plot()
        display.figure_.savefig(io.BytesIO())
        # Formulas that users write on the axes themselves stay formulas.
        display.ax_.set_xlabel(r"$\delta$")
        assert display.ax_.xaxis.label.get_parse_math()


# Forest


def test_a_forest_draws_each_delta_on_its_interval():
    display = forest(4).plot()
    frame = display.frame()
    for row, (dot, bar) in enumerate(
        zip(display.markers_, display.lines_, strict=True)
    ):
        assert dot.get_xydata().tolist() == [[frame.delta.iloc[row], row]]
        assert bar.get_xdata().tolist() == frame[["low", "high"]].iloc[row].tolist()
    top, bottom = display.ax_.get_ylim()[::-1]
    assert top < 0 < 3 < bottom  # the first is on top


def test_highlighted_rows_are_filled_and_the_others_hollow():
    display = forest(3, highlighted=[True, False, False], meaning="better").plot()
    faces = [to_hex(dot.get_markerfacecolor()) for dot in display.markers_]
    assert faces[0] != faces[1] == faces[2] == "#ffffff"
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["better", "not better"]
    assert forest(3).plot().ax_.get_legend() is None


def test_missing_and_endless_intervals():
    display = ForestDisplay(
        ["none", "endless", "nothing"],
        [0.1, 0.2, NAN],
        [[NAN, NAN], [0.1, np.inf], [NAN, NAN]],
    ).plot()
    left, right = display.ax_.get_xlim()
    assert left < 0 < 0.2 < right < 1
    assert np.isnan(display.lines_[0].get_xdata()).all()
    assert display.lines_[1].get_xdata().tolist() == [0.1, right]
    assert display.frame().high.tolist()[1] == np.inf


def test_a_forest_without_reference_does_not_reach_for_zero():
    scores = [0.91, 0.92]
    display = ForestDisplay("ab", scores, np.full((2, 2), NAN), reference=None).plot()
    assert display.ax_.get_xlim()[0] > 0.9


def test_rows_get_smaller_type_where_there_is_little_room():
    ax = plt.figure(figsize=(4, 3)).subplots()
    few, many = forest(3).plot(), forest(40).plot(ax=ax)
    sizes = [d.ax_.get_yticklabels()[0].get_fontsize() for d in (few, many)]
    assert sizes[1] < sizes[0]


def test_labels_are_broken_into_lines_and_truncated_only_if_that_is_not_enough():
    labels = [f"{NAMES['name_a']} {number}" for number in range(3)]
    display = ForestDisplay(labels, np.zeros(3), [[-1.0, 1.0]] * 3).plot()
    drawn = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert [" ".join(label.split("\n")) for label in drawn] == labels
    assert all(label.count("\n") == 1 for label in drawn)
    labels = ["x" * 200, "y"]
    display = ForestDisplay(labels, np.zeros(2), [[-1.0, 1.0]] * 2).plot()
    drawn = display.ax_.get_yticklabels()[0].get_text()
    assert drawn.endswith("\N{HORIZONTAL ELLIPSIS}")
    assert display.frame().index[0] == labels[0]


def test_the_label_of_a_single_row_takes_no_room_from_the_axis():
    label = "RandomForestClassifier - DecisionTreeClassifier"
    display = ForestDisplay([label], [0.0], [[-1.0, 1.0]]).plot()
    assert [text.get_text() for text in display.ax_.texts] == [label]
    display.figure_.canvas.draw()
    assert display.ax_.get_position().width > 0.9


def test_a_single_difference_without_interval_is_in_the_middle_and_says_so(labels):
    rng = np.random.default_rng(0)
    folds = rng.normal(0.8, 0.02, size=(2, 5, 2))
    for result in (
        FiveByTwoCV().fit_scores(*folds).result_,
        SignTest().fit_predictions(*labels).result_,
    ):
        display = result.plot()
        assert np.mean(display.ax_.get_xlim()) == pytest.approx(result.delta)
        left, right = display.ax_.get_xlim()
        assert left < 0 < right
        assert display.ax_.get_xlabel().endswith("\n(no confidence interval)")
    assert "interval" not in forest(1).plot().ax_.get_xlabel()
    with_ends = ForestDisplay(["a"], [0.1], [[-np.inf, np.inf]]).plot()
    assert "interval" not in with_ends.ax_.get_xlabel()


@pytest.fixture(scope="module")
def classical(labels):
    """Results of four tests."""
    tests = [McNemar(), PairedTTest(), SignTest(), WilcoxonSignedRank()]
    return [test.fit_predictions(*labels).result_ for test in tests]


def test_a_forest_of_results_is_labeled_by_the_fields_that_differ(classical, labels):
    display = ForestDisplay.from_results(classical)
    frame = display.frame()
    assert frame.index.tolist() == [result.test for result in classical]
    assert frame.delta.tolist() == [result.delta for result in classical]
    assert frame.highlighted.tolist() == [result.significant for result in classical]
    assert display.ax_.get_xlabel() == "difference in accuracy (A - B)"
    by_metric = PairedBootstrap(scoring=["accuracy", "f1"], n_resamples=19)
    results = by_metric.fit_predictions(*labels).results_
    assert ForestDisplay.from_results(results).frame().index.tolist() == list(results)
    listed = ForestDisplay.from_results(list(results.values()))
    assert listed.frame().index.tolist() == ["accuracy", "f1"]
    assert listed.ax_.get_xlabel() == "difference in score (A - B)"


def test_a_forest_refuses_results_without_a_pvalue(labels):
    posterior = BayesianComparison(n_draws=100).fit_predictions(*labels)
    for results in ([posterior.result_], {"f1": posterior.result_}):
        with pytest.raises(ValueError, match="Got PosteriorResult without pvalue"):
            ForestDisplay.from_results(results)
    with pytest.raises(ValueError, match="without delta and pvalue"):
        ForestDisplay.from_results([posterior])


# Posterior


def test_the_areas_of_a_posterior_are_its_probabilities():
    display = posterior().plot()
    better, equivalent, worse = display.probabilities
    for part, probability in {
        "better": better,
        "equivalent": equivalent,
        "worse": worse,
    }.items():
        (path,) = display.areas_[part].get_paths()
        x, y = path.vertices.T
        area = abs(np.sum(x * np.roll(y, 1) - y * np.roll(x, 1))) / 2
        assert area == pytest.approx(probability, abs=2e-4)
        assert f"{probability:.3f}" in display.texts_[part].get_text()
    assert tuple(display.interval_.get_xdata()) == tuple(display.hdi)


def test_a_region_without_width_is_not_drawn():
    display = posterior(rope=0.0, probabilities=(0.98, 0.0, 0.02)).plot()
    assert set(display.texts_) == {"better", "worse"}
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["HDI"]


def test_a_region_can_be_lopsided():
    frame = posterior(rope=(0.0, 0.03)).frame()
    assert frame[frame.part == "equivalent"].delta.agg(["min", "max"]).tolist() == (
        pytest.approx([0.0, 0.03], abs=5e-4)
    )


def test_probabilities_are_never_rounded_to_certainty():
    display = posterior(probabilities=(0.99999, 0.00001, 0.0), name_a="lr").plot()
    assert display.texts_["better"].get_text() == "lr better\nprobability > 0.999"
    assert "< 0.001" in display.texts_["equivalent"].get_text()
    assert "0.000" in display.texts_["worse"].get_text()


def test_a_posterior_comes_from_a_result():
    law = stats.norm(0.0, 1.0)
    grid = np.linspace(-4, 4, 99)
    result = types.SimpleNamespace(
        density=lambda: (grid, law.pdf(grid)),
        rope=(-0.5, 0.5),
        hdi=(-2.0, 2.0),
        credible_level=0.9,
        probabilities=(0.3, 0.4, 0.3),
        scoring="f1",
        name_a="A",
        name_b="B",
    )
    display = PosteriorDisplay.from_result(result)
    assert display.ax_.get_xlabel() == "difference in f1 (A - B)"
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["ROPE", "90 % HDI"]


def test_probabilities_of_draws_are_drawn_as_they_are_printed(labels):
    y = labels[0]
    right, wrong = y.copy(), np.where(np.arange(len(y)) % 2, y, 1 - y)
    result = BayesianComparison(n_draws=5_000, random_state=0).fit_predictions(
        y, right, wrong
    )
    result = result.result_
    assert result.p_better == 1.0
    texts = result.plot().texts_
    assert "probability > 0.999" in texts["better"].get_text()
    assert "probability < 0.001" in texts["worse"].get_text()
    assert result.row()["P(A better)"] == "> 0.999"
    rng = np.random.default_rng(0)
    scores = rng.normal(0.5, 0.01, 30), rng.normal(0.3, 0.01, 30)
    test = BayesianSignedRank(n_draws=5_000, random_state=0).fit_scores(*scores)
    assert test.result_.p_better == 1.0
    better, equivalent, _ = (text.get_text() for text in test.result_.plot().texts_)
    assert "probability > 0.999" in better
    assert "probability < 0.001" in equivalent
    assert "probability > 0.999" not in equivalent


def test_a_posterior_that_is_a_point_is_drawn_without_probabilities():
    truth = np.tile([0.1, 0.3], 20)
    test = BayesianComparison(scoring="neg_mean_absolute_error", n_draws=200)
    with pytest.warns(ComparisonWarning, match="single point"):
        test.fit_predictions(truth, truth + 0.1, truth - 0.1)
    assert test.result_.row()["P(A better)"] == "nan"
    texts = [text.get_text() for text in test.result_.plot().texts_.values()]
    assert all(text.endswith("probability nan") for text in texts)


# Critical difference


@pytest.mark.parametrize(
    ("critical_difference", "groups"),
    [
        # alpha = 0.10: only C4.5 is worse than the two best.
        (1.12, [("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5")]),
        # alpha = 0.05: no pair differs significantly.
        (1.25, [("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")]),
        (0.01, []),
        (None, []),
    ],
)
def test_groups_are_those_of_the_published_diagram(critical_difference, groups):
    display = ranking(critical_difference=critical_difference).plot()
    assert display.joined == groups
    assert len(display.bars_) == len(groups)
    assert len(display.frame().columns) == 1 + len(groups)


def test_groups_are_the_largest_sets_within_the_critical_difference(random_seed):
    rng = np.random.default_rng(random_seed)
    ranks, width = rng.uniform(1, 12, size=12), 2.0
    names = [f"m{i}" for i in range(12)]
    display = CriticalDifferenceDisplay(names, ranks, critical_difference=width)
    near = np.abs(ranks[:, None] - ranks) < width
    groups = [{names.index(name) for name in group} for group in display.joined]
    for group in groups:
        assert near[np.ix_(list(group), list(group))].all()
        assert not any(group < other for other in groups)
    for i, j in np.argwhere(np.triu(near, k=1)):
        assert any({i, j} <= group for group in groups)


def test_names_are_in_order_and_lines_do_not_cross():
    display = ranking().plot()
    drawn = [text.get_text() for text in display.texts_]
    assert drawn == ["C4.5+m+cf  1.96", "C4.5+m  2.00", "2.89  C4.5+cf", "3.14  C4.5"]
    left, right = display.ax_.get_xlim()
    assert left > right  # best on the right
    xs = [text.xy[0] for text in display.texts_]
    assert xs == [right, right, left, left]
    heights = [text.xy[1] for text in display.texts_]
    assert heights[0] < heights[1]
    assert heights[2] > heights[3]


def test_the_axis_of_ranks_is_labeled():
    assert ranking().plot().ax_.get_xlabel() == "mean rank"


def test_a_model_by_itself_has_no_bar():
    display = ranking(groups=[["C4.5+m+cf"], ["C4.5", "C4.5+cf"]]).plot()
    assert display.joined == [("C4.5+cf", "C4.5")]
    assert len(display.bars_) == 1


def test_results_of_ranks_are_drawn_with_their_own_groups():
    rng = np.random.default_rng(0)
    scores = {f"m{i}": rng.normal(size=20) + 0.55 * i for i in range(4)}
    result = RankComparison(correction="holm").fit_scores(scores).result_
    display = CriticalDifferenceDisplay.from_result(result)
    assert display.joined == [
        group for group in result.indistinguishable if len(group) > 1
    ]
    assert display.joined == result.plot().joined
    # In steps, models that are closer than that differ significantly.
    reach = {"critical_difference": result.critical_difference}
    by_reach = CriticalDifferenceDisplay(result.names, result.mean_ranks, **reach)
    assert by_reach.joined != display.joined


PREDICTIONS = (
    np.tile([0, 1, 1, 0], 25),
    {
        "a": np.tile([0, 1, 1, 1], 25),
        "b": np.tile([0, 1, 0, 1], 25),
        "c": np.tile([0, 0, 1, 1], 25),
    },
)


def test_a_result_without_resamples_has_no_distribution_to_draw(labels):
    result = McNemar().fit_predictions(*labels).result_
    with pytest.raises(ValueError, match=r"with resamples\. Got .* without distr"):
        DeltaDisplay.from_result(result)


@pytest.mark.parametrize(
    ("display", "message"),
    [
        (CriticalDifferenceDisplay, "a result of RankComparison or FriedmanTest"),
        (DeltaDisplay, "a ComparisonResult, of two models"),
        (ForestDisplay, "a ComparisonResult, of two models"),
        (DisagreementDisplay, "a result of McNemar"),
        (PosteriorDisplay, "a PosteriorResult, of a Bayesian comparison"),
        (PowerDisplay, "a result of `power`"),
        (RegionDisplay, "a RegionResult, of several data sets"),
        (ReplicabilityDisplay, "a result of `replicability_analysis`"),
    ],
)
def test_a_result_of_another_kind_is_refused_with_a_remedy(display, message):
    comparison = PairwiseComparison(random_state=0).fit_predictions(*PREDICTIONS)
    for argument, kind, remedy in (
        (comparison.result_, "PairwiseResult", r"Call its plot\(\) instead\."),
        (comparison, "PairwiseComparison", r"Pass its result_\."),
        ("a word", "str", "$"),
    ):
        expected = rf"`result` must be {message}.* Got {kind} without .*{remedy}"
        with pytest.raises(ValueError, match=expected):
            display.from_result(argument)


def test_cochrans_result_has_no_mean_ranks_to_draw():
    result = CochranQ().fit_predictions(*PREDICTIONS).result_
    with pytest.raises(ValueError, match="OmnibusResult without mean_ranks"):
        CriticalDifferenceDisplay.from_result(result)


def test_groups_that_are_passed_are_joined_member_by_member():
    display = ranking(groups=[["C4.5", "C4.5+m+cf"]]).plot()
    assert display.joined == [("C4.5+m+cf", "C4.5")]
    assert display.bars_[0].get_xdata().tolist() == [1.964, 3.143]


def test_bars_that_would_cover_each_other_are_stacked():
    groups = [["C4.5", "C4.5+m"], ["C4.5+cf", "C4.5+m+cf"]]
    heights = {bar.get_ydata()[0] for bar in ranking(groups=groups).plot().bars_}
    assert len(heights) == 2
    groups = [["C4.5", "C4.5+cf"], ["C4.5+m", "C4.5+m+cf"]]
    heights = {bar.get_ydata()[0] for bar in ranking(groups=groups).plot().bars_}
    assert len(heights) == 1


def test_the_ruler_is_as_long_as_the_critical_difference():
    ax = ranking(critical_difference=1.12).plot().ax_
    ruler = next(line for line in ax.lines if line.get_marker() == "|")
    assert np.ptp(ruler.get_xdata()) == pytest.approx(1.12)
    assert not any(line.get_marker() == "|" for line in ranking().plot().ax_.lines)


# Heat map


def lightness(color):
    return float(np.dot(to_rgb(color[:3]), [0.299, 0.587, 0.114]))


def test_smaller_pvalues_are_darker_also_in_gray():
    pvalues = np.full((3, 3), NAN)
    pvalues[0, 1:], pvalues[1, [0, 2]] = [0.0005, 0.005], [0.04, 0.3]
    cells = PValueHeatmapDisplay("abc", pvalues).plot().cells_
    order = [cells[where] for where in ((0, 1), (0, 2), (1, 0), (1, 2))]
    shades = [lightness(cell.get_facecolor()) for cell in order]
    assert np.diff(shades).min() > 0.1


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_shades_and_marks_change_at_alpha_itself(alpha):
    pvalues = [[NAN, alpha], [np.nextafter(alpha, 1), NAN]]
    display = PValueHeatmapDisplay("ab", pvalues, alpha=alpha).plot()
    shades = [lightness(display.cells_[i].get_facecolor()) for i in ((0, 1), (1, 0))]
    assert shades[0] < shades[1] - 0.1
    assert display.texts_[0, 1].get_text().startswith("*")
    assert not display.texts_[1, 0].get_text().startswith("*")
    assert display.frame().significant.tolist() == [True, False]


def test_marks_name_the_better_model():
    display = PValueHeatmapDisplay(
        "ab", [[NAN, 0.012], [0.012, NAN]], deltas=[[0.0, 0.1], [-0.1, 0.0]]
    ).plot()
    assert display.texts_[0, 1].get_text() == "+\n.012"
    assert display.texts_[1, 0].get_text() == "\N{MINUS SIGN}\n.012"
    assert display.texts_[0, 0].get_text() == ""


def test_many_models_have_marks_without_numbers():
    texts = [t.get_text() for t in heatmap(13).plot().texts_.flat]
    assert set(texts) == {"", "+", "\N{MINUS SIGN}"}
    assert any("." in t.get_text() for t in heatmap(12).plot().texts_.flat)


@pytest.mark.parametrize(
    ("pvalue", "alpha", "text"),
    [
        (0.0495, 0.05, ".0495"),
        (0.0504, 0.05, ".0504"),
        (0.04996, 0.05, ".04996"),
        (0.05, 0.05, ".050"),
        (0.0123, 0.05, ".012"),
        (0.00051, 0.0005, ".00051"),
        (0.0009, 0.05, "<.001"),
        (0.99999, 0.05, "1.000"),
    ],
)
def test_a_pvalue_near_the_level_is_not_rounded_to_it(pvalue, alpha, text):
    pvalues = [[NAN, pvalue], [pvalue, NAN]]
    display = PValueHeatmapDisplay("ab", pvalues, alpha=alpha).plot()
    assert display.texts_[0, 1].get_text().rpartition("\n")[2] == text


def test_names_of_many_models_are_not_truncated():
    for n_models in (12, 30):
        display = heatmap(n_models, LONG).plot()
        drawn = [x.get_text().replace("\n", " ") for x in tick_labels(display.ax_)]
        assert drawn == 2 * list(display.names)


def test_pvalues_need_not_be_symmetric():
    pvalues = [[NAN, 0.01], [0.99, NAN]]
    frame = PValueHeatmapDisplay(["x", "y"], pvalues).frame()
    assert frame.pvalue.tolist() == [0.01, 0.99]
    assert frame.row.tolist() == ["x", "y"]


def test_the_bar_of_shades_is_a_choice():
    (bar,) = heatmap().plot().ax_.child_axes
    assert bar.get_xlabel() == "p-value"
    assert not heatmap().plot(colorbar=False).ax_.child_axes


# Disagreement


def test_the_table_is_that_of_mcnemar(labels):
    result = McNemar().fit_predictions(*labels).result_
    display = DisagreementDisplay.from_predictions(*labels, names=("lr", "nb"))
    np.testing.assert_array_equal(display.table, result.table)
    assert display.ax_.get_ylabel() == "A (lr)"
    assert display.ax_.get_xlabel() == "B (nb)"
    counts = [int(text.get_text().split("\n")[0]) for text in display.texts_.flat]
    assert counts == result.table.ravel().tolist()


def legend_of(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_the_plot_of_mcnemar_has_the_verdict_the_pvalue_and_the_meaning_of_colors(
    labels,
):
    result = McNemar().fit_predictions(*labels, names=("lr", "nb")).result_
    display = result.plot()
    verdict, test = display.ax_.get_title().split("\n")
    assert f"{verdict}." == result.verdict()
    assert test == f"McNemar, accuracy: p = {result.pvalue:.4f}"
    assert legend_of(display) == [
        "both models are right, or both are wrong",
        "only A (lr) is right",
        "only B (nb) is right",
    ]
    keys = display.ax_.get_legend().get_patches()
    cells = [display.cells_[cell] for cell in ((0, 0), (0, 1), (1, 0))]
    assert [key.get_hatch() for key in keys] == [cell.get_hatch() for cell in cells]
    most = max(cells[1:], key=lambda cell: 1 - lightness(cell.get_facecolor()))
    assert any(np.allclose(most.get_facecolor(), x.get_facecolor()) for x in keys)
    assert keys[0].get_facecolor() == cells[0].get_facecolor()


def test_a_plot_of_predictions_has_a_title_and_the_meaning_of_colors(labels):
    make = DisagreementDisplay.from_predictions
    assert "predict them right" in make(*labels).ax_.get_title()
    display = make(*labels, kind="predictions")
    assert display.ax_.get_title() == "Rows by the predictions of two models"
    assert [" ".join(text.split()) for text in legend_of(display)] == [
        "equal predictions",
        "different predictions",
        "the same two predictions, the other way around",
    ]


def test_predictions_are_counted_like_a_confusion_matrix():
    rng = np.random.default_rng(0)
    truth, a, b = rng.choice(["cat", "dog", "eel"], size=(3, 50))
    display = DisagreementDisplay.from_predictions(truth, a, b, kind="predictions")
    np.testing.assert_array_equal(display.table, confusion_matrix(a, b))
    assert display.frame().loc["cat", "eel"] == np.sum((a == "cat") & (b == "eel"))


def test_rows_with_several_labels_are_right_if_all_are():
    truth = np.array([[0, 1], [1, 1], [0, 0]])
    a, b = truth.copy(), truth.copy()
    a[0, 0], b[:2] = 1, 1 - truth[:2]
    display = DisagreementDisplay.from_predictions(truth, a, b)
    assert display.table.tolist() == [[1, 1], [0, 1]]


def test_estimators_predict_and_are_named_by_their_class(classification, classifiers):
    *_, X, y = classification
    display = DisagreementDisplay.from_estimators(*classifiers, X, y)
    assert display.frame().index.name == "LogisticRegression"
    result = McNemar(*classifiers).fit(X, y).result_
    np.testing.assert_array_equal(display.table, result.table)


def test_agreement_is_gray_and_the_two_kinds_of_disagreement_differ():
    cells = disagreement().plot().cells_
    for cell in (cells[0, 0], cells[1, 1]):
        assert np.ptp(cell.get_facecolor()[:3]) < 0.01
    only_a, only_b = cells[0, 1], cells[1, 0]
    assert only_a.get_facecolor() != only_b.get_facecolor()
    assert not only_a.get_hatch()
    assert only_b.get_hatch()


def test_models_that_always_agree_can_be_drawn():
    DisagreementDisplay([[10, 0], [0, 0]]).plot().figure_.canvas.draw()
    DisagreementDisplay([[0, 0], [0, 0]]).plot().figure_.canvas.draw()


# Delta


@pytest.mark.parametrize(
    ("test", "alternative", "times_observed"),
    [
        (PairedBootstrap, "greater", [0, 1, 2]),
        (PairedBootstrap, "two-sided", [0, 1, 2]),
        (ApproxRandomization, "two-sided", [-1, 0, 1]),
        (ApproxRandomization, "greater", [0, 1]),
    ],
)
def test_zero_the_observed_and_the_limit_are_marked(
    test, alternative, times_observed, labels
):
    fitted = test(alternative=alternative, n_resamples=99, random_state=0)
    display = fitted.fit_predictions(*labels).result_.plot()
    upright = [line.get_xdata() for line in display.ax_.lines]
    marked = sorted(x[0] for x in upright if x[0] == x[1])
    assert marked == pytest.approx(np.multiply(times_observed, fitted.delta_))
    assert len(display.regions_) == (2 if alternative == "two-sided" else 1)


COUNTING = [
    *(PairedBootstrap(method=m) for m in ("shift", "percentile", "studentized")),
    PairedBootstrap(n_resamples="auto", method="percentile"),
    *(
        ApproxRandomization(statistic=s, method="monte-carlo")
        for s in ("difference", "studentized")
    ),
    ApproxRandomization(n_resamples="auto", statistic="studentized"),
]


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("swapped", [False, True], ids=["A better", "B better"])
@pytest.mark.parametrize("test", COUNTING, ids=repr)
def test_the_resamples_that_the_pvalue_counts_are_shaded(
    test, alternative, swapped, labels
):
    truth, a, b = labels
    test = clone(test).set_params(scoring="f1", alternative=alternative, random_state=0)
    result = test.fit_predictions(truth, *((b, a) if swapped else (a, b))).result_
    frame = result.plot().frame()
    assert frame.exceeding.sum() == result.n_exceeding > 0
    assert len(frame) == result.n_resamples


def test_resamples_of_a_ranking_metric_beyond_0_are_shaded():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=200)
    a, b = (
        {"decision_function": truth * gap + rng.normal(size=200)} for gap in (0.9, 0.5)
    )
    test = PairedBootstrap(scoring="roc_auc", random_state=0)
    result = test.fit_predictions(truth, a, b).result_
    assert result.method == "percentile"
    display = result.plot()
    frame = display.frame()
    assert frame.exceeding.sum() == result.n_exceeding > 0
    assert (frame.exceeding == (frame.delta <= 0)).all()
    assert "counted by the p-value: 0 or less (shaded)" in legend_of(display)[1]
    (region,) = display.regions_
    outline = region.get_path().transformed(region.get_patch_transform())
    assert outline.get_extents().x1 == 0


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")
@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_a_single_resample_is_a_bar_of_finite_width(test, labels):
    test = test(n_resamples=1, random_state=0)
    display = test.fit_predictions(*labels).result_.plot()
    display.figure_.savefig(io.BytesIO())
    (value,) = display.distribution
    (bar,) = [bar for bar in display.ax_.patches if bar.get_height() == 1][:1]
    left, right = bar.get_x(), bar.get_x() + bar.get_width()
    assert left < value < right
    assert right - left <= max(0.1, abs(value))


def test_undefined_resamples_count_and_are_not_drawn(labels):
    truth, a, b = labels
    few = np.r_[np.flatnonzero(truth == 1)[:2], np.flatnonzero(truth == 0)[:30]]
    scores = [{"decision_function": x[few].astype(float)} for x in (a, b)]
    test = PairedBootstrap(scoring="roc_auc", n_resamples=199, random_state=0)
    with pytest.warns(ComparisonWarning):
        result = test.fit_predictions(truth[few], *scores).result_
    display = result.plot()
    shaded = display.frame().exceeding.sum()
    assert result.n_undefined > 0
    assert shaded == result.n_exceeding - result.n_undefined
    words = " ".join(legend_of(display)[1].split())
    assert f"(shaded), and {result.n_undefined} undefined, p = " in words


def bars(display):
    """Return the left ends, right ends, and heights of all bars, and of shaded ones."""
    return [
        np.array([(x.get_x(), x.get_x() + x.get_width(), x.get_height()) for x in part])
        for part in display.ax_.containers
    ]


DISCRETE = {
    "f1": lambda seed: ApproxRandomization(scoring="f1", method="monte-carlo"),
    "balanced accuracy": lambda seed: ApproxRandomization(
        scoring="balanced_accuracy", statistic="difference"
    ),
    "accuracy": lambda seed: PairedBootstrap(scoring="accuracy"),
}


@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
@pytest.mark.parametrize("metric", DISCRETE)
def test_histograms_of_discrete_differences_do_not_look_like_combs(metric, alternative):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        truth = rng.integers(2, size=250)
        a, b = (np.where(rng.random(250) < p, truth, 1 - truth) for p in (0.86, 0.8))
        test = DISCRETE[metric](seed).set_params(
            alternative=alternative, random_state=seed
        )
        result = test.fit_predictions(truth, a, b).result_
        heights = bars(result.plot())[0][:, 2]
        # The depth of valleys between two bars, in Poisson standard errors.
        lower = np.minimum(heights[:-2], heights[2:])
        valleys = (lower - heights[1:-1]) / np.sqrt(lower + 1)
        assert valleys.max() < 5
        plt.close("all")


@pytest.mark.parametrize("test", COUNTING[:2] + COUNTING[4:5], ids=repr)
@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("scoring", ["accuracy", "f1"])
def test_no_bar_is_on_both_sides_of_a_limit(test, alternative, scoring, labels):
    test = clone(test).set_params(
        scoring=scoring, alternative=alternative, n_resamples=999, random_state=0
    )
    display = test.fit_predictions(*labels).result_.plot()
    everything, shaded = bars(display)
    frame = display.frame()
    for left, right, height in shaded:
        inside = frame.exceeding[(left < frame.delta) & (frame.delta < right)]
        assert inside.nunique() <= 1
        assert inside.all() == (height > 0) or not len(inside)
    assert set(everything[:, 0]) <= set(shaded[:, 0])
    assert len(shaded) <= len(everything) + (alternative == "two-sided")


def test_bars_contain_each_resample_once():
    rng = np.random.default_rng(0)
    draws = {
        "normal": rng.normal(size=999),
        "steps": rng.binomial(40, 0.5, size=999) / 40 - 0.5,
        "many steps": rng.binomial(4000, 0.5, size=999) / 4000 - 0.5,
        "two": np.array([0.0, 1.0]),
    }
    for values in draws.values():
        for alternative in ("greater", "two-sided"):
            options = {"delta": np.std(values), "center": 0.0}
            display = DeltaDisplay(values, alternative=alternative, **options).plot()
            assert bars(display)[0][:, 2].sum() == len(values)
            plt.close("all")


def test_steps_are_in_the_middle_of_their_bars():
    values = np.repeat([-0.2, -0.1, 0.0, 0.1, 0.3], [2, 3, 5, 3, 1])
    options = {"delta": 0.1, "center": 0.0, "alternative": "greater"}
    left, right, heights = bars(DeltaDisplay(values, **options).plot())[0].T
    np.testing.assert_allclose((left + right) / 2, [-0.2, -0.1, 0.0, 0.1, 0.2, 0.3])
    np.testing.assert_allclose(heights, [2, 3, 5, 3, 0, 1])


def test_names_beside_0_are_whole():
    names = {"name_a": "RandomForestClassifier", "name_b": "DecisionTreeClassifier"}
    texts = {text.get_text() for text in delta(**names).plot().ax_.texts}
    assert texts == {
        "\N{LEFTWARDS ARROW} B (DecisionTreeClassifier) better",
        "A (RandomForestClassifier) better \N{RIGHTWARDS ARROW}",
    }
    drawn = posterior(**names).plot()
    assert drawn.texts_["better"].get_text().startswith("RandomForestClassifier\nbett")
    label = " ".join(drawn.ax_.get_xlabel().split())
    assert label.endswith("(RandomForestClassifier - DecisionTreeClassifier)")


def test_the_region_that_counts_is_shaded_even_if_no_resample_is_there():
    display = delta(delta=9.0).plot()
    (region,) = display.regions_
    assert not display.exceeding.any()
    # A rectangle since matplotlib 3.9, a polygon before.
    outline = region.get_path().transformed(region.get_patch_transform())
    assert outline.get_extents().x0 == 9.0
    left, right = display.ax_.get_xlim()
    assert left > -9
    assert right < 12


# Power


@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_the_curve_of_power_is_close_to_that_of_a_t_test(alternative):
    options = {"alpha": 0.05, "alternative": alternative}
    sizes = [100, 300, 1_000, 3_000]
    exact = [paired_t_power(0.02, 0.3, n, **options) for n in sizes]
    n_needed = next(
        n for n in range(2, 9_999) if paired_t_power(0.02, 0.3, n, **options) >= 0.8
    )
    frame = PowerDisplay(100, exact[0], n_needed=n_needed, **options).frame()
    curve = np.interp(sizes, frame.n_rows, frame.power)
    np.testing.assert_allclose(curve, exact, atol=0.003)


def test_both_numbers_of_rows_are_drawn(labels):
    result = power(McNemar(), *labels, effect=0.1)
    display = result.plot()
    assert display.marker_.lines[0].get_xydata().tolist() == [[60, result.power]]
    needed = [[result.n_needed, 0.8]]
    assert display.needed_.get_xydata().tolist() == needed
    assert "McNemar" in display.ax_.get_title()
    curve = display.frame()
    assert np.interp(result.n_needed, curve.n_rows, curve.power) == pytest.approx(
        0.8, abs=1e-3
    )


def test_without_a_number_of_rows_that_is_enough_there_is_no_curve():
    display = powers(n_needed=None).plot()
    assert len(display.frame()) == 0
    assert display.needed_ is None


# Results


@pytest.mark.parametrize(
    ("test", "display"),
    [
        (McNemar, DisagreementDisplay),
        (PairedTTest, ForestDisplay),
        (SignTest, ForestDisplay),
        (WilcoxonSignedRank, ForestDisplay),
        (PairedBootstrap, DeltaDisplay),
        (ApproxRandomization, DeltaDisplay),
    ],
)
def test_every_result_of_two_models_has_a_plot(test, display, labels):
    result = test().fit_predictions(*labels).result_
    _, ax = plt.subplots()
    drawn = result.plot(ax=ax)
    assert isinstance(drawn, display)
    assert drawn.ax_ is ax


def test_a_forest_of_one_result_has_its_verdict_and_pvalue(classical):
    display = classical[1].plot()
    assert list(display.labels) == ["A - B"]
    verdict, test = display.ax_.get_title().split("\n")
    assert f"{verdict}." == classical[1].verdict()
    assert test == f"PairedTTest, accuracy: p = {classical[1].pvalue:.4f}"
    low, high = classical[1].confidence_interval
    assert display.lines_[0].get_xdata().tolist() == [low, high]


def test_results_of_several_models_have_plots():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(12, 4)) + np.arange(4)
    ranked = FriedmanTest().fit_scores(scores).result_.plot()
    assert isinstance(ranked, CriticalDifferenceDisplay)
    ranks = stats.rankdata(-scores, axis=1).mean(axis=0)
    assert ranked.frame().mean_rank.tolist() == pytest.approx(sorted(ranks))
    truth = rng.integers(2, size=60)
    predictions = {name: rng.integers(2, size=60) for name in "abc"}
    scored = CochranQ().fit_predictions(truth, predictions).result_.plot()
    assert isinstance(scored, ForestDisplay)
    assert scored.frame().delta.tolist() == pytest.approx(
        [np.mean(predicted == truth) for predicted in predictions.values()]
    )


# Bad input


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ForestDisplay([], [], []), "`labels` must have at least one entry"),
        (
            lambda: ForestDisplay("ab", [1.0], [[0, 1]] * 2),
            r"`deltas` must have shape \(2,\). Got \(1,\)",
        ),
        (
            lambda: ForestDisplay("ab", [1, 2], [0, 1]),
            r"`intervals` must have shape \(2, 2\)",
        ),
        (lambda: ForestDisplay("a", ["x"], [[0, 1]]), "`deltas` must be numbers"),
        (
            lambda: PValueHeatmapDisplay("ab", [[NAN, 1.5], [0, NAN]]),
            "`pvalues` must lie between 0 and 1, or be nan. Got 1.5",
        ),
        (lambda: heatmap(3, deltas=[1.0]), r"`deltas` must have shape \(3, 3\)"),
        (
            lambda: ranking(groups=[["C5"]]),
            r"`groups` must contain only `names`.*C5",
        ),
        (
            lambda: CriticalDifferenceDisplay("ab", [1.0]),
            r"`mean_ranks` must have shape \(2,\)",
        ),
        (lambda: posterior(rope=(1, 2, 3)), r"`rope` must be .* a pair \(low, high\)"),
        (lambda: posterior(probabilities=[1.0]), r"`probabilities` must have shape"),
        (lambda: DisagreementDisplay([[1, 2]]), r"`table` must have shape \(2, 2\)"),
    ],
)
def test_inconsistent_values_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make().plot()


def test_predictions_are_checked(labels):
    truth, a, b = labels
    make = DisagreementDisplay.from_predictions
    with pytest.raises(ValueError, match="`y_pred_b` must have one entry per row"):
        make(truth, a, b[:-1])
    with pytest.raises(ValueError, match="`kind` must be one of 'right', 'pred"):
        make(truth, a, b, kind="wrong")
    with pytest.raises(ValueError, match=r"`names` must have 2 entries\. Got 1"):
        make(truth, a, b, names=["A"])


def region_draws(n_draws=200):
    return np.random.default_rng(0).dirichlet([4.0, 2.0, 1.0], n_draws)


def test_regions_are_drawn_nearest_to_the_corner_of_the_largest_share():
    draws = region_draws()
    display = RegionDisplay(draws, probabilities=(0.8, 0.15, 0.05), name_a="svm").plot()
    corners = np.array([[1, 0], [0.5, np.sqrt(0.75)], [0, 0]])
    dots = display.dots_.get_offsets()
    distances = np.linalg.norm(dots[:, np.newaxis] - corners, axis=2)
    np.testing.assert_array_equal(distances.argmin(axis=1), draws.argmax(axis=1))
    written = [text.get_text() for text in display.texts_]
    assert written[0] == "svm better\nprobability 0.800"
    assert written[2] == "B better\nprobability 0.050"
    assert display.frame().shape == (200, 3)
    plt.close(display.figure_)


def test_many_draws_are_thinned():
    display = RegionDisplay(region_draws(20_000), probabilities=(1, 0, 0)).plot()
    assert len(display.dots_.get_offsets()) == 5_000
    plt.close(display.figure_)


def test_regions_must_be_three():
    with pytest.raises(
        ValueError, match=r"`regions` must have shape \(2, 3\)\. Got \(2, 2\)"
    ):
        RegionDisplay([[0.5, 0.5], [0.1, 0.9]], probabilities=(1, 0, 0)).plot()


def test_a_comparison_over_data_sets_can_be_drawn():
    a = np.array([0.8, 0.82, 0.9, 0.7, 0.75, 0.88])
    test = BayesianSignedRank(random_state=0, n_draws=500).fit_scores(a, a - 0.03)
    display = test.result_.plot()
    assert isinstance(display, RegionDisplay)
    assert "A better" in display.texts_[0].get_text()
    plt.close(display.figure_)


def test_axes_that_are_none_are_named():
    with pytest.raises(
        ValueError, match=r"`ax` must be matplotlib.*Got 'forest'.*keyword"
    ):
        RegionDisplay(region_draws(), probabilities=(1, 0, 0)).plot("forest")


@pytest.mark.parametrize("make", [delta, powers])
def test_a_side_that_does_not_exist_is_refused_before_anything_is_drawn(make):
    with pytest.raises(ValueError, match=r"`alternative` must be one of .*'up'"):
        make(alternative="up")


@pytest.mark.parametrize("make", [heatmap, powers])
def test_a_level_that_does_not_exist_is_refused_before_anything_is_drawn(make):
    with pytest.raises(ValueError, match="`alpha` must lie strictly between 0 and 1"):
        make(alpha=2)
