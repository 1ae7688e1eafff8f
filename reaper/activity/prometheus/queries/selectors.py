"""Writes selectors: a family, pinned labels, some targets.  Pure."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

#: What means something in the engine's regular expressions; a hyphen does not.
_SPECIAL: Final = re.compile(r"[.+*?()|\[\]{}^$\\]")


def selector(
    names: Iterable[str],
    pinned: Mapping[str, str],
    *,
    instances: Iterable[str] = (),
    where: Mapping[str, Iterable[str]] | None = None,
) -> str:
    """Return what selects any of the families, with exactly the pinned labels."""
    chosen = tuple(names)
    parts = [f"{name}={quoted(value)}" for name, value in pinned.items()]
    parts += [any_of(label, values) for label, values in (where or {}).items()]
    if listed := tuple(instances):
        parts.append(any_of("instance", listed))
    if len(chosen) == 1:
        return f"{chosen[0]}{{{','.join(parts)}}}"
    return f"{{{','.join((any_of('__name__', chosen), *parts))}}}"


def any_of(label: str, values: Iterable[str]) -> str:
    """Return the matcher of a label that has one of the values."""
    return f"{label}=~{quoted('|'.join(_SPECIAL.sub(_escaped, value) for value in values))}"


def quoted(text: str) -> str:
    """Return a text as the engine's query language writes it."""
    inner = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{inner}"'


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}"
