"""
Many differences in one plot
============================

Is A better in every metric, and on every part of the data? A forest plot shows one row
for each comparison, with the difference and its confidence interval, beside a line
at 0.
"""

# %%
# Several metrics
# ---------------
# All of them are computed on the same resamples. Markers are filled where the test is
# significant.

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import McNemar, PairedBootstrap, adjust_pvalues
from skcompare.results import ForestDisplay

X_train, X_test, y_train, y_test = train_test_split(
    *load_digits(return_X_y=True), test_size=0.5, random_state=0
)
a = GaussianNB(var_smoothing=1e-2).fit(X_train, y_train)
b = DecisionTreeClassifier(random_state=0).fit(X_train, y_train)

test = PairedBootstrap(
    a,
    b,
    scoring=["accuracy", "balanced_accuracy", "f1_macro", "matthews_corrcoef"],
    alternative="two-sided",
    n_resamples=1_999,
    random_state=0,
)
_ = ForestDisplay.from_results(test.fit(X_test, y_test).results_)

# %%
# The metrics agree. The intervals in such a plot are not independent: all of them are
# computed from the same test rows.
#
# Several slices
# --------------
# The same comparison for each digit:

pred_a, pred_b = a.predict(X_test), b.predict(X_test)
mcnemar = McNemar(alternative="two-sided")
slices = {}
for digit in range(10):
    rows = y_test == digit
    mcnemar.fit_predictions(y_test[rows], pred_a[rows], pred_b[rows])
    slices[f"{digit} ({rows.sum()} rows)"] = mcnemar.result_

# %%
# The p-values are adjusted for multiple comparisons, and markers are filled by the
# adjusted ones.

adjusted = adjust_pvalues([result.pvalue for result in slices.values()], "holm")
display = ForestDisplay(
    list(slices),
    [result.delta for result in slices.values()],
    [result.confidence_interval for result in slices.values()],
    highlighted=np.array(adjusted) <= 0.05,
    meaning="significant at 0.05 after Holm",
    xlabel="difference in accuracy (A - B)",
)
_ = display.plot()

# %%
# The lead comes from three digits. The interval of the digit 4 excludes 0, but its
# marker is hollow: of ten 95 % intervals, one may well miss the true value.
#
# The same as a table:

print(display.frame().round(3))
