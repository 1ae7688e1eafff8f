"""Nobody loses work because we could not hear them: silences of the channel that a notice took."""

from functools import partial

import pytest

from reaper.app.hearing import tell
from reaper.domain.judgement.policy import Mode
from reaper.languages.catalogue import refused
from reaper.notifiers.ear import Ear
from tests.builders import MINUTE, policy
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
GRACE = 30 * MINUTE


async def final(bench: Lab) -> Ear:
    """Play until the final notice has arrived, with an ear that hears."""
    await bench.play({GPU: "A"})
    ear = ear_of(bench)
    ear.hears()
    await bench.play({GPU: "AAA" + "H" * 62})
    return ear


def ear_of(bench: Lab) -> Ear:
    """Return the ear of the usual channel, told to the board as it stands."""
    assert bench.parts is not None
    return Ear(channel="slack", clock=bench.clock, tell=partial(tell, bench.parts.board))


async def idle(bench: Lab, minutes: int) -> None:
    """Let minutes of idleness pass."""
    await bench.play({GPU: "H" * minutes})


def finals(bench: Lab) -> list[float]:
    """Return when each final notice was sent."""
    return [notice.created for notice in bench.notifier.sent if notice.kind == "final"]


def released(bench: Lab) -> float:
    """Return when the release was decided."""
    (effect,) = bench.actor.begun
    return effect.expires - MINUTE


async def test_without_a_silence_the_release_comes_after_the_grace() -> None:
    bench = lab()
    await final(bench)

    await idle(bench, 40)

    assert GRACE <= released(bench) - finals(bench)[0] <= GRACE + 2 * MINUTE


async def test_a_short_silence_is_added_to_the_grace() -> None:
    bench = lab()
    ear = await final(bench)
    ear.deaf("slack: the connection broke off")
    await idle(bench, 8)
    ear.hears()

    await idle(bench, 60)

    assert len(finals(bench)) == 1
    assert GRACE + 8 * MINUTE <= released(bench) - finals(bench)[0] <= GRACE + 10 * MINUTE


async def test_a_silence_within_a_minute_counts_by_its_seconds() -> None:
    bench = lab()
    ear = await final(bench)
    before = (await bench.case()).extension
    ear.deaf("slack: the connection broke off")
    bench.clock.at += 20.0
    ear.hears()
    bench.clock.at -= 20.0
    await idle(bench, 1)

    assert (await bench.case()).extension - before == pytest.approx(20.0)


async def test_a_long_silence_brings_the_final_notice_again_and_a_full_grace() -> None:
    bench = lab()
    ear = await final(bench)
    ear.deaf("slack: token_revoked")
    await idle(bench, 25)
    heard = bench.clock.now()
    ear.hears()

    await idle(bench, 60)

    first, second = finals(bench)
    assert second >= heard > first
    assert released(bench) - second >= GRACE


async def test_nothing_is_released_while_nobody_can_be_heard() -> None:
    bench = lab()
    ear = await final(bench)
    await idle(bench, 5)
    ear.deaf("slack: the connection broke off")

    await idle(bench, 120)

    assert bench.actor.begun == []
    assert (
        any("answers cannot be heard" in refused(one) for one in (await bench.case()).held_by)
        or ((await bench.case()).due or 0.0) > bench.clock.now()
    )


async def test_a_release_that_was_due_waits_for_the_silence_to_end() -> None:
    bench = lab()
    ear = await final(bench)
    await bench.play({GPU: "H" * 10})
    bench.cluster.inputs["101"] = finals(bench)[0] - 5 * MINUTE
    await idle(bench, 10)
    ear.deaf("slack: the connection broke off")
    await idle(bench, 9)
    assert bench.actor.begun == []

    ear.hears()
    await idle(bench, 60)
    assert len(bench.actor.begun) == 1


async def test_an_ear_that_has_said_nothing_yet_is_deaf() -> None:
    bench = lab()
    await final(bench)
    assert bench.parts is not None
    bench.parts.board.posts.pop(("hearing", "slack"))
    bench.parts.board.expect(source="slack", role="hearing")

    await idle(bench, 120)

    assert bench.actor.begun == []


async def test_another_channels_silence_changes_nothing() -> None:
    bench = lab()
    await final(bench)
    assert bench.parts is not None
    other = Ear(channel="mail", clock=bench.clock, tell=partial(tell, bench.parts.board))
    other.deaf("the page is not reachable")

    await idle(bench, 40)

    assert len(bench.actor.begun) == 1


async def test_a_silence_over_a_restart_is_one_outage() -> None:
    bench = lab()
    ear = await final(bench)
    ear.deaf("slack: the connection broke off")
    await idle(bench, 7)
    bench.crash()
    await bench.requests()
    assert bench.parts is not None
    bench.parts.board.expect(source="slack", role="hearing")
    await bench.turn()
    ear = ear_of(bench)
    ear.deaf("slack: not connected yet")
    await idle(bench, 6)
    ear.hears()

    await idle(bench, 60)

    assert len(finals(bench)) == 2
    assert released(bench) - finals(bench)[1] >= GRACE


async def test_the_owners_own_release_does_not_wait_for_the_channel() -> None:
    from reaper.requests import Identity

    bench = lab()
    ear = await final(bench)
    ear.deaf("slack: the connection broke off")
    assert bench.parts is not None
    await bench.parts.requests.release(
        name="101", reason="done", by=Identity(user="mira", channel="socket")
    )

    await idle(bench, 3)

    assert len(bench.actor.begun) == 1


async def test_outside_act_mode_a_silence_ends_nothing_and_breaks_nothing() -> None:
    bench = lab(policy(mode=Mode.NOTIFY))
    ear = await final(bench)
    ear.deaf("slack: the connection broke off")

    await idle(bench, 60)

    assert bench.actor.begun == []


async def test_a_channel_that_is_configured_no_more_holds_nothing() -> None:
    bench = lab()
    ear = await final(bench)
    ear.deaf("slack: the connection broke off")
    await idle(bench, 7)
    bench.crash()

    await idle(bench, 60)

    assert len(bench.actor.begun) == 1


async def test_after_a_long_silence_that_channel_leaves_a_last_warning_and_a_full_grace() -> None:
    bench = lab()
    ear = await final(bench)
    ear.deaf("slack: the connection broke off")
    await idle(bench, 25)
    bench.crash()

    await idle(bench, 60)

    assert len(finals(bench)) == 2
    assert released(bench) - finals(bench)[1] >= GRACE


async def test_a_scheduler_that_is_silent_at_the_start_loses_no_outage_of_ours() -> None:
    bench = lab()
    await final(bench)
    bench.crash()
    bench.clock.at += 25 * MINUTE
    bench.holder.failing = True
    await idle(bench, 2)
    bench.holder.failing = False

    await idle(bench, 90)

    assert len(finals(bench)) == 2
    assert released(bench) - finals(bench)[1] >= GRACE


async def test_a_silence_counts_while_the_scheduler_is_silent_too() -> None:
    bench = lab()
    ear = await final(bench)
    bench.holder.failing = True
    ear.deaf("slack: the connection broke off")
    await idle(bench, 8)
    ear.hears()
    bench.holder.failing = False

    await idle(bench, 60)

    assert released(bench) - finals(bench)[0] >= GRACE + 8 * MINUTE
