"""Which language a user reads, as directories say: asked seldom, and never waited for long."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final

from reaper.board import Board
from reaper.cycle.ownership.owners import people
from reaper.ports import Clock, People, ReaperError
from reaper.ports.directories import known

PATIENCE: Final = 2.0
"""Seconds that a page waits for a directory, which may be down."""

KEPT: Final = 600.0
"""Seconds for which an answer, or none, is kept."""

MOST: Final = 10_000
"""Users whose answers are kept."""


@dataclass(slots=True, kw_only=True)
class Tongues:
    """Answers with the code of a language, "" where no directory says one."""

    people: Sequence[People]
    board: Board
    clock: Clock
    _said: dict[str, tuple[float, str]] = field(default_factory=dict)

    async def __call__(self, user: str) -> str:
        """Return what a user reads: of owners of open cases it is known already."""
        person = (people(self.board) or {}).get(user)
        if person is not None:
            return person.language
        at, code = self._said.get(user, (-inf, ""))
        now = self.clock.elapsed()
        if now - at < KEPT:
            return code
        code = await self._asked(user)
        if len(self._said) >= MOST:
            self._said.clear()
        self._said[user] = (now, code)
        return code

    async def _asked(self, user: str) -> str:
        try:
            async with asyncio.timeout(PATIENCE):
                person = await known(self.people, user)
        except (ReaperError, TimeoutError):
            return ""
        return person.language if person else ""
