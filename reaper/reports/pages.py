"""Every form in which a report is written; a new one is a file and a line here."""

from collections.abc import Callable, Mapping
from typing import Final

from reaper.reports import csv_page, html_page, json_page, markdown_page, text_page
from reaper.reports.week import WeekReport

PAGES: Final[Mapping[str, Callable[[WeekReport], str]]] = {
    "text": text_page.render,
    "json": json_page.render,
    "csv": csv_page.render,
    "html": html_page.render,
    "markdown": markdown_page.render,
}
