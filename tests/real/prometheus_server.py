"""A real Prometheus on loopback, what it scrapes in tests, and what it answers."""

import json
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, build_opener

from tests.components import find

OPENER = build_opener(ProxyHandler({}))
PATIENCE = 60.0


@contextmanager
def pages(texts: Mapping[str, Callable[[], bytes]]) -> Iterator[str]:
    """Serve a text for each path until the end of the block; give the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = texts[self.path]()
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@dataclass(frozen=True)
class Prometheus:
    """A running server."""

    address: str
    log: Path

    def ask(self, path: str, **words: str) -> dict:
        """Return the data of an answer of the API; fail with its own words when it says no."""
        url = f"http://{self.address}/api/v1/{path}?{urlencode(words)}"
        try:
            with OPENER.open(url, timeout=60) as answer:
                return json.loads(answer.read())["data"]
        except HTTPError as error:
            with error:
                raise AssertionError(json.loads(error.read())["error"]) from error

    def query(self, expression: str) -> list[dict]:
        """Return the series of an instant query."""
        return self.ask("query", query=expression)["result"]

    def until(self, look: Callable[[], object]) -> object:
        """Look again and again until something is there; fail with the log otherwise."""
        end = time.monotonic() + PATIENCE
        while not (found := look()):
            assert time.monotonic() < end, f"not in time; {self.log.read_text()[-2000:]}"
            time.sleep(0.2)
        return found

    def ready(self) -> bool:
        try:
            with OPENER.open(f"http://{self.address}/-/ready", timeout=1) as answer:
                return answer.status == 200
        except URLError:
            return False


@contextmanager
def prometheus(folder: Path, configuration: str, *more: str) -> Iterator[Prometheus]:
    """Run a Prometheus with a configuration until the end of the block."""
    (folder / "prometheus.yml").write_text(configuration, encoding="utf-8")
    server = Prometheus(address=f"127.0.0.1:{free_port()}", log=folder / "prometheus.log")
    command = [
        find("prometheus") or "prometheus",
        f"--config.file={folder / 'prometheus.yml'}",
        f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address={server.address}",
        *more,
    ]
    with server.log.open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        server.until(server.ready)
        yield server
    finally:
        process.terminate()
        process.wait(timeout=60)


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
