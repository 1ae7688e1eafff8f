"""Who the owners of open cases are, as the directories last said; pure."""

from collections.abc import Mapping
from typing import Final

from reaper.board import Board
from reaper.ports import Known, Person

#: The role of directories that are asked for owners.
PEOPLE: Final = "people"


def people(board: Board) -> Mapping[str, Person]:
    """Return the owners that directories know, by user; nobody before their first answer."""
    answers = [post.answer for post in board.of(PEOPLE)]
    return {
        user: person
        for answer in answers
        if isinstance(answer, Known)
        for user, person in answer.people.items()
    }
