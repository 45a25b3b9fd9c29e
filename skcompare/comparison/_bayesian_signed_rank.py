"""Bayesian signed-rank test: one pair of scores for each of several data sets."""

import functools

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import GammaDraws, Resampler, draw
from skcompare._progress import CallbackSupportMixin, followed
from skcompare._validation import seed_of
from skcompare.comparison._over_datasets import (
    OverDatasets,
    caveats_of_ties,
    paired_scores,
)
from skcompare.exceptions import SmallSampleWarning
from skcompare.stats.paired import paired_differences
from skcompare.stats.posterior import as_rope, pair_shares, walsh_regions
from skcompare.stats.pvalues import rounding_tolerance

# With fewer data sets, a two-sided sign test cannot reject at the 0.05 level.
FEWEST_DATASETS = 6


class BayesianSignedRank(CallbackSupportMixin, OverDatasets):
    """Compare two models over several data sets, from one pair of scores on each.

    1. Draw random Dirichlet weights for the differences of scores and for a difference
       of 0 that represents the prior.
    2. Sum the weights of all pairs of differences whose average is above, inside and
       below the region of practical equivalence: three shares.
    3. Repeat this `n_draws` times, and count how often each share is the largest.

    Read more in the :ref:`User Guide <bayesian_data_sets>`.

    Parameters
    ----------
    rope : float or pair of float, default=0.01
        The region of practical equivalence.
    prior : float, default=0.5
        Weight of the prior, a difference of 0, in data sets. At least 0.01.
    n_draws : int, default=50_000
        Number of draws from the posterior, at least 20.
    credible_level : float, default=0.95
        The probability required for a decision.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random draws. None uses fresh entropy; the result stores the seed.
    n_jobs : int or None, default=None
        Number of parallel workers, as in joblib. Results do not depend on it.
    verbose : int, default=0
        If nonzero, show the progress of draws on standard error after two seconds.

    Attributes
    ----------
    result_ : RegionResult
        The result; the attributes below are its fields.
    p_better_, p_equivalent_, p_worse_ : float
        Probabilities that the share above, inside and below `rope` is the largest. They
        sum to 1.
    shares_ : tuple of float
        Posterior means of the three shares.
    decision_ : {">>", "<<", "~", "?"}
        A is better, B is better, practically equivalent, undecided.
    delta_, score_a_, score_b_ : float
        Means over data sets.

    See Also
    --------
    BayesianHierarchical : For scores on the folds of each data set.
    WilcoxonSignedRank : Frequentist signed-rank test, on the rows of one data set.
    FriedmanTest : For more than two models.

    Notes
    -----
    There is no null hypothesis. *Model*: data sets are independent draws from a
    population of data sets; the prior of their differences is a Dirichlet process with
    base point 0. *Estimand*: where the average of the differences on two new data sets
    falls, as in the Wilcoxon test; differences are therefore assumed to be symmetric
    about their median. *What is exchangeable*: data sets. The size of differences
    matters only in sums of two. The precision of the individual scores is not used.

    If all differences are inside the region, its share is 1 in every draw. With
    ``rope=0``, only averages of exactly 0 are inside, such as that of the prior with
    itself. Averages beyond an end by no more than rounding error count as inside. A
    `DegenerateDataWarning` is issued for models that score the same on every data set,
    and a `SmallSampleWarning`, repeated in the sentence of the result, for fewer than 6
    data sets: the prior gives no weight to unobserved differences other than 0, so the
    posterior of a small sample is overconfident.

    References
    ----------
    .. [1] Benavoli, A., Mangili, F., Corani, G., Zaffalon, M. and Ruggeri, F. (2014).
       A Bayesian Wilcoxon signed-rank test based on the Dirichlet process. ICML.
    .. [2] Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). Time for a
       change: a tutorial for comparing multiple classifiers through Bayesian analysis.
       Journal of Machine Learning Research 18(77), 1-36.

    Examples
    --------
    >>> from skcompare import BayesianSignedRank
    >>> forest = [0.84, 0.91, 0.78, 0.95, 0.70, 0.88, 0.92, 0.66, 0.81, 0.87]
    >>> tree = [0.80, 0.88, 0.79, 0.90, 0.66, 0.85, 0.92, 0.61, 0.78, 0.83]
    >>> test = BayesianSignedRank(rope=0.01, random_state=0).fit_scores(forest, tree)
    >>> round(test.p_better_, 2), test.decision_
    (1.0, '>>')
    """

    def __init__(
        self,
        *,
        rope=0.01,
        prior=0.5,
        n_draws=50_000,
        credible_level=0.95,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.rope = rope
        self.prior = prior
        self.n_draws = n_draws
        self.credible_level = credible_level
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit_scores(self, scores_a, scores_b, *, names=None):
        """Compare two models by their scores.

        Parameters
        ----------
        scores_a, scores_b : array-like of shape (n_datasets,)
            Score of each model on every data set, in the same order; higher is better.
            At least three data sets.
        names : pair of str, default=None
            Names of A and B.

        Returns
        -------
        BayesianSignedRank
            The fitted comparison.
        """
        self.check_parameters()
        seed = seed_of(self.random_state)
        scores = paired_scores(scores_a, scores_b, 1, "one per data set")
        differences = np.append(0.0, paired_differences(*scores)[0])
        above, below = walsh_regions(
            differences, as_rope(self.rope), tolerance=rounding_tolerance(scores, 1.0)
        )
        shapes = np.ones(len(differences))
        shapes[0] = self.prior
        with followed(self, "fit_scores"):
            score = functools.partial(pair_shares, above=above, below=below)
            regions = draw(
                Resampler(GammaDraws(shapes), score),
                self.n_draws,
                seed=seed,
                n_jobs=self.n_jobs,
                verbose=self.verbose,
                label="posterior",
            )
        n_datasets = scores.shape[1]
        caveats = caveats_of_ties(differences, f"{n_datasets} data sets")
        if n_datasets < FEWEST_DATASETS:
            text = (
                f"With {n_datasets} data sets, even a sign test of differences that "
                f"all have the same sign gives p = {0.5 ** (n_datasets - 1):g} "
                "(two-sided): probabilities near 1 come from a prior that gives no "
                "weight to unobserved differences. Use at least "
                f"{FEWEST_DATASETS} data sets."
            )
            brief = f"only {n_datasets} data sets"
            caveats.append(Caveat(SmallSampleWarning, text, brief=brief))
        self._publish(
            names,
            scores.mean(axis=1),
            regions,
            caveats,
            n_datasets=n_datasets,
            prior=float(self.prior),
            seed=seed,
            model="data sets are independent draws from a population of data sets, "
            f"with a Dirichlet process prior of weight {self.prior:g} at 0",
        )
        return self
