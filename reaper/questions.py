"""
Everything that is asked and changes nothing: status, explain, history, mine, queue, audit.

Page, API and CLI ask here; it reads the store alone, so it answers when the reaper is down.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from reaper.domain.escalation.budget import APPROVAL
from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Notice, advice_on
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.inputs import Inputs
from reaper.domain.judgement.verdict import Kind
from reaper.domain.money.entries import Event, Tenure, let_go
from reaper.domain.money.tracked import track_of
from reaper.domain.picture import DeviceLine, Picture, Row, SignLine
from reaper.domain.reason import Words, codes
from reaper.habits import Habits
from reaper.ports import Books, ReaperError, Store

#: Minutes before its end of which an ended allocation's letters are drawn.
DRAWN: Final = 360
#: Who leaves the events that are nobody's request.
OURSELVES: Final = "gpu-reaper"
#: Verdicts on which nothing is ever done, and at which a person should look.
FINDINGS: Final = frozenset((Kind.SUSPECT, Kind.STALLED))

#: Rules that hold a case until its owner, its team or the facts move on: no operator is needed.
_PASSING: Final = frozenset(
    ("keep", "dispute", "quota", "evidence", "window", "presence", "hours", "demand", "verdict")
)


class UnknownAllocationError(ReaperError):
    """No allocation goes by that name; the message says what to write instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stuck:
    """A notice that has not arrived, after how many attempts and why."""

    allocation: str
    run_key: str
    to: str
    kind: str
    created: float
    attempts: int
    error: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputed:
    """A case on whose dispute nobody has ruled; `over` tells whether its run is gone."""

    case: Case
    reason: Words
    over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """What waits for an operator; each part the longest waiting first."""

    at: float
    approvals: tuple[Row, ...] = ()
    """Allocations whose release two operators must approve."""
    disputes: tuple[Disputed, ...] = ()
    refusals: tuple[Row, ...] = ()
    """Allocations whose next step is due and held by a rule or a budget."""
    undelivered: tuple[Stuck, ...] = ()
    unknown_owners: tuple[Row, ...] = ()
    findings: tuple[Row, ...] = ()
    """What looks as if it only kept its GPUs, and what hangs: a person looks."""
    pieces: tuple[str, ...] = ()
    """Whose many short runs of the last week hardly worked, each with its arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """All that is known of one allocation, live or ended; `row` is None once it ended."""

    at: float
    run_key: str
    row: Row | None
    tenures: tuple[Tenure, ...]
    cases: tuple[Case, ...]
    notices: tuple[Notice, ...]
    keeps: tuple[Keep, ...]
    events: tuple[Event, ...]
    drawn: tuple[DeviceLine, ...] = ()
    """The last letters of an ended allocation's devices, with what was kept of their signals."""
    signs: tuple[SignLine, ...] = ()
    """The people of an ended allocation, as they were seen last; empty where that is not kept."""


@dataclass(slots=True, kw_only=True)
class Questions:
    """Answers from the store; a large cluster's picture is read once a cycle, however many ask."""

    store: Store
    _habits: Habits = field(default_factory=Habits)
    _read: tuple[float, Picture] | None = None
    """The picture that was read last, and the heartbeat it was written with."""

    async def status(self) -> Picture | None:
        """Return the picture of the last cycle; None before the first."""
        async with self.store.reading() as books:
            return await self._picture(books)

    async def brief(self) -> Picture | None:
        """Return what is read first of the picture; None before the first cycle."""
        async with self.store.reading() as books:
            return await books.brief_picture()

    async def explain(self, name: str) -> Explanation:
        """Explain an allocation by its id, ``platform/id`` or run key, live or ended."""
        async with self.store.reading() as books:
            picture = await books.picture_of(name)
            row = _find(picture.rows if picture else (), name)
            key = row.run_key if row else await _ended(books, name)
            return await _explanation(books, key, row, picture)

    async def history(self, *, begin: float, end: float) -> Sequence[Event]:
        """Return what happened in ``[begin, end)``, oldest first."""
        async with self.store.reading() as books:
            return await books.events(begin=begin, end=end)

    async def mine(self, user: str) -> tuple[Row, ...]:
        """Return the live allocations of a person, the longest idle first."""
        picture = await self.status()
        rows = [row for row in (picture.rows if picture else ()) if user and row.owner == user]
        return tuple(sorted(rows, key=lambda row: (-row.idle_seconds, row.started)))

    async def past(self, user: str, *, begin: float, end: float) -> tuple[tuple[Case, float], ...]:
        """Return a person's cases closed in ``[begin, end)``, newest first, each run's end."""
        async with self.store.reading() as books:
            own = [
                case
                for case in await books.cases_between(begin, end)
                if user and case.owner == user and case.closed is not None and case.closed >= begin
            ]
            own.sort(key=lambda case: -(case.closed or 0.0))
            return tuple([(case, await _over(books, case)) for case in own[:50]])

    async def queue(self) -> Queue:
        """Return what waits for an operator."""
        async with self.store.reading() as books:
            picture = await self._picture(books)
            disputes = [await _disputed(books, case) for case in await books.disputed_cases()]
            stuck = [item for item in await books.outbox() if item.attempts and item.error]
        rows = picture.rows if picture else ()
        return Queue(
            at=picture.at if picture else 0.0,
            approvals=tuple(row for row in rows if _unapproved(row)),
            disputes=tuple(disputes),
            refusals=tuple(row for row in rows if _refused(row)),
            undelivered=tuple(map(_stuck, stuck)),
            unknown_owners=tuple(row for row in rows if row.case and not row.owner),
            findings=tuple(row for row in rows if row.verdict in FINDINGS),
            pieces=await self._habits.of(self.store, picture),
        )

    async def audit(self, *, begin: float, end: float) -> Sequence[Event]:
        """Return what people changed in ``[begin, end)``, oldest first: who, how, what and why."""
        events = await self.history(begin=begin, end=end)
        return tuple(event for event in events if event.by not in ("", OURSELVES))

    async def called(self, run_keys: Iterable[str]) -> Mapping[str, str]:
        """Return what people call these runs, live or ended; without those never seen to hold."""
        async with self.store.reading() as books:
            held = [await books.tenures_of(key) for key in dict.fromkeys(run_keys)]
        return {one[-1].run.key: str(one[-1].run) for one in held if one}

    async def used(self, token: str) -> bool:
        """Tell whether an answer was given by a single-use token, by its `use_id`."""
        async with self.store.reading() as books:
            return await books.token_used(token)

    async def _picture(self, books: Books) -> Picture | None:
        beat = await books.heartbeat()
        if beat is not None and self._read and self._read[0] == beat:
            return self._read[1]
        picture = await books.picture()
        if beat is not None and picture is not None:
            self._read = (beat, picture)
        return picture


async def _over(books: Books, case: Case) -> float:
    ended = let_go(await books.tenures_of(case.run.key))
    return min(filter(None, (ended, case.closed)), default=0.0)


def _unapproved(row: Row) -> bool:
    return row.case is not None and any(APPROVAL in codes(one.reason) for one in row.case.held_by)


def _refused(row: Row) -> bool:
    held = row.case.held_by if row.case and not _unapproved(row) else ()
    return any(one.rule not in _PASSING for one in held)


async def _disputed(books: Books, case: Case) -> Disputed:
    said = [
        event
        for event in await books.events(run_key=case.run.key, begin=case.opened)
        if event.kind == "dispute" and event.case_id == case.id
    ]
    reason = said[-1].text if said else ""
    return Disputed(case=case, reason=reason, over=case.state is State.CLOSED)


def _stuck(notice: Notice) -> Stuck:
    return Stuck(
        allocation=notice.story.allocation,
        run_key=notice.run_key,
        to=notice.to,
        kind=notice.kind,
        created=notice.created,
        attempts=notice.attempts,
        error=notice.error,
    )


def _find(found: Sequence[Row], name: str) -> Row | None:
    if len(found) > 1:
        names = ", ".join(f"{row.platform}/{row.id}" for row in found)
        text = f"{name!r} names {len(found)} allocations: write one of {names}"
        raise UnknownAllocationError(text)
    return next(iter(found), None)


async def _ended(books: Books, name: str) -> str:
    if begins := await books.begins_named(name):
        return begins[-1].run_key
    message = f"no allocation {name!r}: `gpu-reaper status` lists the live ones by id"
    raise UnknownAllocationError(message)


async def _explanation(
    books: Books, key: str, row: Row | None, picture: Picture | None
) -> Explanation:
    cases = await books.cases_of(key)
    files = (*(case.id for case in cases), advice_on(key))
    notices = [notice for file in files for notice in await books.notices(file)]
    at = picture.at if picture else 0.0
    # What an index was taken for until it was proven ended as it began.
    told = await books.tenures_of(key)
    tenures = tuple(tenure for tenure in told if tenure.end != tenure.begin)
    pace = Pace(step=picture.step) if picture and row is None else None
    drawn, signs = await _drawn(books, tenures, at, pace) if pace else ((), ())
    return Explanation(
        at=at,
        run_key=key,
        row=row,
        tenures=tenures,
        cases=tuple(cases),
        notices=tuple(sorted(notices, key=lambda notice: notice.created)),
        keeps=tuple(keep for keep in await books.keeps(at) if keep.run_key == key),
        events=tuple(await books.events(run_key=key)),
        drawn=drawn,
        signs=signs,
    )


async def _drawn(
    books: Books, tenures: Sequence[Tenure], at: float, pace: Pace
) -> tuple[tuple[DeviceLine, ...], tuple[SignLine, ...]]:
    held = [tenure for tenure in tenures if not tenure.doubt]
    if not held:
        return (), ()
    end = pace.closed(max(tenure.end or at for tenure in held)) + 1
    first = max(pace.minute(min(tenure.begin for tenure in held)) + 1, end - DRAWN)
    tracks = await books.tracks([track_of(tenure) for tenure in held], first, end)
    kept = [
        entry.inputs
        for entry in await books.inputs(first, end, run_key=held[0].run.key)
        if entry.inputs is not None
    ]
    last = kept[-1] if kept else Inputs()
    names = sorted({tenure.gpu for tenure in held})
    return tuple(
        DeviceLine(
            gpu=tenure.gpu,
            node=tenure.node,
            index=None,
            model=tenure.model,
            letters=tracks[track_of(tenure)].letters,
            letters_begin=pace.begins(first),
            witnesses=last.of_device(names.index(tenure.gpu)).witnesses,
            signals=last.of_device(names.index(tenure.gpu)).signals,
        )
        for tenure in held
    ), tuple(
        SignLine(kind=sign.kind, last_seen=sign.last_seen, state=sign.state) for sign in last.signs
    )
