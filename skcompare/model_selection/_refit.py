"""Rules by which a search can choose other than by the best mean score."""

import logging
import numbers

import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator

from skcompare._parameters import CheckedParameters, OneOf
from skcompare.exceptions import ParameterError
from skcompare.model_selection._candidates import read_candidates, read_search
from skcompare.model_selection._splits import k_fold_ratio
from skcompare.results import candidate_labels
from skcompare.stats.folds import corrected_estimate
from skcompare.stats.paired import paired_differences

_LOGGER = logging.getLogger("skcompare")


class SimplestNotWorse(CheckedParameters, BaseEstimator):
    """Let a search choose the simplest candidate that is not worse than the best.

    A callable for the parameter `refit` of a search:

    1. Take the candidate with the best mean score.
    2. Subtract the scores of each of the others from its scores, split by split. The
       standard error of the mean difference is that of Nadeau and Bengio, which allows
       for training sets that overlap.
    3. Of the candidates that are behind by at most one standard error, choose the least
       complex; of several equally complex ones the best.

    Read more in the :ref:`User Guide <simplest_not_worse>`.

    Parameters
    ----------
    complexity : str, list of str or callable
        What makes a candidate complex. The name of a parameter that is a number, where
        smaller is simpler, or with a minus in front, such as "-alpha", where larger is;
        several of them in the order of their importance; "fit_time", the mean time of
        its fits; or a function of a candidate's parameters, a dict, that returns a
        number, or a tuple of as many numbers for each candidate.
    scoring : str or None, default=None
        The metric of a search that has several.
    rule : {"one-standard-error", "test"}, default="one-standard-error"
        How far behind the best a candidate may be: by one standard error of the
        difference, or by as much as the one-sided corrected t does not call significant
        at the level `alpha`, which is farther.
    test_train_ratio : float or None, default=None
        The number of test rows over that of training rows. A search does not tell its
        `refit` callable what its splits are; None assumes plain k-fold
        cross-validation, ``1 / (k - 1)`` for k splits. For repeated cross-validation or
        random splits it must be given: ``1 / (k - 1)`` for k folds however often
        repeated, ``test_size / train_size`` for random splits.
    alpha : float, default=0.05
        The level of ``rule="test"``. A smaller level lets more candidates qualify.
    tolerance : float, default=0.0
        A difference in mean score that does not matter: candidates may be behind by so
        much more.

    See Also
    --------
    SearchComparison : Show all candidates against the best.

    Notes
    -----
    The rule of one standard error is that of Breiman et al. [2]_, but for its error:
    all candidates were scored on the same splits, so that it is the error of their
    difference that matters, and not that of the best score.

    *Null hypothesis* of ``rule="test"``, for each candidate: over training and test
    sets like these, the best is ahead of it by no more than `tolerance`. Choosing a
    candidate for which it is not rejected does not show that this one is as good: on
    few splits a test shows little, and the rule goes far towards simplicity. P-values
    are not adjusted for the number of candidates: that would let worse ones qualify.

    Candidates that score the same on every split qualify. Those that are behind by the
    same amount on every split have no standard error, and qualify if that is within the
    tolerance. Candidates that failed on some split do not qualify. A single split has
    no standard error, and a positive `tolerance` is needed.

    The choice is explained in a record of the logger "skcompare" at the level INFO.
    With a callable, searches have no `best_score_`. Halving searches of scikit-learn
    call no `refit`; call the rule on their ``cv_results_`` instead.

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
        candidates = read_candidates(search.results, search.choose(self.scoring))
        qualified = np.flatnonzero(self._qualifies(candidates.scores))
        keys = complexity_keys(self.complexity, candidates)
        chosen = min(qualified, key=lambda place: (keys[place], place))
        means = candidates.scores.mean(axis=1)
        labels = candidate_labels(candidates.params)
        chosen_by = "a function" if callable(self.complexity) else self.complexity
        best, index = candidates.index[0], candidates.index[chosen]
        _LOGGER.info(
            f"SimplestNotWorse chose candidate {index} ({labels[chosen]}) with a mean "
            f"score of {means[chosen]:.4g}: the simplest by {chosen_by} of "
            f"{len(qualified)} candidates, of {len(means)}, not worse than the best, "
            f"candidate {best} ({labels[0]}) with {means[0]:.4g}."
        )
        return int(index)

    def _qualifies(self, scores):
        """Say which candidates are close enough to the first."""
        n_splits = scores.shape[1]
        differences = [paired_differences(scores[0], row)[0] for row in scores]
        behind, reach = np.mean(differences, axis=1), 0.0
        if n_splits > 1:
            ratio = self.test_train_ratio or k_fold_ratio(n_splits)
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
        # Rounding must not decide about just the tolerance.
        return behind <= reach + self.tolerance + 1e-12


def complexity_keys(complexity, candidates):
    """Return what to sort candidates by, the simplest first.

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
                    f"as many numbers, for every candidate. Got {key!r}."
                )
        return tuples
    names = [complexity] if isinstance(complexity, str) else complexity
    listed = isinstance(names, list | tuple) and len(names) > 0
    if not listed or not all(isinstance(name, str) for name in names):
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
                    "Got results without. Name parameters, or use a function."
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
