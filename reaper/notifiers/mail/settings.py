"""What an operator writes about the site's mail server."""

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from reaper.notifiers.kind import ChannelSettings
from reaper.schema import Address, HostPort, Mistake, Secret, Settings, Span
from reaper.schema.mail import MailAddress


class ReturnsSettings(Settings):
    """Where messages come back that could not be delivered after all; one of three."""

    maildir: Path | None = None
    """Maildir of the return address; it is read, never changed."""
    mbox: Path | None = None
    """The same as one mbox file."""
    command: tuple[str, ...] = Field(default=(), examples=[("/usr/local/bin/returned-mail",)])
    """Program that prints a line for each returned message: its Message-ID, a space, why."""

    @model_validator(mode="after")
    def _exactly_one(self) -> "ReturnsSettings":
        if sum(map(bool, (self.maildir, self.mbox, self.command))) != 1:
            raise Mistake(
                "needs exactly one of maildir, mbox and command",
                "write for example {maildir: /var/mail/gpu-reaper}",
            )
        return self


class MailSettings(ChannelSettings):
    """A mail server that takes messages for the people of the site."""

    kind: Literal["mail"] = "mail"
    server: HostPort = Field(default=Address("localhost", 25), examples=["mail.example.org:587"])
    sender: MailAddress = Field(examples=["gpu-reaper@example.org"])
    """Address that messages come from; replies and returned messages go there."""
    reply_to: MailAddress | None = Field(default=None, examples=["gpu-help@example.org"])
    """Where people's replies go, if not to the sender."""
    security: Literal["starttls", "tls", "none"] | None = None
    """How the connection is secured; `none` on loopback only.  Default: starttls, or none there."""
    ca: Path | None = None
    """File with the authority that signed the server's certificate; default: the machine's own."""
    user: str = ""
    """Name to sign in with; empty where the server asks for none."""
    password: Secret | None = None
    timeout: Span = 15.0
    """Seconds for one message, from connecting to the server's last word."""
    returns: ReturnsSettings | None = None
    """Where returned messages are read; without it an accepted message counts as delivered."""

    @model_validator(mode="after")
    def _keep_it_private(self) -> "MailSettings":
        if self.security == "none" and not self.server.loopback:
            raise Mistake(
                "messages and their links would travel readably",
                "write security: starttls or tls, or send through a mail server on this machine",
            )
        if bool(self.user) != (self.password is not None):
            raise Mistake("user and password belong together", "write both, or neither of them")
        return self

    @property
    def secured(self) -> Literal["starttls", "tls", "none"]:
        """How the connection is secured, with the default filled in."""
        return self.security or ("none" if self.server.loopback else "starttls")

    @property
    def domain(self) -> str:
        """The part of the sender's address that names its site."""
        return self.sender.rpartition("@")[2]
