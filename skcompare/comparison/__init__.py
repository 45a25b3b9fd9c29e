"""The tests, one per module, and functions that other packages use."""

from skcompare.comparison._base import (
    FEWEST_UNITS,
    as_target,
    outcome_of,
    refuse_untaken,
)
from skcompare.comparison._bayesian import BayesianComparison
from skcompare.comparison._bayesian_correlated_t import BayesianCorrelatedTTest
from skcompare.comparison._bayesian_hierarchical import BayesianHierarchical
from skcompare.comparison._bayesian_signed_rank import BayesianSignedRank
from skcompare.comparison._bootstrap import PairedBootstrap
from skcompare.comparison._bounds import support_of, units_of_rarest_class
from skcompare.comparison._clt import CrossValidationCLT
from skcompare.comparison._cochran import CochranQ
from skcompare.comparison._conservative_z import ConservativeZ
from skcompare.comparison._corrected_t import CorrectedTTest
from skcompare.comparison._correlation import CorrelationTest
from skcompare.comparison._delong import DeLong
from skcompare.comparison._five_by_two import FiveByTwoCV
from skcompare.comparison._folds import IN_TIME
from skcompare.comparison._friedman import FriedmanTest
from skcompare.comparison._mcnemar import McNemar
from skcompare.comparison._named import NamedModels, named_models, named_predictions
from skcompare.comparison._needs import (
    NO_EXCHANGE,
    Need,
    advice_on,
    declares,
    format_sentence,
)
from skcompare.comparison._nested import NestedCVInterval
from skcompare.comparison._posteriors import FEWEST_DISCORDANT
from skcompare.comparison._randomization import ApproxRandomization, unequal_rates
from skcompare.comparison._replicability import (
    FoldReplicability,
    replicability_analysis,
)
from skcompare.comparison._sign import SignTest
from skcompare.comparison._ttest import PairedTTest
from skcompare.comparison._wilcoxon import WilcoxonSignedRank
from skcompare.comparison._wild import WildClusterBootstrap
from skcompare.comparison._winner import (
    NO_MODELS,
    NOT_REFITTED,
    FittedAttributes,
    WinnerPredicts,
    refitted,
    result_attributes,
)
