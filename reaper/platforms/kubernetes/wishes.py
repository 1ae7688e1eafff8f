"""
Keeps that stand on workloads: ``kubectl annotate … gpu-reaper.io/keep=4h``.

Who may edit an object is told by its namespace's rights alone, and by name only in an audit log.
So a keep counts in namespaces of which an administrator said that whoever may edit there is of the
owner's group, and is recorded as the namespace's.  A controller that copies an annotation from a
template is nobody: on a pod it counts where the pod is its own workload.
"""

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Final

from reaper.platforms.kubernetes.mirror import Seen
from reaper.platforms.kubernetes.objects import OURS, Meta
from reaper.platforms.kubernetes.ownership.claiming import Held, workloads
from reaper.ports import Wished

KEEP: Final = f"{OURS}keep"

_PART: Final = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s*([smhd])")
_UNITS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
#: Clocks of the API server and ours may differ by this much; seconds.
_SKEW: Final = 60.0


def wishes(seen: Seen, keeps: Iterable[str]) -> tuple[Wished, ...]:
    """Return the keeps that stand on workloads in namespaces that fit `keeps`."""
    globs = tuple(keeps)
    if not globs:
        return ()
    found = (_wish(one, seen.as_of) for one in workloads(seen) if _may(one, globs))
    return tuple(wished for several in found for wished in several)


def lasting(text: str) -> float | None:
    """Return the seconds of ``4h``, ``90m``, ``1d12h``; None for what is no time."""
    wanted = text.strip().lower()
    parts = _PART.findall(wanted)
    written = "".join(f"{number}{unit}" for number, unit in parts)
    if not parts or written != wanted.replace(" ", ""):
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in parts) or None


def _may(one: Held, globs: tuple[str, ...]) -> bool:
    return any(fnmatchcase(one.pods[0].meta.namespace, glob) for glob in globs)


def _wish(one: Held, now: float) -> Iterator[Wished]:
    meta = one.top.meta
    text = meta.annotations.get(KEEP, "") if meta is not None else ""
    seconds = lasting(text)
    if meta is None or seconds is None:
        return
    at = _written(meta)
    # Since when it counts: as it was written, but never later than it was read.
    begin = now if at is None else min(at, now)
    left = begin + seconds - now
    if left <= 0 or (at is not None and at > now + _SKEW):
        return
    manager = meta.written[KEEP].manager if KEEP in meta.written else ""
    shown = f" ({manager})" if manager else ""
    yield Wished(
        # What is left of it holds for the next run too, if it is known how much that is.
        id=f"{meta.uid} {text}" if at is None else f"{meta.uid} {text} {at:.0f} {one.key}",
        run_key=one.key,
        seconds=left,
        by=f"namespace/{meta.namespace}",
        reason=f"{KEEP}: {text}{shown}",
    )


def _written(meta: Meta) -> float | None:
    return meta.written[KEEP].at if KEEP in meta.written else None
