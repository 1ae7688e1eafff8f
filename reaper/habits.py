"""
Habits of owners that no single allocation shows, read in the books of the last week.

They are looked for at most once an hour, and letters are read of those alone whose runs are many
and short.
"""

from asyncio import to_thread
from dataclasses import dataclass
from math import ceil, floor
from typing import Final

from reaper.domain.facts.grid import Pace
from reaper.domain.money.account import account
from reaper.domain.money.ledger import Ledger, Terms
from reaper.domain.money.splitting import Split, many_short, split
from reaper.domain.money.tracked import track_of
from reaper.domain.picture import Picture
from reaper.ports import Store

#: How far is looked back, and for how long what was found is told; seconds.
_WEEK: Final = 7 * 86400.0
_HOUR: Final = 3600.0


@dataclass(slots=True, kw_only=True)
class Habits:
    """Finds whose many short runs hardly worked within a week, and remembers that for an hour."""

    _found: tuple[float, tuple[str, ...]] | None = None

    async def of(self, store: Store, picture: Picture | None) -> tuple[str, ...]:
        """Return them in words, as of a picture or of less than an hour before."""
        if picture is None:
            return ()
        if self._found is None or not 0 <= picture.at - self._found[0] < _HOUR:
            found = await _look(store, picture.at, Pace(step=picture.step))
            self._found = picture.at, tuple(map(str, found))
        return self._found[1]


async def _look(store: Store, now: float, pace: Pace) -> tuple[Split, ...]:
    begin, terms = now - _WEEK, Terms(pace=pace)
    async with store.reading() as books:
        held = many_short(await books.tenures(begin, now), begin=begin)
        names = sorted({track_of(one) for one in held} - {""})
        first, last = floor((begin - terms.look_around) / pace.step), ceil(now / pace.step)
        tracks = await books.tracks(names, first, last) if names else {}
    ledger = Ledger(tenures=held, tracks=tracks)
    return await to_thread(_split, ledger, begin, now, terms) if held else ()


def _split(ledger: Ledger, begin: float, end: float, terms: Terms) -> tuple[Split, ...]:
    return tuple(split(account(ledger, begin=begin, end=end, terms=terms).runs))
