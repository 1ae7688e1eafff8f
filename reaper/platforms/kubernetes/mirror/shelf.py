"""The records of one kind, and when it was heard last that they are right."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")

NEVER: Final = float("-inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted(Generic[T]):
    """
    Which objects are kept, and what of them.

    `thin` makes the record of an object, or None where it is not kept; `uid` of a record.
    `listed` are field selectors of the list alone: what a watch tells beyond has just changed.
    """

    group: str
    kind: str
    thin: Callable[[Mapping[str, Any]], T | None]
    metadata: bool = False
    listed: str = ""


@dataclass(slots=True, kw_only=True)
class Shelf(Generic[T]):
    """
    Records by UID; `as_of` is when they were known to be in step (a list, a change, a bookmark).

    `trouble` is why they are not, "" while they are or where the kind is not served at all.
    """

    wanted: Wanted[T]
    records: dict[str, T] = field(default_factory=dict)
    as_of: float = NEVER
    version: str = ""
    trouble: str = ""
    served: bool = True

    @property
    def kind(self) -> str:
        """Return the kind's name."""
        return self.wanted.kind

    @property
    def settled(self) -> bool:
        """Tell whether it is known how it stands: read, refused or not served."""
        return self.as_of > NEVER or bool(self.trouble) or not self.served

    def take(self, raw: Mapping[str, Any]) -> None:
        """Keep an object as it stands now, or no more."""
        uid = uid_of(raw)
        record = self.wanted.thin(raw)
        if record is None:
            self.records.pop(uid, None)
        else:
            self.records[uid] = record

    def drop(self, raw: Mapping[str, Any]) -> None:
        """Forget an object that is gone."""
        self.records.pop(uid_of(raw), None)

    def in_step(self, at: float, version: str) -> None:
        """Note that all that happened until a version is known."""
        self.as_of, self.version, self.trouble = max(self.as_of, at), version, ""


def uid_of(raw: Mapping[str, Any]) -> str:
    """Return an object's UID, "" where it has none."""
    about = raw.get("metadata")
    found = about.get("uid") if isinstance(about, Mapping) else None
    return found if isinstance(found, str) else ""
