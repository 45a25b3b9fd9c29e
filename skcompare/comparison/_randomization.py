"""The permutation test (approximate randomization), and the exact one."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import all_swaps, swaps
from skcompare._parameters import OneOf
from skcompare.comparison._base import result_attributes
from skcompare.comparison._bounds import rare_class_caveat
from skcompare.comparison._needs import NO_EXCHANGE, RARE_CLASS, Advice, Need
from skcompare.comparison._resampling import NullDistribution, Resamples, ResamplingTest
from skcompare.exceptions import ComparisonWarning
from skcompare.stats.exact import ExactTail, lattice_moves, sign_flip_tail, tail_of
from skcompare.stats.pvalues import exceeding, rounding_tolerance

MOST_ENUMERATED = 20

# The most moves of totals, if exactness is asked for.
MOST_MOVES = 2**24
# Where it is not: adding a move costs as much as so many draws for a cell, few moves
# cost nothing, and up to so many values the exact count costs less than resampling.
DRAWS_PER_MOVE = 64
FEW_MOVES = 2**12
CHEAP_SPLIT = 30

# An exact p-value whose error bound is larger than both is none.
LARGEST_ERROR, LARGEST_ERROR_SHARE = 1e-4, 0.1

# Beyond this ratio of predicted positives, swapping rejects equal F-measures too often.
UNEQUAL_RATES = 3
FEWEST_PREDICTED = 5

_OF_SCORES = "; for many rows also: A and B have equal scores"

_UNEQUAL = (
    "The models predict the class that {} is about on {:g} and {:g} rows: such models "
    "are not exchangeable, even where their scores are equal, and swapping their "
    "predictions rejects too often. statistic='studentized' allows for it."
)


@result_attributes("statistic")
class ApproxRandomization(ResamplingTest):
    """Permutation test (approximate randomization): does A score better than B?

    1. Score both models on all rows: ``delta_ = score_a_ - score_b_``.
    2. If the two models' predictions are exchangeable (if it makes no difference which
       of the two a prediction comes from), those for each row can be swapped. Swap each
       pair with probability 1/2 and score again; do so `n_resamples` times, or go
       through all possibilities.
    3. The p-value is the share of these differences that are at least as large as
       ``delta_``, the observed one included.

    Read more in the :ref:`User Guide <two_tests>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    scoring : str, callable, list, tuple, dict or None, default=None
        The metric, or several, as in scikit-learn. None takes the models' own `score`.
        Several metrics share one set of resamples.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" judges fitted models on the data given to `fit`. Anything else is
        taken as by :func:`~sklearn.model_selection.cross_val_predict` and judges the
        out-of-fold responses of clones, with the same folds for both models.
    aggregate : {"auto", "pooled", "fold-mean"}, default="auto"
        With `cv`, what a score is: "pooled" takes that of all out-of-fold responses as
        one test set, "fold-mean" the mean of the scores of the folds, as
        :func:`~sklearn.model_selection.cross_validate` gives them. "auto" pools, except
        for ranking metrics such as ROC AUC, which are biased when scores of different
        models are put into one ranking.
    n_resamples : int or "auto", default=9_999
        The number of random labelings; an exact test has as many as there are. "auto"
        stops between 100 and 9,999, as soon as the decision at `alpha` is certain but
        for a risk of 0.001.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether A is better, B is better, or they differ.
    method : {"auto", "exact", "monte-carlo"}, default="auto"
        "exact" goes through all labelings, for up to 20 rows or groups on which the
        models differ; for more, where the metric adds up (accuracy, F1 of two classes,
        means of per-row scores), it computes their distribution, with `pvalue_error_`
        as error bound. "auto" does so where that costs no more than random labelings.
    statistic : {"auto", "difference", "studentized"}, default="auto"
        What is computed on every labeling. "difference" is that in score, as in the
        textbooks. "studentized" divides it by its standard error there, by the delta
        method: as exact for exchangeable predictions, and for many rows also valid for
        models that have equal scores and are not exchangeable. "auto" takes the
        latter for metrics for which the former is known to reject equal scores too
        often (precision, balanced accuracy, kappa, Matthews' correlation), and the
        difference for all others. Of metrics that do not add up, such as ROC AUC, there
        is only the difference.
    swap : {"auto", "scores"}, default="auto"
        "auto" swaps ranks for ranking metrics (ROC AUC, average precision), each among
        the scores of its model, and standardized values for Pearson's correlation:
        neither changes a score, and models on different scales can be compared.
        "scores" swaps predictions as they are.
    alpha : float, default=0.05
        The level at which `best_estimator_` is chosen and the result worded.
    add_one : bool, default=True
        Count the observed labeling among the random ones: ``(s + 1) / (B + 1)``,
        never 0. False gives the textbook share ``s / B``. An exact test has the
        observed labeling among its own.
    refit : bool, default=True
        With `cv`, whether the model that wins is fitted on all the data. Without that
        there is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        With `cv`, what becomes of a fit that fails: an error, or with nan a fold whose
        rows are left out for both models, with a `FailedFitWarning`.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random draws. The numbers do not depend on `n_jobs`.
    n_jobs : int, default=None
        The number of joblib workers. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        Whether to show progress on standard error, after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult
        The result for each metric, by name.
    result_ : ComparisonResult
        The result, if there is one metric. So are the following.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        The scores of the two models. Higher is better.
    pvalue_ : float
        The p-value.
    pvalue_error_ : float
        Its Monte Carlo standard error; for an exact one its error bound, mostly 0.
    n_exceeding_ : int
        The number of labelings that the p-value counts; None if it is exact without
        going through them.
    statistic_ : float
        With ``statistic="studentized"`` the difference over its standard error.
    standard_error_ : float
        The standard deviation of the difference under the null hypothesis.
    distribution_ : ndarray
        The differences after exchanging, nan where undefined: of all labelings if
        there are few, of random ones otherwise, though the p-value be exact.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` (with several metrics: in each
        of them), else B; with `cv` fitted on all the data. Not with `fit_predictions`.
    fold_, indices_ : ndarray
        With `cv`, the fold and the position in the data of every tested row.
    problem_ : object
        What was compared: names, predictions, metrics, and what is redrawn together.
    predictions_ : tuple of dict
        For each model the responses that were compared, by method.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Those of `best_estimator_`.

    See Also
    --------
    PairedBootstrap : Resample rows instead; gives an interval for the difference.

    Notes
    -----
    *Null hypothesis*: given the rows and their truth, the predictions of A and B for
    each row (with `groups`, for all rows of a group) are exchangeable. *What is
    swapped*: the predictions for a row; the truth stays. For exchangeable predictions
    the test is valid at any sample size and for any metric. *Estimand*: it is about
    these rows; the difference itself is `delta_`, for which it gives no interval.

    Models of equal scores need not be exchangeable: with equal precision and recalls
    of .9 and .1 the difference rejects in more than 20 % of all samples at the level
    .05. With the studentized statistic [4]_ [5]_ the test is, for many rows, also one
    of equal scores, whatever else differs; for exchangeable predictions it stays exact.
    Its standard errors are those of rows, or groups, drawn anew, within strata. On
    means of per-row scores of rows that count alike both statistics order labelings in
    the same way. For F-measures "auto" stays with the difference, as in the
    textbooks, and a caveat names "studentized" where one model predicts the class more
    than three times as often as the other. *Degenerate*: a labeling without standard
    error is infinitely far from one without a difference.

    Both models are asked for the same response. Metrics to which the scale of scores
    does not matter, ROC AUC, average precision and Pearson's correlation, are computed
    from ranks or standardized values, so that what is swapped is on one scale; then
    the null hypothesis is that these are exchangeable. Scores of other metrics on
    different scales do not mix well.

    `strata` make no difference to what is swapped. Rows on which the models agree make
    none either. Models that agree everywhere give p = 1.

    With ``aggregate="fold-mean"`` rows stay in their folds, too, and any splitter will
    do: predictions for a row that is tested several times are exchanged together.
    Beyond 20 rows on which the models differ, only means of per-row scores then have
    exact p-values.

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

    _estimand = "the difference in score, on the rows given, between {}"

    _label = "randomization"

    # Fewer random labelings cannot settle anything.
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
                "One model predicts the class that {facts.metric} is about far more "
                "often than the other, and swapping their predictions rejects too "
                "often: statistic='studentized' allows for it, if rows are many.",
            ),
        ),
        cautions=(
            Need(  # without standard errors swaps are exact
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
                "statistic='difference' is exact for exchangeable predictions. Models "
                "of equal {facts.metric} that are not exchangeable it rejects too "
                "often: statistic='auto' allows for that.",
            ),
            Need(
                lambda test, facts: (
                    "decision_function" not in facts.problem.predictions[0]
                    or (facts.on_one_scale and test.swap != "scores")
                ),
                "Decision values are swapped between the models as they are: they "
                "must be on the same scale.",
            ),
        ),
        why_not="valid at any size for exchangeable predictions, which is what it "
        "refutes, on these rows. It gives no interval.",
        counts=True,
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
        """Swap the predictions of the two models, on one scale where that is free."""
        scaled = problem.on_one_scale()
        if self.swap == "scores" or scaled.statistics == problem.statistics:
            return super().resample(problem, so_far)
        by_rows = so_far is not None and so_far.cells.tables is None
        resamples = super().resample(scaled, None if by_rows else so_far)
        by_rows = resamples.cells.tables is None
        if by_rows and np.isnan(resamples.drawn).all(axis=(0, 2)).any():
            # scikit-learn refuses ranks of several classes, which are no probabilities.
            return super().resample(problem, so_far)
        return resamples

    def _resampler(self, problem, cells):
        """Swap the predictions of the two models, unit by unit, and score both."""
        units = problem.swapped_units
        n_labelings = 2 ** len(units) if len(units) <= MOST_ENUMERATED else np.inf
        most = 2**MOST_ENUMERATED if self.method == "exact" else self._most_resamples
        exhaustive = self.method != "monte-carlo" and n_labelings <= most
        wanted = [s == "studentized" for s in self._statistics(cells).values()]
        swapping = all_swaps if exhaustive else swaps
        resampler, observed = swapping(cells, units, errors=any(wanted)), None
        if any(wanted):
            unswapped = np.zeros((1, len(cells.counts)), dtype=np.int64)
            observed = np.where(wanted, resampler.score(unswapped)[0, :, -1], np.nan)
        return resampler, Resamples(
            cells, problem.models, observed_errors=observed, exhaustive=exhaustive
        )

    def _statistics(self, cells):
        """Return what is computed on labelings, by metric.

        Where some metric must see rows, nothing adds up, and "auto" is the difference.
        """
        tables = cells.tables or {}
        adding = {m: t.swap_statistic for m, t in tables.items() if t.adds_up}
        if self.statistic == "auto":
            return {m: adding.get(m, "difference") for m in cells.statistics}
        for metric in cells.statistics:
            if self.statistic == "studentized" and metric not in adding:
                raise ValueError(
                    "`statistic` 'studentized' needs metrics that add up over rows, "
                    "whose standard errors are known on every labeling, and no others "
                    f"beside them. Got {metric!r} among {', '.join(cells.statistics)}. "
                    "Use statistic='auto', or PairedBootstrap."
                )
        return dict.fromkeys(cells.statistics, self.statistic)

    def _null(self, sample):
        values, observed, tolerance = sample.deltas, sample.delta, sample.tolerance
        # A metric whose errors are not known, beside others, has its difference.
        center = 0.0 if np.isnan(sample.error) else None
        if center is None:
            values, observed, tolerance = sample.studentized(values)
        marked = exceeding(values, observed, self.alternative, tolerance=tolerance)
        return NullDistribution(values, observed, marked, center)

    def conclude(self, problem, resamples):
        """Read the p-value off swapped samples, or compute it exactly."""
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
                null = self._null(sample)
                own["hypothesis"] += _OF_SCORES
                own["statistic"] = null.observed
                own["statistic_distribution"] = null.values
                rare = rare_class_caveat(problem, metric)
                own["caveats"] = () if rare is None else (rare.text,)
            if not resamples.exhaustive:
                own |= self._exact_fields(problem, metric, resamples.cells, statistic)
            rates = unequal_rates(resamples.cells.statistics[metric])
            if rates and statistic != "studentized":
                text = _UNEQUAL.format(metric, *rates)
                caveats.append(Caveat(ComparisonWarning, text, metric=metric))
        late = [self._undefined_caveat(problem, fields)]
        return self._outcome(problem, fields, caveats, late)

    def _exact_fields(self, problem, metric, cells, statistic):
        """Return the fields that an exact p-value changes, if one can be had.

        Of studentized differences there is none.
        """
        exact = None
        if self.method != "monte-carlo" and statistic == "difference":
            exact = exact_swap_pvalue(
                cells,
                metric,
                self.alternative,
                n_resamples=self._most_resamples,
                wanted=self.method == "exact",
            )
        if exact is None and self.method == "exact":
            raise ValueError(
                f"`method` 'exact' cannot be had for {metric!r} on these data: it goes "
                f"through all labelings of at most {MOST_ENUMERATED} rows or groups on "
                "which the models differ, and of more only where the metric adds up to "
                "few enough totals and statistic='difference'. Got "
                f"{len(problem.swapped_units)}. Use method='auto' or 'monte-carlo'."
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
    """Return on how many rows two models predict the class of an F, if unequal.

    Parameters
    ----------
    statistic : Statistic
        The score of two models.

    Returns
    -------
    pair of float or None
        The smaller and the larger number; None for other scores and for rates at which
        swaps keep their level.
    """
    counts = statistic.set_counts
    if counts is None or counts.kind != "fbeta" or counts.average != "binary":
        return None
    few, many = np.sort((counts.tp + counts.fp)[:, 0])
    unlike = few >= FEWEST_PREDICTED and many > UNEQUAL_RATES * few
    return (float(few), float(many)) if unlike else None


def exact_swap_pvalue(cells, metric, alternative, *, n_resamples, wanted):
    """Return the exact p-value of a metric, None if it cannot be had.

    Parameters
    ----------
    cells : Cells
        What is swapped.
    metric : str
        The name of the metric.
    alternative : {"greater", "less", "two-sided"}
        What counts as extreme.
    n_resamples : int
        What random labelings would cost: as many.
    wanted : bool
        Whether an exact p-value is wanted at any cost.

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
        # Sums of differences are integers that doubles can hold: list all moves of the
        # totals with their probabilities, and score them.
        cheap = max(FEW_MOVES, n_resamples * len(counts) // DRAWS_PER_MOVE)
        most = MOST_MOVES if wanted else min(MOST_MOVES, cheap)
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
    # Flip the signs of the differences that units make to an average.
    (a, b), denominators = terms
    values = np.repeat((a - b) / denominators, counts)
    values = values[values != 0]
    if not wanted and len(values) > CHEAP_SPLIT:
        return None
    tail = sign_flip_tail(values, delta, alternative, tolerance=tolerance)
    vague = tail.error > max(LARGEST_ERROR, LARGEST_ERROR_SHARE * tail.pvalue)
    return None if vague else tail
