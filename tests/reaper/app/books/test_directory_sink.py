"""A folder holds the wide report under pseudonyms and one for each team, in whole files."""

from dataclasses import replace

import pytest

from reaper.app.books.directory_sink import Folder
from reaper.app.books.handing import Clerk
from reaper.domain.money.closing import Closed
from reaper.edge.clock import JumpingClock
from reaper.reports.settings import DeliverSettings
from tests import report_gallery as gallery


@pytest.fixture
async def store():
    return await gallery.store(weeks=2)


async def handed(store, path, **given) -> None:
    """Hand the reports to a folder."""
    settings = DeliverSettings(folder=path, **given)
    hands = Clerk(
        store=store,
        clock=JumpingClock(at=gallery.NOW),
        epoch=2,
        context=gallery.context(),
        recipients=(Folder(path=path, settings=settings),),
    )
    await hands.turn()


async def test_a_folder_holds_the_wide_report_and_an_extract_for_each_team(store, tmp_path):
    await handed(store, tmp_path / "out", forms=("html", "markdown"))

    wide = tmp_path / "out" / "aurora-2026-W10-v1.html"
    team = tmp_path / "out" / "teams" / "vision" / "aurora-2026-W10-v1.html"
    assert wide.with_suffix(".md").exists()
    assert "mira" not in wide.read_text()
    assert "mira" in team.read_text()
    assert "zoe" not in team.read_text()


async def test_no_draft_is_left_behind(store, tmp_path):
    await handed(store, tmp_path)

    assert [path for path in tmp_path.rglob("*") if path.name.endswith(".draft")] == []


@pytest.mark.parametrize("team", ["../up", "a/b", "..", "ünïcode"])
async def test_a_team_is_a_folder_of_its_own_whatever_its_name(store, tmp_path, team):
    async with store.transaction(2) as books:
        known = await books.closed_week("UTC", "2026-W10")
        await books.keep_closed(renamed(known, team))
    await handed(store, tmp_path / "out")

    folders = {path.parent for path in (tmp_path / "out" / "teams").rglob("*W10*")}
    assert len(folders) == len({path.name for path in folders})
    assert all(path.parent == tmp_path / "out" / "teams" for path in folders)


def renamed(known: Closed, team: str) -> Closed:
    figures = {
        replace(key, team=team if key.team == "vision" else key.team): one
        for key, one in known.figures.items()
    }
    return replace(known, figures=figures)
