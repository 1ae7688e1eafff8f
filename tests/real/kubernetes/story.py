"""
The whole story in one place: a notebook at rest, a job that waits, a reaper with the acting role.

Everything is real but the cards and the notebook's controller: the API server and its controllers,
Kueue, a kubelet with its containers, the exporter beside them, the reaper as a process of its own
(at a pace at which a story takes a minute), and the messages that it sends.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.e2e.exporter.process import ExporterProcess
from tests.fake_nvml.library import FakeNode
from tests.fakes_slack import TOKEN
from tests.project import ROOT
from tests.real.e2e.exporters import privileged_ports
from tests.real.e2e.reaper_process import ReaperProcess
from tests.real.e2e.slack_thread import TimedSlack, serving
from tests.real.kubernetes.cluster import KubernetesCluster, gpu_pod
from tests.real.kubernetes.foreign_kinds import list_path
from tests.real.kubernetes.kueue import QUEUE, Kueue, gpu_job, queued
from tests.real.kubernetes.node import PLUGGED, RealNode
from tests.real.kubernetes.stand_ins import drawn
from tests.real.slurm_machine import free_ports

MIRA, OTTO = "mira", "otto"
NOTEBOOK = "lab-book"
JOB = "training"
RIGHTS = ROOT / "deploy/kubernetes/overlays/act/rights.yaml"

_WITHIN = 180.0
_IDLE = {"util": 0, "decoder": 0, "memory.used": 0, "power": 70_000, "processes": ""}
_BUSY = {"util": 95, "memory.used": 40 << 30, "power": 600_000}
_COUNTERS = {2: 62.5, 5: 35, 10: 40, 20: 100, 21: 50, 60: 1000, 61: 500}


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Who takes part, and where the reaper has its files."""

    kubernetes: KubernetesCluster
    node: RealNode
    kueue: Kueue
    cards: FakeNode
    lab: str
    """Mira's namespace, in which her notebook is."""
    other: str
    """Otto's namespace, in which his job waits."""
    folder: Path
    slack: TimedSlack
    reaper: ReaperProcess

    # -------------------------------------------------------------- acts of the story

    def open_notebook(self, queue: str) -> str:
        """Let somebody open a notebook that takes both cards, and return its pod's UID."""
        self.show(_IDLE, 0.0)
        self.node.settle()
        notebook = drawn("Notebook", self.lab, NOTEBOOK)
        template = self.node.placed(gpu_pod(self.lab, "", gpus=len(PLUGGED)))
        del template["spec"]["nodeName"]
        template["metadata"] = {"labels": {QUEUE: queue}}
        notebook["spec"]["template"] = template
        self.kubernetes.apply(notebook)
        (pod,) = self.kubernetes.await_pods(self.lab, 1)
        return str(pod["metadata"]["uid"])

    def submit_job(self, queue: str) -> None:
        """Submit a job that needs both cards as well."""
        job = gpu_job(self.other, JOB, gpus=len(PLUGGED), suspend=True)
        template = job["spec"]["template"]
        placed = self.node.placed(template)
        del placed["spec"]["nodeName"]
        job["spec"]["template"] = placed
        self.kubernetes.apply(queued(job, queue))

    def await_job(self) -> Mapping[str, Any]:
        """Wait until the job's pod runs, let its work show on the cards, and return it."""
        self._await(lambda: self._job_pod() is not None)
        self.show(_BUSY, 1.0)
        pod = self._job_pod()
        assert pod is not None
        return pod

    def show(self, card: Mapping[str, object], share: float) -> None:
        """Let both cards show something."""
        for number in range(len(PLUGGED)):
            name = f"card{number}"
            counted = {f"{name}.gpm.{key}": value * share for key, value in _COUNTERS.items()}
            self.cards.change({f"{name}.{key}": value for key, value in card.items()} | counted)

    # -------------------------------------------------------------- asking the reaper

    def report(self) -> Mapping[str, Any]:
        """Return the report as `gpu-reaper report --json` writes it."""
        found: Mapping[str, Any] = json.loads(self.command("report", "--json"))
        return found

    def await_reuse(self) -> Mapping[str, Any]:
        """Wait until the report says that what was freed is used again, and return it."""
        self._await(lambda: self.report()["total"]["reused"] > 0)
        return self.report()

    def events(self) -> list[str]:
        """Return what the events about the notebook say."""
        found = self.kubernetes.api.items(f"/api/v1/namespaces/{self.lab}/events")
        about = (one for one in found if one["involvedObject"]["kind"] == "Notebook")
        return [one["message"] for one in about]

    def notebook(self) -> Mapping[str, Any]:
        """Return the notebook as it stands."""
        found: Mapping[str, Any] = self.kubernetes.api.get(
            f"{list_path('Notebook', self.lab)}/{NOTEBOOK}"
        )
        return found

    def command(self, *words: str) -> str:
        """Run `gpu-reaper` against the running reaper and return what it said."""
        done = subprocess.run(
            (sys.executable, "-m", "reaper", *words, "--socket", f"{self.folder}/reaper.sock"),
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.stdout or done.stderr

    def _job_pod(self) -> Mapping[str, Any] | None:
        pods = self.kubernetes.pods(self.other)
        return next(
            (
                pod
                for pod in pods
                if pod["metadata"]["labels"].get("job-name") == JOB
                and pod["status"]["phase"] == "Running"
            ),
            None,
        )

    def _await(self, what: Any) -> None:
        until = time.monotonic() + _WITHIN
        while not what():
            assert self.reaper.alive, self.reaper.log()
            assert time.monotonic() < until, self._stuck()
            time.sleep(0.2)

    def _stuck(self) -> str:
        said = self.command("explain", f"{self.lab}/notebook/{NOTEBOOK}")
        return f"{said}\n{self.command('status', '--all')}\n{self.reaper.log()}"


@contextmanager
def stage(
    kubernetes: KubernetesCluster,
    node: RealNode,
    kueue: Kueue,
    labs: tuple[str, str],
    library: Path,
) -> Iterator[Stage]:
    """Put everybody in place but the notebook and the job; the reaper runs."""
    folder = kubernetes.root / "reaper"
    (folder / "state").mkdir(parents=True)
    cards = FakeNode(folder / "nvml.state")
    for _ in range(4):
        cards.change({f"{cards.add_hopper()}.processes": ""})
    with ExitStack() as stack:
        slack = stack.enter_context(serving({}))
        exporter = _exporter(node, cards, library, folder)
        stack.callback(exporter.close)
        exporter.await_address()
        rights(kubernetes)
        account = kubernetes.service_account("gpu-reaper", "gpu-reaper")
        settings = _settings(exporter.address, slack, kubernetes.kubeconfig(account), labs)
        (folder / "token").write_text(TOKEN)
        people = {
            MIRA: {"name": "Mira Example", "team": "vision", "slack": "U0MIRA"},
            OTTO: {"name": "Otto Example", "team": "speech", "slack": "U0OTTO"},
        }
        (folder / "people.yaml").write_text(yaml.safe_dump({"people": people}))
        (folder / "reaper.yaml").write_text(yaml.safe_dump(settings, sort_keys=False))
        reaper = ReaperProcess(folder / "reaper.yaml", {}, folder / "reaper.log")
        stack.callback(reaper.stop)
        yield Stage(
            kubernetes=kubernetes,
            node=node,
            kueue=kueue,
            cards=cards,
            lab=labs[0],
            other=labs[1],
            folder=folder,
            slack=slack,
            reaper=reaper,
        )


def rights(kubernetes: KubernetesCluster, path: Path = RIGHTS) -> None:
    """Give the service account `gpu-reaper` the rights of a mode, as they are shipped."""
    written = [one for one in yaml.safe_load_all(path.read_text(encoding="utf-8")) if one]
    spaces = {"gpu-reaper", *(one["metadata"].get("namespace", "gpu-reaper") for one in written)}
    for name in sorted(spaces):
        kubernetes.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    kubernetes.apply(*written)


def _exporter(node: RealNode, cards: FakeNode, library: Path, folder: Path) -> ExporterProcess:
    # The first port that is free of those that only root may listen on.
    return ExporterProcess(
        folder / "exporter",
        f"--kubelet-socket={node.pod_resources}",
        f"--node={node.name}",
        f"--listen=127.0.0.1:{privileged_ports(1)[0]}",
        environment=cards.environment(library),
        python=(*node.inside(), sys.executable),
    )


def _settings(
    address: str, slack: TimedSlack, kubeconfig: Path, labs: tuple[str, str]
) -> dict[str, object]:
    told = {"kind": "slack", "token": {"file": "token"}, "base_url": slack.base_url}
    shown = {"kind": "kubernetes", "kubeconfig": str(kubeconfig)}
    landlords = [
        {"namespace": [lab], "owner": owner} for lab, owner in zip(labs, (MIRA, OTTO), strict=True)
    ]
    policy = {
        "name": "notebooks",
        "match": {"class": "other"},
        "idle": {"for": "12s"},
        "when": {"any_hour": True},
        "rungs": [
            {"warn": {"after": "10s"}},
            {"warn": {"after": "12s", "final": True}},
            {"release": {"grace": "30s"}},
        ],
        "mode": "act",
    }
    return {
        "cluster": "lab",
        "state_dir": "state",
        "activity": {
            "targets": [f"{address}=real01"],
            "interval": "1s",
            "people_interval": "1s",
            "timeout": "2s",
        },
        "platforms": {
            "kubernetes": {
                "clusters": [{"name": "lab", "kubeconfig": str(kubeconfig)}],
                "owners": landlords,
                # An operator's word: nobody sits at a notebook whose server tells no sessions.
                "purposes": [{"class": "other", "kind": ["Notebook"]}],
            }
        },
        "people": {"kind": "yaml", "file": "people.yaml"},
        "notifiers": [told, shown],
        "budgets": {"per_node": 8, "per_owner": 8, "share": "100%"},
        "interlocks": {"coverage": 0.1},
        "operators": {"users": ["root"]},
        "web": {"listen": f"127.0.0.1:{free_ports(1)[0]}", "socket": "reaper.sock"},
        "policies": [policy],
    }
