"""Private names of other libraries: no other module imports or reads them.

Names and attributes that begin with an underscore may change in any version of their
library. Each is listed here with its reason and the versions in which it was checked;
the rest of the package imports a plain name. Remove an entry as soon as the oldest
version in `pyproject.toml` has a public alternative.
"""

import copy

# joblib 1.4 to 1.6: its copy of loky. In joblib only workers run tasks, while here the
# calling process does, too; and loky itself need not be installed.
from joblib.externals.loky import ProcessPoolExecutor
from joblib.externals.loky.backend import resource_tracker
from joblib.externals.loky.process_executor import ShutdownExecutorError

# scikit-learn 1.7 to 1.9: the only way to distinguish a `make_scorer` scorer from any
# other callable.
from sklearn.metrics._scorer import _BaseScorer

# scikit-learn 1.7 to 1.9: the common class of grid, randomized and halving searches.
# The first two are public, halving searches only once they are enabled.
from sklearn.model_selection._search import BaseSearchCV

# scikit-learn 1.7 to 1.9: rows by position from any container (arrays, sparse matrices,
# pandas, polars, lists).
from sklearn.utils import _safe_indexing as rows_at

# scikit-learn 1.7 to 1.9: rows of the data for a model, whose X may be a kernel matrix.
from sklearn.utils.metaestimators import _safe_split as data_at

# scikit-learn 1.7 to 1.9: parameters of `fit` at some rows, where they have one entry
# per row.
from sklearn.utils.validation import _check_method_params as rows_of_parameters

try:
    import cloudpickle
except ImportError:  # joblib 1.4 and 1.5 have a copy; since 1.6 they require it
    from joblib.externals import cloudpickle

__all__ = [
    "BaseSearchCV",
    "CALLBACKS",
    "ProcessPoolExecutor",
    "ShutdownExecutorError",
    "callback_context",
    "calling",
    "cloudpickle",
    "data_at",
    "metric_of",
    "resource_tracker",
    "rows_at",
    "rows_of_parameters",
    "segment_statistics",
]

# scikit-learn 1.9: the attribute that estimators have while callbacks are set. There is
# no public way to check whether `set_callbacks` was called.
CALLBACKS = "_skl_callbacks"


def metric_of(scorer):
    """Return the function, sign, keyword arguments and response methods of a scorer.

    The response methods are in order of preference. For callables that `make_scorer`
    did not make, the function and the methods are None.

    scikit-learn 1.7 to 1.9 have no public way to read these. They are needed to
    resample metrics without calling their scorers.
    """
    if not isinstance(scorer, _BaseScorer):
        return None, 1, {}, None
    methods = scorer._response_method
    methods = (methods,) if isinstance(methods, str) else methods
    return scorer._score_func, scorer._sign, dict(scorer._kwargs), methods


def calling(scorer, function, kwargs):
    """Return a copy of a `make_scorer` scorer that calls another metric function.

    A new `make_scorer` scorer would lack the metadata requests of this one and any
    behavior of its own class.
    """
    copied = copy.copy(scorer)
    copied._score_func, copied._kwargs = function, kwargs
    return copied


def callback_context(estimator, task):
    """Return the root task of an estimator for its callbacks.

    The guide of scikit-learn 1.9 has third parties call this method and regards it as
    public despite its name. Earlier versions have no callbacks.
    """
    return estimator._init_callback_context(task, max_subtasks=None)


def segment_statistics(metric, hypothesis, references):
    """Return the counts of a sacrebleu metric for one segment.

    In sacrebleu 2.3.2 to 2.6, `sentence_score` calls this method first. Its own result
    contains these counts only after smoothing for BLEU, and not at all for chrF.
    """
    references = [[text] for text in references]
    return metric._extract_corpus_statistics([hypothesis], references)[0]
