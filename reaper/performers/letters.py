"""Putting notices into letters: to whom they go, with the right to answer each."""

from collections.abc import Sequence

from reaper.domain.escalation.notice import Notice
from reaper.domain.escalation.token import LASTS, Token, signed
from reaper.ports import Letter, Person


def letter(notices: Sequence[Notice], person: Person, *, key: bytes, page: str) -> Letter:
    """Put notices into a letter; written again, it carries the same rights to answer."""
    tokens = {notice.id: signed(_token(notice), key) for notice in notices} if key else {}
    return Letter(notices=tuple(notices), person=person, tokens=tokens, page=page)


def _token(notice: Notice) -> Token:
    return Token(
        notice_id=notice.id,
        run_key=notice.run_key,
        user=notice.to,
        expires=notice.created + LASTS,
    )
