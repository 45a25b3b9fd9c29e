"""What to bear in mind, whichever test is recommended."""

import math

from skcompare.comparison import FEWEST_UNITS, Remark, advice_on
from skcompare.planning._choices import unmet_needs
from skcompare.planning._facts import DEPENDENT

# The share of one class above which accuracy says little.
IMBALANCED = 0.9
# Fewer rows of a class say little about a score that is an average over classes.
RARE = 10


def _share(facts):
    """Return the share of the largest class."""
    return next(iter(facts.class_sizes.values())) / facts.n_rows


def _smallest_pvalue(test, facts):
    """Return the p-value if all units on which the models differ favored A."""
    halved = test.get_params(deep=False).get("variant") == "mid-p"
    return 0.5 ** (facts.n_discordant_units + halved)


CAUTIONS = (
    Remark(
        lambda test, facts: facts.n_units < FEWEST_UNITS,
        lambda test, facts: (
            f"This is a small test set: {facts.n_units} {facts.units}, fewer than "
            f"{FEWEST_UNITS}. A bootstrap is unreliable on it, and only large "
            "differences can show."
        ),
    ),
    # if nothing better remained
    Remark(
        lambda test, facts: bool(unmet_needs(test, facts)),
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
        lambda test, facts: facts.block_length > 0,
        lambda test, facts: (
            "If rows do not follow one another in time, leave out "
            f"groups={facts.blocks}, or pass the groups that they belong to."
        ),
    ),
    Remark(
        lambda test, facts: facts.groups_given and not facts.block_length,
        lambda test, facts: (
            "Rows of a group depend on each other: pass `groups` to fit, as in the "
            f"call above. Taken as {facts.n_rows:,} independent rows they would give "
            "p-values that are too small."
        ),
    ),
    Remark(
        lambda test, facts: facts.grouped and not facts.groups_given,
        lambda test, facts: (
            f"Cross-validation tests rows several times: {facts.n_rows:,} predictions "
            f"for {facts.n_units:,} rows are not independent."
        ),
    ),
    Remark(
        lambda test, facts: (
            not facts.grouped
            and facts.neighbors_correlation * math.sqrt(facts.n_rows) > DEPENDENT
        ),
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
        lambda test, facts: facts.cross_validated,
        lambda test, facts: (
            "Out-of-fold predictions come from several fitted models whose training "
            "rows overlap: the test is about their pooled score, not about how the "
            "models would turn out on other training data, which is another question."
        ),
    ),
    Remark(
        lambda test, facts: facts.setting.n_comparisons > 1,
        lambda test, facts: _about_several(facts.setting),
    ),
    Remark(
        lambda test, facts: (
            facts.is_accuracy and bool(facts.class_sizes) and _share(facts) > IMBALANCED
        ),
        lambda test, facts: (
            f"{_share(facts):.1%} of the rows are of class "
            f"{next(iter(facts.class_sizes))!r}: a model that always says so has an "
            f"accuracy of {_share(facts):.3f}. On such data accuracy misleads; "
            "consider 'balanced_accuracy', 'f1', 'matthews_corrcoef' or 'roc_auc'."
        ),
    ),
    Remark(
        lambda test, facts: (
            facts.averages_classes
            and bool(facts.class_sizes)
            and facts.smallest_class < RARE
        ),
        lambda test, facts: _about_rare(facts),
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
            "The models do not differ on any row: the p-value will be 1."
        ),
    ),
    Remark(
        lambda test, facts: (
            facts.n_discordant > 0
            and advice_on(test).counts
            and _smallest_pvalue(test, facts) > facts.level
        ),
        lambda test, facts: (
            f"The models differ on {facts.n_discordant_units} {facts.units} only. Even "
            "if all of them favored A, the p-value would be "
            f"{_smallest_pvalue(test, facts):.3g}: significance at the "
            f"level {facts.level:.3g} is impossible."
        ),
    ),
    Remark(
        lambda test, facts: facts.decision_values and not test.redraws_rows,
        lambda test, facts: (
            "Decision values are swapped between the models: they must be on the "
            "same scale. Ranks are; see the user guide."
        ),
    ),
)


def _about_rare(facts):
    rare = [f"{label!r} ({n})" for label, n in facts.class_sizes.items() if n < RARE]
    named = ", ".join(rare[-5:])
    return (
        f"{facts.metric} gives every class the same weight, and {len(rare)} have fewer "
        f"than {RARE} rows: {named}. The score hangs on these few rows, which "
        "resamples may lack: merge rare classes, or report a weighted average as well."
    )


def _about_several(setting):
    n, alpha, level = setting.n_comparisons, setting.alpha, setting.level
    return (
        f"This is one of {n:,} comparisons. Uncorrected, the chance of a false "
        f"positive among them would be up to {1 - (1 - alpha) ** n:.0%} if they were "
        f"independent. `alpha` is set to {alpha:g} / {n:,} = {level:.3g} (Bonferroni). "
        "Holm's procedure rejects more: the smallest p-value has to reach "
        f"{level:.3g}, the next {alpha:g} / {n - 1:,}, and so on until one fails. If "
        "all are between models on these rows, PairwiseComparison corrects them "
        "together: see the other questions."
    )
