"""What speaks against a test, and what to bear in mind with it."""

from skcompare.comparison import FEWEST_UNITS, advice_on

# The share of one class above which accuracy says little.
IMBALANCED = 0.9


def unmet_needs(test, facts):
    """Return what speaks against a test, whether or not it is the one recommended.

    Parameters
    ----------
    test : estimator
        A test of two models.
    facts : Facts
        What is known about the comparison.

    Returns
    -------
    list of str
        A sentence for each need that is not met.
    """
    if facts.weighted and "sample_weight" not in test.takes:
        return [
            f"{type(test).__name__} lets all rows count alike, whatever they weigh."
        ]
    needs = advice_on(test).needs
    return [need.explain(test, facts) for need in needs if not need.holds(test, facts)]


def cautions_about_data(test, facts):
    """Yield what to bear in mind with a recommended test because of the data.

    Parameters
    ----------
    test : estimator
        The test that is recommended.
    facts : Facts
        What is known about the comparison.

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
            "differences can show."
        )
    if unmet:  # nothing better remained
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
            "If rows do not follow one another in time, leave out these blocks, or "
            "pass the `groups` that they belong to."
        )
    if facts.groups_given:
        yield (
            "Rows of a group depend on each other: the call above passes `groups`. "
            f"Taken as {facts.n_rows:,} independent rows they would give "
            "p-values that are too small."
        )
    elif facts.retested:
        yield (
            f"Cross-validation tests rows several times: {facts.n_rows:,} predictions "
            f"for {facts.n_units:,} rows are not independent."
        )
    if facts.dependent and not facts.grouped:
        yield (
            "Rows may depend on each other: the differences of neighboring rows "
            f"correlate by {facts.neighbors_correlation:.2f}. If rows belong together, "
            "pass `groups`."
        )
    if facts.torn_groups:
        yield (
            "Models are trained on rows of groups that they are tested on, so that "
            "scores may be too good: let `cv` be a splitter that keeps groups "
            "together, such as GroupKFold."
        )
    if facts.ranked_by_fold and facts.n_folds_of_one_class:
        yield (
            f"{facts.n_folds_of_one_class:,} of {facts.n_splits:,} folds have rows of "
            "one class only, which leaves nothing to rank: the test will refuse them. "
            "Let `cv` be fewer folds, or a stratified splitter."
        )
    if facts.n_comparisons > 1:
        n, alpha, level = facts.n_comparisons, facts.alpha, facts.level
        yield (
            f"This is one of {n:,} comparisons. Uncorrected, the chance of a false "
            f"positive among them would be up to {1 - (1 - alpha) ** n:.0%} if they "
            f"were independent. `alpha` is set to {alpha:g} / {n:,} = {level:.3g} "
            "(Bonferroni). Holm's procedure rejects more: the smallest p-value has to "
            f"reach {level:.3g}, the next {alpha:g} / {n - 1:,}, and so on until one "
            "fails. If all are between models on these rows, PairwiseComparison "
            "corrects them together: see the other questions."
        )
    largest, size = next(iter(facts.class_sizes.items()), (None, 0))
    share = size / facts.n_rows
    if facts.is_accuracy and share > IMBALANCED:
        yield (
            f"{share:.1%} of the rows are of class {largest!r}: a model that always "
            f"says so has an accuracy of {share:.3f}. On such data accuracy misleads; "
            "consider 'balanced_accuracy', 'f1', 'matthews_corrcoef' or 'roc_auc'."
        )
    if facts.kind == "roc auc" and facts.smallest_class < FEWEST_UNITS:
        yield (
            f"The smaller class has {facts.smallest_class} rows, fewer than "
            f"{FEWEST_UNITS}: only large differences can show, and intervals are a "
            "little too narrow."
        )
    if not facts.n_discordant:
        yield "The models do not differ on any row that counts: the p-value will be 1."


def cautions_about_test(test, facts):
    """Yield what to bear in mind with a test, whoever chose it.

    Parameters
    ----------
    test : estimator
        A test of two models.
    facts : Facts
        What is known about the comparison.

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
            f"The models differ on {facts.n_discordant_units} {facts.units} only. Even "
            f"if all of them favored A, the p-value would be {smallest:.3g}: "
            f"significance at the level {facts.level:.3g} is impossible."
        )


def objections(test, facts, scoring):
    """Yield what speaks against a test that was chosen.

    Parameters
    ----------
    test : estimator
        A test of two models.
    facts : Facts
        What is known about the comparison, at the level of the test.
    scoring : object
        The metric that the user asks about; None for that of the test.

    Yields
    ------
    str
        A sentence for each objection.
    """
    n_comparisons, alpha = facts.n_comparisons, facts.alpha
    yield from unmet_needs(test, facts)
    if facts.block_length and "groups" in test.takes:
        yield (
            "Rows depend on those before them: the differences of neighboring rows "
            f"correlate by {facts.neighbors_correlation:.2f}. Pass "
            f"groups={facts.blocks} to the test."
        )
    own = test.get_params(deep=False).get("scoring")
    several = isinstance(own, list | tuple | dict) and scoring in own
    if several and len(own) > n_comparisons:
        yield (
            f"The test looks at {len(own)} metrics and does not correct for their "
            f"number: set alpha={alpha / len(own):.3g}, that is {alpha:g} / "
            f"{len(own)}, or correct the p-values afterwards by adjust_pvalues."
        )
    elif None not in (own, scoring) and own != scoring and not several:
        yield f"The test is set to scoring={own!r}, and the question is {scoring!r}."
    level, share = alpha / n_comparisons, f"{alpha:g} / {n_comparisons:,}"
    if n_comparisons == 1 or facts.level <= level * (1 + 1e-9):
        return
    if test.gives == "posterior":
        cause = f"credible_level={test.credible_level:g}"
        remedy = (
            "the surest of several posteriors looks surer than it is. Set "
            f"credible_level={1 - level:.4g}, that is 1 - {share}."
        )
    else:
        cause = f"alpha={test.alpha:g}"
        remedy = (
            f"set alpha={level:.3g}, that is {share}, or correct the p-values "
            "afterwards (Holm). If all are between models on these rows, "
            "PairwiseComparison corrects them together."
        )
    yield (
        f"With {cause} in each of {n_comparisons:,} comparisons there is no "
        f"correction for their number: {remedy}"
    )
