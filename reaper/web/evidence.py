"""What devices are read from and what says that they are idle, equal ones told once; pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from reaper.domain.picture import DeviceLine
from reaper.web import drawn

_MIB: Final = 2**20
_GIB: Final = 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What the devices with equal signals are read from, and what says that they are idle."""

    title: str
    witnesses: tuple[str, ...]
    signals: tuple[str, ...]
    memory: str
    power: str


def signals(devices: Sequence[DeviceLine]) -> tuple[Signals, ...]:
    """Gather devices whose signals and witnesses are the same."""
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[DeviceLine]] = {}
    for device in devices:
        groups.setdefault((device.witnesses, device.signals), []).append(device)
    return tuple(
        Signals(
            title=drawn.title(same),
            witnesses=witnesses,
            signals=sources,
            memory=_range([device.memory_used for device in same], _memory),
            power=_range([device.power for device in same], lambda watts: f"{watts:.0f} W"),
        )
        for (witnesses, sources), same in groups.items()
    )


def _memory(used: float) -> str:
    return f"{used / _GIB:.1f} GiB" if used >= _GIB else f"{used / _MIB:.0f} MiB"


def _range(values: Sequence[float | None], shown: Callable[[float], str]) -> str:
    """Return the least and the most of the known values; empty where none is known."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return ""
    least, most = shown(known[0]), shown(known[-1])
    return least if least == most else f"{least} to {most}"
