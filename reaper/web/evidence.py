"""What devices are read from and what says that they are idle, equal ones told once; pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from reaper.domain.facts.host import AT_WORK, QUIET, STILL
from reaper.domain.facts.serving import REQUEST
from reaper.domain.facts.track import whole
from reaper.domain.picture import DeviceLine, Row
from reaper.web import drawn
from reaper.web.languages.english import ENGLISH
from reaper.web.languages.language import Language

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
    texts = language.texts
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[DeviceLine]] = {}
    for device in devices:
        groups.setdefault((device.witnesses, device.signals), []).append(device)
    return tuple(
        Signals(
            title=drawn.title(same, language),
            witnesses=witnesses,
            signals=sources,
            memory=_range([device.memory_used for device in same], partial(_memory, texts), texts),
            power=_range([device.power for device in same], partial(_power, texts), texts),
        )
        for (witnesses, sources), same in groups.items()
    )


def host_words(row: Row, step: float, language: Language = ENGLISH) -> str:
    """Say what its hosts did of late; empty where nothing measures that."""
    letters = whole(row.host)
    known = sum(map(letters.count, (AT_WORK, QUIET, STILL)))
    if not letters:
        return ""
    texts, lasts = language.texts, language.duration
    worked = lasts(letters.count(AT_WORK) * step)
    gap = texts["host_unseen"].format(lasts((len(letters) - known) * step))
    unseen = gap if known < len(letters) else ""
    return f"{texts['host_worked'].format(worked, lasts(len(letters) * step))}{unseen}"


def request_words(row: Row, step: float, language: Language = ENGLISH) -> str:
    """Say what its servers answered; empty where nothing counts that."""
    if not row.requests:
        return ""
    answered = sum(line.answered for line in row.requests)
    pending = sum(line.pending for line in row.requests)
    rested = len(whole(row.served).lstrip(REQUEST))
    texts = language.texts
    none = texts["requests_none"].format(language.duration(rested * step))
    quiet = none if rested else texts["requests_now"]
    return texts["requests_text"].format(f"{answered:,.0f}", f"{pending:,.0f}", quiet)


def _memory(texts: Mapping[str, str], used: float) -> str:
    if used >= _GIB:
        return texts["gib"].format(f"{used / _GIB:.1f}")
    return texts["mib"].format(f"{used / _MIB:.0f}")


def _power(texts: Mapping[str, str], watts: float) -> str:
    return texts["watts"].format(f"{watts:.0f}")


def _range(
    values: Sequence[float | None], shown: Callable[[float], str], texts: Mapping[str, str]
) -> str:
    """Return the least and the most of the known values; empty where none is known."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return ""
    least, most = shown(known[0]), shown(known[-1])
    return least if least == most else texts["from_to"].format(least, most)
