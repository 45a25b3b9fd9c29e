"""Scorers from contributions of rows and a score of their totals."""

import numpy as np
from sklearn.metrics import make_scorer

from skcompare._engine import chunk_generator
from skcompare._engine.additive import AdditiveFunction
from skcompare._parameters import Integer
from skcompare._validation import metric_of, seed_of


def make_additive_scorer(
    contributions,
    score,
    *,
    name=None,
    response_method="predict",
    greater_is_better=True,
):
    """Make a scorer of a metric that is a function of sums over rows.

    The scorer works wherever scikit-learn takes one. In a comparison its resamples cost
    as little as those of the built-in metrics: contributions are computed once.

    Parameters
    ----------
    contributions : callable
        ``contributions(y_true, y_pred)`` returns an array of shape (n_rows, n_totals):
        what each row adds to the totals. A row's contributions must depend on that row
        alone.
    score : callable
        ``score(totals)`` takes totals of shape (..., n_totals), those of many resamples
        at once, and returns the metric, of shape (...).
    name : str, default=None
        The name of the metric; that of `score` if None.
    response_method : str or tuple of str, default="predict"
        What to ask the model for, as in :func:`~sklearn.metrics.make_scorer`.
    greater_is_better : bool, default=True
        Whether higher is better. If not, the scorer returns the negative.

    Returns
    -------
    callable
        A scorer.

    See Also
    --------
    check_additive_scorer : Compare such a scorer with a plain metric function.

    Examples
    --------
    The error relative to the size of the truth, a ratio of two sums:

    >>> import numpy as np
    >>> from skcompare import PairedBootstrap, make_additive_scorer
    >>> scorer = make_additive_scorer(
    ...     lambda y, p: np.column_stack([np.abs(y - p), np.abs(y)]),
    ...     lambda totals: totals[..., 0] / totals[..., 1],
    ...     name="relative_error", greater_is_better=False)
    >>> rng = np.random.default_rng(0)
    >>> y = rng.gamma(2, size=500)
    >>> a, b = y + rng.normal(size=500), y + 2 * rng.normal(size=500)
    >>> test = PairedBootstrap(scoring=scorer, random_state=0).fit_predictions(y, a, b)
    >>> test.result_.engine, test.pvalue_
    ('additive/rows', 0.0001)
    """
    for parameter, function in {"contributions": contributions, "score": score}.items():
        if not callable(function):
            raise ValueError(f"`{parameter}` must be a function. Got {function!r}.")
    name = name or getattr(score, "__name__", "additive_score")
    return make_scorer(
        AdditiveFunction(contributions, score, name),
        response_method=response_method,
        greater_is_better=greater_is_better,
    )


def check_additive_scorer(
    scorer, reference, y_true, y_pred, *, n_resamples=100, rtol=1e-9, random_state=0
):
    """Check an additive scorer against a plain metric function on random resamples.

    Parameters
    ----------
    scorer : callable
        A scorer made by `make_additive_scorer`.
    reference : callable
        ``reference(y_true, y_pred)`` computes the metric in the plain way, before any
        change of sign.
    y_true, y_pred : array-like
        Data to resample.
    n_resamples : int, default=100
        The number of resamples.
    rtol : float, default=1e-9
        The largest relative difference to accept.
    random_state : int, RandomState, Generator or None, default=0
        Controls the random resamples.

    Raises
    ------
    ValueError
        If the two differ on some resample, with both values.

    Examples
    --------
    >>> from sklearn.metrics import mean_absolute_error
    >>> scorer = make_additive_scorer(
    ...     lambda y, p: np.column_stack([np.abs(y - p), np.ones(len(y))]),
    ...     lambda totals: totals[..., 0] / totals[..., 1], greater_is_better=False)
    >>> y, p = np.arange(10.0), np.arange(10.0)[::-1]
    >>> check_additive_scorer(scorer, mean_absolute_error, y, p)
    """
    function = metric_of(scorer)[0]
    if not isinstance(function, AdditiveFunction):
        raise ValueError(
            f"`scorer` must come from make_additive_scorer. Got {scorer!r}."
        )
    Integer(1, 10**6).check("n_resamples", n_resamples)
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    rng, added = (
        chunk_generator(seed_of(random_state), 0),
        function.of_rows(y_true, y_pred),
    )
    rows = rng.integers(len(y_true), size=(n_resamples, len(y_true)))
    scores = np.asarray(function.score(added[rows].sum(axis=1)), dtype=float)
    if scores.shape != (n_resamples,):
        raise ValueError(
            "`score` must take totals of many resamples, of shape (n, n_totals), and "
            f"return an array of shape (n,). Got shape {scores.shape} for n = "
            f"{n_resamples}."
        )
    for resample, value in zip(rows, scores, strict=True):
        expected = float(reference(y_true[resample], y_pred[resample]))
        if not np.isclose(value, expected, rtol=rtol, atol=1e-12, equal_nan=True):
            raise ValueError(
                f"The additive score is {float(value)} where the reference is "
                f"{expected}, on the resample of rows {resample.tolist()[:10]} ..."
            )
