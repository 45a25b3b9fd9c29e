"""The study's two commands: compare, and refit."""

import argparse
import os
import sys
import time
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

from benchmarks.reuters.labels import (
    LABELS,
    SYSTEMS,
    read_labels,
    read_matrix,
    write_labels,
)


def main(arguments=None):
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.reuters",
        description="Nine text classifiers on Reuters-21578, compared both ways.",
    )
    commands = parser.add_subparsers(required=True, metavar="compare | refit")
    _add_compare(commands)
    _add_refit(commands)
    options = parser.parse_args(arguments)
    options.run(options)


def _add_compare(commands):
    text = "Compare the systems by their label matrices and print the tables."
    parser = commands.add_parser("compare", help=text, description=text)
    parser.set_defaults(run=compare)
    parser.add_argument(
        "--labels", type=Path, default=LABELS, help="what `refit` wrote (default: ours)"
    )
    _add_predictions(parser)
    parser.add_argument("--resamples", type=int, default=10_000, metavar="N")
    parser.add_argument("--draws", type=int, default=10_000, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--out", type=Path, help="a folder for the tables (.csv) and figures"
    )
    parser.add_argument("--format", choices=("svg", "png"), default="svg")


def _add_refit(commands):
    text = "Fit the nine systems on the corpus and write their label matrices."
    parser = commands.add_parser("refit", help=text, description=text)
    parser.set_defaults(run=refit)
    parser.add_argument(
        "--corpus",
        type=Path,
        required=True,
        help="JSON lines, NLTK's folder 'reuters', or the folder of reut2-*.sgm",
    )
    parser.add_argument(
        "--features",
        type=Path,
        help="a .npz file with dense features, such as DistilBERT's, of the documents: "
        "arrays 'train' and 'test' (default: truncated SVD of TF-IDF)",
    )
    _add_predictions(parser)
    parser.add_argument(
        "--titles", action="store_true", help="read titles, too; the report did not"
    )
    parser.add_argument(
        "--one-vs-rest",
        action="store_true",
        help="fit tree, forest and network, too, once a label: hours",
    )
    parser.add_argument("--out", type=Path, default=Path("labels.npz"), help="the file")
    parser.add_argument(
        "--cache", type=Path, help="a folder in which finished systems are kept"
    )


def _add_predictions(parser):
    parser.add_argument(
        "--predictions",
        action="append",
        default=[],
        metavar="SYSTEM=FILE",
        help="a 0/1 matrix (.npy, .npz, .csv; a row a test document, a column a "
        f"category) that stands for a system: {', '.join(SYSTEMS)}",
    )


def compare(options):
    """Compare by the label matrices alone; print, and write if there is a folder."""
    from benchmarks.reuters.study import run_study
    from benchmarks.reuters.tables import TABLES, as_text, slips, write_csv

    truth, predictions = read_labels(options.labels)
    predictions |= _supplied(options.predictions, truth.shape)
    began = time.monotonic()
    study = run_study(
        truth,
        predictions,
        n_resamples=options.resamples,
        n_draws=options.draws,
        seed=options.seed,
        report=_show_progress,
    )
    _show_progress("")
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    for number, table in TABLES.items():
        heads, rows = table(study)
        print(f"Table {number}. {table.__doc__}\n\n{as_text(heads, rows)}\n")
        if options.out:
            write_csv(options.out / f"table_{number}.csv", heads, rows)
    print("Where the report contradicts itself:\n")
    print("\n".join(slips()), end="\n\n")
    if options.out:
        _draw(options, truth, predictions, study)
    print(
        f"{len(truth):,} documents, {truth.shape[1]} labels, {options.resamples:,} "
        f"resamples, {options.draws:,} draws: {time.monotonic() - began:.0f} s."
    )


def _draw(options, truth, predictions, study):
    import matplotlib

    matplotlib.use("Agg")
    from benchmarks.reuters.figures import FIGURES

    matplotlib.rcParams["svg.hashsalt"] = "reuters"  # the same file from every run
    metadata = {"Date": None} if options.format == "svg" else None
    for number, draw in FIGURES.items():
        path = options.out / f"figure_{number}.{options.format}"
        draw(truth, predictions, study).savefig(path, metadata=metadata, dpi=110)


def refit(options):
    """Fit what is not supplied, and write the label matrices."""
    from benchmarks.reuters.corpus import read_corpus
    from benchmarks.reuters.systems import Features, predict_all, read_features

    corpus = read_corpus(options.corpus)
    _show_progress(
        f"{len(corpus.train):,} training and {len(corpus.test):,} test documents, "
        f"{len(corpus.categories)} categories",
        stays=True,
    )
    dense = options.features and read_features(options.features, corpus)
    if options.cache:
        options.cache.mkdir(parents=True, exist_ok=True)
    predictions = predict_all(
        corpus,
        Features(corpus, dense, titles=options.titles),
        cache=options.cache,
        supplied=_supplied(options.predictions, corpus.y_test.shape),
        one_vs_rest=options.one_vs_rest,
        report=_show_progress,
    )
    write_labels(options.out, corpus.y_test, predictions)
    print(f"Written: {options.out}. Next: compare --labels {options.out}")


def _supplied(pairs, shape):
    """Read the predictions that stand for systems."""
    matrices = {}
    for pair in pairs:
        system, _, path = pair.partition("=")
        if system not in SYSTEMS or not path:
            raise SystemExit(
                "`--predictions` must be SYSTEM=FILE, with SYSTEM one of "
                f"{', '.join(SYSTEMS)}. Got {pair!r}."
            )
        matrices[system] = read_matrix(path, shape)
    return matrices


def _show_progress(text, stays=False):
    """Show progress on standard error, over the line before in a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}" + ("\n" if stays else ""))
        sys.stderr.flush()
    elif stays:
        print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
