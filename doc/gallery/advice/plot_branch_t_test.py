"""
Averages of normal differences: Student's t
===========================================

A mean absolute error is an average: each row has a number of its own, and so has the
difference between two models. If these differences are normal, or if there are enough of
them for their mean to be, the distribution of the test statistic is known. Then the test
that uses it has the most power.
"""

# %%
# Two regressors
# --------------
# Both are judged by cross-validation, on the same folds.

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
# What the checks look at
# -----------------------
# On the left the differences between the absolute errors of B and A, with the normal
# distribution of the same mean and variance; on the right their quantiles against normal
# ones, which lie on a line if the differences are normal.

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
# A t-test on accuracies of right and wrong rows, or on F1, would be a mistake: the first
# are :ref:`categories <sphx_glr_auto_gallery_advice_plot_branch_mcnemar.py>`, the second is
# :ref:`no average <sphx_glr_auto_gallery_advice_plot_branch_resampling.py>`. With few rows of
# skewed differences the advice would be to resample.
