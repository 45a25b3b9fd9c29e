"""The kinds of posterior of a score: what is drawn, and what to say about it."""

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
from skcompare.comparison._base import FEWEST_UNITS, result_attributes, size_caveats
from skcompare.comparison._bounds import (
    FEWEST_OF_CLASS,
    limits_of,
    units_of_rarest_class,
)
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.stats.posterior import PosteriorSummary

# Gamma variables of smaller shapes are often 0 in floating point.
LEAST_PRIOR = 0.01

# What the sentence of a result says of a posterior that is a point.
NO_SPREAD = "no draw varies"

_FEW = (
    "A posterior from {} knows only what these show, and is too narrow: fewer than "
    f"{FEWEST_UNITS}."
)
_SINGLE = (
    "a single unit, whose weight is fixed: the posterior is too narrow. Merge small "
    "strata."
)

_UNEVEN = (
    "the posterior is too narrow. WildClusterBootstrap keeps closer to its level, for "
    "metrics that add up over rows."
)

# For errors and advice, with places for a kind of posterior and for a scorer.
TAKES_PLAIN_ROWS = (
    "`posterior` {!r} takes every row as a draw of its own: it knows no groups, strata "
    "or rows that are tested several times. Use posterior='paired', which does."
)
TAKES_COUNTS = (
    "`posterior` 'independent' knows accuracy, precision, recall and F (binary, micro "
    "and macro) alone. Got the scorer {!r}. posterior='paired' takes any scorer that "
    "takes weights."
)

# Fewer units that models predict differently cannot be significant at 0.05, even if
# all of them speak for the same model: a sign test has p = 2 / 2**5 for five.
FEWEST_DISCORDANT = 6


@result_attributes(*PosteriorSummary._fields)
class GivesPosterior:
    """What comparisons that end in a `PosteriorResult` have in common."""

    gives = "posterior"


class ScoreDraws(NamedTuple):
    """How scores of two models in a metric are drawn from their posterior.

    Attributes
    ----------
    resampler : Resampler
        What is drawn, and how it is scored.
    engine : str
        How scores are computed.
    model : str
        What the posterior assumes, in words.
    cells : Cells or None
        What is weighed, if it is rows.
    """

    resampler: Resampler
    engine: str
    model: str
    cells: Cells | None = None

    def scores(self, evaluate, seed):
        """Return drawn scores, of shape (n_draws, 2), and how they were computed.

        Parameters
        ----------
        evaluate : callable
            Draws from a resampler, and scores the draws.
        seed : int
            The seed of the draws.
        """
        scores = evaluate(self.resampler)
        if self.cells is None:
            return scores, self.engine
        try:
            confirm(self.cells, self.resampler, scores, seed)
        except Misrecognized:  # with some weights the metric is another: call it on all
            by_rows = random_weights(self.cells.by_rows())
            return evaluate(by_rows)[:, 0], "generic"
        return scores[:, 0], self.engine


@dataclasses.dataclass(frozen=True)
class PairedPosterior:
    """The Bayesian bootstrap: units of the sample get Dirichlet weights.

    Parameters
    ----------
    prior : float
        Pseudo-counts of the two ways in which models can disagree, for each class.
    """

    prior: float

    def check(self, problem):
        """Yield what to warn of, or raise if there is nothing to weigh."""
        n_units, unit = problem.units.n_units, problem.unit
        if not problem.differs.any():
            without = [m for m in problem.statistics if not self._has_prior(problem, m)]
            rests = "the difference is 0, and how sure that is comes from the prior"
            if without:
                rests = (
                    f"the posterior of the difference in {', '.join(without)} is "
                    "exactly 0 and decides nothing, for it knows nothing of "
                    "predictions never seen"
                )
            text = (
                f"Both models predict the same on all {n_units} {unit}: {rests}. By "
                "the rule of three, models that disagree on up to "
                f"{min(1.0, 3 / n_units):.2g} of all {unit} may, in one of twenty "
                "samples, show none."
            )
            brief = NO_SPREAD if without else ""
            yield Caveat(DegenerateDataWarning, text, brief=brief)
        small = next(size_caveats(problem, _FEW, _SINGLE, _UNEVEN), None)
        if small is None and problem.differs.any():
            small = self._few_moving_caveat(problem)
        yield small
        convention = "every draw has the value that scikit-learn sets for 0 / 0, in"
        yield _nothing_to_learn_caveat(problem, convention)
        for metric in problem.statistics:
            yield _rare_class_caveat(problem, metric)

    def _has_prior(self, problem, metric):
        return self.prior > 0 and is_label_metric(problem.statistics[metric])

    def _few_moving_caveat(self, problem):
        """Say so where few units can move a metric at all."""
        few = {}
        for metric in problem.statistics:
            cells = problem.with_metrics([metric]).cells()
            n = limits_of(problem, metric, cells).n_signs
            # Without a prior a score that nothing moves is a point: said elsewhere.
            if (n or self._has_prior(problem, metric)) and n < FEWEST_DISCORDANT:
                few[metric] = n
        if not few:
            return None
        listed = ", ".join(f"{metric}: {n}" for metric, n in few.items())
        rests = "knows only what these show, and makes the sign look too sure"
        brief = f"few {problem.unit} move the score"
        if all(self._has_prior(problem, metric) for metric in few):
            rests, brief = "rests on its prior as much as on these", ""
        return Caveat(
            SmallSampleWarning,
            f"Few of the {problem.units.n_units} {problem.unit} have predictions whose "
            f"difference moves the score ({listed}): the posterior {rests}. Fewer than "
            f"{FEWEST_DISCORDANT}.",
            brief=brief,
        )

    def of(self, problem, metric):
        """Return the `ScoreDraws` of two models in a metric, or raise."""
        statistic, trouble = as_weighable(problem.statistics[metric])
        if statistic is None:
            raise ValueError(
                f"`posterior` 'paired' weighs rows, and the scorer {metric!r} does not "
                f"take `sample_weight`: {trouble.rstrip('.')}. PairedBootstrap and "
                "ApproxRandomization, which repeat or swap rows, take any scorer."
            )
        cells = cells_with_prior(problem.units, metric, statistic, self.prior)
        model = (
            "rows of the population are like those seen, in shares with a Dirichlet "
            "posterior (Bayesian bootstrap)"
        )
        if self._has_prior(problem, metric):
            model += (
                f"; {self.prior:g} pseudo-counts for each of the two ways in which one "
                "model alone is right"
            )
        return ScoreDraws(random_weights(cells), cells.engines[metric], model, cells)


@dataclasses.dataclass(frozen=True)
class SeparatePosterior:
    """Posteriors of two models, each by itself, of rows that stand for themselves."""

    prior: float

    # What the user calls it.
    name = None

    def check(self, problem):
        """Yield what to warn of, or raise unless rows count alike and are single."""
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
                f"posterior={self.name!r} forgets that they saw the same rows: its "
                "differences are chance alone. Use posterior='paired'.",
            )


class IndependentPosterior(SeparatePosterior):
    """Posteriors of accuracy, precision, recall and F of two models, each by itself.

    Parameters
    ----------
    prior : float
        The parameter of the Dirichlet prior of true positives, false positives and
        false negatives; for accuracy, of the Beta prior of right and wrong.
    """

    name = "independent"

    def check(self, problem):
        """Yield what to warn of, or raise."""
        yield from super().check(problem)
        yield _nothing_to_learn_caveat(problem, "the posterior is the prior in")

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
    """Posteriors of confusion matrices, whose rows are alike, of two models.

    Parameters
    ----------
    prior : float
        Pseudo-counts of each class in the truth.
    """

    name = "hierarchical"

    def of(self, problem, metric):
        """Return the `ScoreDraws` of two models in a metric, or raise."""
        statistic, one_class = problem.statistics[metric], len(np.unique(problem.y)) < 2
        if not is_label_metric(statistic) or one_class:
            raise ValueError(
                "`posterior` 'hierarchical' knows metrics of one label per row, of two "
                f"classes or more. Got the scorer {metric!r}"
                f"{' and one class' if one_class else ''}. posterior='paired' takes "
                "any scorer that takes weights."
            )
        counts, score = confusion_model(as_weighable(statistic)[0])
        model = (
            "classes are multinomial, with a Dirichlet prior of parameter "
            f"{self.prior:g}; so are predictions for each class, with a Dirichlet "
            "prior that all classes of a model share and that is estimated with them; "
            "given the classes, the two models are independent of each other"
        )
        resampler = Resampler(ConfusionDraws(counts, self.prior), score)
        return ScoreDraws(resampler, "gamma/confusion", model)


POSTERIORS = {
    "paired": PairedPosterior,
    "independent": IndependentPosterior,
    "hierarchical": HierarchicalPosterior,
}


def _shares_of_first(drawn):
    """Return the shares of the first of two gamma variables, for two models."""
    first, second = np.split(drawn, 2, axis=1)
    return first / (first + second)


def score_gammas(counts, drawn):
    """Score gamma variables in place of counts: their ratios are Dirichlet's."""
    return counts.ratios(*np.moveaxis(drawn.reshape(-1, 3, *counts.tp.shape), 1, 0))


def is_set_score(counts):
    """Return whether `SetCounts`, or None, are those of precision, recall or F.

    A weighted average of labels is not one: its weights are counts of rows.
    """
    kinds, averages = ("precision", "recall", "fbeta"), ("binary", "micro", "macro")
    return counts is not None and counts.kind in kinds and counts.average in averages


def _rare_class_caveat(problem, metric):
    """Say so if a ranking, which has no prior, rests on a few rows of a class."""
    if not problem.statistics[metric].ranks or np.ndim(problem.y) != 1:
        return None
    n, unit = units_of_rarest_class(problem), problem.unit
    if n >= FEWEST_OF_CLASS:
        return None
    count = f"{n} {unit.removesuffix('s') if n == 1 else unit} of the smaller class"
    text = (
        f"{metric} rests on {count}, fewer than {FEWEST_OF_CLASS}: the posterior knows "
        "only these, is too narrow, and makes the sign look too sure."
    )
    said = {"brief": f"only {count}", "metric": metric}
    return Caveat(SmallSampleWarning, text, **said)


def _nothing_to_learn_caveat(problem, what_follows):
    """Say so where a score divides 0 by 0: for which labels of which model."""
    counted = {m: s.set_counts for m, s in problem.statistics.items()}
    where = [
        f"{metric} of {name} for {n} label{'s' if n > 1 else ''}"
        for metric, counts in counted.items()
        if counts is not None
        for name, n in zip(problem.names, (counts.sizes == 0).sum(axis=1), strict=True)
        if n
    ]
    if not where:
        return None
    return Caveat(
        DegenerateDataWarning,
        "There are no rows to learn from, such as positive predictions for precision: "
        f"{what_follows} {', '.join(where)}.",
    )
