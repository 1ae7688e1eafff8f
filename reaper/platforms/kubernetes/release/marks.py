"""
Our annotations on what we have stopped: what stood before, so that anybody can put it back.

Pure.  ``gpu-reaper.io/stopped`` is written before, or in the same patch as, what stops: a stop
without it would be nobody's, and nobody would know how many replicas there were.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

#: What we stopped: the intent, when, and what stood before by path.
STOPPED: Final = "gpu-reaper.io/stopped"
#: What its owner has started again since: the intent that had stopped it, and when.
RESUMED: Final = "gpu-reaper.io/resumed"
#: What happens next, for whoever looks.
NOTICE: Final = "gpu-reaper.io/notice"

Path = tuple[str, ...]
"""Where a value stands in an object."""

Values = Mapping[Path, Any]
"""Values of an object by where they stand; None is "not there"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Which intent has stopped it, when (RFC 3339), and what stood there before."""

    intent: str
    at: str
    former: Values = field(default_factory=dict)

    def resumed(self, now: float) -> "Mark":
        """Return what is left on an object when its owner has started it again."""
        return Mark(intent=self.intent, at=rfc3339(now))

    def written(self) -> str:
        """Return the annotation's value."""
        former = {_pointer(path): value for path, value in self.former.items()}
        return json.dumps({"intent": self.intent, "at": self.at, "former": former}, sort_keys=True)


def mark(annotations: Mapping[str, Any], name: str = STOPPED) -> Mark | None:
    """Return the mark on an object; None where there is none, or none that we can read."""
    try:
        said = json.loads(annotations.get(name, ""))
        former = {_path(pointer): value for pointer, value in dict(said["former"]).items()}
        return Mark(intent=str(said["intent"]), at=str(said["at"]), former=former)
    except (ValueError, TypeError, KeyError):
        return None


def rfc3339(instant: float) -> str:
    """Write an instant as Kubernetes does."""
    return datetime.fromtimestamp(instant, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def at(raw: Mapping[str, Any], path: Path) -> Any:  # noqa: ANN401 - any JSON
    """Return the value of an object at a path; None where there is none."""
    found: Any = raw
    for step in path:
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def nested(values: Values) -> dict[str, Any]:
    """Return values as a merge patch: None takes away what stands there."""
    patch: dict[str, Any] = {}
    for path, value in values.items():
        inner = patch
        for step in path[:-1]:
            inner = inner.setdefault(step, {})
        inner[path[-1]] = value
    return patch


def _pointer(path: Path) -> str:
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path)


def _path(pointer: str) -> Path:
    steps = pointer.removeprefix("/").split("/")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)
