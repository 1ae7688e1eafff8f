"""Paths, health, limits, and who may ask for what."""

import base64

import bcrypt
import pytest
from aiohttp.test_utils import TestClient, TestServer

from exporter.serving.auth import Authentication
from exporter.serving.web import Access, application
from tests.exporter.fakes import StillClock


class Fixed:
    """Pages that never change."""

    def __init__(self, reason=""):
        self.reason = reason

    def metrics(self):
        return b"metrics 1\n"

    def people(self):
        return b"people 1\n"

    def unready(self):
        return self.reason


class Desk:
    """Writes down what it was asked, and holds on when told to."""

    def __init__(self, *, gone=True):
        self.gone = gone
        self.asked = []

    async def release(self, seconds, *, by, reason):
        self.asked.append((seconds, by, reason))
        return self.gone, "released" if self.gone else "not let go"

    def resume(self):
        self.asked.append("resume")
        return "taken up"


def hashed(password):
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(4)).decode()


@pytest.fixture
def passwords(tmp_path):
    """A web configuration of two users, prom and otto."""
    path = tmp_path / "web.yml"
    path.write_text(f"basic_auth_users:\n  prom: {hashed('pass')}\n  otto: {hashed('word')}\n")
    return path


def basic(words):
    return {"Authorization": "Basic " + base64.b64encode(words.encode()).decode()}


async def ask(
    path, *, method="GET", access=None, reason="", config=None, desk=None, headers=None, data=None
):
    auth = Authentication(config, StillClock())
    app = application(Fixed(reason), desk or Desk(), access or Access(people=True), auth)
    async with TestClient(TestServer(app)) as client:
        answer = await client.request(method, path, headers=headers, data=data)
        text = await answer.text()
    auth.close()
    return answer.status, text


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/metrics", (200, "metrics 1\n")),
        ("/metrics/people", (200, "people 1\n")),
        ("/healthz", (200, "ok\n")),
        ("/readyz", (200, "ready\n")),
    ],
)
async def test_each_path_is_served(path, expected):
    assert await ask(path) == expected


async def test_not_ready_says_why():
    assert await ask("/readyz", reason="the driver lists no GPU") == (
        503,
        "the driver lists no GPU\n",
    )


async def test_the_process_is_healthy_even_when_not_ready():
    assert (await ask("/healthz", reason="no driver"))[0] == 200


async def test_people_that_are_off_are_not_found():
    assert (await ask("/metrics/people", access=Access(people=False)))[0] == 404


async def test_people_are_not_found_on_an_open_address_that_asks_nobody():
    assert (await ask("/metrics/people", access=Access(people=True, loopback=False)))[0] == 404


async def test_people_are_served_on_an_open_address_behind_a_password(passwords):
    access = Access(people=True, loopback=False)

    assert (
        await ask("/metrics/people", access=access, config=passwords, headers=basic("prom:pass"))
    )[0] == 200


async def test_the_page_names_the_text_format():
    app = application(Fixed(), Desk(), Access(people=True), Authentication(None, StillClock()))
    async with TestClient(TestServer(app)) as client:
        answer = await client.get("/metrics")

        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (basic("prom:pass"), 200),
        (basic("otto:word"), 200),
        (basic("prom:wrong"), 401),
        (basic("mira:pass"), 401),
        (basic("prom:word"), 401),
        (basic("prom"), 401),
        (basic("prom:" + "x" * 200), 401),
        ({"Authorization": "Basic !!!"}, 401),
        ({"Authorization": "Basic /w=="}, 401),
        ({"Authorization": "Bearer pass"}, 401),
        ({}, 401),
    ],
)
@pytest.mark.parametrize("path", ["/metrics", "/metrics/people"])
async def test_only_a_users_password_opens(passwords, path, headers, status):
    assert (await ask(path, config=passwords, headers=headers))[0] == status


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_health_needs_no_password(passwords, path):
    assert (await ask(path, config=passwords))[0] == 200


# ------------------------------------------------------------------ letting go


OTTO = Access(people=True, operators=frozenset({"otto"}))


async def test_an_operator_lets_go_with_a_time_and_a_reason(passwords):
    desk = Desk()
    answer = await ask(
        "/release",
        method="POST",
        access=OTTO,
        config=passwords,
        desk=desk,
        headers=basic("otto:word"),
        data={"for": "5m", "reason": "MIG"},
    )

    assert (answer, desk.asked) == ((200, "released\n"), [(300.0, "endpoint", "MIG")])


@pytest.mark.parametrize("path", ["/release", "/resume"])
async def test_nobody_changes_anything_by_get(passwords, path):
    desk = Desk()
    answer = await ask(path, access=OTTO, config=passwords, desk=desk, headers=basic("otto:word"))

    assert (answer[0], desk.asked) == (405, [])


@pytest.mark.parametrize("path", ["/release", "/resume"])
@pytest.mark.parametrize(
    ("config", "headers", "status"),
    [
        (True, {}, 401),
        (True, basic("prom:pass"), 403),
        (False, {}, 403),
        (True, basic("otto:word") | {"Origin": "https://somewhere.test"}, 403),
        (True, basic("otto:word") | {"Sec-Fetch-Site": "cross-site"}, 403),
    ],
    ids=["nobody", "a scraper", "anybody on loopback", "a browser", "another browser"],
)
async def test_only_an_operator_lets_go(passwords, path, config, headers, status):
    desk = Desk()
    answer = await ask(
        path,
        method="POST",
        access=OTTO,
        config=passwords if config else None,
        desk=desk,
        headers=headers,
    )

    assert (answer[0], desk.asked) == (status, [])


async def test_what_could_not_be_let_go_is_said(passwords):
    answer = await ask(
        "/release",
        method="POST",
        access=OTTO,
        config=passwords,
        desk=Desk(gone=False),
        headers=basic("otto:word"),
    )

    assert answer == (503, "not let go\n")


@pytest.mark.parametrize("words", ["5", "2h", "soon", "-5m"])
async def test_a_time_that_cannot_be_granted_is_refused(passwords, words):
    desk = Desk()
    answer = await ask(
        "/release",
        method="POST",
        access=OTTO,
        config=passwords,
        desk=desk,
        headers=basic("otto:word"),
        data={"for": words},
    )

    assert (answer[0], desk.asked) == (400, [])
