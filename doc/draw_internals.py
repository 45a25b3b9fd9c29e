"""Draw the path of a `fit`: ``python doc/draw_internals.py`` writes the SVG.

Boxes are data, arrows are functions. Everything stands in a grid of columns and rows.
"""

from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 930, 790
COLUMNS = {"left": 40, "middle": 350, "right": 660}
BOX_WIDTH, BOX_HEIGHT = 230, 52
TOP, STEP = 52, 104

# Rooms as bands: the first and the last row, and a color.
ROOMS = (
    ("_evaluation", 0, 1, "#eef4fb"),
    ("_engine", 2, 3, "#f3f8ec"),
    ("comparison, stats", 4, 5, "#fdf4e7"),
    ("results", 6, 6, "#f6eefa"),
)

# Name, what it is, column and row.
BOXES = (
    ("models, X, y", "fit", "left", 0),
    ("y_true, predictions", "fit_predictions", "middle", 0),
    ("models, X, y or scores", "fit, fit_scores", "right", 0),
    ("Problem", "predictions, units, statistics", "left", 1),
    ("FoldProblem", "scores per fold, splits", "right", 1),
    ("Cells", "units that are alike, counted", "left", 2),
    ("Resampler", "what to draw, how to score it", "left", 3),
    ("Resamples", "scores on all resamples", "left", 4),
    ("Outcome", "results, and caveats to warn of", "middle", 5),
    ("Section", "paragraphs, tables, notes, figures", "left", 6),
    ("result_", "a frozen Result, no data in it", "middle", 6),
    ("Display", "a plot", "right", 6),
)

# From and to, each a box and a point in it as shares of its width and height; the
# function, and where its name begins, from the corner of the line, in pixels. A line
# that is not straight has a corner: below its start, or beside it.
ARROWS = (
    (("models, X, y", 0.5, 1), ("Problem", 0.5, 0), "problem_of_models", (8, -24)),
    (
        ("y_true, predictions", 0.5, 1),
        ("Problem", 1, 0.25),
        "problem_of_predictions",
        (8, -18),
    ),
    (
        ("models, X, y or scores", 0.5, 1),
        ("FoldProblem", 0.5, 0),
        "fold_problem",
        (8, -24),
    ),
    (("Problem", 0.5, 1), ("Cells", 0.5, 0), "problem.cells()", (8, -24)),
    (("Cells", 0.5, 1), ("Resampler", 0.5, 0), "bootstrap, swaps, ...", (8, -24)),
    (("Resampler", 0.5, 1), ("Resamples", 0.5, 0), "draw", (8, -24)),
    (("Resamples", 0.5, 1), ("Outcome", 0, 0.5), "conclude", (8, -14)),
    (
        ("Problem", 1, 0.75),
        ("Outcome", 0.5, 0),
        "compare: tests of rows",
        (8, 150),
    ),
    (("FoldProblem", 0.5, 1), ("Outcome", 1, 0.5), "compare: of folds", (-152, -14)),
    (("Outcome", 0.5, 1), ("result_", 0.5, 0), "_publish: warn_of, store", (8, -24)),
    (("result_", 0, 0.5), ("Section", 1, 0.5), "section()", (2, -8)),
    (("result_", 1, 0.5), ("Display", 0, 0.5), "plot()", (-64, -8)),
)

PLACES = {name: (COLUMNS[column], TOP + STEP * row) for name, _, column, row in BOXES}


def text(x, y, words, **style):
    """Return words at a place."""
    attributes = "".join(f' {key.replace("_", "-")}="{v}"' for key, v in style.items())
    return f'<text x="{x}" y="{y}"{attributes}>{escape(words)}</text>'


def band(name, first, last, color):
    """Return the band of a room."""
    y = TOP + STEP * first - 18
    height = STEP * (last - first) + BOX_HEIGHT + 36
    label = text(WIDTH - 24, y + height - 5, name, text_anchor="end", fill="#777")
    rect = f'<rect x="16" y="{y}" width="{WIDTH - 32}" height="{height}"'
    return f'{rect} rx="8" fill="{color}"/>{label}'


def box(name, role, column, row):
    """Return a box with a name and what it is."""
    x, y = COLUMNS[column], TOP + STEP * row
    rect = f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6"'
    center = x + BOX_WIDTH / 2
    return "".join(
        [
            f'{rect} fill="#fff" stroke="#444"/>',
            text(center, y + 22, name, text_anchor="middle", font_weight="bold"),
            text(center, y + 41, role, text_anchor="middle", fill="#555"),
        ]
    )


def point(name, across, down):
    """Return a point of a box."""
    x, y = PLACES[name]
    return x + across * BOX_WIDTH, y + down * BOX_HEIGHT


def arrow(start, end, function, shift):
    """Return an arrow between two boxes, with the name of a function."""
    (x0, y0), (x1, y1) = point(*start), point(*end)
    leaves_below = start[2] == 1
    corner = (x0, y1) if leaves_below else (x1, y0)
    points = ((x0, y0), corner, (x1, y1))
    path = " ".join(f"{x},{y}" for x, y in dict.fromkeys(points))
    line = f'<polyline points="{path}" fill="none" stroke="#444"'
    x, y = corner[0] + shift[0], corner[1] + shift[1]
    name = text(x, y, function, font_family="monospace", fill="#0b4f8a")
    return f'{line} marker-end="url(#head)"/>{name}'


def drawing():
    """Return the drawing as SVG."""
    head = (
        '<marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" '
        'orient="auto"><path d="M0,0 L9,4 L0,8 z" fill="#444"/></marker>'
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="14">',
        f"<defs>{head}</defs>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#fff"/>',
        text(40, 22, "check_parameters: RULES", font_family="monospace"),
        *(band(*room) for room in ROOMS),
        *(arrow(*each) for each in ARROWS),
        *(box(*each) for each in BOXES),
        text(40, HEIGHT - 16, "Boxes are data, arrows are functions.", fill="#555"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    target = Path(__file__).parent / "_static" / "internals.svg"
    target.write_text(drawing())
