"""The page as a person meets it: a real browser, light and dark, wide and narrow, by keyboard."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from tests.builders_gallery import gallery
from tests.builders_picture import NOW
from tests.components import find, require
from tests.served import serving

playwright = pytest.importorskip("playwright.async_api")

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PAGES = ("/", "/allocation/slurm/48213", "/?q=mira", "/allocation/slurm/1")
WIDTHS = (390, 640, 900, 1280, 1920)
SCROLLS = "document.documentElement.scrollWidth > innerWidth"
FOCUSED = """() => {
  const style = getComputedStyle(document.activeElement);
  return [document.activeElement.id, style.outlineStyle, parseFloat(style.outlineWidth)];
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[object]:
    require("chromium")
    async with playwright.async_playwright() as driver:
        started = await driver.chromium.launch(executable_path=find("chromium"), args=ARGUMENTS)
        yield started
        await started.close()


@pytest_asyncio.fixture(loop_scope="module")
async def served(tmp_path):
    async with serving(tmp_path, gallery(), rate=10.0) as running:
        yield running


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def closed(browser) -> AsyncIterator[None]:
    """Close what a test has opened."""
    yield
    for context in browser.contexts:
        await context.close()


async def opened(browser, served, path="/", *, width=1280, **given):
    """Open a page and gather what it complains about."""
    view = await browser.new_page(viewport={"width": width, "height": 900}, **given)
    complaints: list[str] = []
    view.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    view.on("pageerror", lambda error: complaints.append(str(error)))
    await view.goto(f"http://{served.web.address}{path}")
    return view, complaints


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES[:3])
async def test_nothing_complains(browser, served, scheme, path):
    _, complaints = await opened(browser, served, path, color_scheme=scheme)

    assert complaints == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("path", PAGES)
async def test_nothing_scrolls_sideways(browser, served, width, path):
    view, _ = await opened(browser, served, path, width=width)

    assert not await view.evaluate(SCROLLS)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 390)])
async def test_a_picture_can_be_taken(browser, served, tmp_path, scheme, width):
    view, _ = await opened(browser, served, width=width, color_scheme=scheme)

    await view.screenshot(path=tmp_path / "page.png", full_page=True)

    assert (tmp_path / "page.png").stat().st_size > 20_000


@pytest.mark.parametrize(
    ("scheme", "ground"), [("light", "rgb(250, 249, 246)"), ("dark", "rgb(21, 21, 19)")]
)
async def test_the_page_follows_the_scheme(browser, served, scheme, ground):
    view, _ = await opened(browser, served, color_scheme=scheme)

    assert await view.evaluate("getComputedStyle(document.body).backgroundColor") == ground


@pytest.mark.parametrize(("width", "shape"), [(1280, "table-row"), (390, "block")])
async def test_a_phone_sees_cards(browser, served, width, shape):
    view, _ = await opened(browser, served, width=width)
    row = "document.querySelector('table.cards tr:last-child')"

    assert await view.evaluate(f"getComputedStyle({row}).display") == shape


async def test_a_track_fits_one_line_of_a_phone(browser, served):
    view, _ = await opened(browser, served, width=390)
    lines = "document.querySelector('.track').getClientRects()[0].height"

    assert await view.evaluate(lines) < 20


async def test_whoever_tabs_sees_where_they_are(browser, served):
    view, _ = await opened(browser, served)
    seen = []
    for _ in range(12):
        await view.keyboard.press("Tab")
        seen.append(await view.evaluate(FOCUSED))

    assert [focus for focus in seen if focus[1] == "none" or focus[2] < 2] == []
    assert len({focus[0] for focus in seen}) == 12


async def test_the_keyboard_leads_from_the_list_to_an_allocation(browser, served):
    view, _ = await opened(browser, served)

    await view.locator(".idle-list .who a").first.focus()
    await view.keyboard.press("Enter")
    await view.wait_for_url("**/allocation/slurm/48213")

    assert "burning 31.20 EUR an hour" in await view.inner_text("h1")


async def test_a_search_is_a_form_like_any_other(browser, served):
    view, _ = await opened(browser, served)

    await view.fill("#q", "ravi")
    await view.press("#q", "Enter")
    await view.wait_for_url("**/?q=ravi")

    assert await view.locator("table.cards tbody tr").count() == 1


async def test_the_page_renews_itself_and_keeps_the_focus(browser, served):
    view, complaints = await opened(browser, served)
    await view.focus("#metrics")

    async with served.store.transaction(served.epoch) as books:
        await books.keep_picture(replace(gallery(), idle=21))

    await view.locator("h1", has_text="21 of 89 GPUs").wait_for()
    assert await view.evaluate("document.activeElement.id") == "metrics"
    assert complaints == []


async def test_a_reaper_that_is_gone_is_told(browser, served):
    view, _ = await opened(browser, served)

    await served.web.stop()
    await view.wait_for_selector("#lost", state="visible")

    assert "does not answer" in await view.inner_text("#lost")


async def test_a_stale_picture_is_loud(browser, served):
    served.clock.jump(NOW + 600)
    view, _ = await opened(browser, served)

    assert "This picture is 10 min old" in await view.get_by_role("alert").inner_text()


async def test_without_scripts_the_page_is_whole(browser, served):
    view, _ = await opened(browser, served, java_script_enabled=False)

    assert await view.locator(".idle-list li").count() == 5
    assert await view.locator("meta[http-equiv=refresh]").count() == 1
