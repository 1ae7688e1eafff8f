"""Workloads of every kind that can be stopped, as an API server holds them, and one that acts."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from reaper.domain.escalation.decision import Effect, Verb
from reaper.domain.facts.allocation import Run
from reaper.edge.clock import JumpingClock
from reaper.platforms.kubernetes.release.actor import KubernetesActor
from reaper.ports import Progress
from tests.fake_kubernetes import FakeCluster, fake_kubernetes

NOON = 1_783_339_200.0
NAMESPACE = "ml"
KEY = "uid-pod-0"

#: Kind, the spec that runs, the metadata's annotations.
CLONES = {"replicas": 3}
WORKLOADS = {
    "deployment": ("apps/v1", "Deployment", CLONES),
    "replicaset": ("apps/v1", "ReplicaSet", CLONES),
    "statefulset": ("apps/v1", "StatefulSet", CLONES),
    "job": ("batch/v1", "Job", {"suspend": False, "parallelism": 3}),
    "jobset": ("jobset.x-k8s.io/v1alpha2", "JobSet", {}),
    "trainjob": ("trainer.kubeflow.org/v1alpha1", "TrainJob", {"suspend": False}),
    "pytorchjob": ("kubeflow.org/v1", "PyTorchJob", {"runPolicy": {"cleanPodPolicy": "None"}}),
    "tfjob": ("kubeflow.org/v1", "TFJob", {}),
    "mpijob": ("kubeflow.org/v2beta1", "MPIJob", {"runPolicy": {"suspend": False}}),
    "xgboostjob": ("kubeflow.org/v1", "XGBoostJob", {}),
    "notebook": ("kubeflow.org/v1", "Notebook", {"template": {}}),
    "workspace": ("kubeflow.org/v1beta1", "Workspace", {"paused": False}),
    "rayjob": ("ray.io/v1", "RayJob", {"shutdownAfterJobFinishes": True}),
    "raycluster": ("ray.io/v1", "RayCluster", {}),
    "leaderworkerset": ("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", {"replicas": 2}),
    "inferenceservice": (
        "serving.kserve.io/v1beta1",
        "InferenceService",
        {"predictor": {"minReplicas": 1}, "transformer": {}},
    ),
}


def workload(word: str, **about) -> dict:
    """Return a workload called `one` of a kind, by the word that ids name it by."""
    version, kind, spec = WORKLOADS[word]
    meta = {"name": "one", "namespace": NAMESPACE, "uid": f"uid-{word}", **about}
    return {"apiVersion": version, "kind": kind, "metadata": meta, "spec": dict(spec)}


def pod(number: int = 0, owner: dict | None = None, *, gpus: int = 1, **about) -> dict:
    """Return a pod that runs, controlled by an owner; each further one a minute younger."""
    meta = {"name": f"pod-{number}", "namespace": NAMESPACE, "uid": f"uid-pod-{number}", **about}
    if owner is not None:
        whose = owner["metadata"]
        reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "controller": True}
        meta["ownerReferences"] = [{**reference, "name": whose["name"], "uid": whose["uid"]}]
    container = {"name": "main", "resources": {"limits": {"nvidia.com/gpu": str(gpus)}}}
    if not gpus:
        container = {"name": "main"}
    start = f"2026-07-06T08:{number:02d}:00Z"
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": meta,
        "spec": {"nodeName": "gpu01", "containers": [container]},
        "status": {"phase": "Running", "startTime": start},
    }


def queued(owner: dict, *more: dict) -> dict:
    """Return Kueue's Workload of an object, or of several pods."""
    references = [
        {
            "apiVersion": one["apiVersion"],
            "kind": one["kind"],
            "name": one["metadata"]["name"],
            "uid": one["metadata"]["uid"],
        }
        for one in (owner, *more)
    ]
    meta = {"name": "queued-one", "namespace": NAMESPACE, "ownerReferences": references}
    version = "kueue.x-k8s.io/v1beta1"
    return {"apiVersion": version, "kind": "Workload", "metadata": meta, "spec": {"active": True}}


@dataclass
class Scene:
    """One run of one cluster, and an actor that may be started anew."""

    cluster: FakeCluster
    word: str
    name: str = "one"
    clock: JumpingClock = field(default_factory=lambda: JumpingClock(at=NOON))
    members: tuple[str, ...] = ()
    actor: KubernetesActor = field(init=False)

    def __post_init__(self) -> None:
        """Start an actor."""
        self.connection = self.cluster.connection(self.clock, name="c1")
        self.restart()

    def restart(self) -> None:
        """Forget what an actor remembers."""
        self.actor = KubernetesActor({"c1": self.connection}, self.clock)

    @property
    def run(self) -> Run:
        """Return the run that was judged."""
        name = f"{NAMESPACE}/{self.word}/{self.name}"
        return Run(cluster="c1", platform="kubernetes", id=name, key=KEY, started=NOON)

    def effect(self, verb: Verb = Verb.RELEASE, **changes) -> Effect:
        """Return an effect on it; a restore is of the release."""
        ident = "case#0/restore" if verb is Verb.RESTORE else "case#0"
        now = self.clock.now()
        given = {"id": ident, "case_id": "case", "run": self.run, "verb": verb, "expires": now + 60}
        return Effect(**{**given, "member_ids": self.members, **changes})

    async def begin(self, verb: Verb = Verb.RELEASE, **changes) -> str:
        """Begin an effect and return the receipt."""
        effect = self.effect(verb, **changes)
        return (await self.actor.begin(effect, now=self.clock.now())).text

    async def inspect(self, verb: Verb = Verb.RELEASE) -> Progress:
        """Say how far an effect has come."""
        return await self.actor.inspect(self.effect(verb))

    def spec(self, kind: str, name: str = "one") -> dict:
        """Return the spec of an object as it stands."""
        return self.cluster.get(kind, name, NAMESPACE)["spec"]

    def notes(self, kind: str, name: str = "one") -> dict:
        """Return the annotations of an object as they stand."""
        return self.cluster.get(kind, name, NAMESPACE)["metadata"].get("annotations") or {}

    @property
    def writes(self) -> list[tuple[str, str, dict]]:
        """Return what was written."""
        return self.cluster.sent


@asynccontextmanager
async def scene(word: str, *objects: dict, name: str = "one", **settings) -> AsyncIterator[Scene]:
    """Give a cluster that holds these objects, or the usual workload of a kind with two pods."""
    async with fake_kubernetes(**settings) as cluster:
        if not objects:
            owner = workload(word)
            objects = (owner, pod(0, owner), pod(1, owner))
        cluster.add(*objects)
        made = Scene(cluster, word, name)
        try:
            yield made
        finally:
            await made.connection.close()


def _without_versions(found: dict) -> dict:
    """Return an object but for its version."""
    about = {k: v for k, v in found["metadata"].items() if k != "resourceVersion"}
    if not about.get("annotations", True):
        del about["annotations"]
    return {**found, "metadata": about}


def _empty_gone(value):
    """Return a value without what a merge patch leaves empty."""
    if not isinstance(value, Mapping):
        return value
    kept = {key: _empty_gone(inner) for key, inner in value.items()}
    return {key: inner for key, inner in kept.items() if inner != {} and inner is not None}


def held(at, word):
    """Return the workload as it stands."""
    return _empty_gone(_without_versions(at.cluster.get(WORKLOADS[word][1], "one", NAMESPACE)))


def pods_go(at, *numbers):
    """Do what a controller does after a stop."""
    for number in numbers or (0, 1):
        at.cluster.remove("Pod", f"pod-{number}", NAMESPACE)
