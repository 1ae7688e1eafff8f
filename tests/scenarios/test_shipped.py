"""Each shipped policy does what it says to its end, if its operator lets it act."""

import asyncio
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from exporter.contract.scenario import load
from reaper.app.past.drawn import rules_of
from reaper.app.past.replaying import Replayed, replay
from reaper.config import load as configuration
from reaper.cycle.rules import Rules
from reaper.domain.judgement.policy import Mode, Policy

DAY = 86400.0
START = "2026-03-02T09:00:00Z"

SCENARIO = """
version = 1
title = "What a policy says, to its end"
start = {start}
background = 20
length = "{length}"

[[node]]
name = "gpu01"
gpus = ["{letters}"]

[[allocation]]
id = "1"
user = "mira"
purpose = "{purpose}"
holds = ["gpu01:0"]
begin = "-1h"
{more}
"""

AT_REST = "host_load = []"
MEETS = {
    "interactive": 'sessions = [{ kind = "shell", inputs = ["9m"] }]',
    "quiet-training": f'{AT_REST}\nrequeueable = true\ncatches = ["USR1"]\nsaves = "4m"',
    "inference": f"{AT_REST}\nserves = []",
    "batch": f'{AT_REST}\n[[waiting]]\nat = "0s"\ngpus = 1',
}
"""What an allocation is like that falls to each policy and does nothing."""

PURPOSE = {"quiet-training": "training", "batch": "training"}
LASTS = {"interactive": 1, "quiet-training": 1, "inference": 6, "batch": 1}
"""Days within which a policy comes to its end."""

TO_ITS_END = {
    "interactive": ["warning", "final", "release intended", "verified"],
    "quiet-training": [
        "warning",
        "final",
        "save intended",
        "saved",
        "release intended",
        "verified",
    ],
    "inference": ["warning", "final", "release intended", "verified"],
    "batch": ["warning", "final", "release intended", "verified"],
}


@cache
def shipped() -> Rules:
    """Return the rules of the shipped policies."""
    base = configuration(environ={"HOME": "/home/mira"})
    drawn = load(drawing("interactive", days=1))
    return rules_of(drawn, source=Path("drawn.toml"), base=base, configured=False)[0]


def policy_named(name: str) -> Policy:
    return next(policy for policy in shipped().policies if policy.name == name)


def drawing(name: str, *, days: int) -> str:
    """Return a scenario in which an allocation falls to a policy and does nothing for days."""
    return SCENARIO.format(
        start=START,
        length=f"{days}d",
        letters=f"A*10 H*{days * 1440}",
        purpose=PURPOSE.get(name, name),
        more=MEETS[name],
    )


def played(policy: Policy, *, days: int) -> Replayed:
    """Replay it while the policy may act."""
    acting = replace(policy, mode=Mode.ACT)
    rules = replace(shipped(), policies=(acting,))
    return asyncio.run(replay(load(drawing(policy.name, days=days)), rules))


def steps(replayed: Replayed, kinds: list[str]) -> list[str]:
    return [event.kind for event in replayed.events if event.kind in kinds]


def test_each_shipped_policy_is_here() -> None:
    assert [policy.name for policy in shipped().policies] == list(TO_ITS_END)


@pytest.mark.parametrize("name", TO_ITS_END)
def test_a_shipped_policy_comes_to_its_end(name: str) -> None:
    assert steps(played(policy_named(name), days=LASTS[name]), TO_ITS_END[name]) == TO_ITS_END[name]


@pytest.mark.parametrize("name", ["interactive", "inference", "batch"])
def test_a_window_of_two_weeks_comes_to_its_end(name: str) -> None:
    policy = policy_named(name)
    warnings = (
        replace(policy.warnings[0], after=7 * DAY),
        replace(policy.warnings[1], after=14 * DAY),
    )
    rest = tuple(rung for rung in policy.rungs if rung not in policy.warnings)
    patient = replace(policy, idle_for=14 * DAY, rungs=(*warnings, *rest))

    replayed = played(patient, days=19)

    released = next(event for event in replayed.events if event.kind == "release intended")
    assert steps(replayed, TO_ITS_END[name]) == TO_ITS_END[name]
    assert released.at - replayed.begin >= 14 * DAY
