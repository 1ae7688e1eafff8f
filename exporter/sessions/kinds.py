"""The sessions in an allocation, kind by kind, and what proves when their person was last there."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from exporter.attribution.allocation import Allocation, membership_of
from exporter.kernel.proc import Process, ancestors
from exporter.sampling.snapshot import Session
from exporter.sessions.heartbeat import Heartbeats
from exporter.sessions.terminal import UNPROVEN, Input, Terminals

_MULTIPLEXERS: Final[Mapping[str, tuple[str, str]]] = {
    "tmux-server": ("tmux", "tmux-client"),
    "screen-server": ("screen", "screen-client"),
}
_UNPROVABLE: Final = ("jupyter", "vscode", "rstudio", "desktop", "keeper")

_Found = tuple[str, int | None, Input]
"""A session's kind, uid and last input."""


class Sessions:
    """Finds sessions, and remembers inputs: a person who closes a terminal was there."""

    def __init__(self, terminals: Terminals, heartbeats: Heartbeats) -> None:
        self._terminals = terminals
        self._heartbeats = heartbeats
        self._last: dict[tuple[str, str, str, int | None], float] = {}

    def look(
        self, allocations: Iterable[Allocation], processes: Mapping[int, Process], now: float
    ) -> tuple[Session, ...]:
        """Return one session per allocation, kind and uid; `now` in Unix seconds."""
        found: list[Session] = []
        kept: dict[tuple[str, str, str, int | None], float] = {}
        for allocation in allocations:
            groups: dict[tuple[str, int | None], list[Input]] = defaultdict(list)
            for kind, uid, seen in self._sessions(allocation, processes, now):
                groups[kind, uid].append(seen)
            for (kind, uid), inputs in groups.items():
                key = (allocation.platform, allocation.key, kind, uid)
                kept[key] = max(self._floor(key, now), *(seen.at or 0.0 for seen in inputs))
                found.append(
                    Session(
                        platform=allocation.platform,
                        allocation=allocation.key,
                        kind=kind,
                        uid=uid,
                        count=len(inputs),
                        doubtful=sum(seen.doubtful for seen in inputs),
                        last_activity=_minute(kept[key]) if _proven(inputs) else None,
                    )
                )
        self._terminals.turn()
        held = {(key[0], key[1]) for key in kept}
        self._last = {k: v for k, v in self._last.items() if (k[0], k[1]) in held} | kept
        return tuple(found)

    def _floor(self, key: tuple[str, str, str, int | None], now: float) -> float:
        """Return the earliest moment that can be claimed for a group.

        A client may have left a multiplexer just before it was first seen here.
        """
        return self._last.get(key, now if key[2] in {"tmux", "screen"} else 0.0)

    def _sessions(
        self, allocation: Allocation, processes: Mapping[int, Process], now: float
    ) -> Iterator[_Found]:
        crowd = (*allocation.members, *allocation.around)
        leaders = _leaders(crowd)
        panes = {tty for tty, one in leaders.items() if _multiplexed(one, processes)}
        inputs = {tty: self._terminals.last_input(one, now) for tty, one in leaders.items()}
        for tty in leaders.keys() - panes:
            yield "shell", leaders[tty].uid, inputs[tty]
        for process in crowd:
            parent = processes.get(process.ppid)
            if process.program in _MULTIPLEXERS:
                yield self._multiplexer(process, processes, inputs.values(), now)
            elif process.program == "ssh":
                yield "ssh", process.uid, _typed_below(process, leaders, inputs, processes)
            elif process.program == "code-server" and not _same(process, parent):
                beat = self._heartbeats.last(process, now)
                yield "code-server", process.uid, Input(at=beat)
            elif process.program in _UNPROVABLE and not (
                _same(process, parent) or _is_slurms_own(process, parent)
            ):
                yield process.program, process.uid, UNPROVEN

    def _multiplexer(
        self,
        server: Process,
        processes: Mapping[int, Process],
        typed: Iterable[Input],
        now: float,
    ) -> _Found:
        """A multiplexer's person types through its clients; detached, nobody knows."""
        kind, client = _MULTIPLEXERS[server.program]
        clients = [
            self._terminals.last_input(one, now)
            for one in processes.values()
            if one.program == client and one.uid == server.uid and one.tty
        ]
        if not clients or not _proven(clients):
            return kind, server.uid, Input(doubtful=any(one.doubtful for one in clients))
        return kind, server.uid, _latest((*clients, *typed))


def _leaders(crowd: Iterable[Process]) -> dict[int, Process]:
    """Return a process per terminal, its session's leader if it is there."""
    found: dict[int, Process] = {}
    for process in crowd:
        if process.tty and (process.tty not in found or process.pid == process.session):
            found[process.tty] = process
    return found


def _multiplexed(process: Process, processes: Mapping[int, Process]) -> bool:
    return any(one.program in _MULTIPLEXERS for one in ancestors(process, processes))


def _typed_below(
    login: Process,
    leaders: Mapping[int, Process],
    inputs: Mapping[int, Input],
    processes: Mapping[int, Process],
) -> Input:
    """Return the last input of a login's terminals; a login without one may be a tunnel."""
    own = [
        inputs[tty]
        for tty, one in leaders.items()
        if any(above.pid == login.pid for above in ancestors(one, processes))
    ]
    if not own or not _proven(own):
        return Input(doubtful=any(seen.doubtful for seen in own))
    return _latest(own)


def _proven(inputs: Iterable[Input]) -> bool:
    return all(seen.at is not None for seen in inputs)


def _latest(inputs: Iterable[Input]) -> Input:
    return Input(at=max(seen.at for seen in inputs if seen.at is not None))


def _same(process: Process, parent: Process | None) -> bool:
    return parent is not None and parent.program == process.program


def _is_slurms_own(process: Process, parent: Process | None) -> bool:
    """Slurm itself keeps a sleep in each job's extern step."""
    place = membership_of(process)
    below = parent is None or parent.program == "slurmstepd"
    return place is not None and place.step == "extern" and below


def _minute(seconds: float) -> float:
    return math.floor(seconds / 60) * 60.0
