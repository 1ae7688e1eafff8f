"""
The two weeks before a demonstration, so that questions about weeks have answers.

Invented like the morning itself, and written once, into books that are empty: the same people on
the same GPUs, whose policy for notebooks came into force half-way.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from exporter.contract.scenario import Scenario
from reaper.activity.recorded.counting import devices
from reaper.domain.facts.allocation import Purpose, Run
from reaper.domain.facts.device import Device
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import RELEASED, CapacitySpan, Event, Tenure
from reaper.platforms.recorded.scheduler import PLATFORM
from reaper.ports import Store

DAYS: Final = 14
"""Days that are written; the policy changed after half of them."""

_DAY: Final = 86400.0
_HOUR: Final = 3600.0
_MINUTE: Final = 60.0
#: The morning's own jobs began up to so long before it: what is written ends before that.
_BEFORE: Final = 12 * _HOUR


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """
    What somebody does every working day: from when, on which GPUs, as letters a minute.

    `after` are the letters since the policy changed: shorter ones end by a release.
    """

    user: str
    team: str
    purpose: Purpose
    partition: str
    node: str
    gpus: range
    hour: float
    before: str
    after: str = ""

    def letters(self, *, changed: bool) -> str:
        """Return its letters of a day."""
        return self.after if changed and self.after else self.before


def _habit(user: str, team: str, node: str, gpus: range, hour: float, *drawn: str) -> Habit:
    purpose = Purpose.TRAINING if len(drawn) == 1 else Purpose.INTERACTIVE
    partition = "batch" if purpose is Purpose.TRAINING else "interactive"
    before, after = drawn[0], drawn[-1] if len(drawn) > 1 else ""
    return Habit(
        user=user,
        team=team,
        purpose=purpose,
        partition=partition,
        node=node,
        gpus=gpus,
        hour=hour,
        before=_spelt(before),
        after=_spelt(after),
    )


def _spelt(drawn: str) -> str:
    """Return the letters of a drawing as scenarios write it."""
    parts = (part.partition("*") for part in drawn.split())
    return "".join(letter * int(count or 1) for letter, _, count in parts)


HABITS: Final = (
    _habit("mira", "vision", "gpu01", range(1), 9, "A*120 H*480", "A*120 H*45"),
    _habit("otto", "speech", "gpu01", range(1, 2), 10, "A*60 H*420", "A*60 H*45"),
    _habit("ines", "vision", "gpu01", range(2, 4), 8, "A*840"),
    _habit("kofi", "speech", "gpu02", range(4), 7, "A*600 H*60 A*300"),
    _habit("tariq", "robotics", "gpu03", range(2), 9, "A*30 E*540", "A*30 E*45"),
    _habit("kofi", "speech", "gpu03", range(2, 4), 11, "A*480"),
)
"""The week of this cluster, Monday to Friday."""


async def remember(store: Store, scenario: Scenario, version: str, epoch: float) -> None:
    """Write the weeks before `epoch` into a store that has none; `version` is the policy's."""
    fence = await store.lead("the weeks before", epoch)
    async with store.transaction(fence) as books:
        if await books.capacity(0.0, epoch):
            return
        cards = {item.name: devices(item) for item in scenario.nodes}
        first = _first(epoch)
        await books.keep_capacity(list(_capacity(cards, first)))
        tenures, events, tracks = _told(cards, first)
        await books.keep_tenures(tenures)
        await books.append_events(sorted(events, key=lambda event: event.at))
        await books.append_minutes(tracks)
        await books.policy_since(version, first + DAYS / 2 * _DAY)


def _first(epoch: float) -> float:
    last = datetime.fromtimestamp(epoch - _BEFORE, UTC).replace(
        hour=0, minute=0, second=0, microsecond=0
    )
    return (last - timedelta(days=DAYS)).timestamp()


def _capacity(cards: Mapping[str, tuple[Device, ...]], first: float) -> Iterator[CapacitySpan]:
    for node, found in cards.items():
        yield CapacitySpan(
            node=node, model=found[0].model, gpus=len(found), state="up", begin=first, end=None
        )


def _told(
    cards: Mapping[str, tuple[Device, ...]], first: float
) -> tuple[list[Tenure], list[Event], Mapping[str, Track]]:
    """Return who held what, how that ended, and the letters of every device in between."""
    tenures: list[Tenure] = []
    events: list[Event] = []
    minutes = {one.gpu: ["E"] * (DAYS * 1440) for found in cards.values() for one in found}
    for number in range(DAYS):
        day = first + number * _DAY
        if datetime.fromtimestamp(day, UTC).weekday() > 4:
            continue
        changed = 2 * number >= DAYS
        for place, habit in enumerate(HABITS):
            begin = day + habit.hour * _HOUR
            letters = habit.letters(changed=changed)
            run = _run(f"{3000 + 10 * number + place}", begin)
            end = begin + len(letters) * _MINUTE
            released = changed and bool(habit.after)
            events += _events(run, end, released=released)
            for index in habit.gpus:
                device = cards[habit.node][index]
                tenures.append(_tenure(habit, run, device, end))
                at = round((begin - first) / _MINUTE)
                minutes[device.gpu][at : at + len(letters)] = letters
    start = Pace().minute(first)
    tracks = {gpu: Track(start=start, letters="".join(drawn)) for gpu, drawn in minutes.items()}
    return tenures, events, tracks


def _run(ident: str, begin: float) -> Run:
    return Run(
        cluster="demo", platform=PLATFORM, id=ident, key=f"{ident}@{begin:.0f}", started=begin
    )


def _tenure(habit: Habit, run: Run, device: Device, end: float) -> Tenure:
    return Tenure(
        run=run,
        gpu=device.gpu,
        node=device.node,
        begin=run.started,
        end=end,
        owner=habit.user,
        team=habit.team,
        purpose=habit.purpose,
        model=device.model,
        partition=habit.partition,
        limit=run.started + 10 * _HOUR,
        startup_until=run.started,
    )


def _events(run: Run, end: float, *, released: bool) -> Iterator[Event]:
    yield Event(at=run.started, kind="run began", run_key=run.key, text=str(run))
    if released:
        yield Event(at=end, kind=RELEASED, run_key=run.key, by="gpu-reaper", text="it is gone")
    yield Event(at=end, kind="run ended", run_key=run.key, text=str(run))
