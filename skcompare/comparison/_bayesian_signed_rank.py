"""The Bayesian signed-rank test: one pair of scores for each of several data sets."""

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

# With fewer data sets a sign test cannot reject, two-sided at the level .05.
FEWEST_DATASETS = 6


class BayesianSignedRank(CallbackSupportMixin, OverDatasets):
    """Find which model is better over data sets, from one pair of scores on each.

    1. Give the differences of scores, and a difference of 0 that stands for the prior,
       random Dirichlet weights.
    2. Sum the weights of all pairs of differences whose average is above, inside and
       below the region of practical equivalence: three shares.
    3. Do so `n_draws` times, and count how often each share is the largest.

    Read more in the :ref:`User Guide <bayesian_data_sets>`.

    Parameters
    ----------
    rope : float or pair of float, default=0.01
        The region of practical equivalence.
    prior : float, default=0.5
        The weight of the prior, in data sets: of a difference of 0. At least 0.01.
    n_draws : int, default=50_000
        The number of draws from the posterior.
    credible_level : float, default=0.95
        The probability that a decision needs.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random draws. None takes fresh entropy; the seed is in the result.
    n_jobs : int or None, default=None
        The number of workers, as in joblib. The numbers do not depend on it.

    Attributes
    ----------
    result_ : RegionResult
        The result; the attributes below are its fields.
    p_better_, p_equivalent_, p_worse_ : float
        The probabilities that the share above, inside and below `rope` is the largest.
        They sum to 1.
    shares_ : tuple of float
        The three shares themselves: posterior means.
    decision_ : {">>", "<<", "~", "?"}
        A is better, B is better, practically equivalent, undecided.
    delta_, score_a_, score_b_ : float
        Means over data sets.

    See Also
    --------
    BayesianHierarchical : For scores of folds on each data set.
    WilcoxonSignedRank : The signed-rank test with a p-value, on the rows of one set.
    FriedmanTest : More than two models.

    Notes
    -----
    There is no null hypothesis. *Model*: data sets are independent draws from a
    population of data sets, whose differences have a Dirichlet process with base point
    0 for a prior. *Estimand*: where the average of the differences on two new data
    sets falls, as in Wilcoxon's test; so differences are taken to be symmetric about
    their median. *What is exchangeable*: data sets. The size of differences matters
    only in sums of two. How sure the single scores are makes no difference.

    Differences that are all inside the region give its share 1 in every draw. With
    ``rope=0`` only averages of exactly 0 are inside, such as that of the prior with
    itself. Averages that are beyond an end by no more than rounding are inside. Models
    that score the same on every data set come with a `DegenerateDataWarning`. Fewer
    than 6 data sets are a `SmallSampleWarning`, and the sentence says so: the prior
    gives no weight to differences other than 0 and those seen, and is too sure of few.

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
    ):
        self.rope = rope
        self.prior = prior
        self.n_draws = n_draws
        self.credible_level = credible_level
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit_scores(self, scores_a, scores_b):
        """Compare two models by their scores.

        Parameters
        ----------
        scores_a, scores_b : array-like of shape (n_datasets,)
            A score of each model on every data set, in the same order; higher is
            better. Three data sets at least.

        Returns
        -------
        BayesianSignedRank
            The fitted comparison itself.
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
                label="posterior",
            )
        n_datasets = scores.shape[1]
        caveats = caveats_of_ties(differences, f"{n_datasets} data sets")
        if n_datasets < FEWEST_DATASETS:
            text = (
                f"On {n_datasets} data sets even the sign test of differences that all "
                f"have one sign gives p = {0.5 ** (n_datasets - 1):g} two-sided: "
                "probabilities near 1 come from a prior that gives no weight to "
                f"differences never seen. Use {FEWEST_DATASETS} data sets or more."
            )
            brief = f"only {n_datasets} data sets"
            caveats.append(Caveat(SmallSampleWarning, text, brief=brief))
        self._publish(
            scores.mean(axis=1),
            regions,
            caveats,
            n_datasets=n_datasets,
            prior=float(self.prior),
            seed=seed,
            model="data sets are independent draws from a population of them, with a "
            f"Dirichlet process prior of weight {self.prior:g} at 0",
        )
        return self
