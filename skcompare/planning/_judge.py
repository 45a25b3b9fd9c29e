"""Objections to a test, and cautions about its use."""

from skcompare._format import format_count
from skcompare.comparison import FEWEST_UNITS, Need, advice_on

# The share of the largest class above which accuracy is misleading.
IMBALANCED = 0.9


def _unmet(needs, test, facts):
    """Return the sentences of the needs that are not met."""
    return [need.explain(test, facts) for need in needs if not need.holds(test, facts)]


def unmet_needs(test, facts):
    """Return objections to a test, which may be the recommended one.

    Parameters
    ----------
    test : estimator
        A test of two models.
    facts : Facts
        The facts about the comparison.

    Returns
    -------
    list of str
        A sentence for each need that is not met.
    """
    if facts.weighted and "sample_weight" not in test.takes:
        return [f"{type(test).__name__} ignores weights: all rows count equally."]
    return _unmet(advice_on(test).needs, test, facts)


# Cautions about a recommended test that are due to the data, in display order.
ABOUT_DATA = (
    Need(
        lambda test, facts: facts.n_units >= FEWEST_UNITS,
        "This is a small test set: {facts.n_units} {facts.units}, fewer than "
        f"{FEWEST_UNITS}. A bootstrap is unreliable on it, and only large differences "
        "can be detected.",
    ),
    Need(  # no other test is better
        lambda test, facts: not unmet_needs(test, facts),
        lambda test, facts: " ".join(unmet_needs(test, facts)),
    ),
    Need(
        lambda test, facts: facts.averages or facts.weighted,
        "{facts.metric} {facts.is_no_average}: a t-test does not apply, nor do other "
        "tests of per-row scores.",
    ),
    Need(
        lambda test, facts: facts.kind != "right or wrong",
        "Outcomes are categorical, right or wrong: a t-test is not appropriate.",
    ),
    Need(
        lambda test, facts: not facts.block_length,
        "If rows are not ordered in time, do not use these blocks, or pass the "
        "`groups` that rows belong to.",
    ),
    Need(
        lambda test, facts: not facts.has_user_groups,
        "Rows of a group depend on each other: the call above passes `groups`. "
        "Treating them as {facts.n_rows:,} independent rows would give p-values that "
        "are too small.",
    ),
    Need(
        lambda test, facts: facts.has_user_groups or not facts.retested,
        "Cross-validation tests rows several times: {facts.n_rows:,} predictions for "
        "{facts.n_units:,} rows are not independent.",
    ),
    Need(
        lambda test, facts: facts.grouped or not facts.dependent,
        "Rows may depend on each other: differences of neighboring rows have a "
        "correlation of {facts.neighbors_correlation:.2f}. If rows belong together, "
        "pass `groups`.",
    ),
    Need(
        lambda test, facts: not facts.torn_groups,
        "Models are tested on groups that they were trained on, so that scores may be "
        "too optimistic: set `cv` to a splitter that keeps groups together, such as "
        "GroupKFold.",
    ),
    Need(
        lambda test, facts: not (facts.ranked_by_fold and facts.n_folds_of_one_class),
        "In {facts.n_folds_of_one_class:,} of {facts.n_splits:,} folds all rows are of "
        "one class, which leaves nothing to rank: the test will raise an error. Set "
        "`cv` to fewer folds, or to a stratified splitter.",
    ),
    Need(
        lambda test, facts: facts.n_comparisons == 1,
        lambda test, facts: (
            f"This is one of {facts.n_comparisons:,} comparisons. Without correction, "
            "the probability of any false positive would be up to "
            f"{1 - (1 - facts.alpha) ** facts.n_comparisons:.0%} if they were "
            f"independent. `alpha` is set to {facts.level_code} = {facts.level:.3g} "
            "(Bonferroni). Holm's procedure can reject more: the smallest p-value must "
            f"be at most {facts.level:.3g}, the next {facts.alpha:g} / "
            f"{facts.n_comparisons - 1:,}, and so on until one is larger. If all "
            "comparisons are between models on these rows, PairwiseComparison corrects "
            "them together: see the other questions."
        ),
    ),
    Need(
        lambda test, facts: not facts.is_accuracy or facts.largest_share <= IMBALANCED,
        "{facts.largest_share:.1%} of the rows are of class {facts.largest_class!r}: a "
        "model that always predicts it has an accuracy of {facts.largest_share:.3f}. "
        "On such data accuracy is misleading; consider 'balanced_accuracy', 'f1', "
        "'matthews_corrcoef' or 'roc_auc'.",
    ),
    Need(
        lambda test, facts: (
            facts.kind != "roc auc" or facts.smallest_class >= FEWEST_UNITS
        ),
        lambda test, facts: (
            f"The smaller class has {format_count(facts.smallest_class, 'rows')}, "
            f"fewer than {FEWEST_UNITS}: only large differences can be detected, and "
            "intervals are slightly too narrow."
        ),
    ),
    Need(
        lambda test, facts: facts.n_discordant,
        "The models do not differ on any row that affects {facts.metric}: the p-value "
        "will be 1.",
    ),
)


def _smallest_pvalue(test, facts):
    """Return the p-value if all discordant units favored A, 0 if it has no limit."""
    one_sided = advice_on(test).smallest_pvalue
    if one_sided is None or not facts.n_discordant:
        return 0.0
    sides = 2 if test.alternative == "two-sided" else 1
    return sides * one_sided(test, facts.n_discordant_units)


POSSIBLE = Need(
    lambda test, facts: _smallest_pvalue(test, facts) <= facts.level,
    lambda test, facts: (
        f"The models differ on only {facts.n_discordant_units} {facts.units}. Even if "
        "all of them favored A, the p-value would be "
        f"{_smallest_pvalue(test, facts):.3g}: significance at the level "
        f"{facts.level:.3g} is impossible."
    ),
)


def cautions_about_data(test, facts):
    """Return cautions about a recommended test that are due to the data.

    Parameters
    ----------
    test : estimator
        The recommended test.
    facts : Facts
        The facts about the comparison.

    Returns
    -------
    list of str
        A sentence for each caution.
    """
    return _unmet(ABOUT_DATA, test, facts)


def cautions_about_test(test, facts):
    """Return cautions about a test, recommended or chosen.

    Parameters
    ----------
    test : estimator
        A test of two models.
    facts : Facts
        The facts about the comparison.

    Returns
    -------
    list of str
        A sentence for each caution.
    """
    return _unmet((*advice_on(test).cautions, POSSIBLE), test, facts)


def objections(test, facts, scoring):
    """Yield objections to a test that was chosen.

    Parameters
    ----------
    test : estimator
        A test of two models.
    facts : Facts
        The facts about the comparison, at the level of the test.
    scoring : object
        The metric passed by the user; None for that of the test.

    Yields
    ------
    str
        A sentence for each objection.
    """
    n_comparisons, alpha = facts.n_comparisons, facts.alpha
    yield from unmet_needs(test, facts)
    if facts.block_length and "groups" in test.takes:
        yield (
            "Rows depend on the rows before them: differences of neighboring rows have "
            f"a correlation of {facts.neighbors_correlation:.2f}. Pass "
            f"`groups={facts.blocks}` to the test."
        )
    own = test.get_params(deep=False).get("scoring")
    several = isinstance(own, list | tuple | dict) and scoring in own
    if several and len(own) > n_comparisons:
        yield (
            f"The test compares {len(own)} metrics and does not correct for their "
            f"number: set `alpha={alpha / len(own):.3g}`, that is {alpha:g} / "
            f"{len(own)}, or correct the p-values afterwards with adjust_pvalues."
        )
    elif None not in (own, scoring) and own != scoring and not several:
        yield f"The test has `scoring={own!r}`, but `scoring` here is {scoring!r}."
    level = alpha / n_comparisons
    if n_comparisons == 1 or facts.level <= level * (1 + 1e-9):
        return
    if test.gives == "posterior":
        cause = f"credible_level={test.credible_level:g}"
        remedy = (
            "of several posteriors, the most extreme one overstates the evidence. Set "
            f"`credible_level={1 - level:.4g}`, that is 1 - {facts.level_code}."
        )
    else:
        cause = f"alpha={test.alpha:g}"
        remedy = (
            f"set `alpha={level:.3g}`, that is {facts.level_code}, or correct the "
            "p-values afterwards (Holm). If all comparisons are between models on "
            "these rows, PairwiseComparison corrects them together."
        )
    yield (
        f"With `{cause}` in each of {n_comparisons:,} comparisons, there is no "
        f"correction for their number: {remedy}"
    )
