"""Recorded public data, kept beside the project and never copied into it.

It lies in `shared/data` next to the project's folder, with an `INDEX.md` that says what each
file is and which answers are known.
A checkout without it skips those tests, under CI too: it is the one thing that may be missing.
"""

from pathlib import Path

import pytest

from tests.project import ROOT

PUBLIC = ROOT.parent / "shared" / "data"
"""The folder of recorded data, whether or not it is there."""

ABSENT = "public data is not beside this checkout"
"""How the reason of every permitted skip begins; tests/conftest.py knows it."""


def public(*parts: str) -> Path:
    """Find recorded data, for example `public("slurm", "json")`, or skip where there is none."""
    path = PUBLIC.joinpath(*parts)
    if not PUBLIC.is_dir():
        pytest.skip(f"{ABSENT}: {'/'.join(parts)}", allow_module_level=True)
    assert path.exists(), f"{'/'.join(parts)} is not among the public data"
    return path


def trace(name: str) -> Path:
    """Find one recorded trace by its file name."""
    return public("traces", name)
