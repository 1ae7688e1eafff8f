"""What stops a release that its owner asked for, up to the last look before it begins."""

from dataclasses import replace

import pytest

from reaper.languages.catalogue import said
from reaper.requests import Identity, RefusedError
from tests.builders import HOUR, run
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
OWNER = Identity(user="mira", channel="test")
OPERATOR = Identity(user="otto", operator=True, channel="test")
LEARNT = "AAAA" + "H" * 10


async def asked(bench: Lab) -> None:
    """Let the owner ask for the release."""
    await (await bench.requests()).release(name="101", reason="done for today", by=OWNER)


async def test_it_is_refused_under_a_hold() -> None:
    """A pause stops every act."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await (await bench.requests()).pause(reason="maintenance", by=OPERATOR)

    with pytest.raises(RefusedError, match=r"paused: maintenance.*scancel 101"):
        await asked(bench)


async def test_a_hold_that_comes_later_stops_it_until_it_is_given_up_and_told() -> None:
    """A wish does not wait for ever: its owner would be surprised."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)
    await (await bench.requests()).pause(reason="maintenance", by=OPERATOR)

    await bench.play({GPU: "H" * 16})
    await (await bench.requests()).resume(reason="over", by=OPERATOR)
    await bench.play({GPU: "H" * 2})

    assert bench.actor.begun == []
    (told,) = bench.notifier.sent
    assert (told.kind, "maintenance" in said(told.story.outcome)) == ("failed", True)
    assert (await bench.case()).outcome == "its owner's release was not done"


async def test_a_policy_paused_after_the_decision_stops_it() -> None:
    """The last look sees holds of every scope."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)
    await bench.minute({GPU: "H"}, acts=False)
    await (await bench.requests()).pause(reason="bug", by=OPERATOR, policy="notebooks")

    await bench.perform()

    assert bench.actor.begun == []


async def test_a_run_that_was_requeued_meanwhile_is_left_alone() -> None:
    """It is not the run that its owner spoke of."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)
    await bench.minute({GPU: "H"}, acts=False)
    held = bench.cluster.claims["101"]
    bench.cluster.claims["101"] = replace(held, run=run(started=bench.clock.now()))

    await bench.perform()
    await bench.play({GPU: "H" * 5})

    assert bench.actor.begun == []


async def test_a_node_that_does_not_answer_stops_it_and_its_owner_is_told() -> None:
    """Nobody knows what is there: it is given up, and he can end it himself."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)
    for _ in range(18):
        await bench.minute({GPU: "H"}, acts=False)
        bench.cluster.silent.add("gpu01")
        await bench.perform()
        bench.cluster.silent.clear()

    assert bench.actor.begun == []
    (told,) = bench.notifier.sent
    assert (told.kind, "gpu01" in said(told.story.outcome)) == ("failed", True)


async def test_an_unseen_device_stops_it() -> None:
    """Nothing is done on ``?``, not even for its owner."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)
    bench.cluster.silent.add("gpu01")

    await bench.play({GPU: "????"})

    assert bench.actor.begun == []


@pytest.mark.parametrize("answer", ["keep", "dispute"])
async def test_a_later_keep_or_dispute_takes_it_back(answer: str) -> None:
    """The last word of an owner counts, at the last look too."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)
    await bench.minute({GPU: "H"}, acts=False)
    room = await bench.requests()
    if answer == "keep":
        await room.keep(name="101", seconds=HOUR, reason="wait", by=OWNER)
    else:
        await room.dispute(name="101", reason="not me", by=OWNER)

    await bench.perform()
    await bench.play({GPU: "H" * 20})

    assert bench.actor.begun == []
    assert (await bench.case()).own_release is None


async def test_what_is_unseen_at_the_last_look_is_left_alone() -> None:
    """It was seen when it was decided; a minute later nobody knows what it does."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)
    await bench.minute({GPU: "H"}, acts=False)
    bench.cluster.play({GPU: "?"})
    bench.cluster.step()

    await bench.perform()

    assert bench.actor.begun == []


async def test_what_works_at_the_last_look_is_its_owners_all_the_same() -> None:
    """He asked for its end, not for a proof that it idles."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)
    await bench.minute({GPU: "H"}, acts=False)
    bench.cluster.inputs["101"] = bench.clock.now()
    bench.cluster.play({GPU: "A"})

    await bench.perform()

    assert len(bench.actor.begun) == 1
