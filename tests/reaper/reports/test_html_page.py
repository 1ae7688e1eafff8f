"""The page holds all it shows, reads without colour, and prints its first sheet on one page."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from reaper.domain.facts.allocation import Purpose
from reaper.domain.money.ledger import Ledger, Terms
from reaper.reports import charts, markdown_page, pdf
from reaper.reports.audience import extract, veiled
from reaper.reports.pages import PAGES
from reaper.reports.words import hours
from tests import report_gallery as gallery
from tests.books import HOUR, TEN, priced, room, tenure_of, track_of
from tests.reports import reported

WEEK = gallery.WEEK
NEXT = WEEK.end + 8 * HOUR


class Page(HTMLParser):
    """Reads a page: its ids, its references, its words and its pictures' words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.asked: list[str] = []
        self.spoken: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.ids += [named["id"]] if "id" in named else []
        self.asked += [named[name] for name in ("src", "href") if name in named]
        self.spoken += [named["aria-label"]] if tag == "svg" and "aria-label" in named else []

    def handle_data(self, data):
        self.text += data


@pytest.fixture
async def report():
    return await gallery.report()


@pytest.fixture
def page(report) -> Page:
    return Page(PAGES["html"](veiled(report)))


async def test_nothing_is_fetched(page):
    assert page.asked == []


async def test_figures_are_those_of_the_report(report, page):
    for seconds in (report.total.wasted, report.total.reclaimed, report.total.idle_while_waiting):
        assert hours(seconds) in page.text


async def test_charts_say_in_words_what_they_show(page):
    capacity = next(text for text in page.spoken if text.startswith("All GPUs"))

    assert "idle too long 2,851.0 GPU-hours (18 %)" in capacity
    assert any(text.startswith("Share wasted by week") for text in page.spoken)


async def test_every_pattern_that_is_used_is_there(report):
    text = PAGES["html"](report)
    wanted = set(re.findall(r"url\(#([\w-]+)\)", text))

    assert wanted <= set(re.findall(r'<pattern id="([\w-]+)"', text))


def test_states_differ_without_their_colour():
    lines = [frozenset(look.split("M")) for _, look in charts.LOOKS.values() if look]
    plain = sorted(brightness(fill) for fill, look in charts.LOOKS.values() if not look)

    assert len(set(lines)) == len(lines)
    assert all(other - one > 0.5 for one, other in pairwise(plain))


def brightness(fill: str) -> float:
    """Return the relative luminance of a colour, 0 to 1."""
    red, green, blue = (int(fill[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2


async def test_names_from_outside_are_text():
    bad = "<script>alert(1)</script>"
    ledger = Ledger(
        tenures=(tenure_of("1", "GPU-0", TEN, None, owner=bad, team=bad, model=bad),),
        tracks={"GPU-0": track_of(TEN, "H" * 120)},
        capacity=(room(1, TEN, model=bad),),
    )
    report = await reported(ledger, Terms(), now=TEN + 2 * HOUR)
    least = replace(report, context=replace(report.context, least=0.0))

    assert "<script>" not in PAGES["html"](least)
    assert "&lt;script&gt;" in PAGES["html"](least)
    assert "<script>" not in PAGES["markdown"](least)


async def test_empty_books_make_a_page():
    text = Page(PAGES["html"](await reported(Ledger(), Terms(), now=TEN))).text

    assert "No GPU-hour is in the books." in text
    assert "Nobody held a GPU." in text


async def test_an_extract_has_no_word_on_the_cluster(report):
    text = Page(PAGES["html"](extract(report, "vision"))).text

    assert "team vision" in text
    assert "Proposals" not in text
    assert "Identity" not in text


async def test_an_evidence_link_is_for_named_readers(report):
    named, hidden = Page(PAGES["html"](report)), Page(PAGES["html"](veiled(report)))

    assert all(link.startswith("http://127.0.0.1:9402/allocation/") for link in named.asked)
    assert len(named.asked) == len(report.top)
    assert hidden.asked == []


async def test_hours_paid_by_the_hour_are_no_idle_capacity():
    ledger = Ledger(
        tenures=(tenure_of("1", "GPU-0", TEN, None, purpose=Purpose.OTHER),),
        tracks={"GPU-0": track_of(TEN, "H" * 120)},
        capacity=(room(1, TEN),),
    )
    owned = await reported(ledger, Terms(rates=priced("2")), now=TEN + 2 * HOUR)
    rented = await reported(ledger, Terms(rates=priced("2", kind="spot")), now=TEN + 2 * HOUR)

    assert "of idle capacity" in PAGES["html"](owned)
    assert "of idle capacity" not in PAGES["html"](rented)


async def test_a_message_fits_into_one_section_of_slack(report):
    text = PAGES["markdown"](report)

    assert len(text) <= markdown_page.LONGEST
    assert text.startswith("*GPU report aurora, week 2026-W10*")


# ------------------------------------------------------------------ on paper


async def test_the_first_sheet_is_one_page_and_the_annex_begins_the_next(report, require):
    require("pango")
    import weasyprint

    pages = weasyprint.HTML(string=PAGES["html"](veiled(report))).render().pages
    anchors = [set(page.anchors) for page in pages]

    assert {"first", "asks"} <= anchors[0]
    assert "annex" in anchors[1]
    assert len(pages) <= 4


async def test_a_page_becomes_a_pdf(report, require):
    require("pango")

    assert pdf.render(PAGES["html"](veiled(report))).startswith(b"%PDF-")


@pytest.mark.parametrize(
    "error",
    [ImportError("No module named 'weasyprint'"), OSError("cannot load library 'libpango-1.0-0'")],
)
def test_a_missing_library_says_its_cure(error: Exception):
    def absent():
        raise error

    with pytest.raises(pdf.PdfError, match="install the extra with") as raised:
        pdf.render("<p>", library=absent)
    assert str(error) in str(raised.value)


async def test_a_pdf_fetches_nothing():
    with pytest.raises(ValueError, match="fetches nothing"):
        pdf._refuse("https://example.org/logo.png")


async def test_every_id_of_a_page_stands_there_once():
    ids = Page(PAGES["html"](await gallery.report())).ids

    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize(
    ("until", "said"),
    [
        ((), "0"),
        ((None,), "1, 1 without an end"),
        ((NEXT, NEXT + HOUR, None), "3, the first ends Mon 2026-03-09 08:00 UTC, 1 without an end"),
        ((WEEK.begin,), "0"),
    ],
)
async def test_exemptions_are_told_with_their_end(until, said):
    report = await gallery.report()
    exempt = replace(report, context=replace(report.context, exemptions=until))
    page = PAGES["html"](exempt)

    assert f"<dt>Exemptions in force</dt><dd>{said}</dd>" in page
