"""Labels that truth and predictions do not share, or write in two ways."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare.exceptions import LabelMismatchWarning

# How many labels a message quotes.
N_EXAMPLES = 3

# So many rows, evenly spread, have all labels that matter.
N_PROBED = 2**16


def label_note(y, predictions):
    """Say so if some model's labels are none of the truth's, or written otherwise.

    Parameters
    ----------
    y : ndarray or sparse matrix
        The truth.
    predictions : list of tuple
        The name of each model, and the labels that it predicts.
    """
    vectors = [(name, p) for name, p in predictions if _are_labels(p)]
    if not _are_labels(y) or not vectors:
        return None
    rows = np.linspace(0, len(y) - 1, min(len(y), N_PROBED)).astype(np.intp)
    true = np.unique(y[rows])
    if 2 * len(true) > len(rows):
        return None  # texts or counts rather than labels
    seen = [(name, np.unique(labels[rows])) for name, labels in vectors]
    if not all(np.isin(labels, true).all() for _, labels in seen):
        true = np.unique(y)
    texts = list(filter(None, (_mismatch(*one, true) for one in seen)))
    if not texts:
        return None
    return Caveat(
        LabelMismatchWarning,
        f"Labels differ from those of the truth: {'; '.join(texts)}. Such predictions "
        "count as wrong on every row. Write the labels of truth and models alike.",
    )


def _are_labels(array):
    return array.ndim == 1 and array.dtype.kind in "iubUO"


def _mismatch(name, predicted, true):
    """Describe how predicted labels differ from true ones, None if they do not."""
    strange = np.setdiff1d(predicted, true).tolist()
    spellings = {str(label).strip().casefold(): label for label in true.tolist()}
    alike = [
        f"{label!r} for {spellings[key]!r}"
        for label in strange
        if (key := str(label).strip().casefold()) in spellings
    ]
    if alike:
        return f"{name} predicts {', '.join(alike[:N_EXAMPLES])}"
    if len(strange) < len(predicted) or min(len(true), len(predicted)) < 2:
        return None  # where truth or model have one class, the other may well differ
    return (
        f"{name} predicts {_examples(strange)} where the truth has "
        f"{_examples(true.tolist())}"
    )


def _examples(labels):
    more = ", ..." if len(labels) > N_EXAMPLES else ""
    return ", ".join(map(repr, labels[:N_EXAMPLES])) + more
