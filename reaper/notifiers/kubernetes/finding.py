"""
Finds the object that a notice is about, and proves that it is that one.

A live run is known by a pod with its UID.  Once the pods are gone, the object is known by having
stood before the idleness began and by bearing a notice of ours: a name that came to mean something
else since does neither.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from reaper.domain.escalation.notice import Notice
from reaper.edge.kubernetes import Connection, KubeError, Object, Resource

NOTICE: Final = "gpu-reaper.io/notice"
"""The one annotation that says what happens next."""

#: Groups whose kinds ids name without their group.
_CORE: Final = ("", "apps", "batch")

#: Pods beside the oldest one that are told too.
_MOST: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An object with its path and its resource, and the live pods that are told beside it."""

    resource: Resource
    path: str
    raw: Object
    pods: tuple[Object, ...] = ()

    @property
    def meta(self) -> Mapping[str, Any]:
        """Return its metadata."""
        return inner(self.raw, "metadata")

    @property
    def annotation(self) -> str:
        """Return what it says now."""
        return str(inner(self.meta, "annotations").get(NOTICE) or "")


def inner(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return an inner object, an empty one where there is none."""
    found = raw.get(key)
    return found if isinstance(found, Mapping) else {}


async def find(connection: Connection, notice: Notice) -> Found | None:
    """Return the object of a notice, None where it is not proven to be there; raise KubeError."""
    platform, _, ident = notice.story.allocation.partition("/")
    parts = ident.split("/")
    if platform != "kubernetes" or len(parts) != 3 or not all(parts):
        return None
    namespace, word, name = parts
    served = await connection.served()
    pods = await _pods(connection, namespace, notice.run_key)
    for resource in _kinds(served.kinds.values(), word):
        path = served.path(resource.group, resource.kind, namespace, name)
        raw = await _get(connection, path) if path else None
        if raw is not None and path is not None:
            found = Found(resource=resource, path=path, raw=raw, pods=pods)
            return found if pods or _known(found, notice) else None
    return None


def _kinds(served: Any, word: str) -> Iterator[Resource]:  # noqa: ANN401 - a view of a mapping
    """Yield the kinds that a word may mean, those of the core first."""
    kind, _, group = word.partition(".")
    fits = [one for one in served if one.kind.lower() == kind and group in ("", one.group)]
    yield from sorted(fits, key=lambda one: (one.group not in _CORE, one.group))


def _known(found: Found, notice: Notice) -> bool:
    """Tell whether an object without that pod is the one of which was told before."""
    try:
        made = datetime.fromisoformat(str(found.meta.get("creationTimestamp"))).timestamp()
    except ValueError:
        return False
    return bool(found.annotation) and made <= notice.story.idle_since


async def _pods(connection: Connection, namespace: str, key: str) -> tuple[Object, ...]:
    """Return the pod of a UID and those that the same controller has, none where it is gone."""
    served = await connection.served()
    every = await connection.listed(served.path("", "Pod", namespace) or "", metadata=True)
    first = next((one for one in every if inner(one, "metadata").get("uid") == key), None)
    if first is None:
        return ()
    above = _controller(first)
    beside = [one for one in every if one is not first and above and _controller(one) == above]
    return (first, *beside[:_MOST])


def _controller(raw: Object) -> str:
    owners = inner(raw, "metadata").get("ownerReferences")
    entries = owners if isinstance(owners, list) else []
    return next((str(one.get("uid")) for one in entries if one.get("controller")), "")


async def _get(connection: Connection, path: str) -> Object | None:
    try:
        return await connection.get(path, metadata=True)
    except KubeError as error:
        if error.status == 404:
            return None
        raise
