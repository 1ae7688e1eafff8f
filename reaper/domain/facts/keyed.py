"""Claims by the keys under which nodes see their runs, so that a word of a node finds its claim."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Final

from reaper.domain.facts.allocation import Claim

#: Clocks of a node and its scheduler may differ by this much at a run's start; seconds.
SKEW: Final = 30.0

_NONE: Final[Mapping[str, tuple[Claim, ...]]] = MappingProxyType({})

_begun: Final = attrgetter("run.started", "run.key")


class KeyedClaims:
    """The claims of one turn, sorted once: a look-up costs by the runs of one id, not by all."""

    __slots__ = ("_by_platform",)

    def __init__(self, claims: Iterable[Claim]) -> None:
        """Sort claims; in which order they come never matters."""
        self._by_platform: dict[str, dict[str, tuple[Claim, ...]]] = {}
        for claim in claims:
            by_id = self._by_platform.setdefault(claim.run.platform, {})
            for name in dict.fromkeys(claim.node_ids or (claim.run.id,)):
                by_id[name] = (*by_id.get(name, ()), claim)

    def match(self, *, platform: str, id: str, start: float) -> Claim | None:  # noqa: A002 - the wire's word
        """
        Return the claim of a node key: the latest run of that id begun by its start.

        An older exporter does not always name the platform: where runs of several platforms then
        go by the id, nobody knows whose it is.
        """
        if platform:
            return _latest(self._by_platform.get(platform, _NONE).get(id, ()), start)
        found = [_latest(by_id.get(id, ()), start) for by_id in self._by_platform.values()]
        known = [claim for claim in found if claim is not None]
        return known[0] if len(known) == 1 else None


def _latest(claims: Sequence[Claim], start: float) -> Claim | None:
    if len(claims) == 1:
        return claims[0] if claims[0].run.started <= start + SKEW else None
    begun = (claim for claim in claims if claim.run.started <= start + SKEW)
    return max(begun, key=_begun, default=None)
