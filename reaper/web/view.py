"""
What the page says of a picture, in words: banners, the headline's figures, what happens next.

Pure.  It chooses and orders; every figure is the picture's own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final, Literal

from reaper.domain.picture import CaseLine, HoldLine, Picture, Row
from reaper.web import words

#: Steps without a cycle after which a picture is stale.
STALE: Final = 3

#: Real seconds that a cycle may take on a clock so fast that three steps pass meanwhile.
_REAL: Final = 10.0

#: Seconds after which what was due and has not happened is overdue.
LATE: Final = 120.0

Level = Literal["alarm", "warning", "note"]

_STEPS: Final = {
    "warning": ("Warning", "Would warn"),
    "final warning": ("Final warning", "Would give the final warning"),
    "release": ("Release", "Would release"),
    "save": ("Save", "Would save"),
}
"""Each step as it is said when it is meant, and when it is only recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Banner:
    """Something that must be read first; `cure` is a command or empty."""

    level: Level
    title: str
    text: str
    cure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    """What happens to an allocation next: in short, the rest of it, and what holds it."""

    short: str
    rest: str = ""
    held: tuple[str, ...] = ()
    due: float | None = None

    def __str__(self) -> str:
        return "; ".join(part for part in (self.short, self.rest, *self.held) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One state's part of the bar of all GPUs; `offset` and `width` in percent of it."""

    state: str
    gpus: int
    offset: float
    width: float


def stale(picture: Picture, now: float, rate: float = 1.0) -> bool:
    """Tell whether no cycle was written for three steps; a fast clock gets some real seconds."""
    return now - picture.at > max(STALE * picture.step, _REAL * rate)


def burning(picture: Picture) -> list[Row]:
    """Return the allocations with idle GPUs, what costs most first, unpriced ones by their GPUs."""
    rows = (row for row in picture.rows if row.idle_gpus)
    return sorted(rows, key=lambda row: (-(row.cost_per_hour or 0.0), -row.idle_gpus, row.run_key))


def by_owner(rows: Sequence[Row]) -> list[Row]:
    """Return allocations in reading order: owner, then id."""
    return sorted(rows, key=lambda row: (row.owner, row.platform, row.id))


def matching(rows: Sequence[Row], text: str) -> list[Row]:
    """Return the allocations in which a text occurs: id, name, owner, team, partition, node."""
    wanted = text.casefold().strip()
    return [row for row in rows if not wanted or any(wanted in word for word in _searched(row))]


def _searched(row: Row) -> Iterator[str]:
    names = (row.id, row.name, row.owner, row.team, row.account, row.partition, row.verdict)
    yield from (word.casefold() for word in (*names, f"{row.platform}/{row.id}", *row.nodes))


# ------------------------------------------------------------------ what happens next


def next_step(row: Row, now: float, zone: tzinfo) -> Next:
    """Say what happens to an allocation next, and when."""
    if row.case is None:
        return _without_case(row)
    if row.case.state != "open":
        return Next(short=_sentence(row.case.next_step or row.case.state))
    if row.kept_until is not None and row.kept_until > now:
        until = words.instant(row.kept_until, now, zone)
        then = row.case.next_step or "nothing"
        return Next(short=f"Kept until {until}", rest=f"then {then}", due=row.kept_until)
    return _of_case(row.case, now, zone)


def _without_case(row: Row) -> Next:
    if not row.idle_gpus:
        return Next(short="")
    if not row.policy:
        return Next(short="Nothing", rest="no policy matches it")
    if row.idle_since is None:
        return Next(short="Nothing", rest="not all of its GPUs are idle")
    return Next(short="Nothing yet", rest="no warning is due")


def _of_case(case: CaseLine, now: float, zone: tzinfo) -> Next:
    if not case.next_step:
        return Next(short="Nothing more", rest="its policy has no further step", held=case.held_by)
    meant, recorded = _STEPS.get(case.next_step, (_sentence(case.next_step),) * 2)
    acts = case.next_step in ("release", "save")
    real = case.mode == "act" or (case.mode == "notify" and not acts)
    step = meant if real else recorded
    if case.due is None:
        return Next(short=f"{step} held" if case.held_by else step, held=case.held_by)
    if case.held_by and case.due <= now:
        return Next(short=f"{step} held", held=case.held_by, due=case.due)
    at = words.instant(case.due, now, zone)
    if case.due < now - LATE:
        return Next(short=f"{step} overdue", rest=f"since {at}", held=case.held_by, due=case.due)
    when = words.countdown(case.due, now)
    return Next(short=f"{step} {when}", rest=f"at {at}", held=case.held_by, due=case.due)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def soonest(picture: Picture) -> Row | None:
    """Return the allocation whose case has something due first."""
    due = [(row.case.due, row.run_key, row) for row in picture.rows if row.case and row.case.due]
    return min(due, key=lambda item: item[:2])[2] if due else None


# ------------------------------------------------------------------ the whole cluster


def segments(picture: Picture) -> tuple[Segment, ...]:
    """Return the bar of all GPUs by state, from the left."""
    states = (
        ("idle", picture.idle),
        ("unknown", picture.unknown),
        ("working", max(0, picture.allocated - picture.idle - picture.unknown)),
        ("free", max(0, picture.gpus - picture.allocated)),
    )
    whole = sum(number for _, number in states) or 1
    found, offset = [], 0.0
    for state, number in states:
        width = 100 * number / whole
        found.append(Segment(state=state, gpus=number, offset=round(offset, 3), width=width))
        offset += width
    return tuple(found)


def banners(picture: Picture, now: float, zone: tzinfo, rate: float = 1.0) -> tuple[Banner, ...]:
    """Return what must be read before the figures, the worst first."""
    found = [_stale(picture, now, zone)] if stale(picture, now, rate) else []
    found += [_hold(hold, now, zone) for hold in picture.holds]
    if rate != 1 or not picture.pace_normal:
        found.append(_pace(picture, rate))
    return tuple(found)


def _stale(picture: Picture, now: float, zone: tzinfo) -> Banner:
    age, at = words.duration(now - picture.at), words.moment(picture.at, now, zone)
    return Banner(
        level="alarm",
        title=f"This picture is {age} old",
        text=f"No cycle was written since {at}: nothing below is current.",
        cure="gpu-reaper doctor",
    )


def _hold(hold: HoldLine, now: float, zone: tzinfo) -> Banner:
    until = f"until {words.instant(hold.until, now, zone)}" if hold.until else "until it is lifted"
    scope = f" for {hold.scope}" if hold.scope else ""
    since = words.instant(hold.begin, now, zone)
    return Banner(
        level="warning",
        title=_sentence(f"{hold.kind}{scope}: {hold.reason}"),
        text=f"By {hold.by} since {since}; nothing is released{scope} {until}.",
        cure=f'gpu-reaper resume --hold {hold.id} --reason "…"',
    )


def _pace(picture: Picture, rate: float) -> Banner:
    clock = f"The clock runs {rate:g} times as fast" if rate != 1 else "The clock runs as usual"
    step = f"a step of the grid is {picture.step:g} s"
    return Banner(level="note", title="Not the pace of a cluster", text=f"{clock}; {step}.")
