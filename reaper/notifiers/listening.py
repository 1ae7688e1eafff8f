"""Who hears what people answer, built from the same entries as the channels."""

from reaper.notifiers import NotifierSettings
from reaper.notifiers.ear import Ear, Tell
from reaper.notifiers.slack.answering import Answering, Core
from reaper.notifiers.slack.messages import SlackDirect
from reaper.notifiers.slack.settings import SlackSettings
from reaper.ports import Listener


def listener(settings: NotifierSettings, core: Core, *, tell: Tell) -> Listener | None:
    """Make what hears the answers of one entry; None where they come by links or commands."""
    if not isinstance(settings, SlackSettings) or not settings.hears:
        return None
    from reaper.notifiers.slack.signed import SlackRequests
    from reaper.notifiers.slack.socket import SlackSocket

    ear = Ear(channel=SlackDirect.name, clock=core.clock, tell=tell)
    answering = Answering(settings, core)
    if settings.hears == "socket":
        return SlackSocket(settings, answering, ear)
    return SlackRequests(settings, answering, ear, clock=core.clock)
