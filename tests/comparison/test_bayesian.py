"""Bayesian comparison of two models, against closed forms and plain loops."""

import re

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn import metrics
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import RepeatedKFold
from sklearn.naive_bayes import GaussianNB

from skcompare import BayesianComparison, BayesianCorrelatedTTest
from skcompare.exceptions import (
    DegenerateDataWarning,
    MultimodalPosteriorWarning,
    ParameterError,
    PooledScoreWarning,
    SmallSampleWarning,
)
from tests.rates import assert_level

# The example of Jurafsky and Martin: precision .727, recall .8, F1 .762.
TP, FP, FN, TN = 80, 30, 20, 70


def from_counts(tp, fp, fn, tn):
    """Return truth and predictions with these counts."""
    return np.repeat([1, 0, 1, 0], [tp, fp, fn, tn]), np.repeat(
        [1, 1, 0, 0], [tp, fp, fn, tn]
    )


def assert_same_distribution(draws, distribution):
    """Compare draws with a distribution: five standard errors of a quantile."""
    for share in (0.025, 0.25, 0.5, 0.75, 0.975):
        below = np.mean(draws <= distribution.ppf(share))
        error = np.sqrt(share * (1 - share) / len(draws))
        assert abs(below - share) < 5 * error, share


def assert_same_draws(first, second):
    """Check that two sets of draws may come from the same distribution."""
    assert stats.ks_2samp(first, second).pvalue > 1e-4


# ----------------------------------------------------------- the hierarchical kind


def hierarchical(scoring, **params):
    return BayesianComparison(
        scoring=scoring,
        posterior="hierarchical",
        **{"n_draws": 20_000, "random_state": 0, **params},
    )


def test_confusion_matrices_follow_their_hyperposterior():
    """Against draws from the prior, weighed by the likelihood."""
    truth = np.repeat([0, 1, 2], [6, 9, 15])
    wrong = np.isin(np.arange(30), [0, 7, 8, 16, 20, 25])
    pred = np.where(wrong, (truth + 1) % 3, truth)
    test = hierarchical("accuracy", prior=1.0).fit_predictions(truth, pred, truth)
    rng, n = np.random.default_rng(1), 200_000
    sizes, hits = np.array([6, 9, 15]), np.array([5, 7, 12])
    s = np.exp(rng.uniform(np.log(0.5), np.log(500), (n, 1)))
    own, other = s * rng.random((n, 1)), 0
    other = s - own
    right = rng.beta(own, other, (n, 3))
    # Of two other classes all errors go to one.
    halves = np.clip(rng.beta(other / 2, other / 2, (n, 3)), 1e-300, None)
    errors = (sizes - hits) * (np.log1p(-np.clip(right, 0, 1 - 1e-15)) + np.log(halves))
    log = (hits * np.log(np.clip(right, 1e-300, 1)) + errors).sum(axis=1)
    weights = np.exp(log - log.max())
    expected = (rng.dirichlet(sizes + 1.0, n) * right).sum(axis=1)
    mean = np.average(expected, weights=weights)
    spread = np.sqrt(np.average((expected - mean) ** 2, weights=weights))
    assert test.posterior_a_.mean() == pytest.approx(mean, abs=0.005)
    assert test.posterior_a_.std() == pytest.approx(spread, rel=0.05)


def test_the_posterior_of_average_f1_is_that_of_numerical_integration():
    """Two classes of 12 and 30 rows, of which 9 and 25 are right.

    Right predictions of a class are beta-binomial; given both parameters, shares of
    classes and of right predictions are beta, and are integrated over quantiles.
    """
    truth = np.repeat([0, 1], [12, 30])
    pred = truth.copy()
    pred[[0, 1, 2, 20, 21, 22, 23, 24]] ^= 1
    test = hierarchical("f1_macro", prior=1.0, n_draws=50_000)
    draws = test.fit_predictions(truth, pred, truth).posterior_a_
    nodes, weights = np.polynomial.legendre.leggauss(16)
    points, weights = (nodes + 1) / 2, weights / 2
    logs = np.log(0.5) + np.log(1_000) * points
    total = first = second = 0.0
    for i, j in np.ndindex(16, 16):
        s, m = np.exp(logs[i]), points[j]
        own, other = s * m, s * (1 - m)
        share = weights[i] * weights[j]
        for right, size in ((9, 12), (25, 30)):
            share *= stats.betabinom.pmf(right, size, own, other)
        class_0 = stats.beta.ppf(points, 12 + 1, 30 + 1)[:, None, None]
        right_0 = stats.beta.ppf(points, 9 + own, 3 + other)[:, None]
        right_1 = stats.beta.ppf(points, 25 + own, 5 + other)
        hits = class_0 * right_0, (1 - class_0) * right_1
        misses = 1 - hits[0] - hits[1]
        f1 = sum(hit / (2 * hit + misses) for hit in hits)
        moments = [np.einsum("i,j,k,ijk", *[weights] * 3, f1**p) for p in (1, 2)]
        total, first = total + share, first + share * moments[0]
        second += share * moments[1]
    mean = first / total
    spread = np.sqrt(second / total - mean**2)
    assert draws.mean() == pytest.approx(mean, abs=4 * spread / np.sqrt(50_000))
    assert draws.std() == pytest.approx(spread, rel=0.02)


def test_rare_classes_borrow_from_others():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(10), [90, 90, 90, 90, 90, 3, 3, 3, 3, 3])
    a = np.where(rng.random(465) < 0.8, truth, rng.integers(10, size=465))
    b = np.where(rng.random(465) < 0.8, truth, rng.integers(10, size=465))
    together = hierarchical("recall_macro").fit_predictions(truth, a, b).result_
    apart = independent("recall_macro").fit_predictions(truth, a, b).result_
    assert np.ptp(together.hdi) < np.ptp(apart.hdi)
    assert together.engine == "gamma/confusion"
    assert "all classes of a model share" in together.model


def test_the_hierarchical_kind_needs_labels_and_plain_rows(slp):
    rows = np.arange(200)
    with pytest.raises(ValueError, match="treats every row as an independent draw"):
        hierarchical("f1").fit_predictions(*slp, groups=rows // 2)
    with pytest.raises(ValueError, match="needs whole counts"):
        hierarchical("f1").fit_predictions(*slp, sample_weight=rows + 1)
    with pytest.raises(ValueError, match="supports only metrics of one label per row"):
        hierarchical("neg_mean_squared_error").fit_predictions(*slp)
    with pytest.warns(DegenerateDataWarning, match="ignores that they"):
        hierarchical("f1").fit_predictions(slp[0], slp[1], slp[1])


@pytest.mark.parametrize("posterior", ["independent", "hierarchical", "paired"])
def test_a_metric_is_refused_before_any_is_drawn(posterior, slp, monkeypatch):
    def draw(*_, **__):
        raise AssertionError

    def largest(y_true, y_pred):
        return np.max(y_true - y_pred)

    monkeypatch.setattr("skcompare.comparison._bayesian.draw", draw)
    scoring = {"accuracy": "accuracy", "largest": make_scorer(largest)}
    test = BayesianComparison(scoring=scoring, posterior=posterior)
    with pytest.raises(ValueError, match="the scorer 'largest'"):
        test.fit_predictions(*slp)


def test_a_bound_that_some_weights_exceed_is_noticed():
    """At full size only, where no fewer rows would show it."""

    def bounded(y_true, y_pred, sample_weight=None):
        value = np.average(y_true == y_pred, weights=sample_weight)
        return min(value, bound) if len(y_true) == 300 else value

    y, a, b = np.random.default_rng(0).integers(2, size=(3, 300))
    bound = np.mean(y == a) + 0.09
    test = BayesianComparison(
        scoring=make_scorer(bounded), n_draws=2_000, random_state=0
    )
    result = test.fit_predictions(y, a, b).result_
    assert result.engine == "generic"
    assert result.posterior_a.max() == bound


# ------------------------------------------------------------ the independent kind


@pytest.fixture(scope="module")
def slp():
    truth, pred = from_counts(TP, FP, FN, TN)
    other = np.roll(pred, 7)
    return truth, pred, other


def independent(scoring, **params):
    return BayesianComparison(
        scoring=scoring,
        posterior="independent",
        **{"n_draws": 40_000, "random_state": 0, **params},
    )


@pytest.mark.parametrize("prior", [0.5, 1.0, 3.0])
def test_precision_and_recall_have_beta_posteriors(slp, prior):
    test = independent(["precision", "recall"], prior=prior).fit_predictions(*slp)
    assert_same_distribution(
        test.results_["precision"].posterior_a, stats.beta(TP + prior, FP + prior)
    )
    assert_same_distribution(
        test.results_["recall"].posterior_a, stats.beta(TP + prior, FN + prior)
    )


@pytest.mark.parametrize("prior", [0.5, 2.0])
def test_accuracy_has_a_beta_posterior(slp, prior):
    test = independent("accuracy", prior=prior).fit_predictions(*slp)
    beta = stats.beta(TP + TN + prior, FP + FN + prior)
    assert_same_distribution(test.posterior_a_, beta)
    assert "binomial" in test.result_.model
    assert test.result_.engine == "gamma/rows"


def f1_below(f, tp, fp, fn, prior=0.5):
    """Integrate numerically: F1 = U / (U + V), U ~ Gamma(2), V ~ Gamma(1)."""
    u, v = stats.gamma(tp + prior, scale=2), stats.gamma(fp + fn + 2 * prior)
    # U / (U + V) <= f just if V >= U (1 - f) / f.
    return integrate.quad(
        lambda x: u.pdf(x) * v.sf(x * (1 - f) / f), 0, u.ppf(1 - 1e-12), limit=200
    )[0]


def test_f1_draws_agree_with_numerical_integration(slp):
    draws = independent("f1").fit_predictions(*slp).posterior_a_
    for f in (0.70, 0.74, 0.76, 0.78, 0.82):
        expected = f1_below(f, TP, FP, FN)
        error = np.sqrt(expected * (1 - expected) / len(draws))
        assert abs(np.mean(draws <= f) - expected) < 5 * error


@pytest.mark.parametrize("beta", [0.5, 2.0])
def test_f_beta_is_a_ratio_of_dirichlet_variables(slp, beta):
    scorer = make_scorer(metrics.fbeta_score, beta=beta)
    draws = independent(scorer).fit_predictions(*slp).posterior_a_
    rng = np.random.default_rng(1)
    tp, fp, fn, _ = rng.dirichlet([TP + 0.5, FP + 0.5, FN + 0.5, TN + 0.5], 40_000).T
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    expected = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    assert_same_draws(draws, expected)


def macro_f1_by_hand(truth, pred, labels, rng, n_draws):
    """Average draws of F1 over labels, as the equations have it."""
    draws = np.zeros(n_draws)
    for label in labels:
        tp = np.sum((truth == label) & (pred == label))
        wrong = np.sum((truth == label) != (pred == label))
        u = rng.gamma(tp + 0.5, 2.0, n_draws)
        v = rng.gamma(wrong + 1.0, 1.0, n_draws)
        draws += u / (u + v) / len(labels)
    return draws


def test_macro_averages_draws_over_classes(three_classes):
    test = independent("f1_macro").fit_predictions(*three_classes)
    truth, *predictions = three_classes
    rng = np.random.default_rng(2)
    for draws, pred in zip(
        (test.posterior_a_, test.posterior_b_), predictions, strict=True
    ):
        assert_same_draws(draws, macro_f1_by_hand(truth, pred, range(3), rng, 40_000))


def test_micro_pools_counts(three_classes):
    truth, pred_a, _ = three_classes
    test = independent("precision_micro").fit_predictions(*three_classes)
    right = int(np.sum(truth == pred_a))
    posterior = stats.beta(right + 0.5, len(truth) - right + 0.5)
    assert_same_distribution(test.posterior_a_, posterior)


@pytest.mark.parametrize("sparse", [False, True])
def test_many_labels_at_once(sparse):
    rng = np.random.default_rng(0)
    truth = rng.random((500, 115)) < 0.1
    pred_a, pred_b = (truth ^ (rng.random((500, 115)) < p) for p in (0.02, 0.05))
    arrays = [array.astype(int) for array in (truth, pred_a, pred_b)]
    if sparse:
        from scipy.sparse import csr_matrix

        arrays = [csr_matrix(array) for array in arrays]
    test = independent(["f1_macro", "f1_micro"], rope=0.05, n_draws=4_000)
    test.fit_predictions(*arrays)
    assert test.results_["f1_macro"].decision == ">>"
    tp, fp = np.sum(truth & pred_a), np.sum(~truth & pred_a)
    fn = np.sum(truth & ~pred_a)
    by_hand = np.random.default_rng(3).gamma([tp + 0.5, fp + fn + 1.0], size=(4_000, 2))
    u, v = by_hand.T * [[2], [1]]
    assert_same_draws(test.results_["f1_micro"].posterior_a, u / (u + v))


def test_several_metrics_share_their_draws(slp):
    together = independent(["precision", "recall", "f1"]).fit_predictions(*slp).results_
    p, r = (together[m].posterior_a for m in ("precision", "recall"))
    np.testing.assert_allclose(together["f1"].posterior_a, 2 * p * r / (p + r))


@pytest.mark.parametrize("scoring", ["f1_weighted", "jaccard", "matthews_corrcoef"])
def test_other_metrics_are_referred_to_the_paired_kind(slp, scoring):
    with pytest.raises(ValueError, match="posterior='paired' takes any"):
        independent(scoring).fit_predictions(*slp)


def test_the_independent_kind_takes_rows_as_they_are(slp):
    rows = np.arange(200)
    with pytest.raises(ValueError, match="does not support groups, strata or rows"):
        independent("f1").fit_predictions(*slp, groups=rows // 2)
    with pytest.raises(ValueError, match="does not support groups, strata or rows"):
        independent("f1").fit_predictions(*slp, strata=slp[0])
    with pytest.raises(ValueError, match="`sample_weight` cannot be used"):
        independent("f1").fit_predictions(*slp, sample_weight=1.0 + rows)


def test_without_positive_predictions_the_posterior_is_the_prior(slp):
    truth, pred, _ = slp
    scorer = make_scorer(metrics.precision_score, zero_division=0)
    test = independent(scorer)
    with pytest.warns(DegenerateDataWarning, match=r"the prior in .* of B for 1"):
        test.fit_predictions(truth, pred, np.zeros(200, dtype=int))
    assert_same_distribution(test.posterior_b_, stats.beta(0.5, 0.5))
    assert any("the posterior is the prior" in c for c in test.result_.caveats)


def test_identical_predictions_are_not_zero_to_the_independent_kind(slp):
    truth, pred, _ = slp
    with pytest.warns(DegenerateDataWarning, match="Use posterior='paired'"):
        test = independent("f1").fit_predictions(truth, pred, pred)
    assert test.hdi_.low < 0 < test.hdi_.high


# ----------------------------------------------------------------- the paired kind


@pytest.fixture(scope="module")
def three_classes():
    rng = np.random.default_rng(5)
    truth = rng.integers(3, size=150)
    pred_a, pred_b = (
        np.where(rng.random(150) < p, truth, rng.integers(3, size=150))
        for p in (0.8, 0.5)
    )
    return truth, pred_a, pred_b


def paired(scoring, **params):
    defaults = {"n_draws": 4_000, "random_state": 0}
    return BayesianComparison(scoring=scoring, **(defaults | params))


def by_hand(metric, truth, pred_a, pred_b, *, seed, n_draws=500, groups=None):
    """Call the metric with Dirichlet weights of rows, or of groups, in a plain loop."""
    rng = np.random.default_rng(seed)
    groups = np.arange(len(truth)) if groups is None else groups
    deltas = []
    for weights in rng.dirichlet(np.ones(groups.max() + 1), size=n_draws)[:, groups]:
        a, b = (metric(truth, p, sample_weight=weights) for p in (pred_a, pred_b))
        deltas.append(a - b)
    return np.array(deltas)


def f1_macro(y, p, sample_weight):
    """As scikit-learn's, which takes a millisecond or two a call."""
    in_both, in_y, in_p = (
        np.bincount(labels, weights, minlength=3)
        for labels, weights in (
            (y, sample_weight * (y == p)),
            (y, sample_weight),
            (p, sample_weight),
        )
    )
    return np.mean(2 * in_both / (in_y + in_p))


@pytest.mark.parametrize("grouped", [False, True])
def test_cells_have_the_posterior_of_weighted_rows(three_classes, grouped):
    groups = np.arange(150) // 3 if grouped else None
    test = paired("f1_macro").fit_predictions(*three_classes, groups=groups)
    expected = by_hand(f1_macro, *three_classes, seed=1, groups=groups)
    assert_same_draws(test.posterior_, expected)
    assert test.result_.engine == ("additive/rows" if grouped else "additive/cells")
    assert test.result_.n_units == (50 if grouped else 150)


def test_a_mean_has_the_moments_of_the_bayesian_bootstrap():
    rng = np.random.default_rng(0)
    truth, pred_a, pred_b = rng.normal(size=(3, 80))
    test = paired("neg_mean_absolute_error", n_draws=40_000, rope=0.1)
    test.fit_predictions(truth, pred_a, pred_b)
    d = np.abs(truth - pred_b) - np.abs(truth - pred_a)
    spread = np.sqrt(np.mean((d - d.mean()) ** 2) / 81)
    error = spread / np.sqrt(40_000)
    assert abs(test.posterior_mean_ - test.delta_) < 5 * error
    assert np.std(test.posterior_) == pytest.approx(spread, rel=0.02)


def test_accuracy_follows_a_beta_where_only_one_model_errs():
    truth = np.ones(60, dtype=int)
    pred_b = np.where(np.arange(60) < 12, 0, 1)
    test = paired("accuracy", n_draws=40_000, prior=0)
    test.fit_predictions(truth, truth, pred_b)
    assert_same_distribution(test.posterior_, stats.beta(12, 48))


def test_pseudo_counts_are_added_where_one_model_alone_is_right():
    truth = np.ones(60, dtype=int)
    pred_b = np.where(np.arange(60) < 12, 0, 1)
    test = paired("accuracy", n_draws=40_000).fit_predictions(truth, truth, pred_b)
    # Right are both on 48 rows, A alone on 12 and B alone on none.
    drawn = np.random.default_rng(1).dirichlet([48, 12.5, 0.5], 40_000)
    assert_same_draws(test.posterior_, drawn[:, 1] - drawn[:, 2])
    assert "0.5 pseudo-counts" in test.result_.model


@pytest.mark.parametrize("prior", [0.0, 0.5, 3.0])
def test_recall_has_pseudo_counts_among_positives(prior):
    truth = np.repeat([1, 0], [40, 60])
    a, b = np.zeros((2, 100), dtype=int)
    a[:30], b[5:32] = 1, 1
    test = paired("recall", n_draws=40_000, prior=prior).fit_predictions(truth, a, b)
    shapes = np.array([25, 5 + prior, 2 + prior, 8])
    drawn = np.random.default_rng(1).dirichlet(shapes, 40_000)
    assert_same_draws(test.posterior_, drawn[:, 1] - drawn[:, 2])


def test_classes_of_an_average_share_the_prior():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 20)
    a, b = (np.where(rng.random(80) < 0.8, truth, (truth + 1) % 4) for _ in range(2))
    test = paired("balanced_accuracy", n_draws=40_000).fit_predictions(truth, a, b)
    expected, prior = 0, 0.5 / np.sqrt(4)
    for label in range(4):
        of_class = truth == label
        right_a, right_b = (p[of_class] == label for p in (a, b))
        shapes = [
            (right_a == right_b).sum(),
            (right_a & ~right_b).sum() + prior,
            (right_b & ~right_a).sum() + prior,
        ]
        drawn = rng.dirichlet(shapes, 40_000)
        expected = expected + (drawn[:, 1] - drawn[:, 2]) / 4
    assert_same_draws(test.posterior_, expected)


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")
@pytest.mark.parametrize("kind", ["f1", "precision", "jaccard"])
def test_the_prior_adds_no_label_to_the_average_of_a_model(kind):
    """A label that B alone predicts, once, costs it a third, and A nothing."""
    truth = np.repeat([0, 1], 100)
    b = truth.copy()
    b[0] = 2
    means = []
    for prior in (0.0, 0.01, 0.5):
        test = paired(f"{kind}_macro", n_draws=2_000, prior=prior)
        result = test.fit_predictions(truth, truth, b).result_
        assert result.decision == ">>" or not prior
        means.append(result.posterior_mean)
    np.testing.assert_allclose(means, result.delta, atol=0.005)


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")
def test_one_class_leaves_no_room_for_a_prior():
    truth = np.ones(40, dtype=int)
    result = paired("accuracy", n_draws=99).fit_predictions(truth, truth, truth).result_
    assert "pseudo-counts" not in result.model
    assert result.decision == "?"


@pytest.mark.parametrize("groups", [None, np.arange(80) // 2], ids=["rows", "groups"])
def test_a_model_that_is_off_by_a_constant_explains_all_on_every_draw(groups):
    """Its residuals do not vary, so that the metric is called with weights of rows."""
    rng = np.random.default_rng(0)
    y = rng.integers(8, size=80) / 4.0
    a, b = y + rng.normal(size=80), y + 1.0
    test = BayesianComparison(scoring="explained_variance", n_draws=100, random_state=0)
    result = test.fit_predictions(y, a, b, groups=groups).result_
    assert result.engine.startswith("additive")
    np.testing.assert_allclose(result.posterior_b, np.ones(100), rtol=1e-12)


def test_strata_share_the_prior_and_groups_have_one_of_their_size():
    truth = np.ones(80, dtype=int)
    a, b = truth.copy(), truth.copy()
    a[:4], b[4:16] = 0, 0
    halves = np.arange(80) < 40
    test = paired("accuracy", n_draws=40_000)
    rng = np.random.default_rng(1)
    test.fit_predictions(truth, a, b, strata=halves)
    first = rng.dirichlet([24, 12.25, 4.25], 40_000)
    second = rng.dirichlet([40, 0.25, 0.25], 40_000)
    expected = (first[:, 1] - first[:, 2] + second[:, 1] - second[:, 2]) / 2
    assert_same_draws(test.posterior_, expected)
    with pytest.warns(SmallSampleWarning, match="20 groups"):
        test.fit_predictions(truth, a, b, groups=np.arange(80) // 4)
    groups = rng.dirichlet([16, 3.5, 1.5], 40_000)
    assert_same_draws(test.posterior_, groups[:, 1] - groups[:, 2])


since_1_8 = pytest.mark.needs(
    "scikit-learn>=1.8",
    "scorer of D2 of the log loss, nor a median that weights of 1 do not change",
)
NEW = ("d2_log_loss_score", "neg_median_absolute_error")
SCORERS = {
    "binary": ["accuracy", "f1", "matthews_corrcoef", "jaccard", "balanced_accuracy"],
    "scores": ["roc_auc", "average_precision"],
    "probabilities": ["neg_log_loss", "neg_brier_score", "d2_log_loss_score"],
    "values": [
        "r2",
        "neg_root_mean_squared_error",
        "explained_variance",
        "neg_median_absolute_error",
        "d2_absolute_error_score",
    ],
}


def sample_of(kind, rng, n=70):
    truth = rng.integers(2, size=n)
    signals = truth + rng.normal(size=(2, n))
    if kind == "binary":
        return truth, *(signals > 0.5).astype(int)
    if kind == "scores":
        return truth, *np.round(signals, 1)  # with ties
    if kind == "probabilities":
        return truth, *(1 / (1 + np.exp(-signals)))
    return rng.normal(size=n), *rng.normal(size=(2, n))


@pytest.mark.parametrize(
    ("kind", "scoring", "own_weights"),
    [
        pytest.param(kind, name, place % 2, marks=since_1_8 if name in NEW else ())
        for kind, names in SCORERS.items()
        for place, name in enumerate(names)
    ],
)
def test_scores_with_weights_are_those_of_scikit_learn(
    kind, scoring, own_weights, monkeypatch
):
    rng = np.random.default_rng(0)
    truth, *predictions = sample_of(kind, rng)
    own = rng.uniform(0.5, 2.0, 70) if own_weights else np.ones(70)
    weights = rng.gamma(1.0, size=(4, 70))
    # Every row is a group, so that weights of units are weights of rows.
    monkeypatch.setattr(
        "skcompare.comparison._bayesian.draw",
        lambda resampler, *_, **__: resampler.score(weights),
    )
    test = paired(scoring, rope=0, prior=0).fit_predictions(
        truth,
        *predictions,
        groups=np.arange(70),
        sample_weight=own if own_weights else None,
    )
    scorer = metrics.get_scorer(scoring)
    metric, sign, options = scorer._score_func, scorer._sign, scorer._kwargs
    for drawn, pred in zip(
        (test.posterior_a_, test.posterior_b_), predictions, strict=True
    ):
        expected = [
            sign * metric(truth, pred, sample_weight=w * own, **options)
            for w in weights
        ]
        np.testing.assert_allclose(drawn, expected, rtol=1e-9, atol=1e-12)


def test_a_constant_model_has_no_correlation_with_any_weights():
    # In sums of random weights the variance of a constant is not exactly 0.
    rng = np.random.default_rng(0)
    truth, pred = rng.integers(2, size=(2, 50))
    test = paired("matthews_corrcoef", n_draws=100, prior=0)
    test.fit_predictions(truth, pred, np.zeros(50, dtype=int))
    assert not test.posterior_b_.any()


def test_any_scorer_that_takes_weights_will_do(three_classes):
    def hits(y_true, y_pred, sample_weight=None):
        return float(np.average(y_true == y_pred, weights=sample_weight))

    by_name = paired("accuracy").fit_predictions(*three_classes)
    for recognize, engine in {False: "generic", True: "mean, recognized/cells"}.items():
        hits.recognize = recognize
        own = paired(make_scorer(hits), n_draws=1_000).fit_predictions(*three_classes)
        assert own.result_.engine == engine
        assert_same_draws(own.posterior_, by_name.posterior_)


def test_a_callable_scorer_is_called_with_weights(three_classes):
    def scorer(estimator, X, y, sample_weight=None):
        return float(np.average(estimator.predict(X) == y, weights=sample_weight))

    own = paired(scorer, n_draws=1_000).fit_predictions(*three_classes)
    by_name = paired("accuracy").fit_predictions(*three_classes)
    assert_same_draws(own.posterior_, by_name.posterior_)


def test_a_scorer_without_weights_is_referred_to_the_bootstrap(three_classes):
    def hits(y_true, y_pred):
        return float(np.mean(y_true == y_pred))

    hits.recognize = False
    with pytest.raises(ValueError, match=r"does not take `sample_weight`.*PairedBoot"):
        paired(make_scorer(hits)).fit_predictions(*three_classes)
    with pytest.raises(ValueError, match=r"'neg_max_error' does not take"):
        paired("neg_max_error").fit_predictions(*three_classes)


def test_a_scorer_without_weights_that_adds_up_can_be_weighed(three_classes):
    def hits(y_true, y_pred):
        return float(np.mean(y_true == y_pred))

    own = paired(make_scorer(hits), n_draws=1_000).fit_predictions(*three_classes)
    by_name = paired("accuracy").fit_predictions(*three_classes)
    assert own.result_.engine == "mean, recognized/cells"
    assert_same_draws(own.posterior_, by_name.posterior_)


def test_a_scorer_without_a_value_for_uneven_weights_is_refused(three_classes):
    def even(y_true, y_pred, sample_weight=None):
        uneven = sample_weight is not None and np.ptp(sample_weight) > 0
        return np.nan if uneven else np.mean(y_true == y_pred)

    test = BayesianComparison(scoring=make_scorer(even), n_draws=100)
    with pytest.raises(ValueError, match="undefined with all 100 random weights"):
        test.fit_predictions(*three_classes)


def test_a_scorer_that_misuses_weights_is_refused(three_classes):
    def total(y_true, y_pred, sample_weight=None):
        right = (y_true == y_pred).astype(float)
        return float(right.mean() if sample_weight is None else sample_weight.sum())

    with pytest.raises(ValueError, match="weights of 1 change its value"):
        paired(make_scorer(total)).fit_predictions(*three_classes)


def test_strata_keep_their_weight():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], [20, 60])
    pred_a, pred_b = (
        np.where(rng.random(80) < p, truth, 1 - truth) for p in (0.9, 0.6)
    )
    test = paired("accuracy", n_draws=20_000, prior=0)
    test.fit_predictions(truth, pred_a, pred_b, strata=truth)
    # Within a stratum the share of right labels is a Beta; strata are 1 / 4 and 3 / 4.
    rng = np.random.default_rng(1)
    expected = 0
    for label, share in ((0, 0.25), (1, 0.75)):
        right = np.sum(pred_a[truth == label] == label)
        size = np.sum(truth == label)
        expected = expected + share * rng.beta(right, size - right, 20_000)
    assert_same_draws(test.posterior_a_, expected)
    balanced = paired("accuracy", prior=0).fit_predictions(
        truth, pred_a, np.zeros(80, dtype=int), strata=truth
    )
    np.testing.assert_allclose(balanced.posterior_b_, 0.25)


def test_identical_predictions_give_the_prior(three_classes):
    truth, pred, _ = three_classes
    test = paired(["accuracy", "f1_macro"], rope=0)
    with pytest.warns(DegenerateDataWarning, match="comes from the prior"):
        test.fit_predictions(truth, pred, pred)
    for result in test.results_.values():
        assert result.p_better == pytest.approx(0.5, abs=0.05)
        assert result.hdi.low < 0 < result.hdi.high
        assert result.decision == "?"
    n, beta = len(truth), 2 * 0.5
    low, high = test.results_["accuracy"].hdi
    assert max(-low, high) < stats.beta.ppf(0.99, beta, n)


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")
def test_labels_outside_of_an_average_are_not_undefined():
    truth = np.repeat([0, 1], 50)
    b = truth.copy()
    b[:8] = 2
    result = paired("f1_macro", n_draws=99).fit_predictions(truth, truth, b).result_
    assert not any("no rows to estimate from" in text for text in result.caveats)


def test_without_prior_identical_predictions_give_exactly_zero(three_classes):
    truth, pred, _ = three_classes
    test = paired(["accuracy", "f1_macro"], rope=0, prior=0)
    with pytest.warns(DegenerateDataWarning, match=r"up to 0.02 of all rows"):
        test.fit_predictions(truth, pred, pred)
    for result in test.results_.values():
        assert not result.posterior.any()
        assert (result.p_better, result.p_equivalent, result.p_worse) == (0, 1, 0)
        assert (result.hdi, result.decision) == ((0, 0), "?")
        assert result.p_direction == 0


def test_differences_of_rounding_are_none():
    # Both models are wrong twice, on other rows of the same weight: a tie throughout
    # would be chance, but predictions that only swap labels of equal loss are not.
    truth = np.tile([0.1, 0.3], 20)
    pred = truth + 0.1
    test = paired("neg_mean_absolute_error", rope=0, n_draws=200)
    with pytest.warns(DegenerateDataWarning, match="single point"):
        test.fit_predictions(truth, pred, truth - 0.1)
    assert test.p_equivalent_ == 1


@pytest.mark.parametrize("n_jobs", [2, -1])
@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc"])
def test_numbers_do_not_depend_on_n_jobs(scoring, n_jobs, monkeypatch):
    monkeypatch.setattr("skcompare._engine._workers.SECONDS_WORTH_WORKERS", 0.0)
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=60)
    arrays = truth, *rng.normal(size=(2, 60))
    if scoring == "accuracy":
        arrays = truth, *rng.integers(2, size=(2, 60))
    one, many = (
        paired(scoring, n_jobs=n, n_draws=3_000).fit_predictions(*arrays)
        for n in (1, n_jobs)
    )
    np.testing.assert_array_equal(one.posterior_, many.posterior_)


def test_exchanging_the_models_mirrors_the_posterior(three_classes):
    truth, pred_a, pred_b = three_classes
    there = paired("f1_macro").fit_predictions(truth, pred_a, pred_b)
    back = paired("f1_macro").fit_predictions(truth, pred_b, pred_a)
    np.testing.assert_allclose(there.posterior_, -back.posterior_, atol=1e-12)
    assert there.p_better_ == back.p_worse_


def correlated_errors(correlated, n=400):
    """Return predictions with the same share of errors, on the same rows or not."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=n)
    hard = rng.random((2, n)) < 0.2
    if correlated:
        hard[1] = hard[0] ^ (rng.random(n) < 0.02)
    return truth, *np.where(hard, 1 - truth, truth)


def test_pairing_helps_where_errors_are_correlated():
    arrays = correlated_errors(True)
    narrow = np.std(paired("f1").fit_predictions(*arrays).posterior_)
    wide = np.std(independent("f1").fit_predictions(*arrays).posterior_)
    assert narrow < 0.5 * wide


def test_pairing_makes_no_difference_where_errors_are_not_correlated():
    # Recall, because F1 of both models depends on how many positives there are.
    arrays = correlated_errors(False, n=4_000)
    spreads = [
        np.std(test.fit_predictions(*arrays).posterior_)
        for test in (paired("recall", n_draws=20_000), independent("recall"))
    ]
    # The correlation in 2,000 positives is 0 within 0.02, the spread within 0.01.
    assert spreads[0] == pytest.approx(spreads[1], rel=0.04)


# ------------------------------------------------------------- the comparison itself


def test_as_an_estimator(classification, classifiers):
    X, y = classification[2:]
    test = BayesianComparison(*classifiers, scoring="accuracy", random_state=0, rope=0)
    test.fit(X, y)
    assert test.p_better_ + test.p_equivalent_ + test.p_worse_ == pytest.approx(1)
    assert test.best_estimator_ is classifiers[0 if test.decision_ == ">>" else 1]
    assert len(test.posterior_) == len(test.posterior_a_) == 50_000
    np.testing.assert_array_equal(test.predict(X), test.best_estimator_.predict(X))
    assert clone(test).get_params()["rope"] == 0
    with pytest.raises(AttributeError, match="pvalue_"):
        test.pvalue_  # noqa: B018


def test_the_winner_has_to_win_in_every_metric():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] > 0).astype(int)
    good, bad = LogisticRegression().fit(X, y), LogisticRegression().fit(-X, y)
    test = BayesianComparison(good, bad, scoring=["accuracy", "f1"], random_state=0)
    assert test.fit(X, y).best_estimator_ is good
    assert test.set_params(rope=0.99).fit(X, y).best_estimator_ is bad
    with pytest.raises(AttributeError, match="Several metrics"):
        test.p_better_  # noqa: B018


def test_cross_validation_pools_predictions_and_weighs_rows_once():
    X, y = make_classification(90, random_state=0)
    models = LogisticRegression(), GaussianNB()
    test = BayesianComparison(
        *models,
        scoring="f1",
        cv=RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
        n_draws=1_000,
        random_state=0,
    )
    with pytest.warns(SmallSampleWarning), pytest.warns(PooledScoreWarning):
        test.fit(X, y)
    assert test.result_.n_rows == 180
    assert test.result_.n_units == 90
    assert len(test.fold_) == 180
    independent_kind = clone(test).set_params(posterior="independent")
    with pytest.raises(ValueError, match="rows that are tested several times"):
        independent_kind.fit(X, y)


def test_the_seed_repeats_the_run(three_classes):
    first = paired("accuracy", random_state=None).fit_predictions(*three_classes)
    again = paired("accuracy", random_state=first.result_.seed)
    again.fit_predictions(*three_classes)
    np.testing.assert_array_equal(first.posterior_, again.posterior_)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"rope": -0.1}, "`rope` must be a finite number of at least 0"),
        ({"rope": np.nan}, "`rope` must be"),
        ({"rope": (0.1, -0.1)}, "`rope` must be .* or a pair"),
        ({"prior": -1}, "`prior` must be a finite number of at least 0. Got -1"),
        (
            {"prior": 0, "posterior": "independent"},
            "`prior` must be at least 0.01 with posterior='independent'",
        ),
        ({"prior": np.nan}, "`prior` must be"),
        ({"prior": True}, "`prior` must be"),
        ({"posterior": "other"}, "`posterior` must be one of 'paired', 'independent'"),
        ({"credible_level": 95}, "`credible_level` must lie strictly between"),
        ({"n_draws": 0}, "`n_draws` must be an integer from 20"),
        ({"n_draws": 10.5}, "`n_draws` must be an integer"),
        ({"random_state": -1}, "`random_state` must be"),
    ],
)
def test_bad_parameters(three_classes, params, message):
    with pytest.raises(ValueError, match=message):
        paired("accuracy", **params).fit_predictions(*three_classes)


def test_few_rows_are_warned_of(ten_documents):
    with pytest.warns(
        SmallSampleWarning, match="A posterior from only 10 rows .* reflects only"
    ):
        test = paired("accuracy").fit_predictions(*ten_documents)
    assert "reflects only these" in test.result_.summary()


def test_strata_of_one_unit_are_warned_of(three_classes):
    strata = np.where(np.arange(150) < 2, np.arange(150), 2)
    with pytest.warns(SmallSampleWarning, match="Strata of one row: 2"):
        paired("accuracy").fit_predictions(*three_classes, strata=strata)


def test_a_sign_that_rests_on_one_row_is_warned_of():
    # A sign test of one row has p = 1, and yet each draw is above 0 without a prior.
    y = np.tile([0, 1], 50)
    pred_b = y.copy()
    pred_b[0] = 1 - y[0]
    with pytest.warns(SmallSampleWarning, match=r"affects the score \(accuracy: 1\)"):
        test = paired("accuracy", rope=0, prior=0).fit_predictions(y, y, pred_b)
    assert test.p_direction_ == 1.0
    assert "overstates the certainty of the sign" in test.result_.summary()
    with pytest.warns(SmallSampleWarning, match="depends as much on its prior"):
        test = paired("accuracy", rope=0).fit_predictions(y, y, pred_b)
    # Beta(1.5, 0.5) is above 1/2 with this probability.
    assert test.p_direction_ == pytest.approx(stats.beta.sf(0.5, 1.5, 0.5), abs=0.03)
    assert test.decision_ == "?"


def test_rows_are_counted_that_can_move_this_metric():
    y = np.tile([0, 1], 50)
    pred_b = y.copy()
    pred_b[np.r_[0:40:2, 1, 3, 5]] ^= 1  # twenty negatives, three positives
    with pytest.warns(SmallSampleWarning, match=r"affects the score \(recall: 3\)"):
        paired(["recall", "accuracy"]).fit_predictions(y, y, pred_b)


def test_three_rows_do_not_make_sure():
    """Three rows of a thousand for A, none for B: the sign test has p = 0.125."""
    y = np.zeros(1_000, dtype=int)
    pred_b = np.where(np.arange(1_000) < 3, 1, 0)
    with pytest.warns(SmallSampleWarning, match="accuracy: 3"):
        test = paired("accuracy", rope=0, n_draws=20_000).fit_predictions(y, y, pred_b)
    assert 0.9 < test.p_better_ < 0.99
    assert test.decision_ == "?"


def test_six_discordant_groups_are_not_warned_of():
    y = np.tile([0, 1], 60)
    groups, pred_b = np.arange(120) // 3, y.copy()
    pred_b[:15] = 1 - y[:15]
    with pytest.warns(SmallSampleWarning, match="Few of the 40 groups .*accuracy: 5"):
        paired("accuracy").fit_predictions(y, y, pred_b, groups=groups)
    pred_b[15] = 1 - y[15]
    paired("accuracy").fit_predictions(y, y, pred_b, groups=groups)


def test_different_errors_on_the_same_rows_are_warned_of():
    y = np.tile([0, 1, 2], 40)
    wrong = np.arange(120) < 20
    pred_a, pred_b = ((y + shift * wrong) % 3 for shift in (1, 2))
    with pytest.warns(DegenerateDataWarning, match="accuracy is a single point"):
        test = paired("accuracy", prior=0).fit_predictions(y, pred_a, pred_b)
    assert test.hdi_ == (0.0, 0.0)
    assert "single point" in test.result_.summary()


def test_a_difference_that_strata_fix_is_a_point():
    # A is right on the first stratum alone, B nowhere: 0.3, but for rounding.
    y = np.tile([0, 1], 50)
    first = np.arange(100) < 30
    pred_a = np.where(first, y, 1 - y)
    test = paired("accuracy", prior=0)
    with pytest.warns(DegenerateDataWarning, match="single point"):
        test.fit_predictions(y, pred_a, 1 - y, strata=first)
    assert test.hdi_ == pytest.approx((0.3, 0.3))
    assert test.decision_ == test.plan(1_000).decision == "?"


@since_1_8
def test_a_posterior_of_several_peaks_is_warned_of():
    # Two far rows of great weight: whichever counts more decides.
    truth = np.zeros(40)
    pred_a, pred_b = np.zeros(40), np.zeros(40)
    pred_a[:20], pred_b[20:] = 100.0, 1.0
    test = paired("neg_median_absolute_error", n_draws=300)
    with pytest.warns(MultimodalPosteriorWarning, match="several peaks"):
        test.fit_predictions(truth, pred_a, pred_b)
    assert any("several peaks" in caveat for caveat in test.result_.caveats)


@pytest.mark.parametrize("scoring", ["r2", "explained_variance"])
def test_a_truth_that_never_varies_gives_a_point_and_not_rounding(scoring):
    """The weighted mean of equal numbers is rounded; their variation is 0."""
    truth = np.full(50, 3.0)
    pred_a, pred_b = truth + np.random.default_rng(0).normal(size=(2, 50))
    with pytest.warns(DegenerateDataWarning, match="single point"):
        test = paired(scoring, n_draws=100).fit_predictions(truth, pred_a, pred_b)
    assert test.delta_ == 0
    assert not test.posterior_.any()
    with pytest.warns(DegenerateDataWarning, match="same on all 50 rows"):
        test = paired(scoring, n_draws=100).fit_predictions(truth, truth, truth)
    assert not test.posterior_.any()
    assert (test.posterior_a_ == 1).all()


def test_differences_on_the_edge_of_the_rope_are_inside_however_rounded():
    truth = np.zeros(40)
    for k in range(1, 100):
        test = paired("neg_mean_absolute_error", n_draws=100)
        with pytest.warns(DegenerateDataWarning):
            test.fit_predictions(truth, truth + k / 100, truth + (k + 1) / 100)
        assert test.p_equivalent_ == 1


def test_a_score_that_is_a_convention_is_warned_of():
    truth = np.tile([0, 1], 50)
    pred_a = np.where(np.arange(100) < 40, 1 - truth, truth)
    scorer = make_scorer(metrics.precision_score, zero_division=0)
    with pytest.warns(DegenerateDataWarning, match=r"0 / 0, in .* of B for 1 label"):
        test = paired(scorer).fit_predictions(truth, pred_a, np.zeros(100, dtype=int))
    assert any("0 / 0" in caveat for caveat in test.result_.caveats)


def test_claims_are_functions():
    truth = np.tile([0, 1], 50)
    pred_b = np.where(np.arange(100) < 40, 1 - truth, truth)
    test = paired("accuracy").fit_predictions(truth, truth, pred_b)
    with pytest.raises(ValueError, match=r"`claim` must be a function .* Got 0.01"):
        test.probability_of(0.01)


def test_a_plan_is_for_one_metric():
    truth = np.tile([0, 1], 50)
    pred_b = np.where(np.arange(100) < 40, 1 - truth, truth)
    test = paired(["f1", "accuracy"]).fit_predictions(truth, truth, pred_b)
    alone = paired("f1").fit_predictions(truth, truth, pred_b)
    planned = test.plan(400, metric="f1")
    assert planned.posterior_mean == pytest.approx(alone.posterior_mean_, abs=0.01)
    for metric in (None, "f2"):
        with pytest.raises(ValueError, match=f"`metric` must be one of .*{metric}"):
            test.plan(400, metric=metric)


def test_more_rows_are_planned_for():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=200)
    arrays = (
        truth,
        *(np.where(rng.random(200) < p, truth, 1 - truth) for p in (0.85, 0.6)),
    )
    now = paired("accuracy", n_draws=20_000).fit_predictions(*arrays)
    later = paired("accuracy", n_draws=20_000)
    later.fit_predictions(*(np.tile(array, 10) for array in arrays))
    planned = now.plan(2_000)
    width = np.diff(later.hdi_)[0]
    assert np.diff(planned.hdi)[0] == pytest.approx(width, rel=0.03)
    assert planned.posterior_mean == pytest.approx(now.posterior_mean_)
    assert planned.decision == later.decision_ == ">>"
    np.testing.assert_allclose(now.plan(200).hdi, now.hdi_)
    with pytest.raises(ValueError, match="`n_rows` must be an integer"):
        now.plan(1)


def coverage(rng, n_simulations, n_rows, scoring):
    """Count how often the interval holds the difference of the population."""
    # Outcomes of truth, A and B, by probability: errors of A and B are correlated.
    truth, a, b = np.indices((2, 2, 2)).reshape(3, -1)
    shares = np.array([0.35, 0.05, 0.03, 0.07, 0.06, 0.09, 0.02, 0.33])
    metric = metrics.get_scorer(scoring)._score_func
    true = metric(truth, a, sample_weight=shares) - metric(
        truth, b, sample_weight=shares
    )
    test = paired(scoring, n_draws=500, rope=0, credible_level=0.9, random_state=rng)
    held = 0
    for _ in range(n_simulations):
        rows = rng.choice(8, size=n_rows, p=shares)
        low, high = test.fit_predictions(truth[rows], a[rows], b[rows]).hdi_
        held += low <= true <= high
    return held


@pytest.mark.parametrize(
    "scoring", ["accuracy", pytest.param("f1", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("n_rows", [200, pytest.param(1_000, marks=pytest.mark.slow)])
def test_the_interval_covers(scoring, n_rows, simulations):
    n_simulations = simulations(240, 2_000)
    held = coverage(np.random.default_rng(7), n_simulations, n_rows, scoring)
    # Nominal is 0.9; with so many rows it is at most a point less or more.
    assert_level(n_simulations - held, n_simulations, 0.1, slack=0.01)
    assert held <= stats.binom.ppf(0.999, n_simulations, 0.91)


def test_uneven_groups_are_few_groups():
    """A hundred groups of sizes as in Zipf's law count as seventeen."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(100), np.ceil(400 / np.arange(1, 101)).astype(int))
    a, b = rng.normal(size=(2, len(groups)))
    test = BayesianComparison(n_draws=99, random_state=0)
    with pytest.warns(
        SmallSampleWarning, match="effective sample size of 17.1 .* too narrow"
    ):
        test.fit_row_scores(a, b, groups=groups)
    test.fit_row_scores(a, b, groups=np.arange(len(groups)) % 100)


WIDE = (
    "`rope` must be narrower than -1 to 1, the range of all possible differences in "
    "accuracy. Got 1. 0.01 is one percentage point of a metric between 0 and 1."
)


def test_a_rope_of_all_differences_is_refused():
    y = np.arange(60) % 2
    a, b = np.where(np.arange(60) < 9, 1 - y, y), np.where(np.arange(60) < 30, 1 - y, y)
    test = BayesianComparison(scoring="accuracy", rope=1, n_draws=200, random_state=0)
    with pytest.raises(ParameterError, match=re.escape(WIDE)):
        test.fit_predictions(y, a, b)
    folds = BayesianCorrelatedTTest(scoring="accuracy", rope=1)
    scores = [0.9, 0.8, 0.85], [0.7, 0.75, 0.8]
    with pytest.raises(ParameterError, match=re.escape(WIDE)):
        folds.fit_scores(*scores, test_train_ratio=0.5)
    # One side is left open, the region is smaller, or the metric has no such range.
    test.set_params(rope=(-1, 0)).fit_predictions(y, a, b)
    test.set_params(rope=0.99).fit_predictions(y, a, b)
    percent = np.multiply(scores, 100)
    folds.fit_scores(*percent, test_train_ratio=0.5)
    test.set_params(scoring="r2", rope=1).fit_predictions(y * 1.5, a * 1.0, b * 1.0)
