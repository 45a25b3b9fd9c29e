"""
Few rows: the permutation test
==============================

A bootstrap uses the test set as an estimate of the population, which is poor for a
dozen rows. A permutation test (approximate randomization), which swaps the predictions
of the two models, is valid for any number of rows if these are exchangeable. On few
rows, all swaps can be enumerated, and the p-value is exact.
"""

# %%
# Fourteen documents
# ------------------
# They are translated by two systems, and experts grade the translations from 0 to 100.
# The score of a system is its mean grade.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import make_scorer, mean_absolute_error

from skcompare import PairedBootstrap, check_choice, recommend_test

grades_a = np.array([78, 64, 91, 55, 70, 83, 62, 77, 95, 58, 69, 88, 74, 66.0])
grades_b = np.array([71, 66, 84, 49, 71, 70, 60, 69, 93, 41, 64, 88, 61, 60.0])
best = np.full(14, 100.0)

# %%
# The scorer is the mean distance from 100: a mean of per-row scores.

scoring = make_scorer(mean_absolute_error, greater_is_better=False)
advice = recommend_test(best, grades_a, grades_b, scoring=scoring)
for sentence in (*advice.reasons, *advice.warnings):
    print("-", sentence)

# %%
# A bootstrap would be a wrong choice, one of three mistakes that Dror et al. found in
# published papers:

print(check_choice(PairedBootstrap(scoring=scoring), best, grades_a, grades_b))

# %%
# All labelings
# -------------
# Thirteen documents have different grades, so there are ``2 ** 13`` ways to assign the
# grades to the systems. All of them are enumerated.

test = advice.test.fit_predictions(best, grades_a, grades_b)
print(test.result_.sentence())

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
better = int(np.sum(grades_a > grades_b))
colors = {1: "#0072b2", 0: "0.6", -1: "#d55e00"}
for a, b in zip(grades_a, grades_b, strict=True):
    color = colors[int(np.sign(a - b))]
    left.plot([0, 1], [b, a], "o-", color=color, linewidth=1, markersize=4)
left.set(xticks=[0, 1], xticklabels=["B", "A"], ylabel="grade", xlim=(-0.3, 1.3))
left.set_title(f"A is better on {better} of 14")
left.spines[["top", "right"]].set_visible(False)
display = test.result_.plot(ax=right)
