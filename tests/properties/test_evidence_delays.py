"""A sign of life never brings a release forward, and a release follows a word that still held."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.contract.scenario import Scenario, ScenarioLoad, ScenarioSession
from reaper.app.past.replaying import Replayed, replay
from reaper.cycle.rules import Rules
from reaper.domain.judgement.policy import Rung
from tests.builders import MINUTE, policy
from tests.drawings import LENGTH, crowds
from tests.thoroughness import examples

QUICK = policy(
    Rung(step="warn", after=6 * MINUTE),
    Rung(step="warn", after=8 * MINUTE, final=True),
    Rung(step="release", grace=4 * MINUTE),
    idle_for=8 * MINUTE,
    away_for=3 * MINUTE,
)

#: Changes a drawing so that an allocation shows a sign of life in a minute.
Sign = Callable[[Scenario, str, int], Scenario]


def played(scenario: Scenario) -> Replayed:
    """Replay a scenario under a quick policy."""
    return asyncio.run(replay(scenario, Rules(cluster="test", policies=(QUICK,))))


def releases(found: Replayed) -> dict[str, float]:
    """Return when each allocation was released first, in seconds from the start."""
    first: dict[str, float] = {}
    for event in found.events:
        if event.kind == "release intended":
            first.setdefault(event.run_key.rpartition("@")[0], event.at - found.begin)
    return first


def _changed(scenario: Scenario, name: str, **changes: object) -> Scenario:
    held = tuple(
        replace(item, **changes) if item.id == name else item for item in scenario.allocations
    )
    return replace(scenario, allocations=held)


def _of(scenario: Scenario, name: str):
    return next(item for item in scenario.allocations if item.id == name)


def types(scenario: Scenario, name: str, minute: int) -> Scenario:
    """Have a person type in the allocation's session, or in one that is there for it."""
    item, at = _of(scenario, name), minute * MINUTE
    first = item.sessions[0] if item.sessions else ScenarioSession(kind="shell")
    typed = replace(first, inputs=(*first.inputs, at))
    return _changed(scenario, name, sessions=(typed, *item.sessions[1:]))


def looks_in(scenario: Scenario, name: str, minute: int) -> Scenario:
    """Open an editor in the allocation."""
    del minute
    more = (*_of(scenario, name).sessions, ScenarioSession(kind="vscode"))
    return _changed(scenario, name, sessions=more)


def works_on_the_host(scenario: Scenario, name: str, minute: int) -> Scenario:
    """Have its processes work on the host for some minutes."""
    loads = _of(scenario, name).host_load or ()
    begin = minute * MINUTE
    more = ScenarioLoad(begin=begin, end=begin + 5 * MINUTE, cores=2.0)
    return _changed(scenario, name, host_load=(*loads, more))


def works_on_its_gpus(scenario: Scenario, name: str, minute: int) -> Scenario:
    """Have its GPUs work for two minutes."""
    places = set(_of(scenario, name).holds)
    nodes = tuple(
        replace(
            node,
            tracks=tuple(
                f"{track[:minute]}AA{track[minute + 2 :]}" if (node.name, gpu) in places else track
                for gpu, track in enumerate(node.tracks)
            ),
        )
        for node in scenario.nodes
    )
    return replace(scenario, nodes=nodes)


@given(
    crowds(),
    st.sampled_from(["1", "2"]),
    st.integers(0, LENGTH - 2),
    st.sampled_from([types, looks_in, works_on_the_host, works_on_its_gpus]),
)
@settings(max_examples=examples(30), deadline=None)
def test_a_sign_of_life_never_brings_a_release_forward(
    scenario: Scenario, name: str, minute: int, sign: Sign
) -> None:
    """Whatever is seen of a person or of work, an allocation is released as late, or later."""
    known = scenario
    if sign is types:
        # What was never seen is not known: a first input says since when nobody is there.
        known = types(scenario, name, 0)
    if sign is works_on_the_host and _of(scenario, name).host_works is None:
        known = _changed(scenario, name, host_load=())
    before, after = releases(played(known)), releases(played(sign(known, name, minute)))

    assert after.get(name, float("inf")) >= before.get(name, float("inf"))


@given(crowds())
@settings(max_examples=examples(30), deadline=None)
def test_the_final_notice_of_a_release_lies_within_its_idleness(scenario: Scenario) -> None:
    """Between the two every GPU rests: none of its minutes is drawn as work, and none is unseen."""
    found = played(scenario)
    for name, released in releases(found).items():
        told = [
            one.at - found.begin
            for one in found.told
            if one.notice.kind == "final"
            and one.notice.run_key.startswith(f"{name}@")
            and one.at - found.begin <= released
        ]
        begin, end = int(max(told) // MINUTE), int(released // MINUTE)
        places = set(_of(scenario, name).holds)
        played_letters = {
            node.tracks[gpu][minute]
            for node in scenario.nodes
            for gpu in range(len(node.tracks))
            if (node.name, gpu) in places
            for minute in range(begin, min(end, len(node.tracks[gpu])))
        }

        assert played_letters <= set("HE")


@given(crowds())
@settings(max_examples=examples(30), deadline=None)
def test_a_moment_that_a_final_notice_names_is_one_of_a_release(scenario: Scenario) -> None:
    """Unless something is drawn to change before it, or it lies beyond the end."""
    found = played(scenario)
    done = releases(found)
    changes = _changes(scenario)
    for one in found.told:
        named, name = one.notice.story.release_at, one.notice.run_key.rpartition("@")[0]
        if one.notice.kind != "final" or named is None:
            continue
        told, at = one.at - found.begin, named - found.begin
        if at > LENGTH * MINUTE or any(told - MINUTE <= change <= at for change in changes):
            continue

        assert abs(done[name] - at) <= 2 * MINUTE


def _changes(scenario: Scenario) -> set[float]:
    """Return every moment at which the drawing changes anything that may matter."""
    found = {waiting.at for waiting in scenario.waiting}
    for item in scenario.allocations:
        found |= {at for at in (item.end, item.limit) if at is not None}
        found |= {at for load in item.loads for at in (load.begin, load.end)}
        found |= {at for span in item.serves or () for at in span}
        for session in item.sessions:
            found |= {*session.inputs, *(at for span in session.busy for at in span)}
    for node in scenario.nodes:
        for track in node.tracks:
            found |= {
                place * MINUTE
                for place in range(1, len(track))
                if track[place] != track[place - 1] and {track[place], track[place - 1]} != {*"HE"}
            }
    return found
