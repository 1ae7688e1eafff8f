"""An object that is written to, and what it means when a server does not take a write."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reaper.edge.kubernetes import KubeError
from reaper.platforms.kubernetes.release.marks import at
from reaper.platforms.kubernetes.release.stops import Raw, Stop
from reaper.ports import ActionError


@dataclass(frozen=True, slots=True, kw_only=True)
class Handle:
    """An object that is written to, and how it is stopped."""

    stop: Stop
    path: str
    raw: Raw
    scale: str = ""
    """The path of its scale subresource, where it is stopped by that."""

    @property
    def stands(self) -> bool:
        """Tell whether it is stopped."""
        return self.stop.stands(self.raw)

    @property
    def annotations(self) -> Mapping[str, Any]:
        """Return its annotations."""
        return at(self.raw, ("metadata", "annotations")) or {}

    @property
    def holders(self) -> tuple[str, ...]:
        """Return the managers of the fields that stop it."""
        entries = at(self.raw, ("metadata", "managedFields"))
        paths = [tuple(f"f:{step}" for step in path) for path in self.stop.values(self.raw)]
        return tuple(
            str(entry.get("manager") or "")
            for entry in (entries if isinstance(entries, list) else ())
            if any(at(entry, ("fieldsV1", *path)) is not None for path in paths)
        )

    def __str__(self) -> str:
        return f"{self.stop.kind} {at(self.raw, ('metadata', 'name'))}"


class ChangedError(ActionError):
    """Somebody wrote to an object between our look and our write: look again, then write."""

    def __init__(self, message: str) -> None:
        super().__init__(message, recoverable=True)


def failed(what: str, error: KubeError) -> ActionError:
    """Return what an answer of the server means for an act: whether it may do later."""
    if error.status == 409:
        return ChangedError(f"{what}: {error}")
    later = error.status in (0, 429) or error.status >= 500
    cure = ""
    if error.status == 403:
        cure = "; give the reaper's account this right (see the roles in deploy/kubernetes)"
    return ActionError(f"{what}: {error}{cure}", recoverable=later)
