"""Every form of a report that a person reads says what it says by the tables of its language."""

import re
from dataclasses import replace

import pytest

from reaper.domain.money.findings import Compared
from reaper.domain.money.proposals import propose
from reaper.reports import mail_page
from reaper.reports.audience import extract, veiled
from reaper.reports.languages import ENGLISH, TONGUES, Tongue
from reaper.reports.pages import PAGES
from reaper.reports.week import WeekReport
from tests import report_gallery
from tests.golden.test_report import doubtful, worked
from tests.pseudo import pseudo_language, untranslated

SAID, RUSSIAN = pseudo_language("reports", Tongue), TONGUES["ru"]
NAMES = (
    *("aurora", "alpha", "UTC", "CET", "EUR", "GPU", "NVIDIA", "A100-SXM4-80GB", "H100-SXM5-80GB"),
    *("L40S", "A100", "L4", *report_gallery.TEAMS, *report_gallery.POLICIES, "slurm", "kurs1"),
    *("notebooks (act)", "owner", "allocation", "node1", "node2", "node3", "gpu09", "GPU-1"),
    *(name for names in report_gallery.TEAMS.values() for name in names),
    *("mira", "otto", "zoe", "ana", "ml", "Europe/Berlin", "sacct"),
)
"""What people and things are called here, and units; a veiled report's pseudonyms."""
HEX = re.compile(r"\b[0-9a-f]{6,64}\b")


async def busy() -> WeekReport:
    report = await report_gallery.report()
    compared = Compared(source="sacct", ours=3600.0, theirs=7200.0)
    return replace(report, compared=compared)


async def bare() -> WeekReport:
    return replace(await doubtful(), compared=Compared(source="sacct", problem="it is not there"))


MADE = pytest.mark.parametrize("make", [busy, worked, doubtful, bare])
VEILED = pytest.mark.parametrize(
    "chosen",
    [lambda one: one, veiled, lambda one: extract(one, "vision")],
    ids=["", "veiled", "team"],
)


def left(page: str) -> set[str]:
    return untranslated(HEX.sub("", page), NAMES)


@MADE
@VEILED
async def test_a_page_says_nothing_that_is_not_in_the_tables(make, chosen):
    report = chosen((await make()).told(SAID))

    assert left(PAGES["html"](report)) == set()


@MADE
@VEILED
async def test_a_mail_says_nothing_that_is_not_in_the_tables(make, chosen):
    report = chosen((await make()).told(SAID))

    assert left(mail_page.render(report)) == set()
    assert left(mail_page.subject(report)) == set()


# ------------------------------------------------------------------ in Russian


@MADE
@VEILED
@pytest.mark.parametrize("form", ["html", "text", "markdown"])
async def test_russian_leaves_nothing_of_ours_in_english(make, chosen, form):
    page = PAGES[form](chosen((await make()).told(RUSSIAN)))
    shown = re.sub(r'<html lang="ru">', "", page)

    assert untranslated(HEX.sub("", shown), (*NAMES, *TYPED)) == set()


TYPED = (
    *("ISO", "it is not there", "mira was warned about 51", "kept for 2 h", "still needed", "dev"),
    *("is gone", "a blip every 30 min for 2 d", "warned", "protein-foldi ng"),
)
"""What events and errors say in their own words."""


async def test_every_proposal_is_said_in_russian():
    for make in (busy, worked, doubtful):
        for one in propose((await make()).accounts):
            assert re.search("[а-яё]", RUSSIAN.phrase(one.title)), one.title
            assert re.search("[а-яё]", RUSSIAN.phrase(one.arithmetic)), one.arithmetic


async def test_a_report_in_russian_is_told_so():
    page = PAGES["html"]((await busy()).told(RUSSIAN))

    assert '<html lang="ru">' in page
    assert "Впустую прошло" in page
    assert "На что ушёл каждый GPU-час" in page


async def test_what_machines_read_is_the_same_in_every_language():
    report = await busy()

    assert PAGES["json"](report.told(RUSSIAN)) == PAGES["json"](report)
    assert PAGES["csv"](report.told(RUSSIAN)) == PAGES["csv"](report)


@pytest.mark.parametrize("one", [ENGLISH, RUSSIAN])
async def test_nothing_is_escaped_twice(one):
    for make in (busy, doubtful):
        report = (await make()).told(one)

        assert not re.search(
            r"&amp;(lt|gt|amp|#\d+);", PAGES["html"](report) + mail_page.render(report)
        )


async def test_a_line_without_words_is_marked_as_english_and_is_escaped():
    compared = Compared(source="sacct", problem="<b>sacct</b> ended with 1")
    page = PAGES["html"](replace(await doubtful(), compared=compared).told(RUSSIAN))

    assert '<span lang="en">&lt;b&gt;sacct&lt;/b&gt; ended with 1</span>' in page
