"""A second opinion on a test that was chosen already."""

import dataclasses
import html

from skcompare.advice._advisor import recommend
from skcompare.advice._objections import objections
from skcompare.advice._recommend_test import facts_of_predictions
from skcompare.advice._recommendation import Recommendation, as_item, bulleted
from skcompare.advice._setting import Setting
from skcompare.comparison import NestedCVInterval
from skcompare.comparison._base import BaseComparison
from skcompare.comparison._folds import FoldComparison
from skcompare.model_selection import PairwiseComparison

__all__ = ["Verdict", "check_choice"]

# The level of all comparisons together that a correction is for.
ALPHA = 0.05
# What can be judged.
JUDGED = BaseComparison | FoldComparison | NestedCVInterval | PairwiseComparison


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Verdict:
    """Whether a test fits a comparison.

    Attributes
    ----------
    ok : bool
        Whether nothing speaks against the test.
    problems : tuple of str
        What does, a sentence each.
    better : Recommendation
        The test that is recommended; with `ok`, a second opinion.

    See Also
    --------
    check_choice : Makes verdicts.
    """

    ok: bool
    problems: tuple
    better: Recommendation

    def _remedy(self):
        return f"Recommended: {self.better.test!r}"

    def __str__(self):
        if self.ok:
            return "Nothing speaks against this test."
        problems = map(bulleted, self.problems)
        return "\n".join(["This test does not fit.", *problems, self._remedy()])

    def _repr_html_(self):
        if self.ok:
            return f"<p>{html.escape(str(self))}</p>"
        listed = "".join(map(as_item, self.problems))
        return (
            f"<div><p>This test does not fit.</p><ul>{listed}</ul>"
            f"<p>{html.escape(self._remedy())}</p></div>"
        )


def check_choice(
    test,
    y_true,
    y_pred_a,
    y_pred_b,
    *,
    scoring=None,
    groups=None,
    n_comparisons=1,
):
    """Say whether a test that was chosen already fits the data.

    The three wrong uses that Dror et al. [1]_ counted in published papers are caught: a
    t-test on a measure that is not an average, a t-test on categorical outcomes, and a
    bootstrap on a small test set. So are groups that a test ignores, a test of another
    metric, a t-test on differences whose mean is not normal, and several comparisons
    without a correction; a posterior from few rows, or of a metric that takes no
    weights; and tests on folds, which ask another question than answers can tell.

    Read more in the :ref:`User Guide <which_test_to_use>`.

    Parameters
    ----------
    test : estimator
        The test, such as ``PairedTTest(scoring="f1")``. It is not fitted or changed. Of
        a :class:`PairwiseComparison` the test of its pairs is judged, by the answers of
        two of the models, and whether it corrects for their number.
    y_true : array-like
        The truth.
    y_pred_a, y_pred_b : array-like or dict
        What the models answered, as for `PairedBootstrap.fit_predictions`.
    scoring : str, callable or None, default=None
        The metric that the comparison is about. None takes the test's own.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same label belong together.
    n_comparisons : int, default=1
        The number of comparisons that are made in all. More than one call for a test
        with an `alpha` of at most 0.05 divided by their number, a posterior whose
        `hdi_probability` is at least 1 less that, or a :class:`PairwiseComparison`
        that corrects.

    Returns
    -------
    Verdict
        Whether it fits, what speaks against it, and what to use instead.

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
      - A t-test needs a score that is an average of one number per row, and f1 is ...
    Recommended: PairedBootstrap(scoring='f1')
    """
    _check_can_be_judged(test)
    of_two = _test_of_two(test)
    of_two._check_parameters()
    wanted = of_two.scoring if scoring is None else scoring
    setting = Setting(scoring=wanted, n_comparisons=n_comparisons, alpha=ALPHA)
    facts = facts_of_predictions(y_true, y_pred_a, y_pred_b, wanted, groups)
    problems = [
        *objections(of_two, facts, _level(of_two)),
        *_mismatches(of_two, scoring),
        *_one_sided_pairs(test, of_two),
        *_uncorrected(test, setting),
    ]
    better = recommend(facts, setting)
    return Verdict(ok=not problems, problems=tuple(problems), better=better)


def _check_can_be_judged(test):
    if isinstance(test, JUDGED):
        return
    called = ""
    if isinstance(test, type):
        called = f" That is a class: pass {test.__name__}(), with its parameters."
    raise TypeError(
        "`test` must be a test of two models, such as McNemar() or "
        f"PairedBootstrap(), or a PairwiseComparison(). Got {test!r}.{called}"
    )


def _test_of_two(test):
    """Return the test itself, or that of its pairs, with parameters that it is given.

    A test of pairs that cannot be is an error.
    """
    if not isinstance(test, PairwiseComparison):
        return test
    baseline = "B" if test.baseline is None else test.baseline
    return test._ready_test((f"not {baseline}", baseline))


def _level(test):
    """Return the level of the decisions of a test, or of a posterior."""
    if hasattr(test, "hdi_probability"):
        return 1 - float(test.hdi_probability)
    return float(test.alpha)


def _mismatches(test, scoring):
    """Object to a test that is set to another metric than the one in question."""
    own = test.get_params(deep=False).get("scoring")
    if own is None or scoring is None or own == scoring:
        return []
    return [f"The test is set to scoring={own!r}, and the question is {scoring!r}."]


def _one_sided_pairs(test, of_two):
    """Object to all pairs of several models being asked about in one direction."""
    all_pairs = isinstance(test, PairwiseComparison) and test.baseline is None
    if not all_pairs or of_two.alternative == "two-sided":
        return []
    return [
        f"With alternative={of_two.alternative!r} and no `baseline` each pair is asked "
        "about in one direction only, that in which its models are named: set "
        "alternative='two-sided', or name a `baseline`."
    ]


def _uncorrected(test, setting):
    """Object to a level that leaves several comparisons without a correction."""
    corrects = isinstance(test, PairwiseComparison) and test.correction != "none"
    enough = _level(test) <= setting.level * (1 + 1e-9)
    if setting.n_comparisons == 1 or corrects or enough:
        return []
    how, remedy = _correction(test, setting)
    return [
        f"With {how} in each of {setting.n_comparisons:,} comparisons there is no "
        f"correction for their number: {remedy}"
    ]


def _correction(test, setting):
    """Say what leaves comparisons uncorrected, and what to do about it."""
    share = f"{setting.alpha:g} / {setting.n_comparisons:,}"
    if isinstance(test, PairwiseComparison):
        return "correction='none'", "take 'holm', or 'max-t' for a test that resamples."
    if hasattr(test, "hdi_probability"):
        return (
            f"hdi_probability={test.hdi_probability:g}",
            "the surest of several posteriors looks surer than it is. Set "
            f"hdi_probability={1 - setting.level:.4g}, that is 1 - {share}.",
        )
    return (
        f"alpha={test.alpha:g}",
        f"set alpha={setting.level:.3g}, that is {share}, or correct the p-values "
        "afterwards (Holm). If all are between models on these rows, "
        "PairwiseComparison corrects them together.",
    )
