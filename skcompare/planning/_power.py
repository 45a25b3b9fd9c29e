"""Before collecting rows: what could a test show, and how many would it take?"""

import dataclasses
import functools
import math
import numbers
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import optimize, stats
from sklearn.exceptions import UndefinedMetricWarning

from skcompare._engine import (
    Units,
    chunk_generator,
    concatenate_rows,
    row_scores,
    score_units,
)
from skcompare._evaluation import problem_of_row_scores, resolve_scoring
from skcompare._parameters import Number
from skcompare._validation import as_array, check_fraction, check_integer, seed_of
from skcompare.comparison import advice_on, refuse_untaken
from skcompare.planning._results import PowerResult
from skcompare.stats.power import (
    detectable_effect,
    exchange_probabilities,
    mcnemar_detectable_effect,
    mcnemar_power,
    mcnemar_sample_size,
    normal_power,
    paired_t_detectable_effect,
    paired_t_power,
    paired_t_sample_size,
)

MOST_ROWS, MOST_SIMULATIONS = 100_000_000, 1_000_000

# Resamples of every simulated test: as many as level 0.05 needs, more for lower ones.
FEW_RESAMPLES, RESAMPLES_BELOW_ALPHA = 499, 20

# A simulated power outside this range says little of how many rows are needed: then
# another size is simulated, of so many rows at least, and not of more than so many.
TELLING, FEWEST_PROBED, MOST_PROBED = (0.2, 0.98), 10, 200_000

# No number of rows above this is given.
MOST_NEEDED = 10**12

# So many copies of a row stand for the chance that its predictions are exchanged.
N_COPIES = 100

# Two-sided 95 %, of what the pilot leaves open.
Z = 1.96

_OWN_EFFECT = (
    "The effect is the pilot's own, which may be luck: on as many rows this power is "
    "the p-value in other words and says nothing new; on more it takes an estimate for "
    "the truth. Better pass the smallest `effect` that would matter."
)


def power(
    test,
    y_true=None,
    y_pred_a=None,
    y_pred_b=None,
    *,
    scoring=None,
    groups=None,
    effect=None,
    p_discordant=None,
    sd=None,
    n_rows=None,
    alpha=None,
    target=0.8,
    n_simulations=500,
    random_state=None,
):
    """Compute how likely a test is to show a difference, from a pilot or a guess.

    For `McNemar` and `PairedTTest` there is a closed form, which needs no pilot if you
    pass `p_discordant` or `sd`. For any other test:

    1. Draw `n_rows` rows of the pilot with replacement, or groups that have as many.
    2. If another `effect` than the pilot's is hoped for, exchange what the two models
       scored or predicted on some rows, by chance, such that they differ by it.
    3. Run the test. Power is the share of `n_simulations` such data sets on which it
       rejects.

    Read more in the :ref:`User Guide <power>`.

    Parameters
    ----------
    test : comparison of two models
        The test that is planned, such as ``McNemar(alternative="two-sided")``. It is
        not changed; models that it holds are not asked.
    y_true : array-like, default=None
        The truth of the pilot.
    y_pred_a, y_pred_b : array-like or dict, default=None
        What the models predicted in the pilot, as for `fit_predictions`.
    scoring : str, callable or None, default=None
        The metric. None means that of the test.
    groups : array-like of shape (n_samples,), default=None
        Rows of the pilot with the same label belong together, and are drawn together.
        For tests that take groups.
    effect : float, default=None
        The true difference in score, A less B, that is hoped for. None means that
        seen in the pilot.
    p_discordant : float, default=None
        For `McNemar` without a pilot, the share of rows on which exactly one of the
        models is right, at least as large as `effect`.
    sd : float, default=None
        For `PairedTTest` without a pilot, the standard deviation of the differences
        between the scores of rows.
    n_rows : int, default=None
        The number of rows that the test is to be run on. None means as many as in the
        pilot; without one, as many as `target` takes.
    alpha : float, default=None
        The level of the test. None means that of `test`.
    target : float, default=0.8
        The power that is wanted, above `alpha`.
    n_simulations : int, default=500
        The number of simulated data sets.
    random_state : int, RandomState, Generator or None, default=None
        Where the draws of a simulation come from.

    Returns
    -------
    PowerResult
        The power, the number of rows needed for `target`, and the minimum detectable
        effect.

    See Also
    --------
    McNemar : The test of right and wrong.
    PairedTTest : The test of means of per-row scores.

    Notes
    -----
    *What is taken from the pilot.* For `McNemar` the share of discordant rows, which
    another effect only splits otherwise between the models; so it cannot be larger
    than that share. For `PairedTTest` the standard deviation of the differences; they
    are taken as normal. For simulations the rows themselves. Without `groups` rows are
    independent: for data in groups, power is less.

    *Another effect* than the pilot's is made by exchanging the two models on some rows:
    towards 0 on all with the same chance, at most 1/2, away from 0 on those that speak
    against it. For a mean of per-row scores their differences say which these are. For
    any other metric it is tried row by row what exchanging the predictions does to the
    score; scores that only their order counts of (ROC AUC) are exchanged as ranks.

    *Approximations.* In simulations tests get 499 resamples (more at levels below
    0.04) even if they ask for more. This costs a little power. `n_needed` is scaled
    from the simulated power: the distance of the estimate from 0, in standard errors,
    grows with the root of the number of rows. If the simulated power is close to 0 or
    1, a second simulation, on a number of rows that is likely to be needed, is scaled.
    `detectable_effect` is computed from the spread of the simulated differences as if
    they were normal; for `SignTest` and `WilcoxonSignedRank`, which are not about the
    mean, it is scaled like `n_needed`.

    *When it misleads*: if the pilot is small, all of this is as uncertain as the
    pilot. `pilot_interval` says how much: it is the power at both ends of a 95 %
    interval of what is taken from the pilot. For a chosen effect that is the spread:
    for `McNemar` the share of discordant rows, by Clopper and Pearson; for
    `PairedTTest` the standard deviation, from the chi-squared distribution; for
    simulations the standard deviation of what rows (or groups) contribute, from their
    kurtosis. With ``effect=None`` it is the effect itself, which is more uncertain by
    far; and on as many rows as the pilot has power is a function of the p-value and
    says nothing new [1]_: it is about one half if p is equal to `alpha`, and less if p
    is larger.

    References
    ----------
    .. [1] Hoenig, J. M. and Heisey, D. M. (2001). The abuse of power: the pervasive
       fallacy of power calculations for data analysis. The American Statistician
       55(1), 19-24. :doi:`10.1198/000313001300339897`
    .. [2] Card, D., Henderson, P., Khandelwal, U., Jia, R., Mahowald, K. and Jurafsky,
       D. (2020). With little power comes great responsibility. EMNLP.
       :doi:`10.18653/v1/2020.emnlp-main.745`

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare import McNemar
    >>> from skcompare import power
    >>> truth = np.arange(200) % 2
    >>> a, b = truth.copy(), truth.copy()
    >>> a[:12], b[12:30] = 1 - a[:12], 1 - b[12:30]
    >>> result = power(McNemar(), truth, a, b, effect=0.05)
    >>> round(result.power, 3), result.n_needed, round(result.detectable_effect, 3)
    (0.578, 363, 0.067)
    >>> print(result)
    On 200 rows the power of McNemar (alternative 'greater', level 0.05) is 0.578
    (95 % interval from the pilot: 0.464 to 0.726) if the true difference in
    accuracy is +0.05. For a power of 0.8 it takes 363 rows. The minimum detectable
    effect, with a power of 0.8 on 200 rows, is 0.06651.

    Without a pilot: models that are expected to disagree on 15 of 100 rows.

    >>> power(McNemar(), effect=0.05, p_discordant=0.15).n_needed
    363
    """
    seed = seed_of(random_state)
    check_integer("n_simulations", n_simulations, 2, MOST_SIMULATIONS)
    test = _ready(test, scoring, y_true, alpha, seed)
    form = CLOSED_FORMS.get(advice_on(test).power_from)
    guessed = y_true is None
    if guessed and form is None:
        raise ValueError(
            "`y_true` and predictions of a pilot must be given, unless `test` is "
            f"McNemar() or PairedTTest(), which have closed forms. Got {test!r}."
        )
    for name, value in {"p_discordant": p_discordant, "sd": sd}.items():
        wanted = guessed and name == advice_on(test).power_from
        if wanted == (value is None):
            rule = "be a number" if wanted else "be None"
            where = "where there is a pilot, which tells it"
            if guessed:
                where = f"for {type(test).__name__} without a pilot"
            raise ValueError(f"`{name}` must {rule} {where}. Got {value!r}.")
    if guessed:
        if effect is None:
            raise ValueError("`effect` must be a number without a pilot. Got None.")
        metric = test.scoring if scoring is None else scoring
        facts = {"scoring": metric if isinstance(metric, str) else "the score"}
        spread = form.check(sd if p_discordant is None else p_discordant)
        aim = _aim(test, effect, 2 if n_rows is None else n_rows, target)
        if n_rows is None:
            n_needed = form.fields(test, spread, aim)["n_needed"]
            if n_needed is None:
                raise ValueError(
                    "`n_rows` must be a number: no number of rows shows an effect of "
                    f"{aim.effect:g} with alternative={aim.alternative!r}. Got None."
                )
            aim = aim._replace(n_rows=max(n_needed, 2))
        facts |= form.fields(test, spread, aim)
    else:
        rows = {} if groups is None else {"groups": groups}
        refuse_untaken(test, rows)
        predictions = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
        problem = test.make_problem_of_predictions(y_true, predictions, **rows)
        test.check_parameters()
        (pilot,) = test.compare(problem).results.values()
        aim = _aim(
            test,
            pilot.delta if effect is None else effect,
            pilot.n_rows if n_rows is None else n_rows,
            target,
        )
        if form is None:
            facts = _simulated(test, problem, effect, aim, n_simulations, seed)
        else:
            spread, *ends = form.from_pilot(pilot, aim.effect)
            facts = form.fields(test, spread, aim)
            powers = [form.fields(test, end, aim)["power"] for end in ends]
            facts["pilot_interval"] = min(powers), max(powers)
        if effect is None:
            # The effect is as uncertain as the pilot is small, whatever the test.
            reach = Z * math.sqrt(aim.n_rows / pilot.n_rows)
            facts["pilot_interval"] = _pilot_interval(facts["power"], aim, reach=reach)
        notes = [_OWN_EFFECT] if effect is None else []
        notes += (f"In the pilot: {text}" for text in pilot.caveats)
        facts["notes"] = (*notes, *facts.pop("notes", ()))
        facts["scoring"] = pilot.scoring
    shared = {"power_error": 0.0, "method": "closed form", "test": type(test).__name__}
    return PowerResult(**aim._asdict(), **{**shared, **facts})


# What was asked


class Aim(NamedTuple):
    """What power is asked about."""

    effect: float
    n_rows: int
    target: float
    alpha: float
    alternative: str

    @property
    def level(self):
        """The level and the side of the test."""
        return {"alpha": self.alpha, "alternative": self.alternative}


def _aim(test, effect, n_rows, target):
    is_real = isinstance(effect, numbers.Real) and not isinstance(effect, bool)
    if not is_real or not math.isfinite(effect):
        raise ValueError(f"`effect` must be None or a finite number. Got {effect!r}.")
    if check_fraction("target", target) <= test.alpha:
        raise ValueError(
            f"`target` must lie above `alpha`, {test.alpha:g}, which is the power of "
            f"any test where there is no difference. Got {target!r}."
        )
    return Aim(
        effect=float(effect),
        n_rows=check_integer("n_rows", n_rows, 2, MOST_ROWS),
        target=float(target),
        alpha=float(test.alpha),
        alternative=test.alternative,
    )


def _ready(test, scoring, y_true, alpha, seed):
    """Return a copy of the test in one metric, made quick, without models.

    Without a pilot there is nothing to resolve the metric for.
    """
    is_test = advice_on(test) is not None and "predictions" in test.takes
    if not is_test or isinstance(test, type):
        raise ValueError(
            "`test` must be a test of two models with its settings, such as McNemar(). "
            f"Got {test!r}."
        )
    if test.gives == "posterior":
        raise ValueError(
            "`test` must have a level to reach, and a posterior has none. Got "
            f"{test!r}. Its own plan(n_rows) says how narrow it would be."
        )
    params = test.get_params(deep=False)
    alpha = check_fraction("alpha", params["alpha"] if alpha is None else alpha)
    changes = {"estimator_a": None, "estimator_b": None, "alpha": alpha, "verbose": 0}
    changes |= {"random_state": seed, "interval": "percentile"}
    if isinstance(params.get("n_resamples"), numbers.Integral):
        enough = max(FEW_RESAMPLES, round(RESAMPLES_BELOW_ALPHA / alpha) - 1)
        changes["n_resamples"] = min(params["n_resamples"], enough)
    if y_true is not None:
        if "scoring" not in params and scoring not in (None, test.scoring):
            raise ValueError(
                f"`scoring` must be None or {test.scoring!r} for "
                f"{type(test).__name__}, which has no other. Got {scoring!r}."
            )
        chosen = test.scoring if scoring is None else scoring
        scorers = resolve_scoring(chosen, y=as_array(y_true, "y_true"))
        if len(scorers) > 1:
            raise ValueError(
                f"`scoring` must be a single metric for power. Got {list(scorers)}."
            )
        ((name, metric),) = scorers.items()
        if metric.arguments:
            raise ValueError(
                "`scoring` must not have arguments with one entry per row for power, "
                f"which draws rows of its own. Got {', '.join(metric.arguments)} in "
                f"{name!r}."
            )
        changes["scoring"] = {name: metric.scorer}
    taken = {name: value for name, value in changes.items() if name in params}
    return type(test)(**{**params, **taken})


# What the pilot leaves open


def _pilot_interval(power, aim, *, reach=0.0, factor=1.0):
    """Return power at both ends of a 95 % interval of what a pilot supplies.

    The distance of the truth from 0 follows from the power. In standard errors of the
    planned test it is uncertain by `reach`, or by a factor.
    """
    if not 0 < power < 1:
        return None
    distance = detectable_effect(1.0, power=power, **aim.level)
    if aim.alternative != "two-sided":  # it may lie on the other side
        distance = stats.norm.isf(aim.alpha) - stats.norm.isf(power)
    ends = [distance / factor - reach, distance * factor + reach]
    if aim.alternative == "two-sided":
        ends[0] = max(ends[0], 0.0)
    low, high = sorted(float(normal_power(end, **aim.level)) for end in ends)
    return low, high


# Closed forms, by the one number about the rows that they need


class ClosedForm(NamedTuple):
    """The power of a test, given one number about the rows.

    Parameters
    ----------
    check : callable
        ``check(guess)`` returns the number or raises.
    from_pilot : callable
        ``from_pilot(result, effect)`` returns it, and both ends of its 95 % interval
        as far as they go with the effect.
    fields : callable
        ``fields(test, number, aim)`` returns fields of a `PowerResult`.
    """

    check: Callable
    from_pilot: Callable
    fields: Callable


def mcnemar_share(pilot, effect):
    """Return the share of discordant rows, and Clopper and Pearson's interval."""
    (_, only_a), (only_b, _) = pilot.table.tolist()
    exact = stats.binomtest(only_a + only_b, pilot.n_rows).proportion_ci(0.95)
    share = (only_a + only_b) / pilot.n_rows
    return share, max(exact.low, abs(effect)), max(exact.high, abs(effect))


def mcnemar_fields(test, p_discordant, aim):
    """Return the power of McNemar's test."""
    if abs(aim.effect) > p_discordant * (1 + 1e-9):
        raise ValueError(
            f"`effect` must lie between -{p_discordant:.4g} and {p_discordant:.4g}, "
            "the share of rows on which exactly one model is right: it can be split "
            f"otherwise between the models, not exceeded. Got {aim.effect!r}."
        )
    shares = [max(p_discordant + e, 0.0) / 2 for e in (aim.effect, -aim.effect)]
    level = {**aim.level, "variant": test.variant}
    return {
        "power": mcnemar_power(*shares, aim.n_rows, **level),
        "n_needed": mcnemar_sample_size(*shares, power=aim.target, **level),
        "detectable_effect": mcnemar_detectable_effect(
            p_discordant, aim.n_rows, power=aim.target, **level
        ),
    }


def t_spread(pilot, effect):
    """Return the standard deviation of differences, and its interval."""
    sd, df = pilot.standard_error * math.sqrt(pilot.n_rows), pilot.n_rows - 1
    return sd, *(sd * math.sqrt(df / stats.chi2.ppf(q, df)) for q in (0.975, 0.025))


def t_fields(test, sd, aim):
    """Return the power of Student's t."""
    aimed = {"power": aim.target, **aim.level}
    return {
        "power": paired_t_power(aim.effect, sd, aim.n_rows, **aim.level),
        "n_needed": paired_t_sample_size(aim.effect, sd, **aimed),
        "detectable_effect": paired_t_detectable_effect(sd, aim.n_rows, **aimed)
        if sd > 0
        else None,
    }


CLOSED_FORMS = {
    "p_discordant": ClosedForm(
        functools.partial(check_fraction, "p_discordant"), mcnemar_share, mcnemar_fields
    ),
    "sd": ClosedForm(
        functools.partial(Number(0, "a finite number above 0", above=True).check, "sd"),
        t_spread,
        t_fields,
    ),
}


# Simulations: a test is run on data sets drawn from the rows of a pilot


def _simulated(test, problem, effect, aim, n_simulations, seed):
    """Return fields of a `PowerResult`; `effect` is None for that of the pilot."""
    draw, differences = _drawing(test, problem, effect)
    run = functools.partial(_run, test, draw, problem, n_simulations, seed)
    simulated = run(aim.n_rows)
    n_needed = _rows_needed(run, simulated, aim)
    if advice_on(test).about_mean:
        smallest = detectable_effect(simulated.spread, power=aim.target, **aim.level)
    else:
        smallest = abs(aim.effect) * math.sqrt((n_needed or 0) / aim.n_rows)
    notes = []
    if simulated.n_failed:
        notes.append(
            f"On {simulated.n_failed:,} of {n_simulations:,} simulated data sets the "
            "metric or the test was undefined; these count as not rejected."
        )
    if problem.units.groups is not None:
        notes.append(
            f"Whole groups are drawn from the {problem.n_units:,} of the pilot, of "
            f"{problem.n_rows / problem.n_units:.3g} rows on average: numbers of rows "
            "are about such groups."
        )
    fields = {
        "power": simulated.power,
        "power_error": simulated.error,
        "n_needed": n_needed,
        "detectable_effect": smallest or None,
        "method": "simulation",
        "n_simulations": n_simulations,
        "seed": seed,
        "notes": notes,
    }
    if effect is not None:
        groups = problem.units.groups
        if groups is not None:
            differences = np.bincount(groups, differences - differences.mean())
        likely = min(simulated.power, 1 - 1 / (2 * n_simulations))
        centered = differences - differences.mean()
        variance = np.mean(centered**2)
        if variance > 0:
            kurtosis = np.mean(centered**4) / variance**2
            factor = math.exp(Z * math.sqrt((kurtosis - 1) / (4 * len(centered))))
            fields["pilot_interval"] = _pilot_interval(likely, aim, factor=factor)
    return fields


def _drawing(test, problem, effect):
    """Return how to make a problem of pilot rows, and the differences of rows.

    ``make(rng, rows)`` returns the problem. A test of a mean of per-row scores depends
    on these alone, so that it is run on them. For any other metric, the pilot is
    doubled: every row is there once more with its predictions exchanged. How often
    which of the two is drawn is chosen such that the models differ by the effect.
    """
    (metric,) = problem.statistics
    scores = row_scores(problem.statistic(metric))
    if scores is not None:
        scores = np.array(scores)
        differences, chances = scores[0] - scores[1], np.zeros(scores.shape[1])
        if effect is not None:
            chances = exchange_probabilities(differences, effect)

        def draw_scores(rng, rows):
            exchanged = rng.random(len(rows)) < chances[rows]
            a, b = np.where(exchanged, scores[::-1, rows], scores[:, rows])
            return problem_of_row_scores(a, b)

        return draw_scores, differences
    if effect is None:
        return lambda rng, rows: problem.at(rows), None
    doubled = _doubled(test, problem, metric)
    cells, n_rows = doubled.cells(), problem.n_rows

    def delta_of(counts):
        score_a, score_b = score_units(cells, counts)[0]
        return score_a - score_b

    # What exchanging a single row does tells which model it speaks for.
    kept, differences = np.repeat([1, 0], n_rows), np.zeros(n_rows)
    delta = delta_of(kept)
    for row in np.flatnonzero(problem.differs):
        moved = kept.copy()
        moved[[row, n_rows + row]] = 0, 1
        differences[row] = n_rows * (delta - delta_of(moved)) / 2
    differences = np.nan_to_num(differences)
    rounding = np.random.default_rng(0).random(n_rows)

    def delta_at(mean):
        chances = exchange_probabilities(differences, mean)
        copies = np.floor(N_COPIES * chances + rounding).astype(int)
        return delta_of(np.r_[N_COPIES - copies, copies])

    reach = np.abs(differences).mean()
    low, high = delta_at(-reach), delta_at(reach)
    if not low <= effect <= high:
        raise ValueError(
            f"`effect` must lie between {low:.4g} and {high:.4g}, which is what the "
            f"models would differ by in {metric} if all rows on which they differ "
            f"spoke for the same one. Got {effect!r}."
        )
    mean = optimize.brentq(lambda m: delta_at(m) - effect, -reach, reach, xtol=1e-6)
    chances = exchange_probabilities(differences, mean)

    def draw_predictions(rng, rows):
        exchanged = rng.random(len(rows)) < chances[rows]
        return doubled.at(rows + n_rows * exchanged)

    return draw_predictions, differences


def _doubled(test, problem, metric):
    """Return a pilot that has every row twice, predictions exchanged the second time.

    Scores of two classes that only their order counts of are exchanged as ranks: those
    of the models may be on different scales.
    """
    a, b = problem.predictions
    if set(a) != set(b) or not a:
        raise ValueError(
            f"`effect` must be None for {metric} if the models respond in different "
            "ways: another effect than the pilot's is made by exchanging predictions."
        )
    if problem.statistic(metric).engine == "ranking":
        a, b = ({m: as_ranks(r) for m, r in responses.items()} for responses in (a, b))
    both = {
        name: {m: concatenate_rows([first[m], second[m]]) for m in first}
        for name, first, second in (("y_pred_a", a, b), ("y_pred_b", b, a))
    }
    truth = concatenate_rows([problem.y, problem.y])
    return test.make_problem_of_predictions(truth, both)


def as_ranks(response):
    """Return ranks in place of the scores of two classes.

    Examples
    --------
    >>> as_ranks(np.array([0.2, 5.0, 0.3])).tolist()
    [0.25, 0.75, 0.5]
    """
    if response.ndim == 1:
        return stats.rankdata(response) / (len(response) + 1)
    if response.shape[1] != 2:
        return response
    ranks = as_ranks(response[:, 1])
    return np.column_stack([1 - ranks, ranks])


class Simulated(NamedTuple):
    """What came of simulated tests."""

    n_rejected: int
    n_failed: int
    n_simulations: int
    spread: float

    @property
    def power(self):
        """The share of tests that rejected."""
        return self.n_rejected / self.n_simulations

    @property
    def error(self):
        """The standard error of that share."""
        # With two more of either kind, as Agresti and Coull do: it is never 0.
        share = (self.n_rejected + 2) / (self.n_simulations + 4)
        return math.sqrt(share * (1 - share) / self.n_simulations)


def _run(test, draw, pilot, n_simulations, seed, n_rows):
    """Run the test on data sets of so many rows, or of groups that have about so many.

    Where the test or the metric is undefined, say because a class was not drawn, it
    does not reject.
    """
    groups = pilot.units.groups
    n_units = n_rows
    if groups is not None:
        n_units = max(2, round(n_rows * pilot.n_units / pilot.n_rows))
    draws_of_its_own = "random_state" in test.get_params(deep=False)
    pvalues, deltas = np.ones(n_simulations), np.full(n_simulations, np.nan)
    with warnings.catch_warnings():
        # A metric without a value on some data set is counted, and a note says so.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        for i in range(n_simulations):
            rng = chunk_generator(seed, i)
            units = rng.integers(pilot.n_units, size=n_units)
            rows = pilot.units.rows(units)
            try:
                problem = draw(rng, rows)
                if groups is not None:  # one drawn twice is two groups
                    labels = np.repeat(np.arange(n_units), np.bincount(groups)[units])
                    drawn = Units(len(rows), labels)
                    problem = dataclasses.replace(problem, units=drawn)
                if draws_of_its_own:
                    own_seed = int(rng.integers(2**31))
                    problem = dataclasses.replace(problem, seed=own_seed)
                (result,) = test.compare(problem).results.values()
            except ValueError:
                continue
            pvalues[i], deltas[i] = result.pvalue, result.delta
    defined = np.isfinite(deltas)
    return Simulated(
        n_rejected=int(np.count_nonzero(pvalues <= test.alpha)),
        n_failed=int(np.count_nonzero(~defined)),
        n_simulations=n_simulations,
        spread=float(np.std(deltas[defined])) if defined.any() else 0.0,
    )


def _rows_needed(run, simulated, aim):
    """Scale a number of rows to the target, by the root of the number of rows."""
    sign = {"greater": 1, "less": -1, "two-sided": np.sign(aim.effect)}
    if not aim.effect * sign[aim.alternative] > 0:
        return None
    wanted = detectable_effect(1.0, power=aim.target, **aim.level)
    n_rows = aim.n_rows
    if not TELLING[0] <= simulated.power <= TELLING[1]:
        guess = n_rows * (wanted * simulated.spread / aim.effect) ** 2
        if guess > max(MOST_PROBED, n_rows):
            return math.ceil(guess) if guess <= MOST_NEEDED else None
        n_rows = max(math.ceil(guess), FEWEST_PROBED)
        simulated = run(n_rows)
    likely = (simulated.n_rejected + 1) / (simulated.n_simulations + 2)
    reached = detectable_effect(1.0, power=likely, **aim.level)
    return math.ceil(n_rows * (wanted / reached) ** 2) if reached else None
