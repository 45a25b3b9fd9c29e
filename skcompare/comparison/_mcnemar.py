"""McNemar's test for paired right and wrong predictions."""

import numpy as np

from skcompare._parameters import OneOf
from skcompare.comparison._base import hypotheses, result_attributes
from skcompare.comparison._needs import FEWEST_COUNTED, INDEPENDENT, Advice, Need
from skcompare.comparison._rows import RowMeanTest
from skcompare.stats.paired import (
    MCNEMAR_VARIANTS,
    discordance_sizes,
    mcnemar_interval,
    mcnemar_test,
)

_MOVED = (
    "Tango's interval for the difference and the two-sided {} p-value disagree on "
    "whether there is a difference: the end of the interval that is nearer to 0 was "
    "moved to 0."
)


@result_attributes("confidence_interval", "table", "discordant_rows")
class McNemar(RowMeanTest):
    """Test whether A is right more often than B, from rows only one of them gets right.

    1. Count the rows on which both models are right, only A, only B, and neither:
       `table_`.
    2. Only the discordant rows, on which exactly one model is right, show which model
       is better. If A and B are right equally often, each discordant row favors either
       model with probability 1/2.
    3. The p-value is the probability that at least the observed number of discordant
       rows favor A.

    Read more in the :ref:`User Guide <two_tests>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" evaluates fitted models on the data passed to `fit`. Other values are
        interpreted as in :func:`~sklearn.model_selection.cross_val_predict`: clones are
        evaluated on their out-of-fold responses, with the same folds for both models.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ. One-sided
        chi-square tests use the signed root of the statistic, with the sign of
        `delta_`, as a z-statistic.
    confidence_level : float, default=0.95
        Nominal coverage of the interval, which is two-sided for every `alternative`.
    variant : {"exact", "mid-p", "chi2", "corrected"}, default="mid-p"
        "exact" is the binomial test, whose error rate never exceeds the level and is
        mostly well below it. "mid-p" counts half the probability of the observed
        outcome, which brings the error rate close to the level [2]_. "chi2" is
        McNemar's own approximation, ``(b - c)**2 / (b + c)``, with ``b`` rows that
        only A gets right and ``c`` that only B gets right. "corrected" is "chi2" with
        a continuity correction: ``abs(b - c)`` is reduced by 1, but not below 0.
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
        The result by name of the metric, which is "accuracy".
    result_ : ComparisonResult
        The result; the attributes below are its fields.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        The accuracies of the two models.
    pvalue_ : float
        The p-value.
    statistic_ : float
        The number of rows on which only A is right; for "chi2" and "corrected", the
        chi-square statistic.
    table_ : ndarray of shape (2, 2)
        The numbers of rows: ``[[both right, only A], [only B, both wrong]]``.
    discordant_rows_ : ndarray
        The positions in the data of the rows on which exactly one model is right.
    confidence_interval_ : ConfidenceInterval
        Tango's score interval ``(low, high)`` for the difference, adjusted to agree
        with the p-value.
    effect_size_ : dict
        "risk_difference": `delta_`. "odds_ratio": the number of rows that only A gets
        right divided by the number that only B gets right; inf if B has none, nan if
        neither has any. "cohens_g": the proportion of discordant rows that favor A,
        minus 1/2; 0 if there are none.
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
    ApproxRandomization : The same as "exact" for accuracy; also for any other metric,
        with groups and weights.
    SignTest : The same for per-row scores that are not just right or wrong.

    Notes
    -----
    *Null hypothesis*: on new rows, A alone is right no more often than B alone
    (two-sided: equally often, so that their accuracies are equal). *Assumption*: rows
    are independent. Given the targets, the two predictions for a row are *exchangeable*
    with respect to being right under the null hypothesis: swapping them changes no
    probability. *Estimand*: the difference in accuracy of these fitted models on new
    rows.

    A row counts as right if the prediction equals the target; with several labels, if
    all labels do. Rows that both models get right, or both get wrong, affect the
    difference but not the p-value: with few discordant rows, the test cannot reject,
    even on a large test set. With 4 discordant rows, a one-sided exact p-value is at
    least 1/16.

    *When it misleads*: if rows come in groups (sentences of a document, patients seen
    twice), p-values are too small. With imbalanced classes, accuracy itself is
    misleading. The mid-p test can exceed its level, though Fagerland et al. [2]_ found
    no case; "chi2" exceeds it on few discordant rows, and "corrected" is more
    conservative than "exact". Tango's interval corresponds to "chi2": it excludes 0
    exactly when the two-sided p-value of that variant is at most
    ``1 - confidence_level``. If the two-sided p-value of another variant disagrees, the
    end of the interval nearer to 0 is moved to 0, and a caveat is added to
    ``result_.caveats``.

    Without discordant rows, the p-value is 1 for every variant, and the width of the
    interval depends on the number of rows. If equally many discordant rows favor A and
    B, a two-sided p-value is 1, except for mid-p, which subtracts half the probability
    of that outcome.

    References
    ----------
    .. [1] McNemar, Q. (1947). Note on the sampling error of the difference between
       correlated proportions or percentages. Psychometrika 12(2), 153-157.
       :doi:`10.1007/BF02295996`
    .. [2] Fagerland, M. W., Lydersen, S. and Laake, P. (2013). The McNemar test for
       binary matched-pairs data: mid-p and asymptotic are better than exact
       conditional. BMC Medical Research Methodology 13, 91.
       :doi:`10.1186/1471-2288-13-91`
    .. [3] Tango, T. (1998). Equivalence test and confidence interval for the
       difference in proportions for the paired-sample design. Statistics in Medicine
       17(8), 891-908.
       :doi:`10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B`

    Examples
    --------
    >>> from skcompare import McNemar
    >>> truth = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> pred_a = [1, 1, 1, 1, 1, 0, 0, 0, 0, 1]
    >>> pred_b = [0, 0, 1, 1, 0, 0, 1, 0, 1, 1]
    >>> test = McNemar().fit_predictions(truth, pred_a, pred_b)
    >>> test.table_
    array([[4, 5],
           [0, 1]])
    >>> test.pvalue_
    0.015625
    >>> test.discordant_rows_
    array([0, 1, 4, 6, 8])
    """

    scoring = "accuracy"

    _hypotheses = hypotheses(
        "on new rows, {0} is right where {1} is wrong no more often than the reverse",
        "on new rows, A is right where B is wrong as often as the reverse",
    )

    _advice = Advice(
        needs=(
            INDEPENDENT,
            Need(
                lambda test, facts: facts.is_accuracy,
                "McNemar compares accuracy (right or wrong), not {facts.metric}.",
            ),
            Need(
                lambda test, facts: (
                    test.variant != "chi2" or facts.n_discordant >= FEWEST_COUNTED
                ),
                f"The chi-square approximation needs {FEWEST_COUNTED} discordant rows "
                "or more, and there are {facts.n_discordant}: use `variant='mid-p'` or "
                "'exact'.",
            ),
        ),
        smallest_pvalue=lambda test, n: 0.5 ** (n + (test.variant == "mid-p")),
        power_from="p_discordant",
        metrics=("accuracy", "recall"),  # recall is the accuracy on the rows of a class
    )

    _rules = {"variant": OneOf(*MCNEMAR_VARIANTS)}

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        cv="prefit",
        alternative="greater",
        confidence_level=0.95,
        variant="mid-p",
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
        self.variant = variant
        self.alpha = alpha
        self.refit = refit
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.verbose = verbose

    def examine_rows(self, rows_a, rows_b):
        """Return fields of the result from the per-row scores of both models."""
        if not np.isin([rows_a, rows_b], [0, 1]).all():
            raise ValueError(
                "Scores of rows must be 0 or 1 for McNemar, which counts right and "
                "wrong predictions. Use PairedTTest or PairedBootstrap for other "
                "scores."
            )
        counts = np.bincount((2 * rows_a + rows_b).astype(int), minlength=4)
        n_neither, n_only_b, n_only_a, n_both = counts.tolist()
        n_rows = len(rows_a)
        test = mcnemar_test(
            n_only_a, n_only_b, variant=self.variant, alternative=self.alternative
        )
        interval, moved = mcnemar_interval(
            n_only_a, n_only_b, n_rows, self.confidence_level, variant=self.variant
        )
        odds_ratio, cohens_g = discordance_sizes(n_only_a, n_only_b)
        of_counts = self.variant in ("exact", "mid-p")
        return {
            **test._asdict(),
            "statistic_name": "rows only A gets right" if of_counts else "chi2",
            "table": np.array([[n_both, n_only_a], [n_only_b, n_neither]]),
            "discordant_rows": np.flatnonzero(rows_a != rows_b),
            "confidence_interval": interval,
            "confidence_level": self.confidence_level,
            "effect_size": {
                "risk_difference": (n_only_a - n_only_b) / n_rows,
                "odds_ratio": odds_ratio,
                "cohens_g": cohens_g,
            },
            "caveats": (_MOVED.format(self.variant),) if moved else (),
        }

    def _outcome(self, problem, fields, early, late=()):
        """Convert `discordant_rows` to positions in the data."""
        if problem.indices is not None:
            for own in fields.values():
                own["discordant_rows"] = np.sort(
                    problem.indices[own["discordant_rows"]]
                )
        return super()._outcome(problem, fields, early, late)
