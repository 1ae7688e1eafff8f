"""What the findings of one letter of advice add up to, and how they are told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reaper.domain.escalation.notice import Story
from reaper.notifiers.telling import Telling
from reaper.notifiers.texts import Message

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
    costs = [_cost(story) for story in stories if story.spare]
    priced = [one for one in costs if one is not None]
    return Sum(
        shown=tuple(ordered[:SHOWN]),
        more=max(0, len(ordered) - SHOWN),
        allocations=len({story.allocation for story in stories}),
        spare=sum(story.spare for story in stories),
        cost=sum(priced) if len(priced) == len(costs) else None,
        currency=stories[0].currency,
    )


def _price(story: Story) -> float | None:
    """Return what one GPU costs an hour; None where that is not known."""
    return None if story.cost_per_hour is None else story.cost_per_hour / story.devices


def _cost(story: Story) -> float | None:
    """Return what the GPUs that could go cost an hour; None where that is not known."""
    each = _price(story)
    return None if each is None else each * story.spare


def advice(told: Sequence[Telling]) -> Message:
    """Tell what a smaller request would do as well, the most first, with its arithmetic."""
    first, size = told[0], summed([one.story for one in told])
    shown = [Telling(story=story, reader=first.reader) for story in size.shown]
    seen_at = first.reader.moment(first.story.seen_at)
    since = (first.text("advice-seen", at=seen_at),) if seen_at else ()
    more = (first.text("advice-more", count=size.more),) if size.more else ()
    title = "advice-title" if size.spare else "advice-title-work"
    return Message(
        title=first.text(title, spare=_spare(size.spare, first)),
        lead=" ".join((_lead(size, first), *since)),
        facts=tuple((one.text("named"), _line(one)) for one in shown),
        next=(*more, first.text("advice-calm")),
        link=first.story.page,
    )


def _lead(size: Sum, first: Telling) -> str:
    """Tell the sum: in GPUs, hours and money a day."""
    if not size.spare:
        return first.text("advice-work", allocations=size.allocations)
    return first.text(
        "advice-hours" if size.cost is None else "advice-money",
        allocations=size.allocations,
        spare=_spare(size.spare, first),
        hours=_hours(size.spare, first),
        amount=first.amount((size.cost or 0.0) * 24),
    )


def _line(told: Telling) -> str:
    """Tell one finding."""
    story, cost = told.story, _cost(told.story)
    if not story.spare:
        return told.seen
    return told.text(
        "advice-line-hours" if cost is None else "advice-line-money",
        finding=told.seen,
        spare=_spare(story.spare, told),
        hours=_hours(story.spare, told),
        price=told.amount(_price(story) or 0.0),
        amount=told.amount((cost or 0.0) * 24),
    )


def _spare(gpus: float, told: Telling) -> str:
    return told.reader.words.number(gpus, ".3g")


def _hours(gpus: float, told: Telling) -> str:
    """Return the GPU-hours of a day."""
    return told.reader.words.number(gpus * 24, ".1f")
