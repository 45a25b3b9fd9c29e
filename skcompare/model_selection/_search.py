"""What the candidates of a search tell, and what they do not."""

import copy

import numpy as np

from skcompare._caveats import warn_of
from skcompare._evaluation import metadata_router
from skcompare._parameters import (
    CORRECTIONS,
    MOST,
    Integer,
    OneOf,
    settings_of,
)
from skcompare._progress import CallbackSupportMixin, followed
from skcompare._validation import as_array, check_rows, seed_of
from skcompare.comparison import FittedAttributes, PairedBootstrap, as_target
from skcompare.model_selection._best import (
    compare_by_splits,
    compare_out_of_fold,
    compare_values,
    expected_lead,
    lead_over,
    ready_test,
)
from skcompare.model_selection._candidates import (
    read_candidates,
    read_search,
    scorers_for,
)
from skcompare.model_selection._splits import splits_of
from skcompare.results import SearchResult, candidate_labels
from skcompare.stats.selection import adjust_against_best

ASSUMED_FOLDS = (
    "Results alone do not tell what the splits were: they are taken as those of plain "
    "k-fold cross-validation. For others give `test_train_ratio`."
)


class SearchComparison(CallbackSupportMixin, FittedAttributes):
    """Find which candidates of a search are worse than the best, and which are not.

    A search compares many candidates and keeps the one with the best mean score. That
    one may be the best; or one of several that are about as good, and the luckiest.

    1. Take the candidate with the best mean score, and subtract the scores of each of
       the others from its scores, split by split.
    2. Test each difference by Nadeau and Bengio's corrected t, which allows for
       training sets that overlap, and adjust the p-values for their number. Candidates
       that are not significantly worse are *indistinguishable* from the best.
    3. Resample the selection: draw splits with replacement, let them choose a winner,
       and see how far it leads on the splits that were not drawn. What is missing from
       the lead of the best was luck.

    ``fit()`` needs nothing but what the search has kept. ``fit(X, y)`` fits the
    candidates again and compares their out-of-fold predictions by any test and metric.

    Read more in the :ref:`User Guide <after_the_grid_search>`.

    Parameters
    ----------
    search : estimator, dict or DataFrame
        A fitted search: :class:`~sklearn.model_selection.GridSearchCV`,
        :class:`~sklearn.model_selection.RandomizedSearchCV`, BayesSearchCV,
        OptunaSearchCV or any other that has `cv_results_`, or such results themselves
        (see `from_cv_results`). Of a halving search the candidates of the last
        iteration are compared. It is not changed.
    scoring : str, callable or None, default=None
        The metric. For ``fit()`` the name of one of those of the search; None takes the
        one that it refits by, or its only one. For ``fit(X, y)`` also any other scorer;
        the `top` are then those by the metric that the search refits by, or its first.
    test : object, default=None
        The test that ``fit(X, y)`` makes: any for two models that gives a p-value,
        with ``alternative="greater"``, on out-of-fold predictions such as
        `PairedBootstrap` or on fold scores such as `CorrectedTTest`. Posteriors have no
        p-value, and `NestedCVInterval` and `FiveByTwoCV` make splits of their own. Its
        models, `scoring` and `cv` are not used. None means
        ``PairedBootstrap(alternative="greater")``.
    top : int or None, default=None
        Compare only so many of the best. None compares all of them.
    correction : {"holm", "bonferroni", "hochberg", "bh", "by", "none"}, default="holm"
        How p-values are adjusted for their number, as in `adjust_pvalues`.
    n_resamples : int, default=500
        How often the selection is resampled.
    confidence_level : float, default=0.95
        For ``fit()`` and `SearchResult.by_parameter`, the nominal coverage of each
        interval.
    test_train_ratio : float or None, default=None
        For ``fit()``, the number of test rows over that of training rows, averaged over
        splits. None takes it from the `cv` of the search. It must be given where that
        does not tell without the data, which a search does not keep: sizes that were
        given as numbers of rows, groups left out as a whole, splitters of your own.
    alpha : float, default=0.05
        The level at which a candidate is significantly worse than the best.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random draws. The numbers do not depend on `n_jobs`.
    n_jobs : int, default=None
        The number of joblib workers. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        Whether to show progress on standard error, after two seconds.

    Attributes
    ----------
    result_ : SearchResult
        The result, which prints, exports and draws itself.
    best_index_ : int
        The position of the best in `cv_results_`: the first of rank 1 in the metric,
        whatever the search refitted. With a metric that the search does not have, the
        one that scores best now.
    best_params_ : dict
        Its parameters.
    indistinguishable_ : ndarray of int
        The positions of all candidates that are not significantly worse, best first.

    See Also
    --------
    SimplestNotWorse : Let the search itself choose the simplest of those.
    CorrectedTTest : The same test for two models.

    Notes
    -----
    *Null hypothesis*, for each candidate: over training and test sets like these, the
    best scores no better than it does. *Assumptions*: those of the corrected t, that
    differences are about normal and correlated as much as the share of test rows; or
    those of `test`. *Estimand*: the difference in expected score between models trained
    with the two sets of parameters on so many rows; with `X` and `y` what `test`
    estimates.

    *The best was chosen by the same scores. What is kept at the level?* Take any
    candidate that is truly among the best. It is excluded only if another one, no
    better than it, is significantly better by ``alpha / (k - 1)``, for k candidates.
    There are ``k - 1`` others, so that this happens with a probability of at most
    `alpha`, whoever of them has the best score: Hsu's comparison with the best [4]_.
    This holds with "bonferroni", for all candidates (not some `top` of them) and a
    test that keeps its level for two given candidates. "holm" rejects a little more,
    and there is no such proof: normal scores on independent rows, by a paired t at 5 %,
    excluded a given one of 2, 3, 5 or 20 equally good candidates in 4.8, 5.0, 4.8 and
    3.4 % of searches ("bonferroni": 4.8, 4.5, 4.2 and 3.1 %), and one with hardly any
    noise of its own in up to 6.0 % (5.1 %).

    *What is not kept*: the probability that any of several equally good candidates is
    excluded. In the same simulation it was 10, 12, 16 and 34 %. Of two it is twice the
    level: which of them is to be the better one is left to the data. So "worse than
    the best" says that a candidate is not among the best ones, and no more about the
    one that was chosen.

    The corrected t tends to be conservative, which works the other way: in a simulation
    of searches it excluded some of 2, 5 or 20 equally good candidates in about 2 % of
    them by ten folds, and in 8, 10 and 15 % by 30 random splits, 2 : 1; a given one in
    up to 1.2 and 4.2 %.

    *Luck* is estimated by bootstrap bias-corrected cross-validation [2]_: the lead of
    the selected candidate over the average one, on splits (with `X` and `y`, on rows or
    groups) that did not select it. Where all candidates are equally good, the lead that
    can be expected to last is 0. Where some are better, a resample finds them less
    often than all splits do, so that luck is overrated rather than underrated. Splits
    that share test rows, as those of repeated cross-validation do, cannot be left out:
    there, normal noise with the variance of the corrected t is added to the mean scores
    for the selection and subtracted for the lead. The standard error of the expected
    lead is that of the lead of the best, by the corrected t or by resampling rows.

    *Degenerate cases*: the best itself has a difference of 0 and p = 1. So have
    candidates with the same scores on every split; of several with rank 1 the first is
    the best. A candidate that is behind by the same amount on every split has the limit
    p = 0. Candidates that failed on some split are listed without numbers and do not
    count. With a single candidate there is nothing to compare. A single split has no
    variance: ``fit()`` refuses it, ``fit(X, y)`` does not.

    Cloning keeps the fitted search, which is what this is about.

    References
    ----------
    .. [1] Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning 52(3), 239-281. :doi:`10.1023/A:1024068626366`
    .. [2] Tsamardinos, I., Greasidou, E. and Borboudakis, G. (2018). Bootstrapping the
       out-of-sample predictions for efficient and accurate cross-validation. Machine
       Learning 107(12), 1895-1922. :doi:`10.1007/s10994-018-5714-4`
    .. [3] Tibshirani, R. J. and Tibshirani, R. (2009). A bias correction for the
       minimum error rate in cross-validation. Annals of Applied Statistics 3(2),
       822-829. :doi:`10.1214/08-AOAS224`
    .. [4] Hsu, J. C. (1984). Constrained simultaneous confidence intervals for multiple
       comparisons with the best. Annals of Statistics 12(3), 1136-1144.
       :doi:`10.1214/aos/1176346732`

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import SearchComparison
    >>> search = GridSearchCV(DecisionTreeClassifier(random_state=0),
    ...                       {"max_depth": [1, 2, 3, 4, 5]}, cv=10)
    >>> search = search.fit(*load_iris(return_X_y=True))
    >>> comparison = SearchComparison(search, random_state=0).fit()
    >>> comparison.best_params_
    {'max_depth': 3}
    >>> comparison.indistinguishable_.tolist()
    [2, 4, 3, 1]
    """

    _rules = {"correction": OneOf(*CORRECTIONS), "n_resamples": Integer(1, MOST)}

    def __init__(
        self,
        search,
        *,
        scoring=None,
        test=None,
        top=None,
        correction="holm",
        n_resamples=500,
        confidence_level=0.95,
        test_train_ratio=None,
        alpha=0.05,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.search = search
        self.scoring = scoring
        self.test = test
        self.top = top
        self.correction = correction
        self.n_resamples = n_resamples
        self.confidence_level = confidence_level
        self.test_train_ratio = test_train_ratio
        self.alpha = alpha
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def __sklearn_clone__(self):
        # As `clone` does, but for the search: that stays fitted.
        return type(self)(**copy.deepcopy(self.get_params(deep=False)))

    @classmethod
    def from_cv_results(cls, results, *, test_train_ratio=None, **parameters):
        """Compare the candidates of a search of which only the results are left.

        Parameters
        ----------
        results : dict or DataFrame
            The `cv_results_` of a search, such as a table of them that was saved.
        test_train_ratio : float or None, default=None
            The number of test rows over that of training rows. None takes the splits as
            those of plain k-fold cross-validation, and the result says so.
        **parameters : dict
            The other parameters of a `SearchComparison`.

        Returns
        -------
        SearchComparison
            The comparison, fitted without data.

        Examples
        --------
        >>> from skcompare import SearchComparison
        >>> results = {"params": [{"depth": 1}, {"depth": 2}],
        ...            "split0_test_score": [0.70, 0.81],
        ...            "split1_test_score": [0.72, 0.80],
        ...            "split2_test_score": [0.69, 0.83]}
        >>> comparison = SearchComparison.from_cv_results(results, random_state=0)
        >>> comparison.best_params_, comparison.result_.pvalues.round(3).tolist()
        ({'depth': 2}, [1.0, 0.028])
        """
        return cls(results, test_train_ratio=test_train_ratio, **parameters).fit()

    def get_metadata_routing(self):
        """Return the router that says where metadata of `fit` go.

        Returns
        -------
        MetadataRouter
            To the candidates of the search, and to its splitter.
        """
        search = read_search(self.search)
        models = {} if search.estimator is None else {"estimator": search.estimator}
        return metadata_router(self, models, cv=search.cv)

    def fit(self, X=None, y=None, *, groups=None, sample_weight=None, **params):
        """Compare the candidates.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list, default=None
            The data to fit the candidates on again, fold by fold. None compares them by
            what the search has kept in `cv_results_`.
        y : array-like, default=None
            The truth.
        groups : array-like of shape (n_samples,), default=None
            Passed to the splitter of the search; rows with the same label are also
            resampled together.
        sample_weight : array-like of shape (n_samples,), default=None
            Passed to the scorer, and to the fits of models that take it.
        **params : dict
            With `X`, further parameters for the fits of the candidates, such as those
            that the `fit` of the search got.

        Returns
        -------
        SearchComparison
            The fitted comparison itself.
        """
        self.check_parameters()
        search, seed = read_search(self.search), seed_of(self.random_state)
        metric = search.name_of(self.scoring)
        rows = {"groups": groups, "sample_weight": sample_weight}
        with followed(self):
            if X is None:
                best = self._read(search, metric, {"y": y, **rows, **params})
            else:
                best = self._fit_again(search, metric, X, y, rows, params, seed)
            self._publish(search, best, seed)
        warn_of(best.caveats)
        return self

    def _read(self, search, metric, rows):
        """Compare by what the search has kept."""
        for name, value in {"test": self.test, **rows}.items():
            if value is not None:
                raise ValueError(
                    f"`{name}` must come with `X`: without data, candidates are "
                    f"compared by what the search has kept. Got `{name}` alone."
                )
        if metric is None:
            listed = ", ".join(map(repr, search.metrics))
            raise ValueError(
                "`scoring` must be a metric of the search for fit() without data: "
                f"{listed}. Got {self.scoring!r}. Use fit(X, y): it takes any scorer."
            )
        everyone = read_candidates(search.results, metric)
        splits = self._splits(search, everyone.scores.shape[1])
        title, level = search.title_of(metric), self.confidence_level
        return compare_by_splits(everyone, self.top, splits, level, scoring=title)

    def _splits(self, search, n_splits):
        """Return what is known of the splits, with the ratio that was given, if any."""
        if n_splits < 2:
            raise ValueError(
                "`search` must have at least 2 splits for fit() without data. Got "
                f"{n_splits}, which shows no variance. Use fit(X, y): it compares "
                "row by row."
            )
        splits = splits_of(search.cv, n_splits)
        if self.test_train_ratio is not None:
            return splits.with_ratio(float(self.test_train_ratio))
        if splits.ratio is None:
            raise ValueError(
                "`test_train_ratio` must be given where the cv of the search does not "
                "tell the sizes of its splits without the data: a search keeps neither "
                f"those nor their number. Got None, with cv={search.cv!r}. It is "
                "the number of test rows over that of training rows, averaged over "
                "splits: np.mean([len(test) / len(train) for train, test in "
                "cv.split(X, y, groups)]). Or use fit(X, y)."
            )
        if not search.has_cv:
            splits = splits._replace(notes=(*splits.notes, ASSUMED_FOLDS))
        return splits

    def _fit_again(self, search, metric, X, y, rows, params, seed):
        """Fit the best candidates again, and compare their predictions."""
        usual = PairedBootstrap(random_state=seed, verbose=self.verbose)
        test = ready_test(usual if self.test is None else self.test, rows)
        if search.estimator is None or not search.has_cv:
            raise ValueError(
                "`search` must have an `estimator` and a `cv` for fit(X, y), which "
                f"fits candidates again. Got {search.name} without. Use fit()."
            )
        y = as_target(y, type(self).__name__)
        check_rows("X", X, y=y, **rows)
        y = as_array(y, "y")
        metrics = search.metrics
        own = search.refit if search.refit in metrics else metrics[0]
        everyone = read_candidates(search.results, metric or own)
        return compare_out_of_fold(
            *(everyone, self.top, search, test, X, y),
            ranked=metric is not None,
            scoring=scorers_for(search, self.scoring, metric, y),
            params=params,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            **rows,
        )

    def _caveats(self, search, best):
        """Return what to bear in mind about a search."""
        caveats, everyone = [], best.everyone
        if everyone.n_earlier:
            caveats.append(
                "Only the last iteration is compared, "
                f"{len(everyone.index)} candidates: the {everyone.n_earlier} entries "
                "of earlier ones had fewer resources. Their selection cannot be "
                "repeated, so that there is no expected lead."
            )
        if everyone.failed:
            caveats.append(
                f"Candidates without a score on every split: {len(everyone.failed)}. "
                "They are not compared."
            )
        caveats += best.notes
        index, chosen = best.candidates.index.tolist(), search.best_index
        if callable(search.refit) and chosen not in (None, index[0]):
            text = f"The `refit` of the search chose candidate {chosen}"
            if chosen in index:
                place = index.index(chosen)
                label = candidate_labels(best.candidates.params)[place]
                behind = best.fields["deltas"][place]
                text += f" ({label}), number {place + 1} here, {behind:.4g} behind the "
                text += "best"
            caveats.append(f"{text}.")
        return caveats

    def _publish(self, search, best, seed):
        """Keep the result."""
        candidates, fields, lead, error = best.candidates, best.fields, np.nan, np.nan
        if not best.everyone.n_earlier:
            drawing = {"seed": seed, "n_jobs": self.n_jobs, "verbose": self.verbose}
            lead, error = expected_lead(best.selection, self.n_resamples, **drawing)
        values = compare_values(
            candidates.params,
            candidates.scores,
            fields["test_train_ratio"],
            correction=self.correction,
            confidence_level=self.confidence_level,
        )
        self.result_ = SearchResult(
            search=search.name,
            settings=settings_of(self),
            candidates=candidates.index,
            params=tuple(candidates.params),
            pvalues_adjusted=adjust_against_best(fields["pvalues"], self.correction),
            lead=lead_over(fields["mean_scores"][0], best.selection.scores),
            expected_lead=lead,
            expected_lead_error=error,
            parameters=tuple(values),
            failed=candidates.failed,
            n_splits=candidates.scores.shape[1],
            alpha=float(self.alpha),
            correction=self.correction,
            n_resamples=self.n_resamples,
            seed=seed,
            caveats=(
                *self._caveats(search, best),
                *(caveat.text for caveat in best.caveats),
            ),
            **fields,
        )
        self.best_index_ = int(candidates.index[0])
        self.best_params_ = candidates.params[0]
        self.indistinguishable_ = candidates.index[self.result_.indistinguishable]
