"""The plot of a replicability analysis, whose ticks must suit any number of sets."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pytest

from skcompare.results import ReplicabilityDisplay

plt.switch_backend("Agg")

PVALUES = {
    "one": [0.2],
    "two alike": [0.06, 0.06],
    "three": [0.01, 0.04, 0.3],
    "all 1": [1.0, 1.0, 1.0],
    "tiny": [0.0, 1e-300, 1e-12, 0.5],
    "twelve": np.geomspace(1e-9, 1, 12),
    "many": np.geomspace(1e-14, 1, 120),
}


@pytest.fixture(params=PVALUES)
def drawn(request):
    """The plot of some p-values, drawn at the size of a column of a paper."""
    figure = plt.figure(figsize=(4, 3), layout="constrained")
    display = ReplicabilityDisplay(PVALUES[request.param]).plot(ax=figure.subplots())
    figure.canvas.draw()
    yield display
    plt.close(figure)


def visible_labels(axis):
    """Return the labels of ticks in view."""
    low, high = sorted(axis.get_view_interval())
    return [
        tick.label1
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]
        if low <= tick.get_loc() <= high and tick.label1.get_text()
    ]


def test_data_sets_are_counted_in_whole_numbers(drawn):
    n = len(drawn.pvalues)
    numbers = [label.get_text() for label in visible_labels(drawn.ax_.xaxis)]
    assert numbers
    assert all(text.isdecimal() and 1 <= int(text) <= n for text in numbers)
    assert len(set(numbers)) == len(numbers)
    if n <= 10:
        assert numbers == [str(number) for number in range(1, n + 1)]


@pytest.mark.parametrize("side", ["xaxis", "yaxis"])
def test_labels_do_not_overlap(drawn, side):
    boxes = [x.get_window_extent() for x in visible_labels(getattr(drawn.ax_, side))]
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)


@pytest.mark.needs("matplotlib>=3.11", "label of every second power")
def test_pvalues_have_plain_labels_down_from_1(drawn):
    texts = [label.get_text() for label in visible_labels(drawn.ax_.yaxis)]
    values = [float(text.replace("\u2212", "-")) for text in texts]
    assert len(values) >= 2
    assert 1.0 in values
    assert np.allclose(np.log10(values), np.round(np.log10(values)))


def test_all_dots_and_the_level_are_in_view(drawn):
    low, high = drawn.ax_.get_ylim()
    heights = np.r_[drawn.significant_.get_ydata(), drawn.others_.get_ydata(), 0.05]
    assert len(heights) == len(drawn.pvalues) + 1
    assert ((low < heights) & (heights < high)).all()


def test_a_level_below_all_pvalues_is_in_view():
    display = ReplicabilityDisplay([0.3, 0.9], alpha=1e-6).plot()
    assert display.ax_.get_ylim()[0] < 1e-6
    plt.close(display.figure_)
