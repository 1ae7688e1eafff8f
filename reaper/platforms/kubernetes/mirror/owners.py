"""
Whatever stands above the pods: followed by kind, thinned to what is needed, asked for by name.

A kind is followed from the first pod on that has such an owner.  An owner that comes later is
asked for once; the watch keeps it in step from then on.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Final

from reaper.edge.kubernetes import Connection, KubeError
from reaper.platforms.kubernetes.mirror.kinds import owners
from reaper.platforms.kubernetes.mirror.shelf import Shelf
from reaper.platforms.kubernetes.objects import Meta, Reference, meta

#: Questions at a time for single owners.
_TOGETHER: Final = 8
#: Owners of owners that are looked at: no controller that is known has more above it.
_HIGHEST: Final = 8

Start = Callable[[Shelf[Meta]], Awaitable[None]]
"""Follows a shelf from now on, and returns when it is known how it stands."""


class Owners:
    """The controllers of pods, and theirs."""

    def __init__(self, connection: Connection, start: Start) -> None:
        self._connection = connection
        self._start = start
        self._shelves: dict[tuple[str, str], Shelf[Meta]] = {}
        self._needed: set[str] = set()
        self._absent: set[str] = set()

    @property
    def shelves(self) -> tuple[Shelf[Meta], ...]:
        """Return the shelf of every kind that occurs."""
        return tuple(self._shelves.values())

    async def above(self, metas: Iterable[Meta], known: Mapping[str, Meta]) -> dict[str, Meta]:
        """
        Return the controllers of objects, and theirs, by UID; one that is missing is left out.

        `known` are owners that are held elsewhere.
        """
        found: dict[str, Meta] = {}
        wanted: set[str] = set()
        level = _controllers(metas)
        for _ in range(_HIGHEST):
            if not level:
                break
            wanted |= level.keys()
            self._needed |= level.keys()
            await self._fetch(level, known)
            here = {uid: one for uid in level if (one := self._held(uid, level[uid], known))}
            found |= here
            level = {
                uid: one for uid, one in _controllers(here.values()).items() if uid not in found
            }
        self._forget(wanted)
        return found

    def _held(self, uid: str, reference: Reference, known: Mapping[str, Meta]) -> Meta | None:
        shelf = self._shelves.get((reference.group, reference.kind))
        return known.get(uid) or (shelf.records.get(uid) if shelf else None)

    async def _fetch(self, level: Mapping[str, Reference], known: Mapping[str, Meta]) -> None:
        """Follow the kinds that are new, and ask for single objects that came since."""
        kinds = {(one.group, one.kind) for uid, one in level.items() if uid not in known}
        for group, kind in sorted(kinds - self._shelves.keys()):
            shelf = Shelf(wanted=owners(group, kind, self._needed.__contains__))
            self._shelves[group, kind] = shelf
            await self._start(shelf)
        lane = asyncio.Semaphore(_TOGETHER)
        missing = [
            one
            for uid, one in level.items()
            if uid not in self._absent and self._held(uid, one, known) is None
        ]
        await asyncio.gather(*(self._ask(one, lane) for one in missing))

    async def _ask(self, reference: Reference, lane: asyncio.Semaphore) -> None:
        """Ask for one owner; another object of its name is not it."""
        shelf = self._shelves[reference.group, reference.kind]
        async with lane:
            served = await self._connection.served()
            path = served.path(reference.group, reference.kind, reference.namespace, reference.name)
            # Of a kind that is refused as a whole, nothing is asked one by one.
            if path is None or shelf.trouble:
                return
            try:
                raw = await self._connection.get(path, metadata=True)
            except KubeError as error:
                if error.status == 404:
                    self._absent.add(reference.uid)
                return
        found = meta(raw, reference.group, reference.kind)
        if found.uid != reference.uid:
            self._absent.add(reference.uid)
        elif found.uid not in shelf.records:
            shelf.records[found.uid] = found

    def _forget(self, wanted: set[str]) -> None:
        """Forget the owners of pods that are gone, and which of them were not there."""
        for shelf in self._shelves.values():
            for uid in shelf.records.keys() - wanted:
                del shelf.records[uid]
        self._needed &= wanted
        self._absent &= wanted


def _controllers(metas: Iterable[Meta]) -> dict[str, Reference]:
    return {one.uid: one for one in _references(metas) if one.uid}


def _references(metas: Iterable[Meta]) -> Iterator[Reference]:
    for one in metas:
        if one.controller is not None:
            yield one.controller
