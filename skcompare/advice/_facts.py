"""What is known about a comparison before any test: score, rows, normality, time."""

import dataclasses
import functools
import time

import numpy as np
from scipy import stats
from sklearn.metrics import roc_auc_score

from skcompare._validation import (
    as_labels,
    metric_of,
    named_scorer,
    response_methods_of,
)
from skcompare.comparison._question import Question, pose_question
from skcompare.inference import paired_differences
from skcompare.resampling import evaluate_draws
from skcompare.statistics import as_statistic, row_scores

__all__ = ["Facts", "Normality", "check_normality", "gather_facts", "t_level_error"]

# The level at which a check of normality rejects.
NORMALITY_LEVEL = 0.05
# Royston's approximation of the Shapiro-Wilk p-value is good for as many rows.
MOST_SHAPIRO = 5_000
# Simulated samples, and the most rows of each: corrected for their size, the two
# statistics are distributed alike for more.
N_SIMULATED, MOST_SIMULATED = 1_999, 100
# Resamples are timed in ever larger lots until one takes so many seconds.
SECONDS_TIMED, MOST_TIMED = 0.05, 2_000


@dataclasses.dataclass(frozen=True, kw_only=True)
class Normality:
    """What three checks say about normality, as (statistic, p-value) pairs.

    Parameters
    ----------
    shapiro_wilk : pair of float or None
        None for more than 5,000 numbers.
    anderson_darling, kolmogorov_smirnov : pair of float
        With mean and variance estimated from the numbers; p-values by simulation.
    skewness : float
        The skewness of the numbers.
    """

    shapiro_wilk: tuple | None
    anderson_darling: tuple
    kolmogorov_smirnov: tuple
    skewness: float

    @property
    def checks(self):
        """The checks that were made, by name."""
        named = {
            "Shapiro-Wilk": self.shapiro_wilk,
            "Anderson-Darling": self.anderson_darling,
            "Kolmogorov-Smirnov": self.kolmogorov_smirnov,
        }
        return {name: found for name, found in named.items() if found is not None}

    @property
    def rejected(self):
        """Whether any of the checks rejects normality at 0.05."""
        return any(p < NORMALITY_LEVEL for _, p in self.checks.values())

    def __str__(self):
        return ", ".join(
            f"{name} {statistic:.3f} ({_p(p)})"
            for name, (statistic, p) in self.checks.items()
        )


def _p(pvalue):
    return f"p = {pvalue:.3f}" if pvalue >= 0.001 else "p < 0.001"


def check_normality(values):
    """Check whether numbers may come from a normal distribution.

    Parameters
    ----------
    values : array_like of shape (n,)
        The numbers.

    Returns
    -------
    Normality or None
        What the checks say; None for fewer than three numbers, and for numbers that
        do not vary.

    Examples
    --------
    >>> found = check_normality(np.random.default_rng(0).exponential(size=50))
    >>> found.rejected
    True
    >>> print(found)
    Shapiro-Wilk 0.806 (p < 0.001), Anderson-Darling ..., Kolmogorov-Smirnov ...
    """
    values = np.sort(np.asarray(values, dtype=float))
    if len(values) < 3 or not np.ptp(values) > 0:
        return None
    shapiro = stats.shapiro(values) if len(values) <= MOST_SHAPIRO else None
    distances = _distances(values[np.newaxis])[:, 0]
    simulated = _simulated_distances(min(len(values), MOST_SIMULATED))
    corrected = _corrected(distances, len(values))
    n_beyond = np.count_nonzero(simulated >= corrected[:, np.newaxis], axis=1)
    pvalues = (n_beyond + 1) / (N_SIMULATED + 1)
    pairs = [(float(d), float(p)) for d, p in zip(distances, pvalues, strict=True)]
    return Normality(
        shapiro_wilk=None if shapiro is None else tuple(map(float, shapiro)),
        anderson_darling=pairs[0],
        kolmogorov_smirnov=pairs[1],
        skewness=float(stats.skew(values)),
    )


def _distances(ordered):
    """Return A-squared and D of every row of ordered numbers from its own normal."""
    n = ordered.shape[1]
    centred = ordered - ordered.mean(axis=1, keepdims=True)
    z = centred / np.std(centred, axis=1, ddof=1, keepdims=True)
    below, rank = stats.norm.cdf(z), np.arange(1, n + 1)
    logs = stats.norm.logcdf(z) + stats.norm.logsf(z[:, ::-1])
    anderson = -n - np.mean((2 * rank - 1) * logs, axis=1)
    kolmogorov = np.maximum(rank / n - below, below - (rank - 1) / n).max(axis=1)
    return np.array([anderson, kolmogorov])


def _corrected(distances, n):
    """Make distances comparable between numbers of rows (Stephens, 1974)."""
    anderson, kolmogorov = distances
    root = np.sqrt(n)
    return np.array(
        [
            anderson * (1 + 0.75 / n + 2.25 / n**2),
            kolmogorov * (root - 0.01 + 0.85 / root),
        ]
    )


def t_level_error(skewness, n_rows, alpha):
    """Return how far the level of a one-sided t-test is off because of skewness.

    This is the first term of the Edgeworth expansion of Student's t: for the skewness
    g and the normal quantile z, ``|g| (2 z**2 + 1) phi(z) / (6 sqrt(n))``.

    Parameters
    ----------
    skewness : float
        The skewness of the differences.
    n_rows : int
        Their number.
    alpha : float
        The nominal level.

    Returns
    -------
    float
        By how much the level is too small for one side and too large for the other.

    Examples
    --------
    >>> round(t_level_error(skewness=2.0, n_rows=400, alpha=0.05), 3)
    0.011
    """
    z = stats.norm.isf(alpha)
    slope = (2 * z**2 + 1) * stats.norm.pdf(z) / 6
    return float(abs(skewness) * slope / np.sqrt(n_rows))


@functools.lru_cache
def _simulated_distances(n):
    """Return the corrected distances of normal samples, always the same ones."""
    normal = np.random.default_rng(0).standard_normal((N_SIMULATED, n))
    return _corrected(_distances(np.sort(normal, axis=1)), n)


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Facts:
    """What a decision tree can ask about a comparison.

    Parameters
    ----------
    metric : str
        The name of the metric.
    question : Question
        The rows, the answers and the score.
    kind : {"right or wrong", "average", "roc auc", "other"}
        What the score is: an average over rows of two values, or of more; the area
        under a ROC curve of two classes; or something else.
    differences : ndarray or None
        The score of A less that of B on every row, if the score is their average.
    is_accuracy : bool
        Whether a row is scored by whether the answer equals the truth.
    exchangeable : bool
        Whether both models can answer in the way the scorer asks.
    normality : Normality or None
        What checks say about the differences of an average, if they vary.
    """

    metric: str
    question: Question
    kind: str
    differences: np.ndarray | None
    is_accuracy: bool
    exchangeable: bool
    normality: Normality | None

    @property
    def n_rows(self):
        """The number of rows."""
        return self.question.sample.n_rows

    @property
    def n_units(self):
        """The number of groups, or of rows if there are no groups."""
        return len(self.question.units)

    @property
    def grouped(self):
        """Whether rows belong together."""
        return self.question.units.groups is not None

    @property
    def units(self):
        """What is resampled, in a word."""
        return "groups" if self.grouped else "rows"

    @property
    def averages(self):
        """Whether the score is an average over rows."""
        return self.differences is not None

    @property
    def n_discordant(self):
        """The number of rows on which the models differ: in score, if rows have one."""
        return int(np.count_nonzero(self._discordant_rows()))

    @property
    def n_discordant_units(self):
        """The number of rows, or of groups, with a row on which the models differ."""
        return len(self.question.units.containing(self._discordant_rows()))

    def _discordant_rows(self):
        if self.averages:
            return self.differences != 0
        return self.question.sample.discordant_rows()

    @property
    def class_sizes(self):
        """The number of rows of each class, largest first, where there are classes."""
        labels, sizes = np.unique(self.question.sample.y_array, return_counts=True)
        order = np.argsort(-sizes, kind="stable")
        return dict(zip(labels[order].tolist(), sizes[order].tolist(), strict=True))

    def neighbours_correlation(self):
        """Return the correlation of differences of neighbouring rows, 0 if unknown."""
        if not self.averages or not np.any(self.differences):
            return 0.0
        centred = self.differences - self.differences.mean()
        spread = centred @ centred
        return float(centred[:-1] @ centred[1:] / spread) if spread > 0 else 0.0

    def seconds(self, exchanges):
        """Estimate how long a resample takes, from a few of them.

        Parameters
        ----------
        exchanges : bool
            Whether answers are exchanged, or rows redrawn.

        Returns
        -------
        float
            Seconds per resample with one worker.
        """
        plan = self._plan(exchanges)
        n_draws, seconds = 2, 0.0
        while seconds < SECONDS_TIMED and n_draws < MOST_TIMED:
            n_draws *= 4
            began = time.perf_counter()
            evaluate_draws(plan.scheme, plan.score, n_draws, seed=0)
            seconds = time.perf_counter() - began
        return seconds / n_draws

    def _plan(self, exchanges):
        question = self.question
        discordant = question.units.containing(question.sample.discordant_rows())
        if exchanges and len(discordant):
            return question.layout.swap_plan(discordant)
        return question.layout.bootstrap_plan()


def gather_facts(sample, scorers, groups):
    """Find out what a decision tree may ask.

    Parameters
    ----------
    sample : Sample
        Rows and answers.
    scorers : dict
        One scorer, by name.
    groups : array-like or None
        Labels of rows that belong together.

    Returns
    -------
    Facts
        What is known.
    """
    if groups is not None:
        groups = as_labels(groups, "groups")
    question = pose_question(sample, scorers, groups=groups, strata=None, seed=0)
    ((metric, scorer),) = scorers.items()
    statistic = question.statistics[metric]
    rows = row_scores(statistic)
    differences = None if rows is None else paired_differences(*rows)[0]
    is_accuracy = rows is not None and _is_accuracy(rows, sample)
    kind = _kind(rows, is_accuracy, scorer, statistic, sample)
    return Facts(
        metric=metric,
        question=question,
        kind=kind,
        differences=differences,
        is_accuracy=is_accuracy,
        exchangeable=_can_exchange(scorer, sample),
        normality=check_normality(differences) if kind == "average" else None,
    )


def _kind(rows, is_accuracy, scorer, statistic, sample):
    if rows is not None:
        two_valued = len(np.unique(rows)) == 2
        return "right or wrong" if two_valued or is_accuracy else "average"
    return "roc auc" if _is_roc_auc(scorer, statistic, sample) else "other"


def _named_statistic(name, sample):
    """Return one of scikit-learn's scores of a sample, None where it has none."""
    try:
        return as_statistic(named_scorer(name), name, sample)
    except (TypeError, ValueError):
        return None


def _is_accuracy(rows, sample):
    """Return whether the better of two row scores is had just by equal labels."""
    low, high = np.min(rows), np.max(rows)
    if not np.isin(rows, [low, high]).all():
        return False
    accuracy = _named_statistic("accuracy", sample)
    right = None if accuracy is None else row_scores(accuracy)
    if right is None:
        return False
    return low == high or np.array_equal(np.array(rows) == high, np.array(right) > 0.5)


def _is_roc_auc(scorer, statistic, sample):
    """Return whether a score is the ROC AUC of two classes that DeLong tests."""
    metric = metric_of(scorer)
    if metric is None or metric[0] is not roc_auc_score or sample.y_array.ndim > 1:
        return False
    if len(np.unique(sample.y_array)) != 2:
        return False
    usual = _named_statistic("roc_auc", sample)
    return usual is not None and np.allclose(usual.observed, statistic.observed)


def _can_exchange(scorer, sample):
    """Return whether both models can give the response that the scorer asks for."""
    a, b = sample.answers
    wanted = response_methods_of(scorer)
    if wanted is None:
        return set(a.responses) == set(b.responses)
    return bool(set(wanted) & set(a.own_methods) & set(b.own_methods))
