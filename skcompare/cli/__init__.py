"""The command line."""

from skcompare.cli._main import main

__all__ = ["main"]
