"""Which channels a notice goes over, how each try is noted, and what comes back."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from reaper.domain.escalation.notice import Delivery, Notice, Trial
from reaper.edge.clock import JumpingClock
from reaper.performers.channels import order
from reaper.performers.delivery import Deliverer
from reaper.ports import NotifyError, People, Person, Returned, SourceError
from reaper.store.memory import MemoryStore
from tests import stored
from tests.fakes import FakeNotifier

NOW = 1000.0
MIRA = Person(user="mira")
DOWN = NotifyError("it is down", recoverable=True)


@dataclass(slots=True)
class Known:
    """Knows one person."""

    someone: Person
    name: str = "people"

    async def person(self, user: str) -> Person | None:
        return self.someone


@dataclass(slots=True)
class Returning(FakeNotifier):
    """A channel that brings back what it is told to."""

    back: list[Returned] = field(default_factory=list)
    broken: bool = False

    async def returned(self) -> Sequence[Returned]:
        if self.broken:
            raise NotifyError("the box cannot be read", recoverable=True)
        return self.back


@dataclass(slots=True)
class Beside(FakeNotifier):
    """A channel that shows what another has delivered."""

    beside: bool = True


@dataclass(slots=True)
class World:
    clock: JumpingClock = field(default_factory=lambda: JumpingClock(at=NOW))
    store: MemoryStore = field(default_factory=lambda: MemoryStore(cluster="c"))
    person: Person = MIRA
    channels: list[FakeNotifier] = field(default_factory=list)
    epoch: int = 0
    to: str = "mira"
    directory: People | None = None

    def channel(
        self, name: str, *, personal: bool = True, kind: type[FakeNotifier] = FakeNotifier
    ) -> FakeNotifier:
        made = kind(clock=self.clock, name=name, personal=personal)
        self.channels.append(made)
        return made

    async def begin(self) -> None:
        self.epoch = await self.store.lead("test", self.clock.now())
        async with self.store.transaction(self.epoch) as books:
            await books.keep_case(stored.case("c1"))
            await books.keep_notice(stored.notice("n1", to=self.to))

    async def turn(self, after: float = 0.0) -> Notice:
        if not self.epoch:
            await self.begin()
        await self.clock.sleep(after)
        await Deliverer(
            store=self.store,
            clock=self.clock,
            epoch=self.epoch,
            notifiers=self.channels,
            people=[self.directory or Known(self.person)],
        ).turn()
        async with self.store.reading() as books:
            (notice,) = await books.notices("c1")
        return notice


@pytest.fixture
def world() -> World:
    return World()


def fates(notice: Notice) -> dict[str, str]:
    return {trial.channel: str(trial.delivery) for trial in notice.trials}


async def test_a_channel_that_fails_leaves_the_notice_to_the_next(world: World):
    world.channel("slack").errors.append(DOWN)
    world.channel("mail")
    notice = await world.turn()

    assert (notice.channel, notice.counts) == ("mail", True)
    assert notice.trials == (
        Trial(channel="slack", delivery=Delivery.FAILED, at=NOW, error="it is down"),
        Trial(channel="mail", delivery=Delivery.DELIVERED, at=NOW),
    )


async def test_a_person_chooses_the_order(world: World):
    slack, mail = world.channel("slack"), world.channel("mail")
    world.person = replace(MIRA, channels=("mail", "slack"))
    notice = await world.turn()

    assert (notice.channel, len(mail.sent), len(slack.sent)) == ("mail", 1, 0)


async def test_a_channel_that_a_person_left_out_is_not_tried(world: World):
    world.channel("mail").errors.append(DOWN)
    slack = world.channel("slack")
    world.person = replace(MIRA, channels=("mail",))
    notice = await world.turn()

    assert (notice.delivery, slack.sent) == (Delivery.QUEUED, [])


async def test_what_is_not_personal_comes_last_whatever_the_order(world: World):
    console = world.channel("console", personal=False)
    world.channel("slack")
    world.person = replace(MIRA, channels=("console", "slack"))
    notice = await world.turn()

    assert (notice.channel, console.sent) == ("slack", [])


async def test_a_console_shows_a_notice_once_while_personal_channels_fail(world: World):
    console = world.channel("console", personal=False)
    slack = world.channel("slack")
    slack.errors += [DOWN, DOWN]
    await world.turn()
    waiting = await world.turn(after=15)
    notice = await world.turn(after=60)

    assert not waiting.counts
    assert (len(console.sent), notice.channel, notice.counts) == (1, "slack", True)


async def test_a_try_of_unknown_fate_is_noted_and_stops_there(world: World):
    world.channel("slack").errors.append(
        NotifyError("timed out", recoverable=False, ambiguous=True)
    )
    mail = world.channel("mail")
    notice = await world.turn()

    assert (notice.delivery, mail.sent) == (Delivery.AMBIGUOUS, [])
    assert fates(notice) == {"slack": "ambiguous"}


async def test_a_channel_that_goes_beside_shows_what_arrived(world: World):
    terminal = world.channel("terminal", personal=False, kind=Beside)
    world.channel("slack")
    notice = await world.turn()

    assert (notice.channel, len(terminal.sent)) == ("slack", 1)
    assert fates(notice) == {"slack": "delivered", "terminal": "delivered"}


async def test_a_channel_that_goes_beside_stops_nothing(world: World):
    world.channel("terminal", personal=False, kind=Beside).errors.append(DOWN)
    world.channel("slack")
    notice = await world.turn()

    assert notice.counts
    assert fates(notice) == {"slack": "delivered", "terminal": "failed"}


async def test_a_notice_to_an_unknown_owner_goes_nowhere_and_never_counts(world: World):
    slack = world.channel("slack")
    world.to = ""
    notice = await world.turn()

    assert (slack.sent, notice.counts) == ([], False)
    assert notice.error == "nobody is known behind user ''"


@dataclass(slots=True)
class Silent:
    """A directory that does not answer."""

    name: str = "people"

    async def person(self, user: str) -> Person | None:
        raise SourceError("ldap: no answer about 'mira'")


async def test_a_directory_that_does_not_answer_is_asked_again_later(world: World):
    slack = world.channel("slack")
    world.directory = Silent()
    waiting = await world.turn()
    world.directory = None
    notice = await world.turn(after=15)

    assert (waiting.delivery, waiting.error) == (Delivery.QUEUED, "ldap: no answer about 'mira'")
    assert (notice.counts, len(slack.sent)) == (True, 1)


# ------------------------------------------------------------------ what came back


def mail_of(world: World) -> Returning:
    made = world.channel("mail", kind=Returning)
    assert isinstance(made, Returning)
    return made


async def test_a_notice_that_came_back_does_not_count(world: World):
    mail = mail_of(world)
    arrived = await world.turn()
    mail.back.append(Returned(handle=arrived.handle, why="returned: no such user"))
    notice = await world.turn(after=60)

    assert arrived.counts
    assert (notice.delivery, notice.counts) == (Delivery.FAILED, False)
    assert fates(notice) == {"mail": "returned"}
    assert "returned: no such user" in notice.error


async def test_a_notice_that_came_back_goes_to_the_next_channel_at_once(world: World):
    mail = mail_of(world)
    arrived = await world.turn()
    mail.back.append(Returned(handle=arrived.handle, why="returned: no such user"))
    world.channel("slack")
    notice = await world.turn(after=60)

    assert (notice.channel, notice.delivered_at, notice.counts) == ("slack", NOW + 60, True)
    assert not notice.repeats


async def test_it_is_not_sent_again_on_the_channel_that_brought_it_back(world: World):
    mail = mail_of(world)
    arrived = await world.turn()
    mail.back.append(Returned(handle=arrived.handle, why="returned: no such user"))
    await world.turn(after=60)
    await world.turn(after=3600)

    assert len(mail.sent) == 1


@pytest.mark.parametrize("handle", ["another", ""])
async def test_what_came_back_of_another_message_changes_nothing(world: World, handle: str):
    mail = mail_of(world)
    await world.turn()
    mail.back.append(Returned(handle=handle, why="returned"))

    assert (await world.turn(after=60)).counts


async def test_a_box_that_cannot_be_read_stops_nothing(
    world: World, caplog: pytest.LogCaptureFixture
):
    mail_of(world).broken = True

    assert (await world.turn()).counts
    assert "what came back is not known: the box cannot be read" in caplog.text


def test_the_configured_order_holds_for_who_names_none():
    clock = JumpingClock(at=NOW)
    channels = [
        FakeNotifier(clock=clock, name="console", personal=False),
        FakeNotifier(clock=clock, name="mail"),
        FakeNotifier(clock=clock, name="slack"),
    ]
    found = order(channels, MIRA, stored.notice("n1"))

    assert [channel.name for channel in found] == ["mail", "slack", "console"]
