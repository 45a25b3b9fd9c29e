"""One score from the scores of several tasks, as scikit-learn averages them.

All take scores and the weights of the positives, of shape (n_resamples, n_tasks).
"""

import numpy as np

# A sum of weights that scikit-learn takes to be 0 (the `atol` of `isclose`).
NEGLIGIBLE = 1e-8


def macro(scores, n_positive):
    """Average over tasks."""
    return scores.mean(axis=1)


def weighted(scores, n_positive):
    """Average over tasks in proportion to their positives; 0 if there are none."""
    total = n_positive.sum(axis=1)
    average = (np.where(n_positive == 0, 0, scores) * n_positive).sum(axis=1) / total
    average[total <= NEGLIGIBLE] = 0
    return average


def pairwise_macro(scores, n_positive):
    """Average over the pairs of classes that are both present."""
    return _pairwise(scores, (n_positive > 0).astype(float), np.minimum)


def pairwise_weighted(scores, n_positive):
    """Average over pairs of present classes in proportion to their rows."""
    return _pairwise(scores, n_positive, np.add)


def _pairwise(scores, sizes, joined):
    first, second = sizes[:, ::2], sizes[:, 1::2]
    share = np.where((first > 0) & (second > 0), joined(first, second), 0)
    halves = np.where(share > 0, scores[:, ::2] + scores[:, 1::2], 0)
    return (share * halves).sum(axis=1) / (2 * share.sum(axis=1))
