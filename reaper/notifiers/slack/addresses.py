"""Who in Slack is which person: by the configured id, else by e-mail address."""

import re
from typing import TYPE_CHECKING, Final

from reaper.notifiers.slack.calls import judged
from reaper.notifiers.texts import tame
from reaper.ports import Clock, NotifyError, Person

if TYPE_CHECKING:
    from slack_sdk.web.async_client import AsyncWebClient

CHANNEL: Final = "slack"
"""The name of the channel in a person's addresses."""

KNOWN_FOR: Final = 86400.0
"""Seconds for which an id found by e-mail is believed: addresses change with people, rarely."""


_PERSON: Final = re.compile(r"[UW][A-Z0-9]{2,}")
"""What ids of persons look like; a channel would show to others what is for one alone."""


class Addresses:
    """Finds ids and remembers them for a day."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ids: dict[str, tuple[str, float]] = {}

    async def of(self, person: Person, client: "AsyncWebClient") -> str:
        """Return a person's id in Slack; raise NotifyError where there is none."""
        named = person.addresses.get(CHANNEL, "")
        if named and not _PERSON.fullmatch(named):
            raise NotifyError(
                f"slack: {tame(person.user)} has the Slack id {tame(named, longest=40)!r}, "
                "which is no person's id; correct it where people are listed",
                recoverable=False,
            )
        return named or await self._lookup(person, client)

    async def _lookup(self, person: Person, client: "AsyncWebClient") -> str:
        if not person.email:
            raise NotifyError(
                f"slack: {person.user} has no Slack id and no e-mail address; "
                "add one to the people file",
                recoverable=False,
            )
        known, until = self._ids.get(person.email, ("", 0.0))
        if known and self._clock.elapsed() < until:
            return known
        async with judged("users.lookupByEmail", sends=False):
            answer = await client.users_lookupByEmail(email=person.email)
            found = str(answer["user"]["id"])
        self._ids[person.email] = (found, self._clock.elapsed() + KNOWN_FOR)
        return found
