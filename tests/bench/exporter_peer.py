"""The usual exporter, nvitop-exporter, as a process on the same fake library."""

import http.client
import importlib.util
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

#: Linux' clock of what another process used, to the nanosecond.
_OF_PROCESS = 2
#: Seconds between scrapes while the cost is watched.
SCRAPED = 5.0


def is_installed() -> bool:
    return importlib.util.find_spec("nvitop_exporter") is not None


class Peer:
    """Starts, is scraped, ends."""

    def __init__(self, log: Path, environment: Mapping[str, str]):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.address = f"127.0.0.1:{port}"
        words = ("--hostname", "node", "--bind-address", "127.0.0.1", "--port", str(port))
        with log.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "nvitop_exporter", *words, "--interval", "1"],
                stdout=out,
                stderr=out,
                env={**os.environ, **environment},
            )
        self._await(log)

    def _await(self, log: Path):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                if "gpu" in scrape(self.address):
                    return
            except OSError:
                time.sleep(0.2)
        raise AssertionError(log.read_text())

    def close(self):
        self.process.kill()
        self.process.wait(timeout=10)


def scrape(address: str) -> str:
    connection = http.client.HTTPConnection(address, timeout=30)
    try:
        connection.request("GET", "/metrics")
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def series(text: str) -> int:
    """Count the series of a page."""
    return sum(not line.startswith("#") for line in text.splitlines() if line)


def family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in family(int(child)))]


@contextmanager
def first_in_line() -> Iterator[bool]:
    """Let what is started here run before everybody else's work, where that is allowed.

    Then times are those of a machine of its own, however many share it.
    """
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except PermissionError:
        yield False
        return
    try:
        yield True
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process and its living descendants, ended threads included."""
    return sum(time.clock_gettime(~one << 3 | _OF_PROCESS) for one in family(pid))


def resident_mib(pid: int) -> float:
    """Return the resident memory of a process and its descendants."""
    pages = sum(int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in family(pid))
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def cost(address: str, pid: int, seconds: float) -> tuple[float, float]:
    """Watch for a while, scraping meanwhile; return the share of a core and the MiB."""
    begun, before = time.monotonic(), cpu_seconds(pid)
    for _ in range(round(seconds / SCRAPED)):
        time.sleep(SCRAPED)
        scrape(address)
    return (cpu_seconds(pid) - before) / (time.monotonic() - begun), resident_mib(pid)


def laps(address: str, count: int = 200, pause: float = 0.01) -> list[float]:
    """Return how long each of many scrapes took, in milliseconds, over one connection."""
    connection = http.client.HTTPConnection(address, timeout=30)
    found = []
    for _ in range(count):
        time.sleep(pause)
        begun = time.perf_counter()
        connection.request("GET", "/metrics")
        connection.getresponse().read()
        found.append((time.perf_counter() - begun) * 1e3)
    connection.close()
    return found


def told(address: str, pid: int, rounds: int = 3) -> tuple[str, float]:
    """Say how fast a page is and how many milliseconds of CPU the process needs for one.

    The quietest of a few rounds counts: others use this machine, too.
    """
    before = cpu_seconds(pid)
    found = [laps(address) for _ in range(rounds)]
    each = (cpu_seconds(pid) - before) / sum(map(len, found)) * 1e3
    best = min(found, key=p99)
    words = f"median {statistics.median(best):.2f} ms, p99 {p99(best):.2f} ms"
    return f"{words}, longest {max(best):.2f} ms", each


def p99(found: list[float]) -> float:
    return statistics.quantiles(found, n=100)[98]
