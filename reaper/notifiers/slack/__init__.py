"""
Slack: direct messages with answers, a channel for the operators, and the ears that hear clicks.

It knows Slack's words, limits and errors, and who in Slack is which person.
It refuses to decide: a click is a request like any other, and what came of it is read in the books.
Tokens are read for each use, so a new one needs no restart, and never leave this package.
"""

from typing import Final

from reaper.notifiers.kind import Kind, Site
from reaper.notifiers.slack.messages import SlackDirect, SlackOperators
from reaper.notifiers.slack.settings import SlackSettings
from reaper.ports import Notifier

__all__ = ["CHANNEL", "SlackDirect", "SlackOperators", "SlackSettings"]


def _build(settings: SlackSettings, site: Site) -> tuple[Notifier, ...]:
    direct = SlackDirect(settings, clock=site.clock)
    if not settings.operator_channel:
        return (direct,)
    return (direct, SlackOperators(settings, clock=site.clock))


CHANNEL: Final = Kind(settings=SlackSettings, personal=True, build=_build)
