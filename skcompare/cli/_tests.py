"""From `--test` to a test with its settings."""

import dataclasses

from skcompare.advice import recommend_test
from skcompare.cli._errors import UsageError
from skcompare.cli._scoring import as_scoring
from skcompare.comparison import (
    ApproxRandomization,
    BayesianComparison,
    McNemar,
    PairedBootstrap,
)

__all__ = ["CLASSES", "SETTINGS", "TESTS", "compared", "make_test", "recommended"]

CLASSES = {
    "bootstrap": PairedBootstrap,
    "randomization": ApproxRandomization,
    "mcnemar": McNemar,
    "bayes": BayesianComparison,
}


def _plain(options, data):
    return CLASSES[options.test]()


def _mcnemar(options, data):
    if options.scoring not in (None, ["accuracy"]):
        raise UsageError(
            "--test mcnemar compares accuracies and takes no other --scoring. Got "
            f"{','.join(options.scoring)}"
        )
    return McNemar()


def _recommended(options, data):
    if "strata" in data.layout:
        return PairedBootstrap()  # the one test in which strata make a difference
    return recommended(options, data).test


def recommended(options, data, **setting):
    """Return the recommendation for two models."""
    if options.alpha is not None:
        setting["alpha"] = options.alpha
    return recommend_test(
        data.truth,
        *data.pair,
        scoring=as_scoring(options.scoring),
        groups=data.layout.get("groups"),
        **setting,
    )


TESTS = {
    **dict.fromkeys(CLASSES, _plain),
    "mcnemar": _mcnemar,
    "auto": _recommended,
}


# Which parameters of tests an option sets.
SETTINGS = {
    "alpha": ("alpha",),
    "alternative": ("alternative",),
    "n_resamples": ("n_resamples", "n_draws"),
    "rope": ("rope",),
    "seed": ("random_state",),
    "jobs": ("n_jobs",),
}
# Options that make no difference to a test that does not take them.
INDIFFERENT = frozenset(("seed", "jobs"))


def make_test(options, data):
    """Return the test that was asked for, with as much of the options as it takes.

    Parameters
    ----------
    options : argparse.Namespace
        `test`, `scoring` and settings of the test.
    data : Data
        What the test is for.

    Returns
    -------
    estimator
        The test, not yet fitted.
    """
    test = TESTS[options.test](options, data)
    taken = test.get_params(deep=False)
    if options.scoring is not None and "scoring" in taken:
        test.set_params(scoring=as_scoring(options.scoring))
    for option, parameters in SETTINGS.items():
        value = getattr(options, option)
        if value is not None:
            fitting = [name for name in parameters if name in taken]
            _check_taken(option, fitting, options.test)
            test.set_params(**dict.fromkeys(fitting, value))
    return test


def _check_taken(option, fitting, test):
    unknown = option == "n_resamples" and test == "auto"  # whether there are any
    if not fitting and option not in INDIFFERENT and not unknown:
        raise UsageError(f"--test {test} takes no --{option.replace('_', '-')}")


def compared(test, data):
    """Return the results of a test of two models, which they call by their names.

    Parameters
    ----------
    test : estimator
        The test.
    data : Data
        Truth and answers.

    Returns
    -------
    list of Result
        One for each metric.
    """
    test.fit_predictions(data.truth, *data.pair, **data.layout)
    called = dict(zip(("name_a", "name_b"), data.models, strict=True))
    return [dataclasses.replace(r, **called) for r in test.results_.values()]
