"""P-values, estimates and intervals computed from arrays, without models or data sets.

Functions that are useful on their own are available here. All others are public in
their modules, such as `skcompare.stats.power`.
"""

from skcompare.stats.blocks import cochran_q, friedman_chi2, iman_davenport, rank_blocks
from skcompare.stats.clusters import (
    effective_number,
    wild_cluster_interval,
    wild_cluster_pvalue,
)
from skcompare.stats.corrections import adjust_pvalues, partial_conjunction_pvalues
from skcompare.stats.correlations import (
    correlation_t_test,
    steiger_test,
    williams_test,
)
from skcompare.stats.delong import delong_test, roc_areas
from skcompare.stats.folds import corrected_estimate
from skcompare.stats.intervals import (
    ConfidenceInterval,
    basic_interval,
    bca_interval,
    clopper_pearson_interval,
    percentile_interval,
    studentized_interval,
    symmetric_interval,
)
from skcompare.stats.location import hodges_lehmann
from skcompare.stats.max_t import max_t_pvalues, studentize
from skcompare.stats.model_sets import confidence_set_pvalues
from skcompare.stats.paired import (
    mcnemar_interval,
    mcnemar_test,
    paired_t_test,
    precision_test,
    sign_test,
    signed_rank_test,
    signed_ranks,
    tango_interval,
)
from skcompare.stats.posterior import CredibleInterval, hdi
from skcompare.stats.power import detectable_effect
from skcompare.stats.pvalues import margin_pvalue, resampling_pvalue
from skcompare.stats.selection import best_intervals

__all__ = [
    "ConfidenceInterval",
    "CredibleInterval",
    "adjust_pvalues",
    "basic_interval",
    "bca_interval",
    "best_intervals",
    "clopper_pearson_interval",
    "correlation_t_test",
    "steiger_test",
    "cochran_q",
    "confidence_set_pvalues",
    "corrected_estimate",
    "delong_test",
    "detectable_effect",
    "effective_number",
    "friedman_chi2",
    "hdi",
    "hodges_lehmann",
    "iman_davenport",
    "margin_pvalue",
    "max_t_pvalues",
    "mcnemar_interval",
    "mcnemar_test",
    "paired_t_test",
    "partial_conjunction_pvalues",
    "percentile_interval",
    "precision_test",
    "rank_blocks",
    "resampling_pvalue",
    "roc_areas",
    "sign_test",
    "signed_rank_test",
    "signed_ranks",
    "studentize",
    "studentized_interval",
    "symmetric_interval",
    "tango_interval",
    "wild_cluster_interval",
    "wild_cluster_pvalue",
    "williams_test",
]
