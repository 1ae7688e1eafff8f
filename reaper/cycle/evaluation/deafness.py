"""
What it means for a case that its person's answers could not be heard; pure.

A person answers where the message came from.  While that channel is deaf the grace stands still
and nothing is released; after a long outage the final notice comes again, with a full grace.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reaper.board import HEARING, Board
from reaper.cycle.evaluation.outcome import LATE, LONG_OUTAGE
from reaper.domain.escalation.case import Case
from reaper.domain.escalation.hearing import Hearing
from reaper.domain.escalation.ladder import back_to_final
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.grid import Pace
from reaper.domain.judgement.policy import Policy

Ears = Mapping[str, Hearing | None]
"""What is heard by channel; None where nothing has been said of an ear yet: it is deaf."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """A turn's look back: since `begin`, the last one, up to `now`; Unix seconds."""

    begin: float
    now: float
    pace: Pace

    @property
    def ours(self) -> bool:
        """Tell whether nobody was here, so that all of it counts already."""
        return self.now - self.begin > LATE * self.pace.step

    def deaf(self, ear: Hearing | None) -> float:
        """Return for how many seconds an ear was deaf."""
        whole = self.now - self.begin
        return whole if ear is None or self.ours else ear.deaf(self.begin, self.now)

    def longest(self, ear: Hearing | None) -> float:
        """Return how long the longest silence lasted that reaches into it, from its own begin."""
        return max(
            (
                (self.now if silence.end is None else silence.end) - silence.begin
                for silence in (ear.silences if ear is not None else ())
                if silence.within(self.begin, self.now) > 0
            ),
            default=0.0,
        )


def ears(board: Board) -> Ears:
    """Return what the board holds of every ear."""
    posts = ((post.source, post.answer) for post in board.of(HEARING))
    return {name: told if isinstance(told, Hearing) else None for name, told in posts}


def after_deafness(
    cases: Mapping[str, Case],
    notices: Mapping[str, Sequence[Notice]],
    policies: Mapping[str, Policy],
    ears: Ears,
    look: Outage,
) -> dict[str, Case]:
    """Return the open cases with the time added in which their persons could not be heard."""
    moved = dict(cases)
    for key, case in cases.items():
        policy, told = policies.get(case.policy), newest(notices.get(case.id, ()))
        if told is not None and told.channel in ears:
            moved[key] = _after(case, ears[told.channel], policy, look)
        elif case.deaf is not None:
            moved[key] = _elsewhere(case, case.deaf, told, policy, look)
    return moved


def newest(notices: Sequence[Notice]) -> Notice | None:
    """Return a case's newest delivered warning; None without one."""
    counted = [item for item in notices if item.counts and item.kind in ("warning", "final")]
    return max(counted, key=lambda item: item.created, default=None)


def _elsewhere(
    case: Case, outage: float, told: Notice | None, policy: Policy | None, look: Outage
) -> Case:
    """Wait no longer for a channel that is gone, or that did not bring the newest notice."""
    heard = replace(case, deaf=None)
    since = told is not None and told.created > look.now - outage
    again = policy is not None and not since and outage > LONG_OUTAGE * look.pace.step
    return back_to_final(heard, policy) if again and policy else heard


def _after(case: Case, ear: Hearing | None, policy: Policy | None, look: Outage) -> Case:
    deaf = look.deaf(ear)
    outage = max((case.deaf or 0.0) + deaf, look.longest(ear))
    added = 0.0 if look.ours else deaf
    lasting = ear is None or ear.silent is not None
    longer = replace(case, extension=case.extension + added, deaf=outage if lasting else None)
    again = not lasting and policy is not None and outage > LONG_OUTAGE * look.pace.step
    return back_to_final(longer, policy) if again and policy else longer
