"""Power: against statsmodels, published numbers, enumeration and simulation."""

import html
import itertools
import json
import math
import sys
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression
from statsmodels.stats.power import TTestPower

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    CorrelationTest,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
)
from skcompare.exceptions import ParameterError
from skcompare.planning import PowerResult, power
from skcompare.stats.paired import MCNEMAR_VARIANTS, mcnemar_test
from skcompare.stats.power import (
    detectable_effect,
    exchange_probabilities,
    mcnemar_detectable_effect,
    mcnemar_power,
    mcnemar_sample_size,
    paired_t_detectable_effect,
    paired_t_power,
    paired_t_sample_size,
)
from skcompare.stats.pvalues import ALTERNATIVES
from tests.pairs import in_pairs
from tests.rates import assert_level, assert_level_kept

each_alternative = pytest.mark.parametrize("alternative", ALTERNATIVES)
each_variant = pytest.mark.parametrize("variant", MCNEMAR_VARIANTS)

STATSMODELS = {"greater": "larger", "less": "smaller", "two-sided": "two-sided"}


def signed(size, alternative):
    """Return an effect of that size which the alternative is about."""
    return -size if alternative == "less" else size


def shares(p_discordant, effect):
    return (p_discordant + effect) / 2, (p_discordant - effect) / 2


# The smallest effect, given a standard error


@each_alternative
@pytest.mark.parametrize("target", [0.06, 0.3, 0.8, 0.99])
def test_a_detectable_effect_is_detected_with_just_that_probability(
    alternative, target
):
    size = detectable_effect(2.0, alpha=0.05, alternative=alternative, power=target)
    shift = size / 2.0
    if alternative == "two-sided":
        critical = stats.norm.isf(0.025)
        probability = stats.norm.sf(critical - shift) + stats.norm.sf(critical + shift)
    else:
        probability = stats.norm.sf(stats.norm.isf(0.05) - shift)
    assert probability == pytest.approx(target, abs=1e-9)


def test_a_detectable_effect_is_that_of_textbooks():
    options = {"alpha": 0.05, "power": 0.8}
    assert detectable_effect(1, alternative="greater", **options) == pytest.approx(
        2.4865, abs=1e-4
    )
    two_sided = detectable_effect(1, alternative="two-sided", **options)
    assert two_sided == pytest.approx(2.8016, abs=1e-4)
    assert detectable_effect(1, alpha=0.05, alternative="less", power=0.05) == 0


# Student's t


@pytest.mark.needs("scipy>=1.15", "exact nctdtr, which statsmodels calls")
@pytest.mark.parametrize(
    ("alternative", "n", "effect"),
    in_pairs(
        itertools.product(ALTERNATIVES, [2, 10, 300, 40_000], [-0.4, 0.0, 0.02, 0.4])
    ),
)
def test_t_power_is_that_of_statsmodels(alternative, n, effect):
    expected = TTestPower().power(
        effect / 0.7, n, 0.05, alternative=STATSMODELS[alternative]
    )
    actual = paired_t_power(effect, 0.7, n, alpha=0.05, alternative=alternative)
    assert actual == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("effect", [0.05, 0.2, 0.5, 3.0])
@each_alternative
def test_t_sample_size_is_that_of_statsmodels(effect, alternative):
    n = paired_t_sample_size(
        signed(effect, alternative), 1.0, alpha=0.05, alternative=alternative
    )
    expected = TTestPower().solve_power(
        signed(effect, alternative),
        power=0.8,
        alpha=0.05,
        alternative=STATSMODELS[alternative],
    )
    assert n == max(math.ceil(np.squeeze(expected)), 2)


def test_t_power_is_the_share_of_simulated_tests_that_reject(random_seed, simulations):
    n_simulations = simulations(4_000, 100_000)
    rng = np.random.default_rng(random_seed)
    differences = rng.normal(0.4, 1.2, size=(n_simulations, 25))
    for alternative in ALTERNATIVES:
        pvalues = stats.ttest_1samp(differences, 0, axis=1, alternative=alternative)[1]
        expected = paired_t_power(0.4, 1.2, 25, alpha=0.05, alternative=alternative)
        error = math.sqrt(expected * (1 - expected) / n_simulations)
        assert np.mean(pvalues <= 0.05) == pytest.approx(expected, abs=4.5 * error)


@each_alternative
def test_a_detectable_mean_has_the_target_power(alternative):
    options = {"alpha": 0.01, "alternative": alternative}
    for n in (2, 12, 5_000):
        size = paired_t_detectable_effect(3.0, n, power=0.9, **options)
        effect = signed(size, alternative)
        assert paired_t_power(effect, 3.0, n, **options) == pytest.approx(0.9, abs=1e-6)


@pytest.mark.needs("scipy>=1.15", "exact nctdtr, which statsmodels calls")
@each_alternative
@pytest.mark.parametrize("n", [5, 40, 1_000])
def test_a_detectable_mean_has_that_power_in_statsmodels(alternative, n):
    size = paired_t_detectable_effect(2.0, n, alpha=0.05, alternative=alternative)
    actual = TTestPower().power(
        signed(size, alternative) / 2.0, n, 0.05, alternative=STATSMODELS[alternative]
    )
    assert actual == pytest.approx(0.8, abs=1e-6)


def test_t_without_variance_or_effect():
    options = {"alpha": 0.05, "alternative": "greater"}
    assert paired_t_power(0.1, 0.0, 10, **options) == 1
    assert paired_t_power(0.0, 0.0, 10, **options) == 0
    assert paired_t_power(-0.1, 0.0, 10, **options) == 0
    assert paired_t_sample_size(0.1, 0.0, **options) == 2
    assert paired_t_sample_size(0.0, 1.0, **options) is None
    assert paired_t_sample_size(-0.1, 1.0, **options) is None
    assert paired_t_sample_size(1e-4, 1.0, **options) == pytest.approx(
        618_255_724, abs=1
    )
    assert paired_t_sample_size(1e-9, 1.0, **options) is None


# McNemar


def power_by_enumeration(p_only_a, p_only_b, n, *, alpha, alternative, variant):
    """Add up the probabilities of all tables that the test rejects."""
    total = 0.0
    for only_a in range(n + 1):
        for only_b in range(n + 1 - only_a):
            test = mcnemar_test(
                only_a, only_b, variant=variant, alternative=alternative
            )
            if test.pvalue <= alpha:
                total += stats.multinomial.pmf(
                    [only_a, only_b, n - only_a - only_b],
                    n,
                    [p_only_a, p_only_b, 1 - p_only_a - p_only_b],
                )
    return total


@pytest.mark.parametrize(
    ("variant", "alternative", "rows_and_level"),
    in_pairs(
        itertools.product(
            MCNEMAR_VARIANTS,
            ALTERNATIVES,
            [(1, 0.3), (9, 0.05), (17, 1 / 32), (23, 0.01)],
        )
    ),
)
def test_mcnemar_power_adds_up_the_tables_that_the_test_rejects(
    variant, alternative, rows_and_level
):
    n, alpha = rows_and_level
    options = {"alpha": alpha, "alternative": alternative, "variant": variant}
    for probabilities in [(0.5, 0.2), (0.1, 0.1), (0.0, 0.4)]:
        expected = power_by_enumeration(*probabilities, n, **options)
        assert mcnemar_power(*probabilities, n, **options) == pytest.approx(
            expected, abs=1e-10
        )


def test_mcnemar_power_is_that_of_published_examples():
    """O'Brien (2002), also in the manual of G*Power, and one of R's pwrss."""
    options = {"alpha": 0.05, "alternative": "greater"}
    assert mcnemar_power(0.32, 0.08, 50, **options) == pytest.approx(0.839357, abs=1e-6)
    assert mcnemar_power(0.2, 0.2, 50, **options) == pytest.approx(0.032578, abs=1e-6)
    assert mcnemar_power(0.2, 0.1, 200, **options) == pytest.approx(
        0.80298386, abs=1e-8
    )


@pytest.mark.parametrize("probabilities", [(0.12, 0.1), (0.03, 0.02), (0.3, 0.25)])
def test_mcnemar_sample_size_is_near_that_of_connor(probabilities):
    """The exact test needs about 1 / effect more rows than by the normal formula."""
    difference, discordant = np.subtract(*probabilities), np.sum(probabilities)
    z_alpha, z_power = stats.norm.isf(0.025), stats.norm.ppf(0.8)
    spread = math.sqrt(discordant - difference**2)
    connor = ((z_alpha * math.sqrt(discordant) + z_power * spread) / difference) ** 2
    options = {"alpha": 0.05, "alternative": "two-sided"}
    chi2 = mcnemar_sample_size(*probabilities, variant="chi2", **options)
    exact = mcnemar_sample_size(*probabilities, variant="exact", **options)
    assert chi2 == pytest.approx(connor, rel=0.01)
    assert exact == pytest.approx(connor + 1 / difference, rel=0.02)


@pytest.mark.parametrize(
    ("variant", "alternative", "probabilities"),
    in_pairs(
        itertools.product(
            MCNEMAR_VARIANTS,
            ["less", "two-sided"],
            [(0.4, 0.6), (0.1, 0.9), (0.03, 0.1)],
        )
    ),
)
def test_mcnemar_sample_size_is_where_power_stays_above(
    variant, alternative, probabilities
):
    options = {"alpha": 0.05, "alternative": alternative, "variant": variant}
    n = mcnemar_sample_size(*probabilities, **options)
    assert mcnemar_power(*probabilities, n - 1, **options) < 0.8
    for more in range(n, 2 * n + 20):
        assert mcnemar_power(*probabilities, more, **options) >= 0.8


def test_power_of_exact_tests_is_a_saw_tooth():
    """It reaches 0.8 with 158 rows, and stays above from 169 rows on."""
    options = {"alpha": 0.05, "alternative": "greater"}
    powers = [mcnemar_power(0.6, 0.4, n, **options) for n in range(100, 170)]
    assert powers[58] >= 0.8 > powers[68]
    assert mcnemar_sample_size(0.6, 0.4, **options) == 169


def test_mcnemar_power_of_many_rows_is_near_the_normal_one():
    options = {"alpha": 0.05, "alternative": "greater"}
    n, effect, discordant = 4_000_000, 0.0005, 0.2
    z = (effect * math.sqrt(n) - stats.norm.isf(0.05) * math.sqrt(discordant)) / (
        math.sqrt(discordant - effect**2)
    )
    actual = mcnemar_power(*shares(discordant, effect), n, **options)
    assert actual == pytest.approx(stats.norm.cdf(z), abs=2e-3)
    n_needed = mcnemar_sample_size(*shares(discordant, effect), **options)
    assert mcnemar_power(
        *shares(discordant, effect), n_needed, **options
    ) == pytest.approx(0.8, abs=2e-3)


def test_mcnemar_without_discordant_rows_or_effect():
    options = {"alpha": 0.05, "alternative": "greater"}
    assert mcnemar_power(0.0, 0.0, 50, **options) == 0
    assert mcnemar_sample_size(0.0, 0.0, **options) is None
    assert mcnemar_sample_size(0.1, 0.2, **options) is None
    assert mcnemar_sample_size(0.1 + 1e-9, 0.1, **options) is None
    assert mcnemar_detectable_effect(0.0, 50, **options) is None
    assert mcnemar_detectable_effect(0.05, 50, **options) is None


@each_variant
@each_alternative
def test_a_detectable_difference_has_the_target_power(variant, alternative):
    options = {"alpha": 0.05, "alternative": alternative, "variant": variant}
    size = mcnemar_detectable_effect(0.2, 150, power=0.9, **options)
    effect = signed(size, alternative)
    actual = mcnemar_power(*shares(0.2, effect), 150, **options)
    assert actual == pytest.approx(0.9, abs=1e-6)


@each_alternative
def test_power_grows_with_effect_and_rows(alternative):
    options = {"alpha": 0.05, "alternative": alternative}
    effects = [signed(size, alternative) for size in (0.0, 0.02, 0.05, 0.1, 0.2)]
    sizes = [20, 50, 200, 1_000]
    by_effect = [mcnemar_power(*shares(0.3, e), 200, **options) for e in effects]
    by_rows = [mcnemar_power(*shares(0.3, effects[2]), n, **options) for n in sizes]
    t_by_effect = [paired_t_power(e, 0.5, 200, **options) for e in effects]
    t_by_rows = [paired_t_power(effects[2], 0.5, n, **options) for n in sizes]
    for powers in (by_effect, by_rows, t_by_effect, t_by_rows):
        assert np.all(np.diff(powers) > 0)
    assert 0.02 < by_effect[0] <= 0.05
    assert t_by_effect[0] == pytest.approx(0.05, abs=1e-9)


# Another effect than that of the pilot


@pytest.mark.parametrize("effect", [-0.4, -0.1, 0.0, 0.05, 0.12, 0.2, 0.42])
def test_exchanged_scores_differ_by_the_effect(effect):
    differences = np.array([0.9, 0.2, 0.5, -0.6, 0.0, 0.0, -0.4, 0.2, -0.5, 0.9])
    assert differences.mean() == pytest.approx(0.12)
    chances = exchange_probabilities(differences, effect)
    assert np.all((chances >= 0) & (chances <= 1))
    assert np.mean((1 - 2 * chances) * differences) == pytest.approx(effect, abs=1e-12)


def test_exchanging_leaves_the_pilot_as_it_is_or_makes_it_even():
    differences = np.array([1.0, 1.0, 1.0, -1.0, 0.0])
    assert not exchange_probabilities(differences, 0.4).any()
    assert np.all(exchange_probabilities(differences, 0.0) == 0.5)
    assert np.all(exchange_probabilities(differences, -0.4) == 1)
    assert not exchange_probabilities(np.zeros(3), 0.0).any()
    for effect in (0.81, -0.81):
        with pytest.raises(ValueError, match=r"`effect` must lie between -0\.8 and"):
            exchange_probabilities(differences, effect)


# From a pilot


@pytest.fixture(scope="module")
def pilot():
    """A pilot of 200 rows: only A is right on 18 of them, only B on 12."""
    truth = np.arange(200) % 2
    a, b = truth.copy(), truth.copy()
    a[:12], b[12:30] = 1 - a[:12], 1 - b[12:30]
    a[30:50], b[30:50] = 1 - a[30:50], 1 - b[30:50]
    return truth, a, b


@pytest.fixture(scope="module")
def probabilities():
    """Truth and probabilities of 150 rows; A is better."""
    rng = np.random.default_rng(5)
    truth = np.arange(150) % 2
    a, b = (
        1 / (1 + np.exp(-(2 * truth - 1) * 1.5 - noise * rng.normal(size=150)))
        for noise in (1.0, 1.6)
    )
    return truth, a, b


@each_variant
@each_alternative
def test_power_of_mcnemar_takes_the_discordant_share_from_the_pilot(
    pilot, variant, alternative
):
    effect = signed(0.08, alternative)
    test = McNemar(variant=variant, alternative=alternative)
    result = power(test, *pilot, effect=effect, n_rows=400, alpha=0.02, target=0.9)
    options = {"alpha": 0.02, "alternative": alternative, "variant": variant}
    assert result.power == mcnemar_power(*shares(0.15, effect), 400, **options)
    assert result.n_needed == mcnemar_sample_size(
        *shares(0.15, effect), power=0.9, **options
    )
    assert abs(result.detectable_effect) == mcnemar_detectable_effect(
        0.15, 400, power=0.9, **options
    )
    assert (result.method, result.power_error, result.seed) == ("closed form", 0, None)
    assert (result.n_rows, result.alpha, result.target) == (400, 0.02, 0.9)


@each_alternative
def test_power_of_t_takes_the_spread_from_the_pilot(probabilities, alternative):
    truth, a, b = probabilities
    sd = np.std((truth - b) ** 2 - (truth - a) ** 2, ddof=1)
    effect = signed(0.02, alternative)
    test = PairedTTest(alternative=alternative)
    result = power(test, *probabilities, scoring="neg_brier_score", effect=effect)
    options = {"alpha": 0.05, "alternative": alternative}
    assert result.power == pytest.approx(paired_t_power(effect, sd, 150, **options))
    assert result.n_needed == paired_t_sample_size(effect, sd, **options)
    assert abs(result.detectable_effect) == pytest.approx(
        paired_t_detectable_effect(sd, 150, **options)
    )


def test_the_pilots_own_effect_is_the_default_with_a_note(pilot):
    result = power(McNemar(), *pilot)
    assert result.effect == pytest.approx(0.03)
    assert result.n_rows == 200
    exported = {**result.to_dict(), "notes": result.notes}
    exported["pilot_interval"] = tuple(exported["pilot_interval"])
    assert result == PowerResult(**exported)
    assert "adds no information" in str(result)
    assert "adds no information" not in str(power(McNemar(), *pilot, effect=0.03))
    assert result.power == power(McNemar(), *pilot, effect=result.effect).power


@pytest.mark.parametrize(
    ("test", "effect"),
    [
        pytest.param(SignTest(), None, marks=pytest.mark.slow),
        (SignTest(), -0.1),
        (ApproxRandomization(), None),
        (PairedBootstrap(), -0.1),
        pytest.param(WilcoxonSignedRank(), 0.1, marks=pytest.mark.slow),
    ],
)
def test_simulated_power_of_right_and_wrong_is_near_that_of_mcnemar(
    pilot, test, effect, simulations, random_seed
):
    """The sign test is the exact McNemar test: the same but for simulation."""
    n_simulations = simulations(300, 4_000)
    alternative = "greater" if effect is None else signed_alternative(effect)
    test.set_params(scoring="accuracy", alternative=alternative)
    result = power(
        test,
        *pilot,
        effect=effect,
        n_rows=150,
        n_simulations=n_simulations,
        random_state=random_seed,
    )
    same = isinstance(test, SignTest)
    mcnemar = McNemar(alternative=alternative, variant="exact" if same else "mid-p")
    exact = power(mcnemar, *pilot, effect=effect, n_rows=150)
    slack = 0.0 if same else 0.05
    assert result.power == pytest.approx(
        exact.power, abs=slack + 4 * result.power_error
    )
    assert result.n_needed == pytest.approx(exact.n_needed, rel=0.6)
    if exact.detectable_effect is not None:
        assert result.detectable_effect == pytest.approx(
            exact.detectable_effect, rel=0.35
        )
    assert result.method == "simulation"
    assert result.seed == random_seed
    assert "+/-" in result.sentence()


def signed_alternative(effect):
    return "greater" if effect > 0 else "less"


@pytest.mark.parametrize(
    "test",
    [
        SignTest(),
        PairedBootstrap(),
        pytest.param(ApproxRandomization(), marks=pytest.mark.slow),
        pytest.param(WilcoxonSignedRank(), marks=pytest.mark.slow),
    ],
)
def test_simulated_power_without_an_effect_is_the_level(
    probabilities, test, simulations, random_seed
):
    n_simulations = simulations(250, 4_000)
    result = power(
        test,
        *probabilities,
        scoring="neg_brier_score",
        effect=0.0,
        alpha=0.1,
        n_simulations=n_simulations,
        random_state=random_seed,
    )
    assert_level(round(result.power * n_simulations), n_simulations, 0.1, slack=0.01)
    assert result.power > 0.05
    assert result.n_needed is None
    assert "No number of rows" in result.sentence()


def test_simulated_power_of_averages_is_near_that_of_t(
    probabilities, simulations, random_seed
):
    options = {"scoring": "neg_brier_score", "effect": 0.02}
    closed = power(PairedTTest(), *probabilities, **options)
    result = power(
        PairedBootstrap(),
        *probabilities,
        n_simulations=simulations(300, 4_000),
        random_state=random_seed,
        **options,
    )
    assert result.power == pytest.approx(
        closed.power, abs=0.06 + 4 * result.power_error
    )
    assert result.detectable_effect == pytest.approx(closed.detectable_effect, rel=0.2)


@pytest.mark.parametrize("scoring", ["f1", "roc_auc", "neg_log_loss"])
def test_any_metric_can_be_simulated_at_the_effect_of_the_pilot(
    probabilities, scoring, random_seed
):
    truth, a, b = probabilities
    if scoring == "f1":
        a, b = (a > 0.5).astype(int), (b > 0.5).astype(int)
    test = PairedBootstrap(scoring=scoring, n_resamples=99)
    few, many = (
        power(test, truth, a, b, n_rows=n, n_simulations=30, random_state=random_seed)
        for n in (40, 600)
    )
    assert few.power < many.power
    assert few.effect == many.effect > 0
    assert few.scoring == scoring
    assert "adds no information" in few.notes[0]


@pytest.mark.slow
def test_the_number_of_rows_needed_is_enough(probabilities, simulations, random_seed):
    """Both from a power below 1, and from one of 1, which has no information."""
    n_simulations = simulations(150, 2_000)
    options = {"scoring": "neg_log_loss", "effect": 0.1, "random_state": random_seed}
    options["n_simulations"] = n_simulations
    test = PairedBootstrap(n_resamples=99)
    for n_rows in (150, 1_500):
        n_needed = power(test, *probabilities, n_rows=n_rows, **options).n_needed
        result = power(test, *probabilities, n_rows=n_needed, **options)
        assert result.power == pytest.approx(0.8, abs=0.12)


def test_ties_stay_ties(pilot):
    """A small effect does not turn ties into rows that favor A.

    So a sign test is not led to believe in it.
    """
    result = power(
        SignTest(scoring="accuracy"),
        *pilot,
        effect=1e-6,
        n_simulations=100,
        random_state=0,
    )
    assert result.power < 0.15


def test_a_simulation_can_be_repeated(pilot):
    test = PairedBootstrap(scoring="accuracy", n_resamples=99)
    first = power(test, *pilot, effect=0.08, n_simulations=20)
    again = power(test, *pilot, effect=0.08, n_simulations=20, random_state=first.seed)
    assert first == again
    other = power(test, *pilot, effect=0.08, n_simulations=20, random_state=1)
    assert first.seed != other.seed


def test_the_seed_of_a_simulation_is_printed(pilot):
    test = PairedBootstrap(scoring="accuracy", n_resamples=99)
    result = power(test, *pilot, effect=0.08, n_simulations=20)
    printed = " ".join(str(result).split())
    assert "from 20 simulated data sets. `random_state=" in printed
    assert f"`random_state={result.seed}` reproduces them." in printed
    assert "random_state" not in str(power(McNemar(), *pilot, effect=0.08))


def test_extrapolations_are_printed_with_two_digits(pilot):
    test = PairedBootstrap(scoring="accuracy", n_resamples=99)
    result = power(test, *pilot, effect=0.05, n_simulations=50, random_state=0)
    rows = float(f"{result.n_needed:.2g}")
    assert f"requires about {rows:,.0f} rows." in result.sentence()
    assert f"is about {result.detectable_effect:.2g}." in result.sentence()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_simulations_do_not_depend_on_n_jobs(pilot, n_jobs, monkeypatch):
    monkeypatch.setattr("skcompare._engine._workers.SECONDS_WORTH_WORKERS", 0.0)
    test = PairedBootstrap(scoring="f1", n_resamples=99, n_jobs=2)
    options = {"effect": 0.08, "n_simulations": 20, "random_state": 0}
    with warnings.catch_warnings(action="ignore"):
        expected = power(test, *pilot, **options)
        assert power(test, *pilot, **options, n_jobs=n_jobs) == expected


def test_simulations_show_their_progress(pilot, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr("skcompare._progress.PATIENCE", 0.0)
    test = PairedBootstrap(scoring="accuracy", n_resamples=99, verbose=1)
    options = {"effect": 0.08, "n_simulations": 20, "random_state": 0}
    power(test, *pilot, **options)
    assert capsys.readouterr().err == ""
    power(test, *pilot, **options, verbose=1)
    assert "[skcompare] simulations: 20 of 20" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("parameter", "value"), [("n_jobs", 0), ("n_jobs", 1.5), ("verbose", "yes")]
)
def test_settings_of_the_computation_are_checked(pilot, parameter, value):
    with pytest.raises(ParameterError, match=f"`{parameter}` must be"):
        power(McNemar(), *pilot, **{parameter: value})


def test_the_test_is_not_changed_and_its_models_are_not_called(pilot):
    test = PairedBootstrap(
        LogisticRegression(), LogisticRegression(), n_resamples=9_999, cv=5, verbose=1
    )
    before = test.get_params()
    power(test, *pilot, n_simulations=3, alpha=0.2)
    assert test.get_params() == before
    assert not hasattr(test, "results_")


def test_low_levels_get_the_resamples_that_they_need(pilot):
    """With 499 resamples no p-value is below 1/500."""
    truth = pilot[0]
    test = ApproxRandomization(scoring="accuracy", method="monte-carlo")
    b = np.where(np.arange(200) < 40, 1 - truth, truth)
    result = power(test, truth, truth, b, alpha=0.001, n_simulations=5, random_state=0)
    assert result.power == 1


def test_classes_that_are_not_drawn_are_no_trouble():
    """A column of probabilities stays what it was when its class is rare."""
    rng = np.random.default_rng(0)
    truth = np.r_[np.zeros(30), np.ones(29), 2].astype(int)
    a, b = (rng.dirichlet([1, 1, 1], size=60) for _ in range(2))
    test = PairedBootstrap(scoring="neg_log_loss", n_resamples=49)
    result = power(test, truth, a, b, n_simulations=10, random_state=0)
    assert 0 <= result.power <= 1
    assert not any("not rejected" in note for note in result.notes)


def test_undefined_simulations_count_as_not_rejected():
    """Of a single positive row in thirty, many samples of ten have none."""
    rng = np.random.default_rng(0)
    truth = np.r_[1, np.zeros(29)].astype(int)
    a, b = rng.random((2, 30))
    test = ApproxRandomization(scoring="roc_auc", n_resamples=19)
    result = power(test, truth, a, b, n_rows=10, n_simulations=20, random_state=0)
    assert any("these count as not rejected" in note for note in result.notes)
    assert 0 <= result.power < 1


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_the_detectable_effect_has_the_sign_of_the_alternative(pilot, alternative):
    """The difference is A less B: for "less" it is negative."""
    for test in (
        McNemar(alternative=alternative),
        PairedTTest(alternative=alternative),
    ):
        effect = signed(0.08, alternative)
        result = power(test, *pilot, effect=effect)
        assert (result.detectable_effect < 0) == (alternative == "less")


def test_no_detectable_effect_is_larger_than_scores_can_differ():
    truth, a, b = np.zeros(3, dtype=int), np.array([0, 0, 1]), np.array([1, 0, 0])
    with warnings.catch_warnings(action="ignore"):
        result = power(PairedTTest(scoring="accuracy"), truth, a, b, effect=0.5)
    assert result.detectable_effect is None
    assert any("would exceed the largest" in note for note in result.notes)


@pytest.mark.parametrize(
    "test", [McNemar(), PairedTTest(), SignTest(), PairedBootstrap(n_resamples=19)]
)
def test_identical_models(pilot, test):
    truth, a, _ = pilot
    result = power(test, truth, a, a, n_simulations=5, random_state=0)
    assert (result.power, result.effect) == (0, 0)
    assert result.n_needed is None
    assert result.detectable_effect is None
    assert "No minimum detectable effect" in result.sentence()
    assert any("In the pilot: Both models" in note for note in result.notes)


def test_a_result_can_be_printed_and_exported(pilot):
    result = power(McNemar(), *pilot, effect=0.06)
    exported = json.loads(json.dumps(result.to_dict()))
    assert exported["power"] == result.power
    assert exported["notes"] == []
    assert " ".join(str(result).split()) == result.sentence()
    assert html.escape(result.sentence()) in result._repr_html_()
    assert f"{result.n_needed:,} rows" in result.sentence()
    with pytest.raises(AttributeError):
        result.power = 1.0


def test_other_containers_and_kinds_of_targets():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    truth = rng.normal(size=60)
    a, b = (pd.Series(truth + s * rng.normal(size=60)) for s in (0.5, 1.0))
    test = PairedBootstrap(n_resamples=49)
    result = power(test, pd.Series(truth), a, b, n_simulations=5, random_state=0)
    assert result.scoring == "r2"
    labels = rng.integers(2, size=(60, 3))
    other = np.where(rng.random((60, 3)) < 0.2, 1 - labels, labels)
    result = power(test, labels, labels, other, n_simulations=5, random_state=0)
    assert result.power == 1


# What is refused


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"test": McNemar}, "`test` must be an instance of a test"),
        ({"test": "mcnemar"}, "`test` must be an instance of a test"),
        ({"alpha": 0}, "`alpha` must lie strictly between 0 and 1"),
        ({"target": 1.0}, "`target` must lie strictly between 0 and 1"),
        ({"target": 0.05}, "`target` must be above `alpha`"),
        ({"n_rows": 1}, "`n_rows` must be an integer from 2"),
        ({"n_simulations": 0}, "`n_simulations` must be an integer from 2"),
        ({"effect": "large"}, "`effect` must be a finite number"),
        ({"effect": np.nan}, "`effect` must be a finite number"),
        ({"effect": 0.2}, "`effect` must lie between -0.15 and 0.15"),
        ({"scoring": "f1"}, "`scoring` must be None or 'accuracy' for McNemar"),
        ({"random_state": "seed"}, "`random_state` must be"),
        ({"test": McNemar(variant="new")}, "`variant` must be one of"),
        (
            {"test": PairedBootstrap(scoring=["f1", "accuracy"])},
            "`scoring` must be a single metric",
        ),
        (
            {"test": PairedBootstrap(scoring="f1"), "effect": 0.5},
            "`effect` must lie between -0.1.* if all rows, or groups, on which the "
            "models differ favored",
        ),
        ({"groups": np.arange(200) // 2}, "`groups` must be None for McNemar"),
        (
            {"test": SignTest(scoring="accuracy"), "effect": 0.2},
            "`effect` must lie between",
        ),
        ({"test": PairedTTest(scoring="f1")}, "must be an average of one number"),
    ],
)
def test_invalid_arguments_are_refused(pilot, params, message):
    params = {"test": McNemar(), **params}
    with pytest.raises(ValueError, match=message):
        power(params.pop("test"), *pilot, **params)


def test_a_posterior_has_no_level_to_reach():
    truth = np.tile([0, 1], 20)
    with pytest.raises(ValueError, match=r"`test` must have a sig.* plan\(n_rows\)"):
        power(BayesianComparison(scoring="f1"), truth, truth, 1 - truth)


# Without a pilot, and what a pilot leaves open


def test_mcnemar_without_a_pilot_is_as_with_one_of_that_share(pilot):
    expected = power(McNemar(), *pilot, effect=0.05, n_rows=300)
    guessed = power(McNemar(), effect=0.05, p_discordant=0.15, n_rows=300)
    assert guessed.power == pytest.approx(expected.power)
    assert guessed.n_needed == expected.n_needed
    assert guessed.scoring == "accuracy"
    assert guessed.pilot_interval is None


def test_t_without_a_pilot_is_the_closed_form():
    guessed = power(PairedTTest(), effect=0.1, sd=0.5, n_rows=100, scoring="r")
    options = {"alpha": 0.05, "alternative": "greater"}
    assert guessed.power == pytest.approx(paired_t_power(0.1, 0.5, 100, **options))
    assert guessed.n_needed == paired_t_sample_size(0.1, 0.5, **options)


def test_a_pilot_in_which_models_never_differ_has_no_spread():
    truth = np.linspace(0, 1, 40)
    pilot = truth, truth + 0.1 * truth**2, truth + 0.1 * truth**2
    test = PairedTTest(scoring="neg_mean_absolute_error")
    with pytest.raises(ValueError, match=r"`effect` must be 0 or None .* Got 0.1"):
        power(test, *pilot, effect=0.1)
    for effect in (0, None):
        result = power(test, *pilot, effect=effect)
        assert result.power == 0
        assert result.pilot_interval is None


def test_without_a_pilot_rows_are_as_many_as_the_target_takes():
    guessed = power(McNemar(alpha=0.01), effect=0.02, p_discordant=0.1, target=0.9)
    assert guessed.n_rows == guessed.n_needed
    assert guessed.power >= 0.9


@pytest.mark.parametrize(
    ("test", "params", "message"),
    [
        (PairedBootstrap(), {"effect": 0.1}, "`y_true` and predictions of a pilot"),
        (McNemar(), {"effect": 0.1}, "`p_discordant` must be passed for McNemar"),
        (McNemar(), {"p_discordant": 0.1}, "`effect` must be passed without"),
        (McNemar(), {"effect": 0.1, "sd": 1}, "`p_discordant` must be passed"),
        (McNemar(), {"effect": 0.2, "p_discordant": 0.1}, "`effect` must lie between"),
        (McNemar(), {"effect": 0.2, "p_discordant": 2}, "`p_discordant` must lie"),
        (PairedTTest(), {"effect": 0.2, "sd": 0}, "`sd` must be a finite number above"),
        (
            PairedTTest(),
            {"effect": -1, "sd": 1},
            "`n_rows` must be passed, since no",
        ),
    ],
)
def test_parameters_missing_without_a_pilot_are_named(test, params, message):
    with pytest.raises(ValueError, match=message):
        power(test, **params)


def test_a_pilot_leaves_no_room_for_a_guess(pilot):
    with pytest.raises(ValueError, match="`sd` must be None with a pilot"):
        power(McNemar(), *pilot, sd=1.0)


def test_a_small_pilot_leaves_power_open(pilot):
    truth, a, b = pilot
    small, large = (
        power(McNemar(), *(np.tile(x, n) for x in pilot), effect=0.05, n_rows=400)
        for n in (1, 20)
    )
    for result in (small, large):
        low, high = result.pilot_interval
        assert low < result.power < high
        assert f"95 % interval from the pilot: {low:.3f} to" in result.sentence()
    assert np.ptp(small.pilot_interval) > 3 * np.ptp(large.pilot_interval)
    low, high = power(McNemar(), truth, a, b).pilot_interval
    assert low < 0.01
    assert high > 0.9  # the effect of a pilot is more uncertain than its spread


@pytest.mark.parametrize("effect", [0.4, None])
def test_the_interval_of_a_pilot_holds_the_power_there_is(effect, simulations):
    """Of normal differences: with a chosen effect by the spread, else by both."""
    rng = np.random.default_rng(0)
    true = paired_t_power(0.4, 1.0, 40, alpha=0.05, alternative="greater")
    test = PairedTTest(scoring="neg_mean_absolute_error")

    def missed():
        while True:
            b = 10 + rng.normal(size=50)
            a = b - rng.normal(0.4, 1.0, size=50)
            result = power(test, np.zeros(50), a, b, effect=effect, n_rows=40)
            low, high = result.pilot_interval
            yield not low <= true <= high

    assert_level_kept(missed(), simulations(None, 2_000))


@pytest.mark.slow
def test_the_interval_covers_the_power_that_a_large_pilot_would_give():
    """Pilots of 50 rows, models that are discordant on 20 % of all rows."""
    options = {"effect": 0.1, "n_rows": 200}
    truth = power(McNemar(), p_discordant=0.2, **options).power
    n_pilots, covered = 2_000, 0
    rng = np.random.default_rng(0)
    for _ in range(n_pilots):
        only_a, only_b, *_ = rng.multinomial(50, [0.15, 0.05, 0.8])
        labels = np.zeros((3, 50), dtype=int)
        labels[2, :only_a] = labels[1, only_a : only_a + only_b] = 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                low, high = power(McNemar(), *labels, **options).pilot_interval
            except ValueError:  # fewer discordant rows than the effect takes
                low, high = 0.0, 1.0
        covered += low <= truth <= high
    assert_level(n_pilots - covered, n_pilots)


def test_the_interval_of_a_simulation_is_near_that_of_the_closed_form(pilot):
    options = {"effect": 0.08, "n_rows": 150}
    closed = power(McNemar(), *pilot, **options)
    test = SignTest(scoring="accuracy")
    simulated = power(test, *pilot, random_state=0, n_simulations=200, **options)
    assert simulated.pilot_interval == pytest.approx(closed.pilot_interval, abs=0.12)
    own = power(test, *pilot, random_state=0, n_simulations=200)
    expected = power(McNemar(), *pilot).pilot_interval
    assert own.pilot_interval == pytest.approx(expected, abs=0.12)


# Another effect in any metric, and groups


@pytest.mark.parametrize("scoring", ["f1", "roc_auc"])
def test_any_effect_can_be_chosen_in_any_metric(probabilities, scoring):
    """Data sets drawn for an effect have it on average, below and above the pilot's."""
    truth, a, b = probabilities
    a = 1e3 * np.log(a / (1 - a)) if scoring == "roc_auc" else (a > 0.5).astype(int)
    b = b if scoring == "roc_auc" else (b > 0.5).astype(int)
    test = PairedBootstrap(scoring=scoring, n_resamples=49)
    options = {"n_rows": 400, "n_simulations": 25, "random_state": 0}
    pilots = power(test, truth, a, b, **options)
    same, none, more = (
        power(test, truth, a, b, effect=effect, **options)
        for effect in (pilots.effect, 0.0, pilots.effect + 0.05)
    )
    assert same.power == pytest.approx(pilots.power, abs=0.2)
    assert none.power <= 0.2
    assert more.power > none.power + 0.3
    low, high = more.pilot_interval
    assert low < min(high, more.power)


def test_correlations_may_be_on_different_scales():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=80)
    a, b = truth + rng.normal(scale=[[0.8], [1.0]], size=(2, 80))
    test = CorrelationTest()
    options = {"effect": 0.1, "n_simulations": 20, "random_state": 0}
    expected = power(test, truth, a, b, **options)
    assert power(test, truth, a, 100 * b, **options).power == expected.power


def binormal(rng, n_rows):
    """Return two scores of as many positives as negatives, A's of the larger AUC."""
    truth = np.arange(n_rows) % 2
    shared = rng.normal(size=n_rows)
    return truth, *(
        shift * truth + 0.7 * shared + 0.7 * rng.normal(size=n_rows)
        for shift in (1.5, 1.0)
    )


@pytest.mark.parametrize(
    "test",
    [
        pytest.param(DeLong(), id="DeLong"),
        pytest.param(
            PairedBootstrap(scoring="roc_auc", n_resamples=99),
            id="PairedBootstrap",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_simulated_power_is_that_of_fresh_rows(test, simulations):
    """From a large pilot it is the share of new samples on which the test rejects."""
    n, rng = simulations(100, 2_000), np.random.default_rng(0)
    planned = power(
        test, *binormal(rng, 4_000), n_rows=80, n_simulations=n, random_state=0
    )
    rejected = 0
    for seed in range(n):
        if "random_state" in test.get_params():
            test.set_params(random_state=seed)
        rejected += test.fit_predictions(*binormal(rng, 80)).pvalue_ <= 0.05
    error = 4 * math.sqrt(2) * planned.power_error
    assert 0.3 < planned.power < 0.95
    assert planned.power == pytest.approx(rejected / n, abs=error)


def test_models_that_respond_otherwise_cannot_be_exchanged(probabilities):
    truth, a, b = probabilities
    test = PairedBootstrap(scoring="roc_auc", n_resamples=99)
    with pytest.raises(ValueError, match="`effect` must be None for roc_auc"):
        power(test, truth, {"predict_proba": a}, {"decision_function": b}, effect=0.1)


@pytest.mark.parametrize(("scoring", "bounded"), [("accuracy", 400), ("f1", 80)])
def test_groups_are_drawn_and_exchanged_whole(pilot, scoring, bounded, simulations):
    """Rows that are copies of each other are worth no more than one of them."""
    test = PairedBootstrap(scoring=scoring, n_resamples=49)
    copied = [np.repeat(x, 5) for x in pilot]
    options = {"n_simulations": simulations(bounded, 400), "effect": 0.06}
    options["random_state"] = 0
    single = power(test, *pilot, n_rows=200, **options)
    grouped = power(
        test, *copied, groups=np.arange(1_000) // 5, n_rows=1_000, **options
    )
    naive = power(test, *copied, n_rows=1_000, **options)
    error = np.hypot(grouped.power_error, single.power_error)
    assert grouped.power == pytest.approx(single.power, abs=3 * error)
    assert naive.power > grouped.power + 0.1
    words = "Whole groups are drawn from the 200 groups of the pilot, with 5 rows"
    assert words in " ".join(str(grouped).split())
    assert grouped.n_needed == pytest.approx(5 * single.n_needed, rel=0.5)


def test_the_interval_of_t_is_that_of_the_standard_deviation(probabilities):
    options = {"alpha": 0.05, "alternative": "greater"}
    result = power(
        PairedTTest(), *probabilities, scoring="neg_brier_score", effect=0.02
    )
    truth, a, b = probabilities
    variance = np.var((truth - b) ** 2 - (truth - a) ** 2, ddof=1)
    sds = np.sqrt(149 * variance / stats.chi2.ppf([0.025, 0.975], 149))
    expected = [paired_t_power(0.02, sd, 150, **options) for sd in sds]
    assert result.pilot_interval == pytest.approx(expected)


def test_both_columns_of_probabilities_equal_that_of_the_class():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=60)
    a, b = (1 / (1 + np.exp(-rng.normal(truth, 1.0))) for _ in "ab")
    test = PairedBootstrap(scoring="roc_auc", n_resamples=99)
    both = [
        {"predict_proba": np.column_stack([1 - p, p]), "classes": [0, 1]}
        for p in (a, b)
    ]
    options = {"effect": 0.05, "n_simulations": 10, "random_state": 0}
    assert power(test, truth, *both, **options) == power(test, truth, a, b, **options)
