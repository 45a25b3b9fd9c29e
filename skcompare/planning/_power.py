"""Power analysis: how likely a test is to detect a difference, and on how many rows."""

import math
import numbers
from typing import NamedTuple

from scipy import stats

from skcompare._evaluation import resolve_scoring
from skcompare._parameters import RULES
from skcompare._validation import as_array, seed_of
from skcompare.comparison import advice_on, refuse_untaken
from skcompare.planning._questions import build_test
from skcompare.planning._results import PowerResult
from skcompare.planning._simulation import Z, simulation_of
from skcompare.stats import power as formulas
from skcompare.stats.intervals import score_range

# Resamples per simulated test: enough for level 0.05, with more for lower levels.
FEW_RESAMPLES, RESAMPLES_BELOW_ALPHA = 499, 20

OWN_EFFECT = (
    "The effect is the one observed in the pilot, which may be due to chance: on as "
    "many rows as the pilot has, this power is a function of the p-value and adds no "
    "information; on more rows, it treats an estimate as the true effect. It is better "
    "to pass the smallest `effect` that would matter."
)

# Descriptions for messages of the assumed values that can replace a pilot.
ASSUMED = {
    "p_discordant": "the share of rows on which exactly one of the models is right, at "
    "least as large as `effect`. For two models that are each wrong on 10 of 100 rows, "
    "half of them the same rows, it is `p_discordant=0.1`",
    "sd": "the standard deviation of the differences in per-row scores, at most 1 for "
    "scores from 0 to 1, for example `sd=0.3`",
}


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
    n_jobs=None,
    verbose=0,
):
    """Compute how likely a test is to detect a difference.

    The computation is based on a small sample, the pilot. For `McNemar` and
    `PairedTTest` there is a closed form, which needs no pilot if you pass an assumed
    value of `p_discordant` or `sd`. For any other test:

    1. Draw `n_rows` rows of the pilot with replacement, or groups with about as many
       rows in total.
    2. If an `effect` is passed, exchange the scores or predictions of the two models on
       randomly chosen rows, or whole groups, such that the models differ by it.
    3. Run the test. Power is the share of `n_simulations` such data sets on which it
       rejects.

    Read more in the :ref:`User Guide <power>`.

    Parameters
    ----------
    test : comparison of two models
        The planned test, such as ``McNemar(alternative="two-sided")``. It is not
        changed, and any models in it are not used.
    y_true : array-like, default=None
        True labels or values of the pilot.
    y_pred_a, y_pred_b : array-like or dict, default=None
        Predictions of the models in the pilot, as for `fit_predictions`.
    scoring : str, callable or None, default=None
        The metric. None means that of the test.
    groups : array-like of shape (n_samples,), default=None
        Rows of the pilot with the same label belong together, and are drawn together.
        For tests that accept groups.
    effect : float, default=None
        The assumed true difference in score, A minus B. None means the difference
        observed in the pilot.
    p_discordant : float, default=None
        For `McNemar` without a pilot, the share of rows on which exactly one of the
        models is right, at least as large as `effect`.
    sd : float, default=None
        For `PairedTTest` without a pilot, the standard deviation of the differences in
        per-row scores.
    n_rows : int, default=None
        The planned number of rows. None means as many as in the pilot; without a pilot,
        as many as are needed for `target`.
    alpha : float, default=None
        The level of the test. None means that of `test`.
    target : float, default=0.8
        The desired power, above `alpha`.
    n_simulations : int, default=500
        The number of simulated data sets.
    random_state : int, RandomState, Generator or None, default=None
        Controls the random draws of a simulation.
    n_jobs : int or None, default=None
        The number of parallel workers that simulate. It does not affect the result.
    verbose : int, default=0
        If nonzero, show the progress of a simulation.

    Returns
    -------
    PowerResult
        The power, the number of rows needed for `target`, and the minimum detectable
        effect.

    See Also
    --------
    McNemar : Test of right-or-wrong outcomes.
    PairedTTest : Test of means of per-row scores.

    Notes
    -----
    *Quantities estimated from the pilot.* For `McNemar`, the share of discordant rows;
    an effect only changes how they are divided between the models, so it cannot exceed
    that share. For `PairedTTest`, the standard deviation of the differences, which are
    assumed to be normal. Simulations use the rows themselves. Without `groups`, rows
    are treated as independent: if the data are in groups, the actual power is lower.

    *An effect other than the pilot's* is simulated by exchanging the two models on some
    rows or groups: to bring it closer to 0, on all with the same probability of at most
    1/2; away from 0, on those that favor the other model. For a mean of per-row scores,
    these are determined by the differences; for any other metric, by the change of the
    score if a single unit is exchanged. Scores of which only the order matters (ROC
    AUC) are exchanged as ranks, and those of Pearson's correlation are standardized.

    *Approximations.* In simulations, tests use 499 resamples (more at levels below
    0.04) even if set to more. This slightly reduces power. `n_needed` is extrapolated
    from the simulated power: the distance of the estimate from 0, in standard errors,
    is proportional to the square root of the number of rows. If the simulated power is
    close to 0 or 1, a second simulation with a more suitable number of rows is used
    instead. `detectable_effect` is computed from the standard deviation of the
    simulated differences by a normal approximation; for `SignTest` and
    `WilcoxonSignedRank`, which do not test the mean, it is extrapolated like
    `n_needed`.

    *When it misleads*: if the pilot is small, all of this is as uncertain as the
    pilot. `pilot_interval` quantifies this uncertainty: it is the power at both ends of
    a 95 % confidence interval of the quantity estimated from the pilot. If `effect` is
    passed, this is the spread: for `McNemar` the share of discordant rows, by Clopper
    and Pearson; for `PairedTTest` the standard deviation, from the chi-squared
    distribution; for simulations the standard deviation of the contributions of rows
    (or groups), from their kurtosis. With ``effect=None`` it is the effect itself,
    which is far more uncertain; with as many rows as in the pilot, power is then a
    function of the p-value and adds no information [1]_: it is about one half if p is
    equal to `alpha`, and less if p is larger.

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
    accuracy is +0.05. A power of 0.8 requires 363 rows. The minimum detectable
    effect, with a power of 0.8 on 200 rows, is 0.06651.

    Without a pilot: models that are expected to disagree on 15 of 100 rows.

    >>> power(McNemar(), effect=0.05, p_discordant=0.15).n_needed
    363
    """
    if y_true is not None and y_pred_b is None:
        raise ValueError(
            "`y_true`, `y_pred_a` and `y_pred_b` of a pilot must be passed together: "
            "true values and the predictions of both models. Got no `y_pred_b`. For "
            "models, call power(test, y, a.predict(X), b.predict(X))."
        )
    seed = seed_of(random_state)
    simulated = {
        "n_simulations": n_simulations,
        "n_jobs": n_jobs,
        "verbose": verbose,
    }
    for name, value in simulated.items():
        RULES[name].check(name, value)
    planned = as_planned(test, scoring, y_true, alpha, seed)
    assumed = check_assumed(test, y_true, p_discordant=p_discordant, sd=sd)
    if y_true is None:
        aim, fields = without_pilot(planned, assumed, effect, n_rows, target)
        metric = planned.scoring if scoring is None else scoring
        fields["scoring"] = metric if isinstance(metric, str) else "the score"
    else:
        layout = refuse_untaken(planned, {"groups": groups})
        predictions = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
        problem = planned.make_problem_of_predictions(y_true, predictions, **layout)
        planned.check_parameters()
        simulated["seed"] = seed
        aim, fields = with_pilot(planned, problem, effect, n_rows, target, **simulated)
    if aim.alternative == "less" and fields["detectable_effect"]:
        fields["detectable_effect"] *= -1  # A minus B
    return PowerResult(test=type(test).__name__, **aim._asdict(), **fields)


def check_assumed(test, y_true, **values):
    """Return the assumed value that replaces a pilot, None if there is a pilot."""
    needed = advice_on(test).power_from if y_true is None else None
    if y_true is None and needed is None:
        raise ValueError(
            "`y_true` and predictions of a pilot must be passed, unless `test` is "
            f"McNemar() or PairedTTest(), which have closed forms. Got {test!r}. For a "
            "mean of per-row scores, that of PairedTTest() is a good approximation on "
            "many rows."
        )
    case = "with a pilot, which replaces it"
    if y_true is None:
        case = f"for {type(test).__name__} without a pilot"
    for name, value in values.items():
        if name != needed and value is not None:
            raise ValueError(f"`{name}` must be None {case}. Got {value!r}.")
        if name == needed and value is None:
            raise ValueError(f"`{name}` must be passed {case}: {ASSUMED[name]}.")
    return needed and float(RULES[needed].check(needed, values[needed]))


def without_pilot(test, assumed, effect, n_rows, target):
    """Return the aim and fields of a `PowerResult`, from an assumed value."""
    rows = CLOSED_FORMS[advice_on(test).power_from](assumed, test)
    if effect is None:
        raise ValueError(
            "`effect` must be passed without a pilot: the smallest difference in score "
            "that would matter."
        )
    aim = Aim.of(test, effect, 2 if n_rows is None else n_rows, target)
    if n_rows is None:
        n_needed = rows.n_needed(aim)
        if n_needed is None:
            raise ValueError(
                "`n_rows` must be passed, since no number of rows is enough for an "
                f"effect of {aim.effect:g} with `alternative={aim.alternative!r}`."
            )
        aim = aim._replace(n_rows=max(n_needed, 2))
    return aim, closed_form(rows, aim)


def with_pilot(test, problem, effect, n_rows, target, **simulated):
    """Return the aim and fields of a `PowerResult`, from a pilot.

    Power is simulated unless there is a closed form.
    """
    (pilot,) = test.compare(problem).results.values()
    aim = Aim.of(
        test,
        pilot.delta if effect is None else effect,
        pilot.n_rows if n_rows is None else n_rows,
        target,
    )
    form = CLOSED_FORMS.get(advice_on(test).power_from)
    if form is None:
        fields = simulation_of(test, problem, effect, **simulated).fields(aim)
    else:
        rows, *ends = (form(n, test) for n in form.from_pilot(pilot, aim.effect))
        fields = closed_form(rows, aim)
        powers = [end.power(aim) for end in ends]
        fields["pilot_interval"] = (min(powers), max(powers)) if powers else None
    notes = [f"In the pilot: {text}" for text in pilot.caveats]
    if effect is None:
        # For any test, the size of the pilot determines the uncertainty of the effect.
        reach = Z * math.sqrt(aim.n_rows / pilot.n_rows)
        fields["pilot_interval"] = aim.power_interval(fields["power"], reach=reach)
        notes = [OWN_EFFECT, *notes]
    low, high = score_range(pilot.scoring, [pilot.score_a, pilot.score_b])
    if (fields["detectable_effect"] or 0.0) > high - low:
        fields["detectable_effect"] = None
        notes.append(
            "The minimum detectable effect would exceed the largest possible "
            "difference between two scores."
        )
    fields["notes"] = (*notes, *fields.get("notes", ()))
    return aim, fields | {"scoring": pilot.scoring}


class Aim(NamedTuple):
    """The effect, sample size and level of a power analysis, and its target."""

    effect: float
    n_rows: int
    target: float
    alpha: float
    alternative: str

    @classmethod
    def of(cls, test, effect, n_rows, target):
        """Return the checked aim for a test."""
        RULES["effect"].check("effect", effect)
        if RULES["target"].check("target", target) <= test.alpha:
            raise ValueError(
                f"`target` must be above `alpha`, {test.alpha:g}, the probability "
                "with which a test may reject if there is no difference. Got "
                f"{target!r}."
            )
        return cls(
            effect=float(effect),
            n_rows=int(RULES["n_rows"].check("n_rows", n_rows)),
            target=float(target),
            alpha=float(test.alpha),
            alternative=test.alternative,
        )

    @property
    def level(self):
        """The level and the side of the test."""
        return {"alpha": self.alpha, "alternative": self.alternative}

    @property
    def aimed(self):
        """The level, the side and the desired power of the test."""
        return {**self.level, "power": self.target}

    def power_interval(self, power, *, reach=0.0, factor=1.0):
        """Return power at both ends of a 95 % interval of the pilot's estimate.

        The distance of the true effect from 0, in standard errors of the planned test,
        follows from the power. Its uncertainty is +/- `reach`, or a factor.
        """
        if not 0 < power < 1:
            return None
        if self.alternative == "two-sided":
            distance = formulas.detectable_effect(1.0, power=power, **self.level)
            low = max(distance / factor - reach, 0.0)
        else:  # the distance may be negative
            distance = stats.norm.isf(self.alpha) - stats.norm.isf(power)
            low = distance / factor - reach
        ends = low, distance * factor + reach
        powers = (formulas.normal_power(end, **self.level) for end in ends)
        return tuple(sorted(map(float, powers)))


def as_planned(test, scoring, y_true, alpha, seed):
    """Return a faster copy of the test, with one metric and without models.

    Without a pilot, the metric is not resolved.
    """
    is_test = advice_on(test) is not None and "predictions" in test.takes
    if not is_test or isinstance(test, type):
        raise ValueError(
            "`test` must be an instance of a test of two models, such as McNemar(). "
            f"Got {test!r}."
        )
    if test.gives == "posterior":
        raise ValueError(
            "`test` must have a significance level, and a posterior has none. Got "
            f"{test!r}. Its method plan(n_rows) predicts the width of the posterior."
        )
    params = test.get_params(deep=False)
    alpha = params["alpha"] if alpha is None else alpha
    alpha = float(RULES["alpha"].check("alpha", alpha))
    changes = {"estimator_a": None, "estimator_b": None, "alpha": alpha}
    changes |= {"random_state": seed, "n_jobs": None, "verbose": 0}
    changes |= advice_on(test).simulated_with
    if isinstance(params.get("n_resamples"), numbers.Integral):
        enough = max(FEW_RESAMPLES, round(RESAMPLES_BELOW_ALPHA / alpha) - 1)
        changes["n_resamples"] = min(params["n_resamples"], enough)
    if y_true is not None:
        if "scoring" not in params and scoring not in (None, test.scoring):
            raise ValueError(
                f"`scoring` must be None or {test.scoring!r} for "
                f"{type(test).__name__}, which has no other. Got {scoring!r}."
            )
        scoring = test.scoring if scoring is None else scoring
        scorers = resolve_scoring(scoring, y=as_array(y_true, "y_true"))
        if len(scorers) > 1:
            raise ValueError(
                f"`scoring` must be a single metric for power. Got {list(scorers)}."
            )
        ((name, metric),) = scorers.items()
        if metric.arguments:
            raise ValueError(
                "`scoring` must not have arguments with one entry per row for power, "
                f"which draws its own rows. Got {', '.join(metric.arguments)} in "
                f"{name!r}."
            )
        changes["scoring"] = {name: metric.scorer}
    return build_test(type(test), params | changes)


# Closed forms, by the one quantity that they need


class Discordance(NamedTuple):
    """The share of discordant rows, which determines the power of McNemar's test."""

    share: float
    test: object

    @staticmethod
    def from_pilot(pilot, effect):
        """Return the share in a pilot, and the ends of its Clopper-Pearson interval."""
        (_, only_a), (only_b, _) = pilot.table.tolist()
        exact = stats.binomtest(only_a + only_b, pilot.n_rows).proportion_ci(0.95)
        ends = (max(end, abs(effect)) for end in exact)
        return (only_a + only_b) / pilot.n_rows, *ends

    def split(self, effect):
        """Return the shares of rows on which only A, and only B, is right."""
        if abs(effect) > self.share * (1 + 1e-9):
            points = f" {effect:g} points are {effect / 100:g}." * (abs(effect) > 1)
            raise ValueError(
                f"`effect` must lie between -{self.share:.4g} and {self.share:.4g}, "
                "the share of rows on which exactly one model is right: no effect can "
                f"exceed that share. Got {effect!r}.{points}"
            )
        return [max(self.share + e, 0.0) / 2 for e in (effect, -effect)]

    def power(self, aim):
        """Return the power on the planned number of rows."""
        shares, kind = self.split(aim.effect), {"variant": self.test.variant}
        return formulas.mcnemar_power(*shares, aim.n_rows, **aim.level, **kind)

    def n_needed(self, aim):
        """Return the number of rows needed for the target."""
        shares, kind = self.split(aim.effect), {"variant": self.test.variant}
        return formulas.mcnemar_sample_size(*shares, **aim.aimed, **kind)

    def detectable_effect(self, aim):
        """Return the smallest effect detected with the target power."""
        rows, kind = (self.share, aim.n_rows), {"variant": self.test.variant}
        return formulas.mcnemar_detectable_effect(*rows, **aim.aimed, **kind)


class Spread(NamedTuple):
    """The standard deviation of differences, which determines power of a t-test."""

    sd: float
    test: object

    @staticmethod
    def from_pilot(pilot, effect):
        """Return the standard deviation in a pilot, and the ends of any interval."""
        sd, df = pilot.standard_error * math.sqrt(pilot.n_rows), pilot.n_rows - 1
        if not sd > 0:
            if effect and not pilot.delta:
                raise ValueError(
                    "`effect` must be 0 or None if both models score the same on every "
                    "row of the pilot, which shows no variance of the differences. "
                    f"Got {effect!r}. Without the pilot, pass `sd`."
                )
            return (sd,)
        ends = (sd * math.sqrt(df / stats.chi2.ppf(q, df)) for q in (0.975, 0.025))
        return sd, *ends

    def power(self, aim):
        """Return the power on the planned number of rows."""
        return formulas.paired_t_power(aim.effect, self.sd, aim.n_rows, **aim.level)

    def n_needed(self, aim):
        """Return the number of rows needed for the target."""
        return formulas.paired_t_sample_size(aim.effect, self.sd, **aim.aimed)

    def detectable_effect(self, aim):
        """Return the smallest effect detected with the target power."""
        if not self.sd > 0:
            return None
        return formulas.paired_t_detectable_effect(self.sd, aim.n_rows, **aim.aimed)


CLOSED_FORMS = {"p_discordant": Discordance, "sd": Spread}


def closed_form(rows, aim):
    """Return fields of a `PowerResult`."""
    return {
        "power": rows.power(aim),
        "power_error": 0.0,
        "n_needed": rows.n_needed(aim),
        "detectable_effect": rows.detectable_effect(aim),
        "method": "closed form",
    }
