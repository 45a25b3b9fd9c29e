"""
Disagreements between two classifiers
=====================================

Two models with nearly the same accuracy may err on the same rows or on different ones.
A table of the rows on which both, one or none of them are right shows which is the
case.
"""

# %%
# Right and wrong
# ---------------
# The gray cells, rows on which both models are right or both wrong, contain no
# information on which is better. :class:`~skcompare.McNemar` tests whether the counts
# of the other two cells differ by more than chance.

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
# The result draws its table. The same plot can be made without a test:

_ = DisagreementDisplay.from_estimators(a, b, X_test, y_test)

# %%
# The number of rows that only one model gets right is much larger than the difference
# in accuracy suggests: combining the models may help.
#
# By predicted class
# ------------------
# Predicted classes on the rows on which the predictions differ: cells above the
# diagonal are blue, those below are orange.

display = DisagreementDisplay.from_estimators(a, b, X_test, y_test, kind="predictions")

# %%
# The largest disagreements:

pairs = display.frame().stack()
pairs = pairs[[one != other for one, other in pairs.index]]
print(pairs.sort_values(ascending=False).head(4))
