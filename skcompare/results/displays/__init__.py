"""Plots of numbers; matplotlib is imported when something is drawn."""
