"""
When something was last typed into a terminal: the access time of its device node.

Reading input moves it, output does not; the kernel rounds to 8 seconds.  A terminal's number says
nothing of the devpts instance it is in: a container's pts/0 is not the node's.  So a node is
believed only if it is the process's own, by mount namespace and owner.  Its owner may set the
times; what was set so is no input (:mod:`exporter.sessions.touches`).
"""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exporter.attribution.allocation import membership_of
from exporter.kernel.proc import Announce, Process, silent
from exporter.sessions.touches import Times, Touches

_PTS_MAJORS: Final = range(136, 144)
_TTY_MAJOR: Final = 4
_SERIAL_FROM: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """When something was last typed (Unix seconds), None when unproven.

    `doubtful` says that it is so because the terminal's times were set, not moved by input.
    """

    at: float | None = None
    doubtful: bool = False


UNPROVEN: Final = Input()

Status = Callable[[Path], os.stat_result]


class Terminals:
    """Reads terminals under `dev` for processes of the node, under their own root for others.

    `announce` is told before a foreign root is entered, which may lie on a stuck file system.
    """

    def __init__(
        self, dev: Path, proc: Path, announce: Announce = silent, status: Status = os.stat
    ) -> None:
        self._dev = dev
        self._proc = proc
        self._announce = announce
        self._status = status
        self._touches = Touches()

    def last_input(self, process: Process, now: float) -> Input:
        """Return the last input of the process's terminal; `now` in Unix seconds."""
        name = device_name(process.tty)
        folder = self._folder(process)
        if name is None or folder is None:
            return UNPROVEN
        try:
            status = self._status(folder / name)
        except OSError:
            return UNPROVEN
        other = stat.S_ISCHR(status.st_mode) and status.st_rdev != device_number(process.tty)
        if other or status.st_uid != process.uid:
            return UNPROVEN
        times = Times(access=status.st_atime_ns, change=status.st_ctime_ns)
        terminal = (str(folder / name), process.session)
        if self._touches.doubtful(terminal, times, started=process.start, now=now):
            return Input(doubtful=True)
        return Input(at=status.st_atime)

    def turn(self) -> None:
        """End a look at all terminals."""
        self._touches.turn()

    def _folder(self, process: Process) -> Path | None:
        """Return the /dev that the process sees; None when that cannot be told."""
        own, node = self._namespace(process.pid), self._namespace(1)
        if own and own == node:
            return self._dev
        if own and node:
            self._announce("terminal", f"pid {process.pid}")
            return self._proc / str(process.pid) / "root/dev"
        place = membership_of(process)
        contained = place is not None and place.kind not in {"slurm", "user"}
        return None if contained else self._dev

    def _namespace(self, pid: int) -> str:
        try:
            return str((self._proc / str(pid) / "ns/mnt").readlink())
        except OSError:
            return ""


def device_number(tty: int) -> int:
    """Return the device number of a stat record's terminal field."""
    return os.makedev((tty >> 8) & 0xFFF, (tty & 0xFF) | ((tty >> 12) & 0xF_FF00))


def device_name(tty: int) -> str | None:
    """Return a terminal's name below /dev: ``pts/3``, ``tty2``, ``ttyS0``; None for another."""
    number = device_number(tty)
    major, minor = os.major(number), os.minor(number)
    if major in _PTS_MAJORS:
        return f"pts/{(major - _PTS_MAJORS.start) * 256 + minor}"
    if major == _TTY_MAJOR and minor:
        return f"tty{minor}" if minor < _SERIAL_FROM else f"ttyS{minor - _SERIAL_FROM}"
    return None
