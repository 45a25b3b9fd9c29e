"""Statistics made from a metric and a sample, or each of its folds."""

import dataclasses
import functools
import inspect
import math

import numpy as np
from sklearn import metrics

from skcompare._caveats import Caveat
from skcompare._engine import (
    Folds,
    MeanOverFolds,
    MetricStatistic,
    ScorerStatistic,
    as_number,
)
from skcompare._evaluation._sample import RESPONSE_METHODS, EstimatorView
from skcompare._evaluation._scoring import (
    NOT_OF_ROWS,
    function_name,
    make_scorer_code,
    number_of_entries,
    parameters_of,
)
from skcompare._foreign import calling
from skcompare._format import describe, format_count
from skcompare._validation import arguments_at, as_weights, model_names, take_rows
from skcompare.exceptions import ParameterError, PooledScoreWarning


def as_statistic(metric, sample):
    """Score the sample once and return a statistic that scores its resamples.

    An invalid scorer fails here, with scikit-learn's own message.

    Parameters
    ----------
    metric : Metric
        The metric to score by.
    sample : Sample
        Rows and predictions.

    Returns
    -------
    Statistic
        The statistic of the metric on this sample.
    """
    arguments = {}
    if metric.arguments:
        all_rows = np.arange(sample.y_array.shape[0])
        rows = all_rows if sample.indices is None else sample.indices
        arguments = arguments_at(metric.arguments, rows)
    weights = sample.sample_weight if metric.weighted else None
    if "sample_weight" in arguments:
        if metric.weighted:
            raise ValueError(
                f"`sample_weight` was passed, but the scorer {metric.name!r} has one "
                "of its own, as an argument of make_scorer. Remove one of the two."
            )
        weights = as_weights(arguments.pop("sample_weight"))
    sample = dataclasses.replace(sample, sample_weight=weights)
    if metric.function is None:
        generic = _of_scorer(metric, sample, arguments)
    else:
        generic = _of_function(metric, sample, arguments)
    generic.recognizable = metric.recognizable
    if sample.groups is not None:
        generic.separate_copies(sample.groups)
    return generic.fastest()


def _of_function(metric, sample, arguments):
    """Return the statistic of a scorer that has a metric function.

    The scorer may select the positive class's column or flip the sign of a response.
    The arrays that its metric function receives are those to resample.
    """
    call, declared = metric.function, {}
    if call in OF_COLUMNS:
        declared = class_options(metric, sample)
    if declared and call is metrics.d2_log_loss_score:
        call = _of_two_classes
    responses, returned = [], []

    @functools.wraps(metric.function)  # the scorer reads the signature of its metric
    def spy(y_true, response, **kwargs):
        responses.append(response)
        # A copy, since the metric may modify its input.
        listed = isinstance(response, list)
        copied = [part.copy() for part in response] if listed else response.copy()
        returned.append(call(y_true, copied, **declared | kwargs))
        return returned[-1]

    scorer = calling(metric.scorer, spy, metric.kwargs | arguments)
    try:
        scores = _scores(scorer, metric, sample)
    except TypeError:
        if returned and len(returned) == len(responses):
            as_number(returned[-1], metric.name)  # None, for example, has no sign
        raise
    return MetricStatistic(
        metric=metric.function,
        sign=metric.sign,
        kwargs=metric.kwargs | declared,
        call=call,
        y=sample.y_array,
        responses=responses,
        sample_weight=sample.sample_weight,
        observed=tuple(as_number(score, metric.name) for score in scores),
        arguments=arguments,
        name=metric.name,
    )


def _of_scorer(metric, sample, arguments):
    """Return the statistic of any other scorer.

    If it fails on the stand-ins for the models, it gets the fitted models themselves,
    if there are any.
    """
    scorer = functools.partial(metric.scorer, **arguments)
    try:
        scores = _scores(scorer, metric, sample)
    except Exception:  # scorers that inspect the model may raise anything
        if sample.swapped or any(model.model is None for model in sample.models):
            raise
        models = [dataclasses.replace(m, exposes_model=True) for m in sample.models]
        sample = dataclasses.replace(sample, models=tuple(models))
        scores = _scores(scorer, metric, sample)
    observed = tuple(as_number(score, metric.name) for score in scores)
    options = {"arguments": arguments, "name": metric.name}
    return ScorerStatistic(scorer, sample, observed=observed, **options)


def _fold_mean(metric, sample):
    """Score every fold once and return the statistic of the mean over folds.

    Parameters
    ----------
    metric : Metric
        The metric to score by.
    sample : Sample
        Rows and predictions, with folds.

    Returns
    -------
    Statistic
        The mean over folds; computed from counts if the statistics of all folds are.
    """
    folds, statistics = Folds(sample.fold), []
    for rows in folds:
        try:
            statistics.append(as_statistic(metric, sample.at(rows)))
        except ValueError as error:
            as_statistic(metric, sample)  # raises its own error for an invalid metric
            raise ValueError(
                "The mean over folds scores every fold separately, which fails on a "
                f"fold of {format_count(len(rows), 'rows')}: "
                f"{str(error).rstrip('.')}. If folds lack a class or are too "
                "small, use a stratified splitter, fewer folds, or aggregate='pooled'."
            ) from error
    return MeanOverFolds(folds, statistics)


def score_folds(sample, metrics, aggregate, units):
    """Return the statistics of all metrics, and caveats.

    Ranking scores of different models together is biased. By default, ranking metrics
    are therefore averaged over folds, if folds can be resampled separately: each unit
    (row or group) must lie in one fold. The caveats name the metrics whose pooled
    scores are not the means over folds.
    """
    if aggregate == "fold-mean":
        of_folds = {n: _fold_mean(m, sample) for n, m in metrics.items()}
        return of_folds, []
    statistics = {name: as_statistic(m, sample) for name, m in metrics.items()}
    rankings = [name for name, s in statistics.items() if s.ranks]
    if rankings and len(np.unique(sample.fold)) == len(sample.fold):
        raise ValueError(
            f"`cv` must leave several rows out for ranking metrics ({rankings[0]}): "
            "leave-one-out ranks scores of as many models as rows, which biases the "
            "metric (without any signal, to 0.35 or even 0.00 instead of 0.5). Use "
            "stratified folds, whose fold means are compared (leave-pair-out would "
            "need a fit for every pair of rows), or a metric of labels."
        )
    pairs = np.unique(np.stack([units, sample.fold]), axis=1)
    are_nested = len(np.unique(units)) == pairs.shape[1]
    by_fold = set(rankings) if aggregate == "auto" and are_nested else set()
    if by_fold and sample.y_array.ndim == 1:
        of_folds = [sample.y_array[rows] for rows in Folds(sample.fold)]
        alike = [y for y in of_folds if len(np.unique(y)) < 2]
        if alike:
            raise ValueError(
                "`aggregate` 'auto' takes the mean over folds of ranking metrics, "
                "which need two classes in every fold. Got "
                f"{format_count(len(alike), 'folds')} with one class. Use a stratified "
                "splitter, fewer folds, or aggregate='pooled', which ranks scores of "
                "different models together."
            )
    pooled = {name: s for name, s in statistics.items() if name not in by_fold}
    if aggregate == "pooled":  # chosen by the user: only the bias is worth a caveat
        pooled = {name: s for name, s in pooled.items() if s.ranks}
    of_folds = {n: _fold_mean(metrics[n], sample) for n in by_fold}
    tests = (
        "PairedBootstrap or ApproxRandomization"
        if are_nested
        else ("ApproxRandomization")
    )
    return statistics | of_folds, list(_pooling_notes(sample, pooled, tests))


def _pooling_notes(sample, statistics, tests):
    """Yield a caveat for each metric whose pooled score is not the mean over folds.

    A score is a mean of per-row scores exactly if the fold scores, weighted by fold
    sizes, average to the score of the whole sample: these two are compared.
    """
    fold = np.unique(sample.fold, return_inverse=True)[1]
    for name, statistic in statistics.items():
        scores = statistic.by_fold(sample.fold)
        sizes = np.bincount(fold, weights=statistic.sample_weight)
        defined = np.isfinite(scores).all() and np.sum(sizes) > 0
        means = np.average(scores, axis=1, weights=sizes) if defined else np.nan
        if statistic.are_observed(means):
            continue
        text = (
            f"{name} of pooled out-of-fold responses is not the mean of the fold "
            "scores: it is not a mean of per-row scores. The difference is that of the "
            f"pooled scores. To compare the mean of fold scores, use {tests} with "
            "aggregate='fold-mean'."
        )
        if statistic.ranks:
            text += (
                f" Pooled, {name} ranks scores of models trained on different folds "
                "together and is biased, more so with smaller folds: without any "
                "signal it is not 0.5 on average."
            )
        yield Caveat(PooledScoreWarning, text, metric=name)


def _scores(scorer, metric, sample):
    """Return the scores of all models; errors name the model and a remedy."""
    name, wanted, scores = metric.name, metric.responses, []
    weights = sample.sample_weight
    for model in sample.models:
        offered = set(model.methods) - model.withheld
        if wanted is not None and offered.isdisjoint(wanted):
            raise _missing_response(name, wanted, sample)
        # Copies, as on resamples, since a scorer may modify its input.
        if metric.function is None:
            rows = np.arange(sample.y_array.shape[0])
            X, y = sample.X_at(rows), take_rows(sample.y, rows)
            view = model.as_estimator(X, rows)
        else:
            X, y = sample.X, sample.y_array.copy()
            view = EstimatorView(model, X)
        kwargs = {} if weights is None else {"sample_weight": weights.copy()}
        try:
            scores.append(scorer(view, X, y, **kwargs))
        except TypeError as error:
            if "sample_weight" not in str(error):
                raise
            raise ValueError(
                f"`sample_weight` was passed, but the scorer {name!r} does not take it."
            ) from error
        except ValueError as error:
            raise _scoring_error(metric, sample, model, error) from error
        except AttributeError as error:
            if remedy_for(metric, error):
                raise _scoring_error(metric, sample, model, error) from error
            of_view = isinstance(error.obj, EstimatorView)
            if not of_view or error.name not in RESPONSE_METHODS:
                raise
            raise _missing_response(name, [error.name], sample) from error
    return scores


def _distinct_names(sample):
    """Return distinct names of the models, some of which may be of the same class."""
    names = [model.name for model in sample.models]
    if len(names) <= 2 or len(set(names)) == len(names):
        return model_names(None, names)
    count = len(names)
    return [f"{name} (model {i} of {count})" for i, name in enumerate(names, 1)]


def _scoring_error(metric, sample, model, error):
    """Return the error for a scorer that fails on the predictions of a model."""
    name, text = metric.name, str(error).rstrip(" .")
    shown = dict(zip(sample.models, _distinct_names(sample), strict=True))[model]
    if model.parameter:
        shown, used = f"`{model.parameter}`", list(model.responses)
        has_numbers = all(word in text for word in _NUMBERS_FOR_LABELS)
        if used == ["predict"] and has_numbers and model.classes is not None:
            return _wrong_kind(name, used, model)
        if used and model.classes is not None:
            shown += f", read as {' and '.join(_KINDS[method] for method in used)}"
    remedy = remedy_for(metric, error) or _argument_of_other_length(metric, sample)
    return ValueError(f"The scorer {name!r} fails for {shown}: {text}.{remedy}")


def _argument_of_other_length(metric, sample):
    """Return a sentence on an argument of a scorer that may lack rows, or ""."""
    shape = sample.y_array.shape
    n_rows = shape[0] if sample.n_given is None else sample.n_given
    # Arguments with one entry per class or output are in order, and so are pairs.
    usual = {n_rows, *shape[1:]}
    usual |= {len(own.classes) for own in sample.models if own.classes is not None}
    for name, value in metric.kwargs.items():
        n_entries = number_of_entries(value) or 0
        if n_entries > 2 and n_entries not in usual and name not in NOT_OF_ROWS:
            return (
                f" The argument `{name}` of the scorer has {n_entries:,} entries, the "
                f"data {n_rows:,} rows."
            )
    return ""


# What scikit-learn's response methods return, in order of the detail.
_KINDS = {
    "predict_proba": "probabilities",
    "predict_log_proba": "logarithms of probabilities",
    "decision_function": "decision values",
    "predict": "labels",
}


def _wrong_kind(name, wanted, model):
    """Return the error for predictions that are not of the kind that a scorer needs."""
    got = next(method for method in _KINDS if method in model.methods)
    kinds = " or ".join(_KINDS[method] for method in wanted)
    binary = isinstance(model.classes, np.ndarray) and len(model.classes) == 2
    shown, last = _KINDS[got], "[:, 1]" if binary else ""
    calls = [f"model.{m}(X){last * (m == 'predict_proba')}" for m in wanted]
    remedy = f"Pass {' or '.join(calls)}."
    if model.classes is None:
        shown, remedy = "values", "The values of `y_true` are not read as classes."
    elif "predict" in wanted and got == "predict":
        shown = "other numbers"
        remedy = "Pass labels, or choose a metric of numbers, such as `scoring='r2'`."
    elif "predict" in wanted:
        labels = "threshold them" if binary else "classes[p.argmax(axis=1)]"
        remedy = f"Pass model.predict(X), or {labels}."
    elif got == "predict":
        labels = model.response(got)
        if labels.dtype.kind in "fiub" and 0 <= labels.min() <= labels.max() <= 1:
            remedy += " If these are probabilities, pass {'predict_proba': array}."
    rule = f"contain {kinds} for the scorer {name!r}"
    return ParameterError(model.parameter, rule, shown, remedy)


# Remedies for metrics that do not fit their input, by words of scikit-learn's error,
# with the options of the metric in the code that they suggest.
_NUMBERS_FOR_LABELS = ("mix of", "continuous")
_REMEDIES = {
    ("pos_label",): ("Name the positive class: {code}.", {"pos_label": "..."}),
    ("average=",): ("Average over classes: {code}.", {"average": "'macro'"}),
    ("multi_class must be in",): (
        "Average over classes: `scoring='roc_auc_ovr'` or `scoring='roc_auc_ovo'`.",
        {},
    ),
    _NUMBERS_FOR_LABELS: (
        "{name} compares labels, and these predictions are numbers: use classifiers, "
        "or a metric of numbers, such as `scoring='r2'`.",
        {},
    ),
    ("Mix of label input types",): (
        "The truth and the predictions must have labels of one type: convert one of "
        "them, e.g. with predictions.astype(truth.dtype).",
        {},
    ),
    ("'numpy.ndarray' object has no attribute",): (
        "The metric receives NumPy arrays, even if Series were passed: convert them "
        "inside {name}, e.g. with pd.Series(y_true).",
        {},
    ),
}


def remedy_for(metric, error):
    """Return a remedy for a metric that does not fit its input, or an empty string.

    Parameters
    ----------
    metric : Metric
        The metric.
    error : Exception
        The error of scikit-learn.

    Returns
    -------
    str
        A sentence with a space before it.
    """
    if metric.function is None:
        return ""
    for words, (remedy, options) in _REMEDIES.items():
        if all(word in str(error) for word in words):
            usual = {p.name: p.default for p in parameters_of(metric.function)}
            own = {
                name: describe(value)
                for name, value in metric.kwargs.items()
                if repr(value) != repr(usual.get(name))
            }
            code = make_scorer_code(
                metric.function, metric.sign, metric.responses, own | options
            )
            return f" {remedy.format(name=function_name(metric.function), code=code)}"
    return ""


def _missing_response(name, wanted, sample):
    """Return the error for a response that a scorer needs and some model lacks."""
    for model in sample.models:
        if model.parameter and set(wanted).isdisjoint(model.methods):
            return _wrong_kind(name, wanted, model)
    named = zip(_distinct_names(sample), sample.models, strict=True)
    has = ", ".join(f"{who} has {'/'.join(model.methods)}" for who, model in named)
    text = f"The scorer {name!r} needs {' or '.join(wanted)}; {has}."
    if any(model.withheld for model in sample.models):
        text += (
            " The test swaps predictions row by row, so it needs a response method "
            "that all models have and the scorer accepts."
        )
    return ValueError(text)


# Metrics that are means of per-row scores, or ratios of these, and thus defined for any
# classes among the rows.
OF_COLUMNS = {
    metrics.brier_score_loss,
    metrics.d2_log_loss_score,
    metrics.hinge_loss,
    metrics.log_loss,
    metrics.top_k_accuracy_score,
}
if hasattr(metrics, "d2_brier_score"):  # since 1.8
    OF_COLUMNS.add(metrics.d2_brier_score)


def class_options(metric, sample):
    """Return the options that pass the classes of the models to a metric.

    Without them, the metric infers the classes from the rows that it gets: if these
    lack a class, it fails or assigns a column to another class.

    Parameters
    ----------
    metric : Metric
        A metric whose function is in `OF_COLUMNS`.
    sample : Sample
        Rows and predictions.

    Returns
    -------
    dict
        Further keyword arguments; empty unless there is one output with classes.
    """
    first, *others = (model.classes for model in sample.models)
    one_output = isinstance(first, np.ndarray) and sample.y_array.ndim == 1
    same = all(np.array_equal(first, other) for other in others)
    if not one_output or len(first) < 2 or not same:
        return {}
    strange = np.unique(sample.y_array[~np.isin(sample.y_array, first)])
    if len(strange):
        raise ValueError(
            f"`y` must have only classes of the models, {first.tolist()[:10]}, for a "
            f"metric of probabilities. Got {strange.tolist()[:10]} as well."
        )
    options = {"labels": first}
    if len(first) == 2 and first.dtype.kind in "iubf":
        # For string labels, scikit-learn requires the user to pass pos_label.
        options["pos_label"] = first[1].item()
    taken = inspect.signature(metric.function).parameters
    return {
        name: value
        for name, value in options.items()
        if name in taken and metric.kwargs.get(name) is None
    }


@functools.wraps(metrics.d2_log_loss_score, assigned=())  # its signature, not its name
def _of_two_classes(y_true, y_proba, **kwargs):
    """Compute the fraction of log loss explained; nan if only one class occurs."""
    if (y_true == y_true[0]).all():
        return math.nan
    return metrics.d2_log_loss_score(y_true, y_proba, **kwargs)
