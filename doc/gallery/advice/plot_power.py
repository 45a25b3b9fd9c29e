"""
How many rows does it take?
===========================

In a pilot study of 200 rows, two classifiers are not significantly different. Is there
no difference, or is the sample size too small? And which sample size should the next
test set have? The predictions of the pilot help to answer both questions.
"""

# %%
# A pilot
# -------
# Two fitted models predict 200 rows.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import McNemar, power

X_train, X_pilot, y_train, y_pilot = train_test_split(
    *load_digits(return_X_y=True), test_size=200, random_state=0
)
a = BernoulliNB(binarize=4).fit(X_train, y_train)
b = DecisionTreeClassifier(random_state=0).fit(X_train, y_train)
predictions = y_pilot, a.predict(X_pilot), b.predict(X_pilot)
pilot = McNemar().fit_predictions(*predictions)
print(pilot.result_.sentence())

# %%
# Minimum detectable effect
# -------------------------
# A difference of three percentage points would matter, so this is the effect to plan
# for, not the observed one.

plan = power(McNemar(), *predictions, effect=0.03)
print(plan)

# %%
# The power curve
# ---------------
# Power for several sample sizes and several true differences. The proportion of
# discordant rows, on which exactly one model is right, is that of the pilot.

sizes = np.geomspace(50, 4_000, 30).astype(int).tolist()
effects = [0.02, 0.03, 0.05, 0.08]
fig, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
for effect, shade in zip(effects, [0.45, 0.6, 0.8, 1.0], strict=True):
    powers = [
        power(McNemar(), *predictions, effect=effect, n_rows=n).power for n in sizes
    ]
    color = plt.get_cmap("Blues")(shade)
    ax.plot(sizes, powers, color=color)
    half = int(np.searchsorted(powers, 0.5))
    ax.annotate(
        f"{100 * effect:.0f} points",
        (sizes[half], powers[half]),
        xytext=(8, -8),
        textcoords="offset points",
        color=color,
    )
ax.axhline(0.8, color="0.6", linestyle="--", linewidth=1)
ax.annotate("target", (sizes[0], 0.8), xytext=(0, 4), textcoords="offset points")
ax.axvline(200, color="0.6", linestyle=":", linewidth=1)
ax.annotate("pilot", (200, 0.02), xytext=(4, 0), textcoords="offset points")
ax.set_xscale("log")
ax.set_xticks([50, 100, 200, 500, 1_000, 2_000, 4_000])
ax.xaxis.set_major_formatter("{x:,.0f}")
ax.minorticks_off()
ax.set_ylim(0, 1.02)
ax.set_xlabel("rows")
ax.set_ylabel("power")
_ = ax.set_title("Probability that McNemar's test shows that A is better")

# %%
# The required sample size is where a curve crosses the dashed line:

for effect in effects:
    n_needed = power(McNemar(), *predictions, effect=effect).n_needed
    print(f"{100 * effect:.0f} points: {n_needed:,} rows")

# %%
# A difference half as large requires about four times as many rows. The
# :ref:`user guide <power>` explains how this is computed, also for other tests and
# metrics.
