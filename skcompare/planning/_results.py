"""Results of planning: a recommendation, a verdict on a test, or its power."""

import dataclasses
import numbers

from skcompare.results import (
    Code,
    Figure,
    Notes,
    Paragraph,
    PowerDisplay,
    Presentable,
    Section,
)

# Parameters included even at their default, since the user has to choose them.
ALWAYS_SPELLED = ("rope",)

READY = (
    "`a` and `b` are your models, `X` and `y` the data that you passed. The attribute "
    "`test` of this recommendation is the same test with your models, ready to fit."
)


def code_of(test, values, models=(), spelled=()):
    """Return code that makes a test.

    Parameters
    ----------
    test : type
        The class of the test.
    values : dict
        Its parameters; those that it does not have are ignored.
    models : tuple of str, default=()
        Code for its models.
    spelled : dict, default=()
        Code for values of parameters, if it differs from their repr.

    Returns
    -------
    str
        A call, with models first. A value whose repr is not code is represented by the
        name of its parameter.

    Examples
    --------
    >>> from skcompare import PairedBootstrap
    >>> code_of(PairedBootstrap, {"cv": 5, "scoring": min}, ("a", "b"))
    'PairedBootstrap(a, b, cv=5, scoring=scoring)'
    """
    defaults, code = test().get_params(deep=False), list(models)
    for name, value in values.items():
        if name not in defaults or name.startswith("estimator"):
            continue
        plain = isinstance(value, str | numbers.Number)
        is_default = value is defaults[name] or (plain and value == defaults[name])
        if name in ALWAYS_SPELLED or not is_default:
            has_code = hasattr(value, "get_params") or hasattr(value, "get_n_splits")
            printed = " ".join(repr(value).split())
            as_code = printed if (plain or has_code) and "<" not in printed else name
            code.append(f"{name}={dict(spelled).get(name) or as_code}")
    return f"{test.__name__}({', '.join(code)})"


@dataclasses.dataclass(frozen=True)
class Alternative:
    """A test that was not chosen.

    Attributes
    ----------
    test : str
        The name of its class.
    valid : bool
        Whether it could be used instead.
    why : str
        Why it was not chosen, or why it is not valid.
    """

    test: str
    valid: bool
    why: str

    def __str__(self):
        has_name = self.why.startswith(self.test)
        return self.why if has_name else f"{self.test}: {self.why}"


@dataclasses.dataclass(frozen=True)
class OtherQuestion:
    """A question that the recommended test does not address, and a test that does.

    Attributes
    ----------
    question : str
        The question.
    test : estimator
        The test, configured and not yet fitted.
    call : str
        A line of code that constructs and fits the test. In it, `a` and `b` are the
        models, `estimators` is a list of (name, model), and `y_preds` is a dict of
        predictions by name.
    why : str
        The reasons for the test, its requirements and cautions.

    See Also
    --------
    recommend_test : Return a recommendation with other questions.
    """

    question: str
    test: object
    call: str
    why: str

    def __str__(self):
        return "\n".join(filter(None, [self.question, self.call, self.why]))


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Recommendation(Presentable):
    """The test that fits a comparison, and why.

    Printing it shows the path through the decision tree.

    Attributes
    ----------
    test : estimator
        The test, configured and not yet fitted.
    code : str
        Code of the test, in which `a` and `b` are the models, if it has models.
    call : str
        Code that fits it.
    about : str
        With cross-validation, whether the test compares these models or learning
        algorithms; otherwise empty.
    reasons : tuple of str
        The path through the decision tree, question by question.
    warnings : tuple of str
        Cautions about the test and the data.
    alternatives : tuple of Alternative
        Other tests of the same question, first those that are also valid, then the
        others.
    other_questions : tuple of OtherQuestion
        Related questions, with tests that address them.
    positive : object
        The class to whose rows the test is restricted, for a recall; None for all
        rows.
    block_length : int
        The number of consecutive rows that are treated as a group, since rows depend
        on the rows before them; 0 if they do not.

    See Also
    --------
    recommend_test : Recommend a test.
    check_choice : Check a test that was already chosen.
    """

    test: object
    code: str
    call: str
    reasons: tuple
    warnings: tuple = ()
    alternatives: tuple = ()
    other_questions: tuple = ()
    positive: object = None
    block_length: int = 0
    about: str = ""

    def section(self):
        """Return the complete content as a section of a document.

        Returns
        -------
        Section
            The code of the test, and the reasons for it.
        """
        possible = tuple(str(other) for other in self.alternatives if other.valid)
        refused = tuple(str(other) for other in self.alternatives if not other.valid)
        about = (Paragraph(self.about),) if self.about else ()
        ready = (Paragraph(READY),) if "(a, b" in self.code else ()
        others = []
        for other in self.other_questions:
            others.append(Paragraph(f"Another question: {other.question}"))
            others += [Code(other.call, "python"), Paragraph(other.why)]
        blocks = (
            *about,
            Paragraph(f"Use {type(self.test).__name__}:"),
            Code(f"test = {self.code}", "python"),
            Code(self.call, "python"),
            *ready,
            Notes("Why", self.reasons),
            Notes("Bear in mind", self.warnings),
            Notes("Also possible", possible),
            Notes("Not valid here", refused),
            *others,
        )
        return Section("Which test to use", blocks)

    def to_dict(self, *, arrays=False):
        """Return the recommendation as a dict that `json.dumps` accepts.

        Parameters
        ----------
        arrays : bool, default=False
            Not used: a recommendation has no arrays.

        Returns
        -------
        dict
            The fields; `test` is the name of its class, `configured` its repr.
        """
        test = {"test": type(self.test).__name__, "configured": repr(self.test)}
        return super().to_dict(arrays=arrays) | test


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Verdict(Presentable):
    """Whether a test fits a comparison.

    Attributes
    ----------
    ok : bool
        Whether there is no objection to the test.
    problems : tuple of str
        The objections, a sentence each.
    warnings : tuple of str
        Cautions about the test, even if it fits, such as a class of few rows, or
        p-values that cannot be small.
    better : Recommendation
        The recommended test; if `ok`, a second opinion.

    See Also
    --------
    check_choice : Return a verdict.
    """

    ok: bool
    problems: tuple
    warnings: tuple
    better: Recommendation

    def section(self):
        """Return the complete content as a section of a document.

        Returns
        -------
        Section
            The objections to the test, and the recommended one.
        """
        opening, better = "No problem was found with this test.", ()
        if not self.ok:
            opening = "This test is not suitable for these data."
            better = Paragraph("Recommended:"), Code(self.better.code, "python")
        elif self.warnings:
            opening = "This test may be used."
        cautions = Notes("Bear in mind", self.warnings)
        blocks = Paragraph(opening), Notes("", self.problems), cautions, *better
        return Section("Is the test suitable?", blocks)


@dataclasses.dataclass(frozen=True, kw_only=True)
class PowerResult(Presentable):
    """The power of a test, with the sample size and effect that it can detect.

    Printing it shows a sentence and notes.

    Attributes
    ----------
    power : float
        The probability that the test rejects at `alpha` on `n_rows` rows if the true
        difference is `effect`.
    power_error : float
        The Monte Carlo standard error of `power`; 0 for the closed form.
    n_rows : int
        The number of rows for `power` and `detectable_effect`.
    effect : float
        The true difference in score, A minus B, for `power` and `n_needed`.
    n_needed : int or None
        The number of rows needed for a power of `target`; None if there is none. An
        approximation if simulated.
    detectable_effect : float or None
        The minimum detectable effect: the smallest true difference, A minus B, that is
        significant with probability `target` on `n_rows` rows; negative for the
        alternative "less", otherwise positive. None if there is none, if it exceeds the
        largest possible difference, or if it cannot be computed from the pilot, for
        example if the models never differ in it. An approximation if simulated.
    target : float
        The desired power.
    alpha : float
        The level of the test.
    test : str
        The name of the test's class.
    scoring : str
        The name of the metric. Higher is better.
    alternative : str
        The alternative hypothesis.
    method : {"closed form", "simulation"}
        The method of computation.
    pilot_interval : pair of float or None
        Power at both ends of a 95 % confidence interval of the quantity estimated from
        the pilot: the spread, or the effect if it is that of the pilot. None without a
        pilot, or if the models never differ in it.
    n_simulations : int or None
        The number of simulated data sets.
    seed : int or None
        Passing it as `random_state` reproduces the simulation.
    notes : tuple of str
        Notes and cautions.
    """

    power: float
    power_error: float
    n_rows: int
    effect: float
    n_needed: int | None
    detectable_effect: float | None
    target: float
    alpha: float
    test: str
    scoring: str
    alternative: str
    method: str
    pilot_interval: tuple | None = None
    n_simulations: int | None = None
    seed: int | None = dataclasses.field(default=None, repr=False)
    notes: tuple = dataclasses.field(default=(), repr=False)

    def sentence(self):
        """Return the result in words.

        Returns
        -------
        str
            Power, the number of rows needed, and the minimum detectable effect.
        """
        error = f" +/- {self.power_error:.2g}" if self.power_error else ""
        # Extrapolations from simulations are shown with two digits.
        simulated = self.method == "simulation"
        needed = f"No number of rows gives a power of {self.target:g}."
        if self.n_needed is not None:
            rows = f"{self.n_needed:,} rows"
            if simulated:
                rows = f"about {float(f'{self.n_needed:.2g}'):,.0f} rows"
            needed = f"A power of {self.target:g} requires {rows}."
        interval = ""
        if self.pilot_interval is not None:
            low, high = self.pilot_interval
            interval = f" (95 % interval from the pilot: {low:.3f} to {high:.3f})"
        aim = f"with a power of {self.target:g} on {self.n_rows:,} rows"
        smallest = f"No minimum detectable effect {aim} can be computed."
        if self.detectable_effect is not None:
            size = f"{self.detectable_effect:.4g}"
            if simulated:
                size = f"about {self.detectable_effect:.2g}"
            smallest = f"The minimum detectable effect, {aim}, is {size}."
        return (
            f"On {self.n_rows:,} rows the power of {self.test} (alternative "
            f"{self.alternative!r}, level {self.alpha:g}) is {self.power:.3f}{error}"
            f"{interval} if the true difference in {self.scoring} is "
            f"{self.effect:+.4g}. {needed} {smallest}"
        )

    def section(self):
        """Return the complete content as a section of a document.

        Returns
        -------
        Section
            The sentence, the curve and the notes.
        """
        blocks = Paragraph(self.sentence()), Figure(self), Notes("", self.notes)
        return Section(f"The power of {self.test}", blocks)

    def plot(self, ax=None, **kwargs):
        """Plot power against the number of rows.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        **kwargs : dict
            Passed to `PowerDisplay.plot`.

        Returns
        -------
        PowerDisplay
            The display, drawn.
        """
        return PowerDisplay.from_result(self, ax=ax, **kwargs)
