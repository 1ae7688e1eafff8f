"""
The sum rule: on each node, the GPUs of the jobs we see must be the GPUs Slurm has given out.

Where they are not, a job is hidden from us, or one cannot be read, and nobody's GPUs there can be
told.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from reaper.platforms.slurm.records.gres import GresError, count, gpus
from reaper.platforms.slurm.records.record import Job, Node

CURE = (
    "give this account operator rights (sacctmgr modify user <name> set AdminLevel=Operator), "
    "or take `jobs` out of PrivateData in slurm.conf"
)
#: Rights are not the cause of what stands there and cannot be read.
COMPARE = (
    "compare it with `scontrol --detail show`: Slurm's own form, of a version that is not known "
    "here, is worth a report"
)


def held(jobs: Iterable[Job]) -> Mapping[str, int]:
    """Return the GPUs of jobs by node."""
    total: Counter[str] = Counter()
    for job in jobs:
        for node, items in zip(job.nodes, job.gpus, strict=False):
            total[node] += count(items)
    return total


def mismatches(jobs: Iterable[Job], nodes: Iterable[Node]) -> Mapping[str, str]:
    """
    Return the nodes where the sums differ, each with what and how to cure it.

    Jobs that are suspended or completing may or may not still count on Slurm's side.
    """
    listed = tuple(jobs)
    sure = held(job for job in listed if job.live and "SUSPENDED" not in job.states)
    maybe = Counter(held(job for job in listed if job.completing or "SUSPENDED" in job.states))
    for job in listed:
        if job.completing and not job.gpus:
            maybe.update(dict.fromkeys(job.nodes, _released(job)))
    unclear = _unclear(listed)
    found = {}
    known = {node.name: node for node in nodes}
    for name, node in known.items():
        causes = unclear.get(name, ())
        if doubt := _doubt(node, sure.get(name, 0), maybe[name], causes, unclear.get("", ())):
            found[name] = doubt
    for name in {where for where, held_there in sure.items() if held_there} - known.keys():
        found[name] = (
            f"{name}: a job holds GPUs there, but this account cannot see the node; {CURE}"
        )
    return found


def _unclear(jobs: Iterable[Job]) -> Mapping[str, Sequence[str]]:
    """Return the jobs that may hold GPUs and do not say which, by node; "" for any node."""
    found: dict[str, list[str]] = {}
    for job in jobs:
        if job.unclear and (job.live or job.completing):
            for name in job.nodes or ("",):
                found.setdefault(name, []).append(f"job {job.address} cannot be read: {job.doubt}")
    return found


def _doubt(node: Node, sure: int, maybe: int, here: Sequence[str], anywhere: Sequence[str]) -> str:
    """Return why nobody's GPUs on a node can be told; "" where the sums agree."""
    if node.unclear:
        return f"{node.name}: {node.unclear}; {COMPARE}"
    if node.used is None:
        return f"{node.name}: Slurm does not say how many of its GPUs are allocated"
    # A job that cannot be read holds nothing there only where the others hold everything.
    if node.used == sure or (not here and sure <= node.used <= sure + maybe):
        return ""
    said = (
        f"{node.name}: the jobs that this account sees hold {sure} GPUs, "
        f"but Slurm has given out {node.used}"
    )
    causes = (*here, *anywhere) if node.used > sure else ()
    return f"{said}; {causes[0]}; {COMPARE}" if causes else f"{said}; {CURE}"


def _released(job: Job) -> int:
    """Return the GPUs that a completing job may still count for."""
    try:
        return count(gpus(_totals(job.allocated)))
    except GresError:
        return 0


def _totals(tres: str) -> str:
    """Return the untyped part of an AllocTRES text, in which typed entries repeat it."""
    return ",".join(part for part in tres.split(",") if part.startswith("gres/gpu="))
