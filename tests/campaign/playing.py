"""The one door to what decides: a scenario is played by the normal path, as plain events."""

import asyncio
from dataclasses import dataclass

from exporter.contract.scenario import load
from reaper.app.past.drawn import rules_of
from reaper.app.past.replaying import replay
from reaper.config import load as configuration
from reaper.languages.catalogue import said
from tests.project import ROOT


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A notice that arrived or a release that was done, in seconds from the start."""

    at: float
    kind: str
    allocation: str
    text: str = ""
    named: float | None = None
    """The release that a notice names."""


def played(drawn: str) -> tuple[Step, ...]:
    """Play a scenario under the shipped act policies; return what touched people, in order."""
    scenario = load(drawn)
    rules, _ = rules_of(
        scenario,
        source=ROOT / "campaign.toml",
        base=configuration(environ={"HOME": "/home/mira"}),
        configured=False,
        proposed="act",
    )
    found = asyncio.run(replay(scenario, rules))
    notices = [
        Step(
            at=one.at - found.begin,
            kind=one.notice.kind,
            allocation=one.notice.run_key.rpartition("@")[0],
            text=said(one.notice.story.reason),
            named=_since(one.notice.story.release_at, found.begin),
        )
        for one in found.told
    ]
    releases = [
        Step(
            at=event.at - found.begin,
            kind="release",
            allocation=event.run_key.rpartition("@")[0],
            text=said(event.text),
        )
        for event in found.events
        if event.kind == "release intended"
    ]
    return tuple(sorted((*notices, *releases), key=lambda step: step.at))


def _since(at: float | None, begin: float) -> float | None:
    return None if at is None else at - begin
