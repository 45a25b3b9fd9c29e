"""
Ten documents, two rules
========================

A textbook introduces the paired bootstrap with ten documents: classifier A is right on
seven, B on five. Bootstrap resamples are drawn from these ten, so their differences are
centered at the observed 0.2, not at 0, the value under the null hypothesis. The plots
show the resamples that the correct rule counts, and those that are counted without the
shift. The :ref:`page on the textbook chapter <study_textbook>` has the numbers.
"""

# %%
# The resamples
# -------------
# For accuracy, only the documents that each classifier gets right matter.

import warnings

import matplotlib.pyplot as plt
import numpy as np

from skcompare import PairedBootstrap
from skcompare.exceptions import SmallSampleWarning

documents = np.arange(1, 11)
truth = np.ones(10, dtype=int)
pred_a = np.isin(documents, [1, 2, 3, 5, 7, 8, 10]).astype(int)
pred_b = np.isin(documents, [1, 3, 4, 6, 8]).astype(int)

test = PairedBootstrap(
    scoring="accuracy",
    method="shift",
    n_resamples=10_000,
    add_one=False,
    random_state=0,
)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", SmallSampleWarning)
    test.fit_predictions(truth, pred_a, pred_b)
print(f"delta = {test.delta_:.2f}, p = {test.pvalue_:.3f}")

# %%
# What is counted
# ---------------
# Above: resampled differences of at least twice the observed one. Below: of at least
# the observed one. About half of all resamples or more are this large, regardless of
# the data.

values, counts = np.unique(np.round(10 * test.distribution_), return_counts=True)
shares, delta = counts / counts.sum(), round(10 * test.delta_)

fig, axes = plt.subplots(2, sharex=True, figsize=(7, 5.5), layout="constrained")
rules = (
    (axes[0], 2 * delta, "#0072b2", "right: at least 2 x 0.2"),
    (axes[1], delta, "#d55e00", "wrong: at least 0.2"),
)
for ax, bound, color, title in rules:
    counted = values >= bound
    colors = np.where(counted, color, "0.85")
    ax.bar(values / 10, shares, width=0.08, color=colors)
    ax.axvline(test.delta_, color="0.3", linestyle=":", linewidth=1)
    ax.set_title(f"{title}: {shares[counted].sum():.2f} of all resamples", fontsize=11)
    ax.set(ylabel="share")
    ax.spines[["top", "right"]].set_visible(False)
axes[1].set(xlabel="resampled difference in accuracy (dotted: the observed one)")
plt.show()
