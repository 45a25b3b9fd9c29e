"""Bayesian hierarchical model of cross-validation scores on several data sets."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import chunk_generator
from skcompare._parameters import Number
from skcompare._validation import seed_of
from skcompare.comparison._over_datasets import (
    OverDatasets,
    caveats_of_ties,
    paired_scores,
)
from skcompare.exceptions import DegenerateDataWarning
from skcompare.stats.folds import corrected_estimate
from skcompare.stats.paired import paired_differences
from skcompare.stats.posterior import as_rope, hierarchy_draws, next_regions

NOWHERE_VARIES = (
    "On no data set does the difference vary over folds, as if one model's scores were "
    "a shifted copy of the other's. Without variation, differences are treated as "
    "exact and probabilities are overconfident: check how the scores were obtained."
)


class BayesianHierarchical(OverDatasets):
    """Compare two models over several data sets, from scores on folds of each.

    1. On each data set, average the fold differences and compute the standard error of
       `CorrectedTTest`, which accounts for overlapping training sets.
    2. Assume that the true differences of data sets are normal around a center, and
       draw the center and spread from their posterior, on a grid without a Markov
       chain.
    3. For each draw, compute the probabilities that the difference on a new data set is
       above, inside and below the region of practical equivalence, and count how often
       each of the three is the most probable.

    Read more in the :ref:`User Guide <bayesian_data_sets>`.

    Parameters
    ----------
    rope : float or pair of float, default=0.01
        The region of practical equivalence.
    n_draws : int, default=50_000
        Number of draws from the posterior, at least 20.
    credible_level : float, default=0.95
        The probability required for a decision.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random draws. None uses fresh entropy; the result stores the seed.

    Attributes
    ----------
    result_ : RegionResult
        The result; the attributes below are its fields.
    p_better_, p_equivalent_, p_worse_ : float
        Probabilities that, on a new data set, the difference is most likely to be
        above, inside and below `rope`. They sum to 1.
    shares_ : tuple of float
        Posterior means of the probabilities of the three regions on a new data set.
    decision_ : {">>", "<<", "~", "?"}
        A is better, B is better, practically equivalent, undecided.
    delta_, score_a_, score_b_ : float
        Means over data sets.
    dataset_deltas_ : ndarray of shape (n_datasets,)
        Posterior mean of the difference on each data set, shrunk towards the center;
        the shrinkage is stronger the less its folds agree.
    center_, spread_ : ndarray of shape (n_draws,)
        Draws of the mean and standard deviation of true differences over data sets.

    See Also
    --------
    BayesianSignedRank : For one score of each model on every data set.
    BayesianCorrelatedTTest : One data set.

    Notes
    -----
    There is no null hypothesis. *Model*: on each data set, the mean difference is
    normal around the true one, with a standard error that is treated as known; true
    differences are normal over data sets; the priors of center and spread are flat.
    *Estimand*: the difference on a new data set from the same population of data sets.
    *What is exchangeable*: data sets.

    This model is simpler than that of [1]_, which uses Student's t over data sets and
    unknown errors and needs a sampler. As a consequence, a single outlying data set
    widens the spread for all, and with few folds, whose standard errors are inaccurate,
    intervals are somewhat too narrow. With a flat prior on the spread, at least three
    data sets are required, and five or more are recommended. A data set without
    variation over folds, such as one on which both models score the same, gets the mean
    standard error of the others, with a `DegenerateDataWarning`. If there are no
    others, differences are treated as exact, also with a warning; if, in addition, all
    of them are equal, the spread is 0.

    References
    ----------
    .. [1] Corani, G., Benavoli, A., Demsar, J., Mangili, F. and Zaffalon, M. (2017).
       Statistical comparison of classifiers through Bayesian hierarchical modelling.
       Machine Learning 106, 1817-1837. :doi:`10.1007/s10994-017-5641-9`
    .. [2] Gelman, A. et al. (2014). Bayesian Data Analysis, 3rd edition, section 5.4.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import BayesianHierarchical
    >>> rng = np.random.default_rng(0)
    >>> level = rng.uniform(0.6, 0.9, size=(8, 1))  # eight data sets, ten folds each
    >>> a = level + 0.04 + rng.normal(scale=0.02, size=(8, 10))
    >>> b = level + rng.normal(scale=0.02, size=(8, 10))
    >>> test = BayesianHierarchical(random_state=0).fit_scores(a, b)
    >>> test.decision_, test.dataset_deltas_.shape
    ('>>', (8,))
    """

    def __init__(
        self, *, rope=0.01, n_draws=50_000, credible_level=0.95, random_state=None
    ):
        self.rope = rope
        self.n_draws = n_draws
        self.credible_level = credible_level
        self.random_state = random_state

    def fit_scores(self, scores_a, scores_b, *, test_train_ratio=None, names=None):
        """Compare two models by their scores on folds.

        Parameters
        ----------
        scores_a, scores_b : array-like of shape (n_datasets, n_folds)
            Score of each model on every fold of every data set, in the same order;
            higher is better. At least three data sets and two folds.
        test_train_ratio : float, default=None
            Number of test rows per training row; 0 for independent test sets. None uses
            that of k-fold cross-validation, ``1 / (k - 1)``.
        names : pair of str, default=None
            Names of A and B.

        Returns
        -------
        BayesianHierarchical
            The fitted comparison.
        """
        self.check_parameters()
        seed = seed_of(self.random_state)
        shape = "one per data set (row) and fold (column)"
        scores = paired_scores(scores_a, scores_b, 2, shape)
        n_folds = scores.shape[2]
        if n_folds < 2:
            raise ValueError(
                "`scores_a` and `scores_b` must be scores of at least 2 folds. "
                f"Got {n_folds}. For one score per data set use BayesianSignedRank."
            )
        Number(0, none=True).check("test_train_ratio", test_train_ratio)
        ratio = 1 / (n_folds - 1) if test_train_ratio is None else test_train_ratio
        differences, _ = paired_differences(*scores)
        estimates = [corrected_estimate(d, ratio) for d in differences]
        means, errors = np.array([(e.mean, e.error) for e in estimates]).T
        fixed, caveats = errors == 0, []
        if fixed.all():
            brief = "no difference varies over folds"
            caveats.append(Caveat(DegenerateDataWarning, NOWHERE_VARIES, brief=brief))
        elif fixed.any():
            # An error of 0 is not certainty: several equal means make the spread 0.
            errors = np.where(fixed, errors[~fixed].mean(), errors)
            text = (
                f"On {int(fixed.sum())} of {len(errors)} data sets the difference does "
                "not vary over folds. This does not make it exact: these data sets get "
                "the mean standard error of the others."
            )
            caveats.append(Caveat(DegenerateDataWarning, text))
        draws = hierarchy_draws(means, errors, self.n_draws, chunk_generator(seed, 0))
        self.center_, self.spread_, self.dataset_deltas_ = draws
        self._publish(
            names,
            scores.mean(axis=(1, 2)),
            next_regions(self.center_, self.spread_, as_rope(self.rope)),
            caveats_of_ties(differences, "folds of all data sets") or caveats,
            n_datasets=scores.shape[1],
            seed=seed,
            model="mean differences are normal around true differences, with known "
            "errors; true differences are normal over data sets; flat priors",
        )
        return self
