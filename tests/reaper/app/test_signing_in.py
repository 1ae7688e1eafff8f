"""A configured reaper serves people who sign in, and takes links signed with its own key."""

import logging
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import aiohttp
import pytest

from reaper.app.compose import answer_key, rules
from reaper.app.parts import Adapters
from reaper.app.running import started
from reaper.config import load
from reaper.domain.escalation.token import Token, signed
from reaper.edge.clock import SystemClock
from reaper.ports import Readings
from tests.builders_picture import node, picture, row

CONFIGURATION = """
web:
  listen: 127.0.0.1:0
  sign_in: {kind: proxy, secret: {file: secret}}
  roles: {operators: {users: [otto]}}
"""


@pytest.fixture
def configuration(tmp_path):
    (tmp_path / "secret").write_text("w0rd\n")
    (tmp_path / "gpu-reaper.yaml").write_text(f"state_dir: {tmp_path}\n{CONFIGURATION}")
    return load(tmp_path / "gpu-reaper.yaml", environ={"HOME": str(tmp_path)})


async def asked(address, path, **headers) -> int:
    async with (
        aiohttp.ClientSession() as client,
        client.get(f"http://{address}{path}", headers=headers) as response,
    ):
        return response.status


def address_in(log: str) -> str:
    """Return where the page is, as the log says."""
    return re.search(r"page at http://(\S+)/,", log).group(1)


class Remembering:
    """An activity source that only notes what it is reminded of."""

    name = "exporters"
    sees_people = False
    words: Mapping[str, str] = MappingProxyType({})

    def recall(self, words: Mapping[str, str]) -> None:
        self.words = words

    async def readings(self, minute: int) -> Readings:
        return Readings(as_of=float(minute))

    async def ask(self, nodes: Sequence[str]) -> Readings:
        return Readings(as_of=float(len(nodes)))


async def test_a_start_reminds_of_whose_word_each_name_was(configuration):
    clock, lines = SystemClock(), (node(target="10.0.0.1:1"), node(node="node02"))
    decides = rules(configuration)
    async with (
        started(configuration, decides, Adapters(), clock) as service,
        service.parts.store.transaction(service.parts.epoch) as books,
    ):
        await books.keep_picture(picture(at=clock.now(), nodes=lines))
    source = Remembering()
    async with started(configuration, decides, Adapters(activities=(source,)), clock):
        pass

    assert source.words == {"10.0.0.1:1": "node01"}


async def test_it_asks_who_somebody_is_and_takes_its_own_links(configuration, caplog):
    caplog.set_level(logging.INFO, "reaper.web.server")
    clock = SystemClock()
    token = Token(notice_id="n", run_key=row().run_key, user="mira", expires=clock.now() + 3600)
    link = f"/answer/{signed(token, answer_key(configuration))}"
    async with started(configuration, rules(configuration), Adapters(), clock) as service:
        async with service.parts.store.transaction(service.parts.epoch) as books:
            await books.keep_picture(picture(at=clock.now()))
        address = address_in(caplog.text)

        assert await asked(address, "/queue") == 401
        named = {"X-Forwarded-User": "otto"}
        assert await asked(address, "/queue", **named) == 401
        assert await asked(address, "/queue", **named, **{"X-Proxy-Secret": "w0rd"}) == 200
        assert await asked(address, link) == 200
        assert await asked(address, "/answer/another") == 410
