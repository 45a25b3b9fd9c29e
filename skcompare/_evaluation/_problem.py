"""What a test is asked: models and metrics on rows, and what is redrawn together."""

import dataclasses

import numpy as np

from skcompare._engine import (
    Units,
    at_rows,
    cells_of,
    differing_rows,
    of_models,
    on_one_scale,
    recognized,
    response_rows,
)


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
        n_units = n_counted = units.n_units
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

    def cells(self, n_resamples=10_000):
        """Return units and metrics, ready for resampling.

        Parameters
        ----------
        n_resamples : float, default=10000
            The number of resamples to come: the more, the more it is worth to find out
            whether a metric of the user's own adds up.

        Returns
        -------
        Cells
            Of the models that are compared.
        """
        own, alike = (
            {m: recognized(s, n_resamples) for m, s in problem.statistics.items()}
            for problem in (self, self.family or self)
        )
        statistics = {m: of_models(s, self.models) for m, s in own.items()}
        alike = None if self.family is None else alike
        return cells_of(self.units, statistics, alike=alike)

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
            differs=differing(predictions, self.n_rows),
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
            units=Units(len(rows), recoded(groups), recoded(strata)),
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


def recoded(codes):
    """Number the codes that occur from 0 on, without gaps."""
    return None if codes is None else np.unique(codes, return_inverse=True)[1]


def differing(predictions, n_rows):
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
