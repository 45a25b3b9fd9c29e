"""Names of rows and columns that data frames carry, without importing any of them."""

import numpy as np

N_EXAMPLES = 3


def column_names(values):
    """Return the names of the columns of a frame.

    Parameters
    ----------
    values : object
        Anything; frames of pandas and polars have `columns`, those of Arrow
        `column_names`.

    Returns
    -------
    list or None
        None for what is no frame, and for columns that are only numbered from 0.

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
    """Return the index of a pandas object, None for what has none."""
    index = getattr(values, "index", None)
    return index if hasattr(index, "get_indexer") else None


def is_default(index):
    """Return whether an index only numbers the rows from 0."""
    numbered = index.dtype.kind in "iu"
    return numbered and np.array_equal(np.asarray(index), np.arange(len(index)))


def is_permuted(index, reference):
    """Return whether two indices have the same labels in different orders."""
    if len(index) != len(reference) or index.equals(reference):
        return False
    if not (index.is_unique and reference.is_unique):
        return False
    return bool((index.get_indexer(reference) >= 0).all())


def aligned_rows(values, reference, name, reference_name):
    """Bring the rows of a prediction into the order of the truth, by their index.

    An index that only numbers rows, as that of ``Series(model.predict(X))``, says
    nothing: rows are then taken by position, as those of arrays and lists are.

    Parameters
    ----------
    values : object
        The prediction, in any container.
    reference : pandas.Index or None
        The index of the truth, if it has one.
    name, reference_name : str
        What to call the two in messages.

    Returns
    -------
    object
        The same values, reordered where both have the same labels.
    """
    index = row_index(values)
    if index is None or reference is None or len(index) != len(reference):
        return values
    if is_default(index) or index.equals(reference):
        return values
    if is_permuted(index, reference):
        return values.iloc[index.get_indexer(reference)]
    if is_default(reference) or index.dtype != reference.dtype:
        return values
    strange = index.difference(reference)[:N_EXAMPLES].tolist()
    seen = f"labels that `{reference_name}` lacks: {strange}" if strange else "repeats"
    raise ValueError(
        f"`{name}` must have the index of `{reference_name}`, in any order, or none. "
        f"Got an index with {seen}. If rows belong together by position, pass "
        f"`{name}.to_numpy()`."
    )


def check_same_order(**data):
    """Check that rows which belong together do not have the same names in other orders.

    Parameters
    ----------
    **data : object
        What belongs together row by row, in any container, by the name of its
        parameter.
    """
    named = {name: row_index(values) for name, values in data.items()}
    named = {n: i for n, i in named.items() if i is not None and not is_default(i)}
    if not named:
        return
    (first, reference), *others = named.items()
    for name, index in others:
        if is_permuted(index, reference):
            raise ValueError(
                f"`{name}` must have its rows in the order of `{first}`. Got the same "
                f"index in another order, beginning {index[:N_EXAMPLES].tolist()} "
                f"instead of {reference[:N_EXAMPLES].tolist()}. Pass "
                f"`{name}.loc[{first}.index]`, or `{name}.to_numpy()` if rows belong "
                "together by position."
            )
