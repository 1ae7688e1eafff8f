"""
Slurm's texts about generic resources: what a node has, what a job was given, what it asks for.

Configured and used: ``gpu:a100:4(S:0-1),nvme:2``, ``gpu:a100:2(IDX:0,3)``, ``gpu:0(IDX:N/A)``.
Asked for: ``gres/gpu:4``, ``gres/gpu=2``, ``gres:gpu:a100:1`` (22.05).
Only the name ``gpu`` is a GPU: ``gpfs``, ``gpu_mem``, ``shard`` and ``mps`` are not.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

#: More devices than any node has: a typo must not fill the memory.
MOST: Final = 4096

_ITEM = re.compile(r"([^,()]+)(?:\(([^()]*)\))?")
_ENDS: Final = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}
_COUNT = re.compile(r"-?(\d{1,15})([KMGT]?)", re.ASCII)
_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpus:
    """
    Some GPUs of one type; `indices` counts over all GPUs of the node, whatever their type.

    None for `indices` where Slurm does not name them.
    """

    count: int
    model: str = ""
    indices: tuple[int, ...] | None = None


def gpus(text: str) -> tuple[Gpus, ...]:
    """Return the GPUs in a node's or a job's list; what is no GPU is left out."""
    return tuple(found for name, found in _items(text) if name == "gpu")


def count(items: Iterable[Gpus]) -> int:
    """Return how many GPUs that is."""
    return sum(item.count for item in items)


def model(items: Iterable[Gpus]) -> str:
    """Return the type of the GPUs, the types joined where they differ."""
    return ", ".join(dict.fromkeys(item.model for item in items if item.model))


def _items(text: str) -> Iterator[tuple[str, Gpus]]:
    for match in _ITEM.finditer(text):
        named = match[1].strip().removeprefix("gres/").removeprefix("gres:")
        parts = re.split("[:=]", named)
        number = _number(parts[-1]) if len(parts) > 1 else 1
        kinds = parts[1:-1] if number is not None else parts[1:]
        amount = min(1 if number is None else number, MOST)
        indices = _indices(match[2] or "")
        if indices is not None and len(indices) != amount:
            indices = None
        kind = next((item for item in kinds if item != "no_consume"), "")
        yield parts[0], Gpus(count=amount, model=kind, indices=indices)


def _number(text: str) -> int | None:
    found = _COUNT.fullmatch(text)
    if found is None:
        return None
    # A negative count is how Slurm writes "unknown": no GPU that anybody could name.
    return 0 if text.startswith("-") else int(found[1]) * _ENDS[found[2]]


def _indices(text: str) -> tuple[int, ...] | None:
    """Return the numbers of ``IDX:0-1,3``; None for ``IDX:N/A``, ``S:0-1`` and anything else."""
    if not text.startswith("IDX:"):
        return None
    numbers: list[int] = []
    for part in text.removeprefix("IDX:").split(","):
        found = _RANGE.fullmatch(part)
        if found is None:
            return None
        first, last = int(found[1]), int(found[2] or found[1])
        if not 0 <= last - first < MOST:
            return None
        numbers += range(first, last + 1)
    return tuple(numbers)
