"""Stopping rules: valid p-values, and decisions with a stated risk."""

import itertools

import numpy as np
import pytest
from scipy import special, stats

from skcompare.stats.sequential import StoppingRule


def endings(rule):
    """Return all ways that runs can end: (count, resamples, paths), by enumeration."""
    paths_by_ending = {}
    for path in itertools.product((0, 1), repeat=int(rule.looks[-1])):
        counts = np.cumsum(path)[rule.looks - 1]
        place = next(
            i
            for i, (s, n) in enumerate(zip(counts, rule.looks, strict=True))
            if rule.stops(s, n)
        )
        n = int(rule.looks[place])
        paths_by_ending.setdefault((int(counts[place]), n), set()).add(path[:n])
    return {ending: len(paths) for ending, paths in paths_by_ending.items()}


RULES = [
    StoppingRule([2, 4, 6, 10], alpha=0.4, risk=30.0),
    StoppingRule([3, 12], alpha=0.3, risk=60.0),
    StoppingRule([5, 6, 7, 8, 9], alpha=0.5, risk=20.0),
]
# A risk of 30 spends 30 * 2 / 1002 at two resamples: tiny runs that do stop early.


@pytest.mark.parametrize("rule", RULES)
def test_pvalues_are_those_of_all_paths_under_a_uniform_share(rule):
    ways = endings(rule)
    assert len({n for _, n in ways}) > 1  # some runs stop early
    chances = {
        (s, n): paths * special.beta(s + 1, n - s + 1) for (s, n), paths in ways.items()
    }
    assert sum(chances.values()) == pytest.approx(1)
    for s, n in ways:
        as_small = [p for (t, m), p in chances.items() if t * n <= s * m]
        assert rule.pvalue(s, n) == pytest.approx(sum(as_small))


@pytest.mark.parametrize("rule", RULES)
def test_pvalues_are_valid_at_every_level(rule):
    chances = [
        (rule.pvalue(s, n), paths * special.beta(s + 1, n - s + 1))
        for (s, n), paths in endings(rule).items()
    ]
    for level, _ in chances:
        small = sum(chance for pvalue, chance in chances if pvalue <= level + 1e-12)
        assert small <= level + 1e-12


def test_a_single_look_gives_the_usual_pvalue():
    rule = StoppingRule([99], alpha=0.05, risk=1e-3)
    for s in (0, 4, 50, 99):
        assert rule.pvalue(s, 99) == pytest.approx((s + 1) / 100)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_the_risk_is_kept_at_the_level_itself(alpha):
    """Exactly, by the distribution of counts at a share of alpha."""
    risk, looks = 1e-3, [64, 128, 256, 512, 1_024]
    rule = StoppingRule(looks, alpha=alpha, risk=risk)
    alive, done, below, above = {0: 1.0}, 0, 0.0, 0.0
    for look in looks:
        after = {}
        for s, chance in alive.items():
            for more, p in enumerate(
                stats.binom.pmf(range(look - done + 1), look - done, alpha)
            ):
                after[s + more] = after.get(s + more, 0.0) + chance * p
        settled = [s for s in after if rule.is_decided(s, look)]
        below += sum(after[s] for s in settled if s < alpha * look)
        above += sum(after[s] for s in settled if s > alpha * look)
        alive = {s: p for s, p in after.items() if s not in set(settled)}
        done = look
    assert 0 < above <= risk
    assert below <= risk


def test_clear_cases_stop_early_and_close_ones_go_on():
    looks = np.arange(112, 9_999, 112)
    rule = StoppingRule(looks, alpha=0.05, risk=1e-3)
    assert rule.stops(56, 112)
    assert rule.stops(0, 224)
    assert not rule.stops(56, 1_120)
