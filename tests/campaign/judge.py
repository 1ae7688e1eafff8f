"""
Whether what was done was right, by the truth alone: as a fair operator would judge it.

It knows nothing of how the program decides; only what happened, what any signal showed of it, and
what was done.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from tests.campaign.due import abandoned_at, due_at, why_never
from tests.campaign.truth import HOUR, PROVABLE, Cluster, Doing, Held

#: What shows on a host: cores in use, share of the time that waits for data, bytes a second.
_CORES: Final = 0.5
_WAITS: Final = 0.1
_NETWORK: Final = 1e6

#: Minutes for which an input shows that somebody is there; who is away for these is proven away.
_THERE: Final = 30

#: Minutes within which what has just begun cannot be known.
_JUST: Final = 2

#: Minutes by which a release may come later than it is due.
SLACK: Final = 15

UNMEASURED: Final = "not measured"
JUST_BEGUN: Final = "has just begun"

#: The policies' own choice: whoever is proven away is asked, though nothing measures the host.
UNSEEN_HOST: Final = "no signal: interactive, host not measured"

UNSEEN_PEOPLE: Final = "no signal: people not measured"

#: Where nobody could have known better.
_FORGIVEN: Final = ("", JUST_BEGUN, UNSEEN_HOST, UNSEEN_PEOPLE)


class Step(Protocol):
    """A notice or a release, in seconds from the start."""

    @property
    def at(self) -> float: ...

    @property
    def kind(self) -> str: ...

    @property
    def allocation(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A release or a notice that an allocation in use got: what it did, and what showed it."""

    seed: int
    allocation: str
    at: int
    step: str
    what: str
    shown: str
    """By which signal; empty where no signal can see it."""
    pause: bool = False
    """Nobody and nothing used it at that moment, but its person comes back soon."""

    @property
    def harms(self) -> bool:
        """Tell whether it is one that must never happen: somebody could have known better."""
        return self.step == "release" and self.shown not in _FORGIVEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """An abandoned allocation that was not released when it was due; minutes."""

    seed: int
    allocation: str
    due: int
    released: int | None
    hours: float


@dataclass(slots=True, kw_only=True)
class Figures:
    """The sums of a campaign; GPU-hours."""

    clusters: int = 0
    allocations: int = 0
    releases: int = 0
    notices: int = 0
    mistakes: list[Mistake] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)
    due: float = 0.0
    found: float = 0.0
    never: Counter[str] = field(default_factory=Counter)
    """Abandoned GPU-hours of which no release is ever due, by why."""

    def add(self, other: "Figures") -> None:
        """Add what another part of the campaign came to."""
        self.clusters += other.clusters
        self.allocations += other.allocations
        self.releases += other.releases
        self.notices += other.notices
        self.mistakes += other.mistakes
        self.missed += other.missed
        self.due += other.due
        self.found += other.found
        self.never.update(other.never)

    @property
    def harms(self) -> list[Mistake]:
        """Return the releases of what was in use that must never happen."""
        return [one for one in self.mistakes if one.harms]

    @property
    def false_notices(self) -> list[Mistake]:
        """Return the notices to allocations that somebody or something used at that moment."""
        return [one for one in self.mistakes if one.step != "release" and not one.pause]

    @property
    def in_pauses(self) -> list[Mistake]:
        """Return the notices to allocations whose person was away for a while."""
        return [one for one in self.mistakes if one.step != "release" and one.pause]


def judged(cluster: Cluster, steps: Iterable[Step]) -> Figures:
    """Judge what was done in a cluster."""
    found = Figures(clusters=1, allocations=len(cluster.held))
    by_id = {held.id: held for held in cluster.held}
    released: dict[str, int] = {}
    for step in steps:
        held = by_id[step.allocation]
        if step.kind == "release":
            found.releases += 1
            released[held.id] = int(step.at // 60)
        elif step.kind in ("warning", "final"):
            found.notices += 1
        else:
            continue
        mistake = _mistake(cluster, held, step)
        if mistake is not None:
            found.mistakes.append(mistake)
    for held in cluster.held:
        _count(cluster, held, released.get(held.id), found)
    return found


def _mistake(cluster: Cluster, held: Held, step: Step) -> Mistake | None:
    """Return what was wrong with a step; None where its allocation was not in use."""
    minute = int(step.at // 60) - 1
    doing = held.doing(minute)
    if doing is None or doing.use not in ("use", "pause"):
        return None
    return Mistake(
        seed=cluster.seed,
        allocation=held.id,
        at=minute + 1,
        step=step.kind,
        what=doing.what,
        shown=_shown(cluster, held, doing, minute),
        pause=doing.use == "pause",
    )


def _shown(cluster: Cluster, held: Held, doing: Doing, minute: int) -> str:
    """Return what shows in a minute that an allocation is in use; empty for nothing."""
    shown = _seen(cluster, held, doing, minute)
    fresh = doing.begin > minute - _JUST and shown not in _FORGIVEN
    return JUST_BEGUN if fresh else shown


def _seen(cluster: Cluster, held: Held, doing: Doing, minute: int) -> str:
    if any(begin <= minute < end for begin, end in held.suspended):
        return "its scheduler"
    shown = next(_signals(cluster, held, doing, minute), "")
    if shown or doing.use == "pause":
        return shown
    if cluster.hidden(held, minute, "exporter", "scheduler"):
        return UNMEASURED
    if held.measured and not cluster.hidden(held, minute, "host"):
        people = held.session in PROVABLE and cluster.hidden(held, minute, "people")
        return UNSEEN_PEOPLE if people else ""
    return UNSEEN_HOST if held.purpose == "interactive" else UNMEASURED


def _signals(cluster: Cluster, held: Held, doing: Doing, minute: int) -> Iterator[str]:
    if cluster.hidden(held, minute, "exporter"):
        return
    if doing.letter in "AL":
        yield "GPU"
    host = held.measured and not cluster.hidden(held, minute, "host")
    if host and (doing.cores >= _CORES or doing.waits >= _WAITS):
        yield "host"
    if host and doing.network >= _NETWORK and _alone(cluster, held, minute):
        yield "network"
    people = held.session in PROVABLE and not cluster.hidden(held, minute, "people")
    here = doing.use == "use" and held.typed(minute + 2 - _THERE, minute + 1)
    if people and here:
        yield "person"
    if people and doing.busy:
        yield "kernel"
    if held.counted and doing.served:
        yield "requests"


def _alone(cluster: Cluster, held: Held, minute: int) -> bool:
    """Tell whether nobody else is on its nodes, so that what they move is its own."""
    return not any(
        other.nodes & held.nodes and other.doing(minute) is not None
        for other in cluster.held
        if other is not held
    )


def _count(cluster: Cluster, held: Held, released: int | None, found: Figures) -> None:
    """Count the GPU-hours that were abandoned, and those that were found when they were due."""
    since = abandoned_at(held)
    if since is None:
        return
    hours = held.gpus * (cluster.length - since) / HOUR
    why = why_never(held)
    if why:
        found.never[why] += hours
        return
    due = due_at(cluster, held)
    if due is None:
        found.never["the end comes before it is due"] += hours
        return
    left = held.gpus * (cluster.length - due) / HOUR
    late = cluster.length if released is None else released
    late = due if late <= due + SLACK else late
    missed = held.gpus * (late - due) / HOUR
    found.due += left
    found.found += left - missed
    if missed:
        found.missed.append(
            Missed(
                seed=cluster.seed,
                allocation=held.id,
                due=due,
                released=released,
                hours=missed,
            )
        )
