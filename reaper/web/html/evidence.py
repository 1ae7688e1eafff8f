"""What devices are read from and what says that they are idle, equal ones told once; pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from reaper.domain.facts.host import AT_WORK, QUIET, STILL
from reaper.domain.facts.serving import REQUEST
from reaper.domain.facts.track import whole
from reaper.domain.picture import DeviceLine, Row
from reaper.languages.language import Language
from reaper.web.html import drawn
from reaper.web.languages import ENGLISH

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


def signals(devices: Sequence[DeviceLine], language: Language = ENGLISH) -> tuple[Signals, ...]:
    """Gather devices whose signals and witnesses are the same."""
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[DeviceLine]] = {}
    for device in devices:
        groups.setdefault((device.witnesses, device.signals), []).append(device)
    return tuple(
        Signals(
            title=drawn.title(same, language),
            witnesses=witnesses,
            signals=sources,
            memory=_range([one.memory_used for one in same], partial(_memory, language), language),
            power=_range([one.power for one in same], partial(_power, language), language),
        )
        for (witnesses, sources), same in groups.items()
    )


def host_words(row: Row, step: float, language: Language = ENGLISH) -> str:
    """Say what its hosts did of late; empty where nothing measures that."""
    letters = whole(row.host)
    known = sum(map(letters.count, (AT_WORK, QUIET, STILL)))
    if not letters:
        return ""
    lasts = language.duration
    worked = lasts(letters.count(AT_WORK) * step)
    gap = language.text("host_unseen", span=lasts((len(letters) - known) * step))
    unseen = gap if known < len(letters) else ""
    told = language.text("host_worked", worked=worked, span=lasts(len(letters) * step))
    return f"{told}{unseen}"


def request_words(row: Row, step: float, language: Language = ENGLISH) -> str:
    """Say what its servers answered; empty where nothing counts that."""
    if not row.requests:
        return ""
    answered = sum(line.answered for line in row.requests)
    pending = sum(line.pending for line in row.requests)
    rested = len(whole(row.served).lstrip(REQUEST))
    none = language.text("requests_none", span=language.duration(rested * step))
    quiet = none if rested else language.text("requests_now")
    begun, under_way = f"{answered:,.0f}", f"{pending:,.0f}"
    return language.text("requests_text", answered=begun, pending=under_way, quiet=quiet)


def _memory(language: Language, used: float) -> str:
    if used >= _GIB:
        return language.text("gib", amount=f"{used / _GIB:.1f}")
    return language.text("mib", amount=f"{used / _MIB:.0f}")


def _power(language: Language, watts: float) -> str:
    return language.text("watts", amount=f"{watts:.0f}")


def _range(
    values: Sequence[float | None], shown: Callable[[float], str], language: Language
) -> str:
    """Return the least and the most of the known values; empty where none is known."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return ""
    least, most = shown(known[0]), shown(known[-1])
    return least if least == most else language.text("from_to", least=least, most=most)
