"""Models for the many fits of scikit-learn's checks of estimators."""

from sklearn.linear_model import LogisticRegression

# A few steps will do: how well models predict is not what is checked.
FEW_STEPS = (
    LogisticRegression(max_iter=5),
    LogisticRegression(C=0.1, max_iter=5),
)
