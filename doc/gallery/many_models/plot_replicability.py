"""
In how many data sets?
======================

A was compared with B on eight data sets. Each has a p-value; in how many of them is A better, beyond
what eight chances would give anyway?
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
# Four p-values are below 0.05, and fewer data sets are shown to have an effect. The line is the
# boundary that the sorted p-values must stay below.

result.plot()
