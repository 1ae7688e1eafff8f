"""A Service's endpoint slices as targets, each bound to its node by the API server's word."""

import pytest

from reaper.activity.endpoints import KEPT, Endpoints, ServiceSettings, targets
from reaper.activity.exporters.discovery import Discovery
from reaper.activity.exporters.settings import HERE, ExporterSettings
from reaper.edge.clock import JumpingClock
from reaper.ports import ReaperError, SourceError

PORTS = [{"name": "metrics", "port": 19440, "protocol": "TCP"}]


def endpoint(address: str, node: str | None = "gpu01", **conditions) -> dict:
    found = {"addresses": [address], "conditions": {"ready": True, **conditions}}
    return {**found, "nodeName": node} if node else found


def slices(*endpoints: dict, ports=PORTS) -> list[dict]:
    return [{"addressType": "IPv4", "endpoints": list(endpoints), "ports": ports}]


def told(*endpoints: dict, **given) -> list[tuple[str, str]]:
    return [(str(item.metrics), item.node) for item in targets(slices(*endpoints, **given), "http")]


def test_an_address_is_bound_to_the_node_that_the_api_server_names():
    assert told(endpoint("10.0.0.7", "ip-10-0-0-7.eu.internal")) == [
        ("http://10.0.0.7:19440/metrics", "ip-10-0-0-7.eu.internal")
    ]


def test_an_address_of_six_has_its_brackets():
    assert told(endpoint("fd00::7")) == [("http://[fd00::7]:19440/metrics", "gpu01")]


def test_one_that_is_not_ready_is_asked_all_the_same():
    assert len(told(endpoint("10.0.0.7", ready=False))) == 1


def test_one_that_ends_is_not_asked():
    assert told(endpoint("10.0.0.7", terminating=True), endpoint("10.0.0.8")) == [
        ("http://10.0.0.8:19440/metrics", "gpu01")
    ]


def test_without_a_node_nothing_binds_it():
    assert told(endpoint("10.0.0.7", None)) == [("http://10.0.0.7:19440/metrics", "")]


@pytest.mark.parametrize(
    "ports", [None, [], [{"name": "a", "port": 1}, {"name": "b", "port": 2}], [{"name": "metrics"}]]
)
def test_a_port_that_is_not_clear_is_no_target(ports):
    assert told(endpoint("10.0.0.7"), ports=ports) == []


def test_of_several_ports_that_of_the_metrics_is_meant():
    ports = [{"name": "other", "port": 1}, *PORTS]

    assert told(endpoint("10.0.0.7"), ports=ports)[0][0] == "http://10.0.0.7:19440/metrics"


@pytest.mark.parametrize("odd", [{}, {"endpoints": None}, {"endpoints": [{}], "ports": PORTS}])
def test_a_slice_without_addresses_is_none(odd):
    assert list(targets([odd], "http")) == []


class Server:
    """Answers as an API server, or fails."""

    def __init__(self) -> None:
        self.asked = 0
        self.slices = tuple(slices(endpoint("10.0.0.7")))
        self.error = ""

    async def __call__(self):
        self.asked += 1
        if self.error:
            raise ReaperError(self.error)
        return self.slices


@pytest.fixture
def server() -> Server:
    return Server()


def test_it_is_asked_once_for_many_questions(server):
    clock = JumpingClock(at=0)
    listed = Endpoints(server, "http", clock)
    for _ in range(5):
        listed.targets()
    assert server.asked == 1

    clock.jump(KEPT)
    listed.targets()
    assert server.asked == 2


async def test_it_is_asked_where_a_loop_runs_too(server):
    listed = Endpoints(server, "http", JumpingClock(at=0))

    assert [item.node for item in listed.targets()] == ["gpu01"]


def test_a_server_that_does_not_answer_is_an_error_of_the_source(server):
    server.error = "no answer within 5 s"

    with pytest.raises(SourceError, match="no answer within 5 s"):
        Endpoints(server, "http", JumpingClock(at=0)).targets()


def test_one_that_is_silent_is_asked_once_for_many_questions_too(server):
    server.error = "no answer within 5 s"
    listed = Endpoints(server, "http", JumpingClock(at=0))
    for _ in range(5):
        with pytest.raises(SourceError, match="no answer"):
            listed.targets()

    assert server.asked == 1


def test_while_it_is_silent_the_last_list_stays_in_force_and_it_is_a_problem(server):
    clock = JumpingClock(at=0)
    discovery = Discovery((), (), service=Endpoints(server, "http", clock).targets)
    assert [item.node for item in discovery.refresh()] == ["gpu01"]
    assert discovery.problems == ()

    server.error = "no answer within 5 s"
    clock.jump(KEPT)

    assert [item.node for item in discovery.refresh()] == ["gpu01"]
    assert discovery.problems == ("activity.kubernetes: no answer within 5 s",)

    server.error, server.slices = "", ()
    clock.jump(2 * KEPT)

    assert discovery.refresh() == ()
    assert discovery.problems == ()


def test_with_a_service_this_machine_is_no_target():
    assert ExporterSettings().addresses == (HERE,)
    assert ExporterSettings(kubernetes=ServiceSettings(namespace="gpu-exporter")).addresses == ()
