"""Random books: two nodes, eight devices, jobs that come, overlap, go and are released."""

from decimal import Decimal

from hypothesis import strategies as st

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.entries import CapacitySpan, DemandPoint, Event, Tenure
from reaper.domain.money.ledger import Ledger, Terms
from reaper.domain.money.waste import Waits
from reaper.domain.prices.rates import Kind, Rate, RateCard
from tests.books import HOUR, MINUTE, TEN, room, run_of, tenure_of, track_of

SPAN = 6 * 3600
"""Length of the span under test, from TEN on; seconds."""

LETTERS = "ALHEX?!"
DEVICES = {f"GPU-{number}": f"node{number // 4 + 1}" for number in range(8)}
KINDS = ("verified", "reverted", "given back", "would release", "case closed")

seconds = st.integers(min_value=-2 * 3600, max_value=SPAN + 2 * 3600).map(lambda at: TEN + at)


@st.composite
def tenures(draw: st.DrawFn) -> Tenure:
    """One job's hold on one device, perhaps open, shared, doubtful or restarted."""
    begin = draw(seconds)
    length = draw(st.none() | st.integers(min_value=0, max_value=5 * 3600))
    gpu = draw(st.sampled_from(sorted(DEVICES)))
    job, restarts = draw(st.sampled_from("123456")), draw(st.integers(0, 1))
    return tenure_of(
        job,
        gpu,
        begin,
        None if length is None else begin + length,
        run=run_of(job, started=begin, restarts=restarts),
        node=DEVICES[gpu],
        owner=draw(st.sampled_from(["mira", "otto"])),
        purpose=draw(st.sampled_from([Purpose.INTERACTIVE, Purpose.TRAINING])),
        share=draw(st.sampled_from([1.0, 1.0, 0.5, 3 / 7])),
        limit=draw(st.none() | seconds),
        startup_until=draw(st.none() | st.just(begin)),
        doubt=draw(st.sampled_from(["", "", "", "no index"])),
    )


def letters() -> st.SearchStrategy[str]:
    """Stretches of letters, long enough that some of them are waste."""
    stretch = st.tuples(st.sampled_from(LETTERS), st.integers(min_value=1, max_value=90))
    return st.lists(stretch, min_size=1, max_size=12).map(
        lambda drawn: "".join(letter * count for letter, count in drawn)
    )


@st.composite
def capacity(draw: st.DrawFn) -> CapacitySpan:
    """Some GPUs of a node in a state for a while."""
    begin = draw(seconds)
    length = draw(st.none() | st.integers(min_value=0, max_value=5 * 3600))
    return room(
        draw(st.integers(1, 4)),
        begin,
        node=draw(st.sampled_from(["node1", "node2"])),
        state=draw(st.sampled_from(["up", "up", "down", "drained", "reserved"])),
        end=None if length is None else begin + length,
        stranded=draw(st.sampled_from([0.0, 0.0, 1 / 7])),
    )


@st.composite
def ledgers(draw: st.DrawFn) -> Ledger:
    """Books of a few hours around TEN."""
    held = tuple(draw(st.lists(tenures(), max_size=8)))
    events = st.builds(
        Event,
        at=seconds,
        kind=st.sampled_from(KINDS),
        run_key=st.sampled_from([tenure.run.key for tenure in held] or [""]),
    )
    first = int(TEN // MINUTE)
    waits = st.integers(min_value=first, max_value=first + SPAN // MINUTE)
    return Ledger(
        tenures=held,
        tracks={gpu: track_of(TEN - HOUR, draw(letters())) for gpu in DEVICES},
        capacity=tuple(draw(st.lists(capacity(), max_size=5))),
        events=tuple(draw(st.lists(events, max_size=5))),
        demand=tuple(
            DemandPoint(minute=minute, gpus=1)
            for minute in sorted(draw(st.sets(waits, max_size=9)))
        ),
    )


def terms() -> Terms:
    """Terms under which prices change in the middle of the span."""
    middle = TEN + SPAN / 2
    rates = (
        Rate(amount=Decimal("2.5"), currency="EUR", end=middle),
        Rate(amount=Decimal(3), currency="USD", kind=Kind.SPOT, begin=middle),
    )
    return Terms(
        rates=RateCard(rates=rates),
        waits=Waits(by_purpose={Purpose.INTERACTIVE: 0.5 * HOUR}, otherwise=HOUR),
    )
