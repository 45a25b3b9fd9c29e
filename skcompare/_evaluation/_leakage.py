"""Whether cross-validation tests models on what they have seen in training."""

import numpy as np
from sklearn.frozen import FrozenEstimator

from skcompare._caveats import Caveat
from skcompare.exceptions import DependentFoldsWarning, LeakageWarning


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


def split_groups_note(groups, splits):
    """Say so if groups have rows in training and in test sets.

    Parameters
    ----------
    groups : ndarray of int of shape (n_rows,) or None
        The code of each row's group.
    splits : list of tuple of ndarray
        The positions of training and test rows.

    Returns
    -------
    Caveat or None
        None if all splits keep groups together.
    """
    if groups is None:
        return None
    n_torn = sum(tears_groups(groups, split) for split in splits)
    if not n_torn:
        return None
    return Caveat(
        DependentFoldsWarning,
        f"In {n_torn} of {len(splits)} splits groups have rows in the training "
        "and in the test set: `cv` does not keep them together. Use GroupKFold, or "
        "another splitter that does.",
    )


def tears_groups(groups, split):
    """Return whether some group has rows in the training and in the test set."""
    train, test = split
    return bool(np.isin(groups[test], groups[train]).any())


def _prefit_part(model):
    """Return the part of a model, or the model, that its `fit` leaves as it is."""
    parts = [model, *_parameters(model).values()]
    return next(filter(_is_prefit, parts), None)


def _is_prefit(part):
    if isinstance(part, FrozenEstimator):
        return True
    parameters = _parameters(part)
    cv, prefit = parameters.get("cv"), parameters.get("prefit")
    said = prefit is True or (isinstance(cv, str) and cv == "prefit")
    # A comparison without models, such as the test of pairs, has nothing to refit.
    return said and any(hasattr(value, "fit") for value in parameters.values())


def _parameters(part):
    """Return the parameters of an estimator and of all in it; empty for others."""
    is_estimator = hasattr(part, "get_params") and not isinstance(part, type)
    return part.get_params() if is_estimator else {}
