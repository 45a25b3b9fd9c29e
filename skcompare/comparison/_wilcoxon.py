"""Wilcoxon's signed-rank test of per-row scores."""

import numpy as np

from skcompare._parameters import OneOf
from skcompare.comparison._base import result_attributes
from skcompare.comparison._needs import AVERAGE, INDEPENDENT, SYMMETRIC, Advice
from skcompare.comparison._rows import RowMeanTest
from skcompare.stats.location import hodges_lehmann
from skcompare.stats.paired import paired_differences, signed_rank_test, signed_ranks

_HYPOTHESIS = (
    "on new rows, row differences between A and B{} lie symmetrically about their "
    "pseudo-median, which is {}"
)
_MEDIANS = {"greater": "0 or less", "less": "0 or more", "two-sided": "0"}

_TIED = (
    "The interval is computed as if there were no ties or zeros, and contains 0. The "
    "test accounts for them, and rejects 0."
)


@result_attributes("location", "location_interval")
class WilcoxonSignedRank(RowMeanTest):
    """Test whether model A scores better than B by the ranks of their differences.

    1. Score both models on every row, subtract, and rank the absolute differences; ties
       share their mean rank. Rows on which the models score the same are dropped,
       either before or after ranking.
    2. If the differences are distributed symmetrically about 0, each rank belongs to a
       positive difference with probability 1/2.
    3. The p-value is the probability that the sum of the ranks of positive differences
       is at least as large as observed.

    Read more in the :ref:`User Guide <two_tests>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics, as in scikit-learn, that are averages of one value per
        row, such as "accuracy", "neg_log_loss" or "neg_mean_squared_error". None uses
        the models' own `score`, which is suitable for classifiers.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" evaluates fitted models on the data passed to `fit`. Other values are
        interpreted as in :func:`~sklearn.model_selection.cross_val_predict`: clones are
        evaluated on their out-of-fold responses, with the same folds for both models.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
    method : {"auto", "exact", "asymptotic"}, default="auto"
        "exact" computes the distribution of the rank sum, accounting for ties and
        zeros. "asymptotic" approximates it, with corrections for ties and continuity.
        "auto" is exact if that takes a fraction of a second: up to about 600
        differences, and many more if few of them are distinct. The method used is in
        ``result_.method``.
    zero_method : {"wilcox", "pratt"}, default="wilcox"
        Whether rows on which the models score the same are dropped before ("wilcox") or
        after ranking ("pratt"). With many such rows, "pratt" makes the ranks of the
        other rows more equal.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    refit : bool, default=True
        With `cv`, whether to refit the winning model on all the data. If False, there
        is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        How to handle failed fits with `cv`: "raise" raises the error; nan excludes the
        rows of that fold for both models and issues a `FailedFitWarning`.
    n_jobs : int, default=None
        Number of joblib workers for cross-validation. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        If nonzero, show the progress of fits on standard error after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult
        The result for each metric, by name.
    result_ : ComparisonResult
        The result, if there is only one metric; the attributes below are its fields.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better on average.
    score_a_, score_b_ : float
        The scores of the two models. Higher is better.
    pvalue_ : float
        The p-value.
    statistic_ : float
        The sum of the ranks of the rows on which A scores better, for every
        `alternative`.
    location_ : float
        The Hodges-Lehmann estimate [4]_ of the pseudo-median, the parameter that is
        tested: the median of the averages of all pairs of row differences. Excludes the
        differences of 0 that ``zero_method="wilcox"`` drops, unless all are 0.
    location_interval_ : ConfidenceInterval
        The interval for `location_` of level ``1 - alpha``. Without ties and zeros, it
        contains the pseudo-medians that the two-sided test does not reject. Otherwise
        it is computed as if there were none, so that its coverage is at least as high;
        if it then contains 0 although the test rejects 0, a caveat is added. Infinite
        if there are too few rows, or if all differences are 0.
    effect_size_ : dict
        "rank_biserial": the matched-pairs rank-biserial correlation, which is the
        proportion of the rank sum that favors A minus the proportion that favors B;
        between -1 and 1, and 0 if all rows are ties.
    best_estimator_ : estimator
        A if both this test and a t-test of the mean difference reject in its favor at
        `alpha` (with several metrics: in each of them), else B; with `cv`, refitted on
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
    SignTest : Needs no symmetry; ignores the size of differences.
    PairedTTest : Tests the mean of the differences.
    ApproxRandomization : Tests the mean, under the same null hypothesis, exactly.

    Notes
    -----
    *Null hypothesis*: the differences between the two scores of a row are distributed
    symmetrically about 0 (one-sided: about 0 or a value on the side opposite to the
    alternative). *Assumption*: rows are independent. The two scores of a row are
    *exchangeable* under the null hypothesis. *Estimand*: the pseudo-median of row
    differences, which is `location_`: their center of symmetry, and equal to their mean
    only if they are indeed symmetric. `delta_` is the mean, for which the test gives no
    interval.

    *When it misleads*: it tests symmetry about 0, not the mean. Differences of losses
    are often skewed. The test then rejects even if their mean is exactly 0, more often
    the more rows there are, and `delta_` may even have the opposite sign. In that case
    a caveat is added, with a `ComparisonWarning` if the test rejects. Therefore the
    verdict does not call a model better: it is about the pseudo-median, and adds the
    result of a t-test of the mean (`mean_pvalue` of the result). The signed-rank test
    alone does not select `best_estimator_`. For right and wrong predictions, it reduces
    to `McNemar`.

    Differences that are equal up to rounding (a relative 1e-12 of the scores that they
    are computed from) are ties, and differences of 0 are zeros. If all are zeros, the
    p-value is 1.

    References
    ----------
    .. [1] Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics
       Bulletin 1(6), 80-83. :doi:`10.2307/3001968`
    .. [2] Pratt, J. W. (1959). Remarks on zeros and ties in the Wilcoxon signed rank
       procedures. Journal of the American Statistical Association 54(287), 655-667.
       :doi:`10.1080/01621459.1959.10501526`
    .. [3] Kerby, D. S. (2014). The simple difference formula: an approach to teaching
       nonparametric correlation. Comprehensive Psychology 3, 11.IT.3.1.
       :doi:`10.2466/11.IT.3.1`
    .. [4] Hodges, J. L. and Lehmann, E. L. (1963). Estimates of location based on rank
       tests. Annals of Mathematical Statistics 34(2), 598-611.
       :doi:`10.1214/aoms/1177704172`

    Examples
    --------
    >>> from skcompare import WilcoxonSignedRank
    >>> truth = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> pred_a = [1.1, 2.1, 3.0, 4.2, 5.1, 6.0]
    >>> pred_b = [1.5, 2.4, 3.1, 4.1, 5.9, 6.7]
    >>> test = WilcoxonSignedRank(scoring="neg_mean_absolute_error")
    >>> test.fit_predictions(truth, pred_a, pred_b).statistic_
    19.5
    >>> test.pvalue_
    0.046875
    """

    _center = "pseudo-median"

    _advice = Advice(
        needs=(INDEPENDENT, AVERAGE, SYMMETRIC),
        why_not=lambda chosen, facts: (
            "with two values all ranks are tied, so it reduces to the sign test."
            if facts.kind == "right or wrong"
            else "it uses the ranks of differences only, and tests whether they are "
            "symmetric about 0, not whether their mean is 0."
        ),
        about_mean=False,
    )

    _rules = {"method": OneOf("auto", "exact", "asymptotic")}

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        cv="prefit",
        alternative="greater",
        method="auto",
        zero_method="wilcox",
        alpha=0.05,
        refit=True,
        error_score="raise",
        n_jobs=None,
        verbose=0,
    ):
        self.estimator_a = estimator_a
        self.estimator_b = estimator_b
        self.scoring = scoring
        self.cv = cv
        self.alternative = alternative
        self.method = method
        self.zero_method = zero_method
        self.alpha = alpha
        self.refit = refit
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def _hypotheses(self):
        which = " that are not 0" if self.zero_method == "wilcox" else ""
        return {side: _HYPOTHESIS.format(which, of) for side, of in _MEDIANS.items()}

    @property
    def _estimand(self):
        which = "row differences in score"
        if self.zero_method == "wilcox":
            which = "those row differences in score that are not 0"
        where = "on new rows like these, between {}"
        return f"the pseudo-median of {which}, {where}"

    def examine_rows(self, rows_a, rows_b):
        """Return fields of the result from the per-row scores of both models."""
        differences, tolerances = paired_differences(rows_a, rows_b)
        signed = signed_ranks(differences, tolerances, zero_method=self.zero_method)
        test = signed_rank_test(
            signed, method=self.method, alternative=self.alternative
        )
        differing, level = differences[differences != 0], 1 - float(self.alpha)
        dropped = False
        if not len(differing):
            # If no row differs, use a single 0, whose interval is infinite.
            differences = [0.0]
        elif self.zero_method == "wilcox":
            dropped = len(differing) < len(differences)
            differences = differing
        center = hodges_lehmann(differences, level)
        low, high = center.interval
        two_sided = self.alternative == "two-sided"
        tied = two_sided and test.pvalue <= self.alpha and low <= 0 <= high
        return {
            **test._asdict(),
            "statistic_name": "rank sum for A",
            "effect_size": {"rank_biserial": signed.biserial_correlation},
            "location": center.estimate,
            "location_name": "pseudo-median of row differences"
            + (" other than 0" if dropped else ""),
            "location_interval": center.interval,
            "confidence_level": level,
            "direction": int(np.sign(signed.biserial_correlation)),
            "caveats": (_TIED,) if tied else (),
        }
