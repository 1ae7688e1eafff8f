"""Which language a user reads is asked seldom, and a directory that is down delays no page."""

import pytest

from reaper.app.tongues import KEPT, Tongues
from reaper.board import Board
from reaper.cycle.ownership.owners import PEOPLE
from reaper.edge.clock import JumpingClock
from reaper.ports import Known, Person, SourceError
from tests.builders_picture import NOW


class Directory:
    """Knows one person, and counts how often it was asked."""

    name = "file"

    def __init__(self, *, down: bool = False) -> None:
        self.asked = 0
        self.down = down

    async def person(self, user: str) -> Person | None:
        self.asked += 1
        if self.down:
            raise SourceError("down")
        return Person(user="mira", language="ru") if user == "mira" else None


@pytest.fixture
def clock():
    return JumpingClock(at=NOW)


async def test_a_directory_says_it(clock):
    tongues = Tongues(people=(Directory(),), board=Board(), clock=clock)

    assert await tongues("mira") == "ru"
    assert await tongues("otto") == ""


async def test_it_is_asked_again_after_a_while(clock):
    directory = Directory()
    tongues = Tongues(people=(directory,), board=Board(), clock=clock)
    for _ in range(3):
        await tongues("mira")

    assert directory.asked == 1
    clock.jump(NOW + KEPT)
    await tongues("mira")
    assert directory.asked == 2


async def test_one_that_is_down_says_nothing_and_is_left_alone(clock):
    directory = Directory(down=True)
    tongues = Tongues(people=(directory,), board=Board(), clock=clock)

    assert await tongues("mira") == ""
    assert await tongues("mira") == ""
    assert directory.asked == 1


async def test_of_whom_the_board_knows_no_directory_is_asked(clock):
    directory, board = Directory(), Board()
    said = Known(as_of=NOW, people={"mira": Person(user="mira", language="en")})
    board.expect(source="directories", role=PEOPLE)
    board.put(source="directories", role=PEOPLE, answer=said, took=0.0)

    assert await Tongues(people=(directory,), board=board, clock=clock)("mira") == "en"
    assert directory.asked == 0
