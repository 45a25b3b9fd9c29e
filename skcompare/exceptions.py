"""Errors and warnings: errors are about a call, warnings about the data."""

__all__ = [
    "ComparisonWarning",
    "DegenerateDataWarning",
    "DependentFoldsWarning",
    "FailedFitWarning",
    "MultimodalPosteriorWarning",
    "FewResamplesWarning",
    "LabelMismatchWarning",
    "LeakageWarning",
    "ParameterError",
    "PooledScoreWarning",
    "SmallSampleWarning",
    "UndefinedScoreWarning",
]


class ParameterError(ValueError):
    """A parameter has a value that it cannot have.

    Parameters
    ----------
    parameter : str
        The name of the parameter.
    rule : str
        What it must do, such as "lie strictly between 0 and 1".
    got : str
        The value, as it is shown.
    remedy : str, default=""
        A sentence on what to do instead.

    Examples
    --------
    >>> from skcompare.exceptions import ParameterError
    >>> print(ParameterError("alpha", "lie strictly between 0 and 1", "2"))
    `alpha` must lie strictly between 0 and 1. Got 2.
    """

    def __init__(self, parameter, rule, got, remedy=""):
        super().__init__(parameter, rule, got, remedy)
        self.parameter, self.rule, self.got = parameter, rule, got
        self.remedy = remedy

    def __str__(self):
        return self.message_for(f"`{self.parameter}`")

    def message_for(self, name):
        """Return the message with another name for the parameter.

        Parameters
        ----------
        name : str
            The name, such as that of an option of a command line.

        Returns
        -------
        str
            The message.
        """
        return f"{name} must {self.rule}. Got {self.got}. {self.remedy}".rstrip()


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
