"""What to bear in mind: with a test that is recommended, and with any."""

from skcompare.comparison import FEWEST_UNITS, advice_on
from skcompare.planning._choices import unmet_needs

# The share of one class above which accuracy says little.
IMBALANCED = 0.9


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
    setting, unmet = facts.setting, unmet_needs(test, facts)
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
    if setting.n_comparisons > 1:
        n, alpha, level = setting.n_comparisons, setting.alpha, setting.level
        yield (
            f"This is one of {n:,} comparisons. Uncorrected, the chance of a false "
            f"positive among them would be up to {1 - (1 - alpha) ** n:.0%} if they "
            f"were independent. `alpha` is set to {alpha:g} / {n:,} = {level:.3g} "
            "(Bonferroni). Holm's procedure rejects more: the smallest p-value has to "
            f"reach {level:.3g}, the next {alpha:g} / {n - 1:,}, and so on until one "
            "fails. If all are between models on these rows, PairwiseComparison "
            "corrects them together: see the other questions."
        )
    if facts.is_accuracy and facts.largest_share > IMBALANCED:
        yield (
            f"{facts.largest_share:.1%} of the rows are of class "
            f"{next(iter(facts.class_sizes))!r}: a model that always says so has an "
            f"accuracy of {facts.largest_share:.3f}. On such data accuracy misleads; "
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
    for remark in advice.cautions:
        if remark.when(test, facts):
            yield remark.text(test, facts)
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
