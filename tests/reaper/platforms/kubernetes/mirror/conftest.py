"""An API server in memory, a clock that stands and a mirror between them."""

from collections.abc import AsyncIterator

import pytest

from reaper.platforms.kubernetes.mirror import Mirror
from tests.fake_kubernetes import FakeCluster, fake_kubernetes
from tests.reaper.platforms.kubernetes.mirror.standing import START, StandingClock


@pytest.fixture
async def cluster() -> AsyncIterator[FakeCluster]:
    async with fake_kubernetes() as made:
        yield made


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock(at=START)


@pytest.fixture
async def mirror(cluster, clock) -> AsyncIterator[Mirror]:
    made = Mirror(cluster.connection(clock, timeout=30.0), clock)
    yield made
    await made.close()
