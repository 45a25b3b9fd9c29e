"""The command line."""

import argparse
import textwrap

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcompare._version import __version__
from skcompare.comparison import ApproxRandomization, PairedBootstrap

__all__ = ["main"]


def main(arguments=None):
    """Run the command line.

    Parameters
    ----------
    arguments : list of str, default=None
        The arguments; those of the process if None.

    Returns
    -------
    int
        The exit status.
    """
    options = _parser().parse_args(arguments)
    return options.run(options)


def _parser():
    parser = argparse.ArgumentParser(
        prog="skcompare",
        description="Is model A really better than model B?",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command")
    demo = commands.add_parser(
        "demo", help="compare two classifiers on data that ship with scikit-learn"
    )
    demo.add_argument("--scoring", default="f1_macro", help="a scorer's name")
    demo.add_argument("--n-resamples", type=int, default=9_999)
    demo.add_argument("--seed", type=int, default=0)
    demo.add_argument("--jobs", type=int, default=None, help="parallel workers")
    demo.set_defaults(run=_demo)
    return parser


def _demo(options):
    X_train, X_test, y_train, y_test = train_test_split(
        *load_breast_cancer(return_X_y=True), test_size=0.5, random_state=0
    )
    a = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    b = GaussianNB().fit(X_train, y_train)
    print("Breast cancer data: half for training, half for the comparison.\n")
    for test in (PairedBootstrap, ApproxRandomization):
        comparison = test(
            a,
            b,
            scoring=options.scoring,
            n_resamples=options.n_resamples,
            random_state=options.seed,
            n_jobs=options.jobs,
        )
        print(_wrapped(comparison.fit(X_test, y_test).result_.summary()), "\n")
    return 0


def _wrapped(text):
    """Break long lines at 79 columns, keeping their indentation."""
    lines = []
    for line in text.splitlines():
        indent = " " * (len(line) - len(line.lstrip()))
        wrapped = textwrap.wrap(
            line.strip(),
            79,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
        )
        lines += wrapped or [""]
    return "\n".join(lines)
