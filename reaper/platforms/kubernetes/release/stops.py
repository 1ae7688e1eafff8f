"""
Which field of which kind stops it: one entry a kind.

Pure.  A kind that is not here is somebody's own, and is never touched.  A job that a CronJob has
started is a workload of its own: the CronJob stays as it is, and what it starts next is another
run.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from reaper.platforms.kubernetes.objects import Meta
from reaper.platforms.kubernetes.release.marks import Path, Values, at

Raw = Mapping[str, Any]
"""An object as the API gives it."""

#: Stands for the instant of the stop, as RFC 3339.
NOW: Final = "now"

_ANNOTATIONS: Final = ("metadata", "annotations")
_JUPYTER: Final = "notebooks.kubeflow.org/"


def _nothing(_raw: Raw) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """
    How a kind is stopped.

    `values` are what is written, by path; `scale` tells that it is written through the scale
    subresource.  `stale` is taken away when it is put back, for it would have it stopped again.
    `against` is why one object of this kind cannot be stopped, "" where it can.
    """

    group: str
    kind: str
    values: Callable[[Raw], Values]
    scale: bool = False
    stale: tuple[Path, ...] = ()
    against: Callable[[Raw], str] = _nothing

    def stands(self, raw: Raw) -> bool:
        """Tell whether an object is stopped, by whomever."""
        return all(
            bool(at(raw, path)) if value == NOW else at(raw, path) == value
            for path, value in self.values(raw).items()
        )

    def former(self, raw: Raw) -> Values:
        """Return what stands where a stop will write."""
        return {path: at(raw, path) for path in self.values(raw)}


# ---------------------------------------------------------------- why not this one


def _volumes_go(*where: str) -> Callable[[Raw], str]:
    """Refuse what loses its volumes when it is scaled down."""

    def against(raw: Raw) -> str:
        path = (*where, "persistentVolumeClaimRetentionPolicy", "whenScaled")
        return "scaling it down would delete its volumes" if at(raw, path) == "Delete" else ""

    return against


def _of_another(usual: str) -> Callable[[Raw], str]:
    """Refuse what names another controller than the usual one."""

    def against(raw: Raw) -> str:
        manager = at(raw, ("spec", "managedBy"))
        return f"it is managed by {manager}" if manager not in (None, "", usual) else ""

    return against


def _ray_job(raw: Raw) -> str:
    """Refuse a RayJob that KubeRay does not let be suspended."""
    if at(raw, ("spec", "clusterSelector")):
        return "it runs on a RayCluster that is not its own, and cannot be suspended"
    if at(raw, ("spec", "shutdownAfterJobFinishes")) is not True:
        return "KubeRay suspends a RayJob only with shutdownAfterJobFinishes: true"
    return _of_another("ray.io/kuberay-operator")(raw)


def _inference(raw: Raw) -> str:
    """Refuse a service of a KServe that can neither stop it nor let it go to no replica."""
    mode = at(raw, (*_ANNOTATIONS, "serving.kserve.io/deploymentMode")) or ""
    if _knows_stop(raw) or mode in ("", "Serverless", "Knative"):
        return ""
    return "this version of KServe cannot stop it: upgrade to 0.15.1 or later"


# ---------------------------------------------------------------- what is written


def _always(values: Values) -> Callable[[Raw], Values]:
    return lambda _raw: values


def _knows_stop(raw: Raw) -> bool:
    """Tell whether its KServe knows the stop annotation: since 0.15.1 it reports so."""
    conditions = at(raw, ("status", "conditions"))
    entries = conditions if isinstance(conditions, list) else []
    return any(isinstance(one, Mapping) and one.get("type") == "Stopped" for one in entries)


def _served(raw: Raw) -> Values:
    """Stop an InferenceService by its annotation, or let each component go to no replica."""
    if _knows_stop(raw):
        return {(*_ANNOTATIONS, "serving.kserve.io/stop"): "true"}
    parts = [part for part in ("predictor", "transformer", "explainer") if at(raw, ("spec", part))]
    return {("spec", part, "minReplicas"): 0 for part in parts}


_SCALED: Final[Values] = {("spec", "replicas"): 0}
_SUSPENDED: Final[Values] = {("spec", "suspend"): True}
_RUN_POLICY: Final[Values] = {("spec", "runPolicy", "suspend"): True}
_NOTEBOOK: Final[Values] = {(*_ANNOTATIONS, "kubeflow-resource-stopped"): NOW}
_PAUSED: Final[Values] = {("spec", "paused"): True}
_INACTIVE: Final[Values] = {("spec", "active"): False}
_STOPPED_SERVICE: Final[Values] = {(*_ANNOTATIONS, "serving.kserve.io/stop"): "true"}
#: Old activity by which the notebook controller would cull it again as soon as it runs.
_ACTIVITY: Final = (
    (*_ANNOTATIONS, f"{_JUPYTER}last-activity"),
    (*_ANNOTATIONS, f"{_JUPYTER}last_activity_check_timestamp"),
)


def _stops() -> Iterable[Stop]:
    keeps = _volumes_go("spec")
    yield Stop(group="apps", kind="Deployment", values=_always(_SCALED), scale=True)
    yield Stop(group="apps", kind="ReplicaSet", values=_always(_SCALED), scale=True)
    yield Stop(group="apps", kind="StatefulSet", values=_always(_SCALED), scale=True, against=keeps)
    yield Stop(
        group="batch",
        kind="Job",
        values=_always(_SUSPENDED),
        against=_of_another("kubernetes.io/job-controller"),
    )
    yield Stop(
        group="jobset.x-k8s.io",
        kind="JobSet",
        values=_always(_SUSPENDED),
        against=_of_another("jobset.sigs.k8s.io/jobset-controller"),
    )
    yield Stop(
        group="trainer.kubeflow.org",
        kind="TrainJob",
        values=_always(_SUSPENDED),
        against=_of_another("trainer.kubeflow.org/trainjob-controller"),
    )
    for kind in ("PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob"):
        yield Stop(group="kubeflow.org", kind=kind, values=_always(_RUN_POLICY))
    yield Stop(group="kubeflow.org", kind="Notebook", values=_always(_NOTEBOOK), stale=_ACTIVITY)
    yield Stop(group="kubeflow.org", kind="Workspace", values=_always(_PAUSED))
    yield Stop(group="ray.io", kind="RayJob", values=_always(_SUSPENDED), against=_ray_job)
    yield Stop(
        group="ray.io",
        kind="RayCluster",
        values=_always(_SUSPENDED),
        against=_of_another("ray.io/kuberay-operator"),
    )
    yield Stop(
        group="leaderworkerset.x-k8s.io",
        kind="LeaderWorkerSet",
        values=_always(_SCALED),
        against=_volumes_go("spec", "leaderWorkerTemplate"),
    )
    yield Stop(
        group="serving.kserve.io", kind="InferenceService", values=_served, against=_inference
    )
    yield Stop(
        group="serving.kserve.io", kind="LLMInferenceService", values=_always(_STOPPED_SERVICE)
    )


STOPS: Final[Mapping[tuple[str, str], Stop]] = {(one.group, one.kind): one for one in _stops()}
"""Every kind that can be stopped, by group and kind; a bare pod is evicted, never written to."""

QUEUED: Final = Stop(group="kueue.x-k8s.io", kind="Workload", values=_always(_INACTIVE))
"""Whatever Kueue manages: its Workload.  Kueue would start anything else again."""

#: Kinds all of whose pods are of one template: where one has GPUs, all have.
ALIKE: Final = frozenset(
    ("Pod", "Deployment", "ReplicaSet", "StatefulSet", "Job", "Notebook", "Workspace")
)

#: Labels of pods without GPUs that only start the others and wait for them.
_LAUNCHERS: Final = (
    ("training.kubeflow.org/job-role", "launcher"),
    ("training.kubeflow.org/replica-type", "launcher"),
)


def launches(meta: Meta) -> bool:
    """Tell whether a pod only starts the others of its workload and waits for them."""
    return any(meta.labels.get(label) == role for label, role in _LAUNCHERS)
