"""Bayesian comparison of two models: how probable, and does it matter?"""

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
    """Find how probable it is that model A is better than B, and by enough to matter.

    1. Draw random weights for the rows: a population that they may come from.
    2. Score both models with these weights; do so `n_draws` times. The differences
       are draws from the posterior of ``score(A) - score(B)``.
    3. Count how many are above, inside and below the region of practical equivalence
       (ROPE), and compare the shortest interval that holds most of them (the HDI) with
       that region.

    Read more in the :ref:`User Guide <bayesian>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    scoring : str, callable, list, tuple, dict or None, default=None
        The metric, or several, as in scikit-learn. None takes the models' own `score`.
        Several metrics share the seed of their draws.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" judges fitted models on the data given to `fit`. Anything else is
        taken as by :func:`~sklearn.model_selection.cross_val_predict` and judges the
        pooled out-of-fold responses of clones, with the same folds for both models;
        ranking metrics, which are biased when pooled, by their mean over folds.
    posterior : {"paired", "independent", "hierarchical"}, default="paired"
        "paired" is the Bayesian bootstrap [1]_: both models are scored with the same
        random weights of rows, so that what is hard for both cancels. It serves every
        metric that takes weights. "independent" has the posteriors of Goutte and
        Gaussier [2]_ for precision, recall and F, and a Beta for accuracy, of each
        model by itself. "hierarchical", after Zhang et al. [5]_, draws confusion
        matrices, in which all classes of a model learn from each other, for any metric
        of labels, such as micro- and macro-averaged F1.
    rope : float or pair of float, default=0.01
        The region of practical equivalence: differences too small to matter. A number
        stands for both signs; 0 leaves the sign alone to decide.
    prior : float, default=0.5
        Pseudo-counts of the prior. Of "paired": for each of the two ways in which one
        model alone is right, see the notes; 0 is the plain Bayesian bootstrap, and
        metrics that are not made of labels have none. Of "independent": what is added
        to the counts of true positives, false positives and false negatives, or of
        right and wrong; 0.5 is Jeffreys's for precision, recall and accuracy. Of
        "hierarchical": what is added to the count of each class. At least 0.01 for the
        last two.
    n_draws : int, default=50_000
        The number of draws from the posterior.
    credible_level : float, default=0.95
        The probability of the highest-density interval.
    refit : bool, default=True
        With `cv`, whether the model that wins is fitted on all the data. Without that
        there is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        With `cv`, what becomes of a fit that fails: an error, or with nan a fold whose
        rows are left out for both models, with a `FailedFitWarning`.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random draws. None takes fresh entropy; the seed is in the result.
    n_jobs : int or None, default=None
        The number of workers, as in joblib. The numbers do not depend on it.
    verbose : int, default=0
        Whether to show the progress of fits on standard error, after two seconds.

    Attributes
    ----------
    results_ : dict
        A `PosteriorResult` for each metric, by name.
    result_ : PosteriorResult
        The result, if there was one metric; the attributes below are its fields.
    delta_, score_a_, score_b_ : float
        Difference and scores on the rows as they are.
    p_better_, p_equivalent_, p_worse_ : float
        The probabilities that the difference is above, inside and below `rope`. They
        sum to 1.
    p_direction_ : float
        The larger of the probabilities that the difference is above and below 0.
    posterior_mean_ : float
        The mean of the posterior of the difference.
    posterior_mode_ : float
        Where it is highest: the maximum a posteriori (MAP) estimate.
    hdi_ : CredibleInterval
        Its highest-density interval.
    decision_ : {">>", "<<", "~", "?"}
        A is better: the interval is wholly above the region. B is better: wholly
        below. Practically equivalent: wholly inside. Undecided.
    posterior_ : ndarray of shape (n_draws,)
        Draws of the difference.
    posterior_a_, posterior_b_ : ndarray of shape (n_draws,)
        Draws of the scores, in pairs.
    best_estimator_ : estimator
        A if the decision is ">>" in every metric, else B. With `cv`, fitted on all
        rows. Only after `fit`.
    fold_, indices_ : ndarray
        With `cv`, the fold and the position in the data of each row judged.
    problem_ : object
        What was compared: names, predictions, metrics, and what is redrawn together.
    predictions_ : tuple of dict
        For each model the responses that were compared, by method.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Those of `best_estimator_`.

    See Also
    --------
    PairedBootstrap : A p-value and a confidence interval from similar resamples.
    BayesianSignedRank : One pair of scores for each of several data sets.
    hdi : The highest-density interval of any draws.

    Notes
    -----
    There is no null hypothesis. *Estimand*: the difference in score in the population
    that the rows come from; with `cv`, as scored on pooled out-of-fold responses.
    *What is exchangeable*: the rows, or the groups if `groups` are given, each of which
    then gets one weight. With `strata`, the weights of each stratum sum to its size.

    *Paired.* Rows of the population are taken to be like those seen, in unknown
    shares, with a Dirichlet posterior of parameters 1. Rows that are alike to both
    models are one cell, whose parameter is its count, so that the cost is that of the
    cells. That alone gives no weight to disagreements never seen, and is too sure where
    there are few: three rows on which A alone is right, and none on which B is, made
    A better in every draw, though the sign test has p = 0.125. So metrics of one label
    per row have a prior: pseudo-rows on which A is right and B predicts another class,
    the one most often confused with it, and the other way round. There are `prior` of
    each for a metric of one class, such as recall, for every class of the truth;
    ``prior / sqrt(k)`` where k classes are averaged, as in balanced accuracy or macro
    F1; and `prior` of each in all, in proportion to the classes, where rows weigh
    alike, as in accuracy or micro and weighted averages. Strata share them in
    proportion, and with `groups` each is a group of average size. The :ref:`User Guide
    <validity_bayesian>` has coverages with and without. Without prior, and for other
    metrics, few differing rows still make the posterior too narrow, as they do
    percentile intervals.

    For a metric that is an average the plain posterior has the mean ``delta_`` and the
    variance of the usual standard error times ``(n - 1) / (n + 1)``. Where both models
    give the same predictions, a `DegenerateDataWarning` says how much disagreement so
    many rows may hide. Where predictions that move the metric differ on fewer than six
    rows or groups, a `SmallSampleWarning` says so: for recall, those are positives
    alone. Where predictions differ but no weights change the difference, the posterior
    is a single point, which decides nothing ("?"), with a `DegenerateDataWarning`.
    `sample_weight` multiplies the random weights. Each metric has draws of its own from
    the same seed.

    *Independent.* With l the `prior`, precision is Beta(TP + l, FP + l), recall
    Beta(TP + l, FN + l), and F-beta, with independent gamma variables T, P, N of shapes
    TP + l, FP + l, FN + l,

        (1 + beta^2) T / ((1 + beta^2) T + P + beta^2 N).

    For F1 that is U / (U + V) of [2]_. Micro averages pool the counts of labels before
    drawing, macro averages are averages of draws over labels. That two models were
    judged on the same rows is forgotten, and so is that of one row's labels; where
    errors are correlated, as they are, the posterior of the difference is too wide. A
    micro F1 of several classes counts each error twice, as false positive and false
    negative, and its posterior is too narrow. A label without any row to learn from
    has the prior for its posterior, with a `DegenerateDataWarning`. Accuracy is
    Beta(right + l, wrong + l).

    *Hierarchical.* The shares of the classes have a Dirichlet posterior with `prior`
    pseudo-counts, and are the same for both models. What a model predicts for a class
    is multinomial, with a Dirichlet prior of ``s * m`` pseudo-counts for the class
    itself and ``s * (1 - m)``, in equal parts, for the others; s and m are shared by
    all classes, and drawn from their posterior on a grid (log s and m are uniform
    beforehand). So rare classes borrow from frequent ones, and averages of F1 over many
    rare classes shrink towards each other, which suits classes that are about equally
    hard. Given the classes, the models are taken as independent: as above, the
    difference has too wide a posterior where errors are correlated. The cost is that of
    the squared number of classes.

    A posterior is only as good as its model: probabilities are not the reverse of
    p-values, and `rope` has to be set before looking, by what would matter.

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
                "posterior='paired' weighs rows, and {facts.metric} takes no weights. "
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
        """Raise a `ParameterError` if a parameter is not what it must be."""
        super().check_parameters()
        if self.posterior != "paired" and self.prior < LEAST_PRIOR:
            raise ParameterError(
                "prior",
                f"be at least {LEAST_PRIOR:g} with posterior={self.posterior!r}, whose "
                "gamma variables of smaller shapes are 0 in floating point",
                repr(self.prior),
                "posterior='paired' takes 0, the plain Bayesian bootstrap.",
            )

    def compare(self, problem):
        """Compare the two models of a problem."""
        posterior = POSTERIORS[self.posterior](float(self.prior))
        settings = {"seed": problem.seed, "n_jobs": self.n_jobs, "label": "posterior"}
        evaluate = functools.partial(draw, n_draws=self.n_draws, **settings)
        caveats = [*posterior.check(problem), *problem.notes, problem.series]
        # Metrics are refused before anything is drawn.
        of_metrics = {m: posterior.of(problem, m) for m in problem.statistics}
        fields = {}
        for metric, draws in of_metrics.items():
            scores, engine = draws.scores(evaluate, problem.seed)
            own, odd = self._of_draws(problem, metric, scores)
            caveats.append(odd)
            fields[metric] = {
                **problem.facts(metric),
                **own,
                "method": self.posterior,
                "prior": posterior.prior,
                "engine": engine,
                "model": draws.model,
                "estimand": "the difference in score, in the population of such rows, "
                f"between {problem.subject}",
                "unit": "rows",
            }
        counts = {m: own["n_undefined"] for m, own in fields.items()}
        listed = ", ".join(f"{name} on {n:,}" for name, n in counts.items() if n)
        text = f"Draws without a value, which are left out: {listed}."
        late = [Caveat(UndefinedScoreWarning, text)] if listed else []
        return outcome_of(self, PosteriorResult, fields, caveats, late)

    def _of_draws(self, problem, metric, scores):
        """Return the fields of a result that come from drawn scores, and a caveat."""
        defined = np.isfinite(scores).all(axis=1)
        if not defined.any():
            raise ValueError(
                f"The scorer {metric!r} is undefined with all {len(scores):,} random "
                "weights, though not without them."
            )
        a, b = scores[defined].T
        deltas = a - b
        statistic = problem.statistics[metric]
        tolerance = rounding_tolerance(scores[defined], statistic.scale)
        observed, probability = statistic.observed, float(self.credible_level)
        rope = rope_within(self.rope, metric, observed)
        for edge in (0.0, *rope):
            deltas[np.abs(deltas - edge) <= tolerance] = edge
        odd, is_point = None, len(deltas) > 1 and np.ptp(deltas) <= tolerance
        if is_point:
            deltas[:] = deltas[0]
        if is_multimodal(deltas):
            text = (
                f"The posterior in {metric} has several peaks: the shortest interval "
                "may hold improbable values between them. Look at a plot."
            )
            odd = Caveat(MultimodalPosteriorWarning, text, metric=metric)
        elif is_point and problem.differs.any():
            text = (
                f"The posterior in {metric} is a single point: though the models "
                "differ, no weights of the rows seen change the difference. It knows "
                "nothing of others, and decides nothing."
            )
            odd = Caveat(DegenerateDataWarning, text, brief=NO_SPREAD, metric=metric)
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
        return fields, odd

    def probability_of(self, claim):
        """Return the probability of any claim about the difference.

        Parameters
        ----------
        claim : callable
            ``claim(delta)`` takes an array of differences and says of each whether the
            claim holds, such as ``lambda delta: delta > 0.01``.

        Returns
        -------
        float
            The share of draws of which the claim holds.
        """
        return self.result_.probability_of(claim)

    def plan(self, n_rows, *, metric=None):
        """Say what the posterior would be with another number of such rows.

        Parameters
        ----------
        n_rows : int
            The number of rows; with groups, of the same sizes.
        metric : str or None, default=None
            Which metric, where several were compared.

        Returns
        -------
        PosteriorSummary
            What draws would say that lie about the same mean, with the spread of so
            many rows: it shrinks with the root of their number. The width is what to
            expect; the mean will move as well, by about the spread there is now.
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
