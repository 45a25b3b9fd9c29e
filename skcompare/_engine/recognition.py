"""Recognize metrics that are functions of sums over rows, by calling them.

The metric is called on single rows, and on a few rows together, which shows how the
scores of single rows combine: as a mean, a sum or a ratio of sums, possibly
transformed, for instance by a square root. A form that fits these calls must also fit
the metric on resamples of many sizes. Decisions depend on counts, never on timings, so
that recognition gives the same result on every machine.

A few dozen rows decide whether to continue with all rows. These are scored as columns
of a matrix in a single call, if that gives the right contributions of the few dozen
rows; otherwise they are scored one by one, if that is worth it.
"""

import dataclasses
import math

import numpy as np

from skcompare._caveats import quiet

# Number of rows that decide whether to continue with all rows. If fewer than some of
# them score differently from the others, so many others are searched; more if that is
# a small fraction of the calls on resamples. Sizes of subsets.
N_CHOSEN, FEWEST_DIFFERENT, N_SEARCHED, SEARCHED_FRACTION = 24, 3, 96, 0.01
SUBSET_SIZES = (2, 2, 3, 3, 5, 8, 12, 16, 24, 40)

# Sizes and numbers of resamples. Small ones are more extreme than resamples of all
# rows, on some of which the metric is called after they have been drawn.
RESAMPLES = ((3, 6), (7, 6), (15, 6), (40, 6), (100, 6), (400, 6))
N_PILOTS, PILOT_ROWS = 64, 100

# Number of samples of the original size, of the rows that decide.
N_LARGE = 2

# Totals on resamples exceed those on few rows. So the metric is called on pairs of
# larger samples. Each contains twice as many rows of half of the kinds as any model
# has, plus a number of standard deviations, unless that gives more rows than are many
# for any metric; and a fraction of the rows of the other kinds, without which some
# scores are undefined. Up to a number of kinds, as of labels, they are also halved at
# random, several times.
N_DEVIATIONS, MANY_ROWS, RARE_FRACTION = 5.0, 250_000, 0.1
MOST_HALVED, N_HALVES = 1_000, 8

# If almost all rows are distinct, kinds of rows are too many for this. Then samples of
# the original size repeat a fraction of the rows, so that totals of any kind vary more
# than on resamples: number of samples for each model, and repetitions of a row.
N_CONCENTRATED, N_REPETITIONS = 8, 16

# Tolerances for rounding differences between a metric and its recognized form.
RTOL, ATOL = 1e-9, 1e-11

# Number of rows that take about as long as the overhead of a call, for most metrics. Of
# those for which a call on single rows takes as long as one on all, none should take
# much longer if recognized: the largest number of calls relative to those on resamples.
ROWS_WORTH_A_CALL, MAX_RATIO_OF_CALLS = 5_000, 1.5

# Largest number of rows among which rows with equal contributions are merged.
MAX_MERGED = 1_000

# Reference rows are the first of this number of pairs for which the ratio of weights is
# below EVEN_RATIO, otherwise the pair with the smallest ratio, which must be less than
# MAX_RATIO for the pair to be informative about other rows.
MAX_PAIRS, EVEN_RATIO, MAX_RATIO = 32, 5.0, 50.0


@dataclasses.dataclass(frozen=True)
class Transform:
    """A function of a mean, a sum or a ratio, and its inverse."""

    prefix: str
    apply: object
    undo: object


def _identity(values):
    return values


TRANSFORMS = (
    Transform("", _identity, _identity),
    Transform("square root of a ", np.sqrt, np.square),
    Transform("exponential of a ", np.exp, np.log),
    Transform("reciprocal of a ", np.reciprocal, np.reciprocal),
)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Sums:
    """A metric as a function of sums over rows.

    Parameters
    ----------
    form : {"mean", "sum", "ratio of sums"}
        The function of the sums.
    transform : Transform
        The transformation of its value.
    sign : int
        The sign of the metric, if it is transformed.
    numerators : ndarray of shape (n_rows,)
        The contribution of each row to the first sum.
    denominators : ndarray of shape (n_rows,)
        The contribution of each row to the second sum; zeros if `form` is "sum".
    codes : ndarray of int, shape (n_rows,)
        Rows with equal codes have equal contributions.
    """

    form: str
    transform: Transform
    sign: int
    numerators: np.ndarray
    denominators: np.ndarray
    codes: np.ndarray

    @property
    def kind(self):
        """The form of the metric, in words."""
        return self.transform.prefix + self.form

    def score(self, numerator, denominator):
        """Return the metric from sums, nan where these do not determine it."""
        with np.errstate(all="ignore"):
            value = numerator if self.form == "sum" else numerator / denominator
            value = self.sign * self.transform.apply(value)
        return np.where(np.isfinite(value), value, np.nan)

    @property
    def row_scores(self):
        """The score of each row alone, nan where it is undefined."""
        return self.score(self.numerators, self.denominators)

    @property
    def influence(self):
        """The change of the metric due to each row, to first order."""
        total, weight, ratio = self.numerators.sum(), 1.0, 0.0
        if self.form != "sum":
            weight = self.denominators.sum()
            ratio = total / weight
        step = (self.numerators - ratio * self.denominators) / weight
        if not self.transform.prefix:
            return step
        around = total / weight * (1 + np.array([1e-6, -1e-6]))
        ahead, behind = self.sign * self.transform.apply(around)
        return step * (ahead - behind) / (around[0] - around[1])

    def on_resamples(self, resamples):
        """Return the metric on resamples, lists of rows, and rounding tolerances."""
        rows = np.concatenate(resamples)
        sizes = np.array([len(resample) for resample in resamples])
        starts = np.cumsum(sizes) - sizes
        numerators, denominators = self.numerators[rows], self.denominators[rows]
        added, weights, size = (
            np.add.reduceat(part, starts)
            for part in (numerators, denominators, np.abs(numerators))
        )
        scores = self.score(added, weights)
        tolerances = RTOL * np.abs(scores)
        if not self.transform.prefix:  # otherwise nothing cancels
            tolerances += ATOL * size / (1.0 if self.form == "sum" else weights)
        return scores, tolerances

    def explains(self, resamples, call):
        """Return whether this is the metric on all resamples where it is defined."""
        pairs = zip(*self.on_resamples(resamples), strict=True)
        for number, (expected, tolerance) in enumerate(pairs):
            if math.isnan(expected):
                continue
            if not abs(call(number) - expected) <= tolerance:
                return False
        return True

    def resembles(self, other):
        """Return whether contributions equal those of another form up to rounding."""
        return np.allclose(
            [self.numerators, self.denominators],
            [other.numerators, other.denominators],
            rtol=RTOL,
            atol=ATOL,
        )

    def merged(self):
        """Return a copy with equal codes for equal contributions, unless too large."""
        if len(self.codes) > MAX_MERGED:
            return self
        # `unique` is faster for complex numbers than for pairs.
        both = self.numerators + 1j * self.denominators
        codes = np.unique(both, return_inverse=True)[1]
        return dataclasses.replace(self, codes=codes.ravel())

    def at(self, rows):
        """Return the sums of some rows."""
        return dataclasses.replace(
            self,
            numerators=self.numerators[rows],
            denominators=self.denominators[rows],
            codes=self.codes[rows],
        )


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Recognition:
    """The result of `recognize`.

    Parameters
    ----------
    sums : Sums or None
        The metric as a function of sums, None if it was not recognized.
    reason : str
        The reason why it was not recognized; empty if it was.
    n_calls : int
        The number of calls of the metric.
    """

    sums: Sums | None
    reason: str
    n_calls: int


def recognize(score, codes, observed, *, weights=None, n_resamples=math.inf):
    """Find out whether a metric is a function of sums over rows.

    Parameters
    ----------
    score : callable
        ``score(places)`` returns the metric on the given rows, which may be repeated.
        The metric is undefined if it raises an exception or does not return a finite
        number. The columns of a matrix are separate samples; `score` need not support
        matrices.
    codes : ndarray of int, shape (n_models * n_rows,)
        Codes of rows of truth and prediction, model by model, numbered from 0 without
        gaps. Rows with equal codes are interchangeable for the metric.
    observed : sequence of float, length n_models
        The metric of each model on all rows.
    weights : ndarray of shape (n_models * n_rows,) or None, default=None
        The weights that `score` passes to the metric with the rows.
    n_resamples : float, default=inf
        The number of resamples on which the metric would be called otherwise. It limits
        the number of rows that are scored one by one.

    Returns
    -------
    Recognition
        The contributions of all rows, or the reason why there are none.

    Examples
    --------
    >>> y, p = np.array([1, 1, 0, 0, 1, 0]), np.array([1, 0, 1, 0, 1, 0])
    >>> def f1(places):
    ...     true, predicted = y[places], p[places]
    ...     return 2 * (true & predicted).sum() / (true.sum() + predicted.sum())
    >>> result = recognize(f1, 2 * y + p, [f1(np.arange(6))])
    >>> result.sums.kind, result.sums.numerators, result.sums.denominators
    ('ratio of sums', array([2., 0., 0., 0., 2., 0.]), array([2., 1., 1., 0., 2., 0.]))
    >>> recognize(lambda places: np.median(p[places]), 2 * y + p, [0.5]).reason
    'no mean, sum or ratio of sums of single rows'
    """
    probe = Probe(score, codes, observed, weights)
    with quiet(), np.errstate(all="ignore"):
        sums, reason = _explanation(probe, n_resamples)
    return Recognition(sums=sums, reason=reason, n_calls=probe.n_calls)


class Probe:
    """Call a metric on few rows, at most once on each set of rows.

    Parameters
    ----------
    score, codes, observed, weights : object
        As in `recognize`.

    Attributes
    ----------
    n_calls : int
        The number of calls of the metric.
    as_columns : bool
        Whether it is called on many sets of rows at once, as columns of a matrix.
    """

    def __init__(self, score, codes, observed, weights):
        self._score, self._seen = score, {}
        self.n_calls, self.as_columns = 0, False
        self.observed, self.n_models = observed, len(observed)
        self.n_rows = len(codes) // self.n_models
        self.code, self.place = codes, np.empty(codes.max() + 1, dtype=np.intp)
        self.place[codes[::-1]] = np.arange(len(codes))[::-1]  # the first of each
        self.weights = None if weights is None else weights[self.place]
        self.rng = np.random.default_rng(len(codes))

    def on_places(self, places):
        """Score the given rows; nan if the score is undefined."""
        self.n_calls += 1
        try:
            value = float(self._score(places))
        except Exception:  # metrics may raise anything on few rows
            return math.nan
        return value if math.isfinite(value) else math.nan

    def on_codes(self, *codes):
        """Score distinct rows, alone or each with the rows of further arrays."""
        if self.as_columns and len(codes[0]) > 1:
            return self._on_columns(self.place[np.stack(codes)])
        return np.array([self._once(*few) for few in np.stack(codes, axis=1).tolist()])

    def _on_columns(self, places):
        """Score the columns of a matrix of rows in one call."""
        self.n_calls += 1
        undefined = np.full(places.shape[1], math.nan)
        try:
            values = np.asarray(self._score(places), dtype=float)
        except Exception:  # metrics may not support matrices
            return undefined
        fits = values.shape == undefined.shape
        return np.where(np.isfinite(values), values, math.nan) if fits else undefined

    def _once(self, *codes):
        value = self._seen.get(codes)
        if value is None:
            value = self._seen[codes] = self.on_places(self.place[list(codes)])
        return value


def _explanation(probe, n_resamples):
    """Return the first form that fits all calls, or None and the reason."""
    n_codes = len(probe.place)
    chosen = np.arange(n_codes)
    if n_codes > N_CHOSEN:
        chosen = np.sort(probe.rng.choice(n_codes, N_CHOSEN, replace=False))
    if probe.weights is not None:
        chosen = chosen[probe.weights[chosen] > 0]
    values = probe.on_codes(chosen)
    if n_codes > len(chosen):
        others = _rare_rows(probe, chosen, values, n_resamples)
        chosen = np.concatenate([chosen, others])
        values = probe.on_codes(chosen)
    values = values[np.isfinite(values)]
    if len(np.unique(values)) < 2:
        return None, "single rows do not have two different scores"
    sign = -1 if (values <= 0).all() else 1
    transforms = TRANSFORMS if (sign * values >= 0).all() else TRANSFORMS[:1]
    forms = [(form, t) for form in (_mean, _sum) for t in transforms]
    forms += [(f, t) for t in transforms[:2] for f in (_ratio, _ratio_by_pairs)]
    subsets = [probe.rng.choice(len(chosen), size) for size in SUBSET_SIZES]
    seen, reason = {}, "no mean, sum or ratio of sums of single rows"

    def on_subset(number):
        if number not in seen:
            seen[number] = probe.on_places(probe.place[chosen[subsets[number]]])
        return seen[number]

    ratio = (1 + probe.n_rows / ROWS_WORTH_A_CALL) / 2
    max_calls = (n_resamples + 1) * probe.n_models * min(ratio, MAX_RATIO_OF_CALLS)
    for form, transform in forms:
        few = form(probe, chosen, chosen, transform, sign if transform.prefix else 1)
        if few is None or not few.explains(subsets, on_subset):
            continue
        reason = f"a {few.kind} on few rows, but not on all resamples"
        n_more = n_codes * (1 if form in (_mean, _sum) else 2)
        if n_codes > len(chosen):
            many = [probe.rng.choice(len(chosen), probe.n_rows) for _ in range(N_LARGE)]
            if not few.explains(
                many, lambda n, many=many: probe.on_places(probe.place[chosen[many[n]]])
            ):
                continue
            probe.as_columns = True
            again = form(probe, chosen, chosen, transform, few.sign)
            probe.as_columns = again is not None and again.resembles(few)
            if n_more > max_calls and not probe.as_columns:
                return None, f"it takes {n_more:,} calls, which is not worth it"
        sums = form(probe, np.arange(n_codes), chosen, transform, few.sign)
        by_columns, probe.as_columns = probe.as_columns, False
        if sums is not None and _is_confirmed(
            probe, sums := sums.merged().at(probe.code)
        ):
            return sums, ""
        if n_codes > len(chosen) and not by_columns:
            break  # all rows have been scored in vain, which is not done again
    return None, reason


def _rare_rows(probe, chosen, values, n_resamples):
    """Search for rows with other scores, such as errors, if few of the chosen have."""
    distinct, counts = np.unique(values[np.isfinite(values)], return_counts=True)
    if not len(counts) or counts.sum() - counts.max() >= FEWEST_DIFFERENT:
        return chosen[:0]
    n_codes = len(probe.place)
    n_searched = max(N_SEARCHED, SEARCHED_FRACTION * n_resamples * probe.n_models)
    others = np.setdiff1d(np.arange(n_codes), chosen)
    if n_searched < len(others):
        others = np.sort(probe.rng.choice(others, int(n_searched), replace=False))
    scores = probe.on_codes(others)
    usual = distinct[np.argmax(counts)]
    return others[np.isfinite(scores) & (scores != usual)][:N_CHOSEN]


def _is_confirmed(probe, sums):
    """Return whether sums reproduce the metric on all rows and on resamples."""
    n_rows, n_models = probe.n_rows, probe.n_models
    # All forms are checked on the same resamples.
    rng = np.random.default_rng(len(probe.code))
    everything = list(np.arange(len(probe.code)).reshape(n_models, n_rows))
    if not sums.explains(everything, lambda model: probe.observed[model]):
        return False

    def resamples(size, times):
        """Draw rows with predictions of each model in turn, then of mixed models."""
        rows = rng.integers(n_rows, size=(times, int(min(size, n_rows))))
        models = np.resize(np.arange(n_models), times)
        models = np.repeat(models[:, np.newaxis], rows.shape[1], axis=1)
        models[n_models :: n_models + 1] = rng.integers(
            n_models, size=models[n_models :: n_models + 1].shape
        )
        return list(models * n_rows + rows)

    drawn = [places for kind in RESAMPLES for places in resamples(*kind)]
    pilots = resamples(PILOT_ROWS, N_PILOTS)
    scores = sums.on_resamples(pilots)[0]
    if np.isfinite(scores).any():
        drawn += [pilots[np.nanargmin(scores)], pilots[np.nanargmax(scores)]]
    drawn += _beyond_resamples(probe, rng)
    if len(probe.place) >= n_rows:
        # Samples in which a random fraction of the rows of a model is repeated.
        shape = N_CONCENTRATED, -(-n_rows // N_REPETITIONS)
        drawn += [
            np.resize(model * n_rows + rows, n_rows)
            for model in range(n_models)
            for rows in rng.integers(n_rows, size=shape)
        ]
    return sums.explains(drawn, lambda number: probe.on_places(drawn[number]))


def _beyond_resamples(probe, rng):
    """Return samples whose totals exceed those of resamples.

    In each, half of the kinds of rows are frequent and the others rare. In a first
    pair, kinds sorted by frequency alternate, and each is frequent in one sample:
    differences between the totals of kinds that are about equally frequent are large in
    both directions, and the total of several kinds is large in one of the samples. In
    the others, smaller ones, kinds are halved at random, so that any few kinds are
    together in one sample and separated in another.
    """
    codes, n_kinds = probe.code.reshape(probe.n_models, -1), len(probe.place)
    counts = np.array([np.bincount(of_model, minlength=n_kinds) for of_model in codes])
    most = counts.max(axis=0)
    allowed = max(MANY_ROWS, 4 * probe.n_rows) // n_kinds
    deviations = np.ceil(N_DEVIATIONS * np.sqrt(most))
    further = np.minimum(deviations, np.maximum(most, allowed))
    many, few = 2 * most + further, np.ceil(RARE_FRACTION * most)
    half = np.argsort(np.argsort(most, kind="stable")) % 2 == 1
    times = [np.where(turns, many, few) for turns in (half, ~half)]
    halves = {(half ^ half[0]).tobytes()}
    for _ in range(N_HALVES if n_kinds <= MOST_HALVED else 0):
        half = rng.permutation(n_kinds) % 2 == 1
        key = (half ^ half[0]).tobytes()
        if key not in halves:  # only once, and not with its complement
            halves.add(key)
            times.append(np.where(half, most, few))
    return [np.repeat(probe.place, own.astype(np.intp)) for own in times]


def _mean(probe, codes, chosen, transform, sign):
    """Return a mean of the scores of single rows, weighted if rows have weights."""
    values = transform.undo(sign * probe.on_codes(codes))
    weights = np.ones(len(codes)) if probe.weights is None else probe.weights[codes]
    added = np.where(weights > 0, weights * values, 0.0)
    return _sums("mean", transform, sign, added, weights)


def _sum(probe, codes, chosen, transform, sign):
    """Return a sum of the scores of single rows."""
    values = transform.undo(sign * probe.on_codes(codes))
    return _sums("sum", transform, sign, values, np.zeros(len(codes)))


def _ratio(probe, codes, chosen, transform, sign):
    """Return a ratio of sums, from scores of rows alone and with a reference row.

    The score s of row i and reference row a together lies between their own scores r,
    and is closer to that of i the larger the weight v of i is:
    ``v_i / v_a = (s - r_a) / (r_i - s)``. Of two reference rows, the one with the more
    distant score is used. Rows whose own score is undefined are scored with both.
    """
    references = _references(probe, chosen, transform, sign)
    if references is None:
        return None
    a, b, r_a, r_b, v_b = references
    own = transform.undo(sign * probe.on_codes(codes))
    added, weights, alone = np.empty(len(codes)), np.empty(len(codes)), np.isnan(own)
    added[alone], weights[alone] = _solved(
        probe, codes[alone], references, transform, sign
    )
    codes, own = codes[~alone], own[~alone]
    near_a = np.abs(own - r_a) < np.abs(own - r_b)
    r_other, v_other = np.where(near_a, r_b, r_a), np.where(near_a, v_b, 1.0)
    pairs = probe.on_codes(codes, np.where(near_a, b, a))
    nearer = transform.undo(sign * pairs)
    weight = np.where(
        nearer == r_other, 0.0, v_other * (nearer - r_other) / (own - nearer)
    )
    added[~alone], weights[~alone] = own * weight, weight
    return _ratio_of(added, weights, transform, sign)


def _ratio_by_pairs(probe, codes, chosen, transform, sign):
    """Return a ratio of sums, from scores of rows with each of two reference rows."""
    references = _references(probe, chosen, transform, sign)
    if references is None:
        return None
    added, weights = _solved(probe, codes, references, transform, sign)
    return _ratio_of(added, weights, transform, sign)


def _solved(probe, codes, references, transform, sign):
    """Solve two linear equations for the contributions of each row to both sums."""
    a, b, r_a, r_b, v_b = references
    with_a, with_b = (
        transform.undo(sign * probe.on_codes(codes, np.full(len(codes), other)))
        for other in (a, b)
    )
    weights = (v_b * (with_b - r_b) - (with_a - r_a)) / (with_a - with_b)
    return with_a * (weights + 1.0) - r_a, weights


def _ratio_of(added, weights, transform, sign):
    """Return a ratio of sums, with contributions rounded if close to integers."""
    weights = np.where(np.abs(weights) < ATOL, 0.0, weights)
    if not (weights >= 0).all() or not weights.any():
        return None
    unit = weights[weights > 0].min()
    for_integers = np.rint(weights / unit)
    if np.abs(weights / unit - for_integers).max() < 1e-7 and for_integers.max() < 1e6:
        weights, added = for_integers, added / unit
    near = np.abs(added - np.rint(added)) < 1e-9 * min(1.0, np.abs(added).max())
    return _sums(
        "ratio of sums", transform, sign, np.where(near, np.rint(added), added), weights
    )


def _sums(form, transform, sign, numerators, denominators):
    """Return `Sums`, or None if some contributions are undefined."""
    if not np.isfinite(numerators).all() or not np.isfinite(denominators).all():
        return None
    return Sums(
        form=form,
        transform=transform,
        sign=sign,
        numerators=numerators,
        denominators=denominators,
        codes=np.arange(len(numerators)),
    )


def _references(probe, chosen, transform, sign):
    """Return two rows with different scores, the scores, and the second row's weight.

    The weight of the first is 1. The score of both together must lie between the two.
    """
    values = transform.undo(sign * probe.on_codes(chosen))
    finite = np.flatnonzero(np.isfinite(values))
    order = finite[np.argsort(values[finite], kind="stable")]
    pairs = [(high, low) for high in range(len(order)) for low in range(len(order))]
    pairs = sorted(pairs, key=sum)  # most different scores first
    pairs = [(order[-1 - high], order[low]) for high, low in pairs]
    pairs = [pair for pair in pairs if values[pair[0]] > values[pair[1]]]
    best, weightless, n_tried = None, set(), 0
    for high, low in pairs:
        if n_tried == MAX_PAIRS:
            break
        if weightless & {high, low}:
            continue
        n_tried += 1
        r_a, r_b = values[high], values[low]
        both = probe.on_codes(chosen[[high]], chosen[[low]])
        together = transform.undo(sign * both)[0]
        weight = (r_a - together) / (together - r_b)
        if together in (r_a, r_b):  # one of the two, which no pair weighs
            weightless.add(low if together == r_a else high)
        ratio = max(weight, 1 / weight) if weight > 0 else math.inf
        if ratio < MAX_RATIO and (best is None or ratio < best[0]):
            best = ratio, (chosen[high], chosen[low], r_a, r_b, weight)
        if best is not None and best[0] < EVEN_RATIO:
            break
    return None if best is None else best[1]
