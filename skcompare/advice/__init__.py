"""Which test fits: a recommendation with its reasons, or a second opinion."""

from skcompare.advice._choice import Verdict, check_choice
from skcompare.advice._power import PowerResult, power
from skcompare.advice._recommend_test import recommend_test
from skcompare.advice._recommendation import (
    Alternative,
    OtherQuestion,
    Recommendation,
)
from skcompare.advice._tree import TREE, Leaf, Node

__all__ = [
    "Alternative",
    "Leaf",
    "Node",
    "OtherQuestion",
    "PowerResult",
    "Recommendation",
    "TREE",
    "Verdict",
    "check_choice",
    "power",
    "recommend_test",
]
