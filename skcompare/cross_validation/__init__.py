"""Comparing learning procedures: tests on the scores of cross-validation."""
