"""
Two fitted models and a test set
================================

You trained a new model and want to know whether it is better than the one in use. Both
have been fitted, and there is a held-out test set.
"""

# %%
# The data
# --------
# Handwritten digits: half of them for training, half for the comparison.

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

from skcompare import recommend_test_for_models

X_train, X_test, y_train, y_test = train_test_split(
    *load_digits(return_X_y=True), test_size=0.5, random_state=0
)
new = SVC(gamma=0.0005).fit(X_train, y_train)
old = RandomForestClassifier(random_state=0).fit(X_train, y_train)

# %%
# Which test?
# -----------
# :func:`~skcompare.recommend_test_for_models` recommends a test for the data and the
# metric, with reasons.

advice = recommend_test_for_models(new, old, X_test, y_test, scoring="f1_macro")
print(advice)

# %%
# The comparison
# --------------
# The recommended test is ready to be fitted. The result has a sentence, a table, and
# the hypothesis that was tested.

test = advice.test.set_params(random_state=0).fit(X_test, y_test, names=("new", "old"))
print(test.result_)

# %%
# The plot shows the differences on all resamples. The bar below the axis is the
# confidence interval; it is entirely to the right of 0.

test.result_.plot()

# %%
# On which rows do they differ?
# -----------------------------
# Look at the rows that only one of the two models gets right.

only_new = (new.predict(X_test) == y_test) & (old.predict(X_test) != y_test)
only_old = (new.predict(X_test) != y_test) & (old.predict(X_test) == y_test)
for digit in range(10):
    rows = y_test == digit
    print(
        f"{digit}: only the new model is right on {np.sum(only_new & rows):2}, "
        f"only the old one on {np.sum(only_old & rows)}"
    )

# %%
# Report the sentence above, with the number of rows and the test, and the signature
# needed to repeat it; see :ref:`reporting`.
