"""
Five models
===========

Five models form ten pairs. Some differences may be large by chance, so the p-values are
corrected for multiple comparisons. The result is a set of models that may be the best.
"""

# %%
# Five regressors
# ---------------

from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import Lasso, LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from skcompare import PairwiseComparison

X, y = load_diabetes(return_X_y=True)
models = [
    ("linear", LinearRegression()),
    ("lasso", Lasso(alpha=0.1)),
    ("neighbors", KNeighborsRegressor(20)),
    ("tree", DecisionTreeRegressor(max_depth=4, random_state=0)),
    ("forest", RandomForestRegressor(random_state=0)),
]

# %%
# All pairs
# ---------
# The out-of-fold predictions of all models are from the same five folds, and all pairs
# are compared on the same resamples.

comparison = PairwiseComparison(
    models, scoring="neg_mean_absolute_error", cv=5, random_state=0
).fit(X, y)
print(comparison.result_)

# %%
# Models that share a letter are not significantly different.

for name in comparison.result_.ranking:
    print(f"{name:10} {comparison.result_.letters[name]}")

# %%
# The adjusted p-values of all pairs.

comparison.result_.plot()
