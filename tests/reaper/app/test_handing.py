"""A report goes to each recipient once a version, after an outage too, and names nobody."""

from dataclasses import replace

import pytest

from reaper.app.handing import Clerk, Folder
from reaper.domain.money.closing import Closed
from reaper.edge.clock import JumpingClock
from reaper.reports.settings import DeliverSettings
from tests import report_gallery as gallery
from tests.books import HOUR

WEEK = 7 * 24 * HOUR


class Desk:
    """Takes reports and keeps what they were of; may be closed."""

    def __init__(self, name: str = "desk", *, shut: bool = False) -> None:
        self.name = name
        self.shut = shut
        self.taken: list[str] = []

    async def take(self, report) -> None:
        if self.shut:
            raise OSError("no space left")
        self.taken.append(f"{report.week} v{report.version}")


@pytest.fixture
async def store():
    return await gallery.store(weeks=2)


def clerk(store, *recipients, now: float = gallery.NOW) -> Clerk:
    return Clerk(
        store=store,
        clock=JumpingClock(at=now),
        epoch=2,
        context=gallery.context(),
        recipients=recipients,
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


async def test_a_folder_holds_the_wide_report_and_an_extract_for_each_team(store, tmp_path):
    folder = Folder(settings=DeliverSettings(folder=tmp_path / "out", forms=("html", "markdown")))
    await clerk(store, folder).turn()

    wide = tmp_path / "out" / "aurora-2026-W10-v1.html"
    team = tmp_path / "out" / "teams" / "vision" / "aurora-2026-W10-v1.html"
    assert wide.with_suffix(".md").exists()
    assert "mira" not in wide.read_text()
    assert "mira" in team.read_text()
    assert "zoe" not in team.read_text()


async def test_no_draft_is_left_behind(store, tmp_path):
    await clerk(store, Folder(settings=DeliverSettings(folder=tmp_path))).turn()

    assert [path for path in tmp_path.rglob("*") if path.name.endswith(".draft")] == []


@pytest.mark.parametrize("team", ["../up", "a/b", "..", "ünïcode"])
async def test_a_team_is_a_folder_of_its_own_whatever_its_name(store, tmp_path, team):
    async with store.transaction(2) as books:
        known = await books.closed_week("UTC", "2026-W10")
        await books.keep_closed(renamed(known, team))
    await clerk(store, Folder(settings=DeliverSettings(folder=tmp_path / "out"))).turn()

    folders = {path.parent for path in (tmp_path / "out" / "teams").rglob("*W10*")}
    assert len(folders) == len({path.name for path in folders})
    assert all(path.parent == tmp_path / "out" / "teams" for path in folders)


def again(known: Closed) -> Closed:
    return replace(known, closing=replace(known.closing, version=2))


def renamed(known: Closed, team: str) -> Closed:
    figures = {
        replace(key, team=team if key.team == "vision" else key.team): one
        for key, one in known.figures.items()
    }
    return replace(known, figures=figures)
