"""
Who holds the devices of this node, platform by platform; the list below is the order.

It knows cgroups, processes and the node's own maps.  It refuses to know users, names and the
cluster: a key is what a node can see, and the reader maps it to a run.
A new platform is one file and one line.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from exporter.attribution.allocation import Allocation, Platform, Scene
from exporter.attribution.container import ContainerPlatform
from exporter.attribution.kubernetes import Assigned, KubernetesPlatform, nothing_assigned
from exporter.attribution.process import HostPlatform
from exporter.attribution.slurm import SlurmPlatform
from exporter.sampling.snapshot import Share

__all__ = ["Allocation", "Platform", "Scene", "attribute", "platforms", "shares"]


def platforms(node: str = "", assigned: Assigned = nothing_assigned) -> tuple[Platform, ...]:
    """Return every platform; the first that claims a process has it.

    `node` is the Slurm node that this exporter speaks for; empty takes every job of the host.
    """
    return (
        SlurmPlatform(node),
        KubernetesPlatform(assigned),
        ContainerPlatform(),
        HostPlatform(),
    )


def attribute(asked: Iterable[Platform], scene: Scene) -> tuple[Allocation, ...]:
    """Ask the platforms in their order; each sees only what those before it left."""
    found: list[Allocation] = []
    for platform in asked:
        new = tuple(platform.allocations(scene))
        found.extend(new)
        claimed = {member.pid for allocation in new for member in allocation.members}
        scene = replace(scene, taken=scene.taken | claimed)
    return tuple(found)


def shares(allocations: Iterable[Allocation]) -> tuple[Share, ...]:
    """Share each device equally among the allocations on it; a device's shares add up to 1."""
    holding: dict[str, list[Allocation]] = defaultdict(list)
    for allocation in allocations:
        for gpu in allocation.devices:
            holding[gpu].append(allocation)
    return tuple(
        Share(gpu=gpu, platform=one.platform, allocation=one.key, share=1 / len(sharing))
        for gpu, sharing in sorted(holding.items())
        for one in sharing
    )
