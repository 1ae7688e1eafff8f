"""
The lines that the verdict and the outcome come in, said in Russian.

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

_SPAN: Final = r"(\d+ h \d+ min|\d+ min|\d+ s)"
_BY: Final = r"((?:profiling|utilisation|power|context|history)(?: and \w+)*)"

_PARTS: Final = (
    (rf"no work on (.+?) for {_SPAN}(?: by {_BY})?", "нет работы на {0}: {1}{2}"),
    (rf"little or no work on (.+?) for {_SPAN}(?: by {_BY})?", "почти нет работы на {0}: {1}{2}"),
    (rf"no request for {_SPAN}, no work by {_BY}", "нет запросов: {0}, нет работы{1}"),
    (r"memory or a context held", "занята память или контекст"),
    (r"no process, no memory held", "нет процессов, память свободна"),
    (r"its host worked (\d+)% of that time", "процессор работал {0} % этого времени"),
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
