"""DeLong's test: against brute force, the jackknife and the bootstrap; degenerate data.

Brute force goes through all pairs of a positive and a negative row, as the paper does.
"""

import json
import pickle
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    LeaveOneOut,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from skcompare import BayesianComparison, DeLong, PairedBootstrap
from skcompare.exceptions import (
    DegenerateDataWarning,
    PooledScoreWarning,
    SmallSampleWarning,
)
from skcompare.stats.delong import delong_interval, delong_test, roc_areas

ALTERNATIVES = ["greater", "less", "two-sided"]


def draw(rng, n=40, *, ties=False, signal=(1.0, 0.5)):
    """Return truth and correlated scores of two models."""
    truth = np.r_[0, 0, 1, 1, rng.integers(2, size=n - 4)]
    shared = rng.normal(size=n)
    scores = [s * truth + shared + rng.normal(size=n) for s in signal]
    return truth, *(np.round(one) if ties else one for one in scores)


def test_hand_computed_example():
    """Positives 3, 1 and negatives 2, 0: three of four pairs are right.

    Placements are 1 and 1/2 in both classes, with variance 1/8: 1/8/2 + 1/8/2 = 1/8.
    The other model is constant.
    """
    truth = [1, 1, 0, 0]
    a, b = [0.3, 0.1, 0.2, 0.05], [0.4, 0.4, 0.4, 0.4]
    with pytest.warns(SmallSampleWarning, match="only 2 rows"):
        test = DeLong().fit_predictions(truth, a, b)
    assert (test.score_a_, test.score_b_, test.delta_) == (0.75, 0.5, 0.25)
    assert test.standard_error_ == pytest.approx(np.sqrt(1 / 8))
    assert test.statistic_ == pytest.approx(0.25 / np.sqrt(1 / 8))
    assert test.pvalue_ == pytest.approx(stats.t.sf(0.25 / np.sqrt(1 / 8), df=2))


def test_agrees_with_the_paired_bootstrap():
    truth, a, b = draw(np.random.default_rng(0), 300)
    fast = DeLong().fit_predictions(truth, a, b)
    slow = PairedBootstrap(scoring="roc_auc", n_resamples=2_000, random_state=0)
    slow.fit_predictions(truth, a, b)
    assert fast.delta_ == slow.delta_
    # The error of a standard deviation from 2,000 draws is about 1.6 %.
    assert fast.standard_error_ == pytest.approx(slow.standard_error_, rel=0.1)
    np.testing.assert_allclose(
        fast.confidence_interval_, slow.confidence_interval_, atol=0.015
    )
    np.testing.assert_allclose(
        fast.score_a_interval_, slow.score_a_interval_, atol=0.015
    )


# Symmetries


@pytest.mark.filterwarnings("ignore:One class has")  # few rows will do
@pytest.mark.parametrize("ties", [False, True], ids=["distinct", "ties"])
def test_p_is_complementary_when_the_models_change_places(ties, random_seed):
    truth, a, b = draw(np.random.default_rng(random_seed), ties=ties)
    p, swapped = (
        {
            way: DeLong(alternative=way).fit_predictions(truth, *pair).pvalue_
            for way in ALTERNATIVES
        }
        for pair in ((a, b), (b, a))
    )
    assert p["greater"] == pytest.approx(swapped["less"], rel=1e-12)
    assert p["greater"] + swapped["greater"] == pytest.approx(1)
    assert p["two-sided"] == pytest.approx(swapped["two-sided"], rel=1e-12)
    assert p["two-sided"] == pytest.approx(2 * min(p["greater"], p["less"]))


@pytest.mark.filterwarnings("ignore:One class has")  # few rows will do
def test_only_the_order_of_the_scores_counts(random_seed):
    truth, a, b = draw(np.random.default_rng(random_seed), ties=True)
    plain = DeLong().fit_predictions(truth, a, b)
    bent = DeLong().fit_predictions(truth, np.exp(a), 1 / (1 + np.exp(-b)))
    assert bent.pvalue_ == plain.pvalue_
    assert bent.confidence_interval_ == plain.confidence_interval_


@pytest.mark.filterwarnings("ignore:One class has")  # few rows will do
def test_labels_may_be_words():
    truth, a, b = draw(np.random.default_rng(1))
    words = np.array(["ham", "spam"])[truth]
    plain, named = (DeLong().fit_predictions(y, a, b) for y in (truth, words))
    assert named.pvalue_ == plain.pvalue_


# Models


def test_decision_values_meet_probabilities(classification):
    X_train, y_train, X, y = classification
    a, b = LinearSVC().fit(X_train, y_train), GaussianNB().fit(X_train, y_train)
    test = DeLong(a, b).fit(X, y)
    by_hand = DeLong().fit_predictions(
        y, a.decision_function(X), b.predict_proba(X)[:, 1]
    )
    assert test.pvalue_ == by_hand.pvalue_
    assert test.best_estimator_ in (a, b)
    assert test.result_.scoring == "roc_auc"


def test_out_of_fold_scores_are_ranked_within_folds(classification):
    *_, X, y = classification
    test = DeLong(LogisticRegression(), GaussianNB(), cv=4).fit(X, y)
    assert len(test.fold_) == len(y)
    assert 0 < test.pvalue_ < 1
    scores = [
        cross_val_score(model, X, y, cv=4, scoring="roc_auc").mean()
        for model in (LogisticRegression(), GaussianNB())
    ]
    assert (test.score_a_, test.score_b_) == pytest.approx(scores)
    # Folds are independent, and of one size and one variance: the error of their mean.
    parts = []
    a, b = (next(iter(one.values())) for one in test.predictions_)
    for fold in range(4):
        rows = test.fold_ == fold
        of_fold = [np.reshape(p, (len(y), -1))[rows, -1] for p in (a, b)]
        areas = roc_areas(y[test.indices_][rows] == y.max(), of_fold)
        parts.append(delong_test(areas, "greater").standard_error)
    error = np.linalg.norm(parts) / 4
    # With little to learn they are not independent, and the variance is doubled.
    assert any("variance is doubled" in caveat for caveat in test.result_.caveats)
    assert test.standard_error_ == pytest.approx(np.sqrt(2) * error, rel=0.02)
    again = DeLong().fit_predictions(
        y[test.indices_],
        *(np.reshape(p, (len(y), -1))[:, -1] for p in (a, b)),
        fold=test.fold_,
    )
    assert again.pvalue_ == pytest.approx(test.pvalue_)


def test_folds_with_much_to_learn_are_taken_as_independent():
    rng = np.random.default_rng(0)
    y, fold = np.arange(200) % 2, np.arange(200) // 40
    a, b = 2 * y + rng.normal(size=(2, 200))
    result = DeLong().fit_predictions(y, a, b, fold=fold).result_
    parts = [
        delong_test(roc_areas(y[rows] == 1, [a[rows], b[rows]]), "greater")
        for rows in (fold == one for one in range(5))
    ]
    error = np.linalg.norm([part.standard_error for part in parts]) / 5
    assert result.standard_error == pytest.approx(error, rel=0.02)
    assert result.caveats == ()
    # One ranking of all rows is that of one model, whatever it has learned.
    pooled = DeLong().fit_predictions(y, *rng.normal(size=(2, 200))).result_
    assert pooled.caveats == ()


@pytest.mark.parametrize("test", [DeLong, PairedBootstrap, BayesianComparison])
def test_leave_one_out_is_refused_for_rankings(classification, test):
    *_, X, y = classification
    params = {} if test is DeLong else {"scoring": "roc_auc"}
    test = test(LogisticRegression(), GaussianNB(), cv=LeaveOneOut(), **params)
    with pytest.raises(ValueError, match=r"several rows out .*stratified folds"):
        test.fit(X[::4], y[::4])


def test_folds_without_two_rows_of_a_class_are_refused(classification):
    *_, X, y = classification
    y = np.where(np.arange(len(y)) < 4, 1, 0)
    test = DeLong(LogisticRegression(), GaussianNB(), cv=StratifiedKFold(4))
    with pytest.raises(ValueError, match="positive and negative rows in every fold"):
        test.fit(X, y)


def test_an_explicit_pool_is_warned_of_for_rankings_alone(classification):
    *_, X, y = classification
    test = PairedBootstrap(
        LogisticRegression(),
        GaussianNB(),
        cv=4,
        aggregate="pooled",
        scoring=["roc_auc", "f1"],
        n_resamples=99,
        random_state=0,
    )
    with pytest.warns(PooledScoreWarning, match="roc_auc of pooled.*is biased") as seen:
        test.fit(X, y)
    assert "f1" not in str(seen[0].message)


def test_rows_tested_twice_are_refused(classification):
    *_, X, y = classification
    twice = RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=0)
    test = DeLong(LogisticRegression(), GaussianNB(), cv=twice)
    with pytest.raises(ValueError, match="at most once"):
        test.fit(X, y)


@pytest.mark.parametrize("name", ["groups", "strata", "sample_weight"])
def test_groups_and_the_like_are_refused(name):
    truth, a, b = draw(np.random.default_rng(2))
    with pytest.raises(ValueError, match=f"`{name}` must be None for DeLong.*Paired"):
        DeLong().fit_predictions(truth, a, b, **{name: np.ones(len(truth))})


@pytest.mark.filterwarnings("ignore:One class has")  # few rows will do
def test_constructor_stores_clones_and_pickles(classifiers):
    test = DeLong(*classifiers, alternative="less", confidence_level=0.9)
    assert clone(test).get_params(deep=False).keys() == {
        "estimator_a",
        "estimator_b",
        "cv",
        "alternative",
        "confidence_level",
        "alpha",
        "refit",
        "error_score",
        "n_jobs",
        "verbose",
    }
    truth, a, b = draw(np.random.default_rng(3))
    fitted = DeLong().fit_predictions(truth, a, b)
    assert pickle.loads(pickle.dumps(fitted)).pvalue_ == fitted.pvalue_


@pytest.mark.filterwarnings("ignore:One class has")  # few rows will do
def test_result_can_be_printed_and_exported():
    truth, a, b = draw(np.random.default_rng(4))
    result = DeLong().fit_predictions(truth, a, b).result_
    assert "DeLong" in result.summary()
    stored = json.loads(json.dumps(result.to_dict()))
    assert stored["effect_size"]["somers_d_difference"] == pytest.approx(
        2 * result.delta
    )


@pytest.mark.parametrize(
    ("params", "match"),
    [
        ({"alternative": "both"}, "`alternative` must be one of"),
        ({"confidence_level": 95}, "`confidence_level` must lie"),
        ({"alpha": 0}, "`alpha` must lie"),
    ],
)
def test_bad_parameters_are_named(params, match):
    with pytest.raises(ValueError, match=match):
        DeLong(**params).fit_predictions([0, 0, 1, 1], [1, 2, 3, 4], [2, 1, 3, 4])


# Too few rows, or perfect rankings


@pytest.mark.parametrize(
    ("truth", "got"),
    [
        ([0, 0, 0, 1], "3 of class 0, 1 of class 1"),
        ([0, 1, 1, 1], "1 of class 0, 3 of class 1"),
        ([1, 1, 1, 1], "4 of class 1"),
    ],
)
def test_two_rows_of_each_class_are_needed(truth, got):
    with pytest.raises(ValueError, match=f"at least two rows of each.*{got}"):
        DeLong().fit_predictions(truth, [1.5, 2.5, 3.5, 4.5], [4.5, 1.5, 3.5, 2.5])
    if len(set(truth)) == 2:
        with pytest.raises(ValueError, match="at least two positive"):
            roc_areas(np.array(truth) == 1, [np.arange(4)])


@pytest.mark.parametrize(
    "truth", [[0, 1, 2, 0, 1, 2], np.eye(2, dtype=int)[[0, 1, 0, 1, 0, 1]]]
)
def test_other_targets_than_two_classes_are_refused(truth):
    scores = np.full((6, np.shape(truth)[1] if np.ndim(truth) == 2 else 3), 0.3)
    with pytest.raises(ValueError, match=r"two classes.*PairedBootstrap"):
        DeLong().fit_predictions(truth, scores, scores)


TRUTH = np.array([0] * 7 + [1] * 5)
PERFECT, USELESS = TRUTH + np.arange(12) / 100, np.full(12, 0.5)
POOR = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8.5])


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(
    ("a", "b"),
    [
        (POOR, POOR),
        (POOR, POOR**3),
        (PERFECT, PERFECT),
        (PERFECT, TRUTH - 0.5),
        (USELESS, 3 * USELESS),
        (-PERFECT, -PERFECT),
    ],
    ids=["same", "same order", "perfect", "both perfect", "useless", "inverted"],
)
def test_the_same_order_gives_p_1(a, b, alternative):
    with pytest.warns(DegenerateDataWarning):
        test = DeLong(alternative=alternative).fit_predictions(TRUTH, a, b)
    assert (test.delta_, test.statistic_, test.pvalue_) == (0, 0, 1)
    low, high = test.confidence_interval_
    assert -1 < low < 0 < high < 1
    assert low == -high


@pytest.mark.parametrize(
    ("a", "b", "delta"),
    [(PERFECT, USELESS, 0.5), (PERFECT, -PERFECT, 1.0), (USELESS, -PERFECT, 0.5)],
)
def test_a_difference_without_variance_has_a_bounded_p(a, b, delta):
    """Five pairs without a common row: a sign test if the difference is 1."""
    bound = (1 + delta) ** -5
    expected = {"greater": bound, "less": 1, "two-sided": 2 * bound}
    for alternative, pvalue in expected.items():
        with pytest.warns(DegenerateDataWarning, match="5 pairs of rows"):
            test = DeLong(alternative=alternative).fit_predictions(TRUTH, a, b)
        with pytest.warns(DegenerateDataWarning):
            swapped = DeLong(alternative=alternative).fit_predictions(TRUTH, b, a)
        assert test.delta_ == delta
        assert test.pvalue_ == pytest.approx(pvalue)
        assert swapped.statistic_ == -test.statistic_
        assert 0 < test.statistic_ < np.inf
        assert test.result_.method == "bound"


def test_test_and_interval_agree_without_variance():
    with pytest.warns(DegenerateDataWarning):
        test = DeLong(alternative="two-sided").fit_predictions(TRUTH, PERFECT, -PERFECT)
    p = test.pvalue_
    for level, excluded in ((1 - p - 1e-6, True), (1 - p + 1e-6, False)):
        assert (delong_interval(1.0, 0.0, 5, level).low > 0) == excluded


def test_few_rows_of_a_class_are_warned_of():
    with pytest.warns(SmallSampleWarning, match=r"only 5 rows.*0\.031") as record:
        test = DeLong().fit_predictions(TRUTH, TRUTH + POOR / 4, POOR)
    assert record[0].filename == __file__
    assert "only 5 rows" in test.result_.summary()


def test_a_perfect_model_is_not_certain_to_be_perfect():
    """Of n independent pairs all are right with probability at most area ** n."""
    with pytest.warns(DegenerateDataWarning):
        test = DeLong().fit_predictions(TRUTH, PERFECT, USELESS)
    low, high = test.score_a_interval_
    assert low == pytest.approx(0.025 ** (1 / 5))
    assert high == 1


def test_fewer_than_twenty_rows_of_a_class_are_warned_of():
    rng = np.random.default_rng(0)
    for n_positives, few in ((19, True), (20, False)):
        y = np.repeat([1, 0], [n_positives, 100])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            DeLong().fit_predictions(y, *(y + rng.normal(size=(2, len(y)))))
        assert any("fewer than 20" in str(w.message) for w in caught) == few
