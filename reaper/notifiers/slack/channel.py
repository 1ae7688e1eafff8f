"""A text in Slack's own markup, posted into a channel: no notice, and nothing to answer."""

from reaper.notifiers.slack.calls import calling, judged
from reaper.notifiers.slack.settings import SlackSettings
from reaper.notifiers.slack.verdicts import unclear


class SlackChannel:
    """Posts into one channel."""

    def __init__(self, settings: SlackSettings, channel: str) -> None:
        self._settings = settings
        self.channel = channel

    async def post(self, text: str) -> str:
        """Post once and return where it lies: ``channel:timestamp``; raise NotifyError."""
        async with calling(self._settings) as client, judged("chat.postMessage", sends=True):
            answer = await client.chat_postMessage(
                channel=self.channel,
                text=text,
                mrkdwn=True,
                unfurl_links=False,
                unfurl_media=False,
            )
            if not answer.get("ts"):
                raise unclear("chat.postMessage", "gave no timestamp", sends=True)
            return f"{answer['channel']}:{answer['ts']}"
