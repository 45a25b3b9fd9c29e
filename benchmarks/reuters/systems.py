"""Fit the nine systems of the report."""

import time
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.decomposition import TruncatedSVD
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks.reuters import no_progress
from benchmarks.reuters.labels import SYSTEMS
from benchmarks.reuters.stump import SortedFeatures, Stump

N_DENSE = 768  # as many as DistilBERT's hidden state has

MODELS = {
    "Baseline": DummyClassifier(strategy="stratified", random_state=0),
    "NB": MultinomialNB(alpha=1.0),
    "kNN": KNeighborsClassifier(n_neighbors=45),
    "SVM": SVC(kernel="linear", C=1.0),
    "NNet": MLPClassifier((64,), random_state=0),  # ReLU, Adam, batches of 200
    "DT": DecisionTreeClassifier(random_state=0),
    "RF": RandomForestClassifier(100, random_state=0),
    "AB": AdaBoostClassifier(n_estimators=50),  # of stumps: see `predict`
    "DBERT": LogisticRegression(max_iter=1_000),
}
# The report has DistilBERT's features for these, and DistilBERT itself for the last.
DENSE = ("DT", "RF", "AB", "DBERT")
# Fitted once on all labels, since 90 fits would take from half an hour (the tree) to
# hours (the network). For the baseline and the neighbors it makes no difference.
AT_ONCE = ("Baseline", "kNN", "NNet", "DT", "RF")


class Features:
    """What the systems see: TF-IDF, and 768 dense columns made of it or supplied.

    Parameters
    ----------
    corpus : Corpus
        Its texts are a title, a newline and a body.
    dense : pair of ndarray, default=None
        Dense features of training and test documents; None takes the truncated SVD.
    titles : bool, default=False
        Whether the titles are read, too. The report's systems see bodies alone: so its
        numbers of words say.
    """

    def __init__(self, corpus, dense=None, *, titles=False):
        vectorizer = TfidfVectorizer(analyzer="word", stop_words="english")
        train, test = corpus.train, corpus.test
        if not titles:
            train, test = map(_bodies, (train, test))
        self.sparse = vectorizer.fit_transform(train), vectorizer.transform(test)
        self._dense = dense

    def of(self, system):
        """Return the features of training and test documents for a system."""
        return self.dense if system in DENSE else self.sparse

    @property
    def dense(self):
        """Dense columns; those of the SVD are computed when first used."""
        if self._dense is None:
            svd = TruncatedSVD(N_DENSE, random_state=0).fit(self.sparse[0])
            self._dense = tuple(
                svd.transform(X).astype(np.float32) for X in self.sparse
            )
        return self._dense


def _bodies(texts):
    return [text.partition("\n")[2] for text in texts]


def read_features(path, corpus):
    """Read dense features from a .npz file with arrays "train" and "test"."""
    with np.load(path) as stored:
        features = tuple(stored[part].astype(np.float32) for part in ("train", "test"))
    rows = tuple(len(part) for part in features)
    if rows != (len(corpus.train), len(corpus.test)):
        raise ValueError(
            "`--features` must hold a row a document, in the order of the corpus: "
            f"{len(corpus.train)} in 'train' and {len(corpus.test)} in 'test', but "
            f"{path} has {rows[0]} and {rows[1]}."
        )
    return features


def predict(system, corpus, features, *, one_vs_rest=False, report=no_progress):
    """Fit a system and return its predictions for the test documents, a 0/1 matrix."""
    X_train, X_test = features.of(system)
    model, began = MODELS[system], time.monotonic()
    if system == "AB":
        model = clone(model).set_params(estimator=Stump(SortedFeatures(X_train)))
    if system in AT_ONCE and not one_vs_rest:
        report(f"{system}: one fit for all labels ...")
        with warnings.catch_warnings():  # the network stops after 200 rounds
            warnings.simplefilter("ignore", ConvergenceWarning)
            fitted = clone(model).fit(X_train, corpus.y_train)
        predicted = fitted.predict(X_test)
    else:
        predicted = np.empty(corpus.y_test.shape, dtype=np.uint8)
        n_labels = len(corpus.categories)
        for label in range(n_labels):
            fitted = clone(model).fit(X_train, corpus.y_train[:, label])
            predicted[:, label] = fitted.predict(X_test)
            took = time.monotonic() - began
            left = took / (label + 1) * (n_labels - label - 1)
            report(
                f"{system}: {label + 1} of {n_labels} labels, about {left:.0f} s left"
            )
    report(f"{system}: {time.monotonic() - began:.0f} s", stays=True)
    return np.asarray(predicted, dtype=np.uint8)


def predict_all(
    corpus, features, *, cache=None, supplied=(), one_vs_rest=False, report=no_progress
):
    """Return the predictions of all systems.

    Parameters
    ----------
    corpus : Corpus
        Texts and labels.
    features : Features
        What the systems see.
    cache : Path, default=None
        A folder in which each system's matrix is kept as soon as it is there, so that
        a run can be taken up again.
    supplied : dict of ndarray, default=()
        Predictions of systems that are not to be fitted.
    one_vs_rest : bool, default=False
        Whether to fit every system once a label.
    report : callable, default=no_progress
        Where progress goes: called with a line, and with ``stays=True`` if the next
        one is not to be written over it.

    Returns
    -------
    dict of ndarray
        A 0/1 matrix for each system.
    """
    predictions = dict(supplied)
    for system in SYSTEMS:
        kept = cache and cache / f"{system}.npy"
        if system in predictions:
            report(f"{system}: as supplied", stays=True)
        elif kept and kept.exists():
            predictions[system] = np.load(kept)
            report(f"{system}: from {kept}", stays=True)
        else:
            predictions[system] = predict(
                system, corpus, features, one_vs_rest=one_vs_rest, report=report
            )
            if kept:
                np.save(kept, predictions[system])
    return predictions
