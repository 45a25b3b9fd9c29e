"""The signature of a result repeats the run: each parameter is in it by its name."""

import ast

import numpy as np
import pytest

import skcompare
from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CorrectedTTest,
    CorrelationTest,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    PairwiseComparison,
    SignTest,
    WilcoxonSignedRank,
)


def _value(text):
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def rebuilt(signature):
    """Return the test that a signature describes, printed in several lines or not."""
    signature = "".join(line.strip() for line in signature.splitlines())
    parts = dict(part.split(":", 1) for part in signature.split("|"))
    cls = getattr(skcompare, parts["test"])
    names = cls().get_params(deep=False)
    settings = {n: _value(v) for n, v in parts.items() if n in names and n != "cv"}
    if "seed" in parts:
        settings["random_state"] = int(parts["seed"])
    return cls(**settings)


@pytest.fixture(scope="module")
def labels():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 60)
    return [y, *(np.where(rng.random(60) < p, y, 1 - y) for p in (0.85, 0.7))]


@pytest.fixture(scope="module")
def values():
    rng = np.random.default_rng(6)
    y = rng.normal(size=60)
    return [y, y + rng.normal(size=60), y + 1.3 * rng.normal(size=60)]


LABEL_TESTS = [
    PairedBootstrap(scoring="f1", n_resamples=199),
    PairedBootstrap(scoring="f1", n_resamples=199, method="percentile"),
    PairedBootstrap(scoring="f1", n_resamples=199, method="studentized"),
    PairedBootstrap(scoring="accuracy", n_resamples=199, interval="bca"),
    PairedBootstrap(scoring="accuracy", n_resamples=199, add_one=False),
    PairedBootstrap(scoring="accuracy", n_resamples="auto"),
    PairedBootstrap(scoring="accuracy", n_resamples="ideal"),
    ApproxRandomization(scoring="f1", n_resamples=199),
    ApproxRandomization(scoring="f1", n_resamples=199, statistic="difference"),
    ApproxRandomization(scoring="f1", n_resamples=199, statistic="studentized"),
    ApproxRandomization(scoring="accuracy", method="monte-carlo", n_resamples=199),
    ApproxRandomization(scoring="accuracy", alternative="two-sided"),
    McNemar(),
    McNemar(variant="corrected", alternative="two-sided"),
    SignTest(scoring="accuracy", alternative="less"),
]

VALUE_TESTS = [
    WilcoxonSignedRank(scoring="neg_mean_squared_error", zero_method="pratt"),
    WilcoxonSignedRank(scoring="neg_mean_squared_error", method="asymptotic"),
    PairedTTest(scoring="neg_mean_squared_error", confidence_level=0.9),
    CorrelationTest(),
    PairedBootstrap(scoring="r2", n_resamples=199, method="shift"),
]


@pytest.mark.parametrize("test", LABEL_TESTS, ids=str)
def test_a_test_of_labels_is_rebuilt_from_its_signature(test, labels):
    first = test.fit_predictions(*labels).result_
    again = rebuilt(first.signature).fit_predictions(*labels).result_
    assert again.pvalue == first.pvalue
    assert again.confidence_interval == first.confidence_interval
    assert again.signature == first.signature


def test_a_test_is_rebuilt_from_a_signature_in_several_lines(labels):
    test = PairedBootstrap(scoring="f1", n_resamples=199, method="percentile")
    first = test.fit_predictions(*labels).result_
    printed = str(first).rpartition("\n\n")[2]
    assert printed.count("\n") > 1
    again = rebuilt(printed).fit_predictions(*labels).result_
    assert again.signature == first.signature


@pytest.mark.parametrize("test", VALUE_TESTS, ids=str)
def test_a_test_of_values_is_rebuilt_from_its_signature(test, values):
    first = test.fit_predictions(*values).result_
    again = rebuilt(first.signature).fit_predictions(*values).result_
    assert again.pvalue == first.pvalue
    assert again.signature == first.signature


def test_delong_is_rebuilt_from_its_signature(values):
    y, a, b = values
    data = [y > 0, a, b]
    first = DeLong(alternative="less").fit_predictions(*data).result_
    assert rebuilt(first.signature).fit_predictions(*data).result_.pvalue == (
        first.pvalue
    )


def test_a_posterior_is_rebuilt_from_its_signature(labels):
    test = BayesianComparison(scoring="f1", n_draws=500, prior=0.25, rope=0.02)
    first = test.fit_predictions(*labels).result_
    again = rebuilt(first.signature).fit_predictions(*labels).result_
    assert again.p_better == first.p_better
    assert "|rope:0.02" in first.signature


def test_a_test_of_folds_is_rebuilt_from_its_signature():
    scores = np.random.default_rng(0).random((2, 10))
    test = CorrectedTTest(alternative="two-sided", confidence_level=0.9)
    first = test.fit_scores(*scores, test_train_ratio=0.1).result_
    again = rebuilt(first.signature).fit_scores(*scores, test_train_ratio=0.1)
    assert again.pvalue_ == first.pvalue
    assert "|confidence_level:0.9" in first.signature


def test_pairs_keep_the_settings_of_their_test(labels):
    test = ApproxRandomization(scoring="f1", n_resamples=99, statistic="difference")
    comparison = PairwiseComparison(test=test, correction="bh", random_state=0)
    y, a, b = labels
    result = comparison.fit_predictions(y, {"a": a, "b": b, "c": y}).result_
    for part in ("statistic:difference", "n_resamples:99", "correction:bh", "seed:0"):
        assert part in result.signature
