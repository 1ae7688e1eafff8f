"""One story on one real cluster; when the tests begin to look, everything is over and gone."""

import pytest

from tests.components import absent, require
from tests.real.e2e.evidence import Acted, Observed
from tests.real.e2e.jobs import submit
from tests.real.e2e.site import site
from tests.real.e2e.story import act, observe
from tests.real.slurm_cluster import cluster
from tests.real.slurm_machine import cgroup_plugin


@pytest.fixture(scope="session")
def story() -> tuple[Observed, Acted]:
    """Play the whole story."""
    require("slurm", "root")
    if not cgroup_plugin():
        absent("missing component: a writable cgroup tree at /sys/fs/cgroup")
    with cluster() as slurm:
        jobs = submit(slurm)
        with site(slurm) as place:
            observed = observe(place, jobs)
            return observed, act(place, jobs)


@pytest.fixture(scope="session")
def observed(story: tuple[Observed, Acted]) -> Observed:
    return story[0]


@pytest.fixture(scope="session")
def acted(story: tuple[Observed, Acted]) -> Acted:
    return story[1]
