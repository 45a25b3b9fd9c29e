"""The paired bootstrap test."""

import functools

import numpy as np

from skcompare._engine import (
    bootstrap,
    bootstrap_with_errors,
    draw,
    left_out_scores,
    standard_errors,
)
from skcompare._parameters import RULES, OneOf
from skcompare.comparison._base import FEWEST_UNITS, GivesIntervals, size_caveats
from skcompare.comparison._bounds import with_bounds
from skcompare.comparison._intervals import FEWEST_MOVING, INTERVALS, percentile
from skcompare.comparison._needs import RARE_CLASS, Advice, Need
from skcompare.comparison._resampling import (
    NullDistribution,
    Resampled,
    Resamples,
    ResamplingTest,
)
from skcompare.exceptions import ParameterError
from skcompare.stats.exact import ideal_sum
from skcompare.stats.intervals import percentile_interval
from skcompare.stats.pvalues import exceeding, resampling_pvalue, rounding_tolerance

_FEW = (
    f"A bootstrap of only {{}} (fewer than {FEWEST_UNITS}) is unreliable. "
    "For exchangeable predictions ApproxRandomization is valid at any size."
)
_UNEVEN = (
    "intervals are too narrow and p-values too small. The type I error of "
    "WildClusterBootstrap is closer to the nominal level, for metrics that add up over "
    "rows; ApproxRandomization is valid for exchangeable predictions."
)
_FALLEN_BACK = (
    "Too few rows differ for the {} by {!r}, which would be misleading: it is computed "
    "by 'percentile' instead."
)
_OTHER_RULE = (
    "`method={!r}` would give p = {:.4f}, and the opposite decision at the level {:g}. "
    "On fewer than about 300 rows, or 30 of the rarer class, 'percentile' is the "
    "better calibrated method; it must be chosen before seeing the data."
)
_CLOSE = (
    "The p-value is so close to {:.3g} that test and interval disagree about 0: the "
    "ends of the interval lie between resampled values. More resamples resolve this "
    "(`extend`)."
)
_OTHER_INTERVAL = (
    "The {} interval does not agree with the p-value, which is computed by {!r}: "
    "`interval='auto'` does."
)
_SINGLE = (
    "A unit alone in its stratum is in every resample: the interval is too narrow and "
    "the p-value too small."
)

_FOLDS_ARE_STRATA = "Folds are strata here: use fewer folds, and merge small strata."


# Methods for the p-value, with the kind of interval that agrees with each. Except for
# "shift", a two-sided p-value is twice that of the smaller tail.
METHODS = {
    "shift": "symmetric",
    "percentile": "percentile",
    "studentized": "studentized",
}


def _why_not(chosen, facts):
    """Return why another test was chosen although the bootstrap is valid."""
    if facts.few_for_spread:
        return (
            "valid, but its p-value is too large: the spread of the targets, by which "
            f"{facts.metric} divides, varies between resamples."
        )
    if not chosen.redraws_rows:
        return (
            "it gives an interval, but a class of so few rows varies greatly between "
            "resamples."
        )
    name = type(chosen).__name__
    return f"about the same result by resampling, which {name} does not need."


class PairedBootstrap(GivesIntervals, ResamplingTest):
    """Test whether model A scores better than model B by resampling the test rows.

    1. Score both models on all rows: ``delta_ = score_a_ - score_b_``.
    2. Draw the same number of rows with replacement, the same rows for both models,
       and score both models on them. Repeat this `n_resamples` times.
    3. The resampled differences are centered at ``delta_``, not at 0. The p-value is
       therefore the proportion of them that are at least as far from ``delta_`` as
       ``delta_`` is from 0: for ``alternative="greater"``, those of at least
       ``2 * delta_``. For metrics that are neither computed from label counts nor means
       of per-row scores, such as R2 and ROC AUC, it is the proportion on the other
       side of 0 (see `method`).

    Read more in the :ref:`User Guide <two_tests>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics, as in scikit-learn. None uses the models' own `score`.
        Several metrics share one set of resamples. Arguments of `make_scorer` with one
        entry per row are resampled with the rows.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" evaluates fitted models on the data passed to `fit`. Other values are
        interpreted as in :func:`~sklearn.model_selection.cross_val_predict`: clones are
        evaluated on their out-of-fold responses, with the same folds for both models.
    aggregate : {"auto", "pooled", "fold-mean"}, default="auto"
        How to compute scores with `cv`: "pooled" scores all out-of-fold responses as
        one test set; "fold-mean" averages the scores of the folds, as returned by
        :func:`~sklearn.model_selection.cross_validate`. "auto" pools, except for
        ranking metrics such as ROC AUC, which are biased if predictions of models
        fitted on different folds are merged into one ranking.
    n_resamples : int, "auto" or "ideal", default=9_999
        The number of resamples. "auto" stops after 1,000 to 9,999 resamples, as soon as
        the decision at `alpha` is certain up to a risk of 0.001. "ideal" computes the
        limit of infinitely many resamples, with an error bound, for metrics that are
        means of per-row scores of equal weight.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        Nominal coverage of the intervals, which are two-sided for every `alternative`.
    method : {"auto", "shift", "percentile", "studentized"}, default="auto"
        How to compute the p-value. "shift" is the textbook method described above.
        "percentile" inverts the percentile interval: it counts the resampled
        differences on the other side of 0. "studentized" compares differences divided
        by their standard errors (the bootstrap-t). For both, a two-sided p-value is
        twice that of the smaller tail. "auto" is "shift" for metrics computed from
        label counts and for means of per-row scores, and "percentile" for all others
        (R2, correlations, ROC AUC, metrics passed as Python functions), for some of
        which "shift" has little power on small data. The method used is in
        ``result_.method``.
    interval : {"auto", "symmetric", "percentile", "basic", "bca", "studentized"}, \
            default="auto"
        The kind of interval for the difference. "auto" is the one that excludes 0 if
        and only if the two-sided p-value is at most ``1 - confidence_level``:
        "symmetric" for "shift", otherwise the one with the same name as the method. For
        metrics that do not add up over rows, "bca" scores the sample once more for
        every row or group, and "studentized" resamples every resample. Both need ten
        rows or groups on which the models differ; with fewer, the percentile interval
        is used and a caveat is added.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    add_one : bool, default=True
        Whether to count the sample itself as a resample: if ``s`` of ``B`` resamples
        exceed, the p-value is ``(s + 1) / (B + 1)``, which is never 0. False gives the
        textbook proportion ``s / B``.
    refit : bool, default=True
        With `cv`, whether to refit the winning model on all the data. If False, there
        is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        How to handle failed fits with `cv`: "raise" raises the error; nan excludes the
        rows of that fold for both models and issues a `FailedFitWarning`.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random draws. Results do not depend on `n_jobs`.
    n_jobs : int, default=None
        Number of joblib workers. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        If nonzero, show progress on standard error after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult
        The result for each metric, by name.
    result_ : ComparisonResult
        The result, if there is only one metric; the attributes below are its fields.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        The scores of the two models. Higher is better.
    pvalue_ : float
        The p-value.
    pvalue_error_ : float
        The Monte Carlo standard error of the p-value; for "ideal", its error bound.
    n_exceeding_ : int
        The number of resamples counted in the p-value; None for "ideal".
    confidence_interval_ : ConfidenceInterval
        A confidence interval ``(low, high)`` for the difference.
    score_a_interval_, score_b_interval_ : ConfidenceInterval
        Percentile intervals for the two scores.
    standard_error_ : float
        The bootstrap standard error of `delta_`.
    distribution_ : ndarray of shape (n_resamples,)
        The resampled differences, nan where undefined; for "ideal", evenly spaced
        quantiles of their distribution.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` (with several metrics: in each of
        them), else B; with `cv`, refitted on all the data. Not set by
        `fit_predictions`.
    fold_, indices_ : ndarray
        With `cv`, the fold of each tested row and its position in the data.
    problem_ : object
        The comparison problem: names, predictions, metrics and units resampled
        together.
    predictions_ : tuple of dict
        The compared responses of each model, by response method.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Attributes of `best_estimator_`.

    See Also
    --------
    ApproxRandomization : Swaps predictions instead; valid at any sample size if they
        are exchangeable.
    WildClusterBootstrap : For few groups, or groups or weights of uneven size.

    Notes
    -----
    *Null hypothesis*: in the population that the rows come from, A scores no better
    than B (two-sided: they score the same). *Assumption*: rows, or with `groups` whole
    groups, are independent draws from that population. *Estimand* (the quantity that
    ``delta_`` estimates): the difference in score of these fitted models on that
    population; with `cv`, the difference in the score of the pooled out-of-fold
    responses, which is not the mean of the fold scores. With ``aggregate="fold-mean"``
    it is that mean: the difference between the models of a fold on test sets of the
    size of the fold, averaged over folds.

    With ``aggregate="fold-mean"``, rows or groups are resampled within folds, whose
    sizes stay fixed. Therefore groups must be nested in folds, and no row may be tested
    twice. If folds have few rows of some class, many resamples have no score; these
    resamples count as exceeding.

    A group that is drawn twice counts twice. For scorers that score group by group,
    such as a mean over queries, each copy has its own id if the scorer receives the ids
    as an argument or as a column of `X` that defines the same groups as `groups`.

    The test is one-sided by default. Choosing the direction after seeing which model is
    ahead doubles the error rate. With a direction fixed in advance, the test is
    conservative on small discrete data. With fewer than 30 rows or groups, a
    `SmallSampleWarning` is issued.

    Groups of very uneven size, or rows of very uneven weight, have a small effective
    number (Kish). If it is below 30, a `SmallSampleWarning` is issued;
    `WildClusterBootstrap` then stays closer to its nominal level.

    The interval is two-sided even if the p-value is one-sided. An interval selected by
    name need not agree with the p-value. ``result_.caveats`` report such a
    disagreement, and also different decisions by "shift" and "percentile".

    *Identical models* have a difference of 0 and p = 1. If the difference is the same
    on all resamples, the interval for a proportion, such as accuracy, is the
    Clopper-Pearson bound for rows that all agree, as is the interval for the score of a
    model without errors. For unbounded metrics, the interval contains at least all
    differences of the same sign, and for equal scores all numbers. A caveat marks such
    an interval as a bound. No p-value is below 2^-n (two-sided: twice that), where n is
    the number of rows or groups whose difference affects the metric: the p-value of a
    sign test with n equal signs (``result_.limits``). Resamples on which the scorer
    raises or returns nan are counted in ``result_.n_undefined``, count as exceeding in
    the p-value, and are left out of intervals.

    References
    ----------
    .. [1] Efron, B. and Tibshirani, R. (1993). An Introduction to the Bootstrap.
       Chapman & Hall.
    .. [2] Berg-Kirkpatrick, T., Burkett, D. and Klein, D. (2012). An empirical
       investigation of statistical significance in NLP. EMNLP.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skcompare import PairedBootstrap
    >>> X_train, X_test, y_train, y_test = train_test_split(
    ...     *load_breast_cancer(return_X_y=True), test_size=0.5, random_state=0)
    >>> a = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    >>> b = GaussianNB().fit(X_train, y_train)
    >>> test = PairedBootstrap(a, b, scoring="accuracy", n_resamples=999,
    ...                        random_state=0).fit(X_test, y_test)
    >>> round(test.delta_, 4), test.pvalue_ < 0.05
    (0.0386, True)
    """

    _rules = {
        "n_resamples": RULES["n_resamples"],
        "method": OneOf("auto", *METHODS),
        "interval": OneOf("auto", *INTERVALS),
    }

    randomizes = "rows"

    _label = "bootstrap"

    # Minimum number of resamples for an interval.
    _fewest = 1_000

    _advice = Advice(
        needs=(
            Need(
                lambda test, facts: facts.n_units >= FEWEST_UNITS,
                "A bootstrap of a small test set is unreliable: {facts.n_units} "
                "{facts.units} are "
                f"fewer than {FEWEST_UNITS}, and may not be representative of the "
                "population.",
            ),
            Need(
                lambda test, facts: not facts.uneven,
                lambda test, facts: (
                    f"A bootstrap of such uneven {facts.units} rejects too often: "
                    f"the effective sample size of {facts.n_units:,} of them is "
                    f"{facts.n_effective:.0f} (Kish), less than {FEWEST_UNITS}."
                    + " WildClusterBootstrap is closer to the nominal level."
                    * facts.adds_up
                ),
            ),
            Need(
                lambda test, facts: (
                    facts.n_holding >= FEWEST_UNITS or facts.n_units < FEWEST_UNITS
                ),
                "A bootstrap of {facts.metric} is unreliable here: a class that it "
                "depends on occurs in only {facts.n_holding} of {facts.n_units:,} "
                f"{{facts.units}}, fewer than {FEWEST_UNITS}.",
            ),
        ),
        cautions=(RARE_CLASS,),
        why_not=_why_not,
        simulated_with={"interval": "percentile"},
    )

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        cv="prefit",
        aggregate="auto",
        n_resamples=9_999,
        alternative="greater",
        confidence_level=0.95,
        method="auto",
        interval="auto",
        alpha=0.05,
        add_one=True,
        refit=True,
        error_score="raise",
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.estimator_a = estimator_a
        self.estimator_b = estimator_b
        self.scoring = scoring
        self.cv = cv
        self.aggregate = aggregate
        self.n_resamples = n_resamples
        self.alternative = alternative
        self.confidence_level = confidence_level
        self.method = method
        self.interval = interval
        self.alpha = alpha
        self.add_one = add_one
        self.refit = refit
        self.error_score = error_score
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def check_parameters(self):
        """Raise a `ParameterError` if a parameter is invalid."""
        super().check_parameters()
        plain = [name for name, kind in INTERVALS.items() if kind.needs != "errors"]
        for parameter, choices in {"interval": plain, "method": ["shift"]}.items():
            value = getattr(self, parameter)
            if self.n_resamples == "ideal" and value not in ("auto", *choices):
                raise ParameterError(
                    parameter,
                    f"be one of {', '.join(map(repr, ('auto', *choices)))} for "
                    "`n_resamples='ideal'`, which shifts differences and does not "
                    "divide them by standard errors",
                    repr(value),
                    "Give a number of resamples.",
                )
        if self.n_resamples == "auto" and self.method == "studentized":
            raise ParameterError(
                "n_resamples",
                "be an int for `method='studentized'`, whose p-value is computed only "
                "once all resamples are drawn",
                "'auto'",
            )

    @property
    def shares_resamples(self):
        """Whether one set of resamples can serve all pairs of many models."""
        return super().shares_resamples and "errors" not in self._needs

    @property
    def _needs(self):
        """Quantities that p-value and interval need besides resampled scores."""
        kinds = {METHODS.get(self.method), self.interval} & INTERVALS.keys()
        return {INTERVALS[kind].needs for kind in kinds}

    def _method_for(self, problem, metric):
        """Return the method by which the p-value of a metric is computed."""
        if self.method == "auto":
            return problem.statistics[metric].bootstrap_method
        few = len(problem.swapped_units) < FEWEST_MOVING
        return "percentile" if self.method == "studentized" and few else self.method

    def n_tails(self, problem, metric):
        """Return 2 if the p-value is twice the proportion in one tail, else 1."""
        shifts = self._method_for(problem, metric) == "shift"
        return 1 if shifts or self.alternative != "two-sided" else 2

    def _null(self, sample, method=None):
        """Return the null distribution of the difference for a p-value method."""
        method = method or self._method_for(sample.problem, sample.metric)
        deltas, delta, tolerance = sample.deltas, sample.delta, sample.tolerance
        if method == "studentized" and not sample.error > tolerance:
            method = "percentile"  # there is no standard error to divide by
        # Shift: deviations of the resampled differences from the observed one.
        values, observed, center = deltas - delta, delta, delta
        if method == "percentile":  # mirrored, so that those beyond 0 exceed
            values, center = delta - deltas, None
        studentized = method == "studentized"
        if studentized:
            values, observed, tolerance = sample.studentized(values)
            center = None
        sides = [self.alternative]
        if method != "shift" and self.alternative == "two-sided":
            sides = ["greater", "less"]  # twice the smaller tail
        tails = [exceeding(values, observed, s, tolerance=tolerance) for s in sides]
        tail = min(tails, key=np.count_nonzero)
        return NullDistribution(
            values, observed, tail, center, len(tails), studentized=studentized
        )

    def _resampler(self, problem, cells):
        """Return a resampler that draws rows, or groups, with replacement."""
        resamples, needs = Resamples(cells, problem.models), self._needs
        if self.n_resamples == "ideal":
            return None, resamples
        if "left_out" in needs:
            settings = {"seed": problem.seed, "n_jobs": self.n_jobs}
            settings |= {"verbose": self.verbose, "label": "jackknife"}
            left_out = left_out_scores(cells, functools.partial(draw, **settings))
            resamples = resamples._replace(left_out=left_out)
        if "errors" not in needs:
            return bootstrap(cells), resamples
        errors = standard_errors(cells)
        return bootstrap_with_errors(cells), resamples._replace(observed_errors=errors)

    def conclude(self, problem, resamples):
        """Compute p-values and intervals of two models from resamples."""
        merge = _FOLDS_ARE_STRATA if problem.folds_are_strata else "Merge small strata."
        caveats = [*size_caveats(problem, _FEW, f"{_SINGLE} {merge}", _UNEVEN)]
        fields, cells, level = {}, resamples.cells, float(self.confidence_level)
        for metric in problem.statistics:
            method = self._method_for(problem, metric)
            kind, named = METHODS[method], method
            if self.interval != "auto":
                kind, named = self.interval, f"{method}, {self.interval} interval"
            if resamples.drawn is None:
                ideal = ideal_bootstrap(problem, metric, cells, self.alternative)
                sample, pvalue = ideal
            else:
                sample = resamples.of(problem, metric)
                pvalue = self._pvalue_fields(sample, resamples)
            interval = INTERVALS[kind].compute(sample, level)
            own = {
                **problem.facts(metric),
                **pvalue,
                "method": named,
                "engine": cells.engines[metric],
                "confidence_interval": interval or percentile(sample, level),
                "confidence_level": level,
            }
            for name, scores in zip("ab", sample.scores.T, strict=True):
                defined = scores[np.isfinite(scores)]
                own[f"score_{name}_interval"] = percentile_interval(defined, level)
            own, bound = with_bounds(sample, own, self.alternative, cells)
            replaced = kind if interval is None else None
            remarks = self._remarks(sample, method, replaced, own)
            fields[metric] = {**own, "caveats": [*remarks, *own["caveats"]]}
            caveats += [bound, self._call_caveat(problem, metric, own)]
        late = [self._undefined_caveat(problem, resamples, fields)]
        return self._outcome(problem, fields, caveats, late)

    def _remarks(self, sample, method, replaced, own):
        """Yield caveats about replaced methods and intervals, and disagreements.

        `replaced` is the kind of interval that the percentile interval replaces, or
        None.
        """
        varies = np.ptp(sample.deltas[sample.defined]) > sample.tolerance
        if varies and replaced is not None:
            yield _FALLEN_BACK.format("interval", replaced)
        if varies and self.n_resamples != "ideal":
            other = {"shift": "percentile", "percentile": "shift"}.get(method)
            if other is not None:
                null = self._null(sample, other)
                n_exceeding, n = int(null.exceeding.sum()), len(null.values)
                share = resampling_pvalue(n_exceeding, n, add_one=self.add_one)
                smallest = own["limits"].pvalue(self.alternative)
                pvalue = max(smallest, min(1.0, null.n_tails * share))
                if (pvalue <= self.alpha) != (own["pvalue"] <= self.alpha):
                    yield _OTHER_RULE.format(other, pvalue, self.alpha)
            low, high = own["confidence_interval"]
            alpha = 1 - own["confidence_level"]
            rejected = own["pvalue"] <= alpha
            if self.alternative == "two-sided" and (low > 0 or high < 0) != rejected:
                by_name = _OTHER_INTERVAL.format(self.interval, method)
                yield _CLOSE.format(alpha) if self.interval == "auto" else by_name
        if method != self.method != "auto":
            yield _FALLEN_BACK.format("p-value", self.method)


def ideal_bootstrap(problem, metric, cells, alternative):
    """Return the limit of a bootstrap with infinitely many resamples.

    Parameters
    ----------
    problem : Problem
        The problem, with two models.
    metric : str
        The name of the metric.
    cells : Cells
        The cells to resample.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.

    Returns
    -------
    sample : Resampled
        Scores and differences at evenly spaced probabilities.
    fields : dict
        Fields of a `ComparisonResult`: the p-value and related statistics.
    """
    table = None if cells.tables is None else cells.tables[metric]
    if table is None or not table.has_equal_units:
        raise ValueError(
            "`n_resamples` 'ideal' is for means of per-row scores of equal weight, "
            f"such as accuracy or mean squared error. Got {metric!r}. Pass a number "
            "instead."
        )
    numerators, denominators = table.average_terms(cells.counts)
    a, b = numerators / denominators  # contributions of a unit of each cell
    sums = [ideal_sum(x, cells.counts, cells.strata) for x in (a, b, a - b)]
    of_a, of_b, of_delta = (ideal.quantiles() for ideal in sums)
    variance = 0.0
    for stratum in range(cells.strata.max() + 1):
        within = cells.strata == stratum
        n, x = cells.counts[within], (a - b)[within]
        variance += n @ (x - n @ x / n.sum()) ** 2
    statistic, delta = problem.statistics[metric], problem.facts(metric)["delta"]
    tolerance = rounding_tolerance(statistic.observed, statistic.scale)
    tail = sums[2].pvalue(delta, alternative, tolerance=tolerance)
    sample = Resampled(
        problem=problem,
        metric=metric,
        delta=delta,
        scores=np.column_stack([of_a, of_b]),
        deltas=of_delta,
        defined=np.isfinite(of_delta),
        tolerance=1e-9 * float(np.ptp(of_delta)),
        left_out=table.left_out_scores(cells.counts)[cells.cell_of_unit],
    )
    fields = {
        "pvalue": tail.pvalue,
        "pvalue_error": tail.error,
        "n_exceeding": None,
        "n_resamples": "ideal",
        "n_undefined": 0,
        "standard_error": float(np.sqrt(variance)),
        "center": delta,
        "distribution": of_delta,
    }
    return sample, fields
