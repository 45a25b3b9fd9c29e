"""
Who is right where
==================

Two models with nearly the same accuracy may err on the same rows or on different ones.
The table of who is right where tells which.
"""

# %%
# Right and wrong
# ---------------
# Rows on which the models agree, in gray, say nothing about which is better. What counts is the
# balance of the other two cells: :class:`~skcompare.McNemar` asks whether it could be that
# of a fair coin.

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import McNemar
from skcompare.results import DisagreementDisplay

X_train, X_test, y_train, y_test = train_test_split(
    *load_digits(return_X_y=True), test_size=0.5, random_state=0
)
a = GaussianNB(var_smoothing=1e-2).fit(X_train, y_train)
b = DecisionTreeClassifier(random_state=0).fit(X_train, y_train)

test = McNemar(a, b).fit(X_test, y_test)
print(test.result_.sentence())

# %%
# The result draws its table. The same plot can be had without a test.

_ = DisagreementDisplay.from_estimators(a, b, X_test, y_test)

# %%
# The rows that only one of them gets right are many more than the difference in accuracy
# lets one think: here there may be something to gain from combining the models.
#
# Prediction by prediction
# ------------------------
# What does each predict instead of the other? In blue are cells above the diagonal,
# in orange those below.

display = DisagreementDisplay.from_estimators(a, b, X_test, y_test, kind="predictions")

# %%
# The largest disagreements:

pairs = display.frame().stack()
pairs = pairs[[one != other for one, other in pairs.index]]
print(pairs.sort_values(ascending=False).head(4))
