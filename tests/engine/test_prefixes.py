"""Blocks of a chunk are the same, however many follow: draws can be made again."""

import numpy as np
import pytest

from skcompare._engine._schemes import (
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
    "swaps of few": CellSwaps(LIGHT[:9], np.arange(9)),
    "swaps of many": CellSwaps(HEAVY, np.arange(3)),
    "swaps of both": CellSwaps(np.append(HEAVY, 5), np.arange(4)),
    "gamma": GammaDraws(HEAVY),
    "weights": CellWeights(HEAVY, ONE_STRATUM),
}


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_blocks_do_not_depend_on_those_that_follow(scheme, monkeypatch):
    monkeypatch.setattr(scheme, "block_size", 40)
    for n_blocks in (1, 2):
        alone, first = (
            list(scheme.blocks(0, n, np.random.default_rng(0)))[:n_blocks]
            for n in (40 * n_blocks, 200)
        )
        np.testing.assert_array_equal(alone, first)
