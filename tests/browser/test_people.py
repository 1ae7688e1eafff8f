"""Owners and operators at their pages: by keyboard, on a phone, in the dark, without scripts."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.browser.walks import ARGUMENTS, invented, walked
from tests.components import find, require
from tests.visits import link

playwright = pytest.importorskip("playwright.async_api")
axe = pytest.importorskip("axe_playwright_python.async_playwright")

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

LINK = link("mira", run_key="k1")
PAGES = {
    "mine": ("mira", "/mine"),
    "allocation": ("mira", "/allocation/slurm/48213"),
    "keep": ("mira", "/ask/keep/slurm/48213"),
    "release": ("mira", "/ask/release/slurm/48510"),
    "dispute": ("mira", "/ask/dispute/slurm/48213"),
    "nothing": ("nora", "/mine"),
    "stranger": ("", "/mine"),
    "cluster": ("otto", "/"),
    "queue": ("otto", "/queue"),
    "audit": ("otto", "/audit"),
    "report": ("vera", "/report?week=2026-W10"),
    "no page": ("mira", "/nothing"),
    "link": ("", LINK),
    "button": ("", f"{LINK}?do=dispute"),
    "old link": ("", "/answer/old"),
    "russian mine": ("ravi", "/mine"),
    "russian keep": ("ravi", "/ask/keep/slurm/48502"),
    "russian allocation": ("ravi", "/allocation/slurm/48502"),
    "russian link": ("", link("ravi", run_key="k32")),
}
SCREENS = [("light", 1280), ("dark", 390)]
SCROLLS = "document.documentElement.scrollWidth > innerWidth"
FOCUSED = """() => {
  const style = getComputedStyle(document.activeElement);
  return [document.activeElement.id, style.outlineStyle, parseFloat(style.outlineWidth)];
}"""
SMALL = """() => [...document.querySelectorAll("button, .button, select")]
  .filter((one) => one.getBoundingClientRect().height < 24).map((one) => one.id)"""
"""Targets below the least size of WCAG 2.2."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[object]:
    require("chromium")
    async with playwright.async_playwright() as driver:
        started = await driver.chromium.launch(executable_path=find("chromium"), args=ARGUMENTS)
        yield started
        await started.close()


@pytest_asyncio.fixture(loop_scope="module")
async def served(tmp_path):
    async with walked(tmp_path, reads={"ravi": "ru"}, report=invented) as running:
        yield running


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def closed(browser) -> AsyncIterator[None]:
    """Close what a test has opened."""
    yield
    for context in browser.contexts:
        await context.close()


async def opened(browser, served, user, path, *, width=1280, **given):
    """Open a page as whom the proxy names."""
    named = {"X-Forwarded-User": user} if user else {}
    context = await browser.new_context(
        viewport={"width": width, "height": 900}, extra_http_headers=named, **given
    )
    view = await context.new_page()
    await view.goto(f"http://{served.web.address}{path}")
    return view


async def tabbed(view, ident: str) -> None:
    """Go to an element by the keyboard alone."""
    for _ in range(60):
        await view.keyboard.press("Tab")
        if await view.evaluate("document.activeElement.id") == ident:
            return
    pytest.fail(f"no way to {ident} by the keyboard")


async def said(view) -> str:
    return await view.inner_text("#told")


# ------------------------------------------------------------------ how the pages are


@pytest.mark.parametrize(("scheme", "width"), SCREENS)
@pytest.mark.parametrize("page", PAGES)
async def test_a_page_is_accessible(browser, served, page, scheme, width):
    view = await opened(browser, served, *PAGES[page], width=width, color_scheme=scheme)
    found = await axe.Axe().run(view)

    assert found.generate_snapshot() == ""


@pytest.mark.parametrize("page", PAGES)
async def test_a_page_never_scrolls_sideways(browser, served, page):
    view = await opened(browser, served, *PAGES[page])
    for width in (320, 360, 390, 800, 900, 1280, 1440):
        await view.set_viewport_size({"width": width, "height": 900})

        assert not await view.evaluate(SCROLLS), width
        assert await view.evaluate(SMALL) == [], width


@pytest.mark.parametrize("page", PAGES)
async def test_a_page_complains_of_nothing(browser, served, page):
    user, path = PAGES[page]
    view = await opened(browser, served, user, "/healthz")
    complaints: list[str] = []
    view.on("console", lambda message: complaints.append(message.text))
    view.on("pageerror", lambda error: complaints.append(str(error)))
    await view.goto(f"http://{served.web.address}{path}")

    assert [text for text in complaints if "the server responded with a status" not in text] == []


@pytest.mark.parametrize("page", ["mine", "queue", "link"])
async def test_whoever_tabs_sees_where_they_are(browser, served, page):
    view = await opened(browser, served, *PAGES[page])
    seen = []
    for _ in range(8):
        await view.keyboard.press("Tab")
        seen.append(await view.evaluate(FOCUSED))

    assert [focus for focus in seen if focus[1] == "none" or focus[2] < 2] == []


# ------------------------------------------------------------------ an owner's walk


@pytest.mark.parametrize("scripts", [True, False])
async def test_an_owner_keeps_by_the_keyboard(browser, served, scripts):
    view = await opened(browser, served, "mira", "/mine", java_script_enabled=scripts)
    await view.focus("#keep-slurm-48213")
    await view.keyboard.press("Tab")
    await view.keyboard.press("ArrowUp")
    await view.keyboard.press("Shift+Tab")
    await view.keyboard.press("Enter")
    await view.wait_for_url("**/allocation/slurm/48213")

    assert "Kept slurm/48213 for 2 h" in await said(view)
    assert "Kept until 16:32" in await view.inner_text("main")


async def test_an_owner_gives_back_what_works_only_after_saying_so(browser, served):
    view = await opened(browser, served, "mira", "/mine", width=390)
    await tabbed(view, "release-slurm-48510")
    await view.keyboard.press("Enter")
    await view.wait_for_url("**/ask/release/slurm/48510")
    await tabbed(view, "send")
    await view.keyboard.press("Enter")
    assert view.url.endswith("/ask/release/slurm/48510")

    await view.focus("#confirmed")
    await view.keyboard.press("Space")
    await tabbed(view, "send")
    await view.keyboard.press("Enter")
    await view.wait_for_url("**/allocation/slurm/48510")

    assert "slurm/48510 will be released within minutes" in await said(view)


async def test_an_owner_disputes_by_the_keyboard(browser, served):
    view = await opened(browser, served, "mira", "/allocation/slurm/48213")
    await tabbed(view, "dispute-slurm-48213")
    await view.keyboard.press("Enter")
    await view.wait_for_url("**/ask/dispute/slurm/48213")
    await tabbed(view, "reason")
    await view.keyboard.type("the loader waits for the archive")
    await view.keyboard.press("Enter")
    await view.wait_for_url("**/allocation/slurm/48213")

    assert "an operator will look at it" in await said(view)
    assert "the loader waits for the archive" in await view.inner_text("main")


@pytest.mark.parametrize("scripts", [True, False])
async def test_a_link_is_answered_on_a_phone(browser, served, scripts):
    path = f"{LINK}?do=keep"
    view = await opened(browser, served, "", path, width=390, java_script_enabled=scripts)
    await view.get_by_role("button", name="Keep it").click()
    await view.wait_for_url(lambda url: "do=" not in url)

    assert "Kept slurm/48213 for 4 h" in await said(view)
    assert await view.get_by_role("button").count() == 0


# ------------------------------------------------------------------ an operator's walk


async def test_an_operator_rules_and_finds_it_in_the_trail(browser, served):
    view = await opened(browser, served, "otto", "/")
    await tabbed(view, "to-queue")
    await view.keyboard.press("Enter")
    await view.wait_for_url("**/queue")
    await tabbed(view, "why-d1")
    await view.keyboard.type("the archive copies until six")
    await tabbed(view, "uphold-1")
    await view.keyboard.press("Enter")
    await view.wait_for_url("**/queue")
    assert "dispute upheld: slurm/48500" in (await said(view)).lower()

    await tabbed(view, "to-audit")
    await view.keyboard.press("Enter")
    await view.wait_for_url("**/audit")

    assert "the archive copies until six" in await view.inner_text("main")


async def test_a_decision_needs_a_reason(browser, served):
    view = await opened(browser, served, "otto", "/queue")
    await view.click("#approve-1")

    assert await view.evaluate("document.activeElement.id") == "why-a1"
    assert view.url.endswith("/queue")
