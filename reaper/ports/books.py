"""The store inside one transaction."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Hold, Intent
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.inputs import Entry
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.share import Confirmation
from reaper.domain.facts.track import Track
from reaper.domain.money.closing import Closed, Closing, Handover
from reaper.domain.money.entries import CapacitySpan, DemandPoint, Event, Tenure
from reaper.domain.picture import Picture


class Books(Protocol):
    """The store inside one transaction: all of it is written, or nothing."""

    async def records(self) -> Sequence[DeviceRecord]:
        """Return what is kept of every device."""

    async def records_of(self, gpus: Collection[str]) -> Sequence[DeviceRecord]:
        """Return what is kept of these devices; nothing for one of which nothing is."""

    async def keep_records(self, records: Sequence[DeviceRecord]) -> None:
        """Replace the records of these devices."""

    async def tracks(self, gpus: Sequence[str], first: int, end: int) -> Mapping[str, Track]:
        """Return the minutes ``[first, end)`` of these devices, clipped; ``?`` where unknown."""

    async def append_minutes(self, tracks: Mapping[str, Track]) -> None:
        """Append letters by device; recorded minutes are never rewritten, gaps become ``?``."""

    async def inputs(self, first: int, end: int, *, run_key: str | None = None) -> Sequence[Entry]:
        """
        Return what was known of runs in the minutes ``[first, end)``, of one or of all.

        In order of minute and run; those that may still hold at `first` are among them.
        """

    async def append_inputs(self, entries: Sequence[Entry]) -> None:
        """Write what was known; (run key, minute) is their key."""

    async def open_cases(self) -> Sequence[Case]:
        """Return the cases that are not closed."""

    async def cases_of(self, run_key: str) -> Sequence[Case]:
        """Return every case of a run, oldest first."""

    async def cases_between(self, begin: float, end: float) -> Sequence[Case]:
        """Return the cases opened or closed in ``[begin, end)``."""

    async def disputed_cases(self) -> Sequence[Case]:
        """Return the cases on whose dispute nobody has ruled, open or closed, oldest first."""

    async def keep_case(self, *cases: Case) -> None:
        """Write a case, or several at once."""

    async def keeps(self, now: float) -> Sequence[Keep]:
        """Return the keeps of the last eight days and those that still stand."""

    async def keep_keep(self, keep: Keep) -> None:
        """Write a keep."""

    async def notices(self, *case_ids: str) -> Sequence[Notice]:
        """Return the notices of a case, oldest first; of several, each case's by itself."""

    async def notices_since(self, at: float) -> Sequence[Notice]:
        """Return the notices created at `at` or later, oldest first."""

    async def outbox(self) -> Sequence[Notice]:
        """Return the notices that are queued or of unknown fate, oldest first."""

    async def keep_notice(self, *notices: Notice) -> None:
        """Write a notice, or several at once; one `id` exists once."""

    async def use_token(self, use: str, *, by: str, at: float) -> bool:
        """Note that a single-use token was used; False when it was before.  Kept as inputs are."""

    async def token_used(self, use: str) -> bool:
        """Tell whether a single-use token was used."""

    async def open_intents(self) -> Sequence[Intent]:
        """Return the intents whose outcome is still awaited."""

    async def intents_since(self, begin: float) -> Sequence[Intent]:
        """Return the intents created since `begin`, oldest first."""

    async def keep_intent(self, intent: Intent) -> None:
        """Write an intent."""

    async def holds(self) -> Sequence[Hold]:
        """Return every hold that was not lifted."""

    async def keep_hold(self, hold: Hold) -> None:
        """Write a hold."""

    async def lift_hold(self, hold_id: str) -> None:
        """Remove a hold."""

    async def open_tenures(self) -> Sequence[Tenure]:
        """Return the tenures that have not ended."""

    async def tenures(self, begin: float, end: float) -> Sequence[Tenure]:
        """Return the tenures that overlap ``[begin, end)``."""

    async def tenures_of(self, run_key: str) -> Sequence[Tenure]:
        """Return the tenures of a run."""

    async def keep_tenures(self, tenures: Sequence[Tenure]) -> None:
        """Write tenures; (run key, device, begin) is their key."""

    async def open_capacity(self) -> Sequence[CapacitySpan]:
        """Return the capacity spans that have not ended."""

    async def capacity(self, begin: float, end: float) -> Sequence[CapacitySpan]:
        """Return the capacity spans that overlap ``[begin, end)``."""

    async def keep_capacity(self, spans: Sequence[CapacitySpan]) -> None:
        """Write capacity spans; (node, model, state, begin) is their key."""

    async def demand(self, first: int, end: int) -> Sequence[DemandPoint]:
        """Return the demand of the minutes ``[first, end)``."""

    async def append_demand(self, point: DemandPoint) -> None:
        """Write a minute's demand."""

    async def events(
        self, *, run_key: str = "", begin: float = 0.0, end: float | None = None
    ) -> Sequence[Event]:
        """Return events in time order, of one run or of all."""

    async def begins_named(self, name: str) -> Sequence[Event]:
        """Return the begins of runs that go by an id, ``platform/id`` or a key, oldest first."""

    async def append_events(self, events: Sequence[Event]) -> None:
        """Write events."""

    async def confirmations(self) -> frozenset[Confirmation]:
        """Return the GRES indices that jobs have proven."""

    async def keep_confirmations(self, proven: frozenset[Confirmation]) -> None:
        """Add proven GRES indices."""

    async def forget_confirmations(self, node: str) -> None:
        """Forget a node's proven indices, after a contradiction."""

    async def heartbeat(self) -> float | None:
        """Return when the last cycle was written; None before the first."""

    async def keep_heartbeat(self, now: float) -> None:
        """Note that a cycle was written."""

    async def picture(self) -> Picture | None:
        """Return the picture of the last cycle."""

    async def brief_picture(self) -> Picture | None:
        """Return what is read first of it: see :func:`reaper.domain.brief.brief`."""

    async def picture_of(self, name: str) -> Picture | None:
        """Return it with no rows but those that go by an id, ``platform/id`` or a run key."""

    async def keep_picture(self, picture: Picture) -> None:
        """Write the picture of this cycle over the last one."""

    async def policy_since(self, version: str, now: float) -> float:
        """
        Return since when a policy version is in force, noting `now` the first time.

        A read-only view notes nothing.
        """

    async def closings(self, zone: str, begin: float, end: float) -> Sequence[Closing]:
        """Return every closing of the weeks that begin in ``[begin, end)``, oldest first."""

    async def closed_week(self, zone: str, week: str) -> Closed | None:
        """Return the newest closing of a week with its figures; None before it was closed."""

    async def keep_closed(self, closed: Closed) -> None:
        """Write a closing; its figures replace the week's earlier ones, whose totals stay."""

    async def handed_over(self, zone: str, week: str) -> frozenset[Handover]:
        """Return to whom which version of a week's report went."""

    async def keep_handover(self, handover: Handover) -> None:
        """Note that a version of a week's report went to a recipient."""

    async def prune(self, *, inputs_before: float, tracks_before: float) -> None:
        """
        Forget inputs and letters that are old enough, to the day of the grid; run daily.

        Inputs are what was known of runs, the letters of their hosts and requests, demand, and
        the records of devices that were last seen before then.
        """
