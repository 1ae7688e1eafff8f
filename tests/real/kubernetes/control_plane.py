"""
A real control plane on loopback: etcd, API server, controller manager and scheduler.

There is no service network, no DNS and no admission of service accounts' tokens into pods: nothing
here runs in a pod that would need them.  Nodes never count as lost by themselves.
"""

import json
import subprocess
from contextlib import suppress
from pathlib import Path

from tests.components import find
from tests.real.kubernetes.api import Api
from tests.real.kubernetes.children import Children
from tests.real.slurm_machine import free_ports

ADMIN = "admin-of-the-lab"
"""The token of the administrator, who is in `system:masters`."""


class ControlPlane:
    """The four programs, their ports and their scratch folder."""

    def __init__(self, root: Path, kube: Path) -> None:
        self.root = root
        self.children = Children(root / "log")
        self.starts = 0
        """How often the API server was started."""
        self._kube = kube
        self._etcd, self._peers, self.port, *self._others = free_ports(5)
        self._serving = root / "serving"

    @property
    def admin(self) -> Api:
        """The administrator's way to the API server."""
        authority = (self._serving / "apiserver.crt").read_text()
        return Api(port=self.port, authority=authority, token=ADMIN)

    @property
    def kubeconfig(self) -> Path:
        """The administrator's kubeconfig."""
        return self.root / "kubeconfig"

    def start(self) -> None:
        """Start everything; the API server answers when this returns."""
        self._lay_out()
        self._start_etcd()
        self.start_server()
        self.kubeconfig.write_text(json.dumps(self.admin.kubeconfig()))
        self._start_controllers()
        self._start_scheduler()

    def stop(self) -> None:
        """End everything."""
        self.children.kill()

    def start_server(self) -> None:
        """Start the API server, or start it again where it was before, and wait for it."""
        self.children.start(
            "apiserver",
            self._kube,
            "apiserver",
            f"--etcd-servers=http://127.0.0.1:{self._etcd}",
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            f"--secure-port={self.port}",
            f"--cert-dir={self._serving}",
            "--service-cluster-ip-range=10.96.0.0/16",
            "--endpoint-reconciler-type=none",
            "--kubelet-preferred-address-types=InternalIP",
            "--authorization-mode=Node,RBAC",
            "--allow-privileged=true",
            f"--token-auth-file={self.root}/tokens.csv",
            "--service-account-issuer=https://lab.test",
            f"--service-account-key-file={self.root}/accounts.key",
            f"--service-account-signing-key-file={self.root}/accounts.key",
            "--disable-admission-plugins=ServiceAccount",
        )
        self.children.await_ready("apiserver", self._answers)
        self.starts += 1

    def kill_server(self) -> None:
        """Take the API server away in the middle of whatever it does."""
        self.children.kill("apiserver")

    # -------------------------------------------------------------- one by one

    def _lay_out(self) -> None:
        (self.root / "etcd").mkdir(mode=0o700)
        (self.root / "tokens.csv").write_text(f'{ADMIN},admin,admin,"system:masters"\n')
        key = self.root / "accounts.key"
        subprocess.run(
            ("openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(key)),
            check=True,
            capture_output=True,
        )

    def _start_etcd(self) -> None:
        clients, peers = (f"http://127.0.0.1:{port}" for port in (self._etcd, self._peers))
        self.children.start(
            "etcd",
            str(find("etcd")),
            f"--data-dir={self.root}/etcd",
            f"--listen-client-urls={clients}",
            f"--advertise-client-urls={clients}",
            f"--listen-peer-urls={peers}",
            f"--initial-advertise-peer-urls={peers}",
            f"--initial-cluster=default={peers}",
            "--unsafe-no-fsync",
        )

    def _start_controllers(self) -> None:
        self.children.start(
            "controller-manager",
            self._kube,
            "controller-manager",
            *self._as_administrator(),
            f"--secure-port={self._others[0]}",
            "--controllers=*,-node-ipam-controller,-cloud-node-lifecycle-controller",
            "--node-monitor-grace-period=240h",
            f"--service-account-private-key-file={self.root}/accounts.key",
        )

    def _start_scheduler(self) -> None:
        self.children.start(
            "scheduler",
            self._kube,
            "scheduler",
            *self._as_administrator(),
            f"--secure-port={self._others[1]}",
        )

    def _as_administrator(self) -> tuple[str, ...]:
        return (
            f"--kubeconfig={self.kubeconfig}",
            f"--authentication-kubeconfig={self.kubeconfig}",
            f"--authorization-kubeconfig={self.kubeconfig}",
            "--bind-address=127.0.0.1",
            f"--cert-dir={self.root}/own-certificates",
            "--leader-elect=false",
        )

    def _answers(self) -> bool:
        with suppress(OSError):
            return self.admin.is_ready()
        return False
