"""Lines of ours that pages quote, in Russian: why a step is held, what somebody did, why."""

import re
from typing import Final

from reaper.domain.reasons_in_russian import outcome
from reaper.domain.reasons_in_russian import reason as verdict_reason

_SENTENCES: Final = {
    "given back: it ends within minutes, once it is checked": "освобождение по вашей просьбе: "
    "завершится в течение нескольких минут, после проверки",
    "its owner has given it back: it ends within minutes, once it is checked": "освобождение "
    "по просьбе владельца: завершится в течение нескольких минут, после проверки",
    "it is disputed: an operator will look at it": "получено сообщение об ошибке: "
    "проверит оператор",
}

#: What an event says of an allocation under a policy, and why.
_UNDER: Final = re.compile(r"(\S+/\S+) under (\S+): (.+)")

_UNDER_WAY: Final = {
    f"{step} under way ({state})": f"{said} выполняется"
    for step, said in (("release", "освобождение"), ("save", "сохранение"))
    for state in ("planned", "acting", "verifying")
}

_PHRASES: Final = {**_SENTENCES, **_UNDER_WAY}


def line(text: str) -> str:
    """Say why a verdict is so, or what became of a release; others as they came."""
    if text in _PHRASES:
        return _PHRASES[text]
    if of := _UNDER.fullmatch(text):
        run, policy, why = of.groups()
        known = verdict_reason(why)
        return text if known == why else f"{run}, политика {policy}: {known}"
    if held := refusal(text):
        return held
    said = verdict_reason(text)
    return outcome(text) if said == text else said


_RULES: Final = {
    "budget": "бюджет",
    "deaf": "ответы",
    "delivery": "доставка",
    "demand": "спрос",
    "dispute": "возражение",
    "evidence": "данные",
    "grace": "отсрочка",
    "host": "узел",
    "hours": "рабочие часы",
    "interlock": "защита",
    "keep": "оставлено",
    "kernel": "ядро блокнота",
    "last look": "последняя проверка",
    "limit": "предел времени",
    "network": "сеть",
    "notices": "сообщения",
    "observed": "наблюдение",
    "owner": "владелец",
    "presence": "присутствие",
    "quota": "квота",
    "rhythm": "ритм",
    "save": "сохранение",
    "verdict": "вердикт",
    "window": "окно простоя",
}

#: Rules whose reason is typed by people: it stays as it is.
_TYPED: Final = {"paused": "остановлено", "killed": "аварийная остановка"}

_UNITS: Final = {
    "second": "с",
    "minute": "мин",
    "min": "мин",
    "hour": "ч",
    "h": "ч",
    "day": "дн.",
    "s": "с",
}
_UNIT: Final = re.compile(r"(?<=\d )(second|minute|min|hour|h|day|s)(?:s)?\b")
_SPAN: Final = r"(\d+ [a-z]+(?: \d+ [a-z]+)?)"
_KINDS: Final = {"idle": "простой", "warm": "готов", "busy": "работа", "unknown": "неясно"}

_REASONS: Final = (
    (rf"idle for {_SPAN} only", "простой пока только {0}"),
    (rf"input {_SPAN} ago", "ввод был {0} назад"),
    (
        rf"(.+); waits for {_SPAN} of idleness",
        "{0}; ждёт, пока простой не продлится {1}",
    ),
    (r"(\S+): nothing can prove that its person is away", "{0}: ничто не докажет, что никого нет"),
    (r"(\S+): its last input cannot be read", "{0}: последний ввод не прочитать"),
    (r"(\S+): last looked at (\d+) min ago", "{0}: последняя проверка {1} мин назад"),
    (r"(\S+): what goes on in it is not measured", "{0}: что в нём идёт, не измеряется"),
    (r"no session seen: presence is unknown", "сеанса не видно: есть ли кто, неизвестно"),
    (r"the newest closed minute is too old", "последняя минута данных слишком старая"),
    (
        r"(.+) is released only where a policy names it",
        "освобождается, только если это есть в политике",
    ),
    (
        r"outside working hours and nothing proves its person away",
        "сейчас нерабочее время, и ничто не доказывает, что никого нет",
    ),
    (
        r"outside working hours and no job waits for these GPUs",
        "сейчас нерабочее время, и никто не ждёт этих GPU",
    ),
    (
        r"no directory answers about its owner's working hours and .+",
        "справочник не отвечает, рабочие часы владельца неизвестны",
    ),
    (r"no pending job could start on these GPUs", "в очереди нет задания для этих GPU"),
    (
        rf"this policy version is observed for {_SPAN} only",
        "эта версия политики наблюдает только {0}",
    ),
    (r"answers cannot be heard for (\d+) min", "ответов не слышно уже {0} мин"),
    (
        r"whoever was warned is not known as its owner now",
        "предупреждали другого: владелец сменился",
    ),
    (r"kept by an operator", "оставил оператор"),
    (r"kept by (.+)", "оставлено: {0}"),
    (r"its team holds (\d+) of (\d+) GPUs?", "у команды занято {0} из {1} GPU"),
    (r"(\d+) of its team's GPUs idle, (\d+) may", "у команды простаивает {0} GPU, можно {1}"),
    (r"disputed; an operator must rule", "получено возражение: решает оператор"),
    (r"warning (\d+) has not arrived \((.+)\)", "предупреждение {0} не доставлено ({1})"),
    (r"its owner had (\d+) notices? of it within a day", "за сутки владельцу сообщали уже {0} раз"),
    (r"its grace would end outside working hours", "отсрочка кончилась бы в нерабочее время"),
    (
        r"its own time limit ends it before a release would",
        "раньше его завершит собственный предел времени",
    ),
    (
        r"what it does after the save is not known yet",
        "что происходит после сохранения, ещё не видно",
    ),
    (r"only (\d+%) of the allocated devices are seen", "видно только {0} занятых устройств"),
    (
        r"(\d+) of (\d+) devices turned idle within 15 min",
        "за 15 мин простаивать стали {0} из {1} устройств",
    ),
    (
        r"(\d+) of (\d+) exporters restarted in an hour",
        "за час перезапустились экспортёры: {0} из {1}",
    ),
    (r"the clock stepped by (\S+) s", "часы скакнули на {0} с"),
    (r"(\d+) acts? a cycle", "не больше {0} за цикл"),
    (r"(\d+) acts? an hour", "не больше {0} в час"),
    (r"(\d+) an owner", "не больше {0} на владельца"),
    (r"(\d+) a node", "не больше {0} на узел"),
    (r"(\d+%) of the allocated GPUs an hour", "не больше {0} занятых GPU в час"),
    (
        r"over (\d+) GPUs? need two operators' approval",
        "больше {0} GPU: нужны два оператора",
    ),
    (r"a kernel is busy, and nothing measures its host", "ядро занято, а узел не измеряется"),
    (r"nothing measures what it does on its host", "что делается на узле, не измеряется"),
    (
        r"no process is on its GPUs, and nothing shows that it moves no data",
        "на GPU нет процессов, но не видно, что данные не передаются",
    ),
    (
        rf"it came back to work from a pause like this one before: waits for {_SPAN}",
        "из такой паузы оно уже возвращалось: ждём {0}",
    ),
)

_SHAPES: Final = tuple((re.compile(shape), said) for shape, said in _REASONS)


def refusal(text: str) -> str | None:
    """Say ``rule: reason``; None where the rule or its reason has no words here."""
    rule, mark, why = text.partition(": ")
    if mark and rule in _TYPED:
        return f"{_TYPED[rule]}: {why}"
    said = _reason(why) if mark and rule in _RULES else None
    return None if said is None else f"{_RULES[rule]}: {said}"


def _reason(why: str) -> str | None:
    for shape, said in _SHAPES:
        if found := shape.fullmatch(why):
            return said.format(*(_group(group) for group in found.groups()))
    if "; " in why:
        parts = [_reason(part) for part in why.split("; ")]
        return None if None in parts else "; ".join(part for part in parts if part)
    kind, mark, rest = why.partition(": ")
    if mark and kind in _KINDS and verdict_reason(rest) != rest:
        return f"{_KINDS[kind]}: {verdict_reason(rest)}"
    return None


def _group(text: str) -> str:
    """Say a span, or the reason that another one quotes."""
    return _reason(text) or _UNIT.sub(lambda found: _UNITS[found[1]], text)
