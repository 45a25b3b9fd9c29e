"""Comparison of several models on several data sets by mean ranks."""

import dataclasses
from collections.abc import Mapping

import numpy as np

from skcompare._parameters import CORRECTIONS, OneOf, settings_of
from skcompare.comparison import (
    FittedAttributes,
    FriedmanTest,
    replicability_analysis,
    result_attributes,
)
from skcompare.model_selection._pairwise import check_baseline, pairs_of
from skcompare.results import RankResult
from skcompare.stats.blocks import (
    nemenyi_pvalues,
    rank_critical_difference,
    rank_pvalues,
)
from skcompare.stats.corrections import DEPENDENCES, adjust_pvalues

NEMENYI = "nemenyi"

# Fields copied from Friedman's test.
OF_OMNIBUS = ("names", "scores", "mean_ranks", "n_rows", "cv", "caveats")

# Fields in which the results of all data sets must agree, and their names in messages.
OF_ALL_SETS = {"names": "models", "pairs": "pairs", "alternative": "alternative"}


@result_attributes("names", "mean_ranks", "critical_difference", "omnibus")
class RankComparison(FittedAttributes):
    """Compare several models by their scores on several data sets.

    1. Rank the models on each data set, from 1 for the best; ties get the mean rank.
    2. Test whether the mean ranks differ at all with Friedman's test.
    3. Compare the mean ranks of each pair, or of each model with a baseline, corrected
       for multiple comparisons.

    Read more in the :ref:`User Guide <many_data_sets>`.

    Parameters
    ----------
    baseline : str, default=None
        The name of a model with which each other is compared. None compares all pairs.
    correction : {"nemenyi", "bonferroni", "holm", "hochberg", "bh", "by", "none"}, \
            default=None
        The correction for multiple comparisons: Nemenyi's test of all pairs, or as in
        :func:`adjust_pvalues`. None means "nemenyi" for all pairs and "holm" with a
        baseline; "bonferroni" with a baseline is Dunn's test.
    variant : {"iman-davenport", "chi2"}, default="iman-davenport"
        The variant of Friedman's test.
    alpha : float, default=0.05
        The level of decisions. Intervals have the level ``1 - alpha``.

    Attributes
    ----------
    result_ : RankResult
        The result, which contains the following attributes.
    names_ : tuple of str
        The names of the models.
    mean_ranks_ : ndarray of shape (n_models,)
        The mean rank of each model; 1 is best.
    critical_difference_ : float
        The smallest difference in mean ranks at which two models are significantly
        different.
    omnibus_ : OmnibusResult
        Friedman's test.
    ranks_ : ndarray of shape (n_datasets, n_models)
        The ranks.

    See Also
    --------
    PairwiseComparison : For models on the rows of one data set.
    FriedmanTest : Friedman's test alone.

    Notes
    -----
    *Null hypotheses*: on each data set all orders of the models are equally likely
    (Friedman), and for each pair, both models have the same expected rank.
    *Exchangeable*: the scores within a data set. *Estimand*: differences of mean ranks,
    regardless of the size of differences in score. *Assumptions*: data sets are
    independent. A difference of mean ranks of k models on N data sets is compared with
    a normal variable of standard deviation ``sqrt(k * (k + 1) / (6 * N))``, for
    Nemenyi's test with the range of k such variables, which is valid for many data
    sets. Ties reduce the variance of ranks: the tests are then conservative.

    *Degenerate cases*: models that are tied on all data sets have p = 1; if all models
    are, a `DegenerateDataWarning` is issued.

    *When it misleads*: whether the mean ranks of two models differ depends on which
    other models are ranked with them, and only on the order of scores. For two models
    use :class:`WilcoxonSignedRank`. Folds of one data set are not independent.

    References
    ----------
    .. [1] Demsar, J. (2006). Statistical comparisons of classifiers over multiple data
       sets. Journal of Machine Learning Research 7, 1-30.
    .. [2] Nemenyi, P. B. (1963). Distribution-free Multiple Comparisons. PhD thesis,
       Princeton University.
    .. [3] Dunn, O. J. (1961). Multiple comparisons among means. JASA 56(293), 52-64.
       :doi:`10.1080/01621459.1961.10482090`

    Examples
    --------
    >>> from skcompare import RankComparison
    >>> scores = {"nb": [0.71, 0.64, 0.80, 0.55, 0.90, 0.61],
    ...           "svm": [0.75, 0.70, 0.80, 0.62, 0.93, 0.60],
    ...           "forest": [0.78, 0.69, 0.84, 0.66, 0.95, 0.67]}
    >>> comparison = RankComparison().fit_scores(scores)
    >>> comparison.mean_ranks_.round(3).tolist()
    [2.75, 2.083, 1.167]
    >>> round(comparison.critical_difference_, 3)
    1.353
    >>> comparison.result_.letters
    {'nb': 'b', 'svm': 'ab', 'forest': 'a'}
    """

    _rules = {
        "correction": OneOf(NEMENYI, *CORRECTIONS, none=True),
        "variant": OneOf("chi2", "iman-davenport"),
    }

    def __init__(
        self, *, baseline=None, correction=None, variant="iman-davenport", alpha=0.05
    ):
        self.baseline = baseline
        self.correction = correction
        self.variant = variant
        self.alpha = alpha

    def fit_scores(self, scores, *, names=None):
        """Compare models by their scores.

        Parameters
        ----------
        scores : array-like of shape (n_datasets, n_models), DataFrame or dict
            A score for each data set and model; higher is better. The columns of a
            data frame, or the keys of a dict of columns, name the models.
        names : sequence of str, default=None
            Names of the models, in the order of the columns; None means those in
            `scores`, or "0", "1" and so on.

        Returns
        -------
        RankComparison
            The fitted comparison itself.
        """
        self.check_parameters()
        if self.correction == NEMENYI and self.baseline is not None:
            raise ValueError(
                "`correction` 'nemenyi' is for all pairs, not for a baseline. Got "
                f"baseline={self.baseline!r}. Use 'holm' or 'bonferroni'."
            )
        friedman = FriedmanTest(variant=self.variant, alpha=self.alpha)
        omnibus = friedman.fit_scores(scores, names=names).result_
        check_baseline(self.baseline, omnibus.names)
        indices = pairs_of(omnibus.names, self.baseline)
        pairs = tuple((omnibus.names[i], omnibus.names[j]) for i, j in indices)
        first, second = np.transpose(indices)
        deltas = omnibus.mean_ranks[second] - omnibus.mean_ranks[first]
        default = NEMENYI if self.baseline is None else "holm"
        correction = default if self.correction is None else self.correction
        n_blocks, n_models = friedman.ranks_.shape
        pvalues = rank_pvalues(deltas, n_models, n_blocks)
        if correction == NEMENYI:
            adjusted, n_pairs = nemenyi_pvalues(deltas, n_models, n_blocks), None
        else:
            adjusted = adjust_pvalues(pvalues, correction)
            n_pairs = 1 if correction == "none" else len(deltas)
        reach = rank_critical_difference(
            n_models, n_blocks, self.alpha, n_pairs=n_pairs
        )
        kinds = {NEMENYI: NEMENYI, "none": "marginal"}
        self.ranks_ = friedman.ranks_
        self.result_ = RankResult(
            test=type(self).__name__,
            settings=settings_of(self),
            scoring="mean rank",
            **{field: getattr(omnibus, field) for field in OF_OMNIBUS},
            pairs=pairs,
            deltas=deltas,
            intervals=np.column_stack([deltas - reach, deltas + reach]),
            interval_kind=kinds.get(correction, "bonferroni"),
            pvalues=pvalues,
            pvalues_adjusted=adjusted,
            correction=correction,
            critical_difference=reach,
            omnibus=omnibus,
            baseline=self.baseline,
            alternative="two-sided",
            alpha=float(self.alpha),
            confidence_level=1 - self.alpha,
            unit="data sets",
            hypothesis="both models have the same expected rank",
            estimand="the difference in expected rank among these models, over data "
            "sets like these",
        )
        return self

    def fit_results(self, results, *, dependence="any"):
        """Compare models by the results of comparisons on several data sets.

        Parameters
        ----------
        results : dict of PairwiseResult
            The results of `PairwiseComparison` on each data set, by name of the data
            set, for the same models and pairs.
        dependence : {"any", "independent"}, default="any"
            The dependence between the p-values of data sets that is allowed in counting
            the data sets on which the models of a pair differ: see
            :func:`replicability_analysis`.

        Returns
        -------
        RankComparison
            The fitted comparison itself. Its result contains the `replicability` of
            each pair: a lower bound for each pair alone, from its uncorrected p-values.
        """
        if not isinstance(results, Mapping) or not results:
            raise ValueError(
                "`results` must be a dict of PairwiseResult by the name of the data "
                f"set. Got {results!r}."
            )
        OneOf(*DEPENDENCES).check("dependence", dependence)
        first, *others = results
        for other in others:
            differing = [
                words
                for field, words in OF_ALL_SETS.items()
                if getattr(results[other], field) != getattr(results[first], field)
            ]
            if differing:
                raise ValueError(
                    "`results` must have the same models, pairs and alternative for "
                    f"each data set. Got different {' and '.join(differing)} for "
                    f"{other!r} and {first!r}."
                )
        names = results[first].names
        check_baseline(self.baseline, names)
        matrices = (r.matrix("pvalue", as_frame=False) for r in results.values())
        pvalues = np.array(list(matrices))
        of_pairs = [pvalues[:, i, j] for i, j in pairs_of(names, self.baseline)]
        missing = np.isnan(of_pairs)
        if missing.any():
            raise ValueError(
                "`results` must have a p-value for every pair compared here, in that "
                f"order or two-sided. Got {int(missing.sum())} without one."
            )
        scores = np.array([result.scores for result in results.values()])
        self.fit_scores(dict(zip(names, scores.T, strict=True)))
        counts = [
            replicability_analysis(own, dependence=dependence, alpha=self.alpha).k
            for own in of_pairs
        ]
        replicability = np.array(counts)
        self.result_ = dataclasses.replace(self.result_, replicability=replicability)
        return self
