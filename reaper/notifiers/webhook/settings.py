"""What an operator writes about a webhook."""

from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from reaper.notifiers.kind import ChannelSettings
from reaper.schema import Mistake, Secret, Span


class WebhookSettings(ChannelSettings):
    """An address that takes every notice as JSON."""

    kind: Literal["webhook"] = "webhook"
    url: str = Field(examples=["https://hooks.example.org/gpu-reaper"])
    """https, or http on this machine."""
    key: Secret
    """Signs every event, so that its reader knows who wrote it."""
    ca: Path | None = None
    """File with the authority that signed the server's certificate; default: the machine's own."""
    timeout: Span = 10.0
    """Seconds for one event."""
    beside: bool = True
    """Gets every notice that a person got; otherwise only those that reached nobody."""

    @field_validator("url")
    @classmethod
    def _keep_it_private(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.username or parts.password:
            raise Mistake(
                "a secret is written into the configuration", "take it out: `key` signs the events"
            )
        here = parts.hostname in ("127.0.0.1", "::1", "localhost")
        if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and here)):
            raise Mistake("events would travel readably", "write an https:// address")
        return value
