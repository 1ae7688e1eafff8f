"""Lines of ours that pages quote, in Russian: kinds, states, what somebody did, why."""

import re
from typing import Final

from reaper.domain.reasons_in_russian import outcome, reason
from reaper.web.languages.russian_refusals import refusal

_CLUSTER: Final = {
    "activity": "что делают GPU",
    "holder": "кто их занимает",
    "front": "чьи это серверы",
    "demand": "что ждёт в очереди",
    "people": "кто эти люди",
    "hearing": "слышны ли ответы",
    "up": "в строю",
    "drained": "выведен",
    "down": "не работает",
    "reserved": "зарезервирован",
}
"""What sources are asked for, and states of nodes."""

_ALLOCATION: Final = {
    "interactive": "интерактивное",
    "training": "обучение",
    "inference": "инференс",
    "deferred": "отложенное",
    "other": "прочее",
    "observe": "наблюдать",
    "notify": "сообщать",
    "act": "действовать",
    "open": "открыт",
    "planned": "намечено",
    "acting": "выполняется",
    "verifying": "проверяется",
    "saving": "сохраняется",
    "closed": "закрыт",
    "released": "освобождено",
    "profiling": "профилирование",
    "utilisation": "загрузка",
    "power": "мощность",
    "context": "процессы",
    "history": "прежняя работа",
}
"""What allocations are for, modes, states of cases, witnesses."""

_HAPPENING: Final = {
    "warning": "предупреждение",
    "advice": "совет",
    "final warning": "последнее предупреждение",
    "release": "освобождение",
    "save": "сохранение",
    "keep": "оставлено",
    "kept": "оставлено",
    "dispute": "возражение",
    "approval": "одобрение",
    "approved": "одобрено",
    "paused": "остановлено",
    "resumed": "остановка отменена",
    "killed": "аварийная остановка",
    "failed": "не удалось",
    "interlock": "сработала защита",
    "store": "нет места в хранилище",
    "lacking": "чего-то не хватает",
    "saved": "сохранено",
    "not saved": "сохранение не удалось",
    "reverted": "запущено снова",
    "dispute overdue": "возражение ждёт слишком долго",
    "upheld": "признано ошибкой",
    "rejected": "возражение отклонено",
    "release asked": "просьба освободить",
    "release intended": "освобождение решено",
    "would release": "было бы освобождено",
    "ended by its owner": "завершено владельцем",
    "ended by itself": "завершилось само",
    "activity returned": "снова в работе",
    "its person came back": "владелец вернулся",
    "policy changed": "политика изменилась",
    "run began": "начало работы",
    "run ended": "конец работы",
    "case opened": "случай открыт",
    "case closed": "случай закрыт",
    "given back": "возвращено владельцем",
    "verified": "проверено",
    "delivered": "доставлено",
    "queued": "в очереди",
    "assumed": "не отправлялось",
    "ambiguous": "неясно, доставлено ли",
    "returned": "вернулось недоставленным",
    "slack": "Slack",
    "mail": "почта",
    "link": "ссылка",
    "mailbox": "почтовый ящик",
    "proxy": "сайт",
    "oidc": "сайт",
    "socket": "команда",
}
"""Kinds of events and notices, fates of notices, ways in which people answer."""

_SENTENCES: Final = {
    "given back: it ends within minutes, once it is checked": "освобождение по вашей просьбе: "
    "завершится в течение нескольких минут, после проверки",
    "its owner has given it back: it ends within minutes, once it is checked": "освобождение "
    "по просьбе владельца: завершится в течение нескольких минут, после проверки",
    "it is disputed: an operator will look at it": "получено сообщение об ошибке: "
    "проверит оператор",
    "an operator": "оператор",
}

#: What an event says of an allocation under a policy, and why.
_UNDER: Final = re.compile(r"(\S+/\S+) under (\S+): (.+)")

_UNDER_WAY: Final = {
    f"{step} under way ({state})": f"{said} выполняется"
    for step, said in (("release", "освобождение"), ("save", "сохранение"))
    for state in ("planned", "acting", "verifying")
}

PHRASES: Final = {**_CLUSTER, **_ALLOCATION, **_HAPPENING, **_SENTENCES, **_UNDER_WAY}


def line(text: str) -> str:
    """Say why a verdict is so, or what became of a release; others as they came."""
    if of := _UNDER.fullmatch(text):
        run, policy, why = of.groups()
        known = reason(why)
        return text if known == why else f"{run}, политика {policy}: {known}"
    if held := refusal(text):
        return held
    said = reason(text)
    return outcome(text) if said == text else said
