"""A release that its owner asked for and that somebody else takes back: its owner is told, once."""

from dataclasses import replace

import pytest

from reaper.languages.catalogue import said
from reaper.requests import Identity
from tests.builders import HOUR, policy
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
OWNER = Identity(user="mira", channel="test")
OPERATOR = Identity(user="otto", operator=True, channel="test")


async def asked() -> Lab:
    """Let an owner ask for the release of a run that works."""
    bench = lab()
    await bench.play({GPU: "AAAA" + "H" * 10})
    await (await bench.requests()).release(name="101", reason="done for today", by=OWNER)
    return bench


@pytest.mark.parametrize("early", [True, False], ids=["before", "at the last look"])
@pytest.mark.parametrize("how", ["keep", "dispute"])
async def test_an_operators_word_is_told_to_its_owner_once(how: str, *, early: bool) -> None:
    """Without the operator's name."""
    bench = await asked()
    if not early:
        await bench.minute({GPU: "H"}, acts=False)
    room = await bench.requests()
    if how == "keep":
        await room.keep(name="101", seconds=HOUR, reason="benchmark", by=OPERATOR)
    else:
        await room.dispute(name="101", reason="not theirs", by=OPERATOR)

    await bench.perform()
    await bench.play({GPU: "H" * 8})

    (told,) = bench.notifier.sent
    assert bench.actor.begun == []
    assert (told.kind, told.to, told.story.own) == ("failed", "mira", True)
    assert "an operator" in said(told.story.outcome)
    assert "otto" not in said(told.story.outcome)


@pytest.mark.parametrize("how", ["keep", "dispute"])
async def test_an_owners_own_word_is_answered_where_it_was_said(how: str) -> None:
    """No message tells them what they just did."""
    bench = await asked()
    room = await bench.requests()
    if how == "keep":
        await room.keep(name="101", seconds=HOUR, reason="wait", by=OWNER)
    else:
        await room.dispute(name="101", reason="not me", by=OWNER)

    await bench.play({GPU: "H" * 8})

    assert bench.notifier.sent == []


async def test_a_run_for_which_no_policy_is_left_is_told_to_its_owner_once() -> None:
    """What was promised is not done: its owner can end it."""
    bench = await asked()
    other = replace(policy(), match=replace(policy().match, user=("nobody",)))
    bench.rules = replace(bench.rules, policies=(other,))
    bench.crash()

    await bench.play({GPU: "H" * 4})

    (told,) = bench.notifier.sent
    assert (told.kind, said(told.story.outcome)) == ("failed", "no policy is for it any more")
    assert [said(event.text) for event in await bench.events("owner's release not done")] == [
        "no policy is for it any more"
    ]
