"""Calls through public names give what they gave when they were recorded.

Numbers agree to 1e-12, or to the last bit with SKCOMPARE_GOLDEN=bits, on the machine
that recorded them. What changed on purpose is listed in `changes`.
"""

import os

import pytest

from tests.golden.cases import CASES
from tests.golden.observe import differences, observe
from tests.golden.record import read


@pytest.fixture(scope="module")
def recorded():
    return read()


@pytest.mark.parametrize("name", CASES)
def test_a_call_gives_what_it_gave(name, recorded):
    bits = os.environ.get("SKCOMPARE_GOLDEN") == "bits"
    assert differences(name, recorded[name], observe(CASES[name]), bits=bits) == []


def test_every_recording_has_its_case(recorded):
    assert recorded.keys() == CASES.keys()
