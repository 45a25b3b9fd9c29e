"""Row operations on responses, whatever shape scikit-learn gives them.

A response is an array, a sparse matrix (multilabel indicators), or a list of arrays,
one per output (`predict_proba` of multilabel forests).
"""

import numpy as np
from scipy import sparse


def response_rows(response, rows):
    """Take rows, by position, from a response."""
    if isinstance(response, list):
        return [output[rows] for output in response]
    return response[rows]


def concatenate_rows(responses):
    """Put responses to several sets of rows below each other."""
    first = responses[0]
    if isinstance(first, list):
        return [np.concatenate(outputs) for outputs in zip(*responses, strict=True)]
    if sparse.issparse(first):
        return sparse.vstack(responses, format="csr")
    return np.concatenate(responses)


def differing_rows(response_a, response_b):
    """Say for each row whether two responses to it differ."""
    if isinstance(response_a, list):
        pairs = zip(response_a, response_b, strict=True)
        return np.any([differing_rows(a, b) for a, b in pairs], axis=0)
    if sparse.issparse(response_a):
        return np.diff((response_a != response_b).tocsr().indptr) > 0
    differs = np.asarray(response_a != response_b, dtype=bool)
    return differs.reshape(len(differs), -1).any(axis=1)
