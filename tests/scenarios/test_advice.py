"""Right-sizing: an owner is told once a working day, and nothing else comes of it."""

from datetime import UTC, datetime

import pytest

from reaper.domain.escalation.notice import Delivery
from reaper.domain.judgement.policy import Mode
from reaper.languages.catalogue import said
from reaper.questions import Questions
from tests.builders import HOUR, claim, device, policy, run
from tests.lab import Lab, lab

MONDAY = datetime(2027, 1, 18, tzinfo=UTC).timestamp()
GPUS = ("GPU-gpu01-0", "GPU-gpu01-1")
PARTIAL = dict(zip(GPUS, ("A" * 90, "H" * 90), strict=True))


async def through_midnight(mode: Mode, *, at: float = MONDAY) -> Lab:
    """Play one GPU at work beside an idle one, until after midnight."""
    bench = lab(policy(mode=mode))
    bench.cluster.claims.clear()
    bench.cluster.add(claim(gpus=2), *(device(index) for index in range(2)))
    bench.clock.at = at - 80 * 60
    await bench.play(PARTIAL)
    return bench


async def later(bench: Lab, at: float) -> None:
    """Deliver what is due at an instant."""
    bench.clock.at = at
    await bench.perform()


async def test_an_owner_is_told_when_work_begins_and_once() -> None:
    bench = await through_midnight(Mode.ACT)
    early = list(bench.notifier.sent)

    for hour in (9, 10, 11):
        await later(bench, MONDAY + hour * HOUR)

    (told,) = bench.notifier.sent
    assert (early, told.kind, told.to) == ([], "advice", "mira")
    assert "2 - 1 = 1 would do" in said(told.story.reason)


async def test_a_crash_between_makes_it_neither_lost_nor_told_twice() -> None:
    bench = await through_midnight(Mode.ACT)
    bench.crash()
    await later(bench, MONDAY + 9 * HOUR)
    bench.crash()
    await later(bench, MONDAY + 10 * HOUR)

    assert [notice.kind for notice in bench.notifier.sent] == ["advice"]


@pytest.mark.parametrize("mode", list(Mode))
async def test_it_opens_no_case_and_is_no_warning(mode: Mode) -> None:
    bench = await through_midnight(mode)
    await later(bench, MONDAY + 9 * HOUR)
    await bench.play({gpu: letters[:1] for gpu, letters in PARTIAL.items()})

    async with bench.store.reading() as books:
        assert list(await books.cases_of(run().key)) == []
    assert bench.actor.begun == []
    assert (await bench.events("warning"), await bench.events("final")) == ([], [])


async def test_in_observe_mode_nobody_is_told_and_explain_says_so() -> None:
    bench = await through_midnight(Mode.OBSERVE)
    await later(bench, MONDAY + 9 * HOUR)

    told = (await Questions(store=bench.store).explain("101")).notices
    assert bench.notifier.sent == []
    assert [(notice.kind, notice.delivery) for notice in told] == [("advice", Delivery.ASSUMED)]


async def test_explain_tells_how_it_went() -> None:
    bench = await through_midnight(Mode.NOTIFY)
    await later(bench, MONDAY + 9 * HOUR)

    (told,) = (await Questions(store=bench.store).explain("101")).notices
    assert (told.channel, told.delivery) == (bench.notifier.name, Delivery.DELIVERED)


async def test_on_a_weekend_nobody_is_told() -> None:
    bench = await through_midnight(Mode.ACT, at=MONDAY - 2 * 24 * HOUR)
    await later(bench, MONDAY + 9 * HOUR)

    assert bench.notifier.sent == []
    assert len(await bench.events("advice")) == 1
