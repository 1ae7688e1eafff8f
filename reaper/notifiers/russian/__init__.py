"""
Notices in Russian: short, calm, no blame.

"бы" wherever the policy does not act, so that no one fears what will not happen.  GPU is not
declined; counted words have three forms (1 минуту, 2 минуты, 5 минут).
"""

from collections.abc import Mapping
from typing import Final

from reaper.domain.escalation.sequel import Fate
from reaper.notifiers.russian import letters
from reaper.notifiers.russian.advice import advice
from reaper.notifiers.russian.phrases import moment
from reaper.notifiers.texts import Language

FATES: Final[Mapping[Fate, str]] = {
    Fate.KEPT: "Оставлено до {until} ({by}).",
    Fate.DISPUTED: "Получено сообщение об ошибке: ничего не произойдёт, пока не проверит оператор.",
    Fate.ASKED: "Запрошено освобождение ({by}), оно выполняется.",
    Fate.RETURNED: "GPU снова работают: это уведомление больше не действует.",
    Fate.RELEASED: "Освобождено.",
    Fate.GIVEN_BACK: "Освобождено по запросу ({by}). Спасибо.",
    Fate.REPLACED: "Есть более новое сообщение: оно говорит, как обстоят дела.",
    Fate.PASSED: "Это уведомление больше не действует: за ним ничего не последует.",
}

RUSSIAN: Final = Language(
    writers={
        "warning": letters.warning,
        "final": letters.final,
        "released": letters.released,
        "reverted": letters.reverted,
        "failed": letters.failed,
        "operator": letters.operator,
        "advice": lambda story, reader: advice((story,), reader),
    },
    digest=lambda kind, stories, reader: (
        advice(stories, reader) if kind == "advice" else letters.digest(kind, stories, reader)
    ),
    asking=letters.asking,
    twice="Это сообщение может прийти дважды: неизвестно, дошло ли оно в первый раз.",
    late="Уведомление пришло с опозданием, раньше его доставить не удалось: всё в нём на сейчас.",
    absent="Вы получили это, потому что {} здесь больше не работает, а вы указаны как контакт.",
    links="Каждая ссылка открывает страницу, которая сначала спросит. "
    "Не пересылайте их: по ним отвечают от вашего имени.",
    fates=FATES,
    operator="оператор",
    why="Почему?",
    back="Назад",
    moment=moment,
)
