"""Errors of the command line itself."""


class UsageError(ValueError):
    """A call or a file that cannot be used, told in the words of the command line."""
