"""
Several models on several data sets
===================================

Scores of different data sets should not be averaged: a gain of one point is small if
all models score 60 % and large if they score 99 %. Ranks can be averaged. The
critical-difference diagram of Demsar (2006) shows mean ranks over data sets.
"""

# %%
# A table of scores
# -----------------
# Six classifiers on four data sets that ship with scikit-learn and eight simulated
# ones, scored by cross-validation.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_moons,
)
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from skcompare import RankComparison

data_sets = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "breast cancer": load_breast_cancer(return_X_y=True),
    "digits": load_digits(return_X_y=True),
    "moons": make_moons(300, noise=0.3, random_state=0),
}
for number in range(7):
    data_sets[f"made {number}"] = make_classification(
        300, 10 + 2 * number, n_informative=3 + number, flip_y=0.1, random_state=number
    )
models = {
    "dummy": DummyClassifier(),
    "NB": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "neighbors": KNeighborsClassifier(),
    "logistic": LogisticRegression(max_iter=1_000),
    "SVC": SVC(),
}
scores = {
    name: [
        cross_val_score(make_pipeline(StandardScaler(), model), X, y, cv=5).mean()
        for X, y in data_sets.values()
    ]
    for name, model in models.items()
}
for name, of_model in scores.items():
    print(f"{name:<11}", np.round(of_model, 3))

# %%
# Do the models differ at all, and which?
# ---------------------------------------

comparison = RankComparison().fit_scores(scores)
print(comparison.omnibus_.sentence())
print()
print(comparison.result_)

# %%
# The diagram
# -----------
# Models are placed by their mean ranks, best on the right. Bars join models whose mean
# ranks differ by less than the critical difference: they are not significantly
# different.

fig, ax = plt.subplots(figsize=(8, 3), layout="constrained")
_ = comparison.result_.plot(ax=ax)

# %%
# Twelve data sets are few: for six models, mean ranks differ significantly only if they
# are about two apart. The :ref:`user guide <many_data_sets>` has more.
