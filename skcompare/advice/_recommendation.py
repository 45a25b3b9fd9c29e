"""A recommended test, with all that there is to tell about it."""

import dataclasses
import html
import textwrap

__all__ = ["Alternative", "OtherQuestion", "Recommendation", "as_item", "bulleted"]


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
        models.
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
        return "\n".join([self.question, self.call, self.why])


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
        The other tests of the same question: those that would be valid too, then those
        that would not.
    other_questions : tuple of OtherQuestion
        What else may have been meant, with the tests that answer it.

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

    def _sections(self):
        """Return titles and items: all that there is to tell."""
        valid = [str(other) for other in self.alternatives if other.valid]
        invalid = [str(other) for other in self.alternatives if not other.valid]
        named = {
            "Why": self.reasons,
            "Bear in mind": self.warnings,
            "Also possible": valid,
            "Not valid here": invalid,
            "Other questions": [str(other) for other in self.other_questions],
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
            listed = "".join(map(as_item, items))
            parts.append(f"<p><b>{title}</b></p><ul>{listed}</ul>")
        return f"<div>{''.join(parts)}</div>"


def bulleted(text):
    """Return a text as an item of a list, in lines of 88 characters.

    Examples
    --------
    >>> print(bulleted("Why?\\nBecause."))
      - Why?
        Because.
    """
    lines = [
        textwrap.fill(
            line,
            width=88,
            initial_indent="    ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.splitlines()
    ]
    return "  - " + "\n".join(lines)[4:]


def as_item(text):
    """Return a text as an item of a list in HTML.

    Examples
    --------
    >>> as_item("Is A > B?\\nYes.")
    '<li>Is A &gt; B?<br>Yes.</li>'
    """
    return f"<li>{'<br>'.join(map(html.escape, text.splitlines()))}</li>"
