"""From `--scoring` to what a comparison takes as `scoring`."""

from skcompare.metrics import (
    bleu_scorer,
    chrf_scorer,
    las_scorer,
    pearson_scorer,
    perplexity_scorer,
    ter_scorer,
    uas_scorer,
)

__all__ = ["as_scoring", "is_of_texts"]

# Scorers that scikit-learn does not have.
OWN = {
    "bleu": bleu_scorer,
    "chrf": chrf_scorer,
    "las": las_scorer,
    "pearson": pearson_scorer,
    "perplexity": perplexity_scorer,
    "ter": ter_scorer,
    "uas": uas_scorer,
}
OF_TEXTS = frozenset(("bleu", "chrf", "ter"))


def as_scoring(names):
    """Turn names into `scoring`.

    Parameters
    ----------
    names : list of str or None
        Names of scikit-learn's scorers and of ours.

    Returns
    -------
    str, callable, dict or None
        Several scorers as a dict.

    Examples
    --------
    >>> as_scoring(["f1_macro"]), list(as_scoring(["accuracy", "pearson"]))
    ('f1_macro', ['accuracy', 'pearson'])
    """
    if names is None:
        return None
    scorers = {name: OWN[name]() if name in OWN else name for name in names}
    return scorers if len(scorers) > 1 else next(iter(scorers.values()))


def is_of_texts(names):
    """Return whether the metrics compare texts, which then are not parsed."""
    return names is not None and OF_TEXTS.issuperset(names)
