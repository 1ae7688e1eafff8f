"""
Notices in English: short, calm, no blame.

"would be" wherever the policy does not act, so that no one fears what will not happen.
"""

from typing import Final

from reaper.notifiers.english import letters
from reaper.notifiers.texts import Language

ENGLISH: Final = Language(
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
    twice="You may get this twice: it is not known whether it arrived the first time.",
    absent="{} has left, and you are named as who answers for them.",
    links="Each link opens a page that asks first. Please do not pass them on: "
    "they answer in your name.",
)
