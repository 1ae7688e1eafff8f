"""Where the project lies and what is in it, for tests that read the tree itself."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder that holds pyproject.toml."""

GENERATED = {"versions", "node_modules"}
"""Folders whose files a tool wrote: migrations and foreign packages."""


def python_files(*packages: str) -> list[Path]:
    """Find every Python file below the named folders of the project, migrations left out."""
    return [
        path
        for package in packages
        for path in sorted((ROOT / package).rglob("*.py"))
        if not GENERATED & set(path.parts)
    ]


def name_of(path: Path) -> str:
    """Name a file as a person at the project's root would."""
    return path.relative_to(ROOT).as_posix()


def parse(path: Path) -> ast.Module:
    """Read one Python file as a syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=name_of(path))
