"""One story told to one reader: its figures as the values that messages of `notices` take."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from reaper.domain.escalation.notice import Story
from reaper.domain.reason import Value
from reaper.languages.catalogue import said
from reaper.languages.language import Language, language
from reaper.notifiers.texts import tame
from reaper.ports import Person

#: Nodes that are named; of more it is said how many.
_NAMED: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads: their language, their time zone, and for whom they answer ("" for nobody)."""

    words: Language
    zone: ZoneInfo
    absent: str = ""

    @classmethod
    def of(cls, person: Person) -> "Reader":
        """Return a person as a reader."""
        name = tame(person.name or person.user, longest=60)
        words = language("notices", person.language)
        return cls(words=words, zone=zone_of(person), absent=name if person.left else "")

    def moment(self, at: float | None) -> str:
        """Say an instant on their clock; "" for none."""
        return "" if at is None else self.words.moment(at, self.zone)

    def addressed(self) -> dict[str, Value]:
        """Return whose things it is about: their own, or a person's who has left."""
        return {"reader": "absent" if self.absent else "self", "person": self.absent}


@dataclass(frozen=True, kw_only=True)
class Telling:
    """A story, with its foreign names tamed, as it is told to a reader."""

    story: Story
    reader: Reader

    def text(self, message: str, /, **more: Value) -> str:
        """Return a message with the story's values and further ones in it."""
        return self.reader.words.text(message, **self._values, **more)

    def amount(self, cost: float) -> str:
        """Write an amount with the currency, where there is one."""
        return f"{self.reader.words.number(cost, '.2f')} {self.story.currency}".strip()

    @cached_property
    def seen(self) -> str:
        """Return what the verdict saw."""
        return tame(said(self.story.reason, self.reader.words.code))

    @cached_property
    def outcome(self) -> str:
        """Return what came of it; "" where nothing has yet."""
        return tame(said(self.story.outcome, self.reader.words.code))

    @cached_property
    def _values(self) -> dict[str, Value]:
        story = self.story
        more = len(story.nodes) - _NAMED
        return {
            "allocation": story.allocation,
            "titled": "yes" if story.name else "no",
            "name": story.name,
            "devices": story.devices,
            "model": story.model or "GPU",
            "nodes": ", ".join(story.nodes[:_NAMED]),
            "more": more,
            "placed": "many" if more > 0 else "some" if story.nodes else "nowhere",
            "since": self.reader.moment(story.idle_since),
            "idle_seconds": story.idle_seconds,
            "mode": "would" if story.would else "acts",
            **self.reader.addressed(),
        }


def zone_of(person: Person) -> ZoneInfo:
    """Return a person's time zone; UTC where there is none of that name."""
    try:
        return ZoneInfo(person.zone)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def tamed(story: Story) -> Story:
    """Return a story whose foreign names can shape no message."""
    return replace(
        story,
        allocation=tame(story.allocation),
        user=tame(story.user),
        name=tame(story.name, longest=60),
        nodes=tuple(tame(node, longest=60) for node in story.nodes),
        model=tame(story.model, longest=60),
        policy=tame(story.policy, longest=60),
        back=tame(story.back, longest=400),
    )
