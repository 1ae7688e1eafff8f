"""The program beside a dcgm-exporter: it fills what is missing, and never delays a page."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.exporter.dcgm.pages import page

CARD = "GPU-00000000-0000-0000-0000-000000000000"
SM = "gpunode_sm_active_seconds_total"
SEEN = "gpunode_observed_seconds_total"


class Dcgm(ThreadingHTTPServer):
    """Serves `text`, or nothing for ever when `silent`."""

    daemon_threads = True

    def __init__(self):
        self.text, self.silent = "", threading.Event()
        self.over = threading.Event()
        super().__init__(("127.0.0.1", 0), Answer)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/metrics"


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.server.silent.is_set():
            self.server.over.wait(30)
            return
        body = self.server.text.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


@pytest.fixture
def dcgm():
    server = Dcgm()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.over.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def exporter(start, fake_library, fake_node, dcgm):
    fake_node.add_ampere()
    dcgm.text = page("SM_ACTIVE 0.5", "PIPE_TENSOR_ACTIVE 0.25", uuid=CARD)
    running = start(
        "--dcgm-url", dcgm.url, "--dcgm-interval", "1",
        environment=fake_node.environment(fake_library),
    )  # fmt: skip
    running.page_when(lambda page: (page.value(SM) or 0) > 0)
    return running


def state(page, signal):
    (found,) = [
        (labels["source"], labels["state"])
        for labels in page.labels("gpunode_signal_info")
        if labels["signal"] == signal
    ]
    return found


def test_an_older_card_has_a_mean_of_its_multiprocessors(exporter):
    first = exporter.page()
    later = exporter.page_when(
        lambda page: page.value(SEEN, signal="sm") > first.value(SEEN, signal="sm") + 2
    )
    seen = later.value(SEEN, signal="sm") - first.value(SEEN, signal="sm")

    assert later.value(SM) - first.value(SM) == pytest.approx(seen / 2)
    assert state(later, "sm") == ("dcgm", "ok")
    assert state(later, "dram") == ("none", "unsupported")


def test_a_profiler_that_holds_the_counters_pauses_the_signal_and_its_seconds(exporter, dcgm):
    dcgm.text = page(uuid=CARD)
    paused = exporter.page_when(lambda page: state(page, "sm") == ("none", "paused"))
    dcgm.text = page("SM_ACTIVE 0.5", "PIPE_TENSOR_ACTIVE 0.25", uuid=CARD)
    again = exporter.page_when(lambda page: page.value(SM) > paused.value(SM))

    assert paused.value(SEEN, signal="engine") > paused.value(SEEN, signal="sm")
    assert state(again, "sm") == ("dcgm", "ok")
    assert [labels["generation"] for labels in again.labels("gpunode_info")] == [
        labels["generation"] for labels in paused.labels("gpunode_info")
    ]


def test_a_dcgm_exporter_that_never_answers_delays_no_page(exporter, dcgm):
    dcgm.silent.set()
    took = []
    stale = exporter.page_when(lambda page: state(page, "sm") == ("none", "stale"))
    for _ in range(50):
        began = time.monotonic()
        assert exporter.get("/metrics")[0] == 200
        took.append(time.monotonic() - began)
        time.sleep(0.02)

    assert sorted(took)[len(took) // 2] < 2
    assert exporter.page().value(SEEN, signal="engine") > stale.value(SEEN, signal="engine")
