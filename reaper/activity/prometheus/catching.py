"""
One minute after another, until the newest: what could not be asked is asked again.

What an engine kept it still has after an outage of its own, of the network or of ours.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final, Protocol

from reaper.activity.prometheus.targets import Key
from reaper.ports import NodeReport, SourceError

#: Minutes that one round may ask for: four rounds a minute catch up twelve.
AT_ONCE: Final = 3

Reports = dict[Key, NodeReport]
"""What each target said at a minute's end."""

Told = dict[Key, tuple[NodeReport, ...]]
"""What each target said when it was last asked; a silence stands after what was said before it."""


class Asked(Protocol):
    """Something that is asked for minute after minute."""

    next: int
    """The minute that is asked for next."""


async def catch_up(
    asked: Asked, closed: int, oldest: int, ask: Callable[[int], Awaitable[Reports]]
) -> Told:
    """
    Ask for the next minutes until `closed`, none before `oldest`.

    Raise SourceError when the first of them fails.
    """
    asked.next = max(asked.next, oldest)
    minutes: list[Reports] = []
    try:
        while asked.next <= closed and len(minutes) < AT_ONCE:
            minutes.append(await ask(asked.next))
            asked.next += 1
    except SourceError:
        if not minutes:
            raise
    return joined(minutes)


def joined(minutes: Iterable[Reports]) -> Told:
    """Return each target's newest report, with its readings of every minute."""
    told: dict[Key, list[NodeReport]] = {}
    for reports in minutes:
        for key, report in reports.items():
            told.setdefault(key, []).append(report)
    return {key: tuple(_joined(reports)) for key, reports in told.items()}


def _joined(reports: list[NodeReport]) -> Iterator[NodeReport]:
    good = [report for report in reports if not report.error]
    if good:
        readings = tuple(reading for report in good for reading in report.readings)
        yield replace(good[-1], readings=readings)
    if reports[-1].error:
        yield reports[-1]
