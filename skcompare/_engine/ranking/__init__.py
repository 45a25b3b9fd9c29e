"""Metrics of a ranking, ROC AUC and average precision, from one sort per model.

Whatever is resampled, the order of the scores stays. So the entries are sorted once,
and the weights that a resample gives them are accumulated along that order, for many
resamples at a time.
"""

from skcompare._engine.ranking._builders import BUILDERS
