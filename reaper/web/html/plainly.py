"""
One sentence for an owner who knows none of our words: what is so, and what it means for them.

Pure.  It stands before everything that an expert reads.
"""

from datetime import tzinfo
from typing import Final

from reaper.domain.picture import CaseLine, Row
from reaper.languages.language import Language
from reaper.web.languages import ENGLISH

_UNUSED: Final = frozenset(("idle", "empty", "warm"))
_AT_WORK: Final = frozenset(("busy", "partial", "starved"))


def plainly(row: Row, now: float, zone: tzinfo, language: Language = ENGLISH) -> str:
    """Say in one sentence what an allocation does, and what follows for its owner."""
    if row.verdict == "unknown":
        return language.text("plain_unknown")
    if row.verdict in _AT_WORK:
        return language.text("plain_busy")
    if row.verdict not in _UNUSED or row.idle_since is None:
        return language.text("plain_left")
    said = language.text("plain_idle", at=language.instant(row.idle_since, now, zone))
    return f"{said} {_follows(row, now, zone, language)}"


def _follows(row: Row, now: float, zone: tzinfo, language: Language) -> str:
    case = row.case
    if row.kept_until is not None and row.kept_until > now:
        return language.text("plain_kept", at=language.instant(row.kept_until, now, zone))
    if row.mode != "act":
        return language.text("plain_watched")
    if case is None:
        return language.text("plain_first")
    if case.state != "open" or not case.next_step:
        return language.text("plain_under_way")
    at = _release(case)
    if at is None or at <= now:
        return language.text("plain_held")
    return language.text("plain_released", at=language.instant(at, now, zone))


def _release(case: CaseLine) -> float | None:
    """Return the earliest release in sight."""
    if case.next_step in ("release", "save"):
        return case.due
    return case.release_at
