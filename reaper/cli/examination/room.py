"""How much room the file systems have on which the store, its ledger and the reports lie."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from reaper.config import Configuration
from reaper.platforms import Finding

_MIB: Final = 2**20
_GIB: Final = 2**30

#: Below so many bytes nothing more may be written soon; below the other a year does not fit.
FULL: Final = 256 * _MIB
SCARCE: Final = 4 * _GIB

#: Files that a store, its journal and drafts of reports may need.
_FILES: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What a file system has left: bytes for this user, of how many, and files (None: endless)."""

    free: int
    whole: int
    files: int | None = None


def rooms(configuration: Configuration) -> Iterator[Finding]:
    """Yield a finding for each file system that is written to."""
    told: set[int] = set()
    for what, folder in _places(configuration):
        there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        device = there.stat().st_dev
        if device not in told:
            told.add(device)
            yield finding(what, there, measured(there))


def _places(configuration: Configuration) -> Iterator[tuple[str, Path]]:
    url = urlsplit(configuration.store.address)
    if configuration.store.kind == "sql" and url.scheme == "sqlite":
        yield "store and ledger", Path(url.path.removeprefix("/")).parent
    yield "state directory", configuration.state_dir
    deliver = configuration.report.deliver
    if deliver is not None and deliver.folder is not None:
        yield "reports", deliver.folder


def measured(path: Path) -> Room:
    """Return what the file system of a path has left."""
    found = os.statvfs(path)
    return Room(
        free=found.f_bavail * found.f_frsize,
        whole=found.f_blocks * found.f_frsize,
        files=found.f_favail if found.f_files else None,
    )


def finding(what: str, path: Path, room: Room) -> Finding:
    """Return what is to be said of a file system's room."""
    few = room.files is not None and room.files < _FILES
    ok = False if room.free < FULL or few else None if room.free < SCARCE else True
    left = "no more files" if few else f"{_size(room.free)} of {_size(room.whole)} free"
    cure = f"du -xsh {path}/* shows what takes it: make room, or set state_dir elsewhere"
    return Finding(
        subject=f"room for the {what}", ok=ok, what=f"{left} at {path}", cure="" if ok else cure
    )


def _size(number: int) -> str:
    return f"{number / _GIB:,.1f} GiB" if number >= _GIB else f"{number / _MIB:,.0f} MiB"
