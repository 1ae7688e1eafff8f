"""Writes the operator's rules beside it: ``python deploy/prometheus/operator/build.py``."""

import sys
from pathlib import Path
from typing import Final

import yaml

HERE: Final = Path(__file__).resolve().parent
ALERTS: Final = HERE.parents[2] / "alerts"
#: Each set of rules, and the object that it becomes; the optional sets are objects of their own.
SETS: Final = {
    "gpu-reaper.yaml": "gpu-reaper-alerts",
    "recording.yaml": "gpu-reaper-recording",
    "dcgm-names.yaml": "gpu-reaper-dcgm-names",
    "kubernetes.yaml": "gpu-reaper-kubernetes",
}


def manifest(source: str) -> str:
    """Return a set of rules as the operator's object."""
    rules = yaml.safe_load((ALERTS / source).read_text(encoding="utf-8"))
    made = {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "PrometheusRule",
        "metadata": {
            "name": SETS[source],
            "labels": {"app.kubernetes.io/name": "gpu-reaper", "role": "alert-rules"},
        },
        "spec": rules,
    }
    head = f"# Written by {Path(__file__).name} from alerts/{source}: change that.\n"
    return head + yaml.safe_dump(made, sort_keys=False, width=100, allow_unicode=True)


def path(source: str) -> Path:
    """Return where a set of rules is written to."""
    return HERE / f"{SETS[source]}.yaml"


def main() -> int:
    """Write the files."""
    for source in SETS:
        path(source).write_text(manifest(source), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
