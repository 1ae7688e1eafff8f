"""A busy week of an invented cluster and the weeks before it, for pages that people look at."""

import random
from dataclasses import replace
from datetime import UTC
from decimal import Decimal
from functools import cache

from reaper.domain.escalation.case import Case, State
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.track import Track
from reaper.domain.money.calendar import Week
from reaper.domain.money.closing import Closed
from reaper.domain.money.entries import CapacitySpan, DemandPoint, Event, Tenure
from reaper.domain.money.figures import Figures
from reaper.domain.money.ledger import Ledger, Terms
from reaper.domain.prices.amounts import Amounts
from reaper.domain.prices.rates import Rate, RateCard
from reaper.reports.past import closed, of_week
from reaper.reports.week import Context, WeekReport
from reaper.store.memory import MemoryStore
from tests.books import HOUR, MINUTE, run_of, tenure_of
from tests.reports import stored

WEEK = Week(year=2026, number=10, zone=UTC)
NOW = WEEK.end + 8 * HOUR
MODELS = {"A100-SXM4-80GB": 6, "H100-SXM5-80GB": 3, "L40S": 3}
TEAMS = {
    "vision": ("mira", "otto", "ana"),
    "speech": ("zoe", "emil"),
    "language": ("nora", "juri", "ida", "tom"),
    "robotics": ("lena",),
    "protein-folding": ("ben", "eva"),
    "teaching": ("kurs1", "kurs2"),
    "guests": ("gast",),
}
POLICIES = ("notebooks 3f2a91 (notify)", "quiet-training 77b0c2 (observe)")


def terms() -> Terms:
    """Give prices of two currencies, one that changes in the week and one model without."""
    middle = WEEK.begin + 3 * 24 * HOUR
    return Terms(
        rates=RateCard(
            rates=(
                Rate(amount=Decimal("2.10"), currency="EUR", model="*A100*", end=middle),
                Rate(amount=Decimal("2.30"), currency="EUR", model="*A100*", begin=middle),
                Rate(amount=Decimal("4.40"), currency="EUR", model="*H100*"),
            )
        )
    )


@cache
def ledger(seed: int = 3) -> Ledger:
    """Write a week of jobs on a dozen nodes, with notebooks left open and jobs that hang."""
    chance = random.Random(seed)
    tenures: list[Tenure] = []
    tracks: dict[str, Track] = {}
    rooms: list[CapacitySpan] = []
    number = 0
    for model, nodes in MODELS.items():
        for _ in range(nodes):
            number += 1
            node = f"gpu{number:02}"
            rooms += _rooms(node, model)
            found = _jobs(chance, node, model)
            tenures += [tenure for tenure, _ in found]
            tracks |= _tracks(chance, node, found)
    return Ledger(
        cluster="aurora",
        tenures=tuple(tenures),
        tracks=tracks,
        capacity=tuple(rooms),
        events=tuple(_events(chance, tenures)),
        demand=tuple(
            DemandPoint(minute=int(WEEK.begin // MINUTE) + minute, gpus=chance.randrange(1, 9))
            for minute in range(10_080)
            if (minute // 300) % 3 == 0
        ),
    )


def _rooms(node: str, model: str) -> list[CapacitySpan]:
    since = WEEK.begin - 40 * 24 * HOUR
    room = CapacitySpan(node=node, model=model, gpus=8, state="up", begin=since, end=None)
    if node != "gpu03":
        return [room]
    ended = WEEK.begin + 130 * HOUR
    return [
        replace(room, end=ended),
        replace(room, state="drained", begin=ended),
    ]


def _jobs(chance: random.Random, node: str, model: str) -> list[tuple[Tenure, bool]]:
    """Return jobs that follow each other on each pair of devices, and whether they were left."""
    found = []
    for first in range(0, 8, 2):
        at = WEEK.begin - chance.uniform(0, 10) * HOUR
        while at < WEEK.end:
            team = chance.choice(list(TEAMS)[:6] if chance.random() < 0.98 else list(TEAMS))
            purpose = chance.choice([Purpose.TRAINING] * 3 + [Purpose.INTERACTIVE, Purpose.OTHER])
            end = at + chance.uniform(2, 30) * HOUR
            job = f"{node}{first}{int(at) % 100_000}"
            left = chance.random() < (0.7 if purpose is Purpose.INTERACTIVE else 0.2)
            found += _pair(chance, (job, node, first), (at, end), (team, purpose, model), left=left)
            at = end + chance.uniform(0, 6) * HOUR
    return found


def _pair(
    chance: random.Random,
    where: tuple[str, str, int],
    when: tuple[float, float],
    what: tuple[str, Purpose, str],
    *,
    left: bool,
) -> list[tuple[Tenure, bool]]:
    (job, node, first), (at, end), (team, purpose, model) = where, when, what
    owner = chance.choice(TEAMS[team])
    return [
        (
            tenure_of(
                job,
                f"{node}-{index}",
                at,
                end,
                run=replace(run_of(job, started=at), cluster="aurora"),
                node=node,
                owner=owner,
                team=team,
                purpose=purpose,
                model=f"NVIDIA {model}",
                partition="dev" if purpose is Purpose.INTERACTIVE else "gpu",
                startup_until=None,
                limit=at + 48 * HOUR,
            ),
            left,
        )
        for index in (first, first + 1)
    ]


def _tracks(chance: random.Random, node: str, found: list[tuple[Tenure, bool]]) -> dict[str, Track]:
    first = int((WEEK.begin - 2 * HOUR) // MINUTE)
    minutes = 10_080 + 240
    drawn = {f"{node}-{index}": ["E"] * minutes for index in range(8)}
    for tenure, left in found:
        begin = max(0, int(tenure.begin // MINUTE) - first)
        end = min(minutes, int((tenure.end or WEEK.end) // MINUTE) - first)
        leaves = begin + int((end - begin) * chance.uniform(0.2, 0.6)) if left else end
        lame = tenure.gpu.endswith(("1", "5")) and chance.random() < 0.12
        for minute in range(begin, end):
            working = minute < leaves and not lame
            letter = chance.choice("AAAAAAAL") if working else "H"
            drawn[tenure.gpu][minute] = letter
    if node == "gpu09":
        for letters in drawn.values():
            letters[3000:4300] = "?" * 1300
    return {gpu: Track(start=first, letters="".join(letters)) for gpu, letters in drawn.items()}


def _events(chance: random.Random, tenures: list[Tenure]) -> list[Event]:
    ended = [one for one in tenures if one.end and WEEK.begin < one.end < WEEK.end]
    idle = [one for one in ended if one.purpose is Purpose.INTERACTIVE]
    found = []
    for number, one in enumerate(chance.sample(idle, min(24, len(idle)))):
        at = one.end or 0.0
        numbers = {"idle_seconds": chance.uniform(3600, 30_000)}
        before = Event(at=at - 7 * HOUR, kind="warning", run_key=one.run.key, text="warned")
        kind = ("verified", "given back", "case closed")[number % 3]
        found += [
            before,
            Event(at=at - 5 * HOUR, kind="would release", run_key=one.run.key, numbers=numbers),
            Event(at=at, kind=kind, run_key=one.run.key, text=kind),
        ]
    looked = {"run_key": idle[0].run.key, "numbers": {"suspect": 1.0}}
    for day in (1, 2):
        text = f"{idle[0].run}: a blip every 30 min for {day} d"
        found.append(Event(at=WEEK.begin + day * 86400, kind="advice", text=text, **looked))
    found.append(Event(at=WEEK.begin + 9 * HOUR, kind="dispute", text="still needed", by="zoe"))
    return found


def _cases() -> list[Case]:
    """Return a case of every run that was left long enough."""
    outcomes = ("activity returned", "released", "ended by itself", "its person came back")
    runs = {one.run.key: one for one in ledger().tenures if one.purpose is Purpose.INTERACTIVE}
    return [
        Case(
            id=f"case-{number}",
            run=one.run,
            owner=one.owner,
            policy="notebooks",
            policy_version="3f2a91",
            mode="notify",
            opened=max(WEEK.begin, one.begin) + HOUR,
            devices=2,
            warned=(max(WEEK.begin, one.begin) + HOUR,) * (1 + number % 2),
            state=State.CLOSED,
            closed=WEEK.end - HOUR,
            outcome=outcomes[number % 4],
        )
        for number, one in enumerate(runs.values())
    ]


# ------------------------------------------------------------------ the weeks before


def scaled(week: Closed, back: int, share: float) -> Closed:
    """Return an earlier week that wasted another share."""
    earlier = WEEK.shifted(-back)
    policies = POLICIES if back < 5 else (POLICIES[1],)
    total = _scaled(week.closing.total, share)
    head = replace(
        week.closing,
        week=str(earlier),
        begin=earlier.begin,
        end=earlier.end,
        asked=(earlier.begin, earlier.end),
        as_of=earlier.end + 8 * HOUR,
        total=total,
        teams={team: _scaled(one, share) for team, one in week.closing.teams.items()},
        policies=policies,
    )
    return replace(
        week, closing=head, figures={key: _scaled(one, share) for key, one in week.figures.items()}
    )


def _scaled(one: Figures, share: float) -> Figures:
    moved = one.wasted * (share - 1)
    factor = Decimal(str(share))
    scaled_costs = {
        name: Amounts(
            by_currency={
                currency: amount * factor
                for currency, amount in getattr(one.costs, name).by_currency.items()
            }
        )
        for name in ("wasted", "high", "idle")
    }
    return replace(
        one,
        wasted=one.wasted + moved,
        idle=one.idle + moved,
        high=one.high + moved,
        active=max(0.0, one.active - moved),
        costs=replace(one.costs, **scaled_costs),
    )


def context() -> Context:
    """Give the context of the invented cluster."""
    return Context(
        cluster="aurora",
        zone=UTC,
        zone_name="UTC",
        terms=terms(),
        policies=POLICIES,
        page="http://127.0.0.1:9402/",
    )


async def store(weeks: int = 13) -> MemoryStore:
    """Give a store with the week closed, and so many before it, one of them restated."""
    kept = await stored(ledger(), terms())
    epoch = await kept.lead("gallery", 1.0)
    async with kept.transaction(epoch) as books:
        for case in _cases():
            await books.keep_case(case)
    week = await _closed(kept)
    async with kept.transaction(epoch) as books:
        for back in range(weeks, 0, -1):
            share = 1.9 - 0.06 * (weeks - back) if back > 4 else 1.05 + 0.06 * back
            await books.keep_closed(scaled(week, back, share))
        again = scaled(week, 2, 1.2)
        await books.keep_closed(replace(again, closing=replace(again.closing, version=2)))
        await books.keep_closed(week)
    return kept


async def _closed(kept: MemoryStore) -> Closed:
    """Return the week's closing, made once: it is the same for every test."""
    if not _KEPT:
        async with kept.reading() as books:
            _KEPT.append(await closed(books, context(), WEEK, now=NOW))
    return _KEPT[0]


_KEPT: list[Closed] = []


async def report() -> WeekReport:
    """Give the report of the week."""
    kept = await store()
    async with kept.reading() as books:
        return await of_week(books, context(), str(WEEK), now=NOW)
