"""Errors of the command line itself."""

__all__ = ["UsageError"]


class UsageError(ValueError):
    """A call or a file that cannot be used, told in the words of the command line."""
