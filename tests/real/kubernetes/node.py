"""
A real node: containerd, a kubelet, and who gives it GPUs.

    node.run(gpu_pod(lab, "train", gpus=2))      # real containers; GPUs by UUID
    node.pod_resources                           # the socket that an exporter asks

All of it lives in a mount and a process namespace of its own: when its first process is killed,
containers, shims and mounts go with it.  Pods use the host's network; only pods that name the node
come here.
"""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.components import absent, find
from tests.real.kubernetes.api import Object
from tests.real.kubernetes.children import Children
from tests.real.kubernetes.cluster import GPU, KubernetesCluster, gpu_pod
from tests.real.kubernetes.image import IMAGE, write_image
from tests.real.kubernetes.node_conf import containerd_settings, kubelet_settings
from tests.real.kubernetes.plugins import DevicePlugin, DraDriver, allocatable
from tests.real.slurm_machine import cgroup_plugin, free_ports

NAME = "real01"
PLUGGED = tuple(f"GPU-{number:08d}-0000-0000-0000-000000000000" for number in (0, 1))
"""The UUIDs of the cards that the device plugin gives away; the fake NVML library's first two."""
CLAIMED = {f"gpu-{number}": f"GPU-{number:08d}-0000-0000-0000-000000000000" for number in (2, 3)}
"""The cards that the DRA driver gives away, by the names of their devices."""
AT_REST = "trap 'exit 0' TERM; sleep 600 & wait"
"""A program that does nothing until it is told to end, and then does."""
_OWN = {
    "var-lib/kubelet/device-plugins": "/var/lib",
    "var-lib/cni": "/var/lib",
    "var-log/pods": "/var/log",
    "var-log/containers": "/var/log",
}
"""
What a kubelet has below this machine's own folders, whatever it is told; here it has folders of
its own instead, so that nothing is left there and no other node on this machine is met.
"""


class RealNode:
    """A running node."""

    def __init__(self, kubernetes: KubernetesCluster, kube: Path) -> None:
        self.name = NAME
        self.root = kubernetes.root / "node"
        self._kubernetes = kubernetes
        self._kube = kube
        self._children = Children(self.root / "log")
        self._port, self._health = free_ports(2)
        self.devices: DevicePlugin | None = None
        self.dra: DraDriver | None = None
        self._heard = 0

    @property
    def kubelet(self) -> Path:
        """The kubelet's folder."""
        return self.root / "kubelet"

    @property
    def _plugins(self) -> Path:
        return self.root / "var-lib/kubelet/device-plugins"

    @property
    def pod_resources(self) -> Path:
        """The socket on which the kubelet says who was given what."""
        return self.kubelet / "pod-resources" / "kubelet.sock"

    def inside(self) -> tuple[str, ...]:
        """Return the words with which a program runs on this node, as one of its own would."""
        within = f"--target={self._child('init')}"
        return ("nsenter", within, "--mount", "--pid", "setpriv", "--pdeathsig", "KILL")

    # -------------------------------------------------------------- pods

    def placed(self, pod: Object, command: str = AT_REST, **container: Any) -> Object:
        """Write a pod so that it runs here; `command` is what its shell runs."""
        spec = pod["spec"]
        shell = ["/bin/sh", "-c", command]
        own = {"image": IMAGE, "imagePullPolicy": "Never", "command": shell, **container}
        containers = [{**one, **own} for one in spec["containers"]]
        here = {
            "nodeName": NAME,
            "hostNetwork": True,
            "automountServiceAccountToken": False,
            "terminationGracePeriodSeconds": 5,
        }
        if "resourceClaims" in spec:
            # Only the scheduler gives claims their devices.
            del here["nodeName"]
            here["nodeSelector"] = {"kubernetes.io/hostname": NAME}
            here["tolerations"] = [{"operator": "Exists"}]
        return {**pod, "spec": {**spec, **here, "containers": containers}}

    def settle(self) -> None:
        """See to it that the kubelet listens: it is slow to ask a server again that was away."""
        if self._heard != self._kubernetes.plane.starts:
            self.restart_kubelet()
        if self.dra is not None:
            self.dra.publish()

    def run(self, pod: Object, command: str = AT_REST, **container: Any) -> Any:
        """Run a pod's containers and return it once they run."""
        self.settle()
        written = self.placed(pod, command, **container)
        self._kubernetes.apply(written)
        meta = written["metadata"]
        return self._kubernetes.await_phase(meta["namespace"], meta["name"], "Running")

    def end(self, *pods: Object) -> None:
        """Delete pods and wait until their containers are gone."""
        self._kubernetes.delete(*pods)
        for pod in pods:
            self._kubernetes.await_true(
                lambda pod=pod: self._kubernetes.find(pod) is None,
                f"pod {pod['metadata']['name']} stays",
            )

    def pids(self, uid: str) -> tuple[int, ...]:
        """Return the processes of a pod's containers, sandbox left out, as this machine counts."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if (
                    f"pod{uid}" in (folder / "cgroup").read_text()
                    and b"1000000" not in (folder / "cmdline").read_bytes()
                ):
                    found.append(int(folder.name))
        return tuple(found)

    # -------------------------------------------------------------- starting and stopping

    def start(self) -> None:
        """Start everything; the node is ready and has its GPUs when this returns."""
        self._lay_out()
        self._open_namespaces()
        self._start_containerd()
        self._start_kubelet()
        self._kubernetes.await_true(self._is_ready, lambda: self._children.log("kubelet"))
        self._plug_in()
        self.dra = DraDriver(self.kubelet, self._kubernetes.api, NAME, CLAIMED)
        self.dra.start()
        self._kubernetes.await_true(self._has_gpus, lambda: self._children.log("kubelet"))

    def stop(self) -> None:
        """End everything, and leave no cgroup or folder behind."""
        for plugin in (self.devices, self.dra):
            if plugin is not None:
                plugin.stop()
        self._children.kill()
        for folder in Path("/sys/fs/cgroup").glob("**/kubepods"):
            _remove_empty(folder)

    def restart_kubelet(self) -> None:
        """Kill the kubelet and start it again; containers run on, plugins register anew."""
        program = Path(f"/proc/{self._child('kubelet')}")
        self._children.kill("kubelet")
        self._kubernetes.await_true(lambda: not program.exists(), "the kubelet lives on")
        if self.devices is not None:
            self.devices.stop()
        # The next one makes its sockets anew; until then the old one's lie there.
        (self._plugins / "kubelet.sock").unlink()
        self._start_kubelet()
        self._plug_in()
        # Until it has read which pods there are, it takes GPUs of pods that are gone for given.
        first = self.placed(gpu_pod("default", "first", gpus=0))
        self._kubernetes.apply(first)
        self._kubernetes.await_phase("default", "first", "Running")
        self.end(first)

    # -------------------------------------------------------------- one by one

    def _lay_out(self) -> None:
        (self.kubelet / "plugins_registry").mkdir(parents=True)
        for name in _OWN:
            (self.root / name).mkdir(parents=True)
        network = self.root / "networks"
        network.mkdir()
        loopback = {"cniVersion": "0.3.1", "name": "lo", "plugins": [{"type": "loopback"}]}
        (network / "10-lo.conflist").write_text(json.dumps(loopback))
        (self.root / "containerd.toml").write_text(containerd_settings(self.root))
        settings = kubelet_settings(self.root, self._port, self._health)
        (self.root / "kubelet.yaml").write_text(json.dumps(settings))
        write_image(self.root / "image.tar", Path(str(find("busybox"))))

    def _open_namespaces(self) -> None:
        """Begin the namespaces with a process that does nothing but last."""
        places = {name.partition("/")[0]: place for name, place in _OWN.items()}
        binds = (f"mount --bind {self.root}/{name} {place}" for name, place in places.items())
        self._children.start(
            "init",
            *("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"),
            *("--propagation", "private"),
            *("sh", "-c", f"{' && '.join(binds)} && touch {self.root}/open && exec sleep infinity"),
        )
        self._children.await_ready("init", (self.root / "open").exists)

    def _child(self, name: str) -> int:
        """Return the process that a program started within the namespaces."""
        parent = self._children.pid(name)
        return int(Path(f"/proc/{parent}/task/{parent}/children").read_text().split()[0])

    def _start_containerd(self) -> None:
        program, socket = str(find("containerd")), f"{self.root}/containerd.sock"
        self._children.start(
            "containerd", *self.inside(), program, "-c", f"{self.root}/containerd.toml"
        )
        ask = ("ctr", "-a", socket)
        self._children.await_ready("containerd", lambda: _succeeds(*ask, "version"))
        load = (*self.inside(), *ask, "-n", "k8s.io", "images", "import", f"{self.root}/image.tar")
        done = subprocess.run(load, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def _start_kubelet(self) -> None:
        self._heard = self._kubernetes.plane.starts
        self._children.start(
            "kubelet",
            *self.inside(),
            self._kube,
            "kubelet",
            f"--config={self.root}/kubelet.yaml",
            f"--kubeconfig={self._kubernetes.plane.kubeconfig}",
            f"--hostname-override={NAME}",
            # Nobody but the tests says at which address the API server finds it.
            "--cloud-provider=external",
            f"--root-dir={self.kubelet}",
            f"--cert-dir={self.root}/certificates",
        )

    def _plug_in(self) -> None:
        folder = self._plugins
        self._children.await_ready("kubelet", (folder / "kubelet.sock").exists)
        given = self.devices.given if self.devices else []
        self.devices = DevicePlugin(folder, PLUGGED, given)
        self.devices.start()
        self._children.await_ready(
            "kubelet", lambda: allocatable(self.pod_resources) >= set(PLUGGED)
        )

    def _is_ready(self) -> bool:
        node = self._kubernetes.api.find(f"/api/v1/nodes/{NAME}")
        if node is None:
            return False
        if not any(one["type"] == "InternalIP" for one in node["status"].get("addresses", ())):
            addresses = [{"type": "InternalIP", "address": "127.0.0.1"}]
            path = f"/api/v1/nodes/{NAME}/status"
            self._kubernetes.api.merge(path, {"status": {"addresses": addresses}})
            return False
        conditions = node["status"].get("conditions", ())
        return any((one["type"], one["status"]) == ("Ready", "True") for one in conditions)

    def _has_gpus(self) -> bool:
        node = self._kubernetes.api.get(f"/api/v1/nodes/{NAME}")
        return bool(node["status"]["allocatable"].get(GPU) == str(len(PLUGGED)))


def _succeeds(*argv: str) -> bool:
    return subprocess.run(argv, capture_output=True, check=False).returncode == 0


def _remove_empty(folder: Path) -> None:
    """Remove a tree of cgroups, as far as nobody is in it."""
    until = time.monotonic() + 5
    while folder.exists() and time.monotonic() < until:
        for found, _, _ in os.walk(folder, topdown=False):
            with suppress(OSError):
                Path(found).rmdir()


@contextmanager
def real_node(kubernetes: KubernetesCluster, kube: Path) -> Iterator[RealNode]:
    """Start a node, and leave nothing of it behind."""
    if not cgroup_plugin():
        absent("missing component: a writable cgroup tree at /sys/fs/cgroup")
    node = RealNode(kubernetes, kube)
    try:
        node.start()
        yield node
    finally:
        node.stop()
        kubernetes.api.delete(f"/api/v1/nodes/{NAME}")
