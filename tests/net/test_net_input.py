"""What is refused, by the names of parameters and the remedy, not by sentences."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.metrics import accuracy_score, fbeta_score, make_scorer
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from skcompare import McNemar, PairedBootstrap, adjust_pvalues
from skcompare.cli import main

pytestmark = pytest.mark.usefixtures("quiet")

MID_P = "mid-p"
METHODS = ["bonferroni", "holm", "hochberg", "bh", "by", "none"]


# P-values


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("wrong", [-0.1, -1e-12, 1.1])
def test_pvalues_outside_of_0_and_1_are_refused(wrong, method):
    with pytest.raises(ValueError, match=rf"`pvalues`.*{wrong}"):
        adjust_pvalues([0.5, wrong], method)
    with pytest.raises(ValueError, match="`pvalues`"):
        adjust_pvalues([wrong], method)


@pytest.mark.parametrize("method", METHODS)
def test_pvalues_of_0_and_1_are_taken(method):
    assert adjust_pvalues([0.0, 1.0], method).tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("only_a", "only_b", "expected"),
    [(4, 0, 1 / 32), (3, 1, (1 + 4 / 2) / 16), (2, 2, 0.5), (0, 4, 31 / 32)],
)
def test_mid_p_of_four_discordant_rows(only_a, only_b, expected):
    """Half the probability of what was observed, and all of what is more extreme."""
    truth = np.zeros(12, dtype=int)
    a, b = truth.copy(), truth.copy()
    b[:only_a] = 1
    a[only_a : only_a + only_b] = 1
    test = McNemar(variant=MID_P).fit_predictions(truth, a, b)
    assert test.pvalue_ == pytest.approx(expected, rel=1e-12)


# Files


@pytest.fixture
def files(tmp_path):
    """Truth and two models in files of their own; write(name, ids) makes one more."""

    def write(name, ids):
        lines = ["id,label", *(f"{i},{int(i[1:]) % 2}" for i in ids)]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        return str(tmp_path / name)

    return write


IDS = [f"r{row}" for row in range(40)]
FAST = ["--id", "id", "--n-resamples", "9", "--seed", "0"]


@pytest.mark.parametrize("place", [1, 2])
@pytest.mark.parametrize(
    ("ids", "example"),
    [([*IDS, "r77"], "r77"), (["r88", *IDS], "r88"), (IDS[:-1], "r39")],
    ids=["more at the end", "more at the start", "fewer"],
)
def test_files_with_other_ids_are_refused(files, capsys, ids, example, place):
    paths = [files(f"{n}.csv", IDS) for n in ("gold", "a", "b")]
    paths[place] = files("other.csv", ids)
    assert main(["compare", *paths, *FAST]) == 2
    message = capsys.readouterr().err
    assert "other.csv" in message
    assert example in message


def test_files_with_the_same_ids_are_taken(files, capsys):
    paths = [files("gold.csv", IDS), files("a.csv", IDS[::-1]), files("b.csv", IDS)]
    assert main(["compare", *paths, *FAST]) == 0


# Models and metrics


def bootstrap(*models, **params):
    return PairedBootstrap(*models, n_resamples=9, random_state=0, **params)


def test_a_metric_function_is_no_scorer(labels):
    for metric in (accuracy_score, fbeta_score):
        with pytest.raises(
            ValueError, match=rf"`scoring`.*make_scorer.*{metric.__name__}"
        ):
            bootstrap(scoring=metric).fit_predictions(*labels)


def test_models_whose_own_scores_differ_need_a_metric(classification):
    X, y, *_ = classification
    models = LogisticRegression().fit(X, y), Ridge().fit(X, y)
    with pytest.raises(ValueError, match=r"`scoring`.*accuracy.*r2"):
        bootstrap(*models).fit(X, y)


@pytest.mark.parametrize("place", [0, 1])
def test_models_that_are_not_fitted_are_named_with_the_remedy(classification, place):
    X, y, *_ = classification
    models = [GaussianNB().fit(X, y), GaussianNB().fit(X, y)]
    models[place] = LogisticRegression()
    name = ("estimator_a", "estimator_b")[place]
    with pytest.raises(NotFittedError, match=rf"(?s)`{name}`.*Logistic.*cv=5"):
        bootstrap(*models, scoring="accuracy").fit(X, y)


def ask_decisions(estimator, X, y):
    return float(np.mean(estimator.decision_function(X)))


def test_decision_values_of_fewer_classes_than_the_data_have_are_refused():
    """The last fold has all rows of the last class."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(45, 2)), np.repeat([0, 1, 2], 15)
    models = SVC(decision_function_shape="ovr"), RidgeClassifier()
    test = bootstrap(*models, cv=KFold(3), scoring=ask_decisions)
    with pytest.raises(
        ValueError, match=r"decision_function.* 3 classes.* 2.*stratified"
    ):
        test.fit(X, y)


def test_a_metric_by_name_twice_is_refused(labels):
    with pytest.raises(ValueError, match=r"`scoring`.*\['f1', 'f1'\].*dict"):
        bootstrap(scoring=["f1", "f1"]).fit_predictions(*labels)
    with pytest.raises(ValueError, match=r"`scoring`.*\[\]"):
        bootstrap(scoring=[]).fit_predictions(*labels)


def test_probabilities_without_a_column_for_each_class_are_refused():
    y = np.repeat([0, 1, 2], 20)
    two = np.full((60, 2), 0.5)
    with pytest.raises(ValueError, match=r"`y_pred_b`.* 3\..* 2\..*classes"):
        bootstrap(scoring="neg_log_loss").fit_predictions(
            y, np.full((60, 3), 1 / 3), {"predict_proba": two}
        )


def test_keys_of_a_mapping_that_are_no_responses_are_refused(labels):
    y, a, b = labels
    with pytest.raises(ValueError, match=r"`y_pred_a`.*predict_proba.*\['proba'\]"):
        bootstrap().fit_predictions(y, {"proba": a}, b)


def test_splits_that_are_none_are_refused(classification):
    X, y, *_ = classification
    with pytest.raises(ValueError, match=r"`cv`.*one split"):
        bootstrap(GaussianNB(), LogisticRegression(), cv=[]).fit(X, y)


CV = KFold(3)
REFUSED = {
    "a class that no model knows": (
        {"scoring": "neg_log_loss"},
        {"y": lambda y: np.where(np.arange(len(y)) == 3, 7, y)},
        r"`y`.*classes of the models.*\[0, 1\].*Got \[7\]",
    ),
    "weights that a model cannot take": (
        {"cv": CV, "estimator_b": KNeighborsClassifier()},
        {"sample_weight": np.ones_like},
        r"`sample_weight`.*Got KNeighborsClassifier.*[Ll]eave out `sample_weight`",
    ),
    "weights that a scorer cannot take": (
        {"scoring": lambda model, X, y: 0.5},
        {"sample_weight": np.ones_like},
        r"`sample_weight`.*scorer '.*<lambda>'",
    ),
    "weights twice": (
        {"scoring": make_scorer(accuracy_score, sample_weight=np.ones(80))},
        {"sample_weight": np.ones_like},
        r"`sample_weight`.*scorer 'accuracy.*make_scorer.*Remove one",
    ),
    "an argument of other rows": (
        {"scoring": make_scorer(accuracy_score, sample_weight=np.ones(79))},
        {},
        r"`sample_weight` of a scorer.* 80\..* 79 entries",
    ),
    "a splitter of groups without any": (
        {"cv": GroupKFold(3)},
        {},
        r"`groups`.*GroupKFold.*fit\(X, y, groups=\.\.\.\)",
    ),
    "leave-one-out for a ranking": (
        {"cv": LeaveOneOut(), "scoring": "roc_auc"},
        {},
        r"`cv`.*roc_auc.*stratified folds",
    ),
    "a clusterer on folds": (
        {"cv": CV, "estimator_b": KMeans(2)},
        {},
        r"`estimator_b`.*clusterer.*Got KMeans.*'prefit'.*CorrectedTTest",
    ),
    "a model that fits on no fold": (
        {"cv": CV, "estimator_b": SVC(C=-1.0), "error_score": np.nan},
        {},
        r"[Nn]o fold.*`estimator_b` \(SVC\).*-1\.0",
    ),
    "a parameter for fits that are none": (
        {},
        {"monitor": None},
        r"'monitor'.*cv='prefit'",
    ),
}


@pytest.mark.parametrize(
    ("params", "fit_params", "match"), REFUSED.values(), ids=REFUSED
)
def test_invalid_input_is_refused_with_a_remedy(
    classification, classifiers, params, fit_params, match
):
    """Given are functions of the truth, or values as they are."""
    *_, X, y = classification
    fit_params = {
        name: value(y) if callable(value) else value
        for name, value in fit_params.items()
    }
    models = dict(zip(("estimator_a", "estimator_b"), classifiers, strict=True))
    test = bootstrap(**{**models, "scoring": "accuracy", **params})
    with pytest.raises((ValueError, TypeError), match=match):
        test.fit(X, fit_params.pop("y", y), **fit_params)


@pytest.mark.parametrize("place", ["scores_a", "scores_b"])
def test_scores_of_rows_that_are_no_numbers_are_refused(place):
    scores = {"scores_a": np.ones(40), "scores_b": np.zeros(40)}
    scores[place] = np.repeat(["good", "bad"], 20)
    with pytest.raises(ValueError, match=rf"`{place}`.*numbers.*\(40,\).*U4"):
        bootstrap().fit_row_scores(**scores)


def test_columns_named_after_some_classes_only_are_refused():
    pd = pytest.importorskip("pandas")
    y, third = np.repeat([0, 1, 2], 20), np.full((60, 3), 1 / 3)
    named = pd.DataFrame(third, columns=["0", "1", "other"])
    with pytest.raises(
        ValueError, match=r"`y_pred_b`.*\['0', '1', '2'\].*'other'.*Rename"
    ):
        bootstrap(scoring="neg_log_loss").fit_predictions(y, third, named)


def test_a_structured_target_needs_a_scorer_that_reads_it(labels):
    y, a, b = labels
    fields = np.array([(t, 1.0) for t in y], dtype=[("event", int), ("time", float)])
    with pytest.raises(
        ValueError, match=r"`scoring`.*event, time.*a scorer that reads"
    ):
        bootstrap().fit_predictions(fields, a, b)


def test_folds_of_one_class_are_refused_where_each_is_ranked():
    y = np.repeat([0, 1], 30)
    a, b = np.random.default_rng(0).random((2, 60))
    with pytest.raises(
        ValueError, match=r"2 folds with one class.*stratified.*aggregate='pooled'"
    ):
        bootstrap(scoring="roc_auc").fit_predictions(y, a, b, fold=y)


def test_a_response_that_a_scorer_requests_and_one_model_lacks_is_named(labels):
    y, a, b = labels
    both = {"predict": a, "decision_function": a - 0.5}
    with pytest.raises(
        ValueError,
        match="`y_pred_b` must contain decision values for the scorer 'ask_decisions'",
    ):
        bootstrap(scoring=ask_decisions).fit_predictions(y, both, {"predict": b})


@pytest.mark.parametrize("place", ["scores_a", "scores_b"])
def test_a_single_number_is_no_score_of_rows(place):
    scores = {"scores_a": np.ones(40), "scores_b": np.zeros(40)}
    scores[place] = np.array(3.0)
    with pytest.raises(ValueError, match=rf"`{place}` must have one entry per row"):
        bootstrap().fit_row_scores(**scores)
