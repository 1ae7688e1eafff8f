"""The books in memory, on one branch of the shelves."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from reaper.domain.brief import brief, named
from reaper.domain.escalation.case import Case, State
from reaper.domain.escalation.decision import Hold, Intent
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import UNSETTLED, Notice
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.share import Confirmation
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import CapacitySpan, DemandPoint, Event, Tenure, called
from reaper.domain.picture import Picture
from reaper.store.letters import DAY, fresh, lay, pieces
from reaper.store.memory.closings import Closings
from reaper.store.memory.inputs import Inputs
from reaper.store.memory.records import Records
from reaper.store.memory.shelves import Shelves

T = TypeVar("T")
Span = TypeVar("Span", Tenure, CapacitySpan)

RECENT: Final = 8 * 86400.0


class MemoryBooks(Closings, Inputs, Records):
    """The books on one branch of the shelves."""

    def __init__(self, shelves: Shelves, *, pace: Pace) -> None:
        super().__init__(shelves)
        self._pace = pace

    async def tracks(self, gpus: Sequence[str], first: int, end: int) -> Mapping[str, Track]:
        """Return the minutes ``[first, end)`` of these devices, clipped; ``?`` where unknown."""
        if end <= first:
            return {gpu: Track(start=first) for gpu in gpus}
        days = [
            self._shelves.days.get(day, {}) for day in range(first // DAY, (end - 1) // DAY + 1)
        ]
        return {gpu: lay([day[gpu] for day in days if gpu in day], first, end) for gpu in gpus}

    async def append_minutes(self, tracks: Mapping[str, Track]) -> None:
        """Append letters by device; recorded minutes are never rewritten, gaps become ``?``."""
        ends = self._shelves.frontiers
        new = fresh(tracks, ends)
        changed: dict[int, dict[str, tuple[int, str]]] = {}
        for piece in pieces(new, ends, size=DAY):
            day = changed.get(piece.span)
            if day is None:
                day = changed[piece.span] = dict(self._shelves.days.get(piece.span, {}))
            start, letters = day.get(piece.gpu, (piece.start, ""))
            day[piece.gpu] = (start, letters + piece.letters)
        self._shelves.days.put(changed)
        ends.put({gpu: track.end for gpu, track in new.items()})

    async def open_cases(self) -> Sequence[Case]:
        """Return the cases that are not closed."""
        return self._cases(lambda case: case.state is not State.CLOSED)

    async def cases_of(self, run_key: str) -> Sequence[Case]:
        """Return every case of a run, oldest first."""
        return self._cases(lambda case: case.run.key == run_key)

    async def cases_between(self, begin: float, end: float) -> Sequence[Case]:
        """Return the cases opened or closed in ``[begin, end)``."""
        return self._cases(
            lambda case: (
                begin <= case.opened < end
                or (case.closed is not None and begin <= case.closed < end)
            )
        )

    async def disputed_cases(self) -> Sequence[Case]:
        """Return the cases on whose dispute nobody has ruled, open or closed, oldest first."""
        return self._cases(lambda case: case.disputed)

    async def keep_case(self, *cases: Case) -> None:
        """Write a case, or several at once."""
        self._shelves.cases.put({case.id: case for case in cases})

    async def keeps(self, now: float) -> Sequence[Keep]:
        """Return the keeps of the last eight days and those that still stand."""
        recent = (
            keep
            for keep in self._shelves.keeps.values()
            if keep.begin >= now - RECENT or keep.until > now
        )
        return _ordered(recent, lambda keep: (keep.begin, keep.id))

    async def keep_keep(self, keep: Keep) -> None:
        """Write a keep."""
        self._shelves.keeps.put({keep.id: keep})

    async def notices(self, *case_ids: str) -> Sequence[Notice]:
        """Return the notices of a case, oldest first; of several, each case's by itself."""
        return self._notices(lambda notice: notice.case_id in case_ids) if case_ids else ()

    async def notices_since(self, at: float) -> Sequence[Notice]:
        """Return the notices created at `at` or later, oldest first."""
        return self._notices(lambda notice: notice.created >= at)

    async def outbox(self) -> Sequence[Notice]:
        """Return the notices that are queued or of unknown fate, oldest first."""
        return self._notices(lambda notice: notice.delivery in UNSETTLED)

    async def keep_notice(self, *notices: Notice) -> None:
        """Write a notice, or several at once; one `id` exists once."""
        self._shelves.notices.put({notice.id: notice for notice in notices})

    async def use_token(self, use: str, *, by: str, at: float) -> bool:
        """Note that a single-use token was used; False when it was before.  Kept as inputs are."""
        if use in self._shelves.tokens:
            return False
        self._shelves.tokens.put({use: (by, at)})
        return True

    async def token_used(self, use: str) -> bool:
        """Tell whether a single-use token was used."""
        return use in self._shelves.tokens

    async def open_intents(self) -> Sequence[Intent]:
        """Return the intents whose outcome is still awaited."""
        return self._intents(lambda intent: intent.open)

    async def intents_since(self, begin: float) -> Sequence[Intent]:
        """Return the intents created since `begin`, oldest first."""
        return self._intents(lambda intent: intent.created >= begin)

    async def keep_intent(self, intent: Intent) -> None:
        """Write an intent."""
        self._shelves.intents.put({intent.effect.id: intent})

    async def holds(self) -> Sequence[Hold]:
        """Return every hold that was not lifted."""
        return _ordered(self._shelves.holds.values(), lambda hold: (hold.begin, hold.id))

    async def keep_hold(self, hold: Hold) -> None:
        """Write a hold."""
        self._shelves.holds.put({hold.id: hold})

    async def lift_hold(self, hold_id: str) -> None:
        """Remove a hold."""
        self._shelves.holds.drop([hold_id])

    async def open_tenures(self) -> Sequence[Tenure]:
        """Return the tenures that have not ended."""
        return self._tenures(lambda tenure: tenure.end is None)

    async def tenures(self, begin: float, end: float) -> Sequence[Tenure]:
        """Return the tenures that overlap ``[begin, end)``."""
        return self._tenures(lambda tenure: _overlaps(tenure, begin, end))

    async def tenures_of(self, run_key: str) -> Sequence[Tenure]:
        """Return the tenures of a run."""
        return self._tenures(lambda tenure: tenure.run.key == run_key)

    async def keep_tenures(self, tenures: Sequence[Tenure]) -> None:
        """Write tenures; (run key, device, begin) is their key."""
        self._shelves.tenures.put({(item.run.key, item.gpu, item.begin): item for item in tenures})

    async def open_capacity(self) -> Sequence[CapacitySpan]:
        """Return the capacity spans that have not ended."""
        return self._capacity(lambda span: span.end is None)

    async def capacity(self, begin: float, end: float) -> Sequence[CapacitySpan]:
        """Return the capacity spans that overlap ``[begin, end)``."""
        return self._capacity(lambda span: _overlaps(span, begin, end))

    async def keep_capacity(self, spans: Sequence[CapacitySpan]) -> None:
        """Write capacity spans; (node, model, state, begin) is their key."""
        self._shelves.capacity.put(
            {(span.node, span.model, span.state, span.begin): span for span in spans}
        )

    async def demand(self, first: int, end: int) -> Sequence[DemandPoint]:
        """Return the demand of the minutes ``[first, end)``."""
        points = self._shelves.demand.values()
        within = (point for point in points if first <= point.minute < end)
        return _ordered(within, lambda point: point.minute)

    async def append_demand(self, point: DemandPoint) -> None:
        """Write a minute's demand."""
        self._shelves.demand.put({point.minute: point})

    async def events(
        self, *, run_key: str = "", begin: float = 0.0, end: float | None = None
    ) -> Sequence[Event]:
        """Return events in time order, of one run or of all."""
        found = (
            event
            for event in self._shelves.events.values()
            if begin <= event.at and (end is None or event.at < end)
            if run_key in ("", event.run_key)
        )
        return _ordered(found, lambda event: event.at)

    async def begins_named(self, name: str) -> Sequence[Event]:
        """Return the begins of runs that go by a name, in time order."""
        return called(await self.events(), name)

    async def append_events(self, events: Sequence[Event]) -> None:
        """Write events."""
        self._shelves.events.put(dict(enumerate(events, start=len(self._shelves.events))))

    async def confirmations(self) -> frozenset[Confirmation]:
        """Return the GRES indices that jobs have proven."""
        return frozenset(self._shelves.confirmations)

    async def keep_confirmations(self, proven: frozenset[Confirmation]) -> None:
        """Add proven GRES indices."""
        self._shelves.confirmations.put(dict.fromkeys(proven, True))

    async def forget_confirmations(self, node: str) -> None:
        """Forget a node's proven indices, after a contradiction."""
        proven = self._shelves.confirmations
        proven.drop([item for item in proven if item.node == node])

    async def heartbeat(self) -> float | None:
        """Return when the last cycle was written; None before the first."""
        return self._shelves.heartbeat.get("at")

    async def keep_heartbeat(self, now: float) -> None:
        """Note that a cycle was written."""
        self._shelves.heartbeat.put({"at": now})

    async def picture(self) -> Picture | None:
        """Return the picture of the last cycle."""
        return self._shelves.pictures.get("last")

    async def brief_picture(self) -> Picture | None:
        """Return what is read first of the picture."""
        picture = await self.picture()
        return None if picture is None else brief(picture)

    async def picture_of(self, name: str) -> Picture | None:
        """Return the picture with no rows but those that go by a name."""
        picture = await self.picture()
        return None if picture is None else replace(picture, rows=named(picture.rows, name))

    async def keep_picture(self, picture: Picture) -> None:
        """Write the picture of this cycle over the last one."""
        self._shelves.pictures.put({"last": picture})

    async def policy_since(self, version: str, now: float) -> float:
        """Return since when a policy version is in force, noting `now` the first time."""
        since = self._shelves.policies.get(version, now)
        if self._shelves.writable:
            self._shelves.policies.put({version: since})
        return since

    async def prune(self, *, inputs_before: float, tracks_before: float) -> None:
        """Forget inputs and letters that are old enough, to the day of the grid; run daily."""
        shelves = self._shelves
        inputs = self._pace.minute(inputs_before) // DAY * DAY
        day = self._pace.minute(tracks_before) // DAY
        shelves.tokens.drop([use for use, (_, at) in shelves.tokens.items() if at < inputs_before])
        self._prune_inputs(inputs)
        shelves.demand.drop([minute for minute in shelves.demand if minute < inputs])
        shelves.records.drop([gpu for gpu, end in shelves.frontiers.items() if end <= inputs])
        shelves.days.drop([kept for kept in shelves.days if kept < day])
        shelves.frontiers.drop([gpu for gpu, end in shelves.frontiers.items() if end <= day * DAY])

    def _cases(self, fits: Callable[[Case], bool]) -> list[Case]:
        found = filter(fits, self._shelves.cases.values())
        return _ordered(found, lambda case: (case.opened, case.id))

    def _notices(self, fits: Callable[[Notice], bool]) -> list[Notice]:
        found = filter(fits, self._shelves.notices.values())
        return _ordered(found, lambda notice: (notice.created, notice.id))

    def _intents(self, fits: Callable[[Intent], bool]) -> list[Intent]:
        found = filter(fits, self._shelves.intents.values())
        return _ordered(found, lambda intent: (intent.created, intent.effect.id))

    def _tenures(self, fits: Callable[[Tenure], bool]) -> list[Tenure]:
        found = filter(fits, self._shelves.tenures.values())
        return _ordered(found, lambda item: (item.begin, item.run.key, item.gpu))

    def _capacity(self, fits: Callable[[CapacitySpan], bool]) -> list[CapacitySpan]:
        found = filter(fits, self._shelves.capacity.values())
        return _ordered(found, lambda span: (span.begin, span.node, span.model, span.state))


def _ordered(values: Iterable[T], by: Callable[[T], Any]) -> list[T]:
    return sorted(values, key=by)


def _overlaps(span: Tenure | CapacitySpan, begin: float, end: float) -> bool:
    return span.begin < end and (span.end is None or span.end > begin)
