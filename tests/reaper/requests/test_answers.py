"""What owners may ask, once each, and what they are told when it cannot be done."""

from dataclasses import replace

import pytest

from reaper.domain.escalation.case import Saving, State
from reaper.domain.judgement.policy import Hours, KeepRule
from reaper.ports import Person, SourceError
from reaper.requests import Identity, RefusedError, Requests, UsedTokenError
from tests.builders import HOUR, START, policy
from tests.lab import Lab, lab

GPU = "GPU-gpu01-0"
DAY = 86400.0
OWNER = Identity(user="mira", channel="slack", token="t1")
OPERATOR = Identity(user="otto", operator=True, channel="socket")
WEEKLY = policy(keep=KeepRule(mornings_per_week=1), hours=Hours(begin=9.0))
WARNED = "AAAA" + "H" * 35


async def asking(bench: Lab, tracks: str = WARNED) -> Requests:
    """Play until the owner is warned, and return the room where he asks."""
    await bench.play({GPU: tracks})
    return await bench.requests()


async def test_an_answer_counts_once_whatever_is_asked_the_second_time() -> None:
    """A link that is clicked twice, or replayed by somebody, changes nothing."""
    bench = lab()
    room = await asking(bench)
    await room.keep(name="101", seconds=HOUR, reason="lunch", by=OWNER)

    with pytest.raises(UsedTokenError, match="counts once"):
        await room.dispute(name="101", reason="again", by=OWNER)
    with pytest.raises(UsedTokenError):
        await room.release(name="101", reason="again", by=OWNER)

    assert not (await bench.case()).disputed
    assert len(await bench.events("keep")) == 1


async def test_a_refused_answer_may_be_given_again() -> None:
    """Nothing was changed by it, so the right to answer is not spent."""
    bench = lab()
    room = await asking(bench)
    with pytest.raises(RefusedError, match="at most 4 h"):
        await room.keep(name="101", seconds=9 * HOUR, reason="lunch", by=OWNER)

    granted = await room.keep(name="101", seconds=HOUR, reason="lunch", by=OWNER)

    assert granted.until == bench.clock.now() + HOUR


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
async def test_a_keep_of_no_time_or_of_all_times_is_refused(seconds: float) -> None:
    """It must end, and not before it began."""
    room = await asking(lab(), "AAHH")

    with pytest.raises(RefusedError, match="no time to keep"):
        await room.keep(name="101", seconds=seconds, reason="x", by=OPERATOR)


async def test_an_operators_keep_lasts_two_weeks_at_most() -> None:
    """What is longer is an exemption, which is reviewed."""
    room = await asking(lab(), "AAHH")
    await room.keep(name="101", seconds=14 * DAY, reason="paper", by=OPERATOR)

    with pytest.raises(RefusedError, match="write an exemption"):
        await room.keep(name="101", seconds=15 * DAY, reason="paper", by=OPERATOR)


async def test_an_operators_keep_takes_nothing_from_its_owner() -> None:
    """Two a day are the owner's own."""
    room = await asking(lab(), "AAHH")
    for quarters in (1, 2, 3):
        await room.keep(name="101", seconds=quarters * HOUR / 4, reason="x", by=OPERATOR)
    mira = replace(OWNER, token="")
    for hours in (1, 2):
        await room.keep(name="101", seconds=hours * HOUR, reason="x", by=mira)

    with pytest.raises(RefusedError, match="only 2 keeps a day"):
        await room.keep(name="101", seconds=3 * HOUR, reason="x", by=mira)


@pytest.mark.parametrize(("later", "seconds"), [(0, HOUR), (60, HOUR), (299, HOUR), (60, HOUR / 2)])
async def test_a_second_press_takes_nothing_more(later: float, seconds: float) -> None:
    """What adds next to nothing to a keep that stands is the same keep."""
    bench = lab()
    room, mira = await asking(bench), replace(OWNER, token="")
    first = await room.keep(name="101", seconds=HOUR, reason="lunch", by=mira)
    bench.clock.at += later

    again = await room.keep(name="101", seconds=seconds, reason="lunch", by=mira)

    assert (again.until, "kept already until" in again.text) == (first.until, True)
    assert len(await bench.events("keep")) == 1


async def test_a_keep_that_lasts_longer_is_another() -> None:
    """It is wanted for itself, so it is taken from the budget."""
    bench = lab()
    room, mira = await asking(bench), replace(OWNER, token="")
    await room.keep(name="101", seconds=HOUR, reason="lunch", by=mira)
    bench.clock.at += 301

    again = await room.keep(name="101", seconds=HOUR, reason="lunch", by=mira)

    assert again.until == bench.clock.now() + HOUR
    assert len(await bench.events("keep")) == 2


class Berliners:
    """A directory in which everybody lives in one zone."""

    name = "people"

    def __init__(self, hours: Hours | None = None, zone: str = "Europe/Berlin") -> None:
        self.hours = hours
        self.zone = zone

    async def person(self, user: str) -> Person:
        if not self.zone:
            raise SourceError("ldap: no answer")
        return Person(user=user, zone=self.zone, hours=self.hours)


def room_of(bench: Lab, people: Berliners) -> Requests:
    assert bench.parts is not None
    return Requests(
        store=bench.store,
        clock=bench.clock,
        policies=(WEEKLY,),
        epoch=bench.parts.epoch,
        people=(people,),
    )


@pytest.mark.parametrize(
    ("hours", "until"),
    [
        (None, START - START % DAY + 3 * DAY + 9 * HOUR),
        (Hours(zone="Asia/Tokyo", begin=11.0), START - START % DAY + 3 * DAY + 2 * HOUR),
    ],
    ids=["the policy's hours in the person's zone", "the person's own hours"],
)
async def test_a_morning_is_that_of_its_owner(hours: Hours | None, until: float) -> None:
    """From a Friday to ten (or eleven, where work begins then) on Monday, by the owner's clock."""
    bench = lab(WEEKLY)
    await asking(bench, "AAHH" * 30)
    bench.clock.at = START - START % DAY + 10 * HOUR

    granted = await room_of(bench, Berliners(hours)).keep_until_morning(
        name="101", reason="home", by=OWNER
    )

    assert granted.until == until


@pytest.mark.parametrize("zone", ["", "Nowhere/At_All"], ids=["no answer", "no such zone"])
async def test_without_a_word_on_its_owner_a_morning_is_that_of_the_policy(zone: str) -> None:
    """A directory that is down keeps nobody from keeping."""
    bench = lab(WEEKLY)
    await asking(bench, "AAHH" * 30)
    bench.clock.at = START - START % DAY + 10 * HOUR

    granted = await room_of(bench, Berliners(zone=zone)).keep_until_morning(
        name="101", reason="home", by=OWNER
    )

    assert granted.until == START - START % DAY + 3 * DAY + 10 * HOUR


async def test_a_run_that_saves_itself_is_given_back_only_afterwards() -> None:
    """What it was asked to write is not cut off."""
    bench = lab()
    room = await asking(bench)
    case = await bench.case()
    saving = replace(case, state=State.VERIFYING, saving=Saving(requeueable=True, asked=START))
    assert bench.parts is not None
    async with bench.store.transaction(bench.parts.epoch) as books:
        await books.keep_case(saving)

    with pytest.raises(RefusedError, match="is saving itself before its release"):
        await room.release(name="101", reason="done", by=OWNER)


async def test_the_second_morning_of_a_week_is_refused() -> None:
    """As the policy says: one per week."""
    bench = lab(WEEKLY)
    room = await asking(bench)
    await room.keep_until_morning(name="101", reason="home", by=OWNER)
    bench.clock.at += 3 * DAY

    with pytest.raises(RefusedError, match="only 1 a week"):
        await room.keep_until_morning(name="101", reason="home", by=replace(OWNER, token="t2"))


async def test_a_policy_without_mornings_refuses_them() -> None:
    """The usual budget has none."""
    room = await asking(lab())

    with pytest.raises(RefusedError, match="knows no keep until the next morning"):
        await room.keep_until_morning(name="101", reason="home", by=OWNER)


async def test_a_warning_tells_what_is_left_of_both_budgets() -> None:
    """The buttons are offered from these numbers."""
    bench = lab(WEEKLY)
    room = await asking(bench, "AAHH")
    await room.keep(name="101", seconds=600.0, reason="x", by=replace(OWNER, token=""))

    await bench.play({GPU: "H" * 40})

    story = bench.notifier.sent[0].story
    assert (story.keeps_left, story.mornings_left) == (1, 1)


async def released(bench: Lab) -> Requests:
    """Play until the reaper's release is verified."""
    return await asking(bench, "AAAA" + "H" * 120)


async def test_a_released_run_is_kept_no_more_and_says_since_when() -> None:
    """By its id and by its key: it is no unknown allocation."""
    room = await released(lab())

    with pytest.raises(RefusedError, match=r"slurm/101 was released on 2027-01-15 \d\d:\d\d UTC"):
        await room.keep(name="slurm/101", seconds=HOUR, reason="x", by=OWNER)


async def test_a_run_that_ended_says_since_when() -> None:
    """Without any case, from its tenures."""
    bench = lab()
    room = await asking(bench, "AAAA")
    bench.cluster.claims.clear()
    await bench.play({GPU: "EE"})

    with pytest.raises(RefusedError, match="slurm/101 ended on 2027-01-15"):
        await room.dispute(name="101", reason="x", by=OWNER)


async def test_what_nobody_knows_is_named() -> None:
    """With where to look."""
    room = await asking(lab(), "AA")

    with pytest.raises(RefusedError, match="'999' names no live allocation"):
        await room.keep(name="999", seconds=HOUR, reason="x", by=OWNER)


async def test_a_release_may_be_disputed_for_a_week_and_is_ruled_on() -> None:
    """It is recorded, waits for an operator, and counts as a false alarm when it is upheld."""
    bench = lab()
    room = await released(bench)
    await room.dispute(name="101", reason="it was staging", by=OWNER)
    async with bench.store.reading() as books:
        (waiting,) = await books.disputed_cases()

    await room.rule(name="101", upheld=True, reason="right", by=OPERATOR)

    assert (waiting.outcome, waiting.disputed_at) == ("released", bench.clock.now())
    assert [event.text for event in await bench.events("dispute")] == ["it was staging"]
    async with bench.store.reading() as books:
        assert (await books.disputed_cases(), await books.holds()) == ([], [])
    assert len(await bench.events("dispute upheld")) == 1


async def test_a_release_is_not_disputed_by_others_nor_after_a_week() -> None:
    """It is the owner's word, while he remembers."""
    bench = lab()
    room = await released(bench)
    with pytest.raises(RefusedError, match="belonged to mira, not lena"):
        await room.dispute(name="101", reason="x", by=Identity(user="lena"))
    bench.clock.at += 8 * DAY

    with pytest.raises(RefusedError, match="names no live allocation"):
        await room.dispute(name="101", reason="x", by=OWNER)


async def test_a_dispute_is_made_once() -> None:
    """A second click is no second false alarm."""
    bench = lab()
    room = await asking(bench)
    await room.dispute(name="101", reason="x", by=OWNER)

    with pytest.raises(RefusedError, match="disputed already"):
        await room.dispute(name="101", reason="x", by=replace(OWNER, token=""))


async def test_a_failed_release_may_be_disputed_too() -> None:
    """The run is still there, held: its owner may say that it should never have been touched."""
    bench = lab()
    bench.actor.ignores = True
    room = await asking(bench, "AAAA" + "H" * 99)
    assert len(await bench.events("failed")) == 1

    await room.dispute(name="101", reason="x", by=OWNER)

    async with bench.store.reading() as books:
        assert len(await books.disputed_cases()) == 1
