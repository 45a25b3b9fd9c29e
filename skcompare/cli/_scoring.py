"""From `--scoring` to what a comparison takes as `scoring`."""

from sklearn.metrics import get_scorer_names

from skcompare.metrics import (
    bleu_scorer,
    chrf_scorer,
    las_scorer,
    pearson_scorer,
    perplexity_scorer,
    ter_scorer,
    uas_scorer,
)

__all__ = ["OWN", "as_scoring", "is_of_texts", "metric_names", "of_sequences"]

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
OF_SEQUENCES = frozenset(("las", "uas"))


def metric_names():
    """Return the names of all metrics that there are."""
    return [*get_scorer_names(), *OWN]


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


def of_sequences(names):
    """Return the metrics that compare sequences, which JSON lines can have."""
    return [name for name in names or () if name in OF_SEQUENCES]
