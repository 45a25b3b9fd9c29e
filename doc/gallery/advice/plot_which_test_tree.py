"""
The decision tree
=================

:func:`~skcompare.recommend_test` follows a decision tree: questions about the score,
the rows and the differences between two models. This example draws the tree. It is
based on the guide of `Dror et al. (2018) <https://doi.org/10.18653/v1/P18-1128>`_; the
:ref:`user guide <which_test_to_use>` has the reasons.
"""

# %%
# The tree is a public object. Here *yes* leads to the right and *no* leads down.

import textwrap

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch

from skcompare.planning import TREE, Node


def place(part, column=0, row=0):
    """Return (part, column, row) of a part and all below it, and the next free row."""
    if not isinstance(part, Node):
        return [(part, column, row)], row + 1
    right, below = place(part.yes, column + 1, row)
    down, end = place(part.no, column, below)
    return [(part, column, row), *right, *down], end


places, n_rows = place(TREE)

# %%
# Questions are blue and tests are orange.

fig, ax = plt.subplots(figsize=(10.5, 0.58 * n_rows), layout="constrained")
WIDTH, HEIGHT = 0.84, 0.72


def draw_box(part, column, row):
    leaf = not isinstance(part, Node)
    box = FancyBboxPatch(
        (column - WIDTH / 2, row - HEIGHT / 2),
        WIDTH,
        HEIGHT,
        boxstyle="round,pad=0,rounding_size=0.12",
        facecolor="#fdd9a0" if leaf else "#d6e6f4",
        edgecolor="#b35900" if leaf else "#2b6ca3",
        linewidth=1.2,
    )
    ax.add_patch(box)
    text = part.test.__name__ if leaf else textwrap.fill(part.question, 26)
    weight = "bold" if leaf else "normal"
    ax.text(column, row, text, ha="center", va="center", fontsize=10, weight=weight)


def draw_arrow(start, end, word):
    ax.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={"arrowstyle": "-|>", "color": "0.3", "shrinkA": 0, "shrinkB": 0},
    )
    across = start[1] == end[1]
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    shift = (0, 3) if across else (4, 0)
    ax.annotate(
        word,
        xy=(x, y),
        xytext=shift,
        textcoords="offset points",
        ha="center" if across else "left",
        va="bottom" if across else "center",
        fontsize=9,
        color="0.3",
    )


for part, column, row in places:
    draw_box(part, column, row)
    if isinstance(part, Node):
        _, below = place(part.yes, column + 1, row)
        draw_arrow((column + WIDTH / 2, row), (column + 1 - WIDTH / 2, row), "yes")
        draw_arrow((column, row + HEIGHT / 2), (column, below - HEIGHT / 2), "no")
n_columns = max(column for _, column, _ in places) + 1
ax.set(xlim=(-0.5, n_columns - 0.5), ylim=(n_rows - 0.5, -0.5))
ax.axis("off")

# %%
# Some questions depend on a threshold. Fewer than 30 rows, or groups, are too few for a
# bootstrap. Normality is not tested on fewer than 20 rows, where such tests have no
# power. The mean difference is treated as normal if normality of the differences is not
# rejected, or if there are so many rows that skewness changes the level of a t-test by
# less than a tenth.
#
# One example for each branch: :ref:`right or wrong
# <sphx_glr_auto_gallery_advice_plot_branch_mcnemar.py>`, :ref:`averages of normal
# differences <sphx_glr_auto_gallery_advice_plot_branch_t_test.py>`, :ref:`F1 and
# similar metrics <sphx_glr_auto_gallery_advice_plot_branch_resampling.py>`, and
# :ref:`few rows <sphx_glr_auto_gallery_advice_plot_branch_few_rows.py>`. For grouped
# rows see :ref:`groups <sphx_glr_auto_gallery_two_models_plot_groups.py>`.
