"""Policies as an operator writes them: whom they match, the window, the ladder, the mode."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final, Literal

from reaper.domain.facts.allocation import Allocation, Purpose

#: Where nothing proves its person away, a window grows by this factor, at least to so many steps.
LONGER: Final = 4
LONGER_AT_LEAST: Final = 240


class Mode(StrEnum):
    """How far a policy may go."""

    OBSERVE = "observe"
    NOTIFY = "notify"
    ACT = "act"


Step = Literal["warn", "save", "release"]
Doubtful = Literal["hold", "longer"]
Counted = Literal["idle", "low"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """
    How a job is asked to save itself, and what proves that it did.

    `signal` is sent only where it is caught ("" for whichever usual one is); the newest file
    below `path` (``{workdir}``, ``{job}`` and ``{user}`` are filled in) must be newer than the
    request, `within` seconds.
    """

    signal: str
    path: str
    within: float
    to: Literal["batch", "step"] | None = None
    """Who gets it; None for the batch script, or where that does not catch it every step."""
    unproven: Literal["hold", "release"] = "hold"
    """What follows where no save is proven: nothing, or the release all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """
    One rung of a ladder.

    A warning is due `after` so much idleness; the first act `grace` after the final warning
    was delivered.
    """

    step: Step
    after: float = 0.0
    final: bool = False
    grace: float = 0.0
    requeue: bool = False
    save: Save | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Whom a policy is for; every given field must fit, patterns are shell-style."""

    platform: tuple[str, ...] = ()
    cluster: tuple[str, ...] = ()
    partition: tuple[str, ...] = ()
    qos: tuple[str, ...] = ()
    account: tuple[str, ...] = ()
    team: tuple[str, ...] = ()
    user: tuple[str, ...] = ()
    purpose: tuple[Purpose, ...] = ()
    model: tuple[str, ...] = ()
    name: tuple[str, ...] = ()
    namespace: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    """Patterns of ``key=value``; one label that fits one of them is enough."""
    session: tuple[str, ...] = ()
    """Kinds of sessions, one of which runs in it."""
    older_than: float = 0.0
    """Seconds since it began."""
    requeueable: bool | None = None
    devices_at_least: int = 0
    devices_at_most: int | None = None

    def fits(self, allocation: Allocation, now: float) -> bool:
        """Tell whether the policy is for this allocation."""
        claim = allocation.claim
        patterns = (
            (self.platform, allocation.run.platform),
            (self.cluster, allocation.run.cluster),
            (self.partition, claim.partition),
            (self.qos, claim.qos),
            (self.account, claim.account),
            (self.team, claim.team),
            (self.user, allocation.owner),
            (self.model, allocation.model),
            (self.name, claim.name),
            (self.namespace, claim.namespace),
        )
        kinds = tuple(sign.kind for sign in allocation.signs)
        return (
            all(_any(wanted, value) for wanted, value in patterns)
            and (not self.purpose or allocation.purpose in self.purpose)
            and _one(self.label, claim.labels)
            and _one(self.session, kinds)
            and now - allocation.run.started >= self.older_than
            and self.requeueable in (None, claim.requeueable)
            and self.devices_at_least <= allocation.expected
            and (self.devices_at_most is None or allocation.expected <= self.devices_at_most)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepRule:
    """An owner's budget of keeps: each at most `per_request` seconds, so many a day."""

    per_request: float = 4 * 3600.0
    per_day: int = 2
    mornings_per_week: int = 0
    """How often a week a keep may last until the next working morning, however long that is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exemption:
    """An operator's standing no, with its reason and expiry (None: until removed)."""

    match: Match
    reason: str
    until: float | None = None

    def covers(self, allocation: Allocation, now: float) -> bool:
        """Tell whether the exemption holds for the allocation now."""
        return (self.until is None or now < self.until) and self.match.fits(allocation, now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours:
    """Working hours in a named zone: weekdays (Monday is 0) from `begin` to `end` o'clock."""

    zone: str = "UTC"
    weekdays: tuple[int, ...] = (0, 1, 2, 3, 4)
    begin: float = 9.0
    end: float = 18.0
    holidays: tuple[str, ...] = ()
    """Dates on which nobody works, as ``2026-12-25``."""


#: Ends the version of a policy of which only the warnings are left.
_TOLD: Final = "+told"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """
    One policy; `version` is a digest of all that decides, so that a case can pin it.

    `idle_for` is the window, `away_for` how long the person must be proven away.
    """

    name: str
    version: str
    match: Match = field(default_factory=Match)
    idle_for: float = 3600.0
    away_for: float = 1800.0
    counting: tuple[Counted, ...] = ("idle",)
    """What makes up the window; low activity counts only for policies that never act."""
    presence_unknown: Doubtful = "longer"
    demand: Literal["any", "waiting"] = "any"
    team_held_over: int | None = None
    """Only while its team holds more GPUs than this."""
    team_idle_over: int | None = None
    """Only while its team holds more idle GPUs than this."""
    rungs: tuple[Rung, ...] = ()
    keep: KeepRule = field(default_factory=KeepRule)
    notices_per_day: int = 4
    """Warnings and final notices of one allocation in 24 hours, at most."""
    mode: Mode = Mode.OBSERVE
    hours: Hours = field(default_factory=Hours)
    also: tuple[str, ...] = ()
    """Verdicts beyond idle and empty that it releases: ``idle, host busy`` and ``warm``."""
    any_hour: bool = False
    """Release at any hour; the default waits for the owner's working hours or for demand."""

    @property
    def written(self) -> str:
        """Return the version of what an operator has written."""
        return self.version.removesuffix(_TOLD)

    @property
    def has_quota(self) -> bool:
        """Tell whether it spares a team that keeps within a quota."""
        return self.team_held_over is not None or self.team_idle_over is not None

    @property
    def warnings(self) -> tuple[Rung, ...]:
        """Return the rungs that warn, in order."""
        return tuple(rung for rung in self.rungs if rung.step == "warn")

    @property
    def acts(self) -> tuple[Rung, ...]:
        """Return the rungs that act, in order."""
        return tuple(rung for rung in self.rungs if rung.step != "warn")

    @property
    def grace(self) -> float:
        """Return the time between the final warning's delivery and the first act."""
        return max((rung.grace for rung in self.acts), default=0.0)

    def only_telling(self) -> "Policy":
        """
        Return the policy for what cannot be ended for good: it warns, and promises no release.

        Its version is another: were it to act one day, everything would be said anew before.
        """
        if not self.acts:
            return self
        mode = Mode.NOTIFY if self.mode is Mode.ACT else self.mode
        return replace(self, rungs=self.warnings, mode=mode, version=f"{self.version}{_TOLD}")


def choose(policies: tuple[Policy, ...], allocation: Allocation, now: float) -> Policy | None:
    """Return the first policy that fits, like a firewall; None when none does."""
    found = next((policy for policy in policies if policy.match.fits(allocation, now)), None)
    return found.only_telling() if found and allocation.claim.reverter else found


def _one(patterns: tuple[str, ...], values: tuple[str, ...]) -> bool:
    return not patterns or any(_any(patterns, value) for value in values)


def _any(patterns: tuple[str, ...], value: str) -> bool:
    return not patterns or any(fnmatchcase(value, pattern) for pattern in patterns)


def longer_window(window: float, step: float = 60.0) -> float:
    """Return the window of an allocation whose person nothing proves away; seconds."""
    return max(LONGER * window, LONGER_AT_LEAST * step)
