"""One shell that sits idle, from its last work to its release, and all that may come between."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.case import State
from reaper.domain.judgement.policy import Mode
from reaper.languages.catalogue import refused, said
from reaper.ports import NotifyError
from reaper.requests import Identity, Requests
from tests.builders import HOUR, MINUTE, START, policy, run
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
OWNER = Identity(user="mira", channel="test")


async def warned(bench: Lab) -> None:
    """Play work, then idleness until the final warning is delivered."""
    await bench.play({GPU: "AAAA" + "H" * 62})


def requests(bench: Lab) -> Requests:
    """Return the requests room of a bench."""
    assert bench.parts is not None
    return Requests(
        store=bench.store, clock=bench.clock, policies=bench.rules.policies, epoch=bench.parts.epoch
    )


async def test_an_idle_shell_is_warned_twice_then_released_and_verified() -> None:
    """The whole way: warning, final warning, grace, release, verification."""
    bench = lab()

    await bench.play({GPU: "AAAA" + "H" * 120})

    assert [notice.kind for notice in bench.notifier.sent] == ["warning", "final", "released"]
    assert len(bench.actor.begun) == 1
    case = await bench.case()
    assert (case.state, case.outcome) == (State.CLOSED, "released")


async def test_the_release_comes_not_before_a_delivered_warning_and_its_grace() -> None:
    """Thirty minutes after the final delivery."""
    bench = lab()
    await bench.play({GPU: "AAAA" + "H" * 120})

    final = bench.notifier.sent[1]
    release = bench.actor.begun[0]

    assert release.expires - MINUTE - final.created >= 30 * MINUTE


async def test_a_busy_shell_is_left_alone() -> None:
    """No case, no notice."""
    bench = lab()

    await bench.play({GPU: "A" * 150})

    assert bench.notifier.sent == []
    assert bench.actor.begun == []


async def test_observe_plans_the_same_release_and_touches_nobody() -> None:
    """Same moment, no message, no act."""
    bench = lab(policy(mode=Mode.OBSERVE))

    await bench.play({GPU: "AAAA" + "H" * 120})

    assert (bench.notifier.sent, bench.actor.begun) == ([], [])
    assert len(await bench.events("would release")) == 1
    assert (await bench.case()).state is State.PLANNED


@pytest.mark.parametrize("letter", ["A", "L", "X", "?", "!"])
async def test_anything_but_idleness_in_the_window_puts_the_release_off(letter: str) -> None:
    """Low, contradicted and unseen minutes break the stretch like work does."""
    bench = lab()

    await bench.play({GPU: "AAAA" + "H" * 80 + letter + "H" * 58})

    assert bench.actor.begun == []


async def test_an_owner_who_comes_back_to_work_closes_the_case() -> None:
    """Two active minutes after a warning."""
    bench = lab()
    await warned(bench)

    await bench.play({GPU: "AA" + "H" * 40})

    assert [said(event.text) for event in await bench.events("case closed")] == [
        "activity returned"
    ]
    assert bench.actor.begun == []


async def test_a_keystroke_after_the_final_warning_closes_the_case() -> None:
    """Human presence is an answer."""
    bench = lab()
    await warned(bench)
    bench.cluster.inputs["101"] = bench.clock.now() + 2 * MINUTE

    await bench.play({GPU: "H" * 40})

    assert bench.actor.begun == []
    assert "its person came back" in [
        said(event.text) for event in await bench.events("case closed")
    ]


async def test_a_keep_protects_and_then_gives_a_full_grace_again() -> None:
    """A new final warning after the keep, then thirty minutes."""
    bench = lab()
    await warned(bench)
    await requests(bench).keep(name="101", seconds=2 * HOUR, reason="lunch", by=OWNER)

    await bench.play({GPU: "H" * 119})
    assert bench.actor.begun == []

    await bench.play({GPU: "H" * 40})
    finals = [notice for notice in bench.notifier.sent if notice.kind == "final"]
    assert len(finals) == 2
    assert bench.actor.begun[0].expires - MINUTE - finals[1].created >= 30 * MINUTE


async def test_an_undelivered_warning_stops_the_ladder() -> None:
    """Nothing is escalated on a message that never arrived."""
    bench = lab()
    bench.notifier.errors = [NotifyError("users_not_found", recoverable=False)] * 999

    await bench.play({GPU: "AAAA" + "H" * 300})

    assert bench.actor.begun == []
    assert any("has not arrived" in refused(one) for one in (await bench.case()).held_by)


async def test_a_silent_exporter_at_the_last_look_drops_the_act() -> None:
    """The nodes are asked directly before anything is done."""
    bench = lab()
    await bench.play({GPU: "AAAA" + "H" * 89})
    for _ in range(10):
        await bench.minute({GPU: "H"}, acts=False)
        if (await bench.case()).state is State.ACTING:
            break
    bench.cluster.silent.add("gpu01")

    await bench.perform()

    assert bench.actor.begun == []


async def test_a_keystroke_that_only_the_last_look_sees_drops_the_act() -> None:
    """Nodes round inputs down to the minute: it may look older than the intent."""
    bench = lab()
    await bench.play({GPU: "AAAA" + "H" * 89})
    for _ in range(10):
        await bench.minute({GPU: "H"}, acts=False)
        if (await bench.case()).state is State.ACTING:
            break
    bench.cluster.inputs["101"] = bench.clock.now() - 2 * MINUTE

    await bench.perform()
    await bench.play({GPU: "H"})

    assert bench.actor.begun == []
    assert [said(event.text) for event in await bench.events("case closed")] == [
        "its person came back"
    ]


async def test_a_holder_that_falls_silent_makes_its_allocations_unknown() -> None:
    """Nothing ends and nothing is acted on because a source stopped talking."""
    bench = lab()
    await warned(bench)
    bench.holder.failing = True

    await bench.play({GPU: "H" * 60})

    assert bench.actor.begun == []
    async with bench.store.reading() as books:
        assert len(await books.open_tenures()) == 1
        picture = await books.picture()
    assert picture is not None
    assert picture.rows[0].verdict == "unknown"


async def test_a_pause_stops_acts_and_lifting_it_lets_them_go_on() -> None:
    """A pause holds everything, whoever is due."""
    bench = lab()
    operator = Identity(user="otto", operator=True)
    await warned(bench)
    await requests(bench).pause(reason="upgrade", by=operator)
    await bench.play({GPU: "H" * 60})
    assert bench.actor.begun == []

    await requests(bench).resume(reason="done", by=operator)
    await bench.play({GPU: "HHH"})

    assert len(bench.actor.begun) == 1


async def test_a_release_without_effect_fails_and_is_not_repeated() -> None:
    """A hold on the run stops a second try."""
    bench = lab()
    bench.actor.ignores = True

    await bench.play({GPU: "AAAA" + "H" * 200})

    assert len(bench.actor.begun) == 1
    assert (await bench.case()).outcome == "failed" or await bench.events("failed")


async def test_a_second_run_under_the_same_id_is_not_the_one_that_was_judged() -> None:
    """A requeued job begins anew: another key, another case."""
    bench = lab()
    await warned(bench)
    again = run(started=bench.clock.now())
    claim = bench.cluster.claims["101"]
    bench.cluster.claims["101"] = type(claim)(
        run=again, places=claim.places, user=claim.user, as_of=START, purpose=claim.purpose
    )

    await bench.play({GPU: "H" * 60})

    assert bench.actor.begun == []
    assert (await bench.case(run().key)).outcome == "ended by itself"


async def test_an_owner_who_ends_it_after_a_warning_gave_it_back() -> None:
    """The books tell what people returned from what was released."""
    bench = lab()
    await warned(bench)
    bench.cluster.claims.clear()

    await bench.play({GPU: "EE"})

    assert [said(event.text) for event in await bench.events("given back")] == [
        "slurm/101 ended by itself"
    ]


async def test_the_kill_switch_stops_an_act_that_was_already_intended() -> None:
    """It is looked at again at the very last."""
    switch = {"set": False}
    bench = lab()
    bench.rules = replace(bench.rules, kill_switch=lambda: switch["set"])
    await bench.play({GPU: "AAAA" + "H" * 89})
    for _ in range(10):
        await bench.minute({GPU: "H"}, acts=False)
        if (await bench.case()).state is State.ACTING:
            break
    switch["set"] = True

    await bench.perform()

    assert bench.actor.begun == []


async def test_an_answer_that_comes_when_the_release_has_begun_does_not_promise_too_much() -> None:
    """It is said that it may be too late."""
    bench = lab()
    await warned(bench)
    early = await requests(bench).keep(name="101", seconds=60, reason="first", by=OWNER)
    while not bench.actor.begun:
        await bench.minute({GPU: "H"})

    kept = await requests(bench).keep(name="101", seconds=HOUR, reason="still on it", by=OWNER)
    disputed = await requests(bench).dispute(name="101", reason="no", by=OWNER)

    assert (early.late, kept.late, disputed.late) == (False, True, True)
    assert all("its release had begun" in granted.text for granted in (kept, disputed))
