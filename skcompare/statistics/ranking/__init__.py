"""Placeholder."""


def ranking_statistic(generic):
    return None
