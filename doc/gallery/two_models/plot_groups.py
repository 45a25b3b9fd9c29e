"""
Grouped rows
============

Visits of one patient, sentences of one document, images of one scene: such rows are
correlated, and a model that errs on one of them tends to err on the others. Ten visits
of one patient carry less information than one visit of each of ten patients. A test
that treats them as independent gives confidence intervals that are too narrow and
p-values that are too small.
"""

# %%
# Two models that are equally good
# --------------------------------
# We simulate the predictions of two models for 60 patients with 10 visits each. Both
# models are right with the same probability, so the true difference is 0, but which of
# the two does better depends on the patient.

import matplotlib.pyplot as plt
import numpy as np

from skcompare import PairedBootstrap

N_PATIENTS, N_VISITS = 60, 10
patient = np.repeat(np.arange(N_PATIENTS), N_VISITS)


def make_predictions(rng):
    truth = rng.integers(2, size=len(patient))
    skill = rng.beta(1, 1, size=N_PATIENTS)[patient]
    right_a = rng.random(len(patient)) < skill
    right_b = rng.random(len(patient)) < 1 - skill
    return (
        truth,
        np.where(right_a, truth, 1 - truth),
        np.where(right_b, truth, 1 - truth),
    )


# %%
# One data set, with and without groups
# -------------------------------------
# With ``groups``, whole patients are resampled.

test = PairedBootstrap(
    scoring="accuracy", n_resamples=999, alternative="two-sided", random_state=0
)

predictions = make_predictions(np.random.default_rng(0))
for name, groups in [("rows", None), ("patients", patient)]:
    low, high = test.fit_predictions(*predictions, groups=groups).confidence_interval_
    print(f"resampling {name}: [{low:.3f}, {high:.3f}]")

# %%
# A hundred data sets
# -------------------
# 95 % confidence intervals should contain the true difference for about 95 of them.
# Those that do not are drawn in orange.

fig, axes = plt.subplots(
    1, 2, figsize=(9, 6), sharex=True, sharey=True, layout="constrained"
)
for ax, groups, name in zip(axes, [None, patient], ["rows", "patients"], strict=True):
    rng = np.random.default_rng(0)
    intervals = np.array(
        [
            test.fit_predictions(
                *make_predictions(rng), groups=groups
            ).confidence_interval_
            for _ in range(100)
        ]
    )
    misses = (intervals[:, 0] > 0) | (intervals[:, 1] < 0)
    colors = np.where(misses, "#d55e00", "#0072b2")
    ax.hlines(np.arange(100), *intervals.T, colors=colors, linewidth=1.5)
    ax.axvline(0, color="black", linewidth=1, linestyle=":")
    ax.set(
        title=f"resampling {name}: {misses.sum()} of 100 miss",
        xlabel="difference in accuracy (A - B)",
    )
    ax.spines[["top", "right"]].set_visible(False)
axes[0].set_ylabel("data set")

# %%
# Resampling rows gives narrow intervals that often miss the true difference; resampling
# patients gives wider ones with about the nominal coverage.
# :class:`~skcompare.ApproxRandomization` also takes ``groups``: it then swaps the
# predictions for all visits of a patient together.
