"""
Platforms: where allocations come from and where they are released, a folder each.

It knows which platforms there are and how each is put together from its settings.
It refuses to know what is idle, whom to warn and when to act.
"""

from importlib import import_module
from typing import Final

from reaper.platforms.platform import Builder, Finding, Platform, Surroundings, looked_at
from reaper.schema import Settings

__all__ = ["NAMES", "Builder", "Finding", "Platform", "Surroundings", "builder", "looked_at"]

#: Every platform: the key in the configuration, and the module that builds it when it is needed.
_MODULES: Final = {
    "kubernetes": "reaper.platforms.kubernetes.build",
    "recorded": "reaper.platforms.recorded.build",
    "slurm": "reaper.platforms.slurm.build",
}

NAMES: Final = tuple(_MODULES)


def builder(name: str) -> Builder[Settings]:
    """Return what builds a platform; imports only that platform."""
    found: Builder[Settings] = import_module(_MODULES[name]).BUILDER
    return found
