"""Everything a running reaper is made of, built and not yet started."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from reaper.board import Answer, Board, Tally
from reaper.cycle.ownership.owners import PEOPLE
from reaper.cycle.rules import Rules
from reaper.cycle.turn import Cycle
from reaper.domain.facts.allocation import Inventory
from reaper.domain.facts.grid import Pace
from reaper.observers import Source
from reaper.performers.acting import Enforcer
from reaper.performers.amending import Amender
from reaper.performers.delivery import Deliverer
from reaper.platforms.platform import Recorded
from reaper.ports import (
    Activity,
    Actor,
    Claims,
    Clock,
    Demand,
    Fronting,
    Holder,
    Known,
    Notifier,
    People,
    Person,
    Readings,
    Serving,
    SourceError,
    Store,
)
from reaper.ports.directories import known
from reaper.requests import Requests

#: Seconds between two questions to a source, as shares of a step of the grid.
_SCRAPE: Final = 0.25
_CLAIMS: Final = 0.5

#: Longest time for one answer of a source; wall seconds.
_PATIENCE: Final = 30.0

Ask = Callable[[], Awaitable[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """The adapters of one cluster, by role."""

    activities: tuple[Activity, ...] = ()
    holders: tuple[Holder, ...] = ()
    fronts: tuple[Fronting, ...] = ()
    demands: tuple[Demand, ...] = ()
    servings: tuple[Serving, ...] = ()
    actors: Mapping[str, Actor] = field(default_factory=dict)
    commands: Mapping[str, str] = field(default_factory=dict)
    """How users of a platform end a run themselves, with ``{id}`` for its id."""
    people: tuple[People, ...] = ()
    notifiers: tuple[Notifier, ...] = ()
    recorded: Mapping[str, Recorded] = field(default_factory=dict)
    """By platform: the books that it keeps of its own."""
    closings: tuple[Callable[[], Awaitable[None]], ...] = ()
    """What is done when nobody asks any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The core wired to its adapters, under one leader's epoch."""

    rules: Rules
    clock: Clock
    store: Store
    epoch: int
    board: Board
    cycle: Cycle
    deliverer: Deliverer
    amender: Amender
    enforcer: Enforcer
    requests: Requests
    sources: tuple[Source, ...]


def wire(
    *,
    rules: Rules,
    clock: Clock,
    store: Store,
    epoch: int,
    adapters: Adapters,
    rate: float = 1.0,
    key: bytes = b"",
    page: str = "",
) -> Parts:
    """
    Wire the core to its adapters; `rate` is how many times as fast the clock runs.

    `key` signs the right to answer a notice, `page` is where people reach the pages.
    """
    board, tally = Board(), Tally()
    sources = tuple(
        replace(source, slow_after=source.slow_after * rate)
        for source in _sources(adapters, rules, board, clock)
    )
    for source in sources:
        board.expect(source=source.name, role=source.role)
    deliverer = Deliverer(
        store=store,
        clock=clock,
        epoch=epoch,
        notifiers=adapters.notifiers,
        people=adapters.people,
        page=page,
        key=key,
        tally=tally,
    )
    return Parts(
        rules=rules,
        clock=clock,
        store=store,
        epoch=epoch,
        board=board,
        cycle=Cycle(rules=rules, board=board, store=store, clock=clock, epoch=epoch, tally=tally),
        deliverer=deliverer,
        amender=_amender(deliverer),
        enforcer=Enforcer(
            store=store,
            clock=clock,
            epoch=epoch,
            pace=rules.pace,
            actors=adapters.actors,
            activities=adapters.activities,
            thresholds=rules.thresholds,
            killed=rules.kill_switch,
            tally=tally,
            before=board.good,
        ),
        requests=_requests(rules, deliverer, adapters),
        sources=sources,
    )


def _requests(rules: Rules, deliverer: Deliverer, adapters: Adapters) -> Requests:
    return Requests(
        store=deliverer.store,
        clock=deliverer.clock,
        policies=rules.policies,
        epoch=deliverer.epoch,
        people=adapters.people,
        zone=rules.zone,
        commands=adapters.commands,
    )


def _amender(deliverer: Deliverer) -> Amender:
    """Return who changes what a deliverer has sent."""
    return Amender(
        store=deliverer.store,
        clock=deliverer.clock,
        epoch=deliverer.epoch,
        notifiers=deliverer.notifiers,
        people=deliverer.people,
        page=deliverer.page,
        key=deliverer.key,
    )


def _sources(adapters: Adapters, rules: Rules, board: Board, clock: Clock) -> Iterator[Source]:
    scrape, claims = rules.pace.step * _SCRAPE, rules.pace.step * _CLAIMS
    for activity in adapters.activities:
        ask = partial(_readings, activity, rules.pace, clock)
        # A large cluster's round may take half a minute without being a burden.
        yield replace(
            _source(activity.name, "activity", ask, scrape), slow_after=rules.pace.step / 2
        )
        if not activity.sees_people:
            people = partial(_people, activity, board, clock)
            yield _source(activity.name, "presence", people, rules.pace.step)
    for holder in adapters.holders:
        yield _source(holder.name, "holder", partial(_claims, holder, board), claims)
    for front in adapters.fronts:
        yield _source(front.name, "front", front.wraps, claims)
    for demand in adapters.demands:
        yield _source(demand.name, "demand", demand.waiting, claims)
    if adapters.people:
        owners = partial(_owners, adapters.people, board, clock)
        yield _source("directories", PEOPLE, owners, rules.pace.step)
    for serving in adapters.servings:
        yield _source(serving.name, "serving", partial(_answered, serving, board), claims)


def _source(name: str, role: str, ask: Ask, interval: float) -> Source:
    return Source(name=name, role=role, ask=ask, interval=interval, patience=_PATIENCE)


async def _readings(activity: Activity, pace: Pace, clock: Clock) -> Answer:
    return await activity.readings(pace.minute(clock.now()))


async def _people(activity: Activity, board: Board, clock: Clock) -> Answer:
    """Ask the nodes of open cases; what they say of people comes with the next round."""
    nodes = sorted(board.watched)
    return Readings(as_of=(await activity.ask(nodes)).as_of if nodes else clock.now())


async def _owners(people: Sequence[People], board: Board, clock: Clock) -> Answer:
    """Ask who the owners of open cases are; who cannot be told keeps nobody else unknown."""
    found: dict[str, Person | None] = {}
    failed: SourceError | None = None
    for user in sorted(board.owners):
        try:
            found[user] = await known(people, user)
        except SourceError as error:
            failed = error
    if failed is not None and not found:
        raise failed
    return Known(as_of=clock.now(), people=found)


async def _claims(holder: Holder, board: Board) -> Answer:
    devices = {node: report.devices for node, report in board.good.items()}
    return await holder.claims(Inventory(devices=devices))


async def _answered(serving: Serving, board: Board) -> Answer:
    posts = (post.answer for post in board.of("holder"))
    claims = [claim for answer in posts if isinstance(answer, Claims) for claim in answer.claims]
    return await serving.answered(claims)
