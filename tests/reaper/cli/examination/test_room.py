"""A full disk is told before it stops the reaper."""

from pathlib import Path

import pytest

from reaper.cli.examination.room import FULL, SCARCE, Room, finding, measured, rooms
from reaper.config import load

TIB = 2**40


@pytest.mark.parametrize(
    ("room", "ok"),
    [
        (Room(free=SCARCE, whole=TIB), True),
        (Room(free=SCARCE - 1, whole=TIB), None),
        (Room(free=FULL - 1, whole=TIB), False),
        (Room(free=TIB, whole=TIB, files=3), False),
        (Room(free=TIB, whole=TIB, files=3000), True),
    ],
)
def test_the_less_room_the_worse(room, ok):
    told = finding("store", Path("/srv"), room)

    assert told.ok is ok
    assert bool(told.cure) is (ok is not True)


def test_it_is_said_how_much_is_left():
    assert finding("store", Path("/srv"), Room(free=10 * 2**20, whole=2 * 2**30)).what == (
        "10 MiB of 2.0 GiB free at /srv"
    )


def test_a_real_file_system_is_measured(tmp_path):
    room = measured(tmp_path)

    assert 0 < room.free <= room.whole


def test_each_file_system_is_told_once_also_before_the_first_start(tmp_path):
    path = tmp_path / "gpu-reaper.yaml"
    path.write_text(f"state_dir: {tmp_path}/not/yet\n")

    assert [one.subject for one in rooms(load(path))] == ["room for the store and ledger"]
