"""From what is known to a recommendation."""

from skcompare.advice._alternatives import alternatives
from skcompare.advice._cautions import cautions
from skcompare.advice._configuration import (
    ABOUT_SIDES,
    about_time,
    about_variant,
    configured,
    timed,
)
from skcompare.advice._other_questions import other_questions
from skcompare.advice._recommendation import Recommendation
from skcompare.advice._tree import walk

__all__ = ["recommend"]


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
    leaf, path = walk(facts, setting.level)
    seconds = timed(leaf.test, facts)
    test = configured(leaf.test, facts, setting, seconds)
    reasons = [*path, about_variant(test), about_time(test, facts, seconds)]
    return Recommendation(
        test=test,
        call=f"test.{setting.fit_call(facts)}",
        reasons=(*filter(None, reasons), ABOUT_SIDES),
        warnings=cautions(test, facts, setting),
        alternatives=alternatives(test, facts, setting),
        other_questions=other_questions(test, facts, setting),
    )
