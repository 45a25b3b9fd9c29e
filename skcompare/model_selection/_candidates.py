"""Reading the metrics, candidates and scores of a search."""

import functools
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata
from sklearn.exceptions import NotFittedError

from skcompare._evaluation import resolve_scoring
from skcompare._format import format_count

# Prefix of the scores of the first split in `cv_results_`.
_FIRST_SPLIT = "split0_test_"


class Search(NamedTuple):
    """Attributes of a fitted search.

    Attributes
    ----------
    name : str
        The name of its class.
    results : dict
        Its `cv_results_`.
    estimator : estimator or None
        The estimator fitted with the parameters of each candidate, if available.
    cv, scoring, refit : object
        Its parameters; None if not available.
    best_index : int or None
        The index of the selected candidate, if available.
    has_cv : bool
        Whether its `cv` is available.
    """

    name: str
    results: dict
    estimator: object = None
    cv: object = None
    scoring: object = None
    refit: object = None
    best_index: int | None = None
    has_cv: bool = False

    @property
    def metrics(self):
        """The names of the metrics, "score" if the search has a single metric."""
        return [
            key.removeprefix(_FIRST_SPLIT)
            for key in self.results
            if key.startswith(_FIRST_SPLIT)
        ]

    def choose(self, metric, owner):
        """Return the name of a metric, or raise an error that lists all of them.

        Parameters
        ----------
        metric : str or None
            The metric chosen by the user. None is allowed if there is only one.
        owner : str
            The class whose `scoring` it is, for the message.

        Returns
        -------
        str
            The name of the metric in `results`.
        """
        metrics = self.metrics
        if metric is None and len(metrics) == 1:
            return metrics[0]
        if metric not in metrics:
            raise ValueError(
                "`scoring` must name one of the metrics of the search: "
                f"{', '.join(map(repr, metrics))}. Got {metric!r}. Pass it to {owner}: "
                f"scoring={metrics[0]!r}{', or None' if len(metrics) == 1 else ''}."
            )
        return metric

    def name_of(self, scoring):
        """Return the name of a metric in `results`, None if they do not contain it.

        Parameters
        ----------
        scoring : str, callable or None
            The metric chosen by the user. None means the metric that the search refits
            by, or its only one.

        Returns
        -------
        str or None
            The name.
        """
        metrics = self.metrics
        if scoring is None:
            refit = self.refit if self.refit in metrics else None
            return self.choose(refit, "SearchComparison")
        if scoring in metrics:
            return scoring
        same = len(metrics) == 1 and scoring == self.scoring
        return metrics[0] if same else None

    def title_of(self, metric):
        """Return the display name of a metric, that of the scorer for "score"."""
        if metric == "score" and isinstance(self.scoring, str):
            return self.scoring
        if metric == "score" and self.scoring is None and self.estimator is not None:
            (metric,) = resolve_scoring(None, y=[0, 1], models=[self.estimator])
        return metric


def read_search(search):
    """Read the attributes of a search.

    Parameters
    ----------
    search : object
        A fitted search with `cv_results_` or, for OptunaSearchCV, `trials_`; or the
        results themselves, a dict or a data frame.

    Returns
    -------
    Search
        The attributes.
    """
    if isinstance(search, Mapping):
        attributes = Search("cv_results_", dict(search))
    elif hasattr(search, "columns"):
        columns = {str(name): np.asarray(search[name]) for name in search.columns}
        attributes = Search("cv_results_", columns)
    else:
        names = "estimator", "cv", "scoring", "refit"
        attributes = Search(
            name=type(search).__name__,
            results=_results_of(search),
            best_index=getattr(search, "best_index_", None),
            has_cv=hasattr(search, "cv"),
            **{name: getattr(search, name, None) for name in names},
        )
    if not attributes.metrics:
        listed = ", ".join(map(repr, attributes.results)) or "nothing"
        raise ValueError(
            "`search` must have the scores of individual splits, such as "
            f"'{_FIRST_SPLIT}score'. Got {listed}."
        )
    return attributes


def _results_of(search):
    """Return the `cv_results_` of a search, or raise an error if it has none."""
    if hasattr(search, "cv_results_"):
        return dict(search.cv_results_)
    if hasattr(search, "trials_"):
        # Optuna stores the scores of each trial in the format of `cv_results_`.
        trials = search.trials_
        names = dict.fromkeys(name for trial in trials for name in trial.user_attrs)
        columns = {
            name: np.array([trial.user_attrs.get(name, np.nan) for trial in trials])
            for name in names
        }
        return {"params": [dict(trial.params) for trial in trials], **columns}
    if hasattr(search, "cv"):
        raise NotFittedError(
            f"`search` must be fitted. Got an unfitted {type(search).__name__}. Call "
            "its method fit first."
        )
    raise ValueError(
        "`search` must be a GridSearchCV or another fitted search that has "
        "`cv_results_`, or such results as a dict or a data frame. "
        f"Got {search!r}."
    )


def _one_of(scores, name, estimator, X, y):
    """Return one score of a scorer that returns a dict of scores."""
    return scores(estimator, X, y)[name]


def scorers_for(search, scoring, metric, y):
    """Return a dict with the scorer of a metric.

    Parameters
    ----------
    search : Search
        The search.
    scoring : str, callable or None
        The metric chosen by the user.
    metric : str or None
        Its name in `cv_results_`; None if it is not a metric of the search.
    y : object
        True labels or values.

    Returns
    -------
    dict
        The scorer, by name.
    """
    if metric not in (None, "score") and callable(search.scoring):
        return {metric: functools.partial(_one_of, search.scoring, metric)}
    scoring = scoring if metric is None else search.scoring
    scorers = resolve_scoring(scoring, y=y, models=[search.estimator])
    if metric in scorers:
        return {metric: scorers[metric]}
    if len(scorers) > 1:
        raise ValueError(
            "`scoring` must be a single metric, by which candidates are ranked. "
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
        Their mean fit times; nan if not available.
    failed : dict
        The parameters of candidates that failed on some split, by position.
    n_earlier : int
        The number of candidates in earlier iterations of a halving search.
    """

    index: np.ndarray
    params: list
    scores: np.ndarray
    fit_times: np.ndarray
    failed: dict
    n_earlier: int

    def take(self, positions):
        """Return the candidates at some positions, in that order."""
        return self._replace(
            index=self.index[positions],
            params=[self.params[i] for i in positions],
            scores=self.scores[positions],
            fit_times=self.fit_times[positions],
        )

    def head(self, number):
        """Return the best `number`; if None, all, with the failed ones."""
        if number is None:
            return self
        first = np.arange(min(number, len(self.index)))
        return self.take(first)._replace(failed={})


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
        The candidates, ordered by rank, and by position for ties.
    """
    suffix = f"_test_{metric}"
    numbers = (key.removeprefix("split").removesuffix(suffix) for key in results)
    splits = sorted(int(number) for number in numbers if number.isdecimal())
    columns = [results[f"split{split}{suffix}"] for split in splits]
    scores = np.column_stack(columns).astype(float)  # (n_candidates, n_splits)
    # Only halving searches have iterations. The last one had the most resources.
    iteration = np.asarray(results.get("iter", np.zeros(len(scores))))
    in_last = iteration == iteration.max()
    complete = np.isfinite(scores).all(axis=1)
    usable = np.flatnonzero(in_last & complete)
    if not len(usable):
        n_tried = int(np.count_nonzero(in_last))
        raise ValueError(
            "`search` must have at least one candidate with a score on every split. "
            f"Got none among {format_count(n_tried, 'candidates')}: "
            f"{_missing_scores_reason(scores[in_last])}"
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
        failed={int(i): params[i] for i in np.flatnonzero(in_last & ~complete)},
        n_earlier=int(np.count_nonzero(~in_last)),
    )


def _params(results, n_candidates):
    """Return the parameters of each candidate, from columns if `params` is unusable."""
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


def _missing_scores_reason(scores):
    """Return a sentence on why no candidate has a score on every split."""
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
            "score, for example if the metric is undefined for rows of one class. "
            "Search with other splits, such as stratified ones, or another metric."
        )
    return "each of them failed on some split."


def where_all_have_scores(scores):
    """Return the scores on splits where all candidates have one, or all if none.

    Examples
    --------
    >>> where_all_have_scores(np.array([[0.5, np.nan, 0.7], [0.6, 0.8, 0.9]])).tolist()
    [[0.5, 0.7], [0.6, 0.9]]
    """
    defined = np.isfinite(scores).all(axis=0)
    return scores[:, defined] if defined.any() else scores
