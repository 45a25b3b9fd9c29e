"""Scores of two models on the same folds: from models, arrays or `cross_validate`."""

import dataclasses
from collections.abc import Mapping

import numpy as np
from sklearn.model_selection import cross_validate

from skcompare._arguments import row_arguments, scoring_at
from skcompare._validation import as_labels, take_rows
from skcompare.evaluation import (
    fit_on_folds,
    name_of,
    name_of_splits,
    shared_splits,
)
from skcompare.inference import paired_differences

__all__ = ["FoldScores", "check_splits", "given_scores", "score_folds"]


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class FoldScores:
    """The scores of two models on the same folds.

    Parameters
    ----------
    scores : dict of ndarray of shape (2, n_folds)
        The scores of both models for each metric, nan where a fit or a score failed.
    splits : list of tuple or None
        The positions of training and test rows, where they are known.
    names : tuple of str
        What the models are called.
    origin : str
        Where the splits come from.
    groups : ndarray or None
        The group of each row.
    given_ratio : float or None
        Test rows per training row, where the user said so.
    seed : int or None
        The seed of splits that the test itself drew.
    """

    scores: dict
    splits: list | None
    names: tuple = ("A", "B")
    origin: str = "scores"
    groups: np.ndarray | None = None
    given_ratio: float | None = None
    seed: int | None = None

    def of_pair(self, i, j):
        """Return the scores of models number i and j, where there are more of them."""
        return dataclasses.replace(
            self,
            scores={metric: scores[[i, j]] for metric, scores in self.scores.items()},
            names=(self.names[i], self.names[j]),
        )

    def where_all_have_one(self):
        """Return the scores without those of folds on which some model has none.

        Means of several models are comparable only over the same folds.
        """

        def common(scores):
            return np.where(np.isnan(scores).any(axis=0), np.nan, scores)

        scores = {metric: common(scores) for metric, scores in self.scores.items()}
        return dataclasses.replace(self, scores=scores)

    def defined(self, metric):
        """Return on which folds both models have a score."""
        return ~np.isnan(self.scores[metric]).any(axis=0)

    def pairs(self, metric):
        """Return the scores of both models on the folds where both have one."""
        kept = self.defined(metric)
        if kept.sum() < 2:
            raise ValueError(
                "There must be at least 2 folds on which both models have a score. "
                f"Got {kept.sum()} of {len(kept)} for {metric!r}. Where fits failed, "
                "error_score='raise' says why."
            )
        return self.scores[metric][:, kept]

    def differences(self, metric):
        """Return the differences of the pairs; those equal but for rounding are 0."""
        return paired_differences(*self.pairs(metric))[0]

    def sizes(self, metric):
        """Return the numbers of training and of test rows of the folds with scores."""
        sizes = np.array([[len(rows) for rows in split] for split in self.splits])
        return sizes[self.defined(metric)].T

    def ratio(self, metric):
        """Return test rows per training row, averaged over splits; None if unknown."""
        if self.given_ratio is not None or self.splits is None:
            return self.given_ratio
        n_train, n_test = self.sizes(metric)
        return float(np.mean(n_test / n_train))


def score_folds(models, X, y, *, cv, scorers, groups, seed, error_score, n_jobs):
    """Fit clones of both models on the same training folds and score them.

    Parameters
    ----------
    models : dict
        Models by parameter name; they are cloned.
    X, y : object
        The data.
    cv : int, splitter, iterable or None
        As in scikit-learn.
    scorers : dict
        Scorers by name.
    groups : object
        Passed on to the splitter.
    seed : int or None
        The seed of splits that the test itself drew.
    error_score : nan or "raise"
        What to do where a fit or a score fails.
    n_jobs : int or None
        The number of folds fitted at a time.

    Returns
    -------
    FoldScores
        The scores.
    """
    splits = shared_splits(models, X, y, cv=cv, groups=groups)
    check_splits(splits)
    how = {"error_score": error_score, "n_jobs": n_jobs}
    of_rows = any(row_arguments(scorer, len(y)) for scorer in scorers.values())
    score = _score_at_rows if of_rows else _score
    found = [score(model, X, y, splits, scorers, **how) for model in models.values()]
    return FoldScores(
        scores={name: _stack(*(f[name] for f in found)) for name in scorers},
        splits=splits,
        names=tuple(map(name_of, models.values())),
        origin=name_of_splits(cv, splits),
        groups=None if groups is None else as_labels(groups, "groups"),
        seed=seed,
    )


def _score(model, X, y, splits, scorers, **how):
    found = cross_validate(model, X, y, cv=splits, scoring=scorers, **how)
    return {name: found[f"test_{name}"] for name in scorers}


def _score_at_rows(model, X, y, splits, scorers, *, error_score, n_jobs):
    """Score folds by scorers with arguments of rows, of which each needs its own."""
    fitted = fit_on_folds(model, X, y, splits, error_score=error_score, n_jobs=n_jobs)
    scores = {name: np.full(len(splits), np.nan) for name in scorers}
    for fold, (fold_model, (_, rows)) in enumerate(zip(fitted, splits, strict=True)):
        if fold_model is None:
            continue
        X_test, y_test = take_rows(X, rows), take_rows(y, rows)
        for name, scorer in scoring_at(scorers, len(y), rows).items():
            try:
                scores[name][fold] = scorer(fold_model, X_test, y_test)
            except Exception:  # whatever a metric raises: a gap, unless that is wanted
                if error_score == "raise":
                    raise
    return scores


def check_splits(splits):
    """Check that there are two splits, and rows on both sides of each."""
    if len(splits) < 2:
        raise ValueError(f"`cv` must give at least two splits. Got {len(splits)}.")
    if not all(len(rows) for split in splits for rows in split):
        raise ValueError("`cv` must give splits with training and test rows in each.")


def given_scores(scores_a, scores_b, *, scoring, ratio=None):
    """Take fold scores that the user has.

    Parameters
    ----------
    scores_a, scores_b : array-like or dict
        Scores in the same order of folds, or what `cross_validate` returns.
    scoring : object
        The name of the metric or metrics, to call the scores, or choose among them.
    ratio : float, default=None
        Test rows per training row, where the user said so.

    Returns
    -------
    FoldScores
        The scores.
    """
    name = scoring if isinstance(scoring, str) else "score"
    given = {"scores_a": scores_a, "scores_b": scores_b}
    tables = [_by_metric(parameter, s, name) for parameter, s in given.items()]
    a, b = (_wanted(table, scoring) for table in tables)
    if set(a) != set(b):
        raise ValueError(
            "`scores_a` and `scores_b` must have scores of the same metrics. "
            f"Got {', '.join(a)} and {', '.join(b)}."
        )
    scores = {metric: _stack(a[metric], b[metric]) for metric in a}
    splits = _given_splits(scores_a, scores_b)
    _check_numbers(scores, splits)
    return FoldScores(scores=scores, splits=splits, given_ratio=ratio)


def _check_numbers(scores, splits):
    """Check that there is a score for each split, where those are known."""
    for metric, of_metric in scores.items():
        n_folds = of_metric.shape[1]
        if splits is not None and n_folds != len(splits):
            raise ValueError(
                "`scores_a` and `scores_b` must have a score for each split in their "
                f"`indices`. Got {n_folds} for {metric!r} and {len(splits)} splits."
            )


def _stack(*scores):
    """Return the scores of all models as rows, or say why they do not match."""
    sizes = [len(of_model) for of_model in scores]
    if len(set(sizes)) > 1:
        raise ValueError(
            "`scores_a` and `scores_b` must have one score each for every fold. "
            f"Got {' and '.join(map(str, sizes))} scores."
        )
    stacked = np.array(scores, dtype=float)
    if np.isinf(stacked).any():
        raise ValueError(
            f"Scores of folds must be finite. Got {int(np.isinf(stacked).sum())} that "
            "are infinite."
        )
    return stacked


def _by_metric(parameter, given, name):
    """Return the fold scores that were given, by metric."""
    if not isinstance(given, Mapping):
        return {name: _as_scores(parameter, given)}
    found = {
        name if key == "test_score" else key.removeprefix("test_"): value
        for key, value in given.items()
        if key.startswith("test_")
    }
    if not found:
        raise ValueError(
            f"`{parameter}` must be scores, or a dict as cross_validate returns, with "
            f"'test_score' or 'test_<metric>'. Got a dict of {', '.join(given)}."
        )
    return {metric: _as_scores(parameter, value) for metric, value in found.items()}


def _wanted(scores, scoring):
    """Return the scores of the metrics that `scoring` names, of all by default."""
    names = [scoring] if isinstance(scoring, str) else scoring
    if not isinstance(names, list | tuple | Mapping):
        return scores
    absent = [name for name in names if name not in scores]
    if absent:
        raise ValueError(
            f"`scoring` must name metrics of the scores given: {', '.join(scores)}. "
            f"Got {', '.join(map(repr, absent))}."
        )
    return {name: scores[name] for name in names}


def _as_scores(parameter, values):
    try:
        scores = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            f"`{parameter}` must be numbers, a score for each fold. Got {values!r}."
        ) from None
    if scores.ndim not in (1, 2):
        raise ValueError(
            f"`{parameter}` must have a score for each fold, or for each repeat (row) "
            f"and fold (column). Got an array of shape {scores.shape}."
        )
    return scores.ravel()


def _given_splits(*given):
    """Return the splits that `cross_validate` told, None if it did not."""
    told = [_splits_in(scores) for scores in given]
    known = [splits for splits in told if splits is not None]
    if len(known) == 2 and not _same_splits(*known):
        raise ValueError(
            "`scores_a` and `scores_b` must come from the same splits. Their `indices` "
            "differ: pass the same splitter to both calls of cross_validate, with an "
            "integer as its random_state."
        )
    return known[0] if known else None


def _splits_in(scores):
    indices = scores.get("indices") if isinstance(scores, Mapping) else None
    if indices is None:
        return None
    return list(zip(indices["train"], indices["test"], strict=True))


def _same_splits(first, second):
    return len(first) == len(second) and all(
        np.array_equal(rows, others)
        for split, other in zip(first, second, strict=True)
        for rows, others in zip(split, other, strict=True)
    )
