"""Advice on sizes in Russian: a line for each finding, with its arithmetic."""

from typing import Final

from reaper.domain.escalation.notice import Story
from reaper.domain.reasons_in_russian import reason
from reaper.domain.spoken import counted
from reaper.notifiers.russian.phrases import moment, named
from reaper.notifiers.sizes import Sum, cost, price, summed
from reaper.notifiers.texts import Message, Reader

_CALM: Final = "Это совет: из-за него ничего не освобождается, и отвечать на него не нужно."


def advice(stories: tuple[Story, ...], reader: Reader) -> Message:
    """Tell what a smaller request would do as well, the most first."""
    size = summed(stories)
    more = counted(size.more, "меньшее замечание", "меньших замечания", "меньших замечаний")
    return Message(
        title=_title(size, reader),
        lead=f"{_lead(size)}{_since(stories[0], reader)}",
        facts=tuple((named(story), _line(story)) for story in size.shown),
        next=(*((f"И ещё {more}.",) if size.more else ()), _CALM),
        link=stories[0].page,
    )


def _title(size: Sum, reader: Reader) -> str:
    whose = f"GPU пользователя {reader.absent}" if reader.absent else "ваши GPU"
    if not size.spare:
        return f"Совет: {whose} могли бы делать больше"
    return f"Совет: {whose} нужны не все, лишних {_number(size.spare, '.3g')}"


def _lead(size: Sum) -> str:
    where = counted(size.allocations, "задании", "заданиях", "заданиях")
    if not size.spare:
        return f"В {where} можно сделать больше на том, что занято."
    spare, hours = _number(size.spare, ".3g"), _number(size.spare * 24, ".1f")
    said = f"В {where}: {spare} GPU × 24 ч = {hours} GPU-часа в день"
    if size.cost is None:
        return f"{said}."
    return f"{said}, {_number(size.cost * 24, '.2f')} {size.currency}".rstrip() + "."


def _since(story: Story, reader: Reader) -> str:
    return "" if story.seen_at is None else f" Так было {moment(story.seen_at, reader.zone)}."


def _line(story: Story) -> str:
    said = reason(story.reason)
    each, all_of_it = price(story), cost(story)
    if not story.spare:
        return said
    spare = f"{said}. {_number(story.spare, '.3g')} × 24 ч"
    if each is None or all_of_it is None:
        return f"{spare} = {_number(story.spare * 24, '.1f')} GPU-часа в день"
    money = f"{_number(each, '.2f')} {story.currency}".rstrip()
    worth = f"{_number(all_of_it * 24, '.2f')} {story.currency}".rstrip()
    return f"{spare} × {money} = {worth} в день"


def _number(value: float, form: str) -> str:
    return f"{value:{form}}".replace(".", ",")
