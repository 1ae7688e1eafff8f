"""A dispute waits for an operator; after three working days one is called, once."""

from reaper.domain.escalation.notice import Delivery
from reaper.questions import Questions
from reaper.requests import Identity
from tests.builders import HOUR, START, policy
from tests.fakes import FakeNotifier
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
DAY = 86400.0
OWNER = Identity(user="mira", channel="test")
OPERATOR = Identity(user="otto", operator=True)
MONDAY = START + 3 * DAY
"""Monday, 08:00 UTC: work begins at nine."""


def bench_with_operators() -> tuple[Lab, FakeNotifier]:
    """Return a lab with a personal channel and one of the operators."""
    bench = lab(policy())
    theirs = FakeNotifier(bench.clock, name="slack-operators", personal=False)
    bench.channels = (bench.notifier, theirs)
    return bench, theirs


async def disputed(bench: Lab, tracks: str) -> None:
    """Play, then let the owner dispute."""
    await bench.play({GPU: tracks})
    await (await bench.requests()).dispute(name="101", reason="it reads files", by=OWNER)


async def until(bench: Lab, at: float) -> None:
    """Let the time pass until an instant, and take a turn then."""
    bench.clock.at = at - 60.0
    await bench.minute({GPU: "H"} if bench.cluster.claims else {})


async def test_an_operator_is_called_when_work_begins_on_the_third_working_day() -> None:
    """A dispute of a Friday waits over the weekend until Wednesday."""
    bench, theirs = bench_with_operators()
    await disputed(bench, "AAAA" + "H" * 35)

    await until(bench, MONDAY + 2 * DAY)
    early = list(theirs.sent)
    await until(bench, MONDAY + 2 * DAY + HOUR)

    assert (early, [notice.kind for notice in theirs.sent]) == ([], ["operator"])
    assert "nobody has ruled for 3 working days" in theirs.sent[0].story.outcome
    assert [notice.kind for notice in bench.notifier.sent] == ["warning"]


async def test_an_operator_is_called_once() -> None:
    """The queue goes on to show it."""
    bench, theirs = bench_with_operators()
    await disputed(bench, "AAAA" + "H" * 35)

    for hour in (1, 2, 30):
        await until(bench, MONDAY + 2 * DAY + hour * HOUR)

    assert len(theirs.sent) == 1
    assert len(await bench.events("dispute overdue")) == 1
    (waiting,) = (await Questions(store=bench.store).queue()).disputes
    assert (waiting.case.escalated, waiting.reason) == (True, "it reads files")


async def test_a_dispute_of_a_release_that_is_over_is_escalated_too() -> None:
    """The run is gone; whether that was right is still to be said."""
    bench, theirs = bench_with_operators()
    await disputed(bench, "AAAA" + "H" * 120)

    await until(bench, MONDAY + 2 * DAY + HOUR)

    assert [notice.kind for notice in theirs.sent] == ["operator"]
    (waiting,) = (await Questions(store=bench.store).queue()).disputes
    assert (waiting.over, waiting.case.outcome) == (True, "released")


async def test_a_dispute_that_was_ruled_on_calls_nobody() -> None:
    """Nothing waits any more."""
    bench, theirs = bench_with_operators()
    await disputed(bench, "AAAA" + "H" * 35)
    await (await bench.requests()).rule(name="101", upheld=False, reason="x", by=OPERATOR)

    await until(bench, MONDAY + 4 * DAY)

    assert theirs.sent == []


async def test_without_a_channel_for_operators_it_is_written_down_all_the_same() -> None:
    """Its owner is not told what was meant for operators; the queue shows it."""
    bench = lab(policy())
    await disputed(bench, "AAAA" + "H" * 35)

    await until(bench, MONDAY + 2 * DAY + HOUR)

    assert [notice.kind for notice in bench.notifier.sent] == ["warning"]
    async with bench.store.reading() as books:
        told = await books.notices((await bench.case()).id)
    assert [notice.delivery for notice in told if notice.kind == "operator"] == [Delivery.FAILED]
    assert len(await bench.events("dispute overdue")) == 1


async def test_a_dispute_outlives_its_case_until_somebody_rules() -> None:
    """Work came back and ended again: nobody is warned or released meanwhile."""
    bench = lab(policy())
    await disputed(bench, "AAAA" + "H" * 35)

    await bench.play({GPU: "AA" + "H" * 100})
    quiet = [notice.kind for notice in bench.notifier.sent]
    await (await bench.requests()).rule(name="101", upheld=False, reason="x", by=OPERATOR)
    await bench.play({GPU: "H" * 32})

    told = [notice.kind for notice in bench.notifier.sent]
    assert (quiet, told, bench.actor.begun) == (["warning"], ["warning", "final"], [])


async def test_a_dispute_upheld_after_its_case_leaves_the_run_alone() -> None:
    """The hold is on the run, whatever became of the case."""
    bench = lab(policy())
    await disputed(bench, "AAAA" + "H" * 35)
    await bench.play({GPU: "AA" + "H" * 10})
    await (await bench.requests()).rule(name="101", upheld=True, reason="x", by=OPERATOR)

    await bench.play({GPU: "H" * 120})

    assert (len(bench.notifier.sent), bench.actor.begun) == (1, [])


async def test_an_owner_who_gives_a_run_back_ends_its_disputes() -> None:
    """Of earlier cases too: nothing is left to rule on."""
    bench = lab(policy())
    await disputed(bench, "AAAA" + "H" * 35)
    await bench.play({GPU: "AA" + "H" * 10})
    await (await bench.requests()).release(name="101", reason="done", by=OWNER)

    await bench.play({GPU: "H"})

    assert len(bench.actor.begun) == 1
    assert (await Questions(store=bench.store).queue()).disputes == ()


async def test_a_run_whose_release_failed_is_not_warned_of_until_its_hold_is_lifted() -> None:
    """
    The message said that nothing more is done until an operator has looked.

    The first warning was told within the day; the last one comes again.
    """
    bench = lab(policy())
    bench.actor.ignores = True
    await bench.play({GPU: "AAAA" + "H" * 140})
    quiet = [notice.kind for notice in bench.notifier.sent]
    async with bench.store.reading() as books:
        (hold,) = await books.holds()
    await (await bench.requests()).resume(hold=hold.id, reason="seen", by=OPERATOR)

    await bench.play({GPU: "H" * 33})

    assert quiet == ["warning", "final", "failed"]
    assert [notice.kind for notice in bench.notifier.sent[3:]] == ["final"]
