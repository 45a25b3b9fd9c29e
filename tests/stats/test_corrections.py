"""Corrections of p-values: against statsmodels, and what they promise."""

from types import SimpleNamespace

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from skcompare import ApproxRandomization, adjust_pvalues
from skcompare.model_selection._pairwise import _max_t
from skcompare.stats.corrections import CORRECTIONS

OTHER_NAMES = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "bh": "fdr_bh",
    "by": "fdr_by",
}


@pytest.mark.parametrize("method", OTHER_NAMES)
@pytest.mark.parametrize("n_tests", [1, 2, 7, 45])
def test_corrections_equal_those_of_statsmodels(method, n_tests):
    rng = np.random.default_rng(n_tests)
    pvalues = np.round(rng.beta(0.4, 2, size=n_tests), 2)  # with ties and zeros
    expected = multipletests(pvalues, method=OTHER_NAMES[method])[1]
    assert adjust_pvalues(pvalues, method) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("method", CORRECTIONS)
def test_adjusted_pvalues_keep_order_and_are_no_smaller(method):
    pvalues = np.random.default_rng(0).random(30)
    adjusted = adjust_pvalues(pvalues, method)
    assert (adjusted >= pvalues).all()
    assert (adjusted <= 1).all()
    assert (np.diff(adjusted[np.argsort(pvalues)]) >= 0).all()


def test_holm_is_the_default_and_none_changes_nothing():
    pvalues = [0.04, 0.01, 0.03]
    assert adjust_pvalues(pvalues).tolist() == adjust_pvalues(pvalues, "holm").tolist()
    assert adjust_pvalues(pvalues, "none").tolist() == pvalues


@pytest.mark.parametrize("method", CORRECTIONS)
def test_shapes_are_kept(method):
    pvalues = np.array([[0.01, 0.5], [0.2, 0.03]])
    adjusted = adjust_pvalues(pvalues, method)
    assert (
        adjusted.tolist()
        == adjust_pvalues(pvalues.ravel(), method).reshape(2, 2).tolist()
    )


@pytest.mark.parametrize("method", CORRECTIONS)
def test_no_pvalues_give_none_and_the_argument_is_left_alone(method):
    assert adjust_pvalues([], method).shape == (0,)
    pvalues = np.array([0.5, 0.01])
    adjust_pvalues(pvalues, method)[:] = 0
    assert pvalues.tolist() == [0.5, 0.01]


@pytest.mark.parametrize(
    ("pvalues", "method", "message"),
    [
        ([0.1, 1.5], "holm", r"`pvalues` must lie between 0 and 1.*Got 1\.5"),
        ([0.1, np.nan], "none", r"between 0 and 1.*Got nan.*use 1 for tests"),
        (["a"], "holm", r"`pvalues` must be numbers\. Got \['a'\]"),
        (None, "holm", r"`pvalues` must be numbers\. Got None"),
        ([0.1], "sidak", r"`method` must be one of 'bonferroni', .*Got 'sidak'"),
    ],
)
def test_bad_input_is_named(pvalues, method, message):
    with pytest.raises(ValueError, match=message):
        adjust_pvalues(pvalues, method)


@pytest.mark.parametrize(
    ("observed", "short", "ties"),
    [(2.0, 8e-9, True), (2.0, 1.2e-8, False), (0.1, 8e-10, True), (0.1, 8e-9, False)],
)
def test_studentized_swaps_that_tie_up_to_rounding_count_in_max_t(
    observed, short, ties
):
    """Standard errors by numerical derivatives are accurate to about nine digits."""
    swapped = np.array([observed - short, -observed, -observed, -observed])
    pair = SimpleNamespace(
        delta=0.1,
        statistic=observed,
        distribution=0.1 * np.sign(swapped),
        statistic_distribution=swapped,
        method="monte-carlo",
        n_exceeding=0,
        pvalue=0.0,
        confidence_level=None,
    )
    test = ApproxRandomization(statistic="studentized", alternative="greater")
    fields = _max_t(test, [pair, pair], np.zeros(2))
    assert fields["pvalues_adjusted"].tolist() == [(1 + ties) / 5] * 2
