"""Every decision on a drawn allocation can be captured, and decides the same when it is played."""

import asyncio
from pathlib import Path

import pytest

from exporter.contract.scenario import load
from reaper.app.past.capturing import capture
from reaper.app.past.expecting import compare
from reaper.app.past.replaying import replay
from reaper.domain.facts.grid import NORMAL
from tests.drawn_files import DRAWN, name_of_drawing, rules_for

OTHERWISE = {
    "all-nodes-turn-idle": "what trips an interlock is the rest of the cluster",
    "fleet-turns-idle": "what trips an interlock is the rest of the cluster",
    "engine-full-and-nobody-there": "what contradicts what is not drawn",
    "held-without-any-process": "what its host's network did is not drawn",
    "kept-alive-every-thirty-seconds": "letters of less than a minute are drawn as whole ones",
    "suspended-for-hours": "when a job was suspended is not drawn",
    "suspended-job": "when a job was suspended is not drawn",
    "work-hidden-by-an-outage": "when the reaper was away is not drawn",
    "channel-down-at-the-last-warning": "a notice that came twice is drawn as one that came late",
    "exporter-dead-at-the-warning": "when an exporter was silent is not drawn",
    "three-of-one-owner": "what the rest of the cluster took of the budgets is not drawn",
    "mig-instances-side-by-side": "what the rest of the cluster took of the budgets is not drawn",
    "old-enough-for-a-policy": "a captured policy is for its allocation alone, of any age",
    "one-operator-approves-twice": "where interlocks are set is in the configuration",
    "pods-on-one-card-by-time": "what others do on a card that is shared by time is not drawn",
    "policy-changes-in-the-grace": "one version of a policy is drawn",
    "exempt-until": "an operator's exemption is in the configuration, not in what was recorded",
    "given-back-unseen": "why the scheduler was not heard is not drawn",
    "last-look": "what the last look saw is no letter",
    "many-at-once": "what the rest of the cluster took of the budgets is not drawn",
    "channel-down-for-three-hours": "when a channel was deaf to everybody is not drawn",
    "mass-event-is-cleared": "what trips an interlock is the rest of the cluster",
    "one-of-two-hosts-unmeasured": "which of its hosts nobody measured is not drawn",
    "three-on-one-node-in-turn": "what the rest of the cluster took of the budgets is not drawn",
    "nobody-could-answer": "when a channel was deaf to everybody is not drawn",
    "one-task-of-an-array": "what the rest of the cluster took of the budgets is not drawn",
    "paused": "when a pause ends by itself is not recorded",
    "reaper-away-for-long": "when the reaper was away is not drawn",
    "scheduler-is-silent": "when the scheduler was silent is not drawn",
    "set-up-is-not-idle": "what the rest of the cluster took of the budgets is not drawn",
    "team-over-its-quota": "what the rest of the team holds is not drawn",
}
"""Scenarios of which some allocation goes otherwise when it is played alone, and why."""

UNDRAWN = ("clock-of-a-node-is-off", "index-is-not-the-gpu", "index-not-confirmed")
"""It is not known which devices their allocations hold: there is nothing to draw."""

KNOWN = [path for path in DRAWN if path.stem not in UNDRAWN]


async def differences(path: Path, text: str) -> list[str]:
    """Return how the captured allocations of a drawing go otherwise than they went in it."""
    scenario = load(text)
    rules = rules_for(scenario, path)
    first = await replay(scenario, rules)
    found: list[str] = []
    expected = False
    for item in scenario.allocations:
        drawn = await capture(first.store, item.id, pace=NORMAL, policies=rules.policies)
        again = load(drawn)
        expected |= again.expect.anything
        played = await replay(again, rules_for(again, Path("captured.toml")))
        found += compare(again, played).differences
    assert expected
    return found


@pytest.mark.parametrize("path", KNOWN, ids=name_of_drawing)
def test_what_is_captured_decides_the_same(path: Path) -> None:
    found = asyncio.run(differences(path, path.read_text(encoding="utf-8")))

    assert (path.stem, bool(found)) == (path.stem, path.stem in OTHERWISE), "\n".join(found)
