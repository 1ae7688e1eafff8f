"""Books written by hand: tenures, tracks and capacity of the worked example and of small cases."""

from datetime import UTC, datetime
from decimal import Decimal

from reaper.domain.facts.allocation import Purpose, Run
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import RELEASED, CapacitySpan, Event, Tenure
from reaper.domain.money.ledger import Ledger, Terms
from reaper.domain.money.waste import Waits
from reaper.domain.prices.rates import Rate, RateCard

HOUR = 3600.0
MINUTE = 60
MODEL = "A100"


def at(text: str) -> float:
    """Read ``2026-03-08 10:20`` as an instant in UTC."""
    return datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=UTC).timestamp()


def run_of(job: str, *, started: float, restarts: int = 0) -> Run:
    """Make a run of an invented job."""
    return Run(cluster="alpha", platform="slurm", id=job, key=f"{job}+{restarts}", started=started)


def tenure_of(job: str, gpu: str, begin: float, end: float | None, **fields: object) -> Tenure:
    """Make a tenure that began with its run, without a start-up unless told otherwise."""
    known = {
        "run": run_of(job, started=begin),
        "gpu": gpu,
        "node": "node1",
        "begin": begin,
        "end": end,
        "owner": "mira",
        "team": "vision",
        "purpose": Purpose.TRAINING,
        "model": MODEL,
        "partition": "gpu",
        "startup_until": begin,
    }
    return Tenure(**{**known, **fields})


def track_of(begin: float, letters: str) -> Track:
    """Draw letters from an instant on, one a minute."""
    return Track(start=int(begin // MINUTE), letters=letters)


def room(gpus: int, begin: float, *, node: str = "node1", **fields: object) -> CapacitySpan:
    """Make a node that is up from an instant on."""
    known = {"node": node, "model": MODEL, "gpus": gpus, "state": "up", "begin": begin, "end": None}
    return CapacitySpan(**{**known, **fields})


def priced(amount: str, **fields: object) -> RateCard:
    """Make a card of one rule in EUR."""
    return RateCard(rates=(Rate(amount=Decimal(amount), currency="EUR", **fields),))


# ------------------------------------------------------------------ the worked example

TEN = at("2026-03-08 10:00")
"""A Sunday: the ISO week of UTC ends at 24:00."""
MIDNIGHT = TEN + 14 * HOUR
GPUS = tuple(f"GPU-{number}" for number in range(8))


def worked_terms(wait: float) -> Terms:
    """Give the terms of the worked example with a threshold."""
    return Terms(rates=priced("2.50"), waits=Waits(by_purpose={}, otherwise=wait))


def worked_example() -> Ledger:
    """Write the books of the design's worked example."""
    held = tuple(
        tenure_of(
            "4711",
            gpu,
            TEN,
            TEN + 10 * HOUR,
            limit=TEN + 24 * HOUR,
            startup_until=TEN + 20 * MINUTE,
        )
        for gpu in GPUS
    )
    others = tuple(
        tenure_of("4712", gpu, TEN + 11 * HOUR, MIDNIGHT, owner="otto") for gpu in GPUS[:4]
    )
    return Ledger(
        cluster="alpha",
        tenures=held + others,
        tracks={gpu: _worked_track(number) for number, gpu in enumerate(GPUS)},
        capacity=(room(8, TEN),),
        events=(
            Event(at=TEN + 10 * HOUR, kind=RELEASED, run_key="4711+0", text="slurm/4711 is gone"),
        ),
    )


def _worked_track(number: int) -> Track:
    morning = "A" if number < 3 else "H"
    evening = "A" if number < 4 else "E"
    letters = "H" * 20 + morning * 220 + "H" * 60 + "?" * 30 + "H" * 270 + "E" * 60
    return track_of(TEN, letters + evening * 180)
