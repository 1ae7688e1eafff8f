"""Keeps: an owner's time-limited "still needed", within a budget."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from reaper.domain.judgement.policy import KeepRule
from reaper.domain.reason import Reason, because

#: Longest keep that an operator may give; for longer there are exemptions.
LONGEST_BY_OPERATOR: Final = 14 * 86400.0

#: Seconds by which a keep must outlast the one that stands, to be another and not its repetition.
SECOND_PRESS: Final = 300.0

_DAY: Final = 86400.0
_WEEK: Final = 7 * _DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """A keep of one run, from when it was asked until it ends."""

    id: str
    run_key: str
    by: str
    reason: str
    begin: float
    until: float
    morning: bool = False
    """Until the next working morning: it has a budget of its own, by the week."""
    operator: bool = False
    """Given by an operator: it takes nothing from its owner's budget."""

    @property
    def giver(self) -> str:
        """Return who gave it, as its owner may read it: of operators no name."""
        return "an operator" if self.operator else self.by

    @property
    def said(self) -> Reason:
        """Return what it says of a run that it protects."""
        return because("operator-kept") if self.operator else because("kept", giver=self.by)


def keyed(keeps: Iterable[Keep]) -> dict[str, list[Keep]]:
    """Return keeps by the key of the run that each protects."""
    found: dict[str, list[Keep]] = {}
    for keep in keeps:
        found.setdefault(keep.run_key, []).append(keep)
    return found


def active(keeps: Iterable[Keep], *, run_key: str, now: float) -> Keep | None:
    """Return the keep that protects a run longest from now on, if any."""
    standing = [
        keep for keep in keeps if keep.run_key == run_key and keep.begin <= now < keep.until
    ]
    return max(standing, key=lambda keep: keep.until, default=None)


def same(keeps: Iterable[Keep], wanted: Keep) -> Keep | None:
    """Return the standing keep to which a wanted one adds next to nothing, as a second press."""
    standing = active(keeps, run_key=wanted.run_key, now=wanted.begin)
    if standing is None or wanted.until - standing.until > SECOND_PRESS:
        return None
    return standing


def keeps_left(
    keeps: Iterable[Keep], rule: KeepRule, *, run_key: str, now: float, used: float | None = None
) -> int:
    """
    Return how many keeps of a run its owner still has today.

    What was `used` last before a whole day's keeps has none until it is used again; None where
    that is not known.
    """
    begun = _begun(keeps, run_key)
    if _unused(begun, rule, used):
        return 0
    return max(0, rule.per_day - sum(1 for begin in begun if begin > now - _DAY))


def mornings_left(keeps: Iterable[Keep], rule: KeepRule, *, run_key: str, now: float) -> int:
    """Return how often this week its owner may still keep a run until the next morning."""
    spent = sum(1 for keep in _own(keeps, run_key) if keep.morning and keep.begin > now - _WEEK)
    return max(0, rule.mornings_per_week - spent)


def keep_again(
    keeps: Iterable[Keep], rule: KeepRule, *, run_key: str, now: float, used: float | None = None
) -> float | None:
    """
    Return when the owner of a run who has no keep left has one again; None for never.

    None also where it must be used before; see `keeps_left`.
    """
    begun = _begun(keeps, run_key)
    late = [begin for begin in begun if begin > now - _DAY]
    if not rule.per_day or len(late) < rule.per_day or _unused(begun, rule, used):
        return None
    return late[-rule.per_day] + _DAY


def refusal(
    keeps: Iterable[Keep], rule: KeepRule, *, wanted: Keep, used: float | None = None
) -> Reason | None:
    """Return why a keep exceeds the budget, or None when it does not."""
    run_key, now = wanted.run_key, wanted.begin
    if wanted.morning:
        if mornings_left(keeps, rule, run_key=run_key, now=now):
            return None
        allowed = rule.mornings_per_week
        return because("mornings-used-up", allowed=allowed) if allowed else because("no-mornings")
    if wanted.until - wanted.begin > rule.per_request:
        return because("longer-than-allowed", hours=f"{rule.per_request / 3600:g}")
    if keeps_left(keeps, rule, run_key=run_key, now=now, used=used):
        return None
    unused = _unused(_begun(keeps, run_key), rule, used)
    return because("keeps-used-up-unused" if unused else "keeps-used-up", allowed=rule.per_day)


def _unused(begun: list[float], rule: KeepRule, used: float | None) -> bool:
    """Tell whether a whole day's keeps were taken since it was used; not where that is unknown."""
    if used is None or not rule.per_day:
        return False
    since = [begin for begin in begun if begin > used]
    firsts, lasts = since, since[rule.per_day - 1 :]
    return any(last - first < _DAY for first, last in zip(firsts, lasts, strict=False))


def _begun(keeps: Iterable[Keep], run_key: str) -> list[float]:
    """Return when the keeps of a run by the hour began, in order."""
    return sorted(keep.begin for keep in _own(keeps, run_key) if not keep.morning)


def _own(keeps: Iterable[Keep], run_key: str) -> Iterable[Keep]:
    return (keep for keep in keeps if keep.run_key == run_key and not keep.operator)
