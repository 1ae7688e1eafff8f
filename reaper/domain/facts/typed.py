"""When the people of a run typed last, a few inputs back; pure."""

from collections.abc import Iterable, Mapping
from typing import Final

from reaper.domain.facts.allocation import Allocation
from reaper.domain.facts.sign import NOBODY, Sign

#: Inputs that are remembered of a run.
REMEMBERED: Final = 12

#: Seconds by which an input must follow another, to be another.
_ANOTHER: Final = 30.0


def typed(before: tuple[float, ...], signs: Iterable[Sign]) -> tuple[float, ...]:
    """Return the newest inputs of a run, oldest first, in Unix seconds, with what is seen now."""
    seen = [sign.last_seen for sign in signs if sign.kind not in NOBODY]
    last = max((at for at in seen if at is not None), default=None)
    if last is None or (before and last - before[-1] < _ANOTHER):
        return before
    return (*before, last)[-REMEMBERED:]


def all_typed(
    before: Mapping[str, tuple[float, ...]], allocations: Iterable[Allocation]
) -> dict[str, tuple[float, ...]]:
    """Return the newest inputs of every live run by its key, of those that have any."""
    found = {one.run.key: typed(before.get(one.run.key, ()), one.signs) for one in allocations}
    return {key: inputs for key, inputs in found.items() if inputs}
