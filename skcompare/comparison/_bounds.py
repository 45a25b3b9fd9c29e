"""Limits due to few rows: rare classes, and bounds of p-values and intervals."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import cells_of, n_moving_units
from skcompare._evaluation import target_type
from skcompare._format import format_count
from skcompare._validation import codes_of
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.stats.clusters import count_by_label, effective_number
from skcompare.stats.intervals import constant_interval, cut_to_range
from skcompare.stats.limits import Limits

# Minimum number of rows of a class for a reliable score.
FEWEST_OF_CLASS = 10

# Signs are counted up to this number; more do not affect p-values.
MOST_SIGNS = 60

_BOUND = (
    "The difference in {} is the same on every resample: the data show no spread. The "
    "p-value is a bound, that of a sign test in which all signs agree, and the "
    "interval is a bound, too."
)
_SAME_SCORE = (
    "The score of {} in {} is the same on every resample: its interval, a single "
    "point, is a bound."
)
_SIGNS = (
    "This is the smallest possible p-value with so few {0} that affect the score: that "
    "of a sign test in which all signs agree."
)
_MOVED = (
    "Too few {} have a difference that affects {}, or some resamples are undefined: 0 "
    "cannot be excluded, and the interval was widened to include it."
)
_RARE = "{} depends on a class with only {}, true or predicted (fewer than {}): {}."
_NO_CURE = (
    "the bootstrap does not control the type I error there; ApproxRandomization does "
    "if predictions are exchangeable"
)
_SCORE_TEST = (
    "neither the bootstrap nor the permutation test controls the type I error there; "
    "skcompare.stats.precision_test does"
)


def trials_of(problem, metric):
    """Return the numbers of independent trials of bounded scores of models.

    Parameters
    ----------
    problem : Problem
        The problem, with two models.
    metric : str
        The name of the metric.

    Returns
    -------
    lowest : float or None
        The lowest score; the highest is 1.
    trials : list of int or None
        Kish's effective number for each model, rounded down: of units for proportions
        of rows; of units with the rarest relevant label for precision, recall, F and
        Jaccard; of those with the rarest class for other metrics of labels and
        rankings. None for unbounded scores.
    """
    statistic = problem.statistics[metric]
    if statistic.averages_rows:
        rows = statistic.row_scores()
        if not (
            statistic.counts_labels if rows is None else np.isin(rows, (0, 1)).all()
        ):
            return None, [None, None]
        return 0.0, [int(effective_number(problem.sizes))] * 2
    if statistic.set_score is not None:
        relevant = [statistic.relevant_rows(model) for model in (0, 1)]
        effective = [_units_by_label(problem, *pairs)[1] for pairs in relevant]
        return 0.0, [_least(numbers) for numbers in effective]
    of_classes = statistic.counts_labels or statistic.ranks
    if np.ndim(problem.y) != 1 or not of_classes or statistic.lowest is None:
        return None, [None, None]
    return statistic.lowest, [_least(_units_by_class(problem)[1])] * 2


def _units_by_label(problem, labels, rows):
    """Return the number of units with each label on the given rows, and Kish's."""
    groups, weights = problem.units.groups, problem.sample_weight
    own = [None if every is None else every[rows] for every in (groups, weights)]
    return count_by_label(labels, *own)


def _units_by_class(problem):
    """Return the number of units with each class, and the effective number."""
    classes = codes_of(problem.y)[0]
    return _units_by_label(problem, classes, np.arange(len(classes)))


def _least(numbers):
    """Return the smallest positive number, rounded down; 0 if there is none."""
    return int(min(numbers[numbers > 0], default=0))


def limits_of(problem, metric, cells=None, **fields):
    """Return the limits of p-values and intervals due to few units.

    Parameters
    ----------
    problem : Problem
        The problem, with two models.
    metric : str
        The name of the metric.
    cells : Cells or None, default=None
        The cells that were resampled, possibly with more models or metrics. They are
        used to count the units whose difference affects the score; if the metric does
        not add up over rows, all differing units are counted. None counts all units.
    **fields : dict
        Fields of `Limits` that depend on resamples: `varies`, `undefined` and
        `resolution`.

    Returns
    -------
    Limits
        The limits.
    """
    statistic, (lowest, trials) = problem.statistics[metric], trials_of(problem, metric)
    if None not in trials:
        score = statistic.set_score
        equal = problem.sample_weight is None
        single = equal and score is not None and score.average in ("binary", "micro")
        of_rows = problem.units.groups is None
        fields["shares"] = of_rows and (statistic.averages_rows or single)
        fields |= {"n_trials": min(trials), "span": 1.0 - lowest}
    n_signs = problem.n_counted
    if cells is not None:
        if cells.engines[metric] != "generic":
            shared = cells.statistics[metric]
            n_models = len(shared.observed)
            statistic = shared if n_models == 2 else shared.of_models(problem.models)
        if cells.tables is None or cells.statistics != {metric: statistic}:
            cells = cells_of(problem.units, {metric: statistic})
        differing = problem.units.containing(problem.differs)
        n_signs = min(n_signs, n_moving_units(cells, differing, MOST_SIGNS))
    return Limits(n_signs, **fields)


def rare_class_caveat(problem, metric):
    """Return a caveat if a score of classes depends on few rows, or groups, of a class.

    Parameters
    ----------
    problem : Problem
        The problem, with two models.
    metric : str
        The name of the metric.

    Returns
    -------
    Caveat or None
        None also for means of per-row scores, and for averages in which a rare class
        has little weight.
    """
    statistic = problem.statistics[metric]
    of_classes = statistic.ranks or statistic.counts_labels
    if np.ndim(problem.y) != 1 or not of_classes or statistic.averages_rows:
        return None
    fewest, score = units_of_rarest_class(problem), statistic.set_score
    advice, unit = _NO_CURE, problem.unit
    if score is not None:
        if score.average in ("micro", "weighted"):
            return None
        for model in (0, 1):
            relevant = statistic.relevant_rows(model)
            of_labels = _least(_units_by_label(problem, *relevant)[0])
            fewest = min(fewest, of_labels or fewest)
        precision = (score.kind, score.average) == ("precision", "binary")
        if precision and unit == "rows" and problem.sample_weight is None:
            advice = _SCORE_TEST
    if fewest >= FEWEST_OF_CLASS:
        return None
    count = format_count(fewest, unit)
    return Caveat(
        SmallSampleWarning,
        _RARE.format(metric, count, FEWEST_OF_CLASS, advice),
        brief=f"only {count} of a class",
        metric=metric,
    )


def advice_on_lacking_class(problem):
    """Return advice for resamples that lack a class.

    Strata keep all classes in every resample, but with few rows of a class resamples
    vary so little that the test rejects far too often. Numbers have no classes.
    """
    if not target_type(problem.y).startswith(("binary", "multi")):
        return ""
    if np.ndim(problem.y) == 1 and units_of_rarest_class(problem) < FEWEST_OF_CLASS:
        return (
            f" If resamples lack a class of fewer than {FEWEST_OF_CLASS} "
            f"{problem.unit}, use ApproxRandomization, which is valid for "
            "exchangeable predictions; a bootstrap with such small strata is not."
        )
    return (
        " If resamples lack a class, strata=y keeps all classes in each, in fixed "
        "proportions."
    )


def units_of_rarest_class(problem):
    """Return the number of rows, or groups, that contain the rarest class.

    Rows of weight 0 do not count.
    """
    return _least(_units_by_class(problem)[0])


def with_bounds(sample, own, alternative, cells):
    """Return fields of a result, bounded by the limits due to few units.

    Parameters
    ----------
    sample : Resampled
        The scores of two models in a metric on resamples.
    own : dict
        Fields of a result.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.
    cells : Cells
        The cells that were resampled, possibly with more models or metrics.

    Returns
    -------
    own : dict
        The fields. The interval for a bounded score that is the same on all resamples
        is the Clopper-Pearson interval for trials that all agree; no interval extends
        beyond the range of the metric. No p-value is below that of a sign test in which
        all units whose difference affects the score have equal signs. No interval
        excludes 0 if these units are too few, or undefined resamples too many.
    caveat : Caveat or None
        A caveat if the difference is not 0 and the same on all resamples.
    """
    problem, metric, tolerance = sample.problem, sample.metric, sample.tolerance
    own, level, caveat = {**own}, own["confidence_level"], None
    texts, rare = [], rare_class_caveat(problem, metric)
    if rare is not None:
        texts.append(rare.text)
        own["cautions"] = (rare.brief, *own.get("cautions", ()))
    # Scores that are the same on all resamples, such as those of models without errors.
    scores = {"score_a_interval": own["score_a"], "score_b_interval": own["score_b"]}
    lowest, trials = trials_of(problem, metric)
    for (name, score), n in zip(scores.items(), trials, strict=True):
        if max(np.abs(np.subtract(own[name], score))) > 1e-12:
            continue
        if n is None:
            texts.append(_SAME_SCORE.format(name.split("_")[1].upper(), metric))
        else:
            own[name] = constant_interval(score, lowest, 1.0, n, level)
    # Differences that do not vary; a single resample cannot show whether they do.
    observed, deltas, delta = [*scores.values()], own["distribution"], own["delta"]
    varies = len(deltas) < 2 or bool(np.nanmax(np.abs(deltas - delta)) > tolerance)
    if not varies and abs(delta) > tolerance:
        caveat = Caveat(DegenerateDataWarning, _BOUND.format(metric), metric=metric)
    ideal = own["n_resamples"] == "ideal"
    own["limits"] = limits = limits_of(
        problem,
        metric,
        cells,
        varies=varies,
        undefined=own["n_undefined"] / max(len(deltas), 1),
        resolution=0.0 if ideal else 1 / (own["n_resamples"] + 1),
    )
    smallest = limits.pvalue(alternative)
    if own["pvalue"] < smallest:
        own |= {"pvalue": smallest, "pvalue_error": 0.0}
        if caveat is None:
            texts.append(_SIGNS.format(problem.unit))
    interval = cut_to_range(own["confidence_interval"], metric, observed)
    own["confidence_interval"] = limits.interval(interval, delta, level)
    if varies and own["confidence_interval"] != interval:
        texts.append(_MOVED.format(problem.unit, metric))
    return {**own, "caveats": texts}, caveat
