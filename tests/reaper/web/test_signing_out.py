"""Who signs out is out for good; who is wrong too often keeps out nobody but themselves."""

from urllib.parse import parse_qs, urlsplit

from reaper.store.memory import MemoryStore
from reaper.web.attempts import MOST
from tests.signing_in import begun, signed_in, signing
from tests.visits import visiting, words


async def test_who_signs_out_is_out_with_every_copy_of_the_cookie(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        await signed_in(browser, made)
        stolen = "; ".join(f"{one.key}={one.value}" for one in browser.client.cookie_jar)
        out = await browser.send("/mine", "/sign-out")
        browser.client.cookie_jar.clear()

        assert "Signed out" in words(out.text)
        assert (await browser.get("/api/v1/status")).status == 401
        assert (await browser.get("/api/v1/status", Cookie=stolen)).status == 401


async def test_who_signed_out_stays_out_after_a_restart(tmp_path):
    store = MemoryStore(cluster="sim")
    async with signing(tmp_path, store=store) as (_, made, browser):
        await signed_in(browser, made)
        stolen = "; ".join(f"{one.key}={one.value}" for one in browser.client.cookie_jar)
        assert (await browser.get("/api/v1/status", Cookie=stolen)).status == 200
        await browser.send("/mine", "/sign-out")

    async with signing(tmp_path, store=store) as (_, _made, browser):
        assert (await browser.get("/api/v1/status", Cookie=stolen)).status == 401


async def test_wrong_answers_of_an_address_keep_nobody_out_who_began_there(tmp_path):
    async with signing(tmp_path) as (served, made, browser):
        async with visiting(served) as guesser:
            tried = [(await guesser.get("/sign-in/back?state=x")).status for _ in range(MOST + 1)]

        assert (tried[0], tried[-1]) == (403, 429)
        assert (await signed_in(browser, made)).status == 303


async def test_one_beginning_may_not_be_answered_without_end(tmp_path):
    async with signing(tmp_path) as (_, _made, browser):
        state = parse_qs(urlsplit(await begun(browser)).query)["state"][0]
        copied = "; ".join(f"{one.key}={one.value}" for one in browser.client.cookie_jar)
        path = f"/sign-in/back?state={state}&code=wrong"
        tried = [(await browser.get(path, Cookie=copied)).status for _ in range(MOST + 1)]

    assert (tried[0], tried[-1]) == (403, 429)


async def test_nobody_is_signed_out_by_another_site(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        await signed_in(browser, made)

        assert (await browser.post("/sign-out")).status == 403
        assert (await browser.get("/mine")).status == 200
