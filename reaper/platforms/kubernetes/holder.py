"""Kubernetes as a holder: every workload with its GPUs, every node's capacity, of each cluster."""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from reaper.domain.facts.allocation import Capacity, Claim, Inventory
from reaper.domain.facts.ending import Ended
from reaper.platforms.kubernetes.mirror import Seen
from reaper.platforms.kubernetes.objects import Pod
from reaper.platforms.kubernetes.ownership.claiming import PLATFORM, Configured, claims
from reaper.platforms.kubernetes.ownership.held import Devices
from reaper.platforms.kubernetes.ownership.nodes import capacities
from reaper.platforms.kubernetes.wishes import wishes
from reaper.ports import Claims, SourceError, Wished

_log = logging.getLogger(__name__)

#: How long it is told that a run has ended; seconds.
_REMEMBERED: Final = 240.0
_OUTCOMES: Final = {"Succeeded": "completed", "Failed": "failed"}


class Seeing(Protocol):
    """Holds what one API server says."""

    async def seen(self) -> Seen:
        """Return it as of now; raise SourceError where the server is silent."""


@dataclass(slots=True)
class _Cluster:
    """What one cluster said last."""

    claims: Mapping[str, Claim] = field(default_factory=dict)
    capacities: tuple[Capacity, ...] = ()
    ended: dict[str, Ended] = field(default_factory=dict)
    wishes: tuple[Wished, ...] = ()


class KubernetesHolder:
    """Says which workloads hold which GPUs, of one cluster or several."""

    name = PLATFORM

    def __init__(
        self,
        mirrors: Sequence[Seeing],
        configured: Configured | None = None,
        keeps: Sequence[str] = (),
    ) -> None:
        """
        Ask these mirrors, one for each API server.

        `keeps` are the namespaces in which whoever may edit a workload is of its owner's group.
        """
        self._mirrors = tuple(mirrors)
        self._keeps = tuple(keeps)
        self._configured = configured or Configured()
        self._clusters = tuple(_Cluster() for _ in self._mirrors)

    async def claims(self, inventory: Inventory) -> Claims:
        """
        Return every live workload and every GPU node's capacity; raise SourceError.

        A cluster that does not answer makes its own workloads unknown, and no others.
        """
        told = await asked(self._mirrors)
        answers = [one for one in told if isinstance(one, Seen)]
        for cluster, answer in zip(self._clusters, told, strict=True):
            if isinstance(answer, Seen):
                await asyncio.to_thread(self._take, cluster, answer)
            else:
                _silent(cluster, str(answer))
        return Claims(
            as_of=min(one.as_of for one in answers),
            claims=tuple(claim for one in self._clusters for claim in one.claims.values()),
            capacities=tuple(item for one in self._clusters for item in one.capacities),
            ended=tuple(item for one in self._clusters for item in one.ended.values()),
            wishes=tuple(item for one in self._clusters for item in one.wishes),
        )

    def _take(self, cluster: _Cluster, seen: Seen) -> None:
        found = claims(seen, self._configured, cluster.claims)
        gone = (claim for key, claim in cluster.claims.items() if key not in found)
        kept = {
            key: one
            for key, one in cluster.ended.items()
            if key not in found and seen.as_of - (one.at or seen.as_of) <= _REMEMBERED
        }
        cluster.ended = kept | {one.key: one for one in _ended(gone, seen)}
        cluster.claims = found
        cluster.capacities = capacities(seen, Devices(seen, self._configured.replicas))
        cluster.wishes = wishes(seen, self._keeps)


async def asked(mirrors: Iterable[Seeing]) -> Sequence[Seen | SourceError]:
    """Return each mirror's answer, or why it has none; raise SourceError where none answers."""
    told = await asyncio.gather(*(_told(one) for one in mirrors))
    if not any(isinstance(one, Seen) for one in told):
        raise SourceError(next(map(str, told), "no cluster"))
    return told


async def _told(mirror: Seeing) -> Seen | SourceError:
    try:
        return await mirror.seen()
    except SourceError as error:
        return error


def _silent(cluster: _Cluster, why: str) -> None:
    """Doubt what a cluster said before it fell silent."""
    _log.warning("a cluster does not answer: %s", why)
    cluster.claims = {
        key: replace(claim, doubt=f"its API server does not answer: {why}"[:300])
        for key, claim in cluster.claims.items()
    }


def _ended(gone: Iterator[Claim], seen: Seen) -> Iterator[Ended]:
    """Yield the runs that are no more, as their pods say; of a pod that is gone nobody says."""
    known = {pod.seen_as: pod for pod in seen.pods.values()}
    for claim in gone:
        pods = [known[ident] for ident in claim.node_ids if ident in known]
        yield Ended(
            key=claim.run.key,
            outcome=_outcome(pods, claim),
            partition=claim.partition,
            purpose=claim.purpose,
            at=seen.as_of,
        )


def _outcome(pods: Sequence[Pod], claim: Claim) -> str:
    phases = {pod.phase for pod in pods}
    if "Failed" in phases:
        return _OUTCOMES["Failed"]
    done = len(pods) == len(claim.node_ids) and phases == {"Succeeded"}
    return _OUTCOMES["Succeeded"] if done else "cancelled"
