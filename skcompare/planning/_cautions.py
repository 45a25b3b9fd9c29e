"""What to bear in mind with a test that is recommended, as a table."""

from skcompare.comparison import FEWEST_UNITS, Remark, advice_on
from skcompare.planning._choices import unmet_needs

# The share of one class above which accuracy says little.
IMBALANCED = 0.9


def smallest_pvalue(test, facts):
    """Return the p-value of a test that counts, if all discordant units favored A."""
    halved = test.get_params(deep=False).get("variant") == "mid-p"
    one_sided = 0.5 ** (facts.n_discordant_units + halved)
    return one_sided * 2 if test.alternative == "two-sided" else one_sided


def about_comparisons(setting):
    """Say what several comparisons call for."""
    n, alpha, level = setting.n_comparisons, setting.alpha, setting.level
    return (
        f"This is one of {n:,} comparisons. Uncorrected, the chance of a false "
        f"positive among them would be up to {1 - (1 - alpha) ** n:.0%} if they "
        f"were independent. `alpha` is set to {alpha:g} / {n:,} = {level:.3g} "
        "(Bonferroni). Holm's procedure rejects more: the smallest p-value has to "
        f"reach {level:.3g}, the next {alpha:g} / {n - 1:,}, and so on until one "
        "fails. If all are between models on these rows, PairwiseComparison "
        "corrects them together: see the other questions."
    )


# What to say of a recommendation besides, in this order.
CAUTIONS = (
    Remark(
        lambda test, facts: facts.n_units < FEWEST_UNITS,
        lambda test, facts: (
            f"This is a small test set: {facts.n_units} {facts.units}, fewer than "
            f"{FEWEST_UNITS}. A bootstrap is unreliable on it, and only large "
            "differences can show."
        ),
    ),
    Remark(  # nothing better remained
        lambda test, facts: unmet_needs(test, facts),
        lambda test, facts: " ".join(unmet_needs(test, facts)),
    ),
    Remark(
        lambda test, facts: not facts.averages and not facts.weighted,
        lambda test, facts: (
            f"{facts.metric} is not a mean of per-row scores: a t-test does not apply, "
            "nor do other tests of per-row scores."
        ),
    ),
    Remark(
        lambda test, facts: facts.kind == "right or wrong",
        lambda test, facts: (
            "Outcomes are categorical, right or wrong: a t-test is not made for them."
        ),
    ),
    Remark(
        lambda test, facts: facts.block_length,
        lambda test, facts: (
            "If rows do not follow one another in time, leave out these blocks, or "
            "pass the `groups` that they belong to."
        ),
    ),
    Remark(
        lambda test, facts: facts.groups_given,
        lambda test, facts: (
            "Rows of a group depend on each other: the call above passes `groups`. "
            f"Taken as {facts.n_rows:,} independent rows they would give "
            "p-values that are too small."
        ),
    ),
    Remark(
        lambda test, facts: facts.retested and not facts.groups_given,
        lambda test, facts: (
            f"Cross-validation tests rows several times: {facts.n_rows:,} predictions "
            f"for {facts.n_units:,} rows are not independent."
        ),
    ),
    Remark(
        lambda test, facts: facts.dependent and not facts.grouped,
        lambda test, facts: (
            "Rows may depend on each other: the differences of neighboring rows "
            f"correlate by {facts.neighbors_correlation:.2f}. If rows belong together, "
            "pass `groups`."
        ),
    ),
    Remark(
        lambda test, facts: facts.torn_groups,
        lambda test, facts: (
            "Models are trained on rows of groups that they are tested on, so that "
            "scores may be too good: let `cv` be a splitter that keeps groups "
            "together, such as GroupKFold."
        ),
    ),
    Remark(
        lambda test, facts: facts.ranked_by_fold and facts.n_folds_of_one_class,
        lambda test, facts: (
            f"{facts.n_folds_of_one_class:,} of {facts.n_splits:,} folds have rows of "
            "one class only, which leaves nothing to rank: the test will refuse them. "
            "Let `cv` be fewer folds, or a stratified splitter."
        ),
    ),
    Remark(
        lambda test, facts: facts.setting.n_comparisons > 1,
        lambda test, facts: about_comparisons(facts.setting),
    ),
    Remark(
        lambda test, facts: facts.is_accuracy and facts.largest_share > IMBALANCED,
        lambda test, facts: (
            f"{facts.largest_share:.1%} of the rows are of class "
            f"{next(iter(facts.class_sizes))!r}: a model that always says so has an "
            f"accuracy of {facts.largest_share:.3f}. On such data accuracy misleads; "
            "consider 'balanced_accuracy', 'f1', 'matthews_corrcoef' or 'roc_auc'."
        ),
    ),
    Remark(
        lambda test, facts: (
            facts.kind == "roc auc" and facts.smallest_class < FEWEST_UNITS
        ),
        lambda test, facts: (
            f"The smaller class has {facts.smallest_class} rows, fewer than "
            f"{FEWEST_UNITS}: only large differences can show, and intervals are a "
            "little too narrow."
        ),
    ),
    Remark(
        lambda test, facts: not facts.n_discordant,
        lambda test, facts: (
            "The models do not differ on any row that counts: the p-value will be 1."
        ),
    ),
)


# With a test that counts, where it cannot show anything.
IMPOSSIBLE = Remark(
    lambda test, facts: (
        advice_on(test).counts
        and facts.n_discordant
        and smallest_pvalue(test, facts) > facts.level
    ),
    lambda test, facts: (
        f"The models differ on {facts.n_discordant_units} {facts.units} only. Even if "
        "all of them favored A, the p-value would be "
        f"{smallest_pvalue(test, facts):.3g}: significance at the level "
        f"{facts.level:.3g} is impossible."
    ),
)


def cautions_about(test, facts):
    """Return what to bear in mind with a test, whoever chose it.

    Parameters
    ----------
    test : estimator
        A test of two models.
    facts : Facts
        What is known about the comparison.

    Returns
    -------
    tuple of str
        A sentence for each caution.
    """
    remarks = (*advice_on(test).cautions, IMPOSSIBLE)
    return tuple(r.text(test, facts) for r in remarks if r.when(test, facts))
