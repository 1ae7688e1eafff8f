"""
Local times without an offset, and the hour that a clock repeats when summer time ends.

Such a time stands for two instants.  Of these the one is taken that the record itself supports: it
ends at or after it begins, it lasted as long as it says, and it was submitted and eligible before
it began.  Where several fit, the earliest of each is taken, and the reader says so.  Pure.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import product
from typing import Final, NamedTuple

#: Seconds by which a duration may differ from its ends, and orders may be off.
_SLACK: Final = 2.0

#: Lines that are named one by one.
_NAMED: Final = 5

Readings = tuple[float, ...]
"""The instants that a written time may mean, the first pass of a repeated hour first."""


def readings(when: datetime, zone: tzinfo) -> Readings:
    """Return the Unix seconds that a time means: two in a repeated hour of its zone."""
    if when.tzinfo is not None:
        return (when.timestamp(),)
    found = [when.replace(tzinfo=zone, fold=fold).timestamp() for fold in (0, 1)]
    # In the hour that is left out neither reading is a time of that clock: the first is as good.
    twice = all(
        datetime.fromtimestamp(at, UTC).astimezone(zone).replace(tzinfo=None, fold=0) == when
        for at in found
    )
    return tuple(found) if twice and found[0] != found[1] else (found[0],)


class Written(NamedTuple):
    """The times of one record as they may be read; () where it says none; durations in seconds."""

    submitted: Readings = ()
    eligible: Readings = ()
    began: Readings = ()
    ended: Readings = ()
    elapsed: float | None = None
    suspended: float = 0.0


class Settled(NamedTuple):
    """The instants that were taken; `open` where others fit the record as well."""

    submitted: float | None = None
    eligible: float | None = None
    began: float | None = None
    ended: float | None = None
    open: bool = False


def settled(written: Written) -> Settled:
    """Return the instants that fit the record best, the earliest where several do."""
    times = written[:4]
    submitted, eligible, began, ended = times
    if max(len(submitted), len(eligible), len(began), len(ended)) < 2:
        return Settled(
            submitted[0] if submitted else None,
            eligible[0] if eligible else None,
            began[0] if began else None,
            ended[0] if ended else None,
        )
    tried = [(_misfit(chosen, written), chosen) for chosen in _choices(times)]
    best = min(misfit for misfit, _ in tried)
    fitting = [chosen for misfit, chosen in tried if misfit == best]
    return _taken(fitting[0], more=len(fitting) > 1)


def repeated(lines: Sequence[int], count: int = 0) -> str:
    """Return what is said of lines whose times fit in more than one way; `count` is of all."""
    shown = ", ".join(str(line) for line in lines[:_NAMED])
    rest = max(count, len(lines)) - _NAMED
    more = f" and {rest} more" if rest > 0 else ""
    return (
        f"times in an hour that the clock repeats, which fit both readings: the first is taken "
        f"(lines {shown}{more})"
    )


_Chosen = tuple[float | None, ...]


def _choices(times: tuple[Readings, ...]) -> Iterator[_Chosen]:
    return product(*(item or (None,) for item in times))


def _taken(chosen: _Chosen, *, more: bool = False) -> Settled:
    submitted, eligible, began, ended = chosen
    return Settled(submitted=submitted, eligible=eligible, began=began, ended=ended, open=more)


def _misfit(chosen: _Chosen, written: Written) -> tuple[int, int, int]:
    """Return what speaks against a choice: its order, minutes of its duration, its wait."""
    submitted, eligible, began, ended = chosen
    if began is None and ended is not None and written.elapsed:
        began = ended - written.elapsed
    return (
        _after(began, ended),
        _off(began, ended, written),
        _after(submitted, began) + _after(eligible, began) + _after(submitted, eligible),
    )


def _after(one: float | None, other: float | None) -> int:
    return int(one is not None and other is not None and one > other + _SLACK)


def _off(began: float | None, ended: float | None, written: Written) -> int:
    """Return by how many minutes a choice lasted otherwise than it says; suspension may count."""
    if began is None or ended is None or written.elapsed is None:
        return 0
    lasted = ended - began
    off = min(abs(lasted - written.elapsed - more) for more in (0.0, written.suspended))
    return round(max(0.0, off - _SLACK) / 60)
