"""What the findings of one letter of advice add up to, in any language."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reaper.domain.escalation.notice import Story

#: Findings that a letter of advice shows, the largest first.
SHOWN: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """
    GPUs that could go, and what they cost an hour: None where any of them has no price.

    `more` is how many findings are not shown.
    """

    shown: tuple[Story, ...]
    more: int
    allocations: int
    spare: float
    cost: float | None
    currency: str


def summed(stories: Sequence[Story]) -> Sum:
    """Return the sum of findings, the largest first."""
    ordered = sorted(stories, key=lambda story: -story.spare)
    costs = [cost(story) for story in stories if story.spare]
    priced = [one for one in costs if one is not None]
    return Sum(
        shown=tuple(ordered[:SHOWN]),
        more=max(0, len(ordered) - SHOWN),
        allocations=len({story.allocation for story in stories}),
        spare=sum(story.spare for story in stories),
        cost=sum(priced) if len(priced) == len(costs) else None,
        currency=stories[0].currency,
    )


def price(story: Story) -> float | None:
    """Return what one GPU costs an hour; None where that is not known."""
    return None if story.cost_per_hour is None else story.cost_per_hour / story.devices


def cost(story: Story) -> float | None:
    """Return what the GPUs that could go cost an hour; None where that is not known."""
    each = price(story)
    return None if each is None else each * story.spare
