"""Base classes of results: printing, notebook output, export and plots."""

import abc
import dataclasses
import functools

import numpy as np

from skcompare._format import format_count, format_number, optional_import
from skcompare._version import __version__
from skcompare.results._document import Code, Figure, Notes, Paragraph, Section, Table
from skcompare.results.writers import TextWriter, notebook

# A field that the repr omits.
hidden = functools.partial(dataclasses.field, repr=False)

# Names of effect sizes in tables, if they differ from the key with spaces.
EFFECT_NAMES = {
    "cohens_d": "Cohen's d",
    "cohens_g": "Cohen's g",
    "hedges_g": "Hedges' g",
    "kendall_w": "Kendall's W",
    "rank_biserial": "rank-biserial correlation",
    "somers_d_difference": "difference in Somers' D",
    "t_a": "t of A's correlation",
    "t_b": "t of B's correlation",
}

# The predicate of a verdict, by whether the test is significant.
DIFFER = {True: "differ significantly", False: "are not significantly different"}

# The decorator of all results: frozen, compared by identity, keyword-only.
result_class = dataclasses.dataclass(frozen=True, eq=False, kw_only=True)


def effect_rows(effect_size):
    """Return names and values of effect sizes for a table.

    Parameters
    ----------
    effect_size : dict
        Effect sizes, by name.

    Returns
    -------
    list of tuple of str
        The effect sizes, except undefined ones and those equal to the score difference.

    Examples
    --------
    >>> effect_rows({"auc_difference": 0.02, "somers_d_difference": 0.04})
    [("difference in Somers' D", '0.0400')]
    """
    return [
        (EFFECT_NAMES.get(name, name.replace("_", " ")), format_number(size, scale=1.0))
        for name, size in effect_size.items()
        if name not in ("auc_difference", "risk_difference") and not np.isnan(size)
    ]


def labels_of_models(name_a, name_b):
    """Return the names of two models for a sentence.

    Examples
    --------
    >>> labels_of_models("new", "old"), labels_of_models("SVC A", "SVC B")
    (['A (new)', 'B (old)'], ['SVC A', 'SVC B'])
    """
    return [
        name if f" {name}".endswith(f" {model}") else f"{model} ({name})"
        for model, name in {"A": name_a, "B": name_b}.items()
    ]


class Presentable(abc.ABC):
    """Base class of everything shown to users: a dataclass that returns a section.

    Its printed, notebook and exported forms are derived from its section and its
    fields.

    Examples
    --------
    >>> import dataclasses
    >>> from skcompare.results import Notes, Paragraph, Presentable, Section
    >>> @dataclasses.dataclass(frozen=True)
    ... class Remark(Presentable):
    ...     text: str
    ...     why: tuple = ()
    ...     def section(self):
    ...         blocks = Paragraph(self.text), Notes("Why", self.why)
    ...         return Section("A remark", blocks)
    >>> print(Remark("Use McNemar().", ("The metric is accuracy.",)))
    Use McNemar().
    <BLANKLINE>
    Why:
      The metric is accuracy.
    """

    # Large fields, which `to_dict` omits by default.
    _arrays = ()

    # Names of attributes computed from the fields, which `to_dict` adds.
    _derived = ""

    @abc.abstractmethod
    def section(self):
        """Return the complete content as a section of a document.

        Returns
        -------
        Section
            The title, paragraphs, tables, notes, code and figures.
        """

    def row(self):
        """Return the result as a row of a table of several results.

        Returns
        -------
        dict of str
            Cells by column name; empty if the result does not fit into a row.
        """
        return {}

    def __str__(self):
        return TextWriter().section(self.section().brief())

    def _repr_html_(self):
        return notebook(self.section().brief())

    def to_dict(self, *, arrays=False):
        """Return all numbers as a dict that `json.dumps` accepts.

        Parameters
        ----------
        arrays : bool, default=False
            Whether to include large fields: all resamples, draws, or single results.
            Undefined resamples are None.

        Returns
        -------
        dict
            The fields and attributes computed from them, such as the signature of a
            result. Objects that JSON cannot represent, such as estimators, become
            strings.
        """
        omitted = () if arrays else self._arrays
        fields = [f.name for f in dataclasses.fields(self) if f.name not in omitted]
        return {n: _plain(getattr(self, n)) for n in (*fields, *self._derived.split())}


@result_class
class Result(Presentable):
    """The result of a comparison.

    Attributes
    ----------
    test : str or None
        The name of the test's class.
    caveats : tuple of str
        The caveats, also issued as warnings.
    cautions : tuple of str
        Short forms of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as passed.
    """

    test: str | None
    caveats: tuple = hidden(default=())
    cautions: tuple = hidden(default=())
    settings: dict | None = hidden(default=None)

    _derived = "signature"

    # The index column of `to_frame`; None for a default index.
    _index = None

    @property
    def signature(self):
        """A line that describes the provenance of the numbers.

        Entries named after parameters hold the values passed, and `seed` is for
        `random_state`: with the same data they reproduce the run.
        """
        parts = {"skcompare": __version__, **self.provenance()} | (self.settings or {})
        return "|".join(f"{n}:{x}" for n, x in parts.items() if x is not None)

    @property
    def _caution(self):
        """The serious caveats at the end of the sentence, if any."""
        return f" Caution: {'; '.join(self.cautions)}." if self.cautions else ""

    @abc.abstractmethod
    def heading(self):
        """Return a short description of the comparison."""

    @abc.abstractmethod
    def sentence(self):
        """Return the result as a sentence suitable for a paper."""

    def verdict(self):
        """Return the decision as a short sentence; by default the whole `sentence`."""
        return self.sentence()

    @abc.abstractmethod
    def tables(self):
        """Return the numbers to include in a document, as a list of tables."""

    @abc.abstractmethod
    def notes(self):
        """Return the hypothesis, explanations and caveats as a list of str."""

    @abc.abstractmethod
    def provenance(self):
        """Return the provenance of the numbers as a dict, without `settings`.

        `signature` contains both, except entries that are None.
        """

    @abc.abstractmethod
    def _columns(self):
        """Return the columns of `to_frame`, by name."""

    @abc.abstractmethod
    def _display(self):
        """Return the display that `plot` draws."""

    def section(self):
        """Return the complete content as a section of a document.

        Returns
        -------
        Section
            The sentence, tables, plot, notes and signature.
        """
        blocks = (
            Paragraph(self.sentence()),
            *self.tables(),
            Figure(self),
            Notes("What was tested, and how", tuple(self.notes())),
            Code(self.signature, "signature"),
        )
        return Section(self.heading(), blocks)

    def summary(self):
        """Return the sentence, the tables and the notes.

        Returns
        -------
        str
            The printed text, of several lines.
        """
        return str(self)

    def to_frame(self):
        """Return the numbers as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            The columns described in the documentation of the class.
        """
        pd = optional_import("pandas")
        frame = pd.DataFrame(self._columns())
        return frame if self._index is None else frame.set_index(self._index)

    def plot(self, ax=None, **kwargs):
        """Draw the result.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            The axes to draw on; a new figure if None.
        **kwargs : dict
            Passed to the `plot` method of the display.

        Returns
        -------
        Display
            The display, drawn. Its class is given in the documentation of the result.
        """
        return self._display().plot(ax=ax, **kwargs)


@result_class
class ScoredResult(Result):
    """The result of a comparison of scores in one metric.

    Attributes
    ----------
    scoring : str
        The name of the metric. Higher is better.
    n_rows : int
        The number of rows, or of other units counted. A row that cross-validation
        tested several times is counted each time.
    n_distinct : int or None
        The number of distinct rows, if some were tested several times.
    unit : str
        The name of the units counted, in the plural.
    n_units : int or None
        The number of units (rows or groups) that the comparison is based on.
    n_strata : int
        The number of strata passed; 1 without strata.
    weighted : bool
        Whether rows have weights.
    cv : str
        The source of predictions or scores: "prefit", "predictions", "scores" or the
        splitter.
    seed : int or None
        Passing it as `random_state` reproduces the run, even if that was None.
    metrics : tuple of str
        All metrics that share the draws, which depend on them.
    """

    scoring: str
    n_rows: int = hidden()
    n_distinct: int | None = hidden(default=None)
    unit: str = hidden(default="rows")
    n_units: int | None = hidden(default=None)
    n_strata: int = hidden(default=1)
    weighted: bool = hidden(default=False)
    cv: str = hidden()
    seed: int | None = hidden(default=None)
    metrics: tuple = hidden(default=())

    # Attributes that are the columns of `to_frame`, if it has one row; `low` and `high`
    # are the ends of the attribute named by `_interval`.
    _frame_columns = ""
    _interval = "confidence_interval"

    # The default for results without an engine.
    engine = None

    def _columns(self):
        ends = getattr(self, self._interval) or (np.nan, np.nan)
        interval = dict(zip(("low", "high"), ends, strict=True))
        return {
            name: [interval[name] if name in interval else getattr(self, name)]
            for name in self._frame_columns.split()
        }

    def provenance(self, **further):
        """Return the provenance of the numbers as a dict, without `settings`.

        Parameters
        ----------
        **further : dict
            Further entries, such as the number of models.
        """
        return {
            "test": self.test,
            "scoring": self.scoring,
            "metrics": "+".join(self.metrics) if len(self.metrics) > 1 else None,
            "n": self.n_rows,
            "rows": self.n_distinct,
            "seed": self.seed,
            **further,
            "cv": self.cv,
            "engine": self.engine,
            "groups": self._n_groups,
            "strata": self.n_strata if self.n_strata > 1 else None,
            "weighted": self.weighted or None,
        }

    @property
    def _level(self):
        """The name of the interval in tables and sentences."""
        return f"{100 * self.confidence_level:g} % interval"

    @property
    def _n_groups(self):
        """The number of groups; None if units are single rows."""
        single = (None, self.n_rows, self.n_distinct)
        return None if self.n_units in single else self.n_units

    @property
    def _size(self):
        """The numbers of rows, groups and strata, and whether rows have weights."""
        unit = f"weighted {self.unit}" if self.weighted else self.unit
        size = format_count(self.n_distinct or self.n_rows, unit)
        if self.n_distinct is not None:
            size = f"{self.n_rows:,} predictions of {size}"
        if self._n_groups is not None:
            size += f" in {format_count(self._n_groups, 'groups')}"
        return size + f", {self.n_strata:,} strata" * (self.n_strata > 1)


@result_class
class PairResult(ScoredResult):
    """The result of a comparison of two models in one metric.

    Attributes
    ----------
    score_a, score_b : float
        The scores of the two models.
    delta : float
        ``score_a - score_b``.
    n_undefined : int
        The number of resamples or draws on which the scorer is undefined.
    method : str
        The method of computation.
    engine : str or None
        The engine that scored resamples or draws.
    name_a, name_b : str
        The names of the models.
    estimand : str
        The quantity that `delta` estimates, in words.
    """

    score_a: float
    score_b: float
    delta: float
    n_undefined: int = hidden(default=0)
    method: str = hidden()
    engine: str | None = hidden(default=None)
    name_a: str = hidden()
    name_b: str = hidden()
    estimand: str = hidden()

    _index = "scoring"

    def heading(self):
        """Return a short description of the comparison."""
        return f"{self.name_a} against {self.name_b} in {self.scoring} ({self.test})"

    def row(self):
        """Return the result as a row of a table of several results.

        Returns
        -------
        dict of str
            Cells by column name.
        """
        return {
            "score A": format_number(self.score_a),
            "score B": format_number(self.score_b),
            "A - B": self._delta,
        }

    @property
    def _delta(self):
        """The difference as text; 0 if it is only rounding error of the scores."""
        return format_number(self.delta, "+", scale=self.score_a)

    @property
    def _models(self):
        """Return the names of the models for a sentence."""
        return labels_of_models(self.name_a, self.name_b)


def notebook_html(results):
    """Return the HTML of a fitted comparison in a notebook.

    Fitted estimators return it from ``_repr_html_``.

    Parameters
    ----------
    results : sequence of Result
        The results of all metrics.

    Returns
    -------
    str
        A fragment of HTML. A single result is shown unchanged; several are shown as
        verdicts, one table with a row for each metric, and plots.

    Examples
    --------
    >>> from skcompare import McNemar
    >>> from skcompare.results import notebook_html
    >>> test = McNemar().fit_predictions([0, 1] * 20, [0, 1] * 20, [0, 0] * 20)
    >>> notebook_html(test.results_.values()) == test.result_._repr_html_()
    True
    """
    first, *others = results = list(results)
    if not others:
        return notebook(first.section().brief())
    rows = [{"metric": result.scoring} | result.row() for result in results]
    blocks = (
        *(Paragraph(f"{result.scoring}: {result.verdict()}") for result in results),
        Table.from_cells(rows),
        *map(Figure, results),
        Notes("What was tested, and how", tuple(first.notes())),
    )
    return notebook(Section("", blocks))


def _plain(value):
    """Convert arrays, tuples and other values to types that JSON supports."""
    if isinstance(value, Presentable):
        return value.to_dict()
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.where(np.isnan(value), None, value).tolist()
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _plain(vars(value))
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, bool | int | float | str | None) else str(value)
