"""The languages in which reports are written, by their codes."""

from collections.abc import Mapping
from typing import Final

from reaper.reports.languages.english import ENGLISH
from reaper.reports.languages.russian import RUSSIAN
from reaper.reports.languages.tongue import Tongue

TONGUES: Final[Mapping[str, Tongue]] = {one.code: one for one in (ENGLISH, RUSSIAN)}


def tongue(code: str) -> Tongue:
    """Return a language by its code; English for one that has no words here."""
    return TONGUES.get(code, ENGLISH)
