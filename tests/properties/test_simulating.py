"""A simulation decides as the replay of the same drawing does, and looks at far fewer turns."""

import asyncio
from dataclasses import replace
from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.contract.parts import ScenarioLoad
from exporter.contract.scenario import Scenario
from reaper.app.past.pasts import from_scenario
from reaper.app.past.pasts_ledger import from_ledger
from reaper.app.past.replaying import replay
from reaper.cycle.rules import Rules
from reaper.cycle.simulation.past import Past
from reaper.cycle.simulation.play import play
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import NORMAL
from reaper.domain.judgement.policy import Match, Policy, Rung
from tests.builders import MINUTE, policy
from tests.drawings import crowds, oddities, scenarios
from tests.thoroughness import examples

QUICK = policy(
    Rung(step="warn", after=6 * MINUTE),
    Rung(step="warn", after=8 * MINUTE, final=True),
    Rung(step="release", grace=4 * MINUTE),
    idle_for=8 * MINUTE,
    away_for=3 * MINUTE,
)
policies = st.sampled_from(
    [
        QUICK,
        replace(QUICK, any_hour=False),
        replace(QUICK, demand="waiting"),
        replace(QUICK, also=("warm", "idle, host busy")),
        replace(QUICK, presence_unknown="hold", away_for=20 * MINUTE),
        replace(QUICK, counting=("idle", "low"), rungs=QUICK.rungs[:1]),
    ]
)
DECIDED = ("warning", "final", "release intended", "interlock", "case closed", "given back")


def decided(events) -> list[tuple[float, str, str]]:
    """Return what was decided of cases, when and about whom: a word on a hang belongs to none."""
    of_cases = (e for e in events if e.case_id or e.kind != "warning")
    return sorted((e.at, e.kind, e.run_key) for e in of_cases if e.kind in DECIDED)


def both(scenario: Scenario, chosen: Policy) -> tuple[list, list]:
    """Return what a replay and a simulation decide."""
    rules = Rules(cluster="test", policies=(chosen,))
    replayed = asyncio.run(replay(scenario, rules))
    past = from_scenario(scenario, cluster="test", pace=NORMAL)
    return decided(replayed.events), decided(play(past, rules, lifts_after=None).events)


@given(scenarios(happenings=False), policies)
@settings(max_examples=examples(60))
def test_a_simulation_decides_as_a_replay_does(scenario: Scenario, chosen: Policy) -> None:
    """The same steps at the same minutes, of the same runs."""
    replayed, simulated = both(scenario, chosen)

    assert simulated == replayed


@given(crowds(), policies)
@settings(max_examples=examples(60))
def test_it_does_so_with_hosts_servers_and_blind_minutes(
    scenario: Scenario, chosen: Policy
) -> None:
    """Budgets, interlocks and what is known of hosts and requests included."""
    replayed, simulated = both(scenario, chosen)

    assert simulated == replayed


@given(oddities(), policies)
@settings(max_examples=examples(60))
def test_it_does_so_with_odd_nodes_lying_signals_and_loads_in_numbers(
    scenario: Scenario, chosen: Policy
) -> None:
    """What a letter alone does not tell is measured in a simulation, too."""
    replayed, simulated = both(scenario, chosen)

    assert simulated == replayed


async def recorded(scenario: Scenario) -> Past:
    """Return what the ledger of a reaper without policies knows of a drawing."""
    replayed = await replay(scenario, Rules(cluster="test"))
    async with replayed.store.reading() as books:
        return await from_ledger(books, begin=replayed.begin, end=replayed.end, pace=NORMAL)


def still(scenario: Scenario) -> Scenario:
    """Return a drawing whose hosts are measured and do nothing, their network included."""
    rests = ScenarioLoad(begin=-inf, end=inf, network=1.0)
    held = tuple(replace(item, host_load=(rests,)) for item in scenario.allocations)
    return replace(scenario, allocations=held)


@given(scenarios(happenings=False).map(still))
@settings(max_examples=examples(30))
def test_the_ledger_tells_the_same_of_jobs(scenario: Scenario) -> None:
    """Of jobs on hosts at rest letters are all that decides: nobody sits at them."""
    jobs = replace(QUICK, match=Match(purpose=(Purpose.TRAINING,)))
    rules = Rules(cluster="test", policies=(jobs,))

    replayed = asyncio.run(replay(scenario, rules))
    simulated = play(asyncio.run(recorded(scenario)), rules, lifts_after=None)

    assert decided(simulated.events) == decided(replayed.events)


async def lived(scenario: Scenario, rules: Rules) -> tuple[list, list]:
    """Return what a reaper decides minute by minute, and what its ledger does afterwards."""
    replayed = await replay(scenario, rules, jump=False)
    async with replayed.store.reading() as books:
        past = await from_ledger(books, begin=replayed.begin, end=replayed.end, pace=NORMAL)
    return decided(replayed.events), decided(play(past, rules, lifts_after=None).events)


@given(crowds(), policies)
@settings(max_examples=examples(30))
def test_the_ledger_decides_as_its_reaper_did(scenario: Scenario, chosen: Policy) -> None:
    """Of people, hosts and servers, too: what was known of them is kept."""
    live, again = asyncio.run(lived(scenario, Rules(cluster="test", policies=(chosen,))))

    assert again == live


@given(crowds(), policies)
@settings(max_examples=examples(60))
def test_looking_at_every_minute_decides_the_same(scenario: Scenario, chosen: Policy) -> None:
    """What is jumped over is nothing that could have moved a case."""
    past = from_scenario(scenario, cluster="test", pace=NORMAL)
    rules = Rules(cluster="test", policies=(chosen,))
    jumped = play(past, rules, lifts_after=None)
    looked = play(past, rules, lifts_after=None, jump=False)

    assert (jumped.events, jumped.held) == (looked.events, looked.held)
    assert jumped.visits <= looked.visits
