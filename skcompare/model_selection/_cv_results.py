"""Reading `cv_results_`: candidates, their scores split by split, and the best."""

from typing import NamedTuple

import numpy as np

_RANK = "rank_test_"


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
        How long their fits took on average.
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


def metrics_in(cv_results):
    """Return the names of the metrics, "score" for the one of a simple search."""
    return [key.removeprefix(_RANK) for key in cv_results if key.startswith(_RANK)]


def choose_metric(cv_results, wanted):
    """Return the metric to look at, or say which there are.

    Parameters
    ----------
    cv_results : dict
        What a search found.
    wanted : str or None
        The metric that the user asked for. None will do if there is just one.

    Returns
    -------
    str
        The name by which `cv_results` has it.
    """
    metrics = metrics_in(cv_results)
    if wanted is None and len(metrics) == 1:
        return metrics[0]
    if not isinstance(wanted, str) or wanted not in metrics:
        raise ValueError(
            "`scoring` must name one of the metrics of the search: "
            f"{', '.join(map(repr, metrics))}. Got {wanted!r}."
        )
    return wanted


def read_candidates(cv_results, metric):
    """Read the candidates that can be compared: those of the last iteration.

    Parameters
    ----------
    cv_results : dict
        What a search found.
    metric : str
        The name of a metric in it.

    Returns
    -------
    Candidates
        In the order of their ranks, ties in that of their positions.
    """
    scores, rank = _split_scores(cv_results, metric), cv_results[_RANK + metric]
    in_time = _in_last_iteration(cv_results)
    sound = np.isfinite(scores).all(axis=1)
    usable = np.flatnonzero(in_time & sound)
    if not len(usable):
        raise ValueError(
            "`search` must have at least one candidate with a score on every split. "
            f"Got none among {_count(in_time)}: {_lack_of_scores(scores[in_time])}"
        )
    index = usable[np.argsort(np.asarray(rank)[usable], kind="stable")]
    params = cv_results["params"]
    return Candidates(
        index=index,
        params=[params[i] for i in index],
        scores=scores[index],
        fit_times=np.asarray(cv_results["mean_fit_time"])[index],
        failed={int(i): params[i] for i in np.flatnonzero(in_time & ~sound)},
        n_earlier=int(np.count_nonzero(~in_time)),
    )


def _count(in_time):
    n_candidates = int(np.count_nonzero(in_time))
    return f"{n_candidates} candidate{'s' if n_candidates > 1 else ''}"


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


def _split_scores(cv_results, metric):
    """Return scores of shape (n_candidates, n_splits), splits in numeric order."""
    suffix = f"_test_{metric}"
    numbers = (key.removeprefix("split").removesuffix(suffix) for key in cv_results)
    splits = sorted(int(number) for number in numbers if number.isdecimal())
    columns = [cv_results[f"split{split}{suffix}"] for split in splits]
    return np.column_stack(columns).astype(float)


def _in_last_iteration(cv_results):
    """Say which candidates had the most resources: of any but halving searches, all."""
    if "iter" not in cv_results:
        return np.ones(len(cv_results["params"]), dtype=bool)
    iteration = np.asarray(cv_results["iter"])
    return iteration == iteration.max()
