"""A second opinion on a test that was chosen already."""

import dataclasses
import html

from skcompare.advice._recommendation import (
    Recommendation,
    Setting,
    bulleted,
    facts_of_predictions,
    recommend,
)
from skcompare.advice._tree import objections
from skcompare.comparison._base import BaseComparison

__all__ = ["Verdict", "check_choice"]

# The level of all comparisons together that a correction is for.
ALPHA = 0.05


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
        listed = "".join(f"<li>{html.escape(text)}</li>" for text in self.problems)
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
    without a correction.

    Read more in the :ref:`User Guide <which_test_to_use>`.

    Parameters
    ----------
    test : estimator
        The test, such as ``PairedTTest(scoring="f1")``. It is not fitted or changed.
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
        with an `alpha` of at most 0.05 divided by their number.

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
    if not isinstance(test, BaseComparison):
        raise TypeError(
            "`test` must be a test of two models, such as McNemar() or "
            f"PairedBootstrap(). Got {test!r}."
        )
    wanted = test.scoring if scoring is None else scoring
    setting = Setting(scoring=wanted, n_comparisons=n_comparisons, alpha=ALPHA)
    facts = facts_of_predictions(y_true, y_pred_a, y_pred_b, wanted, groups)
    problems = [
        *objections(test, facts, float(test.alpha)),
        *_mismatches(test, scoring),
        *_uncorrected(test, setting),
    ]
    better = recommend(facts, setting)
    return Verdict(ok=not problems, problems=tuple(problems), better=better)


def _mismatches(test, scoring):
    """Object to a test that is set to another metric than the one in question."""
    own = test.get_params(deep=False).get("scoring")
    if own is None or scoring is None or own == scoring:
        return []
    return [f"The test is set to scoring={own!r}, and the question is {scoring!r}."]


def _uncorrected(test, setting):
    """Object to a level that leaves several comparisons without a correction."""
    n, alpha = setting.n_comparisons, float(test.alpha)
    if n == 1 or alpha <= setting.level * (1 + 1e-9):
        return []
    return [
        f"With alpha={alpha:g} in each of {n:,} comparisons there is no correction for "
        f"their number: set alpha={setting.level:.3g}, that is {setting.alpha:g} / "
        f"{n:,}, or correct the p-values afterwards (Holm)."
    ]
