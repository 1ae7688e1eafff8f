"""Every kind of notice in Russian, and the digest of several."""

from collections.abc import Mapping
from typing import Final

from reaper.domain.escalation.notice import NoticeKind, Story
from reaper.domain.reasons_in_russian import outcome, reason
from reaper.domain.spoken import counted
from reaper.domain.spoken import russian as lasting
from reaper.notifiers.russian.phrases import (
    agreed,
    holding,
    moment,
    named,
    whose,
)
from reaper.notifiers.texts import Message, Reader, Verb


def warning(story: Story, reader: Reader) -> Message:
    """Tell that GPUs are idle and that there is time to answer."""
    idle = agreed(story, "простаивает", "простаивают")
    return Message(
        title=f"{whose(story, reader)} {idle} {lasting(story.idle_seconds)}",
        lead=_idle(story, reader),
        facts=_facts(story),
        next=(*_release(story, reader), *_conditions(story), *_answers(story)),
        link=story.page,
    )


def final(story: Story, reader: Reader) -> Message:
    """Tell that this is the last notice before the release, and what becomes of the work."""
    idle = agreed(story, "простаивает", "простаивают")
    return Message(
        title=f"Последнее уведомление: {whose(story, reader, begins=False)} всё ещё {idle}",
        lead=_idle(story, reader),
        facts=_facts(story),
        next=(*_release(story, reader), *_answers(story)),
        link=story.page,
    )


def released(story: Story, reader: Reader) -> Message:
    """Tell that it is over, why, and what can be done about it."""
    be = agreed(story, "был бы ", "были бы ") if story.would else ""
    idle = (
        f"{named(story)}: работы на GPU не было с {moment(story.idle_since, reader.zone)} "
        f"({lasting(story.idle_seconds)})."
    )
    asked = ", как вы просили" if story.own else ""
    again = "Задание вернётся в очередь и начнётся с начала."
    return Message(
        title=f"{whose(story, reader)} {be}{agreed(story, 'освобождён', 'освобождены')}{asked}",
        lead=f"{named(story)} больше не занимает {holding(story)}." if story.own else idle,
        facts=(*_facts(story), *_outcome(story)),
        next=(
            *((again,) if story.requeue and not story.would else ()),
            *((f"{_MILD} ничего не завершено.",) if story.would else ()),
            *(() if story.own else (_WRONG,)),
        ),
        link=story.page,
    )


_WRONG: Final = "Это ошибка? Сообщите, пожалуйста: показания сохранены, оператор проверит."


def reverted(story: Story, reader: Reader) -> Message:
    """Tell that something started again what was released."""
    back = f"{named(story)}: после освобождения снова запущено другой системой."
    return Message(
        title=f"{story.allocation} снова занимает GPU после освобождения",
        lead=back,
        facts=(
            ("Занято", holding(story)),
            ("Простой с", moment(story.idle_since, reader.zone)),
            *_outcome(story),
        ),
        next=(_UNTIL_SEEN,),
        link=story.page,
    )


def failed(story: Story, reader: Reader) -> Message:
    """Tell that a release did not work and that no one tries again blindly."""
    return Message(
        title=f"Не удалось освободить {story.allocation}",
        lead=f"{named(story)} по-прежнему занимает {holding(story)}.",
        facts=(
            *(() if story.own else (("Простой с", moment(story.idle_since, reader.zone)),)),
            *_outcome(story),
        ),
        next=(_YOURSELF if story.own else _UNTIL_SEEN,),
        link=story.page,
    )


_YOURSELF: Final = (
    "Вы просили освободить: вы можете завершить задание сами или попросить ещё раз позже."
)


def operator(story: Story, reader: Reader) -> Message:
    """Ask an operator to look."""
    since = moment(story.idle_since, reader.zone)
    owner = f"пользователя {story.user}" if story.user else "неизвестного владельца"
    return Message(
        title=f"Посмотрите, пожалуйста: {story.allocation}",
        lead=f"{named(story)} {owner}: нужен оператор.",
        facts=(
            *_outcome(story),
            ("Занято", holding(story)),
            ("Простой с", f"{since} ({lasting(story.idle_seconds)})"),
            *_facts(story),
        ),
        link=story.page,
    )


_SEVERAL: Final[Mapping[NoticeKind, str]] = {
    "warning": "GPU простаивают в {}",
    "final": "Последнее уведомление: GPU всё ещё простаивают в {}",
    "released": "Освобождены GPU в {}",
    "reverted": "После освобождения снова заняты GPU в {}",
    "failed": "Не удалось освободить GPU в {}",
    "operator": "Посмотрите, пожалуйста: GPU в {}",
}


def digest(kind: NoticeKind, stories: tuple[Story, ...], reader: Reader) -> Message:
    """Tell several notices of one kind in a line each."""
    hold = "занимали" if kind == "released" else "занимают"
    devices = sum(story.devices for story in stories)
    back = "На каждое отвечают отдельно. Если снова начать работу, уведомление о нём будет снято."
    wrong = "Где-то ошибка? Сообщите, пожалуйста, на странице задания: оператор проверит."
    then = {"warning": back, "final": back, "released": wrong}
    where = counted(len(stories), "задании", "заданиях", "заданиях")
    return Message(
        title=_SEVERAL[kind].format(where),
        lead=f"Вместе они {hold} {devices} GPU.",
        facts=tuple((named(story), _line(story, reader)) for story in stories),
        next=(*_saving_several(stories), then.get(kind, _UNTIL_SEEN)),
    )


def _saving_several(stories: tuple[Story, ...]) -> tuple[str, ...]:
    """Tell what becomes of the work of those that may be released."""
    due = [story for story in stories if story.release_at is not None]
    lost = [story.allocation for story in due if not story.can_save]
    if not due:
        return ()
    if not lost:
        asked = "попросили бы" if all(story.would for story in due) else "попросят"
        return (f"Перед этим каждую программу {asked} сохранить работу.",)
    which = "" if len(lost) == len(stories) else f" в {', '.join(lost)}"
    return (f"Сохранить работу{which} за вас нельзя: сохраните, пожалуйста, всё нужное.",)


def _line(story: Story, reader: Reader) -> str:
    """Tell an allocation in a digest's line."""
    idle = f"{holding(story)}; простой {lasting(story.idle_seconds)}"
    if story.outcome:
        return f"{idle}; {outcome(story.outcome)}"
    if story.release_at is None:
        return idle
    would = " было бы" if story.would else ""
    return f"{idle}; освобождение{would} не раньше {moment(story.release_at, reader.zone)}"


def asking(verb: Verb, story: Story, seconds: float) -> tuple[str, str]:
    """Name an answer, and ask before it is done."""
    if verb == "keep":
        return f"Оставить на {lasting(seconds)}", ""
    if verb == "until_morning":
        return "Оставить до утра следующего рабочего дня", ""
    if verb == "release":
        return "Освободить сейчас", (
            f"Освободить {named(story)} сейчас? Работа завершится, несохранённое пропадёт."
        )
    return "Это ошибка", (
        f"Сообщить, что это ошибка? С {named(story)} больше ничего не произойдёт, пока не "
        "проверит оператор."
    )


_UNTIL_SEEN: Final = "Больше ничего не произойдёт, пока не проверит оператор."
_MILD: Final = "Эта политика пока только предупреждает:"


# ------------------------------------------------------------------ sentences


def _idle(story: Story, reader: Reader) -> str:
    since = moment(story.idle_since, reader.zone)
    return f"{named(story)} занимает {holding(story)}, но работы на GPU нет с {since}."


def _facts(story: Story) -> tuple[tuple[str, str], ...]:
    cost = f"{story.cost_per_hour or 0:.2f} {story.currency}".strip().replace(".", ",")
    return (
        ("Показания", reason(story.reason)),
        *((("Стоимость", f"{cost} в час"),) if story.cost_per_hour is not None else ()),
        ("Политика", story.policy),
    )


def _outcome(story: Story) -> tuple[tuple[str, str], ...]:
    return (("Итог", outcome(story.outcome)),) if story.outcome else ()


def _release(story: Story, reader: Reader) -> tuple[str, ...]:
    if story.release_at is None and story.acts and not story.would:
        return ("Пока ничего не освобождается: сначала придёт последнее уведомление.",)
    if story.release_at is None:
        return ("Ничего не будет освобождено: это сообщение для сведения.",)
    at = moment(story.release_at, reader.zone)
    if not story.would:
        will = agreed(story, "GPU будет освобождён", "GPU будут освобождены")
        first = f"Если простой продолжится, {will} не раньше {at}."
        return (first, _saving(story))
    would = agreed(story, "GPU был бы освобождён", "GPU были бы освобождены")
    return (
        f"Если бы простой продолжился, {would} не раньше {at}.",
        _saving(story),
        f"{_MILD} ничего завершено не будет.",
    )


def _conditions(story: Story) -> tuple[str, ...]:
    """Tell, in a first warning, what has to come before anything is released."""
    if not story.acts:
        return ()
    return tuple(_CONDITIONS[rule] for rule in story.conditions if rule in _CONDITIONS)


_CONDITIONS: Final[Mapping[str, str]] = {
    "demand": "Освобождение возможно, только пока этих GPU ждёт задание.",
    "presence": "Сейчас нельзя понять, ушёл ли человек: ждём дольше обычного.",
    "host": "Что делает узел, не измеряется: ждём дольше обычного.",
    "observed": "За этой политикой пока только наблюдают: она ещё ничего не освобождает.",
    "save": "Сохранить работу за вас нельзя, а без сохранения ничего не освобождается.",
    "paused": "Оператор приостановил все освобождения.",
}


def _saving(story: Story) -> str:
    if not story.can_save:
        return "Сохранить работу за вас нельзя: сохраните, пожалуйста, всё нужное."
    return f"Перед этим программу {'попросили бы' if story.would else 'попросят'} сохранить работу."


def _answers(story: Story) -> tuple[str, ...]:
    back = "Отвечать не обязательно: если снова начать работу, уведомление снимается."
    if story.keep_seconds <= 0:
        return (back,)
    if story.keeps_left <= 0:
        return (back, "Продления использованы.")
    left = counted(story.keeps_left, "продление", "продления", "продлений")
    return (back, f"Ещё нужно? Ответьте, и на это время всё останется (сегодня есть {left}).")
