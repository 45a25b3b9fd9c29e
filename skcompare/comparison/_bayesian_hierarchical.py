"""A Bayesian hierarchy: scores of cross-validation folds on several data sets."""

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
    "the other's, shifted. Without variation differences count as known exactly, and "
    "probabilities are too sure: look at what happened."
)


class BayesianHierarchical(OverDatasets):
    """Find which model is better over data sets, from scores of folds on each.

    1. On each data set, average the differences of folds, with the standard error of
       `CorrectedTTest`, which allows for overlapping training sets.
    2. Take the true differences of data sets to be normal about a center; draw center
       and spread from their posterior, on a grid and without a Markov chain.
    3. For each draw compute how probable it is that the difference on a next data set
       is above, inside and below the region of practical equivalence, and count how
       often each of the three is the most probable.

    Read more in the :ref:`User Guide <bayesian_data_sets>`.

    Parameters
    ----------
    rope : float or pair of float, default=0.01
        The region of practical equivalence.
    n_draws : int, default=50_000
        The number of draws from the posterior.
    credible_level : float, default=0.95
        The probability that a decision needs.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random draws. None takes fresh entropy; the seed is in the result.

    Attributes
    ----------
    result_ : RegionResult
        The result; the attributes below are its fields.
    p_better_, p_equivalent_, p_worse_ : float
        The probabilities that above, inside and below `rope` is where the difference
        on a next data set most probably is. They sum to 1.
    shares_ : tuple of float
        The probabilities of the three for a next data set.
    decision_ : {">>", "<<", "~", "?"}
        A is better, B is better, practically equivalent, undecided.
    delta_, score_a_, score_b_ : float
        Means over data sets.
    dataset_deltas_ : ndarray of shape (n_datasets,)
        The posterior mean of the difference on each data set: drawn towards the
        center, the more so the less its folds agree.
    center_, spread_ : ndarray of shape (n_draws,)
        Draws of mean and standard deviation of true differences over data sets.

    See Also
    --------
    BayesianSignedRank : For one score of each model on every data set.
    BayesianCorrelatedTTest : One data set.

    Notes
    -----
    There is no null hypothesis. *Model*: on each data set the mean difference is normal
    about the true one, with a standard error that is taken as known; true differences
    are normal over data sets; the prior of center and spread is flat. *Estimand*: the
    difference on a next data set from the same population of data sets. *What is
    exchangeable*: data sets.

    This is simpler than the model of [1]_, which has Student's t over data sets,
    unknown errors and needs a sampler. So a single odd data set widens the spread for
    all, and with few folds, whose standard errors are rough, intervals are somewhat too
    narrow. With a flat prior of the spread three data sets are the fewest possible, and
    five or more are wanted. A data set without any variation over folds, such as one
    on which both models score the same, is given the mean standard error of the
    others, and a `DegenerateDataWarning` says so. If there are no others, differences
    count as known exactly, with such a warning, too; if, besides, all are the same, the
    spread is 0.

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

    def fit_scores(self, scores_a, scores_b, *, test_train_ratio=None):
        """Compare two models by their scores on folds.

        Parameters
        ----------
        scores_a, scores_b : array-like of shape (n_datasets, n_folds)
            A score of each model on every fold of every data set, in the same order;
            higher is better. Three data sets and two folds at least.
        test_train_ratio : float, default=None
            Test rows per training row; 0 for independent test sets. None takes that
            of k-fold cross-validation, ``1 / (k - 1)``.

        Returns
        -------
        BayesianHierarchical
            The fitted comparison itself.
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
            # An error of 0 is not knowledge: several that agree make the spread 0.
            errors = np.where(fixed, errors[~fixed].mean(), errors)
            text = (
                f"On {int(fixed.sum())} of {len(errors)} data sets the difference does "
                "not vary over folds. That does not make it exact: they are given the "
                "mean standard error of the others."
            )
            caveats.append(Caveat(DegenerateDataWarning, text))
        draws = hierarchy_draws(means, errors, self.n_draws, chunk_generator(seed, 0))
        self.center_, self.spread_, self.dataset_deltas_ = draws
        self._publish(
            scores.mean(axis=(1, 2)),
            next_regions(self.center_, self.spread_, as_rope(self.rope)),
            caveats_of_ties(differences, "folds of all data sets") or caveats,
            n_datasets=scores.shape[1],
            seed=seed,
            model="mean differences are normal about true ones, with known errors, and "
            "those normal over data sets; flat priors",
        )
        return self
