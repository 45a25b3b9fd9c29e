"""Placeholder."""

BUILDERS = {}
