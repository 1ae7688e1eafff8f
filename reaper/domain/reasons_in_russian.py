"""
The lines that a verdict and an outcome come in, said in Russian: in notices and on pages alike.

Numbers stay as they are; a line of another shape (a platform's own words) is shown as it came.
"""

import re
from typing import Final

_FAMILIES: Final = {
    "profiling": "профилирование",
    "utilisation": "загрузка",
    "power": "мощность",
    "context": "процессы",
    "history": "прежняя работа",
}

_WAITS: Final = r"bursts of work, (\d+)% of the last hour, with waits between: "
_BURSTS: Final = "работа рывками, {0} % последнего часа, между ними ожидание: "

_ADVICE: Final = (
    (
        r"(\d+) of (\d+) GPUs idle for (\d+) min while the others work: (.+) would do",
        "{0} из {1} GPU простаивают {2} мин, пока другие работают: хватило бы {3}",
    ),
    (
        (
            r"uses (\S+) of (\d+) GB and (\d+)% of the SMs of a whole (.+): "
            r"1/7 of them with (\d+) GB would do"
        ),
        "занято {0} из {1} ГБ и {2} % SM целого {3}: хватило бы 1/7 с {4} ГБ",
    ),
    (
        (
            r"tensor cores at (\S+)% while the SMs work: mixed precision \(bf16, tf32\) "
            r"may finish it sooner on fewer GPUs"
        ),
        (
            "тензорные ядра заняты на {0} %, пока работают SM: смешанная точность (bf16, tf32) "
            "может закончить раньше и на меньшем числе GPU"
        ),
    ),
    (
        (
            r"idle (\d+) times for (\d+) min or longer within a day, (\d+) min in all: "
            r"given back between, it costs nothing"
        ),
        (
            "простой {0} раз за сутки по {1} мин и дольше, всего {2} мин: "
            "между делом GPU можно отдавать"
        ),
    ),
    (f"{_WAITS}what for is not measured here", f"{_BURSTS}чего, здесь не измеряется"),
    (f"{_WAITS}its processes read or write", f"{_BURSTS}процессы читают или пишут"),
    (r"stage the data on fast local storage", "перенесите данные на быстрый локальный диск"),
    (f"{_WAITS}its host works on (\\S+) cores", f"{_BURSTS}процессор занят на {{1}} ядер"),
    (r"give the loader more workers", "дайте загрузчику больше процессов"),
    (f"{_WAITS}its host is quiet", f"{_BURSTS}процессор свободен"),
    (r"look at communication and at other ranks", "проверьте обмен данными и другие ранги"),
)
"""Shapes of what advice says, and of what starves GPUs with its cure."""

_SPAN: Final = r"(\d+ h \d+ min|\d+ min|\d+ s)"
_BY: Final = r"((?:profiling|utilisation|power|context|history)(?: and \w+)*)"

_PARTS: Final = (
    (rf"no work on (.+?) for {_SPAN}(?: by {_BY})?", "нет работы на {0}: {1}{2}"),
    (rf"little or no work on (.+?) for {_SPAN}(?: by {_BY})?", "почти нет работы на {0}: {1}{2}"),
    (rf"no request for {_SPAN}, no work by {_BY}", "нет запросов: {0}, нет работы{1}"),
    (r"memory or a context held", "занята память или контекст"),
    (r"no process, no memory held", "нет процессов, память свободна"),
    (r"its host worked (\d+)% of that time", "процессор работал {0} % этого времени"),
    (rf"its host rests for {_SPAN} only", "процессор отдыхает только {0}"),
    (r"its host works now", "процессор сейчас работает"),
    (
        rf"engines busy without any work on (.+?) for {_SPAN}",
        "движки заняты без всякой работы на {0}: {1}",
    ),
    (
        r"on (\d+) nothing goes on: a rank of it may have died",
        "на {0} ничего не происходит: возможно, ранг завершился",
    ),
    (
        rf"a blip of work every {_SPAN}, (\d+) times, and nothing else",
        "короткая работа каждые {0}, {1} раз, и больше ничего",
    ),
    (
        r"(\d+) short blips of work without a long pause, (\d+)% idle between them",
        "{0} коротких всплесков работы без долгой паузы, {1} % простоя между ними",
    ),
    (
        rf"(\S+)% of the SMs at work in every minute for {_SPAN}, never more",
        "SM заняты на {0} % в каждую минуту: {1}, больше никогда",
    ),
    (r"(\d+) of (\d+) devices at work", "устройств в работе: {0} из {1}"),
    (rf"(\d+) of (\d+) idle for {_SPAN}", "простаивают {0} из {1}: {2}"),
    (r"(\d+) of (\d+) devices unseen", "не видно устройств: {0} из {1}"),
    (rf"no signal for {_SPAN}", "нет сигнала: {0}"),
    (rf"pausing for {_SPAN}", "пауза: {0}"),
    *_ADVICE,
)
"""Shapes of the parts of a verdict's reason."""

_OUTCOMES: Final = (
    (r"(\S+) is gone: released", "{0} больше нет: освобождено"),
    (r"(\S+): release failed: (.*)", "{0}: освобождение не удалось: {1}"),
    (r"(\S+): release reverted: (.*)", "{0}: запущено снова: {1}"),
    (r"an operator keeps it", "его оставил оператор"),
    (r"an operator disputes it", "оператор отметил это как ошибку"),
    (r"no policy is for it any more", "для него больше нет политики"),
)
"""Shapes of what became of a release."""

_SHAPES: Final = tuple((re.compile(shape), said) for shape, said in _PARTS)
_ENDS: Final = tuple((re.compile(shape), said) for shape, said in _OUTCOMES)


def reason(text: str) -> str:
    """Say a verdict's reason; as it is where a part of it is not known."""
    parts = [_part(part) for part in text.split("; ")]
    return text if None in parts else "; ".join(part for part in parts if part is not None)


def outcome(text: str) -> str:
    """Say what became of a release, with the platform's own words as they are."""
    for shape, said in _ENDS:
        found = shape.fullmatch(text)
        if found:
            return said.format(*found.groups())
    return text


def _part(text: str) -> str | None:
    for shape, said in _SHAPES:
        found = shape.fullmatch(text)
        if found:
            return said.format(*(_word(group) for group in found.groups()))
    return None


def _word(group: str | None) -> str:
    """Say a span, a number of GPUs or the witnesses that stand in a part."""
    if group is None:
        return ""
    words = group.split(" and ")
    if all(word in _FAMILIES for word in words):
        return f" (по данным: {', '.join(_FAMILIES[word] for word in words)})"
    if re.fullmatch(_SPAN, group):
        return re.sub(r" s$", " с", group.replace(" h ", " ч ").replace(" min", " мин"))
    return re.sub(r"GPUs?$", "GPU", group)
