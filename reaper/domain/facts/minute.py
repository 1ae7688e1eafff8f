"""
One minute of one device: its letter and the evidence for it.

It reads the thresholds, in every mode; `plain` tells the same at a glance, by the same table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final

from reaper.domain.facts import evidence
from reaper.domain.facts.evidence import Evidence
from reaper.domain.facts.grid import Pace
from reaper.domain.facts.reading import PROFILED, Delta
from reaper.domain.facts.thresholds import Thresholds

ACTIVE: Final = "A"
LOW: Final = "L"
HELD: Final = "H"
EMPTY: Final = "E"
ENGINE_ONLY: Final = "X"
UNSEEN: Final = "?"
CONTRADICTED: Final = "!"
IDLE: Final = frozenset((HELD, EMPTY))
BLIND: Final = frozenset((UNSEEN, CONTRADICTED))
LETTERS: Final = frozenset("ALHEX?!")

#: The signal by which the tenants of a shared device are told apart.
TENANT: Final = "tenant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Watts a device draws when idle, learnt apart for "no context" and "context held"."""

    empty: float | None = None
    held: float | None = None

    def watts(self, *, held: bool) -> float | None:
        """Return the idle power for a device with or without a context; None if not learnt."""
        return self.held if held else self.empty


UNLEARNT: Final = Baseline()


@dataclass(frozen=True, slots=True, kw_only=True)
class Minute:
    """
    A letter and its evidence; `count` minutes of the grid share them.

    Of the first `unseen` of them nothing is known: what was done lies anywhere in all.
    """

    letter: str
    evidence: Evidence
    count: int = 1
    unseen: int = 0

    @property
    def letters(self) -> str:
        """Return the letters of its minutes."""
        return UNSEEN * self.unseen + self.letter * (self.count - self.unseen)


def letter(
    delta: Delta,
    *,
    thresholds: Thresholds,
    pace: Pace,
    baseline: Baseline = UNLEARNT,
    mig: bool = False,
    board: float | None = None,
    even: bool = False,
) -> Minute:
    """
    Classify an interval between two readings; ``?`` when more than 5 % of a minute is unseen.

    On a MIG instance (`mig`) utilisation does not exist: what stands for it is profiling again.
    `board` is what the device may draw at most, in watts.  Where several minutes share their
    readings, a little work on average may be much in a few of them: so many count as work, the
    newest ones, and the others are unseen.  Unless all of it is known to be `even`.
    """
    count = pace.minute(delta.end) - pace.minute(delta.begin)
    held, means = _held(delta, thresholds), delta.means()
    quiet = _witnesses(delta, means, thresholds, baseline, held=held, mig=mig)
    seen = _letter(delta, means, thresholds, pace, baseline, held=held, board=board)
    hidden = _hidden(delta, thresholds, pace) if seen == LOW and count > 1 and not even else 0
    return Minute(
        letter=ACTIVE if hidden else seen,
        unseen=count - min(hidden, count) if hidden else 0,
        evidence=Evidence(
            seconds=count * pace.step,
            seen=delta.observed,
            active=delta.active,
            above=delta.above,
            joules=delta.joules,
            witnesses=dict.fromkeys(quiet, count * pace.step),
        ),
        count=count,
    )


def _hidden(delta: Delta, thresholds: Thresholds, pace: Pace) -> int:
    """
    Return how many minutes of work a longer interval of little work on average may hide.

    None where it holds less than one, two at least where it may hold two: then its owner was
    back.  Where its signals were above the lowest edge is not known either.
    """
    floors = {
        "sm": thresholds.sm_active,
        "tensor": thresholds.tensor_active,
        "dram": thresholds.dram_active,
        "codec": thresholds.codec_active,
    }
    most = [delta.active.get(signal, 0.0) / floor for signal, floor in floors.items()]
    moved = (moved / thresholds.link_active for moved in delta.links.values())
    seconds = max((*most, *moved), default=0.0)
    above = delta.above[0] if delta.above else 0.0
    may = int(max(seconds, above) // pace.step)
    surely = ceil(max(delta.active.get(signal, 0.0) for signal in floors) / pace.step)
    return min(may, max(2, surely))


def unseen(count: int, pace: Pace) -> Minute:
    """Return `count` minutes of which nothing is known."""
    return Minute(letter=UNSEEN, evidence=Evidence(seconds=count * pace.step), count=count)


def of_tenant(
    whole: Minute, delta: Delta, key: str, *, thresholds: Thresholds, pace: Pace
) -> Minute:
    """
    Return a minute of one of several tenants of a device; `key` names its counter.

    A device at rest is at rest for all.  While it works, a tenant that used no engine holds it,
    by that one witness; one that did shares its letter; one that nobody tells apart is unseen.
    So are all while none used the engine: copies and codecs are on the counter of nobody.
    """
    if whole.letter in IDLE or whole.letter in BLIND:
        return whole
    told = max(delta.tenants.values(), default=0.0) > thresholds.engine_noise
    if key not in delta.tenants or not told or delta.unseen(TENANT) > pace.unseen:
        return unseen(whole.count, pace)
    busy = delta.tenants[key]
    used = busy > thresholds.engine_noise
    seconds = whole.count * pace.step
    return Minute(
        letter=whole.letter if used else HELD,
        evidence=Evidence(
            seconds=seconds,
            seen={"engine": delta.observed[TENANT]},
            active={"engine": busy},
            witnesses={} if used else {evidence.UTILISATION: seconds},
        ),
        count=whole.count,
    )


def _letter(
    delta: Delta,
    means: Mapping[str, float],
    thresholds: Thresholds,
    pace: Pace,
    baseline: Baseline,
    *,
    held: bool,
    board: float | None,
) -> str:
    profiled = "sm" in delta.active and delta.unseen("sm") <= pace.unseen
    if not profiled and ("engine" not in delta.active or delta.unseen("engine") > pace.unseen):
        return UNSEEN
    engine = means.get("engine", 0.0)
    silent = _silent(delta, means, thresholds, profiled=profiled)
    # Without profiling an engine at work explains the power of work.
    explained = not profiled and engine > thresholds.engine_noise
    draws = not explained and _draws(delta, thresholds, board)
    if silent and (draws or _latched(delta, engine, thresholds, held=held)):
        return CONTRADICTED
    if _works(delta, means, thresholds) or (not profiled and engine > thresholds.engine_noise):
        return ACTIVE
    if silent and engine > thresholds.engine_noise:
        return CONTRADICTED if _hot(delta, thresholds, baseline, held=held) else ENGINE_ONLY
    if silent:
        return HELD if held else EMPTY
    return LOW


def _works(delta: Delta, means: Mapping[str, float], thresholds: Thresholds) -> bool:
    return (
        means.get("sm", 0.0) >= thresholds.sm_active
        or means.get("tensor", 0.0) >= thresholds.tensor_active
        or means.get("dram", 0.0) >= thresholds.dram_active
        or means.get("codec", 0.0) >= thresholds.codec_active
        or delta.rate >= thresholds.link_active
    )


def _silent(
    delta: Delta, means: Mapping[str, float], thresholds: Thresholds, *, profiled: bool
) -> bool:
    """Tell whether every signal but utilisation lies below its noise, at every second."""
    lowest = delta.above[0] if delta.above and profiled else 0.0
    return (
        lowest == 0.0
        and all(means.get(signal, 0.0) < thresholds.noise for signal in (*PROFILED, "codec"))
        and delta.rate < thresholds.link_noise
    )


def _held(delta: Delta, thresholds: Thresholds) -> bool:
    return bool(delta.processes) or (delta.memory_used or 0.0) > thresholds.context_bytes


def _hot(delta: Delta, thresholds: Thresholds, baseline: Baseline, *, held: bool) -> bool:
    """Tell whether the power says work: twice the margin above the learnt baseline."""
    idle = baseline.watts(held=held)
    watts = delta.power
    return (
        idle is not None and watts is not None and watts > idle * (1 + 2 * thresholds.power_margin)
    )


def _draws(delta: Delta, thresholds: Thresholds, board: float | None) -> bool:
    """Tell whether it draws what nothing but work does."""
    watts = delta.power
    return board is not None and watts is not None and watts >= board * thresholds.power_works


def _latched(delta: Delta, engine: float, thresholds: Thresholds, *, held: bool) -> bool:
    """
    Tell whether utilisation stands at its top while nothing is there that could use the engine.

    Where processes are not listed, no memory says so.
    """
    used = delta.memory_used
    listed = delta.processes is not None
    nobody = used is not None and not held and (listed or used <= thresholds.nothing_bytes)
    return nobody and engine >= thresholds.engine_latched


def _witnesses(
    delta: Delta,
    means: Mapping[str, float],
    thresholds: Thresholds,
    baseline: Baseline,
    *,
    held: bool,
    mig: bool,
) -> tuple[str, ...]:
    """Return the families that say idle; one call of the driver is one family."""
    idle = baseline.watts(held=held)
    watts = delta.power
    utilised = "engine" in delta.active and not mig
    profiling = _says_profiling(delta, means, thresholds)
    says = {
        evidence.PROFILING: profiling,
        evidence.UTILISATION: utilised
        and delta.active["engine"] == 0.0
        and delta.observed.get("engine", 0.0) >= delta.seconds * evidence.FULL,
        evidence.POWER: idle is not None
        and watts is not None
        and watts <= idle * (1 + thresholds.power_margin),
        evidence.CONTEXT: delta.processes == 0
        and (delta.memory_used is not None and delta.memory_used <= thresholds.context_bytes),
        evidence.HISTORY: mig and profiling and delta.counted,
    }
    return tuple(family for family in evidence.FAMILIES if says[family])


def _says_profiling(delta: Delta, means: Mapping[str, float], thresholds: Thresholds) -> bool:
    return (
        "sm" in delta.active
        and all(means.get(signal, 0.0) < thresholds.noise for signal in PROFILED)
        and delta.observed.get("sm", 0.0) >= delta.seconds * evidence.FULL
        and not any(delta.above[:1])
    )
