"""From a `random_state` to one generator per chunk of resamples."""

import numbers

import numpy as np


def seed_of(random_state):
    """Turn a `random_state` into the integer that reproduces the run.

    An integer stands for itself. `None` draws fresh entropy from the operating
    system, never from NumPy's global generator. A `RandomState` or a `Generator`
    is asked for 128 bits, so that calling twice gives two different seeds.

    Parameters
    ----------
    random_state : int, RandomState, Generator or None
        Where the randomness comes from.

    Returns
    -------
    int
        A non-negative integer; passing it as `random_state` repeats the run.

    Examples
    --------
    >>> seed_of(0)
    0
    >>> rng = np.random.default_rng(0)
    >>> seed_of(rng) == seed_of(rng)
    False
    """
    if random_state is None:
        return np.random.SeedSequence().entropy
    if isinstance(random_state, np.random.Generator):
        return _join(random_state.integers(0, 2**32, size=4, dtype=np.uint32))
    if isinstance(random_state, np.random.RandomState):
        return _join(random_state.randint(0, 2**32, size=4, dtype=np.uint32))
    is_integer = isinstance(random_state, numbers.Integral)
    if is_integer and not isinstance(random_state, bool) and random_state >= 0:
        return int(random_state)
    raise ValueError(
        "`random_state` must be None, a non-negative integer, a numpy RandomState or "
        f"a numpy Generator. Got {random_state!r}."
    )


def _join(words):
    return sum(int(word) << (32 * place) for place, word in enumerate(words))


def chunk_generator(seed, chunk):
    """Return the generator of one chunk: a function of the two numbers alone."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(chunk,)))
