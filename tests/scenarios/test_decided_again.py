"""What a reaper decided is decided again from its ledger, byte for byte."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from exporter.contract.scenario import Scenario, load
from reaper.app.past.pasts_ledger import from_ledger
from reaper.app.past.replaying import Replayed, replay
from reaper.cycle.simulation.play import Played, play
from reaper.domain.escalation.decision import Refusal
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.inputs import History
from reaper.domain.money.entries import Event
from reaper.store.sql.store import SqlStore
from tests.drawn_files import DRAWN, name_of_drawing, rules_for

OTHERWISE = {
    "channel-down-at-the-last-warning": "a simulation delivers every notice at once",
    "warning-late-for-work": "a simulation delivers every notice at once",
    "channel-down-for-three-hours": "a simulation delivers every notice at once",
    "first-warning-arrives-late": "a simulation delivers every notice at once",
    "last-notice-arrives-late": "a simulation delivers every notice at once",
    "mass-event-is-cleared": "what trips an interlock is no input of a run",
    "channel-fails": "a simulation delivers every notice at once",
    "channel-is-slow": "a simulation delivers every notice at once",
    "owner-has-left": "a simulation delivers every notice at once",
    "nobody-can-be-reached": "a simulation delivers every notice at once",
    "nobody-could-answer": "a simulation hears every answer at once",
    "reaper-away-for-long": "a simulation is never away",
    "work-hidden-by-an-outage": "a simulation is never away",
    "clock-set-back": "what trips an interlock is no input of a run",
    "clock-is-set": "what trips an interlock is no input of a run",
    "exporters-restart-together": "what trips an interlock is no input of a run",
    "two-failed-verifications": "what trips an interlock is no input of a run",
    "exporter-dead-at-the-warning": "its letters were read later, when its exporter answered again",
    "one-node-goes-dark": "its letters were read later, when its exporter answered again",
    "paused": "a simulation asks what a policy does, not what its operator did",
    "paused-for-two-days": "a simulation asks what a policy does, not what its operator did",
    "one-operator-approves-twice": "a simulation asks what a policy does, not its operator",
    "large-needs-two-people": "a simulation asks what a policy does, not what its operator did",
    "nobody-rules-on-a-dispute": "a simulation knows of no dispute",
    "disputed": "a simulation knows of no dispute",
    "upheld": "a simulation knows of no dispute",
    "given-back": "a simulation knows of no wish of an owner",
    "given-back-unseen": "a simulation knows of no wish of an owner",
    "last-look": "a simulation does not look once more before it acts",
    "policy-changes-in-the-grace": "a simulation plays one version of the policies",
    "saved-then-released": "a simulation ends with the first act",
    "hung-for-a-day": "a simulation tells nobody that a run hangs",
    "hangs-and-recovers": "a simulation tells nobody that a run hangs",
    "one-rank-died": "a simulation tells nobody that a run hangs",
    "utilisation-at-100-without-work": "a simulation tells nobody that a run hangs",
}
"""Scenarios that a simulation over the ledger plays otherwise, and why that is no fault."""

TICKED = (
    "batch-warned-only-while-its-host-worked",
    "download-in-a-gpu-session",
    "evaluates-on-the-cpu",
    "host-rests-after-hours",
    "preprocesses-for-twenty-hours",
    "warned-only-while-its-host-worked",
    "editor-opened-in-a-job",
    "keep-alive-loop",
    "kernel-that-has-just-ended",
    "long-cell-browser-closed",
    "notebook-run-by-a-job",
    "request-between-two-looks",
    "restarted-notebook",
    "scheduler-is-silent",
    "tenant-at-rest-beside-a-busy-one",
    "two-kinds-of-sessions",
)
"""Short ones with every kind of input, which are lived minute by minute."""

DECIDED = {
    "case opened": "case opened",
    "warning": "warning",
    "final": "final",
    "save intended": "save",
    "would save": "save",
    "release intended": "release",
    "would release": "release",
    "case closed": "case closed",
    "given back": "given back",
}
"""What is decided, by the kind of its event; an act is one in any mode."""


def scenario_of(path: Path) -> Scenario:
    return load(path.read_text(encoding="utf-8"))


async def lived(path: Path, *, jump: bool) -> tuple[Replayed, Played]:
    """Live a drawing, and simulate the same time over the ledger that this leaves."""
    rules = rules_for(scenario_of(path), path)
    replayed = await replay(scenario_of(path), rules, jump=jump)
    async with replayed.store.reading() as books:
        past = await from_ledger(books, begin=replayed.begin, end=replayed.end, pace=NORMAL)
    return replayed, play(past, rules, lifts_after=None)


def decided(events: tuple[Event, ...]) -> list[Event]:
    """Return what was decided, whole: when, of whom, with which words and numbers."""
    found = [replace(event, kind=DECIDED[event.kind]) for event in events if event.kind in DECIDED]
    return sorted(found, key=lambda event: (event.at, event.run_key, event.kind))


async def by_letters(path: Path, replayed: Replayed) -> Played:
    """Simulate over the same ledger without what else was kept."""
    async with replayed.store.reading() as books:
        past = await from_ledger(books, begin=replayed.begin, end=replayed.end, pace=NORMAL)
    runs = tuple(replace(run, history=History()) for run in past.runs)
    return play(replace(past, runs=runs), rules_for(scenario_of(path), path), lifts_after=None)


def held(simulated: Played, replayed: Replayed) -> dict[str, set[str]]:
    """Return the rules that hold the simulated cases which are open at the end in both."""
    live = live_cases(replayed)
    return {key: ruled(texts) for key, texts in simulated.held.items() if key in live}


def held_live(replayed: Replayed, simulated: Played) -> dict[str, set[str]]:
    """Return the rules that hold the same cases in the picture of the last turn."""
    live = live_cases(replayed)
    return {key: ruled(texts) for key, texts in live.items() if key in simulated.held}


def live_cases(replayed: Replayed) -> dict[str, tuple[Refusal, ...]]:
    rows = replayed.picture.rows if replayed.picture else ()
    return {row.run_key: row.case.held_by for row in rows if row.case and row.case.state == "open"}


def ruled(held: tuple[Refusal, ...]) -> set[str]:
    return {one.rule for one in held}


SAME = [path for path in DRAWN if path.stem not in OTHERWISE]


@pytest.mark.parametrize("path", SAME, ids=name_of_drawing)
def test_the_ledger_decides_as_its_reaper_did(path: Path) -> None:
    replayed, simulated = asyncio.run(lived(path, jump=path.stem not in TICKED))

    assert decided(simulated.events) == decided(replayed.events)
    assert held(simulated, replayed) == held_live(replayed, simulated)


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_is_said_to_go_otherwise_does(name: str) -> None:
    replayed, simulated = asyncio.run(lived(DRAWN[0].with_name(f"{name}.toml"), jump=True))

    assert decided(simulated.events) != decided(replayed.events)


@pytest.mark.parametrize(
    "name", ["user-at-the-terminal", "warm-server", "download-in-a-gpu-session", "no-handler"]
)
def test_letters_alone_would_not_do(name: str) -> None:
    path = DRAWN[0].with_name(f"{name}.toml")
    replayed, _ = asyncio.run(lived(path, jump=True))

    assert decided(asyncio.run(by_letters(path, replayed)).events) != decided(replayed.events)


@pytest.mark.parametrize("name", ["kernel-that-has-just-ended", "restarted-notebook"])
async def test_a_database_keeps_the_same(name: str, tmp_path: Path) -> None:
    path = DRAWN[0].with_name(f"{name}.toml")
    replayed, _ = await lived(path, jump=False)
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'store.sqlite'}", cluster="test")
    epoch = await store.lead("test", 0.0)
    span = NORMAL.minute(replayed.begin), NORMAL.minute(replayed.end) + 1

    async with replayed.store.reading() as books:
        kept = await books.inputs(*span)
    async with store.transaction(epoch) as books:
        await books.append_inputs(kept)
        again = await books.inputs(*span)
    await store.close()

    assert any(entry.before is not None for entry in kept)
    assert again == kept
