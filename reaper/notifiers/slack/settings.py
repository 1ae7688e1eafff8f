"""The Slack app as an operator writes it."""

from typing import Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from reaper.notifiers.kind import ChannelSettings
from reaper.schema import Mistake, Secret, Span

SCOPES: Final = ("chat:write", "users:read.email")
"""What the app must be allowed to do; Slack wants ``users:read`` beside the second."""

Hears = Literal["socket", "http", ""]
"""How clicks reach us: by a connection of ours, by requests of Slack's, or not at all."""


class SlackSettings(ChannelSettings):
    """
    The Slack app: its bot token with the scopes chat:write and users:read.email.

    With `app_token` its messages have buttons, and clicks come over a connection that we open.
    With `signing_secret` instead Slack sends them to ``/slack/interactions`` of the page.
    With neither messages name the commands to type.
    """

    kind: Literal["slack"] = "slack"
    token: Secret
    app_token: Secret | None = None
    """App-level token with the scope connections:write, for Socket Mode; begins with xapp-."""
    signing_secret: Secret | None = None
    """Proves that a request is Slack's, where it sends clicks to the page's address."""
    operator_channel: str = Field(
        default="", pattern=r"^([CG][A-Z0-9]{2,})?$", examples=["C0123456"]
    )
    """Id of the channel for what operators should see; without it they read the page."""
    base_url: str = "https://slack.com/api/"
    """Another address is for a gateway, or for tests on loopback."""
    timeout: Span = 10.0
    """Seconds for one call: Slack answers within two, and the outbox has others to send."""

    @property
    def hears(self) -> Hears:
        """Return how clicks reach us."""
        if self.app_token is not None:
            return "socket"
        return "http" if self.signing_secret is not None else ""

    @field_validator("base_url")
    @classmethod
    def _keep_the_token_private(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme == "https" or (parts.scheme == "http" and is_loopback(value)):
            return value
        raise Mistake("the token would travel readably", "write an https:// address")

    @model_validator(mode="after")
    def _one_ear(self) -> Self:
        if self.app_token is not None and self.signing_secret is not None:
            cure = "keep app_token for Socket Mode, or signing_secret for requests to the page"
            raise Mistake("clicks would be expected twice", cure)
        return self


def is_loopback(address: str) -> bool:
    """Tell whether an address is of this machine."""
    return urlsplit(address).hostname in ("127.0.0.1", "::1", "localhost")
