"""Lines of ours that reports quote, in Russian: proposals, findings, events, pseudonyms."""

import re
from collections.abc import Iterator
from typing import Final

_CLASSES: Final = {
    "interactive": "интерактивных",
    "training": "учебных",
    "inference": "серверных",
    "deferred": "отложенных",
    "unclassified": "прочих",
}
"""What allocations are for, as the proposals say it of them."""

_WHERE: Final = r"(?: in partition (?P<where>.+?))?"
_CLASS: Final = f"({'|'.join(_CLASSES)})"

_PROPOSALS: Final = (
    (
        rf"Release {_CLASS} allocations{_WHERE} after (\S+) h without work",
        "Освобождать GPU {0} заданий{1} после {2} ч без работы",
    ),
    (
        (
            r"(\d+) of (\d+) runs? were idle to their end; (\S+) GPU-h lay beyond the first (\S+) "
            r"h of their last stretch, and no work followed it"
        ),
        (
            "простаивали до конца {0} из {1}; {2} GPU-ч пришлись на время после первых {3} ч "
            "последнего простоя, и работы за ним не было"
        ),
    ),
    (
        rf"Default time limit of (\S+) h for {_CLASS} allocations{_WHERE}",
        "Лимит времени по умолчанию {0} ч для {1} заданий{2}",
    ),
    (
        (
            r"(\d+) runs? idle from that age to the end: (\S+) GPU-h; (\d+) of (\d+) runs? still "
            r"worked then and would ask for longer"
        ),
        (
            "с этого возраста до конца простаивали {0}: {1} GPU-ч; работали тогда ещё {2} из {3}, "
            "им понадобилось бы больше времени"
        ),
    ),
    (r"Let the policies in force act", "Разрешить действующим политикам действовать"),
    (
        (r"(\S+) of (\S+) wasted GPU-h came after a policy could have released, or was held back"),
        (
            "{0} из {1} GPU-ч, прошедших впустую, пришлись на время, когда политика уже могла "
            "освободить или её удержали"
        ),
    ),
    (r"Ask no team to request fewer GPUs per job", "Просить меньше GPU на задание без команды"),
    (
        r"Ask (.+) to request fewer GPUs per job",
        "Попросить команду {0} запрашивать меньше GPU на задание",
    ),
    (
        (r"(\S+) of its (\S+) wasted GPU-h were idle devices of jobs whose other devices worked"),
        (
            "{0} из {1} GPU-ч, прошедших у неё впустую, — это простаивавшие устройства заданий, "
            "у которых другие устройства работали"
        ),
    ),
    (r"Give (.+) a price", "Назначить цену: {0}"),
    (r"(\S+) held GPU-h are in no sum of money", "{0} занятых GPU-ч не входят ни в одну сумму"),
    (r"See what is unseen", "Увидеть то, чего не видно"),
    (
        (
            r"(\S+) of (\S+) held GPU-h were unseen; they make the range (\S+) GPU-h wide, (\S+) "
            r"of them seen idle in stretches that unseen minutes cut short"
        ),
        (
            "{0} из {1} занятых GPU-ч не было видно; из-за них диапазон шириной {2} GPU-ч, из них "
            "{3} — простой в отрезках, которые укоротили невидимые минуты"
        ),
    ),
    (
        r"(\S+) of (\S+) held GPU-h were unseen; they make the range (\S+) GPU-h wide",
        "{0} из {1} занятых GPU-ч не было видно; из-за них диапазон шириной {2} GPU-ч",
    ),
)
"""Shapes of what is proposed, and of the arithmetic behind it."""

_FINDINGS: Final = (
    (r"held, but not in the inventory", "занято, но в инвентаре этого нет"),
    (r"state '(.+)' is taken for down", "состояние «{0}» принято за «не работает»"),
    (r"claimed by several runs together", "занято сразу несколькими заданиями"),
    (
        r"claimed by (.+) together: counted once, as unknown",
        "занято сразу: {0}; засчитано один раз, как неизвестное",
    ),
    (
        (
            r"(\d+) (\w+) runs of (\S+), (\d+) min in the median, held (\S+) GPU-h together and "
            r"worked in (\S+) of them"
        ),
        (
            "у владельца {2} заданий: {0}, медиана {3} мин; вместе заняли {4} GPU-ч и работали "
            "{5} из них"
        ),
    ),
    (r"unpriced in no partition: (.+) fit alike", "нет цены: одинаково подходят {0}"),
    (r"unpriced in (.+?): (.+) fit alike", "нет цены в разделе {0}: одинаково подходят {1}"),
    (r"an owner's work", "работа одного владельца"),
    (r"owner (\d+)", "владелец {0}"),
    (r"allocation/(\d+)", "задание/{0}"),
    (r"allocation (\d+)", "задание {0}"),
)
"""Shapes of contradictions, and of pseudonyms."""

_SHAPES: Final = tuple((re.compile(shape), said) for shape, said in (*_PROPOSALS, *_FINDINGS))


def line(text: str) -> str:
    """Say a line of ours; as it came where it has another shape."""
    for shape, said in _SHAPES:
        if found := shape.fullmatch(text):
            return said.format(*_told(found))
    name, colon, rest = text.partition(": ")
    if colon and "/" in name and (said := line(rest)) != rest:
        return f"{name}: {said}"
    return text


def _told(found: re.Match[str]) -> Iterator[str]:
    """Yield what stands in a line: of a partition where it is, of a class its words."""
    where = found.re.groupindex.get("where")
    for number, group in enumerate(found.groups(), start=1):
        if number == where:
            yield f" в разделе {group}" if group else ""
        else:
            yield _CLASSES.get(group, group)
