"""What devices are read from and what says that they are idle, equal ones told once; pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from reaper.domain.facts.host import AT_WORK, QUIET, STILL
from reaper.domain.facts.serving import REQUEST
from reaper.domain.facts.track import whole
from reaper.domain.picture import DeviceLine, Row
from reaper.web import drawn, words

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


def host_words(row: Row, step: float) -> str:
    """Say what its hosts did of late; empty where nothing measures that."""
    letters = whole(row.host)
    known = sum(map(letters.count, (AT_WORK, QUIET, STILL)))
    if not letters:
        return ""
    worked = words.duration(letters.count(AT_WORK) * step)
    unseen = (
        f", {words.duration((len(letters) - known) * step)} unseen" if known < len(letters) else ""
    )
    return f"worked {worked} of the last {words.duration(len(letters) * step)}{unseen}"


def request_words(row: Row, step: float) -> str:
    """Say what its servers answered; empty where nothing counts that."""
    if not row.requests:
        return ""
    answered = sum(line.answered for line in row.requests)
    pending = sum(line.pending for line in row.requests)
    rested = len(whole(row.served).lstrip(REQUEST))
    quiet = f"none for {words.duration(rested * step)}" if rested else "one in the newest minute"
    return f"{answered:,.0f} answered, {pending:,.0f} under way; {quiet}"


def _memory(used: float) -> str:
    return f"{used / _GIB:.1f} GiB" if used >= _GIB else f"{used / _MIB:.0f} MiB"


def _range(values: Sequence[float | None], shown: Callable[[float], str]) -> str:
    """Return the least and the most of the known values; empty where none is known."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return ""
    least, most = shown(known[0]), shown(known[-1])
    return least if least == most else f"{least} to {most}"
