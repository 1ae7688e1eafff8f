"""A drawn /proc: the few files of a process that the exporter reads."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from exporter.kernel.proc import Process
from exporter.kernel.program import Program

BOOT = 1_700_000_000
TICKS = os.sysconf("SC_CLK_TCK")


class ProcTree:
    """Writes processes below `root`; times in seconds since boot."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        (root / "stat").write_text(f"cpu  1 2 3\nintr 5\nctxt 9\nbtime {BOOT}\nprocesses 7\n")

    def add(
        self,
        pid: int,
        name: str | bytes = "python3",
        *,
        ppid: int = 1,
        start: float = 100.0,
        uid: int = 1001,
        tty: int = 0,
        session: int | None = None,
        state: str = "S",
        flags: int = 0,
        cpu: float = 0.0,
        blocked: float = 0.0,
        cgroup: Sequence[str] = ("0::/user.slice/user-1001.slice/session-3.scope",),
        command: Sequence[str] = (),
        caught: Sequence[str] = (),
    ) -> Path:
        folder = self.root / str(pid)
        folder.mkdir(exist_ok=True)
        raw = name if isinstance(name, bytes) else name.encode()
        numbers = ["0"] * 50
        numbers[0], numbers[1], numbers[2] = state, str(ppid), str(pid)
        numbers[3], numbers[4], numbers[6] = str(session or pid), str(tty), str(flags)
        numbers[11] = str(round(cpu * TICKS))
        numbers[19], numbers[39] = str(round(start * TICKS)), str(round(blocked * TICKS))
        (folder / "stat").write_bytes(b"%d (%s) %s\n" % (pid, raw, " ".join(numbers).encode()))
        (folder / "status").write_text(status(uid, caught))
        (folder / "cgroup").write_text("".join(f"{line}\n" for line in cgroup))
        (folder / "cmdline").write_text("".join(f"{word}\0" for word in command))
        return folder


def status(uid: int, caught: Sequence[str] = ()) -> str:
    mask = sum(1 << (signal.Signals[f"SIG{name}"] - 1) for name in caught)
    return (
        f"Name:\tx\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\n"
        f"SigBlk:\t{0:016x}\nSigIgn:\t{0:016x}\nSigCgt:\t{mask:016x}\n"
    )


def pts(number: int) -> int:
    """Return the terminal field of a stat record for /dev/pts/<number>."""
    return (136 << 8) | (number & 0xFF) | ((number & ~0xFF) << 12)


def process(
    pid: int = 100,
    *,
    ppid: int = 0,
    start: float = float(BOOT),
    uid: int | None = 1001,
    tty: int = 0,
    session: int | None = None,
    state: str = "S",
    name: str = "python3",
    program: Program = "",
    cgroup: str = "",
    cpu: float = 0.0,
    blocked: float = 0.0,
) -> Process:
    return Process(
        pid=pid,
        start=start,
        ppid=ppid,
        session=pid if session is None else session,
        tty=tty,
        state=state,
        name=name,
        uid=uid,
        cgroups=(("", cgroup),) if cgroup else (),
        program=program,
        cpu=cpu,
        blocked=blocked,
    )
