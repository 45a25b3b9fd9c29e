"""Friedman's test of several models on several data sets or folds."""

from collections.abc import Mapping

import numpy as np

from skcompare._caveats import Caveat
from skcompare._parameters import OneOf
from skcompare._validation import as_array, check_order, model_names
from skcompare.comparison._base import publish_single
from skcompare.comparison._cochran import OmnibusTest
from skcompare.comparison._named import check_names
from skcompare.comparison._winner import result_attributes
from skcompare.exceptions import DegenerateDataWarning
from skcompare.stats.blocks import friedman_chi2, iman_davenport, rank_blocks

VARIANTS = {"chi2": friedman_chi2, "iman-davenport": iman_davenport}


@result_attributes("mean_ranks")
class FriedmanTest(OmnibusTest):
    """Test whether several models rank equally on several data sets.

    1. Rank the models on each data set, from 1 for the best; ties get their mean rank.
    2. If no model were better than another, all orders of the models would be equally
       likely on each data set. ``statistic_`` compares the differences between the
       models' mean ranks with those expected in that case.
    3. Compute the p-value from the chi-square distribution or, for the variant of Iman
       and Davenport, from an F distribution.

    Parameters
    ----------
    variant : {"chi2", "iman-davenport"}, default="iman-davenport"
        Friedman's chi-square, or the F statistic of Iman and Davenport, a function of
        it that is less conservative for few data sets.
    alpha : float, default=0.05
        Significance level for wording the result.

    Attributes
    ----------
    result_ : OmnibusResult
        The result; the attributes below are its fields.
    statistic_ : float
        Chi-square, or F.
    pvalue_ : float
        The p-value.
    df_ : int or tuple of int
        Degrees of freedom: one number for chi-square, two for F.
    names_ : tuple of str
        Names of the models.
    scores_ : ndarray of shape (n_models,)
        Mean score of each model.
    mean_ranks_ : ndarray of shape (n_models,)
        Mean rank of each model; 1 is best.
    ranks_ : ndarray of shape (n_datasets, n_models)
        The ranks.
    effect_size_ : dict
        ``"kendall_w"``, Kendall's coefficient of concordance: 0 if the data sets do not
        agree on the order at all, 1 if they agree completely.

    See Also
    --------
    CochranQ : For right and wrong predictions on the rows of one data set.

    Notes
    -----
    *Null hypothesis*: on each data set, the scores of the models are exchangeable; no
    model tends to rank higher than another. *What is exchangeable*: the scores within a
    data set. *Assumptions*: data sets are independent; scores are comparable within a
    data set, but need not be between data sets. *Estimand*: mean ranks; the size of
    differences in score is not used.

    Both variants are corrected for ties, like :func:`scipy.stats.friedmanchisquare`.
    Demsar's worked example [3]_, 9.28, is uncorrected; the corrected value is 10.23.
    Scores that are equal up to rounding error are ties. If all models tie on all data
    sets, the statistic is 0 and p = 1, with a `DegenerateDataWarning`. If all data sets
    rank the models alike, F is infinite; the p-value is then the probability of this
    event if all orders are equally likely, ``factorial(k) ** -(N - 1)`` for k models
    without ties on N data sets.

    *When it misleads*: for few data sets and models (Demsar: up to 10 and 5),
    chi-square is conservative, while F can reject slightly too often. Folds of one data
    set share training rows and are not independent, so the test rejects too often with
    them. It shows that the models are not all alike, but not which ones differ.

    References
    ----------
    .. [1] Friedman, M. (1937). The use of ranks to avoid the assumption of normality
       implicit in the analysis of variance. JASA 32(200), 675-701.
       :doi:`10.1080/01621459.1937.10503522`
    .. [2] Iman, R. L. and Davenport, J. M. (1980). Approximations of the critical
       region of the Friedman statistic. Communications in Statistics - Theory and
       Methods 9(6), 571-595. :doi:`10.1080/03610928008827904`
    .. [3] Demsar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> from skcompare import FriedmanTest
    >>> scores = {"nb": [0.71, 0.64, 0.80, 0.55, 0.90, 0.61],
    ...           "svm": [0.75, 0.70, 0.80, 0.62, 0.93, 0.60],
    ...           "forest": [0.78, 0.69, 0.84, 0.66, 0.95, 0.67]}
    >>> test = FriedmanTest().fit_scores(scores)
    >>> test.mean_ranks_.round(3).tolist()
    [2.75, 2.083, 1.167]
    >>> round(test.statistic_, 4), round(test.pvalue_, 4)
    (9.6809, 0.0046)
    """

    _rules = {"variant": OneOf(*VARIANTS)}

    def __init__(self, *, variant="iman-davenport", alpha=0.05):
        self.variant = variant
        self.alpha = alpha

    def fit_scores(self, scores, *, names=None):
        """Compare models by their scores.

        Parameters
        ----------
        scores : array-like of shape (n_datasets, n_models), DataFrame or dict
            Score of each model (column) on each data set or fold (row); higher is
            better. The columns of a data frame, or the keys of a dict of columns, name
            the models.
        names : sequence of str, default=None
            Names of the models, in the order of the columns; None means those in
            `scores`, or "0", "1" and so on.

        Returns
        -------
        FriedmanTest
            The fitted test.
        """
        self.check_parameters()
        own_names, values = score_table(scores)
        self.ranks_ = rank_blocks(values)
        test = VARIANTS[self.variant](self.ranks_)
        tied = (self.ranks_ == self.ranks_[:, :1]).all()
        text = "All models tie on every data set: the p-value is 1."
        outcome = self._outcome(
            test,
            [Caveat(DegenerateDataWarning, text)] if tied else [],
            names=model_names(names, own_names),
            scores=values.mean(axis=0),
            mean_ranks=self.ranks_.mean(axis=0),
            n_rows=len(values),
            unit="data sets or folds",
            method=self.variant,
            cv="scores",
            hypothesis="on each data set every order of the models is as likely as any "
            "other",
            effect_size={"kendall_w": test.concordance},
        )
        publish_single(self, outcome)
        return self


def score_table(scores):
    """Return the names of models and a matrix of their scores.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_models), DataFrame or dict
        The argument of `fit_scores`.

    Returns
    -------
    names : tuple of str
        Names of the models.
    values : ndarray of shape (n_datasets, n_models)
        Finite numbers, for at least 3 models on 2 data sets; otherwise a `ValueError`
        is raised.
    """
    columns = None
    if isinstance(scores, Mapping):
        columns = list(scores.values())
        check_order({f"scores[{name!r}]": own for name, own in scores.items()})
    try:
        values = np.asarray(scores if columns is None else columns)
    except ValueError:  # such as rows of different lengths
        raise ValueError(
            "`scores` must be a matrix, data sets x models, with a score of every "
            f"model for every data set. Got {scores!r}."
        ) from None
    values = values if columns is None else values.T
    if values.dtype == object:
        values = as_array(values, "scores")  # raises if values are missing
    try:
        values = values.astype(float)
    except (TypeError, ValueError):
        raise ValueError(
            f"`scores` must be numbers. Got an array of {values.dtype}."
        ) from None
    if values.ndim != 2:
        raise ValueError(
            "`scores` must be a matrix, data sets x models. "
            f"Got an array of shape {values.shape}."
        )
    n_blocks, n_models = values.shape
    if n_models < 3 or n_blocks < 2:
        raise ValueError(
            "`scores` must have at least 3 models (columns) and 2 data sets (rows). "
            f"Got {n_models} and {n_blocks}. For two models use WilcoxonSignedRank or "
            "SignTest; for rows of one data set PairedBootstrap, ApproxRandomization "
            "or, with more than two models, CochranQ."
        )
    labels = getattr(scores, "columns", range(n_models))
    names = tuple(map(str, labels if columns is None else scores))
    check_names("scores", names)
    missing = np.argwhere(~np.isfinite(values))
    if len(missing):
        row, column = missing[0]
        raise ValueError(
            f"`scores` must not have missing or infinite values. Got {len(missing)}, "
            f"the first in row {row} for {names[column]!r}. Drop those data sets for "
            "all models, or fill them."
        )
    return names, values
