"""What to bear in mind, whichever test is recommended."""

import numpy as np

from skcompare.advice._objections import objections
from skcompare.comparison import ApproxRandomization, McNemar, SignTest
from skcompare.comparison._caveats import FEWEST_UNITS

__all__ = ["cautions"]

# The share of one class above which accuracy says little.
IMBALANCED = 0.9
# Neighbouring rows that correlate by so many standard errors are taken for dependent.
DEPENDENT = 3


def cautions(test, facts, setting):
    """List what to bear in mind.

    Parameters
    ----------
    test : estimator
        The test that is recommended.
    facts : Facts
        What is known about the comparison.
    setting : Setting
        What the user asks for.

    Returns
    -------
    tuple of str
        A sentence or two for each.
    """
    return tuple(filter(None, (c(test, facts, setting) for c in _CAUTIONS)))


def _few_units(test, facts, setting):
    if facts.n_units >= FEWEST_UNITS:
        return None
    return (
        f"This is a small test set: {facts.n_units} {facts.units}, fewer than "
        f"{FEWEST_UNITS}. A bootstrap is unreliable on it, and only large differences "
        "can show."
    )


def _no_average(test, facts, setting):
    if facts.averages:
        return None
    return (
        f"{facts.metric} is not an average over rows: a t-test does not apply, nor do "
        "other tests on one number per row."
    )


def _categorical(test, facts, setting):
    if facts.kind != "right or wrong":
        return None
    return "Outcomes are categorical, right or wrong: a t-test is not made for them."


def _dependent(test, facts, setting):
    if facts.groups_given:
        return (
            f"Rows of a group depend on each other: pass `groups` to fit, as in the "
            f"call above. Taken as {facts.n_rows:,} independent rows they would give "
            "p-values that are too small."
        )
    if facts.grouped:
        return (
            f"Cross-validation tests rows several times: {facts.n_rows:,} answers to "
            f"{facts.n_units:,} rows are not independent."
        )
    correlation = facts.neighbours_correlation()
    if correlation * np.sqrt(facts.n_rows) <= DEPENDENT:
        return None
    return (
        "Rows may depend on each other: the differences of neighbouring rows correlate "
        f"by {correlation:.2f}. If rows belong together, pass `groups`."
    )


def _cross_validated(test, facts, setting):
    if not facts.cross_validated:
        return None
    return (
        "Out-of-fold answers come from several fitted models whose training rows "
        "overlap: the test speaks of their pooled score, not of how the models would "
        "turn out on other training data, which is another question."
    )


def _torn(test, facts, setting):
    if not facts.torn_groups:
        return None
    return (
        "Models are trained on rows of groups that they are tested on, so that scores "
        "may be too good: let `cv` be a splitter that keeps groups together, such as "
        "GroupKFold."
    )


def _several(test, facts, setting):
    n, level = setting.n_comparisons, setting.level
    if n == 1:
        return None
    chance = 1 - (1 - setting.alpha) ** n
    return (
        f"This is one of {n:,} comparisons. Uncorrected, the chance of a false finding "
        f"among them would be up to {chance:.0%} if they were independent. `alpha` is "
        f"set to {setting.alpha:g} / {n:,} = {level:.3g} (Bonferroni). Holm's "
        f"procedure finds more: the smallest p-value has to reach {level:.3g}, the "
        f"next {setting.alpha:g} / {n - 1:,}, and so on until one fails. If all are "
        "between models on these rows, PairwiseComparison corrects them together: see "
        "the other questions."
    )


def _imbalanced(test, facts, setting):
    if not facts.is_accuracy or facts.question.sample.y_array.ndim > 1:
        return None
    label, size = next(iter(facts.class_sizes.items()))
    share = size / facts.n_rows
    if share <= IMBALANCED:
        return None
    return (
        f"{share:.1%} of the rows are of class {label!r}: a model that always says so "
        f"has an accuracy of {share:.3f}. On such data accuracy misleads; consider "
        "'balanced_accuracy', 'f1', 'matthews_corrcoef' or 'roc_auc'."
    )


def _cannot_reach(test, facts, setting):
    """Say so if too few rows are discordant for any finding."""
    if not facts.n_discordant:
        return "The models do not differ on any row: the p-value will be 1."
    n_units = facts.n_discordant_units
    halved = isinstance(test, McNemar) and test.variant == "midp"
    smallest = 0.5 ** (n_units + halved)
    exact = isinstance(test, McNemar | SignTest | ApproxRandomization)
    if not exact or smallest <= setting.level:
        return None
    return (
        f"The models differ on {n_units} {facts.units} only. Even if all of them "
        f"favoured A, the p-value would be {smallest:.3g}: a finding at the level "
        f"{setting.level:.3g} is impossible."
    )


def _scales(test, facts, setting):
    responses = facts.question.sample.answers[0].responses
    exchanges = isinstance(test, ApproxRandomization)
    if not exchanges or "decision_function" not in responses:
        return None
    return (
        "Decision values are exchanged between the models: they must be on the same "
        "scale. Ranks are; see the user guide."
    )


def _chosen_regardless(test, facts, setting):
    """Say what speaks against the test, if nothing else remained."""
    found = objections(test, facts, setting.level)
    return " ".join(found) if found else None


_CAUTIONS = (
    _few_units,
    _chosen_regardless,
    _no_average,
    _categorical,
    _dependent,
    _torn,
    _cross_validated,
    _several,
    _imbalanced,
    _cannot_reach,
    _scales,
)
