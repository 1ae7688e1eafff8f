"""The driver's tests once more under older Python bindings, each in a folder of its own.

Without a package registry at hand they are skipped, loudly; under CI that is a failure.
"""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.components import absent
from tests.project import ROOT

OLDER = ("12.535", "12.575", "13.590")
CORE = ("driver", "readings", "mig", "identity", "counters", "utilisation")


def install(series: str, folder: Path) -> str:
    """Install the newest binding of a series; return what went wrong."""
    uv = shutil.which("uv", path=f"{ROOT / '.uv/bin'}:{os.environ.get('PATH', os.defpath)}")
    if uv is None:
        return "no uv: `make environment` installs it"
    done = subprocess.run(
        [uv, "pip", "install", "-q", "--no-deps", "--target", folder, f"nvidia-ml-py=={series}.*"],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.stderr if done.returncode else ""


def run(folder: Path, temporary: Path) -> str:
    """Run the core of the driver's tests with the binding in a folder; return what they print.

    Each run has a temporary folder of its own: those that pytest numbers are shared by all runs
    of a user, and one that another run deletes meanwhile ends this one with a warning.
    """
    suites = [f"tests/exporter/nvml/test_{name}.py" for name in CORE]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("--basetemp", str(temporary), *suites),
        ],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(folder)},
        timeout=240,
    )
    return done.stdout + done.stderr


def imported(folder: Path) -> str:
    """Return where the binding comes from under such a run."""
    done = subprocess.run(
        [sys.executable, "-c", "import pynvml; print(pynvml.__file__)"],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )
    return done.stdout.strip()


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Run all older bindings side by side: the tests mostly wait between two samples."""
    folders = {series: tmp_path_factory.mktemp(f"binding{series}") for series in OLDER}
    for series, folder in folders.items():
        trouble = install(series, folder)
        if trouble:
            absent(f"nvidia-ml-py {series} cannot be installed: {trouble.splitlines()[0]}")
    temporary = [tmp_path_factory.mktemp(f"temporary{series}") for series in OLDER]
    with ThreadPoolExecutor() as pool:
        printed = dict(zip(folders, pool.map(run, folders.values(), temporary), strict=True))
    return {series: (folders[series], printed[series]) for series in OLDER}


@pytest.mark.parametrize("series", OLDER)
def test_the_driver_passes_its_tests_under_an_older_binding(runs, series):
    folder, printed = runs[series]

    assert imported(folder) == str(folder / "pynvml.py")
    assert re.search(r"^\d+ passed in", printed, re.MULTILINE), printed


def test_the_locked_binding_knows_the_cycle_counters():
    major, minor = (int(part) for part in version("nvidia-ml-py").split(".")[:2])

    assert (major, minor) >= (13, 595)
