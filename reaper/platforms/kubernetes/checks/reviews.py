"""Asks an API server which rights we have: each one tried, none used."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from reaper.edge.kubernetes import Connection, KubeError, Served
from reaper.platforms.kubernetes.rights import MODES, RIGHTS, Right
from reaper.platforms.platform import Finding

_TOGETHER: Final = 8
#: Rights that are named one by one.
_NAMED: Final = 6
_REVIEW: Final = ("authorization.k8s.io", "SelfSubjectAccessReview")

_CURES: Final[Mapping[str, str]] = {
    "observe": "bind the ClusterRole gpu-reaper-observe; what it does not see is unknown",
    "notify": "bind the ClusterRole gpu-reaper-notify",
    "act": "bind the ClusterRole gpu-reaper-act, or keep policies at notify",
}


async def reviewed(connection: Connection, served: Served, subject: str) -> list[Finding]:
    """Return a finding for each mode: what of its rights is missing."""
    path = served.path(*_REVIEW)
    if path is None:
        what = "this API server reviews no access: nobody knows what we may do"
        return [Finding(subject=f"{subject}: rights", ok=None, what=what)]
    known = {(one.group, one.plural) for one in served.kinds.values()}
    needed = [one for one in RIGHTS if (one.group, one.resource.partition("/")[0]) in known]
    lane = asyncio.Semaphore(_TOGETHER)

    async def ask(right: Right) -> bool:
        async with lane:
            return await _allowed(connection, path, right)

    try:
        answers = await asyncio.gather(*(ask(one) for one in needed))
    except KubeError as error:
        return [Finding(subject=f"{subject}: rights", ok=None, what=str(error))]
    lacking = [one for one, allowed in zip(needed, answers, strict=True) if not allowed]
    return list(_findings(subject, needed, lacking))


async def _allowed(connection: Connection, path: str, right: Right) -> bool:
    plural, _, below = right.resource.partition("/")
    asked = {"group": right.group, "resource": plural, "verb": right.verb}
    if below:
        asked["subresource"] = below
    body = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": asked},
    }
    status = (await connection.post(path, body)).get("status")
    return isinstance(status, dict) and status.get("allowed") is True


def _findings(subject: str, needed: Iterable[Right], lacking: Iterable[Right]) -> Iterator[Finding]:
    asked, missing = tuple(needed), tuple(lacking)
    for mode in MODES:
        count = sum(one.mode == mode for one in asked)
        found = [one.shown for one in missing if one.mode == mode]
        if not found:
            what = f"has all {count} rights that it needs of what is served here"
            yield Finding(subject=f"{subject}: to {mode}", ok=True, what=what, needed=mode)
            continue
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        yield Finding(
            subject=f"{subject}: to {mode}",
            ok=False,
            what=f"may not {', '.join(found[:_NAMED])}{more}",
            cure=_CURES[mode],
            needed=mode,
        )
