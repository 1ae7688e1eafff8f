"""
What each mode may ask of an API server: the one table, which `doctor` asks and manifests grant.

Each mode has the rights of those before it.  Nobody reads secrets, deletes or updates anything.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_LOOK: Final = ("get", "list", "watch")
_JOBS: Final = "pytorchjobs tfjobs mpijobs xgboostjobs paddlejobs jaxjobs"

_OBSERVE: Final = (
    ("", "pods nodes namespaces resourcequotas replicationcontrollers"),
    ("apps", "deployments replicasets statefulsets daemonsets"),
    ("batch", "jobs cronjobs"),
    ("jobset.x-k8s.io", "jobsets"),
    ("leaderworkerset.x-k8s.io", "leaderworkersets"),
    ("ray.io", "rayclusters rayjobs rayservices"),
    ("kubeflow.org", f"notebooks workspaces profiles {_JOBS} mxjobs"),
    ("trainer.kubeflow.org", "trainjobs"),
    ("serving.kserve.io", "inferenceservices llminferenceservices"),
    ("serving.knative.dev", "services configurations revisions"),
    ("argoproj.io", "rollouts workflows cronworkflows"),
    ("batch.volcano.sh", "jobs"),
    ("workload.codeflare.dev", "appwrappers"),
    ("sparkoperator.k8s.io", "sparkapplications scheduledsparkapplications"),
    ("resource.k8s.io", "resourceclaims resourceslices"),
    ("kueue.x-k8s.io", "workloads localqueues clusterqueues resourceflavors"),
    ("policy", "poddisruptionbudgets"),
    ("autoscaling", "horizontalpodautoscalers"),
    ("keda.sh", "scaledobjects"),
    ("autoscaling.k8s.io", "verticalpodautoscalers"),
)

_WRITE: Final = (
    ("apps", "deployments replicasets statefulsets"),
    ("batch", "jobs"),
    ("jobset.x-k8s.io", "jobsets"),
    ("leaderworkerset.x-k8s.io", "leaderworkersets"),
    ("ray.io", "rayclusters rayjobs"),
    ("kubeflow.org", f"notebooks workspaces {_JOBS}"),
    ("trainer.kubeflow.org", "trainjobs"),
    ("serving.kserve.io", "inferenceservices llminferenceservices"),
    ("", "pods"),
    ("kueue.x-k8s.io", "workloads"),
)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Right:
    """One verb on one resource (``pods/eviction``: a subresource) that a mode needs."""

    mode: str
    group: str
    resource: str
    verb: str

    @property
    def shown(self) -> str:
        """Return it as ``kubectl auth can-i`` writes it."""
        plural, slash, below = self.resource.partition("/")
        return f"{self.verb} {plural}{'.' if self.group else ''}{self.group}{slash}{below}"


def _rights() -> Iterator[Right]:
    for group, resources in _OBSERVE:
        yield from _of("observe", group, resources, _LOOK)
    for group in ("", "events.k8s.io"):
        yield from _of("notify", group, "events", ("create",))
    for group, resources in _WRITE:
        yield from _of("act", group, resources, ("patch",))
    scales = "deployments/scale replicasets/scale statefulsets/scale"
    yield from _of("act", "apps", scales, ("patch",))
    yield from _of("act", "", "pods/eviction", ("create",))


def _of(mode: str, group: str, resources: str, verbs: tuple[str, ...]) -> Iterator[Right]:
    for resource in resources.split():
        for verb in verbs:
            yield Right(mode=mode, group=group, resource=resource, verb=verb)


MODES: Final = ("observe", "notify", "act")
"""From gentle to far."""

RIGHTS: Final = tuple(_rights())
"""Every right that any mode needs, where the kind is served."""
