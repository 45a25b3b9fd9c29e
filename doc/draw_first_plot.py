"""Draw the plot of the first screen: ``python doc/draw_first_plot.py`` writes it.

The code is that of README.md and of the landing page.
"""

from pathlib import Path

import matplotlib
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import SVC

from skcompare import PairedBootstrap

PATH = Path(__file__).parent / "_static" / "first_plot.svg"


def main():
    """Compare, and draw."""
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "skcompare"
    X, y = load_digits(return_X_y=True)
    a = SVC().fit(X[:900], y[:900])
    b = RandomForestClassifier(random_state=0).fit(X[:900], y[:900])
    test = PairedBootstrap(a, b, scoring="f1_macro", random_state=0)
    display = test.fit(X[900:], y[900:]).result_.plot()
    display.figure_.savefig(PATH, bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    main()
