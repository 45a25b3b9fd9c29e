"""Calls through public names give what they gave when they were recorded.

Numbers agree to 1e-12, or to the last bit with SKCOMPARE_GOLDEN=bits, on the machine
that recorded them. What changed on purpose is listed in `changes`.
"""

import copy
import math
import os

import pytest

from tests.golden import changes
from tests.golden.cases import CASES
from tests.golden.observe import differences, observe
from tests.golden.record import read


@pytest.fixture(scope="module")
def recorded():
    return read()


@pytest.mark.needs("scikit-learn>=1.9", "same warnings as recorded")
@pytest.mark.needs("scipy>=1.17", "same last digits as recorded")
@pytest.mark.parametrize("name", CASES)
def test_a_call_reproduces_its_recording(name, recorded):
    bits = os.environ.get("SKCOMPARE_GOLDEN") == "bits"
    different = differences(name, recorded[name], observe(CASES[name]), bits=bits)
    assert different == [], (
        "if this is intended, list it in tests/golden/changes.py and record the case "
        f"again: python -m tests.golden.record {name!r}"
    )


def test_every_recording_has_its_case(recorded):
    assert recorded.keys() == CASES.keys()


# The comparison itself


@pytest.fixture
def seen(recorded):
    return copy.deepcopy(recorded["bootstrap/accuracy"])


def compare(recorded, seen, *, bits=True):
    name = "bootstrap/accuracy"
    return differences(name, recorded[name], seen, bits=bits)


def test_the_last_bit_counts_on_request(recorded, seen):
    delta = float.fromhex(seen["numbers"]["delta"])
    seen["numbers"]["delta"] = math.nextafter(delta, 1).hex()
    assert compare(recorded, seen, bits=False) == []
    (difference,) = compare(recorded, seen)
    assert difference.startswith("numbers delta: ")


@pytest.mark.parametrize(
    ("kind", "path", "other"),
    [
        ("numbers", "pvalue", (0.5).hex()),
        ("numbers", "n_rows", 7),
        ("numbers", "n_rows", None),
        ("words", "alternative", "less"),
        ("engine", "engine", "generic"),
        ("warnings", "raised", ["SmallSampleWarning: few"]),
        ("texts", "print", ["Another sentence."]),
    ],
)
def test_a_changed_value_is_a_difference(recorded, seen, kind, path, other):
    seen[kind][path] = other
    assert len(compare(recorded, seen, bits=False)) == 1


def test_a_field_that_is_gone_is_a_difference_and_a_new_one_is_none(recorded, seen):
    seen["numbers"]["new"] = seen["numbers"].pop("score_a")
    (difference,) = compare(recorded, seen)
    assert difference.startswith("numbers score_a: ")


def test_listed_changes_are_no_differences(recorded, seen, monkeypatch):
    interval = seen["numbers"].pop("confidence_interval.low")
    seen["numbers"]["interval.low"] = interval
    seen["words"] |= {"method": "quantile", "unit": "samples"}
    seen["texts"]["print"] = ["In other words."]
    seen["numbers"]["pvalue"] = (0.5).hex()
    assert len(compare(recorded, seen)) == 5
    monkeypatch.setitem(changes.FIELDS, "confidence_interval", "interval")
    monkeypatch.setitem(changes.VALUES, ("method", "shift"), "quantile")
    monkeypatch.setitem(changes.WORDS, "unit", {"rows": "samples"})
    monkeypatch.setitem(changes.TEXTS, "bootstrap/*", "said better")
    monkeypatch.setitem(changes.NUMBERS, "bootstrap/accuracy:pvalue", "a reason")
    high = seen["numbers"].pop("confidence_interval.high")
    seen["numbers"]["interval.high"] = high
    assert compare(recorded, seen) == []
