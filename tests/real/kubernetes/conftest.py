"""One cluster for all tests here, and a build that no test's time limit knows of."""

from collections.abc import Iterator

import pytest

from tests.components import absent, require
from tests.real.kubernetes.cluster import KubernetesCluster, cluster
from tests.real.kubernetes.foreign_kinds import KINDS
from tests.real.kubernetes.kueue import Kueue
from tests.real.kubernetes.kueue import running as running_kueue
from tests.real.kubernetes.node import RealNode, real_node
from tests.real.kubernetes.programs import BuildError, Programs, are_built, built, log
from tests.real.kubernetes.stand_in import StandIn
from tests.real.kubernetes.stand_ins import RULES


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Wait for the build before the first test's clock begins to run."""
    if _FAILED or are_built():
        return (yield)
    reporter = item.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line(f"\nwaiting until Kubernetes is built; its log is {log()}")
    try:
        built()
    except BuildError as error:
        _FAILED.append(str(error))
    return (yield)


_FAILED: list[str] = []
"""Why the programs could not be built, once that is known."""


@pytest.fixture(scope="session")
def programs() -> Programs:
    """Give the programs; without them tests are skipped, and fail under CI."""
    require("kubernetes")
    if _FAILED:
        absent(f"missing component: kubernetes: {_FAILED[0]}")
    return built()


@pytest.fixture(scope="session")
def kubernetes(programs: Programs) -> Iterator[KubernetesCluster]:
    """Give a cluster without nodes; tests tell themselves apart by namespace and node names."""
    with cluster(programs) as running:
        yield running


@pytest.fixture(scope="session")
def kueue(kubernetes: KubernetesCluster, programs: Programs) -> Iterator[Kueue]:
    """Give a Kueue, which has its say in namespaces with the labels of `kueue.MANAGED`."""
    require("kueue")
    with running_kueue(kubernetes, programs) as found:
        yield found


@pytest.fixture(scope="session")
def stand_ins(kubernetes: KubernetesCluster) -> Iterator[None]:
    """Bring in the kinds of others, and controllers that stand in for theirs."""
    kubernetes.define(*KINDS.values())
    running = [StandIn(kubernetes, kind) for kind in RULES]
    for one in running:
        one.start()
    yield
    for one in running:
        one.stop()


@pytest.fixture(scope="session")
def node(kubernetes: KubernetesCluster, programs: Programs) -> Iterator[RealNode]:
    """Give a real node; a test that starts pods on it ends them."""
    require("kubelet")
    with real_node(kubernetes, programs.kube) as found:
        yield found


@pytest.fixture
def lab(kubernetes: KubernetesCluster) -> Iterator[str]:
    """Give a namespace of the test's own."""
    with kubernetes.namespace() as name:
        yield name
