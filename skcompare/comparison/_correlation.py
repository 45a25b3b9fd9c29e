"""Tests of two correlations with the same truth."""

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

# Beyond this skewness or excess kurtosis values are not taken as normal; they do no
# harm as long as the standard error is at most so many times that of normal values, as
# if only the truth is skewed. In doc/simulations/correlations.py both together warn of
# .1 % of samples of 100 normal rows, of 14 % where only the truth is skewed (the level
# .05 holds), and of 74 and 81 % where the test rejects 23 and 40 %.
MOST_SKEWNESS, MOST_KURTOSIS, MOST_ERROR = 1.0, 2.0, 1.1
_NOT_NORMAL = (
    "Truth or predictions are skewed or have heavy tails (skewness {:.1f}, excess "
    "kurtosis {:.1f}), so that the standard error of the difference is {:.1f} times "
    "that of normal values: the test is for these and rejects too often here. "
    "PairedBootstrap assumes no shape."
)

_FEW = (
    "Correlations of {} vary much, and predictions and truth must be normal for the "
    "test to hold: fewer than 30. ApproxRandomization assumes less."
)

_PERFECT = (
    "A correlation of 1 or -1 does not tell how it varies: its interval has no width, "
    "and that of the difference is too narrow."
)


def shape_caveat(y, a, b):
    """Return what to say of values whose shape breaks the level, None if none does."""
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

    1. Correlate the predictions of A, and those of B, with the truth: ``delta_`` is the
       difference of the two correlations.
    2. Correlate the predictions of A with those of B: since both are about the same
       rows, errors of the two correlations partly cancel.
    3. The p-value is that of Williams' t with ``n - 3`` degrees of freedom, or of
       Steiger's z.

    Read more in the :ref:`User Guide <own_metrics>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" judges fitted models on the data given to `fit`. Anything else is
        taken as by :func:`~sklearn.model_selection.cross_val_predict` and judges the
        pooled out-of-fold predictions of clones, with the same folds for both models.
        Each row may be tested once.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        The nominal coverage of intervals, two-sided whatever the alternative.
    statistic : {"pearson", "spearman"}, default="pearson"
        Which correlation. Spearman's is Pearson's of ranks.
    variant : {"williams", "steiger"}, default="williams"
        Williams' t, which Steiger recommends on few rows, or Steiger's z.
    alpha : float, default=0.05
        The level at which `best_estimator_` is chosen and the result worded.
    refit : bool, default=True
        With `cv`, whether the model that wins is fitted on all the data. Without that
        there is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        With `cv`, what becomes of a fit that fails: an error, or with nan a fold whose
        rows are left out for both models, with a `FailedFitWarning`.
    n_jobs : int, default=None
        The number of folds fitted at a time.
    verbose : int, default=0
        Whether to show the progress of fits on standard error, after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult
        The result, by the name of the correlation.
    result_ : ComparisonResult
        The result.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        The correlations of the two models' predictions with the truth.
    statistic_ : float
        Williams' t or Steiger's z.
    pvalue_ : float
        The p-value.
    confidence_interval_ : ConfidenceInterval
        Zou's interval for the difference.
    score_a_interval_, score_b_interval_ : ConfidenceInterval
        Fisher's intervals for the two correlations.
    effect_size_ : dict
        ``"correlation_of_predictions"``, that of A's with B's; ``"t_a"`` and ``"t_b"``,
        Student's t of each correlation by itself, with ``n - 2`` degrees of freedom,
        for the question whether it is 0.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha`, else B; with `cv` fitted on all
        the data. Not with `fit_predictions`.
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
    ApproxRandomization : Swaps standardized predictions; needs no normal distribution.
    PairedBootstrap : The same question, also for rows in groups.
    skcompare.stats.correlation_t_test : Is one correlation 0?

    Notes
    -----
    *Null hypothesis*: in the population that the rows come from, both correlations are
    the same (one-sided: A's is no larger). *Assumptions*: rows are independent draws;
    truth and predictions are normal together, which more rows do not make up for. For
    Spearman's correlation it is an approximation, which is common practice. Nothing is
    exchanged. *Estimand*: the difference in correlation of these models on that
    population; with `cv`, of pooled out-of-fold predictions, which adds the spread of
    the models of different folds.

    *Degenerate*: predictions of B that are those of A on another scale (their
    correlation is 1) give t = 0 and p = 1, one-sided 1/2, with a
    `DegenerateDataWarning`. So does a correlation of 1 or -1 with the truth: its
    interval has no width, and Steiger's z would be infinite, so that Williams' t takes
    its place. A constant truth or constant predictions have no correlation: an error.
    At least four rows are needed; below 30 a `SmallSampleWarning` is given. Ties share
    ranks.

    *When it misleads*: with heavy tails, skewness or a few outliers, on which
    correlations hang. For equal correlations, 100 rows and a level of 0.05, it rejected
    5 times of 100 for normal values, 23 times for Student's t with 3 degrees of freedom
    and 40 times for lognormal values, and no less on 300 rows; on ranks 7, 12 and 7
    times. A warning is given for Pearson's correlation of values with a skewness above
    1 or an excess kurtosis above 2, if the standard error of the difference is more
    than 1.1 times that of normal values; :class:`PairedBootstrap` assumes no shape.

    References
    ----------
    .. [1] Williams, E. J. (1959). The comparison of regression variables. Journal of
       the Royal Statistical Society B 21(2), 396-399.
       :doi:`10.1111/j.2517-6161.1959.tb00346.x`
    .. [2] Steiger, J. H. (1980). Tests for comparing elements of a correlation matrix.
       Psychological Bulletin 87(2), 245-251. :doi:`10.1037/0033-2909.87.2.245`
    .. [3] Zou, G. Y. (2007). Toward using confidence intervals to compare correlations.
       Psychological Methods 12(4), 399-413. :doi:`10.1037/1082-989X.12.4.399`
    .. [4] Sethuraman, J. (1963). The Advanced Theory of Statistics, Volume 2: Inference
       and Relationship. JSTOR.

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
        "correlate alike with the truth",
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
                "CorrelationTest takes truth and predictions as normal, and they are "
                "not: it would reject too often.",
            ),
            Need(
                lambda test, facts: facts.metric != "spearman",
                "CorrelationTest is an approximation for ranks, which rejects too "
                "often, 7 to 12 times of 100 at a level of 0.05 in simulations.",
            ),
        ),
        why_not="Williams' t, which needs no resampling, is an approximation on few "
        "rows.",
        metrics=tuple(CORRELATIONS),
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
        """The correlation, by its name."""
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
        same = r_ab == 1
        r_b = r_a if same else r_b  # but for rounding
        level = float(self.confidence_level)
        test = VARIANTS[self.variant](r_a, r_b, r_ab, n, alternative=self.alternative)
        variant = "steiger" if test.method == "z" else "williams"
        df = n - 2 if r_ab == -1 else n - 3  # opposite models: is A's correlation 0?
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
        if same and problem.differs.any():
            text = (
                "The predictions of both models are the same but for their scale: the "
                "difference of correlations is 0."
            )
            caveats.append(Caveat(DegenerateDataWarning, text))
        elif max(abs(r_a), abs(r_b)) == 1:
            caveats.append(Caveat(DegenerateDataWarning, _PERFECT))
        return self._outcome(problem, {metric: fields}, caveats)
