"""What plays when, and what a test or a demo may change while it plays."""

import pytest

from exporter.simulation.play import Holder, read_holders
from tests.exporter.scenes import Scene


@pytest.fixture
def scene(tmp_path):
    return Scene(tmp_path)


def held(scene):
    return [item.id for item in scene.play.allocations(scene.clock.wall())]


def test_each_gpu_plays_its_track(scene):
    assert scene.letters() == "AHE"


def test_tracks_advance_with_the_clock(scene):
    scene.clock.pause(120)

    assert scene.letters() == "HHE"


def test_nothing_is_seen_before_the_start(scene):
    scene.clock.now -= 1

    assert scene.letters() == "???"


def test_a_released_allocation_leaves_its_gpus_empty(scene):
    scene.release("42")

    assert (scene.letters(), held(scene)) == ("EEE", [])


def test_a_release_by_a_name_that_climbs_out_is_none(tmp_path):
    scene = Scene(tmp_path)
    (tmp_path / "released").mkdir()

    assert held(scene) == ["42"]


def test_an_allocation_holds_until_its_end(scene):
    scene.clock.pause(1799)
    before = held(scene)
    scene.clock.pause(1)

    assert (before, held(scene)) == (["42"], [])


def test_a_holder_overrides_what_its_gpu_plays(scene):
    scene.live(71)
    scene.holders.write_text("2 71 A\n")

    assert scene.letters() == "AHA"


def test_a_holder_that_ended_overrides_nothing(scene):
    scene.live(71)
    scene.holders.write_text("2 71 A\n")
    scene.end(71)

    assert scene.letters() == "AHE"


def test_a_holder_without_letter_leaves_the_track(scene):
    scene.live(71)
    scene.holders.write_text("2 71\n")

    assert scene.letters() == "AHE"


def test_a_changed_holders_file_is_read_again(scene):
    scene.live(71)
    scene.holders.write_text("2 71 A\n")
    scene.letters()
    scene.holders.write_text("2 71 X # now it hangs\n1 71 X\n")

    assert scene.letters() == "AXE"


def test_a_holders_file_that_went_away_holds_nothing(scene):
    scene.live(71)
    scene.holders.write_text("2 71 A\n")
    scene.letters()
    scene.holders.unlink()

    assert scene.letters() == "AHE"


@pytest.mark.parametrize("line", ["", "1", "1 x", "x 1", "1 2 Q", "1 2 AA", "1 2 A A", "-1 2"])
def test_a_half_written_line_is_left_out(line):
    assert read_holders(f"{line}\n3 4 A\n") == (Holder(gpu=3, pid=4, letter="A"),)
