"""The units and their drop-ins are understood by systemd, without a word."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.components import require
from tests.project import ROOT

UNITS = ROOT / "deploy/systemd"
PROGRAMS = {
    "gpu-exporter.service": "gpu-exporter",
    "gpu-reaper.service": "gpu-reaper run",
}
EXAMPLES = sorted(UNITS.glob("*.service.d/*.conf.example"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder of the units, with the programs of this environment in place of /opt."""
    require("systemd")
    for unit, program in PROGRAMS.items():
        shutil.copy(UNITS / unit, tmp_path)
        here = Path(sys.executable).parent / program
        _drop_in(tmp_path, unit, "here.conf", f"[Service]\nExecStart=\nExecStart={here}\n")
    return tmp_path


@pytest.mark.parametrize("unit", PROGRAMS)
def test_a_unit_is_verified_without_output(folder: Path, unit: str):
    assert said(folder, unit) == ""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_a_unit_with_an_example_added_is_verified_without_output(folder: Path, example: Path):
    unit = example.parent.name.removesuffix(".d")
    _drop_in(folder, unit, example.stem, example.read_text(encoding="utf-8"))

    assert said(folder, unit) == ""


@pytest.mark.parametrize("unit", PROGRAMS)
def test_the_programs_are_expected_where_the_readme_installs_them(unit: str):
    wanted = f"ExecStart=/opt/gpu-reaper/bin/{PROGRAMS[unit]}"

    assert wanted in (UNITS / unit).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("unit", PROGRAMS)
def test_a_unit_exposes_little(folder: Path, unit: str):
    verdict = _analyze("security", "--offline=true", "--threshold=25", str(folder / unit))

    assert verdict.returncode == 0, verdict.stdout[-500:]


def test_a_key_that_systemd_does_not_know_is_found(folder: Path):
    _drop_in(folder, "gpu-reaper.service", "typo.conf", "[Service]\nRestartSecs=5\n")

    assert "RestartSecs" in said(folder, "gpu-reaper.service")


def test_the_account_of_the_reaper_can_be_made(tmp_path: Path):
    require("systemd")
    (tmp_path / "etc").mkdir()
    subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", UNITS / "gpu-reaper.sysusers.conf"], check=True
    )

    assert (tmp_path / "etc/passwd").read_text(encoding="utf-8").startswith("gpu-reaper:")


def said(folder: Path, unit: str) -> str:
    """Return all that `systemd-analyze verify` says; any word of it is a fault."""
    found = _analyze("verify", unit, path=f"{folder}:")
    return f"{found.stdout}{found.stderr}{found.returncode or ''}"


def _analyze(*words: str, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **({"SYSTEMD_UNIT_PATH": path} if path else {})}
    return subprocess.run(
        ["systemd-analyze", *words], env=environment, capture_output=True, text=True, check=False
    )


def _drop_in(folder: Path, unit: str, name: str, text: str) -> None:
    place = folder / f"{unit}.d"
    place.mkdir(exist_ok=True)
    (place / name).write_text(text, encoding="utf-8")
