"""Who the owners of open cases are, as the directories last said; pure."""

from collections.abc import Mapping
from typing import Final

from reaper.board import Board
from reaper.ports import Known, Person

#: The role of directories that are asked for owners.
PEOPLE: Final = "people"


def people(board: Board) -> Mapping[str, Person | None] | None:
    """
    Return what directories say of owners, by user; None where there are none to ask.

    None for a user is nobody; whoever is missing is not known: no directory has answered yet.
    """
    if not board.of(PEOPLE):
        return None
    answers = [post.answer for post in board.of(PEOPLE)]
    return {
        user: person
        for answer in answers
        if isinstance(answer, Known)
        for user, person in answer.people.items()
    }
