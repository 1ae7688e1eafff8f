"""Faults of the reaper's own, as people are told them: never a path or a host, but to operators."""

from contextlib import asynccontextmanager

import pytest

from reaper.ports import StoreError
from reaper.store.memory import MemoryStore
from tests.builders_picture import picture
from tests.served import serving
from tests.visits import link, proxied, visiting

PLACE = "/srv/state/reaper.sqlite"


class Failing(MemoryStore):
    """A store whose disk fails once it is told to."""

    broken = False

    @asynccontextmanager
    async def reading(self):
        if self.broken:
            raise StoreError(f"{PLACE}: disk I/O error")
        async with super().reading() as books:
            yield books


@asynccontextmanager
async def failing(folder, **settings):
    store = Failing(cluster="sim")
    async with proxied(folder, store=store, **settings) as served:
        store.broken = True
        yield served


@pytest.mark.parametrize("path", ["/readyz", link()])
async def test_a_stranger_is_told_no_path(tmp_path, path):
    async with failing(tmp_path) as served, visiting(served) as nobody:
        seen = await nobody.get(path)

    assert seen.status == 503
    assert "the store does not answer" in seen.text.lower()
    assert PLACE not in seen.text


@pytest.mark.parametrize("path", ["/api/v1/status", "/mine"])
async def test_an_owner_is_told_no_path(tmp_path, path):
    async with failing(tmp_path) as served, visiting(served, "mira") as owner:
        seen = await owner.get(path)

    assert (seen.status, PLACE in seen.text) == (503, False)


async def test_an_operator_is_told_which_file(tmp_path):
    async with failing(tmp_path) as served, visiting(served, "otto") as operator:
        assert PLACE in (await operator.get("/api/v1/status")).text


async def test_a_probe_is_told_no_path_where_nobody_signs_in(tmp_path):
    store = Failing(cluster="sim")
    async with serving(tmp_path, picture(), store=store) as served:
        store.broken = True
        status, text = await served.get("/readyz")

    assert (status, text) == (503, "the store does not answer\n")
