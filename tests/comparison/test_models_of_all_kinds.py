"""Models and data that scikit-learn takes are taken, or refused with an error."""

import inspect

import numpy as np
import pytest
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import KFold, cross_val_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

import skcompare
from skcompare import CorrectedTTest, PairedBootstrap

quiet = pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")

TESTS = [
    kind
    for kind in vars(skcompare).values()
    if inspect.isclass(kind) and "predictions" in getattr(kind, "takes", ())
]


@quiet
@pytest.mark.parametrize("name", ["groups", "strata", "sample_weight"])
@pytest.mark.parametrize("kind", TESTS)
def test_inputs_that_a_test_does_not_take_are_refused(kind, name):
    rng, rows = np.random.default_rng(0), np.arange(120) // 3
    truth = rng.integers(2, size=120)
    predictions = truth + rng.normal(size=(2, 120))
    if kind.__name__ not in ("DeLong", "CorrelationTest"):
        predictions = (predictions > 0.5).astype(int)
    if kind.__name__ == "CochranQ":  # of many models
        predictions = [{str(i): p for i, p in enumerate([*predictions, truth])}]
    fit = kind().fit_predictions
    if name in kind.takes:
        fit(truth, *predictions, **{name: rows + 1 if name != "strata" else rows // 20})
    else:
        with pytest.raises(ValueError, match=f"`{name}` must be None"):
            fit(truth, *predictions, **{name: rows})


@quiet
def test_a_comparison_of_kernel_machines_takes_kernels():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + rng.normal(size=60) > 0).astype(int)
    models = SVC(kernel="precomputed"), SVC(C=0.1, kernel="precomputed")
    test = PairedBootstrap(*models, cv=3, n_resamples=99, random_state=0)
    scores = cross_val_score(test, X @ X.T, y, cv=3, error_score="raise")
    assert np.isfinite(scores).all()


@quiet
def test_several_outputs_of_several_classes_are_cross_validated():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 3)), rng.integers(3, size=(90, 2))
    scorer = make_scorer(lambda truth, predicted: np.mean(truth == predicted))
    models = (MultiOutputClassifier(m) for m in (GaussianNB(), LogisticRegression()))
    test = PairedBootstrap(*models, scoring=scorer, cv=3, n_resamples=99)
    assert 0 < test.fit(X, y).score_a_ < 1


@quiet
def test_a_winner_that_extension_changes_is_not_fitted():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=80) > 0.5).astype(int)
    models = GaussianNB(), LogisticRegression()
    test = PairedBootstrap(*models, cv=3, n_resamples=19, random_state=0).fit(X, y)
    alphas = test.pvalue_, test.extend(980).pvalue_
    assert alphas[0] != alphas[1]
    # A level between the two p-values turns the decision.
    test.set_params(alpha=np.mean(alphas)).fit(X, y).extend(980)
    assert "best_estimator_" not in vars(test)
    with pytest.raises(AttributeError, match="`extend` changed the winner"):
        test.classes_  # noqa: B018
    # Models that are fitted already need no fit.
    fitted = [model.fit(X, y) for model in models]
    test = PairedBootstrap(*fitted, n_resamples=19, random_state=0).fit(X, y)
    alphas = test.pvalue_, test.extend(980).pvalue_
    before = test.set_params(alpha=np.mean(alphas)).fit(X, y).best_estimator_
    assert {before, test.extend(980).best_estimator_} == set(fitted)


class Timed(KFold):
    """Folds of a time that comes with the data, which the splitter requests."""

    def __init__(self, n_splits):
        super().__init__(n_splits)
        self.set_split_request(time=True)

    def split(self, X, y=None, groups=None, time=None):
        yield from super().split(np.asarray(time))


@quiet
def test_a_splitter_gets_the_metadata_that_it_requests():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(2, size=60)
    models = GaussianNB(), LogisticRegression()
    with config_context(enable_metadata_routing=True):
        test = PairedBootstrap(*models, cv=Timed(3), n_resamples=99, random_state=0)
        assert len(test.fit(X, y, time=np.arange(60)).fold_) == 60
        fold_test = CorrectedTTest(*models, cv=Timed(3)).fit(X, y, time=np.arange(60))
        assert np.isfinite(fold_test.pvalue_)
        with pytest.raises(TypeError, match="set_split_request on the splitter"):
            test.fit(X, y, time=np.arange(60), place=np.arange(60))
