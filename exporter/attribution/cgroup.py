"""
What a cgroup path says: text in, the job, pod, container or user that it belongs to out.

Pure: no file is read here.  Any text gives an answer or None, never an error.
Innermost does not win: a container inside a Slurm job is the job's, and a Slurm daemon inside a
pod hands the pod's devices to its jobs, so the recognisers are asked in one fixed order.
Users may make folders of any name below their own slice, so no job and no pod is found there.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

Kind = Literal["slurm", "kubernetes", "container", "user"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """What a path belongs to.

    `id` is a Slurm job id or SLUID, a pod UID, a container id or a uid.  `node` is the Slurm node
    of a host with several slurmd, `step` ``"batch"``, ``"extern"``, ``"interactive"`` or a number,
    `container` the container id inside a pod.  `folder` is the path down to where `id` is named.
    """

    kind: Kind
    id: str
    folder: str
    node: str = ""
    step: str = ""
    container: str = ""


# Slurm writes a SLUID as "s" and 13 digits of Crockford's base 32.
_JOB: Final = re.compile(r"job_(\d+)|(s[0-9A-HJKMNP-TV-Z]{13})")
_UID: Final = re.compile(r"uid_\d+")
_STEP: Final = re.compile(r"step_(\w+)")
_V1_ROOT: Final = re.compile(r"slurm(?:_(?P<node>.+))?")
_V2_ROOT: Final = re.compile(r"(?:(?P<node>.+)_)?slurmstepd\.scope")
# A static pod's UID is a hash without dashes; systemd writes dashes as underscores.
_POD: Final = re.compile(
    r"pod([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[0-9a-f]{32})(?:\.slice)?(?::.*)?"
)
_CONTAINER: Final = re.compile(
    r"(?:(?:.*:)?(?:cri-containerd|docker|crio|libpod|containerd)[-:])?([0-9a-f]{64})(?:\.scope)?"
)
# What ECS names its own containers by: the task's id and a number.
_ECS: Final = re.compile(r"([0-9a-f]{32}-\d{1,10})")
_USER: Final = re.compile(r"user-(\d+)\.slice")
_USERS: Final = "user.slice"


def membership(paths: Iterable[str]) -> Membership | None:
    """Return what a process belongs to by the paths of all its hierarchies.

    Of several paths that name the same kind the one that says most counts: v1 controllers differ
    in depth.
    """
    return _membership(tuple(paths))


@lru_cache(maxsize=8192)
def _membership(paths: tuple[str, ...]) -> Membership | None:
    for recognise in _RECOGNISERS:
        found = [one for path in paths if (one := recognise(path.split("/"))) is not None]
        if found:
            return max(found, key=_detail)
    return None


def _detail(found: Membership) -> int:
    return bool(found.step) + bool(found.container) + bool(found.node)


def _slurm(parts: Sequence[str]) -> Membership | None:
    for at, part in enumerate(parts):
        job = _JOB.fullmatch(part)
        if job is None or _USERS in parts[:at]:
            continue
        rooted, node = _slurm_root(parts[:at])
        step = _STEP.fullmatch(parts[at + 1]) if at + 1 < len(parts) else None
        # A container's view hides the root of the path; then only a step below proves a job.
        if rooted or (step is not None and _hidden(parts[:at])):
            return Membership(
                kind="slurm",
                id=job[1] or job[2],
                folder=_down_to(parts, at),
                node=node,
                step=step[1] if step else "",
            )
    return None


def _slurm_root(above: Sequence[str]) -> tuple[bool, str]:
    """Say whether the parts above a job are Slurm's, and of which node."""
    if above and (v2 := _V2_ROOT.fullmatch(above[-1])):
        return True, v2["node"] or ""
    if above and _UID.fullmatch(above[-1]):
        v1 = _V1_ROOT.fullmatch(above[-2]) if len(above) > 1 else None
        return v1 is not None, (v1["node"] or "") if v1 else ""
    return False, ""


def _hidden(above: Sequence[str]) -> bool:
    return all(part in {"", ".."} or _UID.fullmatch(part) for part in above)


def _kubernetes(parts: Sequence[str]) -> Membership | None:
    for at, part in enumerate(parts):
        pod = _POD.fullmatch(part[part.rfind("-pod") + 1 :] if "-pod" in part else part)
        if pod is None or _USERS in parts[:at]:
            continue
        inner = [match[1] for below in parts[at:] if (match := _CONTAINER.fullmatch(below))]
        return Membership(
            kind="kubernetes",
            id=pod[1].replace("_", "-"),
            folder=_down_to(parts, at),
            container=inner[0] if inner else "",
        )
    return None


def _container(parts: Sequence[str]) -> Membership | None:
    for at, part in enumerate(parts):
        match = _CONTAINER.fullmatch(part)
        if match is None and _USERS not in parts[:at]:
            match = _ECS.fullmatch(part)
        if match is not None:
            return Membership(kind="container", id=match[1], folder=_down_to(parts, at))
    return None


def _user(parts: Sequence[str]) -> Membership | None:
    for at, part in enumerate(parts):
        if match := _USER.fullmatch(part):
            return Membership(kind="user", id=match[1], folder=_down_to(parts, at))
    return None


def _down_to(parts: Sequence[str], at: int) -> str:
    return "/".join(parts[: at + 1])


_RECOGNISERS: Final[tuple[Callable[[Sequence[str]], Membership | None], ...]] = (
    _slurm,
    _kubernetes,
    _container,
    _user,
)
