"""Before collecting rows: what could a test show, and how many would it take?"""

import math
import numbers

from skcompare._arguments import row_arguments
from skcompare._evaluation import resolve_scoring
from skcompare._random import seed_of
from skcompare._validation import (
    as_array,
    check_fraction,
    check_integer,
    number_of_rows,
)
from skcompare.comparison import McNemar, PairedTTest, advice_on
from skcompare.planning._results import PowerResult
from skcompare.planning._simulated_power import Aim, simulated_power
from skcompare.stats.power_mcnemar import (
    mcnemar_detectable_effect,
    mcnemar_power,
    mcnemar_sample_size,
)
from skcompare.stats.power_t import (
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
    y_true,
    y_pred_a,
    y_pred_b,
    *,
    scoring=None,
    effect=None,
    n_rows=None,
    alpha=None,
    target=0.8,
    n_simulations=500,
    random_state=None,
):
    """Compute how likely a test is to show a difference, from a pilot.

    For `McNemar` and `PairedTTest` there is a closed form. For any other test:

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
    y_true : array-like
        The truth of the pilot.
    y_pred_a, y_pred_b : array-like or dict
        What the models predicted in the pilot, as for `fit_predictions`.
    scoring : str, callable or None, default=None
        The metric. None means that of the test.
    effect : float, default=None
        The true difference in score, A less B, that is hoped for. None means that
        seen in the pilot. For a simulation the metric must be a mean of per-row scores,
        unless it is None.
    n_rows : int, default=None
        The number of rows that the test is to be run on. None means as many as in the
        pilot.
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
    pilot. With ``effect=None`` and as many rows as the pilot has, power is a function
    of the p-value and says nothing new [1]_: it is about one half if p is equal to
    `alpha`, and less if p is larger.

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
    if the true difference in accuracy is +0.05. For a power of 0.8 it takes 363
    rows. The minimum detectable effect, with a power of 0.8 on 200 rows, is
    0.06651.
    """
    seed = seed_of(random_state)
    test = _configured(test, y_true, scoring=scoring, alpha=alpha, seed=seed)
    problem = test.make_problem_of_predictions(
        y_true, {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    )
    test.check_parameters()
    (pilot,) = test.compare(problem).results.values()
    aim = Aim(
        effect=pilot.delta if effect is None else _check_effect(effect),
        n_rows=check_integer(
            "n_rows", pilot.n_rows if n_rows is None else n_rows, 2, MOST_ROWS
        ),
        target=_check_target(target, pilot.alpha),
        alpha=pilot.alpha,
        alternative=pilot.alternative,
    )
    check_integer("n_simulations", n_simulations, 2, MOST_SIMULATIONS)
    if type(test) in CLOSED_FORMS:
        fields = {**CLOSED_FORMS[type(test)](test, pilot, aim), **CLOSED_FORM}
    else:
        fields = simulated_power(test, problem, effect, aim, n_simulations, seed)
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
    ((name, scorer),) = scorers.items()
    of_rows = row_arguments(scorer, number_of_rows(y_true, "y_true"))
    if of_rows:
        raise ValueError(
            "`scoring` must not have arguments with one entry per row for power, which "
            f"draws rows of its own. Got {', '.join(of_rows)} in {name!r}."
        )
    return scorers


def _check_effect(effect):
    is_real = isinstance(effect, numbers.Real) and not isinstance(effect, bool)
    if not is_real or not math.isfinite(effect):
        raise ValueError(f"`effect` must be None or a finite number. Got {effect!r}.")
    return float(effect)


def _check_target(target, alpha):
    if check_fraction("target", target) <= alpha:
        raise ValueError(
            f"`target` must lie above `alpha`, {alpha:g}, which is the power of any "
            f"test where there is no difference. Got {target!r}."
        )
    return float(target)


# Closed forms


def _of_mcnemar(test, pilot, aim):
    (_, only_a), (only_b, _) = pilot.table.tolist()
    p_discordant = (only_a + only_b) / pilot.n_rows
    if abs(aim.effect) > p_discordant * (1 + 1e-9):
        raise ValueError(
            f"`effect` must lie between -{p_discordant:.4g} and {p_discordant:.4g}, "
            "the share of pilot rows on which exactly one model is right: it can be "
            "split otherwise between the models, not exceeded. "
            f"Got {aim.effect!r}."
        )
    shares = [max(p_discordant + e, 0.0) / 2 for e in (aim.effect, -aim.effect)]
    how = {**aim.how, "variant": test.variant}
    return {
        "power": mcnemar_power(*shares, aim.n_rows, **how),
        "n_needed": mcnemar_sample_size(*shares, power=aim.target, **how),
        "detectable_effect": mcnemar_detectable_effect(
            p_discordant, aim.n_rows, power=aim.target, **how
        ),
    }


def _of_t(test, pilot, aim):
    sd = pilot.standard_error * math.sqrt(pilot.n_rows)
    smallest = None
    if sd > 0:
        smallest = paired_t_detectable_effect(
            sd, aim.n_rows, power=aim.target, **aim.how
        )
    return {
        "power": paired_t_power(aim.effect, sd, aim.n_rows, **aim.how),
        "n_needed": paired_t_sample_size(aim.effect, sd, power=aim.target, **aim.how),
        "detectable_effect": smallest,
    }


CLOSED_FORMS = {McNemar: _of_mcnemar, PairedTTest: _of_t}
CLOSED_FORM = {"power_error": 0.0, "method": "closed form"}
