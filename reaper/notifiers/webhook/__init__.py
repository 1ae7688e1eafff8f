"""
Notices as signed JSON to an address of the site: for its own tools.

It knows the form of the event and its signature; both are published in docs/webhook.md.
It refuses to know who reads it: that a program took a notice never counts as telling a person.
"""

from reaper.notifiers.webhook.posting import Webhook
from reaper.notifiers.webhook.settings import WebhookSettings

__all__ = ["Webhook", "WebhookSettings"]
