"""Posterior distributions of scores: sampling and caveats."""

import dataclasses
import functools
from typing import NamedTuple

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import (
    Cells,
    ConfusionDraws,
    GammaDraws,
    Misrecognized,
    Resampler,
    as_weighable,
    cells_with_prior,
    confirm,
    confusion_model,
    is_label_metric,
    random_weights,
)
from skcompare._format import format_count
from skcompare.comparison._base import FEWEST_UNITS, result_attributes, size_caveats
from skcompare.comparison._bounds import (
    FEWEST_OF_CLASS,
    n_signs_of,
    units_of_rarest_class,
)
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.stats.posterior import PosteriorSummary

# Gamma variables with smaller shapes are often 0 in floating point.
LEAST_PRIOR = 0.01

# Brief caveat for the sentence of a result whose posterior is a single point.
NO_SPREAD = "no draw varies"

_FEW = (
    f"A posterior from only {{}} (fewer than {FEWEST_UNITS}) reflects only these and "
    "is too narrow."
)
_SINGLE = (
    "The weight of a unit alone in its stratum is fixed: the posterior is too narrow. "
    "Merge small strata."
)

_UNEVEN = (
    "the posterior is too narrow. The type I error of WildClusterBootstrap is closer "
    "to the nominal level, for metrics that add up over rows."
)

# For errors and advice, with placeholders for the kind of posterior and the scorer.
TAKES_PLAIN_ROWS = (
    "`posterior` {!r} treats every row as an independent draw and does not support "
    "groups, strata or rows that are tested several times. Use posterior='paired', "
    "which does."
)
TAKES_COUNTS = (
    "`posterior` 'independent' supports only accuracy, precision, recall and F "
    "(binary, micro and macro). Got the scorer {!r}. posterior='paired' takes any "
    "scorer that takes weights."
)

# With fewer units on which predictions differ, a sign test cannot be significant at
# 0.05 even if all of them favor the same model: p = 2 / 2**5 for five.
FEWEST_DISCORDANT = 6


@result_attributes(*PosteriorSummary._fields)
class GivesPosterior:
    """Mixin for comparisons that return a `PosteriorResult`."""

    gives = "posterior"


class ScoreDraws(NamedTuple):
    """Sampler for the posterior of the scores of two models in a metric.

    Attributes
    ----------
    resampler : Resampler
        Draws resamples and scores them.
    engine : str
        Name of the method that computes the scores.
    model : str
        The assumptions of the posterior, in words.
    cells : Cells or None
        The weighted cells, if rows are weighted.
    """

    resampler: Resampler
    engine: str
    model: str
    cells: Cells | None = None

    def scores(self, evaluate, seed):
        """Return drawn scores of shape (n_draws, 2), and the engine that computed them.

        Parameters
        ----------
        evaluate : callable
            Draws from a resampler and scores the draws.
        seed : int
            The seed of the draws.
        """
        scores = evaluate(self.resampler)
        if self.cells is None:
            return scores, self.engine
        try:
            confirm(self.cells, self.resampler, scores, seed)
        except Misrecognized:  # scores differ for some weights: call the scorer on all
            by_rows = random_weights(self.cells.by_rows())
            return evaluate(by_rows)[:, 0], "generic"
        return scores[:, 0], self.engine


@dataclasses.dataclass(frozen=True)
class PairedPosterior:
    """Bayesian bootstrap: the units of the sample get Dirichlet weights.

    Parameters
    ----------
    prior : float
        Pseudo-count of each of the two ways in which models can disagree, per class.
    """

    prior: float

    def check(self, problem):
        """Yield caveats, or raise if no weights can vary."""
        n_units, unit = problem.units.n_units, problem.unit
        if not problem.differs.any():
            without = [m for m in problem.statistics if not self._has_prior(problem, m)]
            conclusion = "the difference is 0, and its uncertainty comes from the prior"
            if without:
                conclusion = (
                    f"the posterior of the difference in {', '.join(without)} is "
                    "exactly 0 and decides nothing, since it does not reflect "
                    "unobserved predictions"
                )
            text = (
                f"Both models predict the same on all {n_units} {unit}: {conclusion}. "
                "By the rule of three, models that disagree on up to "
                f"{min(1.0, 3 / n_units):.2g} of all {unit} may show no disagreement "
                "in one of twenty samples."
            )
            brief = NO_SPREAD if without else ""
            yield Caveat(DegenerateDataWarning, text, brief=brief)
        caveat = next(size_caveats(problem, _FEW, _SINGLE, _UNEVEN), None)
        if caveat is None and problem.differs.any():
            caveat = self._few_informative_caveat(problem)
        yield caveat
        consequence = "every draw is scikit-learn's value for 0 / 0, in"
        yield _no_rows_caveat(problem, consequence)
        for metric in problem.statistics:
            yield _rare_class_caveat(problem, metric)

    def _has_prior(self, problem, metric):
        return self.prior > 0 and is_label_metric(problem.statistics[metric])

    def _few_informative_caveat(self, problem):
        """Return a caveat if only a few units can affect a metric, else None."""
        few = {}
        for metric in problem.statistics:
            cells = problem.with_metrics([metric]).cells()
            n = n_signs_of(problem, metric, cells)
            # Without a prior, a score that cannot vary is covered by another caveat.
            if (n or self._has_prior(problem, metric)) and n < FEWEST_DISCORDANT:
                few[metric] = n
        if not few:
            return None
        listed = ", ".join(f"{metric}: {n}" for metric, n in few.items())
        consequence = "reflects only these and overstates the certainty of the sign"
        brief = f"few {problem.unit} affect the score"
        if all(self._has_prior(problem, metric) for metric in few):
            consequence, brief = "depends as much on its prior as on these", ""
        return Caveat(
            SmallSampleWarning,
            f"Few of the {problem.units.n_units} {problem.unit} have predictions whose "
            f"difference affects the score ({listed}), fewer than {FEWEST_DISCORDANT}: "
            f"the posterior {consequence}.",
            brief=brief,
        )

    def of(self, problem, metric):
        """Return the `ScoreDraws` of two models in a metric, or raise."""
        statistic, trouble = as_weighable(problem.statistics[metric])
        if statistic is None:
            raise ValueError(
                f"`posterior` 'paired' weights rows, and the scorer {metric!r} does "
                f"not take `sample_weight`: {trouble.rstrip('.')}. PairedBootstrap and "
                "ApproxRandomization, which resample or swap rows, take any scorer."
            )
        cells = cells_with_prior(problem.units, metric, statistic, self.prior)
        model = (
            "rows of the population are like those observed, in proportions with a "
            "Dirichlet posterior (Bayesian bootstrap)"
        )
        if self._has_prior(problem, metric):
            model += (
                f"; {self.prior:g} pseudo-counts for each of the two ways in which "
                "only one model is right"
            )
        return ScoreDraws(random_weights(cells), cells.engines[metric], model, cells)


@dataclasses.dataclass(frozen=True)
class SeparatePosterior:
    """Separate posteriors of two models, for rows without groups, strata or weights."""

    prior: float

    # The value of the parameter `posterior`.
    name = None

    def check(self, problem):
        """Yield caveats, or raise for weights, groups or strata."""
        if problem.sample_weight is not None:
            raise ValueError(
                f"`sample_weight` cannot be used with posterior={self.name!r}, which "
                "needs whole counts. Use posterior='paired'."
            )
        units = problem.units
        if units.groups is not None or len(units.stratum_sizes) > 1:
            raise ValueError(TAKES_PLAIN_ROWS.format(self.name))
        if not problem.differs.any():
            yield Caveat(
                DegenerateDataWarning,
                "Both models predict the same on all rows, but "
                f"posterior={self.name!r} ignores that they were evaluated on the same "
                "rows, so its differences are due to chance. Use posterior='paired'.",
            )


class IndependentPosterior(SeparatePosterior):
    """Separate posteriors of accuracy, precision, recall and F of two models.

    Parameters
    ----------
    prior : float
        Parameter of the Dirichlet prior of true positives, false positives and false
        negatives; for accuracy, of the Beta prior of right and wrong predictions.
    """

    name = "independent"

    def check(self, problem):
        """Yield caveats, or raise."""
        yield from super().check(problem)
        yield _no_rows_caveat(problem, "the posterior is the prior in")

    def of(self, problem, metric):
        """Return the `ScoreDraws` of two models in a metric, or raise."""
        statistic = problem.statistics[metric]
        counts, rows = statistic.set_counts, statistic.row_scores()
        if is_set_score(counts):
            shapes = np.stack([counts.tp, counts.fp, counts.fn])
            score, engine = functools.partial(score_gammas, counts), "gamma/labels"
            model = (
                "counts of each label are multinomial, with a Dirichlet prior of "
                "parameter"
            )
        elif rows is not None and np.isin(rows, (0, 1)).all():
            right = np.sum(rows, axis=1)
            shapes = np.stack([right, problem.n_rows - right])
            score, engine = _shares_of_first, "gamma/rows"
            model = (
                "the number of rows that are right is binomial, with a Beta prior of "
                "parameters"
            )
        else:
            raise ValueError(TAKES_COUNTS.format(metric))
        model += f" {self.prior:g}; the two models are independent of each other"
        resampler = Resampler(GammaDraws(shapes.ravel() + self.prior), score)
        return ScoreDraws(resampler, engine, model)


class HierarchicalPosterior(SeparatePosterior):
    """Separate posteriors of the confusion matrices of two models.

    Parameters
    ----------
    prior : float
        Pseudo-count of each true class.
    """

    name = "hierarchical"

    def of(self, problem, metric):
        """Return the `ScoreDraws` of two models in a metric, or raise."""
        statistic, one_class = problem.statistics[metric], len(np.unique(problem.y)) < 2
        if not is_label_metric(statistic) or one_class:
            raise ValueError(
                "`posterior` 'hierarchical' supports only metrics of one label per "
                f"row, of two classes or more. Got the scorer {metric!r}"
                f"{' and one class' if one_class else ''}. posterior='paired' takes "
                "any scorer that takes weights."
            )
        counts, score = confusion_model(as_weighable(statistic)[0])
        model = (
            "classes are multinomial, with a Dirichlet prior of parameter "
            f"{self.prior:g}; so are predictions for each class, with a Dirichlet "
            "prior that all classes of a model share and that is estimated with them; "
            "conditional on the classes, the two models are independent"
        )
        resampler = Resampler(ConfusionDraws(counts, self.prior), score)
        return ScoreDraws(resampler, "gamma/confusion", model)


POSTERIORS = {
    "paired": PairedPosterior,
    "independent": IndependentPosterior,
    "hierarchical": HierarchicalPosterior,
}


def _shares_of_first(drawn):
    """Return first / (first + second) for pairs of gamma variables of two models."""
    first, second = np.split(drawn, 2, axis=1)
    return first / (first + second)


def score_gammas(counts, drawn):
    """Score gamma variables in place of counts: their ratios are Dirichlet draws."""
    return counts.ratios(*np.moveaxis(drawn.reshape(-1, 3, *counts.tp.shape), 1, 0))


def is_set_score(counts):
    """Return whether `SetCounts`, or None, belong to precision, recall or F.

    A label-weighted average does not qualify: its weights are counts of rows.
    """
    kinds, averages = ("precision", "recall", "fbeta"), ("binary", "micro", "macro")
    return counts is not None and counts.kind in kinds and counts.average in averages


def _rare_class_caveat(problem, metric):
    """Return a caveat if a ranking, which has no prior, has few rows of a class."""
    if not problem.statistics[metric].ranks or np.ndim(problem.y) != 1:
        return None
    n = units_of_rarest_class(problem)
    if n >= FEWEST_OF_CLASS:
        return None
    count = f"{format_count(n, problem.unit)} of the smaller class"
    text = (
        f"{metric} depends on only {count} (fewer than {FEWEST_OF_CLASS}): the "
        "posterior reflects only these, is too narrow, and overstates the certainty of "
        "the sign."
    )
    brief = f"only {count}"
    return Caveat(SmallSampleWarning, text, brief=brief, metric=metric)


def _no_rows_caveat(problem, consequence):
    """Return a caveat that lists the labels for which a score is 0 / 0, or None."""
    undefined = []
    for metric, statistic in problem.statistics.items():
        counts = statistic.set_counts
        if counts is None:
            continue
        numbers = np.sum(counts.counted & (counts.sizes == 0), axis=1)
        undefined += [
            f"{metric} of {name} for {format_count(n, 'labels')}"
            for name, n in zip(problem.names, numbers, strict=True)
            if n
        ]
    if not undefined:
        return None
    return Caveat(
        DegenerateDataWarning,
        "There are no rows to estimate from, such as positive predictions for "
        f"precision: {consequence} {', '.join(undefined)}.",
    )
