"""Progress is printed for long work only, tidily, and to scikit-learn's callbacks."""

import contextlib
import os
import re
import runpy
import select
import signal
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB

from skcompare import (
    ApproxRandomization,
    BayesianComparison,
    BayesianSignedRank,
    CochranQ,
    CorrectedTTest,
    FoldReplicability,
    McNemar,
    NestedCVInterval,
    PairedBootstrap,
    PairwiseComparison,
    SearchComparison,
    _progress,
)
from skcompare._engine import Resampler, _draw
from skcompare._engine._row_schemes import RowScheme
from skcompare._evaluation import _fits
from skcompare._progress import PlainLines, track
from skcompare.exceptions import DegenerateDataWarning

MODELS = LogisticRegression(), GaussianNB()


@pytest.fixture
def labels():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=60)
    flip = rng.random((2, 60)) < [[0.2], [0.25]]
    return y, *np.where(flip, 1 - y, y)


@pytest.fixture
def data(labels):
    X = np.random.default_rng(1).normal(size=(60, 2))
    return X + labels[0][:, None], labels[0]


@pytest.fixture
def without_tqdm(monkeypatch):
    for name in ("tqdm", "tqdm.auto"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)


def share_right(y_true, y_pred):
    return float(np.mean(y_true == y_pred))


BY_ROWS = make_scorer(share_right)


# Bars and lines


def test_silence_costs_nothing():
    items = iter(range(3))
    with track(items, total=3, label="work") as tracked:
        assert tracked is items


@pytest.mark.parametrize("missing", [False, True], ids=["tqdm", "plain"])
def test_short_work_shows_nothing(missing, labels, capsys, request):
    request.getfixturevalue("without_tqdm") if missing else pytest.importorskip("tqdm")
    test = PairedBootstrap(scoring=BY_ROWS, n_resamples=50, verbose=1)
    test.fit_predictions(*labels)
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("impatient")
def test_a_bar_counts_resamples_with_rate_and_remaining_time(labels, capsys):
    pytest.importorskip("tqdm")
    test = PairedBootstrap(scoring=BY_ROWS, n_resamples=50, verbose=1)
    test.fit_predictions(*labels)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.search(
        r"bootstrap: 100%.* 50/50 \[\d\d:\d\d<\d\d:\d\d, .*/s\]\n$", printed.err
    )


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("posterior", ["paired", "independent", "hierarchical"])
def test_a_bar_counts_draws_from_a_posterior(posterior, labels, capsys):
    pytest.importorskip("tqdm")
    test = BayesianComparison(posterior=posterior, n_draws=50, scoring="accuracy")
    test.fit_predictions(*labels)
    assert capsys.readouterr().err == ""
    test.set_params(verbose=1).fit_predictions(*labels)
    assert re.search(r"posterior: 100%.* 50/50 ", capsys.readouterr().err)


@pytest.mark.usefixtures("impatient")
def test_a_bar_counts_draws_over_data_sets(capsys):
    pytest.importorskip("tqdm")
    scores = np.random.default_rng(0).random((2, 8))
    BayesianSignedRank(n_draws=50, verbose=1).fit_scores(*scores)
    assert re.search(r"posterior: 100%.* 50/50 ", capsys.readouterr().err)


@pytest.mark.usefixtures("without_tqdm")
def test_lines_begin_after_two_seconds_then_come_at_every_tenth(monkeypatch, capsys):
    seconds = iter([0.0, *np.arange(1.0, 101.0)])  # a step of 5 takes a second
    monkeypatch.setattr(_progress.time, "monotonic", lambda: next(seconds))
    steps = [5] * 100
    with track(steps, total=500, label="work", verbose=1, size=int) as tracked:
        assert list(tracked) == steps
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "[skcompare] work: 10 of 500, 5 per second, 98 s left"
    assert lines[1] == "[skcompare] work: 50 of 500, 5 per second, 90 s left"
    assert lines[-1] == "[skcompare] work: 500 of 500, 5 per second, 0 s left"
    assert len(lines) == 11


@pytest.mark.parametrize(
    ("done", "rate"), [(13_123, "1,310"), (1, "0.1"), (12_345_678, "1,230,000")]
)
def test_rates_have_three_digits_and_no_exponent(done, rate, monkeypatch, capsys):
    seconds = iter([0.0, 10.0])
    monkeypatch.setattr(_progress.time, "monotonic", lambda: next(seconds))
    PlainLines(2 * done, "work").update(done)
    assert f"{done:,} of {2 * done:,}, {rate} per second" in capsys.readouterr().err


def test_the_clock_may_stand_still(monkeypatch, capsys):
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    monkeypatch.setattr(_progress.time, "monotonic", lambda: 1.0)
    PlainLines(1, "work").update(1)
    assert "1 of 1" in capsys.readouterr().err


# Interruption


@pytest.mark.usefixtures("impatient")
def test_an_interrupted_bar_is_closed(labels, capsys):
    tqdm = pytest.importorskip("tqdm").tqdm
    calls = []

    def interrupted(y_true, y_pred):
        calls.append(1)
        if len(calls) > 60:
            raise KeyboardInterrupt
        return 0.5

    test = PairedBootstrap(scoring=make_scorer(interrupted), verbose=1)
    with pytest.raises(KeyboardInterrupt):
        test.fit_predictions(*labels)
    printed = capsys.readouterr().err
    assert "bootstrap" in printed
    assert printed.endswith("\n")
    assert not tqdm._instances


@pytest.mark.parametrize(
    ("room", "work"),
    [
        (_draw, lambda: _draw.draw(Resampler(RowScheme(None), None), 50, seed=0)),
        (_fits, lambda: _fits.fit_on_folds({}, [0], [0], [], then=None)),
    ],
)
def test_workers_are_ended_after_any_failure(monkeypatch, room, work):
    """The error may come while the source of the results sleeps."""
    closed = []

    def results(function, tasks, **options):
        try:
            yield np.zeros(1)
            yield np.zeros(1)
        finally:
            closed.append(True)

    @contextlib.contextmanager
    def failing(results, **options):
        yield (next(results) / 0 for _ in range(2))

    monkeypatch.setattr(room, "results_of", results)
    monkeypatch.setattr(room, "track", failing)
    with np.errstate(all="raise"), pytest.raises(FloatingPointError) as caught:
        work()
    assert caught.tb is not None  # it keeps the frames of the failed call alive
    assert closed == [True]


INTERRUPTED = """
import glob, sys, time
import numpy as np
from sklearn.metrics import make_scorer
from skcompare import PairedBootstrap, _progress
from skcompare._engine import _workers

_progress.PATIENCE, _workers.SECONDS_WORTH_WORKERS = 0.0, 0.0
if {plain}:
    sys.modules["tqdm"] = sys.modules["tqdm.auto"] = None


def slow(y_true, y_pred):
    time.sleep(0.005)
    return 0.5


def children():
    pids = " ".join(open(f).read() for f in glob.glob("/proc/self/task/*/children"))
    lines = [open(f"/proc/{{pid}}/cmdline").read() for pid in pids.split()]
    return [line for line in lines if line and "resource_tracker" not in line]


if __name__ == "__main__":
    y = np.arange(100) % 2
    test = PairedBootstrap(scoring=make_scorer(slow), n_jobs={n_jobs}, verbose=1)
    try:
        test.fit_predictions(y, y, 1 - y)
    except KeyboardInterrupt:
        print("INTERRUPTED", flush=True)
    for _ in range(500):  # workers that are being started import much
        if not children():
            break
        time.sleep(0.1)
    print("LEFT", children(), flush=True)
"""


def in_a_terminal(script, *, interrupt_at):
    """Run a script in a terminal, press Ctrl-C when its output matches."""
    fcntl, pty, termios = map(pytest.importorskip, ("fcntl", "pty", "termios"))
    pid, terminal = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # in the background: ignored
        os.execv(sys.executable, [sys.executable, "-W", "ignore", str(script)])
    size = np.array([24, 80, 0, 0], dtype=np.uint16).tobytes()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
    output, pressed = b"", False
    while select.select([terminal], [], [], 60)[0]:
        try:
            output += os.read(terminal, 2**16)
        except OSError:  # the end
            break
        if not pressed and re.search(interrupt_at, output):
            os.write(terminal, b"\x03")
            pressed = True
    assert os.waitpid(pid, 0)[1] == 0, output.decode()
    return output.decode().replace("\r\n", "\n")


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux's /proc")
@pytest.mark.parametrize(
    ("n_jobs", "plain", "sign"),
    [(2, False, rb"[1-9]\d*/9999 \["), (None, True, rb"of 9,999")],
    ids=["workers-tqdm", "alone-plain"],
)
def test_ctrl_c_leaves_the_terminal_clean(n_jobs, plain, sign, tmp_path):
    if not plain:
        pytest.importorskip("tqdm")
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED.format(n_jobs=n_jobs, plain=plain))
    output = in_a_terminal(script, interrupt_at=sign)
    assert "\nINTERRUPTED\nLEFT []\n" in output.replace("^CINT", "\nINT")
    assert "Traceback" not in output
    if not plain:
        assert re.search(r"\n\^?C?INTERRUPTED", output)  # the bar's line is ended


# Callbacks


@pytest.fixture
def callback():
    return pytest.importorskip(
        "sklearn.callback", reason="scikit-learn before 1.9 has no callbacks"
    )


class Recorder:
    """A callback that records its events."""

    def __init__(self, stop=False):
        self.events, self.stop = [], stop

    def setup(self, estimator, context):
        self.events.append("setup")

    def teardown(self, estimator, context):
        self.events.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.events.append(f"{context.task_name} begins")

    def on_fit_task_end(self, estimator, context):
        self.events.append(f"{context.task_name} ends")
        return self.stop


def quick(test, **params):
    return test(scoring=BY_ROWS, n_resamples=99, random_state=0, **params)


def test_callbacks_see_call_stages_and_steps(callback, labels):
    recorder = Recorder()
    quick(PairedBootstrap).set_callbacks(recorder).fit_predictions(*labels)
    events = recorder.events
    assert events[:3] == ["setup", "fit_predictions begins", "bootstrap begins"]
    assert events[-3:] == ["bootstrap ends", "fit_predictions ends", "teardown"]
    assert events[3:-3] == ["step begins", "step ends"] * 99


def test_long_stages_are_reported_in_a_hundred_steps(callback, labels):
    recorder = Recorder()
    test = PairedBootstrap(n_resamples=54_321).set_callbacks(recorder)
    test.fit_predictions(*labels)
    assert (
        recorder.events.count("step begins")
        == recorder.events.count("step ends")
        == 100
    )


@pytest.mark.parametrize("test", [PairedBootstrap, ApproxRandomization])
def test_callbacks_change_no_numbers_even_if_they_request_a_stop(
    callback, labels, test
):
    followed = quick(test).set_callbacks(Recorder(stop=True)).fit_predictions(*labels)
    alone = quick(test).fit_predictions(*labels)
    np.testing.assert_array_equal(followed.distribution_, alone.distribution_)
    assert vars(followed).keys() - vars(alone).keys() == {"_skl_callbacks"}


def test_callbacks_are_torn_down_after_an_error(callback, data):
    recorder = Recorder()
    models = LogisticRegression(), DummyClassifier(strategy="no such strategy")
    test = McNemar(*models, cv=3).set_callbacks(recorder)
    with pytest.raises(ValueError, match="strategy"):
        test.fit(*data)
    assert recorder.events[:2] == ["setup", "fit begins"]
    assert recorder.events[-1] == "teardown"
    assert "fit ends" not in recorder.events


ESTIMATORS = [
    quick(PairedBootstrap, estimator_a=MODELS[0], estimator_b=MODELS[1], cv=3),
    quick(ApproxRandomization, estimator_a=MODELS[0], estimator_b=MODELS[1], cv=3),
    McNemar(*MODELS, cv=3),
    CochranQ([("lr", MODELS[0]), ("nb", MODELS[1]), ("d", DummyClassifier())], cv=3),
    CorrectedTTest(*MODELS, cv=3),
    FoldReplicability(McNemar(*MODELS), cv=3),
    NestedCVInterval(*MODELS, n_repeats=2, cv=3),
    PairwiseComparison(
        [("lr", MODELS[0]), ("nb", MODELS[1])], test=quick(PairedBootstrap), cv=3
    ),
]


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")
@pytest.mark.parametrize("test", ESTIMATORS, ids=lambda test: type(test).__name__)
def test_every_comparison_has_callbacks(callback, test, data):
    recorder = Recorder()
    clone(test).set_callbacks(recorder).fit(*data)
    assert recorder.events[:2] == ["setup", "fit begins"]
    assert recorder.events[-2:] == ["fit ends", "teardown"]
    assert recorder.events.count("setup") == recorder.events.count("teardown") == 1


@pytest.mark.filterwarnings("ignore::skcompare.exceptions.ComparisonWarning")
def test_so_have_those_of_searches_and_data_sets(callback, data):
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=3).fit(*data)
    for test, method, arguments in [
        (SearchComparison(search, n_resamples=50), "fit", ()),
        (BayesianSignedRank(n_draws=500), "fit_scores", np.eye(2, 5)),
    ]:
        recorder = Recorder()
        getattr(test.set_callbacks(recorder), method)(*arguments)
        assert recorder.events[:2] == ["setup", f"{method} begins"]
        assert recorder.events[-2:] == [f"{method} ends", "teardown"]
        assert "step ends" in recorder.events


def test_scikit_learns_bar_follows_a_comparison_and_a_search_around_it(
    callback, data, capsys
):
    pytest.importorskip("rich", reason="the bar of scikit-learn needs rich")
    test = quick(PairedBootstrap, estimator_a=MODELS[0], estimator_b=MODELS[1], cv=3)
    test.set_callbacks(callback.ProgressBar()).fit(*data)
    output = capsys.readouterr().out
    assert re.search(r"PairedBootstrap - fit .*100%", output)
    assert re.search(r"PairedBootstrap - fits #0 .*100%", output)
    assert re.search(r"PairedBootstrap - bootstrap #1 .*100%", output)
    search = GridSearchCV(clone(test).set_callbacks(), {"n_resamples": [9]}, cv=2)
    search.set_callbacks(callback.ProgressBar()).fit(*data)
    assert "PairedBootstrap" in capsys.readouterr().out


def test_warnings_point_to_the_caller_also_with_callbacks(callback, labels):
    y, a, _ = labels
    test = McNemar().set_callbacks(Recorder())
    with pytest.warns(DegenerateDataWarning) as caught:
        test.fit_predictions(y, a, a)
    assert caught[0].filename == __file__


def test_older_scikit_learn_does_without_callbacks(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.callback", None)
    module = runpy.run_path(_progress.__file__)
    assert not hasattr(module["CallbackSupportMixin"], "set_callbacks")
    with module["followed"](MODELS[0]), track([], total=0, label="work") as tracked:
        assert tracked == []
