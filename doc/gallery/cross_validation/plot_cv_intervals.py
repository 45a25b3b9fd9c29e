"""
Coverage of intervals for cross-validation
==========================================

How precise is a cross-validation score? The usual confidence interval is based on the
standard error of all out-of-fold losses. It treats them as independent, although each
row is also used for training the models of the other rows. We simulate data sets with a
known expected score and estimate the coverage of the intervals.
"""

# %%
# Simulated data
# --------------
# 100 rows, 20 normal features that are independent of the target, least squares. Its
# expected squared error on new rows is 1 for the noise, and ``20 / (100 - 20 - 1)`` for
# overfitting. Scores are negative errors, so that higher is better.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression

from skcompare import CrossValidationCLT, NestedCVInterval

N_ROWS, N_FEATURES, N_DATA_SETS = 100, 20, 40
EXPECTED = -(1 + N_FEATURES / (N_ROWS - N_FEATURES - 1))
models = LinearRegression(fit_intercept=False), DummyRegressor()
params = {"scoring": "neg_mean_squared_error", "cv": 5, "confidence_level": 0.9}

# %%
# Two kinds of intervals
# ----------------------
# :class:`~skcompare.CrossValidationCLT` computes the usual interval. It is valid for
# the average score of the five models that were fitted, but the estimand here is the
# expected score of least squares on such data, for which
# :class:`~skcompare.NestedCVInterval` is intended.

clt = CrossValidationCLT(*models, **params)
nested = NestedCVInterval(*models, **params, n_repeats=10, random_state=0)

rng = np.random.default_rng(0)
data_sets = [
    (rng.normal(size=(N_ROWS, N_FEATURES)), rng.normal(size=N_ROWS))
    for _ in range(N_DATA_SETS)
]
intervals = {
    name: np.array([test.fit(X, y).score_a_interval_ for X, y in data_sets])
    for name, test in [("usual", clt), ("nested", nested)]
}

# %%
# Coverage
# --------
# 90 % intervals should contain the expected score for about 36 of 40 data sets. Those
# that do not are drawn in orange.

fig, axes = plt.subplots(
    1, 2, figsize=(9, 5), sharex=True, sharey=True, layout="constrained"
)
for ax, (name, limits) in zip(axes, intervals.items(), strict=True):
    misses = (limits[:, 0] > EXPECTED) | (limits[:, 1] < EXPECTED)
    colors = np.where(misses, "#d55e00", "#0072b2")
    ax.hlines(np.arange(N_DATA_SETS), *limits.T, colors=colors, linewidth=2)
    ax.axvline(EXPECTED, color="black", linewidth=1, linestyle=":")
    ax.set(
        title=f"{name}: {misses.sum()} of {N_DATA_SETS} miss",
        xlabel="score (negative mean squared error)",
    )
    ax.spines[["top", "right"]].set_visible(False)
axes[0].set_ylabel("data set")

# %%
# Width
# -----
# Nested cross-validation sets a fold aside, cross-validates on the others, and compares
# the result with the fold set aside. This estimates for each data set by how much the
# usual interval is too short. It takes 15 fits of each model for each of ten splits,
# and the usual interval five in all. The :ref:`user guide <cv_coverage>` has the
# coverage on 250 data sets.

widths = {name: np.diff(limits).mean() for name, limits in intervals.items()}
print({name: round(float(width), 2) for name, width in widths.items()})
