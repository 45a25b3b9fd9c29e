"""Scorers that scikit-learn lacks, and tools for your own additive metrics."""

from skcompare.metrics._additive import (
    RecognizedMetric,
    check_additive_scorer,
    make_additive_scorer,
    recognize_metric,
)
from skcompare.metrics._ratios import (
    las_scorer,
    pearson_scorer,
    perplexity_scorer,
    spearman_scorer,
    uas_scorer,
)
from skcompare.metrics._text import bleu_scorer, chrf_scorer, ter_scorer

__all__ = [
    "RecognizedMetric",
    "bleu_scorer",
    "check_additive_scorer",
    "chrf_scorer",
    "las_scorer",
    "make_additive_scorer",
    "pearson_scorer",
    "perplexity_scorer",
    "spearman_scorer",
    "recognize_metric",
    "ter_scorer",
    "uas_scorer",
]
