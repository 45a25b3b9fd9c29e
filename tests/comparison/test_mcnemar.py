"""McNemar's test: tables, variants, the interval, degenerate data, calibration."""

import itertools
import json
import math

import numpy as np
import pytest
from scipy import optimize, stats
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import RepeatedKFold
from sklearn.naive_bayes import GaussianNB

from skcompare import ApproxRandomization, McNemar
from skcompare.exceptions import DegenerateDataWarning
from skcompare.stats.paired import (
    MCNEMAR_VARIANTS,
    discordance_sizes,
    mcnemar_test,
    tango_interval,
)
from skcompare.stats.pvalues import ALTERNATIVES
from tests.pairs import in_pairs

each_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)
each_variant = pytest.mark.parametrize("variant", MCNEMAR_VARIANTS)

# Both right, only A, only B, both wrong.
BENTUR = (1, 1, 7, 12)  # Bentur et al. (2009), table 1 of Fagerland et al. (2013)
AGRESTI = (794, 150, 86, 570)  # Agresti (1990), p. 350: approval in two surveys
TABLES = [BENTUR, AGRESTI, (3, 5, 5, 2), (0, 9, 0, 1), (4, 0, 3, 0), (9, 1, 0, 9)]
each_table = pytest.mark.parametrize("table", TABLES, ids=str)


def predictions(both, only_a, only_b, neither):
    """Return a truth and the predictions of two models that make up a table."""
    right_a = np.repeat([1, 1, 0, 0], [both, only_a, only_b, neither])
    right_b = np.repeat([1, 0, 1, 0], [both, only_a, only_b, neither])
    truth = np.arange(len(right_a)) % 2
    return truth, np.where(right_a, truth, 1 - truth), np.where(right_b, truth, 2)


def pvalue(n_only_a, n_only_b, variant="exact", alternative="two-sided"):
    return mcnemar_test(
        n_only_a, n_only_b, variant=variant, alternative=alternative
    ).pvalue


# Published numbers and other software


@pytest.mark.parametrize(
    ("variant", "expected"),
    [("exact", 0.0703), ("mid-p", 0.0391), ("chi2", 0.0339), ("corrected", 0.0771)],
)
def test_pvalues_of_fagerland_lydersen_and_laake(variant, expected):
    comparison = McNemar(variant=variant, alternative="two-sided")
    comparison.fit_predictions(*predictions(*BENTUR))
    assert comparison.pvalue_ == pytest.approx(expected, abs=5e-5)
    assert comparison.result_.method == variant


def test_chi_square_of_agresti_and_r():
    """R: mcnemar.test gives 16.818 and 4.115e-05 with correction, 17.356 without."""
    corrected = mcnemar_test(150, 86, variant="corrected", alternative="two-sided")
    assert corrected.statistic == pytest.approx(16.818, abs=5e-4)
    assert corrected.pvalue == pytest.approx(4.115e-05, rel=2e-4)
    plain = mcnemar_test(150, 86, variant="chi2", alternative="two-sided")
    assert plain.statistic == pytest.approx(17.356, abs=5e-4)


@each_table
def test_pvalues_are_those_of_statsmodels(table):
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    both, only_a, only_b, neither = table
    counts = [[both, only_a], [only_b, neither]]
    options = {
        "exact": {"exact": True},
        "chi2": {"exact": False, "correction": False},
        "corrected": {"exact": False, "correction": True},
    }
    if only_a == only_b:
        del options["corrected"]  # statsmodels adds to a difference of 0
    for variant, option in options.items():
        expected = tables.mcnemar(counts, **option).pvalue
        assert pvalue(only_a, only_b, variant) == pytest.approx(expected)


@each_alternative
@pytest.mark.parametrize(("b", "c"), [(9, 3), (3, 9), (0, 6), (5, 5), (40, 70)])
def test_exact_is_the_binomial_test(alternative, b, c):
    expected = stats.binomtest(b, b + c, alternative=alternative).pvalue
    assert pvalue(b, c, alternative=alternative) == pytest.approx(expected)


@pytest.mark.parametrize(("b", "c"), [(9, 3), (3, 9), (0, 6), (5, 5), (40, 70)])
def test_midp_counts_half_of_the_tables_as_extreme(b, c):
    outcomes = np.arange(b + c + 1)
    chances = stats.binom.pmf(outcomes, b + c, 0.5)

    def mid(distances, observed):
        more, as_much = distances > observed, distances == observed
        return chances[more].sum() + chances[as_much].sum() / 2

    gaps = 2 * outcomes - (b + c)
    assert pvalue(b, c, "mid-p", "greater") == pytest.approx(mid(gaps, b - c))
    assert pvalue(b, c, "mid-p", "less") == pytest.approx(mid(-gaps, c - b))
    assert pvalue(b, c, "mid-p") == pytest.approx(mid(np.abs(gaps), abs(b - c)))


def test_one_sided_chi_square_is_its_signed_root():
    root = 6 / np.sqrt(12)
    assert pvalue(9, 3, "chi2", "greater") == pytest.approx(stats.norm.sf(root))
    assert pvalue(9, 3, "chi2", "less") == pytest.approx(stats.norm.cdf(root))
    assert pvalue(9, 3, "chi2") == pytest.approx(stats.chi2.sf(root**2, 1))
    corrected = 5 / np.sqrt(12)
    assert pvalue(9, 3, "corrected", "greater") == pytest.approx(
        stats.norm.sf(corrected)
    )


@each_variant
def test_far_tails_keep_their_precision_and_are_never_zero(variant):
    assert 0 < pvalue(500, 0, variant) < 1e-100
    assert 0 < pvalue(10_000, 0, variant) < 1e-300
    assert pvalue(500, 0) == pytest.approx(2.0**-499, rel=1e-12)


# A and B change places


@each_variant
@each_table
def test_the_test_does_not_depend_on_who_is_called_A(variant, table):
    _, only_a, only_b, _ = table

    def p(alternative, *, swap=False):
        counts = (only_b, only_a) if swap else (only_a, only_b)
        return pvalue(*counts, variant, alternative)

    assert p("two-sided") == p("two-sided", swap=True)
    assert p("greater") == pytest.approx(p("less", swap=True), rel=1e-12)
    assert p("less") == pytest.approx(p("greater", swap=True), rel=1e-12)
    if variant == "exact":  # both tails have what was observed
        point = stats.binom.pmf(only_a, only_a + only_b, 0.5)
        assert p("greater") + p("less") == pytest.approx(1 + point)
    else:
        assert p("greater") + p("less") == pytest.approx(1)


# Results of the estimator


def test_the_table_and_the_discordant_rows():
    truth, a, b = predictions(2, 3, 1, 4)
    comparison = McNemar().fit_predictions(truth, a, b)
    np.testing.assert_array_equal(comparison.table_, [[2, 3], [1, 4]])
    np.testing.assert_array_equal(comparison.discordant_rows_, [2, 3, 4, 5])
    assert comparison.result_.table is comparison.table_
    assert comparison.statistic_ == 3
    assert comparison.delta_ == pytest.approx(0.2)
    assert comparison.effect_size_ == pytest.approx(
        {"risk_difference": 0.2, "odds_ratio": 3.0, "cohens_g": 0.25}
    )
    assert json.loads(json.dumps(comparison.result_.to_dict()))["table"] == [
        [2, 3],
        [1, 4],
    ]
    printed = str(comparison.result_)
    assert "odds ratio " in printed
    assert "Cohen's g " in printed
    assert "risk_difference" not in printed  # which is A - B


def test_strings_and_several_labels_are_right_or_wrong():
    truth = np.array(["ham", "spam", "ham", "eggs"])
    comparison = McNemar(alternative="two-sided").fit_predictions(
        truth, truth, ["ham", "ham", "eggs", "eggs"]
    )
    np.testing.assert_array_equal(comparison.table_, [[2, 2], [0, 0]])
    labels = np.array([[1, 0], [1, 1], [0, 0], [0, 1]])
    other = np.array([[1, 0], [1, 0], [0, 0], [1, 0]])
    comparison.fit_predictions(labels, labels, other)  # right if all labels are
    np.testing.assert_array_equal(comparison.table_, [[2, 2], [0, 0]])


def test_fitted_models_and_cross_validation(classification, classifiers):
    X_train, y_train, X, y = classification
    a, b = classifiers
    comparison = McNemar(a, b).fit(X, y)
    assert comparison.score_a_ == accuracy_score(y, a.predict(X))
    assert comparison.table_.sum() == len(y)
    right = [model.predict(X) == y for model in (a, b)]
    np.testing.assert_array_equal(
        comparison.discordant_rows_, np.flatnonzero(right[0] != right[1])
    )
    folded = McNemar(LogisticRegression(), GaussianNB(), cv=4).fit(X_train, y_train)
    assert folded.table_.sum() == len(y_train)
    rows = folded.discordant_rows_
    assert len(rows) == folded.table_[0, 1] + folded.table_[1, 0]
    assert (np.diff(rows) > 0).all()


def test_discordant_rows_are_positions_in_the_data_after_cross_validation():
    """The last rows are tested first; a constant model is wrong on one class."""
    X, y = np.arange(12.0)[:, None], np.tile([0, 0, 1], 4)
    folds = [
        (np.arange(6), np.arange(11, 5, -1)),
        (np.arange(6, 12), np.arange(5, -1, -1)),
    ]
    a, b = (DummyClassifier(strategy="constant", constant=c) for c in (0, 1))
    comparison = McNemar(a, b, cv=folds).fit(X, y)
    np.testing.assert_array_equal(comparison.discordant_rows_, np.arange(12))
    np.testing.assert_array_equal(comparison.table_, [[0, 8], [4, 0]])


@each_alternative
def test_exact_mcnemar_is_the_exact_randomization_test(alternative, labels):
    ours = McNemar(variant="exact", alternative=alternative)
    ours.fit_predictions(*labels)
    other = ApproxRandomization(
        scoring="accuracy", method="exact", alternative=alternative
    ).fit_predictions(*labels)
    assert ours.pvalue_ == pytest.approx(other.pvalue_)


# Degenerate tables


@pytest.mark.parametrize(
    ("variant", "alternative", "table"),
    in_pairs(
        itertools.product(
            MCNEMAR_VARIANTS,
            ["greater", "less", "two-sided"],
            [(5, 0, 0, 5), (9, 0, 0, 0), (0, 0, 0, 9)],
        )
    ),
)
def test_no_discordant_row_gives_one(variant, alternative, table):
    truth, a, _ = predictions(*table)
    test = McNemar(variant=variant, alternative=alternative)
    with pytest.warns(DegenerateDataWarning, match="predict the same"):
        comparison = test.fit_predictions(truth, a, a)
    assert comparison.pvalue_ == 1
    assert comparison.statistic_ == 0
    assert len(comparison.discordant_rows_) == 0
    low, high = comparison.confidence_interval_
    assert -1 < low == -high < 0  # no difference seen is not no difference
    sizes = comparison.effect_size_
    assert (sizes["risk_difference"], sizes["cohens_g"]) == (0, 0)
    assert math.isnan(sizes["odds_ratio"])
    assert "nan" not in str(comparison.result_)


def test_models_that_are_wrong_in_different_ways_do_not_differ():
    with pytest.warns(DegenerateDataWarning, match="same accuracy"):
        comparison = McNemar().fit_predictions([0, 1, 0], [0, 2, 0], [0, 3, 0])
    assert comparison.pvalue_ == 1


def test_one_discordant_row_shows_nothing():
    assert pvalue(1, 0) == 1
    assert pvalue(1, 0, alternative="greater") == 0.5
    assert pvalue(1, 0, alternative="less") == 1
    assert pvalue(1, 0, "mid-p") == 0.5
    assert pvalue(1, 0, "corrected") == 1
    assert pvalue(1, 0, "chi2") == pytest.approx(0.3173, abs=1e-4)


@pytest.mark.parametrize("n", [1, 3, 10, 300])
def test_balanced_discordant_rows_give_one_in_two_sided_tests(n):
    assert pvalue(n, n) == 1
    assert pvalue(n, n, "chi2") == 1
    assert pvalue(n, n, "corrected") == 1  # never less than no difference
    point = stats.binom.pmf(n, 2 * n, 0.5)
    assert pvalue(n, n, "mid-p") == pytest.approx(1 - point / 2)


def test_all_discordant_rows_one_way():
    comparison = McNemar(variant="exact").fit_predictions(*predictions(0, 8, 0, 0))
    assert comparison.pvalue_ == pytest.approx(2.0**-8)
    assert comparison.confidence_interval_.high == 1
    assert 0 < comparison.confidence_interval_.low < 1
    assert comparison.effect_size_["odds_ratio"] == math.inf
    assert comparison.effect_size_["cohens_g"] == 0.5
    assert discordance_sizes(0, 4) == (0.0, -0.5)


# The interval


def test_the_interval_of_published_examples():
    assert tango_interval(1, 7, 21, 0.95) == pytest.approx((-0.517, -0.026), abs=5e-4)
    # R: PropCIs::scoreci.mp(25, 28, 618, 0.9), which is second less first
    assert tango_interval(28, 25, 618, 0.9) == pytest.approx(
        (-0.0148, 0.0247), abs=5e-5
    )


@pytest.mark.parametrize(("b", "c", "n"), [(7, 1, 21), (12, 4, 30), (3, 3, 10)])
def test_the_ends_of_the_interval_are_just_not_rejected(b, c, n):
    """The score test, with probabilities that maximise the likelihood numerically."""

    def z(difference):
        def loss(p):  # p is the probability that only B is right
            both = 1 - 2 * p - difference
            terms = ((b, p + difference), (c, p), (n - b - c, both))
            return -sum(count * np.log(x) for count, x in terms)

        low, high = max(0, -difference), (1 - difference) / 2
        p = optimize.minimize_scalar(
            loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
        ).x
        variance = n * (2 * p + difference * (1 - difference))
        return (b - c - n * difference) / np.sqrt(variance)

    low, high = tango_interval(b, c, n, 0.9)
    assert z(low) == pytest.approx(stats.norm.isf(0.05), rel=1e-4)
    assert z(high) == pytest.approx(-stats.norm.isf(0.05), rel=1e-4)


def test_the_interval_agrees_with_the_chi_square_test():
    for n in (10, 25):
        for b in range(n + 1):
            for c in range(n + 1 - b):
                low, high = tango_interval(b, c, n, 0.95)
                rejected = pvalue(b, c, "chi2") < 0.05
                assert (low > 0 or high < 0) == rejected


def test_the_interval_is_sane_for_every_table():
    n = 12
    for b in range(n + 1):
        for c in range(n + 1 - b):
            low, high = tango_interval(b, c, n, 0.95)
            assert -1 <= low <= (b - c) / n <= high <= 1
            assert low < high
            assert tango_interval(c, b, n, 0.95) == (-high, -low)
            wider = tango_interval(b, c, n, 0.99)
            assert wider.low <= low
            assert high <= wider.high


def test_without_discordant_rows_the_interval_has_a_closed_form():
    z = stats.norm.isf(0.025)
    for n in (2, 10, 1000):
        high = z**2 / (n + z**2)
        assert tango_interval(0, 0, n, 0.95) == pytest.approx((-high, high))


@pytest.mark.parametrize("cells", [(0.1, 0.1), (0.3, 0.1), (0.5, 0.3), (0.2, 0.02)])
def test_the_interval_covers(cells):
    """Exact coverage: all tables of 40 rows, weighted by their probabilities."""
    n, (p_a, p_b) = 40, cells
    b, c = (x.ravel() for x in np.meshgrid(np.arange(n + 1), np.arange(n + 1)))
    b, c = b[b + c <= n], c[b + c <= n]
    chances = stats.multinomial.pmf(
        np.column_stack([b, c, n - b - c]), n, [p_a, p_b, 1 - p_a - p_b]
    )
    likely = chances > 1e-8
    covered = [
        low <= p_a - p_b <= high
        for low, high in (
            tango_interval(*counts, n, 0.95)
            for counts in zip(b[likely].tolist(), c[likely].tolist(), strict=True)
        )
    ]
    # discrete data: coverage moves about the nominal one
    assert chances[likely][covered].sum() == pytest.approx(0.95, abs=0.025)


# Calibration


@each_alternative
def test_the_exact_test_keeps_its_level_whatever_the_number_of_rows(alternative):
    for n in range(1, 60):
        chances = stats.binom.pmf(np.arange(n + 1), n, 0.5)
        pvalues = np.array(
            [pvalue(b, n - b, alternative=alternative) for b in range(n + 1)]
        )
        for level in (0.01, 0.05, 0.2):
            assert chances[pvalues <= level].sum() <= level + 1e-12


@pytest.mark.parametrize(
    ("variant", "least", "most"),
    [
        ("exact", 0.02, 0.05),
        ("mid-p", 0.03, 0.05),
        ("chi2", 0.04, 0.06),
        ("corrected", 0.015, 0.05),
    ],
)
def test_levels_of_the_variants(variant, least, most):
    """Exact type I error of tables of 100 rows, a quarter of them discordant."""
    size = 0.0
    for n in range(1, 60):
        chances = stats.binom.pmf(np.arange(n + 1), n, 0.5)
        rejected = [pvalue(b, n - b, variant) <= 0.05 for b in range(n + 1)]
        size += stats.binom.pmf(n, 100, 0.25) * chances[rejected].sum()
    assert least < size <= most


# Calls


def test_options_are_checked(labels):
    for params, message in [
        ({"variant": "yates"}, "`variant` must be one of 'exact', 'mid-p'"),
        ({"alternative": "both"}, "`alternative` must be one of"),
        ({"confidence_level": 95}, "`confidence_level` must lie strictly between"),
    ]:
        with pytest.raises(ValueError, match=message):
            McNemar(**params).fit_predictions(*labels)


def test_repeated_cross_validation_is_refused(classification):
    X, y, *_ = classification
    test = McNemar(LogisticRegression(), GaussianNB(), cv=RepeatedKFold(n_splits=3))
    with pytest.raises(ValueError, match="`cv` must test every row at most once"):
        test.fit(X, y)


def test_accuracy_is_the_only_metric():
    assert "scoring" not in McNemar().get_params()
    assert McNemar.scoring == "accuracy"
