"""What users must be told about their data, as pairs of warning class and text."""

import warnings
from typing import NamedTuple

import numpy as np

from skcompare.exceptions import (
    DegenerateDataWarning,
    DependentFoldsWarning,
    LabelMismatchWarning,
    PooledScoreWarning,
    SmallSampleWarning,
    UndefinedScoreWarning,
)

__all__ = [
    "Caveat",
    "degenerate_caveat",
    "label_caveat",
    "pooling_caveat",
    "series_caveat",
    "small_sample_caveat",
    "undefined_caveat",
]

FEWEST_UNITS = 30

# How many labels a message quotes.
N_EXAMPLES = 3

# So many rows, evenly spread, have all labels that matter.
N_PROBED = 2**16


class Caveat(NamedTuple):
    """A warning to give, and to keep with the result."""

    category: type
    text: str


def degenerate_caveat(sample):
    """Say so if the two models answer alike on every row."""
    if sample.discordant_rows().any():
        return None
    return Caveat(
        DegenerateDataWarning,
        f"Both models give the same answer on all {sample.n_rows} rows: the difference "
        "is 0 and the p-value 1, whatever the metric.",
    )


def label_caveat(y, predictions):
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
        return None  # a single class need not occur on the other side
    return (
        f"{name} predicts {_examples(strange)} where the truth has "
        f"{_examples(true.tolist())}"
    )


def _examples(labels):
    more = ", ..." if len(labels) > N_EXAMPLES else ""
    return ", ".join(map(repr, labels[:N_EXAMPLES])) + more


def small_sample_caveat(question, few, lonely):
    """Say so if there are too few units, or strata that cannot vary.

    Parameters
    ----------
    question : Question
        What is asked.
    few, lonely : str
        What to say of few units, with a place for their number, and of strata of one
        unit, after theirs.
    """
    units, n_units = question.units, question.n_weighty_units
    if n_units < FEWEST_UNITS:
        what = "rows" if units.groups is None else "groups"
        what += " of positive weight" * (n_units < len(units))
        return Caveat(SmallSampleWarning, few.format(f"{n_units} {what}"))
    n_lonely = int(np.count_nonzero(units.stratum_sizes == 1))
    if n_lonely:
        return Caveat(SmallSampleWarning, f"{n_lonely} strata have {lonely}")
    return None


def pooling_caveat(sample, statistics):
    """Say so if the pooled score of some metric is not the mean over folds.

    A score is an average over rows just if the scores of the folds, weighted by their
    sizes, average to the score of the whole: that is computed and compared.
    """
    if sample.fold is None:
        return None
    apart = [name for name, s in statistics.items() if not _is_row_average(s, sample)]
    if not apart:
        return None
    return Caveat(
        PooledScoreWarning,
        f"{', '.join(apart)} of pooled out-of-fold responses is not the mean of the "
        "fold scores: it is no average over rows. The difference is that of the pooled "
        "score. PairedBootstrap and ApproxRandomization take the mean of fold scores "
        "with aggregate='fold_mean'.",
    )


def _is_row_average(statistic, sample):
    folds = [np.flatnonzero(sample.fold == fold) for fold in np.unique(sample.fold)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fold may lack a class
        scores = np.array([statistic.on_rows(rows) for rows in folds], dtype=float)
    weights = sample.sample_weight
    sizes = [len(rows) if weights is None else weights[rows].sum() for rows in folds]
    if not np.isfinite(scores).all() or not np.sum(sizes) > 0:
        return False
    means = np.average(scores, axis=0, weights=sizes)
    return np.allclose(means, statistic.observed, rtol=1e-9, atol=1e-12)


def series_caveat(sample, groups=None):
    """Say so if models were trained on what came before: a series in time."""
    if not sample.forward:
        return None
    what = "rows" if groups is None else "groups"
    remedy = (
        " Where they are not, give those that belong together as `groups` to a test "
        "that takes them, such as PairedBootstrap."
    )
    return Caveat(
        DependentFoldsWarning,
        "All training rows precede their test rows, as in a series in time: the score "
        "is that of models trained on different pasts. Neighbouring rows may be alike, "
        f"and the test takes {what} as independent.{remedy if groups is None else ''}",
    )


def undefined_caveat(results):
    """Say on how many resamples some metric has no value."""
    counts = {name: r.n_undefined for name, r in results.items() if r.n_undefined}
    if not counts:
        return None
    n_resamples = next(iter(results.values())).n_resamples
    listed = ", ".join(f"{name} on {count:,}" for name, count in counts.items())
    return Caveat(
        UndefinedScoreWarning,
        f"Undefined resamples, of {n_resamples:,}: {listed}. They count as exceeding "
        "in the p-value and are left out of intervals. If resamples lack a class, "
        "strata=y keeps all classes in each, in fixed shares.",
    )
