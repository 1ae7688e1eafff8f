"""
What a click is answered with, to its person alone: one calm sentence in their language.

A sentence of the requests room that says why something is refused is passed on as it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """
    The sentences of one language; `kept` and `refused` have a place for what they tell.

    `late` follows where its release had begun.
    """

    kept: str
    late: str
    released: str
    disputed: str
    refused: str
    used: str
    stranger: str
    altered: str
    unsure: str
    broken: str


ENGLISH: Final = Replies(
    kept="Kept until {0}.",
    late="Its release had begun: it is taken back where that can still be done.",
    released="Thank you. It is being released.",
    disputed="Noted. Nothing happens to it until an operator has looked.",
    refused="Nothing was changed: {0}",
    used="This message was answered already: an answer counts once.",
    stranger="This message was written to somebody else, and only they may answer it.",
    altered="This button no longer works: its message is too old. The newest message has its own.",
    unsure="Slack could not be asked who you are, so nothing was changed. Please try again.",
    broken="Something went wrong here, and nothing was changed. Please try again in a minute.",
)

RUSSIAN: Final = Replies(
    kept="Оставлено до {0}.",
    late="Освобождение уже началось: оно будет отменено, если это ещё возможно.",
    released="Спасибо. Ресурсы освобождаются.",
    disputed="Принято. Ничего не произойдёт, пока не посмотрит оператор.",
    refused="Ничего не изменено: {0}",
    used="На это сообщение уже ответили: ответ засчитывается один раз.",
    stranger="Это сообщение адресовано другому человеку, и ответить может только он.",
    altered="Эта кнопка больше не работает: сообщение устарело. В новом сообщении есть свои.",
    unsure="Не удалось узнать в Slack, кто вы, поэтому ничего не изменено. Попробуйте ещё раз.",
    broken="Здесь произошла ошибка, ничего не изменено. Попробуйте через минуту.",
)

_SPOKEN: Final[Mapping[str, Replies]] = {"ru": RUSSIAN}


def replies(language: str) -> Replies:
    """Return the sentences of a language; English where it is not spoken."""
    return _SPOKEN.get(language, ENGLISH)
