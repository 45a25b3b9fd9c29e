"""``skcompare demo``: two classifiers on data that ship with scikit-learn."""

import io
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare._optional import optional_import
from skcompare.cli._options import add_run, metrics
from skcompare.cli._output import check_destination, deliver, render
from skcompare.cli._scoring import as_scoring
from skcompare.comparison import ApproxRandomization, PairedBootstrap
from skcompare.reporting import write_file

__all__ = ["EXAMPLES", "HELP", "add_options", "run"]

HELP = "compare two classifiers on data that ship with scikit-learn"
EXAMPLES = """\
examples:
  skcompare demo
  skcompare demo --scoring roc_auc --plot demo.png
"""

PICTURE = "skcompare-demo.png"


def add_options(parser):
    """Add the options of this command."""
    parser.add_argument(
        "--scoring",
        type=metrics,
        default=["f1_macro"],
        metavar="NAME",
        help="default: f1_macro",
    )
    add_run(parser, seed=0)
    parser.add_argument(
        "--plot",
        nargs="?",
        const=PICTURE,
        metavar="FILE",
        help=f"draw the bootstrap, into {PICTURE} unless named",
    )


def run(options):
    """Compare with both tests of resampling."""
    check_destination(options.plot)
    X_train, X_test, y_train, y_test = train_test_split(
        *load_breast_cancer(return_X_y=True), test_size=0.5, random_state=0
    )
    a = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    b = GaussianNB().fit(X_train, y_train)
    settings = {
        "scoring": as_scoring(options.scoring),
        "n_resamples": 9_999 if options.n_resamples is None else options.n_resamples,
        "random_state": options.seed,
        "n_jobs": options.jobs,
    }
    tests = [PairedBootstrap(a, b, **settings), ApproxRandomization(a, b, **settings)]
    results = [r for t in tests for r in t.fit(X_test, y_test).results_.values()]
    if options.plot is not None:
        write_file(options.plot, _picture(results[0], Path(options.plot).suffix))
    deliver("Breast cancer data: half for training, half for the comparison.\n", None)
    deliver(render(results, "text", options.words), None)
    if options.plot is not None:
        deliver(f"\nThe picture is in {options.plot}", None)
    return 0


def _picture(result, ending):
    """Return a picture of the format that a name's ending stands for."""
    figure = optional_import("matplotlib.figure", "plot").Figure(layout="constrained")
    result.plot(ax=figure.subplots())
    content = io.BytesIO()
    figure.savefig(content, format=ending.lstrip(".") or "png")
    return content.getvalue()
