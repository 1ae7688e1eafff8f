"""One request and never a second, whatever the platform answers; what was changed goes back."""

import pytest

from reaper.domain.escalation.decision import Intent, Phase, Verb
from reaper.domain.facts.allocation import Purpose
from reaper.ports import ActionError
from tests.builders import claim, device
from tests.lab import Lab, lab
from tests.scenarios.test_save import saving

GPU = "GPU-gpu01-0"
BUSY = ActionError("slurmctld is busy", recoverable=True)
REFUSED = ActionError("its user cannot read /ckpt", recoverable=False)


async def intended() -> Lab:
    """Return a lab in which the request is intended and not yet begun."""
    bench = lab(saving())
    bench.cluster.inputs.clear()
    bench.cluster.saves = False
    bench.cluster.add(claim(purpose=Purpose.TRAINING, requeueable=True, batch=True), device())
    bench.cluster.catches["101"] = {"batch": frozenset(("USR1",))}
    await bench.play({GPU: "AAAA" + "H" * 60})
    while not await standing(bench):
        await bench.minute({GPU: "H"}, acts=False)
        assert bench.parts is not None
        await bench.parts.deliverer.turn()
    return bench


async def standing(bench: Lab) -> list[Intent]:
    """Return the intents whose outcome is awaited."""
    async with bench.store.reading() as books:
        return list(await books.open_intents())


async def ended(bench: Lab) -> list[tuple[Verb, Phase, str]]:
    """Return every intent with its phase and error, oldest first."""
    async with bench.store.reading() as books:
        found = await books.intents_since(0.0)
    return [(item.effect.verb, item.phase, item.error) for item in found]


def begun(bench: Lab) -> list[Verb]:
    return [effect.verb for effect in bench.actor.begun]


async def test_that_it_is_asked_is_written_before_it_is_asked() -> None:
    """With what the proof will be compared with."""
    bench = await intended()
    bench.actor.errors["save"] = [BUSY]

    await bench.perform()

    (intent,) = await standing(bench)
    assert (intent.phase, intent.error) == (Phase.BEGUN, "slurmctld is busy")
    assert intent.receipt.startswith("nothing yet")


async def test_a_request_of_unknown_fate_is_never_sent_again() -> None:
    """It counts as sent; without proof in time it counts as not saved."""
    bench = await intended()
    bench.actor.errors["save"] = [BUSY]

    await bench.play({GPU: "H" * 14})

    assert begun(bench) == [Verb.RESTORE]
    assert (await ended(bench))[0][:2] == (Verb.SAVE, Phase.FAILED)


async def test_a_request_that_is_surely_refused_gives_the_flag_back_at_once() -> None:
    """Nothing was sent."""
    bench = await intended()
    bench.actor.errors["save"] = [REFUSED]

    await bench.perform()

    assert begun(bench) == [Verb.RESTORE]
    assert await ended(bench) == [
        (Verb.SAVE, Phase.FAILED, "it could not be asked: its user cannot read /ckpt")
    ]


async def test_what_cannot_be_proven_is_never_asked_for() -> None:
    """Nothing has been changed that would have to go back."""
    bench = await intended()
    bench.actor.errors["prepare"] = [REFUSED]

    await bench.perform()

    assert begun(bench) == []
    assert (await ended(bench))[0][1:] == (Phase.FAILED, "its user cannot read /ckpt")


async def test_a_busy_platform_is_asked_again_until_the_intent_expires() -> None:
    """And is then decided upon anew."""
    bench = await intended()
    bench.actor.errors["prepare"] = [BUSY]

    await bench.perform()
    await bench.perform()

    assert begun(bench) == [Verb.SAVE]


async def test_a_flag_that_cannot_be_given_back_yet_keeps_the_intent_open() -> None:
    """The platform is asked again in the next turn."""
    bench = await intended()
    bench.actor.errors["restore"] = [BUSY, BUSY]
    await bench.play({GPU: "H" * 12})
    assert [intent.phase for intent in await standing(bench)] == [Phase.BEGUN]

    await bench.play({GPU: "HHH"})

    assert begun(bench) == [Verb.SAVE, Verb.RESTORE]
    assert bench.cluster.claims["101"].requeueable
    assert await standing(bench) == []


@pytest.mark.parametrize("wrong", [BUSY, REFUSED], ids=["for now", "for good"])
async def test_a_proof_that_cannot_be_read_is_none(wrong: ActionError) -> None:
    """Its reason is told."""
    bench = await intended()
    bench.cluster.saves = True
    bench.actor.errors["proof"] = [wrong] * 99

    await bench.play({GPU: "H" * 14})

    assert begun(bench) == [Verb.SAVE, Verb.RESTORE]
    assert (await ended(bench))[0] == (Verb.SAVE, Phase.FAILED, str(wrong))


async def test_a_proof_that_could_not_be_read_at_first_counts_when_it_is() -> None:
    """Within its time."""
    bench = await intended()
    bench.cluster.saves = True
    bench.actor.errors["proof"] = [BUSY] * 3

    await bench.play({GPU: "H" * 8})

    assert begun(bench) == [Verb.SAVE, Verb.RELEASE]


async def test_an_undo_is_tried_until_the_platform_takes_it() -> None:
    """However long that takes: a flag is nobody's but the owner's."""
    bench = await intended()
    bench.cluster.saves = True
    await bench.perform()
    await bench.perform()
    bench.actor.errors["restore"] = [BUSY] * 5

    await bench.play({GPU: "A" * 12})

    assert begun(bench) == [Verb.SAVE, Verb.RESTORE]
    assert bench.cluster.claims["101"].requeueable
    assert (await ended(bench))[-1][:2] == (Verb.RESTORE, Phase.VERIFIED)


async def test_an_undo_of_a_run_that_is_gone_is_dropped() -> None:
    """There is nothing to give back."""
    bench = await intended()
    bench.cluster.saves = True
    await bench.perform()
    await bench.perform()
    bench.actor.errors["restore"] = [BUSY] * 99
    await bench.play({GPU: "AAAA"})
    bench.cluster.claims.clear()

    await bench.play({GPU: "E"})

    assert (await ended(bench))[-1] == (Verb.RESTORE, Phase.DROPPED, "the run is gone")
