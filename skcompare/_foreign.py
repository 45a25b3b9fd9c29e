"""What other libraries do not offer in public: the one module that takes it anyway.

Names and attributes that begin with an underscore may change with any version of their
library. Each has its reason here, and the versions that it was seen in; the rest of the
package imports a plain name. Where a library offers something in public, and the oldest
version in `pyproject.toml` has it, what stands for it here is to go.
"""

import copy

# joblib 1.4 to 1.6: its copy of loky. joblib has its workers work alone, while here the
# calling process works beside them; and loky itself need not be installed.
from joblib.externals.loky import ProcessPoolExecutor
from joblib.externals.loky.backend import resource_tracker
from joblib.externals.loky.process_executor import ShutdownExecutorError

# scikit-learn 1.7 to 1.9: the only mark that tells a `make_scorer` scorer from any
# other callable.
from sklearn.metrics._scorer import _BaseScorer

# scikit-learn 1.7 to 1.9: the common class of grid, randomized and halving searches.
# The first two are public, halving searches only where they are switched on.
from sklearn.model_selection._search import BaseSearchCV

# scikit-learn 1.7 to 1.9: rows by position from whatever container (arrays, sparse,
# pandas, polars, lists) a user has.
from sklearn.utils import _safe_indexing as rows_at

# scikit-learn 1.7 to 1.9: rows of data for a model, whose X may be a kernel matrix.
from sklearn.utils.metaestimators import _safe_split as data_at

# scikit-learn 1.7 to 1.9: some rows of those parameters of `fit` that have one entry
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

# scikit-learn 1.9: the attribute that estimators have while callbacks are set; there is
# `set_callbacks`, and nothing that tells whether it was called.
CALLBACKS = "_skl_callbacks"


def metric_of(scorer):
    """Return what a `make_scorer` scorer is made of.

    That is its function, sign, keyword arguments, and the response methods that it
    takes, best first. Of any other callable the function and the methods are None.

    scikit-learn 1.7 to 1.9 have no public way to read these, and a metric that is known
    is resampled without its scorer.
    """
    if not isinstance(scorer, _BaseScorer):
        return None, 1, {}, None
    methods = scorer._response_method
    methods = (methods,) if isinstance(methods, str) else methods
    return scorer._score_func, scorer._sign, dict(scorer._kwargs), methods


def calling(scorer, function, kwargs):
    """Return a copy of a `make_scorer` scorer that calls another metric function.

    A new scorer of `make_scorer` would lack the metadata that this one requests, and
    what its class may do of its own.
    """
    copied = copy.copy(scorer)
    copied._score_func, copied._kwargs = function, kwargs
    return copied


def callback_context(estimator, task):
    """Return the task that the callbacks of an estimator see as all of its work.

    The guide of scikit-learn 1.9 has third parties call this method, and counts it as
    public in spite of its name. Versions before have no callbacks to call it for.
    """
    return estimator._init_callback_context(task, max_subtasks=None)


def segment_statistics(metric, hypothesis, references):
    """Return what a metric of sacrebleu counts in one segment.

    What `sentence_score` of sacrebleu 2.3.2 to 2.6 returns has these counts only after
    smoothing for BLEU, and not at all for chrF. It calls this method first.
    """
    references = [[text] for text in references]
    return metric._extract_corpus_statistics([hypothesis], references)[0]
