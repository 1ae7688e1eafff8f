"""Runs a small controller that stands in for somebody else's, in a thread of its own."""

import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tests.real.kubernetes.api import Object, Refused, Watch
from tests.real.kubernetes.cluster import KubernetesCluster
from tests.real.kubernetes.foreign_kinds import list_path
from tests.real.kubernetes.stand_ins import RULES

Raw = Mapping[str, Any]


class StandIn:
    """One controller at work, for one kind, in a thread of its own."""

    def __init__(self, kubernetes: KubernetesCluster, kind: str) -> None:
        self._kubernetes = kubernetes
        self._api = kubernetes.api
        self._kind = kind
        self._rule = RULES[kind]
        self._manager = f"{kind.lower()}-controller"
        self._watch: Watch | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=self._manager, daemon=True)

    def start(self) -> None:
        """Begin to look after the objects of the kind."""
        self._thread.start()

    def stop(self) -> None:
        """End; the thread is gone when this returns."""
        self._ended.set()
        if self._watch is not None:
            self._watch.close()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            # A server that was away, or an object that somebody wrote meanwhile: begin again.
            with suppress(OSError, Refused, ValueError):
                self._follow()
            self._ended.wait(0.1)

    def _follow(self) -> None:
        listed = self._api.get(list_path(self._kind))
        for one in listed["items"]:
            self._reconcile(one)
        version = listed["metadata"]["resourceVersion"]
        self._watch = self._api.watch(list_path(self._kind), resourceVersion=version)
        try:
            for event in self._watch:
                if self._ended.is_set() or event["type"] == "ERROR":
                    return
                if event["type"] != "DELETED":
                    self._reconcile(event["object"])
        finally:
            self._watch.close()

    def _reconcile(self, raw: Raw) -> None:
        meta = raw["metadata"]
        if "deletionTimestamp" in meta:
            return
        wanted = [self._owned(one, raw) for one in self._rule.wanted(raw)]
        for one in wanted:
            path = self._kubernetes.path(one)
            # A pod is not changed any more once it is there.
            if one["kind"] != "Pod" or self._api.find(path) is None:
                self._api.apply(path, one, manager=self._manager)
        names = {one["metadata"]["name"] for one in wanted}
        for version, kind in self._rule.makes:
            like = {"apiVersion": version, "kind": kind, "metadata": {**meta, "name": ""}}
            for one in self._api.items(self._kubernetes.path(like).rstrip("/")):
                owners = one["metadata"].get("ownerReferences", ())
                ours = any(owner["uid"] == meta["uid"] for owner in owners)
                if ours and one["metadata"]["name"] not in names:
                    path = f"{self._kubernetes.path(like)}{one['metadata']['name']}"
                    self._api.delete(path, propagationPolicy="Background")
        said = self._rule.status(raw)
        if said and _known(raw.get("status", {})) != _known(said):
            self._api.merge(f"{self._kubernetes.path(raw)}/status", {"status": said})

    def _owned(self, of: Object, raw: Raw) -> Object:
        meta = raw["metadata"]
        owner = {
            "apiVersion": raw["apiVersion"],
            "kind": raw["kind"],
            "name": meta["name"],
            "uid": meta["uid"],
            "controller": True,
            "blockOwnerDeletion": True,
        }
        own = {"namespace": meta["namespace"], "ownerReferences": [owner]}
        return {**of, "metadata": {**of["metadata"], **own}}


def _known(status: Raw) -> list[tuple[str, str]]:
    return [(one["type"], one["status"]) for one in status.get("conditions", ())]
