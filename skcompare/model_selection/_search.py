"""What the candidates of a search tell, and what they do not."""

import copy

from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from skcompare._caveats import warn_of
from skcompare._evaluation import check_rows
from skcompare._parameters import Integer, OneOf, check_parameters
from skcompare._progress import CallbackSupportMixin, followed
from skcompare._random import seed_of
from skcompare._validation import (
    BaseSearchCV,
    as_array,
    as_weights,
)
from skcompare.comparison import IN_TIME, PairedBootstrap, as_target
from skcompare.model_selection._best import (
    compare_by_splits,
    compare_out_of_fold,
    ready_test,
)
from skcompare.model_selection._cv_results import metrics_in, read_candidates
from skcompare.model_selection._metric import (
    metric_of_search,
    ranking_metric,
    scorers_for,
    shown_name,
)
from skcompare.model_selection._parameters import compare_values
from skcompare.model_selection._ratio import (
    has_disjoint_tests,
    implied_ratio,
    keeps_groups,
    runs_forward,
    splits_at_random,
)
from skcompare.model_selection._selection_bias import expected_lead
from skcompare.results import SearchResult
from skcompare.stats import CORRECTIONS, adjust_against_best

MOST = 1_000_000

EQUAL_GROUPS = (
    "Folds of groups are taken as equally large. If they are not, p-values are too "
    "small: give the mean of test rows over training rows as `test_train_ratio`."
)


class SearchComparison(CallbackSupportMixin, BaseEstimator):
    """Tell which candidates of a search are worse than the best, and which are not.

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
    candidates again and compares their out-of-fold answers by any test and any metric.

    Read more in the :ref:`User Guide <after_the_grid_search>`.

    Parameters
    ----------
    scoring : str, callable or None, default=None
        The metric. For ``fit()`` the name of one of those of the search; None takes the
        one that it refits by, or its only one. For ``fit(X, y)`` also any other scorer.
    test : object, default=None
        The test that ``fit(X, y)`` makes: any for two models that gives a p-value,
        with ``alternative="greater"``, on out-of-fold answers such as `PairedBootstrap`
        or on fold scores such as `CorrectedTTest`. Posteriors have no p-value, and
        `NestedCVInterval` and `FiveByTwoCV` make splits of their own. Its models,
        `scoring` and `cv` are not used. None means
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
        The level at which a candidate is told from the best.
    random_state : int, RandomState, Generator or None, default=None
        Where the draws come from. The numbers do not depend on `n_jobs`.
    n_jobs : int, default=None
        The number of joblib workers. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    search : estimator
        A fitted :class:`~sklearn.model_selection.GridSearchCV`,
        :class:`~sklearn.model_selection.RandomizedSearchCV`, or a halving search, of
        which the candidates of the last iteration are compared. It is not changed.

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
    level: which of them is to be the better one is left to the data. So "told from the
    best" says that a candidate is not among the best ones, and no more about the one
    that was chosen.

    The corrected t tends to be conservative, which works the other way: in a simulation
    of searches it excluded some of 2, 5 or 20 equally good candidates in about 2 % of
    them by ten folds, and in 8, 10 and 15 % by 30 random splits, 2 : 1; a given one in
    up to 1.2 and 4.2 %.

    *Luck* is estimated by bootstrap bias-corrected cross-validation [2]_: the lead of
    the selected candidate over the average one, on splits (with `X` and `y`, on rows or
    groups) that did not select it. Where all candidates are equally good, the lead that
    can be expected to last is 0. Where some are better, a resample finds them less
    often than all splits do, so that luck is overrated rather than underrated. Splits
    that share test rows, as those of repeated cross-validation do, underrate it;
    ``fit(X, y)`` resamples rows and does not suffer from that.

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

    _rules = {
        "correction": OneOf(*CORRECTIONS),
        "n_resamples": Integer(1, MOST),
    }

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

    def __sklearn_clone__(self):
        # As `clone` does, but for the search: that stays fitted.
        return type(self)(**copy.deepcopy(self.get_params(deep=False)))

    def fit(self, X=None, y=None, *, groups=None, sample_weight=None):
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

        Returns
        -------
        SearchComparison
            The fitted comparison itself.
        """
        check_parameters(self)
        search, seed = fitted_search(self.search), seed_of(self.random_state)
        with followed(self):
            if X is None:
                refuse_without_data(y=y, groups=groups, sample_weight=sample_weight)
                name, best, caveats = self._read(search)
            else:
                name, best, caveats = self._refit(
                    search, X, y, groups, as_weights(sample_weight), seed
                )
            self._publish(name, best, caveats, seed)
        return self

    def _read(self, search):
        """Judge by what the search has kept."""
        metric = metric_of_search(search, self.scoring)
        if metric is None:
            known = ", ".join(map(repr, metrics_in(search.cv_results_)))
            raise ValueError(
                "`scoring` must be a metric of the search for fit() without data: "
                f"{known}. Got {self.scoring!r}. Use fit(X, y): it takes any scorer."
            )
        everyone = read_candidates(search.cv_results_, metric)
        ratio = self._ratio(search, everyone.scores.shape[1])
        best = compare_by_splits(everyone, self.top, ratio, self.confidence_level)
        caveats = [
            *notes_on(everyone),
            *shared_rows_note(search),
            *order_note(search),
        ]
        if self.test_train_ratio is None and keeps_groups(search.cv):
            caveats.append(EQUAL_GROUPS)
        return shown_name(search, metric), best, caveats

    def _ratio(self, search, n_splits):
        """Return the ratio that was given, or the one that the search implies."""
        if n_splits < 2:
            raise ValueError(
                "`search` must have at least 2 splits for fit() without data. Got "
                f"{n_splits}, which shows no variance. Use fit(X, y): it compares "
                "row by row."
            )
        if self.test_train_ratio is not None:
            return float(self.test_train_ratio)
        ratio = implied_ratio(search.cv, n_splits)
        if ratio is None:
            raise ValueError(
                "`test_train_ratio` must be given where the cv of the search does not "
                "tell the sizes of its splits without the data: a search keeps neither "
                f"those nor their number. Got None, with cv={search.cv!r}. It is the "
                "number of test rows over that of training rows, averaged over splits: "
                "np.mean([len(test) / len(train) for train, test in cv.split(X, y, "
                "groups)]). Or use fit(X, y)."
            )
        return ratio

    def _refit(self, search, X, y, groups, weights, seed):
        """Fit the best candidates again, and judge their answers."""
        default = PairedBootstrap(alternative="greater", random_state=seed)
        test = ready_test(
            default if self.test is None else self.test,
            groups=groups,
            sample_weight=weights,
        )
        y = as_target(y, type(self).__name__)
        check_rows("X", X, y=y, groups=groups, sample_weight=weights)
        metric = metric_of_search(search, self.scoring)
        everyone = read_candidates(search.cv_results_, metric or ranking_metric(search))
        candidates, y = everyone.head(self.top), as_array(y, "y")
        scorers = scorers_for(
            search, self.scoring, metric, models=[search.estimator], y=y
        )
        best = compare_out_of_fold(
            candidates,
            search,
            test,
            X,
            y,
            scorers=scorers,
            ranked=metric is not None,
            groups=groups,
            sample_weight=weights,
            n_jobs=self.n_jobs,
        )
        caveats = [*notes_on(everyone), *top_note(everyone, candidates)]
        return next(iter(scorers)), best, caveats

    def _publish(self, name, best, caveats, seed):
        """Keep the result, and warn of what the test warns of."""
        candidates, against = best.candidates, best.against
        self.result_ = SearchResult(
            search=type(self.search).__name__,
            scoring=name,
            test=best.test,
            candidates=candidates.index,
            params=tuple(candidates.params),
            mean_scores=best.mean_scores,
            deltas=against.deltas,
            intervals=against.intervals,
            pvalues=against.pvalues,
            pvalues_adjusted=adjust_against_best(against.pvalues, self.correction),
            lead=best.lead,
            expected_lead=self._expected_lead(best, seed),
            parameters=tuple(self._compare_values(best)),
            failed=candidates.failed,
            n_splits=candidates.scores.shape[1],
            test_train_ratio=best.ratio,
            alpha=float(self.alpha),
            correction=self.correction,
            confidence_level=best.confidence_level,
            n_resamples=self.n_resamples,
            unit=best.unit,
            seed=seed,
            caveats=(*caveats, *(caveat.text for caveat in best.caveats)),
        )
        self.best_index_ = int(candidates.index[0])
        self.best_params_ = candidates.params[0]
        self.indistinguishable_ = candidates.index[self.result_.indistinguishable]
        warn_of(best.caveats)

    def _expected_lead(self, best, seed):
        return expected_lead(
            best.score,
            best.n_units,
            positions=best.positions,
            n_resamples=self.n_resamples,
            seed=seed,
            n_jobs=self.n_jobs,
        )

    def _compare_values(self, best):
        return compare_values(
            best.candidates.params,
            best.candidates.scores,
            best.ratio,
            correction=self.correction,
            confidence_level=self.confidence_level,
        )


def fitted_search(search):
    """Check that this is a search, and that it has been fitted."""
    if not isinstance(search, BaseSearchCV):
        raise ValueError(
            "`search` must be a GridSearchCV, a RandomizedSearchCV or a halving "
            f"search. Got {search!r}."
        )
    if not hasattr(search, "cv_results_"):
        raise NotFittedError(
            f"`search` must be fitted. Got an unfitted {type(search).__name__}. Call "
            "its fit first."
        )
    return search


def refuse_without_data(**given):
    """Raise if something came that is about rows, without the rows."""
    for name, value in given.items():
        if value is not None:
            raise ValueError(
                f"`{name}` must come with `X`: without data, candidates are compared "
                f"by what the search has kept. Got `{name}` alone."
            )


def notes_on(everyone):
    """Say which candidates of a search are not compared."""
    if everyone.n_earlier:
        yield (
            f"Only the last iteration is compared, {len(everyone.index)} candidates: "
            f"the {everyone.n_earlier} entries of earlier ones had fewer resources."
        )
    if everyone.failed:
        yield (
            f"Candidates without a score on every split: {len(everyone.failed)}. They "
            "are not compared."
        )


def shared_rows_note(search):
    """Say so if splits may test the same rows."""
    if not has_disjoint_tests(search.cv):
        yield (
            "Splits that share test rows underrate luck. fit(X, y) resamples rows "
            "instead."
        )
    if splits_at_random(search.cv):
        yield (
            "On random splits the corrected t is less cautious than on folds: in a "
            "simulation it told some of two to twenty equal candidates from the best "
            "in 8 to 15 % of searches at the level 0.05, a given one in 2 to 4 %. By "
            "repeated folds it was 1 to 4 %, and up to 2 %."
        )


def order_note(search):
    """Say so if training sets precede their test sets."""
    if runs_forward(search.cv):
        yield IN_TIME


def top_note(everyone, candidates):
    """Say so if only some candidates were fitted again."""
    left_out = len(everyone.index) - len(candidates.index)
    if left_out:
        yield (
            f"{left_out} candidates of lower rank were not fitted again: luck in "
            "ranking those above them is not counted."
        )
