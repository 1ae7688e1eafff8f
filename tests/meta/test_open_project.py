"""What somebody who meets the project expects of it, and what its package says of itself."""

import ast
import re
import sys
import tomllib

import pytest
import yaml

from tests.project import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
#: What a package is imported as, where its name says something else.
IMPORTED_AS = {
    "fluent.runtime": "fluent",
    "nvidia-ml-py": "pynvml",
    "pyyaml": "yaml",
    "grpcio": "grpc",
}
#: Imported by other packages' leave alone: a database driver, and time zones as files.
NOT_BY_NAME = {"aiosqlite", "tzdata"}


def declared() -> set[str]:
    project = PROJECT["project"]
    lines = list(project["dependencies"])
    for more in project["optional-dependencies"].values():
        lines += more
    names = (re.split(r"[\[<>=~! ]", line, maxsplit=1)[0] for line in lines)
    return {IMPORTED_AS.get(name, name.replace("-", "_")) for name in names}


def imported(package: str) -> set[str]:
    found: set[str] = set()
    for path in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"exporter", "reaper"}


def test_every_imported_package_is_declared():
    assert imported("exporter") | imported("reaper") <= declared()


def test_every_declared_package_is_imported():
    assert declared() - NOT_BY_NAME <= imported("exporter") | imported("reaper")


@pytest.mark.parametrize("package", ["exporter", "reaper"])
def test_types_are_for_others_to_read(package):
    assert (ROOT / package / "py.typed").is_file()


def test_the_terms_lie_beside_the_code():
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert PROJECT["project"]["license"] == "Apache-2.0"


@pytest.mark.parametrize("name", [".github/workflows/ci.yml", ".pre-commit-config.yaml"])
def test_what_runs_elsewhere_runs_our_own_targets(name):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^(\w+):.*## ", makefile, re.MULTILINE)
    called = re.findall(r"(?:run|entry): make (\w+)", (ROOT / name).read_text(encoding="utf-8"))

    assert called
    assert set(called) <= set(targets)


def test_the_form_of_a_fault_asks_for_what_can_be_played_again():
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/fault.yml").read_text(encoding="utf-8"))
    asked = {field["id"] for field in form["body"] if "id" in field}

    assert {"doctor", "capture"} <= asked
