"""What all requests share: one transaction, the right to ask, and the event that is left."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from reaper.domain.judgement.policy import KeepRule, Policy
from reaper.domain.money.entries import Event
from reaper.domain.picture import Row
from reaper.ports import Books, Clock, People, Store
from reaper.requests.finding import absence
from reaper.requests.identity import AbsentError, Identity, RefusedError, UsedTokenError

#: Kind of the hold that stops every act until it is lifted.
PAUSED: Final = "paused"


class Asking:
    """A room of requests over one store, under one leader's epoch."""

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        policies: Sequence[Policy],
        epoch: int,
        people: Sequence[People] = (),
        zone: Callable[[str], tzinfo] = ZoneInfo,
        commands: Mapping[str, str] | None = None,
    ) -> None:
        """
        Open the room.

        `commands` are how users of a platform end a run themselves, with ``{id}`` for its id.
        """
        self._store = store
        self._clock = clock
        self._policies = {policy.name: policy for policy in policies}
        self._epoch = epoch
        self._people = people
        self._zone = zone
        self._commands = commands or {}

    @asynccontextmanager
    async def _asked(self, by: Identity, name: str = "") -> AsyncIterator[Books]:
        """Open the transaction of a request, with the right to ask spent in it."""
        now = self._clock.now()
        try:
            async with self._store.transaction(self._epoch) as books:
                if by.token and not await books.use_token(by.token, by=by.user, at=now):
                    raise UsedTokenError("answered-already")
                yield books
        except AbsentError as error:
            async with self._store.reading() as books:
                raise await absence(books, name, now) from error

    def _rule(self, row: Row) -> KeepRule:
        policy = self._policies.get(row.policy)
        return policy.keep if policy else KeepRule()

    def _command(self, row: Row) -> str:
        """Return how its owner ends an allocation without us; "none" where that is not known."""
        command = self._commands.get(row.platform, "")
        return command.format(id=row.id) if command else "none"


def owned(row: Row, by: Identity) -> None:
    """Refuse who is neither the owner of an allocation nor an operator."""
    if not by.operator and (not row.owner or by.user != row.owner):
        allocation = f"{row.platform}/{row.id}"
        raise RefusedError("not-yours", allocation=allocation, user=by.user, **belongs(row.owner))


def belongs(owner: str) -> dict[str, str]:
    """Return whose something is, as refusals say it: nobody known where there is no name."""
    return {"owned": "yes" if owner else "no", "owner": owner}


def for_operators(by: Identity, what: str) -> None:
    """Refuse who is no operator."""
    if not by.operator:
        raise RefusedError("operators-alone", user=by.user, what=what)


def event(
    now: float, kind: str, by: Identity, text: str, *, run_key: str = "", case_id: str = ""
) -> Event:
    """Return the event that a request leaves."""
    return Event(
        at=now,
        kind=kind,
        run_key=run_key,
        case_id=case_id,
        by=by.user,
        channel=by.channel,
        text=text,
    )


def row_event(now: float, kind: str, row: Row, by: Identity, text: str) -> Event:
    """Return the event that a request about a live allocation leaves."""
    case_id = row.case.id if row.case else ""
    return event(now, kind, by, text, run_key=row.run_key, case_id=case_id)
