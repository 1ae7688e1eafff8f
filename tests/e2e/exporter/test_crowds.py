"""Connections that say nothing, too many of them, and noise instead of HTTP."""

import contextlib
import http.client
import resource
import socket
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.exporter.process import PERIOD, ExporterProcess

MANY = 1_500
OBSERVED = "gpunode_observed_seconds_total"


@pytest.fixture(autouse=True)
def descriptors():
    """Let this process hold as many sockets as the tests open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MANY + 500
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def knock():
    """Give `knock(exporter, times, words)`: connections on which no whole head is sent."""
    with contextlib.ExitStack() as stack:

        def begin(exporter, times, words=b"GET /metrics HT"):
            host, _, port = exporter.address.rpartition(":")
            for _ in range(times):
                made = socket.create_connection((host, int(port)), timeout=60)
                stack.callback(made.close)
                with contextlib.suppress(OSError):
                    made.sendall(words)
            return made

        yield begin


def seen(exporter):
    return exporter.page().value(OBSERVED, gpu=exporter.uuid, signal="engine")


def open_sockets(exporter):
    folder = Path(f"/proc/{exporter.process.pid}/fd")
    links = []
    for one in folder.iterdir():
        with contextlib.suppress(OSError):
            links.append(str(one.readlink()))
    return sum(link.startswith("socket:") for link in links)


@pytest.fixture
def measuring(exporter):
    page = exporter.page()
    exporter.uuid = page.labels("gpunode_info")[0]["gpu"]
    return exporter


def test_a_page_stays_right_among_fifteen_hundred_half_open_connections(measuring, knock):
    knock(measuring, MANY)
    for _ in range(3):
        before = seen(measuring)
        measuring.until(lambda before=before: seen(measuring) - before > 3 * float(PERIOD))

    assert open_sockets(measuring) < 250
    assert measuring.process.poll() is None


def test_a_connection_without_a_whole_head_is_closed_after_ten_seconds(measuring, knock):
    made = knock(measuring, 1)
    made.settimeout(60)
    begun = time.monotonic()
    with contextlib.suppress(ConnectionError):
        assert made.recv(100) == b""

    assert time.monotonic() - begun > 8


def test_a_scraper_keeps_its_connection_for_longer_than_that(measuring):
    connection = http.client.HTTPConnection(measuring.address, timeout=60)
    connection.request("GET", "/metrics")
    connection.getresponse().read()
    own = connection.sock
    time.sleep(12)
    connection.request("GET", "/metrics")
    answer = connection.getresponse().read()

    assert b"gpunode_driver_up 1" in answer
    assert connection.sock is own
    connection.close()


#: Descriptors that the exporter may still open: enough for a worker, too few for the crowd.
SPARE = 20


def test_an_exporter_without_descriptors_lives_on_and_recovers(measuring, knock):
    held = len(list(Path(f"/proc/{measuring.process.pid}/fd").iterdir()))
    resource.prlimit(measuring.process.pid, resource.RLIMIT_NOFILE, (held + SPARE, held + SPARE))
    knock(measuring, 100)
    measuring.until(lambda: "a connection waits: Too many open files" in measuring.log.read_text())
    measuring.kill_worker()
    measuring.page_when(lambda page: page.value("gpunode_driver_up") == 0)
    measuring.page_when(lambda page: page.value("gpunode_driver_up") == 1, seconds=150)

    assert measuring.log.read_text().count("a connection waits") == 1
    assert measuring.process.poll() is None


def test_the_limit_of_open_files_is_raised_as_far_as_allowed(tmp_path, fake_library, fake_node):
    fake_node.add_hopper()
    running = ExporterProcess(
        tmp_path / "log",
        environment=fake_node.environment(fake_library),
        python=("prlimit", "--nofile=100:900", sys.executable),
    )
    try:
        running.await_address()

        assert resource.prlimit(running.process.pid, resource.RLIMIT_NOFILE) == (900, 900)
    finally:
        running.close()


def test_noise_instead_of_http_gets_one_line_in_the_log(measuring):
    host, _, port = measuring.address.rpartition(":")
    for _ in range(50):
        with socket.create_connection((host, int(port)), timeout=60) as made:
            made.sendall(b"GET /metrics HTTP/9.9 secret-word\r\nbad header\r\n\r\n")
            assert b"400" in made.recv(1000)
    log = measuring.log.read_text()

    assert log.count("no HTTP") == 1
    assert "Traceback" not in log
    assert "secret-word" not in log
    assert measuring.get("/metrics")[0] == 200
