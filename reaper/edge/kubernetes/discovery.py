"""
What an API server serves: kinds, their versions and paths, its own version.

One question for all where the server can (1.27 and later), else one a group and version.  A group
whose own server is silent is named: what it serves is unknown, not absent.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

from reaper.edge.kubernetes.errors import KubeError

Fetch = Callable[[str, str], Awaitable[Mapping[str, Any]]]
"""Gets a path in the form that an Accept header asks for."""

_JSON: Final = "application/json"
_WHOLE: Final = (
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
    f"{_JSON}"
)
#: Questions at a time to an older server, which needs one for each group and version.
_TOGETHER: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One kind as it is served; `subresources` by name, each with group, version and kind."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool
    subresources: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)

    @property
    def root(self) -> str:
        """Return where its version lies."""
        return f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """
    Every kind that is served, in the version that the server prefers among those that have it.

    `git` is the server's version; of `silent` groups nobody knows what they serve.
    """

    git: str
    kinds: Mapping[tuple[str, str], Resource] = field(default_factory=dict)
    silent: frozenset[str] = frozenset()

    def path(
        self, group: str, kind: str, namespace: str = "", name: str = "", subresource: str = ""
    ) -> str | None:
        """Return where objects of a kind lie, of one namespace or of all; None: not served."""
        found = self.kinds.get((group, kind))
        if found is None or (subresource and subresource not in found.subresources):
            return None
        parts = ["namespaces", namespace] if namespace and found.namespaced else []
        parts += [part for part in (found.plural, name, subresource) if part]
        return "/".join((found.root, *(quote(part, safe="") for part in parts)))

    def version(self, group: str, kind: str) -> str | None:
        """Return in which version a kind is served; None: it is not."""
        found = self.kinds.get((group, kind))
        return found.version if found else None

    def taken(self, group: str, kind: str, subresource: str) -> str | None:
        """Return the `apiVersion` of the body that a subresource takes; None: it is not there."""
        found = self.kinds.get((group, kind))
        if found is None or subresource not in found.subresources:
            return None
        of, version, _ = found.subresources[subresource]
        return f"{of}/{version}" if of else version


async def discover(fetch: Fetch) -> Served:
    """Ask what is served; raise KubeError where the server itself does not answer."""
    about = await fetch("/version", _JSON)
    found: list[Resource] = []
    silent: set[str] = set()
    for root in ("/api", "/apis"):
        answer = await fetch(root, _WHOLE)
        if answer.get("kind") == "APIGroupDiscoveryList":
            found += _aggregated(answer, silent)
        else:
            found += await _one_by_one(fetch, root, answer, silent)
    kinds: dict[tuple[str, str], Resource] = {}
    for resource in found:
        kinds.setdefault((resource.group, resource.kind), resource)
    return Served(git=str(about.get("gitVersion") or ""), kinds=kinds, silent=frozenset(silent))


def _aggregated(answer: Mapping[str, Any], silent: set[str]) -> Iterator[Resource]:
    """Yield resources in the server's order: groups' versions come preferred first."""
    for group in _dicts(answer.get("items")):
        name = str((group.get("metadata") or {}).get("name") or "")
        for version in _dicts(group.get("versions")):
            if version.get("freshness") == "Stale":
                silent.add(name)
            for item in _dicts(version.get("resources")):
                kind = item.get("responseKind") or {}
                yield Resource(
                    group=name,
                    version=str(version.get("version")),
                    kind=str(kind.get("kind") or ""),
                    plural=str(item.get("resource")),
                    namespaced=item.get("scope") == "Namespaced",
                    subresources={
                        str(sub.get("subresource")): _kind(sub.get("responseKind"))
                        for sub in _dicts(item.get("subresources"))
                    },
                )


async def _one_by_one(
    fetch: Fetch, root: str, answer: Mapping[str, Any], silent: set[str]
) -> list[Resource]:
    lane = asyncio.Semaphore(_TOGETHER)

    async def ask(group: str, version: str) -> list[Resource]:
        path = "/".join(part for part in (root, group, version) if part)
        async with lane:
            try:
                listed = await fetch(path, _JSON)
            except KubeError as error:
                # A group's own server that is down must not hide all the others.
                if error.status in (0, 401, 403):
                    raise
                silent.add(group)
                return []
        return list(_listed(group, version, _dicts(listed.get("resources"))))

    pairs = tuple(_versions(answer))
    return [one for found in await asyncio.gather(*(ask(*pair) for pair in pairs)) for one in found]


def _versions(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield every group with its versions, the preferred one first."""
    for version in answer.get("versions") or ():
        yield "", str(version)
    for group in _dicts(answer.get("groups")):
        preferred = (group.get("preferredVersion") or {}).get("version")
        versions = [str(one.get("version")) for one in _dicts(group.get("versions"))]
        for version in sorted(versions, key=lambda one: one != preferred):
            yield str(group.get("name")), version


def _listed(group: str, version: str, items: Iterable[Mapping[str, Any]]) -> Iterator[Resource]:
    listed = list(items)
    below: dict[str, dict[str, tuple[str, str, str]]] = {}
    for item in listed:
        plural, _, subresource = str(item.get("name")).partition("/")
        if subresource:
            own = {"group": group, "version": version}
            below.setdefault(plural, {})[subresource] = _kind({**own, **item})
    for item in listed:
        plural = str(item.get("name"))
        if "/" not in plural:
            yield Resource(
                group=group,
                version=version,
                kind=str(item.get("kind")),
                plural=plural,
                namespaced=bool(item.get("namespaced")),
                subresources=below.get(plural, {}),
            )


def _kind(words: object) -> tuple[str, str, str]:
    found = words if isinstance(words, dict) else {}
    group, version, kind = (str(found.get(name) or "") for name in ("group", "version", "kind"))
    return group, version, kind


def _dicts(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
