"""
Two models, two tests
=====================

Two classifiers are fitted on one half of a data set and compared on the other. Is the
one that scores higher really better, or is the difference due to chance? The paired
bootstrap and the permutation test (approximate randomization) test this in two ways.
The plots show why the former counts differences of at least ``2 * delta`` and the
latter of at least ``delta``.
"""

# %%
# Two fitted models
# -----------------
# Neither model was fitted on the test rows.

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
# It keeps the rows and swaps the predictions of the two models with probability 1/2,
# row by row.

randomization = ApproxRandomization(a, b, **options).fit(X_test, y_test)
print(randomization.result_.sentence())

# %%
# Why 2 * delta
# -------------
# A p-value is the probability of a difference at least as large as the observed one if
# there is no difference.
#
# Swapping predictions makes the two models equally good: the differences are centered
# at 0, and those of at least ``delta`` are counted.
#
# Resampling rows does not. The rows come from data on which A leads by ``delta``, so
# the resampled differences are centered at ``delta``, and about half of them are
# larger, regardless of the data. They show how far a difference deviates from its
# center. Deviations of at least ``delta`` are counted, that is, differences of at least
# ``2 * delta``.

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
# Above: the bootstrap. Below: the permutation test, on the same scale. In both, the
# colored part begins at a distance of ``delta`` from the center of the distribution.
#
# The bootstrap also gives a confidence interval for the difference, the blue bar. The
# :ref:`user guide <which_test>` explains when to use which.
