"""Planning: recommending a test, checking a chosen one, and computing its power."""

from skcompare.planning._choices import TREE, Node
from skcompare.planning._power import power
from skcompare.planning._recommend import (
    check_choice,
    recommend_test,
    recommend_test_for_models,
)
from skcompare.planning._results import (
    Alternative,
    OtherQuestion,
    PowerResult,
    Recommendation,
    Verdict,
)

__all__ = [
    "TREE",
    "Alternative",
    "Node",
    "OtherQuestion",
    "PowerResult",
    "Recommendation",
    "Verdict",
    "check_choice",
    "power",
    "recommend_test",
    "recommend_test_for_models",
]
