"""
An HTML report
==============

Two classifiers of tumors are compared on all rows, on slices and on single rows, in one
self-contained HTML page.
"""

# %%
# The test
# --------
# Which of the two is better on a held-out test set?

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare import ComparisonReport, PairedBootstrap, report

X_train, X_test, y_train, y_test = train_test_split(
    *load_breast_cancer(return_X_y=True, as_frame=True), test_size=0.5, random_state=0
)
a = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
b = GaussianNB().fit(X_train, y_train)

test = PairedBootstrap(a, b, scoring="accuracy", random_state=0).fit(X_test, y_test)
_ = test.result_.plot()

# %%
# The slices
# ----------
# Is it better for tumors of all sizes? The edges were chosen without looking at the
# predictions of the models: they divide the training rows into thirds.

edges = X_train["mean radius"].quantile([1 / 3, 2 / 3])
sizes = np.array(["1 small", "2 medium", "3 large"])
size = sizes[np.digitize(X_test["mean radius"], edges)]

# %%
# The report
# ----------
# In a notebook, as here, a report is displayed. ``save("tumors.html")`` writes the page
# to a file, and ``save("tumors.tex")`` the tables for a paper. Click on a column header
# to sort a table.

ComparisonReport(
    test,
    title="Logistic regression against naive Bayes",
    slices={"size": size},
    n_disagreements=5,
    X=X_test,
)

# %%
# For a pull request, :func:`~skcompare.report` returns Markdown:

print(report(test, format="markdown"))
