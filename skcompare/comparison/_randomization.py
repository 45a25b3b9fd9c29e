"""The permutation test (approximate randomization), random or exact."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import all_swaps, swaps
from skcompare._parameters import OneOf
from skcompare.comparison._base import result_attributes
from skcompare.comparison._bounds import support_of
from skcompare.comparison._needs import (
    NO_EXCHANGE,
    RARE_CLASS,
    Advice,
    Need,
    pvalue_of_signs,
)
from skcompare.comparison._resampling import (
    MAXIMA,
    NullDistribution,
    Resamples,
    ResamplingTest,
)
from skcompare.exceptions import ComparisonWarning
from skcompare.stats.exact import ExactTail, lattice_moves, sign_flip_tail, tail_of
from skcompare.stats.pvalues import exceeding, rounding_tolerance

# Maximum number of differing units for enumerating all labelings.
MOST_ENUMERATED = 20

# Maximum number of moves of the totals with method="exact".
MOST_MOVES = 2**24
# Limits for method="auto". Cost of adding a move, in random draws for a cell.
DRAWS_PER_MOVE = 64
# Number of moves whose cost is negligible.
FEW_MOVES = 2**12
# Maximum number of values for which an exact count is cheaper than resampling.
CHEAP_SPLIT = 30

# An exact p-value is discarded if its error bound exceeds both of these, the second
# relative to the p-value.
LARGEST_ERROR, LARGEST_ERROR_SHARE = 1e-4, 0.1

# Beyond this ratio of predicted positives, swapping rejects equal F-measures too often.
UNEQUAL_RATES = 3
# Minimum number of predicted positives for checking the ratio.
FEWEST_PREDICTED = 5

_OF_SCORES = "; for many rows also: A and B have equal scores"

_UNEQUAL = (
    "The models predict the positive class of {} on {:g} and {:g} rows: such models "
    "are not exchangeable, even if their scores are equal, and the permutation test "
    "rejects too often. `statistic='studentized'` allows for it."
)


@result_attributes("statistic")
class ApproxRandomization(ResamplingTest):
    """Permutation test (approximate randomization): does A score better than B?

    1. Score both models on all rows: ``delta_ = score_a_ - score_b_``.
    2. If the two models' predictions are exchangeable (it makes no difference which of
       the two models a prediction comes from), the predictions for each row can be
       swapped. Swap each pair with probability 1/2 and score again. Repeat this
       `n_resamples` times, or enumerate all possibilities.
    3. The p-value is the proportion of these differences that are at least as large as
       ``delta_``, the observed one included.

    Read more in the :ref:`User Guide <two_tests>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics, as in scikit-learn. None uses the models' own `score`.
        Several metrics share one set of resamples.
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
    n_resamples : int or "auto", default=9_999
        The number of random labelings; an exact test uses all labelings. "auto" stops
        after 100 to 9,999 labelings, as soon as the decision at `alpha` is certain up
        to a risk of 0.001.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
    method : {"auto", "exact", "monte-carlo"}, default="auto"
        "exact" enumerates all labelings for up to 20 rows or groups on which the models
        differ. For more, it computes the distribution of the difference if the metric
        adds up over rows (accuracy, F1 of two classes, means of per-row scores), with
        the error bound `pvalue_error_`. "auto" is exact if that costs no more than
        random labelings.
    statistic : {"auto", "difference", "studentized"}, default="auto"
        The statistic computed on every labeling. "difference" is the difference in
        score, as in the textbooks. "studentized" divides it by its standard error on
        the same labeling (delta method): it is equally exact for exchangeable
        predictions and, for many rows, also valid for models that have equal scores but
        are not exchangeable. "auto" is "studentized" for metrics for which "difference"
        is known to reject equal scores too often (precision, balanced accuracy, kappa,
        Matthews' correlation), and "difference" for all others. For metrics that do not
        add up over rows, such as ROC AUC, only "difference" is available.
    swap : {"auto", "scores"}, default="auto"
        "auto" swaps ranks for ranking metrics (ROC AUC, average precision), computed
        within the scores of each model, and standardized values for Pearson's
        correlation: neither changes a score, and models on different scales can be
        compared. "scores" swaps predictions unchanged.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    add_one : bool, default=True
        Whether to count the observed labeling as a random one: if ``s`` of ``B``
        labelings exceed, the p-value is ``(s + 1) / (B + 1)``, which is never 0. False
        gives the textbook proportion ``s / B``. The labelings of an exact test already
        include the observed one.
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
        The Monte Carlo standard error of the p-value; for an exact p-value, its error
        bound, mostly 0.
    n_exceeding_ : int
        The number of labelings counted in the p-value; None if it is exact without
        enumerating them.
    statistic_ : float
        With ``statistic="studentized"``, the difference divided by its standard error.
    standard_error_ : float
        The standard deviation of the difference under the null hypothesis.
    distribution_ : ndarray
        The differences after swapping, nan where undefined: of all labelings if there
        are few, otherwise of random ones, even if the p-value is exact.
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
    PairedBootstrap : Resamples rows instead; gives an interval for the difference.

    Notes
    -----
    *Null hypothesis*: given the rows and their targets, the predictions of A and B for
    each row (with `groups`, for all rows of a group) are exchangeable. *Swapped
    values*: the predictions for a row; the targets stay. For exchangeable predictions
    the test is valid at any sample size and for any metric. *Estimand*: the difference
    on these rows, which is `delta_` itself; the test gives no interval for it.

    Models with equal scores need not be exchangeable: with equal precision and recalls
    of .9 and .1, "difference" rejects in more than 20 % of all samples at the level
    .05. With the studentized statistic [4]_ [5]_, the test is, for many rows, also a
    test of equal scores, even if the models differ otherwise; for exchangeable
    predictions it remains exact. Its standard errors are those for newly sampled rows,
    or groups, within strata. For means of per-row scores with equal weights, both
    statistics order labelings in the same way. For F-measures, "auto" is "difference",
    as in the textbooks, and a caveat recommends "studentized" if one model predicts the
    positive class more than three times as often as the other. *Degenerate case*: a
    nonzero difference with a standard error of 0 has an infinite statistic.

    The same response method is used for both models. Metrics that do not depend on the
    scale of the predictions (ROC AUC, average precision and Pearson's correlation) are
    computed from ranks or standardized values, so that swapped values are on the same
    scale; the null hypothesis is then that these values are exchangeable. For other
    metrics, predictions on different scales should not be swapped.

    `strata` do not affect which predictions are swapped, only standard errors: unless
    the statistic is studentized, results do not mention them. Swapping has no effect on
    rows on which the models agree. Models that agree on all rows have p = 1.

    With ``aggregate="fold-mean"``, rows also stay in their folds, and any splitter can
    be used: predictions for a row that is tested several times are swapped together.
    With more than 20 rows on which the models differ, exact p-values are then available
    only for means of per-row scores.

    References
    ----------
    .. [1] Noreen, E. W. (1989). Computer-Intensive Methods for Testing Hypotheses.
       Wiley.
    .. [2] Yeh, A. (2000). More accurate tests for the statistical significance of
       result differences. COLING.
    .. [3] Riezler, S. and Maxwell, J. T. (2005). On some pitfalls in automatic
       evaluation and significance testing for MT. ACL workshop.
    .. [4] Janssen, A. (1997). Studentized permutation tests for non-i.i.d. hypotheses
       and the generalized Behrens-Fisher problem. Statistics & Probability Letters
       36(1), 9-21. :doi:`10.1016/S0167-7152(97)00043-6`
    .. [5] Chung, E. and Romano, J. P. (2013). Exact and asymptotically robust
       permutation tests. Annals of Statistics 41(2), 484-507.
       :doi:`10.1214/13-AOS1090`

    Examples
    --------
    >>> from skcompare import ApproxRandomization
    >>> truth = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> pred_a = [1, 1, 1, 1, 1, 0, 0, 0, 0, 1]
    >>> pred_b = [0, 0, 1, 1, 0, 0, 1, 0, 1, 1]
    >>> test = ApproxRandomization(scoring="f1").fit_predictions(truth, pred_a, pred_b)
    >>> test.pvalue_
    0.03125
    >>> test.result_.method
    'exact'
    """

    redraws_rows = False
    randomizes = "predictions"

    _estimand = "the difference in score, on these rows, between {}"

    _label = "randomization"

    # Minimum number of random labelings for a decision.
    _fewest = 100

    _advice = Advice(
        needs=(
            Need(
                lambda test, facts: facts.exchangeable,
                f"ApproxRandomization cannot be computed: {NO_EXCHANGE}.",
            ),
            Need(
                lambda test, facts: (
                    test.statistic == "studentized"
                    or not unequal_rates(facts.statistic)
                ),
                "One model predicts the positive class of {facts.metric} far more "
                "often than the other, and swapping their predictions rejects too "
                "often: `statistic='studentized'` allows for it, if rows are many.",
            ),
        ),
        cautions=(
            Need(  # swaps without standard errors are exact
                lambda test, facts: (
                    not facts.rare_class
                    or test.statistic == "difference"
                    or "studentized" not in (test.statistic, facts.swap_statistic)
                ),
                RARE_CLASS.sentence,
            ),
            Need(
                lambda test, facts: (
                    test.statistic != "difference"
                    or facts.swap_statistic != "studentized"
                ),
                "`statistic='difference'` is exact for exchangeable predictions. It "
                "rejects too often for models of equal {facts.metric} that are not "
                "exchangeable: `statistic='auto'` allows for that.",
            ),
            Need(
                lambda test, facts: (
                    "decision_function" not in facts.problem.predictions[0]
                    or (facts.on_one_scale and test.swap != "scores")
                ),
                "Decision values are swapped between the models unchanged: they must "
                "be on the same scale.",
            ),
        ),
        why_not="valid at any size for exchangeable predictions, which is its null "
        "hypothesis. It gives no interval.",
        smallest_pvalue=pvalue_of_signs,
    )

    _rules = {
        "method": OneOf("auto", "exact", "monte-carlo"),
        "statistic": OneOf("auto", "difference", "studentized"),
        "swap": OneOf("auto", "scores"),
    }

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
        method="auto",
        statistic="auto",
        swap="auto",
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
        self.method = method
        self.statistic = statistic
        self.swap = swap
        self.alpha = alpha
        self.add_one = add_one
        self.refit = refit
        self.error_score = error_score
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def resample(self, problem, so_far=None):
        """Swap the predictions of the two models, on one scale if no score changes."""
        scaled = problem.on_one_scale()
        if self.swap == "scores" or scaled.statistics == problem.statistics:
            return super().resample(problem, so_far)
        by_rows = so_far is not None and so_far.cells.tables is None
        resamples = super().resample(scaled, None if by_rows else so_far)
        by_rows = resamples.cells.tables is None
        if by_rows and np.isnan(resamples.drawn).all(axis=(0, 2)).any():
            # scikit-learn rejects multiclass ranks, which are not probabilities.
            return super().resample(problem, so_far)
        return resamples

    def _resampler(self, problem, cells):
        """Return a resampler that swaps the predictions of the models by unit."""
        units = problem.swapped_units
        n_labelings = 2 ** len(units) if len(units) <= MOST_ENUMERATED else np.inf
        most = MAXIMA.get(self.n_resamples, self.n_resamples)
        most = 2**MOST_ENUMERATED if self.method == "exact" else most
        exhaustive = self.method != "monte-carlo" and n_labelings <= most
        studentized = [s == "studentized" for s in self._statistics(cells).values()]
        swapping = all_swaps if exhaustive else swaps
        resampler, observed = swapping(cells, units, errors=any(studentized)), None
        if any(studentized):
            unswapped = np.zeros((1, len(cells.counts)), dtype=np.int64)
            errors = resampler.score(unswapped)[0, :, -1]
            observed = np.where(studentized, errors, np.nan)
        return resampler, Resamples(
            cells, problem.models, observed_errors=observed, exhaustive=exhaustive
        )

    def _statistics(self, cells):
        """Return the statistic computed on labelings, by metric.

        If some metric needs whole rows, there are no tables, and "auto" is the
        difference for all metrics.
        """
        tables = cells.tables or {}
        additive = {m: t.swap_statistic for m, t in tables.items() if t.adds_up}
        if self.statistic == "auto":
            return {m: additive.get(m, "difference") for m in cells.statistics}
        for metric in cells.statistics:
            if self.statistic == "studentized" and metric not in additive:
                raise ValueError(
                    "`statistic` 'studentized' needs all metrics to add up over rows, "
                    "so that standard errors can be computed on every labeling. Got "
                    f"{metric!r} among {', '.join(cells.statistics)}. Use "
                    "`statistic='auto'`, or PairedBootstrap."
                )
        return dict.fromkeys(cells.statistics, self.statistic)

    def _null(self, sample):
        values, observed, tolerance = sample.deltas, sample.delta, sample.tolerance
        # Metrics without standard errors use the plain difference.
        studentized, center = not np.isnan(sample.error), 0.0
        if studentized:
            values, observed, tolerance = sample.studentized(values)
            center = None
        extreme = exceeding(values, observed, self.alternative, tolerance=tolerance)
        return NullDistribution(
            values, observed, extreme, center, studentized=studentized
        )

    def conclude(self, problem, resamples):
        """Compute the p-value from swapped samples, or exactly."""
        unit, fields, caveats = problem.unit.removesuffix("s"), {}, []
        hypothesis = f"the predictions of A and B for each {unit} are exchangeable"
        for metric, statistic in self._statistics(resamples.cells).items():
            sample = resamples.of(problem, metric)
            fields[metric] = own = {
                **problem.facts(metric),
                "method": "exact" if resamples.exhaustive else "monte-carlo",
                "engine": resamples.cells.engines[metric],
                "hypothesis": hypothesis,
                **self._pvalue_fields(sample, resamples),
            }
            if statistic == "studentized":
                own["hypothesis"] += _OF_SCORES
                rare = support_of(problem, metric).rare
                own["caveats"] = () if rare is None else (rare.text,)
            else:
                own["n_strata"] = 1  # swaps ignore strata, only standard errors do not
            if not resamples.exhaustive:
                own |= self._exact_fields(problem, metric, resamples.cells, statistic)
            rates = unequal_rates(resamples.cells.statistics[metric])
            if rates and statistic != "studentized":
                text = _UNEQUAL.format(metric, *rates)
                caveats.append(Caveat(ComparisonWarning, text, metric=metric))
            caveats.append(self._call_caveat(problem, metric, own))
        late = [self._undefined_caveat(problem, resamples, fields)]
        return self._outcome(problem, fields, caveats, late)

    def _exact_fields(self, problem, metric, cells, statistic):
        """Return the fields that an exact p-value changes, if it is available.

        It is not available for studentized differences.
        """
        exact = None
        if self.method != "monte-carlo" and statistic == "difference":
            exact = exact_swap_pvalue(
                cells,
                metric,
                self.alternative,
                n_resamples=MAXIMA.get(self.n_resamples, self.n_resamples),
                required=self.method == "exact",
            )
        if exact is None and self.method == "exact":
            raise ValueError(
                f"`method` 'exact' is not available for {metric!r} on these data: it "
                f"enumerates all labelings of at most {MOST_ENUMERATED} rows or groups "
                "on which the models differ, and needs `statistic='difference'` for "
                "more, with a mean of per-row scores or a metric of few enough "
                "distinct totals. Got "
                f"{len(problem.swapped_units)}. Use `method='auto'` or 'monte-carlo'."
            )
        if exact is None:
            return {}
        return {
            "pvalue": exact.pvalue,
            "pvalue_error": exact.error,
            "n_exceeding": None,
            "decision_risk": None,
            "method": "exact",
        }


def unequal_rates(statistic):
    """Return the numbers of positive predictions for an F-measure, if very unequal.

    Parameters
    ----------
    statistic : Statistic
        The score of two models.

    Returns
    -------
    pair of float or None
        The smaller and the larger number; None for other scores and for ratios at which
        swaps control the type I error.
    """
    counts = statistic.set_counts
    if counts is None or counts.kind != "fbeta" or counts.average != "binary":
        return None
    few, many = np.sort((counts.tp + counts.fp)[:, 0])
    unequal = few >= FEWEST_PREDICTED and many > UNEQUAL_RATES * few
    return (float(few), float(many)) if unequal else None


def exact_swap_pvalue(cells, metric, alternative, *, n_resamples, required):
    """Return the exact p-value of a metric, or None if it is not available.

    Parameters
    ----------
    cells : Cells
        The cells whose units are swapped.
    metric : str
        The name of the metric.
    alternative : {"greater", "less", "two-sided"}
        The alternative hypothesis.
    n_resamples : int
        The number of random labelings, to compare costs.
    required : bool
        Whether to compute an exact p-value even if it costs more.

    Returns
    -------
    ExactTail or None
        The p-value and its error bound.
    """
    if cells.tables is None:
        return None
    table, counts = cells.tables[metric], cells.counts
    observed, scale = cells.statistics[metric].observed, cells.statistics[metric].scale
    tolerance = rounding_tolerance(observed, scale)
    delta, differences = observed[0] - observed[1], table.differences
    if (
        differences is not None
        and np.array_equal(differences, np.rint(differences))
        and (counts @ np.abs(differences) < 2**53).all()
    ):
        # Sums of differences are integers that a double represents exactly: list all
        # moves of the totals with their probabilities, and score them.
        cheap = max(FEW_MOVES, n_resamples * len(counts) // DRAWS_PER_MOVE)
        most = MOST_MOVES if required else min(MOST_MOVES, cheap)
        moves, shares = lattice_moves(differences.astype(np.int64), counts, most)
        if moves is None:
            return None
        scores = table.shifted_scores(counts, moves, None)
        deltas = scores[:, 0] - scores[:, 1]
        if np.isnan(deltas).any():
            return None
        return ExactTail(tail_of(deltas, shares, delta, alternative, tolerance), 0.0)
    terms = table.average_terms(counts)
    if terms is None:
        return None
    # Flip the signs of the units' contributions to the difference of averages.
    (a, b), denominators = terms
    values = np.repeat((a - b) / denominators, counts)
    values = values[values != 0]
    if not required and len(values) > CHEAP_SPLIT:
        return None
    tail = sign_flip_tail(values, delta, alternative, tolerance=tolerance)
    inexact = tail.error > max(LARGEST_ERROR, LARGEST_ERROR_SHARE * tail.pvalue)
    return None if inexact else tail
