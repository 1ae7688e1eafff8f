"""Advice on sizes in English: a line for each finding, with its arithmetic."""

from typing import Final

from reaper.domain.escalation.notice import Story
from reaper.domain.spoken import count
from reaper.notifiers.english.phrases import moment, named
from reaper.notifiers.sizes import Sum, cost, price, summed
from reaper.notifiers.texts import Message, Reader

_CALM: Final = "This is advice: nothing is released for it, and it needs no answer."


def advice(stories: tuple[Story, ...], reader: Reader) -> Message:
    """Tell what a smaller request would do as well, the most first."""
    size = summed(stories)
    more = (f"And {count(size.more, 'smaller finding')}.",) if size.more else ()
    return Message(
        title=_title(size, reader),
        lead=f"{_lead(size)}{_since(stories[0], reader)}",
        facts=tuple((named(story), _line(story)) for story in size.shown),
        next=(*more, _CALM),
        link=stories[0].page,
    )


def _title(size: Sum, reader: Reader) -> str:
    whose = f"the GPUs of {reader.absent}" if reader.absent else "your GPUs"
    if not size.spare:
        return f"Advice: {whose} could do more"
    return f"Advice: {size.spare:.3g} of {whose} could go"


def _lead(size: Sum) -> str:
    where = count(size.allocations, "allocation")
    if not size.spare:
        return f"{where} could get more done with what is held."
    hours = f"{size.spare:.3g} GPUs × 24 h = {size.spare * 24:.1f} GPU-hours a day"
    if size.cost is None:
        return f"In {where}: {hours}."
    return f"In {where}: {hours}, {size.cost * 24:.2f} {size.currency}".rstrip() + "."


def _since(story: Story, reader: Reader) -> str:
    return "" if story.seen_at is None else f" Seen {moment(story.seen_at, reader.zone)}."


def _line(story: Story) -> str:
    said = story.reason
    each, all_of_it = price(story), cost(story)
    if not story.spare:
        return said
    if each is None or all_of_it is None:
        return f"{said}. {story.spare:.3g} × 24 h = {story.spare * 24:.1f} GPU-hours a day"
    money = f"{each:.2f} {story.currency}".rstrip()
    worth = f"{all_of_it * 24:.2f} {story.currency}".rstrip()
    return f"{said}. {story.spare:.3g} × 24 h × {money} = {worth} a day"
