"""Errors and warnings: errors concern the call, warnings concern the data."""

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
    """A parameter has a value that is not allowed.

    Parameters
    ----------
    parameter : str
        The name of the parameter.
    rule : str
        The requirement, in words after "must", such as "lie strictly between 0 and 1".
    got : str
        The value, as text.
    remedy : str, default=""
        A sentence that suggests what to do instead.

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
            The name, such as that of a command-line option.

        Returns
        -------
        str
            The message.
        """
        return f"{name} must {self.rule}. Got {self.got}. {self.remedy}".rstrip()


class ComparisonWarning(UserWarning):
    """Base class of all warnings that skcompare issues."""


class DegenerateDataWarning(ComparisonWarning):
    """The data make the comparison trivial, e.g. with two models that always agree."""


class MultimodalPosteriorWarning(ComparisonWarning):
    """A posterior has several modes, which a single interval describes poorly."""


class DependentFoldsWarning(ComparisonWarning):
    """Folds or rows may be dependent in a way that the test does not account for."""


class FailedFitWarning(ComparisonWarning):
    """A model could not be fitted or scored on some of the folds."""


class FewResamplesWarning(ComparisonWarning):
    """There are too few resamples for the correction of p-values."""


class LabelMismatchWarning(ComparisonWarning):
    """Truth and predictions share no label, or spell a label in two ways."""


class LeakageWarning(ComparisonWarning):
    """A model may be scored on rows that it was trained on."""


class PooledScoreWarning(ComparisonWarning):
    """The score of pooled out-of-fold responses is not the mean of fold scores."""


class SmallSampleWarning(ComparisonWarning):
    """There are too few rows for a reliable bootstrap or approximation."""


class UndefinedScoreWarning(ComparisonWarning):
    """The scorer is undefined on some of the resamples."""
