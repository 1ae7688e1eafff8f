import asyncio

import pytest

from reaper.app.compose import rules
from reaper.app.parts import Adapters, wire
from reaper.app.service import Service
from reaper.config import load
from reaper.edge.clock import SystemClock
from reaper.ports import StoreError
from reaper.store.memory import MemoryStore


@pytest.fixture
def service(tmp_path):
    """Give `service(chore)`: a service with nothing to look at and one chore, which it stops."""

    def made(failure: Exception) -> Service:
        path = tmp_path / "c.yaml"
        path.write_text(f"state_dir: {tmp_path}\n", encoding="utf-8")
        decides = rules(load(path))
        store = MemoryStore(cluster="a", pace=decides.pace)
        parts = wire(rules=decides, clock=SystemClock(), store=store, epoch=1, adapters=Adapters())

        async def chore() -> None:
            found.stop()
            raise failure

        found = Service(parts, chores={"books": chore})
        return found

    return made


async def test_an_error_that_says_its_cause_is_logged_as_one_line(service, caplog):
    failing = service(StoreError("store x.sqlite: database or disk is full"))
    async with asyncio.timeout(60):
        await failing.run()

    logged = next(record for record in caplog.records if record.name == "reaper.app.service")
    assert "store x.sqlite: database or disk is full" in logged.getMessage()
    assert logged.exc_info is None
    assert failing.failures == 1


async def test_any_other_error_is_logged_with_where_it_came_from(service, caplog):
    failing = service(ZeroDivisionError())
    async with asyncio.timeout(60):
        await failing.run()

    logged = next(record for record in caplog.records if record.name == "reaper.app.service")
    assert logged.exc_info
