"""Where the limits of advice come from: R2 on few rows, rare classes, skewed losses.

``python doc/simulations/advice_limits.py`` prints the three tables of the user guide's
section on limits (a few minutes on one core).

- R2: how often the bootstrap and the permutation test reject at 0.05, two-sided, if
  both models have the same error, and if B's errors are larger.
- Rare classes: how often the 95 % bootstrap interval of a difference in balanced
  accuracy covers the true one, if one of three classes has few rows.
- Symmetry: how often the check for skewness (2.58 standard errors between mean and
  median) calls differences skewed that are symmetric, and that are not.
"""

import sys
import warnings

import numpy as np

from skcompare import ApproxRandomization, PairedBootstrap, recommend_test

N_SIMULATIONS, N_RESAMPLES = 300, 199


def rejections_of_r2(n_rows, ratio, rng):
    """Return how often both tests reject for errors of such a ratio."""
    rejected = np.zeros(2)
    for i in range(N_SIMULATIONS):
        truth = rng.normal(size=n_rows)
        a, b = truth + rng.normal(size=(2, n_rows)) * [[0.6], [0.6 * ratio]]
        for place, test in enumerate((PairedBootstrap, ApproxRandomization)):
            fitted = test(
                scoring="r2",
                n_resamples=N_RESAMPLES,
                alternative="two-sided",
                random_state=i,
            ).fit_predictions(truth, a, b)
            rejected[place] += fitted.pvalue_ <= 0.05
    return rejected / N_SIMULATIONS


def coverage_of_rare_classes(n_rare, rng):
    """Return how often an interval of balanced accuracy covers the difference."""
    truth = np.repeat([0, 1, 2], [100, 100, n_rare])
    shares = np.array([0.8, 0.7])
    covered = 0
    for i in range(N_SIMULATIONS):
        a, b = (
            np.where(rng.random(len(truth)) < share, truth, (truth + 1) % 3)
            for share in shares
        )
        low, high = (
            PairedBootstrap(
                scoring="balanced_accuracy", n_resamples=N_RESAMPLES, random_state=i
            )
            .fit_predictions(truth, a, b)
            .confidence_interval_
        )
        covered += low <= shares[0] - shares[1] <= high
    return covered / N_SIMULATIONS


def share_called_skewed(draw, n_rows, rng):
    """Return how often tests of signs and ranks are refused as skewed."""
    refused = 0
    for _ in range(N_SIMULATIONS):
        differences = draw(rng, n_rows)
        b = np.full(n_rows, 1e3)
        advice = recommend_test(
            np.zeros(n_rows), b - differences, b, scoring="neg_mean_absolute_error"
        )
        ranks = next(o for o in advice.alternatives if o.test == "SignTest")
        refused += "skewed" in ranks.why
    return refused / N_SIMULATIONS


def squared_errors(rng, n_rows):
    """Return differences in squared error of equal mean, one with heavier tails."""
    heavy = rng.standard_t(5, size=n_rows) * np.sqrt(3 / 5)
    return rng.normal(size=n_rows) ** 2 - heavy**2


SHAPES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "Laplace": lambda rng, n: rng.laplace(size=n),
    "Student's t, 3 df": lambda rng, n: rng.standard_t(3, size=n),
    "exponential": lambda rng, n: rng.exponential(size=n) - 1,
    "squared errors": squared_errors,
}


def main():
    """Write the tables."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    lines = [
        "R2 rejected: rows, bootstrap and permutation at equal errors, at 1.3 times"
    ]
    for n_rows in (30, 60, 100, 200):
        rates = [rejections_of_r2(n_rows, ratio, rng) for ratio in (1.0, 1.3)]
        lines.append(f"{n_rows:5} {np.ravel(rates)}")
    lines.append("balanced accuracy: rows of the rare class, coverage")
    for n_rare in (3, 5, 10, 20, 50):
        lines.append(f"{n_rare:5} {coverage_of_rare_classes(n_rare, rng):.3f}")
    sizes = (20, 50, 200, 1_000)
    lines.append(f"called skewed, of {sizes} rows")
    for name, draw in SHAPES.items():
        rates = [share_called_skewed(draw, n, rng) for n in sizes]
        lines.append(f"{name:18} {np.array(rates)}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
