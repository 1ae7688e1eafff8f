"""Whatever a node answers, it is an error of this node: nothing idle, nobody delayed."""

import gzip
import time

import pytest

from exporter.serving.page import CONTENT_TYPE
from tests.pages import Node, metrics
from tests.reaper.activity.exporters.conftest import NOW, healthy, report

PAGE = metrics(report())
CUT = PAGE.index(b"gpunode_observed_seconds_total{") + 40


def replaced(old: bytes, new: bytes) -> bytes:
    assert old in PAGE
    return PAGE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (PAGE[:CUT], "breaks off without a line end"),
        (replaced(b'{node="gpu01",boot="boot"} 1', b'{node="gpu01" 1'), "is no sample"),
        (PAGE + b'gpunode_sm_active_seconds_total{gpu="GPU-gpu01-0"} 0\n', "repeats the series"),
        (PAGE + b'x{y="\xff\xfe"} 1\n', "is not UTF-8"),
        (PAGE + b"x 1.2.3\n", "has '1.2.3' for a number"),
        (b"<html><body>Sign in</body></html>\n", "line 1: '<html>"),
        (b"", "breaks off"),
        (b"\x1f\x8b\x00garbage\n", "line 1"),
        (b"go_goroutines 9\nDCGM_FI_DEV_GPU_UTIL 0\n", "no gpu-exporter's page"),
        (metrics(report(), contract=7), "speaks contract '7'"),
        (metrics(report(), contract="x"), "speaks contract 'x'"),
        (metrics(report(node="")), "names no node"),
        (metrics(report(node="../gpu01")), "'../gpu01', 8 letters, is no node's name"),
        (metrics(report(node="gpu01 \u202e<b>")), "is no node's name"),
        (metrics(report(started=float("nan"))), "is nan, no time"),
        (replaced(b'boot="boot"} 1', b'boot="boot"} 0'), "an info series is 0 instead of 1"),
        (PAGE + b'gpunode_node_info{node="gpu02",boot="b"} 1\n', "stands 2 times on the page"),
    ],
    ids=[
        "truncated", "garbled", "duplicate series", "bad UTF-8", "bad number", "HTML", "empty",
        "binary", "foreign page", "future contract", "no contract", "no node", "path",
        "odd name", "no start", "info of zero", "two nodes",
    ],
)  # fmt: skip
async def test_a_page_that_is_not_to_be_trusted_is_an_error(scraping, page, message):
    async with scraping(Node(page=lambda: page)) as scrape:
        found = await scrape.only()

    assert message in found.error
    assert (found.devices, found.readings, found.shares) == ((), (), ())


def many(line: str, number: int) -> bytes:
    """Return the page with numbered lines after it."""
    return PAGE + b"".join(line.format(index).encode() for index in range(number))


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (many('x{{a="{}"}} 1\n', 20_001), "lines; a page has at most 20000"),
        (PAGE + b"# " + b"a" * 8192 + b"\n", "has 8194 bytes; a line has at most 8192"),
        (PAGE + b"x{" + b"".join(b'a%d="",' % n for n in range(33)) + b"} 1\n", "more than 32"),
        (many('gpunode_info{{gpu="{}"}} 1\n', 256), "gpunode_info stands 258 times on the page"),
        (
            many(
                'gpunode_allocation_share{{gpu="{0}",platform="slurm",allocation="{0}@1"}} 1\n',
                2048,
            ),
            "gpunode_allocation_share stands 2049 times on the page; at most 2048 do",
        ),
        (metrics(report(node="n" * 254)), "254 letters, is no node's name"),
    ],
    ids=["lines", "line", "labels", "devices", "shares", "name"],
)
async def test_more_than_a_node_has_is_an_error_of_that_node_alone(scraping, clock, page, message):
    liar = Node(page=lambda: page)
    async with scraping(liar, healthy(clock, "gpu02")) as scrape:
        found = await scrape.round()

    assert message in found[liar.address].error
    assert [item.node for item in found.values() if not item.error] == ["gpu02"]


async def test_too_many_people_are_out_of_reach(scraping, clock):
    line = (
        'gpunode_session_last_activity_timestamp_seconds{{platform="slurm",allocation="{}@1",'
        'kind="shell",uid="1"}} 1\n'
    )
    node = healthy(clock)
    async with scraping(node) as scrape:
        await scrape.only()
        node.people = lambda: many(line, 2049)
        found = await scrape.only(after=60)

    assert [item.sign.state for item in found.signs] == ["unreachable"]


@pytest.mark.parametrize("page", [PAGE[:CUT], b"<html>\n", PAGE + b"x{\n"])
async def test_a_bad_page_after_a_good_one_is_an_error_too(scraping, clock, page):
    node = healthy(clock)
    async with scraping(node) as scrape:
        await scrape.only()
        node.page = lambda: page
        found = await scrape.only(after=15)

    assert found.error
    assert found.node == "gpu01"
    assert found.readings == ()


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (500, "answers 500 Internal Server Error"),
        (503, "answers 503"),
        (401, "check bearer or basic"),
        (404, "is this a gpu-exporter's address?"),
        (204, "answers 204"),
    ],
)
async def test_another_status_is_an_error(scraping, clock, status, message):
    node = healthy(clock)
    node.status = status
    async with scraping(node) as scrape:
        assert message in (await scrape.only()).error


async def test_a_redirect_is_not_followed(scraping, clock):
    elsewhere = healthy(clock, "gpu02")
    node = healthy(clock)
    async with scraping(node, elsewhere) as scrape:
        node.status, node.headers = 302, {"Location": f"http://{elsewhere.address}/metrics"}
        found = (await scrape.round())[node.address]

    assert "answers 302" in found.error
    assert elsewhere.asked.count("/metrics") == 1


async def test_a_refused_connection_is_an_error(scraping, clock, unused_tcp_port):
    async with scraping(targets=[f"127.0.0.1:{unused_tcp_port}"]) as scrape:
        found = await scrape.only()

    assert "cannot be reached" in found.error
    assert found.node == "127.0.0.1"


async def test_a_name_that_does_not_resolve_is_an_error(scraping):
    async with scraping(targets=["no-such-node.invalid:1"]) as scrape:
        found = await scrape.only()

    assert "cannot be reached" in found.error
    assert found.node == "no-such-node"


async def test_a_page_over_the_limit_is_an_error(scraping):
    page = PAGE + b"# " + b"x" * 70_000 + b"\n"
    async with scraping(Node(page=lambda: page), page_limit=64 * 1024) as scrape:
        assert "larger than page_limit" in (await scrape.only()).error


async def test_a_small_body_that_unpacks_to_a_large_page_is_an_error(scraping):
    packed = gzip.compress(PAGE + b"# " + b"x" * 50_000_000 + b"\n")
    node = Node(page=lambda: packed, headers={"Content-Encoding": "gzip"})
    async with scraping(node) as scrape:
        assert "larger than page_limit" in (await scrape.only()).error


async def test_a_packed_body_that_is_garbage_is_an_error(scraping):
    node = Node(page=lambda: b"not packed at all", headers={"Content-Encoding": "gzip"})
    async with scraping(node) as scrape:
        assert "broke off" in (await scrape.only()).error


async def test_a_packed_page_is_read(scraping):
    node = Node(page=lambda: gzip.compress(PAGE), headers={"Content-Encoding": "gzip"})
    async with scraping(node) as scrape:
        assert (await scrape.only()).error == ""


async def test_openmetrics_without_its_end_is_an_error(scraping):
    kind = "application/openmetrics-text; version=1.0.0"
    node = Node(page=lambda: PAGE, headers={"Content-Type": kind})
    async with scraping(node) as scrape:
        assert "before its # EOF" in (await scrape.only()).error


async def test_the_content_type_alone_is_no_reason(scraping):
    node = Node(page=lambda: PAGE, headers={"Content-Type": "application/octet-stream"})
    assert node.headers["Content-Type"] != CONTENT_TYPE
    async with scraping(node) as scrape:
        assert (await scrape.only()).error == ""


# ------------------------------------------------------------------ one bad node


async def test_a_hung_node_is_an_error_and_delays_nobody_afterwards(scraping, clock):
    hung, fine = Node(page=lambda: PAGE, hangs=True), healthy(clock)
    async with scraping(hung, fine, timeout="2s") as scrape:
        first = await scrape.round()
        began = time.perf_counter()
        second = await scrape.round(after=15)
        took = time.perf_counter() - began

    assert "no answer within 2 s" in first[hung.address].error
    assert first[fine.address].error == ""
    assert second[fine.address].readings[0].at == NOW + 15
    assert took < 30


async def test_many_hung_nodes_leave_the_places_to_the_others(scraping, clock):
    hung = [Node(page=lambda: PAGE, hangs=True) for _ in range(6)]
    fine = [healthy(clock, f"gpu{index:02}") for index in range(6)]
    async with scraping(*hung, *fine, timeout="1s", concurrency=2) as scrape:
        await scrape.round()
        await scrape.round(after=15)
        found = await scrape.round(after=15)

    assert {found[node.address].readings[0].at for node in fine} == {NOW + 30}
    assert all(found[node.address].error for node in hung)


async def test_a_node_that_recovers_is_believed_again(scraping, clock):
    node = healthy(clock)
    node.status = 500
    async with scraping(node) as scrape:
        assert (await scrape.only()).error
        node.status = 200
        assert (await scrape.only(after=15)).error == ""


async def test_an_unexpected_failure_is_an_error_of_its_node(scraping, clock, caplog):
    fine = healthy(clock, "gpu02")
    async with scraping(Node(page=lambda: PAGE), fine) as scrape:
        await scrape.round()
        first, _ = scrape.activity._every()
        first._reader = None
        found = (await scrape.round(after=15))[first.target.name]
        fault = (await scrape.round())[fine.address]

    assert "failed unexpectedly" in found.error
    assert "failed unexpectedly" in caplog.text
    assert fault.error == ""
