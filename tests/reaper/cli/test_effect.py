import json

import pytest

from reaper.config import load
from reaper.domain.facts.allocation import Purpose
from reaper.domain.facts.grid import NORMAL
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import Tenure
from reaper.edge.clock import SystemClock
from reaper.store import open_store
from tests.builders import run as run_of_values

WEEK = 7 * 1440


@pytest.fixture
async def changed(configuration):
    """Leave two weeks behind: sessions wasted half of the first and a tenth of the second."""
    read = load(configuration)
    store = await open_store(read.store, cluster=read.cluster)
    now = NORMAL.ends(NORMAL.closed(SystemClock().now()))
    first = NORMAL.minute(now) + 1 - 2 * WEEK
    begin = NORMAL.begins(first)
    epoch = await store.lead("test", now)
    halves = ("A" * 720 + "H" * 720) * 7 + ("A" * 1296 + "H" * 144) * 7
    tracks = {"GPU-1": halves, "GPU-2": ("A" * 1296 + "H" * 144) * 14}
    purposes = {"GPU-1": Purpose.INTERACTIVE, "GPU-2": Purpose.TRAINING}
    tenures = [
        Tenure(
            run=run_of_values(gpu, started=begin),
            gpu=gpu,
            node="gpu01",
            begin=begin,
            end=None,
            owner="mira",
            purpose=purpose,
            startup_until=begin,
        )
        for gpu, purpose in purposes.items()
    ]
    async with store.transaction(epoch) as books:
        await books.keep_tenures(tenures)
        await books.append_minutes(
            {gpu: Track(start=first, letters=letters) for gpu, letters in tracks.items()}
        )
        for policy in read.policies:
            await books.policy_since(policy.version, now - 7 * 86400.0)
    await store.close()
    return configuration


async def test_the_weeks_before_and_after_a_change_are_compared(changed, ask):
    answer = await ask("effect", "--policy", "interactive", "--config", changed, "--json")

    told = json.loads(answer.output)["effect"]
    assert round(told["change"], 2) == -0.4
    assert abs(told["elsewhere"]) < 0.01
    assert told["doubts"] == []


async def test_a_change_is_told_in_a_sentence(changed, ask):
    answer = await ask("effect", "--policy", "interactive", "--config", changed)

    assert "wasted share -40" in answer.output


async def test_a_policy_that_is_not_there_is_refused_with_those_that_are(changed, ask):
    answer = await ask("effect", "--policy", "nightly", "--config", changed)

    assert answer.exit_code == 2
    assert "interactive, inference, batch" in answer.stderr


async def test_a_policy_in_force_since_today_has_nothing_to_compare(changed, ask):
    answer = await ask("effect", "--policy", "interactive", "--span", "30d", "--config", changed)

    assert answer.exit_code == 1
    assert "nothing to compare yet" in answer.stderr.replace("\n", " ")


async def test_a_change_that_lies_ahead_is_refused(changed, ask):
    answer = await ask("effect", "--policy", "interactive", "--at", "9999-12-31", "-c", changed)

    assert answer.exit_code == 2
    assert "--at lies ahead: name a day that has been" in answer.stderr.replace("\n", " ")
