"""A decision stump that sorts its features once, for 90 times 50 rounds of boosting."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

AT_A_TIME = 16  # features, so that what is computed of them stays in the cache
TINY = 1e-12  # of weights that sum to 1
SAME = 1e-7  # values closer than that are not split, as in scikit-learn


class SortedFeatures:
    """The order of the rows in each feature, and between which of them one can split.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Numbers.
    """

    def __init__(self, X):
        self.order = np.ascontiguousarray(np.argsort(X, axis=0).T)
        values = np.take_along_axis(X.T, self.order, axis=1)
        self.equal = values[:, 1:] <= values[:, :-1] + SAME

    def __deepcopy__(self, memo):
        """Return itself: scikit-learn copies parameters with every clone."""
        return self


class Stump(ClassifierMixin, BaseEstimator):
    """A tree of depth 1 by the Gini index, as AdaBoost's usual one but faster.

    It chooses the split of ``DecisionTreeClassifier(max_depth=1)`` (of several equally
    good ones the first), for labels 0 and 1. Sorting is most of that tree's work, and
    boosting only changes the weights: so the rows are sorted beforehand.

    Parameters
    ----------
    sorted_features : SortedFeatures
        Those of the rows that are passed to `fit`.
    """

    def __init__(self, sorted_features):
        self.sorted_features = sorted_features

    def fit(self, X, y, sample_weight):
        """Find the best split of weighted rows."""
        order, equal = self.sorted_features.order, self.sorted_features.equal
        positive = sample_weight * y
        total, positives = sample_weight.sum(), positive.sum()
        best = -np.inf
        for first in range(0, len(order), AT_A_TIME):
            rows = order[first : first + AT_A_TIME]
            left = np.cumsum(np.take(sample_weight, rows), axis=1)[:, :-1]
            left_positive = np.cumsum(np.take(positive, rows), axis=1)[:, :-1]
            # The Gini index is least where this is largest.
            right = np.maximum(total - left, TINY)  # rounding can make it 0
            purity = left_positive**2 / left
            purity += (positives - left_positive) ** 2 / right
            purity[equal[first : first + AT_A_TIME]] = -np.inf
            feature, place = np.unravel_index(np.argmax(purity), purity.shape)
            if purity[feature, place] > best:
                best = purity[feature, place]
                below = left[feature, place], left_positive[feature, place]
                self.feature_ = first + int(feature)
                neighbors = rows[feature, place : place + 2]
                self.threshold_ = X[neighbors, self.feature_].mean()
        above = total - below[0], positives - below[1]
        self.labels_ = tuple(int(ones > n / 2) for n, ones in (below, above))
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        """Return the label of the side of the split on which each row lies."""
        return np.where(X[:, self.feature_] <= self.threshold_, *self.labels_)
