"""Errors of the command line itself."""


class UsageError(ValueError):
    """A call or file that cannot be used, reported in the words of the command line."""
