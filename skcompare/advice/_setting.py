"""What a user asks for, besides the data."""

import dataclasses
import math

from skcompare._validation import check_fraction, check_integer

__all__ = ["Setting"]


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Setting:
    """What a user asks for, besides the data.

    Parameters
    ----------
    scoring : object
        The metric, as the user gave it.
    n_comparisons : int
        The number of comparisons of which this is one.
    alpha : float
        The level of all of them together.
    models : dict, default={}
        `estimator_a` and `estimator_b`, where there are models.
    cv : object, default="prefit"
        How models are to be judged.
    """

    scoring: object
    n_comparisons: int
    alpha: float
    models: dict = dataclasses.field(default_factory=dict)
    cv: object = "prefit"

    def __post_init__(self):
        check_integer("n_comparisons", self.n_comparisons, 1, 1_000_000)
        check_fraction("alpha", self.alpha)

    @property
    def level(self):
        """The level of this comparison, by Bonferroni."""
        return float(self.alpha) / int(self.n_comparisons)

    @property
    def level_as_code(self):
        """How the level comes about, as code."""
        shared = f" / {self.n_comparisons:_}" if self.n_comparisons > 1 else ""
        return f"{float(self.alpha)!r}{shared}"

    @property
    def fewest_resamples(self):
        """How many resamples it takes for 20 of them to make a p-value of the level."""
        return math.ceil(20 / self.level) - 1

    @property
    def ways_in(self):
        """Parameters that models, if there are any, give to a test."""
        return {**self.models, "cv": self.cv} if self.models else {}

    def fit_call(self, facts, answers="y_pred_a, y_pred_b"):
        """Return how to fit a test: on models and data, or on answers."""
        groups = ", groups=groups" if facts.groups_given else ""
        if self.models:
            return f"fit(X, y{groups})"
        return f"fit_predictions(y_true, {answers}{groups})"
