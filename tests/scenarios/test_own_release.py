"""An owner gives an allocation back: it ends soon and gently, whatever its ladder says."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.budget import Limits
from reaper.domain.escalation.case import State
from reaper.domain.escalation.decision import Phase
from reaper.domain.judgement.policy import Exemption, Match, Mode, Rung
from reaper.languages.catalogue import said
from reaper.requests import Identity, RefusedError, UnconfirmedError
from tests.builders import HOUR, START, policy, run
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
OWNER = Identity(user="mira", channel="test")
OPERATOR = Identity(user="otto", operator=True, channel="test")
LEARNT = "AAAA" + "H" * 10


async def asked(bench: Lab, *, confirmed: bool = False, name: str = "101") -> None:
    """Let the owner ask for the release."""
    room = await bench.requests()
    await room.release(name=name, reason="done for today", by=OWNER, confirmed=confirmed)


@pytest.mark.parametrize("mode", [Mode.NOTIFY, Mode.ACT])
async def test_an_idle_shell_ends_at_once_without_any_warning(mode: Mode) -> None:
    """No ladder, no grace; in notify mode too, where nothing else is ever done."""
    bench = lab(policy(mode=mode))
    await bench.play({GPU: LEARNT})
    await asked(bench)

    await bench.play({GPU: "H"})

    assert [effect.asked_by for effect in bench.actor.begun] == ["mira"]
    await bench.play({GPU: "E" * 17})
    assert (await bench.case()).state is State.CLOSED


async def test_it_is_given_back_by_its_owner_and_not_reclaimed_by_us() -> None:
    """The ledger books it to the owner, and the notice says who asked."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)

    await bench.play({GPU: "H" * 18})

    (given,) = await bench.events("given back")
    assert (given.by, await bench.events("verified")) == ("mira", [])
    (told,) = bench.notifier.sent
    assert (told.kind, told.story.own) == ("released", True)
    assert "mira asked" in said(told.story.outcome)


async def test_one_at_work_must_be_confirmed_and_gives_nothing_back() -> None:
    """What was used was no waste: nothing is credited to anybody."""
    bench = lab()
    await bench.play({GPU: "A" * 14})
    with pytest.raises(UnconfirmedError, match="at work"):
        await asked(bench)

    await asked(bench, confirmed=True)
    await bench.play({GPU: "A" + "E" * 17})

    assert len(bench.actor.begun) == 1
    assert (await bench.events("given back"), len(await bench.events("ended by its owner"))) == (
        [],
        1,
    )


async def test_observe_refuses_it_with_the_command_that_the_owner_can_type() -> None:
    """Nothing is touched there, not even when asked."""
    bench = lab(policy(mode=Mode.OBSERVE))
    await bench.play({GPU: LEARNT})

    with pytest.raises(RefusedError, match="you can: scancel 101"):
        await asked(bench)


async def test_without_a_policy_it_is_refused_too() -> None:
    """No mode says that the run may be touched."""
    bench = lab(policy(match=Match(user=("nobody",))))
    await bench.play({GPU: LEARNT})

    with pytest.raises(RefusedError, match="no policy is for it"):
        await asked(bench)


@pytest.mark.parametrize("who", [Identity(user="lena"), OPERATOR, replace(OPERATOR, user="")])
async def test_nobody_else_may_give_it_back(who: Identity) -> None:
    """Not an operator either: it is the owner's own release."""
    bench = lab()
    await bench.play({GPU: LEARNT})

    with pytest.raises(RefusedError, match="only its owner"):
        await (await bench.requests()).release(name="101", reason="x", by=who, confirmed=True)


async def test_budgets_hours_exemptions_and_requeueing_are_not_for_it() -> None:
    """It is not our release: nothing of ours limits it, and it spends nothing."""
    ladder = (
        Rung(step="warn", after=HOUR, final=True),
        Rung(step="release", grace=HOUR, requeue=True),
    )
    bench = lab(policy(*ladder, any_hour=False))
    exemption = Exemption(match=Match(user=("mira",)), reason="an experiment")
    bench.rules = replace(bench.rules, limits=Limits(per_cycle=0), exemptions=(exemption,))
    await bench.play({GPU: LEARNT})
    await asked(bench)

    await bench.play({GPU: "H"})

    (effect,) = bench.actor.begun
    assert not effect.requeue
    async with bench.store.reading() as books:
        assert [item.spends for item in await books.intents_since(START)] == [False]


async def test_an_earlier_keep_and_dispute_end_with_it() -> None:
    """He has just said that it is not needed."""
    bench = lab()
    await bench.play({GPU: "AAAA" + "H" * 35})
    room = await bench.requests()
    await room.keep(name="101", seconds=HOUR, reason="wait", by=OWNER)
    await room.dispute(name="101", reason="not me", by=OWNER)
    await asked(bench)

    await bench.play({GPU: "H" * 2})

    assert len(bench.actor.begun) == 1


async def test_what_was_only_planned_in_notify_mode_is_done_when_its_owner_asks() -> None:
    """A recorded plan is no act; the effect has a name of its own."""
    bench = lab(policy(mode=Mode.NOTIFY))
    await bench.play({GPU: "AAAA" + "H" * 100})
    assert (await bench.case()).state is State.PLANNED
    await asked(bench)

    await bench.play({GPU: "H" * 2})

    assert [effect.id for effect in bench.actor.begun] == [f"{(await bench.case()).id}#1"]


async def test_it_is_verified_like_any_act_and_a_failure_holds_the_run() -> None:
    """What the platform took and did not do is an alert, for our own acts and for owners'."""
    bench = lab()
    bench.actor.ignores = True
    await bench.play({GPU: LEARNT})
    await asked(bench)

    await bench.play({GPU: "H" * 12})

    async with bench.store.reading() as books:
        (hold,) = await books.holds()
    assert (hold.kind, hold.scope) == ("failed", run().key)
    assert [notice.kind for notice in bench.notifier.sent] == ["failed"]


async def test_it_is_refused_while_it_is_under_way() -> None:
    """One wish is enough."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)
    with pytest.raises(RefusedError, match="will be released already"):
        await asked(bench)
    await bench.minute({GPU: "H"}, acts=False)

    with pytest.raises(RefusedError, match="being released already"):
        await asked(bench)


async def test_an_event_says_who_asked_by_which_channel_and_why() -> None:
    """Every change leaves one."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)

    (event,) = await bench.events("release asked")
    assert (event.by, event.channel, event.text) == ("mira", "test", "done for today")


async def test_a_release_that_does_not_end_in_time_is_phased_out() -> None:
    """An intent that was never begun counts for nothing."""
    bench = lab()
    await bench.play({GPU: LEARNT})
    await asked(bench)
    for _ in range(20):
        await bench.minute({GPU: "H"}, acts=False)
    await bench.perform()

    async with bench.store.reading() as books:
        phases = {item.phase for item in await books.intents_since(START)}
    assert (phases, bench.actor.begun) == ({Phase.DROPPED}, [])
