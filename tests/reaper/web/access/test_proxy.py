"""Whom a proxy names is believed only from a listed peer, said once, with its secret."""

import pytest
from multidict import CIMultiDict

from reaper.web.access.proxy import listed
from reaper.web.roles import LOOPBACK, ProxySignIn, user_named
from tests.visits import proxied, visiting


async def status(folder, headers, **way) -> int:
    settings = {"sign_in": ProxySignIn(**way)} if way else {}
    async with proxied(folder, **settings) as served, visiting(served) as somebody:
        somebody.headers = CIMultiDict(headers)
        return (await somebody.get("/mine")).status


async def test_a_listed_peer_is_believed(tmp_path):
    assert await status(tmp_path, [("X-Forwarded-User", "mira")]) == 200


async def test_another_peer_is_not(tmp_path):
    async with (
        proxied(tmp_path, proxies=("192.0.2.0/24",)) as served,
        visiting(served, "mira") as somebody,
    ):
        assert (await somebody.get("/mine")).status == 401


async def test_a_name_that_stands_twice_is_nobodys(tmp_path):
    twice = [("X-Forwarded-User", "mira"), ("X-Forwarded-User", "otto")]

    assert await status(tmp_path, twice) == 401


@pytest.mark.parametrize(
    "users", [("mira", "otto"), ("mira@elsewhere.org",), ("mi ra@example.org",)]
)
async def test_an_address_names_nobody_beside_a_name_that_is_not_believed(tmp_path, users):
    headers = [("X-Forwarded-User", user) for user in users]
    headers.append(("X-Forwarded-Email", "mira@example.org"))
    way = {"email": "X-Forwarded-Email", "domain": "example.org"}

    assert await status(tmp_path, headers, **way) == 401
    assert await status(tmp_path, headers[-1:], **way) == 200


@pytest.mark.parametrize("name", ["", " ", "mi ra", "x" * 257, "mira\x85"])
async def test_what_is_no_name_is_nobody(tmp_path, name):
    assert await status(tmp_path, [("X-Forwarded-User", name)]) == 401


async def test_other_headers_may_name_people(tmp_path):
    named = [("Remote-User", "mira"), ("X-Forwarded-User", "otto")]

    assert await status(tmp_path, named, user="Remote-User") == 200
    assert await status(tmp_path, named[1:], user="Remote-User") == 401


@pytest.mark.parametrize(
    ("word", "answer"), [("w0rd", 200), ("w0rd ", 200), ("word", 401), ("", 401)]
)
async def test_the_secret_is_asked_for_where_there_is_one(tmp_path, word, answer):
    (tmp_path / "secret").write_text("w0rd\n")
    named = [("X-Forwarded-User", "mira"), ("X-Proxy-Secret", word)]

    assert await status(tmp_path, named, secret={"file": tmp_path / "secret"}) == answer


async def test_an_email_address_names_the_user_of_its_domain(tmp_path):
    way = {"email": "X-Forwarded-Email", "domain": "example.org"}

    assert await status(tmp_path, [("X-Forwarded-Email", "mira@example.org")], **way) == 200
    assert await status(tmp_path, [("X-Forwarded-Email", "mira@example.com")], **way) == 401


@pytest.mark.parametrize(
    ("text", "domain", "user"),
    [
        ("mira", "", "mira"),
        ("mira@example.org", "example.org", "mira"),
        ("mira@EXAMPLE.org", "example.org", "mira"),
        ("mira", "example.org", ""),
        ("mira@example.org.evil.example", "example.org", ""),
        ("@example.org", "example.org", ""),
        ("a@b@example.org", "example.org", "a@b"),
    ],
)
def test_a_domain_is_taken_off(text, domain, user):
    assert user_named(text, domain) == user


@pytest.mark.parametrize(
    ("address", "inside"),
    [("127.0.0.1", True), ("127.8.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True),
     ("192.0.2.1", False), ("::2", False), ("", False), (None, False), ("localhost", False)],
)  # fmt: skip
def test_a_peer_is_known_by_its_address(address, inside):
    assert listed(address, LOOPBACK) is inside
