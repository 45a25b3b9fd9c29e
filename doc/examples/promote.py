"""Promote a challenger if it is better than the champion, by a margin that matters.

Usage: python promote.py champion.joblib test.csv challenger.joblib [...]

The last column of the table is the truth. Exit code 0: a challenger was promoted; its
file has replaced that of the champion. Exit code 3: the champion stays.
"""

import shutil
import sys

import joblib
import numpy as np

from skcompare import PairwiseComparison

MARGIN = 0.005  # a gain that is worth a deployment
STAYS = 3


def main(champion, table, *challengers):
    """Compare the models in files, and replace the champion by a better challenger."""
    data = np.loadtxt(table, delimiter=",", skiprows=1)
    X, y = data[:, :-1], data[:, -1].astype(int)
    models = [(path, joblib.load(path)) for path in (champion, *challengers)]
    comparison = PairwiseComparison(
        models,
        baseline=champion,
        scoring="f1_macro",
        correction="max-t",
        random_state=0,
    ).fit(X, y)
    print(comparison.result_)
    pairs = comparison.result_.to_frame()
    better = pairs[(pairs.pvalue_adjusted <= 0.05) & (pairs.low > MARGIN)]
    if better.empty:
        return STAYS
    shutil.copy(better.loc[better.delta.idxmax(), "a"], champion)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
