"""Problems: models and metrics on the same rows, and the units to resample.

A problem is made from models and data, from predictions, or from per-row scores.
"""

import dataclasses

import numpy as np
from sklearn.metrics import make_scorer

from skcompare._caveats import Caveat
from skcompare._engine import Units, cells_of, differing_rows
from skcompare._engine.additive import AdditiveFunction
from skcompare._evaluation._cross_validation import (
    evaluate_out_of_fold,
    name_of_splits,
    notes_on_splits,
    shared_splits,
)
from skcompare._evaluation._fits import fit_parameters_of
from skcompare._evaluation._models import (
    evaluate_fitted,
    evaluate_predictions,
    facts_of_models,
)
from skcompare._evaluation._sample import notes_on_labels
from skcompare._evaluation._scoring import resolve_scoring
from skcompare._evaluation._statistics import as_statistic, score_folds
from skcompare._parameters import RULES
from skcompare._validation import (
    as_array,
    check_rows,
    model_names,
    response_rows,
)
from skcompare.exceptions import DependentFoldsWarning

_TRAINED = (
    "these models, as trained on these folds (not their learning algorithms on other "
    "training rows), by "
)
_OF_FOLDS = f"{_TRAINED}the mean over folds of their scores"
_POOLED = "their out-of-fold predictions, pooled and scored as one test set"

# The models whose scores are compared, by the source of predictions without folds.
_SUBJECTS = {
    "prefit": "these two fitted models",
    "predictions": "the models behind these predictions",
}


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """Several models to compare on the same rows.

    It contains predictions but not X, unless a scorer needs X.

    Parameters
    ----------
    names : tuple of str
        The names of the models.
    y : ndarray or sparse matrix
        The truth.
    predictions : tuple of dict
        The responses of each model that scorers used, by response method.
    methods : tuple of tuple of str
        The response methods that each model has.
    statistics : dict
        A `Statistic` of these models for each metric, by name.
    units : Units
        The units to resample.
    differs : ndarray of bool, shape (n_rows,), or None
        On which rows the responses of the models differ; None to compute it.
    strata : ndarray or None
        The strata that the user passed, within which units are resampled.
    sample_weight : ndarray or None
        The weights that scorers get.
    origin : str
        The source of the predictions: "prefit", "predictions" or the splitter.
    fold, indices : ndarray or None
        With cross-validation, the fold and the position in the data of each row.
    n_distinct : int or None
        The number of rows of the data that were tested; None if it is that of the rows
        here, which is larger if some were tested several times.
    n_given : int or None
        With cross-validation, the number of rows of the data, tested or not.
    series : Caveat or None
        A caveat if models were always trained on rows that precede their test rows.
    folds_are_strata : bool
        Whether rows are resampled within folds.
    seed : int or None
        The seed of all draws.
    notes : tuple of Caveat
        Caveats about the data that apply to any test.
    models : tuple of int
        The indices of the models in the family.
    family : Problem or None
        The problem with more models that this one is a part of.
    shared : bool
        Whether to use the cells and swaps of the family.

    Attributes
    ----------
    n_rows, n_units : int
        The numbers of rows and of units.
    unit : str
        The kind of units: "rows", which may have been tested several times, or
        "groups".
    n_counted : int
        The number of units with a row of positive weight.
    subjects : dict of str
        For each metric, the models whose scores are compared, and how these are made.
    """

    names: tuple
    y: object
    predictions: tuple
    methods: tuple
    statistics: dict
    units: Units
    origin: str
    models: tuple
    differs: np.ndarray | None = None
    strata: np.ndarray | None = None
    sample_weight: np.ndarray | None = None
    fold: np.ndarray | None = None
    indices: np.ndarray | None = None
    n_distinct: int | None = None
    n_given: int | None = None
    series: Caveat | None = None
    folds_are_strata: bool = False
    seed: int | None = None
    notes: tuple = ()
    family: "Problem | None" = None
    shared: bool = False

    n_rows: int = dataclasses.field(init=False)
    n_units: int = dataclasses.field(init=False)
    unit: str = dataclasses.field(init=False)
    n_counted: int = dataclasses.field(init=False)
    subjects: dict = dataclasses.field(init=False)

    def __post_init__(self):
        weights, units = self.sample_weight, self.units
        counted = None if weights is None else units.containing(weights > 0)
        of_rows = units.groups is None or units.n_units == self.n_distinct
        pooled = _SUBJECTS.get(self.origin, _TRAINED + _POOLED)
        repeats = self.n_distinct not in (None, units.n_rows)
        computed = {
            "n_distinct": self.n_distinct if repeats else None,
            "n_rows": units.n_rows,
            "n_units": units.n_units,
            "unit": "rows" if of_rows else "groups",
            "n_counted": units.n_units if counted is None else len(counted),
            "subjects": {
                metric: _OF_FOLDS if statistic.averages_folds else pooled
                for metric, statistic in self.statistics.items()
            },
        }
        if self.differs is None:
            # Responses of different methods cannot be compared, nor can those that
            # scorers got from the models directly: all rows count as different.
            first, *others = self.predictions
            differs = np.full(units.n_rows, bool(others))
            if first and all(set(other) == set(first) for other in others):
                responses = [[own[m] for m in first] for own in self.predictions]
                differs = differing_rows(*responses)
            computed["differs"] = differs
        for name, value in computed.items():
            object.__setattr__(self, name, value)

    @property
    def sizes(self):
        """The number of rows, or the sum of weights, of each unit."""
        units = self.units
        groups = np.arange(units.n_rows) if units.groups is None else units.groups
        return np.bincount(groups, weights=self.sample_weight).astype(float)

    @property
    def swapped_units(self):
        """The units in which the models' predictions differ, so that swaps matter."""
        whole = self.family if self.shared else self
        return self.units.containing(whole.differs)

    def cells(self, n_resamples=10_000):
        """Return the cells of units and metrics, ready for resampling.

        Parameters
        ----------
        n_resamples : float, default=10000
            The planned number of resamples: the larger it is, the more time is spent
            on testing whether a user's metric is additive.

        Returns
        -------
        Cells
            The cells of the models that are compared.
        """
        own, alike = dict(self.statistics), {}
        for metric in self.statistics:
            # Metrics are recognized once for all models of a family, unless another
            # metric is called on resamples in any case.
            whole = (self.family or self).statistics[metric]
            counted = all(statistic.counted for statistic in alike.values())
            alike[metric] = whole.recognize(n_resamples) if counted else whole
            if alike[metric] is not whole:
                own[metric] = alike[metric].of_models(self.models)
        return cells_of(self.units, own, alike=alike if self.shared else None)

    def of_pair(self, i, j):
        """Return the problem of models `i` and `j`, as A and B."""
        return dataclasses.replace(
            self,
            names=(self.names[i], self.names[j]),
            predictions=(self.predictions[i], self.predictions[j]),
            methods=(self.methods[i], self.methods[j]),
            statistics={m: s.of_models((i, j)) for m, s in self.statistics.items()},
            models=(i, j),
            differs=None,
            family=self,
        )

    def with_shared_swaps(self):
        """Return the problem of a pair with the cells and swaps of its whole family.

        Pairs with the same seed then get the same resamples.
        """
        return dataclasses.replace(self, shared=True)

    def at(self, rows):
        """Return the problem restricted to some rows, without folds."""
        units, weights = self.units, self.sample_weight
        several = len(units.stratum_sizes) > 1
        strata = units.spread(units.stratum_of_unit)[rows] if several else None
        groups = None if units.groups is None else units.groups[rows]
        repeated = self.n_distinct is not None and self.indices is not None
        return dataclasses.replace(
            self,
            y=self.y[rows],
            predictions=tuple(
                {method: response_rows(r, rows) for method, r in responses.items()}
                for responses in self.predictions
            ),
            statistics={m: s.at(rows) for m, s in self.statistics.items()},
            models=tuple(range(len(self.models))),
            units=Units(len(rows), recoded(groups), recoded(strata)),
            differs=self.differs[rows],
            strata=None if self.strata is None else self.strata[rows],
            sample_weight=None if weights is None else weights[rows],
            fold=None,
            indices=None,
            n_distinct=len(np.unique(self.indices[rows])) if repeated else None,
            n_given=None,
            notes=(),
            family=None,
            shared=False,
        )

    def on_one_scale(self):
        """Return the problem with responses on one scale, so that they can be swapped.

        For metrics that do not depend on the scale of responses, those of all models
        are converted to ranks or standardized values. Scores do not change.
        """
        moved = {metric: s.on_one_scale() for metric, s in self.statistics.items()}
        differs = np.any([self.differs, *(own for _, own in moved.values())], axis=0)
        return dataclasses.replace(
            self,
            statistics={metric: statistic for metric, (statistic, _) in moved.items()},
            differs=differs,
            family=None if self.family is None else self.family.on_one_scale(),
        )

    def with_metrics(self, metrics):
        """Return the problem restricted to some metrics."""
        statistics = {metric: self.statistics[metric] for metric in metrics}
        return dataclasses.replace(self, statistics=statistics)

    def facts(self, metric):
        """Return the fields that every result for a metric has."""
        statistic = self.statistics[metric]
        return {
            "scoring": metric,
            "metrics": tuple(self.statistics),
            **facts_of_models(self.names, statistic.observed),
            "n_rows": self.n_rows,
            "n_distinct": self.n_distinct,
            "n_units": self.n_units,
            "n_strata": 1 if self.strata is None else len(np.unique(self.strata)),
            "weighted": self.sample_weight is not None,
            "cv": self.origin + ", fold-mean" * statistic.averages_folds,
            "seed": self.seed,
        }


def recoded(codes):
    """Renumber codes from 0 without gaps."""
    return None if codes is None else np.unique(codes, return_inverse=True)[1]


def problem_of_models(
    models,
    X,
    y,
    *,
    scoring=None,
    cv="prefit",
    groups=None,
    strata=None,
    sample_weight=None,
    redraws_rows=True,
    params=None,
    error_score="raise",
    n_jobs=None,
    verbose=0,
    **options,
):
    """Evaluate models on data and make a problem of their predictions.

    Parameters
    ----------
    models : dict
        Models by parameter name; with `cv` they are cloned.
    X, y : object
        The data.
    scoring : object
        As in scikit-learn.
    cv : "prefit", int, splitter, iterable or None
        Whether models are already fitted, or how clones of them are cross-validated.
    groups, strata, sample_weight : array-like or None
        Groups of rows that stay together, strata that keep their size, and weights.
    redraws_rows : bool, default=True
        Whether rows are resampled; if not, predictions are swapped, which requires the
        same responses from all models.
    params : dict or None, default=None
        With `cv`, further parameters for the fits of the models, as in
        `cross_validate`: those with one entry per row at the training rows; with
        metadata routing on, those that a model or a scorer requests.
    error_score : nan or "raise", default="raise"
        With `cv` and nan, folds on which a fit fails are left out.
    n_jobs : int or None
        The number of parallel fits.
    verbose : int, default=0
        Whether to show progress.
    **options : dict
        `aggregate`, `names` and `seed`, as in `problem_of_sample`.

    Returns
    -------
    Problem
        The problem to test.
    """
    rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
    rows = check_rows("X", X, y=y, **rows)
    weights = rows["sample_weight"]
    metrics = resolve_scoring(
        scoring,
        y=y,
        models=list(models.values()),
        has_weights=weights is not None,
        params=params,
    )
    if isinstance(cv, str):
        RULES["cv"].check("cv", cv)
        if params:
            fit_parameters_of({}, metrics, params=params)  # only scorers may use them
        sample = evaluate_fitted(models, X, y)
    else:
        routed = {"cv": cv, "groups": groups, "params": params}
        splits = shared_splits(models, X, as_array(y, "y"), **routed)
        sample = evaluate_out_of_fold(
            models,
            X,
            y,
            splits,
            metrics=list(metrics.values()),
            params=fit_parameters_of(models, metrics, sample_weight=weights, **routed),
            same_methods=not redraws_rows,
            error_score=error_score,
            n_jobs=n_jobs,
            verbose=verbose,
            origin=name_of_splits(cv, splits),
        )
        notes = notes_on_splits(models, rows["groups"], splits, as_array(y, "y"))
        sample = dataclasses.replace(sample, notes=(*notes, *sample.notes))
    options["redraws_rows"] = redraws_rows
    return problem_of_sample(sample, metrics, **rows, **options)


def problem_of_predictions(
    y_true,
    predictions,
    *,
    scoring=None,
    groups=None,
    strata=None,
    sample_weight=None,
    fold=None,
    **options,
):
    """Make a problem of existing predictions.

    Parameters
    ----------
    y_true : array-like
        The truth.
    predictions : dict
        The predictions of each model, by parameter name: arrays, or mappings from
        response method to array.
    scoring : object
        As in scikit-learn.
    groups, strata, sample_weight : array-like or None
        Groups of rows that stay together, strata that keep their size, and weights.
    fold : array-like or None, default=None
        The fold that each row was tested in, if predictions are out-of-fold.
    **options : dict
        `redraws_rows`, `aggregate`, `names` and `seed`, as in `problem_of_sample`.

    Returns
    -------
    Problem
        The problem to test.
    """
    rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
    rows = check_rows("y_true", y_true, **rows, fold=fold)
    has_weights, truth = sample_weight is not None, as_array(y_true, "y_true")
    metrics = resolve_scoring(scoring, y=truth, has_weights=has_weights)
    sample = evaluate_predictions(y_true, predictions, fold)
    return problem_of_sample(sample, metrics, **rows, **options)


def problem_of_row_scores(scores_a, scores_b, **options):
    """Make a problem of per-row scores from any source.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (n_rows,)
        The score of each model on each row; higher is better. The scores take the
        place of predictions, and their mean is the metric "score".
    **options : dict
        As in `problem_of_predictions`.

    Returns
    -------
    Problem
        The problem to test.

    Examples
    --------
    >>> problem = problem_of_row_scores([0.5, 1.0, 0.75], [0.25, 1.0, 0.5])
    >>> round(problem.facts("score")["delta"], 4)
    0.1667
    """
    predictions = {}
    for parameter, scores in {"scores_a": scores_a, "scores_b": scores_b}.items():
        array = as_array(scores, parameter, 1)
        if array.dtype.kind not in "fiub" or array.ndim != 1:
            raise ValueError(
                f"`{parameter}` must be numbers, one for each row. Got an array of "
                f"shape {array.shape} and dtype {array.dtype}."
            )
        predictions[parameter] = {"predict": array.astype(float)}
    rows = {name: options.get(name) for name in ("groups", "strata")}
    check_rows("scores_a", scores_a, scores_b=scores_b, **rows)
    scoring = {"score": make_scorer(MEAN_SCORE)}
    truth = np.zeros(len(array))
    return problem_of_predictions(truth, predictions, scoring=scoring, **options)


def _scores_and_ones(y_true, scores):
    return np.column_stack([scores, np.ones(len(scores))])


def _mean(totals):
    return totals[..., 0] / totals[..., 1]


MEAN_SCORE = AdditiveFunction(_scores_and_ones, _mean, "score", is_mean=True)


_IN_TIME = (
    "All training rows precede their test rows, as in a time series: the score is that "
    "of models trained on periods of different length. Neighboring rows may be "
    "dependent, and the test "
    "assumes that {} are independent."
)
_IN_TIME_REMEDY = (
    " If they are not, pass `groups` of dependent rows to a test that accepts groups, "
    "such as PairedBootstrap."
)


def problem_of_sample(
    sample,
    metrics,
    *,
    groups=None,
    strata=None,
    sample_weight=None,
    redraws_rows=True,
    aggregate=None,
    names=None,
    seed=None,
):
    """Score the sample and determine the units to resample.

    Rows that cross-validation tested several times hold predictions for the same data
    and are resampled together, unless `groups` are passed.

    Parameters
    ----------
    sample : Sample
        Rows, and the models' predictions for them.
    metrics : dict of Metric
        The metrics to score by.
    groups, strata, sample_weight : ndarray or None
        Groups of rows that stay together, strata that keep their size, and weights, for
        the rows of the data, as `check_rows` returns them.
    redraws_rows : bool, default=True
        Whether rows are resampled; if not, predictions are swapped.
    aggregate : {"auto", "pooled", "fold-mean"} or None, default=None
        With folds, whether out-of-fold predictions are scored as one test set or fold
        by fold; "auto" scores ranking metrics fold by fold. None pools predictions,
        with a caveat if that changes the score.
    names : sequence of str or None
        The names of the models.
    seed : int or None, default=None
        The seed of all draws.

    Returns
    -------
    Problem
        The problem to test.
    """
    rows, n_rows = sample.indices, sample.y_array.shape[0]
    if rows is not None:
        of_data = (groups, strata, sample_weight)
        tested = [None if values is None else values[rows] for values in of_data]
        groups, strata, sample_weight = tested
    # Scorers that score group by group must see a group drawn twice as two groups.
    redrawn = groups if redraws_rows else None
    sample = dataclasses.replace(sample, sample_weight=sample_weight, groups=redrawn)
    if not redraws_rows:
        sample = sample.for_swaps()
    n_distinct = n_rows if rows is None else len(np.unique(rows))
    if n_distinct < n_rows and groups is None:
        groups = rows
    given_strata = strata
    if sample.fold is None:
        if aggregate == "fold-mean":
            raise ValueError(
                "`aggregate` 'fold-mean' averages over the folds of a "
                "cross-validation. Got predictions without folds "
                f"({sample.origin}). Set `cv` to a number of folds or a splitter, or "
                "use aggregate='pooled'."
            )
        statistics = {name: as_statistic(m, sample) for name, m in metrics.items()}
        by_fold, pooled = False, []
    else:
        units = np.arange(n_rows) if groups is None else groups
        statistics, pooled = score_folds(sample, metrics, aggregate, units)
        by_fold = any(statistic.averages_folds for statistic in statistics.values())
        if by_fold and redraws_rows:
            strata = _within_folds(sample, units, strata)
        groups, strata = recoded(groups), recoded(strata)
    units = Units(n_rows, groups, strata)
    if redraws_rows and units.n_units == 1:
        raise ValueError(
            "`groups` must have at least 2 different labels: groups are resampled as a "
            "whole, and no variance can be estimated from one. Got 1."
        )
    predictions = tuple(dict(model.responses) for model in sample.models)
    series = None
    if sample.forward:
        text = _IN_TIME.format("rows" if groups is None else "groups")
        text += _IN_TIME_REMEDY if groups is None else ""
        series = Caveat(DependentFoldsWarning, text)
    return Problem(
        names=model_names(names, [model.name for model in sample.models]),
        y=sample.y_array,
        predictions=predictions,
        methods=tuple(model.methods for model in sample.models),
        statistics=statistics,
        units=units,
        strata=given_strata,
        sample_weight=sample_weight,
        origin=sample.origin,
        fold=sample.fold,
        indices=rows,
        n_distinct=n_distinct,
        n_given=sample.n_given,
        series=series,
        folds_are_strata=by_fold and redraws_rows,
        seed=seed,
        notes=(
            *(note for metric in metrics.values() for note in metric.notes),
            *sample.notes,
            *pooled,
            *notes_on_labels(sample, metrics, statistics),
        ),
        models=tuple(range(len(predictions))),
    )


def _within_folds(sample, units, strata):
    """Return folds, subdivided by strata; raise an error unless units nest in folds."""
    fold_of_pair, unit_of_pair = np.unique(np.stack([sample.fold, units]), axis=1)
    if len(np.unique(unit_of_pair)) < len(unit_of_pair):
        if len(np.unique(sample.indices)) < len(sample.indices):
            raise ValueError(
                "`aggregate` 'fold-mean' resamples rows within folds, so `cv` must "
                "test each row once. Got rows that are tested several times "
                f"({sample.origin}). For repeated cross-validation use CorrectedTTest, "
                "or aggregate='pooled'."
            )
        raise ValueError(
            "`groups` must nest in folds with aggregate='fold-mean', which resamples "
            "groups within folds. Got groups with rows in several folds "
            f"({sample.origin}). Use a splitter such as GroupKFold, or "
            "aggregate='pooled'."
        )
    if np.bincount(fold_of_pair).max() < 2:
        raise ValueError(
            "`aggregate` 'fold-mean' resamples rows, or groups, within folds, so folds "
            f"must have several of them. Got one per fold ({sample.origin}). Use fewer "
            "folds, or aggregate='pooled'."
        )
    return sample.fold if strata is None else sample.fold * (strata.max() + 1) + strata
