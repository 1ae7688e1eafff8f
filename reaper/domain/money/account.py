"""
From the books to figures: the one function that all reports, pages and metrics ask.

Pure; figures of adjacent spans add up to those of the joined span, whatever the order of records.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from reaper.domain.facts.grid import Pace
from reaper.domain.facts.minute import ACTIVE
from reaper.domain.facts.track import Track
from reaper.domain.money import booking, capacity, reclaim
from reaper.domain.money.booking import Booked, Looked, Prices
from reaper.domain.money.entries import DemandPoint
from reaper.domain.money.figures import Costs, Figures, Key, total
from reaper.domain.money.findings import Finding
from reaper.domain.money.holding import Holding, holdings
from reaper.domain.money.ledger import Accounts, Ledger, Terms
from reaper.domain.money.reclaim import Return
from reaper.domain.money.runs import key_of, run_figures
from reaper.domain.money.spans import Span, overlap, subtract
from reaper.domain.money.tails import tails
from reaper.domain.money.tracked import track_of
from reaper.domain.money.waste import WAITING, View, view
from reaper.domain.prices.rates import CASH_KINDS, Piece

_BLANK = Track(start=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """All that the figures of a span are made from."""

    ledger: Ledger
    terms: Terms
    span: Span
    known: float
    held: Sequence[Holding]
    prices: Prices

    def view(self, holding: Holding, *, startup_until: float) -> View | None:
        """Return what a holding did in and around the span; None where they do not meet."""
        if holding.end <= self.span[0] or holding.begin >= self.span[1]:
            return None
        around = self.terms.look_around
        return view(
            holding,
            self.ledger.tracks.get(track_of(holding.tenure), _BLANK),
            pace=self.terms.pace,
            startup_until=startup_until,
            within=(self.span[0] - around, min(self.span[1] + around, self.known)),
        )


def account(
    ledger: Ledger,
    *,
    begin: float,
    end: float,
    terms: Terms,
    as_of: float | None = None,
    by_device: bool = False,
) -> Accounts:
    """
    Return the figures of ``[begin, end)`` as known at `as_of` (its end, unless told otherwise).

    The ledger must reach `terms.look_back` before the span and `terms.look_around` beyond it.
    `by_device` asks for the figures of runs on each of their devices apart.
    """
    known = end if as_of is None else as_of
    span = (begin, min(end, known))
    held, doubtful = holdings(ledger.tenures, as_of=known)
    prices = Prices(terms.rates, ledger.places, *span)
    scene = _Scene(ledger=ledger, terms=terms, span=span, known=known, held=held, prices=prices)
    by_run = _booked(scene)
    booked = [one for ones in by_run.values() for one in ones]
    pieces = capacity.free(ledger.capacity, reclaim.load_of(held), begin=span[0], end=span[1])
    entries = [
        *((_key(one.holding, prices), one.figures) for one in booked),
        *((_room_key(ledger, piece, prices), _unheld(piece)) for piece in pieces),
        *_given_back(scene, booked),
    ]
    figures = _by_key(entries)
    return Accounts(
        begin=begin,
        end=span[1],
        as_of=known,
        figures=figures,
        total=total(figures.values()),
        runs=run_figures(booked, prices, by_device=by_device),
        findings=_findings(doubtful, capacity.contradictions(pieces, ledger.capacity), prices),
        tails=tails(by_run, span),
    )


def _findings(
    doubtful: Iterable[Finding], beyond: Iterable[Finding], prices: Prices
) -> tuple[Finding, ...]:
    return tuple(sorted({*doubtful, *beyond, *prices.contradictions()}))


def _booked(scene: _Scene) -> Mapping[str, list[Booked]]:
    """Return the figures of every holding that meets the span, by run."""
    waiting = _waiting(scene.ledger.demand)
    found: dict[str, list[Booked]] = {}
    for run_key, looked in _looked(scene).items():
        shared = booking.together(looked)
        found[run_key] = [_book(one, shared, scene.prices, waiting) for one in looked]
    return found


def _book(one: Looked, shared: tuple[Span, ...], prices: Prices, waiting: Track) -> Booked:
    alone = () if shared == one.stretches.wasted else subtract(one.stretches.wasted, shared)
    counted = replace(one.stretches, partial=alone)
    return Booked(
        holding=one.holding,
        view=one.view,
        stretches=counted,
        figures=booking.book(one.view, counted, prices, waiting),
    )


def _looked(scene: _Scene) -> Mapping[str, list[Looked]]:
    """Return what every holding that meets the span did, by run."""
    grown = _startups(scene.held, scene.ledger.tracks, scene.terms.pace)
    free = booking.releasable(scene.ledger.events)
    found: dict[str, list[Looked]] = defaultdict(list)
    for holding in scene.held:
        tenure = holding.tenure
        seen = scene.view(holding, startup_until=grown[tenure.run.key])
        if seen is None:
            continue
        counted = booking.stretches(
            seen,
            scene.terms.waits.of(tenure.purpose),
            one_witness=scene.ledger.one_witness.get(tenure.gpu, ()),
            releasable=free.get(tenure.run.key, ()),
        )
        found[tenure.run.key].append(Looked(holding=holding, view=seen, stretches=counted))
    return found


def _startups(
    held: Iterable[Holding], tracks: Mapping[str, Track], pace: Pace
) -> Mapping[str, float]:
    """Return, by run key, when its start-up ended: as recorded, or by its first active minute."""
    runs: dict[str, list[Holding]] = defaultdict(list)
    for holding in held:
        runs[holding.tenure.run.key].append(holding)
    return {run_key: _startup(found, tracks, pace) for run_key, found in runs.items()}


def _startup(held: Sequence[Holding], tracks: Mapping[str, Track], pace: Pace) -> float:
    started = held[0].tenure.run.started
    latest = started + pace.startup
    recorded = [one.tenure.startup_until for one in held if one.tenure.startup_until is not None]
    if recorded:
        return min(latest, *recorded)
    first = pace.minute(started) + 1
    names = {track_of(one.tenure) for one in held if not one.tenure.doubt}
    young = (tracks.get(name, _BLANK).clip(first, pace.minute(latest) + 1) for name in names)
    offsets = [at for track in young if (at := track.letters.find(ACTIVE)) >= 0]
    return min([latest, *(pace.begins(first + at) for at in offsets)])


def _waiting(demand: Iterable[DemandPoint]) -> Track:
    """Return a track that carries a ``W`` in every minute in which a request waited."""
    minutes = {point.minute for point in demand if point.gpus > 0}
    if not minutes:
        return _BLANK
    first, last = min(minutes), max(minutes)
    letters = bytearray(b"?" * (last - first + 1))
    for minute in minutes:
        letters[minute - first] = ord(WAITING)
    return Track(start=first, letters=letters.decode())


def _unheld(piece: capacity.Free) -> Figures:
    seconds = piece.seconds
    return Figures(
        calendar=(piece.gpus + piece.beyond) * seconds,
        down=piece.down * seconds,
        drained=piece.drained * seconds,
        reserved=piece.reserved * seconds,
        unallocated=piece.unallocated * seconds,
        stranded=piece.stranded * seconds,
    )


def _given_back(scene: _Scene, booked: Iterable[Booked]) -> Iterator[tuple[Key, Figures]]:
    """Yield what releases gave back in the span, to the key that had held it."""
    inventory = scene.ledger.capacity
    given = reclaim.returns(scene.held, scene.ledger.events)
    scarce = reclaim.scarce(given, scene.held, inventory, scene.span) if given else {}
    later: dict[str, list[Booked]] = defaultdict(list)
    for booking_of in booked:
        later[booking_of.holding.tenure.gpu].append(booking_of)
    for one in given:
        tenure = one.holding.tenure
        short = scarce.get(reclaim.room_model(one.holding, inventory), ())
        gone = reclaim.gone(tenure.node, inventory, scene.span)
        for piece in scene.prices.pieces(tenure, one.begin, one.end):
            worked = _worked(one, later[one.device], short, (piece.begin, piece.end))
            yield _key(one.holding, scene.prices), _returned(one, piece, worked, gone)


def _worked(given: Return, later: Iterable[Booked], scarce: Iterable[Span], inside: Span) -> float:
    """Return the work of other owners on a given-back device while no other was free."""
    worked = 0.0
    for one in later:
        if one.holding.tenure.owner == given.holding.tenure.owner:
            continue
        for begin, end in scarce:
            for part in one.holding.parts:
                first = max(begin, part.begin, inside[0], one.view.window[0])
                last = min(end, part.end, inside[1], one.view.window[1])
                if first < last:
                    spent = one.view.spent(first, last)
                    worked += (spent.active + spent.low) * part.weight
    return worked


def _returned(given: Return, piece: Piece, worked: float, gone: Sequence[Span]) -> Figures:
    seconds = (piece.end - piece.begin) * given.weight
    if not given.by_reaper:
        return Figures(given_back=seconds)
    # Several sharers may have taken more of the device than was given back of it.
    worked = min(worked, seconds)
    paid = piece.rate is not None and piece.rate.kind in CASH_KINDS
    cash = overlap(gone, piece.begin, piece.end) * given.weight if paid else 0.0
    return Figures(
        reclaimed=seconds,
        reused=worked,
        cash=cash,
        costs=Costs(
            reclaimed=booking.cost(piece.rate, seconds),
            reused=booking.cost(piece.rate, worked),
            cash=booking.cost(piece.rate, cash),
        ),
    )


def _by_key(entries: Iterable[tuple[Key, Figures]]) -> Mapping[Key, Figures]:
    groups: dict[Key, list[Figures]] = defaultdict(list)
    for key, figures in entries:
        groups[key].append(figures)
    return {key: total(groups[key]) for key in sorted(groups)}


def _key(holding: Holding, prices: Prices) -> Key:
    return replace(key_of(holding), site=prices.place(holding.tenure.node).site)


def _room_key(ledger: Ledger, piece: capacity.Free, prices: Prices) -> Key:
    site = prices.place(piece.room.node).site
    return Key(cluster=ledger.cluster, model=piece.room.model, site=site)
