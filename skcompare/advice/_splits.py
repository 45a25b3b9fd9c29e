"""Splits for questions about ways of learning, given those of the user."""

from typing import NamedTuple

from sklearn.base import is_classifier
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    check_cv,
)

__all__ = ["Splits", "learning_splits"]

# How often folds are repeated, and how many take the place of folds of single rows.
N_REPEATS, MOST_FOLDS = 10, 10
REPEATED = {KFold: RepeatedKFold, StratifiedKFold: RepeatedStratifiedKFold}


class Splits(NamedTuple):
    """How to split the data for questions about ways of learning.

    Attributes
    ----------
    cv : object
        What makes the splits.
    n_splits : int
        The number of them, and of fits of each model.
    n_folds : int or None
        The number of folds that can be drawn anew; None if they are the user's own.
    remark : str
        What to say about them, after the number of fits.
    """

    cv: object
    n_splits: int
    n_folds: int | None
    remark: str


def learning_splits(facts, setting):
    """Choose splits that training sets vary by, as near as can be to those given.

    Parameters
    ----------
    facts : Facts
        What is known about the comparison.
    setting : Setting
        What the user asks for.

    Returns
    -------
    Splits or None
        None if there are none: without cross-validation, or with a single split.
    """
    if facts.n_splits < 2:
        return None
    if facts.groups_given:
        return _splits_of_groups(facts, setting)
    folds = _plain_folds(facts, setting)
    if folds is None:
        return Splits(setting.cv, facts.n_splits, None, "on the splits given")
    n_folds = folds.get_n_splits()
    repeated = REPEATED[type(folds)](
        n_splits=n_folds, n_repeats=N_REPEATS, random_state=0
    )
    remark = (
        f"{n_folds} folds {N_REPEATS} times over, since repeats buy power. They are "
        "drawn at random, so not for rows that follow one another in time"
    )
    return Splits(repeated, N_REPEATS * n_folds, n_folds, remark)


def _plain_folds(facts, setting):
    """Return the splitter if it makes the usual folds, in place of single rows too."""
    y, model = facts.question.sample.y_array, setting.models["estimator_a"]
    splitter = check_cv(setting.cv, y, classifier=is_classifier(model))
    if isinstance(splitter, LeaveOneOut):
        n_folds = max(2, min(MOST_FOLDS, facts.n_rows // 2))
        splitter = check_cv(n_folds, y, classifier=is_classifier(model))
    return splitter if type(splitter) in REPEATED else None


def _splits_of_groups(facts, setting):
    """Return splits that keep groups together: those given, if they do."""
    remark = (
        "since scikit-learn has no repeated folds of groups. If there are many groups, "
        "GroupShuffleSplit makes more splits, for more power"
    )
    if facts.torn_groups:
        n_folds = min(facts.n_splits, facts.n_units)
        return Splits(GroupKFold(n_splits=n_folds), n_folds, n_folds, remark)
    if not facts.partitioned:
        return Splits(setting.cv, facts.n_splits, None, "on the splits given")
    return Splits(setting.cv, facts.n_splits, facts.n_splits, remark)
