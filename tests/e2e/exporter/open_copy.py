"""A copy of the exporter, and of what it is built on, that any account may read."""

import shutil
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

from tests.project import ROOT

BUILT_ON = ("aiohttp", "bcrypt", "click", "grpcio", "nvidia-ml-py", "prometheus-client", "pyyaml")


def lay(folder: Path) -> Path:
    """Copy it all into a folder, and return that: the checkout may lie in a home that is closed."""
    shutil.copytree(ROOT / "exporter", folder / "exporter")
    for one in needed(BUILT_ON).values():
        for item in one.files or ():
            if ".." not in item.parts and item.suffix != ".pyc":
                target = folder / item
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(item.locate()), target)
    return folder


def needed(names: tuple[str, ...]) -> dict[str, Distribution]:
    """Return the distributions of these names, and of all that they require on this machine."""
    found: dict[str, Distribution] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = distribution(name)
            required = map(Requirement, found[name].requires or ())
            waiting += [
                one.name for one in required if not one.marker or one.marker.evaluate({"extra": ""})
            ]
    return found
