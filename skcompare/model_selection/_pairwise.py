"""Comparison of several models, pair by pair, with a test of two models.

A bootstrap is run once: its resamples are scored for all models and used for each pair.
Other tests are run on each pair, with predictions that are computed once per model.
"""

import itertools

import numpy as np
from sklearn.base import clone

from skcompare._caveats import Caveat, merge_caveats, warn_of
from skcompare._parameters import RULES, default_of, settings_of
from skcompare._progress import followed
from skcompare._validation import model_names, seed_of
from skcompare.comparison import (
    NO_MODELS,
    NOT_REFITTED,
    NamedModels,
    PairedBootstrap,
    WinnerPredicts,
    as_target,
    declares,
    named_models,
    named_predictions,
    outcome_of,
    refitted,
    refuse_untaken,
    result_attributes,
)
from skcompare.exceptions import FewResamplesWarning, ParameterError
from skcompare.results import PairwiseResult
from skcompare.stats import max_t
from skcompare.stats.corrections import adjust_pvalues
from skcompare.stats.intervals import cut_to_range
from skcompare.stats.model_sets import confidence_set_pvalues
from skcompare.stats.pvalues import T_TOLERANCE, rounding_tolerance


def pairs_of(names, baseline):
    """Return the indices of all pairs of models, or of each with the baseline.

    Examples
    --------
    >>> pairs_of(("a", "b", "c"), None)
    [(0, 1), (0, 2), (1, 2)]
    >>> pairs_of(("a", "b", "c"), "b")
    [(0, 1), (2, 1)]
    """
    if baseline is None:
        return list(itertools.combinations(range(len(names)), 2))
    reference = names.index(baseline)
    return [(m, reference) for m in range(len(names)) if m != reference]


def check_baseline(baseline, names):
    """Check that the baseline, if there is one, is among the models."""
    if baseline is not None and baseline not in names:
        listed = ", ".join(map(repr, names))
        raise ValueError(
            f"`baseline` must be the name of one of the models, {listed}. "
            f"Got {baseline!r}."
        )


def check_test(test):
    """Check that the test can compare pairs: it must give p-values."""
    remedy = getattr(test, "instead_of_pairs", "")
    if declares(test, gives="p-value") and not remedy:
        return
    if isinstance(test, type):
        remedy = f" Pass an instance: {test.__name__}()."
    elif declares(test, gives="posterior"):
        remedy = (
            " A posterior has no p-value to correct: fit it to each pair, and use its "
            "probabilities."
        )
    raise ValueError(
        "`test` must be a test of two models that gives a p-value, on predictions or "
        "on fold scores that all pairs share, such as PairedBootstrap(), McNemar() or "
        f"CorrectedTTest(). Got {test!r}.{remedy}"
    )


# Parameters that are set here and not in the test, and reasons why a test lacks them.
SET_HERE = {"cv": "which makes its own splits", "error_score": "which needs all fits"}

# Parameters of both, which a test may only set to the same value.
OF_BOTH = ("alpha", "refit")


def check_not_set(test, parameter):
    """Check that a parameter of the test has its default value."""
    value, default = test.get_params(deep=False)[parameter], default_of(test, parameter)
    # Compared as text: splits may be arrays, and nan equals nothing.
    if repr(value) != repr(default):
        raise ParameterError(
            "test",
            f"not set `{parameter}`, which is a parameter of the comparison",
            repr(test),
            f"Use PairwiseComparison({parameter}={value!r}).",
        )


def few_resamples_caveats(test, problems, results, correction):
    """Return a caveat if no corrected p-value can be significant with the resamples.

    Parameters
    ----------
    test : estimator
        The test.
    problems : list of Problem
        The problems of the pairs.
    results : list of ComparisonResult
        The results of the pairs.
    correction : str
        The correction of their p-values.

    Returns
    -------
    list of Caveat
        The caveat, if any.
    """
    first, n_pairs = results[0], len(results)
    is_fixed = isinstance(first.n_resamples, int) and first.decision_risk is None
    add_one = test.get_params(deep=False).get("add_one", True)
    if not is_fixed or first.method == "exact" or not add_one:
        return []
    n_drawn = first.n_resamples + 1
    least = min(test.n_tails(problem, first.scoring) for problem in problems) / n_drawn
    smallest, corrected, others = least, "", ""
    if correction not in ("none", MAX_T):
        smallest = float(adjust_pvalues([least] * n_pairs, correction).min())
        corrected = f", corrected for {n_pairs} pairs,"
        others = ", or `correction='max-t'`" * bool(least <= test.alpha)
    if smallest <= test.alpha:
        return []
    text = (
        f"With {first.n_resamples:,} resamples no p-value{corrected} is below "
        f"{smallest:.2g}: none can be significant. Use `n_resamples` of at least "
        f"{round(10 * smallest * n_drawn / test.alpha):,}{others}."
    )
    return [Caveat(FewResamplesWarning, text)]


MAX_T = "max-t"

# Fields that are equal in the results of all pairs.
OF_ALL_PAIRS = (
    *("test", "alternative", "hypothesis", "estimand", "metrics", "cv", "seed"),
    *("n_rows", "n_distinct", "unit", "n_units", "n_strata", "weighted"),
)


@result_attributes("champion_set", "ranking", "letters", "confidence_set")
class PairwiseComparison(NamedModels, WinnerPredicts):
    """Compare several models pair by pair, or with a baseline.

    1. Compute the predictions of all models for the same rows, once.
    2. Compare each pair, or each model with the baseline, by a test of two models. A
       bootstrap is run once: all pairs are compared on the same resamples.
    3. Correct the p-values for multiple comparisons: among many pairs of equally good
       models, some look different by chance.

    Read more in the :ref:`User Guide <many_models>`.

    Parameters
    ----------
    estimators : list of (str, estimator) tuples or dict, default=None
        The models and their names, at least two. Not needed for `fit_predictions`. Each
        can be replaced by its name, and its parameters set, with `set_params`.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics, as in scikit-learn. None means that of `test`.
    cv : "prefit", int, splitter, iterable or None, default="prefit"
        "prefit" compares fitted models on the data passed to `fit`. Anything else is
        used as in :func:`~sklearn.model_selection.cross_val_predict`, and required by
        tests of fold scores. It is set here and not in `test`.
    test : test for two models, default=None
        A test such as :class:`PairedBootstrap`, :class:`ApproxRandomization`,
        :class:`McNemar` or :class:`CorrectedTTest`, with the desired parameters: any
        test of predictions or of fold scores that gives a p-value. Posteriors have
        none, and :class:`NestedCVInterval` makes its own splits for each pair. It is
        cloned. `alpha` and `refit` are set here and not in `test`. None means
        ``PairedBootstrap(alternative="two-sided")``. The alternative of a one-sided
        test is that the first model in each pair is better, or worse.
    baseline : str, default=None
        The name of a model with which each other is compared: ``delta`` is the score
        of the model minus that of the baseline. None compares all pairs, in the order
        of the models.
    correction : {"holm", "bonferroni", "hochberg", "bh", "by", "max-t", "none"}, \
            default="holm"
        The correction for multiple comparisons; see :func:`adjust_pvalues`. "max-t"
        compares each difference, divided by its standard error, with the largest such
        difference of each shared resample. It uses the dependence between differences,
        so that in large samples it rejects more than "holm" with the same guarantee. It
        is for :class:`PairedBootstrap` and :class:`ApproxRandomization`.
    alpha : float, default=0.05
        The level of decisions, after correction.
    refit : bool, default=True
        With `cv`, whether to refit the champion on all the data. If False, there is no
        `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        How to handle failed fits with `cv`: "raise" raises the error; nan excludes the
        fold for all models and issues a `FailedFitWarning`. It is set here and not in
        `test`.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random draws. None means that of `test`.
    n_jobs : int, default=None
        The number of joblib workers. None means that of `test`.
    verbose : int, default=0
        Whether to show progress on standard error, after two seconds. 0 means that of
        `test`.

    Attributes
    ----------
    results_ : dict of PairwiseResult
        The result for each metric, by name.
    result_ : PairwiseResult
        The result, only with a single metric; likewise `champion_set_`, `ranking_`,
        `letters_` and `confidence_set_`.
    champion_ : str
        The name of the model with the best score. With a `baseline`, that of the best
        model that is significantly better than the baseline, or the baseline itself if
        there is none. With several metrics, the best is determined by the first one,
        and the baseline must be beaten in each.
    champion_set_ : tuple of str
        The champion and the models that are not significantly different from it. With a
        `baseline`, the models that beat it; if there are none, the baseline and the
        models that are not significantly different from it.
    ranking_ : tuple of str
        The models, best score first.
    letters_ : dict of str
        Letters for each model. Two models share a letter if and only if they are not
        significantly different. None with a `baseline`.
    confidence_set_ : tuple of str
        For a bootstrap, the Model Confidence Set at level `alpha`: it contains all of
        the best models with a probability of about ``1 - alpha``. None otherwise.
    best_estimator_ : estimator
        The champion; with `cv`, refitted on all the data. Not with `fit_predictions`.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Attributes of `best_estimator_`.

    See Also
    --------
    RankComparison : For scores of several models on several data sets.
    CochranQ : A single test of whether several models are equally accurate.
    adjust_pvalues : The corrections, for other p-values.

    Notes
    -----
    *Null hypotheses*: for each pair that of the test, "the two models are equally
    good". *Exchangeability and estimand*: as in the test. *Controlled error rate*: with
    "bonferroni", "holm", "hochberg" and "max-t" the probability that any pair without a
    difference is significant; with "bh" and "by" the false discovery rate, the expected
    share of such pairs among the significant ones. Each metric is a separate family:
    p-values are not corrected for the number of metrics.

    *Shared resamples*: with :class:`PairedBootstrap`, if the number of resamples is
    fixed and the interval is not studentized, all models are scored on the same
    resamples. The results for a pair differ from those of the test of that pair alone
    as if by another seed; for two models they are the same, except for the interval
    with "max-t". With "max-t", :class:`ApproxRandomization` swaps the predictions for
    the same rows in all pairs. The p-value of each pair is then as exact as otherwise.
    The dependence of differences after swapping matches that of the data in large
    samples: all of them are approximately normal, with the same correlations. With
    other corrections each pair is swapped separately, which is faster for many models.

    *Max-t*: differences are divided by the standard deviations of their null
    distributions. The largest observed one is compared with the largest of each
    resample, the next with the largest of the others, and so on.

    *Intervals*: with "max-t" and a bootstrap, all intervals hold simultaneously with
    probability `confidence_level`: they are symmetric, and their width in standard
    errors follows from the largest studentized difference, even with a single pair for
    which the test itself would compute another interval, such as percentiles. With
    other corrections they have Bonferroni's level,
    ``1 - (1 - confidence_level) / n_pairs``, and also hold simultaneously; such levels
    require many resamples, so for many pairs use "max-t". With "none", and for "max-t"
    with a randomization test, they are those of the test. All are limited by the
    number of rows on which a pair differs.

    *Model Confidence Set* [3]_: as long as several models are left, the hypothesis that
    all of them are equally good is tested by the largest absolute studentized
    difference between two models, and if it is rejected, the worse of the two is
    removed. With "max-t" and a two-sided test of all pairs, models that differ
    significantly from the champion are not in the set: it is as small as
    `champion_set_`, or smaller. The p-value of a model is at least that of each
    two-sided pair in which it is behind. Hansen, Lunde and Nason also propose the
    largest shortfall from the mean of the remaining models. We do not use it: with one
    good model and many similar ones, its sets were much larger.

    *Degenerate cases*: models with identical predictions have p = 1 in each correction
    and share all letters. Resamples on which a model has no score count against each of
    its differences. If two models have the same best score, the first is the champion.

    *When it misleads*: "not significantly different" is not "equal". A and B, and B and
    C, may not differ significantly while A and C do: letters represent such cases. The
    champion's own score is optimistic on average, since the champion was selected by
    it. With a one-sided `test` and no baseline, pairs are tested in one direction only:
    models that differ in the other direction share letters, and may be in the set of
    the champion. So use a two-sided test for all pairs. With "greater" and a baseline
    that no model beats, worse models are in its set, too.

    References
    ----------
    .. [1] Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing.
       Wiley.
    .. [2] Romano, J. P. and Wolf, M. (2005). Exact and approximate stepdown methods
       for multiple hypothesis testing. JASA 100(469), 94-108.
       :doi:`10.1198/016214504000000539`
    .. [3] Hansen, P. R., Lunde, A. and Nason, J. M. (2011). The model confidence set.
       Econometrica 79(2), 453-497. :doi:`10.3982/ECTA5771`
    .. [4] Piepho, H.-P. (2004). An algorithm for a letter-based representation of
       all-pairwise comparisons. Journal of Computational and Graphical Statistics
       13(2), 456-466. :doi:`10.1198/1061860043515`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skcompare import PairwiseComparison
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = [("dummy", DummyClassifier()),
    ...           ("nb", GaussianNB()),
    ...           ("logreg", make_pipeline(StandardScaler(), LogisticRegression()))]
    >>> comparison = PairwiseComparison(models, scoring="accuracy", cv=5,
    ...                                 correction="max-t", random_state=0).fit(X, y)
    >>> comparison.ranking_
    ('logreg', 'nb', 'dummy')
    >>> comparison.result_.to_frame()[["a", "b", "delta", "decision"]].round(3)
           a       b  delta decision
    0  dummy      nb -0.311       <<
    1  dummy  logreg -0.353       <<
    2     nb  logreg -0.042       <<
    >>> comparison.champion_, comparison.champion_set_
    ('logreg', ('logreg',))
    """

    def __init__(
        self,
        estimators=None,
        *,
        scoring=None,
        cv="prefit",
        test=None,
        baseline=None,
        correction="holm",
        alpha=0.05,
        refit=True,
        error_score="raise",
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.estimators = estimators
        self.scoring = scoring
        self.cv = cv
        self.test = test
        self.baseline = baseline
        self.correction = correction
        self.alpha = alpha
        self.refit = refit
        self.error_score = error_score
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self,
        X,
        y=None,
        *,
        groups=None,
        strata=None,
        sample_weight=None,
        names=None,
        **params,
    ):
        """Compare the models on data.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list
            With ``cv="prefit"``, a held-out test set that no model has seen; otherwise
            the data for cross-validation.
        y : array-like
            True labels or values.
        groups, strata, sample_weight : array-like of shape (n_samples,), default=None
            As in the `fit` of the test, if it supports them.
        names : sequence of str, default=None
            Names of the models, in their order; None means the names in `estimators`.
        **params : dict
            With `cv`, further parameters for the fits of the models, as the `params` of
            :func:`~sklearn.model_selection.cross_validate`.

        Returns
        -------
        PairwiseComparison
            The fitted comparison itself.
        """
        models = named_models(self.estimators)
        names = model_names(names, tuple(models))
        models = dict(zip(names, models.values(), strict=True))
        test = self._ready_test(names)
        rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
        refuse_untaken(test, rows)
        y = as_target(y, type(self).__name__)
        with followed(self):
            problem = test.make_problem(
                models, X, y, names=names, params=params, **rows
            )
            self._publish(test, problem)
        winner, self._no_winner = models[self.champion_], NOT_REFITTED
        if problem.origin == "prefit":
            self.best_estimator_ = winner
        elif self.refit:
            own = {"groups": groups, "sample_weight": sample_weight, "params": params}
            self.best_estimator_ = refitted(winner, X, y, **own)
        return self

    def fit_predictions(
        self,
        y_true,
        y_preds,
        *,
        groups=None,
        strata=None,
        sample_weight=None,
        fold=None,
        names=None,
    ):
        """Compare models by their predictions.

        Parameters
        ----------
        y_true : array-like
            True labels or values.
        y_preds : dict or DataFrame
            The predictions of each model, by name; at least two. Each is the response
            that the scorer uses, or a dict of such responses, as in the
            `fit_predictions` of a test of two models. A frame has a column per model.
        groups, strata, sample_weight : array-like of shape (n_samples,), default=None
            As in the `fit_predictions` of the test, if it supports them.
        fold : array-like of shape (n_samples,), default=None
            The fold in which each row was tested, for out-of-fold predictions.
        names : sequence of str, default=None
            Names of the models, in their order; None means the names in `y_preds`.

        Returns
        -------
        PairwiseComparison
            The fitted comparison itself. It has results, but no model to predict with.
        """
        if self.estimators is not None:
            named_models(self.estimators)  # raises an error for a test, for example
        own_names, predictions = named_predictions(y_preds)
        names = model_names(names, own_names)
        test = self._ready_test(names, of_predictions=True)
        rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
        refuse_untaken(test, rows)
        with followed(self, "fit_predictions"):
            problem = test.make_problem_of_predictions(
                y_true, predictions, fold=fold, names=names, **rows
            )
            self._publish(test, problem)
        return self

    def _ready_test(self, names, *, of_predictions=False):
        """Return a copy of the test with the parameters set here, after checks."""
        self.check_parameters()
        check_baseline(self.baseline, names)
        test = PairedBootstrap(alternative="two-sided")
        if self.test is not None:
            check_test(self.test)
            test = clone(self.test)
        if of_predictions and "predictions" not in test.takes:
            raise ValueError(
                "`test` must be a test of predictions for fit_predictions. Got "
                f"{self.test!r}, which fits models on folds. Use fit."
            )
        test.set_params(**self._passed_on(test, len(pairs_of(names, self.baseline))))
        test.check_parameters()
        if self.correction == MAX_T and not test.shares_resamples:
            raise ValueError(
                "`correction` 'max-t' needs a fixed number of resamples that all pairs "
                "share, by ApproxRandomization or by PairedBootstrap with any method "
                f"and interval except 'studentized'. Got {self.test!r} as `test`. For "
                "other tests, use 'holm'."
            )
        return test

    def _passed_on(self, test, n_pairs):
        """Return the parameters of the test that are set here, a seed, and levels."""
        own = test.get_params(deep=False)
        if "scoring" not in own and self.scoring not in (None, test.scoring):
            raise ValueError(
                f"`scoring` must be None or {test.scoring!r} for "
                f"{type(test).__name__}, which has its own metric. Got "
                f"{self.scoring!r}."
            )
        for parameter, reason in SET_HERE.items():
            value, default = getattr(self, parameter), default_of(self, parameter)
            if parameter in own:
                check_not_set(test, parameter)
            elif not isinstance(value, str):
                rule = f"be {default!r} for {type(test).__name__}, {reason}"
                raise ParameterError(parameter, rule, repr(value))
        for parameter in OF_BOTH:
            if parameter in own and own[parameter] != getattr(self, parameter):
                check_not_set(test, parameter)
        passed_on = {
            "scoring": self.scoring,
            "random_state": self.random_state,
            "n_jobs": self.n_jobs,
            "verbose": self.verbose or None,
        }
        params = {n: v for n, v in passed_on.items() if v is not None and n in own}
        params |= {name: getattr(self, name) for name in SET_HERE if name in own}
        if "random_state" in own:
            params["random_state"] = seed_of({**own, **params}["random_state"])
        if "confidence_level" in own and self._corrects_intervals:
            level = own["confidence_level"]
            RULES["confidence_level"].check("confidence_level", level)
            params["confidence_level"] = 1 - (1 - level) / n_pairs
        return {**params, "alpha": self.alpha}

    @property
    def _corrects_intervals(self):
        """Whether intervals have Bonferroni's level."""
        return self.correction not in ("none", MAX_T)

    def _publish(self, test, problem):
        """Compare all pairs, set the fitted attributes, and issue warnings."""
        is_joint = test.shares_resamples and test.redraws_rows
        resamples = test.resample(problem) if is_joint else None
        indices = pairs_of(problem.names, self.baseline)
        pairs = [problem.of_pair(i, j) for i, j in indices]
        if self.correction == MAX_T and not is_joint:
            pairs = [pair.with_shared_swaps() for pair in pairs]
        outcomes = [
            test.conclude(pair, resamples) if is_joint else test.compare(pair)
            for pair in pairs
        ]
        labeled = zip((" - ".join(pair.names) for pair in pairs), outcomes, strict=True)
        caveats = merge_caveats({label: o.caveats for label, o in labeled})
        by_metric = {
            metric: [outcome.results[metric] for outcome in outcomes]
            for metric in outcomes[0].results
        }
        some_results = next(iter(by_metric.values()))
        caveats += few_resamples_caveats(test, pairs, some_results, self.correction)
        warn_of(caveats)
        vars(self).pop("best_estimator_", None)  # of an earlier fit
        self._no_winner = NO_MODELS
        fields = {
            metric: self._fields(test, problem, metric, results, resamples)
            for metric, results in by_metric.items()
        }
        self.results_ = outcome_of(self, PairwiseResult, fields, caveats).results
        # The first metric determines the best; a baseline must be beaten in each.
        first, *others = self.results_.values()
        self.champion_ = first.champion
        if self.baseline is not None:
            beating = (
                name
                for name in first.beating_baseline
                if all(name in other.beating_baseline for other in others)
            )
            self.champion_ = next(beating, self.baseline)

    def _fields(self, test, problem, metric, results, resamples):
        """Return fields of a `PairwiseResult` from the results of all pairs."""
        names, first, by_name = problem.names, results[0], {}
        for result in reversed(results):
            by_name |= {result.name_b: result.score_b, result.name_a: result.score_a}
        scores = np.array([by_name[name] for name in names])
        pvalues = np.array([result.pvalue for result in results])
        intervals = [r.confidence_interval or (np.nan, np.nan) for r in results]
        fields = {"intervals": np.array(intervals, dtype=float)}
        level, corrected = first.confidence_level, self._corrects_intervals
        if level is not None and not np.isnan(fields["intervals"]).all():
            joint = round(1 - len(results) * (1 - level), 12)
            fields["confidence_level"] = joint if corrected else level
            fields["interval_kind"] = "bonferroni" if corrected else "marginal"
        if self.correction != MAX_T:
            fields["pvalues_adjusted"] = adjust_pvalues(pvalues, self.correction)
        if test.shares_resamples:
            scale = problem.statistics[metric].scale
            tolerances = np.array(
                [rounding_tolerance([r.score_a, r.score_b], scale) for r in results]
            )
            if self.correction == MAX_T:
                fields |= _max_t(test, results, tolerances)
            if resamples is not None:
                drawn = resamples.drawn[:, list(problem.statistics).index(metric)]
                in_set = confidence_set_pvalues(
                    scores, drawn, tolerances.max(), add_one=test.add_one
                )
                best = int(np.argmax(scores))
                least = _least_of_set(test, problem, best, resamples, metric, results)
                fields["confidence_set_pvalues"] = np.maximum(in_set, least)
        numbers = {result.n_resamples for result in results}  # differ with "auto"
        # The level of all pairs together, not that of the intervals of single pairs.
        own_level = {n: v for n, v in fields.items() if n == "confidence_level"}
        return {
            **{field: getattr(first, field) for field in OF_ALL_PAIRS},
            "settings": first.settings | own_level | settings_of(self),
            "scoring": metric,
            "names": names,
            "scores": scores,
            "pairs": tuple((result.name_a, result.name_b) for result in results),
            "deltas": np.array([result.delta for result in results]),
            "pvalues": pvalues,
            "correction": self.correction,
            "baseline": self.baseline,
            "alpha": float(self.alpha),
            "n_resamples": numbers.pop() if len(numbers) == 1 else test.n_resamples,
            "results": tuple(results),
            **fields,
        }


def _least_of_set(test, problem, best, resamples, metric, results):
    """Return for each model the smallest p-value of a pair in which it is behind.

    A model cannot be excluded from the best ones unless it is significantly worse than
    another, among the compared pairs and those with the best model.
    """
    names, pairs = problem.names, [{r.name_a, r.name_b} for r in results]
    missing = [
        problem.of_pair(model, best)
        for model, name in enumerate(names)
        if model != best and {name, names[best]} not in pairs
    ]
    others = [test.conclude(pair, resamples).results[metric] for pair in missing]
    least = dict.fromkeys(names, 1.0)
    for result in [*results, *others]:
        pvalue = result.limits.pvalue("two-sided")
        if result.alternative == "two-sided":
            pvalue = max(pvalue, result.pvalue)
        behind = result.name_a if result.delta < 0 else result.name_b
        least[behind] = min(least[behind], pvalue)
    return [least[name] for name in names]


def _max_t(test, results, tolerances):
    """Return max-t p-values and, for a bootstrap, max-t intervals."""
    deltas = np.array([result.delta for result in results])
    null = np.column_stack([result.distribution for result in results])
    null = null - deltas if test.redraws_rows else null
    if results[0].statistic_distribution is None:
        studentized = max_t.studentize(deltas, null, tolerances)
    else:  # each resample has its own standard error
        observed = np.array([result.statistic for result in results])
        null = np.column_stack([result.statistic_distribution for result in results])
        slack = T_TOLERANCE * np.minimum(1.0, np.abs(observed))
        studentized = max_t.Studentized(observed, null, slack, np.ones(len(observed)))
    # A complete enumeration of labelings includes the observed one.
    enumerated = results[0].method == "exact" and results[0].n_exceeding is not None
    add_one = test.add_one and not enumerated
    adjusted = max_t.max_t_pvalues(studentized, test.alternative, add_one=add_one)
    raw = np.array([result.pvalue for result in results])  # may be exact
    fields = {"pvalues_adjusted": np.maximum(adjusted, raw) if len(raw) > 1 else raw}
    if results[0].confidence_level is None:
        return fields
    level = results[0].confidence_level
    drawn = max_t.max_t_intervals(deltas, studentized, level)
    intervals = [
        r.limits.interval(
            cut_to_range(interval, r.scoring, [r.score_a, r.score_b]), r.delta, level
        )
        for r, interval in zip(results, drawn, strict=True)
    ]
    return fields | {"intervals": np.array(intervals), "interval_kind": MAX_T}
