"""
Notices by e-mail: one message to one person, accepted by the site's mail server.

It knows SMTP, what its replies mean, and how a returned message is told from any other.
It refuses to know cases: who sends again, and what a returned notice means, is decided elsewhere.
"""

from typing import Final

from reaper.notifiers.kind import Kind
from reaper.notifiers.mail.sending import Mail
from reaper.notifiers.mail.settings import MailSettings

__all__ = ["CHANNEL", "Mail", "MailSettings"]

CHANNEL: Final = Kind(
    settings=MailSettings,
    personal=True,
    build=lambda settings, site: (Mail(settings, clock=site.clock),),
)
