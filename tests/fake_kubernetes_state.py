"""What a fake API server holds, and what tests do to it."""

import asyncio
import copy
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.fake_kubernetes_kinds import NEW, Kind, usual_kinds
from tests.fake_kubernetes_rules import CREATED, merged


@dataclass(kw_only=True)
class Fault:
    """What happens to the next `times` requests whose method and path hold `verb` and `on`."""

    on: str
    verb: str = ""
    status: int = 0
    """0: the connection is cut."""
    reason: str = ""
    message: str = "told to fail"
    delay: float = 0.0
    retry_after: str = ""
    times: int = 1


@dataclass
class Held:
    """The objects of one API server with their past, what it was asked, and what is to fail."""

    kinds: list[Kind] = field(default_factory=usual_kinds)
    git: str = NEW
    aggregated: bool = True
    token: str = ""
    graceful: bool = False
    """An evicted pod stays, marked as deleted, until it is removed."""
    asked: list[tuple[str, str]] = field(default_factory=list)
    sent: list[tuple[str, str, dict]] = field(default_factory=list)
    """Every body with its method and path."""
    faults: list[Fault] = field(default_factory=list)
    allowed: Callable[[dict], bool] = lambda _: True
    """Decides an access review by its resourceAttributes."""
    version: int = 1000
    url: str = ""
    _objects: dict[tuple[str, str], dict[tuple[str, str], dict]] = field(default_factory=dict)
    _past: list[tuple[int, Kind, dict | None, dict | None]] = field(default_factory=list)
    _compacted: int = 0
    _continued: dict[str, list[dict]] = field(default_factory=dict)
    _moved: asyncio.Event = field(default_factory=asyncio.Event)
    _bookmarks: int = 0
    _cuts: int = 0

    # -------------------------------------------------------------- what tests do

    def add(self, *objects: dict) -> None:
        """Put objects in, as they would be created; what stood under their name is replaced."""
        for given in objects:
            kind = self._kind(given["apiVersion"], given["kind"])
            made = copy.deepcopy(given)
            about = made.setdefault("metadata", {})
            name = f"{about.get('namespace') or ''}/{about['name']}"
            about.setdefault("uid", f"uid-{kind.plural}-{name}-{self.version}")
            about.setdefault("creationTimestamp", CREATED)
            self._put(kind, made)

    def get(self, kind: str, name: str, namespace: str = "") -> dict | None:
        """Return an object as it stands."""
        found = next(one for one in self.kinds if one.kind == kind)
        return self._of(found).get((namespace, name))

    def merge(self, kind: str, name: str, changed: dict, namespace: str = "") -> dict:
        """Change an object as somebody else would."""
        found = next(one for one in self.kinds if one.kind == kind)
        return self._put(found, merged(self._of(found)[namespace, name], changed))

    def remove(self, kind: str, name: str, namespace: str = "") -> None:
        """Take an object out."""
        found = next(one for one in self.kinds if one.kind == kind)
        self._drop(found, self._of(found)[namespace, name])

    def expire(self) -> None:
        """Forget the past: watches and lists that go on from before now are refused."""
        self.version += 1
        self._compacted = self.version
        self._move()

    def bookmark(self) -> None:
        """Tell every watch how far it is."""
        self._bookmarks += 1
        self._move()

    def cut(self) -> None:
        """Break every open watch."""
        self._cuts += 1
        self._move()

    def watches(self, part: str = "") -> int:
        """Return how many watches of such paths were opened so far."""
        return sum(verb == "WATCH" and part in path for verb, path in self.asked)

    # -------------------------------------------------------------- state

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds of what was asked or changed, up to a minute."""
        async with asyncio.timeout(60.0):
            while not holds():
                await self._moved.wait()

    def _kind(self, api_version: str, kind: str) -> Kind:
        return next(one for one in self.kinds if (one.api_version, one.kind) == (api_version, kind))

    def _of(self, kind: Kind) -> dict[tuple[str, str], dict]:
        return self._objects.setdefault((kind.group, kind.plural), {})

    def _put(self, kind: Kind, made: dict) -> dict:
        about = made["metadata"]
        where = (about.get("namespace") or ""), about["name"]
        before = self._of(kind).get(where)
        self.version += 1
        about["resourceVersion"] = str(self.version)
        self._of(kind)[where] = made
        self._past.append((self.version, kind, before, made))
        self._move()
        return made

    def _drop(self, kind: Kind, gone: dict) -> None:
        about = gone["metadata"]
        self.version += 1
        del self._of(kind)[(about.get("namespace") or ""), about["name"]]
        last = {**gone, "metadata": {**about, "resourceVersion": str(self.version)}}
        self._past.append((self.version, kind, last, None))
        self._move()

    def _move(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()
