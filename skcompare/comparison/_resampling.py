"""What the two resampling tests share: draws, p-values and their fields."""

import abc
import copy
import dataclasses

import numpy as np

from skcompare._random import seed_of
from skcompare._validation import MOST_RESAMPLES, check_integer, check_option
from skcompare.comparison._aggregate import AGGREGATES
from skcompare.comparison._base import BaseComparison, from_result
from skcompare.comparison._draws import Draws
from skcompare.comparison._length import (
    MOST_IF_UNCERTAIN,
    GivenNumber,
    UntilCertain,
)
from skcompare.stats import exceeding

__all__ = ["ResamplingComparison"]


class ResamplingComparison(BaseComparison):
    """A comparison whose p-value is a share of resamples."""

    pvalue_error_ = from_result("pvalue_error")
    n_exceeding_ = from_result("n_exceeding")
    standard_error_ = from_result("standard_error")
    distribution_ = from_result("distribution")

    def _check_parameters(self):
        super()._check_parameters()
        check_option("aggregate", self.aggregate, AGGREGATES)
        self._check_n_resamples()
        if not isinstance(self.add_one, bool | np.bool_):
            raise ValueError(f"`add_one` must be True or False. Got {self.add_one!r}.")

    @property
    def _aggregate(self):
        return AGGREGATES[self.aggregate]

    def _seed(self):
        return seed_of(self.random_state)

    def _check_n_resamples(self):
        if isinstance(self.n_resamples, str):
            check_option("n_resamples", self.n_resamples, ("auto",))
        else:
            check_integer("n_resamples", self.n_resamples, 1, MOST_RESAMPLES)

    @property
    def _most_resamples(self):
        """The number of resamples, or the largest that it may come to."""
        return MOST_IF_UNCERTAIN if self.n_resamples == "auto" else self.n_resamples

    def _draws(self, question):
        """Return what evaluates a plan: ``draws(plan, n_draws, label)``."""
        options = {"n_jobs": self.n_jobs, "verbose": self.verbose}
        return Draws(question.known, question.seed, **options)

    def _length(self, make_plan):
        """Return how many resamples it takes."""
        if self.n_resamples != "auto":
            return GivenNumber(self.n_resamples, self.add_one)
        chunk_size = make_plan().scheme.chunk_size
        return UntilCertain(float(self.alpha), self._fewest, chunk_size)

    def _n_needed(self, question, length, scores_at):
        """Return how many resamples are enough; `scores_at` draws as many as asked."""
        *early, last = length.looks
        enough = (
            look for look in early if self._is_enough(question, scores_at(look), length)
        )
        return next(enough, last)

    def _is_enough(self, question, scores, length):
        """Say whether the resamples suffice for the p-values of all metrics."""
        return all(
            length.end(self._exceeding(question, metric, scores[:, place]))
            for place, metric in enumerate(question.statistics)
        )

    def _extendable(self, results, question, caveats):
        """Return the same results, which can add resamples unless they are exact."""

        def again(n_resamples):
            test = copy.copy(self)
            test.n_resamples = n_resamples
            return test._answer(question, caveats)

        return {
            metric: result
            if result.method == "exact"
            else dataclasses.replace(result, _again=again)
            for metric, result in results.items()
        }

    @abc.abstractmethod
    def _center(self, question, metric):
        """Return what the resampled differences are centred on."""

    def _exceeding(self, question, metric, scores):
        """Mark the resamples that count against the null hypothesis."""
        return exceeding(
            scores[:, 0] - scores[:, 1] - self._center(question, metric),
            question.facts(metric)["delta"],
            self.alternative,
            tolerance=question.tolerance(metric, scores),
        )

    def _findings(self, question, metric, scores, length):
        """Return the fields of a result that come from resampled scores.

        Parameters
        ----------
        question : Question
            What is asked.
        metric : str
            The name of the metric.
        scores : ndarray of shape (n_resamples, 2)
            The resampled scores of the two models, nan where undefined.
        length : object
            Which of the resamples count, and what p-value they make.

        Returns
        -------
        dict
            Fields of a `ComparisonResult`.
        """
        marked = self._exceeding(question, metric, scores)
        n_resamples = length.end(marked)
        scores, marked = scores[:n_resamples], marked[:n_resamples]
        deltas = scores[:, 0] - scores[:, 1]
        defined = np.isfinite(deltas)
        if not defined.any():
            raise ValueError(
                f"The scorer {metric!r} is undefined on all {n_resamples:,} resamples: "
                f"{question.trouble(metric) or 'it returned nan on each'}. "
                "If resamples lack a class, pass strata=y."
            )
        spread = np.std(deltas[defined], ddof=min(length.ddof, defined.sum() - 1))
        return {
            **length.verdict(marked),
            "n_undefined": int(n_resamples - defined.sum()),
            "standard_error": float(spread),
            "center": self._center(question, metric),
            "distribution": deltas,
        }
