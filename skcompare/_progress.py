"""Showing how far a long run has come."""

import sys
import time

__all__ = ["track"]


def track(iterable, *, total, label, verbose):
    """Yield from `iterable`, reporting progress on standard error if `verbose`.

    A tqdm bar where tqdm is installed, otherwise a plain line at every tenth of the
    way. With ``verbose=0`` the iterable itself is returned: silence costs nothing.
    """
    if not verbose:
        return iterable
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _plain_lines(iterable, total, label)
    return tqdm(iterable, total=total, desc=label)


def _plain_lines(iterable, total, label):
    start, reported = time.monotonic(), 0
    for done, item in enumerate(iterable, start=1):
        yield item
        tenths = 10 * done // total
        if tenths > reported:
            reported = tenths
            seconds = time.monotonic() - start
            sys.stderr.write(
                f"[skcompare] {label}: {10 * tenths} % in {seconds:.1f} s\n"
            )
