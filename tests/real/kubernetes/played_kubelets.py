"""
Plays the kubelets of nodes that are only objects: pods bound to them run and end at once.

No container starts: a test that needs one takes the real node.
"""

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from tests.real.kubernetes.api import Api, Object, Refused, Watch

PLAYED = "gpu-reaper.test/played"
"""The label of nodes that exist as objects alone."""


def node(name: str, resources: Mapping[str, int], labels: Mapping[str, str]) -> Object:
    """Write a node that is ready and has these devices."""
    amounts = {"cpu": "64", "memory": "512Gi", "pods": "110"}
    amounts |= {key: str(count) for key, count in resources.items()}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {PLAYED: "yes", "kubernetes.io/hostname": name, **labels},
        },
        "status": {
            "capacity": amounts,
            "allocatable": amounts,
            "conditions": [condition("Ready")],
        },
    }


def condition(kind: str) -> Object:
    """Write a condition that holds since now."""
    return {"type": kind, "status": "True", "lastTransitionTime": now(), "reason": "Played"}


def now() -> str:
    """Return the present instant as the API writes it."""
    return datetime.fromtimestamp(time.time(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class PlayedKubelets:
    """One thread for all played nodes."""

    def __init__(self, api: Api) -> None:
        self.nodes: set[str] = set()
        self.deaf: set[str] = set()
        """Nodes whose kubelet does not do what it is told, as if the machine were gone."""
        self._api = api
        self._watch: Watch | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="played-kubelets", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Stop playing; the thread is gone when this returns."""
        self._ended.set()
        if self._watch is not None:
            self._watch.close()
        self._thread.join()

    def end(self, namespace: str, name: str, phase: str = "Succeeded") -> None:
        """Let a pod's containers end."""
        path = f"/api/v1/namespaces/{namespace}/pods/{name}"
        pod = self._api.get(path)
        code = 0 if phase == "Succeeded" else 1
        ended = {"terminated": {"exitCode": code, "finishedAt": now()}}
        self._api.merge(f"{path}/status", {"status": _status(pod, phase, ended)})

    def _run(self) -> None:
        while not self._ended.is_set():
            # A killed API server is begun with again from its present state.
            with suppress(OSError, Refused, ValueError):
                self._follow()
            self._ended.wait(0.1)

    def _follow(self) -> None:
        listed = self._api.get("/api/v1/pods")
        for pod in listed["items"]:
            self._tend(pod)
        version = listed["metadata"]["resourceVersion"]
        self._watch = self._api.watch("/api/v1/pods", resourceVersion=version)
        for event in self._watch:
            if self._ended.is_set() or event["type"] == "ERROR":
                break
            if event["type"] in {"ADDED", "MODIFIED"}:
                with suppress(Refused):
                    self._tend(event["object"])
        self._watch.close()

    def _tend(self, pod: Mapping[str, Any]) -> None:
        where = pod["spec"].get("nodeName")
        if where not in self.nodes or where in self.deaf:
            return
        meta = pod["metadata"]
        path = f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}"
        if "deletionTimestamp" in meta:
            if pod["status"]["phase"] == "Running":
                # Its containers end by SIGTERM before it goes.
                ended = {"terminated": {"exitCode": 143, "finishedAt": now()}}
                self._api.merge(f"{path}/status", {"status": _status(pod, "Failed", ended)})
            self._api.delete(path, gracePeriodSeconds="0")
        elif pod["status"]["phase"] == "Pending":
            running = {"running": {"startedAt": now()}}
            self._api.merge(f"{path}/status", {"status": _status(pod, "Running", running)})


def _status(pod: Mapping[str, Any], phase: str, state: Object) -> Object:
    ready = phase == "Running"
    begun = pod["status"].get("startTime", now())
    return {
        "phase": phase,
        "startTime": begun,
        "conditions": [condition(kind) for kind in ("PodScheduled", "Initialized")]
        + ([condition("ContainersReady"), condition("Ready")] if ready else []),
        "containerStatuses": [
            {
                "name": container["name"],
                "image": container["image"],
                "imageID": "",
                "ready": ready,
                "started": ready,
                "restartCount": 0,
                "state": state,
            }
            for container in pod["spec"]["containers"]
        ],
    }
