"""
The sum rule: on each node, the GPUs of the jobs we see must be the GPUs Slurm has given out.

Where they are not, a job is hidden from us and nobody's GPUs there can be told.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from reaper.platforms.slurm.gres import count, gpus
from reaper.platforms.slurm.record import Job, Node

CURE = (
    "give this account operator rights (sacctmgr modify user <name> set AdminLevel=Operator), "
    "or take `jobs` out of PrivateData in slurm.conf"
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
            maybe.update(dict.fromkeys(job.nodes, count(gpus(_totals(job.allocated)))))
    found = {}
    known = {node.name: node for node in nodes}
    for name, node in known.items():
        if doubt := _doubt(node, sure.get(name, 0), maybe[name]):
            found[name] = doubt
    for name in sure.keys() - known.keys():
        found[name] = (
            f"{name}: a job holds GPUs there, but this account cannot see the node; {CURE}"
        )
    return found


def _doubt(node: Node, sure: int, maybe: int) -> str:
    if node.used is None:
        return f"{node.name}: Slurm does not say how many of its GPUs are allocated"
    if sure <= node.used <= sure + maybe:
        return ""
    return (
        f"{node.name}: the jobs that this account sees hold {sure} GPUs, "
        f"but Slurm has given out {node.used}; {CURE}"
    )


def _totals(tres: str) -> str:
    """Return the untyped part of an AllocTRES text, in which typed entries repeat it."""
    return ",".join(part for part in tres.split(",") if part.startswith("gres/gpu="))
