"""
Everything that a person asks to change: keep, release now, dispute, pause, resume, clear.

One place for every channel.  Each request needs an identity, and leaves an event behind.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

from reaper.domain.escalation.approval import APPROVED, APPROVERS, approvers
from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Hold
from reaper.domain.escalation.keep import Keep, refusal
from reaper.domain.escalation.ladder import UPHELD
from reaper.domain.judgement.policy import KeepRule, Policy
from reaper.domain.money.entries import Event
from reaper.domain.picture import Row
from reaper.ports import Books, Clock, ReaperError, Store

#: Kind of the hold that stops every act until it is lifted.
PAUSED = "paused"


class RefusedError(ReaperError):
    """A request that may not be done; the message says why and who may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who asks: a user as authenticated by the channel, and whether that is an operator."""

    user: str
    operator: bool = False
    channel: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """What was done, in one sentence; `until` where it ends by itself."""

    text: str
    until: float | None = None


class Requests:
    """The requests of people, each in one transaction."""

    def __init__(
        self, *, store: Store, clock: Clock, policies: Sequence[Policy], epoch: int
    ) -> None:
        self._store = store
        self._clock = clock
        self._policies = {policy.name: policy for policy in policies}
        self._epoch = epoch

    async def keep(self, *, name: str, seconds: float, reason: str, by: Identity) -> Granted:
        """Keep an allocation of one's own (or anyone's, for an operator) for a while."""
        now = self._clock.now()
        async with self._store.transaction(self._epoch) as books:
            row = await _row(books, name)
            _owned(row, by)
            wanted = Keep(
                id=uuid4().hex,
                run_key=row.run_key,
                by=by.user,
                reason=reason,
                begin=now,
                until=now + seconds,
            )
            no = refusal(await books.keeps(now), self._rule(row), wanted=wanted)
            if no and not by.operator:
                message = f"not kept: {no}; ask an operator for an exemption"
                raise RefusedError(message)
            await books.keep_keep(wanted)
            text = f"kept {row.platform}/{row.id} for {seconds / 3600:g} h: {reason}"
            await books.append_events([_event(now, "keep", row, by, text)])
        return Granted(text=text, until=wanted.until)

    async def pause(
        self, *, reason: str, by: Identity, until: float | None = None, policy: str = ""
    ) -> Granted:
        """Stop every act, or those of one policy, until it is lifted; observation goes on."""
        _operator(by, "pause")
        if policy and policy not in self._policies:
            names = ", ".join(self._policies) or "there is none"
            message = f"no policy {policy!r}: {names}"
            raise RefusedError(message)
        now = self._clock.now()
        hold = Hold(
            id=f"{PAUSED}:{policy}" if policy else PAUSED,
            kind=PAUSED,
            reason=reason,
            by=by.user,
            begin=now,
            until=until,
            scope=f"policy:{policy}" if policy else "",
        )
        what = f"policy {policy} paused" if policy else "paused"
        async with self._store.transaction(self._epoch) as books:
            await books.keep_hold(hold)
            text = f"{what}: {reason}"
            await books.append_events([Event(at=now, kind=PAUSED, by=by.user, text=text)])
        return Granted(text=f"{what} by {by.user}: {reason}", until=until)

    async def resume(self, *, reason: str, by: Identity, hold: str = PAUSED) -> Granted:
        """Lift a hold: the pause, or an interlock by its id."""
        _operator(by, "resume")
        now = self._clock.now()
        async with self._store.transaction(self._epoch) as books:
            known = {item.id for item in await books.holds()}
            if hold not in known:
                names = ", ".join(sorted(known)) or "none stands"
                message = f"no hold {hold!r}: {names}"
                raise RefusedError(message)
            await books.lift_hold(hold)
            text = f"lifted {hold}: {reason}"
            await books.append_events([Event(at=now, kind="resumed", by=by.user, text=text)])
        return Granted(text=text)

    async def dispute(self, *, name: str, reason: str, by: Identity) -> Granted:
        """Say "this is wrong": the case stops until an operator rules."""
        now = self._clock.now()
        async with self._store.transaction(self._epoch) as books:
            row = await _row(books, name)
            _owned(row, by)
            case = await _open_case(books, row)
            await books.keep_case(replace(case, disputed=True))
            await books.append_events([_event(now, "dispute", row, by, reason)])
        return Granted(text=f"{row.platform}/{row.id} is disputed; an operator will look at it")

    async def rule(self, *, name: str, upheld: bool, reason: str, by: Identity) -> Granted:
        """Rule on a dispute: upheld, the run is left alone; else it returns to its final notice."""
        _operator(by, "rule on disputes")
        now = self._clock.now()
        async with self._store.transaction(self._epoch) as books:
            row = await _row(books, name)
            case = await _open_case(books, row)
            if not case.disputed:
                message = f"{row.platform}/{row.id} is not disputed"
                raise RefusedError(message)
            await books.keep_case(replace(case, disputed=False, kept=not upheld))
            if upheld:
                hold = Hold(
                    id=f"{UPHELD}:{row.run_key}",
                    kind=UPHELD,
                    reason=reason,
                    by=by.user,
                    begin=now,
                    scope=row.run_key,
                )
                await books.keep_hold(hold)
            kind = "dispute upheld" if upheld else "dispute rejected"
            await books.append_events([_event(now, kind, row, by, reason)])
        return Granted(text=f"{kind}: {row.platform}/{row.id}")

    async def approve(self, *, name: str, reason: str, by: Identity) -> Granted:
        """Approve an act on a large allocation; two operators must, each once."""
        _operator(by, "approve")
        now = self._clock.now()
        async with self._store.transaction(self._epoch) as books:
            row = await _row(books, name)
            case = await _open_case(books, row)
            events = await books.events(run_key=row.run_key, begin=case.opened)
            before = approvers(events, case)
            if by.user in before:
                message = f"{by.user} has approved {row.platform}/{row.id} already; another must"
                raise RefusedError(message)
            await books.append_events([_event(now, APPROVED, row, by, reason)])
        missing = max(0, APPROVERS - len(before) - 1)
        more = f"; {missing} more must approve" if missing else "; it may be released"
        return Granted(text=f"{row.platform}/{row.id} approved by {by.user}{more}")

    def _rule(self, row: Row) -> KeepRule:
        policy = self._policies.get(row.policy)
        return policy.keep if policy else KeepRule()


async def _row(books: Books, name: str) -> Row:
    picture = await books.picture()
    rows = picture.rows if picture else ()
    found = [row for row in rows if name in (row.id, f"{row.platform}/{row.id}", row.run_key)]
    if len(found) != 1:
        what = "names no live allocation" if not found else "names more than one allocation"
        message = f"{name!r} {what}: `gpu-reaper status` lists them as platform/id"
        raise RefusedError(message)
    return found[0]


async def _open_case(books: Books, row: Row) -> Case:
    open_cases = [case for case in await books.open_cases() if case.run.key == row.run_key]
    if not open_cases:
        message = f"{row.platform}/{row.id} has no open case: nothing is going to happen to it"
        raise RefusedError(message)
    return open_cases[0]


def _owned(row: Row, by: Identity) -> None:
    if not by.operator and by.user != row.owner:
        message = f"{row.platform}/{row.id} belongs to {row.owner or 'nobody known'}, not {by.user}"
        raise RefusedError(message)


def _operator(by: Identity, what: str) -> None:
    if not by.operator:
        message = f"{by.user} may not {what}: only operators may (see `operators:`)"
        raise RefusedError(message)


def _event(now: float, kind: str, row: Row, by: Identity, text: str) -> Event:
    case_id = row.case.id if row.case else ""
    return Event(at=now, kind=kind, run_key=row.run_key, case_id=case_id, by=by.user, text=text)
