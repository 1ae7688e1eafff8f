"""What waits for GPUs: pending requests and where they could start."""

from collections.abc import Iterable
from dataclasses import dataclass

from reaper.domain.facts.allocation import Purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A pending request for `gpus` GPUs; `startable` is False when something else blocks it."""

    id: str
    gpus: int
    since: float
    partitions: tuple[str, ...] = ()
    model: str = ""
    startable: bool = True
    user: str = ""
    purpose: Purpose = Purpose.OTHER


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """All pending requests as a platform answered at `as_of`."""

    as_of: float
    requests: tuple[Request, ...] = ()


def could_start(
    requests: Iterable[Request], *, partitions: Iterable[str], model: str, gpus: int
) -> tuple[Request, ...]:
    """Return the requests that freeing `gpus` GPUs of a model in those partitions could start."""
    offered = frozenset(partitions)
    return tuple(
        request
        for request in requests
        if request.startable
        and request.gpus <= gpus
        and (not request.partitions or offered & set(request.partitions))
        and (not request.model or request.model.lower() in model.lower())
    )
