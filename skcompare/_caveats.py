"""What users must be told about their data, and how they are told."""

import sys
import warnings
from pathlib import Path
from typing import NamedTuple

HOME = str(Path(__file__).parent)


class Caveat(NamedTuple):
    """A warning to give, and to keep with the result."""

    category: type
    text: str


def warn_of(caveats):
    """Give warnings, each once, at the first caller outside of this package."""
    frame, level = sys._getframe(1), 2
    while frame is not None and frame.f_code.co_filename.startswith(HOME):
        frame, level = frame.f_back, level + 1
    for caveat in dict.fromkeys(caveats):
        warnings.warn(caveat.text, caveat.category, stacklevel=level)
