"""Sessions are sealed, short, of one key and one purpose, and leave by https alone."""

from http.cookies import SimpleCookie

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from reaper.web.access.sealing import Seal
from reaper.web.access.sessions import Sessions
from reaper.web.roles import Members, Roles
from tests.builders_picture import HOUR, NOW

SEAL = Seal(b"k" * 32)
ROLES = Roles(operators=Members(groups=("hpc",)))


def sessions(*, secure=True, seal=SEAL, roles=ROLES):
    return Sessions(seal=seal, roles=roles, secure=secure, lasts=HOUR)


def begun(of=None, *, groups=("hpc", "other")):
    response = web.Response()
    (of or sessions()).begin(response, "mira", groups, NOW)
    return response.cookies


def came(cookies, of=None, now=NOW):
    carried = "; ".join(f"{one.key}={one.value}" for one in cookies.values())
    request = make_mocked_request("GET", "/", headers={"Cookie": carried})
    return (of or sessions()).visitor(request, now)


def test_whose_session_it_is_comes_back():
    found = came(begun())

    assert (found.user, found.operator, found.channel) == ("mira", True, "oidc")


def test_two_sign_ins_are_two_sessions():
    assert came(begun()).session != came(begun()).session


def test_by_https_the_cookie_is_held_to_this_host():
    cookie = begun()["__Host-gpu-reaper"]

    assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")
    assert cookie["max-age"] == str(int(HOUR))


def test_only_groups_that_give_a_role_are_kept():
    text = begun()["__Host-gpu-reaper"].value

    assert SEAL.open("session", text, now=NOW)[1] == ["hpc"]


def test_a_role_that_is_taken_away_is_gone_at_once():
    assert not came(begun(), sessions(roles=Roles())).operator


def test_a_session_that_is_over_names_nobody():
    assert not came(begun(), now=NOW + HOUR).known


def test_a_session_of_another_key_names_nobody():
    assert not came(begun(sessions(seal=Seal(b"x" * 32)))).known


@pytest.mark.parametrize("purpose", ["form", "told", "begun"])
def test_what_was_sealed_for_something_else_is_no_session(purpose):
    text = SEAL.close(purpose, ["mira", ["hpc"], "id"], until=NOW + HOUR)

    assert not came(SimpleCookie({"__Host-gpu-reaper": text})).known


@pytest.mark.parametrize("text", ["", ".", "a.b", "é", "x" * 5000])
def test_nonsense_is_no_session(text):
    assert SEAL.open("session", text, now=NOW) is None


def test_every_letter_of_a_session_is_sealed():
    text = begun()["__Host-gpu-reaper"].value
    for place in range(len(text)):
        other = "A" if text[place] != "A" else "B"
        altered = text[:place] + other + text[place + 1 :]
        # The last letter of a base64 text has bits that carry nothing.
        if place not in (text.index(".") - 1, len(text) - 1):
            assert SEAL.open("session", altered, now=NOW) is None


@pytest.mark.parametrize("what", ["", "-told", "-begun"])
def test_by_https_every_cookie_is_held_to_this_host(what):
    assert sessions().named(what) == f"__Host-gpu-reaper{what}"
    assert sessions(secure=False).named(what) == f"gpu-reaper{what}"
