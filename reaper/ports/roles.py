"""The roles that adapters play: activity, holder, front, demand, actor, people, notifier."""

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from reaper.domain.escalation.decision import Effect
from reaper.domain.escalation.sequel import Sequel
from reaper.domain.facts.allocation import Inventory, Run
from reaper.domain.facts.demand import Waiting
from reaper.ports.answers import (
    Claims,
    Delivered,
    Fronts,
    Letter,
    Person,
    Progress,
    Readings,
    Receipt,
    Recheck,
    Returned,
)


class Activity(Protocol):
    """Says what devices did."""

    name: str
    sees_people: bool
    """Whether rounds bring signs of people; where not, nodes are asked for them directly."""

    async def readings(self, minute: int) -> Readings:
        """Return the newest answer of every node, for the minute now in progress."""

    async def ask(self, nodes: Sequence[str]) -> Readings:
        """Ask the nodes' own exporters now, people included; a node without answer has an error."""


class Holder(Protocol):
    """Says which runs hold which devices."""

    name: str

    async def claims(self, inventory: Inventory) -> Claims:
        """Return every live run and every node's capacity."""


@runtime_checkable
class Resuming(Protocol):
    """Can ask for what was while nobody asked."""

    def resume(self, since: float | None) -> None:
        """Take over when answers were taken in last, before this start; None for never."""


@runtime_checkable
class Recalling(Protocol):
    """Believes a target's first word for good, so that it must know what was said before."""

    def recall(self, words: Mapping[str, str]) -> None:
        """Take over which node's name each target gave first, before this start."""


class Fronting(Protocol):
    """Says "my server runs as that"."""

    name: str

    async def wraps(self) -> Fronts:
        """Return every server with the run it runs as."""


class Demand(Protocol):
    """Says what waits."""

    name: str

    async def waiting(self) -> Waiting:
        """Return every pending request for GPUs."""


class Actor(Protocol):
    """Does something to a run of its platform; never blocks until the end."""

    name: str

    async def recheck(self, run: Run) -> Recheck:
        """Read the platform again and say whether this is still the run that was judged."""

    async def prepare(self, effect: Effect) -> Receipt:
        """
        Read what a save's proof will be compared with, and change nothing; raise ActionError.

        Its receipt is written down before the save begins, so that a crash asks nobody twice.
        """

    async def begin(self, effect: Effect, *, now: float) -> Receipt:
        """Begin an effect; raise ActionError when it is not taken or expired."""

    async def inspect(self, effect: Effect) -> Progress:
        """
        Read how far an effect has come; also after a crash, when nobody knows.

        A save is done when its proof is there, newer than what was prepared, and complete.
        """


@runtime_checkable
class Tracing(Protocol):
    """An actor that can tell who undid what it did."""

    async def reverter(self, effect: Effect) -> str:
        """Return who started a run again, "" where nothing tells; never raises."""


class People(Protocol):
    """Says who a platform's user is."""

    name: str

    async def person(self, user: str) -> Person | None:
        """Return the person behind a user, or None when unknown."""


class Notifier(Protocol):
    """Delivers notices on one channel."""

    name: str
    personal: bool

    async def deliver(self, letter: Letter) -> Delivered:
        """Deliver once; raise NotifyError otherwise.  Never retries by itself."""


@runtime_checkable
class Returning(Protocol):
    """A notifier that learns later that what it took did not arrive."""

    name: str

    async def returned(self) -> Sequence[Returned]:
        """Return what came back of late, the same again or not; raise NotifyError."""


@runtime_checkable
class Amending(Protocol):
    """A notifier that can change what it has delivered."""

    name: str

    async def amend(self, letter: Letter, sequels: Mapping[str, Sequel]) -> None:
        """
        Bring the message of a letter up to date, given the sequels of its notices by id.

        Once, by the handle of its notices; raise NotifyError otherwise.
        """


class Clock(Protocol):
    """Time as a value; the only way to wait."""

    def now(self) -> float:
        """Return Unix seconds."""

    def elapsed(self) -> float:
        """Return seconds of a clock that never goes back."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""
