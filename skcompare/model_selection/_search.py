"""Comparison of the candidates of a hyperparameter search."""

import copy
from collections.abc import Mapping

import numpy as np

from skcompare._caveats import warn_of
from skcompare._evaluation import metadata_router
from skcompare._format import format_count
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
    "The results do not contain the splits: they are assumed to be those of plain "
    "k-fold cross-validation. For other splits, pass `test_train_ratio`."
)


class _Unquoted(str):
    """A string that is its own repr."""

    __repr__ = str.__str__


class SearchComparison(CallbackSupportMixin, FittedAttributes):
    """Find which candidates of a search are significantly worse than the best.

    A search compares many candidates and selects the one with the best mean score. It
    may be the best one, or the one most favored by chance among equally good ones.

    1. Take the candidate with the best mean score, and compute its differences in score
       to each other candidate, split by split.
    2. Test each difference by Nadeau and Bengio's corrected t-test, which accounts for
       overlapping training sets, and adjust the p-values for their number. Candidates
       that are not significantly worse are *indistinguishable* from the best.
    3. Resample the selection: draw splits with replacement, select the winner on them,
       and compute its lead on the splits that were not drawn. The part of the observed
       lead of the best that disappears is selection bias.

    ``fit()`` needs only the results stored by the search. ``fit(X, y)`` refits the
    candidates and compares their out-of-fold predictions by any test and metric.

    Read more in the :ref:`User Guide <after_the_grid_search>`.

    Parameters
    ----------
    search : estimator, dict or DataFrame
        A fitted search: :class:`~sklearn.model_selection.GridSearchCV`,
        :class:`~sklearn.model_selection.RandomizedSearchCV`, BayesSearchCV,
        OptunaSearchCV or any other that has `cv_results_`, or such results themselves
        (see `from_cv_results`). For a halving search, the candidates of the last
        iteration are compared. It is not changed.
    scoring : str, callable or None, default=None
        The metric. For ``fit()``, the name of a metric of the search; None means the
        one that it refits by, or its only one. For ``fit(X, y)``, any other scorer is
        also possible; `top` then refers to the metric that the search refits by, or its
        first.
    test : object, default=None
        The test for ``fit(X, y)``: any test of two models that gives a p-value, with
        ``alternative="greater"``, on out-of-fold predictions such as `PairedBootstrap`
        or on fold scores such as `CorrectedTTest`. Posteriors have no p-value, and
        `NestedCVInterval` and `FiveByTwoCV` make their own splits. Its models,
        `scoring` and `cv` are not used. None means
        ``PairedBootstrap(alternative="greater")``.
    top : int or None, default=None
        The number of best candidates to compare. None compares all of them.
    correction : {"holm", "bonferroni", "hochberg", "bh", "by", "none"}, default="holm"
        The correction of p-values for multiple comparisons, as in `adjust_pvalues`.
    n_resamples : int, default=500
        The number of resamples of the selection.
    confidence_level : float, default=0.95
        For ``fit()`` and `SearchResult.by_parameter`, the nominal coverage of each
        interval.
    test_train_ratio : float or None, default=None
        For ``fit()``, the number of test rows divided by that of training rows,
        averaged over splits. None computes it from the `cv` of the search. It must be
        passed if that is impossible without the data, which a search does not store:
        for sizes in numbers of rows, leave-one-group-out, and custom splitters.
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
        The result, which can be printed, exported and plotted.
    best_index_ : int
        The position of the best candidate in `cv_results_`: the first of rank 1 in the
        metric, even if the search refitted another one. With a metric that the search
        does not have, the candidate with the best score in ``fit(X, y)``.
    best_params_ : dict
        The parameters of the best candidate.
    indistinguishable_ : ndarray of int
        The positions of all candidates that are not significantly worse, best first.

    See Also
    --------
    SimplestNotWorse : Make a search choose the simplest of these candidates.
    CorrectedTTest : The same test for two models.

    Notes
    -----
    *Null hypothesis*, for each candidate: over training and test sets like these, the
    expected score of the best is not higher. *Assumptions*: those of the corrected
    t-test, that differences are approximately normal with a correlation equal to the
    share of test rows; or those of `test`. *Estimand*: the difference in expected score
    between models trained with the two sets of parameters on training sets of this
    size; with `X` and `y`, that of `test`.

    *The best was selected by the same scores. Which error rate is controlled?* Take any
    candidate that is truly among the best. It is excluded only if another one, no
    better than it, is significantly better at level ``alpha / (k - 1)``, for k
    candidates. There are ``k - 1`` others, so this has a probability of at most
    `alpha`, no matter which of them has the best score: Hsu's comparison with the best
    [4]_. This holds with "bonferroni", for all candidates (not only the `top` ones) and
    a test that controls the type I error for two fixed candidates. "holm" rejects
    slightly more, and there is no such proof: with normal scores on independent rows, a
    paired t-test at 5 % excluded a particular one of 2, 3, 5 or 20 equally good
    candidates in 4.8, 5.0, 4.8 and 3.4 % of searches ("bonferroni": 4.8, 4.5, 4.2 and
    3.1 %), and one with hardly any noise of its own in up to 6.0 % (5.1 %).

    *Not controlled* is the probability that any of several equally good candidates is
    excluded. In the same simulation it was 10, 12, 16 and 34 %. For two candidates it
    is twice the level, since the data determine which of them is the better one. So
    "worse than the best" means that a candidate is not among the best ones, and implies
    nothing more about the selected one.

    The corrected t-test tends to be conservative, which has the opposite effect: in a
    simulation of searches it excluded some of 2, 5 or 20 equally good candidates in
    about 2 % of searches with ten folds, and in 8, 10 and 15 % with 30 random splits,
    2 : 1; a particular one in up to 1.2 and 4.2 %.

    *Luck* is estimated by bootstrap bias-corrected cross-validation [2]_: the lead of
    the selected candidate over the average one, on splits (with `X` and `y`, on rows or
    groups) that were not used to select it. If all candidates are equally good, the
    expected lead is 0. If some are better, a resample selects them less often than all
    splits do, so that selection bias is over- rather than underestimated. Splits that
    share test rows, as in repeated cross-validation, cannot be left out: instead,
    normal noise with the variance of the corrected t-test is added to the mean scores
    for the selection and subtracted for the lead. The standard error of the expected
    lead is that of the lead of the best, from the corrected t-test or from resampling
    rows.

    *Degenerate cases*: the best candidate itself, and those with the same scores on
    every split, have a difference of 0 and p = 1; of several with rank 1, the first is
    the best. A candidate that is behind by the same amount on every split has p = 1/2,
    since the variance cannot be estimated. Candidates that failed on some split are
    listed without numbers and are not counted. With a single candidate there is nothing
    to compare. A single split has no variance: ``fit()`` raises an error, ``fit(X, y)``
    does not.

    Cloning keeps the fitted search, which is the subject of the comparison. Unlike the
    `fit` of other comparisons, `fit` has no parameter `names`: candidates are named by
    their position in `cv_results_` and by those of their parameters that vary.

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

    def __repr__(self, N_CHAR_MAX=700):
        table = self.search
        if isinstance(table, Mapping):
            table = next(iter(table.values()), ())
        elif not hasattr(table, "columns"):  # a search
            return super().__repr__(N_CHAR_MAX)
        number = format_count(len(np.atleast_1d(table)), "candidates")
        results = _Unquoted(f"<results of {number}>")
        shown = type(self)(**self.get_params(deep=False) | {"search": results})
        return shown.__repr__(N_CHAR_MAX)

    def __sklearn_clone__(self):
        # Like `clone`, except that the search stays fitted.
        return type(self)(**copy.deepcopy(self.get_params(deep=False)))

    @classmethod
    def from_cv_results(cls, results, *, test_train_ratio=None, **parameters):
        """Compare the candidates of a search from its results alone.

        Parameters
        ----------
        results : dict or DataFrame
            The `cv_results_` of a search, for example from a saved table.
        test_train_ratio : float or None, default=None
            The number of test rows divided by that of training rows. None assumes plain
            k-fold cross-validation, which is noted in the result.
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
        """Return the router for the metadata of `fit`.

        Returns
        -------
        MetadataRouter
            The router to the candidates of the search, and to its splitter.
        """
        search = read_search(self.search)
        models = {} if search.estimator is None else {"estimator": search.estimator}
        return metadata_router(self, models, cv=search.cv)

    def fit(self, X=None, y=None, *, groups=None, sample_weight=None, **params):
        """Compare the candidates.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list, default=None
            The data to refit the candidates on, fold by fold. None compares them by the
            `cv_results_` of the search.
        y : array-like, default=None
            True labels or values.
        groups : array-like of shape (n_samples,), default=None
            Passed to the splitter of the search; rows with the same label are also
            resampled together.
        sample_weight : array-like of shape (n_samples,), default=None
            Passed to the scorer, and to the fits of models that accept it.
        **params : dict
            With `X`, further parameters for the fits of the candidates, such as those
            passed to the `fit` of the search.

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
                best = self._from_results(search, metric, {"y": y, **rows, **params})
            else:
                best = self._refit(search, metric, X, y, rows, params, seed)
            self._publish(search, best, seed)
        warn_of(best.caveats)
        return self

    def _from_results(self, search, metric, rows):
        """Compare candidates by the results of the search."""
        for name, value in {"test": self.test, **rows}.items():
            if value is not None:
                raise ValueError(
                    f"`{name}` must be passed together with `X`: without data, "
                    "candidates are compared by the results of the search. Got "
                    f"`{name}` alone."
                )
        if metric is None:
            listed = ", ".join(repr(search.title_of(name)) for name in search.metrics)
            raise ValueError(
                "`scoring` must be a metric of the search for fit() without data: "
                f"{listed}. Got {self.scoring!r}. Use fit(X, y): it takes any scorer."
            )
        candidates = read_candidates(search.results, metric)
        splits = self._splits(search, candidates.scores.shape[1])
        title, level = search.title_of(metric), self.confidence_level
        return compare_by_splits(candidates, self.top, splits, level, scoring=title)

    def _splits(self, search, n_splits):
        """Return the properties of the splits, with any `test_train_ratio` passed."""
        if n_splits < 2:
            raise ValueError(
                "`search` must have at least 2 splits for fit() without data. Got "
                f"{n_splits}, from which no variance can be estimated. Use fit(X, y), "
                "which compares row by row."
            )
        splits = splits_of(search.cv, n_splits)
        if self.test_train_ratio is not None:
            return splits.with_ratio(float(self.test_train_ratio))
        if splits.ratio is None:
            raise ValueError(
                "`test_train_ratio` must be passed if the sizes of the splits do not "
                "follow from the cv of the search: a search stores neither the data "
                f"nor the number of rows. Got None, with cv={search.cv!r}. It is the "
                "number of test rows divided by that of training rows, averaged over "
                "splits: np.mean([len(test) / len(train) for train, test in "
                "cv.split(X, y, groups)]). Or use fit(X, y)."
            )
        if not search.has_cv:
            splits = splits._replace(notes=(*splits.notes, ASSUMED_FOLDS))
        return splits

    def _refit(self, search, metric, X, y, rows, params, seed):
        """Refit the best candidates and compare their predictions."""
        default = PairedBootstrap(random_state=seed, verbose=self.verbose)
        test = ready_test(default if self.test is None else self.test, rows)
        if search.estimator is None or not search.has_cv:
            raise ValueError(
                "`search` must have an `estimator` and a `cv` for fit(X, y), which "
                f"refits candidates. Got {search.name} without them. Use fit()."
            )
        y = as_target(y, type(self).__name__)
        check_rows("X", X, y=y, **rows)
        y = as_array(y, "y")
        metrics = search.metrics
        own = search.refit if search.refit in metrics else metrics[0]
        all_candidates = read_candidates(search.results, metric or own)
        return compare_out_of_fold(
            *(all_candidates, self.top, search, test, X, y),
            ranked=metric is not None,
            scoring=scorers_for(search, self.scoring, metric, y),
            params=params,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            **rows,
        )

    def _caveats(self, search, best):
        """Return the caveats of a search."""
        caveats, candidates = [], best.all_candidates
        if candidates.n_earlier:
            caveats.append(
                "Only the last iteration is compared, "
                f"{format_count(len(candidates.index), 'candidates')}: the "
                f"{candidates.n_earlier} entries of earlier iterations had fewer "
                "resources. The selection cannot be repeated, so there is no expected "
                "lead."
            )
        if candidates.failed:
            caveats.append(
                f"Candidates without a score on every split: {len(candidates.failed)}. "
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
        """Set the fitted attributes."""
        candidates, fields, lead, error = best.candidates, best.fields, np.nan, np.nan
        if not best.all_candidates.n_earlier:
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
