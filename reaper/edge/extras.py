"""How an extra of this program is installed where it runs: a command that works as printed."""

import json
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from shlex import join
from typing import Final
from urllib.parse import unquote, urlsplit

_NAME: Final = "gpu-reaper"

#: The checkout's own uv, where `make` made the environment.
_UV: Final = Path(".uv/bin/uv")


def lacking(module: str) -> bool:
    """Tell whether the module that an extra brings is not installed."""
    return find_spec(module) is None


def installing(extra: str) -> str:
    """Return the command that adds an extra to the environment of this program."""
    return command(extra, source=_source(), python=sys.executable, pip=find_spec("pip") is not None)


def command(extra: str, *, source: str, python: str, pip: bool) -> str:
    """Return the command for a program that came from `source`, the package's name or a folder."""
    here = Path(source)
    if (here / _UV).exists() and Path(python).is_relative_to(here):
        uv = (str(here / _UV), "sync", "--project", source, "--frozen", "--inexact")
        return join((*uv, "--no-default-groups", "--extra", extra))
    wanted = f"{source}[{extra}]"
    return join((*_pip(python, pip=pip), "install", wanted))


def _pip(python: str, *, pip: bool) -> Sequence[str]:
    return (python, "-m", "pip") if pip else ("python3", "-m", "pip", "--python", python)


def _source() -> str:
    """Return the folder from which this program was installed, else its name."""
    try:
        text = distribution(_NAME).read_text("direct_url.json")
        url = urlsplit(json.loads(text)["url"]) if text else None
    except (PackageNotFoundError, ValueError, KeyError):
        url = None
    return unquote(url.path) if url is not None and url.scheme == "file" else _NAME
