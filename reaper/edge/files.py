"""Reading what people write: whole texts of plain files, and nothing that would never end."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

#: Where a shell puts the output of a program that it passes as a file.
_PASSED: Final = ("/dev/fd/", "/dev/stdin", "/proc/")

_KINDS: Final[tuple[tuple[Callable[[int], bool], str], ...]] = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_text(path: Path) -> str:
    """
    Return a file's text, without the mark that some editors begin UTF-8 with.

    Raises OSError, also for what is no file, and UnicodeDecodeError.
    """
    if not str(path).startswith(_PASSED):
        _must_be_a_file(path)
    return path.read_text(encoding="utf-8-sig")


def _must_be_a_file(path: Path) -> None:
    mode = path.stat().st_mode
    for is_it, kind in _KINDS:
        if is_it(mode) and path != Path(os.devnull):
            raise OSError(errno.EINVAL, f"it is {kind}, not a file", str(path))
