"""The channel and the directory of a replay: notices arrive at once, unless drawn otherwise."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from exporter.contract.scenario import ScenarioPerson
from reaper.domain.escalation.notice import Notice
from reaper.edge.clock import JumpingClock
from reaper.notifiers.texts import plain, write
from reaper.ports import Delivered, Letter, NotifyError, Person

#: The one channel of a replay.
CHANNEL: Final = "transcript"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A notice that arrived at a Unix second, and the letter that brought it."""

    at: float
    notice: Notice
    letter: Letter

    @property
    def text(self) -> str:
        """Return what the letter said, as plain text."""
        return plain(write(self.letter))


@dataclass(slots=True)
class Transcript:
    """A channel that keeps what it is told; `deaf` tells whether a notice gets lost now."""

    clock: JumpingClock
    deaf: Callable[[Notice], bool]
    name: str = CHANNEL
    personal: bool = True
    notices: list[Notice] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)

    async def deliver(self, letter: Letter) -> Delivered:
        """Keep the notices."""
        if self.deaf(letter.notice):
            raise NotifyError("the scenario draws a channel that fails", recoverable=True)
        if self.name not in letter.person.addresses:
            raise NotifyError("no address, as drawn", recoverable=False)
        self.notices.extend(letter.notices)
        now = self.clock.now()
        self.told.extend(Told(at=now, notice=item, letter=letter) for item in letter.notices)
        return Delivered(at=self.clock.now(), handle=letter.notice.id)


@dataclass(slots=True)
class Everybody:
    """A directory that knows everybody by their user name, but for those that are `drawn`."""

    drawn: Mapping[str, ScenarioPerson] = field(default_factory=dict)
    name: str = "scenario"

    async def person(self, user: str) -> Person | None:
        """Return the person of that name."""
        drawn = self.drawn.get(user, ScenarioPerson(user=user))
        if not drawn.known:
            return None
        reached = drawn.address and bool(drawn.contact or not drawn.left)
        return Person(
            user=user,
            addresses={CHANNEL: user} if reached else {},
            left=drawn.left,
            contact=drawn.contact,
        )
