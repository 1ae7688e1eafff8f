"""How a report is cut for its charts and tables: per model, per class, per team and model."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from reaper.domain.money.capacity import match
from reaper.domain.money.figures import Figures, total
from reaper.reports.week import SURE, WeekReport

#: Coverage under which a line is marked, and under which it is not ranked.
MARKED: Final = 0.90
UNRANKED: Final = 0.50

STATES: Final = (
    *("active", "low", "startup", "pause", "too_long", "unknown"),
    *("reserved", "drained", "down", "stranded", "unallocated"),
)
"""The states of a bar from the left; they add up to the calendar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One state of a bar: device-seconds and its share of the whole."""

    state: str
    seconds: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """The identity of one model, or of all of them."""

    name: str
    figures: Figures
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What a team held of a model, beside the week before; `others` are small teams together."""

    team: str
    model: str
    figures: Figures
    before: Figures | None
    others: int = 0

    @property
    def mark(self) -> str:
        """Return what must be said of its coverage: in part, too little; "" for enough."""
        coverage = self.figures.coverage
        if coverage is None or coverage >= MARKED:
            return ""
        return "too_little" if coverage < UNRANKED else "in_part"

    @property
    def rank(self) -> tuple[bool, float, float, str, str]:
        """Return its place: what costs most first, what was hardly seen and small teams last."""
        last = bool(self.others) or self.mark == "too_little"
        cost = sum(self.figures.costs.idle.by_currency.values())
        return last, -float(cost), -self.figures.idle, self.team, self.model


def bars(report: WeekReport) -> tuple[Bar, ...]:
    """Return the identity of every model, the largest first; of all together where several are."""
    rooms = sorted({key.model for key, one in report.accounts.figures.items() if one.calendar})
    groups: dict[str, list[Figures]] = defaultdict(list)
    for key, figures in report.accounts.figures.items():
        groups[_room(key.model, rooms)].append(figures)
    said = report.context.tongue.text
    unknown = str(said("unknown_model"))
    found = [_bar(name or unknown, total(ones)) for name, ones in groups.items()]
    found.sort(key=lambda bar: (-bar.figures.states, bar.name))
    whole = (_bar(str(said("all_gpus")), report.total),) if len(found) > 1 else ()
    return (*whole, *found)


def cells(report: WeekReport) -> tuple[Cell, ...]:
    """Return teams and models by what their idle hours cost, small teams together at the end."""
    groups = report.accounts.by("team", "model")
    held: dict[str, float] = defaultdict(float)
    for (team, _), figures in groups.items():
        held[team] += figures.allocated
    small = {team for team, seconds in held.items() if seconds < report.context.least}
    if len(small) in (1, len(held)) or report.team is not None:
        small = set()
    listed = [
        Cell(team=team, model=model, figures=one, before=report.before.get((team, model)))
        for (team, model), one in groups.items()
        if team not in small
    ]
    rest = [one for (team, _), one in groups.items() if team in small]
    together = Cell(team="", model="", figures=total(rest), before=None, others=len(small))
    return tuple(sorted((*listed, *((together,) if rest else ())), key=lambda cell: cell.rank))


def sure(report: WeekReport) -> bool:
    """Tell whether enough was seen for a sum to stand alone."""
    coverage = report.total.coverage
    return coverage is None or coverage >= SURE


def parts(figures: Figures) -> Mapping[str, float]:
    """Return the device-seconds of a bar's states."""
    too_long = figures.wasted + figures.one_witness
    apart = {"pause": figures.idle - too_long, "too_long": too_long}
    return {name: apart.get(name, getattr(figures, name, 0.0)) for name in STATES}


def _bar(name: str, figures: Figures) -> Bar:
    whole = figures.states or 1.0
    seconds = parts(figures)
    return Bar(
        name=name,
        figures=figures,
        parts=tuple(
            Part(state=state, seconds=seconds[state], share=seconds[state] / whole)
            for state in STATES
            if seconds[state] > 0
        ),
    )


def _room(model: str, rooms: Iterable[str]) -> str:
    """Return the inventory's name for a device's model, or its own where none is alike."""
    known = tuple(rooms)
    found = match(model, known)
    one, other = found.lower(), model.lower()
    return found if one == other or (one and other and (one in other or other in one)) else model
