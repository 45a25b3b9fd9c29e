"""Wild cluster bootstrap-t test."""

import numpy as np

from skcompare._caveats import Caveat
from skcompare._engine import chunk_generator
from skcompare._format import format_count
from skcompare._parameters import MOST_RESAMPLES, Integer
from skcompare.comparison._base import RowTest, TakesRowScores, result_attributes
from skcompare.comparison._bounds import limits_of, support_of
from skcompare.comparison._needs import RARE_CLASS, Advice, Need, pvalue_of_signs
from skcompare.exceptions import SmallSampleWarning
from skcompare.stats.clusters import wild_cluster_interval, wild_cluster_pvalue
from skcompare.stats.intervals import cut_to_range
from skcompare.stats.pvalues import monte_carlo_error, rounding_tolerance

# With fewer units, random signs cannot compensate for skewed differences.
FEWEST_SIGNS = 12

_FEW = (
    "{} depends on only {} (fewer than {}): the p-value assumes that their "
    "contributions to the difference have either sign with equal probability. Skewed "
    "differences make it too small."
)


@result_attributes("statistic", "pvalue_error", "confidence_interval", "standard_error")
class WildClusterBootstrap(TakesRowScores, RowTest):
    """Test whether model A scores better than model B on few or uneven groups.

    1. Linearize the difference in score between the two models, which gives the
       contribution of each group or weighted row. For a mean of per-row scores it is
       the sum of the differences of the group; groups that do not affect a metric, such
       as those without positives for recall, are left out.
    2. Flip the sign of each group's contribution at random, and divide the sum by its
       cluster-robust standard error. Repeat this `n_resamples` times.
    3. The p-value is the fraction of these statistics that are at least as extreme as
       that of the sample. The interval contains the differences that are not rejected.

    A bootstrap of whole groups rejects too often if a few of them hold most rows, and
    so does a bootstrap of rows if a few have most of the weight. The type I error of
    this test is closer to the nominal level in these cases. It needs a metric that adds
    up over rows, such as accuracy, F1, R2 or a mean of errors.

    Read more in the :ref:`User Guide <validity_groups>`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator, default=None
        The challenger and the baseline. Not needed for `fit_predictions`.
    scoring : str, callable, list, tuple, dict or None, default=None
        One or several metrics, as in scikit-learn. None uses the models' own `score`.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" evaluates fitted models on the data passed to `fit`. Other values are
        interpreted as in :func:`~sklearn.model_selection.cross_val_predict`: clones are
        evaluated on their pooled out-of-fold responses, with the same folds for both
        models.
    n_resamples : int, default=9_999
        Number of random sets of signs. If there are no more possible sets than that,
        all are used, and the p-value is exact for symmetric differences.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        The alternative hypothesis: A is better, B is better, or they differ.
    confidence_level : float, default=0.95
        Nominal coverage of the interval, which is two-sided for every `alternative`.
    alpha : float, default=0.05
        Significance level for selecting `best_estimator_` and wording the result.
    refit : bool, default=True
        With `cv`, whether to refit the winning model on all the data. If False, there
        is no `best_estimator_` to predict with.
    error_score : "raise" or nan, default="raise"
        How to handle failed fits with `cv`: "raise" raises the error; nan excludes the
        rows of that fold for both models and issues a `FailedFitWarning`.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random signs.
    n_jobs : int, default=None
        Number of parallel fits with `cv`. None means 1 unless in a
        :func:`joblib.parallel_config` context.
    verbose : int, default=0
        If nonzero, show progress on standard error after two seconds.

    Attributes
    ----------
    results_ : dict of ComparisonResult
        The result for each metric, by name.
    result_ : ComparisonResult
        The result, if there is only one metric; the attributes below are its fields.
    delta_ : float
        ``score_a_ - score_b_``; positive if A is better.
    score_a_, score_b_ : float
        Scores of the two models. Higher is better.
    statistic_ : float
        `delta_` divided by its standard error.
    pvalue_ : float
        The p-value.
    pvalue_error_ : float
        Monte Carlo standard error of the p-value; 0 if all sets of signs were used.
    confidence_interval_ : ConfidenceInterval
        Confidence interval ``(low, high)`` for the difference.
    standard_error_ : float
        Cluster-robust standard error of `delta_`, by the delta method.
    best_estimator_ : estimator
        A if the test rejects in its favor at `alpha` (with several metrics: in each of
        them), else B; with `cv`, refitted on all the data. Not set by
        `fit_predictions`.
    fold_, indices_ : ndarray
        With `cv`, the fold of each tested row and its position in the data.
    problem_ : object
        The comparison problem: names, predictions, metrics and units resampled
        together.
    predictions_ : tuple of dict
        The compared responses of each model, by response method.
    classes_, n_features_in_, feature_names_in_ : ndarray, int, ndarray
        Attributes of `best_estimator_`.

    See Also
    --------
    PairedBootstrap : For many groups of similar size, and any metric.
    skcompare.stats.wild_cluster_pvalue : The test statistic and p-value as a function.
    skcompare.stats.effective_number : Effective number of groups of unequal size.

    Notes
    -----
    *Null hypothesis*: in the population that the groups come from, A scores no better
    than B (two-sided: they score the same). *Assumptions*: groups, or rows without
    `groups`, are independent; under the null hypothesis, the contribution of a group to
    the difference has either sign with equal probability. The test is exact if that
    holds, and otherwise approximately valid for many groups [1]_. *Estimand*: the
    difference in score of these fitted models on that population; with `cv`, of pooled
    out-of-fold responses.

    *Few groups*: no two-sided p-value is below ``2 ** (1 - n_groups)``, so with five
    groups or fewer no two-sided test rejects at 0.05, and a 95 % interval, which then
    excludes nothing, is infinite. Groups on which the models do not differ contribute
    nothing and do not count here. Fewer than twelve others give a `SmallSampleWarning`:
    skewed differences make the p-value too small; the :ref:`User Guide
    <validity_groups>` reports rates. *Scores that are a convention*, such as the
    precision of a model that predicts no positives, do not change smoothly with the
    rows, and raise an error.
    *Identical models*: p = 1, with a warning that the data show no variation. The
    interval is the Clopper-Pearson bound for proportions, such as accuracy, and
    otherwise infinite. If all groups contribute the same, there is no standard error:
    the statistic is infinite, and the p-value is that of equal signs in all groups.

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
        smallest_pvalue=pvalue_of_signs,
        listed=lambda facts: facts.few_units and (facts.grouped or facts.weighted),
        why_not="intended for few or uneven groups or weights; {name} needs no linear "
        "approximation of the score.",
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
            support = support_of(problem, metric)
            terms, shares = _terms(problem, cells, metric)
            # Flip signs, and compare the studentized sum with that of the sample.
            rng, rng_copy = (chunk_generator(problem.seed, 0) for _ in range(2))
            sets = {"n_resamples": self.n_resamples}
            test = wild_cluster_pvalue(terms, shares, self.alternative, **sets, rng=rng)
            # Use the same signs for the differences that are not rejected.
            interval = wild_cluster_interval(terms, shares, level, **sets, rng=rng_copy)
            exact = test.method == "exact"
            error = 0.0 if exact else monte_carlo_error(test.pvalue, self.n_resamples)
            residuals = terms - facts["delta"] * shares
            if np.abs(residuals).max() <= _noise(cells, metric):
                limits = limits_of(problem, metric, support, varies=False)
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
                "caveats": () if support.rare is None else (support.rare.text,),
            }
            n_signs = np.count_nonzero(terms)
            if 0 < n_signs < FEWEST_SIGNS:
                count = format_count(n_signs, problem.unit)
                text = _FEW.format(metric, count, FEWEST_SIGNS)
                labels = {"brief": f"only {count}", "metric": metric}
                caveats.append(Caveat(SmallSampleWarning, text, **labels))
        return self._outcome(problem, fields, caveats)


def _terms(problem, cells, metric):
    """Return the contributions of units to the difference, and their shares in it.

    Units that do not affect the metric, such as groups without positives for recall,
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
            f"Got {metric!r}, whose value is a convention where a model predicts only "
            "one class. Use PairedBootstrap or ApproxRandomization."
        )
    terms = terms[cells.cell_of_unit]
    sizes = problem.sizes if sizes is None else sizes[cells.cell_of_unit]
    sizes = sizes if sizes.sum() > 0 else problem.sizes
    shares = sizes / sizes.sum()
    # The sum of linearized terms differs slightly from the difference. Units on which
    # the models agree contribute nothing and must stay 0: their signs would break ties.
    total = terms.sum()
    if abs(total) / 2 <= abs(delta) <= 2 * abs(total) and delta * total > 0:
        terms = terms * (delta / total)
    else:
        terms = terms + (delta - total) * np.abs(terms) / (np.abs(terms).sum() or 1.0)
    if np.abs(terms).max() <= noise:
        terms = np.zeros_like(terms)
    has_effect = (shares > 0) | (terms != 0)
    return terms[has_effect], shares[has_effect]


def _noise(cells, metric):
    """Return the rounding error of terms, which are numerical derivatives."""
    return 1e4 * rounding_tolerance(cells.statistics[metric].observed)
