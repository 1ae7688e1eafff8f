"""How many are served at a time, for how long, and by which names of this machine."""

import asyncio

import pytest
from aiohttp.test_utils import TestClient, TestServer

from exporter.serving.auth import Authentication
from exporter.serving.web import Access, application
from exporter.serving.webconfig import WebConfig
from tests.exporter.fakes import StillClock
from tests.exporter.serving.test_web import Desk, Fixed, ask, basic, passwords

__all__ = ["passwords"]


class HeldClock(StillClock):
    """A clock whose sleepers wake when the test says so."""

    def __init__(self):
        super().__init__()
        self.go = asyncio.Event()
        self.slept = 0

    async def sleep(self, seconds):
        self.slept += 1
        if self.slept > 1:
            await self.go.wait()


class Known(Authentication):
    """Authentication that know whoever knocks as otto."""

    def __init__(self):
        super().__init__(None, StillClock())

    def config(self):
        return WebConfig(users={"otto": b""})

    async def user(self, header, caller=""):
        return "otto"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:19440", 200),
        ("127.0.0.1:19440", 200),
        ("127.9.9.9", 200),
        ("[::1]:19440", 200),
        ("gpu01:19440", 200),
        ("GPU01", 200),
        ("evil.example", 421),
        ("evil.example:19440", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example:80", 421),
        ("10.0.0.1", 421),
    ],
)
async def test_people_on_loopback_are_served_by_the_machines_own_name_alone(host, status):
    access = Access(people=True, hosts=frozenset({"gpu01"}))

    assert (await ask("/metrics/people", access=access, headers={"Host": host}))[0] == status
    assert (await ask("/metrics", access=access, headers={"Host": host}))[0] == 200


async def test_a_password_opens_people_by_any_name(passwords):
    headers = basic("prom:pass") | {"Host": "node.example"}

    assert (await ask("/metrics/people", config=passwords, headers=headers))[0] == 200


async def test_who_is_known_gets_in_while_strangers_wait_for_their_passwords(passwords):
    clock = HeldClock()
    auth = Authentication(passwords, clock)
    app = application(Fixed(), Desk(), Access(people=True, crowd=1), auth)
    async with TestClient(TestServer(app)) as client:
        known = (await client.get("/metrics", headers=basic("prom:pass"))).status
        strangers = [
            asyncio.create_task(client.get("/metrics", headers=basic(f"x:{number}")))
            for number in range(20)
        ]
        done, waiting = await asyncio.wait(strangers, timeout=1)
        during = (await client.get("/metrics", headers=basic("prom:pass"))).status
        clock.go.set()
        await asyncio.wait(waiting)

        assert (known, during) == (200, 200)
        assert {(await one).status for one in done} == {429}
        assert [(await one).status for one in waiting] == [401, 401]
    auth.close()


async def test_a_crowd_is_turned_away_and_health_is_not():
    class Slow(Desk):
        async def release(self, seconds, *, by, reason):
            entered.set()
            await leave.wait()
            return True, "released"

    entered, leave = asyncio.Event(), asyncio.Event()
    access = Access(people=True, operators=frozenset({"otto"}), crowd=1)
    app = application(Fixed(), Slow(), access, Known())
    async with TestClient(TestServer(app)) as client:
        first = asyncio.create_task(client.post("/release"))
        await entered.wait()
        answers = [(await client.get(path)).status for path in ("/metrics", "/healthz")]
        leave.set()

        assert (answers, (await first).status) == ([503, 200], 200)
        assert (await client.get("/metrics")).status == 200


async def test_what_is_not_served_in_the_scrapers_time_is_refused():
    class Endless(Desk):
        async def release(self, seconds, *, by, reason):
            await asyncio.Event().wait()

    access = Access(people=True, operators=frozenset({"otto"}))
    app = application(Fixed(), Endless(), access, Known())
    async with TestClient(TestServer(app)) as client:
        answer = await client.post(
            "/release", headers={"X-Prometheus-Scrape-Timeout-Seconds": "0.05"}
        )

        assert answer.status == 503


@pytest.mark.parametrize("words", ["10", "0", "-1", "nan", "soon", ""])
async def test_a_scrapers_time_that_is_none_changes_nothing(words):
    headers = {"X-Prometheus-Scrape-Timeout-Seconds": words}

    assert (await ask("/metrics", headers=headers))[0] == 200
