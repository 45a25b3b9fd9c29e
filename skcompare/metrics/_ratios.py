"""Scorers of ratios, perplexity and correlations, most of them additive."""

import functools
import math

import numpy as np
from scipy import stats
from sklearn.metrics import make_scorer

from skcompare._engine.additive import AdditiveFunction
from skcompare.metrics._additive import make_additive_scorer

# Maximum distance of a mean from the center, in standard deviations. At this distance
# the variance, as a difference of sums of squares, loses up to seven of 16 digits.
FARTHEST = 1000.0

# A variance up to this share of the mean square may consist of rounding errors only.
LEAST_VARIANCE = 1e-13


def ratio_of_totals(totals):
    """Return the first total divided by the second, nan where the second is 0.

    Parameters
    ----------
    totals : ndarray of shape (..., 2)
        Totals.

    Returns
    -------
    ndarray of shape (...)
        Ratios.

    Examples
    --------
    >>> ratio_of_totals(np.array([[1.0, 4.0], [0.0, 0.0]]))
    array([0.25,  nan])
    """
    numerator, denominator = np.moveaxis(np.asarray(totals, dtype=float), -1, 0)
    out = np.full(denominator.shape, np.nan)
    return np.divide(numerator, denominator, out=out, where=denominator != 0)


def perplexity_scorer(*, base=math.e):
    """Make a scorer of the perplexity of language models.

    It is ``base ** (-sum(log_probability) / sum(n_tokens))`` over all rows. Lower is
    better, so the scorer returns the negative.

    Parameters
    ----------
    base : float, default=e
        The base of the logarithms, such as 2 or 10 if models report those.

    Returns
    -------
    callable
        A scorer. The truth of a row is its number of tokens; the prediction is the
        logarithm of the probability of the whole row.

    See Also
    --------
    make_additive_scorer : Make a scorer from any additive metric.

    Notes
    -----
    A row is a unit of independent sampling, such as a sentence or a document. Models
    with different tokenizers are comparable if the truth has the same counts for both,
    such as characters or bytes; the score is then, for instance, a perplexity per
    character.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import PairedBootstrap
    >>> rng = np.random.default_rng(0)
    >>> n_tokens = rng.integers(5, 40, size=300)
    >>> log_prob_a = -n_tokens * rng.normal(3.0, 0.3, size=300)
    >>> log_prob_b = log_prob_a - n_tokens * rng.normal(0.05, 0.1, size=300)
    >>> test = PairedBootstrap(scoring=perplexity_scorer(), random_state=0)
    >>> test = test.fit_predictions(n_tokens, log_prob_a, log_prob_b)
    >>> print(f"{-test.score_a_:.1f} {-test.score_b_:.1f} {test.pvalue_ < 0.01}")
    20.1 21.0 True
    """
    if not base > 1:
        raise ValueError(f"`base` must be greater than 1. Got {base!r}.")
    return make_additive_scorer(
        _surprisals,
        functools.partial(perplexity_of_totals, base=base),
        name="perplexity",
        greater_is_better=False,
    )


def _surprisals(n_tokens, log_probability):
    n_tokens = np.asarray(n_tokens, dtype=float)
    if (n_tokens < 0).any():
        raise ValueError(
            "`y_true` must contain non-negative numbers of tokens. Got "
            f"{n_tokens.min():g} in row {int(n_tokens.argmin())}."
        )
    return np.column_stack([-np.asarray(log_probability, dtype=float), n_tokens])


def perplexity_of_totals(totals, *, base):
    """Return the perplexity from sums of surprisals and of tokens."""
    with np.errstate(over="ignore"):
        return np.exp(ratio_of_totals(totals) * math.log(base))


def pearson_scorer(*, center=(0.0, 0.0)):
    """Make a scorer of Pearson's correlation of truth and predictions.

    Parameters
    ----------
    center : tuple of two floats, default=(0, 0)
        Central values of the truth and of the predictions of all models. They only
        affect the numerical precision of the score; any round numbers near the means
        are sufficient.

    Returns
    -------
    callable
        A scorer with values from -1 to 1, or nan if the truth or the predictions are
        constant.

    Raises
    ------
    ValueError
        When scoring, if means are more than 1,000 standard deviations from `center`.

    See Also
    --------
    make_additive_scorer : Make a scorer from any additive metric.

    Notes
    -----
    The score is computed from sums of squares, which loses digits if values are far
    from 0 compared with their spread: the error is about ``1e-15 * (mean / std) ** 2``.
    If it could exceed 1e-9, an error requests `center`. The means of the data are not
    used, because the contributions of a row must depend on this row only: permutation
    tests mix rows of different models.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import ApproxRandomization
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=200)
    >>> a, b = y + rng.normal(size=200), y + 2 * rng.normal(size=200)
    >>> test = ApproxRandomization(scoring=pearson_scorer(), random_state=0)
    >>> test = test.fit_predictions(y, a, b)
    >>> print(f"{test.score_a_:.2f} {test.score_b_:.2f} {test.pvalue_ < 0.01}")
    0.66 0.48 True
    """
    center = tuple(float(value) for value in center)
    if len(center) != 2 or not np.isfinite(center).all():
        raise ValueError(f"`center` must be two finite numbers. Got {center}.")
    function = AdditiveFunction(
        functools.partial(_products, center=center),
        correlation_of_totals,
        "pearson",
        rescale=functools.partial(_standardized, center=center[1]),
    )
    return make_scorer(function)


def _standardized(values, center):
    values = np.asarray(values, dtype=float)
    spread = values.std()
    return center + (values - values.mean()) / (spread if spread > 0 else 1.0)


def spearman_scorer():
    """Make a scorer of Spearman's rank correlation of truth and predictions.

    Returns
    -------
    callable
        A scorer with values from -1 to 1, or nan if the truth or the predictions are
        constant.

    See Also
    --------
    pearson_scorer : The correlation of values, which is additive and faster.

    Notes
    -----
    Ranks depend on all rows, so the metric is not additive, and resampling tests call
    it on every resample.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import PairedBootstrap
    >>> from skcompare.metrics import spearman_scorer
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=100)
    >>> a, b = np.exp(y + rng.normal(size=100)), y + 3 * rng.normal(size=100)
    >>> test = PairedBootstrap(scoring=spearman_scorer(), n_resamples=199)
    >>> test = test.fit_predictions(y, a, b)
    >>> test.score_a_ > test.score_b_
    True
    """
    return make_scorer(spearman)


def spearman(y_true, y_pred):
    """Return the correlation of ranks; nan if either argument is constant."""
    x, y = stats.rankdata(y_true), stats.rankdata(y_pred)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    return float(np.clip(np.corrcoef(x, y)[0, 1], -1.0, 1.0))


def _products(y_true, y_pred, center):
    x, y = np.asarray(y_true, dtype=float), np.asarray(y_pred, dtype=float)
    x, y = x - center[0], y - center[1]
    _check_centered("y_true", x)
    _check_centered("y_pred", y)
    return np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y])


def _check_centered(name, values):
    """Raise if the variance of values cannot be computed to enough digits."""
    distance, spread = abs(values.mean()), values.std()
    if np.ptp(values) > 0 and distance > FARTHEST * spread:
        raise ValueError(
            f"The mean of `{name}` must be within {FARTHEST:,.0f} standard deviations "
            f"of `center`. Got {distance / spread:,.0f}. Pass center=(c, d), with c "
            "and d near the means of truth and predictions, the same for all models."
        )


def correlation_of_totals(totals):
    """Return Pearson's correlation from sums of products."""
    n, x, y, xx, yy, xy = np.moveaxis(np.asarray(totals, dtype=float), -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        var_x, var_y = xx - x * x / n, yy - y * y / n
        constant = (var_x <= LEAST_VARIANCE * xx) | (var_y <= LEAST_VARIANCE * yy)
        correlation = (xy - x * y / n) / (np.sqrt(var_x) * np.sqrt(var_y))
    return np.where(constant, np.nan, np.clip(correlation, -1.0, 1.0))


def uas_scorer(*, ignore=()):
    """Make a scorer of the unlabeled attachment score of dependency parsers.

    It is the share of tokens with the right head, over all sentences. Rows are
    sentences, so tests resample sentences rather than their dependent tokens.

    Parameters
    ----------
    ignore : str or collection of str, default=()
        Tokens whose true label is one of these are ignored. Requires labels.

    Returns
    -------
    callable
        A scorer with values from 0 to 1. The truth and the prediction of a row are
        sequences with one entry per token of a sentence: the head, an integer, or a
        (head, label) pair, whose label is not scored.

    See Also
    --------
    las_scorer : Labels must be right, too.

    Examples
    --------
    Four of five tokens have the right head:

    >>> from sklearn.base import BaseEstimator
    >>> class Parser(BaseEstimator):
    ...     def predict(self, sentences):
    ...         return [[2, 0, 1], [0, 1]]
    >>> sentences, truth = ["cats chase mice", "cats purr"], [[2, 0, 2], [0, 1]]
    >>> uas_scorer()(Parser(), sentences, truth)
    0.8
    """
    return _attachment_scorer("uas", ignore, labeled=False)


def las_scorer(*, ignore=()):
    """Make a scorer of the labeled attachment score of dependency parsers.

    It is the share of tokens with the right head and the right label, over all
    sentences. Rows are sentences, so tests resample sentences rather than their
    dependent tokens.

    Parameters
    ----------
    ignore : str or collection of str, default=()
        Tokens whose true label is one of these, such as ``"punct"``, are ignored.

    Returns
    -------
    callable
        A scorer with values from 0 to 1. The truth and the prediction of a row are
        sequences with one (head, label) pair per token of a sentence.

    See Also
    --------
    uas_scorer : Labels are not scored.

    Examples
    --------
    Of the two tokens that are not ignored, one has the right head and label:

    >>> from sklearn.base import BaseEstimator
    >>> class Parser(BaseEstimator):
    ...     def predict(self, sentences):
    ...         return [[(2, "obj"), (0, "root"), (2, "punct")]]
    >>> truth = [[(2, "nsubj"), (0, "root"), (2, "punct")]]
    >>> las_scorer(ignore="punct")(Parser(), ["Cats purr."], truth)
    0.5
    """
    return _attachment_scorer("las", ignore, labeled=True)


def _attachment_scorer(name, ignore, *, labeled):
    ignored = frozenset([ignore] if isinstance(ignore, str) else ignore)
    contributions = functools.partial(_attachments, labeled=labeled, ignored=ignored)
    return make_additive_scorer(contributions, ratio_of_totals, name=name)


def _attachments(y_true, y_pred, *, labeled, ignored):
    """Return the numbers of right and of counted tokens of each sentence."""
    needs_labels, n_parts = labeled or bool(ignored), 2 if labeled else 1
    added = np.zeros((len(y_true), 2))
    for row, sentence in enumerate(zip(y_true, y_pred, strict=True)):
        truth, parse = (_tokens(tokens, needs_labels, row) for tokens in sentence)
        if len(truth) != len(parse):
            raise ValueError(
                "A prediction must have as many tokens as the truth of its row, i.e. "
                f"{len(truth)}. Got {len(parse)} in row {row}."
            )
        pairs = zip(truth, parse, strict=True)
        counted = [(true, parsed) for true, parsed in pairs if true[1] not in ignored]
        n_right = sum(true[:n_parts] == parsed[:n_parts] for true, parsed in counted)
        added[row] = n_right, len(counted)
    return added


def _tokens(tokens, needs_labels, row):
    """Return (head, label) pairs; missing labels are None."""
    pairs = [
        (int(token[0]), str(token[1]))
        if isinstance(token, tuple | list | np.ndarray)
        else (int(token), None)
        for token in tokens
    ]
    if needs_labels and any(label is None for _, label in pairs):
        raise ValueError(
            "Tokens must be (head, label) pairs if labels are scored or `ignore` is "
            f"used. Got a head without a label in row {row}."
        )
    return pairs
