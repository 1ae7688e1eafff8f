"""One row of sacct's text becomes a job's entry, or a step; what is wrong in it is named."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar

from reaper.domain.money.wall_time import Readings, Settled, Written, settled
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

T = TypeVar("T")


class Said(NamedTuple):
    """The columns that are read of a row; "" for one that is not there."""

    jobid: str
    jobidraw: str
    state: str
    exitcode: str
    cluster: str
    user: str
    account: str
    partition: str
    qos: str
    jobname: str
    nodelist: str
    submitline: str
    admincomment: str
    elapsedraw: str
    elapsed: str
    alloctres: str
    start: str
    end: str
    suspended: str
    submit: str
    eligible: str
    timelimitraw: str
    timelimit: str
    reqmem: str
    maxrss: str
    rate: str

    @property
    def ident(self) -> str:
        """Return what people call the job or the step."""
        return self.jobid or self.jobidraw


class RowError(ValueError):
    """A row of which no figure can be made; the message says why."""


@dataclass(slots=True)
class Entries:
    """Makes entries and steps of the rows of one file."""

    head: Header
    zone: tzinfo
    _pick: Callable[[Sequence[str]], tuple[str, ...]] = field(init=False)
    _hours: dict[str, float | None] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """What was wrong in the last row although it counts."""
    open: bool = False
    """The times of the last row stand in a repeated hour and fit in more than one way."""

    def __post_init__(self) -> None:
        names = (*Said._fields[:-1], self.head.rate)
        places = [self.head.place(name) for name in names]
        # The last of a row's fields is an empty one, for what its header lacks.
        self._pick = itemgetter(*(-1 if place is None else place for place in places))

    def said(self, fields: Sequence[str]) -> Said:
        """Return what a row says."""
        return Said._make(self._pick((*fields, "")))

    def step(self, said: Said) -> Step:
        """Return what a step says; what it says wrongly matters to no figure."""
        states = (said.state.split(" ")[0], said.exitcode)
        return Step(
            name=said.ident.partition(".")[2],
            began=_or_none(lambda: instants(said.start, self.zone)) or (),
            out_of_memory=any(one in _OOM for one in states),
            memory=_or_none(lambda: memory(said.maxrss)) if said.maxrss else None,
        )

    def entry(self, said: Said) -> Entry:
        """Return a job's entry; raise FieldError or RowError where no figure can rest on it."""
        if self.notes:
            self.notes = []
        elapsed = duration(said.elapsedraw or said.elapsed)
        allocated = resources(said.alloctres)
        suspended = self._soft(said, "suspended", duration) if said.suspended else None
        times = self._plain(said) or self._settled(said, elapsed, suspended or 0.0)
        self.open = times.open
        began, ended = times.began, times.ended
        if elapsed is None and began and ended and ended < began:
            raise RowError("ends before it begins")
        if began is None and ended is not None and elapsed:
            # Where only the end and the duration are told, the begin is known from these.
            began = ended - elapsed
        return Entry(
            id=said.ident,
            raw=said.jobidraw,
            state=said.state,
            exit_code=said.exitcode,
            cluster=said.cluster,
            user=said.user,
            account=said.account,
            partition=said.partition,
            qos=said.qos,
            name=said.jobname,
            nodes=said.nodelist,
            submit_line=said.submitline,
            comment=said.admincomment,
            submitted=times.submitted,
            eligible=times.eligible,
            began=began,
            ended=ended,
            elapsed=elapsed,
            suspended=suspended or 0.0,
            limit=self._limit(said),
            allocated=allocated,
            memory_asked=self._soft(said, "reqmem", _memory_asked) if said.reqmem else None,
            rate=self._soft(said, "rate", percent) if said.rate else None,
        )

    def _plain(self, said: Said) -> Settled | None:
        """Return the times where each is empty or stands for one instant; nearly all do."""
        submitted, eligible = self._instant(said.submit), self._instant(said.eligible)
        began, ended = self._instant(said.start), self._instant(said.end)
        if -1.0 in (submitted, eligible, began, ended):
            return None
        return Settled(submitted, eligible, began, ended)

    def _instant(self, text: str) -> float | None:
        """Return an instant, None for no text, -1.0 where it must be looked at closely."""
        if not text:
            return None
        first, within = text[:_HOUR], WITHIN_HOUR.get(text[_HOUR:])
        begins = self._hours.get(first)
        if begins is None:
            if len(self._hours) >= KEPT:
                self._hours.clear()
            begins = self._hours[first] = hour(first, self.zone)
        return -1.0 if begins is None or within is None else begins + within

    def _settled(self, said: Said, elapsed: float | None, suspended: float) -> Settled:
        began, ended = instants(said.start, self.zone), instants(said.end, self.zone)
        submitted = self._soft_instants(said, "submit")
        eligible = self._soft_instants(said, "eligible")
        return settled(Written(submitted, eligible, began, ended, elapsed, suspended))

    def _soft_instants(self, said: Said, name: str) -> Readings:
        return self._soft(said, name, lambda text: instants(text, self.zone)) or ()

    def _limit(self, said: Said) -> float | None:
        minutes = self._soft(said, "timelimitraw", duration) if said.timelimitraw else None
        if minutes is not None:
            return minutes * 60
        return self._soft(said, "timelimit", duration) if said.timelimit else None

    def _soft(self, said: Said, name: str, reader: Callable[[str], T | None]) -> T | None:
        """Return a field's value; None, and a note, where it is wrong: the row still counts."""
        text = getattr(said, name)
        if not text:
            return None
        try:
            return reader(text)
        except FieldError as error:
            column = self.head.rate if name == "rate" else name
            self.notes.append(f"job {said.jobid}: {column}: {error}; counted without it")
            return None


def _memory_asked(text: str) -> float | None:
    return memory(text, bare="M")


def _or_none(reader: Callable[[], T]) -> T | None:
    try:
        return reader()
    except FieldError:
        return None
