"""
Two fitted models and a test set
================================

You trained a new model and want to know whether it is better than the one in use. Both have
been fitted; some rows were kept aside that neither has seen.
"""

# %%
# The data
# --------
# Handwritten digits: half of them to learn from, half to compare on.

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
# The advice looks at the data and the metric, names a test, and says why.

advice = recommend_test_for_models(new, old, X_test, y_test, scoring="f1_macro")
print(advice)

# %%
# The comparison
# --------------
# The test that was recommended is ready to be fitted. The result is a sentence, a table, and what
# was tested.

test = advice.test.set_params(random_state=0).fit(X_test, y_test, names=("new", "old"))
print(test.result_)

# %%
# The plot shows the differences on all resamples. The bar below the axis is the confidence
# interval; it is all to the right of 0.

test.result_.plot()

# %%
# Where do they differ?
# ---------------------
# A look at the rows that only one of the two gets right is worth more than any p-value.

only_new = (new.predict(X_test) == y_test) & (old.predict(X_test) != y_test)
only_old = (new.predict(X_test) != y_test) & (old.predict(X_test) == y_test)
for digit in range(10):
    rows = y_test == digit
    print(
        f"{digit}: only the new model is right on {np.sum(only_new & rows):2}, "
        f"only the old one on {np.sum(only_old & rows)}"
    )

# %%
# What to report: the sentence above, with the number of rows and the test in it, and the signature
# that says how to repeat it. :ref:`reporting` has more.
