"""What a person may ask of an allocation, as the pages offer it; pure."""

from dataclasses import dataclass
from typing import Final

from reaper.domain.escalation.keep import keep_again, keeps_left, mornings_left
from reaper.domain.judgement.policy import KeepRule
from reaper.domain.judgement.verdict import UNUSED
from reaper.domain.picture import Row
from reaper.questions import Explanation

#: Hours that a page offers to keep for, as far as the rule allows them.
_HOURS: Final = (1.0, 2.0, 4.0, 8.0, 24.0, 72.0)

#: What each verb asks for, as buttons say it.
LABELS: Final = {
    "keep": "Keep",
    "until_morning": "Keep until the next working morning",
    "release": "Give it back",
    "dispute": "This is wrong",
}

#: Seconds after its end for which a release can be disputed.
_DISPUTABLE: Final = 7 * 86400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What its owner has left of keeps and mornings; `again` is when the next keep is there."""

    keeps: int
    per_day: int
    mornings: int
    per_week: int
    again: float | None = None
    once_used: bool = False
    """Whether it must be used before there is another keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """
    What may be asked of one allocation; `hours` to keep it for, empty where it cannot be.

    `at_work` tells whether its release must be confirmed for that reason; `budget` is what its
    owner has left, None for everybody else.
    """

    name: str
    hours: tuple[float, ...] = ()
    until_morning: bool = False
    release: bool = False
    dispute: bool = False
    at_work: bool = False
    budget: Budget | None = None

    @property
    def anything(self) -> bool:
        """Tell whether there is anything to ask."""
        return bool(self.hours) or self.until_morning or self.release or self.dispute

    @property
    def verbs(self) -> tuple[str, ...]:
        """Return the verbs that are offered, the gentlest first."""
        found = {
            "keep": bool(self.hours),
            "until_morning": self.until_morning,
            "release": self.release,
            "dispute": self.dispute,
        }
        return tuple(verb for verb, offered in found.items() if offered)


def offered(explanation: Explanation, rule: KeepRule, *, name: str, user: str, now: float) -> Offer:
    """Return what a person may ask of an allocation; what it comes to, a request decides."""
    row = explanation.row
    case = next((case for case in reversed(explanation.cases) if case.closed is None), None)
    if row is None:
        ended = [tenure.end for tenure in explanation.tenures if tenure.end is not None]
        lately = bool(ended) and now - max(ended) < _DISPUTABLE
        told = any(case.warned for case in explanation.cases)
        return Offer(name=name, dispute=lately and told)
    key, wanted = row.run_key, row.case is not None or bool(row.idle_gpus)
    keeps = wanted and keeps_left(explanation.keeps, rule, run_key=key, now=now, used=row.used)
    mornings = wanted and mornings_left(explanation.keeps, rule, run_key=key, now=now)
    own = row.owner == user
    return Offer(
        name=name,
        hours=hours(rule) if keeps or (wanted and not own) else (),
        until_morning=bool(mornings),
        release=own and row.mode in ("notify", "act"),
        dispute=case is not None and not case.disputed,
        at_work=row.verdict not in UNUSED,
        budget=_budget(explanation, rule, row, now) if wanted and own else None,
    )


def _budget(explanation: Explanation, rule: KeepRule, row: Row, now: float) -> Budget:
    key, used = row.run_key, row.used
    left = keeps_left(explanation.keeps, rule, run_key=key, now=now, used=used)
    again = keep_again(explanation.keeps, rule, run_key=key, now=now, used=used)
    return Budget(
        keeps=left,
        per_day=rule.per_day,
        mornings=mornings_left(explanation.keeps, rule, run_key=key, now=now),
        per_week=rule.mornings_per_week,
        again=again,
        once_used=rule.per_day > 0 and not left and again is None,
    )


def hours(rule: KeepRule) -> tuple[float, ...]:
    """Return the hours to choose from, the longest that the rule allows among them."""
    longest = rule.per_request / 3600
    return tuple(sorted({*(one for one in _HOURS if one < longest), longest}))
