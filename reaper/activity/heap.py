"""
Keeps the garbage collector off what stays: millions of objects that form no cycles.

Looking through them again and again took half of a large cluster's first minute.  They are freed
as ever when nothing refers to them.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final


class _Rest:
    """Keeps the collector off while anybody builds; as it was once the last one has built."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._building = 0
        self._was = True

    def begin(self) -> None:
        """Count one more that builds."""
        with self._lock:
            if not self._building:
                self._was = gc.isenabled()
                gc.disable()
            self._building += 1

    def end(self) -> None:
        """Count one less."""
        with self._lock:
            self._building -= 1
            if self._was and not self._building:
                gc.enable()


_REST: Final = _Rest()


@contextmanager
def uncollected() -> Iterator[None]:
    """Build what stays without a collection; several threads may be building at the same time."""
    _REST.begin()
    try:
        yield
    finally:
        _REST.end()


def settle() -> None:
    """
    Leave what is there now out of every collection to come.

    For once in a process: a cycle that is garbage by then would stay, too.
    """
    gc.freeze()
