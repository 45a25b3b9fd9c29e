"""Who takes `refit`, `error_score`, `n_jobs` and `verbose`, who does not, and why."""

import inspect

import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.utils.metadata_routing import MetadataRouter

import skcompare

FITS = {"refit", "error_score", "n_jobs", "verbose"}

# What each comparison takes of these.
TAKEN = {
    "ApproxRandomization": FITS,
    "BayesianComparison": FITS,
    "BayesianCorrelatedTTest": FITS,
    "BayesianHierarchical": set(),
    "BayesianSignedRank": {"n_jobs", "verbose"},
    "CochranQ": FITS - {"refit"},
    "CorrectedTTest": FITS,
    "CrossValidationCLT": FITS - {"error_score"},
    "DeLong": FITS,
    "FiveByTwoCV": FITS - {"error_score"},
    "ConservativeZ": FITS - {"error_score"},
    "CorrelationTest": FITS,
    "FoldReplicability": FITS - {"refit"},
    "FriedmanTest": set(),
    "McNemar": FITS,
    "NestedCVInterval": FITS - {"error_score"},
    "PairedBootstrap": FITS,
    "PairedTTest": FITS,
    "PairwiseComparison": FITS,
    "RankComparison": set(),
    "SearchComparison": {"n_jobs", "verbose"},
    "SignTest": FITS,
    "SimplestNotWorse": set(),
    "WilcoxonSignedRank": FITS,
    "WildClusterBootstrap": FITS,
}

# Why those that fit models lack one of them.
WHY_NOT = {
    ("CochranQ", "refit"): "many models, and no winner",
    ("ConservativeZ", "error_score"): "its variance is made of all fits",
    ("CrossValidationCLT", "error_score"): "its theory is for folds that make up the "
    "data",
    ("FiveByTwoCV", "error_score"): "its statistic is made of all ten fits",
    (
        "FoldReplicability",
        "refit",
    ): "it says how many folds show an effect; nobody wins",
    ("NestedCVInterval", "error_score"): "without a fit there is no mean over folds",
    (
        "SearchComparison",
        "error_score",
    ): "candidates that fail are the search's: its own error_score has left them out",
    ("SearchComparison", "refit"): "the search has refitted its best candidate",
}

# Those that fit no model: what they get are scores, or the results of a search.
FIT_NOTHING = {
    "BayesianHierarchical",
    "BayesianSignedRank",
    "FriedmanTest",
    "RankComparison",
    "SimplestNotWorse",
}


def comparisons():
    public = {name: getattr(skcompare, name) for name in skcompare.__all__}
    return {
        name: value
        for name, value in public.items()
        if inspect.isclass(value) and issubclass(value, BaseEstimator)
    }


def test_the_list_is_complete_and_has_reasons():
    different = set(TAKEN) ^ set(comparisons())
    assert not different, f"TAKEN must list exactly the public tests: {different}"
    lacking = {
        (name, parameter)
        for name, taken in TAKEN.items()
        if name not in FIT_NOTHING
        for parameter in FITS - taken
    }
    different = lacking ^ set(WHY_NOT)
    assert not different, f"add the parameters, or the reason to WHY_NOT: {different}"


@pytest.mark.parametrize("name", TAKEN)
def test_each_takes_the_inputs_of_the_list(name):
    parameters = set(inspect.signature(comparisons()[name]).parameters)
    assert parameters & FITS == TAKEN[name]


@pytest.mark.parametrize("name", TAKEN)
def test_parameters_can_be_read_set_and_cloned(name):
    cls = comparisons()[name]
    names = list(inspect.signature(cls).parameters)
    required = {"SearchComparison": [{}], "SimplestNotWorse": ["depth"]}
    comparison = cls(*required.get(name, []))
    assert sorted(comparison.get_params(deep=False)) == sorted(names)
    for parameter, value in comparison.get_params(deep=False).items():
        comparison.set_params(**{parameter: value})
        assert getattr(comparison, parameter) is value
    cloned = clone(comparison).get_params(deep=False)
    assert str(cloned) == str(comparison.get_params(deep=False))


# Why methods that fit have no `names`.
WHY_NO_NAMES = {
    ("SearchComparison", "fit"): "candidates are named by their parameters",
    ("RankComparison", "fit_results"): "the results name their models",
}


@pytest.mark.parametrize("name", TAKEN)
def test_every_way_to_fit_takes_names_of_models(name):
    cls = comparisons()[name]
    for method in dir(cls):
        if method == "fit" or method.startswith("fit_"):
            parameters = inspect.signature(getattr(cls, method)).parameters
            assert ("names" in parameters) != ((name, method) in WHY_NO_NAMES), method


@pytest.mark.parametrize("name", sorted(set(TAKEN) - FIT_NOTHING))
def test_estimators_that_fit_models_are_routers(name):
    cls = comparisons()[name]
    kinds = [p.kind for p in inspect.signature(cls.fit).parameters.values()]
    assert inspect.Parameter.VAR_KEYWORD in kinds
    results = {"params": [{}], "split0_test_score": [1.0], "split1_test_score": [1.0]}
    comparison = cls(results) if name == "SearchComparison" else cls()
    assert isinstance(comparison.get_metadata_routing(), MetadataRouter)
