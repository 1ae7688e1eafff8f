"""
Sequels: what has become of what a notice told of, so that its message can be brought up to date.

A message that still offers answers, or still warns, when all is long decided, misleads.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.keep import Keep
from reaper.domain.escalation.notice import Delivery, Notice


class Fate(StrEnum):
    """What has become of it; `passed` is all that needs no word more."""

    KEPT = "kept"
    DISPUTED = "disputed"
    ASKED = "asked"
    """Its owner asked for the release, which is under way."""
    RETURNED = "returned"
    RELEASED = "released"
    GIVEN_BACK = "given back"
    REPLACED = "replaced"
    """A later notice speaks of it."""
    PASSED = "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequel:
    """
    A fate with its numbers: by whom, and until when where it ends by itself (Unix seconds).

    `by` is "" for an operator, whose name is not its owner's to read.
    """

    fate: Fate
    by: str = ""
    until: float | None = None

    @property
    def mark(self) -> str:
        """Return what tells one sequel from another, short enough to be kept with a notice."""
        until = "" if self.until is None else f"{self.until:.0f}"
        return f"{self.fate}:{until}:{self.by}"


#: Kinds of notices that warn, and so offer every answer.
WARNINGS: Final = frozenset(("warning", "final"))

_OUTCOMES: Final = {
    "released": Fate.RELEASED,
    "activity returned": Fate.RETURNED,
    "its person came back": Fate.RETURNED,
    "it is at work": Fate.RETURNED,
}


def sequel(
    notice: Notice, case: Case, keeps: Iterable[Keep], later: Sequence[Notice]
) -> Sequel | None:
    """
    Return what has become of what a notice told of; None while it stands as it was told.

    `keeps` are those of the run, `later` the notices of the case that came after this one.
    """
    if notice.kind not in WARNINGS:
        return Sequel(fate=Fate.DISPUTED) if case.disputed else None
    if case.closed is not None:
        return _closed(case)
    if any(item.kind in WARNINGS and item.delivery is Delivery.DELIVERED for item in later):
        return Sequel(fate=Fate.REPLACED)
    if case.disputed:
        return Sequel(fate=Fate.DISPUTED)
    if case.own_release is not None:
        return Sequel(fate=Fate.ASKED, by=case.own_release.by)
    kept = max(
        (keep for keep in keeps if keep.until > notice.created),
        key=lambda keep: keep.until,
        default=None,
    )
    if kept is None:
        return None
    return Sequel(fate=Fate.KEPT, by="" if kept.operator else kept.by, until=kept.until)


def _closed(case: Case) -> Sequel:
    if case.own_release is not None:
        return Sequel(fate=Fate.GIVEN_BACK, by=case.own_release.by)
    return Sequel(fate=_OUTCOMES.get(case.outcome, Fate.PASSED))
