"""The import rules of `.importlinter` hold, and the pure rooms import the standard library only."""

import ast
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

from tests.project import ROOT, name_of, parse, python_files

PURE = {"reaper/domain": "reaper.domain", "exporter/contract": "exporter.contract"}
"""Folders whose modules may import the standard library and their own folder, nothing else."""

IMPURE = {
    "asyncio", "http", "logging", "multiprocessing", "os", "pathlib", "random", "shutil",
    "signal", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib",
}  # fmt: skip
"""Standard modules that reach a clock, I/O, chance or a log: not for `reaper.domain`."""


@pytest.fixture
def loggers_stay() -> Iterator[None]:
    """Let every logger speak again: import-linter's logging silences those that exist."""
    yield
    for logger in logging.Logger.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.disabled = False


@pytest.mark.usefixtures("loggers_stay")
def test_the_import_contracts_hold(capsys: pytest.CaptureFixture[str]):
    status = lint_imports(config_filename=str(ROOT / ".importlinter"), no_cache=True)

    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


@pytest.mark.parametrize("path", python_files(*PURE), ids=name_of)
def test_a_pure_room_imports_the_standard_library_only(path: Path):
    own = next(package for folder, package in PURE.items() if name_of(path).startswith(folder))

    assert foreign_imports(parse(path), own) == []


@pytest.mark.parametrize("path", python_files("reaper/domain"), ids=name_of)
def test_the_domain_reaches_no_clock_and_no_io(path: Path):
    assert set() == IMPURE & {name.partition(".")[0] for name in imports(parse(path))}


def test_a_foreign_import_is_found():
    code = "import json\nimport pydantic.fields\nfrom reaper.ports import X\nimport reaper.domain.y"

    assert foreign_imports(ast.parse(code), "reaper.domain") == ["pydantic.fields", "reaper.ports"]


def foreign_imports(tree: ast.Module, own: str) -> list[str]:
    return [
        name
        for name in imports(tree)
        if name.partition(".")[0] not in sys.stdlib_module_names
        and not f"{name}.".startswith(f"{own}.")
    ]


def imports(tree: ast.Module) -> list[str]:
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found += [alias.name for alias in names]
            case ast.ImportFrom(module=str(module)):
                found.append(module)
    return found
