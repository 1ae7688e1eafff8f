"""People who get the report: a channel of Slack, addresses, and who leads a team."""

import logging
from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from reaper.app.books.directory_sink import file_name, stem
from reaper.app.books.handing import Recipient
from reaper.notifiers.mail.bulletin import Bulletin, Enclosure
from reaper.ports import Person
from reaper.reports import mail_page, pdf, text_page
from reaper.reports.audience import extract, veiled
from reaper.reports.languages import tongue
from reaper.reports.pages import PAGES
from reaper.reports.pdf import PdfError
from reaper.reports.week import WeekReport

_log = logging.getLogger(__name__)


class Poster(Protocol):
    """Puts a text into a channel."""

    channel: str

    async def post(self, text: str) -> str:
        """Post once and return where it lies; raise ReaperError."""


class Postman(Protocol):
    """Sends a message to an address."""

    async def post(self, bulletin: Bulletin, address: str) -> str:
        """Send once and return its id; raise ReaperError."""


class Leading(Protocol):
    """Knows who leads teams."""

    async def leads(self) -> Sequence[Person]:
        """Return who leads a team; raise ReaperError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel that gets the summary."""

    poster: Poster
    names: bool
    once: bool = True

    @property
    def name(self) -> str:
        """Return the channel's name."""
        return f"slack {self.poster.channel}"

    async def take(self, report: WeekReport) -> bool:
        """Post the summary."""
        wide = report if self.names else veiled(report)
        await self.poster.post(PAGES["markdown"](wide))
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """An address that gets the wide report, or the one of a team."""

    postman: Postman
    address: str
    printed: bool
    names: bool = False
    team: str | None = None
    language: str = ""
    """What this person reads, as their directory says; "" for the language of all reports."""
    once: bool = True

    @property
    def name(self) -> str:
        """Return the address, and of which team it gets the report."""
        return f"mail {self.address}" + ("" if self.team is None else f", team {self.team}")

    async def take(self, report: WeekReport) -> bool:
        """Mail the report; a team that held nothing has none."""
        if self.team is not None and self.team not in {line.name for line in report.by("team")}:
            return False
        await self.postman.post(await to_thread(self._bulletin, report), self.address)
        return True

    def _bulletin(self, report: WeekReport) -> Bulletin:
        chosen = report if self.names else veiled(report)
        if self.team is not None:
            chosen = extract(report, self.team)
        if self.language:
            chosen = chosen.told(tongue(self.language))
        return Bulletin(
            id=f"{report.context.cluster} {report.week} {self.name}",
            subject=mail_page.subject(chosen),
            text=text_page.render(chosen),
            html=mail_page.render(chosen),
            enclosures=(_whole(chosen, printed=self.printed),),
        )


def _whole(report: WeekReport, *, printed: bool) -> Enclosure:
    """Return the whole report as a file: printed where that is wished for and can be done."""
    team = "" if report.team is None else f"-{file_name(report.team)}"
    page, name = PAGES["html"](report), f"{stem(report)}{team}"
    if printed:
        try:
            return Enclosure(name=f"{name}.pdf", kind="application/pdf", content=pdf.render(page))
        except PdfError as error:
            _log.warning("the report goes out as HTML instead: %s", error)
    return Enclosure(name=f"{name}.html", kind="text/html", content=page.encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamLeads:
    """Looks up who leads a team, as the directory stands now."""

    directory: Leading
    postman: Postman
    printed: bool

    async def __call__(self) -> Sequence[Recipient]:
        """Return a reader for each team that somebody with an address leads."""
        return [
            Reader(
                postman=self.postman,
                address=person.email,
                printed=self.printed,
                team=team,
                language=person.language,
            )
            for person in await self.directory.leads()
            for team in person.leads
            if person.email and not person.left
        ]
