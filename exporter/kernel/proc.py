"""
One pass over /proc: frozen :class:`Process` values, whatever the node is doing to itself.

It knows the kernel's text formats.  It refuses to read what may block behind a stuck process
(the command line of anything in D state, any environment) and what is nobody's business: of a
command line only the kind of program comes out.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exporter.kernel.program import Program, recognise, told_by_name

_KERNEL_THREAD: Final = 0x0020_0000
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_SMALL: Final = 1 << 16
# What a process rarely changes (uid, cgroups) is read again every so many passes,
_REFRESH: Final = 4
# and its command line in its first passes only: sshd retitles itself when a login completes.
_SETTLES: Final = 12
_TEXTS_KEPT: Final = 4096
_MASKS: Final = re.compile(rb"^Sig(Blk|Ign|Cgt):\s*([0-9a-f]+)$", re.MULTILINE)
_UID: Final = re.compile(rb"^Uid:\s*(\d+)", re.MULTILINE)

Cgroups = tuple[tuple[str, str], ...]
"""Lines of a process's cgroup file: (controllers, path); the controllers of v2 are empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process as one pass saw it; `start` in Unix seconds, `cpu` and `blocked` in seconds.

    `tty` is the device number of the controlling terminal, 0 without one.  `blocked` is the time
    spent waiting for block I/O, 0 where the kernel does not account it.  `uid` is None and
    `cgroups` empty where they could not be read.
    """

    pid: int
    start: float
    ppid: int
    session: int
    tty: int
    state: str
    name: str
    uid: int | None
    cgroups: Cgroups
    program: Program
    cpu: float
    blocked: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalMasks:
    """Which signals a process catches, ignores and blocks, as bit sets (bit 0 is signal 1)."""

    caught: int
    ignored: int
    blocked: int

    def catches(self, signal: int) -> bool:
        """Say whether a handler of the process's own would run."""
        bit = 1 << (signal - 1)
        return bool(self.caught & bit) and not self.blocked & bit


Announce = Callable[[str, str], None]
"""Told what is about to be read and of whom."""


def silent(_name: str, _target: str) -> None:
    """Announce to nobody."""


class ProcUnreadable(OSError):
    """Not even the boot time could be read: `root` is no /proc."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is kept of a process between passes, so that an unchanged one costs one read."""

    raw: bytes
    process: Process
    first: int
    told: bool


class Census:
    """Reads every process under `root`; keeps what does not change between passes."""

    def __init__(self, root: Path = Path("/proc")) -> None:
        self.root = str(root)
        self._announce: Announce = silent
        self._seen: dict[int, _Seen] = {}
        self._kernel: dict[int, int] = {}
        self._passes = 0
        self._boot: float | None = None
        self._texts: dict[bytes, Cgroups] = {}

    def take(
        self, avoided: Collection[int] = (), announce: Announce | None = None
    ) -> Mapping[int, Process]:
        """Return every process by its pid, kernel threads left out.

        Of `avoided` pids nothing is read: what was last known of them is returned again.
        `announce` is told ``("proc", "pid 71")`` before each process, so that a read which never
        returns has a name.
        """
        self._announce = announce or silent
        self._passes += 1
        if self._boot is None:
            self._boot = boot_time(self.root)
        seen = {pid: one for pid in self._pids() if (one := self._look(pid, avoided)) is not None}
        self._seen = seen
        self._kernel = {p: n for p, n in self._kernel.items() if n > self._passes - _REFRESH}
        return {pid: one.process for pid, one in seen.items()}

    def _pids(self) -> Iterator[int]:
        return (int(name) for name in _listed(self.root) if name.isascii() and name.isdigit())

    def _look(self, pid: int, avoided: Collection[int]) -> _Seen | None:
        before = self._seen.get(pid)
        if pid in avoided or pid in self._kernel:
            return before
        self._announce("proc", f"pid {pid}")
        raw = _read(f"{self.root}/{pid}/stat")
        if raw is None:
            return None
        due = (pid + self._passes) % _REFRESH == 0
        if before is not None and before.told and before.raw == raw and not due:
            return before
        return self._parse(pid, raw, before, due=due)

    def _parse(self, pid: int, raw: bytes, before: _Seen | None, *, due: bool) -> _Seen | None:
        name, fields = _stat(raw)
        if fields is None:
            return None
        if int(fields[6]) & _KERNEL_THREAD:
            self._kernel[pid] = self._passes
            return None
        start = (self._boot or 0.0) + int(fields[19]) / _TICKS
        if before and (before.process.start, before.process.name) != (start, name):
            before = None
        fresh = before is None or due
        state = fields[0].decode()
        program = self._program(pid, name, state, before, due=due)
        process = Process(
            pid=pid,
            start=start,
            ppid=int(fields[1]),
            session=int(fields[3]),
            tty=int(fields[4]) & 0xFFFF_FFFF,
            state=state,
            name=name,
            uid=self._uid(pid) if fresh or before is None else before.process.uid,
            cgroups=self._cgroups(pid) if fresh or before is None else before.process.cgroups,
            program=program or "",
            cpu=(int(fields[11]) + int(fields[12])) / _TICKS,
            blocked=int(fields[39]) / _TICKS,
        )
        first = before.first if before else self._passes
        return _Seen(raw=raw, process=process, first=first, told=program is not None)

    def _uid(self, pid: int) -> int | None:
        match = _UID.search(_read(f"{self.root}/{pid}/status") or b"")
        return int(match[1]) if match else None

    def _cgroups(self, pid: int) -> Cgroups:
        raw = _read(f"{self.root}/{pid}/cgroup") or b""
        if raw not in self._texts:
            if len(self._texts) > _TEXTS_KEPT:
                self._texts.clear()
            self._texts[raw] = cgroups_of(raw.decode(errors="replace"))
        return self._texts[raw]

    def _program(
        self, pid: int, name: str, state: str, before: _Seen | None, *, due: bool
    ) -> Program | None:
        """Tell the program; None when it may not be asked now."""
        if told_by_name(name):
            return recognise(name, ())
        young = before is None or self._passes - before.first < _SETTLES
        if before is not None and before.told and not (due and young):
            return before.process.program
        if state == "D" or self._any_thread_stuck(pid):
            return None
        raw = _read(f"{self.root}/{pid}/cmdline") or b""
        return recognise(name, raw.decode(errors="replace").rstrip("\0").split("\0"))

    def _any_thread_stuck(self, pid: int) -> bool:
        """A thread in D state may hold the lock that reading a command line needs."""
        tasks = f"{self.root}/{pid}/task"
        stats = (_stat(_read(f"{tasks}/{thread}/stat") or b"") for thread in _listed(tasks))
        return any(fields is not None and fields[0] == b"D" for _, fields in stats)


def ancestors(process: Process, processes: Mapping[int, Process]) -> Iterator[Process]:
    """Yield the processes above one, the nearest first; a pass is no snapshot: circles happen."""
    seen = {process.pid}
    while (parent := processes.get(process.ppid)) is not None and parent.pid not in seen:
        seen.add(parent.pid)
        yield parent
        process = parent


def signal_masks(root: str | Path, pid: int) -> SignalMasks | None:
    """Read which signals a process catches; None when it is gone or hidden."""
    found = dict(_MASKS.findall(_read(f"{root}/{pid}/status") or b""))
    if len(found) < 3:
        return None
    return SignalMasks(
        caught=int(found[b"Cgt"], 16),
        ignored=int(found[b"Ign"], 16),
        blocked=int(found[b"Blk"], 16),
    )


def boot_time(root: str | Path) -> float:
    """Return when the node booted, in whole Unix seconds, rounded down by the kernel."""
    try:
        match = re.search(rb"^btime (\d+)", Path(f"{root}/stat").read_bytes(), re.MULTILINE)
    except OSError:
        match = None
    if match is None:
        raise ProcUnreadable(f"{root}/stat: no boot time; is {root} a /proc?")
    return float(match[1])


def cgroups_of(text: str) -> Cgroups:
    """Read a cgroup file's text: ``hierarchy:controllers:path`` a line; other lines are skipped."""
    lines = (line.split(":", 2) for line in text.splitlines())
    return tuple((parts[1], parts[2]) for parts in lines if len(parts) == 3)


def _stat(raw: bytes) -> tuple[str, list[bytes] | None]:
    """Split a stat record; the name may hold brackets, blanks and line breaks."""
    opening, closing = raw.find(b"("), raw.rfind(b")")
    fields = raw[closing + 2 :].split()
    if opening < 0 or closing < opening or len(fields) < 40:
        return "", None
    return raw[opening + 1 : closing].decode(errors="replace"), fields


def _listed(path: str) -> list[str]:
    try:
        return os.listdir(path)  # noqa: PTH208  # a Path a process is too slow
    except OSError:
        return []


def _read(path: str, size: int = _SMALL) -> bytes | None:
    """Read a small kernel file in one go; None when it is gone or hidden."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return os.read(descriptor, size)
    except OSError:
        return None
    finally:
        os.close(descriptor)
