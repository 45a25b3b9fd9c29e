"""
False positives of tests on cross-validation
============================================

Two models are often compared by a t-test on the hundred differences of ten times ten
folds. This example estimates the type I error of this test on simulated data on which
two models are equally good, and that of tests that account for the overlap of the
folds.
"""

# %%
# Two models that are equally good
# --------------------------------
# Both models project a row on the difference of the class means, but they see different
# features, A the first three and B the last three. All features have the same
# distribution, so neither model can be better than the other on average.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import KFold, RepeatedKFold

from skcompare import CorrectedTTest, FiveByTwoCV
from skcompare.exceptions import ComparisonWarning

N_ROWS, N_DATA_SETS = 100, 500
y = np.where(np.arange(N_ROWS) % 2, 1, -1)
rng = np.random.default_rng(0)


def accuracies(X, splits):
    signed = X * y[:, None]
    return np.array(
        [
            np.mean(signed[test] @ signed[train].mean(axis=0) > 0)
            for train, test in splits
        ]
    )


def draw_scores(splits):
    X = rng.normal(size=(N_ROWS, 6)) + 0.5 * y[:, None]
    return accuracies(X[:, :3], splits), accuracies(X[:, 3:], splits)


# %%
# One data set
# ------------
# The naive test assumes that the hundred differences are independent; the corrected one
# accounts for the overlap of the training sets.

hundred = list(RepeatedKFold(n_splits=10, n_repeats=10, random_state=0).split(y))
naive = CorrectedTTest(variance="naive", alternative="two-sided", scoring="accuracy")
corrected = CorrectedTTest(alternative="two-sided", scoring="accuracy")

scores = draw_scores(hundred)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", ComparisonWarning)  # of the naive variance
    naive.fit_scores(*scores)
corrected.fit_scores(*scores, test_train_ratio=1 / 9)
for name, test in [("naive", naive), ("corrected", corrected)]:
    low, high = test.confidence_interval_
    print(f"{name:<10} p = {test.pvalue_:.3f}, interval [{low:+.3f}, {high:+.3f}]")

# %%
# Five hundred data sets
# ----------------------
# The true difference is 0 in all of them, so every p-value of .05 or less is a false
# positive; their rate, the type I error, should be at most 5 %.

ten = list(KFold(10).split(y))
halves = list(RepeatedKFold(n_splits=2, n_repeats=5, random_state=0).split(y))


def by_t(variance):
    test = CorrectedTTest(variance=variance, alternative="two-sided")
    return lambda a, b: test.fit_scores(a, b, test_train_ratio=1 / 9).pvalue_


def by_halves(statistic):
    test = FiveByTwoCV(statistic=statistic, alternative="two-sided")
    return lambda a, b: test.fit_scores(a.reshape(5, 2), b.reshape(5, 2)).pvalue_


ways = {
    "10 x 10 folds, naive t": (hundred, by_t("naive")),
    "10 folds, naive t": (ten, by_t("naive")),
    "10 x 10 folds, corrected t": (hundred, by_t("nadeau-bengio")),
    "10 folds, corrected t": (ten, by_t("nadeau-bengio")),
    "5 x 2 folds, t": (halves, by_halves("t")),
    "5 x 2 folds, F": (halves, by_halves("f")),
}
pvalues = {}
with warnings.catch_warnings():
    warnings.simplefilter("ignore", ComparisonWarning)
    for name, (splits, pvalue) in ways.items():
        drawn = [pvalue(*draw_scores(splits)) for _ in range(N_DATA_SETS)]
        pvalues[name] = np.array(drawn)

for name, drawn in pvalues.items():
    print(f"{name:<28} {np.mean(drawn <= 0.05):.3f}")

# %%
# The plot shows the rejection rate for all levels. The curve of a valid test is on the
# diagonal or below. That of the naive test on repeated folds is far above it: the more
# repeats, the more false positives. On a single run of ten folds, its type I error is
# close to the level with these models, but not with models that depend more on single
# rows.

levels = np.linspace(0, 0.5, 201)
fig, ax = plt.subplots(figsize=(7, 5), layout="constrained")
ax.plot(levels, levels, color="0.6", linewidth=1, label="nominal")
styles = ["-", "--", "-", "--", "-", "--"]
colors = ["C3", "C3", "C0", "C0", "C2", "C2"]
for (name, drawn), style, color in zip(pvalues.items(), styles, colors, strict=True):
    shares = [np.mean(drawn <= level) for level in levels]
    ax.plot(levels, shares, linestyle=style, color=color, label=name)
ax.axvline(0.05, color="0.8", linewidth=1, zorder=0)
ax.set_xlabel("level")
ax.set_ylabel("share of data sets on which the test rejects")
ax.set_title("Two models that are equally good")
ax.set_xlim(0, 0.5)
ax.set_ylim(0, 1)
_ = ax.legend(loc="upper left", fontsize=9)

# %%
# The :ref:`user guide <fold_test_rates>` has rates for other splits, and for a learning
# algorithm for which these tests have a larger type I error.
