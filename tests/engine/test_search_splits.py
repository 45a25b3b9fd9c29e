"""Kinds of splits of a search, and the luck of its winner."""

import numpy as np
import pytest
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePGroupsOut,
    LeavePOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
    check_cv,
)

from skcompare.comparison import IN_TIME
from skcompare.model_selection import _best
from skcompare.model_selection._splits import splits_of

GROUPS = np.arange(60) % 10


@pytest.mark.parametrize(
    "cv",
    [
        None,
        4,
        KFold(5, shuffle=True),
        KFold(6, shuffle=True, random_state=np.random.RandomState(0)),
        GroupKFold(5),
        LeaveOneOut(),
        LeavePOut(1),
        LeavePOut(2),
        TimeSeriesSplit(4),
        TimeSeriesSplit(),
        RepeatedKFold(n_splits=4, n_repeats=3),
        RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0),
        ShuffleSplit(4),
        ShuffleSplit(4, test_size=0.3),
        ShuffleSplit(4, train_size=0.4),
        ShuffleSplit(4, test_size=0.3, train_size=0.2),
        ShuffleSplit(4, test_size=12, train_size=30),
        StratifiedShuffleSplit(4, test_size=0.2),
        GroupShuffleSplit(20, random_state=0),
        PredefinedSplit(np.repeat([-1, 0, 1, 2], 15)),
        [(np.arange(40), np.arange(40, 60)), (np.arange(20, 60), np.arange(20))],
        [(np.arange(60) < 45, np.arange(60) >= 45)],
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_the_ratio_is_that_of_the_splits(cv):
    """Counted over splits of 60 rows, in which all of these shares are whole."""
    X, y = np.zeros((60, 1)), np.arange(60) % 2
    groups = GROUPS if isinstance(cv, GroupKFold | GroupShuffleSplit) else None
    splits = list(check_cv(cv).split(X, y, groups))
    sizes = [
        [np.sum(p) if np.asarray(p).dtype == bool else len(p) for p in pair]
        for pair in splits
    ]
    counted = np.mean([test / train for train, test in sizes])
    assert splits_of(cv, len(splits)).ratio == pytest.approx(counted)


@pytest.mark.parametrize(
    "cv",
    [
        TimeSeriesSplit(4, gap=1),
        TimeSeriesSplit(4, test_size=5),
        TimeSeriesSplit(4, max_train_size=20),
        LeaveOneGroupOut(),
        LeavePGroupsOut(2),
        ShuffleSplit(3, test_size=12),
        ShuffleSplit(3, test_size=12, train_size=0.5),
        iter([]),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_unknown_sizes_are_not_guessed(cv):
    assert splits_of(cv, 3).ratio is None


@pytest.mark.parametrize(
    ("cv", "forward"),
    [
        (TimeSeriesSplit(3, gap=2), True),
        (KFold(3), False),
        (None, False),
        ([([0, 1], [2]), ([0, 1, 2], [3])], True),
        ([([0, 1], [2]), ([0, 1, 3], [2])], False),
        ([(np.arange(4) < 2, np.arange(4) > 1)], True),
        ([(np.arange(4) > 1, np.arange(4) < 2)], False),
    ],
)
def test_splits_that_train_on_the_past_are_detected(cv, forward):
    assert (IN_TIME in splits_of(cv, 3).notes) is forward


def expected_lead(scores, *, n_resamples, seed, ratio=0.0, disjoint=True):
    """Return the expected lead and its standard error."""
    positions = np.arange(len(scores))
    selection = _best.selection_by_splits(scores, positions, ratio, disjoint)
    return _best.expected_lead(selection, n_resamples, seed=seed)


def test_the_lead_is_taken_on_the_folds_left_out():
    """Enumerated: of three folds, all 27 draws, by the definition."""
    scores = np.array([[0.9, 0.1, 0.6], [0.3, 0.8, 0.5]])
    leads = []
    for draw in np.ndindex(3, 3, 3):
        out = np.setdiff1d(range(3), draw)
        if len(out):
            winner = np.argmax(scores[:, list(draw)].mean(axis=1))
            leads.append((scores[winner, out] - scores[:, out].mean(axis=0)).mean())
    lead, _ = expected_lead(scores, n_resamples=4_000, seed=0)
    error = np.std(leads) / np.sqrt(4_000 * 21 / 27)
    assert lead == pytest.approx(np.mean(leads), abs=4 * error)


def simulated_luck(rng, quality, n_searches):
    """Return mean lead, expected lead and true lead of the winners of searches."""
    searches = []
    for _ in range(n_searches):
        folds = rng.normal(size=10)  # what is easy for all
        scores = quality[:, None] + folds + rng.normal(size=(len(quality), 10))
        means = scores.mean(axis=1)
        seed = int(rng.integers(2**32))
        expected, _ = expected_lead(scores, n_resamples=50, seed=seed)
        truth = quality[means.argmax()] - quality.mean()
        searches.append((means.max() - means.mean(), expected, truth))
    errors = np.std(searches, axis=0) / np.sqrt(n_searches)
    return np.mean(searches, axis=0), errors


def test_the_lead_among_equals_is_all_luck(simulations):
    rng = np.random.default_rng(0)
    n_searches = simulations(100, 2_000)
    (lead, expected, truth), errors = simulated_luck(rng, np.zeros(15), n_searches)
    assert truth == 0
    assert lead > 0.4
    assert expected == pytest.approx(0, abs=4 * errors[1])


def test_a_clear_winners_lead_is_none(simulations):
    rng = np.random.default_rng(0)
    quality = np.append(3.0, np.zeros(14))
    n_searches = simulations(50, 1_000)
    (lead, expected, truth), errors = simulated_luck(rng, quality, n_searches)
    assert truth == pytest.approx(2.8)
    assert expected == pytest.approx(truth, abs=4 * errors[1])
    assert expected == pytest.approx(lead, rel=0.03)


def test_luck_is_overrated_rather_than_underrated(simulations):
    rng = np.random.default_rng(0)
    n_searches = simulations(100, 2_000)
    quality = np.linspace(0, 1, 15)
    (lead, expected, truth), errors = simulated_luck(rng, quality, n_searches)
    assert truth < lead
    assert 0 < expected < truth + 4 * errors[1]


def test_luck_is_not_underrated_by_repeated_splits(simulations):
    """Among equals nothing lasts, though each row is tested in every repeat."""
    rng, n_searches, n_rows = np.random.default_rng(0), simulations(100, 1_000), 60
    searches = []
    for _ in range(n_searches):
        rows = rng.normal(size=(8, n_rows))
        orders = [rng.permutation(n_rows) for _ in range(6)]
        scores = np.hstack([rows[:, o].reshape(8, 6, -1).mean(2) for o in orders])
        leads = [
            expected_lead(
                scores, n_resamples=50, seed=0, ratio=1 / 5, disjoint=disjoint
            )
            for disjoint in (False, True)
        ]
        searches.append([lead for lead, _ in leads])
    errors = np.std(searches, axis=0) / np.sqrt(n_searches)
    corrected, naive = np.mean(searches, axis=0)
    assert corrected < 4 * errors[0]
    assert naive > corrected + 4 * errors[1]


def test_the_standard_error_of_the_lead_is_about_right(simulations):
    rng, n_searches = np.random.default_rng(0), simulations(200, 2_000)
    quality = np.linspace(0, 1, 15)[:, np.newaxis]
    estimates = [
        expected_lead(quality + rng.normal(size=(15, 10)), n_resamples=50, seed=0)
        for _ in range(n_searches)
    ]
    leads, errors = np.transpose(estimates)
    assert np.mean(errors) == pytest.approx(np.std(leads), rel=0.25)


@pytest.mark.parametrize(
    ("cv", "disjoint"),
    [
        (TimeSeriesSplit(4), True),
        (LeaveOneGroupOut(), True),
        (ShuffleSplit(4), False),
        ([([0, 1], [2, 3]), ([2, 3], [0, 1])], True),
        ([([0, 1], [2, 3]), ([0, 1], [3])], False),
        ([(np.arange(4) < 2, np.arange(4) > 1), ([2, 3], [0, 1])], True),
    ],
)
def test_splits_that_share_test_rows_are_detected(cv, disjoint):
    assert splits_of(cv, 4).disjoint is disjoint


def test_one_split_of_one_candidate_has_no_lead():
    lead = expected_lead(np.array([[0.7]]), n_resamples=9, seed=0, ratio=0.5)
    assert np.isnan(lead).all()
