"""Friedman's test of several models on several data sets or folds."""

from collections.abc import Mapping

import numpy as np

from skcompare._caveats import Caveat
from skcompare._parameters import OneOf
from skcompare._validation import as_array
from skcompare.comparison._base import publish_single
from skcompare.comparison._cochran import OmnibusTest, check_names
from skcompare.comparison._winner import result_attributes
from skcompare.exceptions import DegenerateDataWarning
from skcompare.stats.blocks import friedman_chi2, iman_davenport, rank_blocks

VARIANTS = {"chi2": friedman_chi2, "iman-davenport": iman_davenport}


@result_attributes("mean_ranks")
class FriedmanTest(OmnibusTest):
    """Test whether several models rank alike on several data sets.

    1. Rank the models on each data set, from 1 for the best; ties share a mean rank.
    2. If no model were better than another, each order would be as likely as any
       other on each data set. So compare how much the models' mean ranks differ with
       how much they would then: that is ``statistic_``.
    3. The p-value is that of a chi-square variable or, for Iman and Davenport's
       variant, of an F variable.

    Parameters
    ----------
    variant : {"chi2", "iman-davenport"}, default="iman-davenport"
        Friedman's chi-square, or the F statistic that Iman and Davenport make of it,
        which is less conservative for few data sets.
    alpha : float, default=0.05
        The level at which the result is worded.

    Attributes
    ----------
    result_ : OmnibusResult
        The result, from which the following are read.
    statistic_ : float
        Chi-square, or F.
    pvalue_ : float
        The p-value.
    df_ : int or tuple of int
        The degrees of freedom: one number for chi-square, two for F.
    names_ : tuple of str
        What the models are called.
    scores_ : ndarray of shape (n_models,)
        The mean score of each model.
    mean_ranks_ : ndarray of shape (n_models,)
        The mean rank of each model; 1 is best.
    ranks_ : ndarray of shape (n_datasets, n_models)
        The ranks.
    effect_size_ : dict
        ``"kendall_w"``, Kendall's coefficient of concordance, from 0 if data sets do
        not agree at all on the order to 1 if they do completely.

    See Also
    --------
    CochranQ : For right and wrong predictions on the rows of one data set.

    Notes
    -----
    *Null hypothesis*: on each data set the scores of the models are exchangeable; no
    model tends to rank higher than another. *What is exchangeable*: the scores within a
    data set. *Assumptions*: data sets are independent; scores of one data set are
    comparable, those of different ones need not be. *Estimand*: mean ranks; how
    large differences in score are makes no difference.

    Both variants are corrected for ties, as :func:`scipy.stats.friedmanchisquare` is.
    Demsar's worked example [3]_, 9.28, is not; corrected it is 10.23. Scores that are
    equal but for rounding are ties. Where all models tie on all data sets, the
    statistic is 0, p = 1, and a `DegenerateDataWarning` is given. Where all data sets
    rank the models alike, F is infinite; the p-value is then the probability of that
    if every order is equally likely, ``factorial(k) ** -(N - 1)`` for k models without
    ties on N data sets.

    *When it misleads*: for few data sets and models (Demsar: up to 10 and 5)
    chi-square is conservative, while F can reject a little too often. Folds of one
    data set share training rows and are not independent: with them the test rejects
    too often. It says that the models are not all alike, not which.

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

    def fit_scores(self, scores):
        """Compare models by their scores.

        Parameters
        ----------
        scores : array-like of shape (n_datasets, n_models), DataFrame or dict
            A score for each data set (or fold) and model; higher is better. The columns
            of a data frame, or the keys of a dict of columns, name the models.

        Returns
        -------
        FriedmanTest
            The fitted test itself.
        """
        self.check_parameters()
        names, values = score_table(scores)
        self.ranks_ = rank_blocks(values)
        test = VARIANTS[self.variant](self.ranks_)
        tied = (self.ranks_ == self.ranks_[:, :1]).all()
        text = "All models tie on every data set: the p-value is 1."
        outcome = self._outcome(
            test,
            [Caveat(DegenerateDataWarning, text)] if tied else [],
            names=names,
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
        What `fit_scores` takes.

    Returns
    -------
    names : tuple of str
        What the models are called.
    values : ndarray of shape (n_datasets, n_models)
        Finite numbers, of at least 3 models on 2 data sets; else a `ValueError`.
    """
    columns = list(scores.values()) if isinstance(scores, Mapping) else None
    try:
        values = np.asarray(scores if columns is None else columns)
    except ValueError:  # such as rows of different lengths
        raise ValueError(
            "`scores` must be a matrix, data sets x models, with a score of every "
            f"model for every data set. Got {scores!r}."
        ) from None
    values = values if columns is None else values.T
    if values.dtype == object:
        values = as_array(values, "scores")  # says so if there are gaps
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
