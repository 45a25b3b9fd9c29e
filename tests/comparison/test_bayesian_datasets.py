"""Bayesian comparisons over several data sets, against loops, grids and known cases."""

import json

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone

from skcompare import BayesianHierarchical, BayesianSignedRank
from skcompare.exceptions import DegenerateDataWarning
from skcompare.stats.posterior import hierarchy_draws

FOREST = np.array([0.84, 0.91, 0.78, 0.95, 0.70, 0.88, 0.92, 0.66, 0.81, 0.87])
TREE = np.array([0.82, 0.93, 0.79, 0.93, 0.66, 0.89, 0.92, 0.61, 0.78, 0.87])

# Gelman et al., Bayesian Data Analysis, table 5.2.
SCHOOLS = np.array([28.0, 8, -3, 7, -1, 1, 18, 12])
SCHOOL_ERRORS = np.array([15.0, 10, 16, 11, 9, 11, 10, 18])


def regions_by_hand(differences, rope, prior, n_draws, rng):
    """Sum weights over pairs in a plain loop."""
    z = [0.0, *differences]
    shares = np.zeros((n_draws, 3))
    averages = np.round(np.add.outer(z, z) / 2, 12)
    for draw in range(n_draws):
        weights = rng.dirichlet([prior, *np.ones(len(differences))])
        for i, j in np.ndindex(len(z), len(z)):
            average = averages[i, j]
            region = 0 if average > rope else 2 if average < -rope else 1
            shares[draw, region] += weights[i] * weights[j]
    return shares


def assert_share(share, expected, n):
    """Check a share of n draws against another share of 300."""
    pooled = (share * n + expected * 300) / (n + 300)
    error = np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / 300))
    assert abs(share - expected) <= 5 * error + 1e-12


@pytest.mark.parametrize("rope", [0.0, 0.01])
def test_signed_ranks_by_a_plain_loop(rope):
    test = BayesianSignedRank(rope=rope, n_draws=20_000, random_state=0)
    test.fit_scores(FOREST, TREE)
    rng = np.random.default_rng(1)
    by_hand = regions_by_hand(FOREST - TREE, rope, 0.5, 300, rng)
    largest = np.argmax(by_hand, axis=1)
    for region, p in enumerate((test.p_better_, test.p_equivalent_, test.p_worse_)):
        assert_share(p, np.mean(largest == region), 20_000)
    error = by_hand.std(axis=0) / np.sqrt(300)
    assert (np.abs(by_hand.mean(axis=0) - test.shares_) < 5 * error + 1e-9).all()


def test_regions_of_signed_ranks_sum_to_one():
    test = BayesianSignedRank(random_state=0, n_draws=500).fit_scores(FOREST, TREE)
    np.testing.assert_allclose(test.result_.regions.sum(axis=1), 1)
    assert test.p_better_ + test.p_equivalent_ + test.p_worse_ == pytest.approx(1)


def test_exchanging_the_models_mirrors_the_probabilities():
    there = BayesianSignedRank(random_state=0, n_draws=2_000).fit_scores(FOREST, TREE)
    back = BayesianSignedRank(random_state=0, n_draws=2_000).fit_scores(TREE, FOREST)
    assert there.p_better_ == back.p_worse_
    assert there.delta_ == -back.delta_


def test_rounding_does_not_leave_the_region():
    # 0.8 - 0.79 is a little more than 0.01 in floating point.
    a, b = np.full(6, 0.80), np.full(6, 0.79)
    assert a[0] - b[0] > 0.01
    test = BayesianSignedRank(rope=0.01, n_draws=100, random_state=0).fit_scores(a, b)
    assert (test.p_equivalent_, test.decision_) == (1.0, "~")


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("rope", [0, 0.01])
@pytest.mark.parametrize("test", [BayesianSignedRank, BayesianHierarchical])
def test_equal_scores_are_equivalent(test, rope):
    scores = FOREST if test is BayesianSignedRank else np.tile(FOREST[:, None], 5)
    comparison = test(rope=rope, n_draws=100, random_state=0).fit_scores(scores, scores)
    assert (comparison.p_equivalent_, comparison.decision_) == (1.0, "~")


def test_a_strong_prior_decides_for_equivalence():
    test = BayesianSignedRank(prior=1_000, n_draws=100, random_state=0)
    assert test.fit_scores(FOREST + 0.1, TREE).decision_ == "~"


def test_numbers_do_not_depend_on_n_jobs(monkeypatch):
    monkeypatch.setattr("skcompare._engine._workers.SECONDS_WORTH_WORKERS", 0.0)
    one, two = (
        BayesianSignedRank(random_state=0, n_draws=3_000, n_jobs=n).fit_scores(
            FOREST, TREE
        )
        for n in (1, 2)
    )
    np.testing.assert_array_equal(one.result_.regions, two.result_.regions)


def test_means_that_vary_by_1e_10_have_a_spread():
    plain, small = (
        hierarchy_draws(means, errors, 500, np.random.default_rng(0))
        for means, errors in (
            (SCHOOLS, SCHOOL_ERRORS),
            (1 + 1e-11 * SCHOOLS, 1e-11 * SCHOOL_ERRORS),
        )
    )
    np.testing.assert_allclose(small.spread / 1e-11, plain.spread, rtol=1e-3)
    np.testing.assert_allclose((small.center - 1) / 1e-11, plain.center, atol=1e-2)


def test_the_hierarchy_agrees_with_integration_over_a_grid():
    result = hierarchy_draws(SCHOOLS, SCHOOL_ERRORS, 40_000, np.random.default_rng(0))
    center, spread = np.linspace(-60, 80, 281), np.linspace(0.05, 150, 1_000)
    sd = np.sqrt(SCHOOL_ERRORS**2 + spread[:, np.newaxis] ** 2)
    log = sum(
        stats.norm.logpdf(mean, center[:, np.newaxis], sd[:, place])
        for place, mean in enumerate(SCHOOLS)
    )
    density = np.exp(log - log.max())
    density /= density.sum()
    of_center, of_spread = density.sum(axis=1), density.sum(axis=0)
    assert result.center.mean() == pytest.approx(of_center @ center, abs=0.15)
    for value in (1.0, 3.0, 6.0, 12.0):
        expected = of_spread[spread <= value].sum()
        assert np.mean(result.spread <= value) == pytest.approx(expected, abs=0.015)
    # The shrunken effects, in the middle of those of the book's table 5.3.
    assert result.deltas[0] == pytest.approx(11.3, abs=1.0)
    assert (np.abs(result.deltas - 8) < np.abs(SCHOOLS - 8)).sum() >= 7


@pytest.fixture(scope="module")
def folds():
    rng = np.random.default_rng(0)
    level = rng.uniform(0.6, 0.9, size=(8, 1))
    a = level + 0.04 + rng.normal(scale=0.03, size=(8, 10))
    return a, level + rng.normal(scale=0.03, size=(8, 10))


def test_a_hierarchy_of_folds(folds):
    test = BayesianHierarchical(random_state=0, n_draws=5_000).fit_scores(*folds)
    assert test.decision_ == ">>"
    assert test.delta_ == pytest.approx(np.mean(folds[0] - folds[1]))
    assert test.center_.shape == test.spread_.shape == (5_000,)
    # Data sets that do not differ are drawn almost together.
    raw = (folds[0] - folds[1]).mean(axis=1)
    assert np.ptp(test.dataset_deltas_) < 0.6 * np.ptp(raw)


def test_a_difference_on_every_other_data_set_is_not_one_on_the_next():
    rng = np.random.default_rng(0)
    effects = np.tile([0.1, -0.1], 5)[:, np.newaxis]
    a = 0.7 + effects + rng.normal(scale=0.01, size=(10, 10))
    b = 0.7 + rng.normal(scale=0.01, size=(10, 10))
    test = BayesianHierarchical(random_state=0, n_draws=5_000).fit_scores(a, b)
    assert test.decision_ == "?"
    assert 0.3 < test.shares_[0] < 0.6
    assert 0.3 < test.shares_[2] < 0.6


@pytest.mark.parametrize("n_same", [1, 3])
def test_data_sets_without_variation_keep_an_error(n_same):
    # Taken as exact, three that agree would make the spread 0 and all others alike.
    rng = np.random.default_rng(0)
    b = rng.uniform(0.6, 0.9, size=(7 + n_same, 10))
    noise = rng.normal(scale=0.03, size=(7, 10))
    a = b.copy()
    a[:7] += 0.05 + noise - noise.mean(axis=1, keepdims=True)
    with pytest.warns(DegenerateDataWarning, match=f"On {n_same} of {7 + n_same} data"):
        test = BayesianHierarchical(random_state=0, n_draws=5_000).fit_scores(a, b)
    assert test.p_equivalent_ < 0.1
    assert test.dataset_deltas_[:7].min() > 0.02
    assert "does not vary over folds" in test.result_.summary()


def test_ratio_widens_the_errors(folds):
    draws = [
        BayesianHierarchical(random_state=0, n_draws=5_000)
        .fit_scores(*folds, test_train_ratio=ratio)
        .center_
        for ratio in (0.0, None, 1.0)
    ]
    spreads = [np.std(of_ratio) for of_ratio in draws]
    assert spreads[0] < spreads[1] < spreads[2]


def test_the_sentence_and_the_exports():
    test = BayesianSignedRank(rope=0.01, random_state=0, n_draws=1_000)
    result = test.fit_scores(FOREST + 0.1, TREE).result_
    sentence = result.sentence()
    assert "'A better by more than 0.01' is the most frequent outcome" in sentence
    assert sentence.endswith("With a required probability of 0.95: A is better.")
    assert json.loads(json.dumps(result.to_dict()))["decision"] == ">>"
    assert result.to_frame().loc["better", "probability"] == result.p_better
    assert "share of data sets" in result.tables()[1].columns
    assert "regions" not in result.to_dict()


def test_parameters_are_kept_until_fit():
    test = BayesianSignedRank(rope=-1)
    assert clone(test).rope == -1


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"rope": -1}, "`rope` must be a finite number of at least 0"),
        ({"prior": 0}, "`prior` must be a finite number of at least 0.01"),
        ({"credible_level": 1}, "`credible_level` must lie strictly"),
        ({"n_draws": 0}, "`n_draws` must be an integer"),
        ({"random_state": "a"}, "`random_state` must be"),
    ],
)
def test_bad_parameters(params, message):
    with pytest.raises(ValueError, match=message):
        BayesianSignedRank(**params).fit_scores(FOREST, TREE)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (FOREST, TREE[:9], "must be scores on the same data sets"),
        (FOREST[:2], TREE[:2], "at least 3 data sets. Got 2"),
        (["x", "y", "z"], TREE[:3], "`scores_a` must be numbers"),
        ([FOREST], [TREE], "`scores_a` must be numbers, one per data set"),
        ([0.1, np.nan, 0.3], TREE[:3], "`scores_a` must not have missing"),
    ],
)
def test_bad_scores(a, b, message):
    with pytest.raises(ValueError, match=message):
        BayesianSignedRank().fit_scores(a, b)


def test_bad_folds(folds):
    a, b = folds
    with pytest.raises(ValueError, match=r"one per data set \(row\) and fold"):
        BayesianHierarchical().fit_scores(FOREST, TREE)
    with pytest.raises(ValueError, match=r"at least 2 folds\. Got 1"):
        BayesianHierarchical().fit_scores(a[:, :1], b[:, :1])
    with pytest.raises(ValueError, match="`test_train_ratio` must be a finite number"):
        BayesianHierarchical().fit_scores(a, b, test_train_ratio=-1)


# Degenerate scores


def test_signed_ranks_of_the_same_scores_come_with_a_warning():
    test = BayesianSignedRank(n_draws=200, random_state=0)
    with pytest.warns(
        DegenerateDataWarning, match="same score on all 10 data"
    ) as caught:
        test.fit_scores(FOREST, FOREST)
    assert caught[0].filename == __file__
    assert test.decision_ == "~"
    assert test.result_.caveats == (str(caught[0].message),)
    assert "Caution: no score differs." in test.result_.sentence()
    rounded = FOREST + 0.1 - 0.1  # the same but for rounding
    with pytest.warns(DegenerateDataWarning, match="same score on all 10"):
        test.fit_scores(FOREST, rounded)


def test_signed_ranks_of_one_data_set_that_differs_are_not_warned_of():
    other = np.append(FOREST[:-1], FOREST[-1] + 0.1)
    test = BayesianSignedRank(n_draws=200, random_state=0).fit_scores(other, FOREST)
    assert test.result_.caveats == ()


@pytest.mark.parametrize(
    ("shift", "message", "decision"),
    [
        (0.0, "same score on all folds of all data sets", "~"),
        (0.1, "On no data set does the difference vary", ">>"),
        (np.linspace(0.05, 0.1, 6)[:, None], "On no data set does the diff", ">>"),
    ],
    ids=["same", "shifted", "shifted by data set"],
)
def test_a_hierarchy_without_variation_comes_with_a_warning(shift, message, decision):
    scores = np.random.default_rng(0).uniform(0.5, 0.9, size=(6, 5))
    test = BayesianHierarchical(n_draws=200, random_state=0)
    with pytest.warns(DegenerateDataWarning, match=message) as caught:
        test.fit_scores(scores + shift, scores)
    assert caught[0].filename == __file__
    assert test.decision_ == decision
    assert test.result_.caveats == (str(caught[0].message),)
    assert "Caution: no " in test.result_.sentence()  # not just ">>"


def test_few_draws_are_not_certain_enough_for_a_decision():
    rng = np.random.default_rng(0)
    scores = rng.random(8) * 0.05 + 0.8, rng.random(8) * 0.05 + 0.6
    test = BayesianSignedRank(n_draws=20, credible_level=0.98, random_state=0)
    result = test.fit_scores(*scores).result_
    assert result.p_better == 1.0
    assert result.decision == "?"
    assert "is the most frequent outcome is 0.975" in result.sentence()
    assert test.set_params(n_draws=99).fit_scores(*scores).decision_ == ">>"
    with pytest.raises(ValueError, match="`n_draws` must be an integer from 20"):
        test.set_params(n_draws=19).fit_scores(*scores)
