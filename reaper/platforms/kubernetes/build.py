"""Puts the Kubernetes platform together from its settings."""

from functools import partial
from typing import Final

from reaper.edge.kubernetes import Connection, door
from reaper.platforms.kubernetes.checks import Subject, check
from reaper.platforms.kubernetes.demand import KubernetesDemand
from reaper.platforms.kubernetes.holder import KubernetesHolder
from reaper.platforms.kubernetes.mirror import Mirror
from reaper.platforms.kubernetes.ownership.claiming import PLATFORM
from reaper.platforms.kubernetes.release.actor import KubernetesActor, resume
from reaper.platforms.kubernetes.settings import ClusterSettings, KubernetesSettings
from reaper.platforms.platform import Builder, Platform, Surroundings


def build(settings: KubernetesSettings, around: Surroundings) -> Platform:
    """Return the roles that Kubernetes plays; asks nothing yet."""
    clusters = settings.clusters or (ClusterSettings(name=around.cluster),)
    connections = {one.name: _connection(one, settings, around) for one in clusters}
    resources, configured = settings.gpus(), settings.configured()
    mirrors = tuple(
        Mirror(connection, around.clock, resources=resources, step=around.pace.step)
        for connection in connections.values()
    )
    subjects = tuple(
        Subject(connection=connection, mirror=mirror)
        for connection, mirror in zip(connections.values(), mirrors, strict=True)
    )

    async def close() -> None:
        for mirror in mirrors:
            await mirror.close()

    return Platform(
        name=PLATFORM,
        check=partial(check, subjects),
        holder=KubernetesHolder(mirrors, configured, settings.keeps),
        demand=KubernetesDemand(mirrors, configured, resources),
        actor=KubernetesActor(connections, around.clock, resources=resources),
        resume=partial(resume, tuple(connections.values()), clock=around.clock),
        close=close,
    )


def _connection(
    one: ClusterSettings, settings: KubernetesSettings, around: Surroundings
) -> Connection:
    way = door(
        path=one.kubeconfig,
        context=one.context,
        clock=around.clock,
        environment=around.environment,
    )
    return Connection(one.name, way, around.clock, timeout=settings.timeout)


BUILDER: Final = Builder(settings=KubernetesSettings, build=build, resumes=True)
