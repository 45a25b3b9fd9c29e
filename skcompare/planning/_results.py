"""What planning returns: a recommendation, a verdict on a test, or its power."""

import dataclasses
import numbers

from skcompare.results import (
    Code,
    Figure,
    Notes,
    Paragraph,
    PowerDisplay,
    Section,
    Shown,
)

# Parameters that are spelled out even if they are the default: the user has to decide.
ALWAYS_SPELLED = ("rope",)

READY = (
    "`a` and `b` are your models, `X` and `y` the data that you passed here. The "
    "attribute `test` of this advice is the test with these models: advice.test.fit "
    "does the same."
)


def code_of(test, values, models=(), spelled=()):
    """Return code that makes a test.

    Parameters
    ----------
    test : type
        The class of the test.
    values : dict
        Its parameters; those that it does not take are left out.
    models : tuple of str, default=()
        What the code has for its models.
    spelled : dict, default=()
        Code for values of parameters, where that is not how they print.

    Returns
    -------
    str
        A call, with models first. A value that does not print as code is called as
        its parameter is.

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
        usual = value is defaults[name] or (plain and value == defaults[name])
        if name in ALWAYS_SPELLED or not usual:
            prints = hasattr(value, "get_params") or hasattr(value, "get_n_splits")
            printed = " ".join(repr(value).split())
            as_code = printed if (plain or prints) and "<" not in printed else name
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


@dataclasses.dataclass(frozen=True)
class OtherQuestion:
    """A question that the recommended test does not answer, and a test that does.

    Attributes
    ----------
    question : str
        The question.
    test : estimator
        The test, configured and not yet fitted.
    call : str
        A line of code that makes the test and fits it. In it, `a` and `b` are the
        models, `estimators` is a list of (name, model), and `y_preds` are predictions,
        a dict by name.
    why : str
        What speaks for the test, what it takes, and what to bear in mind.

    See Also
    --------
    recommend_test : Names other questions.
    """

    question: str
    test: object
    call: str
    why: str

    def __str__(self):
        return "\n".join(filter(None, [self.question, self.call, self.why]))


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Recommendation(Shown):
    """The test that fits a comparison, and why.

    Printing it gives the path through the decision tree.

    Attributes
    ----------
    test : estimator
        The test, configured and not yet fitted.
    call : str
        How to fit it.
    about : str
        With cross-validation, whether it is about these models or about learning
        algorithms; empty without.
    reasons : tuple of str
        The path through the decision tree, question by question.
    warnings : tuple of str
        What to bear in mind.
    alternatives : tuple of Alternative
        The other tests of the same question: those that would be valid too, then those
        that would not.
    other_questions : tuple of OtherQuestion
        What else may have been meant, with the tests that answer it.
    positive : object
        The class on whose rows alone the test is made, for a recall; None for all
        rows.
    block_length : int
        So many rows in a row are taken as a group, since rows depend on those before
        them; 0 if they do not.

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
    other_questions: tuple = ()
    positive: object = None
    block_length: int = 0
    about: str = ""

    @property
    def code(self):
        """The test as code, in which `a` and `b` are the models, if it has some."""
        values = self.test.get_params(deep=False)
        models = ("a", "b") if values.get("estimator_a") is not None else ()
        return code_of(type(self.test), values, models)

    def section(self):
        """Return all that there is to say, as a section of a document.

        Returns
        -------
        Section
            The test as code, and why it is this one.
        """
        possible = tuple(str(other) for other in self.alternatives if other.valid)
        refused = tuple(str(other) for other in self.alternatives if not other.valid)
        about = (Paragraph(self.about),) if self.about else ()
        ready = (Paragraph(READY),) if "(a, b" in self.code else ()
        others = []
        for other in self.other_questions:
            others.append(Paragraph(f"Another question: {other.question}"))
            others += [Code(other.call), Paragraph(other.why)]
        blocks = (
            *about,
            Paragraph(f"Use {type(self.test).__name__}:"),
            Code(f"test = {self.code}"),
            Code(self.call),
            *ready,
            Notes("Why", self.reasons),
            Notes("Bear in mind", self.warnings),
            Notes("Also possible", possible),
            Notes("Not valid here", refused),
            *others,
        )
        return Section("Which test to use", blocks)

    def to_dict(self, *, arrays=False):
        """Return the advice as a dict that `json.dumps` takes.

        Parameters
        ----------
        arrays : bool, default=False
            Not used: there are none.

        Returns
        -------
        dict
            The fields; `test` is the name of its class, `configured` how it prints.
        """
        test = {"test": type(self.test).__name__, "configured": repr(self.test)}
        return super().to_dict(arrays=arrays) | test


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Verdict(Shown):
    """Whether a test fits a comparison.

    Attributes
    ----------
    ok : bool
        Whether nothing speaks against the test.
    problems : tuple of str
        What does, a sentence each.
    warnings : tuple of str
        What to bear in mind with the test, whether or not another fits better: a class
        of few rows, or p-values that cannot be small.
    better : Recommendation
        The test that is recommended; with `ok`, a second opinion.

    See Also
    --------
    check_choice : Makes verdicts.
    """

    ok: bool
    problems: tuple
    warnings: tuple
    better: Recommendation

    def section(self):
        """Return all that there is to say, as a section of a document.

        Returns
        -------
        Section
            What speaks against the test, and what to use instead.
        """
        opening, better = "Nothing speaks against this test.", ()
        if not self.ok:
            opening = "This test does not fit."
            better = Paragraph("Recommended:"), Code(self.better.code)
        elif self.warnings:
            opening = "This test may be used."
        cautions = Notes("Bear in mind", self.warnings)
        blocks = Paragraph(opening), Notes("", self.problems), cautions, *better
        return Section("Does the test fit?", blocks)


@dataclasses.dataclass(frozen=True, kw_only=True)
class PowerResult(Shown):
    """What a test can be expected to show.

    Printing it gives a sentence, and what to bear in mind.

    Attributes
    ----------
    power : float
        The probability that the test rejects at `alpha` on `n_rows` rows if the true
        difference is `effect`.
    power_error : float
        The Monte Carlo standard error of `power`; 0 for the closed form.
    n_rows : int
        The number of rows that `power` and `detectable_effect` are about.
    effect : float
        The true difference in score, A less B, that `power` and `n_needed` are about.
    n_needed : int or None
        The number of rows on which `power` would be `target`; None if there is none.
        From simulations it is an approximation.
    detectable_effect : float or None
        The minimum detectable effect: the smallest difference, A less B, that is
        significant with probability `target` on `n_rows` rows; negative for the
        alternative "less", else its size. None if there is none, if it is larger than
        two scores can differ, or if the pilot cannot tell, as one in which the models
        never differ. From simulations it is an approximation.
    target : float
        The power that is wanted.
    alpha : float
        The level of the test.
    test : str
        The name of the test's class.
    scoring : str
        The name of the metric. Higher is better.
    alternative : str
        The alternative hypothesis.
    method : {"closed form", "simulation"}
        How power was computed.
    pilot_interval : pair of float or None
        Power at both ends of a 95 % interval of what was taken from the pilot: the
        spread, or the effect if it is the pilot's own. None without a pilot, and if
        the models never differ in it.
    n_simulations : int or None
        The number of simulated data sets.
    seed : int or None
        Passing it as `random_state` repeats the simulation.
    notes : tuple of str
        What to bear in mind.
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
        about = "about " if self.method == "simulation" else ""
        needed = f"No number of rows makes it {self.target:g}."
        if self.n_needed is not None:
            rows = f"{about}{self.n_needed:,} rows"
            needed = f"For a power of {self.target:g} it takes {rows}."
        unsure = ""
        if self.pilot_interval is not None:
            low, high = self.pilot_interval
            unsure = f" (95 % interval from the pilot: {low:.3f} to {high:.3f})"
        aim = f"with a power of {self.target:g} on {self.n_rows:,} rows"
        smallest = f"The pilot cannot tell the minimum detectable effect {aim}."
        if self.detectable_effect is not None:
            size = f"{about}{self.detectable_effect:.4g}"
            smallest = f"The minimum detectable effect, {aim}, is {size}."
        return (
            f"On {self.n_rows:,} rows the power of {self.test} (alternative "
            f"{self.alternative!r}, level {self.alpha:g}) is {self.power:.3f}{error}"
            f"{unsure} if the true difference in {self.scoring} is {self.effect:+.4g}. "
            f"{needed} "
            f"{smallest}"
        )

    def section(self):
        """Return all that there is to say, as a section of a document.

        Returns
        -------
        Section
            The sentence, the curve, and what to bear in mind.
        """
        blocks = Paragraph(self.sentence()), Figure(self), Notes("", self.notes)
        return Section(f"The power of {self.test}", blocks)

    def plot(self, ax=None, **kwargs):
        """Draw how power grows with the number of rows.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **kwargs : dict
            Passed on to `PowerDisplay.plot`.

        Returns
        -------
        PowerDisplay
            The display, drawn.
        """
        return PowerDisplay.from_result(self, ax=ax, **kwargs)
