"""Renders chart and kustomizations by real helm and kubectl, and compares what they mean."""

import json
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from deploy.kubernetes import build
from tests.project import ROOT
from tests.real.kubernetes.tools import tools

KUSTOMIZE: Final = ROOT / "deploy/kubernetes"
CHART: Final = build.CHART
VALUES: Final = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
Object = dict[str, Any]
Key = tuple[str, str, str]


def helm(*words: str, values: Mapping[str, Any] | None = None) -> subprocess.CompletedProcess[str]:
    """Run helm on the chart, with values from its standard input."""
    command = [str(tools().helm), *words, "--values", "-"]
    return subprocess.run(
        command,
        input=json.dumps(values or {}),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@cache
def _rendered(text: str) -> str:
    done = helm("template", "gpu-reaper", str(CHART), values=json.loads(text))
    assert done.returncode == 0, done.stderr
    return done.stdout


def rendered(values: Mapping[str, Any]) -> str:
    """Return what the chart writes under these values."""
    return _rendered(json.dumps(values, sort_keys=True))


@cache
def _objects(text: str) -> str:
    parts = build.render(str(tools().helm), json.loads(text))
    return json.dumps([part.object for part in parts])


def charted(values: Mapping[str, Any] | None = None, *, mode: str = "observe") -> list[Object]:
    """Return the objects of the chart under these values; each set of them is rendered once."""
    given = {"mode": mode, **(values or {})}
    found: list[Object] = json.loads(_objects(json.dumps(given, sort_keys=True)))
    return found


@cache
def kustomized(folder: Path) -> list[Object]:
    """Return the objects of a kustomization."""
    done = subprocess.run(
        [str(tools().kubectl), "kustomize", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return [item for item in yaml.safe_load_all(done.stdout) if item]


def meant(objects: Iterable[Object]) -> dict[Key, Object]:
    """Return objects by what they are, without what only one of the tools understands."""
    found = {}
    for item in objects:
        plain = json.loads(json.dumps(item))
        about = plain["metadata"]
        about["name"] = _plain_name(plain)
        about.pop("annotations", None)
        about["labels"].pop("app.kubernetes.io/version", None)
        if plain["kind"] == "Deployment":
            _plain_pods(plain["spec"]["template"])
        if plain["kind"] == "ConfigMap":
            plain["data"] = {name: yaml.safe_load(text) for name, text in plain["data"].items()}
        found[plain["kind"], about.get("namespace", ""), about["name"]] = plain
    return found


def _plain_name(item: Object) -> str:
    """Return a name without the mark by which kustomize tells one configuration from the next."""
    name: str = item["metadata"]["name"]
    generated = item["kind"] == "ConfigMap" and "dashboard" not in name and name != "gpu-reaper"
    return name.rpartition("-")[0] if generated else name


def _plain_pods(template: Object) -> None:
    template["metadata"].pop("annotations", None)
    for volume in template["spec"]["volumes"]:
        if "configMap" in volume:
            volume["configMap"]["name"] = "gpu-reaper"


def of_kind(objects: Iterable[Object], kind: str, name: str = "") -> Object:
    """Return the one object of a kind, and of a name where there are several."""
    found = [
        item for item in objects if item["kind"] == kind and name in ("", item["metadata"]["name"])
    ]
    assert len(found) == 1, f"{len(found)} objects are {kind} {name}"
    return found[0]


def pod(objects: Iterable[Object], name: str) -> Object:
    """Return the pod that a workload starts."""
    kind = "DaemonSet" if name == "gpu-exporter" else "Deployment"
    found: Object = of_kind(objects, kind)["spec"]["template"]["spec"]
    return found
