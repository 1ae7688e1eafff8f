"""
Notices in English: short, calm, no blame.

"would be" wherever the policy does not act, so that no one fears what will not happen.
"""

from collections.abc import Mapping
from typing import Final

from reaper.domain.escalation.sequel import Fate
from reaper.notifiers.english import letters
from reaper.notifiers.english.advice import advice
from reaper.notifiers.english.phrases import moment
from reaper.notifiers.texts import Language

FATES: Final[Mapping[Fate, str]] = {
    Fate.KEPT: "Kept until {until}, by {by}.",
    Fate.DISPUTED: "Disputed: nothing happens to it until an operator has looked.",
    Fate.ASKED: "{by} asked for its release, which is under way.",
    Fate.RETURNED: "It is in use again: this notice is over.",
    Fate.RELEASED: "It was released.",
    Fate.GIVEN_BACK: "It was released, as {by} asked. Thank you.",
    Fate.REPLACED: "A newer message tells how it stands.",
    Fate.PASSED: "This notice is over: nothing more follows from it.",
}

ENGLISH: Final = Language(
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
    twice="You may get this twice: it is not known whether it arrived the first time.",
    late="This comes late, for it could not be told before: all that it says is of now.",
    absent="{} has left, and you are named as who answers for them.",
    links="Each link opens a page that asks first. Please do not pass them on: "
    "they answer in your name.",
    fates=FATES,
    operator="an operator",
    why="Why?",
    back="Go back",
    moment=moment,
)
