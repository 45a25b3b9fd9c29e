"""About 450 calls through public names, on small data that are the same everywhere.

Cases speak the language of the day they were recorded: `make`, `call` and `value` below
turn names, parameters and spellings into those of today, by `changes`. Defaults
that may change are spelled out. Everything runs in one process.
"""

import contextlib
import csv
import functools
import io
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_wine,
)
from sklearn.dummy import DummyClassifier
from sklearn.metrics import fbeta_score, make_scorer, mean_absolute_error
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare
from skcompare.cli import main
from tests.golden import changes
from tests.golden.observe import Text

# What may be called otherwise later: all such calls go through here


def public(name):
    """Return a public name of the library, wherever it is today."""
    return functools.reduce(
        getattr, changes.NAMES.get(name, name).split("."), skcompare
    )


def value(parameter, spelling):
    """Return a value of a parameter as it is spelled today."""
    if not isinstance(spelling, str):
        return spelling
    either = changes.VALUES.get(spelling, spelling)
    return changes.VALUES.get((parameter, spelling), either)


def today(name, parameters):
    """Return the parameters of a class or function as they are called today."""
    return {
        changes.PARAMETERS.get((name, key), changes.PARAMETERS.get(key, key)): value(
            key, spelled
        )
        for key, spelled in parameters.items()
    }


def make(name, /, *models, **parameters):
    """Make an estimator of the library."""
    return public(name)(*models, **today(name, parameters))


def call(name, /, *arguments, **parameters):
    """Call a function of the library."""
    return public(name)(*arguments, **today(name, parameters))


def extend(test, n_more):
    """Add resamples to a fitted test and return the result of all of them."""
    return test.extend(n_more).result_


def recommend_for_models(*arguments, **parameters):
    """Recommend a test for two models and data."""
    return skcompare.recommend_test_for_models(*arguments, **parameters)


def command(*arguments, files):
    """Run the command line in a folder with such files."""
    out, err = io.StringIO(), io.StringIO()
    arguments = [changes.ARGUMENTS.get(str(item), str(item)) for item in arguments]
    with tempfile.TemporaryDirectory() as folder:
        for name, columns in files.items():
            with open(Path(folder, name), "w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file)
                writer.writerow(columns)
                writer.writerows(zip(*columns.values(), strict=True))
        with (
            contextlib.chdir(folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                status = main(arguments)
            except SystemExit as end:
                status = end.code
    printed = out.getvalue()
    seen = {"status": status, "err": Text(err.getvalue())}
    if "json" in arguments and status != 2:
        return seen | {"json": _without_empty(json.loads(printed))}
    return seen | {"out": Text(printed)}


def _without_empty(item):
    """Leave out of JSON what is empty, or only describes the computation."""
    if isinstance(item, dict):
        kept = {name: part for name, part in item.items() if part not in (None, [])}
        return {k: _without_empty(v) for k, v in kept.items() if k != "signature"}
    return list(map(_without_empty, item)) if isinstance(item, list) else item


# Data


@functools.cache
def binary(n=120, seed=0):
    """Truth, labels and probabilities of two models, of which A is the better one."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.4).astype(int)
    clear_a, clear_b = rng.normal(size=(2, n)) + np.multiply.outer([1.6, 0.9], truth)
    proba_a, proba_b = (
        np.round(1 / (1 + np.exp(1 - clear)), 3) for clear in (clear_a, clear_b)
    )
    return truth, _both_responses(proba_a), _both_responses(proba_b)


def _both_responses(proba):
    return {"predict": (proba >= 0.5).astype(int), "predict_proba": proba}


@functools.cache
def labels(n=120, seed=0):
    """Truth and labels of two classes."""
    truth, a, b = binary(n, seed)
    return truth, a["predict"], b["predict"]


@functools.cache
def classes(n=150, n_classes=4):
    """Truth, labels and probabilities of several classes."""
    rng = np.random.default_rng(7)
    truth = rng.choice(n_classes, size=n, p=[0.4, 0.3, 0.2, 0.1])
    models = []
    for share in (0.75, 0.55):
        sharp = np.where(np.eye(n_classes)[truth] > 0, share * 6, 1.0)
        proba = np.round(rng.gamma(sharp), 3) + 0.001
        proba = np.round(proba / proba.sum(axis=1, keepdims=True), 6)
        proba[:, -1] = 1 - proba[:, :-1].sum(axis=1)
        models.append({"predict": proba.argmax(axis=1), "predict_proba": proba})
    return truth, *models


@functools.cache
def values(n=100, n_outputs=None):
    """Truth and predictions of a number, or of several."""
    rng = np.random.default_rng(11)
    shape = n if n_outputs is None else (n, n_outputs)
    truth = np.round(rng.normal(10, 3, size=shape), 2)
    a, b = (np.round(truth + rng.normal(0, s, size=shape), 2) for s in (1.5, 1.9))
    return truth, a, b


def irregular(n):
    """Truth and predictions whose losses are no multiples of anything."""
    truth, a, b = values(n)
    return truth, truth + (a - truth) * np.sqrt(2), truth + (b - truth) * np.sqrt(3)


@functools.cache
def multilabel(n=80, n_labels=5):
    """Truth and predictions of several labels for each row."""
    rng = np.random.default_rng(13)
    truth = (rng.random((n, n_labels)) < 0.35).astype(int)
    a, b = (np.where(rng.random(truth.shape) < p, truth, 1 - truth) for p in (0.9, 0.8))
    return truth, a, b


def words():
    """Truth and labels that are strings."""
    truth, a, b = classes()
    animals = np.array(["ant", "bee", "cat", "dog"])
    return animals[truth], animals[a["predict"]], animals[b["predict"]]


def many(n=120):
    """Truth, and labels of four models by name."""
    truth, a, b = labels(n)
    c = labels(n, seed=1)[1]
    return truth, {"a": a, "b": b, "c": np.where(c == a, a, truth), "d": 0 * truth}


def many_probabilities():
    """Truth, and responses of three models by name."""
    truth, a, b = binary()
    mixed = np.round((a["predict_proba"] + b["predict_proba"]) / 2, 3)
    return truth, {"a": a, "b": b, "c": _both_responses(mixed)}


def rows_in(n, kind):
    """Return what goes with rows: groups, strata, weights or several of them."""
    rng = np.random.default_rng(17)
    groups = np.sort(rng.integers(n // 3, size=n))
    strata = np.arange(n) % 3
    weights = rng.integers(1, 4, size=n)
    return {
        "plain": {},
        "groups": {"groups": groups},
        "strata": {"strata": strata},
        "two_strata": {"strata": (strata > 0).astype(int)},
        "weights": {"sample_weight": weights},
        "real_weights": {"sample_weight": np.round(rng.uniform(0.5, 2, size=n), 3)},
        "zero_weights": {"sample_weight": weights - 1},
        "groups_and_strata": {"groups": groups, "strata": groups % 2},
        "groups_and_weights": {"groups": groups, "sample_weight": weights},
    }[kind]


@functools.cache
def tables():
    """Scores of four models on twelve data sets."""
    rng = np.random.default_rng(19)
    level = rng.uniform(0.6, 0.9, size=(12, 1))
    scores = np.round(level + np.array([0.05, 0.03, 0.0, -0.02]), 3)
    scores = np.round(scores + rng.normal(0, 0.02, size=(12, 4)), 3)
    return dict(zip(["svm", "tree", "knn", "nb"], scores.T, strict=True))


@functools.cache
def folds(n_datasets=None):
    """Scores of two models on ten folds, of one data set or several."""
    rng = np.random.default_rng(23)
    shape = 10 if n_datasets is None else (n_datasets, 10)
    base = 0.8 + rng.normal(0, 0.03, size=shape)
    a, b = (base + rng.normal(m, 0.02, size=shape) for m in (0.02, 0.0))
    return np.round(a, 4), np.round(b, 4)


@functools.cache
def halves(load=load_breast_cancer, n=240):
    """Training and test rows of a data set that ships with scikit-learn."""
    X, y = load(return_X_y=True)
    order = np.random.default_rng(29).permutation(len(X))[:n]
    X, y = np.round(X[order, :6], 4), y[order]
    return X[: n // 2], y[: n // 2], X[n // 2 :], y[n // 2 :]


def everything(load=load_breast_cancer, n=240):
    """All those rows."""
    X_train, y_train, X, y = halves(load, n)
    return np.concatenate([X_train, X]), np.concatenate([y_train, y])


def tree(depth=3):
    """Return a model whose predictions are the same on every machine."""
    return DecisionTreeClassifier(max_depth=depth, random_state=0)


def prefit(*models, load=load_breast_cancer, n=240):
    """Fit models to the training rows."""
    X, y, *_ = halves(load, n)
    return [model.fit(X, y) for model in models]


def regressors():
    """Two models of a number that are not fitted yet."""
    return KNeighborsRegressor(7), DecisionTreeRegressor(max_depth=2, random_state=0)


# Scorers


def opaque(estimator, X, y):
    """Score by what no table holds: a function of the model itself."""
    return float(np.median(estimator.predict(X) == y) + np.mean(estimator.predict(X)))


def trimmed(y_true, y_pred):
    """Score values by a function of one's own."""
    return float(np.mean(np.sort(np.abs(y_true - y_pred))[: max(1, len(y_true) // 2)]))


def with_rare_class(y_true, y_pred):
    """Return the share of right labels, nan with too few rows of the rare class."""
    return np.mean(y_true == y_pred) if np.sum(y_true == 3) >= 8 else np.nan


def share_right(y_true, y_pred):
    """Return what each row adds: whether it is right, and one."""
    return np.column_stack([y_true == y_pred, np.ones(len(y_true))])


def squared_share(totals):
    """Return the score of totals."""
    return (totals[..., 0] / totals[..., 1]) ** 2


OWN = {
    "f2": make_scorer(fbeta_score, beta=2.0),
    "trimmed": make_scorer(trimmed, greater_is_better=False),
    "sometimes": make_scorer(with_rare_class),
    "mae": make_scorer(mean_absolute_error, greater_is_better=False),
    "opaque": opaque,
}


def scorer(name):
    """Return a scorer of one's own, or of scikit-learn, by its name."""
    if name == "additive":
        return call("make_additive_scorer", share_right, squared_share, name="squared")
    return OWN.get(name, name)


# Cases


class Case(NamedTuple):
    """A call without arguments, and whether to keep how its outcome prints."""

    call: Callable
    printed: bool = True


CASES = {}


def case(name, function, *arguments, printed=True, **parameters):
    """Add a case: a function and what it is called with."""
    assert name not in CASES, name
    call = functools.partial(function, *arguments, **parameters)
    CASES[name] = Case(call, printed)


def refuses(function, *arguments, **parameters):
    """Make a call that ends in an error, and return that."""
    try:
        outcome = function(*arguments, **parameters)
    except ValueError as error:
        return {"error": "ValueError", "message": Text(error)}
    raise AssertionError(f"expected an error, got {outcome!r}")


def on_rows(
    name, data, kind="plain", *, n_resamples=199, scoring="accuracy", **parameters
):
    """Resample predictions of two models."""
    y, a, b = data()
    metrics = [scorer(s) for s in scoring] if isinstance(scoring, list) else None
    if metrics is not None and not all(isinstance(s, str) for s in metrics):
        metrics = dict(zip(scoring, metrics, strict=True))
    test = make(
        name,
        scoring=metrics or scorer(scoring),
        n_resamples=n_resamples,
        random_state=parameters.pop("random_state", 0),
        **{"alternative": "greater", **parameters},
    )
    return test.fit_predictions(y, a, b, **rows_in(len(y), kind))


BOTH = {"bootstrap": "PairedBootstrap", "randomization": "ApproxRandomization"}
METRICS = {
    "accuracy": binary,
    "f1": binary,
    "f1_macro": classes,
    "f1_micro": classes,
    "balanced_accuracy": classes,
    "matthews_corrcoef": binary,
    "neg_log_loss": classes,
    "neg_brier_score": binary,
    "roc_auc": binary,
    "roc_auc_ovr": classes,
    "average_precision": binary,
    "r2": values,
    "neg_mean_squared_error": values,
    "neg_root_mean_squared_error": values,
    "neg_median_absolute_error": values,
    "explained_variance": values,
    "f2": binary,
    "trimmed": values,
    "sometimes": classes,
    "additive": binary,
}
SLOW_METRICS = {"neg_median_absolute_error", "f2", "trimmed", "sometimes"}

for _short, _test in BOTH.items():
    for _metric, _data in METRICS.items():
        case(
            f"{_short}/{_metric}",
            *(on_rows, _test, _data),
            scoring=_metric,
            n_resamples=99 if _metric in SLOW_METRICS else 199,
            printed=_metric in ("accuracy", "r2", "sometimes"),
        )
    for _kind in ("groups", "strata", "weights"):
        for _metric in (
            *("accuracy", "f1_macro", "roc_auc", "neg_log_loss", "r2"),
            *("average_precision", "neg_median_absolute_error"),
        ):
            if (_short, _metric, _kind) == ("randomization", "roc_auc", "strata"):
                continue
            case(
                f"{_short}/{_metric}/{_kind}",
                *(on_rows, _test, METRICS[_metric], _kind),
                scoring=_metric,
                n_resamples=99,
                alternative="two-sided",
                printed=False,
            )
    for _alternative in ("less", "two-sided"):
        for _metric in ("f1_macro", "neg_mean_squared_error"):
            case(
                f"{_short}/{_metric}/{_alternative}",
                *(on_rows, _test, METRICS[_metric]),
                scoring=_metric,
                alternative=_alternative,
                printed=False,
            )
    case(
        f"{_short}/several",
        *(on_rows, _test, binary),
        scoring=["accuracy", "f1", "roc_auc", "neg_log_loss"],
    )
    case(
        f"{_short}/several_one_generic",
        *(on_rows, _test, binary),
        scoring=["accuracy", "f2", "roc_auc"],
        printed=False,
        n_resamples=99,
    )
    case(
        f"{_short}/several_groups",
        *(on_rows, _test, values, "groups"),
        scoring=["r2", "neg_mean_absolute_error", "neg_median_absolute_error"],
        printed=False,
        n_resamples=99,
    )
    for _kind in ("real_weights", "zero_weights", "two_strata"):
        case(
            f"{_short}/f1/{_kind}",
            *(on_rows, _test, binary, _kind),
            scoring="f1",
            printed=False,
        )
    for _kind in ("groups_and_strata", "groups_and_weights"):
        case(
            f"{_short}/f1/{_kind}",
            *(on_rows, _test, binary, _kind),
            scoring="f1",
            printed=False,
        )
    case(f"{_short}/strings", on_rows, _test, words, scoring="f1_macro")
    case(f"{_short}/strings_groups", on_rows, _test, words, "groups")
    case(
        f"{_short}/multilabel_f1_macro", on_rows, _test, multilabel, scoring="f1_macro"
    )
    case(
        f"{_short}/multilabel_f1_micro", on_rows, _test, multilabel, scoring="f1_micro"
    )
    case(f"{_short}/multilabel_subset", on_rows, _test, multilabel)
    for _metric in ("r2", "neg_mean_absolute_error"):
        case(
            f"{_short}/multioutput_{_metric}",
            *(on_rows, _test, functools.partial(values, 80, 3)),
            scoring=_metric,
            printed=False,
        )
    for _add_one in (True, False):
        case(
            f"{_short}/auto/add_one={_add_one}",
            *(on_rows, _test, binary),
            scoring="f1",
            n_resamples="auto",
            add_one=_add_one,
        )
    case(
        f"{_short}/auto/generic",
        *(on_rows, _test, values),
        scoring="trimmed",
        n_resamples="auto",
    )
    case(
        f"{_short}/auto/groups",
        *(on_rows, _test, values, "groups"),
        scoring="r2",
        n_resamples="auto",
        alternative="two-sided",
    )
    case(
        f"{_short}/auto/several",
        *(on_rows, _test, binary),
        scoring=["accuracy", "roc_auc"],
        n_resamples="auto",
    )
    case(
        f"{_short}/few_rows",
        *(on_rows, _test, functools.partial(binary, 12)),
        scoring="f1",
        n_resamples=99,
    )
    case(f"{_short}/few_resamples", on_rows, _test, binary, n_resamples=9)
    case(
        f"{_short}/small_alpha",
        *(on_rows, _test, binary),
        scoring="f1",
        alpha=0.001,
        add_one=False,
    )

for _interval in ("basic", "bca", "studentized"):
    for _metric, _kind in (
        ("accuracy", "plain"),
        ("f1_macro", "strata"),
        ("f1", "groups"),
        ("roc_auc", "plain"),
        ("roc_auc", "groups"),
        ("r2", "plain"),
        ("r2", "weights"),
        ("neg_mean_squared_error", "groups_and_strata"),
        ("neg_median_absolute_error", "two_strata"),
    ):
        _generic = _metric.startswith("neg_median")
        if _interval == "studentized" and _generic:
            continue
        case(
            f"bootstrap/{_interval}/{_metric}/{_kind}",
            *(on_rows, "PairedBootstrap", METRICS[_metric], _kind),
            scoring=_metric,
            interval=_interval,
            n_resamples=99,
            confidence_level=0.9,
            alternative="two-sided",
            printed=False,
        )
case(
    "bootstrap/studentized/generic",
    *(on_rows, "PairedBootstrap", functools.partial(values, 40)),
    scoring="trimmed",
    interval="studentized",
    n_resamples=39,
    confidence_level=0.8,
)
for _interval in ("percentile", "basic", "bca"):
    for _metric in ("accuracy", "neg_mean_squared_error"):
        case(
            f"bootstrap/ideal/{_interval}/{_metric}",
            *(on_rows, "PairedBootstrap", METRICS[_metric]),
            scoring=_metric,
            interval=_interval,
            n_resamples="ideal",
            printed=False,
        )
case(
    "bootstrap/ideal/strata",
    *(on_rows, "PairedBootstrap", binary, "strata"),
    n_resamples="ideal",
    alternative="two-sided",
)
case(
    "bootstrap/ideal/refuses/groups",
    *(refuses, on_rows, "PairedBootstrap", binary, "groups"),
    n_resamples="ideal",
)

for _method, _metric, _alternative, _n in (
    ("exact", "accuracy", "greater", 120),
    ("exact", "accuracy", "two-sided", 120),
    ("exact", "f1", "two-sided", 20),
    ("exact", "f1", "less", 20),
    ("exact", "roc_auc", "two-sided", 12),
    ("auto", "accuracy", "greater", 120),
    ("auto", "f1", "two-sided", 20),
    ("monte-carlo", "accuracy", "two-sided", 120),
    ("monte-carlo", "f1", "greater", 20),
    ("monte-carlo", "roc_auc", "less", 40),
):
    case(
        f"randomization/{_method}/{_metric}/{_alternative}/{_n}",
        *(on_rows, "ApproxRandomization", functools.partial(binary, _n)),
        scoring=_metric,
        method=_method,
        alternative=_alternative,
    )
case(
    "randomization/exact/values",
    *(on_rows, "ApproxRandomization", functools.partial(values, 14)),
    scoring="neg_mean_squared_error",
    method="exact",
    alternative="two-sided",
)
for _n, _alternative in ((14, "two-sided"), (40, "less"), (70, "two-sided")):
    case(
        f"randomization/exact/irregular/{_alternative}/{_n}",
        *(on_rows, "ApproxRandomization", functools.partial(irregular, _n)),
        scoring="neg_mean_absolute_error",
        method="exact",
        alternative=_alternative,
    )
case(
    "randomization/exact/groups",
    *(on_rows, "ApproxRandomization", functools.partial(values, 30), "groups"),
    scoring="r2",
    method="exact",
    alternative="greater",
)


def never(estimator, X, y):
    """Score by nothing at all."""
    return np.nan


OWN["never"] = never
for _short, _test in BOTH.items():
    case(
        f"{_short}/refuses/undefined", refuses, on_rows, _test, binary, scoring="never"
    )
    case(
        f"{_short}/refuses/alternative",
        *(refuses, on_rows, _test, binary),
        alternative="bigger",
    )


def equal_models(name):
    """Compare a model with itself."""
    y, a, _ = labels()
    test = make(
        name, scoring="f1", n_resamples=99, random_state=0, alternative="two-sided"
    )
    return test.fit_predictions(y, a, a)


def extended(name, scoring="f1", kind="plain", **parameters):
    """Add resamples to those of a test."""
    test = on_rows(
        name, METRICS[scoring], kind, scoring=scoring, n_resamples=99, **parameters
    )
    return extend(test, 150)


for _short, _test in BOTH.items():
    case(f"{_short}/equal_models", equal_models, _test)
    case(f"{_short}/extend", extended, _test, "roc_auc")
    case(f"{_short}/extend/groups", extended, _test, "r2", "groups")
    case(f"{_short}/extend/trimmed", extended, _test, "trimmed")
case("bootstrap/extend/bca", extended, "PairedBootstrap", "roc_auc", interval="bca")


# Models


def on_fitted(name, models=None, kind="plain", load=load_breast_cancer, **parameters):
    """Compare fitted models on test rows."""
    models = models or (GaussianNB(), tree(1))
    a, b = prefit(*models, load=load)
    *_, X, y = halves(load)
    test = make(name, a, b, cv="prefit", **_scored(parameters))
    return test.fit(X, y, **rows_in(len(y), kind))


def on_folds(
    name, models=None, kind="plain", load=load_breast_cancer, n=160, **parameters
):
    """Compare models by cross-validation."""
    a, b = models or (tree(3), tree(1))
    X, y = everything(load, n)
    test = make(name, a, b, **_scored(parameters))
    return test.fit(X, y, **rows_in(len(y), kind))


def _scored(parameters):
    if isinstance(parameters.get("scoring"), str):
        return parameters | {"scoring": scorer(parameters["scoring"])}
    return parameters


RESAMPLED = {"n_resamples": 99, "random_state": 0, "alternative": "greater"}
REPEATED = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)
for _short, _test in BOTH.items():
    for _metric in ("accuracy", "f1", "roc_auc", "neg_log_loss", "opaque"):
        case(
            f"{_short}/prefit/{_metric}",
            *(on_fitted, _test),
            scoring=_metric,
            printed=_metric in ("accuracy", "opaque"),
            **RESAMPLED,
        )
    case(
        f"{_short}/prefit/regressors",
        *(on_fitted, _test, regressors()),
        load=load_diabetes,
        scoring="r2",
        **RESAMPLED,
    )
    case(
        f"{_short}/prefit/groups",
        on_fitted,
        _test,
        None,
        "groups",
        scoring="f1",
        **RESAMPLED,
    )
    case(
        f"{_short}/prefit/three_classes",
        *(on_fitted, _test),
        load=load_wine,
        scoring="f1_macro",
        **RESAMPLED,
    )
    for _name, _cv in {
        "5": 5,
        "shuffled": KFold(4, shuffle=True, random_state=1),
        "repeated": REPEATED,
        "time": TimeSeriesSplit(4),
    }.items():
        case(f"{_short}/cv/{_name}", on_folds, _test, cv=_cv, scoring="f1", **RESAMPLED)
    case(
        f"{_short}/cv/time/regressors",
        *(on_folds, _test, regressors()),
        load=load_diabetes,
        cv=TimeSeriesSplit(3),
        scoring="r2",
        **RESAMPLED,
    )
    case(
        f"{_short}/cv/groups",
        *(on_folds, _test, None, "groups"),
        cv=GroupKFold(4),
        scoring="roc_auc",
        **RESAMPLED,
    )
    case(
        f"{_short}/cv/opaque",
        *(on_folds, _test),
        cv=3,
        scoring="opaque",
        **RESAMPLED,
    )
    for _metric, _cv in (("roc_auc", 5), ("accuracy", KFold(3)), ("opaque", 3)):
        case(
            f"{_short}/fold_mean/{_metric}",
            *(on_folds, _test),
            cv=_cv,
            aggregate="fold-mean",
            scoring=_metric,
            **RESAMPLED,
        )
case(
    "bootstrap/fold_mean/refuses/repeated",
    *(refuses, on_folds, "PairedBootstrap"),
    cv=REPEATED,
    aggregate="fold-mean",
    scoring="f1",
    **RESAMPLED,
)
case(
    "bootstrap/fold_mean/strata",
    *(on_folds, "PairedBootstrap", None, "strata"),
    cv=4,
    aggregate="fold-mean",
    scoring="f1",
    **RESAMPLED,
)
case(
    "bootstrap/cv/strata",
    *(on_folds, "PairedBootstrap", None, "strata"),
    cv=4,
    scoring=["f1", "roc_auc"],
    **RESAMPLED,
)


def winner():
    """Predict with the better model."""
    test = on_fitted("PairedBootstrap", scoring="accuracy", **RESAMPLED)
    *_, X, y = halves()
    return {
        "test": test,
        "predictions": test.predict(X),
        "probabilities": np.round(test.predict_proba(X), 9),
        "score": test.score(X, y),
        "who": type(test.best_estimator_).__name__,
    }


def from_frames():
    """Compare columns of pandas, with names for groups."""
    import pandas as pd

    y, a, b = words()
    frame = pd.DataFrame({"y": y, "a": a, "b": b})
    frame["group"] = pd.Categorical([f"g{row // 4}" for row in range(len(y))])
    test = make("PairedBootstrap", scoring="f1_macro", **RESAMPLED)
    return test.fit_predictions(frame.y, frame.a, frame.b, groups=frame.group)


case("winner", winner)
case("from_frames", from_frames)


# Tests that need no resamples


def on_predictions(name, data, **parameters):
    """Compare predictions by a test that does not resample."""
    return make(name, **_scored(parameters)).fit_predictions(*data())


few_labels = functools.partial(labels, 40)
for _variant in ("exact", "mid-p", "chi2", "corrected"):
    for _alternative in ("greater", "two-sided"):
        case(
            f"mcnemar/{_variant}/{_alternative}",
            *(on_predictions, "McNemar", labels),
            variant=_variant,
            alternative=_alternative,
        )
case("mcnemar/few", on_predictions, "McNemar", few_labels, variant="mid-p")
case("mcnemar/less", on_predictions, "McNemar", words, alternative="less")
case("mcnemar/prefit", on_fitted, "McNemar", load=load_wine, alternative="greater")
case("mcnemar/cv", on_folds, "McNemar", cv=5, alternative="greater")
case("mcnemar/time", on_folds, "McNemar", cv=TimeSeriesSplit(4), alternative="greater")
for _metric, _data in (("accuracy", labels), ("neg_mean_absolute_error", values)):
    for _name in ("SignTest", "WilcoxonSignedRank", "PairedTTest"):
        for _alternative in ("greater", "two-sided"):
            case(
                f"{_name}/{_metric}/{_alternative}",
                *(on_predictions, _name, _data),
                scoring=_metric,
                alternative=_alternative,
            )
for _zero, _method in (("pratt", "auto"), ("wilcox", "exact"), ("pratt", "asymptotic")):
    case(
        f"WilcoxonSignedRank/{_zero}/{_method}",
        *(on_predictions, "WilcoxonSignedRank", functools.partial(values, 40)),
        scoring="neg_mean_squared_error",
        zero_method=_zero,
        method=_method,
        alternative="less",
    )
case(
    "PairedTTest/cv",
    *(on_folds, "PairedTTest", regressors()),
    load=load_diabetes,
    cv=4,
    scoring="neg_mean_absolute_error",
    alternative="greater",
)
case("PairedTTest/prefit", on_fitted, "PairedTTest", scoring="neg_log_loss")
for _alternative in ("greater", "less", "two-sided"):
    case(
        f"DeLong/{_alternative}",
        on_predictions,
        "DeLong",
        binary,
        alternative=_alternative,
    )
case("DeLong/prefit", on_fitted, "DeLong", alternative="greater")
case("DeLong/cv", on_folds, "DeLong", cv=5, alternative="greater")
case("DeLong/refuses/classes", refuses, on_predictions, "DeLong", classes)


def cochran(**parameters):
    """Compare the labels of four models."""
    y, models = many()
    return make("CochranQ", **parameters).fit_predictions(y, models)


def cochran_on_folds():
    """Compare three models by cross-validation."""
    models = [("deep", tree(4)), ("flat", tree(1)), ("nb", GaussianNB())]
    return make("CochranQ", models, cv=4).fit(*everything(n=160))


case("CochranQ", cochran)
case("CochranQ/cv", cochran_on_folds)
for _variant in ("chi2", "iman-davenport"):
    case(
        f"FriedmanTest/{_variant}",
        lambda variant: make("FriedmanTest", variant=variant).fit_scores(tables()),
        _variant,
    )


# Tests of scores on folds


def on_scores(name, n_datasets=None, ratio=None, **parameters):
    """Compare scores on folds."""
    ratio_option = {} if ratio is None else {"test_train_ratio": ratio}
    return make(name, **parameters).fit_scores(*folds(n_datasets), **ratio_option)


def five_by_two(**parameters):
    """Compare scores of five times two halves."""
    a, b = folds()
    test = make("FiveByTwoCV", **parameters)
    return test.fit_scores(a.reshape(5, 2), b.reshape(5, 2))


for _variance in ("nadeau-bengio", "naive"):
    for _alternative in ("greater", "two-sided"):
        case(
            f"CorrectedTTest/scores/{_variance}/{_alternative}",
            *(on_scores, "CorrectedTTest"),
            ratio=1 / 9,
            variance=_variance,
            alternative=_alternative,
        )
for _name, _cv in {"10": 10, "repeated": REPEATED}.items():
    case(
        f"CorrectedTTest/cv/{_name}",
        *(on_folds, "CorrectedTTest"),
        cv=_cv,
        scoring="roc_auc",
        alternative="greater",
    )


class Brittle(DecisionTreeClassifier):
    """A tree that cannot be fitted to some of the folds."""

    def fit(self, X, y):
        """Fit the tree, or fail."""
        if np.sum(y[:20]) % 4 == 0:
            raise ValueError("cannot be fitted to this")
        return super().fit(X, y)


def failing(**parameters):
    """Compare models of which one cannot be fitted to some folds."""
    models = Brittle(max_depth=2, random_state=0), tree(1)
    test = make("CorrectedTTest", *models, cv=KFold(8), **parameters)
    order = np.random.default_rng(3).permutation(160)
    X, y = everything(n=160)
    return test.fit(X[order], y[order])


case("CorrectedTTest/cv/failing", failing, scoring="accuracy", alternative="greater")
case(
    "CorrectedTTest/cv/several",
    *(on_folds, "CorrectedTTest"),
    cv=ShuffleSplit(6, test_size=0.25, random_state=0),
    scoring=["accuracy", "f1"],
    alternative="less",
)
for _statistic, _alternative in (
    ("t", "greater"),
    ("t", "two-sided"),
    ("f", "two-sided"),
):
    case(
        f"FiveByTwoCV/scores/{_statistic}/{_alternative}",
        five_by_two,
        statistic=_statistic,
        alternative=_alternative,
    )
    case(
        f"FiveByTwoCV/models/{_statistic}/{_alternative}",
        *(on_folds, "FiveByTwoCV"),
        statistic=_statistic,
        alternative=_alternative,
        scoring="accuracy",
        random_state=0,
    )
for _variance in ("all-pairs", "within-fold"):
    case(
        f"CrossValidationCLT/{_variance}",
        *(on_folds, "CrossValidationCLT"),
        cv=5,
        scoring="accuracy",
        variance=_variance,
        alternative="greater",
    )


def clt_of_predictions():
    """Compare out-of-fold predictions whose folds are given."""
    y, a, b = values()
    test = make("CrossValidationCLT", scoring="neg_mean_squared_error")
    return test.fit_predictions(y, a, b, fold=np.arange(len(y)) % 5)


case("CrossValidationCLT/predictions", clt_of_predictions)
for _correct in (True, False):
    case(
        f"NestedCVInterval/bias_correction={_correct}",
        *(on_folds, "NestedCVInterval", regressors()),
        load=load_diabetes,
        n=120,
        cv=4,
        n_repeats=4,
        scoring="neg_mean_absolute_error",
        bias_correction=_correct,
        alternative="greater",
        random_state=0,
    )
case(
    "NestedCVInterval/groups",
    *(on_folds, "NestedCVInterval", None, "groups"),
    n=120,
    cv=GroupKFold(4, shuffle=True, random_state=0),
    n_repeats=3,
    scoring="accuracy",
    random_state=0,
)


def fold_replicability(name, **parameters):
    """Test two models on every fold."""
    test = make(name, tree(3), DummyClassifier(), **parameters)
    return make("FoldReplicability", test, cv=4).fit(*everything(n=160))


case("FoldReplicability/McNemar", fold_replicability, "McNemar", alternative="greater")
case(
    "FoldReplicability/bootstrap",
    *(fold_replicability, "PairedBootstrap"),
    scoring="f1",
    **RESAMPLED,
)
PVALUES = {"news": 0.004, "tweets": 0.03, "mails": 0.2, "books": 0.01, "law": 0.6}
for _dependence in ("any", "independent"):
    case(
        f"replicability_analysis/{_dependence}",
        *(call, "replicability_analysis", PVALUES),
        dependence=_dependence,
    )
for _method in ("bonferroni", "holm", "hochberg", "bh", "by"):
    case(
        f"adjust_pvalues/{_method}",
        *(call, "adjust_pvalues", list(PVALUES.values())),
        method=_method,
    )


# Posteriors

DRAWN = {"n_draws": 499, "random_state": 0}


def posterior(data, kind="plain", **parameters):
    """Return the posterior of two models' scores."""
    y, a, b = data()
    test = make("BayesianComparison", **_scored({**DRAWN, "rope": 0.01, **parameters}))
    return test.fit_predictions(y, a, b, **rows_in(len(y), kind))


case("bayes/paired/accuracy", posterior, labels, posterior="paired")
case("bayes/paired/f1", posterior, labels, posterior="paired", scoring="f1")
for _metric, _data in (("f1", labels), ("f1_macro", words), ("precision", labels)):
    case(
        f"bayes/independent/{_metric}",
        *(posterior, _data),
        posterior="independent",
        scoring=_metric,
    )
case(
    "bayes/independent/refuses",
    refuses,
    posterior,
    labels,
    posterior="independent",
    scoring="matthews_corrcoef",
)
case("bayes/several", posterior, binary, scoring=["accuracy", "f1", "roc_auc"])
case("bayes/rope", posterior, values, scoring="r2", rope=(-0.05, 0.02))
case("bayes/hdi", posterior, labels, scoring="f1", credible_level=0.8, rope=0.0)
case("bayes/prior", posterior, labels, posterior="independent", scoring="f1", prior=1.0)
case("bayes/groups", posterior, binary, "groups", scoring="roc_auc")
case("bayes/strata", posterior, binary, "strata", scoring="f1")
case("bayes/weights", posterior, values, "weights", scoring="r2")
case("bayes/median", posterior, values, scoring="neg_mean_absolute_error")
case("bayes/cv", on_folds, "BayesianComparison", cv=4, scoring="f1", rope=0.01, **DRAWN)
case("bayes/prefit", on_fitted, "BayesianComparison", scoring="f1", rope=0.01, **DRAWN)
case(
    "BayesianCorrelatedTTest/scores", on_scores, "BayesianCorrelatedTTest", ratio=1 / 9
)
case(
    "BayesianCorrelatedTTest/cv",
    *(on_folds, "BayesianCorrelatedTTest"),
    cv=5,
    scoring="accuracy",
    rope=0.02,
    credible_level=0.9,
)


def signed_rank(**parameters):
    """Compare two models over data sets."""
    scores = tables()
    test = make("BayesianSignedRank", **{**DRAWN, **parameters})
    return test.fit_scores(scores["svm"], scores["knn"])


case("BayesianSignedRank", signed_rank)
case("BayesianSignedRank/rope", signed_rank, rope=0.05, credible_level=0.8)
case(
    "BayesianHierarchical",
    *(on_scores, "BayesianHierarchical", 6),
    ratio=1 / 9,
    **DRAWN,
)


def own_hdi():
    """Return the shortest interval of some draws."""
    return call("stats.hdi", np.random.default_rng(0).normal(size=101), 0.87)


case("hdi", own_hdi)


# Several models


def pairs(name, data=many, kind="plain", comparison=None, **parameters):
    """Compare all pairs of models by what they predicted."""
    y, models = data()
    test = make(name, **_scored(parameters))
    comparison = make("PairwiseComparison", test=test, **(comparison or {}))
    return comparison.fit_predictions(y, models, **rows_in(len(y), kind))


TWO_SIDED = {**RESAMPLED, "alternative": "two-sided"}
for _correction in ("max-t", "holm", "bh", "none"):
    case(
        f"pairs/bootstrap/{_correction}",
        *(pairs, "PairedBootstrap"),
        scoring="f1",
        comparison={"correction": _correction},
        **TWO_SIDED,
    )
for _correction in ("max-t", "holm"):
    case(
        f"pairs/randomization/{_correction}",
        *(pairs, "ApproxRandomization"),
        scoring="f1",
        comparison={"correction": _correction},
        **TWO_SIDED,
    )
    case(
        f"pairs/groups/{_correction}",
        *(pairs, "PairedBootstrap", many_probabilities, "groups"),
        scoring="roc_auc",
        comparison={"correction": _correction},
        **TWO_SIDED,
    )
    case(
        f"pairs/baseline/{_correction}",
        *(pairs, "PairedBootstrap"),
        scoring="accuracy",
        comparison={"correction": _correction, "baseline": "d"},
        **RESAMPLED,
    )
case(
    "pairs/level",
    *(pairs, "PairedBootstrap"),
    scoring="f1",
    confidence_level=0.93,
    comparison={"correction": "max-t"},
    **{**TWO_SIDED, "n_resamples": 150},
)
case(
    "pairs/several_metrics",
    *(pairs, "PairedBootstrap", many_probabilities),
    scoring=["accuracy", "roc_auc"],
    comparison={"correction": "max-t"},
    **TWO_SIDED,
)
case(
    "pairs/studentized",
    *(pairs, "PairedBootstrap", many_probabilities),
    scoring="accuracy",
    interval="studentized",
    comparison={"correction": "holm"},
    **TWO_SIDED,
)
case(
    "pairs/auto",
    *(pairs, "PairedBootstrap"),
    scoring="accuracy",
    comparison={"correction": "holm"},
    **{**TWO_SIDED, "n_resamples": "auto"},
)
case(
    "pairs/McNemar",
    *(pairs, "McNemar"),
    alternative="two-sided",
    comparison={"correction": "hochberg"},
)
case(
    "pairs/refuses/posteriors",
    *(refuses, pairs, "BayesianComparison"),
    scoring="f1",
    rope=0.02,
    comparison={"correction": "none"},
    **DRAWN,
)


def pairs_of_models(name="PairedBootstrap", cv=None, **parameters):
    """Compare all pairs of models that are fitted, or by cross-validation."""
    models = {"deep": tree(4), "flat": tree(1), "nb": GaussianNB()}
    if cv == "prefit":
        models = dict(zip(models, prefit(*models.values()), strict=True))
        *_, X, y = halves()
    else:
        X, y = everything(n=160)
    comparison = make(
        "PairwiseComparison",
        list(models.items()),
        test=make(name, **parameters),
        cv=cv,
        correction="holm",
    )
    return comparison.fit(X, y)


case("pairs/prefit", pairs_of_models, cv="prefit", scoring="f1", **TWO_SIDED)
case("pairs/cv", pairs_of_models, cv=4, scoring="f1", **TWO_SIDED)
case("pairs/cv/fold_mean", pairs_of_models, cv=4, aggregate="fold-mean", **TWO_SIDED)
case("pairs/cv/DeLong", pairs_of_models, "DeLong", cv=4, alternative="two-sided")


def ranks(**parameters):
    """Compare models by their ranks on data sets."""
    comparison = make("RankComparison", **{"variant": "iman-davenport", **parameters})
    return comparison.fit_scores(tables())


case("ranks", ranks)
case("ranks/chi2", ranks, variant="chi2", correction="none")
case("ranks/baseline", ranks, baseline="nb")
case("ranks/holm", ranks, correction="holm", alpha=0.1)


def ranks_of_results():
    """Compare models by what was seen on several data sets."""
    y, models = many()
    results = {}
    for part in range(4):
        rows = slice(30 * part, 30 * part + 30)
        test = make("McNemar", alternative="two-sided")
        comparison = make("PairwiseComparison", test=test, correction="holm")
        some = {name: labels[rows] for name, labels in models.items()}
        results[f"part {part}"] = comparison.fit_predictions(y[rows], some).result_
    return make("RankComparison", variant="iman-davenport").fit_results(results)


case("ranks/results", ranks_of_results)


def search(cv=5, **parameters):
    """Return a fitted search."""
    grid = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 2, 3, 5], "min_samples_leaf": [1, 10]},
        cv=cv,
        **parameters,
    )
    return grid.fit(*everything(n=160))


def after_search(
    with_data=False, kind="plain", search_params=None, test=None, **parameters
):
    """Compare the best candidate of a search with the others."""
    if test is not None:
        parameters["test"] = make(*test[:1], **test[1])
    comparison = make(
        "SearchComparison",
        search(**(search_params or {})),
        **{"n_resamples": 60, "random_state": 0, "correction": "holm", **parameters},
    )
    if not with_data:
        return comparison.fit()
    X, y = everything(n=160)
    return comparison.fit(X, y, **rows_in(len(y), kind))


case("search", after_search)
case("search/top", after_search, top=3, correction="bh", confidence_level=0.9)
case(
    "search/several_metrics",
    after_search,
    search_params={"scoring": ["accuracy", "roc_auc"], "refit": "roc_auc"},
)
case(
    "search/shuffled",
    after_search,
    search_params={"cv": KFold(6, shuffle=True, random_state=0)},
)
case(
    "search/bootstrap",
    *(after_search, True),
    top=3,
    test=("PairedBootstrap", {"scoring": "f1", **RESAMPLED}),
    scoring="f1",
)
case(
    "search/McNemar",
    *(after_search, True),
    top=4,
    test=("McNemar", {"alternative": "greater"}),
)
case("search/data", after_search, True, top=3)


def simplest(complexity, **parameters):
    """Let a search choose the simplest candidate that is not worse."""
    rule = make("SimplestNotWorse", complexity, **parameters)
    chosen = search(refit=rule)
    return {"index": chosen.best_index_, "params": chosen.best_params_}


case("simplest", simplest, "max_depth")
case("simplest/several", simplest, ["max_depth", "-min_samples_leaf"], alpha=0.3)
case("simplest/tolerance", simplest, "-min_samples_leaf", tolerance=0.02)


# Advice


def advised(data, kind="plain", function="recommend_test", **parameters):
    """Recommend a test for predictions."""
    return call(
        function, *data(), **_scored(parameters), **rows_in(len(data()[0]), kind)
    )


for _metric, _data in (
    ("accuracy", labels),
    ("f1", labels),
    ("roc_auc", binary),
    ("neg_log_loss", classes),
    ("neg_mean_absolute_error", values),
    ("neg_mean_squared_error", functools.partial(values, 15)),
    ("r2", values),
    ("trimmed", values),
    ("f1_macro", multilabel),
):
    case(f"recommend_test/{_metric}", advised, _data, scoring=_metric)
for _metric in ("accuracy", "roc_auc"):
    case(f"recommend_test/{_metric}/groups", advised, binary, "groups", scoring=_metric)
case("recommend_test/few", advised, functools.partial(labels, 12), scoring="accuracy")
case("recommend_test/comparisons", advised, labels, scoring="f1", n_comparisons=6)
case("recommend_test/alpha", advised, labels, scoring="accuracy", alpha=0.01)


def advised_for_models(cv):
    """Recommend a test for models."""
    models, (X, y) = (tree(3), GaussianNB()), everything(n=160)
    if cv == "prefit":
        models, (X, y) = prefit(*models), halves()[2:]
    return recommend_for_models(*models, X, y, scoring="accuracy", cv=cv)


case("recommend_test/models/prefit", advised_for_models, "prefit")
case("recommend_test/models/cv", advised_for_models, 5)


def checked(name, data=labels, kind="plain", options=None, **parameters):
    """Check whether a test fits the data."""
    test = make(name, **parameters)
    return call(
        "check_choice",
        test,
        *data(),
        **rows_in(len(data()[0]), kind),
        **(options or {}),
    )


case("check_choice/McNemar", checked, "McNemar")
case("check_choice/McNemar/groups", checked, "McNemar", labels, "groups")
case("check_choice/PairedTTest", checked, "PairedTTest", scoring="accuracy")
case("check_choice/DeLong", checked, "DeLong", binary)
case("check_choice/bootstrap", checked, "PairedBootstrap", scoring="f1")
case(
    "check_choice/bootstrap/few",
    *(checked, "PairedBootstrap", functools.partial(labels, 12)),
    scoring="f1",
)
case(
    "check_choice/randomization/comparisons",
    *(checked, "ApproxRandomization"),
    scoring="f1",
    n_resamples=99,
    options={"n_comparisons": 10},
)


def planned(name, data=labels, options=None, **parameters):
    """Compute the power of a test."""
    test = make(name, **_scored(parameters))
    settings = {"random_state": 0, "n_simulations": 40, **(options or {})}
    return call("power", test, *data(), **settings)


case("power/McNemar", planned, "McNemar")
case(
    "power/McNemar/effect", planned, "McNemar", options={"effect": 0.03, "target": 0.9}
)
case(
    "power/PairedTTest",
    planned,
    "PairedTTest",
    values,
    scoring="neg_mean_absolute_error",
)
case("power/SignTest", planned, "SignTest", values, scoring="neg_mean_absolute_error")
case("power/bootstrap", planned, "PairedBootstrap", scoring="f1", alternative="greater")
case(
    "power/randomization",
    *(planned, "ApproxRandomization"),
    scoring="accuracy",
    alternative="two-sided",
    options={"n_rows": 200, "effect": 0.1},
)


# Reports


def words_of(page):
    """Leave out styles and scripts, and plots, which depend on Matplotlib."""
    return Text(re.sub(r"(?s)<(svg|style|script)\b.*?</\1>", r"<\1></\1>", page))


def reported(format):
    """Write a report on results."""
    return words_of(call("report", _results(), format))


def _results():
    bootstrap = make("PairedBootstrap", scoring=["accuracy", "f1"], **RESAMPLED)
    return {
        "bootstrap": bootstrap.fit_predictions(*labels()),
        "counts": on_predictions("McNemar", labels),
        "pairs": pairs("PairedBootstrap", scoring="f1", **TWO_SIDED),
        "posterior": posterior(labels, scoring="f1"),
        "ranks": ranks(),
    }


def report_with_slices(format):
    """Write a report with slices, and the rows on which the models disagree."""
    y, a, b = labels()
    test = make("PairedBootstrap", scoring="accuracy", **RESAMPLED)
    test.fit_predictions(y, a, b, **rows_in(len(y), "groups"))
    report = make(
        "ComparisonReport",
        test,
        title="Slices & rows",
        slices={"third": np.arange(len(y)) % 3, "late": np.arange(len(y)) > 60},
        n_disagreements=3,
    )
    return words_of(report.render(format))


for _format in ("text", "markdown", "latex", "html"):
    case(f"report/{_format}", reported, _format)
    case(f"report/slices/{_format}", report_with_slices, _format)


def notebook(function, *arguments, **parameters):
    """Show a result as a notebook does."""
    return Text(function(*arguments, **parameters).result_._repr_html_())


case("notebook/bootstrap", notebook, on_rows, "PairedBootstrap", binary)
case("notebook/McNemar", notebook, on_predictions, "McNemar", labels)
case("notebook/posterior", notebook, posterior, labels)
case("notebook/pairs", notebook, pairs, "PairedBootstrap", scoring="f1", **TWO_SIDED)
case("notebook/ranks", notebook, ranks)
case("notebook/CochranQ", notebook, cochran)


def exported(function, *arguments, **parameters):
    """Export a result as a dict that JSON takes."""
    outcome = function(*arguments, **parameters)
    exported = getattr(outcome, "result_", outcome).to_dict()
    return _without_empty(json.loads(json.dumps(exported)))


def framed(function, *arguments, **parameters):
    """Export a result as a table of pandas."""
    outcome = function(*arguments, **parameters)
    frame = getattr(outcome, "result_", outcome).to_frame()
    return {str(name): column.tolist() for name, column in frame.reset_index().items()}


for _form, _export in {"to_dict": exported, "to_frame": framed}.items():
    case(f"{_form}/bootstrap", _export, on_rows, "PairedBootstrap", binary)
    case(f"{_form}/McNemar", _export, on_predictions, "McNemar", labels)
    case(f"{_form}/posterior", _export, posterior, labels)
    case(f"{_form}/pairs", _export, pairs, "PairedBootstrap", scoring="f1", **TWO_SIDED)
    case(f"{_form}/ranks", _export, ranks)
    case(f"{_form}/CochranQ", _export, cochran)
    case(f"{_form}/search", _export, after_search)
    case(f"{_form}/signed_rank", _export, signed_rank)
    case(f"{_form}/replicability", _export, call, "replicability_analysis", PVALUES)
case("to_dict/power", exported, planned, "McNemar")


# The command line


def preds():
    """Return the columns of a file: an id, a document, truth, labels, probabilities."""
    y, a, b = words()
    _, pa, pb = binary(len(y))
    return {
        "id": [f"r{row}" for row in range(len(y))],
        "doc": np.arange(len(y)) // 3,
        "gold": y,
        "lr": a,
        "nb": b,
        "svm": np.roll(a, 1),
        "score": pa["predict_proba"],
        "other": pb["predict_proba"],
        "truth": binary(len(y))[0],
    }


ARGUMENTS = ("preds.csv", "--truth", "gold", "--a", "lr", "--b", "nb")
FAST = ("--n-resamples", "99", "--seed", "0")


def on_file(*arguments):
    """Run a command on a file of predictions."""
    return command(*arguments, files={"preds.csv": preds()})


for _format in ("text", "json", "markdown", "latex"):
    case(
        f"cli/compare/{_format}",
        *(on_file, "compare", *ARGUMENTS, *FAST),
        *("--scoring", "f1_macro,accuracy", "--format", _format),
    )
    case(
        f"cli/compare/models/{_format}",
        *(on_file, "compare", "preds.csv", "--truth", "gold", "--models"),
        *("lr", "nb", "svm", *FAST, "--scoring", "f1_macro", "--format", _format),
    )
for _test in ("randomization", "mcnemar", "bayes", "auto"):
    _fast = FAST if _test == "randomization" else FAST[2:] if _test == "bayes" else ()
    case(
        f"cli/compare/{_test}",
        *(on_file, "compare", *ARGUMENTS, "--test", _test, *_fast),
        *("--scoring", "accuracy", "--format", "json"),
    )
case(
    "cli/compare/groups",
    *(on_file, "compare", *ARGUMENTS, *FAST, "--groups", "doc"),
    *("--alternative", "two-sided", "--alpha", "0.1", "--format", "json"),
)
case(
    "cli/compare/scores",
    *(on_file, "compare", "preds.csv", "--truth", "truth", "--a", "score"),
    *("--b", "other", *FAST, "--scoring", "roc_auc", "--format", "json"),
)
case("cli/compare/refuses", on_file, "compare", *ARGUMENTS, "--scoring", "f1_makro")
for _margin in ("0", "0.3", "-0.05"):
    case(
        f"cli/gate/{_margin}",
        *(on_file, "gate", *ARGUMENTS, *FAST, "--margin", _margin),
        *("--scoring", "accuracy"),
    )
case(
    "cli/gate/json",
    *(on_file, "gate", *ARGUMENTS, *FAST, "--format", "json"),
    *("--scoring", "accuracy,f1_macro"),
)
case("cli/gate/mcnemar", on_file, "gate", *ARGUMENTS, "--test", "mcnemar")
case("cli/advise", on_file, "advise", *ARGUMENTS, "--scoring", "accuracy")
case(
    "cli/advise/groups",
    *(on_file, "advise", *ARGUMENTS, "--scoring", "f1_macro", "--groups", "doc"),
    *("--n-comparisons", "6", "--format", "json"),
)
case("cli/power", on_file, "power", *ARGUMENTS, "--test", "mcnemar", "--effect", "0.05")
case(
    "cli/power/json",
    *(on_file, "power", *ARGUMENTS, "--scoring", "accuracy", "--seed", "0"),
    *("--n-simulations", "40", "--format", "json"),
)


def aligned_files():
    """Compare files of truth and predictions whose rows are in other orders."""
    table = preds()
    order = np.random.default_rng(0).permutation(len(table["id"]))
    ids = np.array(table["id"])
    files = {
        "gold.csv": {"id": ids, "gold": table["gold"]},
        "a.csv": {"id": ids[order], "pred": table["lr"][order]},
        "b.csv": {"id": ids[::-1], "pred": table["nb"][::-1]},
    }
    return command(
        *("compare", "gold.csv", "a.csv", "b.csv", "--id", "id", *FAST),
        *("--format", "json"),
        files=files,
    )


case("cli/compare/aligned", aligned_files)


# Metrics of this library


def texts(name):
    """Compare translations."""
    rng = np.random.default_rng(31)
    vocabulary = np.array(
        [
            "the",
            "cat",
            "sat",
            "on",
            "a",
            "mat",
            "and",
            "then",
            "it",
            "ran",
            "far",
            "away",
        ]
    )
    truth, a, b = [], [], []
    for _ in range(40):
        words = rng.choice(vocabulary, size=8)
        truth.append(" ".join(words))
        for model, share in ((a, 0.2), (b, 0.35)):
            noisy = np.where(rng.random(8) < share, rng.choice(vocabulary, 8), words)
            model.append(" ".join(noisy))
    test = make("PairedBootstrap", scoring=call(f"metrics.{name}"), **RESAMPLED)
    return test.fit_predictions(truth, a, b)


def correlation():
    """Compare by the correlation with the truth, about fixed centers."""
    test = make(
        "PairedBootstrap",
        scoring=call("metrics.pearson_scorer", center=(10.0, 10.0)),
        **RESAMPLED,
    )
    return test.fit_predictions(*values())


for _name in ("bleu_scorer", "chrf_scorer", "ter_scorer"):
    case(f"metrics/{_name}", texts, _name)
case("metrics/pearson_scorer", correlation)
