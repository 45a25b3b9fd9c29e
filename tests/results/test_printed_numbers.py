"""Numbers that are printed next to each other have one format."""

import dataclasses

import numpy as np
import pytest

from skcompare import (
    PairedTTest,
    PairwiseComparison,
    SearchComparison,
    WildClusterBootstrap,
)
from skcompare._format import bracket, format_numbers


def test_a_limit_that_is_a_rounding_error_of_the_other_is_printed_as_0():
    assert bracket((-2.18e-11, 0.0667)) == "[0.0000, 0.0667]"
    assert bracket((-0.0667, 2.18e-11)) == "[-0.0667, 0.0000]"
    assert bracket((-3e-5, 7e-5)) == "[-3.000e-05, 7.000e-05]"
    assert bracket((-np.inf, 0.0667)) == "[-inf, 0.0667]"
    assert bracket((0.0, 0.0)) == "[0.0000, 0.0000]"


def test_a_small_limit_keeps_its_sign():
    assert bracket((-3e-5, 0.2)) == "[-0.0000, 0.2000]"
    assert bracket((3e-5, 0.2)) == "[0.0000, 0.2000]"


def test_a_wild_cluster_interval_that_ends_at_0_is_printed_as_such():
    rng = np.random.default_rng(0)
    data = rng.integers(2, size=(3, 60))
    test = WildClusterBootstrap(scoring="accuracy", random_state=0)
    result = test.fit_predictions(*data, groups=np.arange(60) % 30).result_
    ends = result.confidence_interval._replace(low=-2.18e-11, high=0.0667)
    text = str(dataclasses.replace(result, confidence_interval=ends))
    assert "interval [0.0000, 0.0667]" in text
    assert "e-11" not in text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0.0, 3.419e-5, 0.0123], ["0.0000", "0.0000", "0.0123"]),
        ([0.0, 3.419e-5], ["0", "3.419e-05"]),
        ([12.5, 0.25], ["12.500", "0.250"]),
        ([2.5e7, 1e3], ["2.500e+07", "1.000e+03"]),
        ([np.nan, 0.5], ["nan", "0.5000"]),
        ([np.nan], ["nan"]),
    ],
)
def test_a_column_has_the_format_of_its_largest_number(values, texts):
    assert format_numbers(values) == texts


def test_a_column_of_rounding_errors_is_a_column_of_zeros():
    assert format_numbers([0.0, 1.1e-16], scale=0.9) == ["0.0000", "0.0000"]


def decimals(table, name):
    """Return the numbers of decimals in a column, with "e" for an exponent."""
    place = table.columns.index(name)
    cells = [row[place] for row in table.rows]
    return {"e" if "e" in cell else len(cell.partition(".")[2]) for cell in cells}


def test_candidates_of_a_search_are_behind_by_numbers_of_one_format():
    scores = np.array([[0.9, 0.89997, 0.8], [0.91, 0.91, 0.83], [0.92, 0.91999, 0.8]])
    results = {f"split{n}_test_score": row for n, row in enumerate(scores)}
    results["params"] = [{"depth": 1}, {"depth": 2}, {"depth": 3}]
    comparison = SearchComparison.from_cv_results(results, random_state=0)
    for table in comparison.result_.tables():
        assert decimals(table, "behind by") == {4}


def test_pairs_differ_by_numbers_of_one_format():
    rng = np.random.default_rng(0)
    y, a = rng.normal(size=(2, 50))
    models = {"a": a, "b": a + 1e-6 * rng.normal(size=50), "c": a + 1}
    test = PairedTTest(scoring="neg_mean_squared_error", alternative="two-sided")
    result = PairwiseComparison(test=test).fit_predictions(y, models).result_
    assert np.abs(result.deltas).min() < 1e-4
    assert decimals(result.tables()[1], "a - b") == {4}
