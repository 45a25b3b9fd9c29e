"""What is odd about models, labels and splits, whatever the test."""

import numpy as np
from sklearn.frozen import FrozenEstimator

from skcompare._caveats import Caveat
from skcompare._validation import as_labels
from skcompare.exceptions import (
    DependentFoldsWarning,
    LabelMismatchWarning,
    LeakageWarning,
    PooledScoreWarning,
)

# How many labels a message quotes.
N_EXAMPLES = 3

# So many rows, evenly spread, have all labels that matter.
N_PROBED = 2**16


def label_note(sample):
    """Say so if some model's labels are none of the truth's, or written otherwise.

    Parameters
    ----------
    sample : Sample
        The truth, and what the models predict.

    Returns
    -------
    Caveat or None
        None if labels are those of the truth, or no labels were asked for.
    """
    y = sample.y_array
    vectors = [
        (model.name, model.response("predict"))
        for model in sample.models
        if model.classes is not None and "predict" in model.responses
    ]
    vectors = [(name, labels) for name, labels in vectors if _are_labels(labels)]
    if not vectors or not _are_labels(y):
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


def frozen_note(models):
    """Say which models cross-validation does not refit.

    Parameters
    ----------
    models : dict
        The models that are cross-validated, by name.

    Returns
    -------
    Caveat or None
        None if all of them are fitted on the training folds.
    """
    named = [
        f"`{name}` ({type(part).__name__})"
        for name, model in models.items()
        if (part := _prefit_part(model)) is not None
    ]
    if not named:
        return None
    return Caveat(
        LeakageWarning,
        f"Cross-validation does not refit what is fitted already: {', '.join(named)}. "
        "Test folds may hold rows that it was trained on, and its scores are then too "
        "good. Give models that are not fitted, or compare fitted ones on rows that "
        "they have not seen, by a test with cv='prefit'.",
    )


def notes_on_splits(models, groups, splits):
    """Say what models may have seen of test rows in training.

    Parameters
    ----------
    models : dict
        The models that are cross-validated, by name.
    groups : array-like or None
        The group of each row.
    splits : list of tuple of ndarray
        The positions of training and test rows.

    Returns
    -------
    tuple of Caveat
        On models that are not refitted, and on groups with rows on both sides.
    """
    notes = [frozen_note(models)]
    if groups is not None:
        groups = as_labels(groups, "groups")
        n_torn = sum(tears_groups(groups, split) for split in splits)
        if n_torn:
            text = (
                f"In {n_torn} of {len(splits)} splits groups have rows in the training "
                "and in the test set: `cv` does not keep them together. Use "
                "GroupKFold, or another splitter that does."
            )
            notes.append(Caveat(DependentFoldsWarning, text))
    return tuple(filter(None, notes))


def tears_groups(groups, split):
    """Return whether some group has rows in the training and in the test set."""
    train, test = split
    return bool(np.isin(groups[test], groups[train]).any())


def _prefit_part(model):
    """Return the part of a model, or the model, that its `fit` leaves as it is."""
    for part in (model, *_parameters(model).values()):
        own = _parameters(part)
        cv, prefit = own.get("cv"), own.get("prefit")
        says_so = prefit is True or (isinstance(cv, str) and cv == "prefit")
        # A comparison without models, such as the test of pairs, has nothing to refit.
        says_so = says_so and any(hasattr(value, "fit") for value in own.values())
        if says_so or isinstance(part, FrozenEstimator):
            return part
    return None


def _parameters(part):
    """Return the parameters of an estimator and of all in it; empty for others."""
    is_estimator = hasattr(part, "get_params") and not isinstance(part, type)
    return part.get_params() if is_estimator else {}


def pooling_note(sample, statistics):
    """Say so if the pooled score of some metric is not the mean over folds.

    A score is a mean of per-row scores exactly when the scores of the folds, weighted
    by their sizes, average to the score of the whole: that is computed and compared.
    """
    fold, apart = np.unique(sample.fold, return_inverse=True)[1], []
    for name, statistic in statistics.items():
        scores = statistic.by_fold(sample.fold)
        sizes = np.bincount(fold, weights=statistic.sample_weight)
        defined = np.isfinite(scores).all() and np.sum(sizes) > 0
        means = np.average(scores, axis=1, weights=sizes) if defined else np.nan
        if not np.allclose(means, statistic.observed, rtol=1e-9, atol=1e-12):
            apart.append(name)
    if not apart:
        return None
    ranked = [name for name in apart if statistics[name].engine == "ranking"]
    bias = ""
    if ranked:
        bias = (
            f" Pooled, {', '.join(ranked)} ranks scores of models trained on different "
            "folds, and is biased, the more so the smaller the folds: without any "
            "signal it is not 0.5 on average."
        )
    return Caveat(
        PooledScoreWarning,
        f"{', '.join(apart)} of pooled out-of-fold responses is not the mean of the "
        "fold scores: it is not a mean of per-row scores. The difference is that of "
        "the pooled score. PairedBootstrap and ApproxRandomization take the mean of "
        f"fold scores with aggregate='fold-mean'.{bias}",
    )
