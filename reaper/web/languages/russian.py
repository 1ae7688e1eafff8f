"""
The words of the pages in Russian: calm, no blame.

"было бы" wherever the policy does not act.  GPU is not declined; counted words have three forms,
and one GPU alone is said in a form of its own.
"""

from typing import Final

from reaper.web.languages.language import Language

_FRAME: Final = {
    "lost": "gpu-reaper не отвечает",
    "lost_text": "Показано то, что он сообщил последним.",
    "skip": "Перейти к содержанию",
    "picture_from": "данные на",
    "last_cycled": "последний цикл",
    "rooms": "Страницы",
    "cluster": "Кластер",
    "my_allocations": "Мои задания",
    "queue": "Очередь",
    "audit": "Журнал изменений",
    "report": "Отчёт за неделю",
    "sign_out": "Выйти",
    "sign_in": "Войти",
    "back": "Назад",
    "read_first": "Прочтите сначала",
    "done": "Готово",
    "metrics": "метрики",
    "changes_nothing": "эта страница ничего не меняет; для этого есть",
    "does": "",
}

_ANSWERS: Final = {
    "for_how_long": "На сколько",
    "keep": "Оставить",
    "for": "на",
    "until_morning": "Оставить до утра следующего рабочего дня",
    "give_back": "Освободить …",
    "wrong": "Это ошибка …",
    "can_answer": "Что можно ответить о {0}",
    "what_is_wrong": "В чём ошибка",
    "why": "Причина",
    "may_stay_empty": "(можно не заполнять)",
    "question_keep": "На выбранное время всё останется за вами; до тех пор не будет ни "
    "предупреждений, ни освобождения.",
    "question_until_morning": "Всё останется за вами до десяти часов утра вашего следующего "
    "рабочего дня.",
    "question_release": "Задание завершится в течение нескольких минут, как если бы вы завершили "
    "его сами: несохранённое пропадёт, а GPU получат те, кто их ждёт.",
    "question_dispute": "С заданием больше ничего не произойдёт, пока не проверит оператор.",
    "question_past": "Оператор проверит, что было сделано; до тех пор это считается ложной "
    "тревогой.",
    "at_work": "Сейчас оно работает.",
    "confirm": "Я знаю, что задание работает, и хочу его завершить.",
    "title_keep": "Оставить?",
    "title_until_morning": "Оставить до утра следующего рабочего дня?",
    "title_release": "Освободить сейчас?",
    "title_dispute": "Это ошибка?",
    "send_keep": "Оставить",
    "send_until_morning": "Оставить до утра",
    "send_release": "Освободить",
    "send_dispute": "Сообщить об ошибке",
    "thank_you": "Спасибо",
    "what_becomes": "Как поступить с заданием?",
    "used_link": "Эта ссылка уже использована, а действует она один раз. "
    "В более новом сообщении есть новая.",
    "nothing_to_ask": "Сейчас отвечать не на что.",
    "others": "Другие ответы",
    "answer_as": "Вы отвечаете как {0}. По этой ссылке можно дать один ответ, до {1}.",
    "leave": "Ничего не менять",
    "cannot_now": "Сейчас об этом попросить нельзя.",
    "look": "Посмотреть задание",
}

_MINE: Final = {
    "nothing": "Сейчас",
    "held_by_you": "вы не занимаете GPU.",
    "tracks_show": "Дорожки показывают, что было за {0}; новое справа.",
    "nothing_happens": "Ничего не произойдёт",
    "kept_until": "Оставлено до {0}",
    "on": "на",
    "since": "с {0}",
    "ends_itself": "завершится само: {0}",
    "none_yet": "Когда вы займёте GPU, здесь будет видно, чем они заняты и что произойдёт дальше.",
    "lists_all": "показывает все.",
    "lately": "Недавнее",
    "lately_text": "ваши случаи, закрытые за последние семь дней",
    "allocation": "Задание",
    "how": "Итог",
    "when": "Когда",
    "closed": "закрыто",
    "disputed": "оспорено",
    "letters": "Что означают буквы дорожки",
    "lasts": "{0} {1}",
    "spoken": "{0}: {1}",
    "has_ended": "завершено",
    "went": "Итог:",
    "ended": "Завершено",
    "burning": ", это стоит",
    "an_hour": "в час",
    "nobody_known": "Неизвестный владелец",
    "held": "— было занято",
    "held_for": "(продолжительность: {0})",
    "nothing_recorded": "записей нет",
}

_NEXT: Final = {
    "ago": "{0} назад",
    "never": "ещё не было",
    "now": "сейчас",
    "in": "через {0}",
    "at": "намечено на {0}",
    "then": "затем {0}",
    "then_nothing": "ничего",
    "no_policy": "Ничего не произойдёт",
    "no_policy_text": "ни одна политика к нему не относится",
    "in_part": "Ничего не произойдёт",
    "in_part_text": "простаивают не все его GPU",
    "not_yet": "Пока ничего",
    "not_yet_text": "предупреждать ещё рано",
    "no_more": "Больше ничего не произойдёт",
    "no_more_text": "других шагов у политики нет",
    "step_held": "{0}: приостановлено",
    "step_overdue": "{0}: срок прошёл",
    "meant_warning": "Предупреждение",
    "meant_final warning": "Последнее предупреждение",
    "meant_release": "Освобождение",
    "meant_save": "Сохранение",
    "would_warning": "Было бы предупреждение",
    "would_final warning": "Было бы последнее предупреждение",
    "would_release": "Было бы освобождение",
    "would_save": "Было бы сохранение",
    "stale": "Данные устарели: последние получены {0} назад",
    "stale_text": "Циклов не было с {0}: всё показанное ниже может быть уже не так.",
    "stop_until": "до {0}",
    "stop_lifted": "до отмены",
    "stop_for": " ({0})",
    "stop_text": "Действует с {1} ({0}); ничего не освобождается{2} {3}.",
    "fast": "Темп не такой, как в кластере",
    "fast_clock": "Часы ускорены: ×{0}",
    "usual_clock": "Часы идут как обычно",
    "fast_step": "шаг сетки {0} с",
}

_VERDICTS: Final = {
    "verdict_busy": "работает",
    "verdict_starved": "ждёт данных",
    "verdict_partial": "работает частично",
    "verdict_idle": "простаивает",
    "verdict_empty": "пустует",
    "verdict_idle, host busy": "простаивает при занятом процессоре",
    "verdict_stalled": "не продвигается",
    "verdict_suspect": "похоже на холостую работу",
    "verdict_warm": "наготове",
    "verdict_unknown": "неизвестно",
}

_LETTERS: Final = {
    "letter_A": "активно",
    "letter_L": "слабая загрузка",
    "letter_H": "простой, занята память или контекст",
    "letter_E": "простой, пусто",
    "letter_X": "движок занят без работы",
    "letter_?": "не видно",
    "letter_!": "противоречиво",
}

_OUTCOMES: Final = {
    "done_keep": "Оставлено до {until}: {name}",
    "done_until_morning": "Оставлено до {until}: {name}",
    "done_release": "{name} будет освобождено в течение нескольких минут, после проверки",
    "done_dispute": "Сообщение об ошибке принято ({name}); оператор проверит",
    "done_late": ". Освобождение уже началось; оно будет отменено, если это ещё возможно",
    "not_done": "Не сделано",
    "dead_link": "Эта ссылка больше не действует",
    "dead_link_text": "Она изменена, устарела или не от этой системы. Откройте свои задания или "
    "ответьте командой `gpu-reaper`; в более новом сообщении есть действующая ссылка.",
    "forgotten_link": "О том, к чему относится эта ссылка, здесь больше ничего не известно.",
    "title_401": "Вход не выполнен",
    "title_403": "Нет доступа",
    "title_404": "Такого задания нет",
    "title_429": "Слишком много попыток",
    "title_503": "Данных ещё нет",
    "title_other": "Не получилось",
    "error_stranger": "Неизвестно, кто вы: сначала войдите.",
    "error_not_yours": "Эта страница открыта не для всех: нужную роль даёт оператор.",
    "error_unknown": "Такого задания среди ваших нет; ваши перечислены на странице /mine.",
    "error_forged": "Форма устарела, отправлена с другого сайта или относится к другому входу: "
    "откройте её страницу заново.",
    "error_too_many": "Слишком много неудачных попыток: попробуйте через минуту.",
    "error_no_cycle": "Ни одного цикла ещё не было: подождите минуту.",
    "error_used": "Ответ уже был дан, а засчитывается он один раз: посмотрите свои задания.",
    "error_unconfirmed": "Задание сейчас работает: подтвердите, что его нужно завершить.",
    "error_refused": "Просьба не выполнена. Причина:",
    "error_field": "Форму не удалось прочитать. Причина:",
    "error_other": "Система сообщает:",
    "signed_out": "Вы вышли",
    "signed_out_text": "Здесь вы вышли; поставщик входа может ещё помнить вас на этой машине.",
    "at_proxy": "Вход выполняется на прокси перед этой страницей: откройте её по основному адресу.",
}

_UNDER_WAY: Final = {
    f"{step} under way ({state})": f"{said} выполняется"
    for step, said in (("release", "освобождение"), ("save", "сохранение"))
    for state in ("planned", "acting", "verifying")
}


def _form(number: int) -> int:
    """Return which form a number takes: one alone, one (21), few (3), many (5)."""
    if number == 1:
        return 0
    if number % 10 == 1 and number % 100 != 11:
        return 1
    return 2 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 3


def _counted(number: int, one: str, few: str, many: str) -> str:
    return f"{number} {(one, one, few, many)[_form(number)]}"


def duration(seconds: float) -> str:
    """Return a duration in its two largest units: "40 минут", "3 ч 12 мин", "2 дня 2 ч"."""
    if seconds < 60:
        return _counted(max(0, round(seconds)), "секунду", "секунды", "секунд")
    minutes = int(seconds // 60)
    if minutes < 60:
        return _counted(minutes, "минуту", "минуты", "минут")
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} ч {minutes} мин" if minutes else _counted(hours, "час", "часа", "часов")
    days, hours = divmod(hours, 24)
    said = _counted(days, "день", "дня", "дней")
    return f"{said} {hours} ч" if hours else said


RUSSIAN: Final = Language(
    code="ru",
    texts={**_FRAME, **_ANSWERS, **_MINE, **_NEXT, **_VERDICTS, **_LETTERS, **_OUTCOMES},
    forms={
        "gpus": ("{0} GPU",) * 4,
        "of_gpus": ("{1} из {0} GPU",) * 4,
        "yours_idle": ("Ваш GPU", *("{1} из ваших {0} GPU",) * 3),
        "are_idle": ("простаивает.", "простаивает.", "простаивают.", "простаивают."),
        "idle_of": ("простаивает", "простаивает", "простаивают", "простаивают"),
        "all_yours": ("Ваш GPU", *("Все ваши GPU ({0})",) * 3),
        "all_work": (
            "работает или занят слишком недавно, чтобы судить.",
            *("работают или заняты слишком недавно, чтобы судить.",) * 3,
        ),
        "more_tracks": (
            *("и ещё {0} дорожка",) * 2,
            "и ещё {0} дорожки",
            "и ещё {0} дорожек",
        ),
        "more": (
            *("И ещё {0} задание, оно работает:",) * 2,
            "И ещё {0} задания, они работают:",
            "И ещё {0} заданий, они работают:",
        ),
        "more_nodes": (*("и ещё на {0} узле",) * 2, *("и ещё на {0} узлах",) * 2),
    },
    form=_form,
    phrases={
        "warning": "предупреждение",
        "final warning": "последнее предупреждение",
        "release": "освобождение",
        "save": "сохранение",
        "given back: it ends within minutes, once it is checked": "освобождение по вашей просьбе: "
        "завершится в течение нескольких минут, после проверки",
        "its owner has given it back: it ends within minutes, once it is checked": "освобождение "
        "по просьбе владельца: завершится в течение нескольких минут, после проверки",
        "it is disputed: an operator will look at it": "получено сообщение об ошибке: "
        "проверит оператор",
        "an operator": "оператор",
        "paused": "остановлено",
        **_UNDER_WAY,
    },
    duration=duration,
    days=("пн", "вт", "ср", "чт", "пт", "сб", "вс"),
    date="%d.%m.%Y",
)
