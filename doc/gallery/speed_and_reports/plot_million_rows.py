"""
A million rows in a second
==========================

A loop over ten thousand bootstrap resamples of macro F1 on a million rows would take
more than an hour. But with five classes there are at most 125 distinct rows (truth,
prediction of A, prediction of B). A resample is one multinomial draw of their counts,
and takes no longer than for a thousand rows.
"""

import time

import matplotlib.pyplot as plt
import numpy as np

from skcompare import PairedBootstrap

rng = np.random.default_rng(0)


def predictions(n_rows):
    """Make a truth and two models that are right on about 86.5 % and 86 %."""
    truth = rng.integers(0, 5, n_rows)

    def model(share):
        return np.where(rng.random(n_rows) < share, truth, rng.integers(0, 5, n_rows))

    return truth, model(0.831), model(0.825)


# %%
# With more rows, the interval becomes narrower, and the time hardly increases. What
# increases is the time for scoring all rows once and for counting the distinct ones.

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
# The difference between the two models is too small to be detected with a thousand
# rows.

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
