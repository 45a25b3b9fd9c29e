"""
After the grid search
=====================

A grid search returns one winner. It does not show how many of the other candidates are
about as good, nor how much of the winner's lead is selection bias.
:class:`~skcompare.SearchComparison` estimates both from the scores of the search, and
with :class:`~skcompare.SimplestNotWorse` the search chooses the simplest candidate that
is not much worse.
"""

# %%
# An ordinary search
# ------------------
# Support vector machines with six values of ``C`` and four of ``gamma``, by ten-fold
# cross-validation.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from skcompare import SearchComparison, SimplestNotWorse

X, y = load_breast_cancer(return_X_y=True)
model = Pipeline([("scale", StandardScaler()), ("svm", SVC())])
grid = {
    "svm__C": [0.01, 0.1, 1, 10, 100, 1000],
    "svm__gamma": [0.0001, 0.001, 0.01, 0.1],
}
search = GridSearchCV(model, grid, cv=10, scoring="accuracy").fit(X, y)
print(search.best_params_, round(search.best_score_, 4))

# %%
# Which candidates are as good as the best?
# -----------------------------------------
# ``fit()`` needs no data: the scores of all splits are in ``search.cv_results_``.

comparison = SearchComparison(search, random_state=0).fit()
print(comparison.result_)

# %%
# Each row of the plot is a candidate. Hollow markers: not significantly worse than the
# best.

fig, ax = plt.subplots(figsize=(7, 7.5), layout="constrained")
comparison.result_.plot(ax=ax)

# %%
# Which parameter matters?
# ------------------------
# The score of a value is the average over all candidates that have it. The parameter
# with the largest range comes first.

table = comparison.result_.by_parameter()
print(
    table[["parameter", "value", "mean_score", "delta", "pvalue_adjusted"]]
    .round(4)
    .to_string(index=False)
)

# %%
# How much of the lead is selection bias?
# ---------------------------------------
# Resampling the selection estimates the winner's lead on splits that did not select it.

result = comparison.result_
print(f"lead over the average candidate: {result.lead:.4f}")
print(f"of that, expected to last:       {result.expected_lead:.4f}")
print(f"score of the winner:             {result.mean_scores[0]:.4f}")
print(f"score to be expected of it:      {result.expected_score:.4f}")

# %%
# Choosing the simplest
# ---------------------
# A small ``C`` and a small ``gamma`` give smooth boundaries. Of all candidates that are
# at most one standard error worse than the best, the rule chooses the one with the
# smallest ``C``, then the smallest ``gamma``.

rule = SimplestNotWorse(["svm__C", "svm__gamma"])
simple = GridSearchCV(model, grid, cv=10, scoring="accuracy", refit=rule).fit(X, y)
score = simple.cv_results_["mean_test_score"][simple.best_index_]
print(simple.best_params_, round(score, 4))

# %%
# The two choices as a plot: scores over the grid, the best candidate marked by a
# circle, the simplest that is not worse by a square, and those significantly worse by a
# dot.

scores = search.cv_results_["mean_test_score"].reshape(6, 4).T
fig, ax = plt.subplots(figsize=(6.4, 4), layout="constrained")
image = ax.imshow(scores, origin="lower", aspect="auto", cmap="Blues")
worse = np.setdiff1d(np.arange(24), comparison.indistinguishable_)
ax.scatter(worse // 4, worse % 4, s=12, color="#d55e00", label="significantly worse")
for chosen, marker, name in [
    (search.best_index_, "o", "best mean score"),
    (simple.best_index_, "s", "simplest not worse"),
]:
    ax.scatter(
        chosen // 4,
        chosen % 4,
        s=260,
        marker=marker,
        facecolor="none",
        edgecolor="black",
        linewidth=2,
        label=name,
    )
ax.set_xticks(range(6), grid["svm__C"])
ax.set_yticks(range(4), grid["svm__gamma"])
ax.set(xlabel="C", ylabel="gamma")
fig.colorbar(image, label="accuracy")
fig.legend(loc="outside upper center", ncols=3, frameon=False)
plt.show()
