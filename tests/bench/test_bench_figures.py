"""One week of tracks at 10,000 GPUs becomes figures: the time beside the 60 s that are allowed."""

import random
import time
from decimal import Decimal

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.track import Track
from reaper.domain.money.account import account
from reaper.domain.money.entries import CapacitySpan, DemandPoint, Event, Tenure
from reaper.domain.money.ledger import Ledger, Terms
from reaper.domain.prices.rates import Rate, RateCard
from tests.bench.sizes import sized
from tests.books import HOUR, MINUTE, room, run_of, tenure_of

GPUS = sized(10_000, 1_000)
A_NODE = 8
WEEK = 7 * 24 * HOUR
BEGIN = 20_520 * 86_400.0
LIMIT = 60.0
"""Seconds in which a week must be rebuilt."""


@pytest.mark.timeout(1800)
def test_a_week_of_ten_thousand_gpus():
    chance = random.Random(7)
    ledger = week(chance)
    rates = (
        Rate(amount=Decimal("2.5"), currency="EUR", end=BEGIN + WEEK / 2),
        Rate(amount=Decimal("2.7"), currency="EUR", begin=BEGIN + WEEK / 2),
    )
    before = time.perf_counter()
    accounts = account(
        ledger, begin=BEGIN, end=BEGIN + WEEK, terms=Terms(rates=RateCard(rates=rates))
    )
    took = time.perf_counter() - before
    stretches = sum(track.letters.count("AH") for track in ledger.tracks.values())

    assert abs(accounts.total.states - accounts.total.calendar) < 1
    print(
        f"\nfigures of a week: {took:.1f} s for {GPUS:,} GPUs, {len(ledger.tenures):,} tenures, "
        f"{stretches:,} idle stretches (allowed {LIMIT:g} s); "
        f"identity off by {accounts.total.states - accounts.total.calendar:.6f} GPU-s"
    )


def week(chance: random.Random) -> Ledger:
    """Nodes that jobs of a few hours to days fill almost wholly, each job on one node."""
    tenures: list[Tenure] = []
    tracks: dict[str, Track] = {}
    rooms: list[CapacitySpan] = []
    for number in range(GPUS // A_NODE):
        node = f"gpu{number:04}"
        rooms.append(room(A_NODE, BEGIN - WEEK, node=node))
        gpus = [f"{node}-{index}" for index in range(A_NODE)]
        tenures += jobs(chance, node, gpus)
        tracks |= {gpu: Track(start=int(BEGIN // MINUTE), letters=played(chance)) for gpu in gpus}
    released = chance.sample(tenures, 200)
    return Ledger(
        cluster="alpha",
        tenures=tuple(tenures),
        tracks=tracks,
        capacity=tuple(rooms),
        events=tuple(
            Event(at=one.end or BEGIN, kind="verified", run_key=one.run.key) for one in released
        ),
        demand=tuple(
            DemandPoint(minute=int(BEGIN // MINUTE) + minute, gpus=chance.randrange(3))
            for minute in range(10_080)
        ),
    )


def jobs(chance: random.Random, node: str, gpus: list[str]) -> list[Tenure]:
    """Jobs that follow each other on a node, of one to all of its GPUs."""
    found = []
    width = chance.choice([1, 2, 4, 8])
    for first in range(0, A_NODE, width):
        at = BEGIN - chance.uniform(0, 20) * HOUR
        while at < BEGIN + WEEK:
            end = at + chance.uniform(1, 40) * HOUR
            job = f"{node}-{first}-{int(at)}"
            run = run_of(job, started=at)
            found += [
                tenure_of(
                    job,
                    gpu,
                    at,
                    end,
                    run=run,
                    node=node,
                    owner=f"user{chance.randrange(300)}",
                    purpose=chance.choice(list(Purpose)),
                    startup_until=None,
                )
                for gpu in gpus[first : first + width]
            ]
            at = end + chance.uniform(0, 0.5) * HOUR
    return found


def played(chance: random.Random) -> str:
    """A week of letters in which work and pauses alternate, every ten minutes on average."""
    letters = []
    length = 0
    while length < 10_080:
        count = min(1 + int(chance.expovariate(1 / 10)), 10_080 - length)
        letters.append(chance.choice("AAAAHHEL?X") * count)
        length += count
    return "".join(letters)
