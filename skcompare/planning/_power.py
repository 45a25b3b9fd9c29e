"""Before collecting rows: what could a test show, and how many would it take?"""

import dataclasses
import functools
import math
import numbers
import warnings
from typing import NamedTuple

import numpy as np

from skcompare._random import chunk_generator, seed_of
from skcompare._validation import as_array, check_fraction, check_integer
from skcompare.comparison import McNemar, PairedTTest, SignTest, WilcoxonSignedRank
from skcompare.comparison._base import BaseComparison
from skcompare.display import PowerDisplay
from skcompare.evaluation import evaluate_predictions, resolve_scoring
from skcompare.inference import (
    detectable_effect,
    exchange_probabilities,
    mcnemar_detectable_effect,
    mcnemar_power,
    mcnemar_sample_size,
    paired_t_detectable_effect,
    paired_t_power,
    paired_t_sample_size,
)
from skcompare.statistics import as_statistic, row_scores

__all__ = ["PowerResult", "power"]

MOST_ROWS, MOST_SIMULATIONS = 100_000_000, 1_000_000

# Resamples of every simulated test: as many as level 0.05 needs, more for lower ones.
FEW_RESAMPLES, RESAMPLES_BELOW_ALPHA = 499, 20

# A simulated power outside this range says little of how many rows are needed: then
# another size is simulated, of so many rows at least, and not of more than so many.
TELLING, FEWEST_PROBED, MOST_PROBED = (0.2, 0.98), 10, 200_000

# No number of rows above this is given.
MOST_NEEDED = 10**12

_OWN_EFFECT = (
    "The effect is the pilot's own, which may be luck: on as many rows this power is "
    "the p-value in other words and says nothing new; on more it takes an estimate for "
    "the truth. Better pass the smallest `effect` that would matter."
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class PowerResult:
    """What a test can be expected to show.

    Printing it gives a sentence, and what to bear in mind.

    Attributes
    ----------
    power : float
        The probability that the test rejects at `alpha` on `n_rows` rows if the true
        difference is `effect`.
    power_error : float
        The Monte Carlo standard error of `power`; 0 for the closed form.
    n_rows : int
        The number of rows that `power` and `detectable_effect` are about.
    effect : float
        The true difference in score, A less B, that `power` and `n_needed` are about.
    n_needed : int or None
        The number of rows on which `power` would be `target`; None if there is none.
        From simulations it is an approximation.
    detectable_effect : float or None
        The size of the smallest difference that is shown with probability `target` on
        `n_rows` rows; None if there is none or the pilot cannot tell, as one in which
        the models never differ. From simulations it is an approximation.
    target : float
        The power that is wanted.
    alpha : float
        The level of the test.
    test : str
        The name of the test's class.
    scoring : str
        The name of the metric. Higher is better.
    alternative : str
        The alternative hypothesis.
    method : {"closed form", "simulation"}
        How power was computed.
    n_simulations : int or None
        The number of simulated data sets.
    seed : int or None
        Passing it as `random_state` repeats the simulation.
    notes : tuple of str
        What to bear in mind.
    """

    power: float
    power_error: float
    n_rows: int
    effect: float
    n_needed: int | None
    detectable_effect: float | None
    target: float
    alpha: float
    test: str
    scoring: str
    alternative: str
    method: str
    n_simulations: int | None = None
    seed: int | None = dataclasses.field(default=None, repr=False)
    notes: tuple = dataclasses.field(default=(), repr=False)

    def sentence(self):
        """Return the finding in words.

        Returns
        -------
        str
            Power, the number of rows needed, and the detectable difference.
        """
        error = f" +/- {self.power_error:.2g}" if self.power_error else ""
        return (
            f"On {self.n_rows:,} rows {self.test} (alternative {self.alternative!r}, "
            f"level {self.alpha:g}) shows a true difference of {self.effect:+.4g} in "
            f"{self.scoring} with probability {self.power:.3f}{error}. "
            f"{self._needed()} {self._detectable()}"
        )

    def _about(self):
        return "about " if self.method == "simulation" else ""

    def _needed(self):
        if self.n_needed is None:
            return f"No number of rows makes it {self.target:g}."
        rows = f"{self._about()}{self.n_needed:,} rows"
        return f"For a probability of {self.target:g} it takes {rows}."

    def _detectable(self):
        given = f"shown with probability {self.target:g} on {self.n_rows:,} rows"
        if self.detectable_effect is None:
            return f"The pilot cannot tell what difference is {given}."
        size = f"{self._about()}{self.detectable_effect:.4g}"
        return f"The smallest difference {given} is {size}."

    def __str__(self):
        return "\n".join([self.sentence(), *(f"  {note}" for note in self.notes)])

    def to_dict(self):
        """Return all fields as a dict that `json.dumps` takes.

        Returns
        -------
        dict
            The fields of this result.
        """
        return {**dataclasses.asdict(self), "notes": list(self.notes)}

    def plot(self, ax=None, **kwargs):
        """Draw how power grows with the number of rows.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **kwargs : dict
            Passed on to `PowerDisplay.plot`.

        Returns
        -------
        PowerDisplay
            The display, drawn.
        """
        return PowerDisplay.from_result(self, ax=ax, **kwargs)


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
    """Compute how likely a test is to show a difference, from the answers of a pilot.

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
        What the models answered in the pilot, as for `fit_predictions`.
    scoring : str, callable or None, default=None
        The metric. None means that of the test.
    effect : float, default=None
        The true difference in score, A less B, that is hoped for. None means that
        seen in the pilot. For a simulation the metric must be an average over rows,
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
        The power, the number of rows needed for `target`, and the smallest difference
        that is shown with that probability.

    See Also
    --------
    McNemar : The test of right and wrong.
    PairedTTest : The test of averages.

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
    >>> found = power(McNemar(), truth, a, b, effect=0.05)
    >>> round(found.power, 3), found.n_needed, round(found.detectable_effect, 3)
    (0.514, 398, 0.071)
    >>> print(found)
    On 200 rows McNemar (alternative 'greater', level 0.05) shows a true difference of
    +0.05 in accuracy with probability 0.514. For a probability of 0.8 it takes 398
    rows. The smallest difference shown with probability 0.8 on 200 rows is 0.07064.
    """
    seed = seed_of(random_state)
    test = _configured(test, y_true, scoring=scoring, alpha=alpha, seed=seed)
    sample = evaluate_predictions(
        y_true,
        {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b},
        sample_weight=None,
        same_methods=False,
    )
    pilot = _fit_quietly(test, *_data_of(sample, np.arange(sample.n_rows)))
    aim = _Aim(
        effect=pilot.delta if effect is None else _check_effect(effect),
        n_rows=_check_n_rows(pilot.n_rows if n_rows is None else n_rows),
        target=_check_target(target, pilot.alpha),
        alpha=pilot.alpha,
        alternative=pilot.alternative,
    )
    check_integer("n_simulations", n_simulations, 2, MOST_SIMULATIONS)
    if isinstance(test, McNemar):
        found = _of_mcnemar(test, pilot, aim)
    elif isinstance(test, PairedTTest):
        found = _of_t(pilot, aim)
    else:
        draw = _drawer(test, sample, effect)
        run = functools.partial(_simulate, test, draw, n_simulations, seed)
        found = {**_of_simulation(test, run, aim), "seed": seed}
    notes = (*_notes(pilot, effect), *found.pop("notes", ()))
    about = {"test": pilot.test, "scoring": pilot.scoring, "notes": notes}
    return PowerResult(**aim._asdict(), **about, **found)


def _notes(pilot, effect):
    own = [_OWN_EFFECT] if effect is None else []
    return [*own, *(f"In the pilot: {text}" for text in pilot.caveats)]


class _Aim(NamedTuple):
    """What power is asked about."""

    effect: float
    n_rows: int
    target: float
    alpha: float
    alternative: str

    @property
    def how(self):
        return {"alpha": self.alpha, "alternative": self.alternative}


# What was asked


def _configured(test, y_true, *, scoring, alpha, seed):
    """Return a copy of the test with one metric, made quick, without models."""
    if not isinstance(test, BaseComparison):
        raise ValueError(
            "`test` must be a test of two models with its settings, such as McNemar(). "
            f"Got {test!r}."
        )
    params = test.get_params(deep=False)
    if "alpha" not in params:
        raise ValueError(
            "`test` must have a level to reach, and a posterior has none. Got "
            f"{test!r}. Its own plan(n_rows) says how narrow it would be."
        )
    alpha = check_fraction("alpha", params["alpha"] if alpha is None else alpha)
    changes = {"estimator_a": None, "estimator_b": None, "alpha": alpha, "verbose": 0}
    changes |= {"random_state": seed, "interval": "percentile"}
    changes["scoring"] = _one_metric(test, scoring, y_true)
    if isinstance(params.get("n_resamples"), numbers.Integral):
        enough = max(FEW_RESAMPLES, round(RESAMPLES_BELOW_ALPHA / alpha) - 1)
        changes["n_resamples"] = min(params["n_resamples"], enough)
    known = {name: value for name, value in changes.items() if name in params}
    return type(test)(**{**params, **known})


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
    return scorers


def _check_effect(effect):
    is_real = isinstance(effect, numbers.Real) and not isinstance(effect, bool)
    if not is_real or not math.isfinite(effect):
        raise ValueError(f"`effect` must be None or a finite number. Got {effect!r}.")
    return float(effect)


def _check_n_rows(n_rows):
    return check_integer("n_rows", n_rows, 2, MOST_ROWS)


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
        "power_error": 0.0,
        "n_needed": mcnemar_sample_size(*shares, power=aim.target, **how),
        "detectable_effect": mcnemar_detectable_effect(
            p_discordant, aim.n_rows, power=aim.target, **how
        ),
        "method": "closed form",
    }


def _of_t(pilot, aim):
    sd = pilot.standard_error * math.sqrt(pilot.n_rows)
    smallest = None
    if sd > 0:
        smallest = paired_t_detectable_effect(
            sd, aim.n_rows, power=aim.target, **aim.how
        )
    return {
        "power": paired_t_power(aim.effect, sd, aim.n_rows, **aim.how),
        "power_error": 0.0,
        "n_needed": paired_t_sample_size(aim.effect, sd, power=aim.target, **aim.how),
        "detectable_effect": smallest,
        "method": "closed form",
    }


# Simulation


class _Simulated(NamedTuple):
    """What came of simulated tests."""

    n_rejected: int
    n_failed: int
    n_simulations: int
    spread: float

    @property
    def power(self):
        return self.n_rejected / self.n_simulations

    @property
    def error(self):
        # With two more of either kind, as Agresti and Coull do: it is never 0.
        share = (self.n_rejected + 2) / (self.n_simulations + 4)
        return math.sqrt(share * (1 - share) / self.n_simulations)


def _fit_quietly(test, *data):
    """Run a test. What it warns of is in the caveats of the result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return test.fit_predictions(*data).result_


def _data_of(sample, rows):
    """Return rows of a sample as `fit_predictions` takes them, with all classes."""
    return sample.y[rows], *(_answers_of(a, sample, rows) for a in sample.answers)


def _answers_of(answers, sample, rows):
    given = {}
    for method in answers.methods:
        response = getattr(answers, method)(sample.X)
        split = isinstance(response, list)
        given[method] = [r[rows] for r in response] if split else response[rows]
    classes = getattr(answers, "classes_", None)
    if classes is not None and sample.y.ndim == 1:
        given["classes"] = classes
    return given


def _drawer(test, sample, effect):
    """Return what draws data for the test, ``draw(rng, n_rows)``, from a pilot."""
    ((name, scorer),) = resolve_scoring(test.scoring, y=sample.y).items()
    scores = row_scores(as_statistic(scorer, name, sample))
    if scores is not None:
        return _draws_of_scores(test, np.array(scores), effect)
    if effect is None:
        return lambda rng, n_rows: _data_of(
            sample, rng.integers(sample.n_rows, size=n_rows)
        )
    raise ValueError(
        f"`effect` must be None for {name!r}, which is not an average of one number "
        "per row: only the difference seen in the pilot can be simulated, for there "
        f"is no one way to make models differ by another. Got {effect!r}."
    )


def _draws_of_scores(test, scores, effect):
    """Return what draws scores of pilot rows, exchanged to differ by an effect.

    A test of an average over rows depends on the scores of rows alone. So it is run on
    absolute errors that have those scores but for a constant.
    """
    losses, chances = scores.max() - scores, np.zeros(scores.shape[1])
    if effect is not None:
        chances = exchange_probabilities(scores[0] - scores[1], effect)
    test.set_params(scoring="neg_mean_absolute_error")

    def draw(rng, n_rows):
        rows = rng.integers(len(chances), size=n_rows)
        exchanged = rng.random(n_rows) < chances[rows]
        a, b = np.where(exchanged, losses[::-1, rows], losses[:, rows])
        return np.full(n_rows, 0.5), {"predict": 0.5 + a}, {"predict": 0.5 + b}

    return draw


def _simulate(test, draw, n_simulations, seed, n_rows):
    """Run the test on simulated data sets."""
    outcomes = [
        _outcome(test, draw, chunk_generator(seed, i), n_rows)
        for i in range(n_simulations)
    ]
    pvalues, deltas = np.array(outcomes).T
    defined = np.isfinite(deltas)
    return _Simulated(
        n_rejected=int(np.count_nonzero(pvalues <= test.alpha)),
        n_failed=int(np.count_nonzero(~defined)),
        n_simulations=n_simulations,
        spread=float(np.std(deltas[defined])) if defined.any() else 0.0,
    )


def _outcome(test, draw, rng, n_rows):
    """Return p-value and difference; 1 and nan where the test has none."""
    data = draw(rng, n_rows)
    if hasattr(test, "random_state"):
        test.set_params(random_state=int(rng.integers(2**31)))
    try:
        result = _fit_quietly(test, *data)
    except ValueError:  # such as a metric that needs a class which was not drawn
        return 1.0, np.nan
    return result.pvalue, result.delta


def _of_simulation(test, run, aim):
    simulated = run(aim.n_rows)
    n_needed = _rows_needed(run, simulated, aim)
    notes = []
    if simulated.n_failed:
        notes.append(
            f"On {simulated.n_failed:,} of {simulated.n_simulations:,} simulated data "
            "sets the metric or the test was undefined; these count as not rejected."
        )
    return {
        "power": simulated.power,
        "power_error": simulated.error,
        "n_needed": n_needed,
        "detectable_effect": _smallest_effect(test, simulated, n_needed, aim),
        "method": "simulation",
        "n_simulations": simulated.n_simulations,
        "notes": notes,
    }


def _smallest_effect(test, simulated, n_needed, aim):
    if not isinstance(test, SignTest | WilcoxonSignedRank):
        return detectable_effect(simulated.spread, power=aim.target, **aim.how) or None
    if n_needed is None:
        return None
    return abs(aim.effect) * math.sqrt(n_needed / aim.n_rows)


def _rows_needed(run, simulated, aim):
    """Scale a number of rows to the target, by the root of the number of rows."""
    sign = {"greater": 1, "less": -1, "two-sided": np.sign(aim.effect)}
    if not aim.effect * sign[aim.alternative] > 0:
        return None
    wanted = detectable_effect(1.0, power=aim.target, **aim.how)
    n_rows = aim.n_rows
    if not TELLING[0] <= simulated.power <= TELLING[1]:
        guess = n_rows * (wanted * simulated.spread / aim.effect) ** 2
        if guess > max(MOST_PROBED, n_rows):
            return math.ceil(guess) if guess <= MOST_NEEDED else None
        n_rows = max(math.ceil(guess), FEWEST_PROBED)
        simulated = run(n_rows)
    likely = (simulated.n_rejected + 1) / (simulated.n_simulations + 2)
    reached = detectable_effect(1.0, power=likely, **aim.how)
    return math.ceil(n_rows * (wanted / reached) ** 2) if reached else None
