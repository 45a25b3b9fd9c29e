"""The paired bootstrap test."""

import functools

import numpy as np

from skcompare._validation import check_fraction, check_option
from skcompare.comparison._base import from_result
from skcompare.comparison._caveats import FEWEST_UNITS, small_sample_caveat
from skcompare.comparison._ideal import IDEAL_INTERVALS, ideal_findings
from skcompare.comparison._interval_runs import INTERVAL_RUNS
from skcompare.comparison._needs import Advice, Need, Remark, advice_on
from skcompare.comparison._question import check_can_be_redrawn
from skcompare.comparison._resampling import ResamplingComparison
from skcompare.inference import percentile_interval
from skcompare.results import ComparisonResult

__all__ = ["PairedBootstrap"]

_FEW = (
    f"A bootstrap of {{}} is unreliable: fewer than {FEWEST_UNITS}. "
    "ApproxRandomization is valid at any size."
)
_LONELY = (
    "a single unit, which is in every resample: the interval is too narrow and the "
    "p-value too small."
)

_HYPOTHESES = {
    "greater": "in the population the rows come from, A scores no better than B",
    "less": "in the population the rows come from, B scores no better than A",
    "two-sided": "in the population the rows come from, A and B score the same",
}


class PairedBootstrap(ResamplingComparison):
    """Test whether model A scores better than model B by resampling the test rows.

    1. Score both models on all rows: ``delta_ = score_a_ - score_b_``.
    2. Draw as many rows with replacement, the same rows for both models, and score
       them again; do so `n_resamples` times.
    3. The resampled differences lie around ``delta_``, not around 0. So the p-value is
       the share of them that are at least as far from ``delta_`` as that is from 0:
       for ``alternative="greater"``, those of at least ``2 * delta_``.

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
    aggregate : {"pooled", "fold_mean"}, default="pooled"
        With `cv`, what a score is: that of all out-of-fold responses as one test set,
        or the mean of the scores of the folds, as
        :func:`~sklearn.model_selection.cross_validate` gives them.
    n_resamples : int, "auto" or "ideal", default=9_999
        The number of resamples. "auto" stops between 1,000 and 9,999, as soon as the
        decision at `alpha` is certain but for a risk of 0.001. "ideal" is the limit of
        infinitely many, for metrics that are averages over rows of equal weight, with
        an error bound.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        The nominal coverage of intervals, two-sided whatever the alternative.
    interval : {"percentile", "basic", "bca", "studentized"}, default="percentile"
        The kind of interval for the difference. For metrics that do not add up, "bca"
        scores the sample once more for every row or group, and "studentized" resamples
        every resample.
    alpha : float, default=0.05
        The level at which `best_estimator_` is chosen and the result worded.
    add_one : bool, default=True
        Count the sample itself among the resamples: ``(s + 1) / (B + 1)``, never 0.
        False gives the textbook share ``s / B``.
    random_state : int, RandomState, Generator or None, default=None
        Where the draws come from. The numbers do not depend on `n_jobs`.
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
        Its Monte Carlo standard error; for "ideal" its error bound.
    n_exceeding_ : int
        The number of resamples that the p-value counts; None for "ideal".
    confidence_interval_ : ConfidenceInterval
        An interval ``(low, high)`` for the difference.
    score_a_interval_, score_b_interval_ : ConfidenceInterval
        Percentile intervals for the two scores.
    standard_error_ : float
        The bootstrap standard error of `delta_`.
    distribution_ : ndarray of shape (n_resamples,)
        The resampled differences, nan where undefined; for "ideal" evenly spaced
        quantiles of their distribution.
    best_estimator_ : estimator
        A if the test rejects in its favour at `alpha` (with several metrics: in each
        of them), else B; with `cv` fitted on all the data. Not with `fit_predictions`.
    fold_, indices_ : ndarray
        With `cv`, the fold and the position in the data of every tested row.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Those of `best_estimator_`.

    See Also
    --------
    ApproxRandomization : Exchange answers instead; valid at any sample size.

    Notes
    -----
    *Null hypothesis*: in the population that the rows come from, A scores no better
    than B (two-sided: they score the same). *Assumption*: rows, or with `groups` whole
    groups, are independent draws from that population. *Estimand*: the difference in
    score of these fitted models on that population; with `cv`, of pooled out-of-fold
    responses, which is not the mean of fold scores. With ``aggregate="fold_mean"`` it
    is that mean: the difference that the models of a fold have on test sets of its
    size, averaged over folds.

    For the latter rows, or groups, are redrawn within their folds, which keep their
    sizes. So groups must nest in folds, and no row be tested twice. Where folds have
    few rows of some class, many resamples have no score, and those count as exceeding.

    The test is one-sided by default: testing whichever model happens to be ahead
    doubles its error rate. With a direction fixed beforehand it is conservative on
    small discrete data. Below 30 rows or groups a `SmallSampleWarning` is given.

    Models that answer alike on every row give a difference of 0, an interval [0, 0]
    and p = 1. Resamples on which the scorer raises or returns nan are counted in
    ``result_.n_undefined``, taken as exceeding, and left out of intervals.

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

    confidence_interval_ = from_result("confidence_interval")
    score_a_interval_ = from_result("score_a_interval")
    score_b_interval_ = from_result("score_b_interval")

    # Fewer resamples are not enough for an interval.
    _fewest = 1_000

    _takes = frozenset({"groups", "strata", "sample_weight"})
    _advice = Advice(
        needs=(
            Need(
                lambda test, facts: facts.n_units >= FEWEST_UNITS,
                lambda test, facts: (
                    "A bootstrap of a small test set is unreliable: "
                    f"{facts.n_units} {facts.units} are fewer than {FEWEST_UNITS}, "
                    "and need not resemble where they come from."
                ),
            ),
        ),
        why_not=(
            Remark(
                lambda chosen, facts: advice_on(chosen).resamples == "swaps",
                lambda chosen, facts: (
                    "it gives an interval, but a class of so few rows varies much from "
                    "resample to resample."
                ),
            ),
            Remark(
                lambda chosen, facts: True,
                lambda chosen, facts: (
                    "about the same by resampling, which "
                    f"{type(chosen).__name__} can do without."
                ),
            ),
        ),
        resamples="rows",
    )

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        cv="prefit",
        aggregate="pooled",
        n_resamples=9_999,
        alternative="greater",
        confidence_level=0.95,
        interval="percentile",
        alpha=0.05,
        add_one=True,
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
        self.interval = interval
        self.alpha = alpha
        self.add_one = add_one
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _check_parameters(self):
        super()._check_parameters()
        check_fraction("confidence_level", self.confidence_level)
        check_option("interval", self.interval, INTERVAL_RUNS)

    def _caveats(self, question):
        check_can_be_redrawn(question.units)
        small = small_sample_caveat(
            question, _FEW, f"{_LONELY} {question.aggregate.remedy}"
        )
        return [*super()._caveats(question), small]

    def _check_n_resamples(self):
        if not isinstance(self.n_resamples, str):
            return super()._check_n_resamples()
        check_option("n_resamples", self.n_resamples, ("auto", "ideal"))
        allowed = IDEAL_INTERVALS if self.n_resamples == "ideal" else INTERVAL_RUNS
        return check_option("interval", self.interval, allowed)

    def _answer(self, question, caveats):
        if self.n_resamples == "ideal":
            return self._report(question, self._idealise(question), caveats)
        results = self._conclude_from(self._run(question), question, caveats)
        if self.n_resamples == "auto":
            return results
        return self._extendable(results, question, caveats)

    def _center(self, question, metric):
        return question.facts(metric)["delta"]

    def _conclude_from(self, run, question, caveats):
        """Return the results that a run of resamples gives, by metric."""
        return self._report(question, self._findings_from(run, question), caveats)

    def _report(self, question, findings, caveats):
        return {
            metric: ComparisonResult(
                test=type(self).__name__,
                hypothesis=_HYPOTHESES[self.alternative],
                estimand="the difference in score, on new rows like those given, "
                f"between {question.subject}",
                method=self.interval,
                engine=question.layout.engine(metric),
                alternative=self.alternative,
                alpha=float(self.alpha),
                caveats=caveats,
                **question.facts(metric),
                **found,
            )
            for metric, found in findings.items()
        }

    def _idealise(self, question):
        """Find what infinitely many resamples would, metric by metric."""
        return {
            metric: ideal_findings(
                question,
                metric,
                question.facts(metric),
                alternative=self.alternative,
                interval=self.interval,
                level=float(self.confidence_level),
            )
            for metric in question.statistics
        }

    def _run(self, question):
        """Draw resamples and score all models on them."""
        make_run = INTERVAL_RUNS[self.interval]
        run_of = functools.partial(make_run, self._draws(question), question.layout)
        length = self._run_length(question)
        return run_of(self._n_needed(question, length, lambda n: run_of(n).scores))

    def _run_length(self, question):
        make_run = INTERVAL_RUNS[self.interval]
        return self._length(lambda: make_run.plan(question.layout))

    def _findings_from(self, run, question):
        """Return what resamples show about two models, metric by metric."""
        length, found = self._run_length(question), {}
        for place, metric in enumerate(question.statistics):
            delta, scores = question.facts(metric)["delta"], run.scores[:, place]
            found[metric] = {
                **self._findings(question, metric, scores, length),
                **self._intervals(run, place, delta, scores),
            }
        return found

    def _intervals(self, run, place, delta, scores):
        """Return the intervals of the difference and of both scores."""
        level = float(self.confidence_level)
        of_a, of_b = (percentile_interval(s[np.isfinite(s)], level) for s in scores.T)
        return {
            "confidence_interval": run.interval(place, delta, level),
            "confidence_level": level,
            "score_a_interval": of_a,
            "score_b_interval": of_b,
        }
