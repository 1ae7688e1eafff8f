"""From the settings to whoever gets the reports: the folder, the channel, the addresses."""

from collections.abc import Iterator
from dataclasses import dataclass

from reaper.app.books.directory_sink import Folder
from reaper.app.books.handing import Further, Recipient, nobody
from reaper.app.books.mailing import Channel, Reader, TeamLeads
from reaper.app.parts import Adapters
from reaper.config import Configuration
from reaper.notifiers.mail import Mail, MailSettings
from reaper.notifiers.slack import SlackSettings
from reaper.notifiers.slack.channel import SlackChannel
from reaper.people.yaml_directory import YamlDirectory
from reaper.ports import Clock
from reaper.reports.settings import DeliverSettings, MailingSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Who gets every report, and how the others are found."""

    recipients: tuple[Recipient, ...] = ()
    further: Further = nobody


def delivery(configuration: Configuration, built: Adapters, clock: Clock) -> Delivery:
    """Put the recipients together; what lacks its channel is left out, and `check` names it."""
    wanted = configuration.report.deliver
    if wanted is None:
        return Delivery()
    found: list[Recipient] = [*_impersonal(configuration, wanted)]
    servers = [item for item in configuration.notifiers if isinstance(item, MailSettings)]
    if wanted.mail is None or not servers:
        return Delivery(recipients=tuple(found))
    postman = Mail(servers[0], clock=clock)
    found += _readers(wanted, wanted.mail, postman)
    return Delivery(recipients=tuple(found), further=_leads(wanted.mail, postman, built))


def _impersonal(configuration: Configuration, wanted: DeliverSettings) -> Iterator[Recipient]:
    if wanted.folder is not None:
        yield Folder(path=wanted.folder, settings=wanted)
    apps = [item for item in configuration.notifiers if isinstance(item, SlackSettings)]
    if wanted.slack_channel and apps:
        yield Channel(poster=SlackChannel(apps[0], wanted.slack_channel), names=wanted.names)


def _readers(
    wanted: DeliverSettings, mailing: MailingSettings, postman: Mail
) -> Iterator[Recipient]:
    for address in mailing.to:
        yield Reader(postman=postman, address=address, printed=mailing.pdf, names=wanted.names)


def _leads(mailing: MailingSettings, postman: Mail, built: Adapters) -> Further:
    for directory in built.people if mailing.leads else ():
        if isinstance(directory, YamlDirectory):
            return TeamLeads(directory=directory, postman=postman, printed=mailing.pdf)
    return nobody
