"""
Writes what lies beside it from the chart: ``python deploy/kubernetes/build.py [path of helm]``.

The chart is the one source of every object; kustomize takes the same ones without Helm.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

HERE: Final = Path(__file__).resolve().parent
CHART: Final = HERE.parent / "helm/gpu-reaper"
MODES: Final = ("observe", "notify", "act")
NAME: Final = "gpu-reaper"
#: What kustomize does by itself (a new name for a new configuration), or Helm alone understands.
_HELMS: Final = re.compile(
    r"^ *annotations:\n( *#.*\n)* *(checksum/config|helm\.sh/resource-policy): .*\n",
    re.MULTILINE,
)
_SOURCE: Final = re.compile(r"^# Source: \S+/templates/(\S+)\n", re.MULTILINE)
_HEAD: Final = "# Written by deploy/kubernetes/build.py from deploy/helm/gpu-reaper: change that.\n"
_MONITORING: Final = {"monitoring": {"monitors": True, "rules": True, "dashboards": True}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One object as the chart wrote it, and by which template."""

    template: str
    text: str

    @property
    def kind(self) -> str:
        """Return what kind of object it is."""
        return str(self.object["kind"])

    @property
    def object(self) -> dict:
        """Return the object itself."""
        return yaml.safe_load(self.text)


def render(helm: str, values: Mapping[str, object]) -> tuple[Part, ...]:
    """Return the chart's objects under these values."""
    command = (helm, "template", NAME, str(CHART), "--namespace", NAME, "--values", "-")
    given = yaml.safe_dump(dict(values))
    done = subprocess.run(command, input=given, check=True, capture_output=True, text=True)
    return tuple(_parts(done.stdout))


def _parts(text: str) -> Iterator[Part]:
    for piece in re.split(r"^---\n", text, flags=re.MULTILINE):
        source = _SOURCE.search(piece)
        body = _SOURCE.sub("", piece).strip("\n")
        if source and yaml.safe_load(body):
            yield Part(template=source[1], text=f"{body}\n")


def files(helm: str) -> Mapping[Path, str]:
    """Return every file that is written, and what stands in it."""
    written: dict[Path, str] = {}
    for mode in MODES:
        parts = render(helm, {"mode": mode})
        overlay = HERE / "overlays" / mode
        written[overlay / "rights.yaml"] = _text(parts, "rights.yaml")
        data = next(part.object["data"] for part in parts if part.kind == "ConfigMap")
        written |= {overlay / name: text for name, text in data.items()}
    parts = [part for part in render(helm, {}) if part.kind != "ConfigMap"]
    for name in ("exporter.yaml", "reaper.yaml"):
        written[HERE / "base" / name] = _HELMS.sub("", _text(parts, name))
    monitoring = [part for part in render(helm, _MONITORING) if part.kind != "ConfigMap"]
    written[HERE / "components/monitoring/monitoring.yaml"] = _text(monitoring, "monitoring.yaml")
    return written


def _text(parts: Iterable[Part], template: str) -> str:
    return _HEAD + "---\n".join(part.text for part in parts if part.template == template)


def main(helm: str) -> None:
    """Write the files."""
    for path, text in files(helm).items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "helm")
