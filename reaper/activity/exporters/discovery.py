"""
The list of targets: addresses, Prometheus ``file_sd`` files read again when changed, a Service.

A file or a Service that cannot be read keeps its last good list and is named among the problems; a
file that is gone is a problem when it was named, and leaves the list when a pattern found it.  The
label of a group with one target may say to which node it is bound.
"""

import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from reaper.activity.exporters.address import AddressError, Scheme, Target, read
from reaper.edge import documents
from reaper.ports import SourceError

_log = logging.getLogger(__name__)


class _ListingError(ValueError):
    """The file is no list of targets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listing:
    """What a file said last: its stamp, its last good targets, what is wrong with it since."""

    stamp: tuple[int, int] = (0, 0)
    targets: tuple[Target, ...] = ()
    problem: str = ""


Service = Callable[[], tuple[Target, ...]]
"""Lists the addresses of a Service, blocking; raises SourceError where it cannot."""


def no_service() -> tuple[Target, ...]:
    """List nothing: no Service was named."""
    return ()


class Discovery:
    """Targets from all sources, each address once."""

    def __init__(
        self,
        addresses: Iterable[str],
        files: Iterable[Path],
        *,
        scheme: Scheme = "http",
        label: str = "",
        service: Service = no_service,
    ) -> None:
        self._scheme = scheme
        self._label = label
        self._static = tuple(read(address, scheme=scheme) for address in addresses)
        self._files = tuple(files)
        self._listings: dict[Path, _Listing] = {}
        self._service = service
        self._served = _Listing()

    def refresh(self) -> tuple[Target, ...]:
        """Look again and return every target; blocking: a glance at files, a question at most."""
        found = {path: self._listing(path) for path in self._paths()}
        for path, listing in found.items():
            if listing.problem and listing.problem != self._problem(path):
                _log.warning("%s; its last good list stays in force", listing.problem)
        self._listings = found
        self._ask_service()
        every_list = (*found.values(), self._served)
        listed = (target for listing in every_list for target in listing.targets)
        # Of one address that is listed twice, the word that binds it counts, the first one.
        every = sorted((*self._static, *listed), key=lambda target: not target.paired)
        return tuple({target.metrics: target for target in reversed(every)}.values())[::-1]

    @property
    def problems(self) -> tuple[str, ...]:
        """Return what is wrong with files and Service, a sentence each."""
        every = (*self._listings.values(), self._served)
        return tuple(item.problem for item in every if item.problem)

    def _ask_service(self) -> None:
        try:
            self._served = _Listing(targets=self._service())
        except SourceError as error:
            problem = f"activity.kubernetes: {error}"
            if problem != self._served.problem:
                _log.warning("%s; its last good list stays in force", problem)
            self._served = _Listing(targets=self._served.targets, problem=problem)

    def _problem(self, path: Path) -> str:
        return self._listings[path].problem if path in self._listings else ""

    def _paths(self) -> Iterable[Path]:
        for path in self._files:
            if any(mark in path.name for mark in "*?["):
                yield from sorted(path.parent.glob(path.name))
            else:
                yield path

    def _listing(self, path: Path) -> _Listing:
        before = self._listings.get(path, _Listing())
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if stamp == before.stamp:
                return before
            return _Listing(stamp=stamp, targets=tuple(_targets(path, self._scheme, self._label)))
        except OSError as error:
            problem = f"{path}: cannot be read: {error.strerror}"
            return _Listing(targets=before.targets, problem=problem)
        except ValueError as error:
            return _Listing(stamp=stamp, targets=before.targets, problem=f"{path}: {error}")


def _targets(path: Path, scheme: Scheme, label: str) -> Iterable[Target]:
    groups = _content(path)
    if not isinstance(groups, list):
        raise _ListingError("is no list; write [{targets: [host:port, …]}, …]")
    for number, group in enumerate(groups):
        addresses = group.get("targets") if isinstance(group, dict) else None
        if not isinstance(addresses, list):
            raise _ListingError(f"group {number} has no list of targets")
        labels = group.get("labels")
        node = labels.get(label) if isinstance(labels, dict) and len(addresses) == 1 else None
        for address in addresses:
            try:
                target = read(str(address), scheme=scheme)
                yield target.bound(str(node)) if node and not target.paired else target
            except AddressError as error:
                raise _ListingError(f"group {number}: {error}") from None


def _content(path: Path) -> object:
    if path.suffix == ".json":
        return json.loads(path.read_text(encoding="utf-8"))
    document, problems = documents.read(path)
    if problems:
        raise _ListingError("; ".join(item.what for item in problems))
    return document.value
