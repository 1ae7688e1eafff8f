"""
Keeps the garbage collector off what stays: millions of objects that form no cycles.

Looking through them again and again took half of a large cluster's first minute.  They are freed
as ever when nothing refers to them.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Build what stays without a collection; several may be building at the same time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def settle() -> None:
    """
    Leave what is there now out of every collection to come.

    For once in a process: a cycle that is garbage by then would stay, too.
    """
    gc.freeze()
