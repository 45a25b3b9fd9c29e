"""
A million rows in a second
==========================

Ten thousand bootstrap resamples of macro F1 on a million rows would take the plain loop
more than an hour. The rows of five classes are at most 125 cells, though: a resample is one
draw of how many rows fall on each, and costs no more than it would for a thousand rows.
"""

import time

import matplotlib.pyplot as plt
import numpy as np

from skcompare import PairedBootstrap

rng = np.random.default_rng(0)


def predictions(n_rows):
    """Make a truth and two models that are right on about 86.5 % and 86 %."""
    truth = rng.integers(0, 5, n_rows)

    def model(knows):
        return np.where(rng.random(n_rows) < knows, truth, rng.integers(0, 5, n_rows))

    return truth, model(0.831), model(0.825)


# %%
# The same test on more and more rows: the interval narrows, the time hardly grows. What
# does grow is scoring all rows once, and finding the cells.

sizes = [1_000, 10_000, 100_000, 1_000_000]
results, seconds = [], []
for n_rows in sizes:
    data = predictions(n_rows)
    began = time.perf_counter()
    test = PairedBootstrap(scoring="f1_macro", random_state=0).fit_predictions(*data)
    seconds.append(time.perf_counter() - began)
    results.append(test.result_)

for result, spent in zip(results, seconds, strict=True):
    low, high = result.confidence_interval
    print(
        f"{result.n_rows:>9,} rows: {result.delta:+.4f} [{low:+.4f}, {high:+.4f}], "
        f"p = {result.pvalue:.4f}, {spent:.1f} s, {result.engine}"
    )

# %%
# The difference of the two models is real and tiny. A thousand rows cannot show it.

fig, ax = plt.subplots(layout="constrained")
for place, result in enumerate(results):
    low, high = result.confidence_interval
    ax.plot([low, high], [place, place], color="#0072b2", linewidth=3)
    ax.plot(result.delta, place, "o", color="black")
ax.axvline(0, color="0.3", linestyle=":")
ax.set_yticks(range(len(sizes)), [f"{n:,} rows" for n in sizes])
ax.set_xlabel("difference in f1_macro (A - B), with 95 % interval")
ax.spines[["top", "right"]].set_visible(False)
plt.show()
