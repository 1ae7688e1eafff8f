"""The figures of one holding: its time by state, weighed by its share and priced."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from reaper.domain.facts.track import Track
from reaper.domain.money.entries import CASE_CLOSED, RELEASABLE, Event, Tenure
from reaper.domain.money.figures import ALLOCATED, Costs, Figures, total
from reaper.domain.money.findings import PRICE, Finding
from reaper.domain.money.holding import Holding
from reaper.domain.money.ledger import Whereabouts
from reaper.domain.money.spans import Span, clip, overlap, subtract
from reaper.domain.money.waste import View
from reaper.domain.prices.amounts import NOTHING, Amounts
from reaper.domain.prices.rates import Piece, Rate, RateCard, Subject

_HOUR: Final = Decimal(3600)


@dataclass(slots=True)
class Prices:
    """A rate card's answers for ``[begin, end)``, each subject asked once."""

    card: RateCard
    places: Sequence[Whereabouts]
    begin: float
    end: float
    _known: dict[tuple[str, str, str], tuple[Piece, ...]] = field(default_factory=dict)
    _unclear: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _where: dict[str, Whereabouts] = field(default_factory=dict)

    def pieces(self, tenure: Tenure, begin: float, end: float) -> Iterable[Piece]:
        """Yield what of ``[begin, end)`` lies in the span, cut where the price changes."""
        for piece in self._of(tenure):
            one, other = max(begin, piece.begin), min(end, piece.end)
            if other > one:
                yield Piece(begin=one, end=other, rate=piece.rate)

    def place(self, node: str) -> Whereabouts:
        """Return where a node stands; nowhere in particular where no place holds it."""
        if node not in self._where:
            here = (place for place in self.places if place.holds(node))
            self._where[node] = next(here, Whereabouts())
        return self._where[node]

    def contradictions(self) -> list[Finding]:
        """Return the GPUs asked for that equally specific rates leave without a price."""
        return [
            Finding(
                kind=PRICE,
                subject=model or "unknown model",
                seconds=0.0,
                text=f"unpriced in {partition or 'no partition'}: {rates} fit alike",
            )
            for (model, partition, _), rates in sorted(self._unclear.items())
        ]

    def _of(self, tenure: Tenure) -> tuple[Piece, ...]:
        name = (tenure.model, tenure.partition, tenure.node)
        if name not in self._known:
            place = self.place(tenure.node)
            subject = Subject(
                model=tenure.model,
                site=place.site,
                partition=tenure.partition,
                labels=place.labels,
            )
            self._known[name] = self.card.pieces(subject, self.begin, self.end)
            for piece in self._known[name]:
                fitting = self.card.fitting(subject, piece.begin)
                if len(fitting) > 1:
                    self._unclear[name] = " and ".join(str(rate) for rate in fitting)
        return self._known[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretches:
    """
    The stretches of one holding that count: wasted, with one witness, perhaps, avoidable.

    `joined` is what was seen idle and is waste only if the unseen time beside it idled, too;
    `partial` is what of the wasted ones other devices of the run did not share.
    """

    wasted: tuple[Span, ...]
    one_witness: tuple[Span, ...]
    high: tuple[Span, ...]
    avoidable: tuple[Span, ...]
    joined: tuple[Span, ...] = ()
    partial: tuple[Span, ...] = ()

    @property
    def longest(self) -> float:
        """Return the longest idle stretch that is waste; seconds."""
        return max((end - begin for begin, end in (*self.wasted, *self.one_witness)), default=0.0)


def stretches(
    view: View, wait: float, *, one_witness: tuple[Span, ...], releasable: Iterable[Span]
) -> Stretches:
    """Return the stretches of a holding that are at least as long as its threshold."""
    idle = view.idle(wait)
    weak = tuple(span for span in idle if overlap(one_witness, *span) > 0)
    wasted = tuple(span for span in idle if span not in weak)
    free = tuple(part for span in wasted for part in clip(releasable, *span))
    high = view.perhaps_idle(wait)
    short = subtract(view.idle(), idle) if len(high) and view.broken else ()
    joined = tuple(part for span in high for part in clip(short, *span))
    return Stretches(wasted=wasted, one_witness=weak, high=high, avoidable=free, joined=joined)


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """One holding with what it did and which of its stretches count, not yet priced."""

    holding: Holding
    view: View
    stretches: Stretches


@dataclass(frozen=True, slots=True, kw_only=True)
class Booked:
    """One holding with its figures in the span."""

    holding: Holding
    view: View
    stretches: Stretches
    figures: Figures


def together(looked: Sequence[Looked | Booked]) -> tuple[Span, ...]:
    """Return when every device that a run then held was wasted."""
    if len(looked) == 1:
        return looked[0].stretches.wasted
    wasted = [span for one in looked for span in one.stretches.wasted]
    if not wasted:
        return ()
    other = [span for one in looked for span in subtract((one.view.window,), one.stretches.wasted)]
    return subtract(wasted, other)


def releasable(events: Iterable[Event]) -> Mapping[str, tuple[Span, ...]]:
    """Return, by run key, when the policy in force could have released it."""
    since: dict[str, float] = {}
    found: dict[str, list[Span]] = {}
    for event in sorted(events, key=lambda one: one.at):
        if event.kind in RELEASABLE:
            since.setdefault(event.run_key, event.at)
        elif event.kind == CASE_CLOSED and event.run_key in since:
            found.setdefault(event.run_key, []).append((since.pop(event.run_key), event.at))
    for run_key, at in since.items():
        found.setdefault(run_key, []).append((at, float("inf")))
    return {run_key: tuple(spans) for run_key, spans in found.items()}


def book(view: View, counted: Stretches, prices: Prices, waiting: Track) -> Figures:
    """Return a holding's figures for the span of the prices."""
    holding = view.holding
    booked = [
        _book_part(view, counted, waiting, piece, part.weight)
        for part in holding.parts
        for piece in prices.pieces(holding.tenure, part.begin, part.end)
    ]
    return booked[0] if len(booked) == 1 else total(booked)


def _book_part(
    view: View, counted: Stretches, waiting: Track, piece: Piece, weight: float
) -> Figures:
    begin, end = piece.begin, piece.end
    spent = view.spent(begin, end)
    figures = Figures(
        active=spent.active * weight,
        low=spent.low * weight,
        engine_only=spent.engine_only * weight,
        idle=spent.idle * weight,
        startup=spent.startup * weight,
        unknown=spent.unknown * weight,
        wasted=overlap(counted.wasted, begin, end) * weight,
        partial=overlap(counted.partial, begin, end) * weight,
        one_witness=overlap(counted.one_witness, begin, end) * weight,
        high=overlap(counted.high, begin, end) * weight,
        joined=overlap(counted.joined, begin, end) * weight,
        avoidable=overlap(counted.avoidable, begin, end) * weight,
        idle_while_waiting=view.idle_in(waiting, begin, end) * weight if waiting else 0.0,
    )
    return _priced(figures, piece.rate)


def _priced(figures: Figures, rate: Rate | None) -> Figures:
    allocated = sum(figures.of(ALLOCATED))
    if rate is None:
        return replace(figures, unpriced=allocated)
    return replace(
        figures,
        costs=Costs(
            allocated=cost(rate, allocated),
            idle=cost(rate, figures.idle),
            wasted=cost(rate, figures.wasted),
            high=cost(rate, figures.high),
            avoidable=cost(rate, figures.avoidable),
        ),
    )


def cost(rate: Rate | None, seconds: float) -> Amounts:
    """Return what device-seconds cost at a rate; no amount at all where there is none."""
    if rate is None:
        return NOTHING
    return Amounts(by_currency={rate.currency: rate.amount * Decimal(seconds) / _HOUR})
