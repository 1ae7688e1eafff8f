"""
The only writes: a stop, and putting back; each says which object in which version it means.

A stop and its mark are one patch wherever the kind allows it.  Where the stop is a subresource,
the mark goes first: a crash between the two leaves an object that runs and says what stood before,
which `inspect` reads as not applied, and a second attempt writes the same again.  The other order
would leave a workload at no replica of which nobody knows how many there were.  Putting back goes
the other way round: the mark goes last, so that a crash leaves something to be put back by.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from reaper.edge.kubernetes import Connection, KubeError
from reaper.platforms.kubernetes.release.handles import ChangedError, Handle, failed
from reaper.platforms.kubernetes.release.marks import (
    RESUMED,
    STOPPED,
    Mark,
    Path,
    Values,
    at,
    mark,
    nested,
    rfc3339,
)
from reaper.platforms.kubernetes.release.stops import NOW, Raw
from reaper.ports import ActionError

_ANNOTATIONS: Final = ("metadata", "annotations")

#: How often the second of two patches is tried while a controller writes its status.
_TRIES: Final = 10


async def stop(connection: Connection, handle: Handle, *, intent: str, now: float) -> str:
    """Stop what a handle is of and say what was written; raise ActionError."""
    values = {
        path: rfc3339(now) if value == NOW else value
        for path, value in handle.stop.values(handle.raw).items()
    }
    before = mark(handle.annotations)
    # A second attempt must not take our own stop for what stood before.
    former = before.former if before and before.intent == intent else handle.stop.former(handle.raw)
    left = Mark(intent=intent, at=rfc3339(now), former=former)
    marks: Values = {
        (*_ANNOTATIONS, STOPPED): left.written(),
        (*_ANNOTATIONS, RESUMED): None,
    }
    await _write(connection, handle, values, marks)
    return f"{handle}: {_said(values)}; before: {_said(former)}"


async def put_back(connection: Connection, handle: Handle, *, resumed: Mark | None = None) -> str:
    """
    Put back what a mark says stood before, where it still stands as we wrote it.

    With `resumed` it says on the object that its owner did that.
    """
    left = mark(handle.annotations)
    if left is None:
        raise ActionError(f"{handle} bears no mark of a stop of ours", recoverable=False)
    # What somebody has set otherwise since is theirs, and a mark that others wrote puts nothing
    # where no stop of ours writes.
    ours = handle.stop.values(handle.raw) if handle.stands else {}
    values = {path: value for path, value in left.former.items() if path in ours}
    values |= dict.fromkeys(handle.stop.stale) if resumed else {}
    marks: Values = {
        (*_ANNOTATIONS, STOPPED): None,
        (*_ANNOTATIONS, RESUMED): resumed.written() if resumed else None,
    }
    await _write(connection, handle, values, marks, last=True)
    return f"{handle}: {_said(left.former)} again" if handle.stands else f"{handle} runs already"


async def _write(
    connection: Connection, handle: Handle, values: Values, marks: Values, *, last: bool = False
) -> None:
    """Write values and marks: in one patch, or the marks first, or last."""
    if not handle.scale:
        await _patch(connection, handle, handle.path, handle.raw, {**values, **marks})
    elif last:
        if values:
            await _patch(connection, handle, handle.scale, handle.raw, values)
        await _second(connection, handle, handle.path, marks, mark(handle.annotations))
    else:
        raw = await _patch(connection, handle, handle.path, handle.raw, marks)
        left = mark(at(raw, _ANNOTATIONS) or {})
        await _second(connection, handle, handle.scale, values, left, as_of=raw)


async def _second(
    connection: Connection,
    handle: Handle,
    path: str,
    values: Values,
    left: Mark | None,
    *,
    as_of: Raw | None = None,
) -> None:
    """
    Write the second of two patches, though a controller reports on the object meanwhile.

    It must be the same object with the same mark still, and where `as_of` says what is asked for
    (its generation), nobody may have asked for anything else since.
    """
    for _ in range(_TRIES):
        try:
            now = await connection.get(handle.path, metadata=True)
        except KubeError as error:
            raise failed(f"{handle}: it could not be read", error) from error
        same = _same(now, handle.raw, ("uid",)) and mark(at(now, _ANNOTATIONS) or {}) == left
        if not same or (as_of is not None and not _same(now, as_of, ("generation",))):
            raise ChangedError(f"{handle}: somebody has changed it meanwhile")
        with suppress(ChangedError):
            await _patch(connection, handle, path, now, values)
            return
    raise ChangedError(f"{handle}: it does not stand still")


def _same(one: Raw, other: Raw, names: tuple[str, ...]) -> bool:
    return all(at(one, ("metadata", name)) == at(other, ("metadata", name)) for name in names)


async def _patch(
    connection: Connection, handle: Handle, path: str, raw: Raw, values: Values
) -> Mapping[str, Any]:
    body = nested({**values, **_meant(raw)})
    try:
        return await connection.patch(path, body)
    except KubeError as error:
        raise failed(f"{handle}: it could not be written", error) from error


def _meant(raw: Raw) -> dict[Path, Any]:
    """Return what says which object in which version is meant; another one is a conflict."""
    return {
        ("metadata", "uid"): at(raw, ("metadata", "uid")),
        ("metadata", "resourceVersion"): at(raw, ("metadata", "resourceVersion")),
    }


def _said(values: Values) -> str:
    shown = (f"{path[-1]}={'-' if value is None else value}" for path, value in values.items())
    return ", ".join(shown)
