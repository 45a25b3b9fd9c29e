"""
F1 and similar metrics: resampling
==================================

F1 is not a mean of per-row scores, so a t-test does not apply, and there is no simple
formula for the distribution of a difference in F1. Resampling estimates it.
"""

# %%
# Two classifiers
# ---------------

import time

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedTTest, check_choice, recommend_test

X, y = make_classification(
    2_000, n_features=12, n_informative=5, weights=[0.85], flip_y=0.05, random_state=3
)
train, test_rows = slice(0, 1_000), slice(1_000, 2_000)
a = DecisionTreeClassifier(max_depth=6, random_state=0).fit(X[train], y[train])
b = GaussianNB().fit(X[train], y[train])
X_test, y_test = X[test_rows], y[test_rows]

# %%
# A t-test is not appropriate
# ---------------------------

pred_a, pred_b = a.predict(X_test), b.predict(X_test)
print(check_choice(PairedTTest(scoring="f1"), y_test, pred_a, pred_b))

# %%
# The recommended test
# --------------------
# The recommendation includes an estimate of the time for resampling. Resampling is
# fast, also on large data, because identical rows are counted and F1 is not called on
# each resample.

advice = recommend_test(y_test, pred_a, pred_b, scoring="f1")
for reason in advice.reasons:
    print("-", reason)

# %%
began = time.perf_counter()
test = advice.test.set_params(random_state=0).fit_predictions(y_test, pred_a, pred_b)
print(f"It took {time.perf_counter() - began:.2f} s.")
print(test.result_.sentence())

# %%
fig, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
display = test.result_.plot(ax=ax)
