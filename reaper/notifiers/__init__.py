"""
Channels that deliver notices: each says once whether it arrived, and never tries again by itself.

They know how a channel is spoken to and what its answers mean.
They refuse to know cases and policies: the figures come with the notice, the outbox is elsewhere.
"""

from typing import Annotated, Final, TextIO

from pydantic import Field

from reaper.notifiers.console import Console, ConsoleSettings
from reaper.notifiers.mail import Mail, MailSettings
from reaper.notifiers.mailbox import Mailbox, MailboxSettings
from reaper.notifiers.slack import SlackDirect, SlackOperators, SlackSettings
from reaper.notifiers.terminal import Terminal, TerminalSettings
from reaper.notifiers.webhook import Webhook, WebhookSettings
from reaper.ports import Clock, Notifier

NotifierSettings = Annotated[
    ConsoleSettings
    | MailSettings
    | MailboxSettings
    | SlackSettings
    | TerminalSettings
    | WebhookSettings,
    Field(discriminator="kind"),
]
"""Every kind of channel there is."""

PERSONAL: Final = frozenset(("mail", "mailbox", "slack"))
"""Kinds that reach a person alone: only what they take counts as delivered."""


def build(settings: NotifierSettings, *, clock: Clock, stream: TextIO) -> tuple[Notifier, ...]:
    """Make the channels of one entry of the configuration; personal ones first."""
    if isinstance(settings, ConsoleSettings):
        return (Console(stream, clock=clock),)
    if isinstance(settings, MailSettings):
        return (Mail(settings, clock=clock),)
    if isinstance(settings, WebhookSettings):
        return (Webhook(settings, clock=clock),)
    if isinstance(settings, TerminalSettings):
        return (Terminal(settings, clock=clock),)
    if isinstance(settings, MailboxSettings):
        return (Mailbox(settings, clock=clock),)
    direct = SlackDirect(settings, clock=clock)
    if not settings.operator_channel:
        return (direct,)
    return (direct, SlackOperators(settings, clock=clock))
