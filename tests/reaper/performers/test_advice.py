"""Advice: one letter a person, once, in no hurry, and never a word on a terminal."""

from dataclasses import dataclass, field, replace

import pytest

from reaper.domain.escalation.notice import Delivery, Notice, advice_on
from reaper.edge.clock import JumpingClock
from reaper.performers.delivery import CALMLY, Deliverer
from reaper.performers.letters import TOGETHER
from reaper.ports import Delivered, Letter, Notifier, NotifyError
from reaper.store.memory import MemoryStore
from tests.builders import HOUR, START, case, notice, run
from tests.fakes import FakePeople
from tests.stored import tenure

AMBIGUOUS = NotifyError("went silent", recoverable=True, ambiguous=True)
LATER = NotifyError("is busy", recoverable=True)


@dataclass(slots=True)
class Channel:
    """A channel that keeps letters; `errors` are raised first, one a call."""

    clock: JumpingClock
    name: str = "slack"
    personal: bool = True
    beside: bool = False
    interrupts: bool = False
    got: list[Letter] = field(default_factory=list)
    errors: list[NotifyError] = field(default_factory=list)

    async def deliver(self, letter: Letter) -> Delivered:
        """Take a letter, or fail as told."""
        if self.errors:
            raise self.errors.pop(0)
        self.got.append(letter)
        return Delivered(at=self.clock.now(), handle=f"D1:{len(self.got)}")


@dataclass(slots=True, kw_only=True)
class Post:
    """An outbox, and the channels of a deliverer that is started for each turn."""

    store: MemoryStore
    clock: JumpingClock
    epoch: int
    channels: tuple[Notifier, ...]

    async def turn(self, *, after: float = 0.0) -> int:
        """Deliver once, some seconds later."""
        self.clock.at += after
        deliverer = Deliverer(
            store=self.store,
            clock=self.clock,
            epoch=self.epoch,
            notifiers=self.channels,
            people=(FakePeople(),),
            key=b"a key that nobody else can guess",
        )
        return await deliverer.turn()

    async def fate(self, told: Notice) -> Notice:
        """Return a notice as it stands."""
        async with self.store.reading() as books:
            found = await books.notices(told.case_id)
        return next(one for one in found if one.id == told.id)


def advice(number: int = 0, *, to: str = "mira", **changes: object) -> Notice:
    """Return queued advice on a run."""
    key = run(str(101 + number)).key
    base = notice(
        id=f"{advice_on(key)}:2027-01-15:partial", case_id=advice_on(key), kind="advice", **changes
    )
    return replace(base, run_key=key, to=to)


async def post(*notices: Notice) -> tuple[Post, Channel]:
    """Put notices into an outbox with a channel."""
    clock = JumpingClock(at=START)
    store = MemoryStore(cluster="test")
    epoch = await store.lead("test", START)
    async with store.transaction(epoch) as books:
        for item in notices:
            await books.keep_notice(item)
    channel = Channel(clock)
    return Post(store=store, clock=clock, epoch=epoch, channels=(channel,)), channel


async def test_all_advice_to_a_person_is_one_letter() -> None:
    box, channel = await post(*(advice(number) for number in range(TOGETHER + 3)))

    assert await box.turn() == TOGETHER + 3
    assert [len(letter.notices) for letter in channel.got] == [TOGETHER + 3]


async def test_a_person_gets_no_line_of_another() -> None:
    box, channel = await post(advice(0), advice(1, to="otto"))
    await box.turn()

    assert [[one.to for one in letter.notices] for letter in channel.got] == [["mira"], ["otto"]]


async def test_it_waits_for_its_hour() -> None:
    box, channel = await post(advice(retry_at=START + HOUR))

    early = await box.turn(after=HOUR - 60)
    await box.turn(after=60)

    assert (early, len(channel.got)) == (0, 1)


async def test_it_offers_no_right_to_answer() -> None:
    box, channel = await post(advice())
    await box.turn()

    assert channel.got[0].tokens == {}


async def test_warnings_go_first() -> None:
    warned = notice(id="c:warning:0:0", case_id="c")
    box, channel = await post(advice(), warned)
    async with box.store.transaction(box.epoch) as books:
        await books.keep_case(case(id="c"))
    await box.turn()

    assert [letter.notice.kind for letter in channel.got] == ["warning", "advice"]


async def test_a_turn_takes_so_many_letters_of_it_and_no_more() -> None:
    box, channel = await post(*(advice(one, to=f"user{one}") for one in range(CALMLY + 2)))

    assert [await box.turn(), await box.turn(), await box.turn()] == [CALMLY, 2, 0]
    assert len({letter.notice.id for letter in channel.got}) == CALMLY + 2


async def test_what_may_have_arrived_is_not_repeated() -> None:
    told = advice()
    box, channel = await post(told)
    channel.errors = [AMBIGUOUS]

    await box.turn()
    await box.turn(after=HOUR)

    fate = await box.fate(told)
    assert (channel.got, fate.delivery) == ([], Delivery.FAILED)
    assert "not repeated" in fate.error


async def test_a_crash_in_the_middle_is_not_repeated_either() -> None:
    told = advice(attempts=1)
    box, channel = await post(told)
    await box.turn()

    assert (channel.got, (await box.fate(told)).delivery) == ([], Delivery.FAILED)


async def test_what_was_refused_for_now_is_tried_again() -> None:
    box, channel = await post(advice())
    channel.errors = [LATER]

    assert [await box.turn(), await box.turn(after=60)] == [0, 1]
    assert len(channel.got) == 1


async def test_after_a_day_it_is_no_news() -> None:
    told = advice()
    box, channel = await post(told)
    await box.turn(after=24 * HOUR)

    assert channel.got == []
    assert (await box.fate(told)).error == "a newer one takes its place"


@pytest.mark.parametrize(("end", "letters"), [(None, 1), (START - 60, 0)])
async def test_what_has_ended_needs_no_advice(end: float | None, letters: int) -> None:
    box, channel = await post(advice())
    async with box.store.transaction(box.epoch) as books:
        await books.keep_tenures([replace(tenure("GPU-1", START, end), run=run("101"))])
    await box.turn()

    assert len(channel.got) == letters


async def test_it_is_written_on_no_terminal() -> None:
    box, channel = await post(advice())
    terminal = Channel(box.clock, name="terminal", personal=False, beside=True, interrupts=True)
    webhook = Channel(box.clock, name="webhook", personal=False, beside=True)
    box.channels = (channel, terminal, webhook)
    await box.turn()

    assert [len(one.got) for one in (channel, terminal, webhook)] == [1, 0, 1]


async def test_a_terminal_is_no_way_out_where_others_fail() -> None:
    box, _ = await post(advice())
    terminal = Channel(box.clock, name="terminal", personal=False, beside=True, interrupts=True)
    box.channels = (terminal,)

    assert (await box.turn(), terminal.got) == (0, [])


async def test_shown_to_operators_it_still_goes_to_its_owner_once() -> None:
    box, channel = await post(advice())
    channel.errors = [LATER]
    console = Channel(box.clock, name="console", personal=False)
    box.channels = (channel, console)

    for _ in range(3):
        await box.turn(after=HOUR)

    assert (len(channel.got), len(console.got)) == (1, 1)
