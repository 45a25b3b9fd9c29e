"""Scorers of our own equal the metric that they are named after, on every resample."""

import copy
import itertools
import logging
import math
import pickle
import sys

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from skcompare import ApproxRandomization, PairedBootstrap
from skcompare._foreign import metric_of
from skcompare.metrics import (
    bleu_scorer,
    check_additive_scorer,
    chrf_scorer,
    las_scorer,
    make_additive_scorer,
    pearson_scorer,
    perplexity_scorer,
    ter_scorer,
    uas_scorer,
)

each_test = pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])


def _objects(rows):
    """Return an array of sequences, even if all have the same length."""
    array = np.empty(len(rows), dtype=object)
    array[:] = rows
    return array


class Model(BaseEstimator):
    """A fitted model that has its predictions ready."""

    def __init__(self, predictions):
        self.predictions = predictions

    def predict(self, X):
        return self.predictions

    def __sklearn_is_fitted__(self):
        return True


# --- Text ------------------------------------------------------------------------

WORDS = ["The", "cat", "cats", "sat", "on", "a", "mat", "mats,", "(hi)", "3.5", "dog!"]


def _sentence(rng, longest):
    return " ".join(rng.choice(WORDS, size=rng.integers(longest + 1)))


def _translation(rng, reference, error):
    words = [
        str(rng.choice(WORDS)) if rng.random() < error else word
        for word in reference.split()
        if rng.random() > error / 4
    ]
    return " ".join(words)


def _corpus(n=60, longest=12, errors=(0.25, 0.4), seed=0):
    """References, with some empty ones, and the translations of several models."""
    rng = np.random.default_rng(seed)
    references = [_sentence(rng, longest) for _ in range(n)]
    return references, *(
        [_translation(rng, reference, error) for reference in references]
        for error in errors
    )


def _with_more_references(references, seed=1):
    """Give each row one to three references."""
    rng = np.random.default_rng(seed)
    return [
        [text, *(_translation(rng, text, 0.3) for _ in range(rng.integers(3)))]
        for text in references
    ]


def _corpus_score(name, options):
    """Return sacrebleu's own score of a corpus as a metric function."""
    metrics = pytest.importorskip("sacrebleu.metrics")
    metric = getattr(metrics, name)(**options)

    def score(y_true, y_pred):
        rows = [[row] if isinstance(row, str) else row for row in y_true.tolist()]
        streams = [list(stream) for stream in itertools.zip_longest(*rows)]
        return metric.corpus_score(y_pred.tolist(), streams).score

    return score


TEXT_SCORERS = {"BLEU": bleu_scorer, "CHRF": chrf_scorer, "TER": ter_scorer}
TEXT_OPTIONS = [
    ("BLEU", {}),
    ("BLEU", {"smooth_method": "none"}),
    ("BLEU", {"smooth_method": "floor"}),
    ("BLEU", {"smooth_method": "floor", "smooth_value": 0.0}),
    ("BLEU", {"smooth_method": "add-k"}),
    ("BLEU", {"smooth_method": "add-k", "smooth_value": 0.3}),
    ("BLEU", {"effective_order": True}),
    ("BLEU", {"effective_order": True, "smooth_method": "none"}),
    ("BLEU", {"effective_order": True, "smooth_method": "floor"}),
    ("BLEU", {"effective_order": True, "smooth_method": "add-k"}),
    ("BLEU", {"max_ngram_order": 2, "lowercase": True}),
    ("BLEU", {"max_ngram_order": 6, "tokenize": "char"}),
    ("CHRF", {}),
    ("CHRF", {"word_order": 2}),
    ("CHRF", {"word_order": 2, "eps_smoothing": True}),
    ("CHRF", {"eps_smoothing": True, "beta": 1}),
    ("CHRF", {"char_order": 3, "beta": 3, "whitespace": True, "lowercase": True}),
    ("CHRF", {"beta": 0}),
    ("TER", {}),
    ("TER", {"normalized": True, "no_punct": True, "case_sensitive": True}),
]
each_text_metric = pytest.mark.parametrize(("name", "options"), TEXT_OPTIONS)
each_text_name = pytest.mark.parametrize("name", TEXT_SCORERS)


@each_text_metric
def test_text_scorers_equal_sacrebleu_on_resampled_corpora(name, options):
    reference = _corpus_score(name, options)
    y_true, y_pred, _ = _corpus(n=40)
    if TEXT_OPTIONS.index((name, options)) % 2:
        y_true = _objects(_with_more_references(y_true))
    scorer = TEXT_SCORERS[name](**options)
    check_additive_scorer(scorer, reference, y_true, y_pred, n_resamples=15)


@each_text_metric
def test_text_scorers_equal_sacrebleu_where_little_is_right(name, options):
    """Tiny corpora of short segments lack whole orders of n-grams."""
    reference, scorer = _corpus_score(name, options), TEXT_SCORERS[name](**options)
    for longest, seed in itertools.product([1, 2, 4], range(5)):
        y_true, y_pred, _ = _corpus(4, longest, errors=(0.7, 0.7), seed=seed)
        check_additive_scorer(scorer, reference, y_true, y_pred, n_resamples=20)


@each_text_metric
def test_text_scorers_equal_sacrebleu_on_empty_segments(name, options):
    reference, scorer = _corpus_score(name, options), TEXT_SCORERS[name](**options)
    for y_true, y_pred in [([""], [""]), (["a b"], [""]), ([""], ["a b"])]:
        check_additive_scorer(scorer, reference, y_true, y_pred, n_resamples=1)


@each_text_name
def test_weights_of_segments_are_repetitions(name):
    pytest.importorskip("sacrebleu")
    y_true, y_pred, _ = map(np.array, _corpus(n=20))
    weights = np.random.default_rng(0).integers(4, size=20)
    metric = metric_of(TEXT_SCORERS[name]())[0]
    repeated = metric(np.repeat(y_true, weights), np.repeat(y_pred, weights))
    weighted = metric(y_true, y_pred, sample_weight=weights * 0.1)
    assert weighted == pytest.approx(repeated, rel=1e-12)


def test_bleu_takes_residues_of_weights_for_nothing():
    """Left out of a weighted sum, the only 4-gram leaves 1e-17, not a precision."""
    pytest.importorskip("sacrebleu")
    score = metric_of(bleu_scorer(smooth_method="none"))[0].score
    totals = np.array([9.0, 9.0, 8.0, 4.0, 2.0, 1e-17, 9.0, 6.0, 3.0, 1e-17])
    assert score(totals) == 0.0


@each_text_name
def test_segments_are_counted_once_per_model(name, monkeypatch, quiet):
    metrics = pytest.importorskip("sacrebleu.metrics")
    counted = []
    cls = getattr(metrics, name)
    count = cls._compute_segment_statistics

    def spy(self, hypothesis, ref_kwargs):
        counted.append(hypothesis)
        return count(self, hypothesis, ref_kwargs)

    monkeypatch.setattr(cls, "_compute_segment_statistics", spy)
    y_true, a, b = _corpus(n=20)
    test = PairedBootstrap(scoring=TEXT_SCORERS[name](), n_resamples=99, random_state=0)
    test.fit_predictions(y_true, a, b)
    assert len(counted) == 2 * 20


def test_changed_hypotheses_are_counted_anew():
    pytest.importorskip("sacrebleu")
    scorer, y_true = bleu_scorer(), np.array(["a b c d e"] * 3, dtype=object)
    y_pred = y_true.copy()
    assert scorer(Model(y_pred), y_true, y_true) == pytest.approx(100)
    y_pred[:] = "f"
    assert scorer(Model(y_pred), y_true, y_true) == 0


@each_test
@each_text_name
def test_text_scorers_find_the_better_translations(name, test):
    pytest.importorskip("sacrebleu")
    y_true, a, b = _corpus(n=100, errors=(0.2, 0.4))
    comparison = test(scoring=TEXT_SCORERS[name](), n_resamples=999, random_state=0)
    comparison.fit_predictions(y_true, a, b)
    assert comparison.result_.engine.startswith("additive")
    assert comparison.delta_ > 0
    assert comparison.pvalue_ < 0.01


@each_test
@pytest.mark.parametrize("most", [2, 3])
@each_text_name
def test_rows_can_have_several_references(name, most, test):
    """The same number in all rows, which NumPy makes a matrix, or not."""
    pytest.importorskip("sacrebleu")
    y_true, a, b = _corpus(n=60, errors=(0.2, 0.4))
    y_true = _with_more_references(y_true)
    if most == 2:
        y_true = [(texts * 2)[:2] for texts in y_true]
    comparison = test(scoring=TEXT_SCORERS[name](), n_resamples=999, random_state=0)
    comparison.fit_predictions(y_true, a, b)
    reference = _corpus_score(name, {})(_objects(y_true), np.array(a))
    assert abs(comparison.score_a_) == pytest.approx(reference, rel=1e-9)
    assert comparison.pvalue_ < 0.01


@pytest.mark.parametrize("interval", ["bca", "studentized"])
@each_text_name
def test_text_scorers_have_all_intervals(name, interval):
    pytest.importorskip("sacrebleu")
    test = PairedBootstrap(
        scoring=TEXT_SCORERS[name](), interval=interval, n_resamples=999, random_state=0
    ).fit_predictions(*_corpus(n=100, errors=(0.2, 0.4)))
    low, high = test.confidence_interval_
    assert 0 < low < test.delta_ < high


def test_bleu_randomization_agrees_with_that_of_sacrebleu():
    significance = pytest.importorskip("sacrebleu.significance")
    metrics = pytest.importorskip("sacrebleu.metrics")
    y_true, a, b = _corpus(n=80, errors=(0.3, 0.32), seed=5)
    theirs = significance.PairedTest(
        [("a", a), ("b", b)], {"BLEU": metrics.BLEU()}, [y_true], n_samples=4000
    )()[1]["BLEU"]
    ours = ApproxRandomization(
        scoring=bleu_scorer(),
        alternative="two-sided",
        n_resamples=9999,
        random_state=0,
    ).fit_predictions(y_true, a, b)
    assert ours.score_a_ == pytest.approx(theirs[0].score, rel=1e-9)
    assert ours.score_b_ == pytest.approx(theirs[1].score, rel=1e-9)
    p = ours.pvalue_
    assert 0.05 < p < 0.95  # where the two would differ if they could
    assert abs(p - theirs[1].p_value) < 4 * math.sqrt(
        p * (1 - p) * (1 / 4000 + 1 / 9999)
    )


@each_text_name
def test_text_scorers_can_be_pickled_and_copied(name):
    pytest.importorskip("sacrebleu")
    y_true, y_pred, _ = _corpus(n=10)
    scorer = TEXT_SCORERS[name]()
    score = scorer(Model(y_pred), y_true, y_true)
    for other in (pickle.loads(pickle.dumps(scorer)), copy.deepcopy(scorer)):
        assert other(Model(y_pred), y_true, y_true) == score


@pytest.mark.parametrize(
    ("y_true", "y_pred", "message"),
    [
        (["a", "b"], _objects(["a", 3]), "must be a string. Got int in row 1"),
        (_objects(["a", 3]), ["a", "b"], "Got 3 in row 1"),
        (_objects([["a"], []]), ["a", "b"], r"Got \[\] in row 1"),
        (_objects([["a"], ["b", 3]]), ["a", "b"], "Got .* in row 1"),
    ],
)
def test_text_scorers_name_the_row_that_is_no_text(y_true, y_pred, message):
    pytest.importorskip("sacrebleu")
    with pytest.raises(ValueError, match=message):
        bleu_scorer()(Model(y_pred), y_true, y_true)


def test_options_of_sacrebleu_are_checked():
    pytest.importorskip("sacrebleu")
    with pytest.raises(ValueError, match="`smooth_method` must be one of"):
        bleu_scorer(smooth_method="ex")
    with pytest.raises(ValueError, match="references are the truth"):
        ter_scorer(references=[["a"]])
    with pytest.raises(TypeError, match="order"):
        chrf_scorer(order=3)


def test_tokenized_hypotheses_are_noted_as_by_sacrebleu(caplog):
    pytest.importorskip("sacrebleu")
    y = np.array(["A cat ."] * 100)
    with caplog.at_level(logging.WARNING, logger="sacrebleu"):
        bleu_scorer(force=True)(Model(y), y, y)
        chrf_scorer()(Model(y), y, y)
        assert not caplog.records
        bleu_scorer()(Model(y), y, y)
    assert "100 segments end in a tokenized period" in caplog.text


@each_text_name
def test_without_sacrebleu_its_package_is_named(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    with pytest.raises(ImportError, match=r"needs sacrebleu.*pip install sacrebleu"):
        TEXT_SCORERS[name]()


# --- Parsing ---------------------------------------------------------------------

LABELS = ["nsubj", "obj", "root", "punct"]


def _treebank(n=60, errors=(0.1, 0.3), seed=0):
    """Sentences as (head, label) pairs, and the parses of several models."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 15, size=n)

    def token():
        return int(rng.integers(16)), str(rng.choice(LABELS))

    truth = [[token() for _ in range(size)] for size in sizes]
    parses = [
        [[token() if rng.random() < e else pair for pair in tokens] for tokens in truth]
        for e in errors
    ]
    return tuple(_objects(rows) for rows in (truth, *parses))


def _heads(rows):
    return _objects([[head for head, _ in tokens] for tokens in rows])


def _attachment(labeled, ignore=()):
    def score(y_true, y_pred):
        pairs = [
            (true, parsed)
            for tokens in zip(y_true, y_pred, strict=True)
            for true, parsed in zip(*tokens, strict=True)
            if true[1] not in ignore
        ]
        parts = 2 if labeled else 1
        return np.mean([true[:parts] == parsed[:parts] for true, parsed in pairs])

    return score


@pytest.mark.parametrize("ignore", [(), "punct", ["punct", "root"]])
@pytest.mark.parametrize(("make", "labeled"), [(uas_scorer, 0), (las_scorer, 1)])
def test_attachment_scores_are_shares_of_tokens(make, labeled, ignore):
    truth, parses, _ = _treebank()
    ignored = [ignore] if isinstance(ignore, str) else ignore
    reference = _attachment(labeled, ignored)
    check_additive_scorer(make(ignore=ignore), reference, truth, parses)


def test_uas_of_heads_is_that_of_pairs():
    truth, parses, _ = _treebank()
    metric = metric_of(uas_scorer())[0]
    assert metric(_heads(truth), _heads(parses)) == metric(truth, parses)


def test_attachment_scores_take_arrays_of_sentences_of_one_length():
    """NumPy makes such heads a matrix, and such pairs a cube of strings."""
    heads, parsed = np.array([[2, 0], [0, 1]]), np.array([[2, 0], [2, 0]])
    assert metric_of(uas_scorer())[0](heads, parsed) == 0.5
    pairs = np.array([[(2, "obj"), (0, "root")]])
    assert metric_of(las_scorer())[0](pairs, [[(2, "obj"), (0, "det")]]) == 0.5


def test_sentences_of_different_lengths_are_named_by_row():
    metric = metric_of(uas_scorer())[0]
    with pytest.raises(ValueError, match=r"i\.e\. 2\. Got 1 in row 1"):
        metric([[0], [2, 0]], [[0], [2]])


@pytest.mark.parametrize("scorer", [las_scorer(), uas_scorer(ignore="punct")])
def test_labels_that_count_must_be_passed(scorer):
    with pytest.raises(ValueError, match=r"must be .* pairs.* in row 0"):
        metric_of(scorer)[0]([[2, 0]], [[2, 0]])


def test_no_tokens_have_no_attachment_score():
    assert math.isnan(metric_of(uas_scorer())[0](_objects([[], []]), [[], []]))


@each_test
@pytest.mark.parametrize("make", [uas_scorer, las_scorer])
def test_attachment_scores_find_the_better_parser(make, test):
    truth, a, b = _treebank()
    models = {"estimator_a": Model(a), "estimator_b": Model(b)}
    comparison = test(**models, scoring=make(), n_resamples=999, random_state=0)
    comparison.fit(np.arange(len(truth))[:, None], truth)
    assert comparison.result_.engine.startswith("additive")
    assert comparison.pvalue_ < 0.01


@each_test
def test_parses_can_be_lists(test):
    truth, a, b = (rows.tolist() for rows in _treebank())
    scoring = {"uas": uas_scorer(), "las": las_scorer()}
    comparison = test(scoring=scoring, n_resamples=999, random_state=0)
    comparison.fit_predictions(truth, a, b)
    assert all(result.pvalue < 0.01 for result in comparison.results_.values())


@each_test
@pytest.mark.parametrize("make", [uas_scorer, las_scorer])
def test_sentences_of_one_length_can_be_lists(make, test):
    truth, a, b = (
        [tokens[:5] for tokens in rows if len(tokens) >= 5] for rows in _treebank()
    )
    if make is uas_scorer:
        truth, a, b = (_heads(rows).tolist() for rows in (truth, a, b))
    comparison = test(scoring=make(), n_resamples=999, random_state=0)
    comparison.fit_predictions(truth, a, b)
    assert comparison.score_a_ == metric_of(make())[0](truth, a)
    assert comparison.pvalue_ < 0.01


# --- Ratios ----------------------------------------------------------------------


@pytest.mark.parametrize("base", [math.e, 2, 10])
def test_perplexity_is_the_inverse_geometric_mean_of_probabilities(base):
    rng = np.random.default_rng(0)
    n_tokens = rng.integers(0, 30, size=50)
    log_probability = -n_tokens * rng.gamma(2.0, size=50)

    def reference(n, log):
        return base ** -(log.sum() / n.sum())

    scorer = perplexity_scorer(base=base)
    check_additive_scorer(scorer, reference, n_tokens, log_probability)
    assert metric_of(scorer)[1] == -1


@each_test
def test_perplexity_finds_the_better_language_model(test):
    rng = np.random.default_rng(0)
    n_tokens = rng.integers(5, 30, size=200)
    a = -n_tokens * rng.normal(3.0, 0.3, size=200)
    b = a - n_tokens * rng.normal(0.05, 0.1, size=200)
    comparison = test(scoring=perplexity_scorer(), n_resamples=999, random_state=0)
    comparison.fit_predictions(n_tokens, a, b)
    assert comparison.result_.engine.startswith("additive")
    assert comparison.score_a_ == pytest.approx(-math.exp(-a.sum() / n_tokens.sum()))
    assert comparison.delta_ > 0
    assert comparison.pvalue_ < 0.01


def test_perplexity_of_no_tokens_is_undefined_and_of_impossible_ones_infinite():
    score = metric_of(perplexity_scorer())[0].score
    assert np.isnan(score(np.array([0.0, 0.0])))
    assert score(np.array([1e6, 1.0])) == np.inf


def test_perplexity_checks_its_inputs():
    with pytest.raises(ValueError, match=r"non-negative .* Got -2 in row 1"):
        metric_of(perplexity_scorer())[0]([3, -2], [-1.0, -1.0])
    with pytest.raises(ValueError, match="`base` must be greater than 1"):
        perplexity_scorer(base=1)


def _correlation(y_true, y_pred):
    return np.corrcoef(y_true, y_pred)[0, 1]


@pytest.mark.parametrize("offset", [0.0, 3.0, -200.0])
def test_pearson_equals_the_correlation_coefficient(offset):
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    pred = 5 * (y + rng.normal(size=300))
    check_additive_scorer(pearson_scorer(), _correlation, y + offset, pred - 5 * offset)


def test_pearson_of_small_resamples_equals_the_correlation_coefficient():
    """Three rows are often one row thrice, which has no correlation."""

    def reference(y, p):
        return _correlation(y, p) if np.ptp(y) and np.ptp(p) else np.nan

    y, pred = np.array([0.1, 0.7, 0.3]), np.array([1.1, 1.3, 1.1])
    check_additive_scorer(pearson_scorer(), reference, y, pred, n_resamples=500)


def test_pearson_needs_a_center_for_values_far_off():
    rng = np.random.default_rng(0)
    y = 1e6 + rng.normal(size=100)
    pred = y + rng.normal(size=100)
    with pytest.raises(ValueError, match=r"mean of `y_true` must be within 1,000"):
        metric_of(pearson_scorer())[0](y, pred)
    with pytest.raises(ValueError, match=r"mean of `y_pred` must be within 1,000"):
        metric_of(pearson_scorer(center=(1e6, 0)))[0](y, pred)
    check_additive_scorer(pearson_scorer(center=(1e6, 1e6)), _correlation, y, pred)


@pytest.mark.parametrize("constant", [0.0, 0.1, 1e8])
def test_pearson_of_constant_predictions_is_undefined(constant):
    y = np.arange(1000.0)
    metric = metric_of(pearson_scorer())[0]
    assert math.isnan(metric(y, np.full(1000, constant)))
    assert math.isnan(metric(np.full(1000, constant), y))


@pytest.mark.parametrize("center", [(0.0,), (0.0, np.nan), (1.0, 2.0, 3.0)])
def test_center_is_two_numbers(center):
    with pytest.raises(ValueError, match="`center` must be two finite numbers"):
        pearson_scorer(center=center)


@each_test
def test_pearson_finds_the_closer_predictions(test):
    rng = np.random.default_rng(0)
    y = rng.normal(size=200)
    a, b = y + 0.5 * rng.normal(size=200), y + 1.5 * rng.normal(size=200)
    comparison = test(scoring=pearson_scorer(), n_resamples=999, random_state=0)
    comparison.fit_predictions(y, a, b)
    assert comparison.result_.engine.startswith("additive")
    assert comparison.score_a_ == pytest.approx(_correlation(y, a))
    assert comparison.pvalue_ < 0.01


@pytest.mark.parametrize(
    "scorer", [uas_scorer(), las_scorer(), perplexity_scorer(), pearson_scorer()]
)
def test_scorers_can_be_pickled(scorer):
    assert repr(pickle.loads(pickle.dumps(scorer))) == repr(scorer)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 2), "`contributions` must be a function. Got 1"),
        ((np.add, "mean"), "`score` must be a function. Got 'mean'"),
    ],
)
def test_additive_scorers_are_made_of_functions(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_additive_scorer(*arguments)


def test_an_additive_scorer_that_is_wrong_is_refused_in_plain_numbers():
    scorer = make_additive_scorer(
        lambda y, p: np.column_stack([y == p, np.ones(len(y))]),
        lambda totals: totals[..., 0] / totals[..., 1],
    )
    truth, guess = np.arange(8) % 2, np.zeros(8)
    message = r"^The additive score is 0\.\d+ but the reference is 2\.0 on the"
    with pytest.raises(ValueError, match=message):
        check_additive_scorer(scorer, lambda y, p: np.float64(2.0), truth, guess)


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_scores_of_totals_may_be_written_for_a_table(test):
    """Totals are a row for each resample and model, of which columns can be taken."""
    rng = np.random.default_rng(0)
    y = rng.gamma(2.0, size=100)
    a, b = y + rng.normal(size=(2, 100))

    def errors(y, p):
        return np.column_stack([np.abs(y - p), np.abs(y)])

    by_columns, by_last_axis = (
        test(scoring=make_additive_scorer(errors, score), random_state=0)
        for score in (
            lambda totals: totals.T[0] / totals.T[1],
            lambda totals: totals[..., 0] / totals[..., 1],
        )
    )
    np.testing.assert_array_equal(
        by_columns.fit_predictions(y, a, b).distribution_,
        by_last_axis.fit_predictions(y, a, b).distribution_,
    )
    assert by_columns.result_.engine == by_last_axis.result_.engine == "additive/rows"


@pytest.mark.parametrize(
    ("contributions", "score", "message"),
    [
        (
            lambda y, p: np.column_stack([y * (p - p.mean()), np.ones(len(y))]),
            lambda totals: totals[..., 0] / totals[..., 1],
            "must depend only on the truth and the prediction of each row",
        ),
        (
            lambda y, p: np.cumsum(y == p)[:, np.newaxis],
            lambda totals: totals[..., 0],
            "must depend only on the truth",
        ),
        (
            lambda y, p: y == p,
            lambda totals: totals[..., 0],
            r"`contributions` of the additive .*\(80,\). Use values\[:, np.newaxis\]",
        ),
        (
            lambda y, p: np.column_stack([y == p, y != p]),
            lambda totals: totals[0],
            r"`score` of the additive scorer 'own' must .* use totals\[..., k\]",
        ),
        (
            lambda y, p: np.column_stack([y == p, y != p]),
            lambda totals: totals.mean(),
            r"Got shape \(\) for totals of shape \(3, 2\)",
        ),
    ],
)
def test_functions_that_do_not_add_up_are_refused(contributions, score, message):
    rng = np.random.default_rng(0)
    y, a, b = rng.integers(2, size=(3, 80))
    scorer = make_additive_scorer(contributions, score, name="own")
    with pytest.raises(ValueError, match=message):
        PairedBootstrap(scoring=scorer, n_resamples=99).fit_predictions(y, a, b)
