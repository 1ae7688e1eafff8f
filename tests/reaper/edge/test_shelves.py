"""What is laid on shelves is taken again, shelf by shelf, wherever they are."""

import pytest

from reaper.domain.audit.shelves import Held
from reaper.edge.shelves import DiskShelves
from reaper.ports import ReaperError

ROOMS = pytest.mark.parametrize("room", [Held, DiskShelves])


@ROOMS
def test_each_shelf_has_what_was_laid_there_in_its_order(room):
    shelves = room()
    shelves.put(7, [(1, "a|b", True), 2.5])
    shelves.put(-3, [complex(1, 2)])
    shelves.put(7, [None, ("\ud800", ["x"])])

    assert list(shelves.taken()) == [
        (-3, [complex(1, 2)]),
        (7, [(1, "a|b", True), 2.5, None, ("\ud800", ["x"])]),
    ]


@ROOMS
def test_they_can_be_taken_again(room):
    shelves = room()
    shelves.put(1, ["a"])

    assert list(shelves.taken()) == list(shelves.taken()) == [(1, ["a"])]


@ROOMS
def test_shelves_without_anything_are_none(room):
    assert list(room().taken()) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    absent = tmp_path / "absent"

    with pytest.raises(ReaperError, match=r"cannot be kept in .*absent: No such file.*TMPDIR"):
        DiskShelves(folder=str(absent)).put(1, ["a"])
