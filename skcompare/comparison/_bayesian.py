"""Bayesian comparison of two models with a region of practical equivalence."""

import functools
import math

import numpy as np
from sklearn.utils.validation import check_is_fitted

from skcompare._caveats import Caveat
from skcompare._engine import draw
from skcompare._parameters import Integer, Number, OneOf
from skcompare.comparison._base import (
    FEWEST_UNITS,
    TakesRowScores,
    outcome_of,
    result_attributes,
)
from skcompare.comparison._needs import Advice, Need
from skcompare.comparison._posteriors import (
    LEAST_PRIOR,
    NO_SPREAD,
    POSTERIORS,
    TAKES_COUNTS,
    TAKES_PLAIN_ROWS,
    GivesPosterior,
    is_set_score,
)
from skcompare.exceptions import (
    DegenerateDataWarning,
    MultimodalPosteriorWarning,
    ParameterError,
    UndefinedScoreWarning,
)
from skcompare.results import PosteriorResult
from skcompare.stats.posterior import is_multimodal, rope_within, summarize_draws
from skcompare.stats.pvalues import rounding_tolerance


@result_attributes("posterior", "posterior_a", "posterior_b")
class BayesianComparison(GivesPosterior, TakesRowScores):
    """Estimate the probability that model A is better than B by a relevant margin.

    1. Draw random weights for the rows, which represent a possible population.
    2. Score both models with these weights. Repeat this `n_draws` times: the
       differences are draws from the posterior of ``score(A) - score(B)``.
    3. Compute the fractions of draws above, inside and below the region of practical
       equivalence (ROPE), and compare the highest-density interval (HDI), the shortest
       interval that contains most of the draws, with that region.

    Read more in the :ref:`User Guide <bayesian>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics, as in scikit-learn. None uses the models' own `score`.
        Several metrics share the seed of their draws.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" evaluates fitted models on the data passed to `fit`. Other values are
        interpreted as in :func:`~sklearn.model_selection.cross_val_predict`: clones are
        evaluated on their pooled out-of-fold responses, with the same folds for both
        models. Ranking metrics, which are biased when pooled, are averaged over folds.
    posterior : {"paired", "independent", "hierarchical"}, default="paired"
        "paired" is the Bayesian bootstrap [1]_: both models are scored with the same
        random row weights, so difficulty shared by both cancels. It supports every
        metric that takes weights. "independent" treats each model separately, with the
        posteriors of Goutte and Gaussier [2]_ for precision, recall and F, and a Beta
        posterior for accuracy. "hierarchical", after Zhang et al. [5]_, draws confusion
        matrices in which the classes of a model share information, for any metric of
        labels, such as micro- and macro-averaged F1.
    rope : float or pair of float, default=0.01
        The region of practical equivalence: differences too small to matter. A number
        `r` means ``(-r, r)``; with 0, only the sign of the difference counts.
    prior : float, default=0.5
        Pseudo-counts of the prior. For "paired", the count of each of the two ways in
        which only one model is correct (see Notes); 0 is the plain Bayesian bootstrap,
        and metrics not computed from labels have no prior. For "independent", added to
        the counts of true positives, false positives and false negatives, or of correct
        and incorrect predictions; 0.5 is the Jeffreys prior for precision, recall and
        accuracy. For "hierarchical", added to the count of each class. The last two
        require at least 0.01.
    n_draws : int, default=50_000
        Number of draws from the posterior, at least 20.
    credible_level : float, default=0.95
        Probability mass of the highest-density interval.
    refit : bool, default=True
        With `cv`, whether to refit the winning model on all the data. If False, there
        is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        How to handle failed fits with `cv`: "raise" raises the error; nan excludes the
        rows of that fold for both models and issues a `FailedFitWarning`.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random draws. None uses fresh entropy; the result stores the seed.
    n_jobs : int or None, default=None
        Number of parallel workers, as in joblib. Results do not depend on it.
    verbose : int, default=0
        If nonzero, show the progress of fits and draws on standard error after two
        seconds.

    Attributes
    ----------
    results_ : dict
        A `PosteriorResult` for each metric, by name.
    result_ : PosteriorResult
        The result, if there is only one metric; the attributes below are its fields.
    delta_, score_a_, score_b_ : float
        Difference and scores on the observed rows.
    p_better_, p_equivalent_, p_worse_ : float
        Probabilities of a difference above, inside and below `rope`. They sum to 1.
    p_direction_ : float
        The larger of the probabilities that the difference is above and below 0.
    posterior_mean_ : float
        Mean of the posterior of the difference.
    posterior_mode_ : float
        Mode of the posterior: the maximum a posteriori (MAP) estimate.
    hdi_ : CredibleInterval
        Highest-density interval of the difference.
    decision_ : {">>", "<<", "~", "?"}
        ">>" (A is better) if `hdi_` is entirely above the region, "<<" (B is better) if
        entirely below, "~" (practically equivalent) if entirely inside, "?" (undecided)
        otherwise.
    posterior_ : ndarray of shape (n_draws,)
        Draws of the difference.
    posterior_a_, posterior_b_ : ndarray of shape (n_draws,)
        Draws of the scores, paired by draw.
    best_estimator_ : estimator
        A if the decision is ">>" in every metric, else B. With `cv`, refitted on all
        rows. Set only by `fit`.
    fold_, indices_ : ndarray
        With `cv`, the fold of each evaluated row and its position in the data.
    problem_ : object
        The comparison problem: names, predictions, metrics and units resampled
        together.
    predictions_ : tuple of dict
        The compared responses of each model, by response method.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Attributes of `best_estimator_`.

    See Also
    --------
    PairedBootstrap : P-value and confidence interval from similar resamples.
    BayesianSignedRank : One pair of scores for each of several data sets.
    hdi : Highest-density interval of arbitrary draws.

    Notes
    -----
    There is no null hypothesis. *Estimand*: the difference in score in the population
    that the rows come from; with `cv`, as scored on pooled out-of-fold responses.
    *What is exchangeable*: the rows, or the groups if `groups` is passed, each of which
    then gets one weight. With `strata`, the weights of each stratum sum to its size.

    *Paired.* The population is assumed to consist of rows like those observed, in
    unknown proportions with a Dirichlet posterior of parameters 1. Rows that are
    equivalent for both models form one cell, whose parameter is its count, so the cost
    depends on the number of cells. By itself, this gives no weight to unobserved
    disagreements and is overconfident when there are few: with three rows on which only
    A is correct, and none on which only B is, A was better in every draw, although the
    sign test has p = 0.125. Metrics of one label per row therefore have a prior:
    pseudo-rows on which A is correct and B predicts another class, the one most often
    confused with it, and vice versa. The number of each kind is `prior` per true class
    for a metric of one class, such as recall; ``prior / sqrt(k)`` per true class where
    k classes are averaged, as in balanced accuracy or macro F1; and `prior` in total,
    in proportion to the classes, where rows have equal weight, as in accuracy or micro
    and weighted averages. Strata share them in proportion, and with `groups` each is a
    group of average size. The :ref:`User Guide <validity_bayesian>` reports coverage
    with and without the prior. Without a prior, and for other metrics, a small number
    of differing rows still makes the posterior too narrow, as it does percentile
    intervals.

    For a metric that is an average, the plain posterior has mean ``delta_``, and its
    variance is the squared usual standard error times ``(n - 1) / (n + 1)``. If both
    models give the same predictions, a `DegenerateDataWarning` reports how much
    disagreement a sample of this size may hide. If predictions that affect the metric
    differ on fewer than six rows or groups, a `SmallSampleWarning` is issued; for
    recall, only positives count. If predictions differ but no weights change the
    difference, the posterior is a single point and the decision is "?", with a
    `DegenerateDataWarning`. `sample_weight` multiplies the random weights. Each metric
    has its own draws from the same seed.

    *Independent.* With l the `prior`, precision is Beta(TP + l, FP + l), recall is
    Beta(TP + l, FN + l), and F-beta, with independent gamma variables T, P, N of shapes
    TP + l, FP + l, FN + l, is

        (1 + beta^2) T / ((1 + beta^2) T + P + beta^2 N).

    For F1 this is U / (U + V) of [2]_. Micro averages pool the counts of labels before
    drawing; macro averages are averages of draws over labels. Dependence between models
    evaluated on the same rows, and between the labels of a row, is ignored; where
    errors are correlated, as they usually are, the posterior of the difference is too
    wide. A micro F1 of several classes counts each error twice, as a false positive and
    a false negative, so its posterior is too narrow. The posterior of a label without
    relevant rows is the prior, with a `DegenerateDataWarning`. Accuracy is
    Beta(correct + l, incorrect + l).

    *Hierarchical.* The class proportions have a Dirichlet posterior with `prior`
    pseudo-counts and are shared by both models. A model's predictions for a class are
    multinomial, with a Dirichlet prior of ``s * m`` pseudo-counts for the class itself
    and ``s * (1 - m)``, in equal parts, for the others; s and m are shared by all
    classes and drawn from their posterior on a grid (log s and m have uniform priors).
    Rare classes thus borrow strength from frequent ones, and averages of F1 over many
    rare classes shrink towards each other, which suits classes that are about equally
    difficult. Conditional on the classes, the models are assumed independent: as above,
    the posterior of the difference is too wide where errors are correlated. The cost is
    quadratic in the number of classes.

    A posterior is only as good as its model. Its probabilities are not complements of
    p-values, and `rope` must be chosen before seeing the results, from the differences
    that would matter.

    References
    ----------
    .. [1] Rubin, D. B. (1981). The Bayesian bootstrap. Annals of Statistics 9(1),
       130-134. :doi:`10.1214/aos/1176345338`
    .. [2] Goutte, C. and Gaussier, E. (2005). A probabilistic interpretation of
       precision, recall and F-score, with implication for evaluation. ECIR, LNCS 3408,
       345-359. :doi:`10.1007/978-3-540-31865-1_25`
    .. [3] Benavoli, A., Corani, G., Demsar, J. and Zaffalon, M. (2017). Time for a
       change: a tutorial for comparing multiple classifiers through Bayesian analysis.
       Journal of Machine Learning Research 18(77), 1-36.
    .. [4] Kruschke, J. K. (2018). Rejecting or accepting parameter values in Bayesian
       estimation. Advances in Methods and Practices in Psychological Science 1(2),
       270-280. :doi:`10.1177/2515245918771304`
    .. [5] Zhang, D., Wang, J., Zhao, X. and Wang, X. (2015). A Bayesian hierarchical
       model for comparing average F1 scores. ICDM, 589-598.
       :doi:`10.1109/ICDM.2015.44`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skcompare import BayesianComparison
    >>> X_train, X_test, y_train, y_test = train_test_split(
    ...     *load_breast_cancer(return_X_y=True), test_size=0.5, random_state=0)
    >>> a = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    >>> b = GaussianNB().fit(X_train, y_train)
    >>> test = BayesianComparison(a, b, scoring="accuracy", rope=0.01, n_draws=10_000,
    ...                           random_state=0).fit(X_test, y_test)
    >>> round(test.p_better_, 2), test.decision_
    (0.99, '>>')
    >>> round(test.probability_of(lambda delta: delta > 0.02), 2)
    0.92
    """

    aggregate = "auto"

    _advice = Advice(
        needs=(
            Need(
                lambda test, facts: (
                    test.posterior != "paired" or facts.n_units >= FEWEST_UNITS
                ),
                "A posterior from a small test set is too narrow: {facts.n_units} "
                "{facts.units} "
                f"are fewer than {FEWEST_UNITS}.",
            ),
            Need(
                lambda test, facts: test.posterior != "paired" or facts.weighable,
                "posterior='paired' weights rows, and {facts.metric} takes no weights. "
                "PairedBootstrap and ApproxRandomization take any scorer.",
            ),
            Need(
                lambda test, facts: (
                    test.posterior != "independent"
                    or is_set_score(facts.statistic.set_counts)
                    or facts.metric == "accuracy"
                ),
                lambda test, facts: TAKES_COUNTS.format(facts.metric),
            ),
            Need(
                lambda test, facts: test.posterior == "paired" or not facts.grouped,
                lambda test, facts: TAKES_PLAIN_ROWS.format(test.posterior),
            ),
        )
    )

    _rules = {"prior": Number(0, help="pseudo-counts of the prior")}

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        cv="prefit",
        posterior="paired",
        rope=0.01,
        prior=0.5,
        n_draws=50_000,
        credible_level=0.95,
        refit=True,
        error_score="raise",
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.estimator_a = estimator_a
        self.estimator_b = estimator_b
        self.scoring = scoring
        self.cv = cv
        self.posterior = posterior
        self.rope = rope
        self.prior = prior
        self.n_draws = n_draws
        self.credible_level = credible_level
        self.refit = refit
        self.error_score = error_score
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def check_parameters(self):
        """Raise a `ParameterError` if a parameter is invalid."""
        super().check_parameters()
        if self.posterior != "paired" and self.prior < LEAST_PRIOR:
            raise ParameterError(
                "prior",
                f"be at least {LEAST_PRIOR:g} with posterior={self.posterior!r}, whose "
                "gamma variables with smaller shapes are 0 in floating point",
                repr(self.prior),
                "posterior='paired' takes 0, the plain Bayesian bootstrap.",
            )

    def compare(self, problem):
        """Compare the two models of a problem."""
        posterior = POSTERIORS[self.posterior](float(self.prior))
        settings = {"seed": problem.seed, "n_jobs": self.n_jobs, "label": "posterior"}
        settings |= {"n_draws": self.n_draws, "verbose": self.verbose}
        evaluate = functools.partial(draw, **settings)
        caveats = [*posterior.check(problem), *problem.notes, problem.series]
        # Reject unsupported metrics before drawing.
        of_metrics = {m: posterior.of(problem, m) for m in problem.statistics}
        fields = {}
        for metric, draws in of_metrics.items():
            scores, engine = draws.scores(evaluate, problem.seed)
            own, caveat = self._of_draws(problem, metric, scores)
            caveats.append(caveat)
            fields[metric] = {
                **problem.facts(metric),
                **own,
                "method": self.posterior,
                "prior": posterior.prior,
                "engine": engine,
                "model": draws.model,
                "estimand": "the difference in score, in the population the rows come "
                f"from, between {problem.subjects[metric]}",
            }
        counts = {m: own["n_undefined"] for m, own in fields.items()}
        listed = ", ".join(f"{n:,} for {name}" for name, n in counts.items() if n)
        text = f"Draws with an undefined score are left out: {listed}."
        late = [Caveat(UndefinedScoreWarning, text)] if listed else []
        return outcome_of(self, PosteriorResult, fields, caveats, late)

    def _of_draws(self, problem, metric, scores):
        """Return the result fields computed from drawn scores, and a caveat or None."""
        defined = np.isfinite(scores).all(axis=1)
        if not defined.any():
            raise ValueError(
                f"The scorer {metric!r} is undefined with all {len(scores):,} random "
                "weights, although it is defined without them."
            )
        a, b = scores[defined].T
        deltas = a - b
        statistic = problem.statistics[metric]
        tolerance = rounding_tolerance(scores[defined], statistic.scale)
        observed, probability = statistic.observed, float(self.credible_level)
        rope = rope_within(self.rope, metric, observed)
        for edge in (0.0, *rope):
            deltas[np.abs(deltas - edge) <= tolerance] = edge
        caveat, is_point = None, len(deltas) > 1 and np.ptp(deltas) <= tolerance
        if is_point:
            deltas[:] = deltas[0]
        if is_multimodal(deltas):
            text = (
                f"The posterior of the difference in {metric} has several peaks: the "
                "shortest interval may contain improbable values between them. Look at "
                "a plot."
            )
            caveat = Caveat(MultimodalPosteriorWarning, text, metric=metric)
        elif is_point and problem.differs.any():
            text = (
                f"The posterior of the difference in {metric} is a single point: "
                "although the models differ, no weights of the observed rows change "
                "the difference. It does not reflect unobserved rows: the decision is "
                "'?'."
            )
            caveat = Caveat(DegenerateDataWarning, text, brief=NO_SPREAD, metric=metric)
        fields = {
            "posterior": deltas,
            "posterior_a": a,
            "posterior_b": b,
            "rope": rope,
            "credible_level": probability,
            "n_draws": len(scores),
            "n_undefined": int(len(scores) - defined.sum()),
            **summarize_draws(deltas, rope, probability)._asdict(),
        }
        return fields, caveat

    def probability_of(self, claim):
        """Return the probability of any claim about the difference.

        Parameters
        ----------
        claim : callable
            ``claim(delta)`` takes an array of differences and returns an array of bool,
            such as ``lambda delta: delta > 0.01``.

        Returns
        -------
        float
            The fraction of draws for which the claim holds.
        """
        return self.result_.probability_of(claim)

    def plan(self, n_rows, *, metric=None):
        """Predict a summary of the posterior for another number of similar rows.

        Parameters
        ----------
        n_rows : int
            Number of rows; with groups, these have the same sizes.
        metric : str or None, default=None
            The metric, if several were compared.

        Returns
        -------
        PosteriorSummary
            Summary of draws about the same mean, with the spread expected for this many
            rows, which shrinks with the square root of their number. The mean will also
            change, by about the current spread.
        """
        check_is_fitted(self, "results_")
        names = tuple(self.results_)
        if metric is not None or len(names) > 1:
            OneOf(*names).check("metric", metric)
        result = self.results_[names[0] if metric is None else metric]
        Integer(2, 10**12).check("n_rows", n_rows)
        n_units = result.n_units * n_rows / result.n_rows
        shrunk = math.sqrt((result.n_units + 1) / (n_units + 1))
        mean = result.posterior_mean
        draws = mean + shrunk * (result.posterior - mean)
        return summarize_draws(draws, result.rope, result.credible_level)
