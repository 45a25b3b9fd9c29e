"""The warnings of skcompare: each says something about the data, none about a bug."""

__all__ = [
    "ComparisonWarning",
    "DegenerateDataWarning",
    "PooledScoreWarning",
    "SmallSampleWarning",
    "UndefinedScoreWarning",
]


class ComparisonWarning(UserWarning):
    """Base class of all warnings that skcompare gives."""


class DegenerateDataWarning(ComparisonWarning):
    """The data make the question trivial, such as two models that always agree."""


class PooledScoreWarning(ComparisonWarning):
    """The score of pooled out-of-fold responses is not the mean of fold scores."""


class SmallSampleWarning(ComparisonWarning):
    """There are too few rows for a bootstrap or an approximation to be trusted."""


class UndefinedScoreWarning(ComparisonWarning):
    """The scorer has no value on some of the resamples."""
