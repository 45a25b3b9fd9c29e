"""The displays under their old address; they are in `skcompare.results`."""

from skcompare.results.displays import *  # noqa: F403
