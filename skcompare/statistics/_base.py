"""The one interface between metrics and resampling."""

import abc
import math
import numbers

__all__ = ["Statistic"]


class Statistic(abc.ABC):
    """A score of every model of a sample, ready to be computed again and again.

    Resampling hands in what it has redrawn and gets one score per model. A resample
    on which the score is undefined gives nan for that model.

    Attributes
    ----------
    engine : str
        How the scores are computed.
    observed : tuple of float
        The score of every model on the sample itself.
    """

    engine = None
    observed = ()

    @abc.abstractmethod
    def on_rows(self, rows):
        """Score every model on the given rows, repeated as often as they occur."""

    @abc.abstractmethod
    def on_reassigned(self, authors):
        """Score every model after its answers have changed hands.

        Parameters
        ----------
        authors : ndarray of shape (n_models, n_rows)
            ``authors[j, i]`` is the model whose answer to row i model j now gives.
        """


def as_number(score, name):
    """Check that a scorer returned one finite number."""
    if not isinstance(score, numbers.Real) or isinstance(score, bool):
        raise ValueError(
            f"The scorer {name!r} must return one number. Got {type(score).__name__}. "
            "For several metrics pass a dict of scorers as `scoring`."
        )
    if not math.isfinite(score):
        raise ValueError(
            f"The scorer {name!r} must be defined on the whole sample. Got {score}."
        )
    return float(score)
