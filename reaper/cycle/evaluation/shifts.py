"""When owners work: in their own hours and zone where a directory tells them, else the policy's."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo

from reaper.domain.escalation.final import LAST
from reaper.domain.judgement.hours import NEVER, Shift, shift, timely
from reaper.domain.judgement.policy import Hours, Policy
from reaper.ports import Person

_HOUR = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shifts:
    """
    Working hours as of `now`, each worked out once.

    `people` are owners by user, as far as directories have told; None without directories.
    """

    people: Mapping[str, Person | None] | None
    zone: Callable[[str], tzinfo]
    now: float
    _known: dict[Hours, Shift] = field(default_factory=dict)

    def knows(self, owner: str) -> bool:
        """Tell whether a directory has told when an owner works, or that it does not know."""
        return self.people is None or owner in self.people

    def of(self, owner: str, policy: Policy) -> Shift:
        """Return an owner's working hours."""
        if not self.knows(owner):
            return NEVER
        hours = self._hours(owner, policy)
        if hours not in self._known:
            self._known[hours] = shift(hours, self.now, self.zone(hours.zone))
        return self._known[hours]

    def timely(self, owner: str, policy: Policy) -> float | None:
        """Return from when on a grace that is longer than working hours ends in them."""
        hours = self._hours(owner, policy)
        if policy.any_hour or policy.grace < (hours.end - hours.begin) * _HOUR:
            return None
        return timely(hours, self.now, self.zone(hours.zone), grace=policy.grace, lead=LAST)

    def _hours(self, owner: str, policy: Policy) -> Hours:
        person = self.people.get(owner) if self.people else None
        return person.working(policy.hours) if person else policy.hours
