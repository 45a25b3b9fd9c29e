"""
Nested cross-validation
=======================

With little data and models with parameters to tune, tuning and comparing on the same
folds favors the model that was tuned most. Nested cross-validation tunes within each
training set, so that *procedures*, including the search, are compared.
"""

# %%
# Two procedures
# --------------
# A search is an estimator: skcompare accepts a search wherever it accepts a model.

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare import CorrectedTTest, PairedBootstrap

X, y = load_breast_cancer(return_X_y=True)
logistic = GridSearchCV(
    make_pipeline(StandardScaler(), LogisticRegression()),
    {"logisticregression__C": [0.1, 1]},
    cv=3,
)
neighbors = GridSearchCV(
    make_pipeline(StandardScaler(), KNeighborsClassifier()),
    {"kneighborsclassifier__n_neighbors": [5, 15]},
    cv=3,
)

# %%
# The fitted models
# -----------------
# With ``cv=5`` each row is predicted by procedures that were tuned and fitted without
# it. The bootstrap then resamples rows. The result is about the models that were fitted
# on these training sets.

test = PairedBootstrap(logistic, neighbors, scoring="accuracy", cv=5, random_state=0)
print(test.fit(X, y, names=("logistic", "neighbors")).result_)

# %%
# The learning algorithms
# -----------------------
# Would the same procedure be better on other training sets of this size? This is tested
# with the fold scores and a variance that is corrected for the overlap of training
# sets.

learning = CorrectedTTest(logistic, neighbors, scoring="accuracy", cv=10)
print(learning.fit(X, y, names=("logistic", "neighbors")).result_)

# %%
# The two confidence intervals, for different estimands.

fig, ax = plt.subplots(figsize=(7, 2.4), layout="constrained")
questions = {"these models, new rows": test, "learning, new training sets": learning}
for height, fitted in enumerate(questions.values()):
    low, high = fitted.confidence_interval_
    ax.plot([low, high], [height, height], color="#0072b2", linewidth=4)
    ax.plot(fitted.delta_, height, "o", color="#0072b2", markersize=9)
ax.axvline(0, color="0.4", linestyle=":")
ax.set_yticks(range(2), list(questions))
ax.set(xlabel="difference in accuracy (logistic - neighbors)", ylim=(-0.6, 1.6))
ax.spines[["top", "right", "left"]].set_visible(False)
