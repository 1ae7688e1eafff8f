"""The signed-in pages of a demonstration: a link makes a visitor, and nothing else does."""

from contextlib import asynccontextmanager

import aiohttp
import pytest

from reaper.app.demo.visiting import OPERATOR, visiting
from reaper.schema import Secret
from reaper.web.roles import Members, ProxySignIn, Roles
from tests.visits import Seen, proxied

ROLES = Roles(operators=Members(users=(OPERATOR,)))


@pytest.fixture
def door(tmp_path):
    """Give `door()`: the links to a real site behind it, and a browser without any cookie."""

    @asynccontextmanager
    async def opened():
        (tmp_path / "word").write_text("a-word-that-nobody-guesses")
        way = ProxySignIn(groups="", secret=Secret(file=tmp_path / "word"))
        jar = aiohttp.CookieJar(unsafe=True)
        async with (
            proxied(tmp_path, sign_in=way, roles=ROLES) as served,
            visiting(served.web.address, "a-word-that-nobody-guesses") as links,
            aiohttp.ClientSession(cookie_jar=jar) as browser,
        ):
            yield {guest.user: link for link, guest in links}, browser, served

    return opened


async def test_a_link_leads_to_the_pages_of_who_it_is_for(door):
    async with door() as (links, browser, _):
        async with browser.get(links["mira"]) as mine:
            seen = await mine.text()
        async with browser.get(links[OPERATOR]) as queue:
            found = await queue.text()

    assert (mine.status, mine.url.path, "slurm/4711" in seen) == (200, "/mine", True)
    assert (queue.status, queue.url.path, 'id="pause"' in found) == (200, "/queue", True)


async def test_what_a_visitor_asks_is_done_in_their_name(door):
    async with door() as (links, browser, served):
        async with browser.get(links["mira"]) as mine:
            word = Seen(mine.status, await mine.text(), {}).word
        where = mine.url.with_path("/do/keep/slurm/4711")
        async with browser.post(where, data={"form": word, "hours": "1"}) as kept:
            shown = await kept.text()
        async with served.store.reading() as books:
            events = await books.events()

    assert (kept.status, 'id="told"' in shown) == (200, True)
    assert [event.by for event in events if event.kind == "keep"] == ["mira"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Cookie": "gpu-reaper-demo=guessed"},
        {"X-Forwarded-User": OPERATOR},
        {"X-Forwarded-User": OPERATOR, "X-Proxy-Secret": "guessed"},
    ],
)
async def test_without_a_link_nobody_is_anybody(door, headers):
    async with door() as (links, browser, _):
        base = links["mira"].partition("/as/")[0]
        async with browser.get(f"{base}/queue", headers=headers) as answer:
            assert answer.status == 401


async def test_a_link_of_another_demonstration_is_refused(door):
    async with door() as (links, browser, _):
        base = links["mira"].partition("/as/")[0]
        async with browser.get(f"{base}/as/guessed") as answer:
            assert (answer.status, answer.cookies) == (403, {})


async def test_nobody_is_somebody_else_beside_a_link(door):
    async with door() as (links, browser, _):
        async with browser.get(links["mira"]) as mine:
            base = mine.url
        headers = {"X-Forwarded-User": OPERATOR, "X-Forwarded-Groups": "admins"}
        async with browser.get(base.with_path("/queue"), headers=headers) as answer:
            assert answer.status == 403


async def test_foreign_names_of_this_machine_are_refused_as_they_are_without_it(door):
    headers = {"Host": "evil.example"}
    async with (
        door() as (links, browser, _),
        browser.get(links["mira"], headers=headers) as answer,
    ):
        assert answer.status == 421
