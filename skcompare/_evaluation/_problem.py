"""What a test is asked: models and metrics on rows, and what is redrawn together."""

import dataclasses

import numpy as np
from sklearn.metrics import make_scorer

from skcompare._caveats import Caveat
from skcompare._engine import (
    Folds,
    Units,
    at_rows,
    cells_of,
    differing_rows,
    of_models,
    on_one_scale,
    response_rows,
)
from skcompare._engine.additive import AdditiveFunction
from skcompare._evaluation._cross_validation import evaluate_out_of_fold
from skcompare._evaluation._labels import label_note
from skcompare._evaluation._predictions import evaluate_predictions
from skcompare._evaluation._prefit import evaluate_fitted
from skcompare._evaluation._scoring import resolve_scoring
from skcompare._evaluation._statistics import as_statistic, fold_mean_statistic
from skcompare._frames import check_same_order
from skcompare._validation import (
    as_array,
    as_labels,
    as_weights,
    check_option,
    check_same_length,
    number_of_rows,
    without_lone_column,
)
from skcompare.exceptions import PooledScoreWarning


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """Several models to compare on the same rows.

    It holds predictions and no X, unless a scorer that has to see X does.

    Parameters
    ----------
    names : tuple of str
        What the models are called.
    y : ndarray or sparse matrix
        The truth.
    predictions : tuple of dict
        The responses of each model that scorers asked for, by response method.
    methods : tuple of tuple of str
        The response methods that each model has.
    statistics : dict
        A `Statistic` of all models for each metric, by name.
    units : Units
        What is redrawn together.
    differs : ndarray of bool, shape (n_rows,)
        On which rows the responses of the models differ.
    sample_weight : ndarray or None
        The weights that scorers get.
    origin : str
        Where predictions come from: "prefit", "predictions" or the splitter.
    subject : str
        Whose scores are compared, in words.
    fold, indices : ndarray or None
        With cross-validation, the fold and the position in the data of each row.
    n_given : int or None
        With cross-validation, the number of rows of the data, tested or not.
    forward : bool
        Whether models were always trained on rows before those that they were tested
        on.
    folds_are_strata : bool
        Whether rows are redrawn within folds.
    seed : int or None
        The seed of all draws.
    notes : tuple of Caveat
        What is unusual about the data, whatever the test.
    models : tuple of int
        Which models of the statistics are compared.
    family : Problem or None
        The problem of more models whose cells and swaps this one shares.

    Attributes
    ----------
    n_rows, n_units : int
        The numbers of rows and of units.
    unit : str
        What is redrawn, in a word: "rows" or "groups".
    n_counted : int
        The number of units with a row that counts: one with a weight above 0.
    """

    names: tuple
    y: object
    predictions: tuple
    methods: tuple
    statistics: dict
    units: Units
    differs: np.ndarray
    origin: str
    subject: str
    models: tuple
    sample_weight: np.ndarray | None = None
    fold: np.ndarray | None = None
    indices: np.ndarray | None = None
    n_given: int | None = None
    forward: bool = False
    folds_are_strata: bool = False
    seed: int | None = None
    notes: tuple = ()
    family: "Problem | None" = None

    n_rows: int = dataclasses.field(init=False)
    n_units: int = dataclasses.field(init=False)
    unit: str = dataclasses.field(init=False)
    n_counted: int = dataclasses.field(init=False)

    def __post_init__(self):
        weights, units = self.sample_weight, self.units
        n_units = n_counted = len(units)
        if weights is not None:
            n_counted = len(units.containing(weights > 0))
        computed = {
            "n_rows": units.n_rows,
            "n_units": n_units,
            "unit": "rows" if units.groups is None else "groups",
            "n_counted": n_counted,
        }
        for name, value in computed.items():
            object.__setattr__(self, name, value)

    @property
    def sizes(self):
        """The number of rows of each unit, or the sum of their weights."""
        units = self.units
        groups = np.arange(units.n_rows) if units.groups is None else units.groups
        return np.bincount(groups, weights=self.sample_weight).astype(float)

    @property
    def swapped_units(self):
        """The units whose predictions can be swapped to some effect."""
        return self.units.containing((self.family or self).differs)

    def statistic(self, metric):
        """Return the statistic of a metric of the models that are compared."""
        return of_models(self.statistics[metric], self.models)

    def cells(self):
        """Return units and metrics, ready for resampling."""
        statistics = {metric: self.statistic(metric) for metric in self.statistics}
        family = self.family
        return cells_of(
            self.units, statistics, alike=None if family is None else family.statistics
        )

    def of_pair(self, i, j, *, shared=False):
        """Return the problem of models number i and j.

        Parameters
        ----------
        i, j : int
            The numbers of A and of B.
        shared : bool, default=False
            Whether cells and swaps are to be those of all models, so that pairs with
            the same seed are redrawn alike.
        """
        predictions = (self.predictions[i], self.predictions[j])
        return dataclasses.replace(
            self,
            names=(self.names[i], self.names[j]),
            predictions=predictions,
            methods=(self.methods[i], self.methods[j]),
            models=(self.models[i], self.models[j]),
            differs=_differing(predictions, self.n_rows),
            family=self if shared else None,
        )

    def at(self, rows):
        """Return the problem of some of the rows, which have no folds any more."""
        units, weights = self.units, self.sample_weight
        strata = None
        if len(units.stratum_sizes) > 1:
            strata = units.spread(units.stratum_of_unit)[rows]
        groups = None if units.groups is None else units.groups[rows]
        return dataclasses.replace(
            self,
            y=self.y[rows],
            predictions=tuple(
                {method: response_rows(r, rows) for method, r in responses.items()}
                for responses in self.predictions
            ),
            statistics={
                metric: at_rows(self.statistic(metric), rows)
                for metric in self.statistics
            },
            models=tuple(range(len(self.models))),
            units=Units(len(rows), _recoded(groups), _recoded(strata)),
            differs=self.differs[rows],
            sample_weight=None if weights is None else weights[rows],
            fold=None,
            indices=None,
            n_given=None,
            notes=(),
            family=None,
        )

    def on_one_scale(self):
        """Return the problem with responses that models can exchange.

        To metrics for which the scale of responses does not matter, those of all models
        are on the same: ranks, or standardized values. Scores stay as they are.
        """
        moved = {metric: on_one_scale(s) for metric, s in self.statistics.items()}
        differs = np.any([self.differs, *(own for _, own in moved.values())], axis=0)
        return dataclasses.replace(
            self,
            statistics={metric: statistic for metric, (statistic, _) in moved.items()},
            differs=differs,
            family=None if self.family is None else self.family.on_one_scale(),
        )

    def with_metrics(self, metrics):
        """Return the problem in some of the metrics only."""
        statistics = {metric: self.statistics[metric] for metric in metrics}
        return dataclasses.replace(self, statistics=statistics)

    def facts(self, metric):
        """Return the fields of any result about two models in a metric."""
        observed = self.statistics[metric].observed
        score_a, score_b = (observed[model] for model in self.models)
        name_a, name_b = self.names
        return {
            "scoring": metric,
            "metrics": tuple(self.statistics),
            "score_a": score_a,
            "score_b": score_b,
            "delta": score_a - score_b,
            "name_a": name_a,
            "name_b": name_b,
            "n_rows": self.n_rows,
            "n_units": self.n_units,
            "cv": self.origin,
            "seed": self.seed,
        }


def problem_of_models(
    models,
    X,
    y,
    *,
    scoring=None,
    cv="prefit",
    aggregate=None,
    groups=None,
    strata=None,
    sample_weight=None,
    names=None,
    redraws_rows=True,
    params=None,
    n_jobs=None,
    verbose=0,
):
    """Ask models about rows and make a problem of what they predict.

    Parameters
    ----------
    models : dict
        Models by parameter name; with `cv` they are cloned.
    X, y : object
        The data.
    scoring : object
        As in scikit-learn.
    cv : "prefit", int, splitter, iterable or None
        Whether models are fitted already, or how clones of them are cross-validated.
    aggregate : {"auto", "pooled", "fold-mean"} or None, default=None
        With `cv`, whether out-of-fold predictions are scored as one test set, or each
        fold by itself; "auto" does the latter for ranking metrics. None pools them, and
        notes where that is another score.
    groups, strata, sample_weight : array-like or None
        What belongs together, what keeps its size, what counts how much.
    names : sequence of str or None
        What to call the models.
    redraws_rows : bool, default=True
        Whether rows are redrawn; if not, predictions are swapped, so that all models
        must be asked for the same responses.
    params : dict or None, default=None
        With `cv`, further parameters for the fits of the models, as in
        `cross_validate`: those with one entry per row at the training rows; with
        metadata routing on, those that a model requests.
    n_jobs : int or None
        The number of fits at a time.
    verbose : int, default=0
        Whether to show progress.

    Returns
    -------
    Problem
        Without a seed.
    """
    weights = as_weights(sample_weight)
    rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
    check_rows("X", X, y=y, **rows)
    metrics = resolve_scoring(
        scoring,
        y=y,
        models=list(models.values()),
        has_weights=weights is not None,
    )
    asked = {"sample_weight": weights, "same_methods": not redraws_rows}
    if isinstance(cv, str):
        check_option("cv", cv, ("prefit",))
        sample = evaluate_fitted(models, X, y, **asked)
    else:
        sample = evaluate_out_of_fold(
            models,
            X,
            y,
            cv=cv,
            metrics=list(metrics.values()),
            groups=groups,
            params=params,
            n_jobs=n_jobs,
            verbose=verbose,
            **asked,
        )
    return _problem(sample, metrics, aggregate, groups, strata, names, redraws_rows)


def problem_of_predictions(
    y_true,
    predictions,
    *,
    scoring=None,
    aggregate=None,
    groups=None,
    strata=None,
    sample_weight=None,
    names=None,
    redraws_rows=True,
    fold=None,
):
    """Make a problem of predictions that are there already.

    Parameters
    ----------
    y_true : array-like
        The truth.
    predictions : dict
        The predictions of each model, by parameter name: arrays, or mappings from
        response method to array.
    scoring, aggregate, groups, strata, sample_weight, names, redraws_rows : object
        As in `problem_of_models`.
    fold : array-like or None, default=None
        The fold that each row was tested in, if predictions are out-of-fold.

    Returns
    -------
    Problem
        Without a seed.
    """
    weights = as_weights(sample_weight)
    rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
    check_rows("y_true", y_true, **rows)
    metrics = resolve_scoring(
        scoring, y=as_array(y_true, "y_true"), has_weights=weights is not None
    )
    sample = evaluate_predictions(
        y_true,
        predictions,
        sample_weight=weights,
        same_methods=not redraws_rows,
        fold=fold,
    )
    return _problem(sample, metrics, aggregate, groups, strata, names, redraws_rows)


def problem_of_row_scores(
    scores_a,
    scores_b,
    *,
    groups=None,
    strata=None,
    names=None,
    redraws_rows=True,
):
    """Make a problem of scores of rows, from wherever they come.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (n_rows,)
        What each model scores on each row; higher is better. They take the place of
        predictions, and their mean is the metric "score".
    groups, strata, names, redraws_rows : object
        As in `problem_of_models`.

    Returns
    -------
    Problem
        Without a seed.

    Examples
    --------
    >>> problem = problem_of_row_scores([0.5, 1.0, 0.75], [0.25, 1.0, 0.5])
    >>> round(problem.facts("score")["delta"], 4)
    0.1667
    """
    predictions = {}
    for parameter, scores in {"scores_a": scores_a, "scores_b": scores_b}.items():
        array = without_lone_column(as_array(scores, parameter))
        if array.dtype.kind not in "fiub" or array.ndim != 1:
            raise ValueError(
                f"`{parameter}` must be numbers, one for each row. Got an array of "
                f"shape {array.shape} and dtype {array.dtype}."
            )
        predictions[parameter] = {"predict": array.astype(float)}
    check_rows("scores_a", scores_a, scores_b=scores_b)
    return problem_of_predictions(
        np.zeros(number_of_rows(scores_a, "scores_a")),
        predictions,
        scoring={"score": make_scorer(MEAN_SCORE)},
        groups=groups,
        strata=strata,
        names=names,
        redraws_rows=redraws_rows,
    )


def _scores_and_ones(y_true, scores):
    return np.column_stack([scores, np.ones(len(scores))])


def _mean(totals):
    return totals[..., 0] / totals[..., 1]


MEAN_SCORE = AdditiveFunction(_scores_and_ones, _mean, "score", is_mean=True)


def check_rows(name, values, **others):
    """Check that there are two rows or more, one entry for each, in the same order."""
    n_rows = number_of_rows(values, name)
    if n_rows < 2:
        raise ValueError(
            f"`{name}` must have at least 2 rows to compare models on. "
            f"Got n_samples = {n_rows}."
        )
    check_same_length((name, n_rows), **others)
    check_same_order(**{name: values}, **others)


def _problem(sample, metrics, aggregate, groups, strata, names, redraws_rows):
    """Score the sample and settle what is redrawn.

    Rows that cross-validation tested several times are predictions for the same data
    and are redrawn together, unless `groups` say more.
    """
    if aggregate == "fold-mean" and sample.fold is None:
        raise ValueError(
            "`aggregate` 'fold-mean' averages over the folds of a cross-validation. "
            f"Got predictions without folds ({sample.origin}). Give `cv` a number of "
            "folds or a splitter, or use aggregate='pooled'."
        )
    groups = None if groups is None else as_labels(groups, "groups")
    strata = None if strata is None else as_labels(strata, "strata")
    if groups is not None and redraws_rows:
        # To scorers that score group by group, a group drawn twice is two groups.
        own = groups if sample.indices is None else groups[sample.indices]
        sample = dataclasses.replace(sample, groups=own)
    statistics, by_fold = _score(sample, metrics, aggregate, groups)
    if sample.indices is not None:
        repeated = len(np.unique(sample.indices)) < sample.n_rows
        by_row = sample.indices if repeated else None
        groups = by_row if groups is None else groups[sample.indices]
        strata = None if strata is None else strata[sample.indices]
    if by_fold and redraws_rows:
        strata = _within_folds(sample, groups, strata)
    groups, strata = _recoded(groups), _recoded(strata)
    predictions = tuple(model.responses for model in sample.models)
    differs = _differing(predictions, sample.y_array.shape[0])
    units = Units(len(differs), groups, strata)
    if redraws_rows and len(units) == 1:
        raise ValueError(
            "`groups` must have at least 2 different labels: groups are redrawn as a "
            "whole, and a single one shows no variance. Got 1."
        )
    pooled = None
    if aggregate != "pooled":  # which who says so knows
        others = {name: s for name, s in statistics.items() if name not in by_fold}
        pooled = _pooling_note(sample, others)
    labels = [
        (model.name, responses["predict"])
        for model, responses in zip(sample.models, predictions, strict=True)
        if model.classes is not None and "predict" in responses
    ]
    subject = "models trained on such folds, by the mean over folds of their scores"
    all_by_fold = len(by_fold) == len(statistics)
    return Problem(
        names=tuple(names or (model.name for model in sample.models)),
        y=sample.y_array,
        predictions=predictions,
        methods=tuple(model.own_methods for model in sample.models),
        statistics=statistics,
        units=units,
        differs=differs,
        sample_weight=sample.sample_weight,
        origin=f"{sample.origin}, fold-mean" if all_by_fold else sample.origin,
        subject=subject if all_by_fold else sample.subject,
        fold=sample.fold,
        indices=sample.indices,
        n_given=sample.n_given,
        forward=sample.forward,
        folds_are_strata=bool(by_fold) and redraws_rows,
        notes=tuple(
            filter(None, [*sample.notes, pooled, label_note(sample.y_array, labels)])
        ),
        models=tuple(range(len(predictions))),
    )


def _score(sample, metrics, aggregate, groups):
    """Return the statistics of all metrics, and which of them are means over folds.

    Scores of different models put into one ranking are biased. So ranking metrics are
    averaged over folds where nothing else is asked for, and where folds can be redrawn
    by themselves: rows are tested once, and groups nest in folds.
    """
    if aggregate == "fold-mean":
        of_folds = {n: fold_mean_statistic(m, sample) for n, m in metrics.items()}
        return of_folds, set(of_folds)
    statistics = {name: as_statistic(m, sample) for name, m in metrics.items()}
    if aggregate != "auto" or sample.fold is None:
        return statistics, set()
    rows = np.arange(sample.n_rows) if sample.indices is None else sample.indices
    units = rows if groups is None else groups[rows]
    pairs = np.unique(np.stack([units, sample.fold]), axis=1)
    if len(np.unique(rows)) < len(rows) or len(np.unique(units)) < pairs.shape[1]:
        return statistics, set()
    by_fold = {name for name, s in statistics.items() if s.engine == "ranking"}
    if by_fold:
        _check_folds_can_be_ranked(sample)
    of_folds = {n: fold_mean_statistic(metrics[n], sample) for n in by_fold}
    return statistics | of_folds, by_fold


def _check_folds_can_be_ranked(sample):
    """Raise an error if a fold has a single class, which leaves nothing to rank."""
    alike = [
        rows for rows in Folds(sample.fold) if len(np.unique(sample.y_array[rows])) < 2
    ]
    if sample.y_array.ndim == 1 and alike:
        raise ValueError(
            "`aggregate` 'auto' takes the mean over folds of ranking metrics, which "
            f"need two classes in every fold. Got {len(alike)} folds with one class. "
            "Use a stratified splitter, fewer folds, or aggregate='pooled', which puts "
            "scores of different models into one ranking."
        )


def _recoded(codes):
    """Number the codes that occur from 0 on, without gaps."""
    return None if codes is None else np.unique(codes, return_inverse=True)[1]


def _differing(predictions, n_rows):
    """Say for each row whether some models predict differently.

    Responses by different methods cannot be compared, nor can those that scorers have
    got past us: all rows count.
    """
    first, *others = predictions
    if not others:
        return np.zeros(n_rows, dtype=bool)
    if not first or any(set(other) != set(first) for other in others):
        return np.ones(n_rows, dtype=bool)
    pairs = [(first[m], other[m]) for other in others for m in first]
    return np.any([differing_rows(*pair) for pair in pairs], axis=0)


def _within_folds(sample, groups, strata):
    """Return the folds, divided further by strata, if units nest in them."""
    units = np.arange(sample.n_rows) if groups is None else groups
    fold_of_pair, unit_of_pair = np.unique(np.stack([sample.fold, units]), axis=1)
    if len(np.unique(unit_of_pair)) < len(unit_of_pair):
        if len(np.unique(sample.indices)) < sample.n_rows:
            raise ValueError(
                "`aggregate` 'fold-mean' redraws rows within folds, so `cv` must test "
                "each row once. Got rows that are tested several times "
                f"({sample.origin}). For repeated cross-validation use CorrectedTTest, "
                "or aggregate='pooled'."
            )
        raise ValueError(
            "`groups` must nest in folds with aggregate='fold-mean', which redraws "
            "groups within folds. Got groups with rows in several folds "
            f"({sample.origin}). Use a splitter such as GroupKFold, or "
            "aggregate='pooled'."
        )
    if np.bincount(fold_of_pair).max() < 2:
        raise ValueError(
            "`aggregate` 'fold-mean' redraws rows, or groups, within folds, so folds "
            f"must have several of them. Got one in each ({sample.origin}). Use fewer "
            "folds, or aggregate='pooled'."
        )
    return sample.fold if strata is None else sample.fold * (strata.max() + 1) + strata


def _pooling_note(sample, statistics):
    """Say so if the pooled score of some metric is not the mean over folds.

    A score is a mean of per-row scores exactly when the scores of the folds, weighted
    by their sizes, average to the score of the whole: that is computed and compared.
    """
    if sample.fold is None:
        return None
    apart = [name for name, s in statistics.items() if not _is_row_average(s, sample)]
    if not apart:
        return None
    return Caveat(
        PooledScoreWarning,
        f"{', '.join(apart)} of pooled out-of-fold responses is not the mean of the "
        "fold scores: it is not a mean of per-row scores. The difference is that of "
        "the pooled score. PairedBootstrap and ApproxRandomization take the mean of "
        "fold scores with aggregate='fold-mean'.",
    )


def _is_row_average(statistic, sample):
    scores = statistic.by_fold(sample.fold)
    sizes = np.bincount(_recoded(sample.fold), weights=statistic.sample_weight)
    if not np.isfinite(scores).all() or not np.sum(sizes) > 0:
        return False
    means = np.average(scores, axis=1, weights=sizes)
    return np.allclose(means, statistic.observed, rtol=1e-9, atol=1e-12)
