"""The books of a span, read with the margins that its figures need."""

from collections.abc import Iterable, Mapping
from math import ceil, floor

from reaper.domain.facts.minute import UNSEEN
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import Tenure
from reaper.domain.money.ledger import Ledger, Terms, Whereabouts
from reaper.domain.money.spans import Span
from reaper.domain.money.tracked import track_of
from reaper.ports import Books


async def read(
    books: Books,
    span: Span,
    *,
    now: float,
    cluster: str,
    terms: Terms,
    places: tuple[Whereabouts, ...],
) -> Ledger:
    """Return all that the books say of a span and around it, as known `now`."""
    begin, end = span[0] - terms.look_back, min(span[1] + terms.look_around, now)
    tenures = tuple(await books.tenures(begin, end))
    oldest = min((tenure.begin for tenure in tenures), default=begin)
    first, last = floor(span[0] / terms.pace.step), ceil(min(span[1], now) / terms.pace.step)
    return Ledger(
        cluster=cluster,
        tenures=tenures,
        tracks=await _tracks(books, tenures, span[0] - terms.look_around, end, terms),
        capacity=tuple(await books.capacity(begin, end)),
        events=tuple(await books.events(begin=min(oldest, begin), end=end)),
        demand=tuple(await books.demand(first, last)),
        places=places,
    )


def opened(ledger: Ledger, span: Span) -> float:
    """Return from when on the books know the cluster, or the span's begin when that is earlier."""
    known = min((capacity.begin for capacity in ledger.capacity), default=span[0])
    return min(max(span[0], known), span[1])


def newest(ledger: Ledger, now: float, terms: Terms) -> float:
    """
    Return until when letters are known, at most the few steps before now that they always lag.

    A lag of the present minute is no blindness; anything longer is, and stays in the figures.
    """
    step, earliest = terms.pace.step, now - terms.pace.fresh
    ends = (_known(track) * step for track in ledger.tracks.values())
    return min(now, max([earliest, *ends]))


async def _tracks(
    books: Books, tenures: Iterable[Tenure], begin: float, end: float, terms: Terms
) -> Mapping[str, Track]:
    held = {track_of(one) for one in tenures if one.end is None or one.end > begin}
    step = terms.pace.step
    return await books.tracks(sorted(held - {""}), floor(begin / step), ceil(end / step))


def _known(track: Track) -> int:
    return track.start + len(track.letters.rstrip(UNSEEN))
