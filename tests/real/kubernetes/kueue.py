"""
A real Kueue beside the cluster: queues of GPUs, in namespaces that ask for it.

    with kubernetes.namespace(MANAGED) as lab:
        queue = kueue.queue(lab, gpus=2)        # a flavour, a cluster queue and a local queue
        kubernetes.apply(queued(job, queue))
"""

import base64
import json
import shutil
import subprocess
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import yaml

from tests.real.kubernetes.api import Object
from tests.real.kubernetes.children import Children
from tests.real.kubernetes.cluster import GPU, KubernetesCluster
from tests.real.kubernetes.programs import Programs
from tests.real.slurm_machine import free_ports

MANAGED = {"gpu-reaper.test/kueue": "yes"}
"""The labels of namespaces in which Kueue has its say."""
QUEUE = "kueue.x-k8s.io/queue-name"
_GROUP = "kueue.x-k8s.io/v1beta2"
_OWN_KINDS = ("kueue-x-k8s-io",)
_WORK = ("batch-v1-job", "--v1-pod")


class Kueue:
    """A running Kueue."""

    def __init__(self, kubernetes: KubernetesCluster, programs: Programs) -> None:
        self._kubernetes = kubernetes
        self._programs = programs
        self._folder = kubernetes.root / "kueue"
        self._children = Children(self._folder / "log")
        self._webhook, self._health, self._metrics = free_ports(3)

    def queue(
        self, *namespaces: str, gpus: int, resource: str = GPU, labels: Mapping[str, str]
    ) -> str:
        """Give namespaces a queue of so many GPUs, together, on the nodes with these labels."""
        name = f"queue-{uuid.uuid4().hex[:8]}"
        covered = [{"name": resource, "nominalQuota": gpus}]
        group = {"coveredResources": [resource], "flavors": [{"name": name, "resources": covered}]}
        # Whoever is admitted goes to these nodes, whatever their taints.
        flavour = {"nodeLabels": dict(labels), "tolerations": [{"operator": "Exists"}]}
        self._kubernetes.apply(
            _object("ResourceFlavor", name, flavour),
            _object("ClusterQueue", name, {"namespaceSelector": {}, "resourceGroups": [group]}),
            *(_object("LocalQueue", name, {"clusterQueue": name}, one) for one in namespaces),
        )
        return name

    def workloads(self, namespace: str) -> list[Any]:
        """Return Kueue's own objects of a namespace, one for each thing that is queued."""
        return self._kubernetes.api.items(f"/apis/{_GROUP}/namespaces/{namespace}/workloads")

    # -------------------------------------------------------------- starting and stopping

    def start(self) -> None:
        """Bring in its kinds, start it, and let it have its say."""
        objects = self._programs.kueue_objects
        kinds = (_read(path) for path in sorted((objects / "crd/bases").glob("*.yaml")))
        self._kubernetes.define(*(kind for found in kinds for kind in found))
        authority = self._lay_out()
        self._children.start(
            "kueue",
            "unshare",
            "--mount",
            "--propagation=private",
            "sh",
            "-c",
            # It looks for a certificate below /etc, wherever it is told to look.
            f'mount --bind {self._folder}/etc /etc && exec "$0" "$@"',
            self._programs.kueue,
            f"--config={self._folder}/settings.yaml",
            f"--kubeconfig={self._kubernetes.plane.kubeconfig}",
            "--feature-gates=VisibilityOnDemand=false",
        )
        self._children.await_ready("kueue", self._answers)
        for one in _read(objects / "webhook/manifests.yaml"):
            self._kubernetes.apply(self._hooks(one, authority))

    def stop(self) -> None:
        """End it; what it says of objects is asked no more."""
        for kind in ("Mutating", "Validating"):
            path = f"/apis/admissionregistration.k8s.io/v1/{kind.lower()}webhookconfigurations"
            self._kubernetes.api.delete(f"{path}/kueue-{kind.lower()}-webhook-configuration")
        self._children.kill()

    def _lay_out(self) -> str:
        """Write its settings and certificates, and return the certificate as PEM."""
        certificates = self._folder / "etc/kueue/metrics/certs"
        certificates.mkdir(parents=True)
        certificate, key = certificates / "tls.crt", certificates / "tls.key"
        subprocess.run(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=kueue",
                "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key),
                "-out", str(certificate),
            ],
            check=True,
            capture_output=True,
        )  # fmt: skip
        shutil.copytree(certificates, self._folder / "serving")
        settings = {
            "apiVersion": "config.kueue.x-k8s.io/v1beta2",
            "kind": "Configuration",
            "health": {"healthProbeBindAddress": f"127.0.0.1:{self._health}"},
            "metrics": {"bindAddress": f"127.0.0.1:{self._metrics}"},
            "webhook": {
                "host": "127.0.0.1",
                "port": self._webhook,
                "certDir": f"{self._folder}/serving",
            },
            "leaderElection": {"leaderElect": False},
            "internalCertManagement": {"enable": False},
            "manageJobsWithoutQueueName": False,
            "managedJobsNamespaceSelector": {"matchLabels": MANAGED},
            "integrations": {"frameworks": ["batch/job", "pod"]},
        }
        (self._folder / "settings.yaml").write_text(json.dumps(settings))
        return certificate.read_text()

    def _hooks(self, manifest: Mapping[str, Any], authority: str) -> Object:
        """Let the API server reach the hooks that are needed by address, not by service."""
        trusted = base64.b64encode(authority.encode()).decode()
        kept = []
        for hook in manifest["webhooks"]:
            path = hook["clientConfig"]["service"]["path"]
            if not any(part in path for part in _OWN_KINDS + _WORK):
                continue
            address = f"https://127.0.0.1:{self._webhook}{path}"
            changed = {**hook, "clientConfig": {"url": address, "caBundle": trusted}}
            if any(part in path for part in _WORK):
                changed["namespaceSelector"] = {"matchLabels": MANAGED}
            kept.append(changed)
        name = f"kueue-{manifest['metadata']['name']}"
        return {**manifest, "metadata": {"name": name}, "webhooks": kept}

    def _answers(self) -> bool:
        with suppress(OSError), urlopen(f"http://127.0.0.1:{self._health}/readyz") as answer:
            return bool(answer.status == 200)
        return False


def _read(path: Path) -> list[Any]:
    # The loader of libyaml: these files are large.
    text = path.read_text(encoding="utf-8")
    return list(filter(None, yaml.load_all(text, Loader=yaml.CSafeLoader)))


def queued(of: Object, queue: str) -> Object:
    """Return an object that waits in a queue for its turn."""
    meta = of["metadata"]
    return {**of, "metadata": {**meta, "labels": {**meta.get("labels", {}), QUEUE: queue}}}


def gpu_job(namespace: str, name: str, *, gpus: int = 1, suspend: bool = False) -> Object:
    """Write a Job of one pod."""
    container = {
        "name": "main",
        "image": "lab.test/base:1",
        "resources": {"limits": {GPU: str(gpus)}},
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"namespace": namespace, "name": name},
        "spec": {
            "suspend": suspend,
            "backoffLimit": 0,
            "template": {"spec": {"restartPolicy": "Never", "containers": [container]}},
        },
    }


def _object(kind: str, name: str, spec: Object, namespace: str = "") -> Object:
    meta = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": _GROUP, "kind": kind, "metadata": meta, "spec": spec}


@contextmanager
def running(kubernetes: KubernetesCluster, programs: Programs) -> Iterator[Kueue]:
    """Start Kueue, and take it away again."""
    kueue = Kueue(kubernetes, programs)
    try:
        kueue.start()
        yield kueue
    finally:
        kueue.stop()
