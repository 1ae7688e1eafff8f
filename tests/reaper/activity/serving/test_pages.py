"""Servers over loopback: their own counters, by the names that they really have."""

import pytest

from reaper.activity.serving.pages import ServerPages
from reaper.activity.serving.settings import ServerSettings
from reaper.config import check
from reaper.domain.facts.allocation import Claim, Place, Purpose
from reaper.domain.facts.serving import Answered
from reaper.edge.clock import JumpingClock
from tests.builders import START, claim
from tests.pages import Node, serving

VLLM = b"""# HELP vllm:request_success_total Count of successfully processed requests.
# TYPE vllm:request_success_total counter
vllm:request_success_total{finished_reason="stop",model_name="m"} 40.0
vllm:request_success_total{finished_reason="length",model_name="m"} 2.0
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{model_name="m"} 3.0
vllm:num_requests_waiting{model_name="m"} 1.0
process_start_time_seconds 1.7e+09
"""
TRITON = b"""nv_inference_request_success{model="a",version="1"} 7
nv_inference_request_failure{model="a",version="1"} 1
nv_inference_pending_request_count{model="a",version="1"} 0
"""
TGI = b"""tgi_request_count 12
tgi_queue_size 2
"""


def server(*nodes: str, **given: object) -> Claim:
    """Return a run for inference on these nodes."""
    places = tuple(Place(node=node, index=0) for node in nodes or ("127.0.0.1",))
    return claim(places=places, purpose=Purpose.INFERENCE, **given)


async def asked(node: Node, *claims: Claim, **given: object) -> Answered:
    """Ask a served node for the counters of these runs."""
    async with serving(node) as (address,):
        port = address.rpartition(":")[2]
        settings = ServerSettings.model_validate(
            {"url": f"http://{{node}}:{port}/metrics", "timeout": "2s", **given}
        )
        async with ServerPages(settings, clock=JumpingClock(at=START)) as pages:
            return await pages.answered(claims or (server(),))


@pytest.mark.parametrize(
    ("page", "answered", "pending"),
    [
        pytest.param(VLLM, 42.0, 4.0, id="vLLM"),
        pytest.param(TRITON, 8.0, 0.0, id="Triton"),
        pytest.param(TGI, 12.0, 2.0, id="TGI"),
    ],
)
async def test_requests_are_counted_by_the_names_of_the_server(
    page: bytes, answered: float, pending: float
) -> None:
    (word,) = (await asked(Node(page=lambda: page))).requests

    assert (word.answered, word.pending, word.at) == (answered, pending, START)


async def test_a_server_tells_when_it_began() -> None:
    (word,) = (await asked(Node(page=lambda: VLLM))).requests

    assert word.epoch == "1700000000"


@pytest.mark.parametrize(
    "node",
    [
        pytest.param(Node(page=lambda: VLLM, status=503), id="an error"),
        pytest.param(Node(page=lambda: b"up 1\n"), id="no counter"),
        pytest.param(Node(page=lambda: b"what?"), id="no page"),
        pytest.param(Node(page=lambda: VLLM, hangs=True), id="silence"),
    ],
)
async def test_a_server_without_an_answer_is_left_out(node: Node) -> None:
    assert (await asked(node, timeout="200ms")).requests == ()


async def test_only_runs_for_inference_are_asked_unless_patterns_say_otherwise() -> None:
    node = Node(page=lambda: VLLM)
    job = claim(places=(Place(node="127.0.0.1", index=0),), name="llm-serve")

    assert (await asked(node, job)).requests == ()
    assert len((await asked(node, job, name="llm-*")).requests) == 1


async def test_counters_of_ones_own_may_be_named() -> None:
    page = b"my_requests_total 5\n"

    (word,) = (await asked(Node(page=lambda: page), answered=["my_requests_total"])).requests

    assert word.answered == 5.0


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://gpu01:8000/metrics", "names no node"),
        ("{node}:8000/metrics", "is no address"),
        ("http://user@{node}/metrics", "holds more than {node}"),
    ],
)
def test_an_address_that_fits_no_run_is_a_mistake(tmp_path, url: str, said: str) -> None:
    file = tmp_path / "gpu-reaper.yaml"
    file.write_text(f'servers: [{{url: "{url}"}}]', encoding="utf-8")

    found = [str(problem) for problem in check([file], environ={"HOME": "/home/mira"})]

    assert any("servers" in text and said in text for text in found)
