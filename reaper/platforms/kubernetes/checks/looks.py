"""Looks at each API server in turn: its version, our rights, what it serves, what it holds."""

import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reaper.edge.kubernetes import Connection, KubeError, Served
from reaper.platforms.kubernetes.checks.reviews import reviewed
from reaper.platforms.kubernetes.mirror import Mirror, Seen
from reaper.platforms.kubernetes.objects import KINDS
from reaper.platforms.kubernetes.ownership.claiming import workloads
from reaper.platforms.kubernetes.release.reverters import refusal
from reaper.platforms.platform import Finding
from reaper.ports import SourceError

#: The oldest version whose shapes are known, and the newest.
OLDEST: Final = (1, 28)
NEWEST: Final = (1, 37)

#: Workloads that are named one by one.
_NAMED: Final = 5
#: Groups that every API server has.
_BUILT_IN: Final = frozenset(("", "apps", "batch"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One cluster: the way to its API server, and what is held of it."""

    connection: Connection
    mirror: Mirror


async def check(subjects: Sequence[Subject]) -> tuple[Finding, ...]:
    """Return every finding about every cluster; a question that fails is one, too."""
    return tuple([found for one in subjects async for found in _findings(one)])


async def _findings(one: Subject) -> AsyncIterator[Finding]:
    name = f"kubernetes {one.connection.name}"
    try:
        served = await one.connection.served()
    except KubeError as error:
        cure = "try the same with kubectl as this user"
        yield Finding(subject=f"{name}: API server", ok=False, what=str(error), cure=cure)
        return
    yield _version(name, served.git)
    for finding in (*_silent(name, served), _kinds(name, served)):
        yield finding
    for finding in await reviewed(one.connection, served, name):
        yield finding
    try:
        seen = await one.mirror.seen()
    except SourceError as error:
        yield Finding(subject=f"{name}: pods", ok=False, what=str(error))
        return
    for finding in (*_held(name, seen), *_troubles(name, seen), *_unstoppable(name, seen)):
        yield finding


def _version(name: str, git: str) -> Finding:
    found = re.match(r"v?(\d+)\.(\d+)", git)
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    known = OLDEST <= version <= NEWEST
    return Finding(
        subject=f"{name}: API server",
        ok=known or None,
        what=f"answers; Kubernetes {git or 'of no version'}",
        cure="" if known else f"1.{OLDEST[1]} to 1.{NEWEST[1]} are known; observe first on others",
    )


def _silent(name: str, served: Served) -> Iterator[Finding]:
    for group in sorted(served.silent):
        what = f"{group}: its own API server is silent, so nobody knows what it serves"
        cure = "kubectl get apiservices shows which one is not available"
        yield Finding(subject=f"{name}: a group", ok=None, what=what, cure=cure)


def _kinds(name: str, served: Served) -> Finding:
    extra = [one for one in KINDS if one[0] not in _BUILT_IN]
    found = sorted(kind for group, kind in extra if (group, kind) in served.kinds)
    what = (
        f"serves {', '.join(found)}" if found else "serves no kind of an operator's that is known"
    )
    return Finding(subject=f"{name}: kinds", ok=True, what=what)


def _held(name: str, seen: Seen) -> Iterator[Finding]:
    """Yield how much is held: the pods by UID are what exporters have to name."""
    live = [pod for pod in seen.pods.values() if pod.live]
    on = {pod.node for pod in live}
    able = [node for node in seen.nodes.values() if node.gpus]
    what = (
        f"{len(live)} pods with GPUs on {len(on)} nodes; {len(able)} nodes can give GPUs out; "
        f"{sum(pod.waiting for pod in seen.pods.values())} pods wait for some"
    )
    nothing = not live and not able
    cure = "is the device plugin there? are `resources` what it calls GPUs?" if nothing else ""
    yield Finding(subject=f"{name}: pods", ok=None if nothing else True, what=what, cure=cure)
    for pod in sorted(live, key=lambda one: one.uid):
        if pod.doubt:
            where = f"{pod.meta.namespace}/{pod.meta.name}"
            yield Finding(subject=f"{name}: a pod", ok=None, what=f"{where}: {pod.doubt}")


def _troubles(name: str, seen: Seen) -> Iterator[Finding]:
    for kind, why in sorted(seen.trouble.items()):
        cure = "what it says is unknown, and whatever needs it is left alone"
        yield Finding(subject=f"{name}: {kind}", ok=False, what=why, cure=cure)


def _unstoppable(name: str, seen: Seen) -> Iterator[Finding]:
    """Yield the workloads that are only told of, each with the reason."""
    why = dict(_reasons(seen))
    for called, reason in list(why.items())[:_NAMED]:
        what = f"{called} is not stopped: {reason}"
        yield Finding(subject=f"{name}: a workload", ok=None, what=what, needed="act")
    if len(why) > _NAMED:
        rest = Counter(list(why.values())[_NAMED:])
        told = "; ".join(f"{number} where {reason}" for reason, number in rest.most_common(3))
        what = f"and {len(why) - _NAMED} more are not stopped: {told}"
        yield Finding(subject=f"{name}: workloads", ok=None, what=what, needed="act")


def _reasons(seen: Seen) -> Iterator[tuple[str, str]]:
    for held in workloads(seen):
        meta = held.top.meta
        reason = held.top.doubt or (
            refusal(meta, queued=held.queued is not None) if meta is not None else ""
        )
        if reason:
            yield str(held.top.reference), reason
