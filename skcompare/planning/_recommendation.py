"""What advice returns: a recommendation, or a verdict on a test chosen already."""

import dataclasses
import html
import textwrap
from typing import NamedTuple


class Content(NamedTuple):
    """All that is shown of a piece of advice, whatever the format.

    Parameters
    ----------
    lead : tuple of (str, str)
        Lines to begin with: words, and code that follows them.
    lists : dict of {str: sequence of str}
        Lists by title, "" for one without; empty ones are left out.
    end : tuple of (str, str)
        Lines to end with, like those of the beginning.
    """

    lead: tuple
    lists: dict
    end: tuple = ()

    def as_text(self):
        """Return it as lines of at most 88 characters, but for long code."""
        lines = [" ".join(filter(None, line)) for line in self.lead]
        for title, items in self.lists.items():
            lines += ["", title] * bool(title and items)
            lines += map(bulleted, items)
        return "\n".join([*lines, *(" ".join(filter(None, line)) for line in self.end)])

    def as_html(self):
        """Return it as a fragment of HTML."""
        parts = [_paragraph(self.lead)]
        for title, items in self.lists.items():
            if not items:
                continue
            listed = "".join(
                f"<li>{'<br>'.join(map(html.escape, item.splitlines()))}</li>"
                for item in items
            )
            heading = f"<p><b>{title}</b></p>" if title else ""
            parts.append(f"{heading}<ul>{listed}</ul>")
        return f"<div>{''.join(parts)}{_paragraph(self.end)}</div>"


def _paragraph(lines):
    coded = [
        html.escape(words) + f" <code>{html.escape(code)}</code>" * bool(code)
        for words, code in lines
    ]
    return f"<p>{'<br>'.join(coded)}</p>" if lines else ""


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

    def _content(self):
        """Return all that there is to show."""
        lists = {
            "Why": self.reasons,
            "Bear in mind": self.warnings,
            "Also possible": [str(o) for o in self.alternatives if o.valid],
            "Not valid here": [str(o) for o in self.alternatives if not o.valid],
            "Other questions": [str(other) for other in self.other_questions],
        }
        return Content(
            lead=(("Use", repr(self.test)), ("as in", self.call)),
            lists=lists,
        )

    def __str__(self):
        return self._content().as_text()

    def _repr_html_(self):
        return self._content().as_html()

    def to_dict(self):
        """Return the advice as a dict that `json.dumps` takes.

        Returns
        -------
        dict
            The name of the test, how it prints, and all that is told about it.
        """
        return {
            "test": type(self.test).__name__,
            "configured": repr(self.test),
            "call": self.call,
            "reasons": list(self.reasons),
            "warnings": list(self.warnings),
            "alternatives": [dataclasses.asdict(o) for o in self.alternatives],
            "other_questions": [
                {**vars(other), "test": type(other.test).__name__}
                for other in self.other_questions
            ],
        }


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

    def _content(self):
        """Return all that there is to show."""
        if self.ok:
            return Content(lead=(("Nothing speaks against this test.", ""),), lists={})
        return Content(
            lead=(("This test does not fit.", ""),),
            lists={"": self.problems},
            end=(("Recommended:", repr(self.better.test)),),
        )

    def __str__(self):
        return self._content().as_text()

    def _repr_html_(self):
        return self._content().as_html()

    def to_dict(self):
        """Return the verdict as a dict that `json.dumps` takes.

        Returns
        -------
        dict
            Whether the test fits, its problems, and what is recommended.
        """
        return {
            "ok": self.ok,
            "problems": list(self.problems),
            "better": self.better.to_dict(),
        }
