"""
Averages of normal differences: Student's t
===========================================

A mean absolute error is a mean of per-row scores, so each row has a difference between
two models. If these differences are normal, or if there are enough of them for the
central limit theorem, the paired t-test has the most power.
"""

# %%
# Two regressors
# --------------
# Both are evaluated by cross-validation, on the same folds.

import matplotlib.pyplot as plt
import numpy as np
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsRegressor

from skcompare import recommend_test_for_models

X, y = load_diabetes(return_X_y=True)
a, b = RidgeCV(), KNeighborsRegressor()
advice = recommend_test_for_models(a, b, X, y, scoring="neg_mean_absolute_error", cv=5)
for reason in advice.reasons:
    print("-", reason)

# %%
test = advice.test.fit(X, y)
print(test.result_.sentence())

# %%
# Checks of normality
# -------------------
# On the left the differences between the absolute errors of B and A, with the normal
# distribution of the same mean and variance; on the right their quantiles against
# normal ones, which lie on a line if the differences are normal.

errors = [np.abs(y - cross_val_predict(model, X, y, cv=5)) for model in (a, b)]
differences = errors[1] - errors[0]

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
left.hist(differences, bins=30, density=True, color="#c6dbef", edgecolor="#6baed6")
grid = np.linspace(differences.min(), differences.max(), 200)
density = stats.norm.pdf(grid, differences.mean(), differences.std())
left.plot(grid, density, color="#d55e00", label="normal")
left.axvline(0, color="black", linestyle=":", linewidth=1)
left.set(xlabel="error of B less error of A", yticks=[])
left.legend(frameon=False)
(normal, ordered), (slope, start, _) = stats.probplot(differences)
right.plot(normal, ordered, ".", color="#0072b2", markersize=4)
right.plot(normal, start + slope * normal, color="#d55e00")
right.set(xlabel="normal quantile", ylabel="difference")
for ax in (left, right):
    ax.spines[["top", "right"]].set_visible(False)

# %%
# A t-test on accuracy or on F1 would be a mistake: outcomes of the former are
# :ref:`categorical <sphx_glr_auto_gallery_advice_plot_branch_mcnemar.py>`, and the
# latter is :ref:`not a mean of per-row scores
# <sphx_glr_auto_gallery_advice_plot_branch_resampling.py>`. For few rows with skewed
# differences, resampling is recommended.
