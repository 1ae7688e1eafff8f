"""What operators ask: pause, resume, rule, approve."""

from collections.abc import Collection
from dataclasses import replace

from reaper.domain.escalation.approval import APPROVED, APPROVERS, approvers
from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Hold
from reaper.domain.escalation.ladder import UPHELD
from reaper.ports import Books
from reaper.requests.asking import PAUSED, Asking, event, for_operators
from reaper.requests.finding import live, named, needed_case
from reaper.requests.identity import Granted, Identity, RefusedError


class Operators(Asking):
    """The requests of operators, each in one transaction."""

    async def pause(
        self, *, reason: str, by: Identity, until: float | None = None, policy: str = ""
    ) -> Granted:
        """Stop every act, or those of one policy, until it is lifted; observation goes on."""
        for_operators(by, "pause")
        if policy and policy not in self._policies:
            names = ", ".join(self._policies) or "none"
            raise RefusedError("no-policy", policy=repr(policy), known=names)
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
        async with self._asked(by) as books:
            await books.keep_hold(hold)
            await books.append_events([event(now, PAUSED, by, f"{what}: {reason}")])
        return Granted(text=f"{what} by {by.user}: {reason}", until=until)

    async def resume(self, *, reason: str, by: Identity, hold: str = "") -> Granted:
        """Lift a hold by its id; without one the pause, or the only one that stands."""
        for_operators(by, "resume")
        now = self._clock.now()
        async with self._asked(by) as books:
            known = {item.id for item in await books.holds()}
            hold = hold or _meant(known)
            if hold not in known:
                names = ", ".join(sorted(known)) or "none"
                raise RefusedError("no-hold", hold=repr(hold), known=names)
            await books.lift_hold(hold)
            text = f"lifted {hold}: {reason}"
            await books.append_events([event(now, "resumed", by, text)])
        return Granted(text=text)

    async def rule(self, *, name: str, upheld: bool, reason: str, by: Identity) -> Granted:
        """
        Rule on a dispute: upheld, the run is left alone; else it returns to its final notice.

        On a release that is over it only says whether it was a false alarm.
        """
        for_operators(by, "rule")
        now = self._clock.now()
        async with self._asked(by, name) as books:
            case = await _disputed(books, name)
            over = case.closed is not None and not await _lives(books, case)
            kept = case.kept if case.closed is not None else not upheld
            ruled = replace(case, disputed=False, kept=kept)
            await books.keep_case(ruled)
            if upheld and not over:
                hold = Hold(
                    id=f"{UPHELD}:{case.run.key}",
                    kind=UPHELD,
                    reason=reason,
                    by=by.user,
                    begin=now,
                    scope=case.run.key,
                )
                await books.keep_hold(hold)
            kind = "dispute upheld" if upheld else "dispute rejected"
            left = event(now, kind, by, reason, run_key=case.run.key, case_id=case.id)
            await books.append_events([left])
        return Granted(text=f"{kind}: {case.run}")

    async def approve(self, *, name: str, reason: str, by: Identity) -> Granted:
        """Approve an act on a large allocation; two operators must, each once."""
        for_operators(by, "approve")
        now = self._clock.now()
        async with self._asked(by, name) as books:
            row = await live(books, name)
            case = await needed_case(books, row)
            events = await books.events(run_key=row.run_key, begin=case.opened)
            before = approvers(events, case)
            if by.user in before:
                allocation = f"{row.platform}/{row.id}"
                raise RefusedError("approved-already", user=by.user, allocation=allocation)
            left = event(now, APPROVED, by, reason, run_key=row.run_key, case_id=case.id)
            await books.append_events([left])
        missing = max(0, APPROVERS - len(before) - 1)
        more = f"; {missing} more must approve" if missing else "; it may be released"
        return Granted(text=f"{row.platform}/{row.id} approved by {by.user}{more}")


async def _lives(books: Books, case: Case) -> bool:
    picture = await books.picture()
    return any(row.run_key == case.run.key for row in (picture.rows if picture else ()))


async def _disputed(books: Books, name: str) -> Case:
    found = [case for case in await books.disputed_cases() if named(name, case.run)]
    if found:
        return found[-1]
    row = await live(books, name)
    await needed_case(books, row)
    raise RefusedError("not-disputed", allocation=f"{row.platform}/{row.id}")


def _meant(known: Collection[str]) -> str:
    """Return the hold that is meant where none is named; raise RefusedError where none is clear."""
    if PAUSED in known or len(known) == 1:
        return PAUSED if PAUSED in known else next(iter(known))
    if not known:
        raise RefusedError("no-hold-stands")
    raise RefusedError("many-holds", count=len(known), known=", ".join(sorted(known)))
