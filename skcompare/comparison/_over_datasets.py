"""Shared parts of Bayesian comparisons over several data sets."""

import abc

import numpy as np

from skcompare._caveats import Caveat
from skcompare._evaluation import facts_of_models
from skcompare._validation import as_array, check_order, model_names
from skcompare.comparison._base import outcome_of, publish_single
from skcompare.comparison._winner import FittedAttributes, result_attributes
from skcompare.exceptions import DegenerateDataWarning
from skcompare.results import RegionResult
from skcompare.stats.posterior import as_rope, largest_region


@result_attributes("delta", "score_a", "score_b", "shares")
@result_attributes("p_better", "p_equivalent", "p_worse", "decision")
class OverDatasets(FittedAttributes, abc.ABC):
    """A comparison of scores that two models have on several data sets.

    A subclass validates scores and draws shares of regions.
    """

    def _publish(self, names, scores, regions, caveats, **fields):
        """Store the result of drawn shares, and issue the warnings.

        `names` are those of A and B, or None; `scores` are their mean scores.
        """
        p_better, p_equivalent, p_worse = largest_region(regions)
        probabilities = {">>": p_better, "~": p_equivalent, "<<": p_worse}
        best = max(probabilities, key=probabilities.get)
        # Of a finite number of draws, no probability is 1.
        highest = min(probabilities[best], 1 - 0.5 / self.n_draws)
        is_decided = highest >= self.credible_level
        fields |= {
            **facts_of_models(model_names(names, ["A", "B"]), scores.tolist()),
            "p_better": p_better,
            "p_equivalent": p_equivalent,
            "p_worse": p_worse,
            "shares": tuple(regions.mean(axis=0).tolist()),
            "decision": best if is_decided else "?",
            "rope": as_rope(self.rope),
            "credible_level": float(self.credible_level),
            "n_draws": self.n_draws,
            "regions": regions,
        }
        publish_single(self, outcome_of(self, RegionResult, {"": fields}, caveats))


def paired_scores(scores_a, scores_b, n_dims, expected):
    """Validate the scores of two models and return them as one array."""
    arrays = []
    for name, scores in {"scores_a": scores_a, "scores_b": scores_b}.items():
        array = as_array(scores, name)
        if array.dtype.kind not in "biuf" or array.ndim != n_dims:
            raise ValueError(
                f"`{name}` must be numbers, {expected}. Got an array of {array.dtype} "
                f"of shape {array.shape}."
            )
        arrays.append(array.astype(float))
    check_order({"scores_a": scores_a, "scores_b": scores_b})
    a, b = arrays
    if a.shape != b.shape:
        raise ValueError(
            "`scores_a` and `scores_b` must be scores on the same data sets. "
            f"Got shapes {a.shape} and {b.shape}."
        )
    if len(a) < 3:
        raise ValueError(
            "`scores_a` and `scores_b` must be scores on at least 3 data sets. "
            f"Got {len(a)}. For the rows of one data set use BayesianComparison, for "
            "its folds BayesianCorrelatedTTest."
        )
    return np.stack([a, b])


def caveats_of_ties(differences, units):
    """Return a caveat if the models differ on no data set or fold, in a list."""
    if np.any(differences):
        return []
    text = (
        f"Both models have the same score on all {units}: the difference is 0, and "
        "only whether 0 lies inside `rope` is decided."
    )
    return [Caveat(DegenerateDataWarning, text, brief="no score differs")]
