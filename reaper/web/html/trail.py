"""The trail of what people changed: who, what, of which allocation, and what they typed; pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from reaper.domain.money.entries import Event
from reaper.domain.reason import Reason, Words
from reaper.languages.catalogue import said
from reaper.web.html.changes import REASONS

#: Kinds of events before whose reason stands what was done; all others hold the reason alone.
_TOLD: Final = frozenset(("keep", "paused", "resumed"))

#: What a page says in the place of a reason that nobody typed, and how Slack begins what it says.
_UNTYPED: Final = frozenset(REASONS.values())
_IN_SLACK: Final = "answered in Slack"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """
    One change; `what` is what was done in words of ours, `typed` what its person wrote.

    `name` is what people call its allocation, "" for the whole cluster; `path` leads to it, ""
    where it was never seen to hold anything.
    """

    event: Event
    what: Words
    typed: str
    name: str
    path: str

    def has(self, text: str) -> bool:
        """Tell whether a text, in small letters, occurs in it."""
        event = self.event
        words = (event.by, event.kind, said(self.what), self.typed, self.name, event.run_key)
        return any(text in word.casefold() for word in words)


def trail(events: Sequence[Event], names: Mapping[str, str]) -> Iterable[Change]:
    """Yield changes, the newest first; `names` are those of live runs by their keys."""
    for event in reversed(events):
        what, typed = deed(event)
        path = names.get(event.run_key, "")
        yield Change(event=event, what=what, typed=typed, name=path or event.run_key, path=path)


class Deed(NamedTuple):
    """What was done, in words of ours, and what was typed."""

    what: Words
    typed: str


def deed(event: Event) -> Deed:
    """Return what was done, and what was typed."""
    if isinstance(event.text, Reason):
        return Deed(event.text, "")
    what, typed = "", event.text
    if event.kind in _TOLD:
        what, _, typed = event.text.partition(": ")
    ours = typed in _UNTYPED or typed.startswith(_IN_SLACK)
    return Deed(what, "" if ours else typed)
