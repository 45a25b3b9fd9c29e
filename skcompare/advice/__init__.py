"""The former name of `skcompare.planning`, for what still imports it."""

from skcompare.planning import power, recommend_test

__all__ = ["power", "recommend_test"]
