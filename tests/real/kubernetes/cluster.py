"""
A real Kubernetes for tests: control plane, nodes with pretended GPUs, whoever uses it.

    with cluster() as kubernetes:
        kubernetes.node("gpu01", gpus=4)
        with kubernetes.namespace() as lab:
            pod = kubernetes.apply(gpu_pod(lab, "train", gpus=2))
            kubernetes.await_phase(lab, "train", "Running")

Nodes made so are objects whose kubelet is played; real containers run on the rig's real node.
"""

import json
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.components import require
from tests.real.kubernetes.api import PATIENCE, Api, Object, Refused
from tests.real.kubernetes.control_plane import ControlPlane
from tests.real.kubernetes.played_kubelets import PlayedKubelets, node
from tests.real.kubernetes.programs import Programs

GPU = "nvidia.com/gpu"


class KubernetesCluster:
    """A running cluster, as its administrator sees it."""

    def __init__(self, plane: ControlPlane) -> None:
        self.plane = plane
        self.api: Api = plane.admin
        self.kubelets = PlayedKubelets(self.api)
        self._served: dict[str, Mapping[str, Any]] = {}

    @property
    def root(self) -> Path:
        """The scratch folder."""
        return self.plane.root

    # -------------------------------------------------------------- objects

    def path(self, of: Object) -> str:
        """Return where the API server has an object."""
        group = of["apiVersion"]
        root = f"/apis/{group}" if "/" in group else f"/api/{group}"
        resource = self._resource(root, of["kind"])
        space = of["metadata"].get("namespace", "default")
        where = f"/namespaces/{space}" if resource["namespaced"] else ""
        return f"{root}{where}/{resource['name']}/{of['metadata']['name']}"

    def apply(self, *objects: Object) -> Any:
        """Make objects, or bring them to what is written; return the last as it stands."""
        made = None
        for one in objects:
            made = self.api.apply(self.path(one), one)
        return made

    def define(self, *kinds: Object) -> None:
        """Bring in kinds (CustomResourceDefinitions) and wait until they are served."""
        self.apply(*kinds)
        for kind in kinds:
            self.await_true(
                lambda kind=kind: self._is_served(kind), f"{kind['spec']['names']} not served"
            )

    def find(self, of: Object) -> Any | None:
        """Read an object as it stands, None where it is gone."""
        return self.api.find(self.path(of))

    def delete(self, *objects: Object) -> None:
        """Delete objects."""
        for one in objects:
            self.api.delete(self.path(one), propagationPolicy="Background")

    # -------------------------------------------------------------- nodes and pods

    def node(
        self,
        name: str,
        *,
        gpus: int = 4,
        resource: str = GPU,
        labels: Mapping[str, str] | None = None,
    ) -> str:
        """Make a node whose kubelet is played, and return its name."""
        written = node(name, {resource: gpus}, labels or {})
        self.kubelets.nodes.add(name)
        self.apply(written)
        self.api.merge(f"/api/v1/nodes/{name}/status", {"status": written["status"]})
        self.await_true(lambda: not self._untended(name), lambda: f"node {name} is tainted still")
        return name

    def remove_node(self, name: str) -> None:
        """Take a played node away."""
        self.api.delete(f"/api/v1/nodes/{name}")
        self.kubelets.nodes.discard(name)

    def pods(self, namespace: str) -> list[Any]:
        """Return the pods of a namespace."""
        return self.api.items(f"/api/v1/namespaces/{namespace}/pods")

    def pod(self, namespace: str, name: str) -> Any | None:
        """Return a pod, None where it is gone."""
        return self.api.find(f"/api/v1/namespaces/{namespace}/pods/{name}")

    def await_phase(self, namespace: str, name: str, phase: str) -> Any:
        """Wait until a pod is in a phase, and return it."""

        def stands() -> bool:
            found = self.pod(namespace, name)
            return found is not None and found["status"]["phase"] == phase

        def why() -> str:
            found = self.pod(namespace, name)
            return f"pod {name} is not {phase}: {json.dumps(found and found['status'])}"

        self.await_true(stands, why)
        return self.pod(namespace, name)

    def await_pods(self, namespace: str, count: int, phase: str = "Running") -> list[Any]:
        """Wait until a namespace has so many pods, all in that phase; return them."""

        def stands() -> bool:
            phases = [pod["status"]["phase"] for pod in self.pods(namespace)]
            return phases == [phase] * count

        self.await_true(
            stands, lambda: f"no {count} pods in phase {phase}: {self._seen(namespace)}"
        )
        return self.pods(namespace)

    # -------------------------------------------------------------- users

    def service_account(self, namespace: str, name: str) -> Api:
        """Make a service account if need be and return its way to the API server."""
        account = {
            "apiVersion": "v1",
            "kind": "ServiceAccount",
            "metadata": {"namespace": namespace, "name": name},
        }
        self.apply(account)
        told = self.api.post(f"{self.path(account)}/token", {"spec": {"expirationSeconds": 7200}})
        return self.api.with_token(told["status"]["token"])

    def kubeconfig(self, api: Api | None = None) -> Path:
        """Write a kubeconfig for whoever's way it is, the administrator's without one."""
        path = self.root / f"kubeconfig-{uuid.uuid4().hex[:8]}"
        path.touch(mode=0o600)
        path.write_text(json.dumps((api or self.api).kubeconfig()))
        return path

    # -------------------------------------------------------------- tests' own places

    @contextmanager
    def namespace(self, labels: Mapping[str, str] | None = None) -> Iterator[str]:
        """Make a namespace that nobody else uses; it goes with all that is in it."""
        name = f"lab-{uuid.uuid4().hex[:8]}"
        self.apply(
            {
                "apiVersion": "v1",
                "kind": "Namespace",
                "metadata": {"name": name, "labels": dict(labels or {})},
            }
        )
        try:
            yield name
        finally:
            # Its pods leave the nodes at once; the rest goes behind the test's back.
            self.api.delete(f"/api/v1/namespaces/{name}")

    def await_true(
        self,
        what: Callable[[], object],
        else_say: str | Callable[[], str],
        within: float = PATIENCE,
    ) -> None:
        """Wait until something holds; fail with the given words when it does not in time."""
        until = time.monotonic() + within
        while not what():
            assert time.monotonic() < until, else_say() if callable(else_say) else else_say
            time.sleep(0.05)

    # -------------------------------------------------------------- within

    def _resource(self, root: str, kind: str) -> Mapping[str, Any]:
        key = f"{root} {kind}"
        if key not in self._served:
            found = [
                one
                for one in self.api.get(root)["resources"]
                if one["kind"] == kind and "/" not in one["name"]
            ]
            assert found, f"{root} serves no {kind}"
            self._served[key] = found[0]
        return self._served[key]

    def _is_served(self, kind: Object) -> bool:
        group, plural = kind["spec"]["group"], kind["spec"]["names"]["plural"]
        versions = [one["name"] for one in kind["spec"]["versions"] if one["served"]]
        found = (self.api.find(f"/apis/{group}/{version}") for version in versions)
        return all(one and plural in {each["name"] for each in one["resources"]} for one in found)

    def _untended(self, node: str) -> bool:
        found = self.api.get(f"/api/v1/nodes/{node}")
        return any("not-ready" in taint["key"] for taint in found["spec"].get("taints", ()))

    def _seen(self, namespace: str) -> str:
        return json.dumps(
            [(pod["metadata"]["name"], pod["status"]) for pod in self.pods(namespace)]
        )


def gpu_pod(
    namespace: str, name: str, *, gpus: int = 1, resource: str = GPU, **spec: Any
) -> dict[str, Any]:
    """Write a pod that asks for GPUs; `spec` adds to its specification."""
    container = {
        "name": "main",
        "image": "lab.test/base:1",
        "resources": {"limits": {resource: str(gpus)}} if gpus else {},
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": namespace, "name": name},
        "spec": {"containers": [container], "terminationGracePeriodSeconds": 5, **spec},
    }


@contextmanager
def cluster(programs: Programs) -> Iterator[KubernetesCluster]:
    """Start a cluster, and leave nothing of it behind."""
    require("kubernetes")
    # Not pytest's own folder: the paths of sockets must stay short.
    root = Path(tempfile.mkdtemp(prefix="gr-k-"))
    plane = ControlPlane(root, programs.kube)
    try:
        plane.start()
        kubernetes = KubernetesCluster(plane)
        kubernetes.await_true(lambda: _has_default_namespace(kubernetes.api), "no namespaces")
        kubernetes.kubelets.start()
        try:
            yield kubernetes
        finally:
            kubernetes.kubelets.stop()
    finally:
        plane.stop()
        shutil.rmtree(root, ignore_errors=True)


def _has_default_namespace(api: Api) -> bool:
    try:
        return api.find("/api/v1/namespaces/default") is not None
    except Refused:
        return False
