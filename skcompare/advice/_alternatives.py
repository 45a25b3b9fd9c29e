"""The other tests of the same question, and why they were not chosen."""

from skcompare.advice._objections import objections
from skcompare.advice._recommendation import Alternative
from skcompare.comparison import (
    ApproxRandomization,
    CrossValidationCLT,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
)

__all__ = ["TESTS", "alternatives"]

# All tests of two models, in the order in which alternatives are listed.
TESTS = (
    McNemar,
    PairedTTest,
    DeLong,
    PairedBootstrap,
    ApproxRandomization,
    WilcoxonSignedRank,
    SignTest,
)


def alternatives(chosen, facts, setting):
    """List the other tests of the same question: first those that are valid.

    Parameters
    ----------
    chosen : estimator
        The test that is recommended.
    facts : Facts
        What is known about the comparison.
    setting : Setting
        What the user asks for.

    Returns
    -------
    tuple of Alternative
        All tests but the chosen one.
    """
    tests = (*TESTS, CrossValidationCLT) if facts.cross_validated else TESTS
    others = [
        _judged(test, chosen, facts, setting)
        for test in tests
        if not isinstance(chosen, test)
    ]
    return tuple(sorted(others, key=lambda other: not other.valid))


def _judged(test, chosen, facts, setting):
    against = objections(test(), facts, setting.level)
    if against:
        return Alternative(test.__name__, False, " ".join(against))
    return Alternative(test.__name__, True, _WHY_NOT[test](chosen, facts))


def _why_not_bootstrap(chosen, facts):
    if isinstance(chosen, ApproxRandomization):
        return (
            "it gives an interval, but a class of so few rows varies much from "
            "resample to resample."
        )
    return (
        f"about the same by resampling, which {type(chosen).__name__} can do without."
    )


def _why_not_randomisation(chosen, facts):
    return (
        "valid at any size. It gives no interval, and what it refutes is that answers "
        "are exchangeable, on these rows."
    )


def _why_not_t(chosen, facts):
    return (
        "normality is not rejected, but with so few rows it would hardly be, whatever "
        "the truth."
    )


def _why_not_wilcoxon(chosen, facts):
    if facts.kind == "right or wrong":
        return "with two values all ranks tie, and it is the sign test."
    return (
        "it uses the ranks of differences only, and tests whether they are symmetric "
        "about 0, not whether their mean is 0."
    )


def _why_not_sign(chosen, facts):
    if facts.kind == "right or wrong":
        return "the same as McNemar with variant='exact'."
    return (
        "it counts the rows on which A is better and ignores by how much: it has less "
        "power, and speaks of the median."
    )


def _why_not_delong(chosen, facts):
    return (
        "it gives an interval, but with so few rows of one class its level is a rough "
        "approximation."
    )


def _why_not_limit(chosen, facts):
    return (
        "the same question by a normal limit, which holds although training folds "
        "overlap, if the ways of learning are stable. It gives intervals for both "
        "scores, too."
    )


_WHY_NOT = {
    PairedBootstrap: _why_not_bootstrap,
    ApproxRandomization: _why_not_randomisation,
    PairedTTest: _why_not_t,
    WilcoxonSignedRank: _why_not_wilcoxon,
    SignTest: _why_not_sign,
    DeLong: _why_not_delong,
    CrossValidationCLT: _why_not_limit,
}
