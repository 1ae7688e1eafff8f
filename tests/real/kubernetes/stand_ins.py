"""
Small controllers that stand in for those of others: they make, stop and resume what theirs do.

Each is a table's entry: what an object wants to exist, and what its status says.  Theirs do much
more; what is played here is what a stop and a resume rely on.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.real.kubernetes.api import Object
from tests.real.kubernetes.cluster import gpu_pod
from tests.real.kubernetes.foreign_kinds import version_of
from tests.real.kubernetes.played_kubelets import now

Raw = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a controller makes of an object, of which kinds, and what it says of it."""

    makes: tuple[tuple[str, str], ...]
    """API versions and kinds of what it makes."""
    wanted: Callable[[Raw], Sequence[Object]]
    status: Callable[[Raw], Object] = lambda _raw: {}


def _named(raw: Raw) -> str:
    return str(raw["metadata"]["name"])


def _suspended(raw: Raw) -> bool:
    spec = raw["spec"]
    return bool(spec.get("suspend") or spec.get("runPolicy", {}).get("suspend"))


def _pod_spec(template: Raw) -> Object:
    """Return a pod's specification without what a controller does not take."""
    spec = dict(template["spec"])
    spec.pop("terminationGracePeriodSeconds", None)
    return spec


def _set(kind: str, name: str, template: Raw, replicas: int) -> Object:
    """Write a StatefulSet or Deployment."""
    labels = {"app": name}
    worn = {**template.get("metadata", {}).get("labels", {}), **labels}
    spec: dict[str, Any] = {
        "replicas": replicas,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": worn}, "spec": _pod_spec(template)},
    }
    if kind == "StatefulSet":
        spec |= {"serviceName": name, "podManagementPolicy": "Parallel"}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name}, "spec": spec}


def _pods(name: str, template: Raw, count: int) -> Iterator[Object]:
    for number in range(count):
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"{name}-{number}"}}
        yield {**pod, "spec": template["spec"]}


def _notebook(raw: Raw) -> Sequence[Object]:
    stopped = "kubeflow-resource-stopped" in raw["metadata"].get("annotations", {})
    return [_set("StatefulSet", _named(raw), raw["spec"]["template"], 0 if stopped else 1)]


def _workspace(raw: Raw) -> Sequence[Object]:
    paused = raw["spec"].get("paused", False)
    name, template = f"ws-{_named(raw)}", raw["spec"]["podTemplate"]
    return [_set("StatefulSet", name, template, 0 if paused else 1)]


def _job_set(raw: Raw) -> Sequence[Object]:
    jobs = []
    for part in raw["spec"]["replicatedJobs"]:
        for number in range(part.get("replicas", 1)):
            spec = {**part["template"]["spec"], "suspend": _suspended(raw)}
            name = f"{_named(raw)}-{part['name']}-{number}"
            meta = {"name": name, "labels": {"jobset.sigs.k8s.io/jobset-name": _named(raw)}}
            jobs.append({"apiVersion": "batch/v1", "kind": "Job", "metadata": meta, "spec": spec})
    return jobs


def _train_job(raw: Raw) -> Sequence[Object]:
    trainer = raw["spec"]["trainer"]
    pod = {"restartPolicy": "Never", **_pod_spec(trainer["template"])}
    job = {"parallelism": trainer["numNodes"], "completions": trainer["numNodes"]}
    spec = {**job, "backoffLimit": 0, "template": {"spec": pod}}
    parts = [{"name": "node", "replicas": 1, "template": {"spec": spec}}]
    return [
        {
            "apiVersion": version_of("JobSet"),
            "kind": "JobSet",
            "metadata": {"name": _named(raw)},
            "spec": {"suspend": _suspended(raw), "replicatedJobs": parts},
        }
    ]


def _ranks(field: str) -> Callable[[Raw], Sequence[Object]]:
    """Make the pods of a Kubeflow job; suspended, it has none."""

    def wanted(raw: Raw) -> Sequence[Object]:
        if _suspended(raw):
            return []
        return [
            pod
            for role, part in raw["spec"][field].items()
            for pod in _pods(f"{_named(raw)}-{role.lower()}", part["template"], part["replicas"])
        ]

    return wanted


def _ray_cluster(raw: Raw) -> Sequence[Object]:
    if _suspended(raw):
        return []
    head = _pods(f"{_named(raw)}-head", raw["spec"]["headGroupSpec"]["template"], 1)
    workers = (
        pod
        for group in raw["spec"]["workerGroupSpecs"]
        for pod in _pods(
            f"{_named(raw)}-{group['groupName']}", group["template"], group["replicas"]
        )
    )
    return [*head, *workers]


def _ray_job(raw: Raw) -> Sequence[Object]:
    if _suspended(raw):
        return []
    made = {"apiVersion": version_of("RayCluster"), "kind": "RayCluster"}
    return [
        {**made, "metadata": {"name": f"{_named(raw)}-x"}, "spec": raw["spec"]["rayClusterSpec"]}
    ]


def _service_stops(raw: Raw) -> bool:
    return raw["metadata"].get("annotations", {}).get("serving.kserve.io/stop") == "true"


def _service(raw: Raw) -> Sequence[Object]:
    if _service_stops(raw):
        return []
    predictor = raw["spec"]["predictor"]
    template, count = {"spec": predictor["podSpec"]}, predictor.get("minReplicas", 1)
    return [_set("Deployment", f"{_named(raw)}-predictor", template, count)]


def _leaders(raw: Raw) -> Sequence[Object]:
    template = raw["spec"]["leaderWorkerTemplate"]["workerTemplate"]
    return [_set("StatefulSet", _named(raw), template, raw["spec"]["replicas"])]


def _suspension(raw: Raw) -> Object:
    said = "True" if _suspended(raw) else "False"
    return {"conditions": [{"type": "Suspended", "status": said, "lastTransitionTime": now()}]}


def _service_status(raw: Raw) -> Object:
    said = "True" if _service_stops(raw) else "False"
    return {"conditions": [{"type": "Stopped", "status": said}]}


_STATEFUL = (("apps/v1", "StatefulSet"),)
_POD = (("v1", "Pod"),)

RULES: Mapping[str, Rule] = {
    "Notebook": Rule(makes=_STATEFUL, wanted=_notebook),
    "Workspace": Rule(makes=_STATEFUL, wanted=_workspace),
    "JobSet": Rule(makes=(("batch/v1", "Job"),), wanted=_job_set, status=_suspension),
    "TrainJob": Rule(
        makes=((version_of("JobSet"), "JobSet"),), wanted=_train_job, status=_suspension
    ),
    "PyTorchJob": Rule(makes=_POD, wanted=_ranks("pytorchReplicaSpecs"), status=_suspension),
    "MPIJob": Rule(makes=_POD, wanted=_ranks("mpiReplicaSpecs"), status=_suspension),
    "RayCluster": Rule(makes=_POD, wanted=_ray_cluster),
    "RayJob": Rule(makes=((version_of("RayCluster"), "RayCluster"),), wanted=_ray_job),
    "InferenceService": Rule(
        makes=(("apps/v1", "Deployment"),), wanted=_service, status=_service_status
    ),
    "LeaderWorkerSet": Rule(makes=_STATEFUL, wanted=_leaders),
}
"""The controllers by the kind that they are for."""


def drawn(kind: str, namespace: str, name: str, **spec: Any) -> Object:
    """Write an object of a kind whose pods, two of them where it can, have a GPU each."""
    template = {"spec": gpu_pod(namespace, "", **spec)["spec"]}
    rank = {"replicas": 2, "restartPolicy": "Never", "template": template}
    job = {
        "backoffLimit": 0,
        "template": {"spec": {"restartPolicy": "Never", **_pod_spec(template)}},
    }
    ray = {
        "headGroupSpec": {"template": template},
        "workerGroupSpecs": [{"groupName": "gpus", "replicas": 1, "template": template}],
    }
    specs: Mapping[str, Object] = {
        "Notebook": {"template": template},
        "Workspace": {"kind": "jupyterlab", "paused": False, "podTemplate": template},
        "JobSet": {"replicatedJobs": [{"name": "ranks", "replicas": 2, "template": {"spec": job}}]},
        "TrainJob": {
            "runtimeRef": {"name": "torch-distributed"},
            "trainer": {"numNodes": 2, "template": template},
        },
        "PyTorchJob": {"pytorchReplicaSpecs": {"Worker": rank}},
        "MPIJob": {"mpiReplicaSpecs": {"Worker": rank}},
        "RayCluster": ray,
        "RayJob": {
            "entrypoint": "python train.py",
            "shutdownAfterJobFinishes": True,
            "rayClusterSpec": ray,
        },
        "InferenceService": {"predictor": {"minReplicas": 2, "podSpec": _pod_spec(template)}},
        "LeaderWorkerSet": {
            "replicas": 2,
            "leaderWorkerTemplate": {"size": 1, "workerTemplate": template},
        },
    }
    return {
        "apiVersion": version_of(kind),
        "kind": kind,
        "metadata": {"namespace": namespace, "name": name},
        "spec": specs[kind],
    }
