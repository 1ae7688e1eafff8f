"""Keeps: an owner's time-limited "still needed", within a budget."""

from collections.abc import Iterable
from dataclasses import dataclass

from reaper.domain.judgement.policy import KeepRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """A keep of one run, from when it was asked until it ends."""

    id: str
    run_key: str
    by: str
    reason: str
    begin: float
    until: float


def active(keeps: Iterable[Keep], *, run_key: str, now: float) -> Keep | None:
    """Return the keep that protects a run longest from now on, if any."""
    standing = [
        keep for keep in keeps if keep.run_key == run_key and keep.begin <= now < keep.until
    ]
    return max(standing, key=lambda keep: keep.until, default=None)


def refusal(keeps: Iterable[Keep], rule: KeepRule, *, wanted: Keep, day: float = 86400.0) -> str:
    """Return why a keep exceeds the budget, or an empty text when it does not."""
    if wanted.until - wanted.begin > rule.per_request:
        return f"at most {rule.per_request / 3600:g} h at a time"
    since = wanted.begin - day
    recent = sum(1 for keep in keeps if keep.run_key == wanted.run_key and keep.begin > since)
    return f"only {rule.per_day} keeps a day" if recent >= rule.per_day else ""
