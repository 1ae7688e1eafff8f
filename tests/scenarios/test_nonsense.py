"""No decision depends on a sentence: with every message made nonsense, all is decided the same."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from exporter.contract.scenario import load
from reaper.app.past.capturing import capture
from reaper.app.past.pasts_ledger import from_ledger
from reaper.app.past.replaying import replay
from reaper.cycle.simulation.play import play
from reaper.domain.facts.grid import NORMAL
from reaper.domain.money.entries import Event
from reaper.languages.catalogue import said
from reaper.questions import Questions
from tests.drawn_files import FOLDER, rules_for
from tests.project import ROOT

PLAYED = (
    "many-at-once",
    "large-needs-two-people",
    "mass-event-is-cleared",
    "disputed",
    "given-back",
    "last-look",
    "saved-then-released",
    "channel-down-for-three-hours",
    "keep-alive-loop",
)
"""Scenarios in which budgets, approvals, interlocks, people, saves and silences hold steps."""

MESSAGE = re.compile(r"^([a-z][\w-]*) = .*(?:\n[ \t].*)*", re.MULTILINE)


def decided(event: Event) -> tuple[Any, ...]:
    return event.at, event.kind, event.run_key, event.by, dict(event.numbers)


async def came_of(name: str) -> dict[str, Any]:
    """Return all that was decided in a scenario, without the words for it."""
    path = FOLDER / f"{name}.toml"
    scenario = load(path.read_text(encoding="utf-8"))
    rules = rules_for(scenario, path)
    played = await replay(scenario, rules)
    async with played.store.reading() as books:
        past = await from_ledger(books, begin=played.begin, end=played.end, pace=NORMAL)
    again = play(past, rules, lifts_after=None)
    queue = await Questions(store=played.store).queue()
    picture = played.picture
    assert picture is not None
    captured = [
        await capture(played.store, one.id, pace=NORMAL, policies=rules.policies)
        for one in scenario.allocations[:1]
    ]
    return {
        "turns": played.turns,
        "events": [decided(event) for event in played.events],
        "notices": [(one.id, one.to, str(one.delivery), one.created) for one in played.notices],
        "cases": [
            (row.run_key, row.verdict, row.case.state, row.case.due, row.case.next_step)
            for row in picture.rows
            if row.case
        ],
        "held": [[one.rule for one in row.case.held_by] for row in picture.rows if row.case],
        "totals": dict(picture.totals),
        "holds": [hold.id for hold in picture.holds],
        "queue": [[row.run_key for row in rows] for rows in (queue.approvals, queue.refusals)],
        "simulated": [decided(event) for event in again.events],
        "visits": again.visits,
        "captured": captured,
    }


def report() -> None:
    """Write what came of the scenarios, and how a reason is said here."""
    found = {name: asyncio.run(came_of(name)) for name in PLAYED}
    sentence = next(
        said(event.text)
        for event in asyncio.run(events_of("many-at-once"))
        if event.kind == "case opened"
    )
    sys.stdout.write(json.dumps({"decided": found, "sentence": sentence}))


async def events_of(name: str) -> tuple[Event, ...]:
    path = FOLDER / f"{name}.toml"
    scenario = load(path.read_text(encoding="utf-8"))
    return (await replay(scenario, rules_for(scenario, path))).events


def reported(*places: Path) -> dict[str, Any]:
    """Return the report of a program that finds the reaper in the first of some places."""
    told = subprocess.run(
        [sys.executable, "-P", "-c", "from tests.scenarios.test_nonsense import report; report()"],
        env={"PYTHONPATH": ":".join(map(str, places)), "HOME": "/home/mira"},
        capture_output=True,
        check=True,
        text=True,
        timeout=300,
    )
    found: dict[str, Any] = json.loads(told.stdout)
    return found


@pytest.fixture
def nonsense(tmp_path: Path) -> Path:
    """Return where a reaper lies whose every message is nonsense."""
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "reaper", tmp_path / "reaper", ignore=without)
    for path in (tmp_path / "reaper/languages").glob("*/[!u]*.ftl"):
        text = path.read_text(encoding="utf-8")
        path.write_text(MESSAGE.sub(r"\1 = fnord: { 5 } grue", text), encoding="utf-8")
    return tmp_path


def test_with_nonsense_for_every_message_all_is_decided_the_same(nonsense: Path) -> None:
    ours, other = reported(ROOT), reported(nonsense, ROOT)

    assert (ours["sentence"] == other["sentence"], other["sentence"]) == (False, "fnord: 5 grue")
    assert other["decided"] == ours["decided"]
