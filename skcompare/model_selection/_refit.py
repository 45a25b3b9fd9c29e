"""Rules by which a search can choose other than by the best mean score."""

import logging
import numbers

import numpy as np
from sklearn.base import BaseEstimator

from skcompare._parameters import check_parameters
from skcompare.model_selection._cv_results import choose_metric, read_candidates
from skcompare.model_selection._ratio import k_fold_ratio
from skcompare.results import candidate_labels
from skcompare.stats.selection import against_best

_LOGGER = logging.getLogger("skcompare")


class SimplestNotWorse(BaseEstimator):
    """Let a search choose the simplest candidate that is not worse than the best.

    A callable for the parameter `refit` of a search:

    1. Take the candidate with the best mean score.
    2. Test by Nadeau and Bengio's corrected t, split by split, whether it is better
       than each of the others.
    3. Of the candidates for which that is not shown, choose the least complex; of
       several equally complex ones the best.

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
    test_train_ratio : float or None, default=None
        The number of test rows over that of training rows. A search does not tell its
        `refit` callable what its splits are; None assumes plain k-fold
        cross-validation, ``1 / (k - 1)`` for k splits. For repeated cross-validation or
        random splits it must be given: ``1 / (k - 1)`` for k folds however often
        repeated, ``test_size / train_size`` for random splits.
    alpha : float, default=0.05
        The level of the test. A smaller level lets more candidates qualify.
    tolerance : float or None, default=None
        A difference in mean score that does not matter: candidates within it of the
        best also qualify, whatever the test says.

    See Also
    --------
    SearchComparison : Show all candidates against the best.

    Notes
    -----
    *Null hypothesis*, for each candidate: over training and test sets like these, the
    best scores no better than it does. Choosing a candidate for which it is not
    rejected does not show that this one is as good: on few splits a test shows little,
    and the rule goes far towards simplicity. A larger `alpha`, or more splits, hold it
    back.

    P-values are not adjusted for the number of candidates: that would let more of them,
    and so worse ones, qualify.

    Candidates that score the same on every split have p = 1 and qualify. Those that are
    behind by the same amount on every split have the limit p = 0. Candidates that
    failed on some split do not qualify. With a single split there is no test, and a
    `tolerance` is needed.

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

    def __init__(
        self,
        complexity,
        *,
        scoring=None,
        test_train_ratio=None,
        alpha=0.05,
        tolerance=None,
    ):
        self.complexity = complexity
        self.scoring = scoring
        self.test_train_ratio = test_train_ratio
        self.alpha = alpha
        self.tolerance = tolerance

    def __call__(self, cv_results):
        """Choose a candidate.

        Parameters
        ----------
        cv_results : dict
            The `cv_results_` of a search.

        Returns
        -------
        int
            The position of the candidate.
        """
        check_parameters(self)
        metric = choose_metric(cv_results, self.scoring)
        candidates = read_candidates(cv_results, metric)
        qualified = np.flatnonzero(self._qualifies(candidates.scores))
        keys = complexity_keys(self.complexity, candidates)
        chosen = min(qualified, key=lambda place: (keys[place], place))
        self._explain(candidates, chosen, len(qualified))
        return int(candidates.index[chosen])

    def _qualifies(self, scores):
        """Say which candidates are not worse than the first."""
        n_splits = scores.shape[1]
        if n_splits < 2 and self.tolerance is None:
            raise ValueError(
                "`tolerance` must be given for a search with a single split, which "
                "shows no variance to test by. Got None. Or search with several."
            )
        ratio = self.test_train_ratio or k_fold_ratio(max(n_splits, 2))
        found = against_best(scores, 0, ratio, confidence_level=0.95)
        # The best qualifies anyway; rounding must not decide about just the tolerance.
        close = found.deltas <= (self.tolerance or 0.0) + 1e-12
        return close | (found.pvalues > self.alpha)

    def _explain(self, candidates, chosen, n_qualified):
        means = candidates.scores.mean(axis=1)
        labels = candidate_labels(candidates.params)
        _LOGGER.info(
            "SimplestNotWorse chose candidate %d (%s) with a mean score of %.4g: the "
            "simplest by %s of %d candidates, of %d, not worse than the best, "
            "candidate %d (%s) with %.4g.",
            candidates.index[chosen],
            labels[chosen],
            means[chosen],
            "a function" if callable(self.complexity) else self.complexity,
            n_qualified,
            len(means),
            candidates.index[0],
            labels[0],
            means[0],
        )


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
    list
        A key for each candidate.
    """
    if callable(complexity):
        return _checked_keys([complexity(params) for params in candidates.params])
    names = [complexity] if isinstance(complexity, str) else complexity
    if not _are_names(names):
        raise ValueError(
            "`complexity` must be the name of a parameter, a list of names, 'fit_time' "
            f"or a function of a candidate's params. Got {complexity!r}."
        )
    return list(
        zip(*(_numbers_by_name(name, candidates) for name in names), strict=True)
    )


def _checked_keys(keys):
    """Check that a function gave what candidates can be sorted by; return tuples."""
    tuples = [key if isinstance(key, tuple) else (key,) for key in keys]
    for key, numbers_in_key in zip(keys, tuples, strict=True):
        same_length = len(numbers_in_key) == len(tuples[0])
        if not same_length or not all(map(_is_number, numbers_in_key)):
            raise ValueError(
                "`complexity` must return a number that is not nan, or a tuple of as "
                f"many numbers, for every candidate. Got {key!r}."
            )
    return tuples


def _is_number(value):
    return isinstance(value, numbers.Real) and not np.isnan(value)


def _are_names(names):
    listed = isinstance(names, list | tuple) and len(names) > 0
    return listed and all(isinstance(name, str) for name in names)


def _numbers_by_name(name, candidates):
    if name == "fit_time":
        return candidates.fit_times.tolist()
    sign, parameter = (-1, name[1:]) if name.startswith("-") else (1, name)
    return [sign * _number(parameter, params) for params in candidates.params]


def _number(parameter, params):
    if parameter not in params:
        raise ValueError(
            "`complexity` must name parameters that every candidate has: "
            f"{', '.join(map(repr, params))}. Got {parameter!r}."
        )
    value = params[parameter]
    if not _is_number(value):
        raise ValueError(
            "`complexity` must name parameters whose values are numbers. Got "
            f"{parameter}={value!r}. Use a function, such as lambda params: "
            f"...params[{parameter!r}]..., that returns a number for it."
        )
    return value
