"""
Right or wrong: McNemar's test
==============================

If a row is either right or wrong, the outcome is categorical, and a t-test is not
appropriate. McNemar's test is: it uses the rows that exactly one of the two models gets
right.
"""

# %%
# Two classifiers of digits
# -------------------------

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedTTest, check_choice, recommend_test_for_models

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0)
a = GaussianNB(var_smoothing=1e-2).fit(X_train, y_train)
b = DecisionTreeClassifier(random_state=0).fit(X_train, y_train)

# %%
# The advice
# ----------
# The reasons are the path through the :ref:`decision tree
# <sphx_glr_auto_gallery_advice_plot_which_test_tree.py>`.

advice = recommend_test_for_models(a, b, X_test, y_test, scoring="accuracy")
print(advice)

# %%
# The test is ready to be fitted.

test = advice.test.fit(X_test, y_test)
print(test.result_.sentence())

# %%
# Discordant rows
# ---------------
# Rows on which both models are right, or both wrong, contain no information on which is
# better. If the models were equally good, each would be right on about half of the
# other rows.

(both, only_a), (only_b, neither) = test.table_
fig, ax = plt.subplots(figsize=(7, 2.8), layout="constrained")
parts = {
    "both right": (both, "0.85"),
    "only A": (only_a, "#0072b2"),
    "only B": (only_b, "#e69f00"),
    "both wrong": (neither, "0.7"),
}
left = 0
for name, (count, color) in parts.items():
    ax.barh("all rows", count, left=left, color=color, label=f"{name}: {count}")
    left += count
only_those = only_a + only_b
ax.barh("discordant rows", left * only_a / only_those, color="#0072b2")
ax.barh(
    "discordant rows",
    left * only_b / only_those,
    left=left * only_a / only_those,
    color="#e69f00",
)
ax.axvline(left / 2, color="black", linestyle=":", linewidth=1)
ax.set(xticks=[], title=f"McNemar, mid-p: p = {test.pvalue_:.2g}")
ax.invert_yaxis()
ax.spines[:].set_visible(False)
ax.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.5, 0), frameon=False)

# %%
# The dotted line is the expected boundary if the models were equally good.
#
# Checking another choice
# -----------------------
# :func:`~skcompare.check_choice` rejects a t-test for these data.

pred_a, pred_b = a.predict(X_test), b.predict(X_test)
print(check_choice(PairedTTest(scoring="accuracy"), y_test, pred_a, pred_b))
