"""
Long work beside the loop: what a turn reckons holds up no page and no observer.

Whatever is given away must be frozen, or nobody else's for as long.
"""

import asyncio
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

#: Nodes up to which a part of a turn is over sooner (some 50 ms) than it pays to give it away.
LARGE: Final = 25


async def aside(size: int, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Do work on so many nodes: in a thread where that would hold the loop for long."""
    if size < LARGE:
        return work(*given, **named)
    return await asyncio.to_thread(work, *given, **named)
