"""Replicability analysis: in how many data sets or folds is there an effect?"""

import math

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import indexable

from skcompare._caveats import Caveat, merge_caveats, warn_of
from skcompare._evaluation import (
    check_splits,
    fit_on_folds,
    fit_parameters_of,
    frozen_note,
    groups_overlap,
    name_of,
    scoring_at,
    shared_splits,
    trains_on_the_past,
)
from skcompare._format import format_count
from skcompare._parameters import FOLDS, RULES, OneOf
from skcompare._progress import followed
from skcompare._validation import (
    as_array,
    check_rows,
    model_names,
    split_data,
    take_rows,
)
from skcompare.comparison._base import (
    Outcome,
    as_target,
    check_models,
    refuse_untaken,
)
from skcompare.comparison._needs import declares
from skcompare.comparison._winner import ComparesModels, result_attributes
from skcompare.exceptions import (
    DependentFoldsWarning,
    FailedFitWarning,
    ParameterError,
)
from skcompare.results import ReplicabilityResult
from skcompare.stats.corrections import (
    DEPENDENCES,
    adjust_pvalues,
    partial_conjunction_pvalues,
)

IN_TIME = Caveat(
    DependentFoldsWarning,
    "All training rows precede their test rows, as in a time series: folds concern "
    "models trained on periods of different length. Neighboring rows may be dependent, "
    "but the test of a fold treats them as independent unless `groups` are passed.",
)
OVERLAP = Caveat(
    DependentFoldsWarning,
    "Groups have rows in both the training and the test set: `cv` does not keep them "
    "together. Use GroupKFold, or another splitter that does.",
)
_FAILED = (
    "A model could not be fitted, which counts as no effect: p = 1. The first error: "
)


def replicability_analysis(pvalues, *, dependence="any", alpha=0.05):
    """Compute a lower bound for the number of data sets with an effect, and name them.

    Counting the p-values below `alpha` is not enough: among twenty data sets without
    any effect, one such p-value is expected.

    Read more in the :ref:`User Guide <replicability>`.

    Parameters
    ----------
    pvalues : array-like of shape (n_datasets,), dict or Series
        A p-value for each data set, all for the same question. The keys of a dict, or
        the index of a series, name the data sets.
    dependence : {"any", "independent"}, default="any"
        The allowed dependence between p-values. "independent" is for data sets that
        share neither test rows nor training rows; it detects more effects.
    alpha : float, default=0.05
        Upper bound on the probability that `k` is too large, and on the probability
        that `rejected` names any data set without an effect.

    Returns
    -------
    ReplicabilityResult
        `k`, `partial_conjunction_pvalues` and `rejected`.

    See Also
    --------
    FoldReplicability : The same for the folds of cross-validation.
    FriedmanTest : Whether several models differ over data sets.

    Notes
    -----
    *Null hypotheses*: for u = 1, 2, ... "fewer than u of the data sets have an effect".
    Each is tested by a *partial conjunction* p-value: the u - 1 smallest p-values are
    set aside and the n - u + 1 others combined, by Bonferroni (for any dependence:
    n - u + 1 times the smallest of them) or by Fisher (for independence: from the sum
    of their logarithms). After taking the running maximum over u, `k` is the number of
    those that are at most `alpha`; the two versions are called K_Bonferroni and
    K_Fisher [1]_. *Estimand*: the number of data sets with an effect, for which `k` is
    a lower confidence bound with coverage ``1 - alpha``. *Assumptions*: each p-value is
    valid, that is, without an effect it is at most t with probability at most t.

    `rejected` uses Holm's procedure [2]_ for both values of `dependence`. Its adjusted
    p-values are the Bonferroni partial conjunction p-values, so K_Bonferroni is the
    number of data sets that it names. K_Fisher may be larger: then more data sets have
    an effect than can be named.

    A single data set is analyzed in the same way: `k` is 1 if its p-value is at most
    `alpha`. Equal p-values are rejected together or not at all. P-values of 1 never
    count as an effect, and p-values of 0 always do.

    References
    ----------
    .. [1] Dror, R., Baumer, G., Bogomolov, M. and Reichart, R. (2017). Replicability
       analysis for natural language processing: testing significance with multiple
       datasets. Transactions of the ACL 5, 471-486. :doi:`10.1162/tacl_a_00074`
    .. [2] Holm, S. (1979). A simple sequentially rejective multiple test procedure.
       Scandinavian Journal of Statistics 6(2), 65-70.

    Examples
    --------
    >>> from skcompare import replicability_analysis
    >>> pvalues = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]
    >>> replicability_analysis(pvalues)
    ReplicabilityResult(k=1, rejected=(5,))
    >>> replicability_analysis(pvalues, dependence="independent").k
    2
    >>> print(replicability_analysis({"news": 0.004, "tweets": 0.03}).sentence())
    At the level 0.05 there is an effect in at least 2 of 2 data sets (K_Bonferroni).
    Holm's procedure finds an effect in these data sets: news, tweets.
    """
    OneOf(*DEPENDENCES).check("dependence", dependence)
    alpha = float(RULES["alpha"].check("alpha", alpha))
    names, values = _as_pvalues(pvalues)
    return analyze(values, names=names, dependence=dependence, alpha=alpha)


def analyze(pvalues, *, names, dependence, alpha, **facts):
    """Return the result for validated p-values; `facts` are its additional fields."""
    combined = partial_conjunction_pvalues(pvalues, dependence=dependence)
    rejected = adjust_pvalues(pvalues, "holm") <= alpha
    return ReplicabilityResult(
        k=int(np.count_nonzero(combined <= alpha)),
        rejected=tuple(names[i] for i in np.flatnonzero(rejected)),
        pvalues=pvalues,
        partial_conjunction_pvalues=combined,
        names=names,
        dependence=dependence,
        alpha=alpha,
        **facts,
    )


def _as_pvalues(pvalues):
    """Return names and an array of p-values, or raise if they are invalid."""
    named = hasattr(pvalues, "items")
    values = [value for _, value in pvalues.items()] if named else pvalues
    try:
        values = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"`pvalues` must be numbers. Got {pvalues!r}.") from None
    if values.ndim != 1 or not len(values):
        raise ValueError(
            "`pvalues` must be one-dimensional, with a p-value for each data set. "
            f"Got an array of shape {values.shape}."
        )
    names = tuple(pvalues.keys()) if named else tuple(range(len(values)))
    if len(set(names)) < len(names):
        raise ValueError(
            f"`pvalues` must name every data set once. Got {list(map(str, names))}."
        )
    outside = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(outside):
        first = outside[0]
        raise ValueError(
            "`pvalues` must lie between 0 and 1, none missing. Got "
            f"{float(values[first])!r} for {names[first]!r}. Leave out data sets "
            "without a p-value."
        )
    return names, values


@result_attributes("k", "rejected", "pvalues", "partial_conjunction_pvalues")
class FoldReplicability(ComparesModels):
    """Test two models on every fold of cross-validation, and count the effects.

    1. Split the data and fit both models on each training set.
    2. Test them on each test set: one p-value per fold.
    3. `k_` is a lower bound for the number of folds with an effect, computed by
       `replicability_analysis` for arbitrary dependence, since folds share training
       rows.

    Read more in the :ref:`User Guide <replicability>`.

    Parameters
    ----------
    test : comparison, default=None
        A test of two models, such as
        ``McNemar(LogisticRegression(), GaussianNB())``, with one metric. It is cloned,
        and its `cv` is ignored: clones of its models, even of fitted ones, are fitted
        on each training set and tested.
    cv : int, splitter, iterable or None, default=None
        As in scikit-learn; None means five folds. Test sets may overlap, and rows may
        be untested.
    alpha : float, default=0.05
        Upper bound on the probability that `k_` is too large.
    error_score : nan or "raise", default=nan
        With nan, a fold on which a model could not be fitted counts as a fold without
        an effect, with a `FailedFitWarning`. "raise" raises the error of the model.
    n_jobs : int, default=None
        Number of joblib workers for the fits. None means 1 unless in a
        :func:`joblib.parallel_config` context. The test has its own `n_jobs`.
    verbose : int, default=0
        If nonzero, show the progress of fits on standard error after two seconds.

    Attributes
    ----------
    result_ : ReplicabilityResult
        The complete result.
    k_ : int
        Lower bound for the number of folds with an effect (K_Bonferroni).
    rejected_ : tuple of int
        The folds named by Holm's procedure.
    pvalues_ : ndarray of shape (n_folds,)
        The p-value of each fold; 1 where a model could not be fitted.
    partial_conjunction_pvalues_ : ndarray of shape (n_folds,)
        For u = 1, 2, ... the p-value for "fewer than u folds have an effect".
    fold_results_ : list of ComparisonResult or None
        The result of the test on each fold; None where a model could not be fitted.

    See Also
    --------
    replicability_analysis : The same for p-values of several data sets.
    CorrectedTTest : One test on the scores of all folds.
    CrossValidationCLT : One test on all rows.

    Notes
    -----
    *Null hypotheses*: for u = 1, 2, ... "in fewer than u of the folds the fitted models
    differ as specified by the test". What is exchangeable, and what is estimated, is
    determined by the test, which is applied to two fitted models and rows that were not
    used to train them. `k_` is a lower confidence bound for the number of folds with an
    effect under any dependence between folds. Dror et al. [1]_ propose calling a
    difference significant only if there is an effect in all folds, or in more than a
    number of folds fixed in advance.

    Each fold has few rows, and the smallest p-value must not exceed
    ``alpha / n_folds``, so only large differences are detected. A resampling test needs
    at least ``n_folds / alpha`` resamples for p-values that are small enough.

    Any dependence between folds is allowed; dependence between the rows of a test set
    must be handled by the test. Tests of rows treat them as independent, which
    neighbors in a time series may not be: if all training rows precede their test rows,
    a warning is issued. If test sets share rows, the result notes that their effects
    are not replications of each other.

    Models that always agree have a p-value of 1 on each fold and ``k_ == 0``. Each
    warning of the test is issued once, listing the folds that it concerns.

    References
    ----------
    .. [1] Dror, R., Baumer, G., Shlomov, S. and Reichart, R. (2018). The hitchhiker's
       guide to testing statistical significance in natural language processing. ACL,
       section 5. :doi:`10.18653/v1/P18-1128`

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from skcompare import FoldReplicability, McNemar
    >>> X, y = load_digits(return_X_y=True)
    >>> test = McNemar(KNeighborsClassifier(), GaussianNB())
    >>> FoldReplicability(test, cv=5).fit(X, y).k_
    5
    """

    model_parameters = ("test",)

    _rules = {"cv": FOLDS}

    def __init__(
        self,
        test=None,
        *,
        cv=None,
        alpha=0.05,
        error_score=math.nan,
        n_jobs=None,
        verbose=0,
    ):
        self.test = test
        self.cv = cv
        self.alpha = alpha
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.verbose = verbose

    def __sklearn_clone__(self):
        """Return an unfitted copy; clones of the models are fitted on each fold."""
        cloned = BaseEstimator.__sklearn_clone__(self)
        if isinstance(self.test, BaseEstimator):
            # `clone` would keep the models of a test with cv="prefit" fitted.
            cloned.test = BaseEstimator.__sklearn_clone__(self.test)
        return cloned

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
        """Test the two models on every fold.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list
            The data.
        y : array-like
            The target values.
        groups : array-like of shape (n_samples,), default=None
            Rows with the same label belong together. Passed to the splitter and to the
            test, which must support groups, as `PairedBootstrap` and
            `ApproxRandomization` do.
        strata : array-like of shape (n_samples,), default=None
            Passed to the test, which must support strata.
        sample_weight : array-like of shape (n_samples,), default=None
            Passed to the `fit` of the models, as by `PairedBootstrap`, and to the test,
            which must support weights.
        names : pair of str, default=None
            Names of A and B. If None, their class names are used.
        **params : dict
            Additional parameters for fitting the models, like the `params` of
            :func:`~sklearn.model_selection.cross_validate`.

        Returns
        -------
        FoldReplicability
            The fitted analysis.
        """
        self.check_parameters()
        models = check_models(self.test, "Give `test` its models")
        names = model_names(names, [name_of(model) for model in models.values()])
        rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
        refuse_untaken(self.test, rows)
        y = as_target(y, type(self).__name__)
        rows = check_rows("X", X, y=y, **rows)
        (X,), y_array = indexable(X), as_array(y, "y")
        own = {"cv": self.cv, "groups": groups, "params": params}
        splits = shared_splits(models, X, y_array, **own)
        check_splits(splits)
        with followed(self):
            fitted, errors = fit_on_folds(
                models,
                X,
                y_array,
                splits,
                then=_keep,
                params=fit_parameters_of(
                    models, {}, sample_weight=rows["sample_weight"], **own
                ),
                error_score=self.error_score,
                n_jobs=self.n_jobs,
                verbose=self.verbose,
            )
            outcomes = [
                Outcome({}, (Caveat(FailedFitWarning, f"{_FAILED}{errors[0]}"),))
                if None in pair
                else self._compare_on_fold(
                    dict(zip(models, pair, strict=True)), X, y, rows, names, split
                )
                for *pair, split in zip(*fitted, splits, strict=True)
            ]
        groups = rows["groups"]
        of_groups = [
            [OVERLAP] if groups is not None and groups_overlap(groups, split) else []
            for split in splits
        ]
        self._publish(outcomes, of_groups, frozen_note(models), splits)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.no_validation = True  # the models validate, and nothing is predicted
        return tags

    def check_parameters(self):
        """Raise a `ParameterError` if a parameter is invalid."""
        super().check_parameters()
        if not declares(self.test, gives="p-value", takes_slices=True):
            raise ParameterError(
                "test",
                "be a test of two fitted models, such as McNemar(a, b) or "
                "PairedBootstrap(a, b)",
                repr(self.test),
            )
        self.test.check_parameters()

    def _compare_on_fold(self, pair, X, y, rows, names, split):
        """Return the `Outcome` of the test on a test set."""
        train, tested = split
        # Of a kernel matrix, the models also take the columns of their training rows.
        X_test, _ = split_data(self.test, X, y, tested, train)
        own = {name: v[tested] for name, v in rows.items() if v is not None}
        test = clone(self.test).set_params(cv="prefit")
        if "scoring" in test.get_params(deep=False):
            test.set_params(scoring=scoring_at(self.test.scoring, y, tested))
        problem = test.make_problem(
            pair, X_test, take_rows(y, tested), names=names, **own
        )
        if len(problem.statistics) > 1:
            raise ValueError(
                "`test` must have one metric. Got "
                f"{', '.join(map(repr, problem.statistics))} in its `scoring`."
            )
        return test.compare(problem)

    def _publish(self, outcomes, of_groups, frozen, splits):
        """Analyze the p-values, store the result, and issue the warnings."""
        results = [next(iter(outcome.results.values()), None) for outcome in outcomes]
        pairs = enumerate(zip(outcomes, of_groups, strict=True))
        of_folds = {f"fold {i}": [*o.caveats, *own] for i, (o, own) in pairs}
        merged = merge_caveats(of_folds, all_of_them="all folds")
        in_time = IN_TIME if trains_on_the_past(splits) else None
        caveats = list(filter(None, [frozen, *merged, in_time]))
        warn_of(caveats)
        notes = [caveat.text for caveat in caveats]
        tested = np.concatenate([test for _, test in splits])
        n_repeated = len(tested) - len(np.unique(tested))
        if n_repeated:  # valid, but worth noting
            notes.append(
                f"Test sets share rows: {format_count(n_repeated, 'repeats')} in "
                f"{len(tested)} tests of a row. `k_` is valid even if folds share "
                "rows, but effects in such folds are not replications of each other."
            )
        self.fold_results_ = results
        self.result_ = analyze(
            np.array([1.0 if result is None else result.pvalue for result in results]),
            names=tuple(range(len(results))),
            dependence="any",
            alpha=float(self.alpha),
            unit="folds",
            test=type(self.test).__name__,
            caveats=tuple(notes),
        )


def _keep(model, X, rows):
    return model
