"""Limits due to few rows: rare classes, and bounds of p-values and intervals."""

import dataclasses

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import cells_of, n_moving_units
from skcompare._evaluation import target_type
from skcompare._format import format_count
from skcompare._validation import codes_of
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.stats.clusters import effective_number, fewest_of_label
from skcompare.stats.intervals import constant_interval, cut_to_range
from skcompare.stats.limits import Limits

# Minimum number of rows of a class for a reliable score.
FEWEST_OF_CLASS = 10

# The metric with a test of its own for few rows.
_PRECISION = ("precision", "binary")

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
_MOVED = "{}: 0 cannot be excluded, and the interval was widened to include it."
_RARE = "{} depends on a class with only {}, true or predicted (fewer than {}): {}."
_NO_CURE = (
    "the bootstrap does not control the type I error there; ApproxRandomization does "
    "if predictions are exchangeable"
)
_SCORE_TEST = (
    "neither the bootstrap nor the permutation test controls the type I error there; "
    "skcompare.stats.precision_test does"
)


@dataclasses.dataclass(frozen=True)
class Support:
    """The units that the scores of two models depend on in a metric.

    Parameters
    ----------
    rare : Caveat or None, default=None
        A caveat if a score of classes depends on few rows, or groups, of a class. None
        also for means of per-row scores, and for averages in which a rare class has
        little weight.
    lowest : float or None, default=None
        The lowest score; the highest is 1.
    trials : tuple of int or None, default=(None, None)
        Kish's effective number for each model, rounded down: of units for proportions
        of rows; of units with the rarest relevant label for precision, recall, F and
        Jaccard; of those with the rarest class for other metrics of labels and
        rankings. None for unbounded scores.
    """

    rare: Caveat | None = None
    lowest: float | None = None
    trials: tuple = (None, None)


def support_of(problem, metric):
    """Return the units that the scores of two models depend on in a metric."""
    statistic = problem.statistics[metric]
    if statistic.averages_rows:
        rows = statistic.row_scores()
        shares = (
            statistic.counts_labels if rows is None else np.isin(rows, (0, 1)).all()
        )
        n_effective = int(effective_number(problem.sizes) + 1e-9)  # rounding errors
        return Support(None, 0.0, (n_effective, n_effective)) if shares else Support()
    labeled, of_sets = [], statistic.set_score is not None
    if of_sets:
        labeled += [statistic.relevant_rows(model) for model in (0, 1)]
    of_classes = statistic.counts_labels or statistic.ranks
    of_classes = of_classes and np.ndim(problem.y) == 1
    if of_classes:
        labeled.append((codes_of(problem.y)[0], slice(None)))
    of_rows = problem.units.groups, problem.sample_weight
    numbers = [
        fewest_of_label(labels, *(own if own is None else own[rows] for own in of_rows))
        for labels, rows in labeled
    ]
    rare = None
    if of_classes:
        rare = _rare_class_caveat(problem, metric, [n for n, _ in numbers])
    if not numbers or statistic.lowest is None:
        return Support(rare)
    trials = [n_effective for _, n_effective in numbers]
    return Support(rare, statistic.lowest, tuple(trials[:2] if of_sets else trials * 2))


def _rare_class_caveat(problem, metric, numbers):
    """Return a caveat if the smallest number above 0 is too small."""
    score, fewest = problem.statistics[metric].set_score, min(filter(None, numbers))
    averages_rows = score is not None and score.average in ("micro", "weighted")
    if averages_rows or fewest >= FEWEST_OF_CLASS:
        return None
    precision = score is not None and (score.kind, score.average) == _PRECISION
    plain = problem.unit == "rows" and problem.sample_weight is None
    advice = _SCORE_TEST if precision and plain else _NO_CURE
    count = format_count(fewest, problem.unit)
    return Caveat(
        SmallSampleWarning,
        _RARE.format(metric, count, FEWEST_OF_CLASS, advice),
        brief=f"only {count} of a class",
        metric=metric,
    )


def n_signs_of(problem, metric, cells):
    """Return the number of units whose difference affects a score, up to `MOST_SIGNS`.

    Parameters
    ----------
    problem : Problem
        The problem, with two models.
    metric : str
        The name of the metric.
    cells : Cells
        The cells that were resampled, possibly with more models or metrics. If the
        metric does not add up over rows, all differing units are counted.

    Returns
    -------
    int
        The number.
    """
    statistic = problem.statistics[metric]
    if cells.engines[metric] != "generic":
        shared = cells.statistics[metric]
        n_models = len(shared.observed)
        statistic = shared if n_models == 2 else shared.of_models(problem.models)
    if cells.tables is None or cells.statistics != {metric: statistic}:
        cells = cells_of(problem.units, {metric: statistic})
    differing = problem.units.containing(problem.differs)
    return min(problem.n_counted, n_moving_units(cells, differing, MOST_SIGNS))


def limits_of(problem, metric, support, cells=None, **fields):
    """Return the limits of p-values and intervals due to few units.

    Parameters
    ----------
    problem : Problem
        The problem, with two models.
    metric : str
        The name of the metric.
    support : Support
        The units that the scores depend on.
    cells : Cells or None, default=None
        The cells that were resampled, to count the units whose difference affects the
        score. None counts all units.
    **fields : dict
        The other fields of `Limits`.

    Returns
    -------
    Limits
        The limits.
    """
    if None not in support.trials:
        statistic = problem.statistics[metric]
        score = statistic.set_score
        equal = problem.sample_weight is None
        single = equal and score is not None and score.average in ("binary", "micro")
        of_rows = problem.units.groups is None
        fields["shares"] = of_rows and (statistic.averages_rows or single)
        fields |= {"n_trials": min(support.trials), "span": 1.0 - support.lowest}
    n_signs = problem.n_counted
    if cells is not None:
        n_signs = n_signs_of(problem, metric, cells)
    return Limits(n_signs, **fields)


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
    labels, groups = codes_of(problem.y)[0], problem.units.groups
    return fewest_of_label(labels, groups, problem.sample_weight)[0]


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
    texts, support = [], support_of(problem, metric)
    if support.rare is not None:
        texts.append(support.rare.text)
        own["cautions"] = (support.rare.brief, *own.get("cautions", ()))
    # Scores that are the same on all resamples, such as those of models without errors.
    scores = {"score_a_interval": own["score_a"], "score_b_interval": own["score_b"]}
    for (name, score), n in zip(scores.items(), support.trials, strict=True):
        if max(np.abs(np.subtract(own[name], score))) > tolerance:
            continue
        if n is None:
            texts.append(_SAME_SCORE.format(name.split("_")[1].upper(), metric))
        else:
            own[name] = constant_interval(score, support.lowest, 1.0, n, level)
    # Differences that do not vary; a single resample cannot show whether they do.
    observed, deltas, delta = [*scores.values()], own["distribution"], own["delta"]
    varies = len(deltas) < 2 or bool(np.nanmax(np.abs(deltas - delta)) > tolerance)
    if not varies and abs(delta) > tolerance:
        caveat = Caveat(DegenerateDataWarning, _BOUND.format(metric), metric=metric)
    ideal = own["n_resamples"] == "ideal"
    own["limits"] = limits = limits_of(
        problem,
        metric,
        support,
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
        reason = f"Too few {problem.unit} have a difference that affects {metric}"
        defined = limits._replace(undefined=0.0)
        if defined.interval(interval, delta, level) == interval:
            reason = "Too many resamples are undefined"
        texts.append(_MOVED.format(reason))
    return {**own, "caveats": texts}, caveat
