"""What simulated policies come to, over all runs or some of them; pure."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from reaper.cycle.simulation.fates import Fate
from reaper.domain.judgement.policy import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """
    Counts of runs, device-seconds, and money in the currency of the rate card.

    `released` counts what a policy in mode act would have released, `would` what one in another
    mode would only have written down; device-seconds and returns are of both.  A release of which
    `known` says nothing is counted in neither `back` nor the estimate.
    """

    runs: int = 0
    inputs: int = 0
    """Runs of which all that decided is known, not letters only."""
    warned: int = 0
    final: int = 0
    kept: int = 0
    released: int = 0
    would: int = 0
    held: int = 0
    """Runs whose case was still open when the past ended."""
    came_back: int = 0
    """Cases that closed by themselves because work or the person came back."""
    freed: float = 0.0
    idle: float = 0.0
    active: float = 0.0
    unseen: float = 0.0
    money: float | None = None
    """Price of the idle device-seconds; None where nothing is priced."""
    unpriced: float = 0.0
    """Idle device-seconds without a price."""
    back: int = 0
    known: int = 0

    @property
    def false_releases(self) -> float | None:
        """Return which share of the releases work came back after; None where none is known."""
        return self.back / self.known if self.known else None


def summed(fates: Iterable[Fate]) -> Sum:
    """Sum some fates up."""
    listed = tuple(fates)
    after = [fate.after for fate in listed if fate.after is not None]
    priced = [
        fate.price * fate.after.idle / 3600.0
        for fate in listed
        if fate.price is not None and fate.after is not None
    ]
    acting = [fate for fate in listed if fate.released is not None and fate.mode is Mode.ACT]
    return Sum(
        runs=len(listed),
        inputs=sum(1 for fate in listed if fate.inputs),
        warned=sum(1 for fate in listed if fate.warned or fate.final),
        final=sum(1 for fate in listed if fate.final),
        kept=sum(1 for fate in listed if fate.kept),
        released=len(acting),
        would=len(after) - len(acting),
        held=sum(1 for fate in listed if fate.held and fate.released is None),
        came_back=sum(1 for fate in listed if _returned(fate)),
        freed=sum(item.total for item in after),
        idle=sum(item.idle for item in after),
        active=sum(item.active for item in after),
        unseen=sum(item.unseen for item in after),
        money=sum(priced) if priced else None,
        unpriced=sum(
            fate.after.idle for fate in listed if fate.price is None and fate.after is not None
        ),
        back=sum(1 for item in after if item.back is not None),
        known=sum(1 for item in after if item.known),
    )


def grouped(fates: Iterable[Fate], key: Callable[[Fate], str]) -> Mapping[str, Sum]:
    """Sum up by a key, in order of its values."""
    groups: dict[str, list[Fate]] = {}
    for fate in fates:
        groups.setdefault(key(fate), []).append(fate)
    return {name: summed(groups[name]) for name in sorted(groups)}


def _returned(fate: Fate) -> bool:
    return any(text in ("activity returned", "its person came back") for text in fate.closed)
