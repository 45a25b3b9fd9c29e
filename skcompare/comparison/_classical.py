"""What the tests without resampling share: rows are independent and count alike."""

import abc

import numpy as np

from skcompare._engine import row_scores
from skcompare.comparison._base import BaseComparison, from_result
from skcompare.comparison._caveats import Caveat
from skcompare.exceptions import DegenerateDataWarning
from skcompare.results import ComparisonResult
from skcompare.stats import paired_differences

__all__ = [
    "ClassicalComparison",
    "RowComparison",
    "refuse_parameters",
    "scores_of_rows",
]

# What only the resampling tests can take into account, and why.
_NOT_TAKEN = {
    "groups": "takes rows as independent, which those of a group are not",
    "strata": "has no resamples whose strata could keep their size",
    "sample_weight": "lets every row count alike",
}


def refuse_parameters(test, params):
    """Raise if rows are said to be grouped, stratified or weighted.

    Parameters
    ----------
    test : str
        The name of the test.
    params : dict
        Keyword arguments that came besides the data. Those that are None pass.
    """
    for name, value in params.items():
        if name not in _NOT_TAKEN:
            raise TypeError(f"{test} got an unexpected keyword argument {name!r}.")
        if value is not None:
            raise ValueError(
                f"`{name}` must be None for {test}, which {_NOT_TAKEN[name]}. Use "
                f"PairedBootstrap or ApproxRandomization: they take `{name}`."
            )


class ClassicalComparison(BaseComparison):
    """A comparison whose p-value comes from theory, not from resamples.

    A subclass names its null hypotheses in `_hypotheses` and says in `_examine` what
    it finds for a metric.
    """

    # How many calls up warnings point: one more than in the base, for `fit` is here.
    _warning_level = 4

    # The null hypothesis in words, for each alternative.
    _hypotheses = ()

    statistic_ = from_result("statistic")
    effect_size_ = from_result("effect_size")

    @abc.abstractmethod
    def _examine(self, question, metric):
        """Return fields of the result for a metric: at least `pvalue` and `method`.

        What is not returned comes from `Question.facts`.
        """

    def fit(self, X, y=None, **unsupported):
        """Compare the two models on data.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list
            With ``cv="prefit"`` test data that neither model has seen; otherwise the
            data for cross-validation.
        y : array-like
            The truth.
        **unsupported : dict
            `groups`, `strata` and `sample_weight`, which the resampling tests take,
            are refused here unless they are None.

        Returns
        -------
        object
            The fitted comparison itself.
        """
        refuse_parameters(type(self).__name__, unsupported)
        return super().fit(X, y)

    def fit_predictions(self, y_true, y_pred_a, y_pred_b, **unsupported):
        """Compare two models by what they answered.

        Parameters
        ----------
        y_true : array-like
            The truth.
        y_pred_a, y_pred_b : array-like or dict
            The response that the scorer asks for: labels, values, probabilities (of
            the positive class, or a column per class in sorted order) or decision
            values. A dict such as ``{"predict": ..., "predict_proba": ...}`` serves
            several scorers; its entry ``"classes"`` names the columns where `y_true`
            lacks a class.
        **unsupported : dict
            `groups`, `strata` and `sample_weight`, which the resampling tests take,
            are refused here unless they are None.

        Returns
        -------
        object
            The fitted comparison itself. It has results, and no model to predict with.
        """
        refuse_parameters(type(self).__name__, unsupported)
        return super().fit_predictions(y_true, y_pred_a, y_pred_b)

    def _answer(self, question, caveats):
        self._check_rows_are_single(question)
        return {
            metric: ComparisonResult(
                **{
                    "test": type(self).__name__,
                    "hypothesis": self._hypotheses[self.alternative],
                    "estimand": "the difference in score, on new rows like those "
                    f"given, between {question.sample.subject}",
                    "alternative": self.alternative,
                    "alpha": float(self.alpha),
                    "caveats": caveats,
                    **question.facts(metric),
                    **self._examine(question, metric),
                }
            )
            for metric in question.statistics
        }

    def _check_rows_are_single(self, question):
        """Refuse cross-validation that tests rows several times."""
        if question.units.groups is not None:
            raise ValueError(
                f"`cv` must test every row at most once for {type(self).__name__}, "
                f"which takes rows as independent. Got {question.sample.n_rows} "
                f"answers to {len(question.units)} rows. Use PairedBootstrap or "
                "ApproxRandomization: they keep answers to the same row together."
            )


class RowComparison(ClassicalComparison):
    """A comparison of scores that are averages of one number per row.

    A subclass says in `_examine_rows` what the numbers show.
    """

    @abc.abstractmethod
    def _examine_rows(self, rows_a, rows_b):
        """Return fields of the result, given the scores of the rows of both models."""

    def _examine(self, question, metric):
        rows_a, rows_b = self._row_scores(question, metric)
        error = np.std(rows_a - rows_b, ddof=1) / np.sqrt(len(rows_a))
        return {"standard_error": float(error), **self._examine_rows(rows_a, rows_b)}

    def _row_scores(self, question, metric):
        """Return the scores of single rows, or say why there are none."""
        return scores_of_rows(question.statistics[metric], metric, type(self).__name__)

    def _caveats(self, question):
        known = list(filter(None, super()._caveats(question)))
        if any(caveat.category is DegenerateDataWarning for caveat in known):
            return known
        return [*known, *(self._tie_caveat(question, m) for m in question.statistics)]

    def _tie_caveat(self, question, metric):
        """Say so if the two models, answering differently, score alike on every row."""
        differences, _ = paired_differences(*self._row_scores(question, metric))
        if np.any(differences):
            return None
        return Caveat(
            DegenerateDataWarning,
            f"Both models have the same {metric} on each of the "
            f"{question.sample.n_rows} rows: the difference is 0 and the p-value 1.",
        )


def scores_of_rows(statistic, metric, test):
    """Return the scores of single rows of both models, or say why there are none.

    Parameters
    ----------
    statistic : Statistic
        A score of two models.
    metric, test : str
        What to call the score and the test in the message.

    Returns
    -------
    list of ndarray of shape (n_rows,)
        The scores of rows, higher being better, whose average is the score.
    """
    scores = row_scores(statistic)
    if scores is None:
        raise ValueError(
            f"`scoring` must be an average of one number per row for {test}. Got "
            f"{metric!r}, which is not, or not known to be: F1 is a ratio of sums, R2 "
            "divides by the variance of all rows, ROC AUC compares rows with one "
            "another. Use PairedBootstrap or ApproxRandomization, for ROC AUC also "
            "DeLong; or an average such as 'accuracy', 'neg_log_loss' or "
            "'neg_mean_squared_error'."
        )
    return scores
