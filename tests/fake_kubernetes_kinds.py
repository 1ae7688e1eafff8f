"""What the fake API server serves: kinds with their places, told as servers old and new tell it."""

from dataclasses import dataclass, field

OLD = "v1.20.2"
NEW = "v1.36.3"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind; `below` are its subresources with the kind that each takes, group/version/Kind."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool = True
    below: dict[str, str] = field(default_factory=dict)

    @property
    def api_version(self) -> str:
        """Return what its objects write as apiVersion."""
        return f"{self.group}/{self.version}" if self.group else self.version


SCALE = {"scale": "autoscaling/v1/Scale", "status": ""}
STATUS = {"status": ""}


def _kinds(group: str, version: str, *words: str, below: dict | None = None, everywhere=False):
    made = []
    for word in words:
        kind, _, plural = word.partition(":")
        plural = plural or f"{kind.lower()}s"
        found = Kind(
            group=group,
            version=version,
            kind=kind,
            plural=plural,
            namespaced=not everywhere,
            below=below or STATUS,
        )
        made.append(found)
    return made


def usual_kinds() -> list[Kind]:
    """Return what a cluster with the usual operators serves."""
    return [
        *_kinds(
            "", "v1", "Pod", below={"eviction": "policy/v1/Eviction", "status": "", "exec": ""}
        ),
        *_kinds("", "v1", "Event", "ResourceQuota", "ServiceAccount"),
        *_kinds("", "v1", "Node", "Namespace", everywhere=True),
        *_kinds("apps", "v1", "Deployment", "ReplicaSet", "StatefulSet", below=SCALE),
        *_kinds("apps", "v1", "DaemonSet"),
        *_kinds("batch", "v1", "Job", "CronJob"),
        *_kinds("policy", "v1", "PodDisruptionBudget"),
        *_kinds("autoscaling", "v2", "HorizontalPodAutoscaler"),
        *_kinds("authorization.k8s.io", "v1", "SelfSubjectAccessReview", everywhere=True),
        *_kinds("resource.k8s.io", "v1", "ResourceClaim"),
        *_kinds(
            "resource.k8s.io", "v1", "ResourceSlice", "DeviceClass:deviceclasses", everywhere=True
        ),
        *_kinds("coordination.k8s.io", "v1", "Lease"),
        *_kinds("kueue.x-k8s.io", "v1beta1", "Workload", "LocalQueue"),
        *_kinds("kueue.x-k8s.io", "v1beta1", "ClusterQueue", "ResourceFlavor", everywhere=True),
        *_kinds("jobset.x-k8s.io", "v1alpha2", "JobSet"),
        *_kinds("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet", below=SCALE),
        *_kinds("trainer.kubeflow.org", "v1alpha1", "TrainJob"),
        *_kinds("kubeflow.org", "v1", "Notebook", "PyTorchJob", "TFJob", "XGBoostJob"),
        *_kinds("kubeflow.org", "v2beta1", "MPIJob"),
        *_kinds("kubeflow.org", "v1beta1", "Workspace"),
        *_kinds("ray.io", "v1", "RayCluster", "RayJob", "RayService"),
        *_kinds("serving.kserve.io", "v1beta1", "InferenceService"),
        *_kinds("keda.sh", "v1alpha1", "ScaledObject"),
    ]


def _words(text: str) -> dict[str, str]:
    group, _, rest = text.rpartition("/")
    group, _, version = group.rpartition("/")
    return {"group": group, "version": version, "kind": rest}


def whole(kinds: list[Kind], *, core: bool) -> dict:
    """Return the one answer of a newer server to what it serves under /api or /apis."""
    groups: dict[str, dict[str, list[Kind]]] = {}
    for kind in kinds:
        if (kind.group == "") == core:
            groups.setdefault(kind.group, {}).setdefault(kind.version, []).append(kind)
    return {
        "kind": "APIGroupDiscoveryList",
        "apiVersion": "apidiscovery.k8s.io/v2",
        "items": [
            {
                "metadata": {"name": group},
                "versions": [
                    {
                        "version": version,
                        "freshness": "Current",
                        "resources": [_resource(kind) for kind in served],
                    }
                    for version, served in versions.items()
                ],
            }
            for group, versions in groups.items()
        ],
    }


def _resource(kind: Kind) -> dict:
    return {
        "resource": kind.plural,
        "responseKind": {"group": kind.group, "version": kind.version, "kind": kind.kind},
        "scope": "Namespaced" if kind.namespaced else "Cluster",
        "subresources": [
            {
                "subresource": name,
                "responseKind": _words(taken)
                if taken
                else {"group": kind.group, "version": kind.version, "kind": kind.kind},
            }
            for name, taken in kind.below.items()
        ],
    }


def groups_of(kinds: list[Kind]) -> dict:
    """Return an older server's list of groups."""
    found: dict[str, list[str]] = {}
    for kind in kinds:
        if kind.group and kind.version not in found.setdefault(kind.group, []):
            found[kind.group].append(kind.version)
    return {
        "kind": "APIGroupList",
        "groups": [
            {
                "name": group,
                "versions": [
                    {"groupVersion": f"{group}/{version}", "version": version}
                    for version in versions
                ],
                "preferredVersion": {
                    "groupVersion": f"{group}/{versions[0]}",
                    "version": versions[0],
                },
            }
            for group, versions in found.items()
        ],
    }


def resources_of(kinds: list[Kind], group: str, version: str) -> dict:
    """Return an older server's list of one group's version."""
    listed = []
    for kind in kinds:
        if (kind.group, kind.version) != (group, version):
            continue
        own = {"kind": kind.kind, "namespaced": kind.namespaced, "verbs": ["get", "list", "watch"]}
        listed.append({"name": kind.plural, **own})
        for name, taken in kind.below.items():
            listed.append(
                {"name": f"{kind.plural}/{name}", **own, **(_words(taken) if taken else {})}
            )
    return {"kind": "APIResourceList", "resources": listed}
