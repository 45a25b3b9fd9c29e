"""Which schemes draw the first resamples of a chunk alike, however many follow."""

import numpy as np
import pytest

from skcompare._engine._count_schemes import (
    CellBootstrap,
    CellSwaps,
    CellWeights,
    GammaDraws,
)

HEAVY, LIGHT = np.array([400, 300, 90]), np.ones(1_500, dtype=int)
ONE_STRATUM = np.zeros(len(HEAVY), dtype=int)

SCHEMES = {
    "heavy cells": CellBootstrap(HEAVY),
    "few light cells": CellBootstrap(LIGHT[:200]),
    "many light cells": CellBootstrap(LIGHT),
    "both": CellBootstrap(np.concatenate([HEAVY, LIGHT])),
    "strata": CellBootstrap(HEAVY, np.array([0, 0, 1])),
    "swaps of few": CellSwaps(LIGHT[:9], np.ones(9, dtype=bool)),
    "swaps of many": CellSwaps(HEAVY, np.ones(3, dtype=bool)),
    "swaps of both": CellSwaps(np.append(HEAVY, 5), np.ones(4, dtype=bool)),
    "gamma": GammaDraws(HEAVY),
    "weights": CellWeights(HEAVY, ONE_STRATUM),
}


def drawn(scheme, size):
    blocks = scheme.blocks(0, size, np.random.default_rng(0))
    return np.concatenate(list(blocks))


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_draws_in_order_begin_alike(scheme):
    alike = np.array_equal(drawn(scheme, 200)[:77], drawn(scheme, 77))
    assert alike or not scheme.in_order


@pytest.mark.parametrize("name", SCHEMES)
def test_draws_are_in_order_unless_kinds_of_cells_mix(name):
    assert SCHEMES[name].in_order == (name not in {"both", "strata", "swaps of both"})
