"""The report in a real browser: wide, narrow and on paper; nothing fetched, nothing cut off."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from reaper.reports.audience import extract, veiled
from reaper.reports.pages import PAGES
from tests import report_gallery as gallery
from tests.components import find, require

playwright = pytest.importorskip("playwright.async_api")

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SCROLLS = "document.documentElement.scrollWidth > innerWidth"

#: CSS pixels of an A4 page within its margins.
PAPER = (round((210 - 26) / 25.4 * 96), round((297 - 24) / 25.4 * 96))

#: The texts of charts whose words leave their picture.
CUT = """() => [...document.querySelectorAll('svg.chart text')].filter(text => {
  const inside = text.getBoundingClientRect();
  const around = text.closest('svg').getBoundingClientRect();
  return inside.left < around.left - 1 || inside.right > around.right + 1
    || inside.bottom > around.bottom + 1;
}).map(text => text.textContent)"""

#: The labels below one bar that touch each other.
TOUCHING = """() => [...document.querySelectorAll('.model svg.chart')].flatMap(svg => {
  const boxes = [...svg.querySelectorAll('text')].map(text => text.getBoundingClientRect());
  return boxes.filter((box, at) => at && box.left < boxes[at - 1].right - 0.5);
}).length"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[object]:
    require("chromium")
    async with playwright.async_playwright() as driver:
        started = await driver.chromium.launch(executable_path=find("chromium"), args=ARGUMENTS)
        yield started
        await started.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pages() -> dict[str, str]:
    """The wide report and an extract."""
    report = await gallery.report()
    return {
        "wide": PAGES["html"](veiled(report)),
        "team": PAGES["html"](extract(report, "vision")),
    }


async def opened(browser, page: str, *, width: int = 1280, **given):
    view = await browser.new_page(viewport={"width": width, "height": 900}, **given)
    view.asked = []
    view.on("request", lambda request: view.asked.append(request.url))
    await view.set_content(page)
    return view


@pytest.mark.parametrize("width", [390, 760, 1280, 1920])
@pytest.mark.parametrize("name", ["wide", "team"])
async def test_nothing_scrolls_sideways(browser, pages, name, width):
    view = await opened(browser, pages[name], width=width)

    assert not await view.evaluate(SCROLLS)
    assert view.asked == []
    await view.close()


@pytest.mark.parametrize("name", ["wide", "team"])
async def test_the_first_sheet_fits_on_a_page(browser, pages, name):
    width, height = PAPER
    view = await opened(browser, pages[name], width=width)
    await view.emulate_media(media="print")

    assert await view.evaluate("document.querySelector('#first').offsetHeight") <= height
    await view.close()


@pytest.mark.parametrize("width", [390, 1280])
async def test_no_word_of_a_chart_is_cut_off(browser, pages, width):
    view = await opened(browser, pages["wide"], width=width)

    assert await view.evaluate(CUT) == []
    assert await view.evaluate(TOUCHING) == 0
    await view.close()


async def test_it_stays_light_in_the_dark(browser, pages):
    view = await opened(browser, pages["wide"], color_scheme="dark")

    ground = await view.evaluate("getComputedStyle(document.querySelector('.sheet')).background")
    assert "rgb(255, 255, 255)" in ground
    await view.close()


async def test_a_reader_of_headings_finds_every_part(browser, pages):
    view = await opened(browser, pages["wide"])
    headings = await view.locator("h2").all_inner_texts()

    assert [text.split("\n")[0].strip() for text in headings][:1] != []
    for part in ("Where every GPU-hour went", "Proposals", "Data quality", "Definitions"):
        assert any(text.startswith(part) for text in headings), part
    await view.close()
