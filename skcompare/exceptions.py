"""The warnings of skcompare: each says something about the data, none about a bug."""

__all__ = [
    "ComparisonWarning",
    "DegenerateDataWarning",
    "DependentFoldsWarning",
    "FailedFitWarning",
    "MultimodalPosteriorWarning",
    "FewResamplesWarning",
    "LabelMismatchWarning",
    "LeakageWarning",
    "PooledScoreWarning",
    "SmallSampleWarning",
    "UndefinedScoreWarning",
]


class ComparisonWarning(UserWarning):
    """Base class of all warnings that skcompare gives."""


class DegenerateDataWarning(ComparisonWarning):
    """The data make the question trivial, such as two models that always agree."""


class MultimodalPosteriorWarning(ComparisonWarning):
    """A posterior has several peaks, which one interval describes badly."""


class DependentFoldsWarning(ComparisonWarning):
    """Folds, or rows, may depend on each other in a way that the test does not see."""


class FailedFitWarning(ComparisonWarning):
    """A model could not be fitted or scored on some of the folds."""


class FewResamplesWarning(ComparisonWarning):
    """There are too few resamples for p-values that are to be corrected."""


class LabelMismatchWarning(ComparisonWarning):
    """Truth and predictions have no label in common, or write one in two ways."""


class LeakageWarning(ComparisonWarning):
    """A model may be scored on rows that it was trained on."""


class PooledScoreWarning(ComparisonWarning):
    """The score of pooled out-of-fold responses is not the mean of fold scores."""


class SmallSampleWarning(ComparisonWarning):
    """There are too few rows for a bootstrap or an approximation to be trusted."""


class UndefinedScoreWarning(ComparisonWarning):
    """The scorer has no value on some of the resamples."""
