"""Phrases that Russian messages are made of: instants, whose GPUs, where they are."""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from reaper.domain.escalation.notice import Story
from reaper.domain.spoken import counted
from reaper.notifiers.texts import Reader, local

_DAYS: Final = ("пн", "вт", "ср", "чт", "пт", "сб", "вс")
_MONTHS: Final = (
    *("января", "февраля", "марта", "апреля", "мая", "июня"),
    *("июля", "августа", "сентября", "октября", "ноября", "декабря"),
)


def moment(at: float, zone: ZoneInfo) -> str:
    """Write an instant with its weekday and zone: "вт 1 декабря, 14:05 CET"."""
    when: datetime = local(at, zone)
    day = f"{_DAYS[when.weekday()]} {when.day} {_MONTHS[when.month - 1]}"
    return f"{day}, {when:%H:%M} {when.tzname()}"


def agreed(story: Story, one: str, several: str) -> str:
    """Choose the word that agrees with the number of GPUs."""
    return one if story.devices == 1 else several


def whose(story: Story, reader: Reader, *, begins: bool = True) -> str:
    """Name the GPUs as their reader's, or as those of whom the reader answers for."""
    gpus = "GPU" if story.devices == 1 else f"{story.devices} GPU"
    if reader.absent:
        return f"{gpus} пользователя {reader.absent}"
    yours = agreed(story, "Ваш", "Ваши")
    return f"{yours if begins else yours.lower()} {gpus}"


def named(story: Story) -> str:
    """Name the allocation, with the name that its owner gave it."""
    return f"{story.allocation} «{story.name}»" if story.name else story.allocation


def holding(story: Story) -> str:
    """Tell what it holds and where; many nodes are counted."""
    shown, more = story.nodes[:3], len(story.nodes) - 3
    others = f" и ещё на {counted(more, 'узле', 'узлах', 'узлах')}" if more > 0 else ""
    places = ", ".join(shown) + others
    what = f"{story.devices} × {story.model or 'GPU'}"
    return f"{what} на {places}" if places else what
