"""A copy of a program, and of what it is built on, that any account may read and run."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution, requires
from pathlib import Path
from typing import Self

from packaging.requirements import Requirement

from tests.project import ROOT


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCopy:
    """Packages of this project and their libraries: a checkout may lie in a home that is closed."""

    folder: Path

    @classmethod
    def lay(cls, folder: Path, *packages: str, extras: Sequence[str] = ()) -> Self:
        """Copy it all into a folder, once."""
        if folder.joinpath(packages[0]).exists():
            return cls(folder=folder)
        for package in packages:
            shutil.copytree(ROOT / package, folder / package)
        for one in _needed(_required(requires("gpu-reaper"), extras)).values():
            for item in one.files or ():
                if ".." not in item.parts and item.suffix != ".pyc":
                    target = folder / item
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(str(item.locate()), target)
        return cls(folder=folder)

    def environment(self, base: Mapping[str, str] = os.environ) -> dict[str, str]:
        """Let any interpreter of this version find it."""
        return {**base, "PYTHONPATH": str(self.folder)}

    def python(self, under: Sequence[str], package: str) -> str | None:
        """Find an interpreter that an account can run, `under` being what changes to it."""
        probe = f"import subprocess, sys, {package}; subprocess.check_call([sys.executable, '-V'])"
        for candidate in (sys.executable, "/usr/bin/python3"):
            words = [*under, candidate, "-c", probe]
            if not subprocess.run(
                words, check=False, capture_output=True, env=self.environment(), cwd=self.folder
            ).returncode:
                return candidate
        return None


def _needed(names: Sequence[str]) -> dict[str, Distribution]:
    """Return the distributions of these names, and of all that they require on this machine."""
    found: dict[str, Distribution] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = distribution(name)
            waiting += _required(found[name].requires)
    return found


def _required(lines: Sequence[str] | None, extras: Sequence[str] = ()) -> list[str]:
    required = [Requirement(line) for line in lines or ()]
    return [
        one.name
        for one in required
        if not one.marker or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras))
    ]
