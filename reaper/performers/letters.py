"""Putting notices into letters: what goes together, with the right to answer each."""

from collections.abc import Hashable, Sequence
from typing import Final

from reaper.domain.escalation.notice import Notice
from reaper.domain.escalation.token import LASTS, Token, signed
from reaper.ports import Letter, Person

#: As many notices of one kind go to one person one by one; more go together, so many to a letter.
SINGLY: Final = 5
TOGETHER: Final = 20

Batch = tuple[Notice, ...]
"""The notices of one letter."""


def letter(notices: Sequence[Notice], person: Person, *, key: bytes, page: str) -> Letter:
    """Put notices into a letter; written again, it carries the same rights to answer."""
    asking = [notice for notice in notices if notice.kind != "advice"] if key else []
    tokens = {notice.id: signed(_token(notice), key) for notice in asking}
    return Letter(notices=tuple(notices), person=person, tokens=tokens, page=page)


def _token(notice: Notice) -> Token:
    return Token(
        notice_id=notice.id,
        run_key=notice.run_key,
        user=notice.to,
        expires=notice.created + LASTS,
    )


def batches(due: Sequence[Notice]) -> list[Batch]:
    """
    Put notices into letters, in order: more than a few of one kind to one person go together.

    All advice to one person is one letter.
    Only what has been tried alike goes together, so that a letter has one fate.
    """
    alike: dict[Hashable, list[Notice]] = {}
    for notice in due:
        fates = frozenset((trial.channel, trial.delivery) for trial in notice.trials)
        key = (notice.to, notice.kind, notice.attempts, notice.delivery, notice.repeats, fates)
        alike.setdefault(key, []).append(notice)
    return [
        tuple(group[begin : begin + size])
        for group in alike.values()
        for size in (_size(group),)
        for begin in range(0, len(group), size)
    ]


def _size(alike: Sequence[Notice]) -> int:
    if alike[0].kind == "advice":
        return len(alike)
    return 1 if len(alike) <= SINGLY else TOGETHER
