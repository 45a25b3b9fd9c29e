"""All comparisons of the study: the report's algorithms by name, then ours."""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.metrics import precision_recall_fscore_support

from benchmarks.reuters import no_progress
from benchmarks.reuters.published import PAIRS, ROPE
from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    PairedBootstrap,
    PairwiseComparison,
)
from skcompare.results import PairwiseResult

METRICS = {"micro": "f1_micro", "macro": "f1_macro"}
POSTERIORS = ("independent", "paired")


class Study(NamedTuple):
    """What was computed."""

    scores: dict  # system -> average -> precision, recall, F1
    bootstrap: PairwiseResult  # the report's: one-sided, 2 delta, share s / B
    randomization: PairwiseResult  # one-sided, plain differences
    corrected: PairwiseResult  # two-sided, corrected for 28 pairs
    posteriors: dict  # (posterior, average) -> pair -> PosteriorResult


def run_study(
    truth,
    predictions,
    *,
    n_resamples=10_000,
    n_draws=10_000,
    seed=0,
    report=no_progress,
):
    """Compare the systems by every test of the study.

    Parameters
    ----------
    truth : ndarray of shape (n_documents, n_labels)
        The true labels, 0 or 1.
    predictions : dict of ndarray
        Those of each system. The first, the baseline, is scored and not compared.
    n_resamples, n_draws : int
        The report has 10,000 of both.
    seed : int
        Controls the random draws.
    report : callable, default=no_progress
        Where progress goes, a line at a time.

    Returns
    -------
    Study
        Scores and results.
    """
    compared = {name: predictions[name] for name in dict.fromkeys(sum(PAIRS, ()))}
    shared = {"n_resamples": n_resamples, "alternative": "greater"}
    textbook = PairedBootstrap(
        method="shift", interval="percentile", add_one=False, **shared
    )
    two_sided = PairedBootstrap(
        method="shift",
        interval="symmetric",
        n_resamples=n_resamples,
        alternative="two-sided",
    )

    def pairs(test, correction="none"):
        report(f"28 pairs by {type(test).__name__}, {test.alternative} ...")
        comparison = PairwiseComparison(
            test=test, scoring="f1_micro", correction=correction, random_state=seed
        )
        return comparison.fit_predictions(truth, compared).result_

    return Study(
        scores={name: scores(truth, p) for name, p in predictions.items()},
        bootstrap=pairs(textbook),
        randomization=pairs(ApproxRandomization(statistic="difference", **shared)),
        corrected=pairs(two_sided, "max-t"),
        posteriors=_posteriors(truth, compared, n_draws, seed, report),
    )


def scores(truth, predicted):
    """Return precision, recall and F1 of a system, by average; 0 / 0 is 0."""
    return {
        average: precision_recall_fscore_support(
            truth, predicted, average=average, zero_division=0
        )[:3]
        for average in METRICS
    }


def _posteriors(truth, compared, n_draws, seed, report):
    results = {(kind, average): {} for kind in POSTERIORS for average in METRICS}
    for a, b in PAIRS:
        report(f"posteriors of {a} - {b} ...")
        for kind in POSTERIORS:
            test = BayesianComparison(
                scoring=METRICS,
                posterior=kind,
                rope=ROPE,
                prior=0.5,
                n_draws=n_draws,
                credible_level=0.95,
                random_state=seed,
            )
            test.fit_predictions(truth, compared[a], compared[b], names=(a, b))
            for average in METRICS:
                results[kind, average][a, b] = test.results_[average]
    return results


def precision_posteriors(truth, predicted_a, predicted_b, *, n_draws=10_000, seed=0):
    """Return the posterior draws of two systems' precision on one label.

    The two posteriors are Goutte and Gaussier's, Beta(TP + 1/2, FP + 1/2).
    """
    test = BayesianComparison(
        scoring="precision",
        posterior="independent",
        rope=ROPE,
        prior=0.5,
        n_draws=n_draws,
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        test.fit_predictions(truth, predicted_a, predicted_b)
    return np.asarray(test.posterior_a_), np.asarray(test.posterior_b_)
