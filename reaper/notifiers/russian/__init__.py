"""
Notices in Russian: short, calm, no blame.

"бы" wherever the policy does not act, so that no one fears what will not happen.  GPU is not
declined; counted words have three forms (1 минуту, 2 минуты, 5 минут).
"""

from typing import Final

from reaper.notifiers.russian import letters
from reaper.notifiers.texts import Language

RUSSIAN: Final = Language(
    writers={
        "warning": letters.warning,
        "final": letters.final,
        "released": letters.released,
        "reverted": letters.reverted,
        "failed": letters.failed,
        "operator": letters.operator,
    },
    digest=letters.digest,
    asking=letters.asking,
    twice="Это сообщение может прийти дважды: неизвестно, дошло ли оно в первый раз.",
    absent="Вы получили это, потому что {} здесь больше не работает, а вы указаны как контакт.",
    links="Каждая ссылка открывает страницу, которая сначала спросит. "
    "Не пересылайте их: по ним отвечают от вашего имени.",
)
