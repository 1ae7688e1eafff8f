"""A warning that waited says what is so when it arrives, or waits on."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.case import Saying
from reaper.domain.escalation.decision import Refusal
from reaper.domain.escalation.notice import Delivery, Notice
from reaper.languages import catalogue
from reaper.performers.asking import asked
from reaper.performers.delivery import PROBES
from reaper.ports import NotifyError
from tests.builders import HOUR, MINUTE, START, case, notice, story
from tests.reaper.performers.test_delivery import Post, many, post

NOW = story(release_at=START + 3 * HOUR, late=True)

PAUSED = Refusal(rule="paused", reason="upgrade").said


async def waiting(said: Saying | None, **given: object) -> Post:
    """Return an outbox with a last notice of which its case says what it says now."""
    told = notice(id="c0:final:1:0", case_id="c0", kind="final", rung=1)
    box = await post([told])
    async with box.store.transaction(box.epoch) as books:
        await books.keep_case(case(id="c0", rung=2, warned=(START, None), saying=said, **given))
    return box


async def only(box: Post) -> Notice:
    (told,) = await box.all()
    return told


async def test_a_late_notice_says_what_is_so_now():
    box = await waiting(Saying(story=NOW, until=START + MINUTE))

    assert await box.turn() == 1
    assert (await only(box)).story == NOW
    assert box.channel.got[0].notice.story == NOW


@pytest.mark.parametrize(
    ("said", "why"),
    [
        pytest.param(
            Saying(story=NOW, until=START + MINUTE, against=PAUSED),
            "paused: upgrade",
            id="something stands against it",
        ),
        pytest.param(
            Saying(story=NOW, until=START - 1),
            "what it says is not known to be so now",
            id="no turn has looked for long",
        ),
    ],
)
async def test_a_notice_that_is_not_true_now_waits_and_is_not_tried(said: Saying, why: str):
    box = await waiting(said)

    assert await box.turn() == 0
    told = await only(box)
    assert (told.delivery, told.attempts, catalogue.said(told.error)) == (Delivery.QUEUED, 0, why)
    assert told.retry_at == START + 15


async def test_an_older_warning_gives_way_to_a_newer_one():
    box = await waiting(None)
    older = notice(id="c0:warning:0:0", case_id="c0", rung=0)
    async with box.store.reading() as books:
        found = await asked(books, older, START)

    assert found.over == "a newer notice takes its place"


@pytest.mark.parametrize(
    ("age", "wait"), [(0.0, 60.0), (23 * HOUR, 60.0), (25 * HOUR, 900.0)], ids=str
)
async def test_a_warning_is_tried_every_minute_for_a_day(age: float, wait: float):
    (told,) = many(1, attempts=9, retry_at=START, created=START - age)
    box = await post([told])
    box.channel.errors = [NotifyError("down", recoverable=True)]

    await box.turn()

    assert (await only(box)).retry_at == START + wait


async def test_of_many_that_failed_a_few_are_tried_until_one_arrives():
    late = [
        replace(one, to=f"user{number}", attempts=3, retry_at=START - number)
        for number, one in enumerate(many(PROBES + 5))
    ]
    box = await post(late)
    deliverer = box.deliverer()
    box.channel.errors = [NotifyError("down", recoverable=True) for _ in range(PROBES)]

    assert await deliverer.turn() == 0
    assert sum(item.attempts == 4 for item in await box.all()) == PROBES
    assert await deliverer.turn() == 0
    box.clock.at += MINUTE
    assert await deliverer.turn() == PROBES + 5


async def test_what_may_have_arrived_is_known_for_it_when_it_waits_after_a_crash():
    box = await waiting(Saying(story=NOW, until=START - 1))
    async with box.store.transaction(box.epoch) as books:
        await books.keep_notice(replace(await only(box), attempts=1))

    await box.turn()

    assert (await only(box)).repeats
