"""From data to a recommended test, with its reasons."""

import dataclasses
import html
import inspect
import math
import textwrap

import numpy as np

from skcompare._validation import (
    as_array,
    check_fraction,
    check_integer,
    check_option,
    check_same_length,
    number_of_rows,
)
from skcompare.advice._facts import gather_facts
from skcompare.advice._tree import objections, walk
from skcompare.comparison import (
    ApproxRandomization,
    DeLong,
    McNemar,
    PairedBootstrap,
    PairedTTest,
    SignTest,
    WilcoxonSignedRank,
)
from skcompare.comparison._caveats import FEWEST_UNITS
from skcompare.evaluation import (
    evaluate_fitted,
    evaluate_out_of_fold,
    evaluate_predictions,
    resolve_scoring,
)

__all__ = [
    "Alternative",
    "Recommendation",
    "Setting",
    "bulleted",
    "facts_of_predictions",
    "recommend",
    "recommend_test",
]

# All tests of two models, in the order in which alternatives are listed.
TESTS = (
    McNemar,
    PairedTTest,
    DeLong,
    PairedBootstrap,
    ApproxRandomization,
    WilcoxonSignedRank,
    SignTest,
)
# The usual number of resamples, and the fewest where they take long.
N_RESAMPLES, FEWEST_RESAMPLES = 9_999, 999
# Where all of these take longer than so many seconds, the fewest are recommended.
LONG = 600
# The share of one class above which accuracy says little.
IMBALANCED = 0.9
# Neighbouring rows that correlate by so many standard errors are taken for dependent.
DEPENDENT = 3
# The share of discordant rows up to which the mid-p test keeps its level.
MOST_DISCORDANT = 0.5


@dataclasses.dataclass(frozen=True)
class Alternative:
    """A test that was not chosen.

    Attributes
    ----------
    test : str
        The name of its class.
    valid : bool
        Whether it could be used all the same.
    why : str
        Why it was not chosen, or why it must not be used.
    """

    test: str
    valid: bool
    why: str

    def __str__(self):
        named = self.why.startswith(self.test)
        return self.why if named else f"{self.test}: {self.why}"


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Recommendation:
    """The test that fits a comparison, and why.

    Printing it gives the path through the decision tree.

    Attributes
    ----------
    test : estimator
        The test, configured and not yet fitted.
    call : str
        How to fit it.
    reasons : tuple of str
        The path through the decision tree, question by question.
    warnings : tuple of str
        What to bear in mind.
    alternatives : tuple of Alternative
        The other tests: those that would be valid too, then those that would not.

    See Also
    --------
    recommend_test : Makes recommendations.
    check_choice : Judges a test that was chosen already.
    """

    test: object
    call: str
    reasons: tuple
    warnings: tuple = ()
    alternatives: tuple = ()

    def _sections(self):
        """Return titles and items: all that there is to tell."""
        valid = [str(other) for other in self.alternatives if other.valid]
        invalid = [str(other) for other in self.alternatives if not other.valid]
        named = {
            "Why": self.reasons,
            "Bear in mind": self.warnings,
            "Also possible": valid,
            "Not valid here": invalid,
        }
        return {title: items for title, items in named.items() if items}

    def __str__(self):
        lines = [f"Use {self.test!r}", f"as in {self.call}"]
        for title, items in self._sections().items():
            lines += ["", title, *map(bulleted, items)]
        return "\n".join(lines)

    def _repr_html_(self):
        parts = [
            f"<p>Use <code>{html.escape(repr(self.test))}</code><br>as in "
            f"<code>{html.escape(self.call)}</code></p>"
        ]
        for title, items in self._sections().items():
            listed = "".join(f"<li>{html.escape(item)}</li>" for item in items)
            parts.append(f"<p><b>{title}</b></p><ul>{listed}</ul>")
        return f"<div>{''.join(parts)}</div>"


def bulleted(text):
    """Return a text as an item of a list, in lines of 88 characters."""
    return textwrap.fill(
        text, width=88, initial_indent="  - ", subsequent_indent="    "
    )


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Setting:
    """What a user asks for, besides the data.

    Parameters
    ----------
    scoring : object
        The metric, as the user gave it.
    n_comparisons : int
        The number of comparisons of which this is one.
    alpha : float
        The level of all of them together.
    models : dict, default={}
        Parameters of the test: `estimator_a`, `estimator_b` and `cv`.
    call : str
        How to fit the test.
    """

    scoring: object
    n_comparisons: int
    alpha: float
    models: dict = dataclasses.field(default_factory=dict)
    call: str = "test.fit_predictions(y_true, y_pred_a, y_pred_b{groups})"

    def __post_init__(self):
        check_integer("n_comparisons", self.n_comparisons, 1, 1_000_000)
        check_fraction("alpha", self.alpha)

    @property
    def level(self):
        """The level of this comparison, by Bonferroni."""
        return float(self.alpha) / int(self.n_comparisons)

    @property
    def fewest_resamples(self):
        """How many resamples it takes for 20 of them to make a p-value of the level."""
        return math.ceil(20 / self.level) - 1


def recommend_test(
    y_true,
    y_pred_a,
    y_pred_b,
    *,
    scoring,
    groups=None,
    n_comparisons=1,
    alpha=0.05,
):
    """Recommend the test that fits a metric and the answers of two models.

    The decision tree is that of Dror et al. [1]_: a parametric test where the
    distribution of the difference is known, else resampling; and never a test on data
    that it is not made for. ``recommend_test.from_estimators(estimator_a, estimator_b,
    X, y)`` does the same for models, fitted or, with ``cv=``, to be fitted.

    Read more in the :ref:`User Guide <which_test_to_use>`.

    Parameters
    ----------
    y_true : array-like
        The truth.
    y_pred_a, y_pred_b : array-like or dict
        What the models answered, as for `PairedBootstrap.fit_predictions`.
    scoring : str, callable or None
        The metric: one, as in scikit-learn. None is accuracy or R2.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same label belong together.
    n_comparisons : int, default=1
        The number of comparisons that are made in all. The `alpha` of the recommended
        test is that of all divided by it (Bonferroni).
    alpha : float, default=0.05
        The level of all comparisons together: the chance of a false finding.

    Returns
    -------
    Recommendation
        The test, ready to fit, with reasons, warnings and alternatives.

    See Also
    --------
    check_choice : Judge a test that was chosen already.

    Notes
    -----
    A test must not be chosen by its p-value. Nothing here looks at it: what counts is
    the kind of score, the number of rows and groups, and the shape of the differences,
    not where they lie.

    Right and wrong get `McNemar` with ``variant="midp"``. Its level is an average over
    how many rows happen to be discordant: at most .0502 for .05 as long as half of all
    rows or fewer are, for any number of rows up to 500; that of the exact variant is
    about .03. Where more rows are discordant the exact variant is recommended.

    References
    ----------
    .. [1] Dror, R., Baumer, G., Shlomov, S. and Reichart, R. (2018). The hitchhiker's
       guide to testing statistical significance in natural language processing. ACL
       2018, 1383-1392. :doi:`10.18653/v1/P18-1128`

    Examples
    --------
    >>> from skcompare import recommend_test
    >>> truth = [0, 1] * 20
    >>> pred_a, pred_b = [0, 1] * 18 + [1, 0] * 2, [0, 1] * 12 + [1, 0, 0, 1] * 4
    >>> advice = recommend_test(truth, pred_a, pred_b, scoring="accuracy")
    >>> advice.test
    McNemar(variant='midp')
    >>> print(advice.reasons[1])
    accuracy is an average over rows, and a row has one of two values: ...
    >>> test = advice.test.fit_predictions(truth, pred_a, pred_b)

    F1 is no average over rows:

    >>> recommend_test(truth, pred_a, pred_b, scoring="f1").test
    PairedBootstrap(scoring='f1')
    """
    setting = Setting(scoring=scoring, n_comparisons=n_comparisons, alpha=alpha)
    facts = facts_of_predictions(y_true, y_pred_a, y_pred_b, scoring, groups)
    return recommend(facts, setting)


def facts_of_predictions(y_true, y_pred_a, y_pred_b, scoring, groups):
    """Gather facts about answers that the user has."""
    _check_rows("y_true", y_true, groups=groups)
    scorers = _one_scorer(resolve_scoring(scoring, y=as_array(y_true, "y_true")))
    predictions = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    sample = evaluate_predictions(
        y_true, predictions, sample_weight=None, same_methods=False
    )
    return gather_facts(sample, scorers, groups)


def _from_estimators(
    estimator_a,
    estimator_b,
    X,
    y,
    *,
    scoring=None,
    cv="prefit",
    groups=None,
    n_comparisons=1,
    alpha=0.05,
):
    """Recommend the test that fits a metric and two models.

    Parameters
    ----------
    estimator_a, estimator_b : estimator
        The challenger and the baseline.
    X : array-like, sparse matrix, DataFrame or list
        With ``cv="prefit"`` test data that neither model has seen; otherwise the data
        for cross-validation.
    y : array-like
        The truth.
    scoring : str, callable or None, default=None
        The metric: one, as in scikit-learn. None takes the models' own `score`.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" takes fitted models as they are; anything else fits clones.
    groups : array-like of shape (n_samples,), default=None
        Rows with the same label belong together. Also passed to the splitter.
    n_comparisons : int, default=1
        The number of comparisons that are made in all.
    alpha : float, default=0.05
        The level of all comparisons together.

    Returns
    -------
    Recommendation
        The test, with the models, ready to fit.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Lasso, Ridge
    >>> from skcompare import recommend_test
    >>> X, y = load_diabetes(return_X_y=True)
    >>> advice = recommend_test.from_estimators(
    ...     Ridge(), Lasso(), X, y, scoring="neg_mean_absolute_error", cv=5)
    >>> type(advice.test).__name__, advice.call
    ('PairedTTest', 'test.fit(X, y)')
    """
    setting = Setting(
        scoring=scoring,
        n_comparisons=n_comparisons,
        alpha=alpha,
        models={"estimator_a": estimator_a, "estimator_b": estimator_b, "cv": cv},
        call="test.fit(X, y{groups})",
    )
    models = {"estimator_a": estimator_a, "estimator_b": estimator_b}
    _check_rows("X", X, y=y, groups=groups)
    scorers = _one_scorer(resolve_scoring(scoring, y=y, models=list(models.values())))
    sample = _evaluate(models, X, y, cv, scorers, groups)
    return recommend(gather_facts(sample, scorers, groups), setting)


_from_estimators.__name__ = "from_estimators"
_from_estimators.__qualname__ = "recommend_test.from_estimators"
recommend_test.from_estimators = _from_estimators


def _evaluate(models, X, y, cv, scorers, groups):
    shared = {"sample_weight": None, "same_methods": False}
    if isinstance(cv, str):
        check_option("cv", cv, ("prefit",))
        return evaluate_fitted(models, X, y, **shared)
    wanted = {"scorers": list(scorers.values()), "groups": groups, "n_jobs": None}
    return evaluate_out_of_fold(models, X, y, cv=cv, **wanted, **shared)


def _check_rows(name, values, **others):
    n_rows = number_of_rows(values, name)
    if n_rows < 2:
        raise ValueError(
            f"`{name}` must have at least 2 rows to compare models on. Got {n_rows}."
        )
    check_same_length((name, n_rows), **others)


def _one_scorer(scorers):
    if len(scorers) > 1:
        raise ValueError(
            "`scoring` must be one metric here, since each may call for another test. "
            f"Got {', '.join(map(repr, scorers))}. Ask for one after the other."
        )
    return scorers


def recommend(facts, setting):
    """Recommend a test.

    Parameters
    ----------
    facts : Facts
        What is known about the comparison.
    setting : Setting
        What the user asks for.

    Returns
    -------
    Recommendation
        The test, ready to fit.
    """
    leaf, reasons = walk(facts, setting.level)
    seconds = _seconds(leaf.test, facts)
    test = _configured(leaf.test, facts, setting, seconds)
    reasons += filter(None, [_about_variant(test), _about_time(test, facts, seconds)])
    reasons.append(_ABOUT_SIDES)
    groups = ", groups=groups" if _groups_given(facts) else ""
    return Recommendation(
        test=test,
        call=setting.call.format(groups=groups),
        reasons=tuple(reasons),
        warnings=tuple(filter(None, (w(test, facts, setting) for w in _WARNINGS))),
        alternatives=_alternatives(test, facts, setting),
    )


def _groups_given(facts):
    """Return whether groups are the user's, not just rows tested several times."""
    indices, groups = facts.question.sample.indices, facts.question.units.groups
    by_row = indices is not None and np.array_equal(
        np.unique(indices, return_inverse=True)[1], groups
    )
    return facts.grouped and not by_row


# Configuring the test


def _configured(test, facts, setting, seconds):
    """Return a test with as much of the setting as it takes."""
    wanted = {
        **setting.models,
        "scoring": setting.scoring,
        "alpha": setting.level,
        "n_resamples": _n_resamples(setting, seconds),
        "variant": _variant(facts),
    }
    taken = inspect.signature(test).parameters
    return test(**{name: value for name, value in wanted.items() if name in taken})


def _variant(facts):
    return "exact" if facts.n_discordant > MOST_DISCORDANT * facts.n_rows else "midp"


def _n_resamples(setting, seconds):
    usual = N_RESAMPLES if seconds * N_RESAMPLES <= LONG else FEWEST_RESAMPLES
    return max(usual, setting.fewest_resamples)


def _seconds(test, facts):
    """Estimate the time of a resample, 0 for a test without."""
    if test not in (PairedBootstrap, ApproxRandomization):
        return 0.0
    return facts.seconds(test is ApproxRandomization)


def _about_variant(test):
    if not isinstance(test, McNemar):
        return None
    if test.variant == "exact":
        return (
            "More than half of all rows are discordant, where mid-p can exceed its "
            "level: the exact p-value cannot."
        )
    return (
        "The mid-p variant comes close to its level, from which the exact one stays "
        "far: it has more power."
    )


def _about_time(test, facts, seconds):
    if not seconds:
        return None
    n_resamples = test.n_resamples
    if isinstance(test, ApproxRandomization):
        n_resamples = min(n_resamples, 2**facts.n_discordant_units)
    text = (
        f"{n_resamples:,} resamples take about {_duration(n_resamples * seconds)} here "
        "with one worker, as measured on a few"
    )
    if n_resamples * seconds > 60:
        return f"{text}. With n_jobs=-1 all processors share them."
    return f"{text}: the data are not too large to resample, and hardly ever are."


def _duration(seconds):
    if seconds < 0.1:
        return "0.1 s or less"
    if seconds < 100:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.0f} min" if seconds < 6_000 else f"{seconds / 3600:.0f} h"


_ABOUT_SIDES = (
    "The test is one-sided: is A, the challenger, better? If it was not clear "
    "beforehand which of the two that is, set alternative='two-sided'."
)


# What to bear in mind


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
    if _groups_given(facts):
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
    if facts.question.sample.fold is None:
        return None
    return (
        "Out-of-fold answers come from several fitted models whose training rows "
        "overlap: the test speaks of their pooled score, not of how the models would "
        "turn out on other training data."
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
        f"next {setting.alpha:g} / {n - 1:,}, and so on until one fails."
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


_WARNINGS = (
    _few_units,
    _chosen_regardless,
    _no_average,
    _categorical,
    _dependent,
    _cross_validated,
    _several,
    _imbalanced,
    _cannot_reach,
    _scales,
)


# The other tests


def _alternatives(chosen, facts, setting):
    """List the other tests: first those that are valid."""
    others = [_judged(test, chosen, facts, setting) for test in TESTS]
    others = [other for other in others if other is not None]
    return tuple(sorted(others, key=lambda other: not other.valid))


def _judged(test, chosen, facts, setting):
    if isinstance(chosen, test):
        return None
    against = objections(test(), facts, setting.level)
    if against:
        return Alternative(test.__name__, False, " ".join(against))
    return Alternative(test.__name__, True, _WHY_NOT[test](chosen, facts))


def _why_not_bootstrap(chosen, facts):
    if isinstance(chosen, ApproxRandomization):
        return (
            "it gives an interval, but a class of so few rows varies much from "
            "resample to resample."
        )
    return (
        f"about the same by resampling, which {type(chosen).__name__} can do without."
    )


def _why_not_randomisation(chosen, facts):
    return (
        "valid at any size. It gives no interval, and what it refutes is that answers "
        "are exchangeable, on these rows."
    )


def _why_not_t(chosen, facts):
    return (
        "normality is not rejected, but with so few rows it would hardly be, whatever "
        "the truth."
    )


def _why_not_wilcoxon(chosen, facts):
    if facts.kind == "right or wrong":
        return "with two values all ranks tie, and it is the sign test."
    return (
        "it uses the ranks of differences only, and tests whether they are symmetric "
        "about 0, not whether their mean is 0."
    )


def _why_not_sign(chosen, facts):
    if facts.kind == "right or wrong":
        return "the same as McNemar with variant='exact'."
    return (
        "it counts the rows on which A is better and ignores by how much: it has less "
        "power, and speaks of the median."
    )


def _why_not_delong(chosen, facts):
    return (
        "it gives an interval, but with so few rows of one class its level is a rough "
        "approximation."
    )


_WHY_NOT = {
    PairedBootstrap: _why_not_bootstrap,
    ApproxRandomization: _why_not_randomisation,
    PairedTTest: _why_not_t,
    WilcoxonSignedRank: _why_not_wilcoxon,
    SignTest: _why_not_sign,
    DeLong: _why_not_delong,
}
