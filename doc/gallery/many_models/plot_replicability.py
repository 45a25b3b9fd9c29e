"""
On how many data sets is A better?
==================================

A was compared with B on eight data sets, and each comparison has a p-value. On how many
of them is A better? The number of small p-values overestimates it.
"""

# %%
# Eight comparisons
# -----------------
# The p-values are those of one test, run on each data set.

from skcompare import replicability_analysis

pvalues = {
    "news": 0.0004,
    "reviews": 0.003,
    "mail": 0.011,
    "forums": 0.04,
    "chats": 0.06,
    "speech": 0.21,
    "letters": 0.38,
    "tweets": 0.64,
}
result = replicability_analysis(pvalues)
print(result.sentence())

# %%
# Four p-values are below 0.05, but an effect is shown for fewer data sets. The line is
# the boundary that the sorted p-values are compared with.

result.plot()
