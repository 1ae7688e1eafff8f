"""
Which signals an allocation's processes catch, so that a save is never asked of one that would die.

A target stands for its receivers: the batch shell alone (``batch``), every process of every step
(``step``: whether children are reached depends on the site, so all must catch it), the first
process of each container (``pod``).
"""

import signal
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from exporter.attribution.allocation import Allocation, membership_of
from exporter.attribution.cgroup import Membership
from exporter.kernel.proc import Process, SignalMasks
from exporter.sampling.snapshot import CaughtSignal

SIGNALS: Final[Mapping[str, int]] = {
    name: getattr(signal, f"SIG{name}").value
    for name in ("TERM", "USR1", "USR2", "CONT", "INT", "HUP")
}

Masks = Callable[[int], SignalMasks | None]
"""Reads a pid's masks; None when it is gone or hidden."""


def caught(allocation: Allocation, masks: Masks) -> tuple[CaughtSignal, ...]:
    """Return one answer per target that has a receiver, and signal; unreadable is not caught."""
    found: list[CaughtSignal] = []
    for target, receivers in targets(allocation).items():
        read = [masks(process.pid) for process in receivers]
        found += [
            CaughtSignal(
                platform=allocation.platform,
                allocation=allocation.key,
                target=target,
                signal=name,
                caught=all(one is not None and one.catches(number) for one in read),
            )
            for name, number in SIGNALS.items()
        ]
    return tuple(found)


def targets(allocation: Allocation) -> Mapping[str, tuple[Process, ...]]:
    """Return the receivers of each target; a target without receivers is left out."""
    work = [
        (one, place)
        for one in allocation.members
        if one.program not in {"slurmstepd", "pause"} and (place := membership_of(one))
    ]
    found: dict[str, tuple[Process, ...]] = {}
    if allocation.platform == "slurm":
        batch = [(one, place) for one, place in work if place.step == "batch"]
        found["batch"] = tuple(_first(batch))
        found["step"] = tuple(
            one for one, place in work if place.step not in {"", "batch", "extern"}
        )
    if allocation.platform == "kubernetes":
        found["pod"] = tuple(_first([(one, place) for one, place in work if place.container]))
    return {target: receivers for target, receivers in found.items() if receivers}


def _first(placed: list[tuple[Process, Membership]]) -> Iterator[Process]:
    """Yield those whose parent is not in the same step or container."""
    homes = {one.pid: (place.step, place.container) for one, place in placed}
    for one, place in placed:
        if homes.get(one.ppid) != (place.step, place.container):
            yield one
