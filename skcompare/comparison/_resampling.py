"""What the two resampling tests share: draws, p-values and their fields."""

import numpy as np

from skcompare._random import seed_of
from skcompare._validation import check_integer
from skcompare.comparison._base import BaseComparison, from_result
from skcompare.inference import (
    count_exceeding,
    monte_carlo_error,
    resampling_pvalue,
)
from skcompare.resampling import evaluate_draws

__all__ = ["ResamplingComparison"]

MOST_RESAMPLES = 100_000_000


class ResamplingComparison(BaseComparison):
    """A comparison whose p-value is a share of resamples."""

    pvalue_error_ = from_result("pvalue_error")
    n_exceeding_ = from_result("n_exceeding")
    standard_error_ = from_result("standard_error")
    distribution_ = from_result("distribution")

    def _check_parameters(self):
        super()._check_parameters()
        self._check_n_resamples()
        if not isinstance(self.add_one, bool | np.bool_):
            raise ValueError(f"`add_one` must be True or False. Got {self.add_one!r}.")

    def _seed(self):
        return seed_of(self.random_state)

    def _check_n_resamples(self):
        check_integer("n_resamples", self.n_resamples, 1, MOST_RESAMPLES)

    def _draw(self, question):
        """Return what evaluates a plan: ``draw(plan, n_draws, label)``."""

        def draw(plan, n_draws, label):
            return evaluate_draws(
                plan.scheme,
                plan.score,
                n_draws,
                seed=question.seed,
                n_jobs=self.n_jobs,
                verbose=self.verbose,
                label=label,
            )

        return draw

    def _findings(self, question, metric, scores, *, center, exact=False):
        """Return the fields of a result that come from resampled scores.

        Parameters
        ----------
        question : Question
            What is asked.
        metric : str
            The name of the metric.
        scores : ndarray of shape (n_resamples, 2)
            The resampled scores of the two models, nan where undefined.
        center : float
            What the resampled differences are centred on.
        exact : bool, default=False
            Whether the resamples are all there are.

        Returns
        -------
        dict
            Fields of a `ComparisonResult`.
        """
        deltas = scores[:, 0] - scores[:, 1]
        defined = np.isfinite(deltas)
        n_resamples = len(deltas)
        if not defined.any():
            raise ValueError(
                f"The scorer {metric!r} is undefined on all {n_resamples:,} resamples: "
                f"{question.trouble(metric) or 'it returned nan on each'}. "
                "If resamples lack a class, pass strata=y."
            )
        n_exceeding = count_exceeding(
            deltas - center,
            question.facts(metric)["delta"],
            self.alternative,
            tolerance=question.tolerance(metric, scores),
        )
        pvalue = resampling_pvalue(
            n_exceeding, n_resamples, add_one=self.add_one and not exact
        )
        ddof = 0 if exact or defined.sum() == 1 else 1
        spread = np.std(deltas[defined], ddof=ddof)
        return {
            "pvalue": pvalue,
            "pvalue_error": 0.0 if exact else monte_carlo_error(pvalue, n_resamples),
            "n_exceeding": n_exceeding,
            "n_resamples": n_resamples,
            "n_undefined": int(n_resamples - defined.sum()),
            "standard_error": float(spread),
            "center": center,
            "distribution": deltas,
        }
