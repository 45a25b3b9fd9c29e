"""The two kinds of posterior of a score: what is drawn, and what to say about it."""

import functools

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import (
    GammaDraws,
    Resampler,
    as_weighable,
    cells_of,
    random_weights,
    set_counts,
)
from skcompare.comparison._caveats import (
    FEWEST_UNITS,
    check_can_be_redrawn,
    small_sample_caveat,
)
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning

# Gamma variables of smaller shapes are often 0 in floating point.
LEAST_PRIOR = 0.01

MOST_DRAWS = 100_000_000

_FEW = (
    "A posterior from {} knows only what these show, and is too narrow: fewer than "
    f"{FEWEST_UNITS}."
)
_LONELY = (
    "a single unit, whose weight is fixed: the posterior is too narrow. Merge small "
    "strata."
)

# Fewer units that models answer differently cannot be significant at 0.05, even if
# all of them speak for the same model: a sign test has p = 2 / 2**5 for five.
FEWEST_DISCORDANT = 6


class PairedPosterior:
    """The Bayesian bootstrap: units of the sample get Dirichlet weights.

    Parameters
    ----------
    prior : float
        Not used: there is none to set.
    """

    model = (
        "rows of the population are like those seen, in shares with a Dirichlet "
        "posterior (Bayesian bootstrap)"
    )

    def __init__(self, prior):
        self.prior = None

    def check(self, problem):
        """Check that there is something to weigh."""
        check_can_be_redrawn(problem.units)

    def caveats(self, problem):
        """Return what to warn of."""
        return [
            _unseen_caveat(problem),
            small_sample_caveat(problem, _FEW, _LONELY)
            or _few_discordant_caveat(problem),
            _convention_caveat(problem),
        ]

    def scores(self, problem, draw):
        """Draw scores of both models.

        Parameters
        ----------
        problem : Problem
            Two models.
        draw : callable
            Evaluates a resampler.

        Returns
        -------
        scores : dict of ndarray of shape (n_draws, 2)
            Draws for each metric.
        engines : dict of str
            How they were computed.
        """
        statistics = {
            metric: _weighable(problem.statistic(metric), metric)
            for metric in problem.statistics
        }
        cells = cells_of(problem.units, statistics)
        scores = draw(random_weights(cells))
        drawn = {metric: scores[:, place] for place, metric in enumerate(statistics)}
        return drawn, {metric: cells.engine(metric) for metric in statistics}


class IndependentPosterior:
    """Posteriors of precision, recall and F of two models, each by itself.

    Parameters
    ----------
    prior : float
        The parameter of the Dirichlet prior of true positives, false positives and
        false negatives.
    """

    def __init__(self, prior):
        self.prior = float(prior)
        self.model = (
            "counts of each label are multinomial, with a Dirichlet prior of parameter "
            f"{prior:g}; the two models are independent of each other"
        )

    def check(self, problem):
        """Check that there are counts, of rows that stand for themselves."""
        for metric in problem.statistics:
            counts = set_counts(problem.statistic(metric))
            _check_is_set_score(metric, counts, problem)
        units = problem.units
        if units.groups is not None or len(units.stratum_sizes) > 1:
            raise ValueError(
                "`posterior` 'independent' takes every row as a draw of its own: it "
                "knows no groups, strata or rows that are tested several times. Use "
                "posterior='paired', which does."
            )

    def caveats(self, problem):
        """Return what to warn of."""
        return [_same_answers_caveat(problem), _prior_caveat(problem)]

    def scores(self, problem, draw):
        """Draw scores of both models, as `PairedPosterior.scores` does."""
        scores = {}
        for metric in problem.statistics:
            counts = set_counts(problem.statistic(metric))
            shapes = np.stack([counts.tp, counts.fp, counts.fn]) + self.prior
            score = functools.partial(_scored, counts, shapes.shape)
            scores[metric] = draw(Resampler(GammaDraws(shapes.ravel()), score))
        return scores, dict.fromkeys(scores, "gamma/labels")


POSTERIORS = {"paired": PairedPosterior, "independent": IndependentPosterior}


def _scored(counts, shape, drawn):
    """Score gamma variables in place of counts: their ratios are Dirichlet's."""
    tp, fp, fn = np.moveaxis(drawn.reshape(-1, *shape), 1, 0)
    return counts.ratios(tp, fp, fn)


def _weighable(statistic, name):
    found, trouble = as_weighable(statistic)
    if found is None:
        raise ValueError(
            f"`posterior` 'paired' weighs rows, and the scorer {name!r} does not take "
            f"`sample_weight`: {trouble.rstrip('.')}. PairedBootstrap and "
            "ApproxRandomization, which repeat or swap rows, take any scorer."
        )
    return found


def _check_is_set_score(name, counts, problem):
    if problem.sample_weight is not None:
        raise ValueError(
            "`sample_weight` cannot be used with posterior='independent', which needs "
            "whole counts. Use posterior='paired'."
        )
    kinds, averages = ("precision", "recall", "fbeta"), ("binary", "micro", "macro")
    known = counts is not None and counts.kind in kinds and counts.average in averages
    if not known:
        raise ValueError(
            "`posterior` 'independent' knows precision, recall and F (binary, micro "
            f"and macro) alone. Got the scorer {name!r}. posterior='paired' takes any "
            "scorer that takes weights."
        )


def _unseen_caveat(problem):
    """Say so if the models answer alike, and how far that goes."""
    if problem.differs.any():
        return None
    n = len(problem.units)
    what = problem.unit
    return Caveat(
        DegenerateDataWarning,
        f"Both models predict the same on all {n} {what}: the posterior of the "
        "difference is exactly 0, for it knows nothing of answers never seen. By the "
        f"rule of three, models that disagree on up to {min(1.0, 3 / n):.2g} of all "
        f"{what} may, in one of twenty samples, show none.",
    )


def _few_discordant_caveat(problem):
    """Say so if the posterior rests on a handful of units."""
    n = len(problem.swapped_units)
    if n == 0 or n >= FEWEST_DISCORDANT:
        return None
    what = problem.unit
    return Caveat(
        SmallSampleWarning,
        f"The models differ on {n} of {len(problem.units)} {what} alone: the "
        "posterior knows only what these show, and makes the sign of the difference "
        f"look too sure. Fewer than {FEWEST_DISCORDANT}.",
    )


def _same_answers_caveat(problem):
    if problem.differs.any():
        return None
    return Caveat(
        DegenerateDataWarning,
        "Both models predict the same on all rows, but posterior='independent' "
        "forgets that they saw the same rows: its differences are chance alone. Use "
        "posterior='paired'.",
    )


def _prior_caveat(problem):
    """Say so if there is nothing to learn from: then the posterior is the prior."""
    return _nothing_to_learn_caveat(problem, "the posterior is the prior in")


def _convention_caveat(problem):
    """Say so if there is nothing to learn from: then a score is but a convention."""
    told = "every draw has the value that scikit-learn sets for 0 / 0, in"
    return _nothing_to_learn_caveat(problem, told)


def _nothing_to_learn_caveat(problem, what_follows):
    found = []
    for metric in problem.statistics:
        lacking = _labels_without_data(set_counts(problem.statistic(metric)))
        found += [
            f"{metric} of {name} for {n} label{'s' * (n > 1)}"
            for name, n in zip(problem.names, lacking, strict=True)
            if n
        ]
    if not found:
        return None
    return Caveat(
        DegenerateDataWarning,
        "There are no rows to learn from, such as positive predictions for precision: "
        f"{what_follows} {', '.join(found)}.",
    )


def _labels_without_data(counts):
    """Count, for each model, the labels whose ratio divides 0 by 0."""
    if counts is None:
        return [0, 0]
    union = counts.tp + counts.fp + counts.fn
    smaller = {"precision": counts.tp + counts.fp, "recall": counts.tp + counts.fn}
    return (smaller.get(counts.kind, union) == 0).sum(axis=1).tolist()
