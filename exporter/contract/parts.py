"""The parts of a scenario, as values; `scenario.load` reads them from a text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from exporter.contract.distortion import Distortion
from exporter.contract.expectation import Expectation
from exporter.contract.tables import Place

Then = Literal["hold", "loop"]
Places = Literal["uuid", "index"]
Afterwards = Literal["ends", "stays", "returns"]
Span = tuple[float, float]
"""From and until, in seconds from start; half open."""

#: What may happen: words of `do`, each with what it means.
HAPPENINGS: Final[Mapping[str, str]] = {
    "keep": "the owner keeps the allocation",
    "keep until morning": "the owner keeps the allocation until the next working morning",
    "release": "the owner gives the allocation back, at work or not",
    "dispute": "the owner says that the verdict is wrong",
    "uphold": "an operator rules that a dispute is right",
    "reject": "an operator rules that a dispute is wrong",
    "approve": "an operator approves an act on a large allocation",
    "pause": "an operator stops every act",
    "resume": "an operator lifts a hold",
    "outage": "exporters, the scheduler or the reaper do not answer",
    "restart": "exporters or the reaper start anew",
    "deaf": "no notice gets through",
    "clock": "the reaper's wall clock is set",
}

#: Signals that a job may catch.
SIGNALS: Final = ("USR1", "USR2", "HUP", "INT", "TERM")

#: Where an allocation may come from: words of `platform`.
PLATFORMS: Final = ("slurm", "kubernetes", "host", "recorded")

#: Whose outage or restart it is: words of `of`.
SUFFERERS: Final = ("exporter", "scheduler", "channel", "reaper")

#: The node and the owner of the GPUs that `background` draws.
_OTHERS: Final = "background"


class ScenarioError(ValueError):
    """
    The text is no scenario; the message lists every mistake, a line each.

    `read` is what could be read all the same, so that its policies can be looked at too.
    """

    def __init__(self, message: str, *, read: "Scenario | None" = None) -> None:
        super().__init__(message)
        self.read = read


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioNode:
    """
    A node and one track per GPU; `then` says what follows a track's last letter.

    Without `profiling` only utilisation is measured, without `utilisation` only profiling (as on
    a MIG instance), without both nothing.
    """

    name: str
    tracks: tuple[str, ...]
    model: str = "NVIDIA H100 80GB HBM3"
    profiling: bool = True
    utilisation: bool = True
    then: Then = "hold"
    idle_power: float = 0.0
    """Watts that each GPU draws at least."""
    clock: float = 0.0
    """Seconds by which the node's own clock is ahead."""

    def letter(self, gpu: int, place: int) -> str:
        """Return the letter of a GPU in a step from the start; ``?`` before it."""
        track = self.tracks[gpu]
        if place < 0 or not track:
            return "?"
        return track[place % len(track) if self.then == "loop" else min(place, len(track) - 1)]

    @property
    def mig_profile(self) -> str:
        """Return what each of its GPUs is cut as: one instance that has all of its card."""
        return "7g" if self.profiling and not self.utilisation else ""

    def card(self, gpu: str) -> str:
        """Return the card of which a GPU is an instance; empty where it is one itself."""
        return f"{gpu}/card" if self.mig_profile else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSession:
    """
    A person's session; `inputs` are the moments (seconds from start) of human activity.

    In the spans of `busy` it is at work by itself (a kernel that computes), in those of
    `unreachable` it cannot be asked.
    """

    kind: str
    inputs: tuple[float, ...] = ()
    busy: tuple[Span, ...] = ()
    unreachable: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioLoad:
    """
    What an allocation's processes do on their host in a span, on one node or (empty) on each.

    `cores` in use, the share of the time in which they wait for data, bytes a second that the
    node sends and receives for them.
    """

    begin: float
    end: float
    cores: float = 0.0
    waits: float = 0.0
    network: float = 0.0
    node: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioPerson:
    """What directories know of a user: nobody, nobody that can be reached, or one who has left."""

    user: str
    known: bool = True
    address: bool = True
    left: bool = False
    contact: str = ""
    """Who answers for a person that has left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioWaiting:
    """
    So many GPUs that a request waits for from a moment on, until the next of its `id`.

    `blocked` says that something else keeps it from starting.
    """

    at: float
    gpus: int
    id: str = "waiting"
    partitions: tuple[str, ...] = ()
    model: str = ""
    user: str = ""
    blocked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioAllocation:
    """
    An allocation: `holds` are (node, GPU index) pairs; times are seconds from start.

    The same `id` may be drawn again for a later run, as after a requeue.
    """

    id: str
    user: str
    holds: tuple[tuple[str, int], ...]
    platform: str = "recorded"
    """Whose allocation it is, for policies that match it."""
    begin: float = 0.0
    end: float | None = None
    limit: float | None = None
    name: str = ""
    account: str = ""
    team: str = ""
    partition: str = ""
    qos: str = ""
    namespace: str = ""
    labels: tuple[str, ...] = ()
    """``key=value`` each."""
    purpose: str = "other"
    requeueable: bool = False
    sessions: tuple[ScenarioSession, ...] = ()
    host_works: tuple[Span, ...] | None = None
    """Spans in which its processes work on the host, a core each; None where nothing is said."""
    host_load: tuple[ScenarioLoad, ...] | None = None
    """What they do there in numbers; without both nothing measures its hosts."""
    suspended: tuple[Span, ...] = ()
    """Spans in which its scheduler has suspended it."""
    serves: tuple[Span, ...] | None = None
    """Spans in which it answers requests; None where nothing counts them."""
    catches: tuple[str, ...] = ()
    """Signals that its batch script catches."""
    saves: float | None = None
    """Seconds from being asked to the newer file that proves a save; None for never."""
    share: float = 1.0
    """Its part of each GPU that it holds; below 1 others may hold the rest."""
    uses: tuple[Span, ...] | None = None
    """Spans in which work on a shared GPU is its own; None where nothing tells tenants apart."""
    works_on: tuple[tuple[str, int], ...] | None = None
    """Where its processes are seen; None for where it holds GPUs."""
    released: Afterwards = "ends"
    """What a release leads to: it ends, it stays as if nothing was asked, its owner object makes
    it anew."""

    @property
    def measured(self) -> bool:
        """Tell whether anything measures what it does on its hosts."""
        return self.host_works is not None or self.host_load is not None

    @property
    def loads(self) -> tuple[ScenarioLoad, ...]:
        """Return all that it does on its hosts."""
        works = (ScenarioLoad(begin=at, end=end, cores=1.0) for at, end in self.host_works or ())
        return (*works, *(self.host_load or ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioEvent:
    """What happens `at` seconds from start, to whom, and for how long (infinity: to the end)."""

    at: float
    do: str
    allocation: str = ""
    node: str = ""
    of: str = "exporter"
    by: str = ""
    """Who asks; empty for the owner, or for an operator."""
    hold: str = "paused"
    """The hold that `resume` lifts."""
    duration: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """
    A whole scenario; `start` is aware, `step` in seconds.

    `policy` names the policies it is judged by, `policies` are its own: tables with the keys of a
    policy file, as are `exemptions`, `budgets` and `interlocks`.  `length` is where it ends, in
    seconds; None for some hours after the last thing drawn.
    """

    title: str
    start: datetime
    step: float
    nodes: tuple[ScenarioNode, ...]
    allocations: tuple[ScenarioAllocation, ...] = ()
    events: tuple[ScenarioEvent, ...] = ()
    waiting: tuple[ScenarioWaiting, ...] = ()
    signals: tuple[Distortion, ...] = ()
    people: tuple[ScenarioPerson, ...] = ()
    expect: Expectation = field(default_factory=Expectation)
    length: float | None = None
    places: Places = "uuid"
    policy: str = ""
    policies: tuple[Mapping[str, object], ...] = ()
    in_force: tuple[Span, ...] = ()
    """From when until when each of them is in force."""
    exemptions: tuple[Mapping[str, object], ...] = ()
    budgets: Mapping[str, object] = field(default_factory=dict)
    interlocks: Mapping[str, object] = field(default_factory=dict)
    lines: Mapping[Place, int] = field(default_factory=dict, compare=False)
    """Where its tables and keys stand in its text."""

    def letter(self, node: str, gpu: int, at: float) -> str:
        """Return the letter a device plays `at` seconds from start; ``?`` before it."""
        chosen = next(item for item in self.nodes if item.name == node)
        return chosen.letter(gpu, int(at // self.step))


def background(gpus: int) -> tuple[tuple[ScenarioNode, ScenarioAllocation], ...]:
    """Return GPUs of others that always work, for what counts over a whole cluster."""
    if not gpus:
        return ()
    node = ScenarioNode(name=_OTHERS, tracks=("A",) * gpus)
    holds = tuple((_OTHERS, index) for index in range(gpus))
    held = ScenarioAllocation(
        id=_OTHERS, user=_OTHERS, holds=holds, begin=-86400.0, purpose="training"
    )
    return ((node, held),)
