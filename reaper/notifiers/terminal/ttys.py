"""
The terminals of one user on this machine.

A terminal is theirs when they own it, and takes messages when its group may write (`mesg y`).  It
is opened without waiting and looked at again once it is open, so that nothing else takes its place.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

PTS: Final = Path("/dev/pts")

_FLAGS: Final = os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW | os.O_CLOEXEC


def tell(uid: int, text: bytes, folder: Path = PTS) -> tuple[str, ...]:
    """Write a text to each terminal of a user; return the names of those that took all of it."""
    return tuple(name for name in _names(folder) if write_to(folder / name, uid, text))


def _names(folder: Path) -> Iterator[str]:
    with suppress(OSError):
        yield from sorted(path.name for path in folder.iterdir() if path.name.isdecimal())


def write_to(path: Path, uid: int, text: bytes) -> bool:
    """Write a text to one terminal of a user; False when it is not theirs, closed or full."""
    try:
        if not _takes(os.lstat(path), uid):
            return False
        terminal = os.open(path, _FLAGS)
    except OSError:
        return False
    try:
        return _takes(os.fstat(terminal), uid) and os.write(terminal, text) == len(text)
    except OSError:
        return False
    finally:
        os.close(terminal)


def _takes(status: os.stat_result, uid: int) -> bool:
    own = status.st_uid == uid and stat.S_ISCHR(status.st_mode)
    return own and bool(status.st_mode & stat.S_IWGRP)
