"""
How probable is it that A is better, and does it matter?
========================================================

A p-value cannot show that two models are practically equivalent, nor how probable it is
that one of them is better by enough to matter. The posterior of the difference can.
"""

# %%
# Three models, two comparisons
# -----------------------------
# Extra trees, a random forest and naive Bayes classify digits. Differences of up to
# 0.01 in macro F1 would not matter: this is the region of practical equivalence.

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

from skcompare import BayesianComparison

X_train, X_test, y_train, y_test = train_test_split(
    *load_digits(return_X_y=True), test_size=0.6, random_state=0
)
extra = ExtraTreesClassifier(random_state=0).fit(X_train, y_train)
forest = RandomForestClassifier(random_state=0).fit(X_train, y_train)
bayes = GaussianNB().fit(X_train, y_train)

settings = {"scoring": "f1_macro", "rope": 0.01, "random_state": 0}
against_bayes = BayesianComparison(forest, bayes, **settings).fit(X_test, y_test)
against_forest = BayesianComparison(extra, forest, **settings).fit(X_test, y_test)

for test in (against_bayes, against_forest):
    print(test.result_.sentence(), end="\n\n")

# %%
# Plots
# -----
# The shaded areas are the probabilities: A is better to the right of the region, B to
# its left. The bar below the axis is the 95 % highest-density interval; for a decision
# it must lie entirely on one side of the region, or entirely inside.

fig, axes = plt.subplots(2, figsize=(7, 8), layout="constrained")
for test, ax in zip((against_bayes, against_forest), axes, strict=True):
    test.result_.plot(ax=ax)
plt.show()

# %%
# The probability of any statement
# --------------------------------
# Is the forest better than naive Bayes by more than ten points?

print(against_bayes.probability_of(lambda delta: delta > 0.1))

# %%
# The gain from pairing
# ---------------------
# ``posterior="independent"`` uses the counts of each model and ignores that the models
# were scored on the same rows, so the posterior is wider.

paired = against_forest
independent = BayesianComparison(extra, forest, posterior="independent", **settings)
independent.fit(X_test, y_test)

fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for test, color in ((paired, "#0072b2"), (independent, "#d55e00")):
    ax.plot(*test.result_.density(), color=color, label=test.posterior)
ax.axvspan(-0.01, 0.01, color="0.93", zorder=0, label="ROPE")
ax.set(xlabel="difference in macro F1 (extra trees - forest)", yticks=[])
ax.set(ylabel="posterior density", ylim=(0, None))
ax.spines[["top", "right", "left"]].set_visible(False)
ax.legend(frameon=False)
plt.show()

# %%
# More rows
# ---------
# The expected width of the posterior with more rows like these:

for n_rows in (1_000, 5_000, 20_000):
    low, high = paired.plan(n_rows).hdi
    print(f"{n_rows:>6,} rows: 95 % interval {high - low:.3f} wide")
