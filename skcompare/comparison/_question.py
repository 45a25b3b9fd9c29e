"""What a test is asked: a sample, the units to redraw, and one statistic a metric."""

import dataclasses
import functools

import numpy as np

from skcompare.comparison._aggregate import POOLED
from skcompare.comparison._layout import lay_out
from skcompare.inference import rounding_tolerance
from skcompare.resampling import Units
from skcompare.statistics import Sample

__all__ = ["Question", "pose_question"]


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """All that a test needs to know.

    Parameters
    ----------
    sample : Sample
        Rows and answers.
    units : Units
        What is redrawn together.
    statistics : dict
        A `Statistic` for each metric, by name.
    seed : int
        The seed of all draws.
    aggregate : object
        How the answers of folds become one score.
    pair : tuple of int, default=(0, 1)
        The places of A and B among the scores of `statistics`.
    family : Question or None, default=None
        The question about more models, if this one is to share its cells and swaps.
    known : dict
        What draws have given so far, by what they are called.
    """

    sample: Sample
    units: Units
    statistics: dict
    seed: int
    aggregate: object = POOLED
    pair: tuple = (0, 1)
    family: "Question | None" = None
    known: dict = dataclasses.field(default_factory=dict)

    @property
    def subject(self):
        """Whose scores are compared, in words."""
        return self.aggregate.subject(self.sample)

    @functools.cached_property
    def aggregate_caveat(self):
        """What users must be told about scores over folds, None if nothing."""
        return self.aggregate.caveat(self.sample, self.statistics)

    @functools.cached_property
    def layout(self):
        """The units and metrics, ready for resampling."""
        everyone = self.family or self
        return lay_out(self.units, self.statistics, alike=everyone.statistics)

    @property
    def n_weighty_units(self):
        """How many units have a row that counts: one with a weight above 0."""
        weights = self.sample.sample_weight
        if weights is None:
            return len(self.units)
        return len(self.units.containing(weights > 0))

    def discordant_units(self):
        """Return the units to which the models answer differently."""
        everyone = self.family or self
        return self.units.containing(everyone.sample.discordant_rows())

    def of_pair(self, i, j):
        """Return the question about models number i and j, laid out as for all."""
        view = dataclasses.replace(
            self, sample=self.sample.of_pair(i, j), pair=(i, j), known={}
        )
        vars(view).update(layout=self.layout, aggregate_caveat=self.aggregate_caveat)
        return view

    def within(self, family):
        """Return the question with cells and swaps as in that about more models."""
        return dataclasses.replace(self, family=family, known={})

    def trouble(self, metric):
        """Return what a scorer raised on some resample, None if that is not known."""
        statistic = self.layout.statistics[metric]
        return getattr(statistic, "trouble", None)

    def tolerance(self, metric, scores):
        """Return how far apart differences of scores may be by rounding alone."""
        return rounding_tolerance(scores, self.statistics[metric].scale)

    def facts(self, metric):
        """Return the fields of a result that are known before any resampling."""
        statistic, sample = self.statistics[metric], self.sample
        score_a, score_b = (statistic.observed[model] for model in self.pair)
        name_a, name_b = (answers.name for answers in sample.answers)
        return {
            "scoring": metric,
            "metrics": tuple(self.statistics),
            "score_a": score_a,
            "score_b": score_b,
            "delta": score_a - score_b,
            "name_a": name_a,
            "name_b": name_b,
            "n_rows": sample.n_rows,
            "n_units": len(self.units),
            "cv": self.aggregate.origin(sample),
            "seed": self.seed,
        }


def pose_question(
    sample, scorers, *, groups, strata, seed, aggregate=POOLED, redraws_rows=True
):
    """Score the sample and settle what is redrawn.

    Rows that cross-validation tested several times are answers to the same data and
    are redrawn together, unless `groups` say more.

    Parameters
    ----------
    sample : Sample
        Rows and answers.
    scorers : dict
        Scorers by name.
    groups, strata : ndarray or None
        Codes of the rows of the data.
    seed : int
        The seed of all draws.
    aggregate : object
        How the answers of folds become one score.
    redraws_rows : bool, default=True
        Whether the test redraws rows; if not, they stay in their folds anyway.

    Returns
    -------
    Question
        What the test is asked.
    """
    if groups is not None and redraws_rows:
        own = groups if sample.indices is None else groups[sample.indices]
        sample = dataclasses.replace(sample, groups=own)
    statistics = {
        name: aggregate.statistic(scorer, name, sample)
        for name, scorer in scorers.items()
    }
    if sample.indices is not None:
        repeated = len(np.unique(sample.indices)) < sample.n_rows
        by_row = sample.indices if repeated else None
        groups = by_row if groups is None else groups[sample.indices]
        strata = None if strata is None else strata[sample.indices]
    if redraws_rows:
        strata = aggregate.strata(sample, groups, strata)
    units = Units(sample.n_rows, recode(groups), recode(strata))
    if redraws_rows:
        _check_several(units)
    return Question(
        sample=sample,
        units=units,
        statistics=statistics,
        seed=seed,
        aggregate=aggregate,
    )


def _check_several(units):
    if len(units) == 1:
        raise ValueError(
            "`groups` must have at least 2 different labels: groups are redrawn as a "
            "whole, and a single one shows no variance. Got 1."
        )


def check_can_be_redrawn(units):
    """Check that redrawing units can give anything but the sample itself."""
    if (units.stratum_sizes == 1).all():
        raise ValueError(
            "`strata` must leave something to redraw: at least one of them with 2 rows "
            f"or groups. Got {len(units)} strata, or folds, of one each."
        )


def recode(codes):
    """Number the codes that occur from 0 on, without gaps."""
    return None if codes is None else np.unique(codes, return_inverse=True)[1]
