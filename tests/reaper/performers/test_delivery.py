"""Letters: what goes together, what is tried again, and what one fate means for many notices."""

from dataclasses import dataclass, field, replace

import pytest

from reaper.domain.escalation.notice import Delivery, Notice
from reaper.domain.escalation.token import opened
from reaper.edge.clock import JumpingClock
from reaper.performers.delivery import Deliverer
from reaper.performers.letters import SINGLY, TOGETHER, batches
from reaper.ports import Delivered, Letter, NotifyError, Store
from reaper.store.memory import MemoryStore
from tests.builders import HOUR, START, case, notice
from tests.crashing import CrashError, CrashingStore
from tests.fakes import FakePeople

KEY = b"a key that nobody else can guess"


@dataclass(slots=True)
class Letters:
    """A channel that keeps whole letters; `errors` are raised first, one a call."""

    clock: JumpingClock
    name: str = "slack"
    personal: bool = True
    got: list[Letter] = field(default_factory=list)
    errors: list[NotifyError] = field(default_factory=list)

    async def deliver(self, letter: Letter) -> Delivered:
        """Take a letter, or fail as told."""
        if self.errors:
            raise self.errors.pop(0)
        self.got.append(letter)
        return Delivered(at=self.clock.now(), handle=f"D1:{len(self.got)}")


@dataclass(slots=True)
class Post:
    """An outbox with notices, and one channel."""

    store: MemoryStore
    clock: JumpingClock
    channel: Letters
    epoch: int

    async def turn(self) -> int:
        """Deliver once, by a deliverer that has just been started."""
        return await self.deliverer().turn()

    def deliverer(self, store: Store | None = None) -> Deliverer:
        """Start a deliverer, over another store where one is given."""
        return Deliverer(
            store=store or self.store,
            clock=self.clock,
            epoch=self.epoch,
            notifiers=(self.channel,),
            people=(FakePeople(),),
            key=KEY,
        )

    async def all(self) -> list[Notice]:
        """Return every notice as it stands."""
        async with self.store.reading() as books:
            cases = await books.open_cases()
            return [item for one in cases for item in await books.notices(one.id)]


def many(count: int, **changes: object) -> list[Notice]:
    """Return queued warnings of as many cases."""
    return [
        notice(id=f"c{number}:warning:0:0", case_id=f"c{number}", **changes)
        for number in range(count)
    ]


async def post(notices: list[Notice]) -> Post:
    """Put notices of open cases into an outbox."""
    clock = JumpingClock(at=START)
    store = MemoryStore(cluster="test")
    epoch = await store.lead("test", START)
    async with store.transaction(epoch) as books:
        for item in notices:
            await books.keep_case(case(id=item.case_id))
            await books.keep_notice(item)
    return Post(store=store, clock=clock, channel=Letters(clock), epoch=epoch)


# ------------------------------------------------------------------ digests


async def test_a_few_notices_go_one_by_one():
    box = await post(many(SINGLY))

    assert await box.turn() == SINGLY
    assert [len(letter.notices) for letter in box.channel.got] == [1] * SINGLY


async def test_more_than_a_few_go_in_one_letter():
    box = await post(many(SINGLY + 1))

    assert await box.turn() == SINGLY + 1
    assert [len(letter.notices) for letter in box.channel.got] == [SINGLY + 1]


async def test_very_many_go_in_letters_that_can_be_read():
    box = await post(many(2 * TOGETHER + 3))
    await box.turn()

    assert [len(letter.notices) for letter in box.channel.got] == [TOGETHER, TOGETHER, 3]


async def test_each_notice_of_a_digest_is_delivered_and_answered_for_itself():
    box = await post(many(7))
    await box.turn()

    (letter,) = box.channel.got
    rights = {opened(text, KEY, START) for text in letter.tokens.values()}
    assert {right.notice_id for right in rights if right} == {item.id for item in letter.notices}
    assert all(item.counts and item.handle == "D1:1" for item in await box.all())


async def test_each_notice_of_a_digest_knows_what_came_with_it():
    box = await post(many(6))
    await box.turn()

    first = next(item for item in await box.all() if item.case_id == "c0")
    assert first.together == ("c1", "c2", "c3", "c4", "c5")


@pytest.mark.parametrize(
    "other",
    [{"to": "otto"}, {"kind": "final"}, {"attempts": 1, "retry_at": START}, {"repeats": True}],
    ids=["another person", "another kind", "tried before", "of unknown fate"],
)
def test_only_what_is_alike_goes_together(other: dict[str, object]):
    alike = many(6)
    unlike = replace(alike[0], id="x", **other)

    assert [len(batch) for batch in batches([*alike, unlike])] == [6, 1]


async def test_a_digest_that_is_refused_is_tried_again_as_one():
    box = await post(many(6))
    box.channel.errors = [NotifyError("busy", recoverable=True, retry_after=7.0)]
    assert await box.turn() == 0
    assert {item.retry_at for item in await box.all()} == {START + 7.0}

    box.clock.at += 10.0
    assert await box.turn() == 6
    assert [len(letter.notices) for letter in box.channel.got] == [6]


async def test_a_case_that_closed_meanwhile_is_left_out_of_the_digest():
    box = await post(many(7))
    async with box.store.transaction(box.epoch) as books:
        await books.keep_case(case(id="c3", closed=START))

    assert await box.turn() == 6
    assert "c3" not in {item.case_id for item in box.channel.got[0].notices}


# ------------------------------------------------------------------ rate limits


async def test_a_channel_that_limits_the_rate_is_left_in_peace_by_every_notice():
    box = await post(many(3))
    deliverer = box.deliverer()
    box.channel.errors = [NotifyError("limits the rate", recoverable=True, retry_after=7.0)]
    await deliverer.turn()
    assert box.channel.got == []
    assert {item.retry_at for item in await box.all()} == {START + 7.0}

    box.clock.at += 8.0
    assert await deliverer.turn() == 3


# ------------------------------------------------------------------ crashes


@pytest.mark.parametrize("after", [False, True], ids=["lost", "kept"])
@pytest.mark.parametrize("at", range(1, 8))
async def test_a_digest_whose_sender_died_comes_whole_and_says_if_it_may_repeat(
    at: int, after: bool
):
    box = await post(many(6))
    store = CrashingStore(box.store, at=at, after=after)
    with pytest.raises(CrashError):
        await box.deliverer(store).turn()
    sent = len(box.channel.got)

    box.clock.at += HOUR
    await box.turn()

    assert all(item.counts for item in await box.all())
    assert sent == 0 or after or all(n.repeats for n in box.channel.got[-1].notices)
    assert {n.id for letter in box.channel.got for n in letter.notices} == {
        f"c{number}:warning:0:0" for number in range(6)
    }


# ------------------------------------------------------------------ unknown fates


async def test_a_notice_of_unknown_fate_is_sent_once_more_and_says_so():
    box = await post(many(1))
    box.channel.errors = [NotifyError("timed out", recoverable=False, ambiguous=True)]
    await box.turn()
    (doubtful,) = await box.all()
    assert (doubtful.delivery, doubtful.counts) == (Delivery.AMBIGUOUS, False)
    assert await box.turn() == 0

    box.clock.at += HOUR
    assert await box.turn() == 1
    assert [letter.notice.repeats for letter in box.channel.got] == [True]


async def test_a_digest_of_unknown_fate_is_sent_once_more_as_one():
    box = await post(many(8))
    box.channel.errors = [NotifyError("timed out", recoverable=False, ambiguous=True)]
    await box.turn()
    box.clock.at += HOUR

    assert await box.turn() == 8
    assert [len(letter.notices) for letter in box.channel.got] == [8]


async def test_a_notice_that_stays_of_unknown_fate_is_repeated_less_and_less_often():
    box = await post(many(1))
    waits = []
    for _ in range(7):
        box.channel.errors = [NotifyError("timed out", recoverable=False, ambiguous=True)]
        await box.turn()
        (doubtful,) = await box.all()
        assert doubtful.retry_at is not None
        waits.append(doubtful.retry_at - box.clock.at)
        box.clock.at = doubtful.retry_at

    assert waits == [300, 1200, 4800, 19200, 76800, 86400, 86400]


@pytest.mark.parametrize(
    "error",
    [
        NotifyError("down", recoverable=True),
        NotifyError("timed out", recoverable=False, ambiguous=True),
    ],
)
async def test_a_clock_that_is_set_back_holds_up_no_notice(error):
    box = await post(many(1))
    box.channel.errors = [error]
    await box.turn()
    box.clock.at -= 6 * HOUR

    assert await box.turn() == 1


async def test_a_last_notice_that_a_newer_one_replaces_is_not_sent_beside_it():
    box = await post([])
    old, new = (
        notice(id=f"c:final:1:{number}", case_id="c", kind="final", rung=1, round=number)
        for number in (0, 1)
    )
    async with box.store.transaction(box.epoch) as books:
        await books.keep_case(case(id="c", round=1))
        for item in (old, new):
            await books.keep_notice(item)
    await box.turn()

    assert [letter.notice.id for letter in box.channel.got] == [new.id]
    assert {item.id: item.delivery for item in await box.all()}[old.id] is Delivery.FAILED


async def test_a_delivered_notice_is_never_sent_again():
    box = await post(many(6))
    await box.turn()
    box.clock.at += 9 * HOUR

    assert await box.turn() == 0
    assert len(box.channel.got) == 1
