"""What a new user must not overlook is in the result: signs, sides and doubts."""

import dataclasses

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, make_scorer, mean_absolute_error

from skcompare import (
    CochranQ,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
)
from skcompare.exceptions import ComparisonWarning, SmallSampleWarning


@pytest.fixture(scope="module")
def values():
    rng = np.random.default_rng(1)
    y = rng.normal(size=80)
    return [y, y + 0.5 * rng.normal(size=80), y + rng.normal(size=80)]


def test_an_error_whose_sign_is_not_turned_is_warned_of(values):
    test = PairedTTest(scoring=make_scorer(mean_absolute_error))
    with pytest.warns(ComparisonWarning, match="greater_is_better=False"):
        result = test.fit_predictions(*values).result_
    assert "Caution: mean_absolute_error is lower for a better model" in (
        result.sentence()
    )


def test_several_models_are_warned_of_the_sign_once(values):
    y, a, b = values
    test = PairedTTest(scoring=make_scorer(mean_absolute_error))
    with pytest.warns(ComparisonWarning, match="greater_is_better=False") as caught:
        PairwiseComparison(test=test).fit_predictions(y, {"a": a, "b": b, "c": a + 1})
    assert len(caught) == 1


def test_a_sign_that_is_turned_is_in_the_name_of_the_metric(values):
    scorer = make_scorer(mean_absolute_error, greater_is_better=False)
    result = PairedTTest(scoring=scorer).fit_predictions(*values).result_
    assert result.scoring == "neg_mean_absolute_error"
    assert result.delta > 0


def test_scores_and_own_functions_are_not_taken_for_errors(values):
    def my_error(y_true, y_pred):
        return -np.mean(np.abs(y_true - y_pred))

    PairedBootstrap(scoring=make_scorer(my_error), n_resamples=99).fit_predictions(
        *values
    )
    labels = [np.sign(v) for v in values]
    PairedTTest(scoring=make_scorer(accuracy_score)).fit_predictions(*labels)


def right_and_wrong(n_a, n_b, n=60):
    truth = np.zeros(n, dtype=int)
    a, b = truth.copy(), truth.copy()
    a[n_b + n_a : n_b + 2 * n_a] = 0
    b[:n_a] = 1
    a[n_a : n_a + n_b] = 1
    return truth, a, b


@pytest.mark.parametrize(
    "test",
    [McNemar(), PairedTTest(), PairedBootstrap(method="shift", random_state=0)],
    ids=lambda test: type(test).__name__,
)
def test_a_one_sided_pvalue_beside_a_two_sided_interval_is_explained(test):
    data = right_and_wrong(10, 3)
    result = test.fit_predictions(*data).result_
    assert result.significant
    assert result.confidence_interval.low <= 0 <= result.confidence_interval.high
    both = test.set_params(alternative="two-sided").fit_predictions(*data).result_
    (note,) = (n for n in result.notes() if "two-sided and the p-value one-sided" in n)
    assert note.endswith(f"would give p = {both.row()['p-value']}.")
    assert not any("one-sided" in n for n in both.notes())


def test_few_groups_are_in_the_sentence():
    data = right_and_wrong(10, 3)
    test = PairedBootstrap(scoring="accuracy", n_resamples=99, random_state=0)
    with pytest.warns(SmallSampleWarning):
        test.fit_predictions(*data, groups=np.arange(60) // 6)
    assert test.result_.sentence().endswith("Caution: only 10 groups.")


def test_large_numbers_have_no_decimals_that_do_not_matter():
    rng = np.random.default_rng(0)
    a, b = 13_700 + 900 * rng.normal(size=(2, 50))
    result = PairedTTest().fit_row_scores(a, b + 300).result_
    assert ".0000" not in result.summary()
    low, high = result.confidence_interval
    assert f"[{low:.2f}, {high:.2f}]" in result.sentence()
    assert f"scores {result.score_a:.0f} and" in result.sentence()


def test_a_difference_of_rounding_alone_is_printed_as_0():
    a = np.array([0.1, 0.2, 0.3])
    rows_a, rows_b = np.tile(a, 30), np.tile(a[::-1], 30)
    rows_b[0] += 1e-16
    result = PairedTTest().fit_row_scores(rows_a, rows_b).result_
    rounded = dataclasses.replace(result, delta=-2.22e-17)
    assert "a difference of +0.0000" in rounded.sentence()
    assert "e-17" not in rounded.summary()
    small = dataclasses.replace(result, score_a=3e-17, score_b=5e-17, delta=-2e-17)
    assert "a difference of -2e-17" in small.sentence()


@pytest.mark.parametrize(
    ("test", "name"),
    [
        (McNemar(), "rows only A gets right"),
        (McNemar(variant="chi2"), "chi2"),
        (SignTest(), "rows on which A scores higher"),
        (WilcoxonSignedRank(), "rank sum for A"),
        (PairedTTest(), "t"),
    ],
    ids=repr,
)
def test_a_table_names_the_statistic(test, name):
    result = test.fit_predictions(*right_and_wrong(10, 3)).result_
    names = [row[0] for row in result.tables()[0].rows]
    assert name in names
    assert not any("_" in name for name in names)


def test_sizes_of_effects_are_named_in_words():
    truth, a, b = right_and_wrong(10, 3)
    truth[::2] = a[::2] = b[::2] = 1
    delong = DeLong().fit_predictions(
        truth, {"predict_proba": a / 2}, {"predict_proba": b / 2}
    )
    omnibus = CochranQ().fit_predictions(truth, {"a": a, "b": b, "c": 1 - a})
    for table in (delong.result_.tables()[0], omnibus.result_.tables()[1]):
        assert not any("_" in row[0] for row in table.rows)
    assert "Somers' D" in delong.result_.summary()
    assert "eta squared" in omnibus.result_.summary()
