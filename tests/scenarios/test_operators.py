"""What operators may do: approve large acts, rule on disputes, pause a policy, keep quotas."""

from dataclasses import replace

import pytest

from reaper.domain.judgement.policy import Match, Policy
from reaper.requests import Identity, RefusedError, Requests
from tests.builders import HOUR, MINUTE, claim, device, policy
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
ADA = Identity(user="ada", operator=True)
BEN = Identity(user="ben", operator=True)
OWNER = Identity(user="mira")


def asks(bench: Lab) -> Requests:
    """Return the requests room of a bench."""
    assert bench.parts is not None
    return Requests(
        store=bench.store, clock=bench.clock, policies=bench.rules.policies, epoch=bench.parts.epoch
    )


def large() -> Lab:
    """Return a bench whose allocation holds 17 GPUs, idle for long enough."""
    bench = lab()
    bench.cluster.claims.clear()
    bench.cluster.devices.clear()
    bench.cluster.add(claim(gpus=17), *(device(index) for index in range(17)))
    return bench


async def idle(bench: Lab, minutes: int) -> None:
    """Let everything idle."""
    tracks = dict.fromkeys(bench.cluster.devices, "H" * minutes)
    await bench.play(tracks)


async def test_a_large_release_waits_for_two_operators() -> None:
    """One is not enough, and one operator counts once."""
    bench = large()
    await idle(bench, 100)
    assert bench.actor.begun == []

    await asks(bench).approve(name="101", reason="seen", by=ADA)
    with pytest.raises(RefusedError, match="has approved"):
        await asks(bench).approve(name="101", reason="again", by=ADA)
    await idle(bench, 2)
    assert bench.actor.begun == []

    await asks(bench).approve(name="101", reason="seen too", by=BEN)
    await idle(bench, 2)
    assert len(bench.actor.begun) == 1


async def test_an_owner_cannot_approve() -> None:
    """Nor pause, nor rule."""
    bench = large()
    await idle(bench, 40)

    for asked in (
        asks(bench).approve(name="101", reason="please", by=OWNER),
        asks(bench).pause(reason="please", by=OWNER),
        asks(bench).rule(name="101", upheld=True, reason="please", by=OWNER),
    ):
        with pytest.raises(RefusedError, match="only operators may"):
            await asked


async def disputed(bench: Lab) -> None:
    """Play until the final warning, then dispute."""
    await bench.play({GPU: "AAAA" + "H" * 62})
    await asks(bench).dispute(name="101", reason="it computes on the CPU", by=OWNER)


async def test_a_dispute_holds_and_an_upheld_one_leaves_the_run_alone_for_good() -> None:
    """No second case for the same run."""
    bench = lab()
    await disputed(bench)
    await idle(bench, 60)
    assert bench.actor.begun == []

    await asks(bench).rule(name="101", upheld=True, reason="he is right", by=ADA)
    await idle(bench, 120)

    assert bench.actor.begun == []
    assert (await bench.case()).outcome == "an operator upheld the dispute"


async def test_a_rejected_dispute_brings_the_final_notice_and_a_full_grace_again() -> None:
    """The owner hears of it before anything happens."""
    bench = lab()
    await disputed(bench)
    await idle(bench, 60)
    await asks(bench).rule(name="101", upheld=False, reason="nothing runs", by=ADA)

    await idle(bench, 40)

    finals = [notice for notice in bench.notifier.sent if notice.kind == "final"]
    assert len(finals) == 2
    assert bench.actor.begun[0].expires - MINUTE - finals[1].created >= 30 * MINUTE


async def test_pausing_one_policy_leaves_the_others_at_work() -> None:
    """Going back is one command."""
    bench = lab(policy(name="other", match=Match(user=("otto",))), policy())
    await bench.play({GPU: "AAAA" + "H" * 62})
    await asks(bench).pause(reason="trial over", by=ADA, policy="notebooks")
    await idle(bench, 60)
    assert bench.actor.begun == []

    await asks(bench).resume(reason="on again", by=ADA, hold="paused:notebooks")
    await idle(bench, 2)
    assert len(bench.actor.begun) == 1


async def test_the_only_hold_is_lifted_without_its_name() -> None:
    """Whatever it is called."""
    bench = lab()
    await idle(bench, 1)
    await asks(bench).pause(reason="trial over", by=ADA, policy="notebooks")

    granted = await asks(bench).resume(reason="on again", by=ADA)

    assert "paused:notebooks" in granted.text


async def test_of_several_holds_the_pause_is_meant() -> None:
    """And what is left is then the only one."""
    bench = lab()
    await idle(bench, 1)
    await asks(bench).pause(reason="trial over", by=ADA, policy="notebooks")
    await asks(bench).pause(reason="all of it", by=ADA)

    assert "lifted paused:" in (await asks(bench).resume(reason="on", by=ADA)).text
    assert "paused:notebooks" in (await asks(bench).resume(reason="on", by=ADA)).text


async def test_where_nothing_or_too_much_could_be_meant_it_is_said() -> None:
    """With the names."""
    bench = lab(policy(name="other", match=Match(user=("otto",))), policy())
    await idle(bench, 1)
    with pytest.raises(RefusedError, match="no hold stands"):
        await asks(bench).resume(reason="on", by=ADA)

    await asks(bench).pause(reason="x", by=ADA, policy="notebooks")
    await asks(bench).pause(reason="x", by=ADA, policy="other")
    with pytest.raises(RefusedError, match=r"2 holds stand.*paused:notebooks, paused:other"):
        await asks(bench).resume(reason="on", by=ADA)


async def test_pausing_an_unknown_policy_is_refused_by_name() -> None:
    """With the names that exist."""
    bench = lab()
    await idle(bench, 1)

    with pytest.raises(RefusedError, match="notebooks"):
        await asks(bench).pause(reason="typo", by=ADA, policy="notebok")


@pytest.mark.parametrize(
    ("quota", "acts"),
    [
        pytest.param({"team_idle_over": 0}, 1, id="one idle, none may"),
        pytest.param({"team_idle_over": 1}, 0, id="one idle, one may"),
        pytest.param({"team_held_over": 1}, 0, id="one held, one may"),
    ],
)
async def test_a_team_within_its_quota_is_left_alone(quota: dict[str, int], acts: int) -> None:
    """A quota of held or of idle GPUs is a policy like any other."""
    rule: Policy = replace(policy(), **quota)
    bench = lab(rule)

    await bench.play({GPU: "AAAA" + "H" * 120})

    assert len(bench.actor.begun) == acts


async def test_a_policy_may_be_for_old_allocations_only() -> None:
    """Age, sessions and labels match like everything else."""
    bench = lab(policy(match=Match(older_than=9 * HOUR)), policy(match=Match(session=("jupyter",))))

    await bench.play({GPU: "AAAA" + "H" * 120})

    assert bench.notifier.sent == []
