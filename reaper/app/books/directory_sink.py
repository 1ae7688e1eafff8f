"""A folder that takes reports: a file is written whole or not at all, again after a crash too."""

from asyncio import to_thread
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from reaper.edge.files import write_whole
from reaper.reports import pdf
from reaper.reports.audience import extract, veiled
from reaper.reports.pages import PAGES
from reaper.reports.settings import DeliverSettings
from reaper.reports.week import WeekReport

_ENDINGS: Final = {"markdown": "md", "text": "txt"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder that takes reports as files, and extracts of teams in a folder each."""

    path: Path
    settings: DeliverSettings
    once: bool = False

    @property
    def name(self) -> str:
        """Return the folder's name."""
        return f"folder {self.path}"

    async def take(self, report: WeekReport) -> bool:
        """Write every file of a report."""
        await to_thread(self._take, report)
        return True

    def _take(self, report: WeekReport) -> None:
        for path, content in self._files(report):
            path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
            write_whole(path, content)

    def _files(self, report: WeekReport) -> Iterator[tuple[Path, bytes]]:
        wide = report if self.settings.names else veiled(report)
        yield from self._forms(wide, self.path)
        teams = [line.name for line in report.by("team") if line.name]
        for team in teams if self.settings.teams else ():
            yield from self._forms(extract(report, team), self.path / "teams" / file_name(team))

    def _forms(self, report: WeekReport, folder: Path) -> Iterator[tuple[Path, bytes]]:
        for form in self.settings.forms:
            yield folder / f"{stem(report)}.{_ENDINGS.get(form, form)}", _content(report, form)


def stem(report: WeekReport) -> str:
    """Return a file's name for a report, without its ending."""
    return f"{file_name(report.context.cluster)}-{report.week}-v{report.version}"


def file_name(text: str) -> str:
    """Return a name that no two texts share and that leaves no folder."""
    return quote(text, safe="").replace(".", "%2E")


def _content(report: WeekReport, form: str) -> bytes:
    if form == "pdf":
        return pdf.render(PAGES["html"](report))
    return PAGES[form](report).encode()
