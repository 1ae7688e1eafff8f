"""
One sentence for an owner who knows none of our words: what is so, and what it means for them.

Pure.  It stands before everything that an expert reads.
"""

from datetime import tzinfo
from typing import Final

from reaper.domain.picture import CaseLine, Row
from reaper.web.languages.english import ENGLISH
from reaper.web.languages.language import Language

_UNUSED: Final = frozenset(("idle", "empty", "warm"))
_AT_WORK: Final = frozenset(("busy", "partial", "starved"))


def plainly(row: Row, now: float, zone: tzinfo, language: Language = ENGLISH) -> str:
    """Say in one sentence what an allocation does, and what follows for its owner."""
    texts = language.texts
    if row.verdict == "unknown":
        return texts["plain_unknown"]
    if row.verdict in _AT_WORK:
        return texts["plain_busy"]
    if row.verdict not in _UNUSED or row.idle_since is None:
        return texts["plain_left"]
    said = texts["plain_idle"].format(language.instant(row.idle_since, now, zone))
    return f"{said} {_follows(row, now, zone, language)}"


def _follows(row: Row, now: float, zone: tzinfo, language: Language) -> str:
    texts, case = language.texts, row.case
    if row.kept_until is not None and row.kept_until > now:
        return texts["plain_kept"].format(language.instant(row.kept_until, now, zone))
    if row.mode != "act":
        return texts["plain_watched"]
    if case is None:
        return texts["plain_first"]
    if case.state != "open" or not case.next_step:
        return texts["plain_under_way"]
    at = _release(case)
    if at is None or at <= now:
        return texts["plain_held"]
    return texts["plain_released"].format(language.instant(at, now, zone))


def _release(case: CaseLine) -> float | None:
    """Return the earliest release in sight."""
    if case.next_step in ("release", "save"):
        return case.due
    return case.release_at
