"""
After GridSearchCV
==================

Is the winner of a search better than the default settings, or than the cheapest
candidate, and which score can be expected of it?
"""

# %%
# A search
# --------

from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV

from skcompare import SearchComparison, SimplestNotWorse

X, y = load_wine(return_X_y=True)
grid = {"n_estimators": [5, 20, 60], "max_depth": [1, 2, 4]}
forest = RandomForestClassifier(random_state=0)
search = GridSearchCV(forest, grid, cv=5, scoring="accuracy").fit(X, y)
print(search.best_params_, f"{search.best_score_:.3f}")

# %%
# The comparison
# --------------
# The scores of all splits are read from the search: nothing is fitted again.

comparison = SearchComparison(search, random_state=0).fit()
print(comparison.result_)

# %%
# Hollow markers: candidates that are not significantly worse than the best.

comparison.result_.plot()

# %%
# A cheaper model
# ---------------
# As ``refit`` of a search, :class:`~skcompare.SimplestNotWorse` chooses the simplest
# candidate that is at most one standard error of the difference worse than the best.

rule = SimplestNotWorse(["n_estimators", "max_depth"])
simple = GridSearchCV(forest, grid, cv=5, scoring="accuracy", refit=rule).fit(X, y)
score = simple.cv_results_["mean_test_score"][simple.best_index_]
print(simple.best_params_, f"{score:.3f}")
