"""
How many GPUs a pod has: Kubernetes' effective requests, for the resources that are GPUs.

Init containers run one after the other, so that the largest counts; one that restarts always (a
sidecar) stays and is added to all that runs after it (KEP-753).  Of an extended resource a limit
stands for its request.
"""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final

from reaper.platforms.kubernetes.objects.scalars import Reading

#: What the device plugin calls GPUs, parts of them by time, and slices of them.
USUAL: Final = ("nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-*")


class Resources:
    """Which extended resources are GPUs, by globs; a name is matched once."""

    __slots__ = ("_known", "globs")

    def __init__(self, globs: Iterable[str] = USUAL) -> None:
        """Take shell-style patterns."""
        self.globs = tuple(globs)
        self._known: dict[str, bool] = {}

    def cover(self, name: object) -> bool:
        """Tell whether a resource of this name is a GPU."""
        if not isinstance(name, str) or "/" not in name:
            return False
        known = self._known.get(name)
        if known is None:
            known = any(fnmatchcase(name, glob) for glob in self.globs)
            if len(self._known) < 10_000:
                self._known[name] = known
        return known


#: The GPUs of a cluster whose administrator renamed nothing.
GPUS: Final = Resources()


def effective(spec: Mapping[str, Any], resources: Resources, reading: Reading) -> dict[str, int]:
    """Return a pod's GPUs by resource, from its spec."""
    sidecars: dict[str, int] = {}
    most: dict[str, int] = {}
    for container in reading.each(spec, "initContainers"):
        own = asked(container, resources, reading)
        if container.get("restartPolicy") == "Always":
            _add(sidecars, own)
            own = {}
        for name in own:
            most[name] = max(most.get(name, 0), own[name] + sidecars.get(name, 0))
    running = dict(sidecars)
    for container in reading.each(spec, "containers"):
        _add(running, asked(container, resources, reading))
    names = sorted(most.keys() | running.keys())
    found = {name: max(most.get(name, 0), running.get(name, 0)) for name in names}
    return {name: number for name, number in found.items() if number}


def asked(container: Mapping[str, Any], resources: Resources, reading: Reading) -> dict[str, int]:
    """Return what one container asks for."""
    found: dict[str, int] = {}
    for part in ("limits", "requests"):
        found |= counted(reading.within(container, "resources", part), resources, reading)
    return found


def counted(amounts: Mapping[str, Any], resources: Resources, reading: Reading) -> dict[str, int]:
    """Return the GPUs of a map of quantities by resource."""
    covered = (name for name in amounts if resources.cover(name))
    numbers = {name: reading.count(amounts, name) for name in covered}
    return {name: number for name, number in numbers.items() if number is not None}


def _add(total: dict[str, int], more: Mapping[str, int]) -> None:
    for name, number in more.items():
        total[name] = total.get(name, 0) + number
