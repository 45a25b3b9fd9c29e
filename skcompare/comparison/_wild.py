"""The wild cluster bootstrap-t."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import chunk_generator
from skcompare._parameters import MOST_RESAMPLES, Integer
from skcompare.comparison._base import RowTest, TakesRowScores, result_attributes
from skcompare.comparison._bounds import limits_of, rare_class_caveat
from skcompare.comparison._needs import RARE_CLASS, Advice, Need
from skcompare.exceptions import SmallSampleWarning
from skcompare.stats.clusters import wild_cluster_interval, wild_cluster_pvalue
from skcompare.stats.intervals import cut_to_range
from skcompare.stats.pvalues import monte_carlo_error, rounding_tolerance

# On fewer units signs are too few to make up for differences that are skewed.
FEWEST_SIGNS = 12

_FEW = (
    "{} rests on {}, fewer than {}: the p-value relies on what they add to the "
    "difference being as likely to have one sign as the other. Skewed differences make "
    "it too small."
)


@result_attributes("statistic", "pvalue_error", "confidence_interval", "standard_error")
class WildClusterBootstrap(TakesRowScores, RowTest):
    """Test whether model A scores better than model B on few or uneven groups.

    1. Linearize the difference in score between the two models: what does each group,
       or each weighted row, add to it? For a mean of per-row scores that is the sum of
       its differences; a group that has no part in a metric, such as one without
       positives in recall, is left out.
    2. Turn the sign of what each group adds at random, and divide the sum by its
       cluster-robust standard error; do so `n_resamples` times.
    3. The p-value is the share of these statistics that are at least as extreme as
       that of the sample. The interval has the differences that are not rejected.

    A bootstrap that draws whole groups rejects too often where a few of them hold most
    rows, and so does one of rows where a few have most of the weight. This test keeps
    closer to its level there. It needs a metric that adds up over rows, such as
    accuracy, F1, R2 or a mean of errors.

    Read more in the :ref:`User Guide <validity_groups>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    scoring : str, callable, list, tuple, dict or None, default=None
        The metric, or several, as in scikit-learn. None takes the models' own `score`.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" judges fitted models on the data given to `fit`. Anything else is
        taken as by :func:`~sklearn.model_selection.cross_val_predict` and judges the
        pooled out-of-fold responses of clones, with the same folds for both models.
    n_resamples : int, default=9_999
        The number of random sets of signs. All sets are tried instead if there are no
        more than that; the p-value is then exact for symmetric differences.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        The nominal coverage of the interval, two-sided whatever the alternative.
    alpha : float, default=0.05
        The level at which `best_estimator_` is chosen and the result worded.
    refit : bool, default=True
        With `cv`, whether the model that wins is fitted on all the data. Without that
        there is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        With `cv`, what becomes of a fit that fails: an error, or with nan a fold whose
        rows are left out for both models, with a `FailedFitWarning`.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random signs.
    n_jobs : int, default=None
        The number of fits at a time, with `cv`. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        Whether to show progress on standard error, after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult
        The result for each metric, by name.
    result_ : ComparisonResult
        The result, if there is one metric. So are the following.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        The scores of the two models. Higher is better.
    statistic_ : float
        `delta_` over its standard error.
    pvalue_ : float
        The p-value.
    pvalue_error_ : float
        Its Monte Carlo standard error; 0 if all signs were tried.
    confidence_interval_ : ConfidenceInterval
        A confidence interval ``(low, high)`` for the difference.
    standard_error_ : float
        The cluster-robust standard error of `delta_`, by the delta method.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` (with several metrics: in each
        of them), else B; with `cv` fitted on all the data. Not with `fit_predictions`.
    fold_, indices_ : ndarray
        With `cv`, the fold and the position in the data of every tested row.
    problem_ : object
        What was compared: names, predictions, metrics, and what is redrawn together.
    predictions_ : tuple of dict
        For each model the responses that were compared, by method.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Those of `best_estimator_`.

    See Also
    --------
    PairedBootstrap : For many groups of similar size, and any metric.
    skcompare.stats.wild_cluster_pvalue : The test itself.
    skcompare.stats.effective_number : How many even groups uneven ones are worth.

    Notes
    -----
    *Null hypothesis*: in the population that the groups come from, A scores no better
    than B (two-sided: they score the same). *Assumptions*: groups, or rows without
    `groups`, are independent; under the null hypothesis what a group adds to the
    difference is as likely to have one sign as the other. Exact if that holds, in
    general right for many groups [1]_. *Estimand*: the difference in score of these
    fitted models on that population; with `cv`, of pooled out-of-fold responses.

    *Few groups*: no two-sided p-value is below ``2 ** (1 - n_groups)``, so five groups
    or fewer show nothing at 0.05, and an interval that excludes nothing is infinite.
    Groups on which the models do not differ add nothing, and do not count here. Below
    twelve that do, a `SmallSampleWarning` is given: skewed differences make the p-value
    too small; the :ref:`User Guide <validity_groups>` has rates. *Scores that are a
    convention*, such as the precision of a model that predicts no positives, do not
    change smoothly with the rows, and are refused.
    *Identical models*: p = 1, with a warning that the data show no spread. The interval
    is Clopper and Pearson's bound for shares, such as accuracy, else it has no ends.
    Groups that all add the same have no standard error: the statistic is infinite, and
    the p-value that of as many equal signs.

    References
    ----------
    .. [1] Cameron, A. C., Gelbach, J. B. and Miller, D. L. (2008). Bootstrap-based
       improvements for inference with clustered errors. Review of Economics and
       Statistics 90(3), 414-427. :doi:`10.1162/rest.90.3.414`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import WildClusterBootstrap
    >>> rng = np.random.default_rng(0)
    >>> groups = np.repeat(np.arange(13), [190, 40, 15, 10, 8, 7, 6, 5, 5, 4, 4, 3, 3])
    >>> truth = rng.integers(2, size=300)
    >>> pred_a = np.where(rng.random(300) < 0.9, truth, 1 - truth)
    >>> pred_b = np.where(rng.random(300) < 0.7, truth, 1 - truth)
    >>> test = WildClusterBootstrap(scoring="f1", random_state=0)
    >>> test = test.fit_predictions(truth, pred_a, pred_b, groups=groups)
    >>> round(test.delta_, 3), round(test.pvalue_, 4), test.result_.method
    (0.177, 0.0173, 'exact')
    """

    takes = frozenset({"predictions", "splits", "groups", "sample_weight"})

    randomizes = "signs"

    _rules = {"n_resamples": Integer(1, MOST_RESAMPLES)}

    _advice = Advice(
        needs=(
            Need(
                lambda test, facts: facts.adds_up,
                "WildClusterBootstrap needs a metric that adds up over rows, and "
                "{facts.metric} does not.",
            ),
        ),
        cautions=(RARE_CLASS,),
        counts=True,
        why_not="made for few or uneven groups or weights; here {name} needs no "
        "linearized score.",
    )

    def __init__(
        self,
        estimator_a=None,
        estimator_b=None,
        *,
        scoring=None,
        cv="prefit",
        n_resamples=9_999,
        alternative="greater",
        confidence_level=0.95,
        alpha=0.05,
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
        self.n_resamples = n_resamples
        self.alternative = alternative
        self.confidence_level = confidence_level
        self.alpha = alpha
        self.refit = refit
        self.error_score = error_score
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def compare(self, problem):
        """Compare the two models of a problem."""
        cells, level = problem.cells(self.n_resamples), float(self.confidence_level)
        fields, caveats = {}, []
        for metric in problem.statistics:
            facts = problem.facts(metric)
            rare = rare_class_caveat(problem, metric)
            terms, shares = _terms(problem, cells, metric)
            # Turn signs, and compare the sum over its standard error with the sample's.
            rng, again = (chunk_generator(problem.seed, 0) for _ in range(2))
            sets = {"n_resamples": self.n_resamples}
            test = wild_cluster_pvalue(terms, shares, self.alternative, **sets, rng=rng)
            # The same signs again: the differences that are not rejected.
            interval = wild_cluster_interval(terms, shares, level, **sets, rng=again)
            exact = test.method == "exact"
            error = 0.0 if exact else monte_carlo_error(test.pvalue, self.n_resamples)
            residuals = terms - facts["delta"] * shares
            if np.abs(residuals).max() <= _noise(cells, metric):
                limits = limits_of(problem, metric, varies=False)
                interval = limits.interval_without_spread(facts["delta"], level)
            scores = [facts["score_a"], facts["score_b"]]
            fields[metric] = {
                **facts,
                **test._asdict(),
                "pvalue_error": error,
                "n_resamples": 2 ** len(terms) if exact else self.n_resamples,
                "standard_error": float(np.sqrt(residuals @ residuals)),
                "confidence_interval": cut_to_range(interval, metric, scores),
                "confidence_level": level,
                "engine": cells.engines[metric],
                "caveats": () if rare is None else (rare.text,),
            }
            n_signs = np.count_nonzero(terms)
            if 0 < n_signs < FEWEST_SIGNS:
                count = f"{n_signs} {problem.unit}"
                said = {"brief": f"only {count}", "metric": metric}
                text = _FEW.format(metric, count, FEWEST_SIGNS)
                caveats.append(Caveat(SmallSampleWarning, text, **said))
        return self._outcome(problem, fields, caveats)


def _terms(problem, cells, metric):
    """Return what units add to the difference in a metric, and their shares in it.

    Units that have no part in the metric, such as groups without positives in recall,
    are left out.
    """
    table = (cells.tables or {}).get(metric)
    if table is None or not table.adds_up:
        raise ValueError(
            "`scoring` must add up over rows for WildClusterBootstrap, as accuracy, F1 "
            f"and R2 do. Got {metric!r}. Use PairedBootstrap or ApproxRandomization."
        )
    terms, sizes = table.exchange_terms(cells.counts)
    delta, noise = problem.facts(metric)["delta"], _noise(cells, metric)
    lead = abs(delta) > noise
    if not np.isfinite(terms).all() or (lead and np.abs(terms).max() <= noise):
        raise ValueError(
            "`scoring` must change smoothly with the rows for WildClusterBootstrap. "
            f"Got {metric!r}, which is a convention where a model predicts one class "
            "only. Use PairedBootstrap or ApproxRandomization."
        )
    terms = terms[cells.cell_of_unit]
    sizes = problem.sizes if sizes is None else sizes[cells.cell_of_unit]
    sizes = sizes if sizes.sum() > 0 else problem.sizes
    shares = sizes / sizes.sum()
    # Linearized, terms miss the difference by a little. Units for which the models do
    # not differ add nothing and must not: their signs would break ties.
    total = terms.sum()
    if abs(total) / 2 <= abs(delta) <= 2 * abs(total) and delta * total > 0:
        terms = terms * (delta / total)
    else:
        terms = terms + (delta - total) * np.abs(terms) / (np.abs(terms).sum() or 1.0)
    if np.abs(terms).max() <= noise:
        terms = np.zeros_like(terms)
    takes_part = (shares > 0) | (terms != 0)
    return terms[takes_part], shares[takes_part]


def _noise(cells, metric):
    """Return how large terms may be by rounding: they are numerical derivatives."""
    return 1e4 * rounding_tolerance(cells.statistics[metric].observed)
