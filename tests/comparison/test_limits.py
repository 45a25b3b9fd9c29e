"""Few units bound p-values, whatever their resamples are."""

import json

import numpy as np
import pytest
from sklearn.metrics import make_scorer, precision_score

from skcompare import (
    BayesianComparison,
    CrossValidationCLT,
    DeLong,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    WildClusterBootstrap,
    make_additive_scorer,
)
from skcompare.exceptions import SmallSampleWarning, UndefinedScoreWarning

quiet = pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")


def detected_by_a_alone(n_detected, n_rows=600, n_positive=60, n_alarms=80):
    """Return positives of which A alone detects some, and false alarms of B alone."""
    truth = np.repeat([1, 0], [n_positive, n_rows - n_positive])
    a, b = truth.copy(), truth.copy()
    b[:n_detected] = 0
    b[n_positive : n_positive + n_alarms] = 1
    return truth, a, b


def recall(y_true, y_pred):
    return np.sum(y_true * y_pred) / np.sum(y_true)


RECALLS = {
    "recall": "recall",
    "own": make_scorer(recall),
    "additive": make_additive_scorer(
        lambda y, p: np.column_stack([y * p, y]), lambda t: t[..., 0] / t[..., 1]
    ),
}


@quiet
@pytest.mark.parametrize("scoring", RECALLS.values(), ids=RECALLS)
@pytest.mark.parametrize(("alternative", "sides"), [("greater", 1), ("two-sided", 2)])
def test_rows_that_do_not_move_an_own_metric_are_no_signs(scoring, alternative, sides):
    rows = detected_by_a_alone(4)
    test = PairedBootstrap(
        scoring=scoring, alternative=alternative, n_resamples=999, random_state=0
    )
    assert test.fit_predictions(*rows).pvalue_ == sides / 16
    assert test.confidence_interval_.low <= 0


@quiet
def test_pairs_and_several_metrics_count_the_rows_that_move_an_own_metric():
    rows = detected_by_a_alone(4)
    scoring = {"mine": RECALLS["own"], "accuracy": "accuracy"}
    test = PairedBootstrap(scoring=scoring, n_resamples=999, random_state=0)
    assert test.fit_predictions(*rows).results_["mine"].pvalue == 1 / 16


@pytest.mark.parametrize("scoring", [RECALLS["own"], RECALLS["additive"]])
def test_posteriors_warn_of_few_rows_that_move_an_own_metric(scoring):
    test = BayesianComparison(scoring=scoring, n_draws=999, random_state=0)
    with pytest.warns(UserWarning, match="affects the score .*: 4"):
        test.fit_predictions(*detected_by_a_alone(4))
    assert "Caution: few rows affect the score" in test.result_.sentence()


@quiet
def test_small_numbers_move_a_metric_as_large_ones_do():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=300)
    a, b = truth + rng.normal(size=(2, 300)) * [[1.0], [2.0]]
    pvalues = []
    for unit in (1.0, 1e-8):
        test = PairedBootstrap(
            scoring="neg_mean_squared_error", n_resamples=999, random_state=0
        )
        pvalues.append(test.fit_predictions(unit * truth, unit * a, unit * b).pvalue_)
    assert pvalues[0] == pvalues[1] == 0.001


# Points that know nothing


@quiet
@pytest.mark.parametrize("test", [PairedBootstrap, PairedTTest, WildClusterBootstrap])
@pytest.mark.parametrize("n_rows", [5, 500])
def test_equal_errors_without_bounds_have_no_interval(test, n_rows):
    truth, pred = np.random.default_rng(0).normal(size=(2, n_rows))
    test = test(scoring="neg_mean_squared_error").fit_predictions(truth, pred, pred)
    assert test.pvalue_ == 1
    assert test.confidence_interval_ == (-np.inf, np.inf)


@quiet
@pytest.mark.parametrize("lead", [0.0, 1.0])
def test_a_posterior_that_is_a_point_decides_nothing(lead):
    rows = np.random.default_rng(0).normal(size=5)
    test = BayesianComparison(n_draws=200, random_state=0)
    result = test.fit_row_scores(rows + lead, rows).result_
    assert result.decision == "?"
    assert "is a single point" in result.sentence()
    assert "no draw varies" in result.sentence()


@quiet
def test_limits_are_exported_as_plain_numbers():
    truth, a, b = np.random.default_rng(0).normal(size=(3, 50))
    for scoring in ("neg_mean_squared_error", "r2"):
        test = PairedBootstrap(scoring=scoring, n_resamples=99, random_state=0)
        exported = test.fit_predictions(truth, a, b).result_.to_dict()
        assert exported["limits"]["n_signs"] == 50
        json.dumps(exported, allow_nan=False)


# What is printed of bounds


@quiet
def test_a_p_value_of_signs_has_no_monte_carlo_error():
    test = PairedBootstrap(scoring="recall", n_resamples=999, random_state=0)
    result = test.fit_predictions(*detected_by_a_alone(3)).result_
    assert result.pvalue == 0.125
    assert "p = 0.1250" in result.sentence()
    printed = str(result)
    assert "<=" not in printed
    assert "Monte Carlo" not in printed
    clear = test.fit_predictions(*detected_by_a_alone(30)).result_
    assert "p <= 0.0010" in clear.sentence()
    assert "Monte Carlo" in str(clear)


@quiet
def test_impossible_findings_have_no_detectable_effect():
    few = PairedBootstrap(scoring="recall", n_resamples=999, random_state=0)
    few.fit_predictions(*detected_by_a_alone(4))
    assert few.result_.detectable_effect is None
    assert "detectable" not in str(few.result_)
    # Most resamples lack one of the three rows that this metric needs.
    truth = np.r_[1, 2, 3, np.zeros(57, int)]
    a, b = np.random.default_rng(0).integers(2, size=(2, 60))
    demanding = make_scorer(
        lambda y, p: np.mean(y == p) if len(set(y)) == 4 else np.nan
    )
    test = PairedBootstrap(scoring=demanding, n_resamples=199, random_state=0)
    result = test.fit_predictions(truth, a, b).result_
    assert result.n_undefined > 199 / 2
    assert result.detectable_effect is None


# Rounding where 0 is meant


@quiet
@pytest.mark.parametrize("groups", [None, np.arange(120) // 3], ids=["rows", "groups"])
def test_one_predicted_class_has_a_matthews_correlation_of_0(groups):
    """Real weights add up to a rounding error, of which the root was taken."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=120)
    pred = np.where(rng.random(120) < 0.8, truth, 1 - truth)
    for seed in range(3):
        weights = np.random.default_rng(seed).exponential(size=120)
        test = PairedBootstrap(
            scoring="matthews_corrcoef", n_resamples=999, random_state=0
        ).fit_predictions(
            truth, pred, np.ones(120, int), groups=groups, sample_weight=weights
        )
        assert test.result_.n_undefined == 0
    posterior = BayesianComparison(
        scoring="matthews_corrcoef", prior=0, n_draws=999, random_state=0
    ).fit_predictions(truth, pred, np.ones(120, int), groups=groups)
    assert not posterior.posterior_b_.any()
    assert posterior.result_.n_undefined == 0


def test_rows_that_balance_are_a_tie_of_turned_signs():
    truth = np.ones(40, dtype=int)
    a = np.repeat([1, 0], 20)
    test = WildClusterBootstrap(
        scoring="accuracy", alternative="two-sided", random_state=0
    ).fit_predictions(truth, a, 1 - a)
    assert (test.delta_, test.pvalue_) == (0, 1)


# Resamples without a value


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.SmallSampleWarning")
def test_strata_are_advised_only_for_classes_of_ten_rows():
    """In simulations strata of two or three positives rejected in 20 to 36 %."""
    rng = np.random.default_rng(0)
    for n_groups, advised in ((8, False), (12, True)):
        # Rows of a class are in groups of their own, so that resamples can lack it.
        groups = np.repeat(np.arange(2 * n_groups), 2)
        truth = (groups < n_groups).astype(int)
        a, b = truth + rng.normal(size=(2, len(truth)))
        demanding = make_scorer(
            lambda y, p: np.corrcoef(y, p)[0, 1] if 0.3 < np.mean(y) < 0.7 else np.nan
        )
        test = PairedBootstrap(scoring=demanding, n_resamples=99, random_state=0)
        with pytest.warns(UndefinedScoreWarning) as caught:
            test.fit_predictions(truth, a, b, groups=groups)
        text = str(caught[-1].message)
        assert ("strata=y keeps all classes" in text) == advised
        assert ("use ApproxRandomization" in text) != advised


@quiet
def test_the_sentence_warns_of_many_undefined_resamples():
    truth = np.repeat([1, 0], [2, 58])
    a, b = truth + np.random.default_rng(0).normal(size=(2, 60))
    test = PairedBootstrap(scoring="roc_auc", n_resamples=999, random_state=0)
    result = test.fit_predictions(truth, a, b).result_
    share = 100 * result.n_undefined / 999
    assert f"{share:.0f} % of resamples are undefined" in result.sentence()
    assert "ApproxRandomization does if predictions are exchangeable" in " ".join(
        result.caveats
    )


@quiet
@pytest.mark.parametrize("with_strata", [False, True])
def test_the_sentence_warns_of_few_rows_of_a_class(with_strata):
    truth = np.repeat([1, 0], [3, 97])
    a, b = truth + np.random.default_rng(0).normal(size=(2, 100))
    test = PairedBootstrap(scoring="roc_auc", n_resamples=99, random_state=0)
    strata = truth if with_strata else None
    result = test.fit_predictions(truth, a, b, strata=strata).result_
    assert "Caution: only 3 rows of a class" in result.sentence()


@quiet
def test_another_rule_counts_signs_of_few_rows():
    """Four rows have p = 0.0625 by any rule, and no rule decides otherwise."""
    for n_differing in range(1, 5):
        for method in ("shift", "percentile"):
            test = PairedBootstrap(
                scoring="recall", method=method, n_resamples=999, random_state=0
            ).fit_predictions(*detected_by_a_alone(n_differing))
            assert "decide otherwise" not in " ".join(test.result_.caveats)


# Weights and groups: the trials of a score


ON_LABELS = ["f1", "recall", "precision", "balanced_accuracy", "f1_macro", "roc_auc"]


def masked():
    """Return rows of which weights of 0 leave 5 of 400 positives and 40 of 600 others.

    The models are the same wherever the weight is positive.
    """
    truth = np.repeat([1, 0], [400, 600])
    weights = np.zeros(1000)
    weights[:5] = weights[500:540] = 1
    a, b = truth.copy(), truth.copy()
    b[700] = 1
    return truth, a, b, weights


def as_scores(labels, scoring):
    return {"decision_function": labels} if scoring == "roc_auc" else labels


@quiet
@pytest.mark.parametrize("scoring", ON_LABELS)
def test_rows_of_weight_0_are_no_trials(scoring):
    truth, a, b, weights = masked()
    kept = weights > 0
    results = []
    for rows, options in [(slice(None), {"sample_weight": weights}), (kept, {})]:
        pair = (as_scores(own[rows].astype(float), scoring) for own in (a, b))
        if scoring != "roc_auc":
            pair = (a[rows], b[rows])
        test = PairedBootstrap(scoring=scoring, n_resamples=999, random_state=0)
        results.append(test.fit_predictions(truth[rows], *pair, **options).result_)
    weighted, alone = results
    assert weighted.limits.n_trials == alone.limits.n_trials == 5
    for interval in ("confidence_interval", "score_a_interval", "score_b_interval"):
        assert getattr(weighted, interval) == pytest.approx(getattr(alone, interval))
    p = weighted.margin_pvalue(-0.05, "greater")
    assert p == pytest.approx(alone.margin_pvalue(-0.05, "greater"))
    assert p > 0.7
    assert weighted.cautions == alone.cautions


@quiet
@pytest.mark.parametrize("scoring", ["precision", "f1", "accuracy"])
def test_equal_weights_are_no_weights(scoring):
    truth = np.repeat([1, 0], [400, 600])
    a = np.where(np.arange(1000) < 8, 1, 0)
    bounds = []
    for weights in (None, np.full(1000, 0.1)):
        test = PairedBootstrap(scoring=scoring, n_resamples=99, random_state=0)
        test.fit_predictions(truth, a, a, sample_weight=weights)
        bounds.append((test.result_.limits.n_trials, *test.score_a_interval_))
    if scoring != "accuracy":  # whose score varies
        assert bounds[0] == pytest.approx(bounds[1])
    assert bounds[0][0] == bounds[1][0]
    assert bounds[0][0] == {"precision": 8, "f1": 400, "accuracy": 1000}[scoring]


@quiet
@pytest.mark.parametrize("scoring", ON_LABELS)
def test_groups_with_a_class_are_its_trials(scoring):
    groups = np.repeat(np.arange(100), 10)
    truth = (groups < 3).astype(int)  # all positives are in three groups
    pair = (as_scores(truth.astype(float), scoring) for _ in "ab")
    if scoring != "roc_auc":
        pair = (truth, truth)
    test = PairedBootstrap(scoring=scoring, n_resamples=999, random_state=0)
    result = test.fit_predictions(truth, *pair, groups=groups).result_
    assert result.limits.n_trials == 3
    assert result.confidence_interval.high == pytest.approx(1 - 0.025 ** (1 / 3))
    assert result.margin_pvalue(-0.1, "greater") == pytest.approx(0.9**3)
    assert any("only 3 groups of a class" in text for text in result.cautions)


@quiet
@pytest.mark.parametrize("test", [PairedBootstrap, WildClusterBootstrap])
def test_uneven_groups_are_as_many_trials_as_their_effective_number(test):
    groups = np.concatenate([np.zeros(10_000, dtype=int), np.arange(1, 100)])
    truth = np.arange(len(groups)) % 2
    test = test(scoring="accuracy", n_resamples=99, random_state=0)
    result = test.fit_predictions(truth, truth, truth, groups=groups).result_
    assert result.confidence_interval.high > 0.9
    if result.limits is not None:
        assert result.limits.n_trials == 1  # its effective number is 1.02
        assert result.margin_pvalue(-0.05, "greater") > 0.9


@quiet
@pytest.mark.parametrize("scoring", ["f1_macro", "precision_macro", "f1_weighted"])
def test_labels_that_one_model_never_meets_remove_no_bounds(scoring):
    truth = np.array([0, 1] * 30)
    b = truth.copy()
    b[:3] = 2  # neither a true label nor one that A predicts
    test = PairedBootstrap(scoring=scoring, n_resamples=99, random_state=0)
    result = test.fit_predictions(truth, truth, b).result_
    assert result.score_a_interval == pytest.approx((0.025 ** (1 / 30), 1.0))


@quiet
def test_a_model_without_positive_predictions_has_an_unknown_precision():
    truth = np.array([0, 1] * 30)
    nothing = np.zeros(60, dtype=int)
    test = PairedBootstrap(
        scoring=make_scorer(precision_score, zero_division=0),
        n_resamples=99,
        random_state=0,
    )
    result = test.fit_predictions(truth, truth, nothing).result_
    assert result.limits.n_trials == 0
    assert result.score_b_interval == (0.0, 1.0)
    assert result.margin_pvalue(0.5, "greater") == 1.0


@quiet
def test_uneven_groups_widen_the_interval_of_folds_without_errors():
    groups = np.concatenate([np.zeros(1000, dtype=int), np.arange(1, 100)])
    truth = np.arange(len(groups)) % 2
    test = CrossValidationCLT(scoring="accuracy")
    fold = groups % 2
    test.fit_predictions(truth, truth, truth, groups=groups, fold=fold)
    assert test.confidence_interval_.high > 0.9
    assert test.score_a_interval_.low < 0.1


@quiet
def test_the_point_interval_of_an_unbounded_score_is_called_a_bound():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=50)
    test = PairedBootstrap(scoring="r2", n_resamples=99, random_state=0)
    result = test.fit_predictions(truth, truth, truth + rng.normal(size=50)).result_
    assert result.score_a_interval == (1.0, 1.0)
    bounds = [text for text in result.caveats if "a single point, is a bound" in text]
    assert [text.split(" in r2")[0] for text in bounds] == ["The score of A"]


def test_few_rows_of_a_class_are_in_the_sentence_of_delong():
    rng = np.random.default_rng(0)
    truth = np.repeat([1, 0], [4, 200])
    a, b = truth + rng.normal(size=(2, 204))
    with pytest.warns(SmallSampleWarning, match="only 4 rows"):
        test = DeLong().fit_predictions(truth, a, b)
    assert test.result_.cautions == ("only 4 rows of a class",)


# Undefined resamples


def on_some_sums(y, p):
    if y.sum() % 7 == 0:
        raise KeyError("no such sum")
    return np.mean(y == p)


def test_undefined_resamples_are_reported_with_error_and_consequence():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    y[np.flatnonzero(y)[: int(y.sum() % 7 == 0)]] = 0
    b = np.where(rng.random(300) < 0.8, y, 1 - y)
    test = PairedBootstrap(
        scoring=make_scorer(on_some_sums), n_resamples=499, random_state=0
    )
    with pytest.warns(UndefinedScoreWarning) as caught:
        result = test.fit_predictions(y, y, b).result_
    text = str(caught[0].message)
    assert "p-value, which is at least their share" in text
    assert "The last error: KeyError: 'no such sum'." in text
    assert result.pvalue > 0.05
    assert result.detectable_effect is None
    caveats = " ".join(result.caveats)
    assert "Too many resamples are undefined: 0 cannot be excluded" in caveats
    assert "Too few" not in caveats


# Few resamples


@quiet
@pytest.mark.parametrize("interval", ["bca", "studentized", "percentile", "symmetric"])
def test_no_interval_of_too_few_resamples_excludes_anything(interval):
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    a, b = (np.where(rng.random(300) < p, y, 1 - y) for p in (0.9, 0.6))
    for n_resamples in (1, 2, 18):
        test = PairedBootstrap(
            scoring="accuracy",
            n_resamples=n_resamples,
            interval=interval,
            random_state=0,
        )
        fitted = test.fit_predictions(y, a, b)
        assert tuple(fitted.confidence_interval_) == (-np.inf, np.inf)


@quiet
def test_undefined_resamples_count_in_simultaneous_intervals_as_in_the_p_value():
    y = np.r_[np.ones(4, int), np.zeros(56, int)]
    rng = np.random.default_rng(17)
    a, b = (rng.normal(size=60) + shift * y for shift in (1.6, 0.2))
    test = PairedBootstrap(
        n_resamples=999, method="shift", alternative="two-sided", random_state=0
    )
    pairs = PairwiseComparison(
        test=test, scoring="roc_auc", correction="max-t", random_state=0
    )
    result = pairs.fit_predictions(y, {"a": a, "b": b}).result_
    assert result.results[0].n_undefined > 0
    low, high = result.intervals[0]
    assert (low > 0) == (result.pvalues[0] <= 0.05)
    alone = test.set_params(scoring="roc_auc").fit_predictions(y, a, b)
    assert (low, high) == pytest.approx(tuple(alone.confidence_interval_))
