"""
After GridSearchCV
==================

A search names a winner. Is it better than the default settings, or than the cheapest candidate,
and what score may be expected of it?
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
# What it showed
# --------------
# The comparison reads the scores of all splits from the search: nothing is fitted again.

comparison = SearchComparison(search, random_state=0).fit()
print(comparison.result_)

# %%
# Hollow candidates are not significantly worse than the best.

comparison.result_.plot()

# %%
# A cheaper model
# ---------------
# As ``refit`` of a search, :class:`~skcompare.SimplestNotWorse` takes the simplest candidate that is
# not worse than the best by more than the uncertainty of their difference.

rule = SimplestNotWorse(["n_estimators", "max_depth"])
simple = GridSearchCV(forest, grid, cv=5, scoring="accuracy", refit=rule).fit(X, y)
score = simple.cv_results_["mean_test_score"][simple.best_index_]
print(simple.best_params_, f"{score:.3f}")
