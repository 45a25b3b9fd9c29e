"""Reading a search: its metrics and candidates, their scores, the sizes of splits."""

import itertools
import math
import numbers
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

from skcompare._evaluation import resolve_scoring, trains_on_the_past

# What the scores of the first split begin with in `cv_results_`.
_FIRST_SPLIT = "split0_test_"


class Search(NamedTuple):
    """What is known of a search that is done.

    Attributes
    ----------
    name : str
        The name of its class.
    results : dict
        Its `cv_results_`.
    estimator : estimator or None
        What was fitted with the parameters of each candidate, if known.
    cv, scoring, refit : object
        Its parameters; None if not known.
    best_index : int or None
        The candidate that it chose, if known.
    has_cv : bool
        Whether its `cv` is known.
    """

    name: str
    results: dict
    estimator: object = None
    cv: object = None
    scoring: object = None
    refit: object = None
    best_index: int | None = None
    has_cv: bool = False


def read_search(search):
    """Read what a search has kept.

    Parameters
    ----------
    search : object
        A fitted search with `cv_results_` or, as OptunaSearchCV has them, `trials_`; or
        the results themselves, a dict or a data frame.

    Returns
    -------
    Search
        What is known of it.
    """
    if isinstance(search, Mapping):
        return Search("cv_results_", _checked(dict(search)))
    if hasattr(search, "columns"):
        columns = {str(name): np.asarray(search[name]) for name in search.columns}
        return Search("cv_results_", _checked(columns))
    if hasattr(search, "cv_results_"):
        results = dict(search.cv_results_)
    elif hasattr(search, "trials_"):
        # What Optuna keeps with each trial, in the form of `cv_results_`.
        trials = search.trials_
        results = {"params": [dict(trial.params) for trial in trials]}
        for name in dict.fromkeys(
            name for trial in trials for name in trial.user_attrs
        ):
            column = [trial.user_attrs.get(name, np.nan) for trial in trials]
            results[name] = np.array(column)
    elif hasattr(search, "cv"):
        raise NotFittedError(
            f"`search` must be fitted. Got an unfitted {type(search).__name__}. Call "
            "its fit first."
        )
    else:
        raise ValueError(
            "`search` must be a GridSearchCV or another fitted search that has "
            "`cv_results_`, or such results as a dict or a data frame. "
            f"Got {search!r}."
        )
    names = "estimator", "cv", "scoring", "refit"
    index = getattr(search, "best_index_", None)
    return Search(
        name=type(search).__name__,
        results=_checked(results),
        best_index=None if index is None else int(index),
        has_cv=hasattr(search, "cv"),
        **{name: getattr(search, name, None) for name in names},
    )


def _checked(results):
    """Return results that have scores of single splits, or say that they lack them."""
    if not metrics_in(results):
        raise ValueError(
            "`search` must have the scores of single splits, such as "
            f"'{_FIRST_SPLIT}score'. Got {', '.join(map(repr, results)) or 'nothing'}."
        )
    return results


def metrics_in(results):
    """Return the names of the metrics, "score" for the one of a simple search.

    Examples
    --------
    >>> metrics_in({"params": [], "split0_test_f1": [], "split1_test_f1": []})
    ['f1']
    """
    return [
        key.removeprefix(_FIRST_SPLIT)
        for key in results
        if key.startswith(_FIRST_SPLIT)
    ]


def choose_metric(results, wanted):
    """Return the metric to look at, or say which there are.

    Parameters
    ----------
    results : dict
        The `cv_results_` of a search.
    wanted : str or None
        The metric that the user asked for. None will do if there is just one.

    Returns
    -------
    str
        The name by which `results` have it.
    """
    metrics = metrics_in(results)
    if wanted is None and len(metrics) == 1:
        return metrics[0]
    if not isinstance(wanted, str) or wanted not in metrics:
        raise ValueError(
            "`scoring` must name one of the metrics of the search: "
            f"{', '.join(map(repr, metrics))}. Got {wanted!r}."
        )
    return wanted


def ranking_metric(search):
    """Return the metric that the search refits by, or its only one."""
    several = len(metrics_in(search.results)) > 1
    refits_by = several and isinstance(search.refit, str)
    return choose_metric(search.results, search.refit if refits_by else None)


def metric_of_search(search, scoring):
    """Return the name that `cv_results_` has for a metric, None if it lacks it.

    Parameters
    ----------
    search : Search
        The search.
    scoring : str, callable or None
        What the user asked for. None is what the search refits by, or its only metric.

    Returns
    -------
    str or None
        The name.
    """
    metrics = metrics_in(search.results)
    if scoring is None:
        return ranking_metric(search)
    if isinstance(scoring, str) and scoring in metrics:
        return scoring
    named = isinstance(scoring, str) and scoring == search.scoring
    same = len(metrics) == 1 and (named or scoring is search.scoring)
    return metrics[0] if same else None


class PickedScore(NamedTuple):
    """One number of a scorer that returns several by name."""

    scorer: object
    name: str

    def __call__(self, estimator, X, y):
        """Score a model."""
        return self.scorer(estimator, X, y)[self.name]


def scorers_for(search, scoring, metric, y):
    """Return the scorer of a metric by its name.

    Parameters
    ----------
    search : Search
        The search.
    scoring : str, callable or None
        What the user asked for.
    metric : str or None
        The name that `cv_results_` has for it; None for a metric of the user's own.
    y : object
        The truth.

    Returns
    -------
    dict
        One scorer.
    """
    models = [search.estimator]
    if metric is None:
        scorers = resolve_scoring(scoring, y=y, models=models)
    elif callable(search.scoring) and metric != "score":
        scorers = {metric: PickedScore(search.scoring, metric)}
    else:
        scorers = resolve_scoring(search.scoring, y=y, models=models)
        scorers = {metric: scorers[metric]} if metric in scorers else scorers
    if len(scorers) > 1:
        raise ValueError(
            "`scoring` must be one metric, for candidates are ranked by it. "
            f"Got {', '.join(map(repr, scorers))}. Make a comparison for each."
        )
    return scorers


class Candidates(NamedTuple):
    """Candidates of a search, the best first.

    Attributes
    ----------
    index : ndarray of shape (n_candidates,)
        Their positions in `cv_results_`.
    params : list of dict
        Their parameters.
    scores : ndarray of shape (n_candidates, n_splits)
        Their scores; higher is better.
    fit_times : ndarray of shape (n_candidates,)
        How long their fits took on average; nan if not known.
    failed : dict
        The parameters of those that failed on some split, by position.
    n_earlier : int
        The number of candidates in earlier iterations of a halving search.
    """

    index: np.ndarray
    params: list
    scores: np.ndarray
    fit_times: np.ndarray
    failed: dict
    n_earlier: int

    def taken(self, places):
        """Return those at some places, in that order."""
        return self._replace(
            index=self.index[places],
            params=[self.params[place] for place in places],
            scores=self.scores[places],
            fit_times=self.fit_times[places],
        )

    def head(self, number):
        """Return the best so many; all, with those that failed, if None."""
        if number is None:
            return self
        first = np.arange(min(number, len(self.index)))
        return self.taken(first)._replace(failed={})


def read_candidates(results, metric):
    """Read the candidates that can be compared: those of the last iteration.

    Parameters
    ----------
    results : dict
        The `cv_results_` of a search.
    metric : str
        The name of a metric in it.

    Returns
    -------
    Candidates
        In the order of their ranks, ties in that of their positions.
    """
    suffix = f"_test_{metric}"
    numbers = (key.removeprefix("split").removesuffix(suffix) for key in results)
    splits = sorted(int(number) for number in numbers if number.isdecimal())
    columns = [results[f"split{split}{suffix}"] for split in splits]
    scores = np.column_stack(columns).astype(float)  # (n_candidates, n_splits)
    # Only halving searches have iterations. The last one had the most resources.
    iteration = np.asarray(results.get("iter", np.zeros(len(scores))))
    in_time = iteration == iteration.max()
    sound = np.isfinite(scores).all(axis=1)
    usable = np.flatnonzero(in_time & sound)
    if not len(usable):
        n_tried = int(np.count_nonzero(in_time))
        raise ValueError(
            "`search` must have at least one candidate with a score on every split. "
            f"Got none among {n_tried} candidate{'s' if n_tried > 1 else ''}: "
            f"{_lack_of_scores(scores[in_time])}"
        )
    means = scores[usable].mean(axis=1)
    ranks = results.get(f"rank_test_{metric}")
    ranks = rankdata(-means) if ranks is None else np.asarray(ranks)[usable]
    index = usable[np.argsort(ranks, kind="stable")]
    params = _params(results, len(scores))
    fit_times = results.get("mean_fit_time", np.full(len(scores), np.nan))
    return Candidates(
        index=index,
        params=[params[i] for i in index],
        scores=scores[index],
        fit_times=np.asarray(fit_times)[index],
        failed={int(i): params[i] for i in np.flatnonzero(in_time & ~sound)},
        n_earlier=int(np.count_nonzero(~in_time)),
    )


def _params(results, n_candidates):
    """Return the parameters of each candidate: a table that was saved has columns."""
    listed = results.get("params", [None])
    if all(isinstance(params, Mapping) for params in listed):
        return list(listed)
    columns = {
        name.removeprefix("param_"): values
        for name, values in results.items()
        if name.startswith("param_")
    }
    return [
        {
            name: values[place]
            for name, values in columns.items()
            if values[place] is not np.ma.masked and values[place] == values[place]
        }
        for place in range(n_candidates)
    ]


def _lack_of_scores(scores):
    """Say why no candidate has a score on every split."""
    empty = np.flatnonzero(~np.isfinite(scores).any(axis=0))
    if len(empty) == scores.shape[1]:
        return (
            "none of them has a score on any split. Either all fits failed, or the "
            "metric is undefined for these rows."
        )
    if len(empty):
        numbers = ", ".join(map(str, empty))
        return (
            f"on split {numbers} (of 0 to {scores.shape[1] - 1}) no candidate has a "
            "score, as where a metric is undefined for rows of one class. Search with "
            "other splits, such as stratified ones, or another metric."
        )
    return "each of them failed on some split."


def where_all_have_scores(scores):
    """Return the scores on splits where all candidates have one; all if there is none.

    Examples
    --------
    >>> where_all_have_scores(np.array([[0.5, np.nan, 0.7], [0.6, 0.8, 0.9]])).tolist()
    [[0.5, 0.7], [0.6, 0.9]]
    """
    defined = np.isfinite(scores).all(axis=0)
    return scores[:, defined] if defined.any() else scores


_PARTITIONS = (KFold, StratifiedKFold, GroupKFold, StratifiedGroupKFold, LeaveOneOut)
_REPEATED = (RepeatedKFold, RepeatedStratifiedKFold)
_SHUFFLED = (ShuffleSplit, StratifiedShuffleSplit, GroupShuffleSplit)


def k_fold_ratio(n_folds):
    """Return the ratio of plain cross-validation: one fold to all the others."""
    return 1 / (n_folds - 1)


def has_disjoint_tests(cv):
    """Return whether it is known that no two splits of this `cv` test the same row."""
    if isinstance(cv, list | tuple):
        tested = np.concatenate([_positions(rows) for _, rows in cv])
        return len(np.unique(tested)) == len(tested)
    others = (LeaveOneGroupOut, PredefinedSplit, TimeSeriesSplit, numbers.Integral)
    return cv is None or isinstance(cv, (*_PARTITIONS, *others))


def runs_forward(cv):
    """Return whether it is known that all training sets precede their test sets."""
    if isinstance(cv, list | tuple):
        return trains_on_the_past([map(_positions, split) for split in cv])
    return isinstance(cv, TimeSeriesSplit)


def splits_at_random(cv):
    """Return whether each split draws its test rows anew."""
    return isinstance(cv, _SHUFFLED)


def keeps_groups(cv):
    """Return whether sizes are those of splits with groups that are equally large."""
    return isinstance(cv, GroupKFold | StratifiedGroupKFold | GroupShuffleSplit)


def implied_ratio(cv, n_splits):
    """Return the ratio of test to training rows that a `cv` implies.

    Sizes do not depend on how rows are shuffled, nor, but for rounding, on how many
    there are: so neither the data nor a seed is needed. Splits of a series in time have
    1, 2, ... stretches of equal length to train on, unless their sizes or a gap were
    given as numbers of rows. Folds of whole groups, which splitters make as equal as
    they can, are taken as equal; leaving one group out makes no such attempt, and is
    unknown.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        The argument of a search.
    n_splits : int
        The number of splits that it gave.

    Returns
    -------
    float or None
        The ratio, averaged over splits; None if sizes are not known without the data.

    Examples
    --------
    >>> implied_ratio(5, 5)
    0.25
    >>> implied_ratio(ShuffleSplit(30, test_size=0.2), 30)
    0.25
    """
    if cv is None or isinstance(cv, (numbers.Integral, *_PARTITIONS)):
        return k_fold_ratio(n_splits)
    if isinstance(cv, _REPEATED):
        return k_fold_ratio(n_splits // cv.n_repeats)
    if isinstance(cv, _SHUFFLED):
        return _shuffled_ratio(cv)
    if isinstance(cv, TimeSeriesSplit):
        if cv.test_size is not None or cv.max_train_size is not None or cv.gap:
            return None
        # Equal stretches, each tested by models of all that precede it.
        return float(np.mean(1 / np.arange(1, cv.n_splits + 1)))
    if isinstance(cv, LeavePOut):
        # Of so many rows there are so many selections of p.
        n_rows = next(
            n for n in itertools.count(cv.p) if math.comb(n, cv.p) >= n_splits
        )
        return cv.p / (n_rows - cv.p)
    if isinstance(cv, PredefinedSplit):
        return sizes_ratio(cv.split())
    return sizes_ratio(cv) if isinstance(cv, list | tuple) else None


def sizes_ratio(splits):
    """Return the ratio of test to training rows, averaged over splits."""
    sizes = [[len(_positions(rows)) for rows in pair] for pair in splits]
    return float(np.mean([test / train for train, test in sizes]))


def _positions(rows):
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows


def _shuffled_ratio(cv):
    """Return the ratio of two shares of the rows, or of two numbers of them."""
    test, train = cv.test_size, cv.train_size
    if test is None and train is None:
        test = 0.2 if isinstance(cv, GroupShuffleSplit) else 0.1
    sizes = [size for size in (test, train) if size is not None]
    if len({isinstance(size, numbers.Integral) for size in sizes}) > 1:
        return None
    whole = None if isinstance(sizes[0], numbers.Integral) else 1.0
    if len(sizes) < 2 and whole is None:
        return None
    test = whole - train if test is None else test
    return test / (whole - test if train is None else train)
