"""The Model Confidence Set: its definition, its place among sets, what it keeps."""

import itertools

import numpy as np
import pytest

from skcompare.stats.max_t import max_t_pvalues, studentize
from skcompare.stats.model_sets import confidence_set_pvalues
from tests.rates import assert_level


def predictions_of(rng, n_rows, accuracies, shared=0.6):
    """Return the truth and predictions of models that often err on the same rows."""
    truth, hard = rng.integers(2, size=n_rows), rng.random(n_rows)
    predictions = {}
    for number, accuracy in enumerate(accuracies):
        luck = np.where(rng.random(n_rows) < shared, hard, rng.random(n_rows))
        predictions[f"m{number}"] = np.where(luck < accuracy, truth, 1 - truth)
    return truth, predictions


def bootstrapped(rng, rows, n_resamples):
    """Return column means, and those of bootstrap resamples of the rows."""
    share = np.full(len(rows), 1 / len(rows))
    counts = rng.multinomial(len(rows), share, size=n_resamples)
    return rows.mean(axis=0), counts @ rows / len(rows)


@pytest.fixture
def five():
    """Scores of five models and correlated resamples of them."""
    rng = np.random.default_rng(0)
    observed = np.array([0.8, 0.79, 0.77, 0.7, 0.78])
    mixed = np.eye(5) + 0.3 * rng.normal(size=(5, 5))
    return observed, observed + rng.normal(scale=0.02, size=(499, 5)) @ mixed


def by_definition(observed, resampled):
    """Eliminate models as in Hansen et al. (2011, section 3.1.2), by losses."""
    loss, losses = -observed, -resampled
    left, pvalues, largest = list(range(len(loss))), np.ones(len(loss)), 0.0
    while len(left) > 1:
        t, null = {}, np.zeros(len(losses))
        for i, j in itertools.permutations(left, 2):
            d, d_star = loss[i] - loss[j], losses[:, i] - losses[:, j]
            error = d_star.std(ddof=1)
            t[i, j] = d / error
            null = np.maximum(null, np.abs(d_star - d) / error)
        (worst, _), largest_t = max(t.items(), key=lambda item: item[1])
        count = np.count_nonzero(null >= largest_t)
        largest = max(largest, (count + 1) / (len(losses) + 1))
        pvalues[worst] = largest
        left.remove(worst)
    return pvalues


def test_ties_in_spite_of_rounding_count_as_reached():
    """Scores are shares of 49 rows: of two models, count in whole numbers."""
    rng = np.random.default_rng(3)
    for right in range(30, 45):
        right = np.array([right, right - rng.integers(1, 3)])
        lead = right[0] - right[1]
        counts = rng.binomial(49, right / 49, size=(99, 2))
        away = np.abs(counts[:, 0] - counts[:, 1] - lead)
        assert (away == lead).any()
        pvalues = confidence_set_pvalues(right / 49, counts / 49, 1e-12)
        assert pvalues.min() == (1 + np.count_nonzero(away >= lead)) / 100


def test_numbers_are_those_of_the_definition(five):
    pvalues = confidence_set_pvalues(*five)
    assert pvalues == pytest.approx(by_definition(*five))
    assert len(set(pvalues)) > 3


def test_numbers_are_those_of_other_software():
    """MCS(-scores, method="R", bootstrap="cbb", block_size=1) of arch 8.0.0."""
    rng = np.random.default_rng(3)
    worse_by = np.array([0, 0.02, 0.1, 0.15, 0.2, 0.3])
    rows = -(rng.normal(size=(250, 6)) + rng.normal(size=(250, 1)) + worse_by)
    pvalues = confidence_set_pvalues(*bootstrapped(rng, rows, 9_999))
    expected = np.array([1.0, 0.939, 0.939, 0.939, 0.129, 0.012])
    # Both are shares of 9,999 resamples.
    error = np.sqrt(2 * expected * (1 - expected) / 9_999)
    assert (np.abs(pvalues - expected) <= 4 * error + 0.001).all()


@pytest.mark.parametrize("add_one", [True, False])
def test_two_models_are_the_two_sided_test_of_the_pair(five, add_one):
    observed, resampled = (array[..., [2, 4]] for array in five)
    delta = observed[:1] - observed[1:]
    null = resampled[:, :1] - resampled[:, 1:] - delta
    pair = studentize(delta, null, np.zeros(1))
    expected = max_t_pvalues(pair, "two-sided", add_one=add_one)
    pvalues = confidence_set_pvalues(observed, resampled, add_one=add_one)
    assert pvalues.tolist() == [expected[0], 1.0]


def test_models_alike_share_a_p_value_and_the_best_have_one(five):
    observed, resampled = (array[..., [0, 3, 0, 2, 2]] for array in five)
    pvalues = confidence_set_pvalues(observed, resampled)
    assert pvalues[0] == pvalues[2] == 1
    assert pvalues[3] == pvalues[4] < 1
    same = np.zeros(3, dtype=int)
    alike = confidence_set_pvalues(observed[same], resampled[:, same])
    assert alike.tolist() == [1, 1, 1]
    assert confidence_set_pvalues(observed[:1], resampled[:, :1]).tolist() == [1]


def test_a_difference_that_never_changes_has_the_smallest_p_value_of_its_resamples():
    rng = np.random.default_rng(0)
    best = 0.8 + rng.normal(scale=0.01, size=99)
    resampled = np.column_stack([best, best - 0.01])
    pvalues = confidence_set_pvalues(np.array([0.8, 0.79]), resampled, 1e-12)
    assert pvalues.tolist() == [1, 0.01]


def test_differences_that_are_due_to_rounding_are_ties():
    rng = np.random.default_rng(0)
    first = 0.8 + rng.normal(scale=0.01, size=99)
    resampled = np.column_stack([first, first + 1e-16])
    pvalues = confidence_set_pvalues(np.array([0.8, 0.8 + 1e-16]), resampled, 1e-12)
    assert pvalues.tolist() == [1, 1]


def test_undefined_resamples_count_as_exceeding_while_their_model_is_left(five):
    observed, resampled = five[0] - [0, 0, 0, 0.3, 0], five[1] - [0, 0, 0, 0.3, 0]
    undefined = resampled.copy()
    undefined[:100, 3] = np.nan  # of the first to go
    pvalues, complete = (
        confidence_set_pvalues(observed, r) for r in (undefined, resampled)
    )
    assert complete[3] == 1 / 500
    assert pvalues[3] == 101 / 500
    assert pvalues[[0, 1, 2, 4]] == pytest.approx(complete[[0, 1, 2, 4]])


def test_the_order_of_models_does_not_matter(five):
    observed, resampled = five
    order = np.array([3, 0, 4, 2, 1])
    turned = confidence_set_pvalues(observed[order], resampled[:, order])
    assert (
        turned.tolist() == confidence_set_pvalues(observed, resampled)[order].tolist()
    )


def test_all_of_several_best_models_are_kept_often_enough(simulations):
    rng, kept, n_runs = np.random.default_rng(5), 0, simulations(200, 2_000)
    for _ in range(n_runs):
        truth, predictions = predictions_of(rng, 200, [0.85, 0.85, 0.85, 0.7, 0.7])
        right = np.column_stack(
            [predicted == truth for predicted in predictions.values()]
        )
        scores = bootstrapped(rng, right.astype(float), 199)
        kept += (confidence_set_pvalues(*scores, 1e-12)[:3] > 0.1).all()
    assert_level(n_runs - kept, n_runs, 0.1)


def test_one_good_model_among_many_alike_stands_out():
    """No model is significantly worse than the mean of all, which is as bad."""
    rng, sizes = np.random.default_rng(6), []
    for _ in range(10):
        truth, predictions = predictions_of(rng, 300, [0.93] + 14 * [0.8])
        right = np.column_stack(
            [predicted == truth for predicted in predictions.values()]
        )
        scores = bootstrapped(rng, right.astype(float), 299)
        sizes.append((confidence_set_pvalues(*scores, 1e-12) > 0.05).sum())
    assert np.mean(sizes) < 2
