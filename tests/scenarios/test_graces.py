"""Whatever the grace, a last warning is followed by the release that it speaks of."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from exporter.contract.scenario import load
from reaper.app.past.replaying import Replayed, replay
from tests.scenarios.test_shipped import drawing, policy_named, shipped

HOUR = 3600.0
MONDAY, FRIDAY = "2026-03-02T09:00:00Z", "2026-03-06T09:00:00Z"
GRACES = (0.5, 1, 4, 8, 9, 12, 15, 16, 20, 23, 24, 30, 36, 48)


def played(hours: float, start: str) -> Replayed:
    """Replay a shell that nobody comes back to, under a grace of so many hours."""
    policy = policy_named("interactive")
    rungs = tuple(
        replace(rung, grace=hours * HOUR) if rung.step == "release" else rung
        for rung in policy.rungs
    )
    text = drawing("interactive", days=6).replace(MONDAY, start)
    rules = replace(shipped(), policies=(replace(policy, rungs=rungs),))
    return asyncio.run(replay(load(text), rules))


@pytest.mark.parametrize("start", [MONDAY, FRIDAY], ids=["monday", "friday"])
@pytest.mark.parametrize("hours", GRACES)
def test_every_grace_ends_in_a_release_in_working_hours(hours: float, start: str) -> None:
    replayed = played(hours, start)
    told = [event.at for event in replayed.events if event.kind == "final"]
    (release,) = [event.at for event in replayed.events if event.kind == "release intended"]
    at = datetime.fromtimestamp(release, UTC)

    # A grace that fits into a day is told anew in the morning, where it began too late for one.
    assert len(told) <= 2
    assert hours * HOUR <= release - told[-1] <= (hours + 1) * HOUR
    assert at.weekday() < 5
    assert 9 <= at.hour < 18


@pytest.mark.parametrize("hours", [8, 12, 36])
def test_what_a_last_warning_names_comes_true(hours: float) -> None:
    replayed = played(hours, MONDAY)
    named = [notice.story.release_at for notice in replayed.notices if notice.kind == "final"]
    (release,) = [event.at for event in replayed.events if event.kind == "release intended"]

    assert set(named) == {release}
