"""Before collecting rows: what could a test show, and how many would it take?"""

import math
import numbers
from collections.abc import Callable
from typing import NamedTuple

from scipy import stats

from skcompare._evaluation import resolve_scoring
from skcompare._random import seed_of
from skcompare._validation import as_array, check_fraction, check_integer
from skcompare.comparison import McNemar, PairedTTest, advice_on
from skcompare.planning._results import PowerResult
from skcompare.planning._simulated_power import Aim, simulated_power
from skcompare.stats.power import (
    mcnemar_detectable_effect,
    mcnemar_power,
    mcnemar_sample_size,
    paired_t_detectable_effect,
    paired_t_power,
    paired_t_sample_size,
)

MOST_ROWS, MOST_SIMULATIONS = 100_000_000, 1_000_000

# Resamples of every simulated test: as many as level 0.05 needs, more for lower ones.
FEW_RESAMPLES, RESAMPLES_BELOW_ALPHA = 499, 20

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

    1. Draw `n_rows` rows of the pilot with replacement.
    2. If another `effect` than the pilot's is hoped for, exchange the scores of the
       two models on some rows, by chance, such that they differ by it on average.
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
    effect : float, default=None
        The true difference in score, A less B, that is hoped for. None means that
        seen in the pilot. For a simulation the metric must be a mean of per-row scores,
        unless it is None.
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
    are taken as normal. For simulations the rows themselves. Rows are independent: for
    data in groups, power is less.

    *Approximations.* In simulations tests get 499 resamples (more at levels below
    0.04) even if they ask for more. This costs a little power. `n_needed` is scaled
    from the simulated power: the distance of the estimate from 0, in standard errors,
    grows with the root of the number of rows. If the simulated power is close to 0 or
    1, a second simulation, on a number of rows that is likely to be needed, is scaled.
    `detectable_effect` is computed from the spread of the simulated differences as if
    they were normal; for `SignTest` and `WilcoxonSignedRank`, which are not about the
    mean, it is scaled like `n_needed`.

    *When it misleads*: if the pilot is small, all of this is as uncertain as the
    pilot. `pilot_interval` says how much, for the closed forms and a chosen effect:
    it is the power at both ends of a 95 % interval of what is taken from the pilot, by
    Clopper and Pearson for the share of discordant rows, and from the chi-squared
    distribution for the standard deviation. With ``effect=None`` and as many rows as
    the pilot has, power is a function of the p-value and says nothing new [1]_: it is
    about one half if p is equal to `alpha`, and less if p is larger.

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
    if the true difference in accuracy is +0.05; the pilot leaves open whether it
    is 0.464 or 0.726. For a power of 0.8 it takes 363 rows. The minimum detectable
    effect, with a power of 0.8 on 200 rows, is 0.06651.

    Without a pilot: models that are expected to disagree on 15 of 100 rows.

    >>> power(McNemar(), effect=0.05, p_discordant=0.15).n_needed
    363
    """
    seed = seed_of(random_state)
    check_integer("n_simulations", n_simulations, 2, MOST_SIMULATIONS)
    guesses = {"p_discordant": p_discordant, "sd": sd}
    form = CLOSED_FORMS.get(type(test))
    if y_true is None:
        asked = {"effect": effect, "n_rows": n_rows, "target": target}
        return _without_pilot(test, form, guesses, scoring, alpha, asked)
    for name, value in guesses.items():
        if value is not None:
            raise ValueError(
                f"`{name}` must be None where there is a pilot, which tells it. Got "
                f"{value!r}."
            )
    test = _configured(test, y_true, scoring=scoring, alpha=alpha, seed=seed)
    problem = test.make_problem_of_predictions(
        y_true, {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    )
    test.check_parameters()
    (pilot,) = test.compare(problem).results.values()
    aim = _aim(
        pilot.delta if effect is None else effect,
        pilot.n_rows if n_rows is None else n_rows,
        target,
        pilot,
    )
    if form is None:
        fields = simulated_power(test, problem, effect, aim, n_simulations, seed)
    else:
        spread, *ends = form.from_pilot(pilot, aim.effect)
        fields = {**form.fields(test, spread, aim), **CLOSED_FORM}
        if effect is not None:
            powers = [form.fields(test, end, aim)["power"] for end in ends]
            fields["pilot_interval"] = (min(powers), max(powers))
    notes = [_OWN_EFFECT] if effect is None else []
    notes += (f"In the pilot: {text}" for text in pilot.caveats)
    notes += fields.pop("notes", ())
    return PowerResult(
        **aim._asdict(),
        **fields,
        test=pilot.test,
        scoring=pilot.scoring,
        notes=tuple(notes),
    )


def _without_pilot(test, form, guesses, scoring, alpha, asked):
    """Compute power from a guess of what a pilot would tell."""
    if form is None:
        raise ValueError(
            "`y_true` and predictions of a pilot must be given, unless `test` is "
            f"McNemar() or PairedTTest(), which have closed forms. Got {test!r}."
        )
    for name, value in guesses.items():
        if (value is None) == (name == form.needs):
            wanted = "be a number" if name == form.needs else "be None"
            raise ValueError(
                f"`{name}` must {wanted} for {type(test).__name__} without a pilot. "
                f"Got {value!r}."
            )
    if asked["effect"] is None:
        raise ValueError("`effect` must be a number without a pilot. Got None.")
    params = test.get_params(deep=False)
    test = type(test)(
        **{**params, "alpha": params["alpha"] if alpha is None else alpha}
    )
    test.check_parameters()
    spread = form.check(guesses[form.needs])
    aim = _aim(asked["effect"], asked["n_rows"] or 2, asked["target"], test)
    fields = form.fields(test, spread, aim)
    if asked["n_rows"] is None:
        if fields["n_needed"] is None:
            raise ValueError(
                f"`n_rows` must be a number: no number of rows shows an effect of "
                f"{aim.effect:g} with alternative={aim.alternative!r}. Got None."
            )
        aim = aim._replace(n_rows=max(fields["n_needed"], 2))
        fields = form.fields(test, spread, aim)
    metric = test.scoring if scoring is None else scoring
    return PowerResult(
        **aim._asdict(),
        **fields,
        **CLOSED_FORM,
        test=type(test).__name__,
        scoring=metric if isinstance(metric, str) else "the score",
    )


# What was asked


def _configured(test, y_true, *, scoring, alpha, seed):
    """Return a copy of the test with one metric, made quick, without models."""
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
    changes["scoring"] = _one_metric(test, scoring, y_true)
    if isinstance(params.get("n_resamples"), numbers.Integral):
        enough = max(FEW_RESAMPLES, round(RESAMPLES_BELOW_ALPHA / alpha) - 1)
        changes["n_resamples"] = min(params["n_resamples"], enough)
    taken = {name: value for name, value in changes.items() if name in params}
    return type(test)(**{**params, **taken})


def _one_metric(test, scoring, y_true):
    """Return the one scorer, by name, that is asked for or that the test has."""
    fixed = "scoring" not in test.get_params(deep=False)
    if fixed and scoring not in (None, test.scoring):
        raise ValueError(
            f"`scoring` must be None or {test.scoring!r} for {type(test).__name__}, "
            f"which has no other. Got {scoring!r}."
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
            "`scoring` must not have arguments with one entry per row for power, which "
            f"draws rows of its own. Got {', '.join(metric.arguments)} in {name!r}."
        )
    return {name: metric.scorer}


def _aim(effect, n_rows, target, level):
    """Return what power is asked about; `level` has an alpha and an alternative."""
    is_real = isinstance(effect, numbers.Real) and not isinstance(effect, bool)
    if not is_real or not math.isfinite(effect):
        raise ValueError(f"`effect` must be None or a finite number. Got {effect!r}.")
    if check_fraction("target", target) <= level.alpha:
        raise ValueError(
            f"`target` must lie above `alpha`, {level.alpha:g}, which is the power of "
            f"any test where there is no difference. Got {target!r}."
        )
    return Aim(
        effect=float(effect),
        n_rows=check_integer("n_rows", n_rows, 2, MOST_ROWS),
        target=float(target),
        alpha=float(level.alpha),
        alternative=level.alternative,
    )


# Closed forms


class ClosedForm(NamedTuple):
    """The power of a test, given one number about the rows.

    Parameters
    ----------
    needs : str
        The number, by the parameter that is a guess of it.
    check : callable
        ``check(guess)`` returns it or raises.
    from_pilot : callable
        ``from_pilot(result, effect)`` returns it, and both ends of its 95 % interval
        as far as they go with the effect.
    fields : callable
        ``fields(test, number, aim)`` returns fields of a `PowerResult`.
    """

    needs: str
    check: Callable
    from_pilot: Callable
    fields: Callable


def _discordant_in(pilot, effect):
    (_, only_a), (only_b, _) = pilot.table.tolist()
    exact = stats.binomtest(only_a + only_b, pilot.n_rows).proportion_ci(0.95)
    share = (only_a + only_b) / pilot.n_rows
    return share, max(exact.low, abs(effect)), max(exact.high, abs(effect))


def _spread_in(pilot, effect):
    sd, df = pilot.standard_error * math.sqrt(pilot.n_rows), pilot.n_rows - 1
    return sd, *(sd * math.sqrt(df / stats.chi2.ppf(q, df)) for q in (0.975, 0.025))


def _check_sd(sd):
    if not isinstance(sd, numbers.Real) or not 0 < sd < math.inf:
        raise ValueError(f"`sd` must be a finite number above 0. Got {sd!r}.")
    return float(sd)


def _of_mcnemar(test, p_discordant, aim):
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


def _of_t(test, sd, aim):
    smallest = None
    if sd > 0:
        smallest = paired_t_detectable_effect(
            sd, aim.n_rows, power=aim.target, **aim.level
        )
    return {
        "power": paired_t_power(aim.effect, sd, aim.n_rows, **aim.level),
        "n_needed": paired_t_sample_size(aim.effect, sd, power=aim.target, **aim.level),
        "detectable_effect": smallest,
    }


CLOSED_FORMS = {
    McNemar: ClosedForm(
        "p_discordant",
        lambda share: check_fraction("p_discordant", share),
        _discordant_in,
        _of_mcnemar,
    ),
    PairedTTest: ClosedForm("sd", _check_sd, _spread_in, _of_t),
}
CLOSED_FORM = {"power_error": 0.0, "method": "closed form"}
