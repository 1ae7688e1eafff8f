"""Owners' own working hours: asked for, posted, and counted instead of the policy's."""

import pytest

from reaper.app.parts import _owners
from reaper.app.running import debug
from reaper.board import Board
from reaper.cycle.ownership.owners import PEOPLE, people
from reaper.domain.judgement.policy import Hours
from reaper.edge.clock import JumpingClock
from reaper.ports import Known, Person, SourceError

USUAL = Hours(zone="Europe/Berlin", holidays=("2026-12-25",))


def test_a_persons_own_hours_come_first_and_holidays_hold():
    own = Person(user="mira", zone="Asia/Tokyo", hours=Hours(zone="Asia/Tokyo", begin=7.0))

    assert own.working(USUAL) == Hours(zone="Asia/Tokyo", begin=7.0, holidays=("2026-12-25",))


def test_the_usual_hours_are_kept_in_a_persons_zone():
    there = Person(user="mira", zone="Asia/Tokyo")

    assert there.working(USUAL) == Hours(zone="Asia/Tokyo", holidays=("2026-12-25",))


def test_where_nobody_says_the_usual_hours_hold():
    assert Person(user="mira").working(USUAL) == USUAL


def test_nobody_is_known_before_the_directories_answer():
    board = Board()
    assert people(board) is None

    board.expect(source="directories", role=PEOPLE)
    assert people(board) == {}


class Directory:
    """Knows mira; does not answer about emil."""

    name = "directory"

    async def person(self, user: str) -> Person | None:
        if user == "emil":
            raise SourceError("no answer about emil")
        return Person(user=user) if user == "mira" else None


async def test_owners_of_open_cases_are_asked_for():
    board, clock = Board(), JumpingClock(at=5.0)
    board.owners = frozenset(("mira", "otto"))
    answer = await _owners([Directory()], board, clock)
    board.put(source="directories", role=PEOPLE, answer=answer, took=0.1)

    assert answer == Known(as_of=5.0, people={"mira": Person(user="mira"), "otto": None})
    assert people(board) == {"mira": Person(user="mira"), "otto": None}


def test_addresses_of_people_are_not_shown_with_what_sources_said():
    board = Board()
    mira = Person(user="mira", email="mira@example.org", addresses={"slack": "U0MIRA"})
    answer = Known(as_of=5.0, people={"mira": mira, "otto": None})
    board.put(source="directories", role=PEOPLE, answer=answer, took=0.1)

    assert "U0MIRA" not in str(debug(board))
    assert "example.org" not in str(debug(board))
    assert "'otto': None" in str(debug(board))


async def test_one_owner_that_cannot_be_told_keeps_no_other_unknown():
    board = Board()
    board.owners = frozenset(("emil", "mira"))

    answer = await _owners([Directory()], board, JumpingClock(at=5.0))

    assert answer == Known(as_of=5.0, people={"mira": Person(user="mira")})


async def test_a_directory_that_does_not_answer_is_an_error():
    board = Board()
    board.owners = frozenset(("emil",))

    with pytest.raises(SourceError):
        await _owners([Directory()], board, JumpingClock(at=5.0))
