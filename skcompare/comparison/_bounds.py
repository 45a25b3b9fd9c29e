"""What few rows can show: on how few a score rests, and bounds that follow."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import cells_of, n_moving_units
from skcompare._validation import codes_of
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.stats.clusters import effective_number
from skcompare.stats.intervals import constant_interval, cut_to_range
from skcompare.stats.limits import Limits

# Scores that rest on fewer rows of a class cannot be relied on.
FEWEST_OF_CLASS = 10

# More signs than that make no p-value larger, and are not counted.
MOST_SIGNS = 60

_BOUND = (
    "The difference in {} is the same on every resample: the data show no spread. The "
    "p-value is a bound, that of as many equal signs, and so is the interval."
)
_SIGNS = (
    "The p-value is that of as many equal signs as there are {} whose difference moves "
    "the score: so few cannot show more, whatever resamples say."
)
_MOVED = (
    "Few {} differ in what moves {}, or resamples lack a value: 0 cannot be excluded, "
    "and the interval was widened to it."
)
_RARE = "{} rests on as few as {} {} of a class, true or predicted, fewer than {}: {}."
_NO_CURE = (
    "resamples do not keep their level there, and swaps (ApproxRandomization) for "
    "exchangeable predictions only"
)
_SCORE_TEST = (
    "resamples and swaps do not keep their level there, "
    "skcompare.stats.precision_test does"
)


def trials_of(problem, metric):
    """Return on how many independent trials the bounded scores of two models rest.

    Parameters
    ----------
    problem : Problem
        The two models.
    metric : str
        The name of the metric.

    Returns
    -------
    lowest : float or None
        The lowest score; the highest is 1.
    trials : list
        A number for each model: of units for shares of rows, by Kish's effective
        number if they have weights; of the rarest label that counts for precision,
        recall and F; of the rarest class for other metrics of labels and rankings.
        None for scores without bounds.
    """
    statistic = problem.statistics[metric]
    rows = statistic.row_scores() if statistic.averages_rows else None
    counts, n_units = statistic.set_counts, problem.n_counted
    if rows is not None:
        shares = np.isin(rows, (0, 1)).all()
        return 0.0, [n_units if shares else None] * 2
    if counts is not None:
        fewest = counts.sizes.min(axis=1)
        return 0.0, [min(int(n), n_units) or None for n in fewest]
    if statistic.counts_labels and statistic.averages_rows:
        return 0.0, [int(effective_number(problem.sizes)) or None] * 2
    of_classes = statistic.counts_labels or statistic.ranks
    if np.ndim(problem.y) != 1 or not of_classes or statistic.lowest is None:
        return None, [None, None]
    return statistic.lowest, [units_of_rarest_class(problem)] * 2


def limits_of(problem, metric, cells=None, **seen):
    """Return what so few units can show at most.

    Parameters
    ----------
    problem : Problem
        The two models.
    metric : str
        The name of the metric.
    cells : Cells or None, default=None
        What was resampled, maybe with more models or metrics: from them it is known
        whose difference moves the score, all that differ if the metric does not add
        up. None takes all units.
    **seen : dict
        What is seen of resamples: `varies`, `undefined` and `resolution`.

    Returns
    -------
    Limits
        The limits.
    """
    statistic, (lowest, trials) = problem.statistics[metric], trials_of(problem, metric)
    if all(trials):
        counts = statistic.set_counts
        single = counts is not None and counts.average in ("binary", "micro")
        of_rows = problem.units.groups is None
        seen["shares"] = of_rows and (statistic.averages_rows or single)
        seen |= {"n_trials": min(trials), "span": 1.0 - lowest}
    n_signs = problem.n_counted
    if cells is not None:
        if cells.engines[metric] != "generic":
            adding = cells.statistics[metric]
            n_models = len(adding.observed)
            statistic = adding if n_models == 2 else adding.of_models(problem.models)
        if cells.tables is None or cells.statistics != {metric: statistic}:
            cells = cells_of(problem.units, {metric: statistic})
        differing = problem.units.containing(problem.differs)
        n_signs = min(n_signs, n_moving_units(cells, differing, MOST_SIGNS))
    return Limits(n_signs, **seen)


def rare_class_caveat(problem, metric):
    """Say so if a score of classes rests on a few rows, or groups, of a class.

    Parameters
    ----------
    problem : Problem
        The two models.
    metric : str
        The name of the metric.

    Returns
    -------
    Caveat or None
        None also for means of per-row scores, and for averages in which a rare
        class counts for little.
    """
    statistic = problem.statistics[metric]
    of_classes = statistic.ranks or statistic.counts_labels
    if np.ndim(problem.y) != 1 or not of_classes or statistic.averages_rows:
        return None
    fewest, counts = units_of_rarest_class(problem), statistic.set_counts
    cure, unit = _NO_CURE, problem.unit
    if counts is not None:
        if counts.average in ("micro", "weighted"):
            return None
        fewest = min([fewest, *(int(n) for n in counts.sizes.min(axis=1) if n)])
        kind = counts.kind, counts.average
        if kind == ("precision", "binary") and unit == "rows":
            cure = _SCORE_TEST
    if fewest >= FEWEST_OF_CLASS:
        return None
    return Caveat(
        SmallSampleWarning,
        _RARE.format(metric, fewest, unit, FEWEST_OF_CLASS, cure),
        brief=f"only {fewest} {unit} of a class",
        metric=metric,
    )


def advice_on_lacking_class(problem):
    """Return what to do where resamples lack a class.

    Strata keep classes in all resamples, but for few rows of a class these vary so
    little that the test rejects far too often.
    """
    if np.ndim(problem.y) == 1 and units_of_rarest_class(problem) < FEWEST_OF_CLASS:
        return (
            f"If resamples lack a class, of fewer than {FEWEST_OF_CLASS} "
            f"{problem.unit}, ApproxRandomization keeps its level for exchangeable "
            "predictions; strata of so few do not."
        )
    return (
        "If resamples lack a class, strata=y keeps all classes in each, in fixed "
        "shares."
    )


def units_of_rarest_class(problem):
    """Return how many rows, or groups, have the class that fewest have."""
    classes = codes_of(problem.y)[0]
    if problem.units.groups is not None:
        pairs = classes * problem.n_units + problem.units.groups
        classes = np.unique(pairs) // problem.n_units
    return int(np.bincount(classes).min())


def with_bounds(sample, own, alternative, cells):
    """Return fields of a result with bounds where no resample varies.

    Parameters
    ----------
    sample : Resampled
        What resamples say of two models in a metric.
    own : dict
        Fields of a result.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    cells : Cells
        What was resampled, maybe with more models or metrics.

    Returns
    -------
    own : dict
        The fields. The interval of a bounded score that does not vary is Clopper and
        Pearson's for trials that all agree; no interval reaches beyond the range of the
        metric. No p-value is below that of as many equal signs as there are units whose
        difference moves the score, and no interval excludes 0 where they, or resamples
        without a value, are too few to do so.
    caveat : Caveat or None
        That there is a lead which no resample varies.
    """
    problem, metric, tolerance = sample.problem, sample.metric, sample.tolerance
    own, level, caveat = {**own}, own["confidence_level"], None
    said, rare = [], rare_class_caveat(problem, metric)
    if rare is not None:
        said.append(rare.text)
        own["cautions"] = (rare.brief, *own.get("cautions", ()))
    # Scores of models that no resample varies, such as those without errors.
    scores = {"score_a_interval": own["score_a"], "score_b_interval": own["score_b"]}
    lowest, trials = trials_of(problem, metric)
    for (name, score), n in zip(scores.items(), trials, strict=True):
        if n and max(own[name].high - score, score - own[name].low) <= 1e-12:
            own[name] = constant_interval(score, lowest, 1.0, n, level)
    # A difference that none varies. One resample does not show whether they do.
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
    least = limits.pvalue(alternative)
    if own["pvalue"] < least:
        own |= {"pvalue": least, "pvalue_error": 0.0}
        if caveat is None:
            said.append(_SIGNS.format(problem.unit))
    drawn = cut_to_range(own["confidence_interval"], metric, observed)
    own["confidence_interval"] = limits.interval(drawn, delta, level)
    if varies and own["confidence_interval"] != drawn:
        said.append(_MOVED.format(problem.unit, metric))
    return {**own, "caveats": said}, caveat
