"""Validation of data in any container.

Every message names the parameter, the rule and the value.
"""

import numbers
import operator
import secrets

import numpy as np
from scipy import sparse

from skcompare._foreign import data_at, rows_at

# Integers within this range are coded by a lookup table, without sorting.
SMALL_RANGE = 2**16


def model_names(names, default):
    """Return the names of models.

    Parameters
    ----------
    names : sequence of str or None
        The names that the user passed.
    default : sequence of str
        The names to use otherwise; A and B are appended to two equal names.

    Returns
    -------
    tuple of str
        Distinct names.

    Examples
    --------
    >>> model_names(("new", "old"), ["SVC", "SVC"])
    ('new', 'old')
    >>> model_names(None, ["SVC", "SVC"])
    ('SVC A', 'SVC B')
    """
    if names is None:
        same = len(default) == 2 and default[0] == default[1]
        return tuple(f"{default[0]} {x}" for x in "AB") if same else tuple(default)
    if isinstance(names, str) or len(names) != len(default):
        raise ValueError(
            f"`names` must have one name for each model, i.e. {len(default)}. "
            f"Got {names!r}."
        )
    repeated = [name for name in names if list(names).count(name) > 1]
    if repeated:
        raise ValueError(
            f"`names` must be different from each other. Got {names!r}, with "
            f"{repeated[0]!r} more than once."
        )
    return tuple(map(str, names))


def number_of_rows(values, name, reference=None):
    """Return the number of rows of any container.

    A number other than that of `reference`, a (name, number) pair, raises an error.
    """
    if isinstance(values, str):
        text = values[:LONGEST_LABEL]
        raise ValueError(
            f"`{name}` must be an array with one entry per row. Got the string "
            f"{text!r}. If it names a column, pass the column itself, such as "
            f"df[{text!r}]."
        )
    if not hasattr(values, "shape") and hasattr(values, "__array__"):
        values = np.asarray(values)
    try:
        n_rows = int(values.shape[0]) if hasattr(values, "shape") else len(values)
    except (IndexError, TypeError):  # a single number, or None
        kind = None if values is None else type(values).__name__
        raise ValueError(f"`{name}` must have one entry per row. Got {kind}.") from None
    if reference is not None and n_rows != reference[1]:
        raise ValueError(
            f"`{name}` must have one entry per row of `{reference[0]}`, i.e. "
            f"{reference[1]}. Got {n_rows}."
        )
    return n_rows


def take_rows(values, rows):
    """Take rows, by position, from any container."""
    if isinstance(values, np.ndarray):
        return values[rows]  # faster: skips the checks of rows_at
    if sparse.issparse(values):
        values = values.tocsr()  # some sparse formats cannot be indexed
    elif not hasattr(values, "__getitem__"):
        values = np.asarray(values)
    return rows_at(values, rows)


def response_rows(response, rows):
    """Take rows, by position, from a response: an array, or a list of arrays."""
    if isinstance(response, list):
        return [output[rows] for output in response]
    return response[rows]


def arguments_at(arguments, rows):
    """Take rows of each argument of a scorer; raise an error if one has no rows."""
    taken = {}
    for name, value in arguments.items():
        try:
            taken[name] = take_rows(value, rows)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"The argument `{name}` of a scorer has one entry per row and must be "
                f"resampled with the rows, but a {type(value).__name__} cannot be "
                "indexed by row numbers. Pass an array, a list, a Series or a "
                "DataFrame."
            ) from error
    return taken


def split_data(model, X, y, rows, train=None):
    """Take rows of data for a model, and also columns of a kernel matrix."""
    if not hasattr(model, "__sklearn_tags__"):  # a model of another library
        return take_rows(X, rows), take_rows(y, rows)
    return data_at(model, X, y, rows, train)


# Longer strings stay objects: a string array is as wide as its longest item.
LONGEST_LABEL = 64

_PLAIN_TYPES = (
    ((bool, np.bool_), bool),
    (numbers.Integral, int),
    (numbers.Real, float),
)


def as_array(values, name, ndim=None):
    """Convert values in any container to an array; raise an error if some are missing.

    Nullable and object columns become plain integers, floats, booleans or strings, and
    all floats become float64, for the precision of sums. Sparse matrices stay sparse;
    strings longer than labels and items that are sequences stay objects. If `ndim` is
    1, a column of shape (n, 1) becomes a vector.
    """
    if sparse.issparse(values):
        return values.tocsr()
    listed = isinstance(values, list | tuple)
    if listed and _are_strings(values):
        array = np.array(values, dtype=object)
    else:
        try:
            array = np.asarray(values)
        except ValueError:  # ragged: sequences of different lengths are items, not axes
            array = np.empty(len(values), dtype=object)
            array[:] = list(values)
        if listed and array.dtype.kind == "U":
            array = np.array(values, dtype=object)  # keeps nan from becoming "nan"
        elif array.dtype.kind == "T":
            # NumPy's variable-width strings, which scikit-learn does not accept.
            array = array.astype(object)
    if array.dtype == object and array.size:
        types = set(map(type, array.flat))
        for kind, dtype in _PLAIN_TYPES:
            if all(issubclass(item, kind) for item in types):
                array = array.astype(dtype)
                break
        else:
            if _are_strings(array.flat) and max(map(len, array.flat)) <= LONGEST_LABEL:
                array = array.astype(str)
    if array.ndim == 0:
        raise ValueError(f"`{name}` must have one entry per row. Got {values!r}.")
    missing = np.zeros(0, dtype=bool)
    if array.dtype.kind == "f":
        array = array.astype(float, copy=False)
        missing = ~np.isfinite(array)
    elif array.dtype == object and not _are_strings(array.flat):
        # Missing are None and values that differ from themselves: nan, NaT, pandas.NA.
        missing = np.array([_is_missing(item) for item in array.flat], dtype=bool)
    if missing.any():
        first = int(np.flatnonzero(missing.reshape(len(array), -1).any(axis=1))[0])
        raise ValueError(
            f"`{name}` must not have missing or infinite values. Got "
            f"{int(missing.sum())}, the first in row {first}. Drop those rows for "
            "both models, or fill them."
        )
    is_column = ndim == 1 and array.ndim == 2 and array.shape[1] == 1
    return array[:, 0] if is_column else array


def _are_strings(items):
    return all(issubclass(kind, str) for kind in set(map(type, items)))


def _is_missing(item):
    if item is None:
        return True
    try:
        return not operator.truth(item == item)
    except (TypeError, ValueError):  # neither pandas.NA nor an array has a truth value
        return not isinstance(item, np.ndarray)


def as_vector(values, name):
    """Convert values with one entry per row to a one-dimensional array."""
    array = as_array(values, name)
    if array.ndim != 1:
        raise ValueError(
            f"`{name}` must be one-dimensional. Got an array of shape {array.shape}."
        )
    return array


def codes_of(values):
    """Encode the distinct values of an array as 0, 1, ... in sorted order.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Numbers, strings or objects that can be ordered.

    Returns
    -------
    codes : ndarray of shape (n,)
        The code of each value.
    distinct : ndarray
        The distinct values.
    """
    if values.dtype.kind in "iub" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < SMALL_RANGE:
            shifted = values.astype(np.intp) - low
            present = np.bincount(shifted, minlength=high - low + 1) > 0
            places = np.flatnonzero(present)
            distinct = (places + low).astype(values.dtype)
            if len(distinct) == len(present):  # without gaps
                return shifted, distinct
            return (np.cumsum(present) - 1)[shifted], distinct
    distinct, codes = np.unique(values, return_inverse=True)
    return codes, distinct


def as_labels(values, name):
    """Encode labels, such as those of groups, as integers 0, 1, ..."""
    vector = as_vector(values, name)
    try:
        return np.unique(vector, return_inverse=True)[1]
    except TypeError as error:
        kinds = sorted({type(label).__name__ for label in vector})
        raise ValueError(
            f"`{name}` must have labels that can be sorted, such as labels of one "
            f"type. Got {', '.join(kinds)}."
        ) from error


def as_weights(values, name="sample_weight"):
    """Convert weights to finite non-negative floats, at least one of them positive."""
    vector = as_vector(values, name)
    try:
        weights = vector.astype(float, copy=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"`{name}` must be numbers. Got {vector[:3]}.") from error
    if (weights < 0).any() or not (weights > 0).any():
        raise ValueError(
            f"`{name}` must be non-negative and not all zero. "
            f"Got a minimum weight of {weights.min()} and a maximum of {weights.max()}."
        )
    return weights


def seed_of(random_state):
    """Convert a `random_state` to the integer that reproduces the run.

    An integer is returned as it is. `None` draws fresh entropy from the operating
    system, never from NumPy's global generator, of 53 bits, which programs that read
    JSON numbers as floats keep. From a `RandomState` or a `Generator` 128 bits are
    drawn, so that two calls return two different seeds.

    Parameters
    ----------
    random_state : int, RandomState, Generator or None
        Controls the random draws.

    Returns
    -------
    int
        A non-negative integer; passing it as `random_state` repeats the run.

    Examples
    --------
    >>> seed_of(0)
    0
    >>> rng = np.random.default_rng(0)
    >>> seed_of(rng) == seed_of(rng)
    False
    """
    if random_state is None:
        return secrets.randbits(53)
    if isinstance(random_state, np.random.Generator | np.random.RandomState):
        is_new = isinstance(random_state, np.random.Generator)
        draw = random_state.integers if is_new else random_state.randint
        words = draw(0, 2**32, size=4, dtype=np.uint32)
        return sum(int(word) << (32 * place) for place, word in enumerate(words))
    is_integer = isinstance(random_state, numbers.Integral)
    if is_integer and not isinstance(random_state, bool) and random_state >= 0:
        return int(random_state)
    raise ValueError(
        "`random_state` must be None, a non-negative integer, a numpy RandomState or "
        f"a numpy Generator. Got {random_state!r}."
    )


# Number of labels quoted in a message.
N_EXAMPLES = 3


def column_names(values):
    """Return the column names of a data frame.

    Parameters
    ----------
    values : object
        Any object; data frames of pandas and polars have `columns`, Arrow tables
        `column_names`.

    Returns
    -------
    list or None
        None for other objects, and if the columns are just numbered from 0.

    Examples
    --------
    >>> column_names([[1, 2]]) is None
    True
    """
    names = getattr(values, "column_names", None)
    if names is None:
        names = getattr(values, "columns", None)
    if names is None or callable(names) or getattr(values, "ndim", 2) != 2:
        return None
    names = list(names)
    if all(isinstance(name, str) for name in names):
        return names
    return None if names == list(range(len(names))) else names


def row_index(values):
    """Return the index of a pandas object, None for other objects."""
    index = getattr(values, "index", None)
    return index if hasattr(index, "get_indexer") else None


def is_default(index):
    """Return whether an index just numbers the rows from 0."""
    numbered = index.dtype.kind in "iu"
    return numbered and np.array_equal(np.asarray(index), np.arange(len(index)))


def is_permuted(index, reference):
    """Return whether two indices of equal length are permutations of each other."""
    distinct = index.is_unique and reference.is_unique
    if not distinct or index.equals(reference):
        return False
    return bool((index.get_indexer(reference) >= 0).all())


def aligned_rows(values, reference, name, reference_name):
    """Reorder the rows of a prediction to match the truth, by their index.

    An index that just numbers the rows, as that of ``Series(model.predict(X))``, is
    ignored: rows are then matched by position, as those of arrays and lists.

    Parameters
    ----------
    values : object
        The prediction, in any container.
    reference : object
        The truth, in any container.
    name, reference_name : str
        Their names in messages.

    Returns
    -------
    object
        The same values, reordered where both have the same labels.
    """
    index, reference = row_index(values), row_index(reference)
    if index is None or reference is None or is_default(index):
        return values
    if is_permuted(index, reference):
        return values.iloc[index.get_indexer(reference)]
    same = index.equals(reference)
    if same or is_default(reference) or index.dtype != reference.dtype:
        return values
    strange = index.difference(reference)[:N_EXAMPLES].tolist()
    seen = f"labels that `{reference_name}` lacks: {strange}" if strange else "repeats"
    raise ValueError(
        f"`{name}` must have the index of `{reference_name}`, in any order, or none. "
        f"Got an index with {seen}. If rows correspond by position, pass "
        f"`{name}.to_numpy()`."
    )


def check_order(inputs):
    """Check that inputs that are matched by position have their rows in one order.

    An index that just numbers the rows from 0 does not label them: it may be that of an
    array that became a Series, or features that were transformed. But if an earlier
    input other than `X` has it, others are compared with it, as in `aligned_rows`.

    Parameters
    ----------
    inputs : dict
        The inputs by name, in any container.

    Raises
    ------
    ValueError
        If the index of an input is that of an earlier one in another order.
    """
    earlier = {}
    for name, values in inputs.items():
        index = row_index(values)
        if index is None:
            continue
        for first, reference in earlier.items():
            if not is_default(index) and is_permuted(index, reference):
                raise ValueError(
                    f"`{name}` must have its rows in the order of `{first}`. Got the "
                    "same index in another order, beginning "
                    f"{index[:N_EXAMPLES].tolist()} instead of "
                    f"{reference[:N_EXAMPLES].tolist()}. Pass "
                    f"`{name}.loc[{first}.index]`, or `{name}.to_numpy()` if rows "
                    "correspond by position."
                )
        if name != "X" or not is_default(index):
            earlier[name] = index


# Converters for columns that can accompany the rows.
_COLUMNS = {"groups": as_labels, "strata": as_labels, "sample_weight": as_weights}


def check_rows(name, values, **others):
    """Check that there are at least two rows, and that all inputs match row by row.

    Parameters
    ----------
    name : str
        The name of the parameter that has the rows.
    values : object
        Its value, in any container.
    **others : object
        Further parameters with one entry per row, by name.

    Returns
    -------
    dict
        Groups and strata as codes and weights as floats, if they are among the others.

    Examples
    --------
    >>> check_rows("X", [[1.5], [2.5]], y=[0, 1], groups=["b", "a"], strata=None)
    {'groups': array([1, 0]), 'strata': None}
    """
    n_rows = number_of_rows(values, name)
    if n_rows < 2:
        raise ValueError(
            f"`{name}` must have at least 2 rows to compare models on. "
            f"Got n_samples = {n_rows}."
        )
    present = {other: v for other, v in others.items() if v is not None}
    for other, column in present.items():
        number_of_rows(column, other, (name, n_rows))
    y = others.get("y")
    swapped = getattr(y, "ndim", 1) == 2 and getattr(values, "ndim", 2) == 1
    if name == "X" and swapped and np.asarray(values).dtype.kind in "biuf":  # not texts
        raise ValueError(
            "`X` must have a row of features for each entry of `y`. Got X of shape "
            f"{values.shape} and y of shape {y.shape}: are they swapped? Call "
            "fit(X, y)."
        )
    check_order({name: values, **present})
    return {
        other: None if column is None else _COLUMNS[other](column, other)
        for other, column in others.items()
        if other in _COLUMNS
    }
