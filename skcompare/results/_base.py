"""What all results share: how they print, show in a notebook, export and plot."""

import abc
import dataclasses
import functools

import numpy as np

from skcompare._format import format_number, optional_import
from skcompare._version import __version__
from skcompare.results._document import Code, Figure, Notes, Paragraph, Section, Table
from skcompare.results.writers import TextWriter, notebook

# A field that a short repr leaves out.
hidden = functools.partial(dataclasses.field, repr=False)

# What tables call sizes of effects, where that is not their key with spaces.
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

# What models do, by whether a test of their difference is significant.
DIFFER = {True: "differ significantly", False: "are not significantly different"}

# Of all results: frozen, compared by identity, made by keyword.
result_class = dataclasses.dataclass(frozen=True, eq=False, kw_only=True)


def effect_rows(effect_size):
    """Return names and values of sizes of effects, for a table.

    Parameters
    ----------
    effect_size : dict
        The sizes.

    Returns
    -------
    list of tuple of str
        Without those that are undefined, and those that are the difference in score.

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


class Shown(abc.ABC):
    """Whatever is shown to a person: a dataclass that gives a section.

    Printing it, showing it in a notebook and exporting it follow from its section and
    its fields.

    Examples
    --------
    >>> import dataclasses
    >>> from skcompare.results import Notes, Paragraph, Section, Shown
    >>> @dataclasses.dataclass(frozen=True)
    ... class Remark(Shown):
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

    # Fields of many numbers, which `to_dict` leaves out unless asked.
    _arrays = ()

    # Attributes that follow from the fields, which `to_dict` adds.
    _derived = ""

    @abc.abstractmethod
    def section(self):
        """Return all that there is to say, as a section of a document.

        Returns
        -------
        Section
            Its title, paragraphs, tables, notes, code and figures.
        """

    def row(self):
        """Return the result as a row of a table of several results.

        Returns
        -------
        dict of str
            Cells by name of the column; empty if a row cannot hold the result.
        """
        return {}

    def __str__(self):
        return TextWriter().section(self.section().brief())

    def _repr_html_(self):
        return notebook(self.section().brief())

    def to_dict(self, *, arrays=False):
        """Return all numbers as a dict that `json.dumps` takes.

        Parameters
        ----------
        arrays : bool, default=False
            Whether to include what is long: all resamples, draws, or single results.
            A resample without a value is None.

        Returns
        -------
        dict
            The fields, and what follows from them, such as the signature of a result.
            What JSON does not know, such as an estimator, becomes a string.
        """
        left_out = () if arrays else self._arrays
        fields = [f.name for f in dataclasses.fields(self) if f.name not in left_out]
        return {n: _plain(getattr(self, n)) for n in (*fields, *self._derived.split())}


@result_class
class Result(Shown):
    """The result of a comparison.

    Attributes
    ----------
    test : str or None
        The name of the test's class.
    caveats : tuple of str
        What to bear in mind, as warned of.
    cautions : tuple of str
        A few words on each of the caveats that may overturn the verdict.
    settings : dict or None
        The parameters of the test, as they were passed.
    """

    test: str | None
    caveats: tuple = hidden(default=())
    cautions: tuple = hidden(default=())
    settings: dict | None = hidden(default=None)

    _derived = "signature"

    # The column of `to_frame` that is the index; None numbers the rows.
    _index = None

    @property
    def signature(self):
        """One line that says how the numbers came about, to go with them.

        Entries with the name of a parameter hold what was passed for it, and `seed`
        goes to `random_state`: with the same data they repeat the run.
        """
        parts = {"skcompare": __version__, **self.provenance()} | (self.settings or {})
        return "|".join(f"{n}:{x}" for n, x in parts.items() if x is not None)

    @property
    def _caution(self):
        """The words on serious caveats with which a sentence ends, if any."""
        return f" Caution: {'; '.join(self.cautions)}." if self.cautions else ""

    @abc.abstractmethod
    def heading(self):
        """Return what was compared, in a few words."""

    @abc.abstractmethod
    def sentence(self):
        """Return the finding in a sentence that a paper could use."""

    def verdict(self):
        """Return what is decided, in a short sentence; by default the whole finding."""
        return self.sentence()

    @abc.abstractmethod
    def tables(self):
        """Return all numbers worth setting in a document, as a list of tables."""

    @abc.abstractmethod
    def notes(self):
        """Return what was tested, and what to bear in mind, as a list of str."""

    @abc.abstractmethod
    def provenance(self):
        """Return how the numbers came about, as a dict, besides `settings`.

        `signature` has both, and leaves out None.
        """

    @abc.abstractmethod
    def _columns(self):
        """Return the columns of `to_frame`, by name."""

    @abc.abstractmethod
    def _display(self):
        """Return what `plot` draws."""

    def section(self):
        """Return all that there is to say, as a section of a document.

        Returns
        -------
        Section
            Sentence, tables, plot, what was tested, and the signature.
        """
        blocks = (
            Paragraph(self.sentence()),
            *self.tables(),
            Figure(self),
            Notes("What was tested, and how", tuple(self.notes())),
            Code(self.signature),
        )
        return Section(self.heading(), blocks)

    def summary(self):
        """Return the sentence, the tables and what to bear in mind.

        Returns
        -------
        str
            Several lines of text, the same as is printed.
        """
        return str(self)

    def to_frame(self):
        """Return the numbers as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            The columns that the documentation of the class names.
        """
        pd = optional_import("pandas")
        frame = pd.DataFrame(self._columns())
        return frame if self._index is None else frame.set_index(self._index)

    def plot(self, ax=None, **kwargs):
        """Draw the result.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        **kwargs : dict
            Passed on to the `plot` of the display.

        Returns
        -------
        Display
            The display, drawn. Which it is, is in the documentation of the class.
        """
        return self._display().plot(ax=ax, **kwargs)


@result_class
class ScoredResult(Result):
    """What a comparison of scores in one metric gave.

    Attributes
    ----------
    scoring : str
        The name of the metric. Higher is better.
    n_rows : int
        The number of rows, or of what else was counted.
    unit : str
        What is counted as rows, in the plural.
    cv : str
        Where predictions or scores come from: "prefit", "predictions", "scores" or the
        splitter.
    seed : int or None
        Passing it as `random_state` repeats the run, also where that was None.
    """

    scoring: str
    n_rows: int = hidden()
    unit: str = hidden(default="rows")
    cv: str = hidden()
    seed: int | None = hidden(default=None)

    # Of a result of one row, the columns of `to_frame`: attributes, and both ends of an
    # interval, which is one of them.
    _of_frame = ""
    _interval = "confidence_interval"

    # Of results that share no draws, are scored on none, or whose units are the rows.
    metrics, engine, n_units = (), None, None

    def _columns(self):
        ends = getattr(self, self._interval) or (np.nan, np.nan)
        interval = dict(zip(("low", "high"), ends, strict=True))
        return {
            name: [interval[name] if name in interval else getattr(self, name)]
            for name in self._of_frame.split()
        }

    def provenance(self, **further):
        """Return how the numbers came about, as a dict, besides `settings`.

        Parameters
        ----------
        **further : dict
            What else there is to say, such as the number of models.
        """
        return {
            "test": self.test,
            "scoring": self.scoring,
            "metrics": "+".join(self.metrics) if len(self.metrics) > 1 else None,
            "n": self.n_rows,
            "seed": self.seed,
            **further,
            "cv": self.cv,
            "engine": self.engine,
            "groups": None if self.n_units == self.n_rows else self.n_units,
        }

    @property
    def _level(self):
        """What tables and sentences call the interval."""
        return f"{100 * self.confidence_level:g} % interval"

    @property
    def _size(self):
        """How many rows there are, and in how many groups if those are fewer."""
        rows, n_units = f"{self.n_rows:,} {self.unit}", self.n_units
        return rows if n_units == self.n_rows else f"{rows} in {n_units:,} groups"


@result_class
class PairResult(ScoredResult):
    """What a comparison of two models in one metric gave.

    Attributes
    ----------
    score_a, score_b : float
        The scores of the two models.
    delta : float
        ``score_a - score_b``.
    n_units : int
        The number of the units (rows or groups) that the comparison rests on.
    n_undefined : int
        The number of resamples or draws on which the scorer has no value.
    method : str
        How numbers were computed.
    engine : str or None
        How resamples or draws were scored.
    metrics : tuple of str
        All metrics that share the draws; what is drawn depends on them.
    name_a, name_b : str
        What the models are called.
    estimand : str
        What `delta` estimates, in words.
    """

    score_a: float
    score_b: float
    delta: float
    n_units: int = hidden()
    n_undefined: int = hidden(default=0)
    method: str = hidden()
    engine: str | None = hidden(default=None)
    metrics: tuple = hidden(default=())
    name_a: str = hidden()
    name_b: str = hidden()
    estimand: str = hidden()

    _index = "scoring"

    def heading(self):
        """Return what was compared, in a few words."""
        return f"{self.name_a} against {self.name_b} in {self.scoring} ({self.test})"

    def row(self):
        """Return the result as a row of a table of several results.

        Returns
        -------
        dict of str
            Cells by name of the column.
        """
        return {
            "score A": format_number(self.score_a),
            "score B": format_number(self.score_b),
            "A - B": self._delta,
        }

    @property
    def _delta(self):
        """The difference as text; 0 if it is but the rounding error of the scores."""
        return format_number(self.delta, "+", scale=self.score_a)

    @property
    def _models(self):
        """Return the models as a sentence names them."""
        named = {"A": self.name_a, "B": self.name_b}
        return [
            name if f" {name}".endswith(f" {x}") else f"{x} ({name})"
            for x, name in named.items()
        ]


def notebook_html(results):
    """Return what a fitted comparison shows in a notebook.

    An estimator has it as ``_repr_html_``, once it is fitted.

    Parameters
    ----------
    results : sequence of Result
        The results of all metrics.

    Returns
    -------
    str
        A fragment of HTML. One result is shown as it is; of several there are the
        verdicts, one table with a row for each metric, and the plots.

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
    """Turn arrays, tuples and whatever else into what JSON knows."""
    if isinstance(value, Shown):
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
