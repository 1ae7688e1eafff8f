"""
Slurm's texts about generic resources: what a node has, what a job was given, what it asks for.

Configured and used: ``gpu:a100:4(S:0-1),nvme:2``, ``gpu:a100:2(IDX:0,3)``, ``gpu:0(IDX:N/A)``,
``gpu:(null):4(IDX:0-3)`` where no type is configured.
Asked for: ``gres/gpu:4``, ``gres/gpu=2``, ``gres:gpu:a100:1`` (22.05).
Only the name ``gpu`` is a GPU: ``gpfs``, ``gpu_mem``, ``shard`` and ``mps`` are not.
A text is read whole or not at all: half of it would be another number of GPUs.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from reaper.domain.prices.slices import is_slice

#: More devices than any node has: a typo must not fill the memory.
MOST: Final = 4096

_NULL = re.compile(r"\(null\)", re.IGNORECASE)
_ENTRY = re.compile(r"((?:[^,()]|\([^()]*\))*)(?:,|\Z)")
_NAME = re.compile(r"(?:gres[/:])?(\w[^:=()]*)")
_FORM = re.compile(r"((?:[:=][^():=]*)*)((?:\([^()]*\))*)")
_SUFFIX = re.compile(r"\((?:S:[^()]*|CNT:\d+|IDX:([^()]*))\)")
_COUNT = re.compile(r"-?(\d{1,15})([KMGT]?)", re.ASCII)
_ENDS: Final = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}
_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)
#: What Slurm writes where it has nothing to say, also as a part of a longer text.
_NOTHING: Final = frozenset(("", "null", "n/a", "none"))
_FLAGS: Final = frozenset(("no_consume",))


class GresError(ValueError):
    """A text that cannot be read whole; the message quotes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpus:
    """
    Some GPUs of one type; `indices` counts over all GPUs of the node, whatever their type.

    None for `indices` where Slurm does not name them.
    """

    count: int
    model: str = ""
    indices: tuple[int, ...] | None = None


@lru_cache(maxsize=16384)
def gpus(text: str) -> tuple[Gpus, ...]:
    """
    Return the GPUs that a node has or has given out, or that a job was given; raise GresError.

    What is no GPU is left out.  An answer says how many: a count that is missing is not one.
    """
    found = tuple(_gpus(text))
    named = [index for item in found for index in item.indices or ()]
    if len(set(named)) != len(named):
        raise _unreadable(text, "a GPU stands there twice")
    return found


@lru_cache(maxsize=4096)
def asked(text: str) -> tuple[Gpus, ...]:
    """Return the GPUs that a job asks for, one where it says no number; raise GresError."""
    return tuple(_gpus(text, missing=1, unknown=0))


def count(items: Iterable[Gpus]) -> int:
    """Return how many GPUs that is."""
    return sum(item.count for item in items)


def slices(items: Iterable[Gpus]) -> int:
    """Return how many of them are slices of cards, by their type."""
    return sum(item.count for item in items if is_slice(item.model))


def model(items: Iterable[Gpus]) -> str:
    """Return the type of the GPUs, the types joined where they differ."""
    return ", ".join(dict.fromkeys(item.model for item in items if item.model))


def _gpus(text: str, *, missing: int | None = None, unknown: int | None = None) -> Iterator[Gpus]:
    """Yield the GPUs of a list; `missing` and `unknown` (negative) counts mean these numbers."""
    for entry in _entries(text):
        name = _NAME.match(entry)
        kind = name[1].strip().lower() if name else "gpu/"
        form = _FORM.fullmatch(entry, name.end() if name else 0)
        if kind.startswith("gpu/") or (kind == "gpu" and form is None):
            raise _unreadable(text, f"{entry[:80]!r} has no known form")
        if kind == "gpu" and form is not None:
            yield _read(text, form, missing, unknown)


def _entries(text: str) -> Iterator[str]:
    """Yield what stands between the commas outside brackets; nothing of a text for nothing."""
    plain, position = _NULL.sub("null", text).strip(), 0
    if plain.lower() in _NOTHING:
        return
    while position <= len(plain):
        found = _ENTRY.match(plain, position)
        if found is None or not found[1].strip():
            raise _unreadable(text, "it breaks off")
        if found[1].strip().lower() not in _NOTHING:
            yield found[1].strip()
        position = found.end() + (found.end() == len(plain) and plain[-1] != ",")


def _read(text: str, form: re.Match[str], missing: int | None, unknown: int | None) -> Gpus:
    parts = [part.strip() for part in re.split("[:=]", form[1])[1:]]
    parts = ["" if part.lower() in _NOTHING else part for part in parts if part not in _FLAGS]
    written = _COUNT.fullmatch(parts[-1]) if parts else None
    kinds = parts[:-1] if written else parts
    number = _number(written, unknown) if written else missing
    if number is None or number > MOST or len(kinds) > 1:
        raise _unreadable(text, "it does not say how many GPUs")
    return Gpus(count=number, model="".join(kinds), indices=_indices(text, form[2], number))


def _number(written: re.Match[str], unknown: int | None) -> int | None:
    """Return a count; a negative one is how Slurm writes that it does not know."""
    return unknown if written[0].startswith("-") else int(written[1]) * _ENDS[written[2]]


def _indices(text: str, suffixes: str, number: int) -> tuple[int, ...] | None:
    """Return the numbers of ``(IDX:0-1,3)``; None for ``(IDX:N/A)``, ``(S:0-1)`` and for none."""
    named: tuple[int, ...] | None = None
    for suffix in re.findall(r"\([^()]*\)", suffixes):
        found = _SUFFIX.fullmatch(suffix)
        if found is None or (found[1] is not None and named is not None):
            raise _unreadable(text, f"{suffix[:80]!r} has no known form")
        if found[1] is not None and found[1].lower() not in _NOTHING:
            named = tuple(_listed(text, found[1]))
    if named is not None and len(named) != number:
        raise _unreadable(text, f"it names {len(named)} GPUs and counts {number}")
    return named


def _listed(text: str, written: str) -> Iterator[int]:
    for part in written.split(","):
        found = _RANGE.fullmatch(part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
        if not 0 <= last - first < MOST:
            raise _unreadable(text, f"{part[:40]!r} is no range of GPUs")
        yield from range(first, last + 1)


def _unreadable(text: str, why: str) -> GresError:
    return GresError(f"{text[:160]!r} cannot be read: {why}")
