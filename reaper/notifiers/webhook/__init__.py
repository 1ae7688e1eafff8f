"""
Notices as signed JSON to an address of the site: for its own tools.

It knows the form of the event and its signature; both are published in docs/webhook.md.
It refuses to know who reads it: that a program took a notice never counts as telling a person.
"""

from typing import Final

from reaper.notifiers.kind import Kind
from reaper.notifiers.webhook.posting import Webhook
from reaper.notifiers.webhook.settings import WebhookSettings

__all__ = ["CHANNEL", "Webhook", "WebhookSettings"]

CHANNEL: Final = Kind(
    settings=WebhookSettings,
    personal=False,
    build=lambda settings, site: (Webhook(settings, clock=site.clock),),
)
