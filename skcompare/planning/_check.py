"""Judge a test that was chosen already."""

import dataclasses

from skcompare.comparison import advice_on
from skcompare.model_selection import PairwiseComparison
from skcompare.planning._cautions import cautions_about_test
from skcompare.planning._choices import unmet_needs
from skcompare.planning._facts import Setting
from skcompare.planning._recommend import facts_of_predictions, recommend
from skcompare.planning._results import Verdict

# The level of all comparisons together that a correction is for.
ALPHA = 0.05


def check_choice(
    test,
    y_true,
    y_pred_a,
    y_pred_b,
    *,
    scoring=None,
    groups=None,
    sample_weight=None,
    n_comparisons=1,
):
    """Say whether a test that was chosen already fits the data.

    The three wrong uses that Dror et al. [1]_ counted in published papers are caught: a
    t-test on a metric that is not a mean of per-row scores, a t-test on categorical
    outcomes, and a bootstrap on a small test set. So are groups that a test ignores, a
    test of another metric, a t-test on differences whose mean is not normal, and
    several comparisons without a correction; a posterior from few rows, or of a metric
    that takes no weights; and tests on folds, which ask another question than
    predictions can tell.

    Read more in the :ref:`User Guide <which_test_to_use>`.

    Parameters
    ----------
    test : estimator
        The test, such as ``PairedTTest(scoring="f1")``. It is not fitted or changed. Of
        a :class:`PairwiseComparison` the test of its pairs is judged, by the
        predictions of two of the models, and whether it corrects for their number.
    y_true : array-like
        The truth.
    y_pred_a, y_pred_b : array-like or dict
        What the models predicted, as for `PairedBootstrap.fit_predictions`.
    scoring : str, callable or None, default=None
        The metric that the comparison is about. None takes the test's own.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same label belong together.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of rows, which the scorer takes.
    n_comparisons : int, default=1
        The number of comparisons that are made in all. More than one call for a test
        with an `alpha` of at most 0.05 divided by their number, a posterior whose
        `credible_level` is at least 1 less that, or a :class:`PairwiseComparison`
        that corrects.

    Returns
    -------
    Verdict
        Whether it fits, what speaks against it, what to bear in mind with it, and what
        to use instead.

    See Also
    --------
    recommend_test : Recommend a test in the first place.

    References
    ----------
    .. [1] Dror, R., Baumer, G., Shlomov, S. and Reichart, R. (2018). The hitchhiker's
       guide to testing statistical significance in natural language processing. ACL
       2018, 1383-1392. :doi:`10.18653/v1/P18-1128`

    Examples
    --------
    >>> from skcompare import PairedTTest, check_choice
    >>> truth = [0, 1] * 20
    >>> pred_a, pred_b = [0, 1] * 18 + [1, 0] * 2, [0, 1] * 12 + [1, 0, 0, 1] * 4
    >>> print(check_choice(PairedTTest(scoring="f1"), truth, pred_a, pred_b))
    This test does not fit.
    <BLANKLINE>
      A t-test needs a mean of per-row scores, and f1 is not one, ...
    <BLANKLINE>
    Recommended:
    <BLANKLINE>
      PairedBootstrap(scoring='f1')
    """
    pairs = test if isinstance(test, PairwiseComparison) else None
    if pairs is not None:
        baseline = "B" if pairs.baseline is None else pairs.baseline
        test = pairs.ready_test((f"not {baseline}", baseline))
    elif isinstance(test, type) or advice_on(test) is None:
        called = ""
        if isinstance(test, type):
            called = f" That is a class: pass {test.__name__}(), with its parameters."
        raise TypeError(
            "`test` must be a test of two models, such as McNemar() or "
            f"PairedBootstrap(), or a PairwiseComparison(). Got {test!r}.{called}"
        )
    test.check_parameters()
    asked = test.scoring if scoring is None else scoring
    setting = Setting(scoring=asked, n_comparisons=n_comparisons, alpha=ALPHA)
    rows = {"groups": groups, "sample_weight": sample_weight}
    facts = facts_of_predictions(
        setting, y_true, y_pred_a, y_pred_b, narrowed=False, **rows
    )
    posterior = test.gives == "posterior"
    level = 1 - float(test.credible_level) if posterior else float(test.alpha)
    facts_at_level = dataclasses.replace(facts, level=level)
    problems = tuple(objections(test, pairs, facts_at_level, scoring))
    return Verdict(
        ok=not problems,
        problems=problems,
        warnings=tuple(cautions_about_test(test, facts_at_level)),
        better=recommend(facts),
    )


def objections(test, pairs, facts, scoring):
    """Yield what speaks against a test, by itself or for all pairs of models."""
    setting, level = facts.setting, facts.level
    posterior = test.gives == "posterior"
    yield from unmet_needs(test, facts)
    if facts.block_length and "groups" in test.takes:
        yield (
            "Rows depend on those before them: the differences of neighboring rows "
            f"correlate by {facts.neighbors_correlation:.2f}. Pass "
            f"groups={facts.blocks} to the test."
        )
    own = test.get_params(deep=False).get("scoring")
    several = isinstance(own, list | tuple | dict) and scoring in own
    if several and len(own) > setting.n_comparisons:
        yield (
            f"The test looks at {len(own)} metrics and does not correct for their "
            f"number: set alpha={ALPHA / len(own):.3g}, that is {ALPHA:g} / "
            f"{len(own)}, or correct the p-values afterwards by adjust_pvalues."
        )
    elif None not in (own, scoring) and own != scoring and not several:
        yield f"The test is set to scoring={own!r}, and the question is {scoring!r}."
    if pairs and pairs.baseline is None and test.alternative != "two-sided":
        yield (
            f"With alternative={test.alternative!r} and no `baseline` each pair is "
            "asked about in one direction only, that in which its models are named: "
            "set alternative='two-sided', or name a `baseline`."
        )
    corrected = pairs is not None and pairs.correction != "none"
    level = float(pairs.alpha) if pairs else level
    enough = level <= setting.level * (1 + 1e-9)
    if setting.n_comparisons == 1 or corrected or enough:
        return
    share = f"{setting.alpha:g} / {setting.n_comparisons:,}"
    if pairs:
        cause = "correction='none'"
        remedy = "take 'holm', or 'max-t' for a test that resamples."
    elif posterior:
        cause = f"credible_level={test.credible_level:g}"
        remedy = (
            "the surest of several posteriors looks surer than it is. Set "
            f"credible_level={1 - setting.level:.4g}, that is 1 - {share}."
        )
    else:
        cause = f"alpha={test.alpha:g}"
        remedy = (
            f"set alpha={setting.level:.3g}, that is {share}, or correct the p-values "
            "afterwards (Holm). If all are between models on these rows, "
            "PairwiseComparison corrects them together."
        )
    yield (
        f"With {cause} in each of {setting.n_comparisons:,} comparisons there is no "
        f"correction for their number: {remedy}"
    )
