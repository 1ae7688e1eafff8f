"""An alert travels: exporter, Prometheus, the rules, Alertmanager, a webhook."""

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue

import pytest

from tests.components import find, require
from tests.project import ROOT
from tests.real.drawn_exporter import drawn_exporter
from tests.real.engines import until_ready
from tests.real.prometheus_server import free_port, pages, prometheus

PATIENCE = 60.0
ROUTES = """
route: {{receiver: hook, group_by: [alertname], group_wait: 0s, group_interval: 1s}}
receivers:
  - name: hook
    webhook_configs: [{{url: 'http://{hook}/', send_resolved: false}}]
"""
CONFIGURATION = """
global: {{scrape_interval: 1s, scrape_timeout: 900ms, evaluation_interval: 1s}}
rule_files: ['{rules}']
alerting: {{alertmanagers: [{{static_configs: [{{targets: ['{alertmanager}']}}]}}]}}
scrape_configs:
  - job_name: gpu-exporter
    static_configs: [{{targets: ['{exporter}']}}]
"""


@contextmanager
def webhook() -> Iterator[tuple[str, Queue]]:
    """Take what is posted until the end of the block."""
    told: Queue = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}", told
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def alertmanager(folder: Path, hook: str) -> Iterator[str]:
    """Run an Alertmanager that sends everything to a webhook; give its address."""
    (folder / "routes.yml").write_text(ROUTES.format(hook=hook), encoding="utf-8")
    address = f"127.0.0.1:{free_port()}"
    command = [
        find("prometheus-alertmanager") or "prometheus-alertmanager",
        f"--config.file={folder / 'routes.yml'}",
        f"--storage.path={folder / 'alertmanager'}",
        f"--web.listen-address={address}",
        "--cluster.listen-address=",
    ]
    with (folder / "alertmanager.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        until_ready(f"http://{address}/-/ready")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=60)


def test_an_alert_travels_to_a_webhook(tmp_path: Path):
    require("prometheus", "alertmanager")
    with (
        webhook() as (hook, told),
        alertmanager(tmp_path, hook) as manager,
        pages({"/metrics": drawn_exporter}) as exporter,
    ):
        text = CONFIGURATION.format(
            rules=ROOT / "alerts/gpu-reaper.yaml", alertmanager=manager, exporter=exporter
        )
        with prometheus(tmp_path, text):
            alert = arrived(told, "GpuXidStopped")

    assert (alert["labels"]["severity"], alert["labels"]["xid"]) == ("critical", "79")
    assert alert["annotations"]["runbook"] == "docs/runbooks/xid.md"
    assert "GPU-a" in alert["annotations"]["summary"]


def arrived(told: Queue, name: str) -> dict:
    """Return the alert of that name for the first GPU; fail when none comes in time."""
    while True:
        try:
            posted = told.get(timeout=PATIENCE)
        except Empty:
            pytest.fail(f"no {name} within {PATIENCE} s")
        for alert in posted["alerts"]:
            if alert["labels"]["alertname"] == name and alert["labels"]["gpu"] == "GPU-a":
                return alert
