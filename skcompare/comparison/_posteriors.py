"""The two kinds of posterior of a score: what is drawn, and what to say about it."""

import functools

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import (
    GammaDraws,
    Resampler,
    as_weighable,
    cells_of,
    confirmed,
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

# Fewer units that models predict differently cannot be significant at 0.05, even if
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
        n, n_units, unit = len(problem.swapped_units), len(problem.units), problem.unit
        caveats = []
        if not problem.differs.any():
            text = (
                f"Both models predict the same on all {n_units} {unit}: the posterior "
                "of the difference is exactly 0, for it knows nothing of predictions "
                "never seen. By the rule of three, models that disagree on up to "
                f"{min(1.0, 3 / n_units):.2g} of all {unit} may, in one of twenty "
                "samples, show none."
            )
            caveats.append(Caveat(DegenerateDataWarning, text))
        small = small_sample_caveat(problem, _FEW, _LONELY)
        if small is None and 0 < n < FEWEST_DISCORDANT:
            text = (
                f"The models differ on {n} of {n_units} {unit} alone: the posterior "
                "knows only what these show, and makes the sign of the difference look "
                f"too sure. Fewer than {FEWEST_DISCORDANT}."
            )
            small = Caveat(SmallSampleWarning, text)
        convention = "every draw has the value that scikit-learn sets for 0 / 0, in"
        return [*caveats, small, _nothing_to_learn_caveat(problem, convention)]

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
        statistics = {}
        for metric in problem.statistics:
            statistics[metric], trouble = as_weighable(problem.statistic(metric))
            if statistics[metric] is None:
                raise ValueError(
                    f"`posterior` 'paired' weighs rows, and the scorer {metric!r} does "
                    f"not take `sample_weight`: {trouble.rstrip('.')}. PairedBootstrap "
                    "and ApproxRandomization, which repeat or swap rows, take any "
                    "scorer."
                )
        cells = cells_of(problem.units, statistics)
        resampler = random_weights(cells)
        scores = draw(resampler)
        if not confirmed(cells, resampler, scores, problem.seed):
            cells = cells.by_rows()
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
        if problem.sample_weight is not None:
            raise ValueError(
                "`sample_weight` cannot be used with posterior='independent', which "
                "needs whole counts. Use posterior='paired'."
            )
        for metric in problem.statistics:
            if not is_set_score(set_counts(problem.statistic(metric))):
                raise ValueError(
                    "`posterior` 'independent' knows precision, recall and F (binary, "
                    f"micro and macro) alone. Got the scorer {metric!r}. "
                    "posterior='paired' takes any scorer that takes weights."
                )
        units = problem.units
        if units.groups is not None or len(units.stratum_sizes) > 1:
            raise ValueError(
                "`posterior` 'independent' takes every row as a draw of its own: it "
                "knows no groups, strata or rows that are tested several times. Use "
                "posterior='paired', which does."
            )

    def caveats(self, problem):
        """Return what to warn of."""
        caveats = [_nothing_to_learn_caveat(problem, "the posterior is the prior in")]
        if not problem.differs.any():
            text = (
                "Both models predict the same on all rows, but posterior='independent' "
                "forgets that they saw the same rows: its differences are chance "
                "alone. Use posterior='paired'."
            )
            caveats.insert(0, Caveat(DegenerateDataWarning, text))
        return caveats

    def scores(self, problem, draw):
        """Draw scores of both models, as `PairedPosterior.scores` does."""
        scores = {}
        for metric in problem.statistics:
            counts = set_counts(problem.statistic(metric))
            shapes = np.stack([counts.tp, counts.fp, counts.fn]) + self.prior
            score = functools.partial(score_gammas, counts)
            scores[metric] = draw(Resampler(GammaDraws(shapes.ravel()), score))
        return scores, dict.fromkeys(scores, "gamma/labels")


POSTERIORS = {"paired": PairedPosterior, "independent": IndependentPosterior}


def score_gammas(counts, drawn):
    """Score gamma variables in place of counts: their ratios are Dirichlet's."""
    return counts.ratios(*np.moveaxis(drawn.reshape(-1, 3, *counts.tp.shape), 1, 0))


def is_set_score(counts):
    """Return whether `SetCounts`, or None, are those of precision, recall or F.

    A weighted average of labels is not one: its weights are counts of rows.
    """
    kinds, averages = ("precision", "recall", "fbeta"), ("binary", "micro", "macro")
    return counts is not None and counts.kind in kinds and counts.average in averages


def _nothing_to_learn_caveat(problem, what_follows):
    """Say so where a score divides 0 by 0: for which labels of which model."""
    where = []
    for metric in problem.statistics:
        counts = set_counts(problem.statistic(metric))
        if counts is None:
            continue
        union = counts.tp + counts.fp + counts.fn
        smaller = {"precision": counts.tp + counts.fp, "recall": counts.tp + counts.fn}
        lacking = (smaller.get(counts.kind, union) == 0).sum(axis=1).tolist()
        where += [
            f"{metric} of {name} for {n} label{'s' * (n > 1)}"
            for name, n in zip(problem.names, lacking, strict=True)
            if n
        ]
    if not where:
        return None
    return Caveat(
        DegenerateDataWarning,
        "There are no rows to learn from, such as positive predictions for precision: "
        f"{what_follows} {', '.join(where)}.",
    )
