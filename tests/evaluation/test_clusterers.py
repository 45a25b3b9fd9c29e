"""Cluster labels of different folds are not the same labels."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare import CorrectedTTest, PairedBootstrap, PairwiseComparison

SCORE = "adjusted_rand_score"


@pytest.fixture(scope="module")
def blobs():
    """Two halves of the same four clusters."""
    X, y = make_blobs(160, centers=4, random_state=0)
    return X[:80], X[80:], y[80:]


def pair():
    return (
        KMeans(4, n_init=1, random_state=0),
        make_pipeline(StandardScaler(), KMeans(3, n_init=1, random_state=0)),
    )


@pytest.mark.parametrize("place", ["estimator_a", "estimator_b"])
def test_clusterers_with_folds_are_refused(place, blobs):
    _, X, y = blobs
    models = dict(zip(("estimator_a", "estimator_b"), pair(), strict=True))
    test = PairedBootstrap(**models, cv=4, scoring=SCORE, n_resamples=9)
    if place == "estimator_b":
        test.set_params(estimator_a=Majority())
    with pytest.raises(
        ValueError, match=f"`{place}` must not be a clusterer with `cv`"
    ):
        test.fit(X, y)


class Majority:
    """A model of another library, which has no type."""

    def fit(self, X, y):
        self.label = np.bincount(y).argmax()
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


def test_clusterers_with_folds_are_refused_in_all_pairs(blobs):
    _, X, y = blobs
    models = list(zip(("four", "three"), pair(), strict=True))
    test = PairedBootstrap(scoring=SCORE, n_resamples=9)
    with pytest.raises(ValueError, match="must not be a clusterer with `cv`"):
        PairwiseComparison(models, test=test, cv=4).fit(X, y)


def test_fitted_clusterers_are_compared(blobs):
    X_train, X, y = blobs
    models = [model.fit(X_train) for model in pair()]
    test = PairedBootstrap(*models, scoring=SCORE, n_resamples=49, random_state=0)
    test.fit(X, y)
    assert test.delta_ > 0


def test_tests_of_fold_scores_take_clusterers(blobs):
    _, X, y = blobs
    test = CorrectedTTest(*pair(), cv=4, scoring=SCORE).fit(X, y)
    assert test.delta_ > 0
