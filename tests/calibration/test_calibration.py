"""Error rates and coverage over simulated data, seeded.

By default a bounded sample of simulations is run; ``--run-slow`` runs more of them,
and the settings that are marked slow.
"""

import itertools

import numpy as np
import pytest
from scipy import stats

from skcompare import ApproxRandomization, PairedBootstrap
from tests.rates import assert_level, assert_level_kept

pytestmark = pytest.mark.usefixtures("quiet")

ALPHA = 0.1
slow = pytest.mark.slow


def exchangeable_scores(rng, groups):
    """Draw a truth and scores of two equally good models that are alike in groups.

    Each group has effects of its own on both models. The two models are exchangeable
    group by group, and row by row only if groups are single rows.
    """
    truth = np.arange(len(groups)) % 2
    n_groups = groups.max() + 1
    effects = rng.normal(size=(2, n_groups, 2))  # of model, group and class
    noise = rng.normal(size=(2, len(groups)))
    return truth, *(truth + effects[:, groups, truth] + 0.5 * noise)


def responses_for(scoring, truth, a, b):
    """Turn scores into the responses that a metric takes."""
    if scoring in ("accuracy", "f1"):
        return truth, (a > 0.5).astype(int), (b > 0.5).astype(int)
    if scoring == "roc_auc":
        return truth, a, b
    return truth + 0.25, a, b


def rejections(rng, scoring, groups, *, use_groups=True, **params):
    """Yield whether A is significantly better though it is not, without end."""
    test = ApproxRandomization(
        scoring=scoring,
        method="monte-carlo",
        n_resamples=39,
        random_state=rng,
        **params,
    )
    while True:
        test.fit_predictions(
            *responses_for(scoring, *exchangeable_scores(rng, groups)),
            groups=groups if use_groups else None,
        )
        yield test.pvalue_ <= ALPHA


ROWS, GROUPS = np.arange(24), np.repeat(np.arange(12), 3)


@pytest.mark.parametrize(
    ("scoring", "groups"),
    [
        ("f1", ROWS),
        ("neg_mean_absolute_error", ROWS),
        ("accuracy", GROUPS),
        ("roc_auc", GROUPS),
    ],
    ids=["f1, rows", "errors, rows", "accuracy, groups", "areas, groups"],
)
@pytest.mark.parametrize(
    "alternative", ["greater", pytest.param("two-sided", marks=slow)]
)
def test_randomization_keeps_its_level(
    scoring, groups, alternative, random_seed, simulations
):
    rng = np.random.default_rng(random_seed)
    rejected = rejections(rng, scoring, groups, alternative=alternative)
    assert_level_kept(rejected, simulations(None, 2_000), ALPHA)


def test_randomization_of_a_continuous_metric_uses_its_level_up(
    random_seed, simulations
):
    """Without ties the level is kept exactly, not just from above."""
    n_simulations = simulations(200, 2000)
    rng = np.random.default_rng(random_seed)
    rejected = rejections(rng, "neg_mean_absolute_error", ROWS)
    count = sum(itertools.islice(rejected, n_simulations))
    assert_level(count, n_simulations, ALPHA)
    assert count > stats.binom.ppf(0.001, n_simulations, ALPHA)


def test_ignoring_groups_breaks_the_level(random_seed, simulations):
    """The simulation detects that rows of a group are not exchangeable one by one."""
    rng = np.random.default_rng(random_seed)
    groups = np.repeat(np.arange(6), 30)
    rejected = rejections(rng, "neg_mean_absolute_error", groups, use_groups=False)
    with pytest.raises(AssertionError, match="above"):
        assert_level_kept(rejected, simulations(None, 2_000), ALPHA)


def test_exact_pvalues_keep_every_level(random_seed, simulations):
    levels, n_simulations = simulations(
        ((0.1, 0.3, 0.5), 200), ((0.05, 0.1, 0.3, 0.5), 1000)
    )
    rng = np.random.default_rng(random_seed)
    test = ApproxRandomization(scoring="accuracy", method="exact")
    groups = np.arange(10)
    pvalues = np.array(
        [
            test.fit_predictions(
                *responses_for("accuracy", *exchangeable_scores(rng, groups))
            ).pvalue_
            for _ in range(n_simulations)
        ]
    )
    for level in levels:
        assert_level(np.sum(pvalues <= level), n_simulations, level)


def losses(rng, groups):
    """Draw a truth and predictions whose mean errors differ by 0.5 on average."""
    effects = rng.exponential(size=(2, groups.max() + 1))[:, groups]
    error_a = effects[0] + rng.exponential(size=len(groups))
    error_b = 0.5 + effects[1] + rng.exponential(size=len(groups))
    truth = rng.normal(size=len(groups))
    return truth, truth + error_a, truth - error_b


@pytest.mark.parametrize(
    ("interval", "groups"),
    [
        ("percentile", np.repeat(np.arange(40), 3)),
        ("bca", np.repeat(np.arange(40), 3)),
        pytest.param("basic", np.arange(80), marks=slow),
        pytest.param("bca", np.arange(80), marks=slow),
        pytest.param("studentized", np.arange(80), marks=slow),
        pytest.param("studentized", np.repeat(np.arange(40), 3), marks=slow),
    ],
)
def test_bootstrap_intervals_cover_the_difference(
    interval, groups, random_seed, simulations
):
    n_simulations = simulations(320, 1000)
    rng = np.random.default_rng(random_seed)
    test = PairedBootstrap(
        scoring="neg_mean_absolute_error",
        interval=interval,
        confidence_level=0.9,
        n_resamples=199,
        random_state=rng,
    )
    covered = 0
    for _ in range(n_simulations):
        test.fit_predictions(*losses(rng, groups), groups=groups)
        low, high = test.confidence_interval_
        covered += low <= 0.5 <= high
    # of intervals from 40 units, one or two in a hundred less than nominal is usual
    assert_level(n_simulations - covered, n_simulations, 0.1, slack=0.02)
    assert covered < stats.binom.ppf(0.999, n_simulations, 0.9 + 0.02)


def test_bootstrap_with_a_direction_fixed_beforehand_keeps_its_level(
    random_seed, simulations
):
    rng = np.random.default_rng(random_seed)
    test = PairedBootstrap(scoring="accuracy", n_resamples=99, random_state=rng)
    groups = np.arange(50)
    rejected = (
        test.fit_predictions(
            *responses_for("accuracy", *exchangeable_scores(rng, groups))
        ).pvalue_
        <= ALPHA
        for _ in itertools.count()
    )
    assert_level_kept(rejected, simulations(None, 2_000), ALPHA)
