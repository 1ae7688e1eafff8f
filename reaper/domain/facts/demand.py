"""What waits for GPUs: pending requests and where they could start."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reaper.domain.facts.allocation import Purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """
    A pending request for `gpus` GPUs; `startable` is False when something else blocks it.

    It needs all of `nodes`, none of `avoids` and no others than `only`, and `on_each` GPUs on each
    of `spread` nodes, where it says so; under reservations it starts on what is `reserved` for it
    alone.
    """

    id: str
    gpus: int
    since: float
    partitions: tuple[str, ...] = ()
    model: str = ""
    startable: bool = True
    user: str = ""
    purpose: Purpose = Purpose.OTHER
    nodes: tuple[str, ...] = ()
    avoids: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    on_each: int = 0
    spread: int = 1
    reserved: str = ""
    why: str = ""
    """What else is short where GPUs alone would not start it, in the platform's words."""

    def fits(self, freed: Mapping[str, int]) -> bool:
        """Tell whether so many freed GPUs by node are enough for it, and where it may start."""
        usable = [
            gpus
            for node, gpus in freed.items()
            if node not in self.avoids
            and (not self.only or node in self.only)
            and gpus >= self.on_each
            # Further nodes would have to be free besides those that it names.
            and (not self.nodes or node in self.nodes)
        ]
        named = all(node in freed for node in self.nodes)
        return named and sum(usable) >= self.gpus and len(usable) >= self.spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """All pending requests as a platform answered at `as_of`."""

    as_of: float
    requests: tuple[Request, ...] = ()
    short: tuple[str, ...] = ()
    """Limits of the platform that are used up: who needs more of them cannot even ask."""


def could_start(
    requests: Iterable[Request],
    *,
    partitions: Iterable[str],
    model: str,
    freed: Mapping[str, int],
    reserved: str = "",
) -> tuple[Request, ...]:
    """
    Return the requests that freeing GPUs of a model in those partitions could start.

    `freed` are their numbers by node; `reserved` is the reservation that they are of.
    """
    offered, gpus, words = frozenset(partitions), sum(freed.values()), _words(model)
    return tuple(
        request
        for request in requests
        if request.startable
        and request.gpus <= gpus
        and reserved in request.reserved.split(",")
        and (not request.partitions or offered & set(request.partitions))
        and (request.model.lower() in model.lower() or _words(request.model) <= words)
        and request.fits(freed)
    )


def _words(model: str) -> frozenset[str]:
    """Return the words of a model's name: `a100_80gb` is an ``A100-SXM4-80GB``."""
    return frozenset(re.findall(r"[a-z0-9.]+", model.lower()))
