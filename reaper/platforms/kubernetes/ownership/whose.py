"""
Whose a workload is, by ranked sources.

First what only a platform or its administrator can write, from the narrowest to the widest: the
mark that an admission policy sets on each object, the name that a hub or Coder gives a pod of
theirs in a namespace of theirs, the owner of a Kubeflow profile's namespace.  Then the
administrator's own map.  A label that users can write names nobody.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from reaper.platforms.kubernetes.objects import Meta

#: Where a hub and Coder write a person's name: the annotation as it is, the label made to fit.
JUPYTERHUB: Final = ("hub.jupyter.org/username",)
CODER: Final = ("com.coder.user.username", "com.coder.user.email")

_PROFILES: Final = ("kubeflow.org", "Profile")
_PROFILE_OWNER: Final = "owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Landlord:
    """An administrator's word: workloads in these namespaces are this owner's and team's."""

    namespace: tuple[str, ...]
    owner: str = ""
    team: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """
    What the configuration says of owners.

    `creator` is the annotation that an admission policy sets.  Pods in namespaces that fit `hubs`
    and `coder` are made by no one but those servers.
    """

    creator: str = ""
    hubs: tuple[str, ...] = ()
    coder: tuple[str, ...] = ()
    owners: tuple[Landlord, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """Who answers for a workload, with their team; "" is nobody.  `source` says who names them."""

    owner: str = ""
    team: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Objects:
    """What is known of a workload: itself, its pods, its namespace."""

    workload: Meta | None
    pods: tuple[Meta, ...]
    namespace: Meta | None = None


def whose(found: Objects, words: Words) -> Whose:
    """Return who answers for a workload; pods of one that name several persons name nobody."""
    fitting = (one for one in words.owners if _fits(one.namespace, found))
    landlord = next(fitting, Landlord(namespace=()))
    for source, names in _authenticated(found, words):
        named = sorted({name for name in names if name})
        if len(named) > 1:
            return Whose(team=landlord.team, source=f"{source} names {', '.join(named)}")
        if named:
            return Whose(owner=named[0], team=landlord.team, source=source)
    if landlord.namespace:
        return Whose(owner=landlord.owner, team=landlord.team, source="the configured owners")
    return Whose()


def _authenticated(found: Objects, words: Words) -> Iterator[tuple[str, Iterable[str]]]:
    if words.creator and found.workload is not None:
        yield words.creator, [found.workload.annotations.get(words.creator, "")]
    for source, globs, keys in (
        ("JupyterHub", words.hubs, JUPYTERHUB),
        ("Coder", words.coder, CODER),
    ):
        if globs and _fits(globs, found):
            yield source, [_said(pod, keys) for pod in found.pods]
    if found.namespace is not None and _is_profile(found.namespace):
        yield "the Kubeflow profile", [found.namespace.annotations.get(_PROFILE_OWNER, "")]


def _said(pod: Meta, keys: tuple[str, ...]) -> str:
    places = (pod.annotations, pod.labels)
    return next((place[key] for key in keys for place in places if place.get(key)), "")


def _is_profile(namespace: Meta) -> bool:
    """Tell whether a profile made a namespace: nobody else is written there as its owner."""
    made_by = namespace.controller
    return made_by is not None and (made_by.group, made_by.kind) == _PROFILES


def _fits(globs: tuple[str, ...], found: Objects) -> bool:
    name = found.pods[0].namespace if found.pods else ""
    return any(fnmatchcase(name, glob) for glob in globs)
