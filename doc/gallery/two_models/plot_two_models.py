"""
Two models, two tests
=====================

Two classifiers are fitted on one half of a data set and compared on the other. Is the
one that scores higher really better, or did it get lucky on these rows? The paired
bootstrap and the permutation test (approximate randomization) ask this in two ways. Their plots show why one
of them counts differences of at least ``2 * delta`` and the other of at least
``delta``.
"""

# %%
# Two fitted models
# -----------------
# The test rows were seen by neither model.

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare import ApproxRandomization, PairedBootstrap

X_train, X_test, y_train, y_test = train_test_split(
    *load_breast_cancer(return_X_y=True), test_size=0.5, random_state=0
)
a = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
b = make_pipeline(StandardScaler(), KNeighborsClassifier()).fit(X_train, y_train)

# %%
# The paired bootstrap
# --------------------
# It draws rows with replacement, the same rows for both models, and scores them again.

options = {"scoring": "accuracy", "n_resamples": 1_999, "random_state": 0}
bootstrap = PairedBootstrap(a, b, **options).fit(X_test, y_test)
print(bootstrap.result_.sentence())

# %%
# The permutation test
# --------------------
# It keeps the rows and exchanges the predictions of the two models, row by row, as the toss
# of a coin decides.

randomization = ApproxRandomization(a, b, **options).fit(X_test, y_test)
print(randomization.result_.sentence())

# %%
# Why 2 * delta
# -------------
# A p-value says how often a difference as large as the observed one would come about if
# there were none.
#
# Exchanging predictions makes the two models equally good: the differences lie around 0,
# and those that reach the observed ``delta`` are counted.
#
# Drawing rows does not. The rows come from data on which A leads by ``delta``, so the
# resampled differences lie around ``delta`` and about half of them are larger, whatever
# the data. What they do show is how far a difference strays from where it is centered.
# Straying by ``delta`` or more is what counts, and that is to reach ``2 * delta``.

delta = bootstrap.delta_
fig = plt.figure(figsize=(8, 8), layout="constrained")
upper, lower = fig.subfigures(2, 1)
displays = [
    bootstrap.result_.plot(ax=upper.subplots()),
    randomization.result_.plot(ax=lower.subplots()),
]
starts_and_ends = [(delta, 2 * delta), (0, delta)]
for display, (start, end) in zip(displays, starts_and_ends, strict=True):
    ax = display.ax_
    ax.set_xlim(-1.5 * delta, 2.6 * delta)
    height = 0.6 * ax.get_ylim()[1]
    arrow = {"arrowstyle": "<->", "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", xy=(start, height), xytext=(end, height), arrowprops=arrow)
    ax.annotate(
        "delta",
        xy=((start + end) / 2, height),
        xytext=(0, 6),
        textcoords="offset points",
        ha="center",
        bbox={"boxstyle": "round,pad=0.15", "color": "white", "alpha": 0.8},
    )

# %%
# Above: the bootstrap. Below: the permutation test, to the same scale. The colored
# part is as far from the center of its distribution in both: by ``delta``.
#
# The bootstrap gives an interval for the difference besides, the blue bar. The
# :ref:`user guide <two_tests>` says when to use which.
