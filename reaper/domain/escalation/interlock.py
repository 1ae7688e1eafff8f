"""Interlocks: signs that the system itself may be wrong; each latches until cleared."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reaper.domain.escalation.decision import Hold, Intent, Phase, Verb
from reaper.domain.reason import Reason, because


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """The state of the whole system in one cycle."""

    now: float
    allocated: int
    covered: int
    """Allocated devices with a supported signal that were seen in the newest minute."""
    supported: int
    """Allocated devices that have a supported signal."""
    idle: int
    idle_before: int | None = None
    """Idle devices a quarter of an hour ago; None when that is not known."""
    exporters: int = 0
    restarted: int = 0
    """Exporters whose start changed within the last hour."""
    clock_step: float = 0.0
    """Seconds by which our wall clock moved against the monotonic one since the last cycle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """When interlocks trip; ratios of 0 to 1, seconds, counts."""

    coverage: float = 0.90
    jump: float = 0.20
    jump_devices: int = 16
    restarts: float = 0.20
    restarts_at_least: int = 3
    clock_step: float = 30.0
    failures: int = 2


#: Prefix of every latched hold's id, so that each kind trips once.
KIND: Final = "interlock"


def trips(
    vitals: Vitals, recent: Sequence[Intent], standing: Sequence[Hold], bounds: Bounds
) -> tuple[Hold, ...]:
    """Return the interlocks that trip now and are not latched already."""
    latched = {hold.id for hold in standing}
    found = (
        _coverage(vitals, bounds),
        _jump(vitals, bounds),
        _restarts(vitals, bounds),
        _clock(vitals, bounds),
        _failures(recent, bounds),
    )
    return tuple(
        Hold(id=f"{KIND}:{name}", kind=KIND, reason=reason, by="gpu-reaper", begin=vitals.now)
        for name, reason in found
        if reason is not None and f"{KIND}:{name}" not in latched
    )


def _coverage(vitals: Vitals, bounds: Bounds) -> tuple[str, Reason | None]:
    if not vitals.supported or vitals.covered >= bounds.coverage * vitals.supported:
        return "coverage", None
    seen = vitals.covered / vitals.supported
    return "coverage", because("few-seen", percent=round(100 * seen))


def _jump(vitals: Vitals, bounds: Bounds) -> tuple[str, Reason | None]:
    if vitals.idle_before is None or not vitals.allocated:
        return "jump", None
    grown = vitals.idle - vitals.idle_before
    if grown < bounds.jump_devices or grown <= bounds.jump * vitals.allocated:
        return "jump", None
    return "jump", because("turned-idle", devices=grown, of=vitals.allocated)


def _restarts(vitals: Vitals, bounds: Bounds) -> tuple[str, Reason | None]:
    many = vitals.restarted >= bounds.restarts_at_least
    if not many or vitals.restarted <= bounds.restarts * vitals.exporters:
        return "restarts", None
    return "restarts", because(
        "exporters-restarted", restarted=vitals.restarted, exporters=vitals.exporters
    )


def _clock(vitals: Vitals, bounds: Bounds) -> tuple[str, Reason | None]:
    if abs(vitals.clock_step) <= bounds.clock_step:
        return "clock", None
    return "clock", because("clock-stepped", seconds=f"{vitals.clock_step:+.0f}")


def _failures(recent: Sequence[Intent], bounds: Bounds) -> tuple[str, Reason | None]:
    ended = [
        item
        for item in recent
        if item.effect.verb is Verb.RELEASE
        and item.phase in (Phase.VERIFIED, Phase.FAILED, Phase.REVERTED)
    ]
    last = sorted(ended, key=lambda item: item.changed)[-bounds.failures :]
    failed = len(last) == bounds.failures and all(item.phase is not Phase.VERIFIED for item in last)
    return "verification", because("last-acts-failed") if failed else None
