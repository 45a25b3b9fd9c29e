"""Another effect than that of a pilot, by exchanging scores."""

import math

import numpy as np


def exchange_probabilities(differences, effect):
    """Return how often to exchange the scores of rows for them to differ by `effect`.

    Exchanging the two scores of a row turns the sign of their difference. Rows on
    which the models score the same stay so, and the sizes of differences stay as they
    are. For right and wrong it moves discordant rows from one model to the other.

    1. Towards 0, all rows are exchanged with the same probability, at most 1/2: at an
       effect of 0 no model is better on any kind of row.
    2. Away from 0, only rows that speak against the effect are exchanged.
    3. For an effect of the other sign, the models change places first.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        The differences in score of single rows.
    effect : float
        The mean difference that is wanted.

    Returns
    -------
    ndarray of shape (n,)
        The probabilities. With them, the expected mean difference is `effect`.

    Examples
    --------
    >>> exchange_probabilities(np.array([1.0, 1.0, -1.0, 0.0]), 0.125).tolist()
    [0.25, 0.25, 0.25, 0.25]
    >>> exchange_probabilities(np.array([1.0, 1.0, -1.0, 0.0]), 0.5).tolist()
    [0.0, 0.0, 0.5, 0.0]
    """
    mean, reach = float(np.mean(differences)), float(np.mean(np.abs(differences)))
    if abs(effect) > reach * (1 + 1e-9):
        raise ValueError(
            f"`effect` must lie between -{reach:.4g} and {reach:.4g}, which is what "
            "the models would differ by if all rows on which their scores differ spoke "
            f"for the same one. Got {effect!r}."
        )
    if effect * mean < 0:
        return 1 - exchange_probabilities(-differences, effect)
    if mean and abs(effect) <= abs(mean):
        return np.full(len(differences), (1 - effect / mean) / 2)
    against = differences * math.copysign(1.0, effect) < 0
    lost = 2 * float(np.mean(np.abs(differences) * against))
    share = (abs(effect) - abs(mean)) / lost if lost else 0.0
    return np.where(against, min(share, 1.0), 0.0)
