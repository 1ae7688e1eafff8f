"""The channel and the directory of a replay: notices arrive at once, unless it is drawn deaf."""

from collections.abc import Callable
from dataclasses import dataclass, field

from reaper.domain.escalation.notice import Notice
from reaper.edge.clock import JumpingClock
from reaper.ports import Delivered, Letter, NotifyError, Person


@dataclass(slots=True)
class Transcript:
    """A channel that keeps what it is told; `deaf` tells whether a notice gets lost now."""

    clock: JumpingClock
    deaf: Callable[[Notice], bool]
    name: str = "transcript"
    personal: bool = True
    notices: list[Notice] = field(default_factory=list)

    async def deliver(self, letter: Letter) -> Delivered:
        """Keep the notices."""
        if self.deaf(letter.notice):
            raise NotifyError("the scenario draws a channel that fails", recoverable=True)
        self.notices.extend(letter.notices)
        return Delivered(at=self.clock.now(), handle=letter.notice.id)


@dataclass(slots=True)
class Everybody:
    """A directory that knows everybody by their user name."""

    name: str = "scenario"

    async def person(self, user: str) -> Person | None:
        """Return the person of that name."""
        return Person(user=user)
