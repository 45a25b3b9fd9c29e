"""The two kinds of posterior of a score: what is drawn, and what to say about it."""

import dataclasses
import functools

import numpy as np

from skcompare._engine import GammaDraws, as_weighable, set_counts
from skcompare.comparison._caveats import (
    FEWEST_UNITS,
    Caveat,
    small_sample_caveat,
)
from skcompare.comparison._layout import Plan
from skcompare.comparison._question import check_can_be_redrawn
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning

__all__ = [
    "LEAST_PRIOR",
    "MOST_DRAWS",
    "POSTERIORS",
    "IndependentPosterior",
    "PairedPosterior",
]

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

    def check(self, question):
        """Check that there is something to weigh."""
        check_can_be_redrawn(question.units)

    def caveats(self, question):
        """Return what to warn of."""
        return [
            _unseen_caveat(question),
            small_sample_caveat(question, _FEW, _LONELY)
            or _few_discordant_caveat(question),
            _convention_caveat(question),
        ]

    def scores(self, question, draw):
        """Draw scores of both models.

        Parameters
        ----------
        question : Question
            What is asked.
        draw : callable
            Evaluates a plan.

        Returns
        -------
        scores : dict of ndarray of shape (n_draws, 2)
            Draws for each metric.
        engines : dict of str
            How they were computed.
        """
        statistics = {
            name: _weighable(statistic, name)
            for name, statistic in question.statistics.items()
        }
        layout = dataclasses.replace(question, statistics=statistics).layout
        scores = draw(layout.weighting_plan())
        drawn = {name: scores[:, place] for place, name in enumerate(statistics)}
        return drawn, {name: layout.engine(name) for name in statistics}


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

    def check(self, question):
        """Check that there are counts, of rows that stand for themselves."""
        for name, statistic in question.statistics.items():
            _check_is_set_score(name, set_counts(statistic), question)
        units = question.units
        if units.groups is not None or len(units.stratum_sizes) > 1:
            raise ValueError(
                "`posterior` 'independent' takes every row as a draw of its own: it "
                "knows no groups, strata or rows that are tested several times. Use "
                "posterior='paired', which does."
            )

    def caveats(self, question):
        """Return what to warn of."""
        return [_same_answers_caveat(question), _prior_caveat(question)]

    def scores(self, question, draw):
        """Draw scores of both models, as `PairedPosterior.scores` does."""
        counts = {name: set_counts(s) for name, s in question.statistics.items()}
        scores = {name: draw(self._plan(found)) for name, found in counts.items()}
        return scores, dict.fromkeys(counts, "gamma/labels")

    def _plan(self, counts):
        shapes = np.stack([counts.tp, counts.fp, counts.fn]) + self.prior
        score = functools.partial(_scored, counts, shapes.shape)
        return Plan(GammaDraws(shapes.ravel()), score)


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


def _check_is_set_score(name, counts, question):
    if question.sample.sample_weight is not None:
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


def _unseen_caveat(question):
    """Say so if the models answer alike, and how far that goes."""
    if question.sample.discordant_rows().any():
        return None
    n = len(question.units)
    what = "rows" if question.units.groups is None else "groups"
    return Caveat(
        DegenerateDataWarning,
        f"Both models give the same answer on all {n} {what}: the posterior of the "
        "difference is exactly 0, for it knows nothing of answers never seen. By the "
        f"rule of three, models that disagree on up to {min(1.0, 3 / n):.2g} of all "
        f"{what} may, in one of twenty samples, show none.",
    )


def _few_discordant_caveat(question):
    """Say so if the posterior rests on a handful of units."""
    n = len(question.discordant_units())
    if n == 0 or n >= FEWEST_DISCORDANT:
        return None
    what = "rows" if question.units.groups is None else "groups"
    return Caveat(
        SmallSampleWarning,
        f"The models differ on {n} of {len(question.units)} {what} alone: the "
        "posterior knows only what these show, and makes the sign of the difference "
        f"look too sure. Fewer than {FEWEST_DISCORDANT}.",
    )


def _same_answers_caveat(question):
    if question.sample.discordant_rows().any():
        return None
    return Caveat(
        DegenerateDataWarning,
        "Both models give the same answer on all rows, but posterior='independent' "
        "forgets that they saw the same rows: its differences are chance alone. Use "
        "posterior='paired'.",
    )


def _prior_caveat(question):
    """Say so if there is nothing to learn from: then the posterior is the prior."""
    return _nothing_to_learn_caveat(question, "the posterior is the prior in")


def _convention_caveat(question):
    """Say so if there is nothing to learn from: then a score is but a convention."""
    told = "every draw has the value that scikit-learn sets for 0 / 0, in"
    return _nothing_to_learn_caveat(question, told)


def _nothing_to_learn_caveat(question, what_follows):
    found = []
    names = [answers.name for answers in question.sample.answers]
    for metric, statistic in question.statistics.items():
        lacking = _labels_without_data(set_counts(statistic))
        found += [
            f"{metric} of {name} for {n} label{'s' * (n > 1)}"
            for name, n in zip(names, lacking, strict=True)
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
