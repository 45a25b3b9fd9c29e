"""The private names of skcompare that tests use, and where they are today.

Where a name moves, it is followed here, and nowhere else. A test that can do without
any of these is the better one.
"""

# ruff: noqa: F401

from skcompare import _callbacks, _progress
from skcompare._progress import PlainLines, track
from skcompare._random import chunk_generator, seed_of
from skcompare._validation import metric_of
from skcompare.advice import TREE, Leaf, Node
from skcompare.advice._alternatives import TESTS as ADVICE_TESTS
from skcompare.advice._configuration import _duration
from skcompare.advice._facts import Facts
from skcompare.advice._normality import MOST_SHAPIRO, check_normality, t_level_error
from skcompare.advice._recommendation import bulleted
from skcompare.cli._columns import MANY_LEVELS, ColumnBuilder
from skcompare.cli._data import load
from skcompare.cli._gate import margin_pvalue
from skcompare.cli._main import COMMANDS, _parser
from skcompare.cli._tests import CLASSES, SETTINGS
from skcompare.cli._tests import TESTS as CLI_TESTS
from skcompare.cli._words import Words
from skcompare.comparison._aggregate import AGGREGATES
from skcompare.comparison._layout import CellLayout
from skcompare.comparison._posteriors import PairedPosterior
from skcompare.comparison._question import pose_question
from skcompare.cross_validation._corrected_t import NAIVE
from skcompare.cross_validation._nested_folds import draw_folds
from skcompare.evaluation import evaluate_predictions, resolve_scoring
from skcompare.inference import (
    ALTERNATIVES,
    CORRECTIONS,
    MCNEMAR_VARIANTS,
    SignedRanks,
    StoppingRule,
    Studentized,
    adjust_against_best,
    against_best,
    as_rope,
    basic_interval,
    bca_interval,
    clt_estimate,
    compact_letters,
    confidence_set_pvalues,
    count_exceeding,
    decide,
    density_of,
    detectable_effect,
    discordance_sizes,
    equally_likely,
    exchange_probabilities,
    five_by_two_f,
    five_by_two_t,
    hierarchy_draws,
    indistinct_groups,
    is_multimodal,
    max_t_intervals,
    max_t_pvalues,
    mcnemar_detectable_effect,
    mcnemar_power,
    mcnemar_sample_size,
    mcnemar_test,
    mean_and_error,
    nested_estimate,
    nested_round,
    paired_differences,
    paired_t_detectable_effect,
    paired_t_interval,
    paired_t_power,
    paired_t_sample_size,
    paired_t_test,
    partial_conjunction_pvalues,
    percentile_interval,
    resampling_pvalue,
    rounding_tolerance,
    sign_flip_tail,
    sign_test,
    signed_rank_test,
    signed_ranks,
    standardized_mean,
    studentize,
    studentized_interval,
    summarise_distribution,
    summarise_draws,
    tango_interval,
)
from skcompare.inference._blocks import (
    cochran_q,
    friedman_chi2,
    iman_davenport,
    rank_blocks,
)
from skcompare.inference._cv_variance import NestedRound, variances_of_means
from skcompare.inference._delong import (
    delong_interval,
    delong_test,
    roc_areas,
    roc_interval,
)
from skcompare.metrics._parsing import las_scorer, uas_scorer
from skcompare.metrics._ratios import pearson_scorer, perplexity_scorer
from skcompare.metrics._text import bleu_scorer, chrf_scorer, ter_scorer
from skcompare.model_selection._cv_results import read_candidates
from skcompare.model_selection._luck import FoldScores, expected_lead
from skcompare.model_selection._ratio import (
    has_disjoint_tests,
    implied_ratio,
    runs_forward,
)
from skcompare.reporting import _pictures, _report, write_file
from skcompare.reporting._document import Document, Notes, Paragraph, Section
from skcompare.reporting._html import render_html
from skcompare.reporting._latex import render_latex
from skcompare.reporting._markdown import render_markdown
from skcompare.reporting._text import render_text
from skcompare.resampling import (
    AllCellSwaps,
    CellBootstrap,
    CellSwaps,
    GammaDraws,
    NestedCellBootstrap,
    PackedSwaps,
    UnitCounts,
    Units,
    _cells,
    _engine,
    evaluate_draws,
)
from skcompare.resampling._blas import OneThread
from skcompare.resampling._gamma import LEAST_CUBED, MOST_FACTORS, cubes_of_normals
from skcompare.resampling._workers import MOST_LOSSES, Shared, from_workers
from skcompare.results import Table
from skcompare.results._candidates import candidate_labels
from skcompare.statistics import CountedStatistic
from skcompare.statistics._cells import joint_codes
from skcompare.statistics._generic import MetricStatistic
from skcompare.statistics.additive._probabilities import (
    BUILDERS as PROBABILITY_BUILDERS,
)
from skcompare.statistics.additive._regression import BUILDERS as REGRESSION_BUILDERS
from skcompare.statistics.ranking import ranking_statistic

# What tests replace, by `monkeypatch.setattr(NAME, ...)`.
PATIENCE = "skcompare._progress.PATIENCE"
SECONDS_WORTH_WORKERS = "skcompare.resampling._engine.SECONDS_WORTH_WORKERS"
BAYESIAN_DRAWS = "skcompare.comparison._bayesian.evaluate_draws"
