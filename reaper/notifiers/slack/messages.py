"""
Direct messages in Slack, and a channel for the operators.

A direct message counts as delivered once Slack has given its channel and timestamp.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from reaper.domain.escalation.sequel import Sequel
from reaper.notifiers.letters import amended, write
from reaper.notifiers.slack.addresses import CHANNEL, Addresses
from reaper.notifiers.slack.blocks import blocks, fallback
from reaper.notifiers.slack.calls import calling, judged
from reaper.notifiers.slack.settings import SlackSettings
from reaper.notifiers.slack.verdicts import unclear
from reaper.notifiers.texts import Message
from reaper.ports import Clock, Delivered, Letter

if TYPE_CHECKING:
    from slack_sdk.web.async_client import AsyncWebClient
    from slack_sdk.web.async_slack_response import AsyncSlackResponse


class SlackDirect:
    """Sends each notice to its person alone."""

    name = CHANNEL
    personal = True

    def __init__(self, settings: SlackSettings, *, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._addresses = Addresses(clock)

    async def deliver(self, letter: Letter) -> Delivered:
        """Send once to the person's id, looked up by e-mail where none is configured."""
        async with calling(self._settings) as client:
            address = await self._addresses.of(letter.person, client)
            message = write(letter)
            handle = await _send(client, address, message, buttons=bool(self._settings.hears))
        return Delivered(at=self._clock.now(), handle=handle)

    async def amend(self, letter: Letter, sequels: Mapping[str, Sequel]) -> None:
        """Change a message that was delivered; one that is gone or too old stays as it is."""
        channel, _, at = letter.notice.handle.partition(":")
        message = amended(letter, sequels)
        async with calling(self._settings) as client, judged("chat.update", sends=False):
            await client.chat_update(
                channel=channel,
                ts=at,
                text=fallback(message),
                blocks=blocks(message, buttons=bool(self._settings.hears)),
            )


class SlackOperators:
    """Posts notices into the operators' channel; that reaches no owner, so it never counts."""

    name = "slack-operators"
    personal = False

    def __init__(self, settings: SlackSettings, *, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock

    async def deliver(self, letter: Letter) -> Delivered:
        """Post once into the channel, without answers: they are its person's alone."""
        message = write(letter)
        async with calling(self._settings) as client:
            channel = self._settings.operator_channel
            handle = await _send(client, channel, message, buttons=False)
        return Delivered(at=self._clock.now(), handle=handle)


async def _send(client: "AsyncWebClient", address: str, message: Message, *, buttons: bool) -> str:
    """Send one message and return where it lies: ``channel:timestamp``."""
    async with judged("chat.postMessage", sends=True):
        answer = await client.chat_postMessage(
            channel=address,
            text=fallback(message),
            blocks=blocks(message, buttons=buttons),
            mrkdwn=False,
            unfurl_links=False,
            unfurl_media=False,
        )
        return _handle(answer)


def _handle(answer: "AsyncSlackResponse") -> str:
    channel, at = answer.get("channel"), answer.get("ts")
    if not channel or not at:
        raise unclear("chat.postMessage", "gave no timestamp", sends=True)
    return f"{channel}:{at}"
