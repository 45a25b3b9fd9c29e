"""The rows that a test was made on, to look at them more closely."""

import copy
import dataclasses
import warnings

import numpy as np

from skcompare._validation import as_array, as_labels, as_weights, take_rows
from skcompare.comparison._base import BaseComparison, as_vector, check_rows
from skcompare.comparison._classical import ClassicalComparison, refuse_parameters
from skcompare.cross_validation import CrossValidationCLT
from skcompare.evaluation import (
    evaluate_fitted,
    evaluate_predictions,
    resolve_scoring,
)
from skcompare.statistics import Sample, as_statistic


def is_repeatable(test):
    """Return whether a test can be made again on some of its rows."""
    return isinstance(test, BaseComparison) and not isinstance(test, CrossValidationCLT)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """Rows, the answers of two models, and the test that was made on them.

    Parameters
    ----------
    sample : Sample
        Rows and answers.
    test : BaseComparison or None
        The fitted test, if it is known.
    scorers : dict
        Its scorers by name; empty without a test.
    layout : dict
        `groups` and `strata` of the rows, where there are any.
    """

    sample: Sample
    test: object
    scorers: dict
    layout: dict

    def retest(self, rows):
        """Make the same test on some of the rows.

        All metrics share their resamples. If the test refuses one of them on these
        rows, each is tested by itself.

        Parameters
        ----------
        rows : ndarray of int
            Which rows.

        Returns
        -------
        results : dict of Result
            The results by metric, of those that are not refused.
        remarks : dict of list of str
            For each metric what is odd about it, or why it is refused.
        """
        try:
            return self._retest(rows)
        except ValueError as error:  # such as a slice that lacks a class
            if len(self.scorers) == 1:
                return {}, {m: [f"not tested: {error}"] for m in self.scorers}
        results, remarks = {}, {}
        for metric, scorer in self.scorers.items():
            alone = dataclasses.replace(self, scorers={metric: scorer})
            for found, more in zip((results, remarks), alone.retest(rows), strict=True):
                found.update(more)
        return results, remarks

    def _retest(self, rows):
        test = copy.copy(self.test)
        if "random_state" in test.get_params(deep=False):
            test.set_params(random_state=next(iter(test.results_.values())).seed)
        layout = dict.fromkeys(("groups", "strata")) | {
            name: take_rows(values, rows) for name, values in self.layout.items()
        }
        sample = self.sample.at(rows)
        with warnings.catch_warnings(action="ignore"):
            test._conclude(sample, self.scorers, **layout)
        remarks = {
            metric: _remarks(test, sample, {metric: scorer}, layout)
            for metric, scorer in self.scorers.items()
        }
        return test.results_, remarks


def _remarks(test, sample, scorers, layout):
    """Return what is odd about some of the metrics that a test was made in."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        caveats = test._caveats(test._pose(sample, scorers, **layout))
    caveats += test._late_caveats({metric: test.results_[metric] for metric in scorers})
    texts = [str(w.message) for w in caught] + [c.text for c in filter(None, caveats)]
    return list(dict.fromkeys(texts))


def gather_evidence(
    test, *, y_true, y_pred_a, y_pred_b, X, groups, strata, sample_weight
):
    """Return the rows that a test was made on, or raise if they cannot be those.

    Parameters
    ----------
    test : BaseComparison or None
        The fitted test, if it is known.
    y_true, y_pred_a, y_pred_b : object
        Truth and answers; without answers the models of the test are asked.
    X : object
        What the models are asked about.
    groups, strata, sample_weight : object
        As the test got them.

    Returns
    -------
    Evidence
        Rows, answers and test.
    """
    if y_true is None:
        raise ValueError(
            "`y_true` must be given to look at single rows: for `slices`, and for rows "
            "on which the models disagree. Got None."
        )
    layout = {"groups": groups, "strata": strata}
    weights = as_weights(sample_weight)
    check_rows("y_true", y_true, sample_weight=weights, X=X, **layout)
    if isinstance(test, ClassicalComparison):
        given = layout | {"sample_weight": sample_weight}
        refuse_parameters(type(test).__name__, given)
    answers = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    sample = _sample(test, as_vector(y_true), answers, X, weights)
    scorers = {}
    if test is not None:
        scorers = _scorers(test, sample)
        _check_same_rows(test, sample, scorers, groups)
    known = {name: values for name, values in layout.items() if values is not None}
    coded = {name: as_labels(values, name) for name, values in known.items()}
    return Evidence(sample=sample, test=test, scorers=scorers, layout=coded)


def _sample(test, y_true, answers, X, weights):
    how = {
        "sample_weight": weights,
        "same_methods": test is not None and test._exchanges_answers,
    }
    missing = [name for name, values in answers.items() if values is None]
    if not missing:
        return evaluate_predictions(y_true, answers, **how)
    askable = test is not None and test.cv == "prefit" and test.estimator_a is not None
    if len(missing) == 1 or X is None or not askable:
        raise ValueError(
            f"`{missing[0]}` must be given along with `y_true`: what the models "
            "answered to those rows. Only a test of fitted models (cv='prefit') can "
            "be passed with `X` instead; after cross-validation pass what "
            "cross_val_predict returns."
        )
    return evaluate_fitted(test._models(), X, y_true, **how)


def _scorers(test, sample):
    models = [] if sample.origin == "predictions" else list(test._models().values())
    return resolve_scoring(test.scoring, y=as_array(sample.y, "y_true"), models=models)


def _check_same_rows(test, sample, scorers, groups):
    """Check that rows and answers are those that the test saw."""
    for metric, result in test.results_.items():
        if sample.n_rows != result.n_rows:
            raise ValueError(
                "`y_true` must have the rows that the test was made on, i.e. "
                f"{result.n_rows}. Got {sample.n_rows}."
            )
        if groups is None and result.n_units != result.n_rows:
            raise ValueError(
                "`groups` must be given as to the test, which was made on "
                f"{result.n_units} groups. Got None."
            )
        if result.cv in ("prefit", "predictions"):
            _check_same_scores(result, as_statistic(scorers[metric], metric, sample))


def _check_same_scores(result, statistic):
    seen = result.score_a, result.score_b
    if not np.allclose(seen, statistic.observed, rtol=1e-9, atol=1e-12):
        raise ValueError(
            "`y_true`, `y_pred_a` and `y_pred_b` must be what the test saw, in the "
            "same order, and so must `sample_weight`. There A and B scored "
            "{:.6g} and {:.6g} in {}. Got answers that score {:.6g} and {:.6g}.".format(
                *seen, result.scoring, *statistic.observed
            )
        )
