"""Cochran's Q test of the accuracies of several models."""

from collections.abc import Mapping

import numpy as np
from sklearn.utils.multiclass import type_of_target

from skcompare._caveats import Caveat
from skcompare._evaluation import problem_of_models, problem_of_predictions
from skcompare._format import format_count
from skcompare._progress import followed
from skcompare._validation import as_array, model_names
from skcompare.comparison._base import (
    as_target,
    outcome_of,
    publish_single,
    refuse_untaken,
)
from skcompare.comparison._named import NamedModels, named_models, named_predictions
from skcompare.comparison._winner import (
    ComparesModels,
    FittedAttributes,
    result_attributes,
)
from skcompare.exceptions import DegenerateDataWarning, SmallSampleWarning
from skcompare.results import OmnibusResult
from skcompare.stats.blocks import cochran_q

# Tate and Brown (1970): number of models times rows on which they are not all right or
# all wrong.
FEWEST_PREDICTIONS = 24

_NO_CLASSES = "CochranQ needs classes, which are right or wrong. Got {} for {}."


@result_attributes("statistic", "pvalue", "df", "names", "scores", "effect_size")
class OmnibusTest(FittedAttributes):
    """A test of whether any of several models differ."""

    def _outcome(self, test, caveats, **fields):
        """Return an outcome from a test of `skcompare.stats` and additional fields."""
        fields |= {"statistic": test.statistic, "pvalue": test.pvalue, "df": test.df}
        results = {fields.get("scoring", ""): {**fields, "alpha": self.alpha}}
        return outcome_of(self, OmnibusResult, results, caveats)


class CochranQ(NamedModels, ComparesModels, OmnibusTest):
    """Test whether several models are equally accurate on the same rows.

    1. Determine which models are right on each row.
    2. If all models are equally accurate, the right predictions of a row could belong
       to any of the models. ``statistic_``, Cochran's Q, compares the differences
       between the models' totals with those expected if the right predictions of each
       row were assigned to models at random.
    3. Compute the p-value from the chi-square distribution with one degree of freedom
       less than the number of models.

    Parameters
    ----------
    estimators : list of (str, estimator) tuples or dict, default=None
        At least two models with their names. Not needed for `fit_predictions`. Each
        can be replaced by its name, and its parameters set, with `set_params`.
    cv : "prefit", int, splitter or iterable, default="prefit"
        "prefit" evaluates fitted models on the data passed to `fit`. Other values are
        interpreted as in :func:`~sklearn.model_selection.cross_val_predict`: clones are
        evaluated on their out-of-fold predictions, with the same folds for all models.
        Each row may be tested at most once.
    alpha : float, default=0.05
        Significance level for wording the result.
    error_score : "raise" or nan, default="raise"
        How to handle failed fits with `cv`: "raise" raises the error; nan excludes the
        rows of that fold for all models and issues a `FailedFitWarning`.
    n_jobs : int, default=None
        Number of folds fitted in parallel.
    verbose : int, default=0
        If nonzero, show the progress of fits on standard error after two seconds.

    Attributes
    ----------
    result_ : OmnibusResult
        The result; the attributes below are its fields.
    statistic_ : float
        Cochran's Q.
    pvalue_ : float
        The p-value.
    df_ : int
        Degrees of freedom.
    names_ : tuple of str
        Names of the models.
    scores_ : ndarray of shape (n_models,)
        Accuracies of the models.
    effect_size_ : dict
        ``"eta_squared"``, Q divided by its largest possible value, from 0 to 1, and
        ``"accuracy_range"``, the accuracy of the best model minus that of the worst.

    See Also
    --------
    FriedmanTest : For scores on several data sets or folds.

    Notes
    -----
    *Null hypothesis*: all models are right with the same probability. *What is
    exchangeable*: on each row, which of the models are right, conditional on their
    number. *Assumptions*: rows are independent, and the models differ on enough of
    them: Tate and Brown [2]_ require 24 predictions, the number of models times such
    rows; fewer give a `SmallSampleWarning`. *Estimand*: the accuracies of these models
    on rows like these.

    For two models, Q is the chi-square statistic of McNemar's test without correction.
    Rows on which all models are right, or all wrong, have no effect. If there are no
    other rows, Q is 0 and p = 1, with a `DegenerateDataWarning`.

    *When it misleads*: it shows that the models are not all alike, but not which ones
    differ. For that, test pairs and correct for multiple comparisons. If dependence
    differs between pairs of models, as among two versions of one model and a third
    model, the chi-square distribution is not exact even for equally accurate models.
    Every prediction is either right or wrong: for probabilities, or classes of unequal
    importance, use a metric that accounts for them. With `cv`, the predictions of a
    fold come from one fitted model, so rows are not quite independent.

    References
    ----------
    .. [1] Cochran, W. G. (1950). The comparison of percentages in matched samples.
       Biometrika 37(3/4), 256-266. :doi:`10.2307/2332378`
    .. [2] Tate, M. W. and Brown, S. M. (1970). Note on the Cochran Q test. JASA
       65(329), 155-160. :doi:`10.1080/01621459.1970.10481069`
    .. [3] Serlin, R. C., Carr, J. and Marascuilo, L. A. (1982). A measure of
       association for selected nonparametric procedures. Psychological Bulletin 92(3),
       786-790. :doi:`10.1037/0033-2909.92.3.786`

    Examples
    --------
    >>> from skcompare import CochranQ
    >>> truth = [1] * 14
    >>> test = CochranQ().fit_predictions(truth, {
    ...     "nb": [0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0, 0],
    ...     "svm": [1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1],
    ...     "forest": [1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1]})
    >>> round(test.statistic_, 4), test.df_, round(test.pvalue_, 4)
    (8.6667, 2, 0.0131)
    """

    takes = frozenset({"predictions", "splits"})

    def __init__(
        self,
        estimators=None,
        *,
        cv="prefit",
        alpha=0.05,
        error_score="raise",
        n_jobs=None,
        verbose=0,
    ):
        self.estimators = estimators
        self.cv = cv
        self.alpha = alpha
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y=None, *, names=None, **params):
        """Compare the models on data.

        Parameters
        ----------
        X : array-like, sparse matrix, DataFrame or list
            With ``cv="prefit"``, a held-out test set that no model has seen; otherwise,
            the data for cross-validation.
        y : array-like
            The target values.
        names : sequence of str, default=None
            Names of the models, in their order; None means the names in `estimators`.
        **params : dict
            With `cv`, additional parameters for fitting the models. `groups`, `strata`
            and `sample_weight` must be None.

        Returns
        -------
        CochranQ
            The fitted test.
        """
        params = refuse_untaken(self, params)
        self.check_parameters()
        models = named_models(self.estimators)
        y = as_target(y, type(self).__name__)
        with followed(self):
            problem = problem_of_models(
                models,
                X,
                y,
                scoring="accuracy",
                cv=self.cv,
                names=model_names(names, tuple(models)),
                params=params,
                error_score=self.error_score,
                n_jobs=self.n_jobs,
                verbose=self.verbose,
            )
            publish_single(self, self.compare(problem))
        return self

    def fit_predictions(
        self,
        y_true,
        y_preds,
        *,
        groups=None,
        strata=None,
        sample_weight=None,
        fold=None,
        names=None,
    ):
        """Compare models by their predictions.

        Parameters
        ----------
        y_true : array-like
            The target values: classes or, with several columns, sets of labels, which
            are right if all labels are.
        y_preds : dict of array-like, or DataFrame
            Predictions of each model, by name; at least two models.
        groups, strata, sample_weight : None
            Not supported: each must be None.
        fold : array-like of shape (n_samples,), default=None
            The fold in which each row was tested, for out-of-fold predictions.
        names : sequence of str, default=None
            Names of the models, in their order; None means the names in `y_preds`.

        Returns
        -------
        CochranQ
            The fitted test.
        """
        rows = {"groups": groups, "strata": strata, "sample_weight": sample_weight}
        refuse_untaken(self, rows)
        self.check_parameters()
        own_names, predictions = named_predictions(y_preds)
        names = model_names(names, own_names)
        _check_classes("the truth", as_array(y_true, "y_true"))
        for name, parameter in zip(names, predictions, strict=True):
            labels = values = predictions[parameter]
            if isinstance(values, Mapping):
                labels = values.get("predict")
            if labels is None:
                raise ValueError(_NO_CLASSES.format("/".join(values), repr(name)))
            _check_classes(repr(name), as_array(labels, parameter))
        problem = problem_of_predictions(
            y_true, predictions, scoring="accuracy", fold=fold, names=names
        )
        publish_single(self, self.compare(problem))
        return self

    def compare(self, problem):
        """Compare the models of a problem.

        Parameters
        ----------
        problem : Problem
            The predicted classes of several models.

        Returns
        -------
        Outcome
            The result and caveats.
        """
        if problem.units.groups is not None:
            raise ValueError(
                "`cv` must test every row at most once for CochranQ, which assumes "
                f"independent rows. Got {problem.n_rows} predictions for "
                f"{len(problem.units)} rows."
            )
        right = np.column_stack(problem.statistics["accuracy"].row_scores()) > 0.5
        test, scores = cochran_q(right), right.mean(axis=0)
        return self._outcome(
            test,
            [_caveat(right), *problem.notes, problem.series],
            names=problem.names,
            scores=scores,
            scoring="accuracy",
            n_rows=problem.n_rows,
            method="chi2",
            cv=problem.origin,
            hypothesis="all models are right with the same probability",
            effect_size={
                "eta_squared": test.concordance,
                "accuracy_range": float(np.ptp(scores)),
            },
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.no_validation = True  # the models validate, and nothing is predicted
        return tags


def _check_classes(owner, labels):
    if labels.dtype.kind == "f" and type_of_target(labels).startswith("continuous"):
        raise ValueError(_NO_CLASSES.format("numbers that are not whole", owner))


def _caveat(right):
    """Return a caveat if the models differ on few rows, else None."""
    n_rows, n_models = right.shape
    n_right = right.sum(axis=1)
    n_mixed = int(np.count_nonzero((n_right > 0) & (n_right < n_models)))
    if n_mixed == 0:
        return Caveat(
            DegenerateDataWarning,
            f"On each of the {n_rows} rows all models are right or all are wrong: Q is "
            "0 and the p-value 1.",
        )
    if n_mixed * n_models < FEWEST_PREDICTIONS:
        return Caveat(
            SmallSampleWarning,
            f"The models differ on only {n_mixed} of {n_rows} rows. For {n_models} "
            "models the chi-square distribution needs "
            f"{format_count(-(-FEWEST_PREDICTIONS // n_models), 'such rows')}.",
        )
    return None
