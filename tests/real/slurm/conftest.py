"""One real cluster for all tests of this folder; every test finds it empty."""

from collections.abc import Iterator

import pytest

from tests.real.slurm_cluster import SlurmCluster, cluster


@pytest.fixture(scope="session")
def running_slurm() -> Iterator[SlurmCluster]:
    with cluster() as found:
        yield found


@pytest.fixture
def slurm(running_slurm: SlurmCluster) -> Iterator[SlurmCluster]:
    """Give the cluster without jobs."""
    yield running_slurm
    running_slurm.cancel_all()
