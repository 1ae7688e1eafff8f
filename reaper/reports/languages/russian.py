"""The words of reports in Russian: calm figures, no blame; GPU is not declined."""

from typing import Final

from reaper.domain.spoken import form
from reaper.reports.languages.russian_annex import ANNEX
from reaper.reports.languages.russian_lines import line
from reaper.reports.languages.russian_terminal import TERMINAL
from reaper.reports.languages.tongue import Tongue

_STORY: Final = {
    "wasted_of": "Впустую прошло {0} из {1} занятых GPU-часов ({2})",
    "nothing_seen_of": "Из {0} занятых GPU-часов ничего не было видно: сколько прошло впустую, "
    "неизвестно",
    "at_least": "не меньше {0}",
    "no_price_known": "без цены",
    "of_idle_capacity": "{0} за простаивающие мощности",
    "no_earlier": "Более ранних недель для сравнения нет.",
    "share_wasted": "Доля прошедшего впустую: {0}.",
    "and": "{0}, и {1}",
    "than_before": "{0} неделей раньше ({1})",
    "than_mean": "{0} в среднем за последние {1} нед. ({2})",
    "as_high": "столько же, сколько",
    "above": "на {0} п. п. больше, чем",
    "below": "на {0} п. п. меньше, чем",
    "returned": "Освобождения вернули не больше {0} GPU-часов ({1}); другие использовали из них "
    "не меньше {2} ({3}); деньгами сбережено {4}.",
    "gave_back": "Владельцы сами вернули {0} GPU-часов.",
    "nothing_back": "Ничего не освобождено и не возвращено.",
    "first_ends": "ближайшее кончается {0}",
    "endless": "без срока: {0}",
    "seen_of_held": "занятого времени было видно.",
    "seen_share": "Было видно {0} занятого времени.",
}

_FRAME: Final = {
    "title": "Отчёт о GPU {0}",
    "title_team": ", команда {0}",
    "title_week": ", неделя {0}",
    "none": "нет",
    "nothing_listed": "Таких нет.",
    "week": "Неделя {0}",
    "week_of": "неделя {0}",
    "so_far": "(ещё идёт)",
    "a_span": "Отрезок времени",
    "from_to": "{0} — {1}",
    "closing": "закрытие {0},",
    "as_of": "данные на {0}",
    "gpu_h": "{0} GPU-ч",
    "gpu_hours": "GPU-часов",
    "unpriced": "нет цены",
    "now": "сейчас",
    "policies_without": "без {0}",
}

_TILES: Final = {
    "wasted": "Впустую",
    "avoidable": "Можно было избежать по политикам",
    "reclaimed_most": "Возвращено, не больше",
    "reused_least": "Использовано снова, не меньше",
    "cash": "Деньгами",
    "cash_hours": "{0} GPU-ч на отключённых узлах",
    "idle_waiting": "Простой, пока задания ждали",
    "asked_for": "в очереди просили {0} GPU-ч",
}

_FIRST: Final = {
    "where": "На что ушёл каждый GPU-час",
    "where_adds": "вместе состояния полосы дают весь календарь",
    "where_team": "На что ушли GPU-часы команды",
    "held_too": ", занято {0}",
    "no_hour": "В книгах нет ни одного GPU-часа.",
    "by_week": "Доля занятого времени, прошедшая впустую",
    "by_week_text": "по неделям; тонкая линия — верхний край диапазона",
    "by_class": "Впустую по назначению",
    "by_class_text": "в работающих заданиях: только на части их GPU",
    "class": "Назначение",
    "money": "Деньги",
    "in_jobs_at_work": "{0} в работающих заданиях",
    "nobody_held": "GPU никто не занимал.",
    "by_team": "По командам и моделям",
    "by_team_text": "сначала самый дорогой простой, GPU-часы; команды, занимавшие меньше "
    "{0} GPU-ч, вместе",
    "more_lines": "Ещё строк в приложении: {0}.",
    "proposals": "Предложения",
    "proposals_text": "по данным этой недели",
    "would_return": ": не меньше {0} GPU-ч",
    "worth": " = {0}",
    "a_week": " в неделю",
    "no_proposal": "На этой неделе ничего не стоит менять.",
    "team": "Команда",
    "model": "Модель",
    "held": "Занято",
    "idle": "Простой",
    "of_held": "от занятого",
    "cost_of_idle": "Цена простоя",
    "idle_change": "Простой, разница",
    "seen": "Видно",
    "smaller_teams": "небольших команд: {0}",
    "no_team": "без команды",
    "all_models": "все модели",
    "unknown": "неизвестно",
    "unknown_model": "модель неизвестна",
    "all_gpus": "Все GPU",
    "mark_too_little": "видно слишком мало, чтобы сравнивать",
    "mark_in_part": "видно не всё",
}

_MAIL: Final = {
    "subject": "{0}: впустую {1} GPU-ч ({2})",
    "had_waited": "; начавшиеся задания ждали {0} (медиана)",
    "costs_most": "Самый дорогой простой",
    "held_gpu_h": "Занято, GPU-ч",
    "wasted_gpu_h": "Впустую, GPU-ч",
    "small_teams": "небольших команд: {0}",
    "attached": "Полный отчёт с диаграммами и определениями приложен.",
    "pseudonyms": " Люди и задания названы псевдонимами этого отчёта.",
    "running_figures": " Текущие данные: {0}",
    "coverage": "видно {0}",
    "idle_of_team": "{0}, {1}: простой {2} GPU-ч ({3}) = {4}",
}

_CHARTS: Final = {
    "bar_part": "{0} {1} GPU-часов ({2})",
    "chart_week": "неделя",
    "chart_seen": "видно",
    "chart_policies": "политики",
    "chart_said": "{0}: впустую {1}, видно {2}",
    "chart_title": "Доля прошедшего впустую по неделям. {0}",
    "state_active": "работа",
    "state_low": "слабая загрузка",
    "state_startup": "запуск",
    "state_pause": "короткие паузы",
    "state_too_long": "слишком долгий простой",
    "state_unknown": "не видно",
    "state_reserved": "зарезервировано",
    "state_drained": "выведено",
    "state_down": "не работает",
    "state_stranded": "не нарезано",
    "state_unallocated": "свободно",
}

_CLASSES: Final = {
    "class_interactive": "интерактивное",
    "class_training": "обучение",
    "class_inference": "инференс",
    "class_deferred": "отложенное",
    "class_other": "прочее",
}


def _form(number: int) -> int:
    """Return which form a number takes: one (1, 21), few (3), many (5)."""
    return form(number, 0, 1, 2)


RUSSIAN: Final = Tongue(
    code="ru",
    texts={
        **_STORY,
        **_FRAME,
        **_TILES,
        **_FIRST,
        **ANNEX,
        **_MAIL,
        **_CHARTS,
        **_CLASSES,
        **TERMINAL,
    },
    forms={
        "cases": ("{0} случай", "{0} случая", "{0} случаев"),
        "findings": ("{0} находка", "{0} находки", "{0} находок"),
        "gpus": ("{0} GPU",) * 3,
    },
    form=_form,
    line=line,
    days=("пн", "вт", "ср", "чт", "пт", "сб", "вс"),
    span=("{0} ч {1} мин", "{0} мин"),
)
