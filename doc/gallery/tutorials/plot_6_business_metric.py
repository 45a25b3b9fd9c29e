"""
A business metric
=================

Missing a fraud costs 100, a false alarm 5. Accuracy ignores these costs; a metric of
your own can use them. :func:`sklearn.metrics.make_scorer` turns any function into a
scorer.
"""

# %%
# Data and costs
# --------------

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import train_test_split

from skcompare import PairedBootstrap

COSTS = np.array([[0, 5], [100, 0]])  # rows: truth, columns: prediction


def cost(y_true, y_pred):
    """Return the mean cost of a decision."""
    return COSTS[y_true, y_pred].mean()


X, y = make_classification(5_000, weights=[0.9], n_informative=6, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.6, random_state=0)
new = HistGradientBoostingClassifier(class_weight={0: 1, 1: 10}, random_state=0)
old = LogisticRegression(class_weight={0: 1, 1: 10})
new, old = new.fit(X_train, y_train), old.fit(X_train, y_train)

# %%
# Two metrics at once
# -------------------
# ``greater_is_better=False`` reverses the sign, so that scores are higher for better
# models.

scoring = {
    "cost": make_scorer(cost, greater_is_better=False),
    "accuracy": "accuracy",
}
test = PairedBootstrap(new, old, scoring=scoring, random_state=0)
test = test.fit(X_test, y_test, names=("new", "old"))
for result in test.results_.values():
    print(result.sentence())
    print()

# %%
# In money
# --------
# The new model is right more often, but costs more: it misses more frauds. The two
# metrics favor different models, and both differences are significant. Choose the
# primary metric before the comparison.

result = test.results_["cost"]
low, high = result.confidence_interval
print(
    f"saved for each decision: {result.delta:.2f}, 95 % interval [{low:.2f}, {high:.2f}]"
)
print(f"engine: {result.engine}")
result.plot()

# %%
# :ref:`own_metrics` explains how user-defined metrics are resampled as fast as built-in
# ones.
