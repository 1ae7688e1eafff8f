"""What owners ask: keep, keep until the next morning, release, dispute."""

from dataclasses import replace
from math import isfinite
from typing import Final
from uuid import uuid4

from reaper.domain.escalation.case import Case, OwnRelease, State
from reaper.domain.escalation.keep import LONGEST_BY_OPERATOR, Keep, refusal, same
from reaper.domain.facts.grid import NORMAL, Pace
from reaper.domain.judgement.hours import next_morning
from reaper.domain.judgement.policy import Hours
from reaper.domain.picture import Row
from reaper.ports import Books, ReaperError
from reaper.requests import releasing
from reaper.requests.asking import Asking, belongs, event, owned, row_event
from reaper.requests.finding import acted_case, live, moment, open_case
from reaper.requests.identity import AbsentError, Granted, Identity, RefusedError

#: Kinds of the events that owners leave.
KEPT: Final = "keep"
DISPUTED: Final = "dispute"
RELEASE_ASKED: Final = "release asked"


class Owners(Asking):
    """The requests of owners, each in one transaction."""

    async def keep(self, *, name: str, seconds: float, reason: str, by: Identity) -> Granted:
        """Keep an allocation of one's own (or anyone's, for an operator) for a while."""
        if not isfinite(seconds) or seconds <= 0:
            raise RefusedError("no-time-to-keep", seconds=f"{seconds:g}")
        now = self._clock.now()
        async with self._asked(by, name) as books:
            row = await live(books, name)
            if not by.group:
                owned(row, by)
            return await self._kept(books, row, _keep(row, reason, by, now, now + seconds), by)

    async def keep_until_morning(self, *, name: str, reason: str, by: Identity) -> Granted:
        """Keep an allocation until ten o'clock of its owner's next working day."""
        now = self._clock.now()
        until = await self._morning(name, now)
        async with self._asked(by, name) as books:
            row = await live(books, name)
            owned(row, by)
            wanted = replace(_keep(row, reason, by, now, until), morning=True)
            return await self._kept(books, row, wanted, by)

    async def release(
        self, *, name: str, reason: str, by: Identity, confirmed: bool = False
    ) -> Granted:
        """
        Give an allocation of one's own back: it ends soon, checked and verified like any act.

        One that is at work must be confirmed, else UnconfirmedError.
        """
        now = self._clock.now()
        async with self._asked(by, name) as books:
            row = await live(books, name)
            _mine(row, by)
            releasing.must_be_possible(row, await books.holds(), now, self._command(row))
            if not confirmed:
                releasing.must_be_idle(row)
            case = await self._releasing_case(books, row, reason, by, now)
            await books.keep_case(case)
            await _end_keeps(books, row, now)
            await _end_disputes(books, case)
            left = event(now, RELEASE_ASKED, by, reason, run_key=row.run_key, case_id=case.id)
            await books.append_events([left])
        return Granted(text=f"{case.run} will be released within minutes, once it is checked")

    async def dispute(self, *, name: str, reason: str, by: Identity) -> Granted:
        """
        Say "this is wrong": the case stops until an operator rules.

        For a week after a release it is recorded, and an operator will say whether it is right.
        """
        now = self._clock.now()
        async with self._asked(by, name) as books:
            case, over = await self._disputable(books, name, by, now)
            if case.disputed:
                raise RefusedError("disputed-already", run=str(case.run))
            disputed = replace(
                case,
                disputed=True,
                disputed_at=now,
                operator_disputes=by.user != case.owner,
                escalated=False,
            )
            await books.keep_case(disputed)
            left = event(now, DISPUTED, by, reason, run_key=case.run.key, case_id=case.id)
            await books.append_events([left])
        what = "what was done to it" if over else "it"
        late = not over and releasing.begun(case)
        text = f"{case.run} is disputed; an operator will look at {what}"
        return Granted(text=f"{text}{releasing.LATE if late else ''}", late=late)

    async def _kept(self, books: Books, row: Row, wanted: Keep, by: Identity) -> Granted:
        """Write a keep within its owner's budget; an operator may exceed it, up to two weeks."""
        keeps = await books.keeps(wanted.begin)
        standing = same(keeps, wanted)
        if standing is not None:
            late = releasing.begun(await open_case(books, row))
            text = f"{_standing(row, standing)}{releasing.LATE if late else ''}"
            return Granted(text=text, until=standing.until, late=late)
        no = refusal(keeps, self._rule(row), wanted=wanted, used=row.used)
        if no and not by.operator:
            raise RefusedError("not-kept", why=no)
        by_operator = by.operator and (bool(no) or by.user != row.owner)
        if by_operator and wanted.until - wanted.begin > LONGEST_BY_OPERATOR:
            raise RefusedError("not-kept-so-long", days=round(LONGEST_BY_OPERATOR / 86400))
        await books.keep_keep(replace(wanted, operator=by_operator))
        lasts = _lasting(wanted)
        text = f"kept {row.platform}/{row.id} {lasts}: {wanted.reason}"
        await books.append_events([row_event(wanted.begin, KEPT, row, by, text)])
        late = releasing.begun(await open_case(books, row))
        said = f"{text}{releasing.LATE if late else ''}"
        return Granted(text=said, until=wanted.until, late=late)

    async def _morning(self, name: str, now: float) -> float:
        """Return when the owner of a live allocation begins to work next."""
        async with self._store.reading() as books:
            try:
                row = await live(books, name)
            except AbsentError:
                return now
        policy = self._policies.get(row.policy)
        usual = policy.hours if policy else Hours()
        hours = await self._hours(row.owner, usual)
        try:
            return next_morning(hours, now, self._zone(hours.zone))
        except (KeyError, ValueError):
            # No clock knows the zone that the directory names.
            return next_morning(usual, now, self._zone(usual.zone))

    async def _hours(self, user: str, usual: Hours) -> Hours:
        """Return when a person works; as usual where no directory says so or answers."""
        for people in self._people:
            try:
                person = await people.person(user)
            except ReaperError:
                continue
            if person is not None:
                return person.working(usual)
        return usual

    async def _releasing_case(
        self, books: Books, row: Row, reason: str, by: Identity, now: float
    ) -> Case:
        """Return the case with its owner's wish on it; a new one where none is open."""
        case = await open_case(books, row)
        if case is None:
            tenures, picture = await books.tenures_of(row.run_key), await books.picture()
            pace = Pace(step=picture.step) if picture else NORMAL
            case = releasing.opened(tenures, row, self._policies, now, pace)
        releasing.must_be_open(case)
        wish = OwnRelease(
            by=by.user,
            at=now,
            reason=reason,
            channel=by.channel,
            story=releasing.story(row, self._policies, now),
            credited=releasing.credited(row, case),
        )
        planned = case.state is State.PLANNED
        return replace(
            case,
            state=State.OPEN,
            intent_id="",
            attempts=case.attempts + planned,
            saving=None if planned else case.saving,
            disputed=False,
            own_release=wish,
            due=None,
            held_by=(),
            outcome="",
        )

    async def _disputable(
        self, books: Books, name: str, by: Identity, now: float
    ) -> tuple[Case, bool]:
        """Return the case that a dispute is about, and whether what it did is over."""
        row = None
        try:
            row = await live(books, name)
        except AbsentError:
            done = await acted_case(books, name, now)
            if done is None:
                raise
        else:
            owned(row, by)
            case = await open_case(books, row)
            if case is not None:
                return case, False
            done = await acted_case(books, row.run_key, now)
        if done is None:
            assert row is not None  # noqa: S101 - an absent one without a case was raised above
            raise RefusedError("no-open-case", allocation=f"{row.platform}/{row.id}")
        if not by.operator and by.user != done.owner:
            raise RefusedError(
                "was-not-yours", run=str(done.run), user=by.user, **belongs(done.owner)
            )
        return done, True


def _keep(row: Row, reason: str, by: Identity, now: float, until: float) -> Keep:
    return Keep(
        id=uuid4().hex, run_key=row.run_key, by=by.user, reason=reason, begin=now, until=until
    )


def _standing(row: Row, keep: Keep) -> str:
    return (
        f"{row.platform}/{row.id} is kept already until {moment(keep.until)}: nothing more is "
        "taken from its owner's budget"
    )


def _lasting(keep: Keep) -> str:
    if keep.morning:
        return f"until {moment(keep.until)}"
    return f"for {(keep.until - keep.begin) / 3600:g} h"


def _mine(row: Row, by: Identity) -> None:
    """Refuse everybody but the owner as the platform names him, operators too."""
    if not row.owner or by.user != row.owner:
        allocation = f"{row.platform}/{row.id}"
        raise RefusedError("owner-alone-gives-back", allocation=allocation, **belongs(row.owner))


async def _end_keeps(books: Books, row: Row, now: float) -> None:
    """End what still keeps a run: its owner has just said that it is not needed."""
    for keep in await books.keeps(now):
        if keep.run_key == row.run_key and keep.until > now:
            await books.keep_keep(replace(keep, until=now))


async def _end_disputes(books: Books, case: Case) -> None:
    """End the disputes of earlier cases of a run: it is its owner who ends it."""
    for other in await books.disputed_cases():
        if other.run.key == case.run.key and other.id != case.id:
            await books.keep_case(replace(other, disputed=False))
