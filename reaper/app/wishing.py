"""Brings the wishes that holders found on their platform to the room of requests, each once."""

import logging

from reaper.board import Board
from reaper.ports import Claims
from reaper.requests import Requests

_log = logging.getLogger(__name__)


class Wisher:
    """Reads wishes off the board; those of a platform that is silent were brought before."""

    def __init__(self, board: Board, requests: Requests) -> None:
        self._board = board
        self._requests = requests
        self._answered: frozenset[str] = frozenset()

    async def turn(self) -> None:
        """Bring what is new; a wish whose run is not known yet is brought again."""
        posts = [(post.source, post.answer) for post in self._board.of("holder")]
        standing = [
            (source, wished)
            for source, answer in posts
            if isinstance(answer, Claims)
            for wished in answer.wishes
        ]
        answered = self._answered & {wished.id for _, wished in standing}
        for source, wished in standing:
            if wished.id not in answered:
                said = await self._requests.wish(wished, channel=source)
                if said is not None:
                    answered |= {wished.id}
                    _log.info("%s asked to keep %s: %s", wished.by, wished.run_key, said or "told")
        self._answered = answered
