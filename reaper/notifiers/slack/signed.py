"""
Clicks that Slack posts to the page's address, each signed with the app's secret.

A request counts once and within five minutes of its signature, so one that was read on its way
cannot be sent again.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Final, Self
from urllib.parse import parse_qs

from reaper.domain.escalation.hearing import Hearing
from reaper.edge.secrets import SecretError, secret
from reaper.notifiers.ear import Ear
from reaper.notifiers.slack.answering import Answering
from reaper.notifiers.slack.settings import SlackSettings
from reaper.ports import Clock, Door

PATH: Final = "/slack/interactions"

#: Seconds for which a signature is taken, as Slack advises; and how many are remembered as used.
FRESH: Final = 300.0
_REMEMBERED: Final = 10_000


class SlackRequests:
    """Listens at a path of the page."""

    def __init__(
        self, settings: SlackSettings, answering: Answering, ear: Ear, *, clock: Clock
    ) -> None:
        self.name = ear.channel
        self.doors = (Door(path=PATH, enter=self._enter),)
        self._settings = settings
        self._answering = answering
        self._ear = ear
        self._clock = clock
        self._used: OrderedDict[str, float] = OrderedDict()

    async def __aenter__(self) -> Self:
        """Begin to listen: whether Slack reaches the page is Slack's to say."""
        self._ear.hears()
        return self

    async def __aexit__(self, *ended: object) -> None:
        """Let begun answers end."""
        await self._answering.finish()

    async def hearing(self) -> Hearing:
        """Return that it hears; raise SourceError where the secret cannot be read."""
        try:
            self._secret()
        except SecretError as error:
            self._ear.deaf(f"slack: {error}")
        else:
            self._ear.hears()
        return self._ear.hearing()

    async def _enter(self, headers: Mapping[str, str], body: bytes) -> tuple[int, str]:
        """Take one request; what is not Slack's, is too old or came before is refused."""
        try:
            proven = self._proven(headers, body)
        except SecretError:
            return 503, "the signing secret cannot be read here\n"
        if not proven:
            return 401, "not signed by Slack within five minutes\n"
        if not self._first(headers["x-slack-signature"]):
            return 409, "taken already\n"
        fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=16)
        for payload in fields.get("payload", ())[:1]:
            await self._answering.hear(payload)
        return 200, ""

    def _proven(self, headers: Mapping[str, str], body: bytes) -> bool:
        from slack_sdk.signature import SignatureVerifier

        stamp = headers.get("x-slack-request-timestamp", "")
        if not stamp.isascii() or not stamp.isdecimal():
            return False
        if abs(self._clock.now() - float(stamp)) > FRESH:
            return False
        expected = SignatureVerifier(self._secret()).generate_signature(
            timestamp=stamp, body=body.decode("utf-8", "replace")
        )
        return _same(expected or "", headers.get("x-slack-signature", ""))

    def _first(self, signature: str) -> bool:
        """Tell whether a signature comes for the first time, and remember it."""
        now = self._clock.now()
        while self._used and (
            len(self._used) >= _REMEMBERED or next(iter(self._used.values())) < now - 2 * FRESH
        ):
            self._used.popitem(last=False)
        if signature in self._used:
            return False
        self._used[signature] = now
        return True

    def _secret(self) -> str:
        assert self._settings.signing_secret is not None  # noqa: S101 - built only with one
        return secret(self._settings.signing_secret)


def _same(expected: str, given: str) -> bool:
    from hmac import compare_digest

    return bool(expected) and compare_digest(expected.encode(), given.encode("utf-8", "replace"))
