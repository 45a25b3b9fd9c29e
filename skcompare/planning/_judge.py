"""Objections to a test, and cautions about its use."""

from skcompare._format import format_count
from skcompare.comparison import FEWEST_UNITS, advice_on

# The share of the largest class above which accuracy is misleading.
IMBALANCED = 0.9


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
    needs = advice_on(test).needs
    return [need.explain(test, facts) for need in needs if not need.holds(test, facts)]


def cautions_about_data(test, facts):
    """Yield cautions about a recommended test that are due to the data.

    Parameters
    ----------
    test : estimator
        The recommended test.
    facts : Facts
        The facts about the comparison.

    Yields
    ------
    str
        A sentence for each caution.
    """
    unmet = unmet_needs(test, facts)
    if facts.n_units < FEWEST_UNITS:
        yield (
            f"This is a small test set: {facts.n_units} {facts.units}, fewer than "
            f"{FEWEST_UNITS}. A bootstrap is unreliable on it, and only large "
            "differences can be detected."
        )
    if unmet:  # no other test is better
        yield " ".join(unmet)
    if not facts.averages and not facts.weighted:
        yield (
            f"{facts.metric} is not a mean of per-row scores: a t-test does not apply, "
            "nor do other tests of per-row scores."
        )
    if facts.kind == "right or wrong":
        yield "Outcomes are categorical, right or wrong: a t-test is not made for them."
    if facts.block_length:
        yield (
            "If rows are not ordered in time, do not use these blocks, or pass the "
            "`groups` that rows belong to."
        )
    if facts.has_user_groups:
        yield (
            "Rows of a group depend on each other: the call above passes `groups`. "
            f"Treating them as {facts.n_rows:,} independent rows would give p-values "
            "that are too small."
        )
    elif facts.retested:
        yield (
            f"Cross-validation tests rows several times: {facts.n_rows:,} predictions "
            f"for {facts.n_units:,} rows are not independent."
        )
    if facts.dependent and not facts.grouped:
        yield (
            "Rows may depend on each other: differences of neighboring rows have a "
            f"correlation of {facts.neighbors_correlation:.2f}. If rows belong "
            "together, pass `groups`."
        )
    if facts.torn_groups:
        yield (
            "Models are tested on groups that they were trained on, so that scores may "
            "be too optimistic: set `cv` to a splitter that keeps groups together, "
            "such as GroupKFold."
        )
    if facts.ranked_by_fold and facts.n_folds_of_one_class:
        yield (
            f"In {facts.n_folds_of_one_class:,} of {facts.n_splits:,} folds all rows "
            "are of one class, which leaves nothing to rank: the test will raise an "
            "error. Set `cv` to fewer folds, or to a stratified splitter."
        )
    if facts.n_comparisons > 1:
        n, alpha, level = facts.n_comparisons, facts.alpha, facts.level
        yield (
            f"This is one of {n:,} comparisons. Without correction, the probability of "
            f"any false positive would be up to {1 - (1 - alpha) ** n:.0%} if they "
            f"were independent. `alpha` is set to {alpha:g} / {n:,} = {level:.3g} "
            "(Bonferroni). Holm's procedure can reject more: the smallest p-value must "
            f"be at most {level:.3g}, the next {alpha:g} / {n - 1:,}, and so on until "
            "one is larger. If all comparisons are between models on these rows, "
            "PairwiseComparison corrects them together: see the other questions."
        )
    largest, size = next(iter(facts.class_sizes.items()), (None, 0))
    share = size / facts.n_rows
    if facts.is_accuracy and share > IMBALANCED:
        yield (
            f"{share:.1%} of the rows are of class {largest!r}: a model that always "
            f"predicts it has an accuracy of {share:.3f}. On such data accuracy is "
            "misleading; consider 'balanced_accuracy', 'f1', 'matthews_corrcoef' or "
            "'roc_auc'."
        )
    if facts.kind == "roc auc" and facts.smallest_class < FEWEST_UNITS:
        yield (
            f"The smaller class has {format_count(facts.smallest_class, 'rows')}, "
            "fewer than "
            f"{FEWEST_UNITS}: only large differences can be detected, and intervals "
            "are slightly too narrow."
        )
    if not facts.n_discordant:
        yield (
            f"The models do not differ on any row that affects {facts.metric}: the "
            "p-value will be 1."
        )


def cautions_about_test(test, facts):
    """Yield cautions about a test, recommended or chosen.

    Parameters
    ----------
    test : estimator
        A test of two models.
    facts : Facts
        The facts about the comparison.

    Yields
    ------
    str
        A sentence for each caution.
    """
    advice = advice_on(test)
    for need in advice.cautions:
        if not need.holds(test, facts):
            yield need.explain(test, facts)
    if not advice.counts or not facts.n_discordant:
        return
    # The p-value if all discordant units favored A.
    halved = test.get_params(deep=False).get("variant") == "mid-p"
    sides = 2 if test.alternative == "two-sided" else 1
    smallest = sides * 0.5 ** (facts.n_discordant_units + halved)
    if smallest > facts.level:
        yield (
            f"The models differ on only {facts.n_discordant_units} {facts.units}. Even "
            f"if all of them favored A, the p-value would be {smallest:.3g}: "
            f"significance at the level {facts.level:.3g} is impossible."
        )


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
            f"groups={facts.blocks} to the test."
        )
    own = test.get_params(deep=False).get("scoring")
    several = isinstance(own, list | tuple | dict) and scoring in own
    if several and len(own) > n_comparisons:
        yield (
            f"The test compares {len(own)} metrics and does not correct for their "
            f"number: set alpha={alpha / len(own):.3g}, that is {alpha:g} / "
            f"{len(own)}, or correct the p-values afterwards with adjust_pvalues."
        )
    elif None not in (own, scoring) and own != scoring and not several:
        yield f"The test has scoring={own!r}, but `scoring` here is {scoring!r}."
    level, share = alpha / n_comparisons, f"{alpha:g} / {n_comparisons:,}"
    if n_comparisons == 1 or facts.level <= level * (1 + 1e-9):
        return
    if test.gives == "posterior":
        cause = f"credible_level={test.credible_level:g}"
        remedy = (
            "the most certain of several posteriors looks more certain than it is. Set "
            f"credible_level={1 - level:.4g}, that is 1 - {share}."
        )
    else:
        cause = f"alpha={test.alpha:g}"
        remedy = (
            f"set alpha={level:.3g}, that is {share}, or correct the p-values "
            "afterwards (Holm). If all comparisons are between models on these rows, "
            "PairwiseComparison corrects them together."
        )
    yield (
        f"With {cause} in each of {n_comparisons:,} comparisons, there is no "
        f"correction for their number: {remedy}"
    )
