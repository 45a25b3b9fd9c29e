"""Scorers of translations and other texts, from sacrebleu's segment statistics."""

import functools
import logging

import numpy as np
from sklearn.metrics import make_scorer

from skcompare._engine.additive import AdditiveFunction
from skcompare._foreign import segment_statistics
from skcompare._format import optional_import
from skcompare._parameters import OneOf

# Number of sets of hypotheses whose statistics are cached, since a comparison uses the
# statistics of each model more than once.
N_CACHED = 8

# The values that sacrebleu uses for the logarithm of 0, and for undefined ratios.
LOG_OF_ZERO = -9999999999.0
EPSILON = 1e-16

# Totals up to this share of the largest are rounding errors of sums of weights.
RESIDUE = 1e-12

# Number of tokenized segments from which sacrebleu warns that data are not detokenized.
MANY_TOKENIZED = 100


def bleu_scorer(**options):
    """Make a scorer of corpus BLEU, as sacrebleu computes it.

    Segments are tokenized and their n-grams counted once per model; resamples only sum
    these counts.

    Requires sacrebleu: ``pip install sacrebleu``.

    Parameters
    ----------
    **options
        Options of ``sacrebleu.metrics.BLEU``: `lowercase`, `tokenize`, `smooth_method`,
        `smooth_value`, `max_ngram_order`, `effective_order`, `trg_lang`, `force`.

    Returns
    -------
    callable
        A scorer with values from 0 to 100. The truth of a row is its reference, a
        string, or its references, a list or tuple of strings; the prediction is a
        string.

    See Also
    --------
    chrf_scorer : Character n-grams, for inflected languages.
    make_additive_scorer : Make a scorer from any additive metric.

    Notes
    -----
    Segment statistics are computed by a private method of sacrebleu. The score of their
    sums is computed here for many resamples at once, and equals that of
    ``corpus_score`` up to rounding.

    Examples
    --------
    .. code-block:: python

        from skcompare import ApproxRandomization
        from skcompare.metrics import bleu_scorer

        test = ApproxRandomization(scoring=bleu_scorer(lowercase=True), random_state=0)
        test.fit_predictions(references, translations_a, translations_b)
    """
    segments = SegmentStatistics("BLEU", options)
    metric = segments.metric
    default = metric.SMOOTH_DEFAULTS[metric.smooth_method]
    score = functools.partial(
        bleu_of_totals,
        order=metric.max_ngram_order,
        smooth_method=metric.smooth_method,
        smooth_value=default if metric.smooth_value is None else metric.smooth_value,
        effective_order=metric.effective_order,
    )
    return make_scorer(AdditiveFunction(segments, score, "bleu"))


def chrf_scorer(**options):
    """Make a scorer of corpus chrF, as sacrebleu computes it.

    Requires sacrebleu: ``pip install sacrebleu``.

    Parameters
    ----------
    **options
        Options of ``sacrebleu.metrics.CHRF``: `char_order`, `word_order` (2 for
        chrF++), `beta`, `lowercase`, `whitespace`, `eps_smoothing`.

    Returns
    -------
    callable
        A scorer with values from 0 to 100. The truth of a row is its reference, a
        string, or its references, a list or tuple of strings; the prediction is a
        string.

    See Also
    --------
    bleu_scorer : Word n-grams.

    Notes
    -----
    If a segment has several references, the one with the highest chrF for the segment
    is used, as in sacrebleu. As this is decided for each segment separately, the metric
    is additive.

    Examples
    --------
    .. code-block:: python

        from skcompare import PairedBootstrap
        from skcompare.metrics import chrf_scorer

        test = PairedBootstrap(scoring=chrf_scorer(word_order=2), random_state=0)
        test.fit_predictions(references, translations_a, translations_b)
    """
    segments = SegmentStatistics("CHRF", options)
    metric = segments.metric
    score = functools.partial(
        chrf_of_totals, beta=metric.beta, eps_smoothing=metric.eps_smoothing
    )
    return make_scorer(AdditiveFunction(segments, score, "chrf"))


def ter_scorer(**options):
    """Make a scorer of the translation edit rate, TER, as sacrebleu computes it.

    Lower is better, so the scorer returns the negated TER.

    Requires sacrebleu: ``pip install sacrebleu``.

    Parameters
    ----------
    **options
        Options of ``sacrebleu.metrics.TER``: `normalized`, `no_punct`, `asian_support`,
        `case_sensitive`.

    Returns
    -------
    callable
        A scorer. The truth of a row is its reference, a string, or its references, a
        list or tuple of strings; the prediction is a string.

    See Also
    --------
    bleu_scorer : Word n-grams.

    Examples
    --------
    .. code-block:: python

        from skcompare import PairedBootstrap
        from skcompare.metrics import ter_scorer

        test = PairedBootstrap(scoring=ter_scorer(), random_state=0)
        test.fit_predictions(references, translations_a, translations_b)
    """
    segments = SegmentStatistics("TER", options)
    function = AdditiveFunction(segments, ter_of_totals, "ter")
    return make_scorer(function, greater_is_better=False)


class SegmentStatistics:
    """Contributions of segments, the statistics of a sacrebleu metric for each segment.

    Parameters
    ----------
    name : str
        The class of the metric in ``sacrebleu.metrics``.
    options : dict
        The keyword arguments of the class.
    """

    def __init__(self, name, options):
        self.name, self.options = name, options
        metrics = optional_import("sacrebleu.metrics")
        if "references" in options:
            raise ValueError(
                "`references` is not an option of a scorer: references are the truth, "
                "`y_true`."
            )
        if "smooth_method" in options:
            method = options["smooth_method"]
            OneOf(*metrics.BLEU.SMOOTH_DEFAULTS).check("smooth_method", method)
        self.metric = getattr(metrics, name)(**options)
        # Only BLEU warns of tokenized data, unless its option `force` is True.
        warns_tokenized = name == "BLEU" and not options.get("force", False)
        count = functools.partial(_count_segments, self.metric, warns_tokenized)
        self._count = functools.lru_cache(maxsize=N_CACHED)(count)

    def __reduce__(self):
        # The cache is neither copied nor sent to other processes.
        return type(self), (self.name, self.options)

    def __call__(self, y_true, y_pred):
        """Return the statistics of all segments, counted once per set of hypotheses."""
        return self._count(_references(y_true), _hypotheses(y_pred))


def _count_segments(metric, warns_tokenized, references, hypotheses):
    """Return sacrebleu's statistics of each segment.

    Segments are processed one at a time, because garbage collection of the n-grams of a
    whole corpus is slow.
    """
    n_tokenized = sum(hypothesis.endswith(" .") for hypothesis in hypotheses)
    if warns_tokenized and n_tokenized >= MANY_TOKENIZED:  # like sacrebleu
        logging.getLogger("sacrebleu").warning(
            "%d segments end in a tokenized period (' .'). Detokenize the predictions, "
            "or pass force=True if this is intended.",
            n_tokenized,
        )
    segments = zip(hypotheses, references, strict=True)
    statistics = np.array(
        [segment_statistics(metric, *segment) for segment in segments], dtype=float
    )
    statistics.flags.writeable = False  # shared through the cache
    return statistics


def _hypotheses(y_pred):
    hypotheses = tuple(_items(y_pred))
    for row, hypothesis in enumerate(hypotheses):
        if not isinstance(hypothesis, str):
            raise ValueError(
                "A prediction must be a string. Got "
                f"{type(hypothesis).__name__} in row {row}."
            )
    return hypotheses


def _references(y_true):
    """Return a tuple of references for each row."""
    rows = []
    for row, item in enumerate(_items(y_true)):
        several = isinstance(item, list | tuple | np.ndarray)
        texts = tuple(text for text in item if text is not None) if several else (item,)
        if not texts or not all(isinstance(text, str) for text in texts):
            raise ValueError(
                "The truth of a row must be a string, or a list or tuple of one or "
                f"more strings. Got {item!r} in row {row}."
            )
        rows.append(texts)
    return tuple(rows)


def _items(values):
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def bleu_of_totals(totals, *, order, smooth_method, smooth_value, effective_order):
    """Return BLEU from sums of sacrebleu's statistics.

    Parameters
    ----------
    totals : ndarray of shape (..., 2 + 2 * order)
        The lengths of hypotheses and references, and, for each order, the numbers of
        correct n-grams and then of all n-grams of the hypotheses.
    order : int
        The maximum order of n-grams.
    smooth_method, smooth_value, effective_order
        As in ``sacrebleu.metrics.BLEU``.

    Returns
    -------
    ndarray of shape (...)
        BLEU, from 0 to 100.
    """
    totals = _without_residues(totals)
    right, all_ = totals[..., 2 : 2 + order], totals[..., 2 + order :]
    precisions, reached = _precisions(right, all_, smooth_method, smooth_value)
    n_orders = reached.sum(axis=-1).clip(min=1) if effective_order else order
    used = np.arange(order) < np.expand_dims(n_orders, -1)
    logs = np.full(precisions.shape, LOG_OF_ZERO)
    np.log(precisions, out=logs, where=precisions > 0)
    score = np.exp(np.where(used, logs, 0.0).sum(axis=-1) / n_orders)
    length, reference_length = totals[..., 0], totals[..., 1]
    excess = _ratio(reference_length, length, np.inf)
    penalty = np.where(length < reference_length, np.exp(1.0 - excess), 1.0)
    return np.where(right.any(axis=-1), penalty * score, 0.0)


def _precisions(right, all_, smooth_method, smooth_value):
    """Return smoothed precisions in percent, and whether an order has any n-grams."""
    if smooth_method == "add-k":
        added = smooth_value * (np.arange(right.shape[-1]) > 0)
        right, all_ = right + added, all_ + added
    # sacrebleu stops at the first order without n-grams.
    reached = np.logical_and.accumulate(all_ > 0, axis=-1)
    missed = reached & (right == 0)
    if smooth_method == "exp":
        right = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), right)
    elif smooth_method == "floor":
        right = np.where(missed, smooth_value, right)
    return 100.0 * _ratio(np.where(reached, right, 0.0), all_, 0.0), reached


def chrf_of_totals(totals, *, beta, eps_smoothing):
    """Return chrF from sums of sacrebleu's statistics.

    Parameters
    ----------
    totals : ndarray of shape (..., 3 * n_orders)
        For each order, the numbers of n-grams of the hypotheses, of the references, and
        common to both.
    beta, eps_smoothing
        As in ``sacrebleu.metrics.CHRF``.

    Returns
    -------
    ndarray of shape (...)
        chrF, from 0 to 100.
    """
    totals = _without_residues(totals)
    n_hyp, n_ref, n_match = (totals[..., part::3] for part in range(3))
    precision = _ratio(n_match, n_hyp, EPSILON)
    recall = _ratio(n_match, n_ref, EPSILON)
    if eps_smoothing:
        return 100.0 * _f_score(precision, recall, beta, EPSILON).mean(axis=-1)
    present = (n_hyp > 0) & (n_ref > 0)
    n_present = present.sum(axis=-1).clip(min=1)
    precision = np.where(present, precision, 0.0).sum(axis=-1) / n_present
    recall = np.where(present, recall, 0.0).sum(axis=-1) / n_present
    return 100.0 * _f_score(precision, recall, beta, 0.0)


def _f_score(precision, recall, beta, otherwise):
    factor = beta**2
    return _ratio(
        (1 + factor) * precision * recall, factor * precision + recall, otherwise
    )


def ter_of_totals(totals):
    """Return TER from sums of sacrebleu's statistics.

    Parameters
    ----------
    totals : ndarray of shape (..., 2)
        The numbers of edits and the lengths of references.

    Returns
    -------
    ndarray of shape (...)
        TER, in edits per hundred words of the references.
    """
    edits, length = np.moveaxis(_without_residues(totals), -1, 0)
    return 100.0 * _ratio(edits, length, (edits > 0).astype(float))


def _without_residues(totals):
    totals = np.asarray(totals, dtype=float)
    largest = np.abs(totals).max(axis=-1, keepdims=True)
    return np.where(np.abs(totals) <= RESIDUE * largest, 0.0, totals)


def _ratio(numerator, denominator, otherwise):
    """Divide; return `otherwise` where the denominator is not positive."""
    out = np.broadcast_to(otherwise, np.shape(denominator)).astype(float)
    return np.divide(numerator, denominator, out=out, where=denominator > 0)
