"""One row of sacct's text becomes a job's entry, or a step; what is wrong in it is named."""

from collections.abc import Callable, Iterable, Sequence
from datetime import tzinfo
from operator import itemgetter
from typing import Any, Final, TypeVar

from reaper.domain.audit.wall_time import Readings, Written, settled
from reaper.platforms.slurm.accounting.columns import Header
from reaper.platforms.slurm.accounting.fields import (
    KEPT,
    WITHIN_HOUR,
    FieldError,
    duration,
    hour,
    instants,
    memory,
    percent,
    resources,
)
from reaper.platforms.slurm.accounting.making import Entry, Step

#: Steps of a killed job say so by their state or by their exit code.
_OOM: Final = ("OUT_OF_MEMORY", "0:125")

#: How many characters of a time name its hour.
_HOUR: Final = len("2026-10-25T02")

_Words = tuple[str, str, str, str, str, str, str, str, str, str, str, str, str]
"""The columns that are held as they are."""

_Times = tuple[float | None, float | None, float | None, float | None, bool]
"""When a job was submitted and eligible, began and ended; whether others fit as well."""

T = TypeVar("T")


#: Columns that an entry holds as they are, in its order.
_WORDS: Final = (
    *("jobid", "jobidraw", "state", "exitcode", "cluster", "user", "account", "partition", "qos"),
    *("jobname", "nodelist", "submitline", "admincomment"),
)
_VALUES: Final = (
    *("alloctres", "elapsedraw", "elapsed", "suspended", "submit", "eligible", "start", "end"),
    *("timelimitraw", "timelimit", "reqmem"),
)
_OF_STEP: Final = ("jobid", "jobidraw", "state", "exitcode", "start", "maxrss")


class RowError(ValueError):
    """A row of which no figure can be made; the message says why."""


class Entries:
    """Makes entries and steps of the rows of one file."""

    def __init__(self, head: Header, zone: tzinfo) -> None:
        self._zone, self._rate = zone, head.rate
        self._picked = _picking(head, _WORDS)
        self._values = _picking(head, (*_VALUES, head.rate))
        self._of_step = _picking(head, _OF_STEP)
        self._hours: dict[str, float] = {}
        self._job = ""
        self.notes: list[str] = []
        """What was wrong in the last row although it counts."""
        self.open = False
        """The times of the last row stand in a repeated hour and fit in more than one way."""

    def step(self, fields: Sequence[str]) -> Step:
        """Return what a step says; what it says wrongly matters to no figure."""
        job, raw, state, exited, start, most = self._of_step((*fields, ""))
        return Step(
            name=(job or raw).partition(".")[2],
            began=_or_none(lambda: instants(start, self._zone)) or (),
            out_of_memory=state.split(" ")[0] in _OOM or exited in _OOM,
            memory=_or_none(lambda: memory(most)) if most else None,
        )

    def entry(self, fields: Sequence[str]) -> Entry:
        """Return a job's entry; raise FieldError or RowError where no figure can rest on it."""
        row = (*fields, "")
        tres, seconds, clock, stopped, submit, able, start, end, raw, limit, asked, rate = (
            self._values(row)
        )
        if self.notes:
            self.notes = []
        words: _Words = self._picked(row)
        self._job = words[0]
        elapsed = duration(seconds or clock)
        allocated = resources(tres)
        suspended = (self._soft("suspended", stopped, duration) if stopped else None) or 0.0
        times = self._plain(submit, able, start, end)
        if times is None:
            written = self._written(submit, able, start, end)
            times = settled(written._replace(elapsed=elapsed, suspended=suspended))
        submitted, eligible, began, ended, self.open = times
        if elapsed is None and began and ended and ended < began:
            raise RowError("ends before it begins")
        if began is None and ended is not None and elapsed:
            # Where only the end and the duration are told, the begin is known from these.
            began = ended - elapsed
        return Entry(
            *(words if words[0] else (words[1], *words[1:])),
            submitted,
            eligible,
            began,
            ended,
            elapsed,
            suspended,
            self._limit(raw, limit) if raw or limit else None,
            allocated,
            self._soft("reqmem", asked, _memory_asked) if asked else None,
            self._soft(self._rate, rate, percent) if rate else None,
        )

    def _plain(self, submit: str, eligible: str, start: str, end: str) -> _Times | None:
        """Return the times where each is empty or stands for one instant; nearly all do."""
        hours, within = self._hours, WITHIN_HOUR
        try:
            return (
                hours[submit[:_HOUR]] + within[submit[_HOUR:]] if submit else None,
                hours[eligible[:_HOUR]] + within[eligible[_HOUR:]] if eligible else None,
                hours[start[:_HOUR]] + within[start[_HOUR:]] if start else None,
                hours[end[:_HOUR]] + within[end[_HOUR:]] if end else None,
                False,
            )
        except KeyError:
            pass
        return self._learnt(submit, eligible, start, end)

    def _learnt(self, *texts: str) -> _Times | None:
        """Return the times once their hours are known; None where one must be looked at closely."""
        if len(self._hours) >= KEPT:
            self._hours.clear()
        for text in filter(None, texts):
            begins = hour(text[:_HOUR], self._zone)
            if begins is None or text[_HOUR:] not in WITHIN_HOUR:
                return None
            self._hours[text[:_HOUR]] = begins
        submit, eligible, start, end = texts
        return self._plain(submit, eligible, start, end)

    def _written(self, submit: str, eligible: str, start: str, end: str) -> Written:
        began, ended = instants(start, self._zone), instants(end, self._zone)
        return Written(
            self._soft_instants("submit", submit),
            self._soft_instants("eligible", eligible),
            began,
            ended,
        )

    def _soft_instants(self, name: str, text: str) -> Readings:
        return self._soft(name, text, lambda said: instants(said, self._zone)) or ()

    def _limit(self, minutes: str, text: str) -> float | None:
        read = self._soft("timelimitraw", minutes, duration)
        return self._soft("timelimit", text, duration) if read is None else read * 60

    def _soft(self, name: str, text: str, reader: Callable[[str], T | None]) -> T | None:
        """Return a field's value; None, and a note, where it is wrong: the row still counts."""
        if not text:
            return None
        try:
            return reader(text)
        except FieldError as error:
            self.notes.append(f"job {self._job}: {name}: {error}; counted without it")
            return None


def _picking(head: Header, names: Iterable[str]) -> Callable[[Sequence[str]], Any]:
    """Return what picks columns of a row's fields, behind which stands an empty one."""
    places = [head.place(name) for name in names]
    return itemgetter(*(-1 if place is None else place for place in places))


def _memory_asked(text: str) -> float | None:
    return memory(text, bare="M")


def _or_none(reader: Callable[[], T]) -> T | None:
    try:
        return reader()
    except FieldError:
        return None
