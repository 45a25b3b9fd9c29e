"""Rules for a search to choose a candidate other than by the best mean score."""

import logging
import numbers

import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator

from skcompare._caveats import Caveat, warn_of
from skcompare._parameters import CheckedParameters, OneOf
from skcompare.exceptions import DependentFoldsWarning, ParameterError
from skcompare.model_selection._candidates import read_candidates, read_search
from skcompare.model_selection._splits import k_fold_ratio
from skcompare.results import candidate_labels
from skcompare.stats.folds import corrected_estimate
from skcompare.stats.paired import paired_differences

_LOGGER = logging.getLogger("skcompare")

# With more splits, plain k-fold cross-validation is unlikely.
MOST_FOLDS = 20
MANY_SPLITS = (
    "`test_train_ratio` is None, so the {} splits of the search are treated as the "
    "folds of one cross-validation. For repeated folds or random splits, pass the "
    "ratio of test rows to training rows: otherwise differences look too certain."
)


class SimplestNotWorse(CheckedParameters, BaseEstimator):
    """Make a search choose the simplest candidate that is not worse than the best.

    A callable for the parameter `refit` of a search:

    1. Take the candidate with the best mean score.
    2. Compute its differences in score to each other candidate, split by split. The
       standard error of the mean difference is that of Nadeau and Bengio, which
       accounts for overlapping training sets.
    3. Of the candidates that are behind by at most one standard error, choose the least
       complex one; of several equally complex ones, the best.

    Read more in the :ref:`User Guide <simplest_not_worse>`.

    Parameters
    ----------
    complexity : str, list of str or callable
        The measure of complexity. The name of a numeric parameter for which smaller is
        simpler, or with a leading minus, such as "-alpha", for which larger is simpler;
        a list of names in decreasing importance; "fit_time", the mean fit time; or a
        function of a candidate's parameters, a dict, that returns a number, or a tuple
        of numbers of the same length for each candidate.
    scoring : str or None, default=None
        The metric, for a search with several.
    rule : {"one-standard-error", "test"}, default="one-standard-error"
        How far behind the best a candidate may be: by one standard error of the
        difference, or by any difference that is not significant in the one-sided
        corrected t-test at level `alpha`, which is more.
    test_train_ratio : float or None, default=None
        The number of test rows divided by that of training rows. A search does not pass
        its splits to a `refit` callable; None assumes plain k-fold cross-validation,
        ``1 / (k - 1)`` for k splits, with a warning if there are more than 20 of them.
        It must be passed for repeated cross-validation, ``1 / (k - 1)`` for k folds
        regardless of repetitions, and for random splits, ``test_size / train_size``.
    alpha : float, default=0.05
        The level of ``rule="test"``. With a smaller level, more candidates qualify.
    tolerance : float, default=0.0
        A negligible difference in mean score, by which candidates may additionally be
        behind.

    See Also
    --------
    SearchComparison : Compare all candidates with the best.

    Notes
    -----
    The one-standard-error rule is that of Breiman et al. [2]_, except for the standard
    error: all candidates are scored on the same splits, so that the error of their
    difference matters, not that of the best score.

    *Null hypothesis* of ``rule="test"``, for each candidate: over training and test
    sets like these, the best is ahead of it by at most `tolerance`. Choosing a
    candidate for which it is not rejected does not show that it is as good: with few
    splits the test has little power, and the rule strongly favors simplicity. P-values
    are not adjusted for the number of candidates, since that would let worse ones
    qualify.

    Candidates with the same scores on every split qualify. Those that are behind by the
    same amount on every split have no standard error, and qualify if that amount is
    within the tolerance. Candidates that failed on some split do not qualify. A single
    split has no standard error, and a positive `tolerance` is needed.

    The choice and the ratio that was used are logged to the logger "skcompare" at level
    INFO. With a callable
    `refit`, searches have no `best_score_`. Halving searches of scikit-learn do not
    call `refit`; call the rule on their ``cv_results_`` instead.

    References
    ----------
    .. [1] Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning 52(3), 239-281. :doi:`10.1023/A:1024068626366`
    .. [2] Breiman, L., Friedman, J., Olshen, R. and Stone, C. (1984). Classification
       and Regression Trees. Section 3.4.3: the rule of one standard error.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import SimplestNotWorse
    >>> search = GridSearchCV(DecisionTreeClassifier(random_state=0),
    ...                       {"max_depth": [1, 2, 3, 4, 5]}, cv=10,
    ...                       refit=SimplestNotWorse("max_depth"))
    >>> search.fit(*load_iris(return_X_y=True)).best_params_
    {'max_depth': 2}
    """

    _rules = {"rule": OneOf("one-standard-error", "test")}

    def __init__(
        self,
        complexity,
        *,
        scoring=None,
        rule="one-standard-error",
        test_train_ratio=None,
        alpha=0.05,
        tolerance=0.0,
    ):
        self.complexity = complexity
        self.scoring = scoring
        self.rule = rule
        self.test_train_ratio = test_train_ratio
        self.alpha = alpha
        self.tolerance = tolerance

    def __call__(self, cv_results):
        """Choose a candidate.

        Parameters
        ----------
        cv_results : dict or DataFrame
            The `cv_results_` of a search.

        Returns
        -------
        int
            The position of the candidate.
        """
        self.check_parameters()
        search = read_search(cv_results)
        metric = search.choose(self.scoring, type(self).__name__)
        candidates = read_candidates(search.results, metric)
        n_splits = candidates.scores.shape[1]
        ratio, about = self.test_train_ratio, ""
        if ratio is None and n_splits > 1:
            ratio = k_fold_ratio(n_splits)
            about = f", assuming plain {n_splits}-fold cross-validation"
        if about and n_splits > MOST_FOLDS:
            warn_of([Caveat(DependentFoldsWarning, MANY_SPLITS.format(n_splits))])
        qualified = np.flatnonzero(self._qualifies(candidates.scores, ratio))
        keys = complexity_keys(self.complexity, candidates)
        chosen = min(qualified, key=lambda place: (keys[place], place))
        means = candidates.scores.mean(axis=1)
        labels = candidate_labels(candidates.params)
        criterion = "a function" if callable(self.complexity) else self.complexity
        best, index = candidates.index[0], candidates.index[chosen]
        _LOGGER.info(
            f"SimplestNotWorse chose candidate {index} ({labels[chosen]}) with a mean "
            f"score of {means[chosen]:.4g}: the simplest, by {criterion}, of "
            f"those that qualify: {len(qualified)} of {len(means)} candidates. The "
            f"best is candidate {best} ({labels[0]}) with {means[0]:.4g}."
            + ("" if ratio is None else f" The test/train ratio is {ratio:.4g}{about}.")
        )
        return int(index)

    def _qualifies(self, scores, ratio):
        """Return which candidates are close enough to the first."""
        n_splits = scores.shape[1]
        differences = [paired_differences(scores[0], row)[0] for row in scores]
        behind, reach = np.mean(differences, axis=1), 0.0
        if n_splits > 1:
            errors = [corrected_estimate(row, ratio).error for row in differences]
            n_errors = 1.0
            if self.rule == "test":
                n_errors = max(stats.t.isf(self.alpha, n_splits - 1), 0.0)
            reach = n_errors * np.array(errors)
        elif not self.tolerance:
            raise ParameterError(
                "tolerance",
                "be positive for a search with a single split, which has no standard "
                "error",
                repr(self.tolerance),
                "Or search with several splits.",
            )
        # Candidates exactly at the tolerance must not depend on rounding.
        return behind <= reach + self.tolerance + 1e-12


def complexity_keys(complexity, candidates):
    """Return sort keys of candidates, smallest for the simplest.

    Parameters
    ----------
    complexity : str, list of str or callable
        As for `SimplestNotWorse`.
    candidates : Candidates
        The candidates.

    Returns
    -------
    list of tuple
        A key for each candidate.
    """
    if callable(complexity):
        keys = [complexity(params) for params in candidates.params]
        tuples = [key if isinstance(key, tuple) else (key,) for key in keys]
        for key, parts in zip(keys, tuples, strict=True):
            if len(parts) != len(tuples[0]) or not all(map(_is_number, parts)):
                raise ValueError(
                    "`complexity` must return a number that is not nan, or a tuple of "
                    "numbers of the same length, for every candidate. Got "
                    f"{key!r}."
                )
        return tuples
    names = [complexity] if isinstance(complexity, str) else complexity
    is_list = isinstance(names, list | tuple) and len(names) > 0
    if not is_list or not all(isinstance(name, str) for name in names):
        raise ValueError(
            "`complexity` must be the name of a parameter, a list of names, 'fit_time' "
            f"or a function of a candidate's params. Got {complexity!r}."
        )
    columns = []
    for name in names:
        if name == "fit_time":
            if np.isnan(candidates.fit_times).any():
                raise ValueError(
                    "`complexity` 'fit_time' needs `mean_fit_time` of every candidate. "
                    "Got results without it. Name parameters, or use a function."
                )
            columns.append(candidates.fit_times.tolist())
            continue
        parameter = name.removeprefix("-")
        for params in candidates.params:
            if parameter not in params:
                raise ValueError(
                    "`complexity` must name parameters that every candidate has: "
                    f"{', '.join(map(repr, params))}. Got {parameter!r}."
                )
            if not _is_number(params[parameter]):
                raise ValueError(
                    "`complexity` must name parameters whose values are numbers. Got "
                    f"{parameter}={params[parameter]!r}. Use a function, such as "
                    f"lambda params: ...params[{parameter!r}]..., that returns a "
                    "number for it."
                )
        sign = -1 if name.startswith("-") else 1
        columns.append([sign * params[parameter] for params in candidates.params])
    return list(zip(*columns, strict=True))


def _is_number(value):
    return isinstance(value, numbers.Real) and not np.isnan(value)
