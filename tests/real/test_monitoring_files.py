"""promtool and amtool accept the files of the compose file and the example beside it."""

import subprocess
from pathlib import Path

import yaml

from tests.components import require
from tests.project import ROOT

DEPLOY = ROOT / "deploy"


def here(source: Path, folder: Path) -> Path:
    """Copy a configuration with its rules where they lie in this checkout."""
    made = yaml.safe_load(source.read_text(encoding="utf-8"))
    made["rule_files"] = [str(ROOT / "alerts" / Path(item).name) for item in made["rule_files"]]
    copy = folder / "prometheus.yaml"
    copy.write_text(yaml.safe_dump(made), encoding="utf-8")
    return copy


def test_promtool_accepts_the_configuration(tmp_path: Path):
    require("promtool")
    path = here(DEPLOY / "compose/prometheus.yaml", tmp_path)
    told = subprocess.run(
        ["promtool", "check", "config", path], capture_output=True, text=True, check=False
    )

    assert told.returncode == 0, told.stdout + told.stderr


def test_amtool_accepts_the_routes():
    require("alertmanager")
    path = DEPLOY / "compose/alertmanager.yaml"
    told = subprocess.run(
        ["amtool", "check-config", path], capture_output=True, text=True, check=False
    )

    assert told.returncode == 0, told.stdout + told.stderr
