"""Paths, health and access."""

import base64
import hashlib

import pytest
from aiohttp.test_utils import TestClient, TestServer

from exporter.web import Access, Credential, admits, application

TOKEN = Credential(name="", secret="s3cret")
USER = Credential(name="prom", secret="sha256:" + hashlib.sha256(b"pass").hexdigest())


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


async def fetch(path, *, access=None, reason="", headers=None):
    app = application(Fixed(reason), access or Access(people=True))
    async with TestClient(TestServer(app)) as client:
        answer = await client.get(path, headers=headers)
        return answer.status, await answer.text()


def basic(words):
    return "Basic " + base64.b64encode(words.encode()).decode()


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
    assert await fetch(path) == expected


async def test_not_ready_says_why():
    assert await fetch("/readyz", reason="the driver lists no GPU") == (
        503,
        "the driver lists no GPU\n",
    )


async def test_the_process_is_healthy_even_when_not_ready():
    assert (await fetch("/healthz", reason="no driver"))[0] == 200


async def test_people_that_are_off_are_not_found():
    assert (await fetch("/metrics/people", access=Access(people=False)))[0] == 404


async def test_the_page_names_the_text_format():
    app = application(Fixed(), Access(people=True))
    async with TestClient(TestServer(app)) as client:
        answer = await client.get("/metrics")

        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"


@pytest.mark.parametrize("path", ["/metrics", "/metrics/people"])
async def test_pages_need_a_credential_when_there_are_any(path):
    access = Access(people=True, credentials=(TOKEN,))

    assert (await fetch(path, access=access))[0] == 401
    assert (await fetch(path, access=access, headers={"Authorization": "Bearer s3cret"}))[0] == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
async def test_health_needs_none(path):
    assert (await fetch(path, access=Access(people=True, credentials=(TOKEN,))))[0] == 200


@pytest.mark.parametrize(
    ("header", "open_"),
    [
        ("Bearer s3cret", True),
        ("bearer s3cret", True),
        (basic("prom:pass"), True),
        ("Bearer wrong", False),
        ("Bearer pass", False),
        (basic("prom:wrong"), False),
        (basic("other:pass"), False),
        (basic(":s3cret"), False),
        (f"Bearer {USER.secret}", False),
        ("Basic !!!", False),
        ("Basic /w==", False),
        ("Digest x", False),
        ("", False),
    ],
)
def test_only_a_credential_opens(header, open_):
    assert admits(Access(people=True, credentials=(TOKEN, USER)), header) is open_
