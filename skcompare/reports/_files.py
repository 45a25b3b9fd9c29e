"""Files that are written whole, or not at all."""

import contextlib
import os
from pathlib import Path


def write_file(path, content):
    """Write a file such that it is never seen half written.

    Parameters
    ----------
    path : path-like
        The file. What is there stays until the new one is complete; what is no plain
        file, such as a pipe, is written to as it is.
    content : bytes
        What to write.
    """
    path = Path(path)
    if path.exists() and not path.is_file():  # not resolved: pipes have no path
        path.write_bytes(content)
        return
    target = path.resolve()
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no such folder.")
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(content)
        os.replace(partial, target)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise
