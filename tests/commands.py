"""Run commands in this process, on tables of predictions."""

import csv
import json

CLASSES = ["neg", "neu", "pos"]
FAST = ["--n-resamples", "99", "--seed", "0"]


def columns_of(predictions):
    return {
        "id": [f"r{row}" for row in range(60)],
        "doc": [row // 3 for row in range(60)],
        **{name: predictions[name] for name in ("gold", "lr", "nb")},
    }


def write_csv(path, columns, **options):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, **options)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return str(path)


def run(capsys, *arguments):
    """Run a command in this process and return its status, output and errors."""
    from skcompare.cli import (
        main,
    )  # conftest imports this: an error would end all tests

    try:
        status = main([str(argument) for argument in arguments])
    except SystemExit as end:
        status = end.code
    return status, *capsys.readouterr()


def run_json(capsys, *arguments):
    """Run a command that succeeds and return the first result of its JSON."""
    status, out, err = run(capsys, *arguments, "--format", "json")
    assert status in (0, 1), err
    return json.loads(out)["results"][0]


def failure(capsys, *arguments):
    """Run a command that fails and return its one line on standard error."""
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1, err
    assert err.startswith("skcompare")
    return err


COLUMNS = ["--truth", "gold", "--a", "lr", "--b", "nb"]
