"""The label matrices of the test documents: the one file that the comparisons need."""

from pathlib import Path

import numpy as np

LABELS = Path(__file__).parent / "labels.npz"
SYSTEMS = ("Baseline", "NB", "kNN", "SVM", "NNet", "DT", "RF", "AB", "DBERT")


def read_labels(path=LABELS):
    """Return the true labels and a dictionary of predicted ones, as 0/1 matrices."""
    with np.load(path) as stored:
        n_labels = int(stored["n_labels"])
        matrices = {
            name: np.unpackbits(stored[name], axis=1, count=n_labels)
            for name in ("truth", *SYSTEMS)
        }
    return matrices.pop("truth"), matrices


def write_labels(path, truth, predictions):
    """Write the true labels and all systems' predictions, a bit a label, compressed."""
    matrices = {"truth": truth, **{name: predictions[name] for name in SYSTEMS}}
    packed = {name: np.packbits(m, axis=1) for name, m in matrices.items()}
    np.savez_compressed(path, n_labels=truth.shape[1], **packed)


def read_matrix(path, shape):
    """Read predictions: a 0/1 matrix in .npy, .npz (one array) or .csv."""
    path = Path(path)
    if path.suffix == ".csv":
        matrix = np.loadtxt(path, delimiter=",", ndmin=2)
    else:
        matrix = np.load(path)
        if path.suffix == ".npz":
            (name,) = matrix.files
            matrix = matrix[name]
    if matrix.shape != shape or not np.isin(matrix, (0, 1)).all():
        raise ValueError(
            f"Predictions must be a matrix of 0 and 1 of shape {shape}, a row a test "
            "document in the order of the corpus, a column a category in alphabetical "
            f"order, but {path} holds {matrix.dtype} of shape {matrix.shape}."
        )
    return matrix.astype(np.uint8)
