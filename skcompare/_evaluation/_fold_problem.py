"""Scores of models on the same folds: from models, arrays or `cross_validate`."""

import dataclasses
import functools
import itertools
from collections.abc import Mapping

import numpy as np

from skcompare._evaluation._cross_validation import (
    name_of_splits,
    notes_on_splits,
    shared_splits,
)
from skcompare._evaluation._fits import fit_on_folds, fit_parameters_of
from skcompare._evaluation._models import facts_of_models, name_of
from skcompare._evaluation._scoring import resolve_scoring
from skcompare._evaluation._statistics import remedy_for
from skcompare._validation import (
    as_array,
    check_order,
    check_rows,
    model_names,
    row_index,
    take_rows,
)
from skcompare.stats.paired import paired_differences


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class FoldProblem:
    """Several models to compare by their scores on the same folds.

    Parameters
    ----------
    names : tuple of str
        The names of the models.
    scores : dict of ndarray of shape (n_models, n_folds)
        The scores for each metric, nan where a fit or a score failed.
    splits : list of tuple of ndarray, or None
        The positions of training and test rows, if available.
    origin : str
        The source of the splits: the splitter, or "scores".
    groups : ndarray or None
        The group of each row.
    test_train_ratio : float or None
        Test rows per training row, if the user passed it.
    seed : int or None
        The seed of splits that the test itself drew.
    notes : tuple of Caveat
        Caveats such as leakage of test rows into training.
    errors : dict of str
        The first error of fits and scorers that failed, for each metric with one.
    gaps : dict of str
        For each metric, the models and folds without a score, in words, if scores on
        these folds were left out for all models.
    """

    names: tuple
    scores: dict
    splits: list | None = None
    origin: str = "scores"
    groups: np.ndarray | None = None
    test_train_ratio: float | None = None
    seed: int | None = None
    notes: tuple = ()
    errors: dict = dataclasses.field(default_factory=dict)
    gaps: dict = dataclasses.field(default_factory=dict)

    def of_pair(self, i, j):
        """Return the problem of models `i` and `j`, as A and B."""
        return dataclasses.replace(
            self,
            scores={metric: scores[[i, j]] for metric, scores in self.scores.items()},
            names=(self.names[i], self.names[j]),
        )

    def on_common_folds(self):
        """Return the problem without scores on folds where some model has none.

        Means of several models are comparable only over the same folds.
        """
        scores = {
            metric: np.where(self.defined(metric), scores, np.nan)
            for metric, scores in self.scores.items()
        }
        gaps = {metric: self.gaps_in(metric) for metric in scores}
        return dataclasses.replace(self, scores=scores, gaps=gaps)

    def gaps_in(self, metric):
        """Return the models and folds without a score, in words; empty if all have."""
        if self.gaps:
            return self.gaps[metric]
        missing = zip(self.names, np.isnan(self.scores[metric]), strict=True)
        return " and ".join(
            f"{name} on {', '.join(map(str, np.flatnonzero(own)))}"
            for name, own in missing
            if own.any()
        )

    def defined(self, metric):
        """Return a mask of the folds on which all models have a score."""
        return ~np.isnan(self.scores[metric]).any(axis=0)

    def pairs(self, metric):
        """Return the scores of all models on the folds where none is missing."""
        kept = self.defined(metric)
        if kept.sum() < 2:
            raise ValueError(
                "There must be at least 2 folds on which all models have a score. "
                f"Got {kept.sum()} of {len(kept)} for {metric!r}. If fits or scores "
                "failed, set error_score='raise' to see the errors."
            )
        return self.scores[metric][:, kept]

    def differences(self, metric):
        """Return the differences in score on each fold, 0 if within rounding error.

        For a single model, return its scores.
        """
        scores = self.pairs(metric)
        return scores[0] if len(scores) == 1 else paired_differences(*scores)[0]

    def sizes(self, metric):
        """Return the numbers of training and test rows of the folds with scores."""
        sizes = np.array([[len(rows) for rows in split] for split in self.splits])
        return sizes[self.defined(metric)].T

    def ratio(self, metric):
        """Return test rows per training row, averaged over folds; None if unknown."""
        if self.test_train_ratio is not None or self.splits is None:
            return self.test_train_ratio
        n_train, n_test = self.sizes(metric)
        return float(np.mean(n_test / n_train))

    def facts(self, metric):
        """Return the fields that every result for a metric has."""
        scores = [float(np.mean(of_model)) for of_model in self.pairs(metric)]
        differences = self.differences(metric)
        return {
            "scoring": metric,
            **facts_of_models(self.names, scores, float(np.mean(differences))),
            "n_rows": len(differences),
            "n_units": len(differences),
            "unit": "folds",
            "cv": self.origin,
            "seed": self.seed,
        }


def fold_problem(
    models,
    X,
    y,
    *,
    scoring=None,
    cv=None,
    groups=None,
    names=None,
    seed=None,
    error_score=np.nan,
    params=None,
    **fits,
):
    """Fit clones of models on the same training folds and score them.

    Parameters
    ----------
    models : dict
        Models by parameter name; they are cloned.
    X, y : object
        The data.
    scoring : object
        As in scikit-learn.
    cv : int, splitter, iterable or None
        As in scikit-learn.
    groups : array-like or None
        The group of each row; passed to the splitter.
    names : sequence of str or None
        The names of the models.
    seed : int or None
        The seed of `cv`, if the test itself drew it.
    error_score : nan or "raise", default=nan
        Whether a fit or a score that fails is nan or raises its error.
    params : dict or None, default=None
        Further parameters for the fits of the models, as in `cross_validate`.
    **fits : dict
        `n_jobs` and `verbose`, as in `fit_on_folds`.

    Returns
    -------
    FoldProblem
        The scores.
    """
    codes = check_rows("X", X, y=y, groups=groups)["groups"]
    metrics = resolve_scoring(scoring, y=y, models=list(models.values()), params=params)
    truth, y = y, as_array(y, "y")
    truth = y if row_index(truth) is None else truth  # scorers may read its index
    splits = shared_splits(models, X, y, cv=cv, groups=groups, params=params)
    check_splits(splits)
    by_model, errors = fit_on_folds(
        models,
        X,
        y,
        splits,
        then=functools.partial(_score, metrics, y, truth, error_score),
        params=fit_parameters_of(models, metrics, cv=cv, groups=groups, params=params),
        error_score=error_score,
        **fits,
    )
    gap, first_errors = dict.fromkeys(metrics, np.nan), {}
    by_model = [
        [fold or (gap, dict.fromkeys(metrics, errors[0])) for fold in of_model]
        for of_model in by_model
    ]
    for _, own in itertools.chain(*by_model):
        first_errors = own | first_errors
    return FoldProblem(
        names=model_names(names, [name_of(model) for model in models.values()]),
        scores={
            metric: _stack(*([scores[metric] for scores, _ in m] for m in by_model))
            for metric in metrics
        },
        splits=splits,
        origin=name_of_splits(cv, splits),
        groups=codes,
        seed=seed,
        notes=(
            *(note for metric in metrics.values() for note in metric.notes),
            *notes_on_splits(models, codes, splits, y),
        ),
        errors=first_errors,
    )


def _score(metrics, y, truth, error_score, model, X, rows):
    """Score a fitted model on the rows of a fold, with per-row arguments at these.

    Returns
    -------
    scores : dict of float
        The scores by metric, nan where a scorer failed.
    errors : dict of str
        The errors of scorers that failed.
    """
    scores, errors = {}, {}
    for metric in metrics.values():
        try:
            y_test = take_rows(y if metric.takes_array else truth, rows)
            scores[metric.name] = float(metric.scorer_at(rows)(model, X, y_test))
        except Exception as error:  # metrics may raise anything
            remedy = remedy_for(metric, error)
            if error_score == "raise":
                if remedy or isinstance(error, ValueError):
                    raise ValueError(
                        f"The scorer {metric.name!r} fails for {name_of(model)}: "
                        f"{str(error).rstrip('.')}.{remedy}"
                    ) from error
                raise
            reason = f"{type(error).__name__}: {error}".rstrip(": .")
            text = f"the scorer fails for {name_of(model)}: {reason}.{remedy}"
            errors[metric.name] = text
            scores[metric.name] = np.nan
    return scores, errors


def check_splits(splits):
    """Check that there are at least two splits, with rows on both sides of each."""
    if len(splits) < 2:
        raise ValueError(f"`cv` must give at least two splits. Got {len(splits)}.")
    if not all(len(rows) for split in splits for rows in split):
        raise ValueError("`cv` must give splits with training and test rows in each.")


def fold_problem_of_scores(
    scores_a, scores_b=None, *, scoring=None, test_train_ratio=None, names=None
):
    """Make a problem of existing fold scores.

    Parameters
    ----------
    scores_a, scores_b : array-like or dict
        Scores in the same order of folds, or the output of `cross_validate`. Without
        `scores_b` there is one model.
    scoring : object
        The name of the metric or metrics, to name the scores or select among them.
    test_train_ratio : float or None
        Test rows per training row, if the user passed it.
    names : pair of str or None
        The names of the models.

    Returns
    -------
    FoldProblem
        The scores.
    """
    by_parameter = {"scores_a": scores_a, "scores_b": scores_b}
    if scores_b is None:
        del by_parameter["scores_b"]
    check_order(by_parameter)
    tables = [_by_metric(name, own, scoring) for name, own in by_parameter.items()]
    if set(tables[0]) != set(tables[-1]):
        raise ValueError(
            "`scores_a` and `scores_b` must have scores of the same metrics. "
            f"Got {' and '.join(map(', '.join, tables))}."
        )
    scores = {metric: _stack(*(own[metric] for own in tables)) for metric in tables[0]}
    splits = _common_splits(*by_parameter.values())
    for metric, of_metric in scores.items():
        n_folds = of_metric.shape[1]
        if splits is not None and n_folds != len(splits):
            raise ValueError(
                "`scores_a` and `scores_b` must have a score for each split in their "
                f"`indices`. Got {n_folds} for {metric!r} and {len(splits)} splits."
            )
    return FoldProblem(
        names=model_names(names, list("AB"[: len(by_parameter)])),
        scores=scores,
        splits=splits,
        test_train_ratio=test_train_ratio,
    )


def _stack(*scores):
    """Return the scores of all models as rows; raise an error if sizes differ."""
    sizes = [len(of_model) for of_model in scores]
    if len(set(sizes)) > 1:
        raise ValueError(
            "`scores_a` and `scores_b` must have one score each for every fold. "
            f"Got {' and '.join(map(str, sizes))} scores."
        )
    stacked = np.array(scores, dtype=float)
    if np.isinf(stacked).any():
        raise ValueError(
            "Scores of folds must be finite. Got infinite scores: "
            f"{int(np.isinf(stacked).sum())}."
        )
    return stacked


def _by_metric(parameter, scores, scoring):
    """Return fold scores by metric: the metrics in `scoring`, or all by default."""
    name = scoring if isinstance(scoring, str) else "score"
    by_metric = {name: scores}
    if isinstance(scores, Mapping):
        by_metric = {
            name if key == "test_score" else key.removeprefix("test_"): value
            for key, value in scores.items()
            if key.startswith("test_")
        }
        if not by_metric:
            raise ValueError(
                f"`{parameter}` must be scores, or a dict as returned by "
                "cross_validate, with 'test_score' or 'test_<metric>'. Got a dict with "
                f"{', '.join(scores)}."
            )
    names = [scoring] if isinstance(scoring, str) else scoring
    if not isinstance(names, list | tuple | Mapping):
        names = list(by_metric)
    absent = [name for name in names if name not in by_metric]
    if absent:
        raise ValueError(
            f"`scoring` must name metrics that have scores: {', '.join(by_metric)}. "
            f"Got {', '.join(map(repr, absent))}."
        )
    wanted = {}
    for name in names:
        try:
            array = np.asarray(by_metric[name], dtype=float)
        except (TypeError, ValueError):
            raise ValueError(
                f"`{parameter}` must be numbers, a score for each fold. Got "
                f"{by_metric[name]!r}."
            ) from None
        if array.ndim not in (1, 2):
            raise ValueError(
                f"`{parameter}` must have a score for each fold, or for each repeat "
                f"(row) and fold (column). Got an array of shape {array.shape}."
            )
        wanted[name] = array.ravel()
    return wanted


def _common_splits(*scores):
    """Return the splits in the output of `cross_validate`, None if there are none."""
    indices = [s.get("indices") for s in scores if isinstance(s, Mapping)]
    splits = [
        list(zip(own["train"], own["test"], strict=True))
        for own in filter(None, indices)
    ]
    # Training and test rows of each split in turn, for both models.
    pairs = itertools.zip_longest(*(itertools.chain(*own) for own in splits))
    if len(splits) == 2 and not all(itertools.starmap(np.array_equal, pairs)):
        raise ValueError(
            "`scores_a` and `scores_b` must come from the same splits. Their `indices` "
            "differ: pass the same splitter to both calls of cross_validate, with an "
            "integer as its random_state."
        )
    return splits[0] if splits else None
