"""Attachment scores of dependency parsers."""

import functools

import numpy as np

from skcompare.metrics._additive import make_additive_scorer
from skcompare.metrics._ratios import ratio_of_totals


def uas_scorer(*, ignore=()):
    """Make a scorer of the unlabeled attachment score of dependency parsers.

    It is the share of tokens with the right head, over all sentences. Rows are
    sentences, so tests redraw sentences, not tokens, which depend on each other.

    Parameters
    ----------
    ignore : str or collection of str, default=()
        Tokens whose true label is one of these do not count. Needs labels.

    Returns
    -------
    callable
        A scorer, from 0 to 1. The truth and the prediction of a row are sequences with
        one entry per token of a sentence: the head, an integer, or a (head, label)
        pair, whose label does not matter here.

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
    sentences. Rows are sentences, so tests redraw sentences, not tokens, which depend
    on each other.

    Parameters
    ----------
    ignore : str or collection of str, default=()
        Tokens whose true label is one of these, such as ``"punct"``, do not count.

    Returns
    -------
    callable
        A scorer, from 0 to 1. The truth and the prediction of a row are sequences with
        one entry per token of a sentence: a (head, label) pair.

    See Also
    --------
    uas_scorer : Labels do not matter.

    Examples
    --------
    Of two tokens that count, one has the right head and the right label:

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
    """Return the numbers of right tokens and of tokens that count, by sentence."""
    needs_labels, n_parts = labeled or bool(ignored), 2 if labeled else 1
    added = np.zeros((len(y_true), 2))
    for row, sentence in enumerate(zip(y_true, y_pred, strict=True)):
        truth, parse = (_tokens(tokens, needs_labels, row) for tokens in sentence)
        _check_lengths(truth, parse, row)
        pairs = zip(truth, parse, strict=True)
        counted = [(true, parsed) for true, parsed in pairs if true[1] not in ignored]
        n_right = sum(true[:n_parts] == parsed[:n_parts] for true, parsed in counted)
        added[row] = n_right, len(counted)
    return added


def _tokens(tokens, needs_labels, row):
    """Return (head, label) pairs, the label None if there is none."""
    pairs = [
        (int(token[0]), str(token[1]))
        if isinstance(token, tuple | list | np.ndarray)
        else (int(token), None)
        for token in tokens
    ]
    if needs_labels and any(label is None for _, label in pairs):
        raise ValueError(
            "Tokens must be (head, label) pairs, as labels count or are to be ignored. "
            f"Got a head alone in row {row}."
        )
    return pairs


def _check_lengths(truth, parse, row):
    if len(truth) != len(parse):
        raise ValueError(
            "A prediction must have as many tokens as the truth of its row, i.e. "
            f"{len(truth)}. Got {len(parse)} in row {row}."
        )
