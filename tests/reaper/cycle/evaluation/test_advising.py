"""Advice on sizes is given once a day, in its first turn, and told when work begins."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from reaper.cycle.evaluation.advising import Advised, advise
from reaper.cycle.evaluation.docket import Docket
from reaper.cycle.item import Item, Standing
from reaper.cycle.rules import Rules
from reaper.domain.escalation.notice import Delivery
from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.track import Track
from reaper.domain.judgement.policy import Exemption, Hours, Match, Mode, Policy
from reaper.domain.judgement.verdict import Kind
from reaper.domain.reason import quoted
from reaper.languages.catalogue import said
from tests.builders import HOUR, START, allocation, policy, verdict
from tests.tracks import drawn

DAY = 24 * HOUR
MIDNIGHT = (START // DAY + 1) * DAY
MONDAY = datetime(2027, 1, 18, tzinfo=UTC).timestamp()
SATURDAY = MONDAY - 2 * DAY
WORK = Hours(begin=9.0, end=18.0)


def played(held: Allocation, *letters: str) -> tuple[dict[str, Track], dict[str, DeviceRecord]]:
    """Return the tracks and the records of an allocation."""
    tracks = dict(zip(held.gpus, map(drawn, letters), strict=True))
    return tracks, {device.gpu: DeviceRecord(device=device) for device in held.devices}


def advised(
    *,
    under: Policy | None = None,
    held: Allocation | None = None,
    kind: Kind = Kind.PARTIAL,
    now: float = MONDAY,
    exemptions: tuple[Exemption, ...] = (),
) -> Advised:
    """Return the advice on an allocation of two GPUs, of which one idles."""
    ours = held or allocation(gpus=2)
    tracks, records = played(ours, "A" * 90, "H" * 90)
    rules = Rules(
        cluster="test",
        policies=(under or policy(hours=WORK),),
        exemptions=exemptions,
        price=lambda _allocation, _now: 2.5,
        currency="EUR",
    )
    standing = Standing(cases={}, notices={}, keeps=(), holds=(), intents=(), policy_since={})
    docket = Docket(
        rules=rules,
        standing=standing,
        records=records,
        tracks=tracks,
        waiting=(),
        hosts={},
        now=now,
    )
    items = [
        replace(item, verdict=verdict(kind, now=now, reason=quoted("bursts of work")))
        for item in docket.items([ours])
    ]
    return advise(items, tracks, records, rules, before=now - 60, now=now)


@pytest.mark.parametrize(
    ("before", "now", "given"),
    [
        pytest.param(None, MIDNIGHT, 0, id="never in the very first turn"),
        pytest.param(MIDNIGHT - 60, MIDNIGHT, 1, id="in the first turn of a day"),
        pytest.param(MIDNIGHT - 60, MIDNIGHT - 1, 0, id="not before"),
        pytest.param(MIDNIGHT, MIDNIGHT + 60, 0, id="not again"),
        pytest.param(
            MIDNIGHT - HOUR, MIDNIGHT + 60, 1, id="late, where midnight was slept through"
        ),
    ],
)
def test_advice_comes_in_the_first_turn_of_a_day(
    before: float | None, now: float, given: int
) -> None:
    held = allocation(gpus=2)
    item = Item(
        allocation=held, verdict=verdict(), policy=None, situation=None, case=None, turn=None
    )

    found = advise(
        [item], *played(held, "A" * 90, "H" * 90), Rules(cluster="test"), before=before, now=now
    )

    assert [event.numbers for event in found.events] == [{"spare": 1.0}] * given


def test_its_owner_is_told_with_the_numbers_and_the_price() -> None:
    (told,) = advised().notices

    assert (told.kind, told.to, told.delivery) == ("advice", "mira", Delivery.QUEUED)
    assert said(told.story.reason).endswith("2 - 1 = 1 would do")
    assert (told.story.spare, told.story.cost_per_hour, told.story.seen_at) == (1.0, 5.0, MONDAY)


def test_it_belongs_to_no_case_and_is_told_once_a_day() -> None:
    (today,), (tomorrow,) = advised().notices, advised(now=MONDAY + DAY).notices

    assert today.case_id == f"advice:{today.run_key}"
    assert today.id.endswith(":2027-01-18:partial")
    assert today.id != tomorrow.id
    assert advised().notices == (today,)


def test_it_waits_until_work_begins() -> None:
    (told,) = advised().notices

    assert told.retry_at == MONDAY + 9 * HOUR


def test_on_a_day_without_work_nobody_is_told() -> None:
    found = advised(now=SATURDAY)

    assert (len(found.events), found.notices) == (1, ())


def test_what_starves_is_told_with_its_cause() -> None:
    texts = [said(notice.story.reason) for notice in advised(kind=Kind.STARVED).notices]

    assert texts[1:] == ["bursts of work"]


@pytest.mark.parametrize(
    ("mode", "fate"),
    [
        (Mode.OBSERVE, Delivery.ASSUMED),
        (Mode.NOTIFY, Delivery.QUEUED),
        (Mode.ACT, Delivery.QUEUED),
    ],
)
def test_in_observe_mode_it_is_assumed(mode: Mode, fate: Delivery) -> None:
    found = advised(under=policy(mode=mode, hours=WORK))

    assert [notice.delivery for notice in found.notices] == [fate]


def test_what_is_exempt_is_left_in_peace() -> None:
    standing_no = Exemption(match=Match(), reason="a deadline")

    assert advised(exemptions=(standing_no,)).notices == ()


@pytest.mark.parametrize(
    "held",
    [
        pytest.param(replace(allocation(gpus=2), doubt="not confirmed"), id="in doubt"),
        pytest.param(allocation(gpus=2, user=""), id="of nobody known"),
    ],
)
def test_nobody_is_told_of_what_may_not_be_theirs(held: Allocation) -> None:
    assert advised(held=held).notices == ()


def test_what_no_policy_is_for_is_told_to_nobody() -> None:
    nobody = policy(match=Match(user=("otto",)), hours=WORK)

    assert advised(under=nobody).notices == ()


def test_what_only_keeps_its_gpu_is_marked_for_who_reads_the_week() -> None:
    (event,) = advised(kind=Kind.SUSPECT).events[-1:]

    assert event.numbers == {"spare": 0.0, "suspect": 1.0}
