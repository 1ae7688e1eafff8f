"""
Which feature needs which right, and whether this process has it; ``docs/rights.md`` is the table.

A right that is missing costs its feature alone.  Nothing is tried that could block or change
anything: files are opened or asked about, never written.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_FIRST_PID_NAMESPACE: Final = "pid:[4026531836]"
_DAC_READ_SEARCH, _SYS_PTRACE, _SYS_ADMIN = 2, 19, 21
_CARD: Final = re.compile(r"nvidia(?:ctl|\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What was configured and seen, and where the kernel shows it; `kubelet` is its socket."""

    kubelet: str = ""
    kernel_log: str = ""
    sliced: bool = False
    people: bool = True
    dev: Path = field(default=Path("/dev"))
    proc: Path = field(default=Path("/proc"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Right:
    """A feature with its right; `granted` is None where the feature is not in use here."""

    feature: str
    granted: bool | None
    cure: str
    detail: str = ""


def rights(place: Place) -> tuple[Right, ...]:
    """Return every feature that needs a right."""
    return (
        _devices(place),
        _instances(place),
        _processes(place),
        _own_namespace(place),
        _terminals(place),
        _homes(place),
        _kubelet(place),
        _kernel_log(place),
    )


def _devices(place: Place) -> Right:
    nodes = [one for one in _listed(place.dev) if _CARD.fullmatch(one)]
    closed = [one for one in nodes if not os.access(place.dev / one, os.R_OK | os.W_OK)]
    return Right(
        feature="measuring",
        granted=not closed if nodes else False,
        cure=(
            f"let the account open {place.dev / closed[0]} (group video)"
            if closed
            else f"no {place.dev}/nvidia*: load the driver, or give the container its GPUs"
        ),
    )


def _instances(place: Place) -> Right:
    monitor = place.proc / "driver/nvidia/capabilities/mig/monitor"
    minor = re.search(r"DeviceFileMinor: (\d+)", _text(monitor))
    node = place.dev / f"nvidia-caps/nvidia-cap{minor[1]}" if minor else None
    granted = _capable(place, _SYS_ADMIN) or (node is not None and os.access(node, os.R_OK))
    return Right(
        feature="MIG instances",
        granted=granted if place.sliced else None,
        cure="let the account read /dev/nvidia-caps of mig/monitor, or give CAP_SYS_ADMIN",
    )


def _processes(place: Place) -> Right:
    return Right(
        feature="whose process is whose",
        granted=bool(_text(place.proc / "1/stat")),
        cure="/proc is mounted with hidepid: give CAP_SYS_PTRACE (processes.conf.example)",
    )


def _own_namespace(place: Place) -> Right:
    namespace = _link(place.proc / "self/ns/pid")
    return Right(
        feature="the node's processes, not only a container's",
        granted=namespace == _FIRST_PID_NAMESPACE,
        cure="run the container with hostPID: true",
        detail="" if namespace else "unknown",
    )


def _terminals(place: Place) -> Right:
    return Right(
        feature="terminals in containers",
        granted=bool(_link(place.proc / "1/ns/mnt")) if place.people else None,
        cure="give CAP_SYS_PTRACE (processes.conf.example); without it presence there is unknown",
    )


def _homes(place: Place) -> Right:
    return Right(
        feature="code-server's heartbeat in closed homes",
        granted=_capable(place, _DAC_READ_SEARCH) if place.people else None,
        cure="give CAP_DAC_READ_SEARCH (homes.conf.example) where people use code-server",
    )


def _kubelet(place: Place) -> Right:
    return Right(
        feature="what the kubelet gave to pods",
        granted=os.access(place.kubelet, os.R_OK | os.W_OK) if place.kubelet else None,
        cure=f"let the account connect to {place.kubelet}: mounted, and root's as a rule",
    )


def _kernel_log(place: Place) -> Right:
    return Right(
        feature="Xids from the kernel log",
        granted=_opens(place.kernel_log) if place.kernel_log else None,
        cure="give CAP_SYSLOG (kernel-log.conf.example); without it the driver's own events count",
    )


def _opens(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def _capable(place: Place, number: int) -> bool:
    match = re.search(r"^CapEff:\s*([0-9a-f]+)", _text(place.proc / "self/status"), re.MULTILINE)
    return bool(match and int(match[1], 16) >> number & 1)


def _listed(folder: Path) -> Iterator[str]:
    try:
        yield from sorted(os.listdir(folder))  # noqa: PTH208 - names are all that is wanted
    except OSError:
        return


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return ""
