"""What to say where no series has the labels that an operator pinned, and what there is instead."""

from collections.abc import Iterable, Mapping
from typing import Final

from reaper.activity.prometheus.queries.answer import vector
from reaper.activity.prometheus.queries.query import Engine
from reaper.activity.prometheus.queries.selectors import quoted, selector

#: Values of a label that are named one by one.
_SHOWN: Final = 5


def nothing(engine: Engine, families: Iterable[str], pinned: Mapping[str, str]) -> str:
    """Return that no series of these families has the pinned labels."""
    first = next(iter(families))
    wanted = ", ".join(f"{label}={quoted(value)}" for label, value in pinned.items())
    return f"{engine.name}: no series of {first} has {wanted}: mend `match`"


async def there(
    engine: Engine, families: Iterable[str], pinned: Mapping[str, str], at: float
) -> str:
    """
    Return what the engine has of these families instead; raise SourceError.

    For a person alone: series are counted by their labels here, and none is read.
    """
    names = tuple(families)
    for label, value in pinned.items():
        body = await engine.ask(f"count by ({label}) ({selector(names, {})})", at)
        found = sorted(item.get(label, "") for item in vector(body, whose=engine.name).metrics())
        if not found:
            return f"{engine.name} has no series of {names[0]} at all: does it scrape them?"
        if value not in found:
            shown = ", ".join(quoted(item) for item in found[:_SHOWN])
            more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            return f"{engine.name} has series of {names[0]} with {label} {shown}{more}"
    return f"{engine.name} has series of {names[0]} with each of these labels, and none with all"
