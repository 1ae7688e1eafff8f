"""Signing in at an OpenID provider: only a proven answer to a question of this browser counts."""

from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit

import pytest
from aiohttp import web
from joserfc.jwk import OctKey, RSAKey

from reaper.web.roles import OidcSignIn
from tests.builders_picture import HOUR, NOW
from tests.fake_provider import CLIENT, SECRET, rsa_key
from tests.signing_in import back, begun, signed_in, signing
from tests.visits import proxied, visiting, words


async def test_a_person_signs_in_and_comes_back_to_the_page_they_asked_for(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        answer = await signed_in(browser, made, "/allocation/slurm/4711?x=1")
        page = await browser.get("/mine")

    assert (answer.status, answer.headers["Location"]) == (303, "/allocation/slurm/4711?x=1")
    assert (page.status, "4711" in page.text) == (200, True)


async def test_the_question_carries_pkce_state_and_nonce(tmp_path):
    async with signing(tmp_path) as (_, _made, browser):
        query = parse_qs(urlsplit(await begun(browser)).query)

    assert query["code_challenge_method"] == ["S256"]
    assert query["response_type"] == ["code"]
    assert query["redirect_uri"] == ["http://gpus.example.org/sign-in/back"]
    assert query["scope"] == ["openid profile groups"]
    assert all(len(query[name][0]) >= 32 for name in ("state", "nonce", "code_challenge"))


async def test_the_cookie_is_for_this_site_alone(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        answer = await signed_in(browser, made)
        cookie = SimpleCookie(answer.headers["Set-Cookie"])["gpu-reaper"]

    assert cookie["httponly"]
    assert (cookie["samesite"], cookie["path"]) == ("Lax", "/")


async def test_roles_come_from_groups(tmp_path):
    async with signing(tmp_path, groups="realm.roles") as (_, made, browser):
        made.claims = {"preferred_username": "ida", "realm": {"roles": ["hpc-admins", "x"]}}
        await signed_in(browser, made)

        assert (await browser.get("/queue")).status == 200


async def test_what_the_token_does_not_say_is_asked(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        made.claims = {}
        made.userinfo = {"preferred_username": "ida", "groups": ["hpc-admins"]}
        await signed_in(browser, made)

        assert (await browser.get("/queue")).status == 200


async def test_what_is_asked_about_another_person_is_not_believed(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        made.claims = {}
        made.userinfo = {"sub": "another", "preferred_username": "ida"}

        assert (await signed_in(browser, made)).status == 403


async def test_a_session_ends_by_itself(tmp_path):
    async with signing(tmp_path, session="1h") as (served, made, browser):
        await signed_in(browser, made)
        served.clock.jump(NOW + HOUR + 1)

        assert (await browser.get("/mine", Accept="text/html")).status == 303
        assert (await browser.get("/api/v1/status")).status == 401


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example/", "/\\evil.example"])
async def test_nobody_is_led_elsewhere_after_signing_in(tmp_path, to):
    async with signing(tmp_path) as (_, made, browser):
        address = (await browser.get(f"/sign-in?to={to}")).headers["Location"]
        answer = await back(browser, made, address)

    assert answer.headers["Location"] == "/"


# ------------------------------------------------------------------ what is not believed


async def test_an_answer_to_another_browser_is_refused(tmp_path):
    async with signing(tmp_path) as (served, made, browser):
        address = await begun(browser)
        async with visiting(served) as other:
            answer = await back(other, made, address)

    assert answer.status == 403
    assert "not begun here" in words(answer.text)


@pytest.mark.parametrize("query", ["state=x&code=y", "code=y", "state=&code=y", "error=no"])
async def test_an_answer_without_its_state_is_refused(tmp_path, query):
    async with signing(tmp_path) as (_, _made, browser):
        await begun(browser)

        assert (await browser.get(f"/sign-in/back?{query}")).status == 403


async def test_an_answer_counts_once(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        address = await begun(browser)
        parts = urlsplit(made.allow(address))
        first = await browser.get(f"{parts.path}?{parts.query}")
        again = await browser.get(f"{parts.path}?{parts.query}")

    assert (first.status, again.status) == (303, 403)


async def test_an_answer_of_another_provider_is_refused(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        parts = urlsplit(made.allow(await begun(browser)))

        answer = await browser.get(f"{parts.path}?{parts.query}&iss=https://evil.example")

    assert answer.status == 403


LIES = {
    "nonce": "another",
    "aud": "another-client",
    "iss": "https://evil.example",
    "exp": int(NOW) - 120,
    "azp": "another-client",
    "sub": None,
    "iat": None,
}


@pytest.mark.parametrize("claim", LIES)
async def test_a_token_that_does_not_hold_is_refused(tmp_path, claim):
    async with signing(tmp_path) as (_, made, browser):
        made.lies = {claim: LIES[claim]}
        answer = await signed_in(browser, made)

        assert answer.status == 403
        assert (await browser.get("/api/v1/status")).status == 401


async def test_a_token_for_several_clients_must_say_for_which_it_was_made(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        made.lies = {"aud": [CLIENT, "another"]}
        assert (await signed_in(browser, made)).status == 403
        made.lies = {"aud": [CLIENT, "another"], "azp": CLIENT}
        assert (await signed_in(browser, made)).status == 303


async def test_a_token_signed_by_a_foreign_key_is_refused(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        made.published = [RSAKey.generate_key(2048, {"kid": "one"})]
        answer = await signed_in(browser, made)

    assert answer.status == 403
    assert "not signed by a key of the provider" in words(answer.text)


async def test_a_token_signed_by_a_shared_secret_is_refused(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        made.published = [made.key]
        made.algorithm = "HS256"
        made.key = OctKey.import_key(SECRET * 2, {"kid": "one"})

        assert (await signed_in(browser, made)).status == 403


async def test_new_keys_are_read_when_a_token_names_one(tmp_path):
    async with signing(tmp_path) as (served, made, browser):
        await signed_in(browser, made)
        made.rotate()
        served.clock.jump(NOW + 61)
        browser.client.cookie_jar.clear()

        assert (await signed_in(browser, made)).status == 303
        assert made.asked.count("keys") == 2


async def test_unknown_keys_do_not_make_it_ask_without_end(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        made.published = [rsa_key("three")]
        for _ in range(5):
            await signed_in(browser, made)

    assert made.asked.count("keys") == 1


async def test_a_provider_that_calls_itself_otherwise_is_refused(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        made.named = "https://evil.example"
        answer = await browser.get("/sign-in")

    assert answer.status == 502
    assert "does not call itself" in words(answer.text)


@pytest.mark.parametrize(
    "body", ['{"error": "server_error"}', "<html>", "[]", '{"id_token": 5}', '{"id_token": "a.b"}']
)
async def test_a_provider_that_answers_nonsense_is_told_of(tmp_path, body):
    async with signing(tmp_path) as (_, made, browser):
        made.token_answer = web.Response(text=body, content_type="application/json")
        answer = await signed_in(browser, made)

    assert answer.status == 403
    assert SECRET not in answer.text


async def test_a_provider_that_is_gone_is_told_of(tmp_path):
    (tmp_path / "secret").write_text(SECRET)
    way = OidcSignIn(issuer="http://127.0.0.1:9", client_id=CLIENT)
    async with (
        proxied(tmp_path, sign_in=way, address="http://gpus.example.org/") as served,
        visiting(served) as browser,
    ):
        answer = await browser.get("/sign-in")

    assert answer.status == 502
    assert "The provider does not answer" in words(answer.text)


async def test_a_secret_is_sent_in_the_form_where_the_provider_wants_it(tmp_path):
    async with signing(tmp_path) as (_, made, browser):
        made.methods = ("client_secret_post",)

        assert (await signed_in(browser, made)).status == 303


async def test_a_user_of_another_domain_is_nobody(tmp_path):
    async with signing(tmp_path, user="email", domain="example.org") as (_, made, browser):
        made.claims = {"email": "mira@evil.example", "groups": []}
        assert (await signed_in(browser, made)).status == 403
        made.claims = {"email": "mira@Example.org", "groups": []}
        assert (await signed_in(browser, made)).status == 303
        assert "4711" in (await browser.get("/mine")).text
