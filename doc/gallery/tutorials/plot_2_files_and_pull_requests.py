"""
A prediction file and a pull request
====================================

The predictions of two models are in a file, and a CI job has to decide whether a pull
request may replace the model.
"""

# %%
# A file of predictions
# ---------------------
# One row for each test row, with the truth and the predictions of the two models.

# sphinx_gallery_thumbnail_path = '_static/first_plot.svg'
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

X_train, X_test, y_train, y_test = train_test_split(
    *load_digits(return_X_y=True), test_size=0.5, random_state=0
)
table = pd.DataFrame(
    {
        "truth": y_test,
        "new": LogisticRegression(max_iter=5_000).fit(X_train, y_train).predict(X_test),
        "old": GaussianNB().fit(X_train, y_train).predict(X_test),
    }
)
path = Path(tempfile.mkdtemp()) / "predictions.csv"
table.to_csv(path, index=False)
print(path.read_text()[:60], "...")

# %%
# The command line
# ----------------
# In a shell, the command is ``skcompare compare predictions.csv ...``. Here it is run
# from Python.


def shell(command):
    """Run a command of skcompare beside the file, and print what it prints."""
    print("$ skcompare", command)
    words = [sys.executable, "-m", "skcompare", *command.split()]
    done = subprocess.run(words, cwd=path.parent, capture_output=True, text=True)
    print(done.stdout, done.stderr, f"exit code {done.returncode}", sep="\n")


shell("compare predictions.csv --truth truth --a new --b old --scoring f1_macro")

# %%
# The gate
# --------
# ``gate`` exits with 0 only if A is significantly better or, with a negative
# ``--margin``, not worse by more than that (non-inferiority). Its Markdown output is
# for the pull request.

shell(
    "gate predictions.csv --truth truth --a new --b old --margin -0.01 --format markdown"
)

# %%
# With the models exchanged, the gate fails.

shell("gate predictions.csv --truth truth --a old --b new --quiet")

# %%
# The :ref:`guide <command_line>` has the workflow file that runs this for each pull
# request.
