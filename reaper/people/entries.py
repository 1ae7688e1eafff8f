"""What a file of people holds: persons, teams, and who answers for whoever has left."""

from typing import Final, Literal

from pydantic import Field, model_validator

from reaper.domain.judgement.policy import Hours
from reaper.schema import Mistake, Settings, Zone
from reaper.schema.times import TimeOfDay, Weekdays

EMAIL: Final = r"^([^@\s]+@[^@\s]+)?$"
SLACK: Final = r"^([UW][A-Z0-9]{2,})?$"

Language = Literal["en", "ru"]
"""Languages in which messages are written."""


class HoursEntry(Settings):
    """When somebody works, in their own zone; holidays are those of the policy."""

    weekdays: Weekdays = Field(default=(0, 1, 2, 3, 4), examples=["mon-thu"])
    begin: TimeOfDay = 9.0
    end: TimeOfDay = 18.0

    @model_validator(mode="after")
    def _in_order(self) -> "HoursEntry":
        if self.begin >= self.end:
            raise Mistake("begin is not before end", "write for example begin: 09:00, end: 18:00")
        return self

    def hours(self, zone: str) -> Hours:
        """Return the hours in a zone."""
        return Hours(zone=zone, weekdays=self.weekdays, begin=self.begin, end=self.end)


class Reachable(Settings):
    """How somebody is reached; without any address no message can arrive."""

    email: str = Field(default="", pattern=EMAIL, examples=["mira@example.org"])
    slack: str = Field(default="", pattern=SLACK, examples=["U0123ABC"])
    """Slack's member id; without it the e-mail address finds the person."""
    zone: Zone = ""
    """Time zone; default: the one of the policy's working hours."""
    language: Language | None = None
    """Language of messages, English if nothing is said, and of pages, else as the browser asks."""


class PersonEntry(Reachable):
    """One person; all but the user's name may be missing, but then no message can arrive."""

    name: str = ""
    team: str = ""
    hours: HoursEntry | None = None
    """Working hours; default: those of the policy."""
    channels: tuple[str, ...] = Field(default=(), examples=["[mail, slack]"])
    """Channels to try, in this order; default: all personal ones, in the configuration's order."""
    left: bool = False
    """The person has left: whoever answers for them gets their messages."""
    contact: str = ""
    """User who answers for them once they have left; default: their team's contact."""
    leads: tuple[str, ...] = Field(default=(), examples=["[vision]"])
    """Teams of which this person gets the weekly report, with the names of its members."""


class TeamEntry(Reachable):
    """One team or department: who answers for those of its people who have left."""

    head: str = ""
    """User who leads it."""
    contact: str = ""
    """Name of the group whose addresses stand here; without an address the head answers."""
    part_of: str = ""
    """Team or department that it belongs to, which answers where nobody here does."""


class PeopleFile(Settings):
    """The whole file."""

    people: dict[str, PersonEntry]
    """Persons by the user name that the platform gives them."""
    teams: dict[str, TeamEntry] = Field(default={})
    """Teams and departments by the name that persons give as their team."""
