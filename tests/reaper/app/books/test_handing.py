"""A report goes to each recipient once a version, or once a week, after an outage too."""

from dataclasses import replace

import pytest

from reaper.app.books.handing import Clerk, nobody
from reaper.domain.money.closing import Closed
from reaper.edge.clock import JumpingClock
from reaper.ports import NotifyError, SourceError
from tests import report_gallery as gallery
from tests.books import HOUR

WEEK = 7 * 24 * HOUR


class Desk:
    """Takes reports and keeps what they were of; may be closed."""

    def __init__(self, name: str = "desk", *, shut: bool = False, once: bool = False) -> None:
        self.name = name
        self.shut = shut
        self.once = once
        self.taken: list[str] = []

    async def take(self, report) -> bool:
        if self.shut:
            raise OSError("no space left")
        self.taken.append(f"{report.week} v{report.version}")
        return True


@pytest.fixture
async def store():
    return await gallery.store(weeks=2)


def clerk(store, *recipients, now: float = gallery.NOW, further=nobody) -> Clerk:
    return Clerk(
        store=store,
        clock=JumpingClock(at=now),
        epoch=2,
        context=gallery.context(),
        recipients=recipients,
        further=further,
    )


async def test_every_recent_week_goes_to_every_recipient_in_its_newest_version(store):
    one, other = Desk("one"), Desk("other")

    assert await clerk(store, one, other).turn() == 6
    assert one.taken == other.taken == ["2026-W08 v2", "2026-W09 v1", "2026-W10 v1"]


async def test_nothing_goes_twice(store):
    desk = Desk()
    await clerk(store, desk).turn()

    assert await clerk(store, desk).turn() == 0
    assert len(desk.taken) == 3


async def test_a_restated_week_goes_again(store):
    desk = Desk()
    await clerk(store, desk).turn()
    async with store.transaction(2) as books:
        known = await books.closed_week("UTC", "2026-W10")
        await books.keep_closed(again(known))
    await clerk(store, desk).turn()

    assert desk.taken[-1] == "2026-W10 v2"


async def test_what_could_not_be_taken_is_tried_again(store):
    desk, clock = Desk(shut=True), JumpingClock(at=gallery.NOW)
    hands = replace(clerk(store, desk), clock=clock)
    assert await hands.turn() == 0
    desk.shut = False

    assert await hands.turn() == 0, "not at once"
    clock.jump(gallery.NOW + 900)
    assert await hands.turn() == 3


async def test_one_that_takes_nothing_keeps_no_other_from_its_own(store):
    shut, other = Desk("shut", shut=True), Desk("other")

    assert await clerk(store, shut, other).turn() == 3
    assert len(other.taken) == 3


async def test_a_new_closing_is_handed_over_without_waiting(store):
    hands = clerk(store, Desk())
    await hands.turn()
    async with store.transaction(2) as books:
        await books.keep_closed(again(await books.closed_week("UTC", "2026-W10")))
    hands.again()

    assert await hands.turn() == 1


async def test_weeks_long_ago_are_not_handed_over(store):
    desk = Desk()

    assert await clerk(store, desk, now=gallery.NOW + 6 * WEEK).turn() == 0


def again(known: Closed) -> Closed:
    return replace(known, closing=replace(known.closing, version=2))


async def test_a_person_gets_a_week_once_however_often_it_is_restated(store):
    desk = Desk(once=True)
    await clerk(store, desk).turn()
    async with store.transaction(2) as books:
        await books.keep_closed(again(await books.closed_week("UTC", "2026-W10")))

    assert await clerk(store, desk).turn() == 0
    assert desk.taken == ["2026-W09 v1", "2026-W10 v1"]


async def test_a_person_gets_no_week_that_was_closed_long_before_they_were_named(store):
    desk = Desk(once=True)
    await clerk(store, desk, now=gallery.NOW + 2 * WEEK).turn()

    assert desk.taken == []


async def test_whom_a_directory_names_gets_reports_too(store):
    lead = Desk("lead")

    async def leads():
        return [lead]

    assert await clerk(store, further=leads).turn() == 3


async def test_a_directory_that_is_silent_keeps_no_other_from_its_own(store):
    desk = Desk()

    async def leads():
        raise SourceError("people.yaml: no usable list of people")

    assert await clerk(store, desk, further=leads).turn() == 3


class Mute(Desk):
    """Takes what it is sent, and never says so."""

    async def take(self, report) -> bool:
        await super().take(report)
        raise NotifyError("mail: no answer in time", recoverable=False, ambiguous=True)


async def test_what_may_have_arrived_is_sent_once_more_and_no_further(store):
    mute, clock = Mute(once=True), JumpingClock(at=gallery.NOW)
    hands = replace(clerk(store, mute), clock=clock)
    for _ in range(4):
        await hands.turn()
        clock.jump(clock.at + 900)

    assert mute.taken == ["2026-W09 v1", "2026-W10 v1"] * 2


async def test_what_may_have_arrived_is_not_said_to_have_gone(store, caplog):
    mute, clock = Mute(once=True), JumpingClock(at=gallery.NOW)
    hands = replace(clerk(store, mute), clock=clock)
    with caplog.at_level("INFO"):
        for _ in range(2):
            await hands.turn()
            clock.jump(clock.at + 900)

    assert " went to desk" not in caplog.text
    assert "the report of 2026-W10 v1 may have reached desk: it is left there" in caplog.text


class Idler(Desk):
    """Leads a team that held nothing."""

    async def take(self, report) -> bool:
        await super().take(report)
        return False


async def test_to_whom_nothing_went_is_said_and_counted_so(store, caplog):
    with caplog.at_level("INFO"):
        handed = await clerk(store, Idler("mail otto, team sound", once=True)).turn()

    assert handed == 0
    assert " went to mail otto" not in caplog.text
    assert "nothing of 2026-W10 v1 is for mail otto, team sound" in caplog.text


async def test_nobody_is_looked_up_twice_for_whom_there_is_nothing(store):
    idler, clock = Idler(once=True), JumpingClock(at=gallery.NOW)
    hands = replace(clerk(store, idler), clock=clock)
    for _ in range(3):
        await hands.turn()
        clock.jump(clock.at + 900)

    assert idler.taken == ["2026-W09 v1", "2026-W10 v1"]


async def test_who_had_nothing_gets_the_week_once_there_is_something(store):
    await clerk(store, Idler("lena", once=True)).turn()
    desk = Desk("lena", once=True)

    assert await clerk(store, desk).turn() == 2
