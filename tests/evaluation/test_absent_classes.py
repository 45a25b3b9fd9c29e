"""Training rows without a class of the test rows: cross-validation warns."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skcompare import CorrectedTTest, PairedBootstrap
from skcompare.exceptions import DegenerateDataWarning, LabelMismatchWarning

RNG = np.random.default_rng(0)
Y = np.where(np.arange(120) < 110, np.array(["a", "b"] * 60), "c")  # c comes last
X = RNG.normal(size=(120, 2)) + (Y == "b")[:, None]

TESTS = {
    "rows": lambda a, b, cv: PairedBootstrap(
        a, b, cv=cv, n_resamples=99, random_state=0
    ),
    "folds": lambda a, b, cv: CorrectedTTest(a, b, cv=cv),
}
MESSAGE = "In 1 of 3 splits the training rows lack a class: .* Use StratifiedKFold"


@pytest.mark.parametrize("kind", TESTS)
def test_training_rows_without_a_class_are_warned_of(kind):
    test = TESTS[kind](LogisticRegression(), GaussianNB(), KFold(3))
    with pytest.warns(DegenerateDataWarning, match=MESSAGE):
        test.fit(X, Y)
    assert "training rows lack a class" in str(test.result_)


@pytest.mark.parametrize("kind", TESTS)
def test_splits_with_all_classes_in_training_are_not(kind):
    for cv in (StratifiedKFold(3), KFold(3, shuffle=True, random_state=0)):
        TESTS[kind](LogisticRegression(), GaussianNB(), cv).fit(X, Y)


def test_a_class_that_no_test_row_has_does_not_count():
    rows = np.arange(110)  # those of c are neither trained on nor tested
    splits = [(rows[:55], rows[55:]), (rows[55:], rows[:55])]
    TESTS["rows"](LogisticRegression(), GaussianNB(), splits).fit(X, Y)


def test_numbers_and_several_labels_have_no_class_to_lack():
    values = np.arange(120) // 40
    TESTS["folds"](Ridge(), DummyRegressor(), KFold(3)).fit(X, values)
    labels = np.column_stack([Y == "b", np.arange(120) % 2]).astype(int)
    models = KNeighborsClassifier(), KNeighborsClassifier(3)
    TESTS["rows"](*models, KFold(3)).fit(X, labels)


# Labels that do not occur in the truth


def with_label(n):
    labels = np.array(["a", "b"] * 60, dtype=object)
    labels[:n] = "invalid"
    return labels


@pytest.mark.parametrize("scoring", ["f1_macro", "precision_macro", "jaccard_macro"])
def test_averages_over_different_labels_are_warned_of(scoring):
    test = PairedBootstrap(scoring=scoring, n_resamples=99, random_state=0)
    with pytest.warns(LabelMismatchWarning, match="'invalid' by B") as caught:
        test.fit_predictions(with_label(0), with_label(0), with_label(3))
    remedy = f"make_scorer({scoring.split('_')[0]}_score, average='macro', pos_label="
    assert remedy in str(caught[0].message)
    assert f"{scoring} averages over different labels" in test.result_.cautions


@pytest.mark.parametrize("scoring", ["f1_weighted", "f1_micro", "accuracy"])
def test_other_averages_do_not_depend_on_predicted_labels(scoring):
    test = PairedBootstrap(scoring=scoring, n_resamples=99, random_state=0)
    test.fit_predictions(with_label(0), with_label(2), with_label(3))


def test_averages_over_the_same_labels_are_not_warned_of():
    test = PairedBootstrap(scoring="f1_macro", n_resamples=99, random_state=0)
    test.fit_predictions(with_label(0), with_label(2), with_label(3))
    fixed = make_scorer(f1_score, average="macro", pos_label=None, labels=["a", "b"])
    test.set_params(scoring=fixed)
    test.fit_predictions(with_label(0), with_label(0), with_label(3))
