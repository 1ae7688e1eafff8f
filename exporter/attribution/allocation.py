"""What a platform is shown of the node, and what it says: who holds something here."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from exporter.attribution.cgroup import Membership, membership
from exporter.kernel.cgroupfs import Folders
from exporter.kernel.proc import Process
from exporter.sampling.snapshot import Device


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One moment of the node; `now` in Unix seconds.

    `holders` gives the pids with a context per device; a device whose processes are unknown is
    not in it.  `taken` are the pids that an earlier platform has claimed.
    """

    processes: Mapping[int, Process]
    holders: Mapping[str, frozenset[int]]
    now: float
    devices: tuple[Device, ...] = ()
    taken: frozenset[int] = field(default_factory=frozenset)

    def free(self) -> Iterator[Process]:
        """Yield the processes that nobody has claimed."""
        return (one for pid, one in self.processes.items() if pid not in self.taken)

    def devices_of(self, members: Iterable[Process]) -> frozenset[str]:
        """Return the devices on which any of `members` has a context."""
        pids = {member.pid for member in members}
        return frozenset(gpu for gpu, holders in self.holders.items() if holders & pids)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    """Something that holds, or may hold, devices of this node; `key` is node_key text.

    `members` are its processes, `around` those that it lives in without owning them (the shell and
    the login above a bare process), `folders` its cgroups.
    """

    platform: str
    key: str
    members: tuple[Process, ...] = ()
    around: tuple[Process, ...] = ()
    devices: frozenset[str] = field(default_factory=frozenset)
    folders: Folders = ()


class Platform(Protocol):
    """One kind of holder; `name` is its `platform` label on the page."""

    name: str

    def allocations(self, scene: Scene) -> Iterable[Allocation]:
        """Return what of this kind is on the node, from the processes still free."""


def membership_of(process: Process) -> Membership | None:
    """Return what a process's cgroups say."""
    return membership(path for _, path in process.cgroups)


def folders_of(members: Iterable[Process]) -> Folders:
    """Return the cgroup folders of an allocation, one per hierarchy that names it."""
    lines = {line for cgroups in {one.cgroups for one in members} for line in cgroups}
    found = {kinds: one.folder for kinds, path in lines if (one := membership((path,)))}
    return tuple(sorted(found.items(), reverse=True))


def start_of(members: Iterable[Process]) -> int:
    """
    Return since when an allocation has been here, by its earliest process that is; Unix seconds.

    Nothing is remembered: a requeued job comes back under the same id within a second, and its
    cgroup may be the old one still.  A start that is later than the run's is matched all the same.
    """
    return int(min(member.start for member in members))
