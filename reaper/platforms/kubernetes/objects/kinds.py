"""
The kinds of workloads that are known: what each is for, and whether it is a gang.

A kind that is not listed is somebody's own controller: its object is the workload, and nothing is
ever done to it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Family(StrEnum):
    """What a kind of workload is like."""

    DEPLOYMENT = "deployment"
    """So many replicas of one pod, for as long as nobody says otherwise."""
    JOB = "job"
    """It ends by itself."""
    NOTEBOOK = "notebook"
    """A person works in it."""
    SERVER = "server"
    """It answers requests."""
    CLUSTER = "cluster"
    """It stands until somebody ends it, and people bring it work."""
    DAEMON = "daemon"
    """A pod on every node."""
    BARE = "bare"
    """A pod by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """
    A kind of owner.

    `gang`: its pods work on one thing together.  `starts`: it only starts others from time to
    time, so that stopping it ends nothing that runs: what it started is the workload.
    """

    group: str
    kind: str
    plural: str
    family: Family
    gang: bool = False
    starts: bool = False
    namespaced: bool = True


def _kinds() -> Iterable[Kind]:
    deployment, job, notebook = Family.DEPLOYMENT, Family.JOB, Family.NOTEBOOK
    server, cluster, gang = Family.SERVER, Family.CLUSTER, True
    yield _kind("", "Pod", Family.BARE)
    yield Kind(group="", kind="Node", plural="nodes", family=Family.DAEMON, namespaced=False)
    yield _kind("", "ReplicationController", deployment)
    yield _kind("apps", "Deployment", deployment)
    yield _kind("apps", "ReplicaSet", deployment)
    yield _kind("apps", "StatefulSet", deployment, gang=gang)
    yield _kind("apps", "DaemonSet", Family.DAEMON)
    yield _kind("argoproj.io", "Rollout", deployment)
    yield _kind("batch", "Job", job, gang=gang)
    yield _kind("batch", "CronJob", job, starts=True)
    yield _kind("jobset.x-k8s.io", "JobSet", job, gang=gang)
    yield _kind("batch.volcano.sh", "Job", job, gang=gang)
    yield _kind("workload.codeflare.dev", "AppWrapper", job, gang=gang)
    yield _kind("argoproj.io", "Workflow", job)
    yield _kind("argoproj.io", "CronWorkflow", job, starts=True)
    yield _kind("sparkoperator.k8s.io", "SparkApplication", job, gang=gang)
    yield _kind("sparkoperator.k8s.io", "ScheduledSparkApplication", job, starts=True)
    yield _kind("trainer.kubeflow.org", "TrainJob", job, gang=gang)
    for name in ("PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob", "MXJob"):
        yield _kind("kubeflow.org", name, job, gang=gang)
    yield _kind("kubeflow.org", "Notebook", notebook)
    yield _kind("kubeflow.org", "Workspace", notebook)
    yield _kind("ray.io", "RayJob", job, gang=gang)
    yield _kind("ray.io", "RayCluster", cluster, gang=gang)
    yield _kind("ray.io", "RayService", server, gang=gang)
    yield _kind("leaderworkerset.x-k8s.io", "LeaderWorkerSet", server, gang=gang)
    yield _kind("serving.kserve.io", "InferenceService", server)
    yield _kind("serving.kserve.io", "LLMInferenceService", server, gang=gang)
    yield _kind("serving.knative.dev", "Service", server)
    yield _kind("serving.knative.dev", "Configuration", server)
    yield _kind("serving.knative.dev", "Revision", server)
    yield _kind("kueue.x-k8s.io", "Workload", job, gang=gang)


def _kind(
    group: str, name: str, family: Family, *, gang: bool = False, starts: bool = False
) -> Kind:
    plural = f"{name.lower()}s"
    return Kind(group=group, kind=name, plural=plural, family=family, gang=gang, starts=starts)


#: Every kind that is known, by group and kind.
KINDS: Final[Mapping[tuple[str, str], Kind]] = {(one.group, one.kind): one for one in _kinds()}

_SEVERAL: Final = frozenset(
    name for _, name in KINDS if sum(name == other for _, other in KINDS) > 1
)


def kind_of(group: str, kind: str) -> Kind | None:
    """Return what is known of a kind, None for somebody's own."""
    return KINDS.get((group, kind))


def word(group: str, kind: str) -> str:
    """
    Return how ids name a kind: in lower case, with its group where the kind alone says too little.

    That is so for kinds of several groups, and for every kind that is not known.
    """
    known = (group, kind) in KINDS and kind not in _SEVERAL
    core = group in {"", "apps", "batch"} and (group, kind) in KINDS
    return kind.lower() if known or core else f"{kind.lower()}.{group}".rstrip(".")
