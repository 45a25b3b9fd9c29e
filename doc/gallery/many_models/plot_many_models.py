"""
All pairs of ten models
=======================

Ten classifiers of handwritten digits make 45 pairs. Which pairs are significantly
different, and which models are not significantly worse than the best?
"""

# %%
# Ten models, one test set
# ------------------------

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairwiseComparison

X_train, X_test, y_train, y_test = train_test_split(
    *load_digits(return_X_y=True), test_size=0.5, random_state=0
)
models = [
    ("Gaussian NB", GaussianNB()),
    ("Bernoulli NB", BernoulliNB(binarize=4)),
    ("tree", DecisionTreeClassifier(random_state=0)),
    ("forest", RandomForestClassifier(random_state=0)),
    ("extra trees", ExtraTreesClassifier(random_state=0)),
    ("LDA", LinearDiscriminantAnalysis()),
    ("ridge", RidgeClassifier()),
    ("logistic", make_pipeline(MinMaxScaler(), LogisticRegression(max_iter=1_000))),
    ("neighbors", KNeighborsClassifier()),
    ("SVC", SVC()),
]
fitted = [(name, model.fit(X_train, y_train)) for name, model in models]

# %%
# All pairs
# ---------
# Macro F1 of all models on the same 9,999 resamples. The :term:`max-t` correction for
# multiple comparisons accounts for the correlation between the 45 differences.

comparison = PairwiseComparison(
    fitted, scoring="f1_macro", correction="max-t", random_state=0
).fit(X_test, y_test)
result = comparison.result_
print(result.sentence())
print()
for name in result.ranking:
    score = result.scores[result.names.index(name)]
    print(f"{name:<13} {score:.3f}  {result.letters[name]}")

# %%
# Models that share a letter are not significantly different. The heat map shows all
# adjusted p-values, smaller ones darker. A plus sign means that the model of the row is
# significantly better.

_ = result.plot()

# %%
# The best model and the others
# -----------------------------
# The 95 % confidence intervals are simultaneous for all 45 pairs.

fig, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
_ = result.plot(ax=ax, kind="forest")

# %%
# If an interval contains zero, the difference from the best model is not significant.
# The :ref:`user guide <many_models>` explains the corrections, and how to compare with
# a model that is in production.
