"""The counters that the picture carries from turn to turn."""

from pathlib import Path

import pytest

from exporter.contract.scenario import load
from reaper.app.compose import rules
from reaper.app.past.replaying import replay
from reaper.board import Tally
from reaper.config import load as configured
from reaper.domain.picture import Picture
from reaper.web.exposition.catalog import FAMILIES
from reaper.web.exposition.metrics import Scene, render
from tests.project import ROOT

SCENARIO = ROOT / "tests" / "scenarios" / "drawn" / "quiet-shell.toml"


@pytest.fixture
async def picture(tmp_path: Path) -> Picture:
    path = tmp_path / "c.yaml"
    path.write_text(f"state_dir: {tmp_path}\n")
    played = await replay(load(SCENARIO.read_text()), rules(configured(path)))
    assert played.picture is not None
    return played.picture


async def test_every_turn_is_counted(picture):
    assert picture.totals["cycles:written"] > 5
    assert "cycles:failed" not in picture.totals


async def test_a_policy_that_never_judged_is_counted_as_zero(picture):
    assert picture.totals["judged:interactive"] > 0
    assert picture.totals["judged:inference"] == 0


async def test_notices_and_acts_are_counted_by_their_fate(picture):
    assert picture.totals["notices::assumed"] == 2
    assert picture.totals["acts:planned"] == 1


async def test_every_total_is_a_counter_of_the_catalogue(picture):
    words = {name.partition(":")[0] for name in picture.totals}
    page = render(Scene(picture=picture, now=picture.at, version="1")).decode()

    assert words <= {family.totals for family in FAMILIES if family.totals}
    assert 'gpureaper_notices_total{channel="",delivery="assumed"} 2.0' in page


def test_what_a_picture_holds_is_taken_off_and_the_rest_stays():
    tally = Tally()
    tally.add("acts:begun")
    held = dict(tally.counts)
    tally.add("acts:begun")
    tally.add("acts:verified")

    tally.taken(held, 0.0)

    assert tally.counts == {"acts:begun": 1, "acts:verified": 1}
