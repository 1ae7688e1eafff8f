"""Everything one turn has decided; what is not in it does not happen."""

from collections.abc import Mapping
from dataclasses import dataclass

from reaper.domain.escalation.case import Case
from reaper.domain.escalation.decision import Hold, Intent
from reaper.domain.escalation.notice import Notice
from reaper.domain.facts.inputs import Entry
from reaper.domain.facts.record import DeviceRecord
from reaper.domain.facts.share import Confirmation
from reaper.domain.facts.track import Track
from reaper.domain.money.entries import CapacitySpan, DemandPoint, Event, Tenure
from reaper.domain.picture import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The writes of one turn, in one transaction."""

    renewed: tuple[DeviceRecord, ...]
    """The records that are written; the others go on as they were written last."""
    letters: Mapping[str, Track]
    inputs: tuple[Entry, ...]
    """What was known of idle runs, where that changed."""
    input_letters: Mapping[str, Track]
    """The newest letters of their hosts and requests."""
    proven: frozenset[Confirmation]
    new_proofs: frozenset[Confirmation]
    """Those of them that are not written yet."""
    contradicted: tuple[str, ...]
    tenures: tuple[Tenure, ...]
    capacity: tuple[CapacitySpan, ...]
    demand: DemandPoint | None
    cases: tuple[Case, ...]
    notices: tuple[Notice, ...]
    intents: tuple[Intent, ...]
    holds: tuple[Hold, ...]
    events: tuple[Event, ...]
    picture: Picture
