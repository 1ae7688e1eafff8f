"""
What a bug report needs: what was read from driver and kernel, as JSON.

It holds no secrets, no command lines, no names of users and no uids: of sessions the kind alone.
"""

import json
import platform
import sys
from dataclasses import fields, is_dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from exporter.contract import catalog
from exporter.doctor import report
from exporter.parts import Exporter

_LIBRARIES: Final = ("nvidia-ml-py", "aiohttp", "grpcio", "bcrypt")
#: What is about people stays on the node.
_KEPT_BACK: Final = frozenset({"uid", "last_activity", "doubtful", "caught"})


def dump(exporter: Exporter) -> str:
    """Return the raw inputs and what became of them, as JSON text."""
    moment = exporter.moment()
    content = {
        "program": {"version": exporter.version, "contract": catalog.VERSION},
        "machine": {
            "python": sys.version.split()[0],
            "kernel": platform.release(),
            "libraries": {name: _version(name) for name in _LIBRARIES},
        },
        "setup": plain(exporter.config.setup),
        "moment": plain(moment),
        "round": plain(exporter.state.round),
        "turns": {name: plain(turn) for name, (turn, _) in exporter.state.turns.items()},
        "devices": {gpu: plain(state) for gpu, state in exporter.state.devices.items()},
        "unidentified": [str(one) for one in moment.unidentified],
        "doctor": report(exporter).splitlines(),
        "metrics": exporter.metrics().decode().splitlines(),
    }
    return json.dumps(content, indent=1, sort_keys=True)


def plain(value: object) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return a value as JSON can hold it; what is about people is left out."""
    if is_dataclass(value):
        kept = (one.name for one in fields(value) if one.name not in _KEPT_BACK)
        return {name: plain(getattr(value, name)) for name in kept if not name.startswith("_")}
    if isinstance(value, dict):
        return {_key(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool) or value is None else repr(value)


def _key(key: object) -> str:
    return "/".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
