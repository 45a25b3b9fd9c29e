"""
A metric of your own, recognized
================================

A metric of your own, here an F2 written in NumPy, is recognized as a ratio of sums by
calling it on a few rows. Its resamples are then fast, and the contributions of the rows
show where the models lose score.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedBootstrap
from skcompare.metrics import recognize_metric


def f2(y_true, y_pred):
    """Weigh a missed positive four times as much as a false alarm."""
    right = np.sum((y_true == 1) & (y_pred == 1))
    missed = np.sum((y_true == 1) & (y_pred == 0))
    alarms = np.sum((y_true == 0) & (y_pred == 1))
    return 5 * right / (5 * right + 4 * missed + alarms)


X, y = make_classification(4_000, weights=[0.8], flip_y=0.1, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
models = {
    "logistic": LogisticRegression().fit(X_train, y_train),
    "tree": DecisionTreeClassifier(max_depth=6, random_state=0).fit(X_train, y_train),
}

# %%
# The test recognizes the metric; ``engine`` shows its kind.

test = PairedBootstrap(*models.values(), scoring=make_scorer(f2), random_state=0)
test.fit(X_test, y_test)
print(test.result_.engine)
print(test.result_)

# %%
# The influence of a row is how much the score would change without it. Its sums over
# kinds of rows show where the two models lose score.

kinds = {"missed": (1, 0), "false alarm": (0, 1), "right positive": (1, 1)}
figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
for place, (name, model) in enumerate(models.items()):
    predicted = model.predict(X_test)
    recognized = recognize_metric(f2, y_test, predicted)
    sums = [
        recognized.influence[(y_test == true) & (predicted == guess)].sum()
        for true, guess in kinds.values()
    ]
    axes.barh(np.arange(3) + 0.35 * place, sums, height=0.35, label=name)
axes.set(
    yticks=np.arange(3) + 0.175, yticklabels=kinds, xlabel="influence on F2, summed"
)
axes.axvline(0, color="black", linewidth=0.8)
axes.legend()
plt.show()
