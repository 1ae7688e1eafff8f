"""Reading what people write, whole texts of plain files; writing what must be whole or not be."""

import errno
import glob
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_DRAFT: Final = ".draft"
#: The rights of a file that is made in the usual way; the umask takes from them.
_USUAL: Final = 0o666

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


@contextmanager
def drafted(path: Path, *, mode: int = 0o600) -> Iterator[Path]:
    """
    Give an empty file beside a path, to be written, synced and put in its place.

    Its name is made up: what a crash left is in nobody's way.  It is removed at the end whatever
    happens; raise OSError.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}{_DRAFT}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    try:
        yield draft
    finally:
        with suppress(OSError):
            draft.unlink()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that there is the former one or this one, be it in a crash; raise OSError."""
    clear_drafts(path)
    with drafted(path, mode=_USUAL) as draft:
        draft.write_bytes(content)
        sync(draft)
        draft.replace(path)


def sync(path: Path) -> None:
    """Have a file's content on its disk before anything refers to it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def clear_drafts(path: Path) -> None:
    """Remove what earlier writings of a file left when they crashed, under whatever name."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*"):
        with suppress(OSError):
            left.unlink()
