"""Tests of the difference between two correlations with the same true values."""

import math

import numpy as np
from scipy import stats

from skcompare._caveats import Caveat
from skcompare._parameters import OneOf
from skcompare.comparison._base import GivesIntervals, hypotheses, size_caveats
from skcompare.comparison._needs import INDEPENDENT, Advice, Need
from skcompare.comparison._rows import ClassicalTest
from skcompare.exceptions import ComparisonWarning, DegenerateDataWarning
from skcompare.metrics import pearson_scorer, spearman_scorer
from skcompare.stats.correlations import (
    correlation_difference_error,
    correlation_interval,
    correlation_t_test,
    difference_interval,
    steiger_test,
    williams_test,
    without_rounding,
)

FEWEST_ROWS = 4

# Values with larger skewness or excess kurtosis are not treated as normal. They do no
# harm as long as the standard error is at most MOST_ERROR times that of normal values,
# for example if only the truth is skewed. In doc/simulations/correlations.py both
# conditions together give a warning for .1 % of samples of 100 normal rows, for 14 %
# where only the truth is skewed (the level .05 holds), and for 74 and 81 % where the
# test rejects 23 and 40 %.
MOST_SKEWNESS, MOST_KURTOSIS, MOST_ERROR = 1.0, 2.0, 1.1
_NOT_NORMAL = (
    "Truth or predictions are skewed or have heavy tails (skewness {:.1f}, excess "
    "kurtosis {:.1f}), so that the standard error of the difference is {:.1f} times "
    "that of normal values: the test assumes normal values and rejects too often here. "
    "PairedBootstrap makes no assumption about the distribution."
)

_FEW = (
    "Correlations of {}, fewer than 30, vary strongly, and the test is valid only for "
    "normal predictions and true values. ApproxRandomization assumes less."
)

_PERFECT = (
    "The sampling variance of a correlation of 1 or -1 cannot be estimated: its "
    "interval has no width, and the interval of the difference is too narrow."
)


def shape_caveat(y, a, b):
    """Return a caveat if the values are too non-normal for the test, else None."""
    values = [np.asarray(v, dtype=float) for v in (y, a, b)]
    skewness = max(map(stats.skew, values), key=abs)
    kurtosis = max(map(stats.kurtosis, values))
    if abs(skewness) <= MOST_SKEWNESS and kurtosis <= MOST_KURTOSIS:
        return None
    (_, r_a, r_b), (_, _, r_ab), _ = np.corrcoef(values)
    t = williams_test(r_a, r_b, r_ab, len(y), alternative="two-sided").statistic
    if not 0 < abs(t) < math.inf:
        return None
    ratio = correlation_difference_error(*values) * t / (r_a - r_b)
    if ratio <= MOST_ERROR:
        return None
    return Caveat(ComparisonWarning, _NOT_NORMAL.format(skewness, kurtosis, ratio))


CORRELATIONS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}
SCORERS = {"pearson": pearson_scorer, "spearman": spearman_scorer}
VARIANTS = {"williams": williams_test, "steiger": steiger_test}


class CorrelationTest(GivesIntervals, ClassicalTest):
    """Test whether A's predictions correlate more with the truth than B's.

    1. Correlate the predictions of A, and those of B, with the true values: ``delta_``
       is the difference of the two correlations.
    2. Correlate the predictions of A with those of B: since both refer to the same
       rows, the errors of the two correlations partly cancel.
    3. Compute the p-value from Williams' t with ``n - 3`` degrees of freedom, or from
       Steiger's z.

    Read more in the :ref:`User Guide <own_metrics>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" evaluates fitted models on the data passed to `fit`. Other values are
        interpreted as in :func:`~sklearn.model_selection.cross_val_predict`: clones are
        evaluated on their pooled out-of-fold predictions, with the same folds for both
        models. Each row may be tested at most once.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        Nominal coverage of the intervals, which are two-sided for every `alternative`.
    statistic : {"pearson", "spearman"}, default="pearson"
        The correlation coefficient. Spearman's is Pearson's correlation of ranks.
    variant : {"williams", "steiger"}, default="williams"
        Williams' t, which Steiger recommends for small samples, or Steiger's z.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    refit : bool, default=True
        With `cv`, whether to refit the winning model on all the data. If False, there
        is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        How to handle failed fits with `cv`: "raise" raises the error; nan excludes the
        rows of that fold for both models and issues a `FailedFitWarning`.
    n_jobs : int, default=None
        Number of folds fitted in parallel.
    verbose : int, default=0
        If nonzero, show the progress of fits on standard error after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult
        The result, by the name of the correlation.
    result_ : ComparisonResult
        The result.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        Correlations of the predictions of the two models with the true values.
    statistic_ : float
        Williams' t or Steiger's z.
    pvalue_ : float
        The p-value.
    confidence_interval_ : ConfidenceInterval
        Zou's interval for the difference.
    score_a_interval_, score_b_interval_ : ConfidenceInterval
        Fisher's intervals for the two correlations.
    effect_size_ : dict
        ``"correlation_of_predictions"``, between the predictions of A and B; ``"t_a"``
        and ``"t_b"``, Student's t with ``n - 2`` degrees of freedom for the null
        hypothesis that each correlation is 0.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha`, else B; with `cv`, refitted on
        all the data. Not set by `fit_predictions`.
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
    ApproxRandomization : Swaps standardized predictions; does not assume normality.
    PairedBootstrap : The same question, also for grouped rows.
    skcompare.stats.correlation_t_test : Test whether one correlation is 0.

    Notes
    -----
    *Null hypothesis*: in the population that the rows come from, both correlations are
    equal (one-sided: A's is no larger). *Assumptions*: rows are independent draws; true
    values and predictions are jointly normal, for which a larger sample is no
    substitute. For Spearman's correlation the test is an approximation, as is common
    practice. Nothing is exchanged. *Estimand*: the difference in correlation of these
    models on that population; with `cv`, of pooled out-of-fold predictions, which adds
    the variation between the models of different folds.

    *Degenerate*: predictions of B that are a rescaling of those of A (their correlation
    is 1) give t = 0 and p = 1, or 1/2 if one-sided, with a `DegenerateDataWarning`. The
    same warning is issued for a correlation of 1 or -1 with the true values: its
    interval has no width, and Steiger's z would be infinite, so Williams' t is used
    instead. Constant true values or predictions have no correlation and raise an error.
    At least four rows are required; fewer than 30 give a `SmallSampleWarning`. Ties get
    their mean rank.

    *When it misleads*: with heavy tails, skewness or a few outliers, which strongly
    affect correlations. For equal correlations, 100 rows and a level of 0.05, it
    rejected in 5 % of samples for normal values, 23 % for Student's t with 3 degrees of
    freedom and 40 % for lognormal values, and no less often with 300 rows; on ranks, in
    7, 12 and 7 %. A warning is issued for Pearson's correlation of values with a
    skewness above 1 or an excess kurtosis above 2, if the standard error of the
    difference is more than 1.1 times that of normal values; :class:`PairedBootstrap`
    makes no assumption about the distribution.

    References
    ----------
    .. [1] Williams, E. J. (1959). The comparison of regression variables. Journal of
       the Royal Statistical Society B 21(2), 396-399.
       :doi:`10.1111/j.2517-6161.1959.tb00346.x`
    .. [2] Steiger, J. H. (1980). Tests for comparing elements of a correlation matrix.
       Psychological Bulletin 87(2), 245-251. :doi:`10.1037/0033-2909.87.2.245`
    .. [3] Zou, G. Y. (2007). Toward using confidence intervals to compare correlations.
       Psychological Methods 12(4), 399-413. :doi:`10.1037/1082-989X.12.4.399`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import CorrelationTest
    >>> rng = np.random.default_rng(0)
    >>> similarity = rng.normal(size=100)
    >>> a, b = (similarity + noise * rng.normal(size=100) for noise in (1, 2))
    >>> test = CorrelationTest(statistic="spearman").fit_predictions(similarity, a, b)
    >>> print(f"{test.score_a_:.2f} {test.score_b_:.2f} {test.pvalue_ < 0.05}")
    0.74 0.34 True
    """

    _hypotheses = hypotheses(
        "in the population the rows come from, the predictions of {} correlate no more "
        "with the truth than those of {}",
        "in the population the rows come from, the predictions of both models "
        "have the same correlation with the truth",
    )

    _advice = Advice(
        needs=(
            INDEPENDENT,
            Need(
                lambda test, facts: facts.metric in CORRELATIONS,
                "CorrelationTest compares correlations, not {facts.metric}.",
            ),
            Need(
                lambda test, facts: facts.metric != "pearson" or facts.normal_values,
                "CorrelationTest assumes normal truth and predictions, and they are "
                "not normal: it would reject too often.",
            ),
            Need(
                lambda test, facts: facts.metric != "spearman",
                "CorrelationTest is an approximation for ranks, which rejects too "
                "often: in 7 to 12 % of simulations at a level of 0.05.",
            ),
        ),
        why_not="Williams' t, which needs no resampling, is an approximation for small "
        "samples.",
        metrics=tuple(CORRELATIONS),
        listed=lambda facts: facts.metric in CORRELATIONS,
    )

    _rules = {"statistic": OneOf(*CORRELATIONS), "variant": OneOf(*VARIANTS)}

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        cv="prefit",
        alternative="greater",
        confidence_level=0.95,
        statistic="pearson",
        variant="williams",
        alpha=0.05,
        refit=True,
        error_score="raise",
        n_jobs=None,
        verbose=0,
    ):
        self.estimator_a = estimator_a
        self.estimator_b = estimator_b
        self.cv = cv
        self.alternative = alternative
        self.confidence_level = confidence_level
        self.statistic = statistic
        self.variant = variant
        self.alpha = alpha
        self.refit = refit
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def scoring(self):
        """The correlation scorer, by name."""
        return {self.statistic: SCORERS[self.statistic]()}

    def compare(self, problem):
        """Compare the two models of a problem."""
        self._check_rows_are_single(problem)
        self._check_metric_is_own(problem)
        (metric,) = problem.statistics
        if problem.n_rows < FEWEST_ROWS:
            raise ValueError(
                f"CorrelationTest needs at least {FEWEST_ROWS} rows. Got "
                f"{problem.n_rows}."
            )
        facts, n = problem.facts(metric), problem.n_rows
        responses = problem.statistics[metric].generic.responses
        r_ab = float(CORRELATIONS[metric](*responses).statistic)
        scores = facts["score_a"], facts["score_b"]
        r_a, r_b, r_ab = map(without_rounding, (*scores, r_ab))
        is_rescaled = r_ab == 1
        r_b = r_a if is_rescaled else r_b  # they differ only by rounding
        level = float(self.confidence_level)
        test = VARIANTS[self.variant](r_a, r_b, r_ab, n, alternative=self.alternative)
        variant = "steiger" if test.method == "z" else "williams"
        df = n - 2 if r_ab == -1 else n - 3  # opposite models: test if A's is 0
        t_a, t_b = (
            correlation_t_test(r, n, alternative="greater").statistic
            for r in (r_a, r_b)
        )
        fields = {
            **facts,
            "pvalue": test.pvalue,
            "statistic": test.statistic,
            "statistic_name": "t" if variant == "williams" else "z",
            "df": df if variant == "williams" else None,
            "method": variant,
            "confidence_interval": difference_interval(r_a, r_b, r_ab, n, level),
            "score_a_interval": correlation_interval(r_a, n, level),
            "score_b_interval": correlation_interval(r_b, n, level),
            "confidence_level": level,
            "effect_size": {"correlation_of_predictions": r_ab, "t_a": t_a, "t_b": t_b},
        }
        caveats = [*size_caveats(problem, _FEW)]
        if metric == "pearson":
            caveats.append(shape_caveat(problem.y, *responses))
        if is_rescaled and problem.differs.any():
            text = (
                "The predictions of both models are equal up to rescaling: the "
                "difference of correlations is 0."
            )
            caveats.append(Caveat(DegenerateDataWarning, text))
        elif max(abs(r_a), abs(r_b)) == 1:
            caveats.append(Caveat(DegenerateDataWarning, _PERFECT))
        return self._outcome(problem, {metric: fields}, caveats)
