"""Both tests against plain enumeration of everything that could be drawn."""

import functools
import itertools
import math
import warnings
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    mean_squared_error,
    roc_auc_score,
)

from skcompare import ApproxRandomization, PairedBootstrap
from skcompare.exceptions import ComparisonWarning
from skcompare.stats.pvalues import ALTERNATIVES, resampling_pvalue

pytestmark = pytest.mark.usefixtures("quiet")  # tiny data are the point here


class Case(NamedTuple):
    """A metric, as scikit-learn's function, and tiny data for it."""

    scoring: str
    metric: callable
    truth: list
    pred_a: list
    pred_b: list

    @property
    def arrays(self):
        return tuple(map(np.array, self[2:]))

    def delta(self, truth, pred_a, pred_b):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # undefined on some resamples: nan
            return self.metric(truth, pred_a) - self.metric(truth, pred_b)

    @property
    def observed(self):
        return self.delta(*self.arrays)


def negated_mse(truth, pred):
    return -mean_squared_error(truth, pred)


CASES = [
    Case("accuracy", accuracy_score, [1, 1, 0, 0, 1], [1, 1, 0, 0, 0], [1, 0, 0, 1, 1]),
    Case("f1", f1_score, [1, 1, 0, 0, 1], [1, 1, 0, 1, 1], [1, 0, 1, 0, 0]),
    Case(
        "roc_auc",
        roc_auc_score,
        [1, 1, 0, 0, 0],
        [0.9, 0.4, 0.3, 0.5, 0.1],
        [0.2, 0.6, 0.3, 0.5, 0.5],
    ),
    Case(
        "neg_mean_squared_error",
        negated_mse,
        [1.0, 2.5, -0.5, 4.0, 0.3],
        [1.2, 2.0, 0.0, 3.1, 0.9],
        [0.1, 2.9, -1.5, 4.8, 1.4],
    ),
]
N_RESAMPLES = 500
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.scoring)
each_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)


def once_for_each_case(enumerate_all):
    """Keep what an enumeration gives: metrics of scikit-learn take their time."""
    kept = {}

    @functools.wraps(enumerate_all)
    def enumerated(case):
        if case.scoring not in kept:
            kept[case.scoring] = enumerate_all(case)
        return kept[case.scoring]

    return enumerated


@once_for_each_case
def enumerate_bootstrap(case):
    """Return the delta of all n^n resamples, as distinct ones and their shares."""
    n = len(case.truth)
    deltas, shares = [], []
    for rows in itertools.combinations_with_replacement(range(n), n):
        repeats = map(math.factorial, Counter(rows).values())
        deltas.append(case.delta(*(array[list(rows)] for array in case.arrays)))
        shares.append(math.factorial(n) / math.prod(repeats) / n**n)
    assert math.isclose(sum(shares), 1)
    return np.array(deltas), np.array(shares)


@once_for_each_case
def enumerate_swaps(case):
    """Return the delta of all 2^n labelings."""
    truth, a, b = case.arrays
    choices = itertools.product([False, True], repeat=len(truth))
    return np.array(
        [case.delta(truth, np.where(s, b, a), np.where(s, a, b)) for s in choices]
    )


def is_extreme(null, observed, alternative):
    """Return which values count; the undefined ones do."""
    slack = 1e-9  # the values of these tiny data are much further apart
    exceeds = {
        "greater": null >= observed - slack,
        "less": null <= observed + slack,
        "two-sided": np.abs(null) >= abs(observed) - slack,
    }
    return exceeds[alternative] | np.isnan(null)


def error_of(share, n_resamples):
    """Return the Monte Carlo standard error of a share."""
    return math.sqrt(share * (1 - share) / n_resamples)


def compare(test, case, **params):
    if test is ApproxRandomization:
        params = {"statistic": "difference", "swap": "scores"} | params
    else:
        params = {"method": "shift"} | params
    return test(scoring=case.scoring, **params).fit_predictions(*case[2:])


@each_alternative
@each_case
def test_exact_randomization_is_the_enumeration_of_all_swaps(case, alternative):
    expected = is_extreme(enumerate_swaps(case), case.observed, alternative).mean()
    comparison = compare(
        ApproxRandomization, case, alternative=alternative, method="exact"
    )
    assert comparison.delta_ == pytest.approx(case.observed)
    assert comparison.pvalue_ == pytest.approx(expected, rel=1e-12)
    assert comparison.pvalue_error_ == 0


@each_case
def test_exact_distribution_holds_the_enumerated_deltas(case):
    comparison = compare(ApproxRandomization, case, method="exact")
    n_agreements = np.count_nonzero(np.equal(case.pred_a, case.pred_b))
    repeated = np.tile(comparison.distribution_, 2**n_agreements)
    np.testing.assert_allclose(
        np.sort(repeated), np.sort(enumerate_swaps(case)), atol=1e-12
    )


@each_case
def test_exact_standard_error_is_the_spread_of_all_swaps(case):
    """The labelings are all there are, no sample of them: divide by their number."""
    comparison = compare(ApproxRandomization, case, method="exact")
    assert comparison.standard_error_ == pytest.approx(np.std(enumerate_swaps(case)))


@each_alternative
@each_case
def test_random_swaps_approach_the_enumerated_pvalue(case, alternative, random_seed):
    expected = is_extreme(enumerate_swaps(case), case.observed, alternative).mean()
    comparison = compare(
        ApproxRandomization,
        case,
        alternative=alternative,
        method="monte-carlo",
        add_one=False,
        n_resamples=300,
        random_state=random_seed,
    )
    assert comparison.pvalue_ == pytest.approx(
        expected, abs=4 * error_of(expected, 300)
    )


@each_alternative
@each_case
def test_bootstrap_approaches_the_enumerated_pvalue(case, alternative, random_seed):
    deltas, shares = enumerate_bootstrap(case)
    extreme = is_extreme(deltas - case.observed, case.observed, alternative)
    expected, both = shares[extreme].sum(), alternative == "two-sided"
    comparison = compare(
        PairedBootstrap,
        case,
        alternative=alternative,
        method="shift",
        add_one=False,
        n_resamples=300,
        random_state=random_seed,
    )
    share = comparison.n_exceeding_ / 300
    assert share == pytest.approx(expected, abs=4 * error_of(expected, 300))
    # Few rows that differ cannot show more than their signs.
    signs = (1 + both) / 2 ** int(comparison.problem_.differs.sum())
    assert comparison.pvalue_ == max(share, min(1, signs))


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.scoring)
def bootstrapped(request):
    """Return a case, all its resamples with their shares, and a bootstrap of it."""
    case = request.param
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        comparison = compare(
            PairedBootstrap,
            case,
            n_resamples=N_RESAMPLES,
            confidence_level=0.8,
            interval="percentile",
            random_state=42,
        )
    return case, *enumerate_bootstrap(case), comparison


def test_bootstrap_meets_undefined_resamples_as_often_as_there_are(bootstrapped):
    case, deltas, shares, comparison = bootstrapped
    expected = shares[np.isnan(deltas)].sum()
    assert (expected > 0) == (case.scoring == "roc_auc")
    undefined = comparison.result_.n_undefined / N_RESAMPLES
    assert undefined == pytest.approx(expected, abs=4 * error_of(expected, N_RESAMPLES))


def test_percentile_interval_ends_at_quantiles_of_the_enumeration(bootstrapped):
    _, deltas, shares, comparison = bootstrapped
    defined = np.isfinite(deltas)
    deltas, shares = deltas[defined], shares[defined] / shares[defined].sum()
    for end, share in zip(comparison.confidence_interval_, (0.1, 0.9), strict=True):
        error = 4 * error_of(share, N_RESAMPLES * defined.mean())
        assert shares[deltas < end - 1e-9].sum() <= share + error
        assert shares[deltas <= end + 1e-9].sum() >= share - error


def test_standard_error_is_the_spread_of_the_enumeration(bootstrapped):
    _, deltas, shares, comparison = bootstrapped
    defined = np.isfinite(deltas)
    expected = np.sqrt(np.cov(deltas[defined], aweights=shares[defined], ddof=0))
    assert comparison.standard_error_ == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_worked_example_has_the_scores_of_the_textbook(test, ten_documents):
    comparison = test(scoring="accuracy", n_resamples=99).fit_predictions(
        *ten_documents
    )
    assert comparison.score_a_ == pytest.approx(0.7)
    assert comparison.score_b_ == pytest.approx(0.5)
    assert comparison.delta_ == pytest.approx(0.2)


def test_bootstrap_of_the_worked_example_is_a_trinomial(ten_documents, random_seed):
    # A alone is right on 4 of 10 documents, B alone on 2: a resample reaches 2 delta
    # if documents of the first kind lead by at least 4.
    kinds = stats.multinomial(10, [0.4, 0.2, 0.4])
    expected = sum(
        kinds.pmf([a, b, 10 - a - b])
        for a in range(11)
        for b in range(11 - a)
        if a - b >= 4
    )
    comparison = PairedBootstrap(
        scoring="accuracy", n_resamples=2000, add_one=False, random_state=random_seed
    ).fit_predictions(*ten_documents)
    assert comparison.pvalue_ == pytest.approx(
        expected, abs=4 * error_of(expected, 2000)
    )


def test_randomization_of_the_worked_example_is_a_binomial(ten_documents):
    comparison = ApproxRandomization(scoring="accuracy").fit_predictions(*ten_documents)
    assert comparison.result_.method == "exact"
    assert comparison.pvalue_ == 22 / 64  # at least 4 of 6 discordant documents to A


def test_textbook_share_of_47_in_10000_resamples():
    assert resampling_pvalue(47, 10_000, add_one=False) == 0.0047
