"""What a call gave, as plain data: numbers to the last bit, words, warnings, texts.

Observations know neither the classes nor the fields of results: every public attribute
is kept under its name. Only `changes` maps names that have changed.
"""

import difflib
import fnmatch
import functools
import hashlib
import math
import re
import warnings

import numpy as np
from sklearn.base import BaseEstimator
from threadpoolctl import threadpool_limits

from skcompare import __version__
from skcompare.exceptions import ComparisonWarning
from tests.golden import changes

# Arrays up to this size are kept in full, texts up to this length.
SHORT_ARRAY, LONG_TEXT = 12, 25_000

# Fields that describe the computation, or the display.
LEFT_OUT = {"signature", "settings", "notes", "heading", "plot"}

# What is kept of the results that a result holds: the rest follows from the outer one.
INNER = {
    "delta",
    "pvalue",
    "confidence_interval",
    "statistic",
    "distribution",
    "engine",
}

# Last bits depend on the processor and on the version of NumPy. Standard errors by the
# delta method rest on central differences, of which ten digits are exact.
TOLERANCE, TOLERANCE_OF_DIFFERENCES = 1e-12, 1e-9
WITH_DIFFERENCES = "bootstrap/studentized/*"


class Text(str):
    """A text as such, whatever it holds."""


# Fitted attributes that are kept otherwise, or hold data.
OF_RESULTS = ("result_", "results_", "problem_", "predictions_")


def observe(case):
    """Make a call and return all that can be seen of it from outside.

    Parameters
    ----------
    case : Case
        What is called, and whether to keep how it prints.

    Returns
    -------
    dict of dict
        By path: `numbers`, `words`, `engine`, `warnings`, `texts`.
    """
    seen = {"numbers": {}, "words": {}, "engine": {}, "warnings": {}, "texts": {}}
    with (
        warnings.catch_warnings(record=True) as caught,
        threadpool_limits(limits=1, user_api="blas"),
    ):
        warnings.simplefilter("always")
        _keep(case.call(), "", seen, outermost=True)
    seen["warnings"]["raised"] = [
        f"{warning.category.__name__}: {warning.message}"
        for warning in caught
        if issubclass(warning.category, ComparisonWarning)
    ]
    if not case.printed:
        seen["texts"] = {}
    return seen


def _keep(value, path, seen, *, outermost=False):
    """File a value, and what it consists of, under its path."""
    field = path.rpartition(".")[2]
    if isinstance(value, Text):
        seen["texts"][path or "text"] = _text(value)
    elif isinstance(value, bool | np.bool_ | int | np.integer | float | np.floating):
        seen["numbers"][path] = _number(value)
    elif value is None:
        seen["numbers"][path] = None
    elif isinstance(value, str):
        _keep_string(value, field, path, seen)
    elif isinstance(value, np.ndarray):
        _keep_array(value, path, seen)
    elif isinstance(value, dict):
        for name, item in value.items():
            _keep(item, _join(path, name), seen, outermost=outermost)
    elif hasattr(value, "_asdict"):
        _keep(value._asdict(), path, seen)
    elif isinstance(value, list | tuple | set | frozenset):
        _keep_sequence(value, field, path, seen)
    elif isinstance(value, BaseEstimator):
        _keep_estimator(value, path, seen, outermost=outermost)
    elif not callable(value):
        _keep_object(value, path, seen, outermost=outermost)


def _join(path, name):
    return f"{path}.{name}" if path else str(name)


def _keep_string(value, field, path, seen):
    if field == "engine":
        seen["engine"][path] = value
    elif " " in value:
        seen["texts"][path] = _text(value)
    else:
        seen["words"][path] = value


def _keep_sequence(value, field, path, seen):
    items = sorted(value) if isinstance(value, set | frozenset) else list(value)
    if field == "caveats":
        seen["warnings"][path] = items
    elif items and all(isinstance(item, str) for item in items):
        prose = any(" " in item for item in items)
        if prose:
            seen["texts"][path] = [_timeless(item) for item in items]
        else:
            seen["words"][path] = items
    elif items and all(isinstance(i, int | float | np.number) for i in items):
        _keep_array(np.array(items), path, seen)
    else:
        seen["numbers"][_join(path, "len")] = len(items)
        for place, item in enumerate(items):
            _keep(item, _join(path, place), seen)


def _keep_array(array, path, seen):
    if array.dtype.kind in "OUS":
        _keep_sequence(array.ravel().tolist(), "", path, seen)
        return
    array = np.ascontiguousarray(array, dtype="f8" if array.dtype.kind == "f" else "i8")
    flat = array.ravel().tolist()
    if len(flat) <= SHORT_ARRAY:
        kept = {"shape": list(array.shape), "values": [_number(item) for item in flat]}
    else:
        defined = [item for item in flat if math.isfinite(item)]
        kept = {
            "shape": list(array.shape),
            "sha256": hashlib.sha256(array.tobytes()).hexdigest()[:16],
            "values": [_number(item) for item in flat[:3]],
            "undefined": len(flat) - len(defined),
            "sum": _number(math.fsum(defined)),
            "squares": _number(math.fsum(item * item for item in defined)),
        }
    seen["numbers"][path] = kept


def _keep_estimator(value, path, seen, *, outermost):
    """File a fitted comparison as its results, any other estimator as its class."""
    results = _attribute(value, "results_") or _attribute(value, "result_")
    if results is None or not outermost:
        seen["words"][path or "estimator"] = type(value).__name__
        return
    alone = list(results.values()) if isinstance(results, dict) else [results]
    for result in alone:
        inner = _join(path, result.scoring) if len(alone) > 1 else path
        _keep(result, inner, seen, outermost=True)
    for name in dir(value):
        of_results = any(hasattr(result, name[:-1]) for result in alone)
        fitted = name.endswith("_") and not name.startswith("_")
        if fitted and not of_results and name not in OF_RESULTS:
            attribute = _attribute(value, name)
            if attribute is not None:
                _keep(attribute, _join(path, name), seen)


def _keep_object(value, path, seen, *, outermost):
    """File all public attributes of a result, and how it prints."""
    printed = _text(str(value))
    if outermost:
        seen["texts"][_join(path, "print")] = printed
    for name in dir(value):
        if name.startswith("_") or name in LEFT_OUT:
            continue
        if "results" in path.split(".") and name not in INNER:
            continue
        item = _attribute(value, name)
        repeated = _is_prose(item) and (not outermost or _is_part(item, printed))
        if not callable(item) and not repeated:
            _keep(item, _join(path, name), seen)


def _is_prose(item):
    """Return whether this is a sentence, or several."""
    sentences = [item] if isinstance(item, str) else item
    return isinstance(sentences, list | tuple) and any(
        isinstance(sentence, str) and " " in sentence for sentence in sentences
    )


def _is_part(item, printed):
    """Return whether sentences are part of a text that may be broken into lines."""
    text, sentences = _flowing(printed), [item] if isinstance(item, str) else item
    return all(_flowing(_text(sentence)) in text for sentence in sentences)


def _attribute(value, name):
    try:
        return getattr(value, name)
    except (AttributeError, ValueError):
        return None


def _number(value):
    if isinstance(value, bool | np.bool_):
        return bool(value)
    return int(value) if isinstance(value, int | np.integer) else float(value).hex()


def _timeless(text):
    """Leave out how long resamples take, and where lines break for that."""
    taken = r"take\s+(?:about|at\s+most)\s.*?(?:is\s+feasible|share\s+the\s+work)\."
    return re.sub(taken, "take SOME TIME.", text, flags=re.DOTALL)


def _text(value):
    """Return the lines of a text; of a long one how long it is, and a hash."""
    value = value.replace(f"skcompare:{__version__}", "skcompare:VERSION")
    value = re.sub(*changes.SIGNATURE, value)
    value = _timeless(value)
    if len(value) <= LONG_TEXT:
        return value.split("\n")
    return [f"{len(value)} characters", hashlib.sha256(value.encode()).hexdigest()]


# Comparing


def differences(name, recorded, now, *, bits):
    """Return how an observation differs from the recorded one.

    What is new is no difference: fields may be added.

    Parameters
    ----------
    name : str
        The name of the case.
    recorded, now : dict of dict
        What `observe` returned then and now.
    bits : bool
        Whether numbers must be equal to the last bit.

    Returns
    -------
    list of str
        A line for each difference.
    """
    lines = []
    if not _listed(changes.NUMBERS, name):
        by_differences = fnmatch.fnmatchcase(name, WITH_DIFFERENCES)
        tolerance = TOLERANCE_OF_DIFFERENCES if by_differences else TOLERANCE
        same_number = functools.partial(
            _same_number, tolerance=0 if bits else tolerance
        )
        lines += _differing(name, "numbers", recorded, now, same_number)
        lines += _differing(name, "words", recorded, now, _same_words)
    lines += _differing(name, "engine", recorded, now, _same_words)
    if not _listed(changes.WARNINGS, name):
        lines += _differing(name, "warnings", recorded, now, _same_sentences)
    if not _listed(changes.TEXTS, name):
        lines += _differing(name, "texts", recorded, now, _same_text)
    return lines


def _listed(patterns, name):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _differing(name, kind, recorded, now, same):
    for old_path, old in recorded[kind].items():
        path = _path_today(old_path)
        if path is None or _listed(changes.NUMBERS, f"{name}:{old_path}"):
            continue
        new = now[kind].get(path)
        if not same(old, new, old_path):
            yield f"{kind} {path}: {_change(kind, old, new)}"


def _path_today(path):
    """Return what a path is called today, None if it is gone."""
    for pattern, new in changes.FIELDS.items():
        if "." in pattern and fnmatch.fnmatchcase(path, pattern):
            return new
    parts = [changes.FIELDS.get(part, part) for part in path.split(".")]
    return None if None in parts else ".".join(parts)


def _same_number(old, new, path, *, tolerance):
    if tolerance and isinstance(old, dict) and isinstance(new, dict):
        old, new = ({k: v for k, v in d.items() if k != "sha256"} for d in (old, new))
    return _alike(old, new, tolerance)


def _alike(old, new, tolerance):
    if isinstance(old, dict):
        return (
            isinstance(new, dict)
            and old.keys() == new.keys()
            and all(_alike(old[key], new[key], tolerance) for key in old)
        )
    if isinstance(old, list):
        return (
            isinstance(new, list)
            and len(old) == len(new)
            and all(_alike(*pair, tolerance) for pair in zip(old, new, strict=True))
        )
    if old == new:
        return True
    if not (tolerance and isinstance(old, str) and isinstance(new, str)):
        return False
    return math.isclose(
        *map(float.fromhex, (old, new)), rel_tol=tolerance, abs_tol=tolerance
    )


def _same_words(old, new, path):
    return _word(old, path) == new


def _word(word, path):
    if isinstance(word, list):
        return [_word(item, path) for item in word]
    spellings = {
        old: new for old, new in changes.VALUES.items() if isinstance(old, str)
    }
    for (_, old), new in (i for i in changes.VALUES.items() if isinstance(i[0], tuple)):
        spellings[old] = new
    own = changes.WORDS.get(path.rpartition(".")[2], {})
    if word in changes.NAMES:
        return changes.NAMES[word].rpartition(".")[2]
    return own.get(word, spellings.get(word, word))


def _same_sentences(old, new, path):
    return [_sentence(text) for text in old] == new


def _same_text(old, new, path):
    old = [_sentence(line) for line in old]
    return old == new or (new is not None and _flowing(old) == _flowing(new))


def _flowing(lines):
    """Return a text without its line breaks."""
    return " ".join(" ".join(lines).split())


def _sentence(text):
    for pattern, new in changes.SENTENCES:
        text = re.sub(pattern, new, text)
    return text


def _change(kind, old, new):
    """Return how a value changed; of a text only the lines that did."""
    if kind == "texts" and new is not None:
        return "\n  " + "\n  ".join(
            line for line in difflib.ndiff(old, new) if line[0] in "+-"
        )
    return f"{_readable(old)} -> {_readable(new)}"


def _readable(value):
    """Return a recorded value as a person reads it."""
    if isinstance(value, dict):
        return str({name: _readable(item) for name, item in value.items()})
    if isinstance(value, list):
        return "[" + ", ".join(_readable(item) for item in value) + "]"
    if isinstance(value, str) and re.fullmatch(r"-?0x[0-9a-f.]+p[+-]\d+", value):
        return f"{float.fromhex(value)!r} ({value})"
    return repr(value)
