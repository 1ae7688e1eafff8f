"""
Handing reports over: of each closed week, every version once to every recipient.

A recipient is a folder; a file is written whole or not at all, and writing it again after a crash
leaves the same file.
"""

import logging
from asyncio import to_thread
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import quote

from reaper.app.bookkeeping import RESTATED, recent
from reaper.domain.money.closing import Closing, Handover
from reaper.ports import Clock, ReaperError, Store
from reaper.reports import pdf
from reaper.reports.audience import extract, veiled
from reaper.reports.pages import PAGES
from reaper.reports.past import of_week
from reaper.reports.settings import DeliverSettings
from reaper.reports.week import Context, WeekReport

_log = logging.getLogger(__name__)

_WEEK: Final = 7 * 86400.0

#: Seconds until what was not taken is offered again.
_PATIENCE: Final = 900.0

_ENDINGS: Final = {"markdown": "md", "text": "txt"}


class Recipient(Protocol):
    """Takes reports; `name` is by what it is remembered."""

    @property
    def name(self) -> str:
        """Return its name, the same after a restart."""

    async def take(self, report: WeekReport) -> None:
        """Take a report, whole; raise OSError or ReaperError where that fails."""


@dataclass(slots=True, kw_only=True)
class Clerk:
    """Hands the reports of closed weeks over."""

    store: Store
    clock: Clock
    epoch: int
    context: Context
    recipients: tuple[Recipient, ...]
    _due: float = field(default=float("-inf"), init=False)

    def again(self) -> None:
        """Look again at the next turn: there is a new closing."""
        self._due = float("-inf")

    async def turn(self) -> int:
        """
        Hand over what was not yet; return how many reports.

        What a recipient could not take is tried again later, and keeps no other from its own.
        """
        now, zone = self.clock.now(), self.context.zone_name
        if not self.recipients or now < self._due:
            return 0
        self._due = now + _PATIENCE
        handed = 0
        async with self.store.reading() as books:
            heads = await books.closings(zone, now - (RESTATED + 3) * _WEEK, now)
        for head in recent(heads, now):
            for recipient in self.recipients:
                handed += await self._hand(head, recipient, now)
        return handed

    async def _hand(self, head: Closing, recipient: Recipient, now: float) -> int:
        async with self.store.reading() as books:
            known = await books.handed_over(head.zone, head.week)
            if any((one.version, one.recipient) == (head.version, recipient.name) for one in known):
                return 0
            report = await of_week(books, self.context, head.week, now=now)
        try:
            await recipient.take(report)
        except (OSError, ReaperError) as error:
            _log.error("the report of %s did not go to %s: %s", head.name, recipient.name, error)
            return 0
        done = Handover(
            zone=head.zone,
            week=head.week,
            version=head.version,
            recipient=recipient.name,
            at=now,
        )
        async with self.store.transaction(self.epoch) as books:
            await books.keep_handover(done)
        _log.info("the report of %s went to %s", head.name, recipient.name)
        return 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder that takes reports as files, and extracts of teams in a folder each."""

    settings: DeliverSettings

    @property
    def name(self) -> str:
        """Return the folder's name."""
        return f"folder {self.settings.folder}"

    async def take(self, report: WeekReport) -> None:
        """Write every file of a report."""
        await to_thread(self._take, report)

    def _take(self, report: WeekReport) -> None:
        for path, content in self._files(report):
            path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
            draft = path.with_name(f".{path.name}.draft")
            draft.write_bytes(content)
            draft.replace(path)

    def _files(self, report: WeekReport) -> Iterator[tuple[Path, bytes]]:
        wide = report if self.settings.names else veiled(report)
        yield from self._forms(wide, self.settings.folder)
        teams = [line.name for line in report.by("team") if line.name]
        for team in teams if self.settings.teams else ():
            folder = self.settings.folder / "teams" / _file_name(team)
            yield from self._forms(extract(report, team), folder)

    def _forms(self, report: WeekReport, folder: Path) -> Iterator[tuple[Path, bytes]]:
        stem = f"{_file_name(report.context.cluster)}-{report.week}-v{report.version}"
        for form in self.settings.forms:
            ending = _ENDINGS.get(form, form)
            yield folder / f"{stem}.{ending}", _content(report, form)


def _content(report: WeekReport, form: str) -> bytes:
    if form == "pdf":
        return pdf.render(PAGES["html"](report))
    return PAGES[form](report).encode()


def _file_name(text: str) -> str:
    """Return a name that no two texts share and that leaves no folder."""
    return quote(text, safe="").replace(".", "%2E")
