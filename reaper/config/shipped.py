"""The policies that come with the program, by name: observe, notify, act."""

from importlib.resources import files
from pathlib import Path
from typing import Final

NAMES: Final = ("observe", "notify", "act")


def shipped(name: str) -> Path:
    """Return the policy file of a name in `NAMES`."""
    return Path(str(files(__package__))) / f"{name}.yaml"
