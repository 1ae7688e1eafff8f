"""Simulations from a configuration and a store or drawn files: for the command."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from exporter.contract.scenario import Scenario
from reaper.app.compose import rules as composed
from reaper.app.past.drawn import surrounded
from reaper.app.past.pasts import from_scenario
from reaper.app.past.pasts_ledger import from_ledger
from reaper.config import Configuration
from reaper.config.drawn import named
from reaper.cycle.rules import Rules
from reaper.cycle.simulation.fates import Fate, Sum, fates, grouped, summed
from reaper.cycle.simulation.past import Past, PastRun
from reaper.cycle.simulation.play import play
from reaper.domain.facts.sign import Sign
from reaper.domain.reason import Words
from reaper.ports import Books, Store

#: The policies of the configuration, as a name of policies.
CURRENT = "current"

People = Literal["unknown", "away"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """One set of policies over one past."""

    policies: str
    sum: Sum
    by_policy: dict[str, Sum]
    fates: tuple[Fate, ...]
    interlocks: tuple[Words, ...]
    """What would have stopped every act, each with its reason."""
    visits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """
    What the proposed policies would have done from `begin` to `end`, and others beside them.

    `letters_only` says that only letters are known of the past: nothing of people, hosts and
    requests.  `drawn` says that all of that is drawn; else it is known of as many runs as the sums
    tell.
    """

    source: str
    begin: float
    end: float
    runs: int
    devices: int
    currency: str
    back_within: float
    letters_only: bool
    drawn: bool
    people: People
    proposed: Simulated
    against: Simulated | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be simulated: policies by file or name, and what is assumed."""

    proposed: str
    against: str | None
    back_within: float
    people: People
    lifts_after: float


async def from_store(
    store: Store, configuration: Configuration, asked: Asked, *, last: float, now: float
) -> Simulation:
    """Simulate over the `last` seconds of what the store has recorded."""
    rules = composed(configuration)
    async with store.reading() as books:
        begin, end = await _recorded(books, last, now)
        past = await from_ledger(books, begin=begin, end=end, pace=rules.pace)
    return simulation(past, configuration, asked, source="the ledger", drawn=False)


async def _recorded(books: Books, last: float, now: float) -> tuple[float, float]:
    """
    Return the span to simulate over, no longer than anything was recorded.

    Runs are older than the first look at them: the nodes tell when that was.  A reaper on a fast
    clock has recorded what lies ahead of `now`.
    """
    picture = await books.picture()
    end = now if picture is None else max(now, picture.at)
    begin = end - last
    seen = [span.begin for span in await books.capacity(begin, end)]
    first = min(seen or (held.begin for held in await books.tenures(begin, end)), default=end)
    return max(begin, first), end


def from_file(
    scenario: Scenario, source: Path, configuration: Configuration, asked: Asked
) -> Simulation:
    """Simulate over a drawn scenario, with the budgets, interlocks and exemptions that it draws."""
    rules = composed(configuration)
    past = from_scenario(scenario, cluster=rules.cluster, pace=rules.pace)

    def as_drawn(usual: Rules) -> Rules:
        return surrounded(usual, scenario, source=source, base=configuration)

    return simulation(past, configuration, asked, source=str(source), drawn=True, around=as_drawn)


def _as_they_are(rules: Rules) -> Rules:
    return rules


def simulation(
    past: Past,
    configuration: Configuration,
    asked: Asked,
    *,
    source: str,
    drawn: bool,
    around: Callable[[Rules], Rules] = _as_they_are,
) -> Simulation:
    """
    Decide a past again, under the proposed policies and those to compare them with.

    `around` changes of their rules what is not policy.
    """
    known = past
    if not drawn and asked.people == "away":
        known = replace(past, runs=tuple(_away(run) for run in past.runs))
    gpus = {gpu for run in past.runs for gpu in run.allocation.gpus}
    kept = any(run.history and run.history.entries for run in past.runs)
    return Simulation(
        source=source,
        begin=past.begin,
        end=past.end,
        runs=len(past.runs),
        devices=len(gpus),
        currency=configuration.currency,
        back_within=asked.back_within,
        letters_only=not (drawn or kept),
        drawn=drawn,
        people=asked.people,
        proposed=_simulated(known, around(_rules(configuration, asked.proposed)), asked),
        against=None
        if asked.against is None
        else _simulated(known, around(_rules(configuration, asked.against)), asked, against=True),
    )


def _simulated(past: Past, rules: Rules, asked: Asked, *, against: bool = False) -> Simulated:
    played = play(past, rules, lifts_after=asked.lifts_after)
    found = fates(past, played, rules, back_within=asked.back_within)
    return Simulated(
        policies=(asked.against or "") if against else asked.proposed,
        sum=summed(found),
        by_policy=dict(grouped(found, lambda fate: fate.policy)),
        fates=found,
        interlocks=tuple(event.text for event in played.events if event.kind == "interlock"),
        visits=played.visits,
    )


def _rules(configuration: Configuration, name: str) -> Rules:
    usual = composed(configuration)
    if name == CURRENT:
        return usual
    found = named(name, base=Path(), hours=configuration.hours)
    exemptions = (*found.exemptions, *usual.exemptions)
    return replace(usual, policies=found.policies, exemptions=exemptions)


def _away(run: PastRun) -> PastRun:
    """Take the person for away since the run began, wherever nothing of it is kept."""
    return replace(run, signs=partial(_alone, begin=run.begin))


def _alone(now: float, *, begin: float) -> tuple[Sign, ...]:
    return (Sign(kind="shell", last_seen=begin, as_of=now),)


def differing(simulation: Simulation) -> Sequence[tuple[Fate | None, Fate | None]]:
    """Return the runs that the two sets of policies release at different times, or one only."""
    if simulation.against is None:
        return ()
    ours = {fate.run_key: fate for fate in simulation.proposed.fates}
    theirs = {fate.run_key: fate for fate in simulation.against.fates}
    keys = dict.fromkeys((*ours, *theirs))
    pairs = ((ours.get(key), theirs.get(key)) for key in keys)
    return tuple(
        (one, other) for one, other in pairs if (one and one.released) != (other and other.released)
    )
