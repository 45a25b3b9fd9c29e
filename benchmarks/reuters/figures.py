"""The report's figures, and one of its table 4, drawn from our results."""

import matplotlib.pyplot as plt
import numpy as np
from scipy import stats

from benchmarks.reuters.published import ROPE, TABLE_4, TABLE_5
from benchmarks.reuters.study import precision_posteriors

BLUE, ORANGE, PURPLE, GRAY = "#0072b2", "#d55e00", "#7b3f9d", "0.45"
PRIOR = 0.5
LABEL = 34  # of figure 1: 131 test documents have it
GRID = np.linspace(0.0, 1.0, 2_001)


def figure_1(truth, predictions, study):
    """Precision of two systems on one label: the better one is the less certain."""
    label, a, b = LABEL, "RF", "DT"
    fig, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
    draws = precision_posteriors(
        truth[:, label], predictions[a][:, label], predictions[b][:, label]
    )
    for name, color, drawn in zip((a, b), (BLUE, ORANGE), draws, strict=True):
        tp, fp = counts(truth[:, label], predictions[name][:, label])
        ax.hist(drawn, bins=120, density=True, color=color, alpha=0.2)
        density = stats.beta.pdf(GRID[1:-1], tp + PRIOR, fp + PRIOR)
        ax.plot(GRID[1:-1], density, color=color, label=f"{name}: {tp} of {tp + fp}")
        ax.axvline(tp / (tp + fp), color=color, linestyle=":", linewidth=1)
    ax.legend(frameon=False, title="right among predicted", loc="upper left")
    low = min(np.quantile(drawn, 0.001) for drawn in draws)
    _bare(ax, "precision on one label", xlim=(max(0.0, low - 0.05), 1.0))
    return fig


def figure_2(truth, predictions, study):
    """Precision of one system's counts, and of a tenth and a hundredth of them."""
    tp, fp = counts(truth, predictions["DT"])
    fig, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
    for part, color in ((100, ORANGE), (10, PURPLE), (1, BLUE)):
        right, wrong = round(tp / part), round(fp / part)
        density = stats.beta.pdf(GRID[1:-1], right + PRIOR, wrong + PRIOR)
        ax.plot(
            GRID[1:-1], density, color=color, label=f"{right:,} of {right + wrong:,}"
        )
    ax.axvline(tp / (tp + fp), color=GRAY, linestyle=":", linewidth=1)
    ax.legend(frameon=False, title="right among predicted", loc="upper left")
    center = tp / (tp + fp)
    _bare(ax, "precision", xlim=(max(0.0, center - 0.3), min(1.0, center + 0.3)))
    return fig


def figure_3(truth, predictions, study):
    """Posteriors of the report's three examples: the average, and the pairing."""
    examples = (("kNN", "RF"), ("NB", "DT"), ("SVM", "DBERT"))
    fig, axes = plt.subplots(2, 3, figsize=(11, 6), layout="constrained")
    for row, average in zip(axes, ("macro", "micro"), strict=True):
        for ax, pair in zip(row, examples, strict=True):
            ax.axvspan(-ROPE, ROPE, color="0.92", zorder=0)
            tops = []
            for kind, color in (("independent", ORANGE), ("paired", BLUE)):
                result = study.posteriors[kind, average][pair]
                grid, density = result.density()
                ax.plot(grid, density, color=color, label=kind)
                tops.append(density.max())
            for step, (kind, color) in enumerate(
                (("independent", ORANGE), ("paired", BLUE)), 1
            ):
                result = study.posteriors[kind, average][pair]
                height = -0.05 * step * max(tops)
                ax.plot(result.hdi, [height] * 2, color=color, linewidth=3)
            if average == "macro":
                *_, hdi, _ = TABLE_5[pair]
                height = -0.15 * max(tops)
                ax.plot(hdi, [height] * 2, color=GRAY, linewidth=3, label="report")
            ax.axhline(0, color="0.8", linewidth=0.8)
            signs = " / ".join(
                study.posteriors[kind, average][pair].decision
                for kind in ("independent", "paired")
            )
            ax.set_title(f"{pair[0]} - {pair[1]}:  {signs}", fontsize=11)
            _bare(ax, f"difference in {average} F1")
    axes[0, 0].legend(frameon=False, loc="upper left")
    return fig


def figure_4(truth, predictions, study):
    """Intervals of all pairs in micro F1: the report's and ours."""
    pairs, ours = study.bootstrap.pairs, study.bootstrap.intervals
    fig, ax = plt.subplots(figsize=(7, 8.5), layout="constrained")
    for place, (pair, ends) in enumerate(zip(pairs, ours, strict=True)):
        published = sorted(TABLE_4[pair][1])
        ax.plot(published, [place - 0.15] * 2, color=GRAY, linewidth=3.5)
        ax.plot(ends, [place + 0.15] * 2, color=BLUE, linewidth=3.5)
    ax.plot([], [], color=GRAY, linewidth=3.5, label="report")
    ax.plot([], [], color=BLUE, linewidth=3.5, label="here")
    ax.axvline(0, color="0.3", linewidth=0.8)
    ax.set_yticks(range(len(pairs)), [f"{a} - {b}" for a, b in pairs])
    ax.invert_yaxis()
    ax.legend(frameon=False, loc="lower left")
    ax.set_xlabel("difference in micro F1, 95 % percentile interval")
    ax.spines[["top", "right"]].set_visible(False)
    return fig


FIGURES = {1: figure_1, 2: figure_2, 3: figure_3, 4: figure_4}


def counts(truth, predicted):
    """Return the numbers of true and of false positives."""
    return int((predicted & truth).sum()), int((predicted & ~truth & 1).sum())


def _bare(ax, xlabel, **limits):
    ax.set(xlabel=xlabel, yticks=[], **limits)
    ax.spines[["top", "right", "left"]].set_visible(False)
